"""The lobby: the public tables that wait for players or are being played, as long as a player is there."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.errors import GameError
from icetable.server.live.records import bucket_of
from icetable.server.live.shared_games import with_game
from icetable.server.logs import about
from icetable.server.rate_limits import UNCHANGED, is_loopback
from icetable.server.store.errors import StoreDamaged
from icetable.server.store.store import SEEN_EVERY
from icetable.server.table.clock import now
from icetable.server.table.errors import TableNotFound
from icetable.server.table.events import End
from icetable.server.table.seats import Seating
from icetable.server.table.views import listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from icetable.server import messages
    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store
    from icetable.server.table.log import Entry
    from icetable.server.table.setup import TableSetup

MOST_LISTED = 50
LISTED_FOR = 24 * 60 * 60 * 1000
"""How many public tables the lobby lists, and for how many milliseconds after they were created."""
PRESENT_FOR = 2 * 60 * 1000
"""For how many milliseconds a player counts as present who was there."""
WAITING_FOR = 7 * 24 * 60 * 60 * 1000
"""For how many milliseconds a game of days waits for players in the list after anybody was there."""
EVERY_SECONDS = 30
"""How many seconds lie between two notes that players are there."""

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

    async def run(self) -> None:
        """Note from now on where players are, also for other processes."""
        while True:
            self.note_present()
            await asyncio.sleep(EVERY_SECONDS)

    def note_present(self) -> None:
        """Note which public tables have players."""
        for table_id, table in self._open.items():
            if table.state.setup.terms.public and not table.state.is_over and table.has_players:
                self._store.note_seen(table_id, now(), every=0)

    def note_visit(self, table: LiveTable) -> None:
        """A client has come to a table."""
        is_waited_for = table.state.setup.terms.public and table.has_players
        at, every = now(), 0 if is_waited_for else SEEN_EVERY
        if at - table.seen_at >= every:
            table.seen_at = at
            self._store.note_seen(table.state.setup.id, at, every)

    def bucket_of(self, address: str) -> int:
        """Among which visitors one counts who opens a public table; -1 for none."""
        if not address or (self.spares_loopback and is_loopback(address)):
            return -1
        return bucket_of(address)

    async def listings(self) -> list[messages.Listing]:
        """The public tables that wait for players or are being played, the newest first. Raises StoreError."""
        tables = await asyncio.to_thread(
            self._store.public_tables,
            now() - LISTED_FOR,
            now() - PRESENT_FOR,
            self.most_of_one,
            MOST_LISTED,
            now() - WAITING_FOR,
        )
        listed = self._listed
        known = {table: listed[table] for table, _ in tables if table in listed}
        for table, entries in tables:
            if table not in known or known[table][0] != entries:
                known[table] = entries, await self._listing(table)
        if self._listed is listed:  # else it was forgotten meanwhile
            self._listed = known
        return [listing for _, listing in known.values() if listing is not None]

    def forget(self) -> None:
        """Read all that is listed anew: names were erased."""
        self._listed = {}

    async def _listing(self, table_id: str) -> messages.Listing | None:
        """How the lobby lists a table; None where its game is over or it can't be opened."""
        if table_id not in self._open:
            return await asyncio.to_thread(self._read_listing, table_id)
        table = self._open[table_id]
        return None if table.state.is_over else table.views.listing()

    def _read_listing(self, table_id: str) -> messages.Listing | None:
        """How the lobby lists a table that is not open, read without a replay of its game."""
        try:
            settled, _ = with_game(self._store.setup(table_id))
            entries = self._store.seating(table_id)
            if any(isinstance(entry.event(settled.form), End) for entry in entries):
                return None
            return listing(settled, games.info(settled.game), seating_after(settled, entries))
        except (GameError, StoreDamaged, TableNotFound) as error:
            logger.error("the log of a table can't be read", extra=about(error, table=table_id))
            return None


def seating_after(setup: TableSetup, entries: Iterable[Entry]) -> Seating:
    """Who sits where after the entries of `Store.seating`. Raises GameError."""
    seating = Seating(setup.seats, setup.terms.lots).begun()
    for entry in entries:
        event = entry.event(setup.form)
        seating = seating.acted(entry.seat) if event is None else seating.after(event, entry.seq, entry.seat)
    return seating
