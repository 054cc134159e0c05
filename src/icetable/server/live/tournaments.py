"""Tournaments by a link: people and bots enter, tables open round by round, and the standing follows the games.

Every process looks after the tournaments under way: it notes results, draws the next round and watches the games of
bots alone, which would stand still. What two of them decide at once the log has once (`table.tournament`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import completed
from icetable.server import messages
from icetable.server.live.client import Client
from icetable.server.live.shared_games import load_shared
from icetable.server.logs import about
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.waits import written
from icetable.server.table import fairness, setup, tournament
from icetable.server.table.clock import now
from icetable.server.table.errors import BadTable, TableNotFound
from icetable.server.table.seats import Seat, checked_level, checked_name, hash_code, name_for_bot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from icetable.core.game import Game
    from icetable.server.store.store import Store
    from icetable.server.table.state import TableState
    from icetable.server.table.tournament import DrawnTable, TournamentEvent, TournamentPlan, TournamentState

EVERY_SECONDS = 2.0
"""How often the tournaments under way are looked after."""
LOOKED_AFTER = 60 * 24 * 60 * 60 * 1000
"""For how many milliseconds after it was created."""
MAX_KEPT = 64
"""How many tournaments are kept in memory."""
MAX_TRIES = 50
"""How often another process may be faster."""

USUAL_ROUNDS = {"swiss": 3, "rated": 5}
"""How many rounds there are where the organizer says nothing; five by the custom of the games that have ratings."""

UNKNOWN = "There is no such tournament."
NOT_YOURS = "This tournament belongs to somebody else: its organizer has the link that may change it."
CROWDED = "Too much happens at this tournament just now; please try again."

logger = logging.getLogger(__name__)


class KnownTournament(NamedTuple):
    """A tournament as far as it was read, and the hash of its organizer's code."""

    lock: str
    state: TournamentState
    reading: asyncio.Lock


class Tournaments:
    """`keep` stores a new table, `read` gives the state of a table, `join` and `leave` bring a client to one and away.

    `levels` are the names of a game's levels for so many players.
    """

    def __init__(
        self,
        store: Store,
        keep: Callable[[setup.TableSetup], Awaitable[None]],
        read: Callable[[str], Awaitable[TableState]],
        join: Callable[[Client, str, list[str]], Awaitable[object]],
        leave: Callable[[Client], Awaitable[None]],
        levels: Callable[[str, int], Collection[str]],
    ) -> None:
        self._store = store
        self._keep = keep
        self._read = read
        self._join = join
        self._leave = leave
        self._levels = levels
        self._known: dict[str, KnownTournament] = {}
        self._watching: dict[str, Client] = {}
        """The tables of bots alone, each with a client that watches it here."""

    # What visitors ask for

    async def begin(self, request: messages.TournamentRequest) -> messages.TournamentCreated:
        """Open a tournament. Raises GameError or StoreError."""
        plan = await asyncio.to_thread(plan_of, request)
        tournament_id, code = setup.new_id(), secrets.token_hex(setup.CODE_BYTES)
        text = msgspec.json.encode(plan).decode()
        await written(self._store.create_tournament(tournament_id, hash_code(code), text, now()))
        return messages.TournamentCreated(tournament_id, code)

    async def show(self, tournament_id: str) -> messages.Tournament:
        """A tournament as everybody may see it. Raises TableNotFound or StoreError."""
        found = (await self._read_on(tournament_id)).state
        return messages.Tournament(**tournament.shown(found))

    async def enter(self, tournament_id: str, request: messages.EnterRequest, code: str) -> messages.Entered:
        """Enter somebody; `code` may be the organizer's. Raises TableNotFound, BadTable or StoreError."""
        known = await self._read_on(tournament_id)
        found = known.state
        level, own = request.level or None, hash_code(request.code) if request.code else None
        if (own is None) == (level is None):
            raise BadTable("a person enters with a code, and a bot with a level")
        if level is not None:
            if hash_code(code) != known.lock:
                raise BadTable(NOT_YOURS)
            checked_level(level, await asyncio.to_thread(self._levels, found.plan.game, found.plan.players))

        def decide() -> TournamentEvent | None:
            if own is not None and any(one.lock == own for one in found.entrants):
                return None
            found.check_entry()
            seats = [Seat("person", one.name, None, "", None) for one in found.entrants]
            name = name_for_bot(seats) if level is not None and not request.name else request.name
            return tournament.Entering(checked_name(name, seats), level, own)

        await self._decide(tournament_id, known, decide)
        locks = [one.lock for one in found.entrants]
        return messages.Entered(len(locks) - 1 if own is None else locks.index(own))

    async def organize(self, tournament_id: str, request: messages.OrganizerRequest, code: str) -> messages.Tournament:
        """Do what the organizer decides. Raises TableNotFound, BadTable or StoreError."""
        known = await self._read_on(tournament_id)
        found = known.state
        if hash_code(code) != known.lock:
            raise BadTable(NOT_YOURS)
        if request.do == "start":
            with contextlib.suppress(Conflict):  # that was done
                await written(self._store.start_tournament(tournament_id))

        def decide() -> TournamentEvent | None:
            match request.do:
                case "start":
                    return None if found.rounds else self._next_round(found)
                case "remove":
                    if request.entrant is UNSET or request.entrant not in found.playing:
                        raise BadTable("there is no such entrant who plays on")
                    return tournament.Removal(request.entrant)
                case "forfeit":
                    if request.entrant is UNSET or request.table is UNSET:
                        raise BadTable("a game is forfeited by an entrant at a table")
                    return found.forfeited(request.table, request.entrant)

        await self._decide(tournament_id, known, decide)
        await self.look_after(tournament_id)
        return await self.show(tournament_id)

    def forget(self, tournament_id: str) -> None:
        """Know nothing more of a tournament: it is deleted."""
        self._known.pop(tournament_id, None)

    # What happens by itself

    async def run(self) -> None:
        """Look after the tournaments under way from now on."""
        while True:
            with contextlib.suppress(StoreError):  # which is logged, and looked for again
                for tournament_id in await asyncio.to_thread(self._store.running_tournaments, now() - LOOKED_AFTER):
                    await self._look_after_safely(tournament_id)
            await asyncio.sleep(EVERY_SECONDS)

    async def _look_after_safely(self, tournament_id: str) -> None:
        try:
            await self.look_after(tournament_id)
        except (GameError, TableNotFound) as error:
            logger.error("a tournament can't go on", extra=about(error, tournament=tournament_id))

    async def look_after(self, tournament_id: str) -> None:
        """Note results, draw the next round where one is over, open its tables, and watch those of bots alone.

        Raises TableNotFound, GameError or StoreError.
        """
        known = await self._read_on(tournament_id)
        found = known.state
        while found.rounds:
            await self._open_tables(tournament_id, found)
            for table in await asyncio.to_thread(self._store.over_among, [one.table for one in found.unfinished]):
                await self._note_result(tournament_id, known, table)
            await self._forfeit_for_gone(tournament_id, known)
            if found.is_over:
                self._store.end_tournament(tournament_id)
                return
            if found.unfinished:
                return
            await self._decide(
                tournament_id, known, lambda: None if found.unfinished or found.is_over else self._next_round(found)
            )

    async def _forfeit_for_gone(self, tournament_id: str, known: KnownTournament) -> None:
        """Who was taken off the list does not play on at a table either."""
        found = known.state

        def decide() -> TournamentEvent | None:
            gone = ((one, entrant) for one in found.unfinished for entrant in one.seats if entrant in found.gone)
            table, entrant = next(gone, (None, 0))
            return None if table is None else found.forfeited(table.table, entrant)

        while any(found.gone & set(one.seats) for one in found.unfinished):
            await self._decide(tournament_id, known, decide)

    async def _note_result(self, tournament_id: str, known: KnownTournament, table: str) -> None:
        found = known.state
        series = (await self._read(table)).series()
        result = tournament.TableResult(table, series.wins, series.scores, series.ties)
        await self._decide(tournament_id, known, lambda: None if table in found.results else result)
        client = self._watching.pop(table, None)
        if client is not None:
            await self._leave(client)

    async def _open_tables(self, tournament_id: str, found: TournamentState) -> None:
        """The tables of this round are there, and somebody is at those of bots alone."""
        for one in found.unfinished:
            if one.table in self._watching:
                continue
            if await asyncio.to_thread(self._store.setup, one.table) is None:
                with contextlib.suppress(Conflict):  # another process has opened it
                    await self._keep(table_of(tournament_id, found, one))
            if all(found.entrants[entrant].level is not None for entrant in one.seats):
                client = self._watching[one.table] = Client(_ignore)
                await self._join(client, one.table, [])

    def _next_round(self, found: TournamentState) -> TournamentEvent:
        return found.next_round([setup.new_id() for _ in range(tournament.MAX_ENTRANTS)])

    # The log

    async def _read_on(self, tournament_id: str) -> KnownTournament:
        """A tournament as it is now. Raises TableNotFound or StoreError."""
        if tournament_id not in self._known:
            row = await asyncio.to_thread(self._store.tournament, tournament_id)
            if row is None:
                raise TableNotFound(UNKNOWN)
            plan = tournament.read_plan(row[1])
            game = await asyncio.to_thread(load_kept, plan)
            if len(self._known) >= MAX_KEPT:
                del self._known[next(iter(self._known))]
            self._known.setdefault(
                tournament_id, KnownTournament(row[0], tournament.TournamentState(plan, game), asyncio.Lock())
            )
        known = self._known[tournament_id]
        await self._catch_up(tournament_id, known)
        return known

    async def _catch_up(self, tournament_id: str, known: KnownTournament) -> None:
        async with known.reading:
            for text in await asyncio.to_thread(self._store.tournament_events, tournament_id, known.state.entries):
                known.state.apply(tournament.read_event(text))

    async def _decide(
        self, tournament_id: str, known: KnownTournament, decide: Callable[[], TournamentEvent | None]
    ) -> None:
        """Store the event that is decided on the newest state, unless there is none. Raises GameError or StoreError."""
        for _ in range(MAX_TRIES):
            event = decide()
            if event is None:
                return
            text = msgspec.json.encode(event).decode()
            try:
                await written(self._store.append_event(tournament_id, known.state.entries + 1, text))
                return
            except Conflict:  # another one was faster: it is decided again
                pass
            finally:
                await self._catch_up(tournament_id, known)
        raise StoreError(CROWDED)


def load_kept(plan: TournamentPlan) -> Game:
    """The game of a tournament. Raises GameError."""
    return load_shared(plan.game, completed(games.info(plan.game).options, plan.options))


def plan_of(request: messages.TournamentRequest) -> TournamentPlan:
    """What a request settles. Raises GameError."""
    game = load_shared(request.game, {name: value for name, value in request.options.items() if value is not None})
    name = checked_name(request.name, [])
    if game.players == 1:
        raise BadTable("a tournament has games of two or more players")
    if request.kind == "round-robin" and game.players != 2:
        raise BadTable("everybody against everybody is for games of two; allowed here: swiss, rated")
    if request.kind == "rated" and game.rating(0, setup.NO_WIN) is None:
        raise BadTable(f"{game.info.title} has no ratings; allowed: round-robin, swiss")
    if request.clock is not UNSET and not game.info.turns:
        raise BadTable(f"{game.info.title} has no turns, so no clock can run")
    rounds = 0 if request.kind == "round-robin" else request.rounds or USUAL_ROUNDS[request.kind]
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in game.options.items()}
    return tournament.TournamentPlan(
        name, request.game, options, game.players, request.clock or None, request.kind, rounds
    )


def table_of(tournament_id: str, found: TournamentState, one: DrawnTable) -> setup.TableSetup:
    """The setup of a table of a tournament: its seats are its entrants', by their own codes, or bots'."""
    colours = found.game.info.colours
    seats = tuple(
        Seat("person" if entrant.level is None else "bot", entrant.name, entrant.level, colours[seat], entrant.lock)
        for seat, entrant in enumerate(found.entrants[number] for number in one.seats)
    )
    return setup.TableSetup(
        one.table,
        found.plan.game,
        found.game.options,
        seats,
        secrets.token_bytes(fairness.SECRET_BYTES),
        now(),
        terms=setup.Terms(clock=found.plan.clock, tournament=tournament_id),
    ).with_salts()


def _ignore(_: bytes) -> None: ...
