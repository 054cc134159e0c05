"""A table that is open: the people at it, and what they are told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import weakref
from collections import deque
from typing import TYPE_CHECKING

from icetable.core.errors import GameError
from icetable.server import messages, metrics
from icetable.server.live.autoplay import AutoPlayer, BotPool
from icetable.server.live.chat import LiveChat
from icetable.server.live.presence import LivePresence
from icetable.server.store import pubsub
from icetable.server.store.errors import Conflict, StoreError, StoreTimeout
from icetable.server.store.store import Store
from icetable.server.table.clock import now
from icetable.server.table.errors import BadTable, sentence
from icetable.server.table.judge import Judge
from icetable.server.table.log import Entry
from icetable.server.table.seats import checked_level, hash_code
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import Hidden, TableViews

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.table.chat import ChatMessage

MOST_DRAWN = 16
"""How many codes that somebody has drawn at a table are remembered: more than it has seats."""

logger = logging.getLogger(__name__)


class Client:
    """Somebody with a line to the server: who they are at their table."""

    def __init__(self, send: Callable[[bytes], None], browser: str | None = None) -> None:
        """`send` does not wait; `browser` is the SHA-256 of their browser's cookie."""
        self.send = send
        self.viewer = Viewer()
        self.browser = browser
        self._brought: frozenset[str] = frozenset()
        self._drawn: deque[str] = deque(maxlen=MOST_DRAWN)
        self.table: LiveTable | None = None

    @property
    def locks(self) -> frozenset[str]:
        """What the codes that they have open."""
        return self._brought.union(self._drawn)

    def bring(self, codes: list[str], held: frozenset[str] = frozenset()) -> None:
        """They come to a table with these codes, and a browser that holds these locks."""
        self._brought = held.union(map(hash_code, codes))
        self._drawn.clear()

    def know(self, code: str) -> None:
        """They have drawn a code, which is theirs wherever it fits."""
        self._drawn.append(hash_code(code))

    def tell(self, message: messages.ServerMessage) -> None:
        """Tell them alone."""
        self.send(messages.write(message))


class LiveTable:
    """A room that is open: its visitors, and who acts there without being a person."""

    def __init__(self, table_state: TableState, remarks: list[ChatMessage], log: Store, bot_pool: BotPool) -> None:
        """`remarks`: the last of what was said there."""
        self.state = table_state
        self.views = TableViews(table_state, now)
        self._judge = Judge(table_state)
        self.clients: set[Client] = set()
        self._lock = asyncio.Lock()
        self._log = log
        self._thinkers = bot_pool
        table_state.age(now())
        self.is_closed = False
        me = weakref.proxy(self)  # without rings a table that is closed is freed at once
        self.autoplayer = AutoPlayer(me, bot_pool)
        self._over = table_state.is_over
        self.is_behind = False
        """Another server has added to the log, and it has not been read since."""
        self._curious: dict[Client, int] = {}
        self._solving: asyncio.Task[None] | None = None
        self._unanswered: set[asyncio.Task[None]] = set()
        self.presence = LivePresence(me, log)
        self.chat = LiveChat(me, remarks, log)
        self.presence.look_round()

    def itself(self) -> LiveTable:
        """The table, for steps that must not outlive it: its parts hold a weak proxy of it."""
        return self

    async def close(self) -> None:
        """End, when all that is under way is done."""
        for task in self._unanswered:
            task.cancel()
        self.presence.close()
        await self.autoplayer.close()
        self.is_closed = True
        await self.chat.close()
        async with self._lock:
            pass

    async def ask(self, viewer: Viewer, request: messages.Request) -> messages.Ack | messages.Refused:
        """Judge a request, keep it, tell everybody, and answer it. Once begun it must be seen through."""
        if isinstance(request, messages.Fill):
            levels = await asyncio.to_thread(self._thinkers.brains.levels, self.state.game.info.name)
            try:
                checked_level(request.level, [level.name for level in levels])
            except BadTable as error:
                return messages.Refused(request.id, messages.Fault("no-level", sentence(error), None, []))
        locks = viewer.code_hashes
        if isinstance(request, messages.Sit | messages.HandOver):
            locks |= {hash_code(request.code)}  # who asks again for the same is known by it
        async with self._lock:
            try:
                return await self._answer(locks, request)
            except StoreError as error:
                return messages.Refused(request.id, messages.Fault("not-kept", str(error), None, []))

    async def _answer(self, locks: frozenset[str], request: messages.Request) -> messages.Ack | messages.Refused:
        """Judge until there is an answer. Nobody is refused for want of news of another server. Raises LogError."""
        is_sure = not self._log.is_shared
        while True:
            asking = self.state.viewer_with(locks)  # their seat may have been handed over meanwhile
            away = () if isinstance(request, messages.Act) else self.presence.replaceable()
            at = now()
            verdict = self.state.overdue(at) or self._judge.judge(asking, request, at, away, is_sure)
            if isinstance(verdict, Entry):
                await self._enter(verdict)
            elif isinstance(verdict, messages.Ack) or is_sure:
                return verdict
            else:
                await self._read_on()
                is_sure = True

    def look(self, viewer: Viewer, number: int) -> messages.Past | messages.ErrorMessage:
        """An earlier position."""
        try:
            frame = self.views.past(viewer, number)
        except Hidden as hidden:
            return messages.ErrorMessage(str(hidden))
        return messages.Past(frame) if frame else messages.ErrorMessage(f"Only {self.state.acts} acts have been made.")

    def history(self, viewer: Viewer, before: int) -> messages.HistoryPage | messages.ErrorMessage:
        """A page of the acts before number `before`."""
        try:
            return messages.HistoryPage(self.views.history(viewer, before))
        except Hidden as hidden:
            return messages.ErrorMessage(str(hidden))

    def solve(self, client: Client, number: int) -> None:
        """Tell somebody in a while what the acts of a position are worth; of their questions only the last counts."""
        self._curious[client] = number
        if self._solving is None or self._solving.done():
            self._solving = asyncio.create_task(self._satisfy())

    def forget(self, client: Client) -> None:
        """Somebody goes."""
        self.clients.discard(client)
        self._curious.pop(client, None)
        self.presence.forget(client)
        self.presence.look_round()

    async def _satisfy(self) -> None:
        """Answer all who are curious, one after another."""
        while self._curious:
            client = next(iter(self._curious))
            number = self._curious.pop(client)
            try:
                state = self.views.position(client.viewer, number)
                values = await self._thinkers.values(state)
                if self.views.position(client.viewer, number) != state:
                    continue  # it was taken back meanwhile
                answer: messages.ServerMessage = messages.Solved(
                    number, {str(act): value for act, value in values.items()}
                )
            except Hidden as hidden:
                answer = messages.ErrorMessage(str(hidden))
            except GameError as error:
                answer = messages.ErrorMessage(sentence(error))
            except Exception:
                logger.exception("table %s: position %s can't be solved", self.state.setup.id, number)
                answer = messages.ErrorMessage("What the acts are worth could not be worked out.")
            if client in self.clients:
                client.tell(answer)

    async def enter(self, propose: Callable[[int], Entry | None]) -> None:
        """Keep what nature or a bot does now, if `propose`, which is told the time, still wants it.

        What is overdue comes first. Raises LogError, and GameError where the rules or the table refuse it.
        """
        async with self._lock:
            if self.is_closed:
                return
            at = now()
            entry = self.state.overdue(at) or propose(at)
            if entry is not None:
                await self._enter(entry)

    def age(self) -> bool:
        """Show what time alone has done to the position, if anything."""
        has_changed = self.state.age(now())
        if has_changed:
            self.show(lambda viewer: messages.NewFrame(self.views.frame(viewer)))
            self.autoplayer.look()
        return has_changed

    async def _enter(self, entry: Entry) -> None:
        """Keep an entry and take it in; or, where another server was faster, what that one kept."""
        try:
            with metrics.COMMITS.time(), metrics.NOT_KEPT.count_exceptions(StoreError):
                await self._log.keep(self.state.setup.id, entry)
            self._take(entry)
        except Conflict:
            await self._read_on()
        except StoreTimeout as error:
            task = asyncio.create_task(self._learn(error.done))
            self._unanswered.add(task)
            task.add_done_callback(self._unanswered.discard)
            raise

    async def _learn(self, done: asyncio.Future[None]) -> None:
        """Take in an entry that was kept after all, once the database answers."""
        with contextlib.suppress(StoreError):
            with contextlib.suppress(Conflict):
                await done
            await self.catch_up()

    async def catch_up(self) -> None:
        """Take in what other servers have kept. Raises LogError."""
        async with self._lock:
            self.is_behind = False
            await self._read_on()

    async def _read_on(self) -> None:
        table = self.state.setup.id
        try:
            for entry in await asyncio.to_thread(self._log.entries, table, self.state.entries):
                self._take(entry)
        except GameError as error:
            logger.error("the log of table %s can't be read on: %s", table, error)
            raise StoreError("This table can't go on: its log is not what was kept.") from None

    def _take(self, entry: Entry) -> None:
        seating, was_over = self.state.seating, self._over
        what = self.state.append(entry)
        self._over = self.state.is_over
        if was_over != self._over:
            self._log.set_over(self.state.setup.id, self._over)
        if what != "event":
            self.presence.empty_hands()
        if what == "act":
            self.show(lambda viewer: messages.NewFrame(self.views.frame(viewer)))
        elif what == "undo":
            self.show(lambda viewer: messages.Rewound(self.views.lines(viewer), self.views.frame(viewer)))
        if what == "event" or self.state.seating is not seating:
            self._reseat()
        ending = self.views.ending
        if ending is not None and not was_over:
            self.show(lambda viewer: messages.Over(self.views.lines(viewer), ending))
        if self._over != was_over and not self.state.setup.terms.live:
            self._welcome_watchers()
        self.autoplayer.look()

    def _welcome_watchers(self) -> None:
        """Show the whole table to those who could not see the game, or can't any more."""
        for client in self.clients:
            if not client.viewer.seats:
                client.tell(self.views.welcome(client.viewer))
                self.chat.welcome(client)

    def _reseat(self) -> None:
        """Whoever holds a code holds its seat wherever that is now, and hears what the table is like."""
        blind = {client for client in self.clients if not self.state.sees(client.viewer)}
        for client in self.clients:
            client.viewer = self.state.viewer_with(client.locks)
        self.show(lambda viewer: messages.Changed(self.views.table(viewer), self.views.frame(viewer)), hidden=True)
        for client in blind:
            self.chat.welcome(client)
        self.presence.check_hands()
        self.presence.look_round()

    def show(
        self, make: Callable[[Viewer], messages.ServerMessage], hidden: bool = False, but: Client | str | None = None
    ) -> None:
        """Tell every visitor what they may see, `but` one perhaps; what is the same for several is made once.

        Those to whom the game is not shown hear only what is not of the game, `hidden`.
        """
        made: dict[Viewer, bytes] = {}
        for client in self.clients:
            viewer = client.viewer
            if client is but or not (hidden or self.state.sees(viewer)):
                continue
            message = made.get(viewer)
            if message is None:
                message = made[viewer] = messages.write(make(viewer))
            client.send(message)

    def tell_all(self, message: messages.ServerMessage) -> None:
        """Tell the same to every visitor who sees the game."""
        self.show(lambda _: message)

    def whisper(self, whisper: pubsub.PubSubMessage) -> None:
        """Tell the other processes something that is not kept."""
        self._log.publish(self.state.setup.id, pubsub.write(whisper))

    async def overhear(self, text: str) -> None:
        """Another process has whispered something about this table."""
        match pubsub.read(text):
            case pubsub.Here() as here:
                self.presence.hear(here)
            case pubsub.Held() as held:
                async with self._lock:  # one after another, also where the entries before are still to be read
                    if held.entries > self.state.entries:
                        await self._read_on()
                    self.presence.hear_hand(held)
            case pubsub.Spoken():
                await self.chat.listen()

    def hold(self, client: Client, seat: int, what: str | None) -> messages.ErrorMessage | None:
        """Somebody takes something in hand, or puts it back: the others see it. Of another's seat the complaint."""
        if seat not in client.viewer.seats:
            return messages.ErrorMessage("This browser does not hold that seat.")
        self.presence.hold(client, seat, what)
        return None

    def welcome(
        self, client: Client, codes: list[str], held: frozenset[str], seen: messages.Seen | None = None
    ) -> None:
        """Show somebody the table, or what they have missed. From now on they hear what happens at it."""
        client.table = self
        client.bring(codes, held)
        client.viewer = self.state.viewer_with(client.locks)
        resumed = None if seen is None else self.views.resumed(client.viewer, seen)
        client.tell(resumed or self.views.welcome(client.viewer))
        if self.autoplayer.news.state != "ready" and self.state.sees(client.viewer):
            client.tell(self.autoplayer.news)
        self.chat.welcome(client)
        self.presence.welcome(client)
