"""A tournament as the fold of its log: entrants, pairings, results and standings.

As at a table, each entry is stored once under its number; a process that loses the race for a number reads on and
decides again.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec

from icetable.server import messages
from icetable.server.errors import BadTable
from icetable.server.table.setup import PARTS_PER_WIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Pairs = list[tuple[int, int]]
    Meetings = Mapping[frozenset[int], int]
    Edges = frozenset[frozenset[int]]
    from collections.abc import Mapping
    from typing import Any

    from icetable.core.game import Game

MAX_STEPS = 50_000
"""Maximum number of steps in the search for a round."""
NOBODY = -1
"""Whom an entrant with a bye meets."""
MAX_ENTRANTS = 32
MAX_ENTRIES = 96
"""Maximum numbers of entrants, and of entries including those removed again."""


class TournamentPlan(msgspec.Struct, frozen=True):
    """The plan of a tournament.

    `players`: the number at each table. `rounds`: 0 for a round robin. `public`: the lobby lists it.
    """

    name: str
    game: str
    options: dict[str, messages.Value]
    players: int
    clock: messages.Clock | None
    kind: messages.TournamentKind
    rounds: int
    public: bool = False


class Entering(msgspec.Struct, frozen=True, tag="enter"):
    """An entrant with the next number: a person who holds the code with this hash, or a bot of this level."""

    name: str
    level: str | None
    lock: str | None


class Removal(msgspec.Struct, frozen=True, tag="remove"):
    """An entrant drops out of the further rounds."""

    entrant: int


class DrawnTable(msgspec.Struct, frozen=True):
    """A table of a round and its entrants, by seat."""

    table: str
    seats: tuple[int, ...]


class DrawnRound(msgspec.Struct, frozen=True, tag="round"):
    """The pairings of the next round; `out` has the byes."""

    tables: tuple[DrawnTable, ...]
    out: tuple[int, ...]


class TableResult(msgspec.Struct, frozen=True, tag="result"):
    """The result of a table, by seat: wins (in parts of a win), scores and the game's own tie-break points.

    `forfeit`: the entrant who did not play, if any.
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
    """An entrant's points, and tie-breaks in order of weight."""

    entrant: int
    points: Fraction
    played: int
    breaks: tuple[Fraction, ...]

    @property
    def rank(self) -> tuple[Fraction, ...]:
        """The sort key."""
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
        """The number of events in the log."""

    def apply(self, event: TournamentEvent) -> None:
        """Apply the next event of the log."""
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

    # Progress

    @property
    def playing(self) -> list[int]:
        """The entrants who have not dropped out."""
        return [entrant for entrant in range(len(self.entrants)) if entrant not in self.gone]

    @property
    def unfinished(self) -> list[DrawnTable]:
        """The tables of this round whose games are not over."""
        return [drawn for drawn in self.rounds[-1].tables if drawn.table not in self.results] if self.rounds else []

    @property
    def length(self) -> int:
        """The number of rounds; in a round robin those needed for everybody to meet everybody."""
        if self.plan.kind != "round-robin":
            return self.plan.rounds
        entrants = self.first_field if self.rounds else self.playing
        return max(0, len(entrants) - 1 + len(entrants) % 2)

    @property
    def first_field(self) -> list[int]:
        """The entrants of the first round."""
        first = self.rounds[0]
        return sorted([*itertools.chain.from_iterable(drawn.seats for drawn in first.tables), *first.out])

    @property
    def is_over(self) -> bool:
        """Whether all rounds are played, or too few entrants are left."""
        if not self.rounds or self.unfinished:
            return False
        return len(self.rounds) >= self.length or len(self.playing) < self.plan.players

    # The next event

    def check_entry(self) -> None:
        """Raise BadTable if nobody can enter any more."""
        if self.rounds:
            raise BadTable("the tournament has begun, so nobody can enter any more")
        if len(self.playing) >= MAX_ENTRANTS or len(self.entrants) >= MAX_ENTRIES:
            raise BadTable(f"a tournament has at most {MAX_ENTRANTS} entrants")

    def next_round(self, ids: Iterable[str]) -> DrawnRound:
        """Draw the next round, at tables with these ids. Raises BadTable."""
        if self.unfinished:
            raise BadTable("the round is not over yet")
        if self.is_over:
            raise BadTable("the tournament is over")
        if len(self.playing) < self.plan.players:
            raise BadTable(f"{self.game.info.title} here needs {self.plan.players} players per table: too few are left")
        tables, out = self._drawn()
        before = [drawn.seats for round_ in self.rounds for drawn in round_.tables]
        drawn_tables = []
        for table, table_id in zip(tables, ids, strict=False):
            seats = tuple(table) if self.plan.kind == "round-robin" else seat_order(table, before)
            drawn_tables.append(DrawnTable(table_id, seats))
        return DrawnRound(tuple(drawn_tables), tuple(out))

    def _drawn(self) -> tuple[Sequence[tuple[int, ...]], list[int]]:
        if self.plan.kind == "round-robin":
            return self._round_of_robin()
        ranked = [line.entrant for line in self.standings() if line.entrant not in self.gone]
        met = Counter(
            frozenset(pair)
            for round_ in self.rounds
            for drawn in round_.tables
            for pair in itertools.combinations(drawn.seats, 2)
        )
        byes = Counter(entrant for round_ in self.rounds for entrant in round_.out)
        if self.plan.players == 2:
            points = {line.entrant: int(line.points * PARTS_PER_WIN) for line in self.standings()}
            return swiss(ranked, points, met, byes, self.length - len(self.rounds) - 1)
        return groups(ranked, self.plan.players, met, byes)

    def _round_of_robin(self) -> tuple[list[tuple[int, ...]], list[int]]:
        """The opponents of those who have dropped out get byes."""
        entrants = self.first_field if self.rounds else self.playing
        pairs = round_robin(entrants)[len(self.rounds)]
        tables: list[tuple[int, ...]] = [pair for pair in pairs if not self.gone & set(pair)]
        placed = set(itertools.chain.from_iterable(tables))
        return tables, [entrant for entrant in entrants if entrant not in placed | self.gone]

    def forfeited(self, table: str, entrant: int) -> TableResult:
        """The result of a table where an entrant does not play and the others share the win. Raises BadTable."""
        found = next((drawn for drawn in self.unfinished if drawn.table == table), None)
        if found is None or entrant not in found.seats:
            raise BadTable("this entrant has no game there that could be forfeited")
        wins = tuple(0 if player == entrant else PARTS_PER_WIN // (len(found.seats) - 1) for player in found.seats)
        nothing = (0,) * len(wins)
        return TableResult(table, wins, nothing, nothing, entrant)

    # Standings

    def standings(self) -> list[StandingLine]:
        """All entrants, the best first; full ties are in order of entry."""
        lines = self._lines()
        return sorted(lines, key=lambda line: (*(-part for part in line.rank), line.entrant))

    def _lines(self) -> list[StandingLine]:
        everybody = range(len(self.entrants))
        shown = [entrant for entrant in everybody if entrant not in self.gone or self._has_played(entrant)]
        wins, scores, ties, played = self._totals()
        if self.plan.kind == "rated":
            rated = {n: self.game.rating(scores[n], Fraction(wins[n], PARTS_PER_WIN)) or Fraction() for n in shown}
            return [StandingLine(n, rated[n], played[n], (Fraction(scores[n]),)) for n in shown]
        points = {n: Fraction(wins[n] + self._bye_points(n), PARTS_PER_WIN) for n in everybody}
        breaks = {n: self._breaks(n, points) for n in shown}
        own = {n: (Fraction(scores[n]), Fraction(ties[n])) for n in shown}
        return [StandingLine(n, points[n], played[n], (*breaks[n], *own[n])) for n in shown]

    def _has_played(self, entrant: int) -> bool:
        return any(entrant in drawn.seats for round_ in self.rounds for drawn in round_.tables)

    def _bye_points(self, entrant: int) -> int:
        """An entrant's points for byes, in parts: a win each in games of two, otherwise a fair share of a win.

        A bye counts when its round is played.
        """
        played = self.rounds[:-1] if self.unfinished else self.rounds
        count = sum(entrant in round_.out for round_ in played)
        return count * (PARTS_PER_WIN if self.plan.players == 2 else PARTS_PER_WIN // self.plan.players)

    def _totals(self) -> tuple[Counter[int], Counter[int], Counter[int], Counter[int]]:
        wins, scores, ties, played = (Counter[int]() for _ in range(4))
        for seats, result in self._finished():
            for seat, entrant in enumerate(seats):
                wins[entrant] += result.wins[seat]
                scores[entrant] += result.scores[seat]
                ties[entrant] += result.ties[seat]
                played[entrant] += 1
        return wins, scores, ties, played

    def _finished(self) -> Iterable[tuple[tuple[int, ...], TableResult]]:
        for round_ in self.rounds:
            for drawn in round_.tables:
                if drawn.table in self.results:
                    yield drawn.seats, self.results[drawn.table]

    def _breaks(self, entrant: int, points: Mapping[int, Fraction]) -> tuple[Fraction, ...]:
        """Head-to-head (round robin) or Buchholz (Swiss), then Sonneborn-Berger."""
        buchholz = berger = direct = Fraction()
        for seats, result in self._finished():
            if entrant not in seats:
                continue
            mine = result.wins[seats.index(entrant)]
            for seat, other in enumerate(seats):
                if other != entrant:
                    share = (1 + Fraction(mine - result.wins[seat], PARTS_PER_WIN)) / 2
                    buchholz += points[other]
                    berger += share * points[other]
                    direct += share if points[other] == points[entrant] else 0
        return (direct, berger) if self.plan.kind == "round-robin" else (buchholz, berger)


def shown(tournament: TournamentState) -> Mapping[str, Any]:
    """The public fields of `messages.Tournament`, without hashes of codes."""
    plan = tournament.plan
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
            messages.Entrant(entrant.name, entrant.level, number in tournament.gone)
            for number, entrant in enumerate(tournament.entrants)
        ],
        "rounds": [
            messages.TournamentRound([_table_shown(drawn, tournament) for drawn in round_.tables], list(round_.out))
            for round_ in tournament.rounds
        ],
        "standings": [
            messages.TournamentLine(place, line.entrant, float(line.points), line.played, list(map(float, line.breaks)))
            for place, line in places(tournament)
        ],
    }


def news(tournament: TournamentState, entrant: int) -> messages.RoundNews:
    """What follows an entrant's finished game."""
    last = tournament.rounds[-1]
    drawn = next((drawn for drawn in tournament.unfinished if entrant in drawn.seats), None)
    over = tournament.is_over
    return messages.RoundNews(
        name=tournament.plan.name,
        number=len(tournament.rounds),
        length=tournament.length,
        unfinished=len(tournament.unfinished),
        table=None if drawn is None else drawn.table,
        against=[tournament.entrants[other].name for other in drawn.seats if other != entrant] if drawn else [],
        bye=not over and entrant in last.out,
        place=next((place for place, line in places(tournament) if line.entrant == entrant), None) if over else None,
    )


def places(tournament: TournamentState) -> list[tuple[int, StandingLine]]:
    """The standing, each line with its place; full ties share one."""
    placed: list[tuple[int, StandingLine]] = []
    for number, line in enumerate(tournament.standings(), 1):
        same = bool(placed) and placed[-1][1].rank == line.rank
        placed.append((placed[-1][0] if same else number, line))
    return placed


def listing(tournament: TournamentState, tournament_id: str, created: int) -> messages.TournamentListing:
    """A public tournament's entry in the lobby. `created`: in milliseconds since 1970."""
    plan = tournament.plan
    return messages.TournamentListing(
        id=tournament_id,
        name=plan.name,
        game=tournament.game.info.name,
        title=tournament.game.info.title,
        clock=plan.clock,
        kind=plan.kind,
        players=plan.players,
        length=tournament.length,
        state=state_of(tournament),
        entrants=len(tournament.playing),
        round=len(tournament.rounds),
        created=created,
    )


def state_of(tournament: TournamentState) -> Literal["open", "running", "over"]:
    if not tournament.rounds:
        return "open"
    return "over" if tournament.is_over else "running"


def _table_shown(drawn: DrawnTable, tournament: TournamentState) -> messages.TournamentTable:
    result = tournament.results.get(drawn.table)
    wins = None if result is None else [won / PARTS_PER_WIN for won in result.wins]
    scores = [] if result is None or result.forfeit is not None else list(result.scores)
    return messages.TournamentTable(
        drawn.table, list(drawn.seats), wins, scores, None if result is None else result.forfeit
    )


# Pairings: meetings and byes as even as they can be. Entrants are numbers; nothing here knows games or tables. The
# pairing libraries of chess only support games of two.


class PairSearch:
    """A search for the pairs of a round, of limited length. `met` counts the meetings of each pair."""

    def __init__(self, points: Mapping[int, int], met: Meetings) -> None:
        self._points = points
        self._met = met
        self._steps = 0

    @property
    def is_spent(self) -> bool:
        return self._steps > MAX_STEPS

    def met(self, first: int, second: int) -> int:
        """How often two entrants have met."""
        return self._met.get(frozenset((first, second)), 0)

    def rounds(self, ranked: tuple[int, ...], limit: int, worst: int) -> Iterator[Pairs]:
        """Yield rounds without meetings of more than `limit`, with at most `worst` of them: the best rounds first."""
        failed = set[tuple[frozenset[int], int]]()

        def pair(left: tuple[int, ...], worst: int) -> Iterator[Pairs]:
            if not left:
                yield []
            self._steps += 1
            if not left or self.is_spent or (key := (frozenset(left), worst)) in failed:
                return
            found = False
            first, others = left[0], left[1:]
            for other in sorted(others, key=lambda opponent: _distance(left, opponent, self._points)):
                less = worst - (self.met(first, other) == limit)
                if self.met(first, other) <= limit and less >= 0:
                    for rest in pair(tuple(entrant for entrant in others if entrant != other), less):
                        found = True
                        yield [(first, other), *rest]
            if not found:
                failed.add(key)

        return pair(ranked, worst)

    def fits(self, edges: Edges, rounds: int) -> bool:
        """Whether so many rounds without a common pair can be made of the pairs `edges`; True if it takes too long."""

        def cover(left: Edges, free: frozenset[int], rounds: int) -> bool:
            self._steps += 1
            if rounds == 0 or self.is_spent:
                return True
            if not free:
                return cover(left, everybody, rounds - 1)
            first = min(free)
            pairs = [edge for edge in left if first in edge and edge <= free]
            return any(cover(left - {edge}, free - edge, rounds) for edge in pairs)

        everybody = frozenset(itertools.chain.from_iterable(edges))
        return cover(edges, everybody, rounds)


def round_robin(entrants: Sequence[int]) -> list[list[tuple[int, int]]]:
    """All rounds of a round robin, by the circle method. With an odd number everybody gets one bye.

    >>> round_robin([0, 1, 2])
    [[(1, 2)], [(0, 1)], [(2, 0)]]
    """
    circle: list[int | None] = list(entrants)
    if len(circle) % 2:
        circle.append(None)
    half, rounds = len(circle) // 2, []
    for number in range(len(circle) - 1):
        pairs = list(zip(circle[:half], reversed(circle[half:]), strict=True))
        # To balance seats, the fixed entrant alternates by round, the others by their position in the circle.
        seated = [
            (second, first) if (place == 0 and number % 2) or (place > 0 and place % 2) else (first, second)
            for place, (first, second) in enumerate(pairs)
        ]
        rounds.append([(first, second) for first, second in seated if first is not None and second is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def next_byes(ranked: Sequence[int], players: int, byes: Mapping[int, int]) -> list[int]:
    """The entrants who get a bye: those with the fewest earlier byes, among these the last of the ranking."""
    last_first = list(reversed(ranked))
    last_first.sort(key=lambda entrant: byes.get(entrant, 0))
    return last_first[: len(ranked) % players]


def swiss(
    ranked: Sequence[int], points: Mapping[int, int], met: Meetings, byes: Mapping[int, int], further: int = 0
) -> tuple[Pairs, list[int]]:
    """Pair entrants with similar points; return the pairs and the byes. `ranked`: the best first.

    `met` counts the meetings of each pair, `byes` those of each entrant, and `further` the rounds after this one. Byes
    and meetings stay as even as they can, also in the further rounds. Within a score group the upper half meets the
    lower half.
    """
    usual = next_byes(ranked, 2, byes)
    fewest = [entrant for entrant in reversed(ranked) if usual and byes.get(entrant, 0) == byes.get(usual[0], 0)]
    outs = [[entrant] for entrant in fewest] or [[]]
    search, found = PairSearch(points, met), None
    counts = sorted({search.met(*pair) for pair in itertools.combinations(ranked, 2)} or {0})
    half = len(ranked) // 2
    for limit, worst in [(counts[0], half), *itertools.product(counts[1:], range(1, half + 1))]:
        for out in outs:
            for pairs in search.rounds(tuple(entrant for entrant in ranked if entrant not in out), limit, worst):
                found = found or (pairs, out)
                if _leaves_even_rounds(ranked, pairs, out, search, byes, further):
                    return pairs, out
        if found is not None:
            return found
    return _with_few_rematches([entrant for entrant in ranked if entrant not in usual], met), usual


def _leaves_even_rounds(
    ranked: Sequence[int], pairs: Pairs, out: list[int], search: PairSearch, byes: Mapping[int, int], further: int
) -> bool:
    """Whether the rarest meetings after a round suffice for the further rounds, with a bye as a meeting with nobody."""
    counts = {frozenset(pair): search.met(*pair) for pair in itertools.combinations(ranked, 2)}
    counts |= {frozenset((entrant, NOBODY)): byes.get(entrant, 0) for entrant in ranked if out}
    for pair in [*pairs, *((entrant, NOBODY) for entrant in out)]:
        counts[frozenset(pair)] += 1
    rarest = min(counts.values())
    edges = frozenset(pair for pair, count in counts.items() if count == rarest)
    degrees = Counter(itertools.chain.from_iterable(edges))
    players = len(ranked) + len(out)
    least = min(degrees.values()) if len(degrees) == players else 0
    # Where everybody has met fewer than half of the others, such rounds always exist.
    return 2 * least > players or search.fits(edges, min(further, least))


def _distance(left: Sequence[int], other: int, points: Mapping[int, int]) -> tuple[int, int]:
    """The distance to the first one's ideal opponent: of the same score group, half its size below."""
    first = left[0]
    half = sum(points[entrant] == points[first] for entrant in left) // 2
    return abs(points[first] - points[other]), abs(left.index(other) - max(1, half))


def _with_few_rematches(ranked: Sequence[int], met: Meetings) -> Pairs:
    """Pairs of neighbours in the ranking, preferably those that have met least."""
    left, pairs = list(ranked), []
    while left:
        first = left.pop(0)
        other = min(left, key=lambda opponent: (met.get(frozenset((first, opponent)), 0), left.index(opponent)))
        left.remove(other)
        pairs.append((first, other))
    return pairs


def groups(
    ranked: Sequence[int], players: int, met: Meetings, byes: Mapping[int, int]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Tables of neighbours in the ranking with few rematches, and the byes, for games of more than two players."""
    out = next_byes(ranked, players, byes)
    left = [entrant for entrant in ranked if entrant not in out]
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < players:
            best = min(left, key=lambda entrant: (_meetings(entrant, table, met), left.index(entrant)))
            left.remove(best)
            table.append(best)
        tables.append(tuple(table))
    return tables, out


def _meetings(entrant: int, table: Iterable[int], met: Meetings) -> tuple[int, int]:
    """The most frequent meeting of an entrant with others, and the sum of them."""
    counts = [met.get(frozenset((entrant, other)), 0) for other in table]
    return max(counts), sum(counts)


def seat_order(table: Sequence[int], earlier_tables: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The order of entrants at a table that best balances the seats they have had."""
    counts = Counter((entrant, seat) for seats in earlier_tables for seat, entrant in enumerate(seats))
    orders = itertools.permutations(table) if len(table) <= 4 else _rotations(table)
    return min(
        orders,
        key=lambda order: sum(counts[entrant, seat] ** 2 + counts[entrant, seat] for seat, entrant in enumerate(order)),
    )


def _rotations(table: Sequence[int]) -> Iterable[tuple[int, ...]]:
    return (tuple(table[turn:]) + tuple(table[:turn]) for turn in range(len(table)))
