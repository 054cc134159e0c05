"""The tables of a server process: created, opened, read, joined, closed and deleted."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import TYPE_CHECKING
from weakref import WeakSet, WeakValueDictionary

from icetable import games
from icetable.core.errors import GameError
from icetable.server import chat, messages, metrics
from icetable.server.errors import TableNotFound
from icetable.server.live.fair_queue import FairScheduler, client_address
from icetable.server.live.tables import shared_games
from icetable.server.live.tables.replays import Replays
from icetable.server.live.tables.shared_games import load_in_thread
from icetable.server.live.tables.table import LiveTable
from icetable.server.live.tables.unattended import Timers, bots_play_on, note_due, seconds_left
from icetable.server.live.tables.versions import store_source
from icetable.server.logs import about
from icetable.server.rate_limits import client_bucket, is_loopback
from icetable.server.store.database import written
from icetable.server.store.errors import TABLE_CLOSED, Conflict, StoreError
from icetable.server.table import insight, setup, viewers
from icetable.server.table.clock import MS_PER_SECOND, now
from icetable.server.table.views import TableViews
from icetable.version import version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable
    from typing import Any

    from icetable.server.live.bots import BotPool
    from icetable.server.live.tables.client import Client
    from icetable.server.store.store import Store
    from icetable.server.table.log import Entry, Place
    from icetable.server.table.state import TableState

UNATTENDED_SECONDS = 60.0
MAX_UNATTENDED = 128
"""A game with a bell is paused after UNATTENDED_SECONDS without a client, or immediately beyond MAX_UNATTENDED tables.
The bots of a correspondence game play on for as long."""
BELL_DELAY_SECONDS = 1.0
"""Delay between the bell of an unattended table and its closing."""
MAX_RESUMED = 1000
MAX_RESUMED_AGE_MS = 30 * 24 * 60 * 60 * 1000
"""Maximum number and age of the tables that the server resumes at its start.

Tables whose clocks of days run are resumed at any age, when their time is up.
"""
SWEEP_SECONDS = 60 * 60
"""Interval between searches for clocks of days that run out."""
CLOSE_TIMEOUT_SECONDS = 0.5
"""Maximum time that a stopping server waits for its tables."""
FULL_ERROR = "This server has reached its limit of tables, so no new ones can be opened; games in progress go on."
CLOSED_ERROR = "No new tables can be opened here for now; games in progress go on."

logger = logging.getLogger(__name__)


@dataclass
class Policies:
    """The operator's standing decisions, as this process knows them."""

    max_tables: int | None = None
    """Maximum number of stored tables; None for no limit."""
    is_closed: bool = False
    """Whether no new tables may be opened."""
    closed_tables: frozenset[str] = frozenset()
    """The tables where nobody may play."""
    blocked: tuple[IPv4Network | IPv6Network, ...] = ()
    """The networks whose clients may open neither tables nor sockets."""

    def blocks(self, address: str) -> bool:
        """Whether an address is in a blocked network."""
        try:
            place = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        return any(place in network for network in self.blocked)


class TableObserver:
    """A service that is told what happens at tables; by default it does nothing."""

    def on_entry(self, table_id: str) -> None:
        """An entry was appended to the log of an open table."""

    def on_joined(self, table: LiveTable, client: Client) -> None:
        """A client has joined a table."""

    def on_left(self, table: LiveTable, client: Client) -> None:
        """A client has left a table."""

    def on_next(self, table_id: str, following: str) -> None:
        """The table of a series' next game was created."""

    def on_erased(self) -> None:
        """Names were erased: nothing that contains names may stay in a cache."""


class Tables:
    """The tables of a server process. Must be created in a running loop.

    A table is open while it has a client or chance has to act. It closes when the last client leaves, and is replayed
    from its log when the next one joins. If its clock runs meanwhile, a timer is set for it. But in a game with a
    bell, bots play on for a while (UNATTENDED_SECONDS) before the game is paused.
    """

    def __init__(self, store: Store, bot_pool: BotPool, *, exempts_loopback: bool = True) -> None:
        """`exempts_loopback`: whether no limits of stored things apply to loopback clients."""
        self.store = store
        self.bot_pool = bot_pool
        self.scheduler = FairScheduler()
        """Threads for work at clients' requests."""
        self.open: dict[str, LiveTable] = {}
        """The open tables, by id."""
        self.policies = Policies()
        self.observers: list[TableObserver] = []
        self._exempts_loopback = exempts_loopback
        self._replays = Replays(store, self.scheduler)
        self._table_of: dict[Client, LiveTable] = {}
        self._waiting_outside: dict[str, WeakSet[Client]] = {}
        """The clients of tables that the operator has closed, by table."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._clock_timers = Timers(self._on_timer)
        """For closed tables: when their clocks run out."""
        self._pause_timers = Timers(self._on_timer)
        """For open tables without clients: when their games are paused."""
        self._started_at = now()
        self._has_erased = False
        loop = asyncio.get_running_loop()

        def on_entries(table_id: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._on_entries, table_id)

        def on_message(table_id: str, text: str) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._on_message, table_id, text)

        store.database.subscribe(on_entries, on_message)

    async def close(self) -> None:
        """Finish running work, for at most CLOSE_TIMEOUT_SECONDS. The store stays open."""
        self._clock_timers.close()
        self._pause_timers.close()
        tasks = {*self._tasks, *self._replays.tasks()}
        for task in tasks:
            task.cancel()
        closing = {asyncio.create_task(table.close()) for table in self.open.values()}
        if pending := tasks | closing:
            await asyncio.wait(pending, timeout=CLOSE_TIMEOUT_SECONDS)
        self.scheduler.close()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in the background until it ends or the server closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Other server processes

    def _on_entries(self, table_id: str | None) -> None:
        """Another process has appended to a table's log; None: the connection was lost, so any table may be behind."""
        for table in list(self.open.values()) if table_id is None else [self.open.get(table_id)]:
            if table is not None and not table.is_behind:
                table.is_behind = True
                self.start(self._catch_up(table))
            if table is not None and table_id is None:
                table.on_reconnect()

    def _on_message(self, table_id: str, text: str) -> None:
        if table_id in self.open:
            self.start(self._deliver(self.open[table_id], text))

    async def _deliver(self, table: LiveTable, text: str) -> None:
        with contextlib.suppress(StoreError):  # entries are read later; other messages may be lost
            await table.on_message(text)

    async def _catch_up(self, table: LiveTable) -> None:
        try:
            await table.catch_up()
        except StoreError as error:
            table.broadcast(messages.ErrorMessage(str(error)))

    # Reading

    async def read(self, table_id: str) -> TableState:
        """The current state of a table, open or not. Raises TableNotFound or StoreError."""
        return self.open[table_id].state if table_id in self.open else await self._replays.of(table_id)

    async def find(self, table_id: str) -> TableState | None:
        """The current state of a table; None if it does not exist. Raises StoreError."""
        with contextlib.suppress(TableNotFound):
            return await self.read(table_id)
        return None

    async def exists(self, table_id: str) -> bool:
        """Whether there is a table with this id. Raises StoreError."""
        return await asyncio.to_thread(self.store.tables.setup, table_id) is not None

    async def length(self, table_id: str) -> int:
        """The number of entries of a table's log. Raises StoreError."""
        table = self.open.get(table_id)
        return await asyncio.to_thread(self.store.logs.length, table_id) if table is None else table.state.entries

    async def record(self, table_id: str, with_chat: bool = False) -> tuple[str, str]:
        """The name of a table's game and its record, optionally with the chat. A comment says which version wrote it.

        Raises TableNotFound, StoreError or Hidden.
        """
        table_state = await self.read(table_id)
        record = await self.scheduler.run(TableViews(table_state, now).record, table_state.game.info)
        if table_state.setup.record is None:  # otherwise it is as it was opened
            record += f"# written by icetable {version()}\n"
        chat_messages = await asyncio.to_thread(self.store.chat.messages, table_id) if with_chat else []
        return table_state.game.info.name, record + chat.comments(chat_messages)

    # Creating

    async def create(self, request: messages.TableRequest, playtest: str | None = None) -> messages.TableCreated:
        """Create a table, optionally for a play-test. Raises GameError or StoreError."""
        table_setup, created = await self.create_setup(request)
        if playtest is not None:
            table_setup = setup.for_playtest(table_setup, playtest)
            await written(self.store.playtests.add_table(playtest, table_setup.id, table_setup.created))
        await self.add(table_setup)
        return created

    async def create_setup(self, request: messages.TableRequest) -> tuple[setup.TableSetup, messages.TableCreated]:
        """Convert a request. Raises GameError."""
        options = {name: value for name, value in request.options.items() if value is not None}
        game = await load_in_thread(request.game, options)
        levels = await asyncio.to_thread(self.levels, request.game, game.players)
        return setup.create_setup(request, game, levels, now())

    def levels(self, game: str, players: int) -> list[str]:
        """The names of the levels of a game's bots, for a number of players."""
        return [level.name for level in self.bot_pool.factory.levels(game, players)]

    async def create_next(self, table_id: str, request: messages.NextRequest) -> messages.TableCreated:
        """Create the table of a series' next game once. Raises TableNotFound, GameError or StoreError."""
        table_state = await self.read(table_id)
        table_setup, created = table_state.next_setup(table_state.viewer(request.codes), request.rotate, now())
        with contextlib.suppress(Conflict):  # another request has created it
            await self.add(table_setup)
        for observer in self.observers:
            observer.on_next(table_id, table_setup.id)
        if table_id in self.open:
            self.open[table_id].broadcast(messages.Next(table_setup.id))
        return created

    async def copy(self, table_id: str, request: messages.CopyRequest) -> messages.TableCreated:
        """Create a table for trying out acts, from a position of another table.

        Raises TableNotFound, Hidden, GameError or StoreError.
        """
        table_state = await self.read(table_id)
        viewer = table_state.viewer(request.codes)
        info = table_state.game.info
        async with self.scheduler.loaded_positions(table_state.positions, request.seq, request.seq, info):
            state = TableViews(table_state, now).copy(viewer, request.seq)
        names = [seat.shown_name for seat in table_state.seating.seats]
        explores = insight.is_open(table_state, viewer)
        table_setup, created = await asyncio.to_thread(setup.setup_from_position, state, names, now(), explores)
        await self.add(table_setup)
        return created

    async def add(self, table_setup: setup.TableSetup, matchmaking_key: str | None = None) -> None:
        """Store a new table. Raises Conflict, also if another waiting table has the key, or StoreError."""
        if self.policies.is_closed:
            raise StoreError(CLOSED_ERROR)
        most = self.policies.max_tables
        if most and await asyncio.to_thread(self.store.tables.has_as_many, most):
            metrics.REJECTED.labels("capacity").inc()
            raise StoreError(FULL_ERROR)
        await store_source(self.store, games.info(table_setup.game))
        bucket = self.client_bucket() if table_setup.terms.public else -1
        await written(self.store.tables.create(table_setup, bucket, matchmaking_key))
        metrics.TABLES_CREATED.inc()

    def client_bucket(self) -> int:
        """The bucket that the address of the current request belongs to; -1 if no limit applies."""
        address = client_address.get()
        if not address or (self._exempts_loopback and is_loopback(address)):
            return -1
        return client_bucket(address)

    # Deleting

    async def delete(self, table_id: str, why: messages.ErrorMessage | None = None) -> bool:
        """Delete a table, send its clients `why`, and return whether it existed. Without `why`, an open table stays.

        Raises StoreError.
        """
        async with self._lock(table_id):
            if table_id in self.open and why is None:
                return False
            await self._dismiss(table_id, why)
            for client in self._waiting_outside.pop(table_id, ()):
                if why is not None:
                    client.send(why)
            self._replays.forget(table_id)
            with contextlib.suppress(Conflict):  # another process has deleted it
                await written(self.store.tables.delete(table_id))
                return True
            return False

    async def dismiss(self, table_id: str, why: messages.ErrorMessage) -> None:
        """Close a table that the operator has closed; its clients are sent `why`, and may come back when it reopens."""
        async with self._lock(table_id):
            for client in list(self.open[table_id].clients) if table_id in self.open else ():
                self._wait_outside(client, table_id)
            await self._dismiss(table_id, why)

    def reopen(self, table_id: str, why: str) -> None:
        """Let the clients of a table come back that the operator had closed."""
        for client in self._waiting_outside.pop(table_id, ()):
            client.reconnect(why)

    def _wait_outside(self, client: Client, table_id: str) -> None:
        self._waiting_outside.setdefault(table_id, WeakSet()).add(client)

    async def _dismiss(self, table_id: str, why: messages.ErrorMessage | None) -> None:
        table = self.open.get(table_id)
        if table is not None and why is not None:
            table.dismiss(why)
            await self._close(table)
        self._clock_timers.cancel(table_id)
        self._pause_timers.cancel(table_id)

    async def erase(self, table_id: str, names: Collection[str]) -> None:
        """Erase names at a table, first in memory, so that nothing more is stored with them. Raises StoreError."""
        self._has_erased = True
        async with self._lock(table_id):
            if table_id in self.open:
                await self.open[table_id].erase(names)
            for done in await asyncio.to_thread(self.store.tables.erase_names, table_id, names):
                with contextlib.suppress(Conflict):  # another process has erased it
                    await written(done)
            self._replays.clear()
            for observer in self.observers:
                observer.on_erased()

    async def _erase_again(self, table_state: TableState) -> None:
        """Erase the names at a table being opened that were erased since it was read. Raises StoreError."""
        if self._has_erased:
            stored = await asyncio.to_thread(self.store.tables.names, table_state.setup.id)
            table_state.erase({*names_at(table_state).values()} - {*stored.values()})

    # Clients

    async def join(
        self, client: Client, table_id: str, codes: list[str], seen: messages.Seen | None = None
    ) -> LiveTable:
        """Move a client from its table to another one. Raises TableNotFound or StoreError.

        `seen`: how much of the table the client has seen before.
        """
        if table_id in self.policies.closed_tables:
            self._wait_outside(client, table_id)
            raise StoreError(TABLE_CLOSED)
        before = self._table_of.get(client)
        held = frozenset[str]()
        if client.browser is not None:
            held = await asyncio.to_thread(self.store.codes.held, client.browser, table_id)
        # The lock is not held yet: the client may have to wait for a turn, which must not delay others.
        if table_id in self.open:
            known, acts = None, self.open[table_id].state.acts
            shown = self.open[table_id].loaded_positions(seen.seq if seen else acts - messages.LINES_PER_PAGE, acts)
        else:
            known, shown = await self._replays.of(table_id), contextlib.nullcontext()
        async with shown, self._lock(table_id):
            table = self.open.get(table_id) or await self._open(await self._current(table_id, known))
            if self.store.database.is_shared:
                await table.catch_up()  # another process may have acknowledged an act just now
                await table.catch_up_chat()
            self._table_of[client] = table
            self._pause_timers.cancel(table_id)
            table.join(client, codes, held, seen)
            for observer in self.observers:
                observer.on_joined(table, client)
        self.remember(client, held)
        if table.state.is_over and client.viewer.seats and table.state.setup.terms.tournament is None:
            self.start(self._show_next(client, table))
        if before is not None and before is not table:
            await self._leave(before, client)
        return table

    async def _show_next(self, client: Client, table: LiveTable) -> None:
        """Show a player who comes back to a finished game the next one, if there is one."""
        following = setup.id_after(table.state.setup)
        with contextlib.suppress(StoreError):
            if await self.exists(following) and client in table.clients:
                client.send(messages.Next(following))

    def remember(self, client: Client, held: frozenset[str] = frozenset()) -> None:
        """Store that the client's browser holds its seats, except those already stored (`held`)."""
        table = self._table_of.get(client)
        if client.browser is None or table is None:
            return
        table_setup = table.state.setup
        for lock in viewers.code_hashes_of(table_setup.terms, table.state.seating, client.viewer) - held:
            self.store.codes.hold(client.browser, table_setup.id, lock)

    async def leave(self, client: Client) -> None:
        """Remove a client from its table, if it is at one."""
        table = self._table_of.pop(client, None)
        if table is not None:
            await self._leave(table, client)

    async def _leave(self, table: LiveTable, client: Client) -> None:
        table.leave(client)
        for observer in self.observers:
            observer.on_left(table, client)
        if not table.clients:
            await self._close_if_empty(table)

    def is_present(self, table_id: str, seat: int) -> bool:
        """Whether a seat's player has the page open, as far as this process knows."""
        return table_id in self.open and self.open[table_id].is_present(seat)

    # Opening and closing

    @contextlib.asynccontextmanager
    async def opened(self, table_id: str) -> AsyncIterator[LiveTable]:
        """Hold a table open, up to date. Raises TableNotFound or StoreError."""
        known = None if table_id in self.open else await self._replays.of(table_id)
        async with self._lock(table_id):
            table = self.open.get(table_id) or await self._open(await self._current(table_id, known))
            try:
                if self.store.database.is_shared:
                    await table.catch_up()
                yield table
            finally:
                self.start(self._close_if_empty(table))

    async def _current(self, table_id: str, known: TableState | None) -> TableState:
        """The current state of a table that is not open: `known` from before the lock was held, or a new replay.

        Raises TableNotFound or StoreError.
        """
        if known is not None and known.setup.record is None and not self._replays.is_cached(table_id, known):
            length = await asyncio.to_thread(self.store.logs.length, table_id)
            known = known if known.entries == length else None
        return known or await self._replays.of(table_id)

    async def _open(self, table_state: TableState) -> LiveTable:
        """Open a table; its lock must be held. Raises StoreError."""
        if not self.store.database.is_shared:  # if a process ended while the clock ran, it continues from there
            await self._append_first(table_state, table_state.skip(now(), self._started_at))
        if changed := table_state.change_of_rules(table_state.game, now()):
            await store_source(self.store, table_state.game.info)
            await self._append_first(table_state, changed)
        await self._erase_again(table_state)
        recent = await asyncio.to_thread(self.store.chat.messages, table_state.setup.id, limit=chat.MAX_SHOWN)
        table = self.open[table_state.setup.id] = LiveTable(
            table_state,
            recent,
            store=self.store,
            bot_pool=self.bot_pool,
            scheduler=self.scheduler,
            on_entry=self._on_entry,
        )
        self._clock_timers.cancel(table_state.setup.id)
        metrics.TABLES.inc()
        with contextlib.suppress(GameError):  # the file may be gone
            info = games.info(table_state.game.info.name)
            if shared_games.file_of(info) and info != table_state.game.info:  # it refuses the acts
                self.start(shared_games.offer(table, info))
        return table

    async def _append_first(self, table_state: TableState, entry: Entry | None) -> None:
        """Append an entry, if there is one, to a table that is not open yet. Raises StoreError."""
        if entry is None:
            return
        try:
            await self.store.logs.append(table_state.setup.id, entry)
        except Conflict:
            raise self.store.logs.unreadable_entry(table_state.setup.id) from None
        table_state.append(entry)

    def _on_entry(self, table_id: str) -> None:
        """Tell the observers that an entry was appended at an open table."""
        for observer in self.observers:
            observer.on_entry(table_id)

    async def _close_if_empty(self, table: LiveTable) -> None:
        """Close a table without clients, or let its bots play on for a while."""
        table_id = table.state.setup.id
        async with self._lock(table_id):
            if table.clients or self.open.get(table_id) is not table:
                return
            if not (table.state.bell_is_pending or bots_play_on(table.state)):
                await self._close(table)
                return
            left = seconds_left(table.state)
            self._pause_timers.set(
                table_id, UNATTENDED_SECONDS if left is None else min(UNATTENDED_SECONDS, left + BELL_DELAY_SECONDS)
            )
            if len(self._pause_timers) > MAX_UNATTENDED:
                self._pause_timers.end_first()

    async def _close(self, table: LiveTable) -> None:
        """Close a table; its lock must be held."""
        table_id = table.state.setup.id
        await table.close()
        del self.open[table_id]
        metrics.TABLES.dec()
        self._replays.forget(table_id)  # a running replay may have missed the last act
        self._set_timer(table.state)

    def _lock(self, table_id: str) -> asyncio.Lock:
        """Held while a table opens or closes, so that it is never open twice."""
        return self._locks.setdefault(table_id, asyncio.Lock())

    # Tables without clients

    async def resume_running(self) -> None:
        """Resume the games that are not over."""
        await self._resume_all(lambda: self.store.tables.running(now() - MAX_RESUMED_AGE_MS, MAX_RESUMED))

    async def resume_due(self) -> None:
        """Resume the tables whose clocks run out before the next call: another process may have ended before it did."""
        await self._resume_all(lambda: self.store.tables.due(now() + SWEEP_SECONDS * MS_PER_SECOND))

    async def _resume_all(self, find: Callable[[], Iterable[str]]) -> None:
        try:
            table_ids = await asyncio.to_thread(find)
        except StoreError as error:
            logger.error("tables can't be resumed", extra=about(str(error)))
            return
        for table_id in table_ids:
            await self.resume(table_id)

    async def resume(self, table_id: str) -> None:
        """Act for chance and the clock at a table without clients, now or when its time is up; log errors."""
        try:
            await self._resume(table_id)
        except TableNotFound:  # it has been deleted meanwhile
            pass
        except StoreError as error:
            logger.error("a table can't be resumed", extra=about(str(error), table=table_id))

    async def _resume(self, table_id: str) -> None:
        """Raises TableNotFound or StoreError."""
        if table_id in self.policies.closed_tables:
            return
        async with self._lock(table_id):
            if table_id in self.open:
                await self._pause_if_empty(self.open[table_id])
                return
            table_state = await self._replays.of(table_id)
            if table_state.is_over:
                self.store.tables.set_over(table_id, over=True)
                return
            note_due(self.store, table_state)
            is_due = table_state.chance_to_act or table_state.seating.draw_due or table_state.overdue(now())
            if not (is_due or table_state.bell_is_pending or bots_play_on(table_state)):
                self._set_timer(table_state)
                return
            table = await self._open(table_state)
        await self._close_if_empty(table)

    async def _pause_if_empty(self, table: LiveTable) -> None:
        """Pause the game of a table without clients, and close the table; its lock must be held. Raises StoreError."""
        if table.clients:
            return
        try:
            await table.pause_unattended()
        except StoreError:
            self._pause_timers.set(table.state.setup.id, UNATTENDED_SECONDS)
            raise
        await self._close(table)

    def _set_timer(self, table_state: TableState) -> None:
        seconds = seconds_left(table_state)
        if seconds is not None:
            self._clock_timers.set(table_state.setup.id, seconds)

    def _on_timer(self, table_id: str) -> None:
        self.start(self.resume(table_id))


def names_at(state: TableState) -> dict[Place, str]:
    """The names at an open table that can be erased, by the place where they were entered."""
    in_setup = {(0, seat): name.name for seat, name in enumerate(state.setup.names) if name is not None}
    return in_setup | {(entry.seq, 0): entry.name.name for entry in state.log() if entry.name is not None}
