"""A table that is open: the people at it, and what they are told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import weakref
from collections import deque
from typing import TYPE_CHECKING

from icetable.core.errors import GameError
from icetable.table import meters, whispers, wire
from icetable.table.bots import Machine, Thinkers
from icetable.table.company import Company
from icetable.table.conversation import Conversation
from icetable.table.gate import Gate, Hidden
from icetable.table.log import Log, LogError, NoAnswer, Taken
from icetable.table.rooms import Entry, Room, Viewer, sentence
from icetable.table.seating import BadTable, checked_level, lock_of
from icetable.table.timing import now

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.table.talk import Remark

MOST_DRAWN = 16
"""How many codes that somebody has drawn at a table are remembered: more than it has seats."""

logger = logging.getLogger(__name__)


class Visitor:
    """Somebody with a line to the server: who they are at their table."""

    def __init__(self, send: Callable[[bytes], None], browser: str | None = None) -> None:
        """`send` does not wait; `browser` is the SHA-256 of their browser's cookie."""
        self.send = send
        self.viewer = Viewer()
        self.browser = browser
        self._brought: frozenset[str] = frozenset()
        self._drawn: deque[str] = deque(maxlen=MOST_DRAWN)
        self.table: Table | None = None

    @property
    def locks(self) -> frozenset[str]:
        """What the codes that they have open."""
        return self._brought.union(self._drawn)

    def bring(self, codes: list[str], held: frozenset[str] = frozenset()) -> None:
        """They come to a table with these codes, and a browser that holds these locks."""
        self._brought = held.union(map(lock_of, codes))
        self._drawn.clear()

    def know(self, code: str) -> None:
        """They have drawn a code, which is theirs wherever it fits."""
        self._drawn.append(lock_of(code))

    def tell(self, message: wire.ServerMessage) -> None:
        """Tell them alone."""
        self.send(wire.write(message))


class Table:
    """A room that is open: its visitors, and who acts there without being a person."""

    def __init__(self, room: Room, remarks: list[Remark], log: Log, thinkers: Thinkers) -> None:
        """`remarks`: the last of what was said there."""
        self.room = room
        self.gate = Gate(room, now)
        self.visitors: set[Visitor] = set()
        self._lock = asyncio.Lock()
        self._log = log
        self._thinkers = thinkers
        room.age(now())
        self.is_closed = False
        me = weakref.proxy(self)  # without rings a table that is closed is freed at once
        self.machine = Machine(me, thinkers)
        self._over = room.is_over
        self.is_behind = False
        """Another server has added to the log, and it has not been read since."""
        self._curious: dict[Visitor, int] = {}
        self._solving: asyncio.Task[None] | None = None
        self._unanswered: set[asyncio.Task[None]] = set()
        self.company = Company(me, log)
        self.conversation = Conversation(me, remarks, log)
        self.company.look_round()

    def itself(self) -> Table:
        """The table, for steps that must not outlive it: its parts hold a weak proxy of it."""
        return self

    async def close(self) -> None:
        """End, when all that is under way is done."""
        for task in self._unanswered:
            task.cancel()
        self.company.close()
        await self.machine.close()
        self.is_closed = True
        await self.conversation.close()
        async with self._lock:
            pass

    async def ask(self, viewer: Viewer, request: wire.Request) -> wire.Ack | wire.Refused:
        """Judge a request, keep it, tell everybody, and answer it. Once begun it must be seen through."""
        if isinstance(request, wire.Fill):
            levels = await asyncio.to_thread(self._thinkers.brains.levels, self.room.game.info.name)
            try:
                checked_level(request.level, [level.name for level in levels])
            except BadTable as error:
                return wire.Refused(request.id, wire.Fault("no-level", sentence(error), None, []))
        locks = viewer.locks
        if isinstance(request, wire.Sit | wire.HandOver):
            locks |= {lock_of(request.code)}  # who asks again for the same is known by it
        async with self._lock:
            try:
                return await self._answer(locks, request)
            except LogError as error:
                return wire.Refused(request.id, wire.Fault("not-kept", str(error), None, []))

    async def _answer(self, locks: frozenset[str], request: wire.Request) -> wire.Ack | wire.Refused:
        """Judge until there is an answer. Nobody is refused for want of news of another server. Raises LogError."""
        is_sure = not self._log.is_shared
        while True:
            asking = self.room.viewer_with(locks)  # their seat may have been handed over meanwhile
            away = () if isinstance(request, wire.Act) else self.company.replaceable()
            at = now()
            verdict = self.room.overdue(at) or self.room.judge(asking, request, at, away, is_sure)
            if isinstance(verdict, Entry):
                await self._enter(verdict)
            elif isinstance(verdict, wire.Ack) or is_sure:
                return verdict
            else:
                await self._read_on()
                is_sure = True

    def look(self, viewer: Viewer, number: int) -> wire.Past | wire.ErrorMessage:
        """An earlier position."""
        try:
            frame = self.gate.past(viewer, number)
        except Hidden as hidden:
            return wire.ErrorMessage(str(hidden))
        return wire.Past(frame) if frame else wire.ErrorMessage(f"Only {self.room.acts} acts have been made.")

    def history(self, viewer: Viewer, before: int) -> wire.HistoryPage | wire.ErrorMessage:
        """A page of the acts before number `before`."""
        try:
            return wire.HistoryPage(self.gate.history(viewer, before))
        except Hidden as hidden:
            return wire.ErrorMessage(str(hidden))

    def solve(self, visitor: Visitor, number: int) -> None:
        """Tell somebody in a while what the acts of a position are worth; of their questions only the last counts."""
        self._curious[visitor] = number
        if self._solving is None or self._solving.done():
            self._solving = asyncio.create_task(self._satisfy())

    def forget(self, visitor: Visitor) -> None:
        """Somebody goes."""
        self.visitors.discard(visitor)
        self._curious.pop(visitor, None)
        self.company.forget(visitor)
        self.company.look_round()

    async def _satisfy(self) -> None:
        """Answer all who are curious, one after another."""
        while self._curious:
            visitor = next(iter(self._curious))
            number = self._curious.pop(visitor)
            try:
                state = self.gate.position(visitor.viewer, number)
                values = await self._thinkers.values(state)
                if self.gate.position(visitor.viewer, number) != state:
                    continue  # it was taken back meanwhile
                answer: wire.ServerMessage = wire.Solved(number, {str(act): value for act, value in values.items()})
            except Hidden as hidden:
                answer = wire.ErrorMessage(str(hidden))
            except GameError as error:
                answer = wire.ErrorMessage(sentence(error))
            except Exception:
                logger.exception("table %s: position %s can't be solved", self.room.charter.id, number)
                answer = wire.ErrorMessage("What the acts are worth could not be worked out.")
            if visitor in self.visitors:
                visitor.tell(answer)

    async def enter(self, propose: Callable[[int], Entry | None]) -> None:
        """Keep what nature or a bot does now, if `propose`, which is told the time, still wants it.

        What is overdue comes first. Raises LogError, and GameError where the rules or the table refuse it.
        """
        async with self._lock:
            if self.is_closed:
                return
            at = now()
            entry = self.room.overdue(at) or propose(at)
            if entry is not None:
                await self._enter(entry)

    def age(self) -> bool:
        """Show what time alone has done to the position, if anything."""
        has_changed = self.room.age(now())
        if has_changed:
            self.show(lambda viewer: wire.NewFrame(self.gate.frame(viewer)))
            self.machine.look()
        return has_changed

    async def _enter(self, entry: Entry) -> None:
        """Keep an entry and take it in; or, where another server was faster, what that one kept."""
        try:
            with meters.COMMITS.time(), meters.NOT_KEPT.count_exceptions(LogError):
                await self._log.keep(self.room.charter.id, entry)
            self._take(entry)
        except Taken:
            await self._read_on()
        except NoAnswer as error:
            task = asyncio.create_task(self._learn(error.done))
            self._unanswered.add(task)
            task.add_done_callback(self._unanswered.discard)
            raise

    async def _learn(self, done: asyncio.Future[None]) -> None:
        """Take in an entry that was kept after all, once the database answers."""
        with contextlib.suppress(LogError):
            with contextlib.suppress(Taken):
                await done
            await self.catch_up()

    async def catch_up(self) -> None:
        """Take in what other servers have kept. Raises LogError."""
        async with self._lock:
            self.is_behind = False
            await self._read_on()

    async def _read_on(self) -> None:
        table = self.room.charter.id
        try:
            for entry in await asyncio.to_thread(self._log.entries, table, self.room.entries):
                self._take(entry)
        except GameError as error:
            logger.error("the log of table %s can't be read on: %s", table, error)
            raise LogError("This table can't go on: its log is not what was kept.") from None

    def _take(self, entry: Entry) -> None:
        seating, was_over = self.room.seating, self._over
        what = self.room.take(entry)
        self._over = self.room.is_over
        if was_over != self._over:
            self._log.note(self.room.charter.id, self._over)
        if what != "change":
            self.company.empty_hands()
        if what == "act":
            self.show(lambda viewer: wire.NewFrame(self.gate.frame(viewer)))
        elif what == "undo":
            self.show(lambda viewer: wire.Rewound(self.gate.lines(viewer), self.gate.frame(viewer)))
        if what == "change" or self.room.seating is not seating:
            self._reseat()
        ending = self.gate.ending
        if ending is not None and not was_over:
            self.show(lambda viewer: wire.Over(self.gate.lines(viewer), ending))
        if self._over != was_over and not self.room.charter.terms.live:
            self._welcome_watchers()
        self.machine.look()

    def _welcome_watchers(self) -> None:
        """Show the whole table to those who could not see the game, or can't any more."""
        for visitor in self.visitors:
            if not visitor.viewer.seats:
                visitor.tell(self.gate.welcome(visitor.viewer))
                self.conversation.welcome(visitor)

    def _reseat(self) -> None:
        """Whoever holds a code holds its seat wherever that is now, and hears what the table is like."""
        blind = {visitor for visitor in self.visitors if not self.room.sees(visitor.viewer)}
        for visitor in self.visitors:
            visitor.viewer = self.room.viewer_with(visitor.locks)
        self.show(lambda viewer: wire.Changed(self.gate.table(viewer), self.gate.frame(viewer)), hidden=True)
        for visitor in blind:
            self.conversation.welcome(visitor)
        self.company.check_hands()
        self.company.look_round()

    def show(
        self, make: Callable[[Viewer], wire.ServerMessage], hidden: bool = False, but: Visitor | str | None = None
    ) -> None:
        """Tell every visitor what they may see, `but` one perhaps; what is the same for several is made once.

        Those to whom the game is not shown hear only what is not of the game, `hidden`.
        """
        made: dict[Viewer, bytes] = {}
        for visitor in self.visitors:
            viewer = visitor.viewer
            if visitor is but or not (hidden or self.room.sees(viewer)):
                continue
            message = made.get(viewer)
            if message is None:
                message = made[viewer] = wire.write(make(viewer))
            visitor.send(message)

    def tell_all(self, message: wire.ServerMessage) -> None:
        """Tell the same to every visitor who sees the game."""
        self.show(lambda _: message)

    def whisper(self, whisper: whispers.Whisper) -> None:
        """Tell the other processes something that is not kept."""
        self._log.whisper(self.room.charter.id, whispers.write(whisper))

    async def overhear(self, text: str) -> None:
        """Another process has whispered something about this table."""
        match whispers.read(text):
            case whispers.Here() as here:
                self.company.hear(here)
            case whispers.Held() as held:
                async with self._lock:  # one after another, also where the entries before are still to be read
                    if held.entries > self.room.entries:
                        await self._read_on()
                    self.company.hear_hand(held)
            case whispers.Spoken():
                await self.conversation.listen()

    def hold(self, visitor: Visitor, seat: int, what: str | None) -> wire.ErrorMessage | None:
        """Somebody takes something in hand, or puts it back: the others see it. Of another's seat the complaint."""
        if seat not in visitor.viewer.seats:
            return wire.ErrorMessage("This browser does not hold that seat.")
        self.company.hold(visitor, seat, what)
        return None

    def welcome(self, visitor: Visitor, codes: list[str], held: frozenset[str], seen: wire.Seen | None = None) -> None:
        """Show somebody the table, or what they have missed. From now on they hear what happens at it."""
        visitor.table = self
        visitor.bring(codes, held)
        visitor.viewer = self.room.viewer_with(visitor.locks)
        resumed = None if seen is None else self.gate.resumed(visitor.viewer, seen)
        visitor.tell(resumed or self.gate.welcome(visitor.viewer))
        if self.machine.news.state != "ready" and self.room.sees(visitor.viewer):
            visitor.tell(self.machine.news)
        self.conversation.welcome(visitor)
        self.company.welcome(visitor)
