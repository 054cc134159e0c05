"""The lobby: the public tables that wait for players or are being played, as long as a player is there.

Who follows the list gets its changes, at most once a second, however many follow it and whatever happens at the tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live.records import bucket_of
from icetable.server.live.shared_games import usual_options, with_game
from icetable.server.logs import about
from icetable.server.rate_limits import UNCHANGED, is_loopback
from icetable.server.store.errors import StoreDamaged, StoreError
from icetable.server.store.store import SEEN_INTERVAL_MS
from icetable.server.table.clock import now
from icetable.server.table.errors import TableNotFound
from icetable.server.table.events import End
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
LISTED_FOR = 24 * 60 * 60 * 1000
"""How many public tables the lobby lists, and for how many milliseconds after they were created."""
PRESENT_FOR = 2 * 60 * 1000
"""For how many milliseconds a player counts as present who was there."""
WAITING_FOR = 7 * 24 * 60 * 60 * 1000
"""For how many milliseconds a game of days waits for players in the list after anybody was there."""
EVERY_SECONDS = 30
"""How many seconds lie between two notes that players are there."""
GONE_SECONDS = 5.0
COMING_SECONDS = 20.0
"""For how many seconds a player may be gone, to load the page anew, or on the way to a new table, before nobody waits
there any more."""
NEWS_SECONDS = 1.0
"""How many seconds lie at least between two messages to those who follow the list."""
WATCHERS_AT_ONCE = 32
"""To how many of them a message is sent before acts at tables have their turn."""

logger = logging.getLogger(__name__)


class Lobby:
    """Lists the public tables of a store, of which some are open here."""

    def __init__(self, store: Store, open_tables: Mapping[str, LiveTable]) -> None:
        self.most_of_one = UNCHANGED.listed
        """How many tables of one address are listed at most."""
        self.spares_loopback = True
        """Whether all tables of this machine's own clients are listed."""
        self._store = store
        self._open = open_tables
        self._listed: dict[str, tuple[int, messages.Listing | None]] = {}
        """How each table was listed when it had this number of entries."""
        self._watchers: set[Client] = set()
        self._reading = asyncio.Lock()
        self._told: dict[str, messages.Listing] = {}
        """What those who follow the list know of it."""
        self._telling: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Note from now on where players are, also for other processes."""
        while True:
            self.note_present()
            await asyncio.sleep(EVERY_SECONDS)

    def note_present(self) -> None:
        """Note which public tables have players."""
        for table in self._open.values():
            if table.state.setup.terms.public and not table.state.is_over and table.has_players:
                self._note(table)

    def note_visit(self, table: LiveTable) -> None:
        """A client has come to a table."""
        at = now()
        if table.state.setup.terms.public and table.has_players:
            self._note(table)
        elif at - table.seen_at >= SEEN_INTERVAL_MS:
            table.seen_at = at
            self._store.note_seen(table.state.setup.id, at, SEEN_INTERVAL_MS)

    def note_leave(self, table: LiveTable) -> None:
        """A client has left a table. Where the last player does not come back, nobody waits there any more."""
        if is_waiting(table) and not table.has_players:
            self._check_later(GONE_SECONDS, table.state.setup.id)

    def note_opened(self, table: str) -> None:
        """A table was opened for somebody who should come there soon."""
        self._check_later(COMING_SECONDS, table)

    def _check_later(self, seconds: float, table: str) -> None:
        asyncio.get_running_loop().call_later(seconds, self._check_left, table, now())

    def _check_left(self, table_id: str, since: int) -> None:
        table = self._open.get(table_id)
        if table is None or not table.has_players:
            self._store.leave_waiting(table_id, since)

    def _note(self, table: LiveTable) -> None:
        """A player is at a public table."""
        if is_waiting(table):
            self._store.note_waiting(table.state.setup.id, now())
        else:
            self._store.note_seen(table.state.setup.id, now(), interval=0)

    def bucket_of(self, address: str) -> int:
        """Among which visitors one counts who opens a public table; -1 for none."""
        if not address or (self.spares_loopback and is_loopback(address)):
            return -1
        return bucket_of(address)

    async def listings(self) -> list[messages.Listing]:
        """The public tables: first those that wait for players, the newest first. Raises StoreError."""
        tables = await asyncio.to_thread(
            self._store.public_tables,
            now() - LISTED_FOR,
            now() - PRESENT_FOR,
            self.most_of_one,
            MAX_LISTED,
            now() - WAITING_FOR,
        )
        listed, known = self._listed, dict[str, tuple[int, messages.Listing | None]]()
        for table, entries in tables:
            before = listed.get(table)
            if before is None or before[0] != entries:
                before = entries, await self._listing(table)
            known[table] = before
        if self._listed is listed:  # else it was forgotten meanwhile
            self._listed = known
        return [listing for _, listing in known.values() if listing is not None]

    def forget(self) -> None:
        """Read all that is listed anew: names were erased."""
        self._listed = {}

    # Those who follow the list

    async def watch(self, client: Client) -> None:
        """Send a client the list, and from now on its changes. Raises StoreError."""
        async with self._reading:
            if not self._watchers:
                self._told = {listing.id: listing for listing in await self.listings()}
            self._watchers.add(client)
        client.send(messages.Listed(list(self._told.values()), [], whole=True))
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    def unwatch(self, client: Client) -> None:
        """A client follows the list no more."""
        self._watchers.discard(client)

    async def _tell(self) -> None:
        """Tell those who follow the list of its changes, as long as there are any."""
        while self._watchers:
            await asyncio.sleep(NEWS_SECONDS)
            with contextlib.suppress(StoreError):  # which is logged, and looked for again
                await self.tell()

    async def tell(self) -> None:
        """Tell those who follow the list what has changed since they were told last. Raises StoreError."""
        now_listed = {listing.id: listing for listing in await self.listings()}
        before, self._told = self._told, now_listed
        changed = [listing for key, listing in now_listed.items() if before.get(key) != listing]
        gone = [key for key in before if key not in now_listed]
        if not (changed or gone):
            return
        news = messages.write(messages.Listed(changed, gone, whole=False))
        for number, client in enumerate(list(self._watchers), 1):
            if client in self._watchers:
                client.send_bytes(news)
            if number % WATCHERS_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def _listing(self, table_id: str) -> messages.Listing | None:
        """How the lobby lists a table; None where its game is over or it can't be opened."""
        if table_id not in self._open:
            return await asyncio.to_thread(self._read_listing, table_id)
        table = self._open[table_id]
        usual = await asyncio.to_thread(usual_options, table.state.game.info, table.state.game.players)
        return None if table.state.is_over else table.views.listing(usual)

    def _read_listing(self, table_id: str) -> messages.Listing | None:
        """How the lobby lists a table that is not open, read without a replay of its game."""
        try:
            settled, _ = with_game(self._store.setup(table_id))
            entries = self._store.seating(table_id)
            if any(isinstance(entry.event(settled.form), End) for entry in entries):
                return None
            info = games.info(settled.game)
            return listing(settled, info, seating_after(settled, entries), usual_options(info, len(settled.seats)))
        except (GameError, StoreDamaged, TableNotFound) as error:
            logger.error("the log of a table can't be read", extra=about(error, table=table_id))
            return None


def is_waiting(table: LiveTable) -> bool:
    """Whether a table is one of those where somebody may wait for others."""
    return table.state.setup.terms.public and not table.state.seating.started and not table.state.is_over


def seating_after(setup: TableSetup, entries: Iterable[Entry]) -> Seating:
    """Who sits where after the entries of `Store.seating`. Raises GameError."""
    seating = Seating(setup.seats, setup.terms.lots).started_if_ready()
    for entry in entries:
        event = entry.event(setup.form)
        seating = seating.acted(entry.seat) if event is None else seating.after(event, entry.seq, entry.seat)
    return seating
