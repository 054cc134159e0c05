"""The lobby: the public tables, a seat at one of them, and summaries of tables.

The list has the tables that wait for players or are being played, while a player is present. Clients that watch it are
sent its changes at most once per second.

For equal requests for an opponent one table waits: the database's index of such requests is unique. The other players
take the seats of that table, and a seat is one entry of the table's log; so no two players get the same seat, even
through different server processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.apart import games as apart
from icetable.server.errors import BadTable, SeatTaken, TableNotFound
from icetable.server.live.memory import LRUCache
from icetable.server.live.tables.shared_games import suggested_options, with_game
from icetable.server.live.tables.tables import TableObserver
from icetable.server.logs import about
from icetable.server.rate_limits import DEFAULT_LIMITS
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict, StoreDamaged, StoreError
from icetable.server.store.tables import SEEN_INTERVAL_MS
from icetable.server.table import setup, viewers
from icetable.server.table.clock import now
from icetable.server.table.log import End
from icetable.server.table.seats import Seating, hash_code
from icetable.server.table.setup import for_seeker, matchmaking_key
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import TableViews, listing, seats_shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from icetable.server import messages
    from icetable.server.live.tables.client import Client
    from icetable.server.live.tables.table import LiveTable
    from icetable.server.live.tables.tables import Tables
    from icetable.server.table.log import Entry
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import TableSetup, Terms

MAX_LISTED = 100
LISTED_MS = 24 * 60 * 60 * 1000
"""Maximum number of tables in the lobby, and how long it lists a table after its creation."""
PRESENT_MS = 2 * 60 * 1000
"""How long a player counts as present after the last sighting."""
WAITING_MS = 7 * 24 * 60 * 60 * 1000
"""How long the lobby lists a correspondence game that waits for players after the last visit."""
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
MAX_SEEK_TRIES = 50
"""Maximum number of attempts when other players are faster."""

NO_SEAT_ERROR = "somebody else was faster: no seat is free at this table any more"
CROWDED_SEEK_ERROR = "Too many players are looking for this game right now; please try again."
MAX_SUMMARIES = 1024
MAX_PICTURE_CHARACTERS = 4 * 2**20
"""Limits of the caches."""
ANY_SEAT = frozenset({0})
"""The seats of a viewer who may see the game."""

logger = logging.getLogger(__name__)


class Lobby(TableObserver):
    """Lists the public tables of a store, some of which are open in this process."""

    def __init__(self, tables: Tables, max_listed_per_address: int = DEFAULT_LIMITS.listed) -> None:
        self.max_listed_per_address = max_listed_per_address
        """Maximum number of listed tables per address."""
        tables.observers.append(self)
        self._store = tables.store
        self._open_tables = tables.open
        self._listed: dict[str, tuple[int, messages.Listing | None]] = {}
        """By table: the number of its entries and the listing of that time."""
        self._watchers: set[Client] = set()
        self._lock = asyncio.Lock()
        self._sent: dict[str, messages.Listing] = {}
        """The listings as the watchers know them."""
        self._sender: asyncio.Task[None] | None = None

    def note_present(self) -> None:
        """Store which public tables have players, also for other processes."""
        for table in self._open_tables.values():
            if table.state.setup.terms.public and not table.state.is_over and table.has_players:
                self._note_player(table)

    def on_joined(self, table: LiveTable, client: Client) -> None:
        """Store that a client has joined a table."""
        at = now()
        if table.state.setup.terms.public and table.has_players:
            self._note_player(table)
        elif at - table.seen_at >= SEEN_INTERVAL_MS:
            table.seen_at = at
            self._store.tables.set_seen(table.state.setup.id, at, SEEN_INTERVAL_MS)

    def on_left(self, table: LiveTable, client: Client) -> None:
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
        if self._listed is listed:  # otherwise `on_erased` was called meanwhile
            self._listed = known
        return [listing for _, listing in known.values() if listing is not None]

    def on_erased(self) -> None:
        """Drop the cached listings."""
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


class Matchmaking:
    """Gives a client a seat at a public table: one that a player chooses, or one that fits a request."""

    def __init__(self, tables: Tables, lobby: Lobby) -> None:
        self._tables = tables
        self._store = tables.store
        self._lobby = lobby

    async def join(self, table_id: str, name: str, code: str, browser: str | None) -> messages.Seated:
        """Take the first open seat of a public table; a repeated request with the same code returns the same seat.

        `browser`: the SHA-256 of the browser's cookie. Raises TableNotFound, BadTable, SeatTaken or StoreError.
        """
        async with self._tables.opened(table_id) as table:
            seat = await self._sit(table, name, code)
        await self._remember(browser, table_id, code)
        return messages.Seated(table_id, seat, None, {})

    async def seek(self, request: messages.TableRequest, code: str, browser: str | None) -> messages.Seated:
        """Take a seat at a table that waits with this request, or at a new one. Raises GameError or StoreError.

        A browser that already waits there gets its seat back.
        """
        setup, created = await self._tables.create_setup(request)
        setup = for_seeker(setup, code)
        seat = next(number for number, holder in enumerate(setup.seats) if holder.kind == "person")
        key = matchmaking_key(setup)
        for _ in range(MAX_SEEK_TRIES):
            seated = await self._find(key, setup.seats[seat].name, code, browser)
            if seated is not None:
                return seated
            with contextlib.suppress(Conflict):  # another request with this key was faster
                await self._tables.add(setup, key)
                await self._remember(browser, setup.id, code)
                self._lobby.note_opened(setup.id)
                return messages.Seated(setup.id, seat, created.host, created.invites)
        raise StoreError(CROWDED_SEEK_ERROR)

    async def _find(self, key: str, name: str, code: str, browser: str | None) -> messages.Seated | None:
        """Take a seat at the table that waits with this key; None if there is none. Raises StoreError."""
        waiting = await asyncio.to_thread(self._store.tables.matching, key, now() - PRESENT_MS)
        if waiting is None:
            return None
        table_id, is_waiting = waiting
        if is_waiting:
            with contextlib.suppress(SeatTaken, TableNotFound):
                if browser is not None and (held := await asyncio.to_thread(self._store.codes.held, browser, table_id)):
                    return await self._held_seat(table_id, held)
                return await self.join(table_id, name, code, browser)
        with contextlib.suppress(Conflict):  # another process has dropped it
            await written(self._store.tables.drop_key(table_id))
        return None

    async def _held_seat(self, table_id: str, held: frozenset[str]) -> messages.Seated:
        """The seat that a browser holds. Raises TableNotFound, SeatTaken if it has none, or StoreError."""
        async with self._tables.opened(table_id) as table:
            seats = table.state.viewer_with(held).seats
        if not seats:
            raise SeatTaken(NO_SEAT_ERROR)
        return messages.Seated(table_id, min(seats), None, {})

    async def _sit(self, table: LiveTable, name: str, code: str) -> int:
        """Take the first open seat. Raises BadTable, SeatTaken or StoreError."""
        while True:
            viewer = table.state.viewer_with(frozenset({hash_code(code)}))
            if viewer.seats:
                return min(viewer.seats)
            if not viewer.guest:
                raise SeatTaken(NO_SEAT_ERROR)
            seat = min(viewer.guest)
            request = messages.Sit(f"join {hash_code(code)[:32]}", seat, name, code)
            answer = await table.handle(viewer, request)
            if isinstance(answer, messages.Refused) and answer.fault.code == "not-kept":
                raise StoreError(answer.fault.message)
            if isinstance(answer, messages.Refused) and seat in table.state.viewer_with(frozenset()).guest:
                raise BadTable(answer.fault.message)

    async def _remember(self, browser: str | None, table_id: str, code: str) -> None:
        """Store that a browser holds the code. Raises StoreError."""
        if browser is not None:
            with contextlib.suppress(Conflict):  # already stored
                await written(self._store.codes.hold(browser, table_id, hash_code(code)))


class CachedSummary(NamedTuple):
    """The summaries of a table, and what they were made from."""

    length: int
    """The number of entries of the table's log."""
    terms: Terms
    following: str
    """The id of the next game's table, if there ever is one."""
    seating: Seating
    seen: messages.Summary
    """For viewers who may see the game."""
    unseen: messages.Summary
    """For others."""


class Summaries(TableObserver):
    """Summaries and pictures for lists of tables, cached until a table's log grows; no table is opened for them."""

    def __init__(self, tables: Tables) -> None:
        tables.observers.append(self)
        self._tables = tables
        self._store = tables.store
        self._summaries: LRUCache[str, CachedSummary] = LRUCache(MAX_SUMMARIES)
        self._pictures: LRUCache[tuple[str, bool], tuple[int, str]] = LRUCache(MAX_PICTURE_CHARACTERS)

    async def summary(self, table_id: str, browser: str | None) -> messages.Summary:
        """The summary of a table for a browser, by the seats that it holds. Raises TableNotFound or StoreError."""
        cached = await self._cached(table_id)
        return await self._shown(cached, await self._viewer(table_id, browser, cached))

    async def hold(self, table_id: str, browser: str | None, code_hashes: frozenset[str]) -> messages.Summary:
        """Store that a browser, if it has a cookie, holds the seats of these codes; return its summary.

        Raises TableNotFound or StoreError.
        """
        cached = await self._cached(table_id)
        viewer = viewers.identify(cached.terms, cached.seating, code_hashes)
        if browser is not None:
            for lock in viewers.code_hashes_of(cached.terms, cached.seating, viewer):
                with contextlib.suppress(Conflict):  # already stored
                    await written(self._store.codes.hold(browser, table_id, lock))
        return await self._shown(cached, viewer)

    async def picture(self, table_id: str, browser: str | None) -> str:
        """The position that watchers see; the start if the browser may not see the game.

        Raises TableNotFound or StoreError.
        """
        cached = await self._cached(table_id)
        viewer = await self._viewer(table_id, browser, cached)
        key = table_id, bool(viewer.seats) or not cached.unseen.hidden
        length, picture = self._pictures.get(key) or (-1, "")
        if length != cached.length:
            views = TableViews(await self._tables.read(table_id), now)
            draw = functools.partial(views.picture, is_shown=key[1])
            length, picture = cached.length, await self._tables.scheduler.run(draw, views.state.game.info)
            self._pictures.put(key, (length, picture), len(picture))
        return picture

    def on_erased(self) -> None:
        """Drop the cached summaries."""
        self._summaries = LRUCache(MAX_SUMMARIES)

    async def _cached(self, table_id: str) -> CachedSummary:
        summaries = self._summaries  # `on_erased` may replace them meanwhile
        cached = summaries.get(table_id)
        length = await self._tables.length(table_id)
        if cached is None or cached.length != length:
            table_state = await self._tables.read(table_id)
            views = TableViews(table_state, now)
            seen, unseen = views.summary(Viewer(ANY_SEAT)), views.summary(Viewer())
            following = setup.id_after(table_state.setup)
            cached = CachedSummary(length, table_state.setup.terms, following, table_state.seating, seen, unseen)
            summaries.put(table_id, cached)
        return cached

    async def _viewer(self, table_id: str, browser: str | None, cached: CachedSummary) -> Viewer:
        held = frozenset[str]()
        if browser is not None:
            held = await asyncio.to_thread(self._store.codes.held, browser, table_id)
        return viewers.identify(cached.terms, cached.seating, held)

    async def _shown(self, cached: CachedSummary, viewer: Viewer) -> messages.Summary:
        summary = cached.seen if viewer.seats else cached.unseen
        follows = bool(viewer.seats) and summary.over and await self._tables.exists(cached.following)
        following = cached.following if follows else None
        return msgspec.structs.replace(summary, seats=seats_shown(cached.seating, viewer.seats), next=following)
