"""The lobby: the public tables that wait for players or are being played, while a player is present.

Clients that watch the list are sent its changes at most once per second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.apart import games as apart
from icetable.server.live.records import bucket_of
from icetable.server.live.shared_games import suggested_options, with_game
from icetable.server.logs import about
from icetable.server.rate_limits import DEFAULT_LIMITS, is_loopback
from icetable.server.store.errors import StoreDamaged, StoreError
from icetable.server.store.tables import SEEN_INTERVAL_MS
from icetable.server.table.clock import now
from icetable.server.table.errors import TableNotFound
from icetable.server.table.log import End
from icetable.server.table.seats import Seating
from icetable.server.table.views import listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from icetable.server.live.client import Client
    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store
    from icetable.server.table.log import Entry
    from icetable.server.table.setup import TableSetup

MAX_LISTED = 100
LISTED_MS = 24 * 60 * 60 * 1000
"""Maximum number of tables in the lobby, and how long it lists a table after its creation."""
PRESENT_MS = 2 * 60 * 1000
"""How long a player counts as present after the last sighting."""
WAITING_MS = 7 * 24 * 60 * 60 * 1000
"""How long the lobby lists a game of days that waits for players after the last visit."""
PRESENCE_INTERVAL_SECONDS = 30
"""Interval between updates of the stored presence."""
RELOAD_GRACE_SECONDS = 5.0
ARRIVAL_GRACE_SECONDS = 20.0
"""How long the last player may be absent, to reload the page or to arrive at a new table, before the table no longer
counts as waiting."""
UPDATE_INTERVAL_SECONDS = 1.0
"""Minimum interval between two messages to watchers."""
WATCHERS_PER_BATCH = 32
"""Number of watchers that are sent a message before other tasks get a turn."""

logger = logging.getLogger(__name__)


class Lobby:
    """Lists the public tables of a store, some of which are open in this process."""

    def __init__(self, store: Store, open_tables: Mapping[str, LiveTable]) -> None:
        self.max_listed_per_address = DEFAULT_LIMITS.listed
        """Maximum number of listed tables per address."""
        self.exempts_loopback = True
        """Whether loopback clients are exempt from this limit."""
        self._store = store
        self._open_tables = open_tables
        self._listed: dict[str, tuple[int, messages.Listing | None]] = {}
        """By table: the number of its entries and the listing of that time."""
        self._watchers: set[Client] = set()
        self._lock = asyncio.Lock()
        self._sent: dict[str, messages.Listing] = {}
        """The listings as the watchers know them."""
        self._sender: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Store regularly where players are present, also for other processes."""
        while True:
            self.note_present()
            await asyncio.sleep(PRESENCE_INTERVAL_SECONDS)

    def note_present(self) -> None:
        """Store which public tables have players."""
        for table in self._open_tables.values():
            if table.state.setup.terms.public and not table.state.is_over and table.has_players:
                self._note_player(table)

    def note_visit(self, table: LiveTable) -> None:
        """Store that a client has joined a table."""
        at = now()
        if table.state.setup.terms.public and table.has_players:
            self._note_player(table)
        elif at - table.seen_at >= SEEN_INTERVAL_MS:
            table.seen_at = at
            self._store.tables.set_seen(table.state.setup.id, at, SEEN_INTERVAL_MS)

    def note_leave(self, table: LiveTable) -> None:
        """Check later whether the last player of a waiting table has left for good."""
        if is_waiting(table) and not table.has_players:
            self._check_later(RELOAD_GRACE_SECONDS, table.state.setup.id)

    def note_opened(self, table: str) -> None:
        """Check later whether the player for whom a table was created has arrived."""
        self._check_later(ARRIVAL_GRACE_SECONDS, table)

    def _check_later(self, seconds: float, table: str) -> None:
        asyncio.get_running_loop().call_later(seconds, self._check_left, table, now())

    def _check_left(self, table_id: str, since: int) -> None:
        table = self._open_tables.get(table_id)
        if table is None or not table.has_players:
            self._store.tables.leave_waiting(table_id, since)

    def _note_player(self, table: LiveTable) -> None:
        if is_waiting(table):
            self._store.tables.set_waiting(table.state.setup.id, now())
        else:
            self._store.tables.set_seen(table.state.setup.id, now(), interval=0)

    def bucket_of(self, address: str) -> int:
        """The bucket of visitors that an address belongs to; -1 if no limit applies."""
        if not address or (self.exempts_loopback and is_loopback(address)):
            return -1
        return bucket_of(address)

    async def listings(self) -> list[messages.Listing]:
        """The public tables: those that wait for players first, then newest first. Raises StoreError."""
        tables = await asyncio.to_thread(
            self._store.tables.public,
            now() - LISTED_MS,
            now() - PRESENT_MS,
            self.max_listed_per_address,
            MAX_LISTED,
            now() - WAITING_MS,
        )
        listed, known = self._listed, dict[str, tuple[int, messages.Listing | None]]()
        for table, entries in tables:
            before = listed.get(table)
            if before is None or before[0] != entries:
                before = entries, await self._listing(table)
            known[table] = before
        if self._listed is listed:  # otherwise `forget` was called meanwhile
            self._listed = known
        return [listing for _, listing in known.values() if listing is not None]

    def forget(self) -> None:
        """Drop the cached listings, after names were erased."""
        self._listed = {}

    # Watchers

    async def watch(self, client: Client) -> None:
        """Send a client the list, and its changes from now on. Raises StoreError."""
        async with self._lock:
            if not self._watchers:
                self._sent = {listing.id: listing for listing in await self.listings()}
            self._watchers.add(client)
        client.send(messages.Listed(list(self._sent.values()), [], whole=True))
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._keep_sending())

    def unwatch(self, client: Client) -> None:
        self._watchers.discard(client)

    async def _keep_sending(self) -> None:
        while self._watchers:
            await asyncio.sleep(UPDATE_INTERVAL_SECONDS)
            with contextlib.suppress(StoreError):  # it is logged, and the next round retries
                await self.send_changes()

    async def send_changes(self) -> None:
        """Send the watchers what has changed since the last call. Raises StoreError."""
        current = {listing.id: listing for listing in await self.listings()}
        before, self._sent = self._sent, current
        changed = [listing for key, listing in current.items() if before.get(key) != listing]
        removed = [key for key in before if key not in current]
        if not (changed or removed):
            return
        update = messages.write(messages.Listed(changed, removed, whole=False))
        for number, client in enumerate(list(self._watchers), 1):
            if client in self._watchers:
                client.send_bytes(update)
            if number % WATCHERS_PER_BATCH == 0:
                await asyncio.sleep(0)

    async def _listing(self, table_id: str) -> messages.Listing | None:
        """The listing of a table; None if its game is over or it can't be opened."""
        if table_id not in self._open_tables:
            return await asyncio.to_thread(self._read_listing, table_id)
        table = self._open_tables[table_id]
        info = table.state.game.info
        suggested = await apart.in_thread(info, suggested_options, info, table.state.game.players)
        return None if table.state.is_over else table.views.listing(suggested)

    def _read_listing(self, table_id: str) -> messages.Listing | None:
        """The listing of a table that is not open, read without replaying its game."""
        try:
            table_setup, _ = with_game(self._store.tables.setup(table_id))
            entries = self._store.logs.seating(table_id)
            if any(isinstance(entry.event(), End) for entry in entries):
                return None
            info = games.info(table_setup.game)
            return listing(
                table_setup, info, seating_after(table_setup, entries), suggested_options(info, len(table_setup.seats))
            )
        except (GameError, StoreDamaged, TableNotFound) as error:
            logger.error("the log of a table can't be read", extra=about(error, table=table_id))
            return None


def is_waiting(table: LiveTable) -> bool:
    """Whether a public table waits for players."""
    return table.state.setup.terms.public and not table.state.seating.started and not table.state.is_over


def seating_after(setup: TableSetup, entries: Iterable[Entry]) -> Seating:
    """The seating after the entries of `Store.seating`. Raises GameError."""
    seating = Seating(setup.seats, setup.terms.random_seats).started_if_ready()
    for entry in entries:
        event = entry.event()
        seating = seating.acted(entry.seat) if event is None else seating.after(event, entry.seq, entry.seat)
    return seating
