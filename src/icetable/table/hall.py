"""All tables of a server, and the people at them. What is said here goes to sockets; how, is none of its business."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from icetable.core import registry
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, Game, State
from icetable.table import meters, rooms, wire
from icetable.table.bots import Machine, Thinkers
from icetable.table.log import Log, LogError, Taken
from icetable.table.rooms import Entry, Hidden, Room, Tampered, Viewer, sentence
from icetable.table.seating import BadTable, checked_level, lock_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

MOST_WAITING = 100
"""How many messages may wait for a slow reader."""
MOST_RESUMED = 1000
RESUMED_SINCE = 30 * 24 * 60 * 60 * 1000
"""How many tables, opened in how many milliseconds past, go on by themselves when the server starts."""
GRACE = 120.0
"""How many seconds somebody may be away before the others can put a bot in their place."""
MOST_LISTED = 50
LISTED_FOR = 24 * 60 * 60 * 1000
"""How many public tables the lobby lists, and for how many milliseconds after they were opened."""

logger = logging.getLogger(__name__)


class NoTable(Exception):
    """There is no such table; the text says so, in one sentence."""


class Visitor:
    """Somebody's line to the server: who they are at their table, and what is waiting to be sent to them."""

    def __init__(self) -> None:
        self.viewer = Viewer()
        self.locks: frozenset[str] = frozenset()
        self.table: Table | None = None
        self.too_slow = asyncio.Event()
        self.waiting: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)

    def tell(self, message: bytes) -> None:
        """Send without waiting. Who does not keep up is let go, so that nobody else waits."""
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.too_slow.set()

    def know(self, code: str) -> None:
        """They have drawn a code, which is theirs wherever it fits."""
        self.locks |= {lock_of(code)}

    async def answer(self, message: wire.ServerMessage) -> None:
        """Send, and wait for room: who asks faster than they read waits for themselves."""
        await self.waiting.put(wire.write(message))


class Table:
    """A room that is open: its visitors, and who acts there without being a person."""

    def __init__(self, room: Room, log: Log, thinkers: Thinkers) -> None:
        self.room = room
        self.visitors: set[Visitor] = set()
        self.changed = asyncio.Event()
        self._lock = asyncio.Lock()
        self._log = log
        self._thinkers = thinkers
        self.machine = Machine(self, thinkers)
        self._over = room.state.is_terminal
        self.is_behind = False
        """Another server has added to the log, and it has not been read since."""
        self._curious: dict[Visitor, int] = {}
        self._solving: asyncio.Task[None] | None = None
        self._away_since: dict[int, float] = {}
        self._told: wire.Presence | None = None
        self._grace: asyncio.TimerHandle | None = None
        self.look_round()

    async def close(self) -> None:
        """End, when all that is under way is done."""
        if self._grace is not None:
            self._grace.cancel()
        await self.machine.close()
        async with self._lock:
            pass

    async def ask(self, viewer: Viewer, request: wire.Request) -> wire.Ack | wire.Refused:
        """Judge a request, keep it, tell everybody, and answer it. It is seen through even if the caller goes away."""
        return await asyncio.shield(self._ask(viewer, request))

    async def _ask(self, viewer: Viewer, request: wire.Request) -> wire.Ack | wire.Refused:
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
            while True:
                asking = self.room.viewer_with(locks)  # their seat may have been handed over meanwhile
                verdict = self.room.judge(asking, request, _now(), self._replaceable())
                if not isinstance(verdict, Entry):
                    return verdict
                try:
                    await self._enter(verdict)
                except LogError as error:
                    return wire.Refused(request.id, wire.Fault("not-kept", str(error), None, []))

    def look(self, viewer: Viewer, number: int) -> wire.Past | wire.ErrorMessage:
        """An earlier position."""
        try:
            frame = self.room.past(viewer, number)
        except Hidden as hidden:
            return wire.ErrorMessage(str(hidden))
        return wire.Past(frame) if frame else wire.ErrorMessage(f"Only {self.room.acts} acts have been made.")

    def solve(self, visitor: Visitor, number: int) -> None:
        """Tell somebody in a while what the acts of a position are worth; of their questions only the last counts."""
        self._curious[visitor] = number
        if self._solving is None or self._solving.done():
            self._solving = asyncio.create_task(self._satisfy())

    def forget(self, visitor: Visitor) -> None:
        """Somebody has gone who may have been curious."""
        self._curious.pop(visitor, None)

    async def _satisfy(self) -> None:
        """Answer all who are curious, one after another."""
        while self._curious:
            visitor = next(iter(self._curious))
            number = self._curious.pop(visitor)
            try:
                state = self.room.position(visitor.viewer, number)
                values = await self._thinkers.values(state)
                if self.room.position(visitor.viewer, number) is not state:
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
                visitor.tell(wire.write(answer))

    async def act(self, state: State, propose: Callable[[int], Entry]) -> None:
        """Let nature or a bot act in this position, if it is still the newest. Raises LogError."""
        await asyncio.shield(self._act(state, propose))

    async def _act(self, state: State, propose: Callable[[int], Entry]) -> None:
        async with self._lock:
            if self.room.state is state:
                await self._enter(propose(_now()))

    async def draw_lots(self) -> None:
        """Let nature say who sits where, if that is due. Raises LogError."""
        await asyncio.shield(self._draw_lots())

    async def _draw_lots(self) -> None:
        async with self._lock:
            if self.room.seating.lots_due:
                await self._enter(self.room.draw_lots(_now()))

    async def _enter(self, entry: Entry) -> None:
        """Keep an entry and take it in; or, where another server was faster, what that one kept."""
        try:
            with meters.COMMITS.time(), meters.NOT_KEPT.count_exceptions(LogError):
                await asyncio.wrap_future(self._log.append(self.room.charter.id, entry))
            self._take(entry)
        except Taken:
            await self._read_on()

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
        seating, ending = self.room.seating, self.room.ending
        what = self.room.take(entry)
        self.changed.set()
        if self._over != self.room.state.is_terminal:
            self._over = self.room.state.is_terminal
            self._log.note(self.room.charter.id, self._over)
        if what == "act":
            self._show(lambda viewer: wire.NewFrame(self.room.frame(viewer)))
            if self.room.ending:
                self._finish(self.room.ending)
        elif what == "undo":
            self._show(lambda viewer: wire.Rewound(self.room.lines(viewer), self.room.frame(viewer)))
        if self.room.seating is not seating:
            self._reseat()
        if ending and not self.room.ending and not self.room.charter.terms.live:
            self._welcome_watchers()  # what was over goes on

    def _finish(self, ending: wire.Ending) -> None:
        self._show(lambda viewer: wire.Over(self.room.lines(viewer), ending))
        if not self.room.charter.terms.live:
            self._welcome_watchers()

    def _welcome_watchers(self) -> None:
        """Show the whole table to those who could not see the game, or can't any more."""
        for visitor in self.visitors:
            if not visitor.viewer.seats:
                visitor.tell(wire.write(self.room.welcome(visitor.viewer)))

    def _reseat(self) -> None:
        """Whoever holds a code holds its seat wherever that is now, and hears who sits where."""
        for visitor in self.visitors:
            visitor.viewer = self.room.viewer_with(visitor.locks)
        self._show(lambda viewer: wire.Seated(self.room.table(viewer), self.room.frame(viewer)), hidden=True)
        self.look_round()

    def _show(self, make: Callable[[Viewer], wire.ServerMessage], hidden: bool = False) -> None:
        """Tell every visitor what they may see; what is the same for several is made once.

        Those to whom the game is not shown hear only what is not of the game, `hidden`.
        """
        made: dict[Viewer, bytes] = {}
        for visitor in self.visitors:
            if not (hidden or self.room.sees(visitor.viewer)):
                continue
            if visitor.viewer not in made:
                made[visitor.viewer] = wire.write(make(visitor.viewer))
            visitor.tell(made[visitor.viewer])

    def tell_all(self, message: wire.ServerMessage) -> None:
        """Tell the same to every visitor who sees the game."""
        self._show(lambda _: message)

    # Presence

    def look_round(self) -> None:
        """See who is at the table, and tell everybody if that is news."""
        now = asyncio.get_running_loop().time()
        here = frozenset[int]().union(*(visitor.viewer.seats for visitor in self.visitors))
        absent = self.room.seating.of_kind("person") - here
        self._away_since = {seat: self._away_since.get(seat, now) for seat in absent}
        presence = wire.Presence(sorted(here), sorted(self._replaceable()))
        if presence != self._told:
            self._told = presence
            self._show(lambda _: presence, hidden=True)
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
        due = min((since + GRACE for since in self._away_since.values() if since + GRACE > now), default=None)
        if due is not None:
            self._grace = asyncio.get_running_loop().call_at(due, self.look_round)

    def _replaceable(self) -> frozenset[int]:
        """The seats whose people have left, or have been away for long."""
        now = asyncio.get_running_loop().time()
        long = {seat for seat, since in self._away_since.items() if since + GRACE <= now}
        return self.room.seating.gone | long

    def welcome(self, visitor: Visitor, codes: list[str]) -> None:
        """Show somebody the table. From now on they hear what happens at it."""
        visitor.table, visitor.locks = self, frozenset(map(lock_of, codes))
        visitor.viewer = self.room.viewer_with(visitor.locks)
        visitor.tell(wire.write(self.room.welcome(visitor.viewer)))
        if self.machine.news.state != "ready" and self.room.sees(visitor.viewer):
            visitor.tell(wire.write(self.machine.news))
        before = self._told
        self.visitors.add(visitor)
        self.look_round()
        if self._told is not None and self._told == before:
            visitor.tell(wire.write(self._told))


class Hall:
    """The tables of a server. One is open while somebody is at it or nature or a bot has something to do there, and
    comes back from the log when somebody comes. Made in a running loop.
    """

    def __init__(self, log: Log, thinkers: Thinkers) -> None:
        self.log = log
        self.thinkers = thinkers
        self._open: dict[str, Table] = {}
        self._listed: dict[str, tuple[int, wire.Listing | None]] = {}
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._errands: set[asyncio.Task[None]] = set()
        loop = asyncio.get_running_loop()

        def hear(table_id: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._hear, table_id)

        log.listen(hear)

    async def close(self) -> None:
        """Keep what is under way, and end."""
        for errand in self._errands:
            errand.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)
        for table in list(self._open.values()):
            await table.close()
        self.thinkers.close()
        await asyncio.to_thread(self.log.close)

    def _send(self, errand: Coroutine[Any, Any, None]) -> None:
        """Let something be done that nobody waits for."""
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    # Other servers, and before the last start

    def _hear(self, table_id: str | None) -> None:
        """Another server has added to a table's log, or, for all that is known, to every table's."""
        for table in list(self._open.values()) if table_id is None else [self._open.get(table_id)]:
            if table is not None and not table.is_behind:
                table.is_behind = True
                self._send(self._catch_up(table))

    async def _catch_up(self, table: Table) -> None:
        try:
            await table.catch_up()
        except LogError as error:
            table.tell_all(wire.ErrorMessage(str(error)))

    def resume(self) -> None:
        """Let nature and the bots go on at the tables whose games are not over, without anybody coming first."""
        self._send(self._resume())

    async def _resume(self) -> None:
        try:
            running = await asyncio.to_thread(self.log.running, _now() - RESUMED_SINCE, MOST_RESUMED)
        except LogError as error:
            logger.error("no table goes on by itself: %s", error)
            return
        for table_id in running:
            try:
                await self._go_on(table_id)
            except (NoTable, LogError) as error:
                logger.error("table %s does not go on by itself: %s", table_id, error)

    async def _go_on(self, table_id: str) -> None:
        async with self._door(table_id):
            if table_id in self._open:
                return
            room = await self._room(table_id)
            if room.state.is_terminal:
                self.log.note(table_id, over=True)
            elif room.state.to_act & {CHANCE, *room.bots}:
                table = self._open[table_id] = Table(room, self.log, self.thinkers)
                self._send(self._close_when_idle(table))

    # People

    async def found(self, request: wire.TableRequest) -> wire.TableCreated:
        """Make a new table. Raises GameError or LogError."""
        options = {name: value for name, value in request.options.items() if value is not None}
        game = await asyncio.to_thread(_load, request.game, options)
        levels = [level.name for level in await asyncio.to_thread(self.thinkers.brains.levels, request.game)]
        charter, created = rooms.draw_up(request, game, levels, _now())
        await asyncio.wrap_future(self.log.open_table(charter))
        meters.FOUNDED.inc()
        return created

    async def follow(self, table_id: str, request: wire.NextRequest) -> wire.TableCreated:
        """Make the table of a series' next game. Raises NoTable, GameError or LogError."""
        room = await self._room_now(table_id)
        charter, created = rooms.follow(room, room.viewer(request.codes), request.rotate, _now())
        with contextlib.suppress(Taken):  # somebody else was faster, and that is the table
            await asyncio.wrap_future(self.log.open_table(charter))
            meters.FOUNDED.inc()
        if table_id in self._open:
            self._open[table_id].tell_all(wire.Next(charter.id))
        return created

    async def lobby(self) -> list[wire.Listing]:
        """The public tables that wait for somebody or are played, the newest first. Raises LogError."""
        tables = await asyncio.to_thread(self.log.public_tables, _now() - LISTED_FOR, MOST_LISTED)
        known = {table: self._listed[table] for table, _ in tables if table in self._listed}
        for table, entries in tables:
            if table not in known or known[table][0] != entries:
                known[table] = entries, await self._listing(table)
        self._listed = known
        return [listing for _, listing in known.values() if listing is not None]

    async def _listing(self, table_id: str) -> wire.Listing | None:
        """What the lobby tells of a table; None where its game is over or it can't be opened."""
        try:
            room = await self._room_now(table_id)
        except NoTable:
            return None
        return None if room.state.is_terminal else room.listing()

    async def enter(self, visitor: Visitor, table_id: str, codes: list[str]) -> None:
        """Bring somebody to a table, from the one where they are. Raises NoTable or LogError."""
        before = visitor.table
        async with self._door(table_id):
            if table_id in self._open:
                if self.log.is_shared:
                    await self._open[table_id].catch_up()  # another server may have acknowledged an act just now
            else:
                self._open[table_id] = Table(await self._room(table_id), self.log, self.thinkers)
                meters.TABLES.inc()
            self._open[table_id].welcome(visitor, codes)
        if before is not None and before is not visitor.table:
            await self._leave(before, visitor)

    async def leave(self, visitor: Visitor) -> None:
        """Somebody goes."""
        if visitor.table is not None:
            await self._leave(visitor.table, visitor)

    async def _leave(self, table: Table, visitor: Visitor) -> None:
        table.visitors.discard(visitor)
        table.forget(visitor)
        table.look_round()
        if not table.visitors:
            if table.machine.idle.is_set():
                await self._close_table(table)
            else:
                self._send(self._close_when_idle(table))

    async def _close_when_idle(self, table: Table) -> None:
        await table.machine.idle.wait()
        await self._close_table(table)

    async def _close_table(self, table: Table) -> None:
        """Close a table where there is nobody any more."""
        table_id = table.room.charter.id
        async with self._door(table_id):
            if not table.visitors and self._open.get(table_id) is table:
                del self._open[table_id]
                meters.TABLES.dec()
                await table.close()

    def _door(self, table_id: str) -> asyncio.Lock:
        """A table opens and closes for one at a time, so that there are never two of it."""
        return self._doors.setdefault(table_id, asyncio.Lock())

    async def record(self, table_id: str) -> tuple[str, str]:
        """The name of a table's game and its record. Raises NoTable, LogError or Hidden."""
        room = await self._room_now(table_id)
        return room.game.info.name, await asyncio.to_thread(room.record)

    async def _room_now(self, table_id: str) -> Room:
        """A table that may be open."""
        return self._open[table_id].room if table_id in self._open else await self._room(table_id)

    async def _room(self, table_id: str) -> Room:
        return await asyncio.to_thread(self._fold, table_id)

    def _fold(self, table_id: str) -> Room:
        charter = self.log.charter(table_id)
        if charter is None:
            raise NoTable("There is no such table.")
        try:
            return Room(charter, _load(charter.game, charter.options), self.log.entries(table_id))
        except Tampered as error:
            logger.error("the log of table %s was changed: %s", table_id, error)
            raise NoTable("This table can't be opened: its log has been changed since it was kept.") from None
        except GameError as error:
            logger.error("the log of table %s does not fit the rules: %s", table_id, error)
            raise NoTable("This table can't be opened: its log does not fit the rules as they are now.") from None


def _load(name: str, options: Mapping[str, object]) -> Game:
    return registry.info(name).load(**options)


def _now() -> int:
    return time.time_ns() // 1_000_000
