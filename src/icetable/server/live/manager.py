"""The tables of a server process and their clients. Independent of sockets."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING
from weakref import WeakSet, WeakValueDictionary

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages, metrics
from icetable.server.apart.process import end_all
from icetable.server.live import reloading
from icetable.server.live.administration import Administration
from icetable.server.live.analyses import Analyses
from icetable.server.live.fair_scheduler import FairScheduler, client_address
from icetable.server.live.joining import Joining
from icetable.server.live.lobby import Lobby
from icetable.server.live.name_erasure import Erasing
from icetable.server.live.notices import Notices
from icetable.server.live.parcels import Parcels
from icetable.server.live.playtests import Playtests
from icetable.server.live.practice import Practice
from icetable.server.live.records import Records
from icetable.server.live.replays import Replays
from icetable.server.live.retention import DAY, Retention
from icetable.server.live.retry_moves import Retries
from icetable.server.live.reviews import Reviews
from icetable.server.live.search_pool import SearchPool
from icetable.server.live.shared_games import load_in_thread
from icetable.server.live.summaries import Summaries, is_open
from icetable.server.live.table import LiveTable
from icetable.server.live.timers import Alarms, seconds_left
from icetable.server.live.tournament_watchers import Onlookers
from icetable.server.live.tournaments import Tournaments
from icetable.server.live.unattended import Unattended, bots_play_on, note_due
from icetable.server.store.database import written
from icetable.server.store.errors import TABLE_CLOSED, Conflict, StoreError
from icetable.server.store.store import Store
from icetable.server.table import chat, insight, setup, viewers
from icetable.server.table.clock import now
from icetable.server.table.errors import TableNotFound
from icetable.server.table.views import TableViews
from icetable.version import version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from concurrent.futures import Executor
    from pathlib import Path
    from typing import Any

    from icetable.server.live.bot_pool import BotPool
    from icetable.server.live.client import Client
    from icetable.server.table.log import Entry
    from icetable.server.table.state import TableState

UNATTENDED_SECONDS = 60.0
MAX_UNATTENDED = 128
"""A game with a bell is paused after UNATTENDED_SECONDS without a client, or immediately beyond MAX_UNATTENDED tables.
The bots of a game of days play on for as long."""
BELL_DELAY_SECONDS = 1.0
"""Delay between the bell of an unattended table and its closing."""
CLOSE_TIMEOUT_SECONDS = 0.5
"""Maximum time that a stopping server waits for its tables."""

logger = logging.getLogger(__name__)


class TableManager:
    """The tables of a server process. Must be created in a running loop.

    A table is open while it has a client or chance has to act. It closes when the last client leaves, and is replayed
    from its log when the next one joins. If its clock runs meanwhile, an alarm is set for it. But in a game with a
    bell, bots play on for a while (UNATTENDED_SECONDS) before the game is paused.
    """

    def __init__(
        self, store: Store, bot_pool: BotPool, cluster: Executor | None = None, keep_days: int | None = None
    ) -> None:
        """`cluster`: searches for reviews and analyses, instead of processes on this machine.

        `keep_days`: how long tables without visitors are stored; None for ever.
        """
        self.store = store
        self.bot_pool = bot_pool
        self._open: dict[str, LiveTable] = {}
        self._table_of: dict[Client, LiveTable] = {}
        self._waiting_outside: dict[str, WeakSet[Client]] = {}
        """The clients of closed tables, by table."""
        self._scheduler = FairScheduler()
        self._replays = Replays(store, self._scheduler)
        self.lobby = Lobby(store, self._open)
        self.summaries = Summaries(store, self._open, self._current_state, self._scheduler)
        self._search_pool = SearchPool(cluster)
        self.reviews = Reviews(self._current_state, bot_pool.kernels, self._search_pool, self._scheduler)
        self.retries = Retries(self._current_state, bot_pool.kernels, self._search_pool, self._scheduler)
        self.analyses = Analyses(self._search_pool, bot_pool.kernels)
        self.playtests = Playtests(store, self.create_table, self._current_state, self._scheduler, self._search_pool)
        self.joining = Joining(store, self._create_setup, self._store_table, self._opened, self.lobby)
        self.notices = Notices(store, self._current_state, self._is_present)
        self.tournaments = Tournaments(
            store,
            self._open,
            self._store_table,
            self._current_state,
            self.join,
            self.leave,
            self._levels,
            self.notices.follow,
        )
        self.onlookers = Onlookers(self.tournaments.show)
        self.practice = Practice(store, self._store_table, self._current_state)
        self.parcels = Parcels(store)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._clock_alarms = Alarms(self._on_alarm)
        """For closed tables: when their clocks run out."""
        self._pause_alarms = Alarms(self._on_alarm)
        """For open tables without clients: when their games are paused."""
        self._started_at = now()
        max_age_ms = None if keep_days is None else keep_days * DAY
        self.records = Records(store, self._scheduler, self._find_state, max_age_ms)
        forget = (self._replays.clear, self.summaries.forget, self.lobby.forget)
        self._erasing = Erasing(store, self._open, forget, self._lock)
        self.administration = Administration(
            store,
            self._open,
            self.delete_table,
            self.close_table,
            self.reopen_table,
            self._erasing,
            self.tournaments.forget,
        )
        self._unattended_tables = Unattended(store, self._resume_table)
        self._retention = Retention(store, self.records, self._open, self.delete_table, keep_days)
        loop = asyncio.get_running_loop()

        def on_entries(table_id: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._on_entries, table_id)

        def on_message(table_id: str, text: str) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._on_message, table_id, text)

        store.database.subscribe(on_entries, on_message)

    async def close(self) -> None:
        """Finish running work, for at most CLOSE_TIMEOUT_SECONDS, and close the store."""
        self._clock_alarms.close()
        self._pause_alarms.close()
        tasks = {*self._tasks, *self._replays.tasks()}
        for task in tasks:
            task.cancel()
        closing = {asyncio.create_task(table.close()) for table in self._open.values()}
        if pending := tasks | closing:
            await asyncio.wait(pending, timeout=CLOSE_TIMEOUT_SECONDS)
        self.reviews.close()
        self.playtests.close()
        self.analyses.close()
        self._scheduler.close()
        await self.notices.close()
        await self._search_pool.close()
        await asyncio.to_thread(end_all)
        self.bot_pool.close()
        await asyncio.to_thread(self.store.close)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Other server processes

    def _on_entries(self, table_id: str | None) -> None:
        """Another process has appended to a table's log; None: the connection was lost, so any table may be behind."""
        for table in list(self._open.values()) if table_id is None else [self._open.get(table_id)]:
            if table is not None and not table.is_behind:
                table.is_behind = True
                self._start(self._catch_up(table))
            if table is not None and table_id is None:
                table.on_reconnect()

    def _on_message(self, table_id: str, text: str) -> None:
        if table_id in self._open:
            self._start(self._deliver(self._open[table_id], text))

    async def _deliver(self, table: LiveTable, text: str) -> None:
        with contextlib.suppress(StoreError):  # entries are read later; other messages may be lost
            await table.on_message(text)

    async def _catch_up(self, table: LiveTable) -> None:
        try:
            await table.catch_up()
        except StoreError as error:
            table.broadcast(messages.ErrorMessage(str(error)))

    # Tables without clients

    def resume(self) -> None:
        """Start the background services, which also resume tables whose games are not over."""
        parts = (
            self._unattended_tables,
            self._retention,
            self.lobby,
            self.administration,
            self.notices,
            self.tournaments,
            self.parcels,
        )
        for part in parts:
            self._start(part.run())

    async def reload(self, file: Path) -> None:
        """Reload a game from its file: open tables continue with the new rules, as far as their acts are legal."""
        await reloading.reload(file, list(self._open.values()))
        self._search_pool.dismiss()  # its processes have loaded the old file

    async def _resume_table(self, table_id: str) -> None:
        """Act for chance and the clock at a table without clients, now or when its time is up.

        Raises TableNotFound or StoreError.
        """
        if table_id in self.administration.closed_tables:
            return
        async with self._lock(table_id):
            if table_id in self._open:
                await self._pause_if_empty(self._open[table_id])
                return
            table_state = await self._replays.of(table_id)
            if table_state.is_over:
                self.store.tables.set_over(table_id, over=True)
                return
            note_due(self.store, table_state)
            is_due = table_state.chance_to_act or table_state.seating.draw_due or table_state.overdue(now())
            if not (is_due or table_state.bell_is_pending or bots_play_on(table_state)):
                self._set_alarm(table_state)
                return
            table = await self._open_table(table_state)
        await self._close_if_empty(table)

    def _set_alarm(self, table_state: TableState) -> None:
        seconds = seconds_left(table_state)
        if seconds is not None:
            self._clock_alarms.set(table_state.setup.id, seconds)

    def _on_alarm(self, table_id: str) -> None:
        self._start(self._unattended_tables.resume(table_id))

    # Creating tables

    async def create_table(self, request: messages.TableRequest, playtest: str | None = None) -> messages.TableCreated:
        """Create a table, optionally for a play-test. Raises GameError or StoreError."""
        table_setup, created = await self._create_setup(request)
        if playtest is not None:
            table_setup = setup.for_playtest(table_setup, playtest)
            await written(self.store.playtests.add_table(playtest, table_setup.id, table_setup.created))
        await self._store_table(table_setup)
        return created

    async def _create_setup(self, request: messages.TableRequest) -> tuple[setup.TableSetup, messages.TableCreated]:
        """Convert a request. Raises GameError."""
        options = {name: value for name, value in request.options.items() if value is not None}
        game = await load_in_thread(request.game, options)
        levels = await asyncio.to_thread(self._levels, request.game, game.players)
        return setup.create_setup(request, game, levels, now())

    def _levels(self, game: str, players: int) -> list[str]:
        return [level.name for level in self.bot_pool.factory.levels(game, players)]

    async def create_next_table(self, table_id: str, request: messages.NextRequest) -> messages.TableCreated:
        """Create the table of a series' next game once. Raises TableNotFound, GameError or StoreError."""
        table_state = await self._current_state(table_id)
        table_setup, created = table_state.next_setup(table_state.viewer(request.codes), request.rotate, now())
        with contextlib.suppress(Conflict):  # another request has created it
            await self._store_table(table_setup)
        self.notices.follow(table_id, table_setup.id)
        if table_id in self._open:
            self._open[table_id].broadcast(messages.Next(table_setup.id))
        return created

    async def copy_table(self, table_id: str, request: messages.CopyRequest) -> messages.TableCreated:
        """Create a table for trying out acts, from a position of another table.

        Raises TableNotFound, Hidden, GameError or StoreError.
        """
        table_state = await self._current_state(table_id)
        viewer = table_state.viewer(request.codes)
        info = table_state.game.info
        async with self._scheduler.loaded_positions(table_state.positions, request.seq, request.seq, info):
            state = TableViews(table_state, now).copy(viewer, request.seq)
        names = [seat.shown_name for seat in table_state.seating.seats]
        explores = insight.is_open(table_state, viewer)
        table_setup, created = await asyncio.to_thread(setup.setup_from_position, state, names, now(), explores)
        await self._store_table(table_setup)
        return created

    async def _store_table(self, table_setup: setup.TableSetup, wish: str | None = None) -> None:
        """Raises Conflict, also if another waiting table has the wish, or StoreError."""
        await self.administration.check_open()
        bucket = self.lobby.bucket_of(client_address.get()) if table_setup.terms.public else -1
        await written(self.store.tables.create(table_setup, bucket, wish))
        metrics.TABLES_CREATED.inc()

    # Deleting tables

    async def delete_table(self, table_id: str, why: messages.ErrorMessage | None = None) -> bool:
        """Delete a table, send its clients `why`, and return whether it existed. Without `why`, an open table stays.

        Raises StoreError.
        """
        async with self._lock(table_id):
            if table_id in self._open and why is None:
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

    async def close_table(self, table_id: str, why: messages.ErrorMessage) -> None:
        """Close a table for good; its clients are sent `why`."""
        async with self._lock(table_id):
            for client in list(self._open[table_id].clients) if table_id in self._open else ():
                self._wait_outside(client, table_id)
            await self._dismiss(table_id, why)

    def reopen_table(self, table_id: str, why: str) -> None:
        """Let the clients of a closed table come back."""
        for client in self._waiting_outside.pop(table_id, ()):
            client.reconnect(why)

    def _wait_outside(self, client: Client, table_id: str) -> None:
        self._waiting_outside.setdefault(table_id, WeakSet()).add(client)

    async def _dismiss(self, table_id: str, why: messages.ErrorMessage | None) -> None:
        table = self._open.get(table_id)
        if table is not None and why is not None:
            table.dismiss(why)
            await self._close(table)
        self._clock_alarms.cancel(table_id)
        self._pause_alarms.cancel(table_id)

    # Clients

    async def join(
        self, client: Client, table_id: str, codes: list[str], seen: messages.Seen | None = None
    ) -> LiveTable:
        """Move a client from its table to another one. Raises TableNotFound or StoreError.

        `seen`: how much of the table the client has seen before.
        """
        self.analyses.stop(client)
        if table_id in self.administration.closed_tables:
            self._wait_outside(client, table_id)
            raise StoreError(TABLE_CLOSED)
        before = self._table_of.get(client)
        held = frozenset[str]()
        if client.browser is not None:
            held = await asyncio.to_thread(self.store.codes.held, client.browser, table_id)
        # The lock is not held yet: the visitor may have to wait for a turn, which must not delay others.
        if table_id in self._open:
            known, acts = None, self._open[table_id].state.acts
            shown = self._open[table_id].loaded_positions(seen.seq if seen else acts - messages.LINES_PER_PAGE, acts)
        else:
            known, shown = await self._replays.of(table_id), contextlib.nullcontext()
        async with shown, self._lock(table_id):
            table = self._open.get(table_id) or await self._open_table(await self._current(table_id, known))
            if self.store.database.is_shared:
                await table.catch_up()  # another process may have acknowledged an act just now
                await table.catch_up_chat()
            self._table_of[client] = table
            self._pause_alarms.cancel(table_id)
            table.join(client, codes, held, seen)
            self.lobby.note_visit(table)
        self.remember(client, held)
        if table.state.is_over and client.viewer.seats:
            self._start(self._tell_what_follows(client, table))
        if before is not None and before is not table:
            await self._leave(before, client)
        return table

    async def _tell_what_follows(self, client: Client, table: LiveTable) -> None:
        """Tell a player who comes back to a finished game of the next one, if there is one."""
        terms, following = table.state.setup.terms, setup.id_after(table.state.setup)
        with contextlib.suppress(StoreError, GameError, TableNotFound):
            if terms.tournament is not None:
                self.tournaments.forget_told(client)
                await self.tournaments.tell(terms.tournament)
            elif await is_open(self.store, following) and client in table.clients:
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
        """Remove a client from its table, and from the watchers of the lobby and of tournaments."""
        self.analyses.stop(client)
        self.lobby.unwatch(client)
        self.onlookers.leave(client)
        table = self._table_of.pop(client, None)
        if table is not None:
            await self._leave(table, client)

    async def _leave(self, table: LiveTable, client: Client) -> None:
        table.leave(client)
        self.lobby.note_leave(table)
        if not table.clients:
            await self._close_if_empty(table)

    # Opening and closing

    async def _current(self, table_id: str, known: TableState | None) -> TableState:
        """The current state of a table that is not open: `known` from before the lock was held, or a new replay.

        Raises TableNotFound or StoreError.
        """
        if known is not None and known.setup.record is None and not self._replays.is_cached(table_id, known):
            length = await asyncio.to_thread(self.store.logs.length, table_id)
            known = known if known.entries == length else None
        return known or await self._replays.of(table_id)

    @contextlib.asynccontextmanager
    async def _opened(self, table_id: str) -> AsyncIterator[LiveTable]:
        """Hold a table open, up to date. Raises TableNotFound or StoreError."""
        known = None if table_id in self._open else await self._replays.of(table_id)
        async with self._lock(table_id):
            table = self._open.get(table_id) or await self._open_table(await self._current(table_id, known))
            try:
                if self.store.database.is_shared:
                    await table.catch_up()
                yield table
            finally:
                self._start(self._close_if_empty(table))

    async def _open_table(self, table_state: TableState) -> LiveTable:
        """Open a table; its lock must be held. Raises StoreError."""
        await self._skip_lost_time(table_state)
        await self._append_first(table_state, table_state.change_of_rules(table_state.game, now()))
        await self._erasing.refresh(table_state)
        recent = await asyncio.to_thread(self.store.chat.messages, table_state.setup.id, limit=chat.MAX_SHOWN)
        table = self._open[table_state.setup.id] = LiveTable(
            table_state, recent, self.store, self.bot_pool, self._scheduler, self.notices.schedule
        )
        self._clock_alarms.cancel(table_state.setup.id)
        metrics.TABLES.inc()
        with contextlib.suppress(GameError):  # the file may be gone
            info = games.info(table_state.game.info.name)
            if reloading.file_of(info) and info != table_state.game.info:  # it refuses the acts
                self._start(reloading.offer(table, info))
        return table

    async def _skip_lost_time(self, table_state: TableState) -> None:
        """If an earlier process ended while the clock ran, let the clock continue from there. Raises StoreError."""
        await self._append_first(
            table_state, None if self.store.database.is_shared else table_state.skip(now(), self._started_at)
        )

    async def _append_first(self, table_state: TableState, entry: Entry | None) -> None:
        """Append an entry, if there is one, to a table that is not open yet. Raises StoreError."""
        if entry is None:
            return
        try:
            await self.store.logs.append(table_state.setup.id, entry)
        except Conflict:
            raise self.store.logs.unreadable_entry(table_state.setup.id) from None
        table_state.append(entry)

    async def _close_if_empty(self, table: LiveTable) -> None:
        """Close a table without clients, or let its bots play on for a while."""
        table_id = table.state.setup.id
        async with self._lock(table_id):
            if table.clients or self._open.get(table_id) is not table:
                return
            if not (table.state.bell_is_pending or bots_play_on(table.state)):
                await self._close(table)
                return
            left = seconds_left(table.state)
            self._pause_alarms.set(
                table_id, UNATTENDED_SECONDS if left is None else min(UNATTENDED_SECONDS, left + BELL_DELAY_SECONDS)
            )
            if len(self._pause_alarms) > MAX_UNATTENDED:
                self._pause_alarms.ring_first()

    async def _pause_if_empty(self, table: LiveTable) -> None:
        """Pause the game of a table without clients, and close the table; its lock must be held. Raises StoreError."""
        if table.clients:
            return
        try:
            await table.pause_unattended()
        except StoreError:
            self._pause_alarms.set(table.state.setup.id, UNATTENDED_SECONDS)
            raise
        await self._close(table)

    async def _close(self, table: LiveTable) -> None:
        """Close a table; its lock must be held."""
        table_id = table.state.setup.id
        await table.close()
        del self._open[table_id]
        metrics.TABLES.dec()
        self._replays.forget(table_id)  # a running replay may have missed the last act
        self._set_alarm(table.state)

    def _is_present(self, table_id: str, seat: int) -> bool:
        """Whether a seat's player has the page open, as far as this process knows."""
        return table_id in self._open and self._open[table_id].is_present(seat)

    def _lock(self, table_id: str) -> asyncio.Lock:
        """Held while a table opens or closes, so that it is never open twice."""
        return self._locks.setdefault(table_id, asyncio.Lock())

    # Reading

    async def record(self, table_id: str, with_talk: bool = False) -> tuple[str, str]:
        """The name of a table's game and its record, optionally with the chat. A comment says which version wrote it.

        Raises TableNotFound, StoreError or Hidden.
        """
        table_state = await self._current_state(table_id)
        record = await self._scheduler.run(TableViews(table_state, now).record, table_state.game.info)
        if table_state.setup.record is None:  # otherwise it is as it was opened
            record += f"# written by icetable {version()}\n"
        chat_messages = await asyncio.to_thread(self.store.chat.messages, table_id) if with_talk else []
        return table_state.game.info.name, record + chat.comments(chat_messages)

    async def _current_state(self, table_id: str) -> TableState:
        """The state of a table, which may be open. Raises TableNotFound or StoreError."""
        return self._open[table_id].state if table_id in self._open else await self._replays.of(table_id)

    async def _find_state(self, table_id: str) -> TableState | None:
        """The same; None if the table does not exist. Raises StoreError."""
        with contextlib.suppress(TableNotFound):
            return await self._current_state(table_id)
        return None
