"""A tournament as the fold of its log: who has entered, who plays whom, what came of it, and who leads.

Like a table it is nothing but its entries, each of which is stored once under its number; a process that loses the race
for a number reads on and decides again.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec

from icetable.server import messages
from icetable.server.table import pairing
from icetable.server.table.errors import BadTable
from icetable.server.table.setup import WIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from icetable.core.game import Game

MAX_ENTRANTS = 32
MAX_ENTRIES = 96
"""How many may enter, and how often in all, where some are taken off the list again."""


class TournamentPlan(msgspec.Struct, frozen=True):
    """What was settled when a tournament was opened. `players`: at each table. `rounds`: 0 for a round robin."""

    name: str
    game: str
    options: dict[str, messages.Value]
    players: int
    clock: messages.Clock | None
    kind: messages.TournamentKind
    rounds: int


class Entering(msgspec.Struct, frozen=True, tag="enter"):
    """Somebody enters, under the next number: a person who holds the code with this hash, or a bot of this level."""

    name: str
    level: str | None
    lock: str | None


class Removal(msgspec.Struct, frozen=True, tag="remove"):
    """An entrant plays in no further round."""

    entrant: int


class DrawnTable(msgspec.Struct, frozen=True):
    """A table of a round, and its entrants by seat."""

    table: str
    seats: tuple[int, ...]


class DrawnRound(msgspec.Struct, frozen=True, tag="round"):
    """The next round is drawn."""

    tables: tuple[DrawnTable, ...]
    out: tuple[int, ...]


class TableResult(msgspec.Struct, frozen=True, tag="result"):
    """What came of a table, by seat: wins (in parts of `WIN`), scores and the game's own tie-break points.

    `forfeit`: the entrant who did not play, if one is to blame.
    """

    table: str
    wins: tuple[int, ...]
    scores: tuple[int, ...]
    ties: tuple[int, ...]
    forfeit: int | None = None


TournamentEvent = Entering | Removal | DrawnRound | TableResult

read_event = msgspec.json.Decoder(TournamentEvent).decode
read_plan = msgspec.json.Decoder(TournamentPlan).decode


class StandingLine(msgspec.Struct, frozen=True):
    """How an entrant stands; points, and what decides between equal ones, the weightiest first."""

    entrant: int
    points: Fraction
    played: int
    breaks: tuple[Fraction, ...]

    @property
    def rank(self) -> tuple[Fraction, ...]:
        """What entrants are compared by."""
        return (self.points, *self.breaks)


class TournamentState:
    """A tournament after the events so far."""

    def __init__(self, plan: TournamentPlan, game: Game) -> None:
        self.plan = plan
        self.game = game
        self.entrants: list[Entering] = []
        self.gone: set[int] = set()
        self.rounds: list[DrawnRound] = []
        self.results: dict[str, TableResult] = {}
        self.entries = 0
        """How many events its log has."""

    def apply(self, event: TournamentEvent) -> None:
        """The next event of the log."""
        self.entries += 1
        match event:
            case Entering():
                self.entrants.append(event)
            case Removal(entrant):
                self.gone.add(entrant)
            case DrawnRound():
                self.rounds.append(event)
            case TableResult(table):
                self.results.setdefault(table, event)

    # How far it is

    @property
    def playing(self) -> list[int]:
        """Those who play on."""
        return [entrant for entrant in range(len(self.entrants)) if entrant not in self.gone]

    @property
    def due(self) -> list[DrawnTable]:
        """The tables of this round whose games are not over."""
        return [one for one in self.rounds[-1].tables if one.table not in self.results] if self.rounds else []

    @property
    def length(self) -> int:
        """How many rounds there are: of a round robin as many as everybody needs to meet everybody."""
        if self.plan.kind != "round-robin":
            return self.plan.rounds
        field = self.field if self.rounds else self.playing
        return max(0, len(field) - 1 + len(field) % 2)

    @property
    def field(self) -> list[int]:
        """Those who were there for the first round."""
        first = self.rounds[0]
        return sorted([*itertools.chain.from_iterable(one.seats for one in first.tables), *first.out])

    @property
    def is_over(self) -> bool:
        """Whether all is played, or too few are left."""
        if not self.rounds or self.due:
            return False
        return len(self.rounds) >= self.length or len(self.playing) < self.plan.players

    # What may come next

    def check_entry(self) -> None:
        """Raise BadTable where nobody more can enter."""
        if self.rounds:
            raise BadTable("the tournament has begun, so nobody can enter any more")
        if len(self.playing) >= MAX_ENTRANTS or len(self.entrants) >= MAX_ENTRIES:
            raise BadTable(f"a tournament has at most {MAX_ENTRANTS} entrants")

    def next_round(self, ids: Iterable[str]) -> DrawnRound:
        """The next round, at tables of these ids. Raises BadTable."""
        if self.due:
            raise BadTable("the round is not over yet")
        if self.is_over:
            raise BadTable("the tournament is over")
        if len(self.playing) < self.plan.players:
            raise BadTable(
                f"{self.game.info.title} here takes {self.plan.players} players at a table: too few are here"
            )
        tables, out = self._drawn()
        before = [one.seats for round_ in self.rounds for one in round_.tables]
        drawn = []
        for table, table_id in zip(tables, ids, strict=False):
            seats = tuple(table) if self.plan.kind == "round-robin" else pairing.seated(table, before)
            drawn.append(DrawnTable(table_id, seats))
        return DrawnRound(tuple(drawn), tuple(out))

    def _drawn(self) -> tuple[Sequence[tuple[int, ...]], list[int]]:
        if self.plan.kind == "round-robin":
            return self._round_of_robin()
        ranked = [line.entrant for line in self.standings() if line.entrant not in self.gone]
        met = {
            frozenset(pair)
            for round_ in self.rounds
            for one in round_.tables
            for pair in itertools.combinations(one.seats, 2)
        }
        byes = {one for round_ in self.rounds for one in round_.out}
        if self.plan.players == 2:
            points = {line.entrant: int(line.points * WIN) for line in self.standings()}
            return pairing.swiss(ranked, points, met, byes)
        return pairing.groups(ranked, self.plan.players, met, byes)

    def _round_of_robin(self) -> tuple[list[tuple[int, ...]], list[int]]:
        """Who was to meet somebody who has gone sits out."""
        field = self.field if self.rounds else self.playing
        pairs = pairing.round_robin(field)[len(self.rounds)]
        tables: list[tuple[int, ...]] = [pair for pair in pairs if not self.gone & set(pair)]
        placed = set(itertools.chain.from_iterable(tables))
        return tables, [one for one in field if one not in placed | self.gone]

    def forfeited(self, table: str, entrant: int) -> TableResult:
        """The result of a table where an entrant does not play: the others share the win. Raises BadTable."""
        found = next((one for one in self.due if one.table == table), None)
        if found is None or entrant not in found.seats:
            raise BadTable("this entrant has no game there that could be forfeited")
        wins = tuple(0 if one == entrant else WIN // (len(found.seats) - 1) for one in found.seats)
        nothing = (0,) * len(wins)
        return TableResult(table, wins, nothing, nothing, entrant)

    # How it stands

    def standings(self) -> list[StandingLine]:
        """Everybody, the best first; those who are equal in all by their numbers."""
        lines = self._lines()
        return sorted(lines, key=lambda line: (*(-one for one in line.rank), line.entrant))

    def _lines(self) -> list[StandingLine]:
        everybody = range(len(self.entrants))
        shown = [entrant for entrant in everybody if entrant not in self.gone or self._has_played(entrant)]
        wins, scores, ties, played = self._sums()
        if self.plan.kind == "rated":
            rated = {one: self.game.rating(scores[one], Fraction(wins[one], WIN)) or Fraction() for one in shown}
            return [StandingLine(one, rated[one], played[one], (Fraction(scores[one]),)) for one in shown]
        points = {one: Fraction(wins[one] + self._byes(one), WIN) for one in everybody}
        breaks = {one: self._breaks(one, points) for one in shown}
        own = {one: (Fraction(scores[one]), Fraction(ties[one])) for one in shown}
        return [StandingLine(one, points[one], played[one], (*breaks[one], *own[one])) for one in shown]

    def _has_played(self, entrant: int) -> bool:
        return any(entrant in one.seats for round_ in self.rounds for one in round_.tables)

    def _byes(self, entrant: int) -> int:
        """What an entrant has for sitting out: in games of two a win, else a fair share of one, in parts."""
        count = sum(entrant in round_.out for round_ in self.rounds)
        return count * (WIN if self.plan.players == 2 else WIN // self.plan.players)

    def _sums(self) -> tuple[Counter[int], Counter[int], Counter[int], Counter[int]]:
        wins, scores, ties, played = (Counter[int]() for _ in range(4))
        for seats, result in self._played():
            for seat, entrant in enumerate(seats):
                wins[entrant] += result.wins[seat]
                scores[entrant] += result.scores[seat]
                ties[entrant] += result.ties[seat]
                played[entrant] += 1
        return wins, scores, ties, played

    def _played(self) -> Iterable[tuple[tuple[int, ...], TableResult]]:
        for round_ in self.rounds:
            for one in round_.tables:
                if one.table in self.results:
                    yield one.seats, self.results[one.table]

    def _breaks(self, entrant: int, points: Mapping[int, Fraction]) -> tuple[Fraction, ...]:
        """In a round robin head to head, then Sonneborn-Berger; by the Swiss system Buchholz, then Sonneborn-Berger."""
        buchholz = berger = direct = Fraction()
        for seats, result in self._played():
            if entrant not in seats:
                continue
            mine = result.wins[seats.index(entrant)]
            for seat, other in enumerate(seats):
                if other != entrant:
                    share = (1 + Fraction(mine - result.wins[seat], WIN)) / 2
                    buchholz += points[other]
                    berger += share * points[other]
                    direct += share if points[other] == points[entrant] else 0
        return (direct, berger) if self.plan.kind == "round-robin" else (buchholz, berger)


def shown(tournament: TournamentState) -> Mapping[str, Any]:
    """What everybody may see of it, as the fields of `messages.Tournament`; no hash of a code is among them."""
    plan, lines = tournament.plan, tournament.standings()
    places: list[int] = []
    for number, line in enumerate(lines):
        same = number > 0 and lines[number - 1].rank == line.rank
        places.append(places[-1] if same else number + 1)
    return {
        "name": plan.name,
        "game": tournament.game.info.name,
        "title": tournament.game.info.title,
        "options": messages.Options(plan.options),
        "clock": plan.clock,
        "kind": plan.kind,
        "players": plan.players,
        "length": tournament.length,
        "state": state_of(tournament),
        "entrants": [
            messages.Entrant(one.name, one.level, number in tournament.gone)
            for number, one in enumerate(tournament.entrants)
        ],
        "rounds": [
            messages.TournamentRound([_table_shown(one, tournament) for one in round_.tables], list(round_.out))
            for round_ in tournament.rounds
        ],
        "standings": [
            messages.TournamentLine(place, line.entrant, float(line.points), line.played, list(map(float, line.breaks)))
            for place, line in zip(places, lines, strict=True)
        ],
    }


def state_of(tournament: TournamentState) -> Literal["open", "running", "over"]:
    """How far a tournament is."""
    if not tournament.rounds:
        return "open"
    return "over" if tournament.is_over else "running"


def _table_shown(one: DrawnTable, tournament: TournamentState) -> messages.TournamentTable:
    result = tournament.results.get(one.table)
    wins = None if result is None else [won / WIN for won in result.wins]
    scores = [] if result is None or result.forfeit is not None else list(result.scores)
    return messages.TournamentTable(
        one.table, list(one.seats), wins, scores, None if result is None else result.forfeit
    )
