"""Tournaments by link: people and bots enter, tables are opened round by round, and the standings follow the games.

Every process updates the running tournaments: it stores results, draws the next round and watches the games between
bots, which would not run otherwise. The log accepts only one of two concurrent decisions (`table.tournament`).

The clients that watch a tournament are sent its changes at most once per second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import completed
from icetable.server import messages, tournament
from icetable.server.apart import games as apart
from icetable.server.errors import BadTable, TableNotFound
from icetable.server.live.tables.client import Client
from icetable.server.live.tables.shared_games import load_shared
from icetable.server.live.tables.tables import TableObserver
from icetable.server.logs import about
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.table import fairness, setup
from icetable.server.table.clock import now
from icetable.server.table.seats import Seat, checked_level, checked_name, hash_code, name_for_bot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.core.game import Game
    from icetable.server.live.notices import Notices
    from icetable.server.live.tables.client import Client
    from icetable.server.live.tables.table import LiveTable
    from icetable.server.live.tables.tables import Tables
    from icetable.server.tournament import DrawnTable, TournamentEvent, TournamentPlan, TournamentState

POLL_SECONDS = 2.0
"""Interval between updates of the running tournaments."""
ACTIVE_MS = 60 * 24 * 60 * 60 * 1000
"""How long after its creation a tournament is updated."""
LISTED_MS = 7 * 24 * 60 * 60 * 1000
"""How long after its creation a public tournament is listed."""
LIST_MS = 3000
"""How long a list is kept."""
MAX_READ, MAX_LISTED = 200, 12
"""Maximum numbers of tournaments that are looked at for the list, and of those in it."""
MAX_CACHED = 64
"""Maximum number of tournaments in memory."""
MAX_TRIES = 50
"""Maximum number of attempts when other processes are faster."""
NEWS_INTERVAL_SECONDS = 1.0
"""Minimum interval between two messages."""

DEFAULT_ROUNDS = {"swiss": 3, "rated": 5}
"""Number of rounds unless the organizer sets it; five is customary in rated games."""

UNKNOWN_ERROR = "There is no such tournament."
NOT_YOURS_ERROR = "This tournament belongs to somebody else: its organizer has the link that may change it."
CROWDED_ERROR = "Too much is happening in this tournament right now; please try again."

logger = logging.getLogger(__name__)


class CachedTournament(NamedTuple):
    """A tournament in memory."""

    code_hash: str
    """The SHA-256 of its organizer's code."""
    state: TournamentState
    """Its state so far."""
    lock: asyncio.Lock
    """Held while its log is read."""


class Tournaments(TableObserver):
    """The tournaments of a store, whose tables are opened here."""

    def __init__(self, tables: Tables, notices: Notices) -> None:
        tables.observers.append(self)
        self.watchers = TournamentWatchers(self)
        self._tables = tables
        self._store = tables.store
        self._notices = notices
        self._cached: dict[str, CachedTournament] = {}
        self._own_clients: dict[str, Client] = {}
        """By table of bots alone: the client that watches it here."""
        self._listed: tuple[int, list[messages.TournamentListing]] = (0, [])
        self._last_news: WeakKeyDictionary[Client, tuple[str, messages.RoundNews]] = WeakKeyDictionary()
        """By client at a finished table: the table, and the last news that it was sent."""

    # Requests

    async def begin(self, request: messages.TournamentRequest) -> messages.TournamentCreated:
        """Create a tournament. Raises GameError or StoreError."""
        plan = await apart.in_thread(games.info(request.game), plan_of, request)
        tournament_id, code = setup.new_id(), secrets.token_hex(setup.CODE_BYTES)
        text = msgspec.json.encode(plan).decode()
        await written(self._store.tournaments.create(tournament_id, hash_code(code), text, now()))
        return messages.TournamentCreated(tournament_id, code)

    async def listed(self) -> list[messages.TournamentListing]:
        """The public tournaments that are open or running, the newest first. Raises StoreError."""
        listed_at, listed = self._listed
        if listed_at + LIST_MS > now():
            return listed
        rows = await asyncio.to_thread(self._store.tournaments.recent, now() - LISTED_MS, MAX_READ)
        public = [(row[0], row[2]) for row in rows if tournament.read_plan(row[1]).public][:MAX_LISTED]
        listed = []
        for tournament_id, created in public:
            with contextlib.suppress(GameError, TableNotFound):  # its game may be gone
                state = (await self._current(tournament_id)).state
                if tournament.state_of(state) != "over":
                    listed.append(tournament.listing(state, tournament_id, created))
        self._listed = now(), listed
        return listed

    async def show(self, tournament_id: str) -> messages.Tournament:
        """The public view of a tournament. Raises TableNotFound or StoreError."""
        state = (await self._current(tournament_id)).state
        return messages.Tournament(**tournament.shown(state))

    async def enter(self, tournament_id: str, request: messages.EnterRequest, code: str) -> messages.Entered:
        """Enter a person or a bot; `code` may be the organizer's. Raises TableNotFound, BadTable or StoreError."""
        cached = await self._current(tournament_id)
        state = cached.state
        level, code_hash = request.level or None, hash_code(request.code) if request.code else None
        if (code_hash is None) == (level is None):
            raise BadTable("a person enters with a code, and a bot with a level")
        if level is not None:
            if hash_code(code) != cached.code_hash:
                raise BadTable(NOT_YOURS_ERROR)
            checked_level(level, await asyncio.to_thread(self._tables.levels, state.plan.game, state.plan.players))

        def decide() -> TournamentEvent | None:
            if code_hash is not None and any(entrant.lock == code_hash for entrant in state.entrants):
                return None
            state.check_entry()
            seats = [Seat("person", entrant.name, None, "", None) for entrant in state.entrants]
            name = name_for_bot(seats) if level is not None and not request.name else request.name
            return tournament.Entering(checked_name(name, seats), level, code_hash)

        await self._decide(tournament_id, cached, decide)
        locks = [entrant.lock for entrant in state.entrants]
        return messages.Entered(len(locks) - 1 if code_hash is None else locks.index(code_hash))

    async def organize(self, tournament_id: str, request: messages.OrganizerRequest, code: str) -> messages.Tournament:
        """Carry out a decision of the organizer. Raises TableNotFound, BadTable or StoreError."""
        cached = await self._current(tournament_id)
        state = cached.state
        if hash_code(code) != cached.code_hash:
            raise BadTable(NOT_YOURS_ERROR)
        if request.do == "start":
            with contextlib.suppress(Conflict):  # already started
                await written(self._store.tournaments.start(tournament_id))

        def decide() -> TournamentEvent | None:
            match request.do:
                case "start":
                    return None if state.rounds else self._next_round(state)
                case "remove":
                    if request.entrant is UNSET or request.entrant not in state.playing:
                        raise BadTable("this entrant does not exist or has been removed")
                    return tournament.Removal(request.entrant)
                case "forfeit":
                    if request.entrant is UNSET or request.table is UNSET:
                        raise BadTable("a forfeit needs an entrant and a table")
                    return state.forfeited(request.table, request.entrant)

        await self._decide(tournament_id, cached, decide)
        await self.update(tournament_id)
        return await self.show(tournament_id)

    def forget(self, tournament_id: str) -> None:
        """Drop a deleted tournament from the cache."""
        self._cached.pop(tournament_id, None)

    # Background updates

    async def update_all(self) -> None:
        """Update the running tournaments. If the database fails, which is logged, the next call retries."""
        with contextlib.suppress(StoreError):
            running = await asyncio.to_thread(self._store.tournaments.running, now() - ACTIVE_MS)
            for tournament_id in running:
                await self._log_errors(self.update(tournament_id), tournament_id)
            for tournament_id in self._without_last_news().difference(running):  # another process has ended it
                await self._log_errors(self.send_news(tournament_id), tournament_id)

    async def _log_errors(self, work: Awaitable[None], tournament_id: str) -> None:
        try:
            await work
        except (GameError, TableNotFound) as error:
            logger.error("a tournament can't be updated", extra=about(error, tournament=tournament_id))

    async def update(self, tournament_id: str) -> None:
        """Store results, draw the next round when one is over, open its tables, and watch those of bots alone.

        Raises TableNotFound, GameError or StoreError.
        """
        try:
            await self._play_on(tournament_id)
        finally:
            await self.send_news(tournament_id)

    async def _play_on(self, tournament_id: str) -> None:
        cached = await self._current(tournament_id)
        state = cached.state
        while state.rounds:
            await self._open_tables(tournament_id, state)
            unfinished = [drawn.table for drawn in state.unfinished]
            for table in await asyncio.to_thread(self._store.tables.over_among, unfinished):
                await self._store_result(tournament_id, cached, table)
            await self._forfeit_for_removed(tournament_id, cached)
            if state.is_over:
                self._store.tournaments.end(tournament_id)
                return
            if state.unfinished:
                return
            await self._decide(
                tournament_id, cached, lambda: None if state.unfinished or state.is_over else self._next_round(state)
            )

    async def _forfeit_for_removed(self, tournament_id: str, cached: CachedTournament) -> None:
        """Forfeit the running games of removed entrants."""
        state = cached.state

        def decide() -> TournamentEvent | None:
            removed = (
                (drawn, entrant) for drawn in state.unfinished for entrant in drawn.seats if entrant in state.gone
            )
            drawn, entrant = next(removed, (None, 0))
            return None if drawn is None else state.forfeited(drawn.table, entrant)

        while any(state.gone & set(drawn.seats) for drawn in state.unfinished):
            await self._decide(tournament_id, cached, decide)

    async def _store_result(self, tournament_id: str, cached: CachedTournament, table: str) -> None:
        state = cached.state
        series = (await self._tables.read(table)).series()
        result = tournament.TableResult(table, series.wins, series.scores, series.ties)
        await self._decide(tournament_id, cached, lambda: None if table in state.results else result)
        client = self._own_clients.pop(table, None)
        if client is not None:
            await self._tables.leave(client)

    async def _open_tables(self, tournament_id: str, state: TournamentState) -> None:
        """Open the tables of this round, and join those of bots alone with a client."""
        for drawn in state.unfinished:
            if drawn.table in self._own_clients:
                continue
            if await asyncio.to_thread(self._store.tables.setup, drawn.table) is None:
                with contextlib.suppress(Conflict):  # another process has opened it
                    await self._tables.add(table_of(tournament_id, state, drawn))
                    self._move_notices(state, drawn)
            if all(state.entrants[entrant].level is not None for entrant in drawn.seats):
                client = self._own_clients[drawn.table] = Client(_ignore)
                await self._tables.join(client, drawn.table, [])

    def _move_notices(self, state: TournamentState, drawn: DrawnTable) -> None:
        """Let those who get notices about their last game get them about this one."""
        for entrant in drawn.seats:
            earlier = (before for round_ in reversed(state.rounds[:-1]) for before in round_.tables)
            last = next((before.table for before in earlier if entrant in before.seats), None)
            lock = state.entrants[entrant].lock
            if last is not None and lock is not None:
                self._notices.follow(last, drawn.table, lock)

    # News for players at finished tables

    async def send_news(self, tournament_id: str) -> None:
        """Tell the players who are still at finished tables of a tournament what follows.

        Raises TableNotFound, GameError or StoreError.
        """
        tables = [table for table in self._finished() if table.state.setup.terms.tournament == tournament_id]
        if not tables:
            return
        state = (await self._current(tournament_id)).state
        seats_of = {drawn.table: drawn.seats for round_ in state.rounds for drawn in round_.tables}
        for table in tables:
            table_id = table.state.setup.id
            if table_id not in state.results:
                continue
            for client in list(table.clients):
                found = [tournament.news(state, seats_of[table_id][seat]) for seat in sorted(client.viewer.seats)]
                if not found:
                    continue
                sent = next((news for news in found if news.table is not None), found[0])
                if self._last_news.get(client) != (table_id, sent):
                    self._last_news[client] = table_id, sent
                    client.send(sent)

    def on_joined(self, table: LiveTable, client: Client) -> None:
        """Send a player who comes back to a finished game what follows."""
        tournament_id = table.state.setup.terms.tournament
        if tournament_id is not None and table.state.is_over and client.viewer.seats:
            self._last_news.pop(client, None)
            self._tables.start(self._send_news_again(tournament_id))

    async def _send_news_again(self, tournament_id: str) -> None:
        with contextlib.suppress(StoreError, GameError, TableNotFound):
            await self.send_news(tournament_id)

    def _finished(self) -> list[LiveTable]:
        return [
            table
            for table in list(self._tables.open.values())
            if table.state.setup.terms.tournament and table.state.is_over
        ]

    def _without_last_news(self) -> set[str]:
        """The tournaments whose end clients here have not been sent."""
        return {
            tournament_id
            for table in self._finished()
            if (tournament_id := table.state.setup.terms.tournament) is not None
            for client in table.clients
            if client.viewer.seats and ((last := self._last_news.get(client)) is None or last[1].place is None)
        }

    def _next_round(self, state: TournamentState) -> TournamentEvent:
        return state.next_round([setup.new_id() for _ in range(tournament.MAX_ENTRANTS)])

    # The log

    async def _current(self, tournament_id: str) -> CachedTournament:
        """The current state of a tournament. Raises TableNotFound or StoreError."""
        if tournament_id not in self._cached:
            row = await asyncio.to_thread(self._store.tournaments.get, tournament_id)
            if row is None:
                raise TableNotFound(UNKNOWN_ERROR)
            plan = tournament.read_plan(row[1])
            game = await apart.in_thread(games.info(plan.game), load_game, plan)
            if len(self._cached) >= MAX_CACHED:
                del self._cached[next(iter(self._cached))]
            self._cached.setdefault(
                tournament_id, CachedTournament(row[0], tournament.TournamentState(plan, game), asyncio.Lock())
            )
        cached = self._cached[tournament_id]
        await self._catch_up(tournament_id, cached)
        return cached

    async def _catch_up(self, tournament_id: str, cached: CachedTournament) -> None:
        async with cached.lock:
            for text in await asyncio.to_thread(self._store.tournaments.events, tournament_id, cached.state.entries):
                cached.state.apply(tournament.read_event(text))

    async def _decide(
        self, tournament_id: str, cached: CachedTournament, decide: Callable[[], TournamentEvent | None]
    ) -> None:
        """Store the event that `decide` returns for the newest state, if any. Raises GameError or StoreError."""
        for _ in range(MAX_TRIES):
            event = decide()
            if event is None:
                return
            text = msgspec.json.encode(event).decode()
            try:
                await written(self._store.tournaments.append_event(tournament_id, cached.state.entries + 1, text))
                return
            except Conflict:  # another process was faster: decide again
                pass
            finally:
                await self._catch_up(tournament_id, cached)
        raise StoreError(CROWDED_ERROR)


def load_game(plan: TournamentPlan) -> Game:
    """The game of a tournament. Raises GameError."""
    return load_shared(plan.game, completed(games.info(plan.game).options, plan.options))


def plan_of(request: messages.TournamentRequest) -> TournamentPlan:
    """The plan for a request. Raises GameError."""
    game = load_shared(request.game, {name: value for name, value in request.options.items() if value is not None})
    name = checked_name(request.name, [])
    if game.players == 1:
        raise BadTable("a tournament needs a game for two or more players")
    if request.kind == "round-robin" and game.players != 2:
        raise BadTable("a round robin needs a game for two players; allowed here: swiss, rated")
    if request.kind == "rated" and game.rating(0, setup.NO_WIN) is None:
        raise BadTable(f"{game.info.title} has no ratings; allowed: round-robin, swiss")
    if request.clock is not UNSET and not game.info.turns:
        raise BadTable(f"{game.info.title} has no turns, so no clock can run")
    rounds = 0 if request.kind == "round-robin" else request.rounds or DEFAULT_ROUNDS[request.kind]
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in game.options.items()}
    return tournament.TournamentPlan(
        name=name,
        game=request.game,
        options=options,
        players=game.players,
        clock=request.clock or None,
        kind=request.kind,
        rounds=rounds,
        public=request.public,
    )


def table_of(tournament_id: str, state: TournamentState, drawn: DrawnTable) -> setup.TableSetup:
    """The setup of a tournament's table; people hold its seats by the codes that they entered with."""
    colours = state.game.info.colours
    seats = tuple(
        Seat("person" if entrant.level is None else "bot", entrant.name, entrant.level, colours[seat], entrant.lock)
        for seat, entrant in enumerate(state.entrants[number] for number in drawn.seats)
    )
    return setup.TableSetup(
        drawn.table,
        state.plan.game,
        state.game.options,
        seats,
        secrets.token_bytes(fairness.SECRET_BYTES),
        now(),
        terms=setup.Terms(clock=state.plan.clock, tournament=tournament_id, source=state.game.info.source or None),
    ).with_salts()


def _ignore(_: bytes) -> None: ...


class TournamentWatchers:
    """The clients that watch tournaments, which are sent changes at most once per second."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        self._watched_by: dict[Client, str] = {}
        self._sent: dict[str, bytes] = {}
        """By tournament: the last message sent."""
        self._sender: asyncio.Task[None] | None = None

    async def watch(self, client: Client, tournament_id: str) -> None:
        """Send a client the tournament, and its changes from now on. Raises TableNotFound or StoreError."""
        update = await self._update(tournament_id)
        client.send_bytes(update)
        self._watched_by[client] = tournament_id
        self._sent.setdefault(tournament_id, update)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._keep_sending())

    def unwatch(self, client: Client) -> None:
        self._watched_by.pop(client, None)

    async def _keep_sending(self) -> None:
        while self._watched_by:
            await asyncio.sleep(NEWS_INTERVAL_SECONDS)
            await self.send_changes()

    async def send_changes(self) -> None:
        """Send the clients what has changed."""
        followed = set(self._watched_by.values())
        self._sent = {one: update for one, update in self._sent.items() if one in followed}
        for tournament_id in followed:
            with contextlib.suppress(StoreError, TableNotFound):  # the first is logged; the next round retries
                update = await self._update(tournament_id)
                if update != self._sent.get(tournament_id):
                    self._sent[tournament_id] = update
                    for client in [client for client, watched in self._watched_by.items() if watched == tournament_id]:
                        client.send_bytes(update)

    async def _update(self, tournament_id: str) -> bytes:
        return messages.write(messages.TournamentNews(await self._tournaments.show(tournament_id)))
