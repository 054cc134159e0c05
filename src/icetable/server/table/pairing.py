"""Pairings for a tournament: meetings and byes as even as they can be.

Entrants are numbers. Nothing here knows games or tables; the tests compare it with a naive oracle. The pairing
libraries of chess only support games of two.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Pairs = list[tuple[int, int]]
    Meetings = Mapping[frozenset[int], int]
    Edges = frozenset[frozenset[int]]

MAX_STEPS = 50_000
"""Maximum number of steps in the search for a round."""
NOBODY = -1
"""Whom an entrant with a bye meets."""


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
