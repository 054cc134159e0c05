"""All tables of a server, and the people at them. What is said here goes to sockets; how, is none of its business."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import time
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from icetable import games
from icetable.core import lessons
from icetable.core.errors import GameError
from icetable.core.game import Game, GameInfo
from icetable.server import messages, metrics
from icetable.server.live.autoplay import BotPool
from icetable.server.live.table import Client, LiveTable
from icetable.server.store.errors import Conflict, StoreDamaged, StoreError
from icetable.server.store.store import Store
from icetable.server.store.waits import written
from icetable.server.table import chat, setup
from icetable.server.table.clock import SECOND, now
from icetable.server.table.errors import Tampered
from icetable.server.table.state import TableState, seating_after
from icetable.server.table.views import TableViews, listing

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Iterator, Mapping
    from typing import Any

    from icetable.server.table.log import Entry

MOST_RESUMED = 1000
RESUMED_SINCE = 30 * 24 * 60 * 60 * 1000
"""How many tables, opened in how many milliseconds past, go on by themselves when the server starts."""
MOST_LISTED = 50
LISTED_FOR = 24 * 60 * 60 * 1000
"""How many public tables the lobby lists, and for how many milliseconds after they were opened."""
GAMES_KEPT = 32
"""How many games, each under its options, tables share."""
CLOSING = 0.5
"""How many seconds the tables of a server that ends have for what is under way."""
MOST_REPLAYED = 2
"""How many games are replayed from their logs, or written as records, at the same time: a long one takes memory."""
REPLAY_KEPT = 2.0
"""For how many seconds a replay serves further requests, where no other server can add to the log meanwhile."""
YIELD_EVERY = 256
"""After this many entries a thread that replays a log lets other threads run."""

logger = logging.getLogger(__name__)


class TableNotFound(Exception):
    """There is no such table; the text says so, in one sentence."""


class TableManager:
    """The tables of a server. Made in a running loop.

    A table is open while a visitor is at it or nature has something to do there, and comes back from the log when the
    next one comes. Of one whose time runs meanwhile only the moment is remembered when it is up.
    """

    def __init__(self, log: Store, bot_pool: BotPool) -> None:
        self.log = log
        self.bot_pool = bot_pool
        self._open: dict[str, LiveTable] = {}
        self._listed: dict[str, tuple[int, messages.Listing | None]] = {}
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._errands: set[asyncio.Task[None]] = set()
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        """When the time of tables that are not open is up."""
        self._began_at = now()
        self._folds: dict[str, asyncio.Task[TableState]] = {}
        self._may_replay = asyncio.Semaphore(MOST_REPLAYED)
        loop = asyncio.get_running_loop()

        def hear(table_id: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._hear, table_id)

        def overhear(table_id: str, text: str) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._overhear, table_id, text)

        log.subscribe(hear, overhear)

    async def close(self) -> None:
        """Keep what is under way, as long as the database answers, and end."""
        for alarm in self._alarms.values():
            alarm.cancel()
        errands = {*self._errands, *self._folds.values()}
        for errand in errands:
            errand.cancel()
        closing = {asyncio.create_task(table.close()) for table in self._open.values()}
        if under_way := errands | closing:
            await asyncio.wait(under_way, timeout=CLOSING)
        self.bot_pool.close()
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
            if table is not None and table_id is None:
                table.presence.ask_round()
                table.chat.listen_by_and_by()

    def _overhear(self, table_id: str, text: str) -> None:
        """Another server has whispered something about a table."""
        if table_id in self._open:
            self._send(self._pass_on(self._open[table_id], text))

    async def _pass_on(self, table: LiveTable, text: str) -> None:
        with contextlib.suppress(StoreError):  # it comes again, or is not worth a word
            await table.overhear(text)

    async def _catch_up(self, table: LiveTable) -> None:
        try:
            await table.catch_up()
        except StoreError as error:
            table.tell_all(messages.ErrorMessage(str(error)))

    def resume(self) -> None:
        """Let nature act and time run at the tables whose games are not over, though no visitor has come."""
        self._send(self._resume())

    async def _resume(self) -> None:
        try:
            running = await asyncio.to_thread(self.log.running, now() - RESUMED_SINCE, MOST_RESUMED)
        except StoreError as error:
            logger.error("no table goes on by itself: %s", error)
            return
        for table_id in running:
            try:
                await self._go_on(table_id)
            except (TableNotFound, StoreError) as error:
                logger.error("table %s does not go on by itself: %s", table_id, error)

    async def _go_on(self, table_id: str) -> None:
        """Do what nature has to do at a table without visitors, now or when its time is up."""
        async with self._door(table_id):
            if table_id in self._open:
                return
            table_state = await self._room(table_id)
            if table_state.is_over:
                self.log.set_over(table_id, over=True)
                return
            if not (table_state.chance_to_act or table_state.seating.lots_due or table_state.overdue(now())):
                self._remember_due(table_state)
                return
            table = await self._open_table(table_state)
        await self._close_table(table)

    async def _let_time_end(self, table_id: str) -> None:
        try:
            await self._go_on(table_id)
        except (TableNotFound, StoreError) as error:
            logger.error("table %s does not end by itself: %s", table_id, error)

    def _remember_due(self, table_state: TableState) -> None:
        """See to it that a game ends when its time is up, though its table is not open."""
        due, table_id = table_state.due, table_state.setup.id
        if due is not None:
            seconds = max(0, due - table_state.time(now())) / SECOND
            loop = asyncio.get_running_loop()
            self._alarms[table_id] = loop.call_later(seconds, self._time_is_up, table_id)

    def _time_is_up(self, table_id: str) -> None:
        del self._alarms[table_id]
        self._send(self._let_time_end(table_id))

    # People

    async def create_table(self, request: messages.TableRequest) -> messages.TableCreated:
        """Make a new table. Raises GameError or LogError."""
        options = {name: value for name, value in request.options.items() if value is not None}
        game = await asyncio.to_thread(_load, request.game, options)
        levels = [level.name for level in await asyncio.to_thread(self.bot_pool.brains.levels, request.game)]
        settled, created = setup.create_setup(request, game, levels, now())
        await self._keep(settled)
        return created

    async def follow(self, table_id: str, request: messages.NextRequest) -> messages.TableCreated:
        """Make the table of a series' next game. Raises NoTable, GameError or LogError."""
        table_state = await self._room_now(table_id)
        settled, created = table_state.next_setup(table_state.viewer(request.codes), request.rotate, now())
        with contextlib.suppress(Conflict):  # somebody else was faster, and that is the table
            await self._keep(settled)
        if table_id in self._open:
            self._open[table_id].tell_all(messages.Next(settled.id))
        return created

    async def copy(self, table_id: str, request: messages.CopyRequest) -> messages.TableCreated:
        """Make a table to try things at, from a position of another. Raises NoTable, Hidden, GameError or LogError."""
        table_state = await self._room_now(table_id)
        state = TableViews(table_state, now).copy(table_state.viewer(request.codes), request.seq)
        names = [seat.name for seat in table_state.seating.seats]
        settled, created = await asyncio.to_thread(setup.setup_from_position, state, names, now())
        await self._keep(settled)
        return created

    async def teach(self, info: GameInfo, step: lessons.Step) -> messages.TableCreated:
        """Make a table where a step of a lesson begins. Raises LogError."""
        state = await asyncio.to_thread(lessons.start_of, info, step)
        names = [colour.title() for colour in info.colours[: state.game.players]]
        names[step.seat] += " (you)"
        settled, created = setup.setup_from_position(state, names, now())
        await self._keep(settled)
        self.log.set_over(settled.id, over=True)  # nothing goes on there without the learner
        return created

    async def has_learned(self, info: GameInfo, step: lessons.Step, table_id: str) -> messages.Learned:
        """Whether a step was done at a table that was made for it. Raises NoTable or LogError."""
        table_state = await self._room_now(table_id)
        start = await asyncio.to_thread(lessons.start_of, info, step)
        if table_state.setup.start != start.to_json():
            raise TableNotFound("There is no such table in this lesson.")

        def is_done() -> bool:
            return any(
                state.seat == step.seat and step.is_goal(state) for state in table_state.replay(table_state.log())
            )

        return messages.Learned(await asyncio.to_thread(is_done))

    async def _keep(self, settled: setup.TableSetup) -> None:
        """Keep a new table. Raises Taken or LogError."""
        await written(self.log.create_table(settled))
        metrics.TABLES_CREATED.inc()

    async def lobby(self) -> list[messages.Listing]:
        """The public tables that wait for somebody or are played, the newest first. Raises LogError."""
        tables = await asyncio.to_thread(self.log.public_tables, now() - LISTED_FOR, MOST_LISTED)
        known = {table: self._listed[table] for table, _ in tables if table in self._listed}
        for table, entries in tables:
            if table not in known or known[table][0] != entries:
                known[table] = entries, await self._listing(table)
        self._listed = known
        return [listing for _, listing in known.values() if listing is not None]

    async def _listing(self, table_id: str) -> messages.Listing | None:
        """What the lobby tells of a table; None where its game is over or it can't be opened."""
        if table_id not in self._open:
            return await asyncio.to_thread(self._look_at, table_id)
        table = self._open[table_id]
        return None if table.state.is_over else table.views.listing()

    def _look_at(self, table_id: str) -> messages.Listing | None:
        """The lobby's entry for a table that is not open, made without replaying its game."""
        try:
            settled, _ = self._settled(table_id)
            seating = seating_after(settled, self.log.seating(table_id))
            return None if seating is None else listing(settled, games.info(settled.game), seating)
        except (GameError, StoreDamaged, TableNotFound) as error:
            logger.error("the log of table %s can't be read: %s", table_id, error)
            return None

    async def enter(self, client: Client, table_id: str, codes: list[str], seen: messages.Seen | None = None) -> None:
        """Bring somebody to a table, from the one where they are. Raises NoTable or LogError.

        `seen`: how far they have seen its game before.
        """
        before = client.table
        held = frozenset[str]()
        if client.browser is not None:
            held = await asyncio.to_thread(self.log.held, client.browser, table_id)
        async with self._door(table_id):
            if table_id not in self._open:
                await self._open_table(await self._room(table_id))
            if self.log.is_shared:
                await self._open[table_id].catch_up()  # another server may have acknowledged an act just now
                await self._open[table_id].chat.listen()
            self._open[table_id].welcome(client, codes, held, seen)
        self.remember(client, held)
        if before is not None and before is not client.table:
            await self._leave(before, client)

    def remember(self, client: Client, held: frozenset[str] = frozenset()) -> None:
        """See to it that their browser holds their seats from now on, as long as its cookie lasts."""
        if client.browser is None or client.table is None:
            return
        table_state, viewer = client.table.state, client.viewer
        locks = {table_state.seating.seats[seat].code_hash for seat in viewer.seats}
        if viewer.host:
            locks.add(table_state.setup.terms.host)
        for lock in locks - held - {None}:
            assert lock is not None
            self.log.hold(client.browser, table_state.setup.id, lock)

    async def leave(self, client: Client) -> None:
        """Somebody goes."""
        if client.table is not None:
            await self._leave(client.table, client)

    async def _leave(self, table: LiveTable, client: Client) -> None:
        table.forget(client)
        if not table.clients:
            await self._close_table(table)

    async def _open_table(self, table_state: TableState) -> LiveTable:
        """Open a table, behind its door. Raises LogError."""
        await self._skip_lost_time(table_state)
        remarks = await asyncio.to_thread(self.log.chat, table_state.setup.id, most=chat.SHOWN)
        table = self._open[table_state.setup.id] = LiveTable(table_state, remarks, self.log, self.bot_pool)
        if alarm := self._alarms.pop(table_state.setup.id, None):
            alarm.cancel()
        metrics.TABLES.inc()
        return table

    async def _skip_lost_time(self, table_state: TableState) -> None:
        """Where an earlier process has left a game whose time runs, let time go on from there. Raises LogError."""
        entry = None if self.log.is_shared else table_state.skip(now(), self._began_at)
        if entry is None:
            return
        try:
            await self.log.keep(table_state.setup.id, entry)
        except Conflict:
            raise StoreError("Another server has this table open; please try again.") from None
        table_state.append(entry)

    async def _close_table(self, table: LiveTable) -> None:
        """Close a table where there is nobody any more."""
        table_id = table.state.setup.id
        async with self._door(table_id):
            if not table.clients and self._open.get(table_id) is table:
                await table.close()
                del self._open[table_id]
                metrics.TABLES.dec()
                self._folds.pop(table_id, None)  # a replay that is under way may have missed the last act
                self._remember_due(table.state)

    def _door(self, table_id: str) -> asyncio.Lock:
        """A table opens and closes for one at a time, so that there are never two of it."""
        return self._doors.setdefault(table_id, asyncio.Lock())

    async def record(self, table_id: str, with_talk: bool = False) -> tuple[str, str]:
        """The name of a table's game and its record, with the talk or without. Raises NoTable, LogError or Hidden."""
        table_state = await self._room_now(table_id)
        async with self._may_replay:
            record = await asyncio.to_thread(TableViews(table_state, now).record)
        said = await asyncio.to_thread(self.log.chat, table_id) if with_talk else []
        return table_state.game.info.name, record + chat.comments(said)

    async def _room_now(self, table_id: str) -> TableState:
        """A table that may be open."""
        return self._open[table_id].state if table_id in self._open else await self._room(table_id)

    async def _room(self, table_id: str) -> TableState:
        """A table replayed from its log. Requests soon after each other share a replay. Raises NoTable or LogError."""
        if table_id not in self._folds:
            self._folds[table_id] = asyncio.create_task(self._fold_in_turn(table_id))
        return await asyncio.shield(self._folds[table_id])

    async def _fold_in_turn(self, table_id: str) -> TableState:
        kept = 0.0
        try:
            async with self._may_replay:
                table_state = await asyncio.to_thread(self._fold, table_id)
            kept = 0.0 if self.log.is_shared else REPLAY_KEPT
            return table_state
        finally:
            fold = asyncio.current_task()
            if kept:
                asyncio.get_running_loop().call_later(kept, self._forget_fold, table_id, fold)
            else:
                self._forget_fold(table_id, fold)

    def _forget_fold(self, table_id: str, fold: asyncio.Task[Any] | None) -> None:
        if self._folds.get(table_id) is fold:
            del self._folds[table_id]

    def _fold(self, table_id: str) -> TableState:
        try:
            return TableState(*self._settled(table_id), _yielding(self.log.entries(table_id)))
        except Tampered as error:
            logger.error("the log of table %s was changed: %s", table_id, error)
            raise TableNotFound("This table can't be opened: its log has been changed since it was kept.") from None
        except GameError as error:
            logger.error("the log of table %s does not fit the rules: %s", table_id, error)
            raise TableNotFound("This table can't be opened: its log does not fit the rules as they are now.") from None

    def _settled(self, table_id: str) -> tuple[setup.TableSetup, Game]:
        """What was settled for a table, and its game. Raises NoTable, GameError or LogError."""
        settled = self.log.setup(table_id)
        if settled is None:
            raise TableNotFound("There is no such table.")
        game = _load(settled.game, settled.options)
        if len(settled.seats) != game.players:
            raise StoreDamaged
        return settled, game


def _yielding(entries: Iterable[Entry]) -> Iterator[Entry]:
    for number, entry in enumerate(entries):
        if number % YIELD_EVERY == 0:
            time.sleep(0)
        yield entry


def _load(name: str, options: Mapping[str, object]) -> Game:
    """The game under these options; tables of the same game share it. Raises GameError."""
    return _load_shared(name, json.dumps(options, sort_keys=True))


@functools.lru_cache(GAMES_KEPT)
def _load_shared(name: str, options: str) -> Game:
    return games.info(name).load(**json.loads(options))
