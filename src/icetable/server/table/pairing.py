"""Pairings for a tournament: no rematches if they can be avoided, and no second bye.

Entrants are numbers. Nothing here knows games or tables; the tests compare it with a naive oracle. The pairing
libraries of chess only support games of two.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

MAX_STEPS = 50_000
"""Maximum number of steps in the search for a round without rematches."""


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


def next_byes(ranked: Sequence[int], players: int, byes: Collection[int]) -> list[int]:
    """The entrants who get a bye: the last of the ranking, those without an earlier bye first."""
    count = len(ranked) % players
    without = [entrant for entrant in reversed(ranked) if entrant not in byes]
    with_bye = [entrant for entrant in reversed(ranked) if entrant in byes]
    return (without + with_bye)[:count]


def swiss(
    ranked: Sequence[int], points: Mapping[int, int], met: Collection[frozenset[int]], byes: Collection[int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Pair entrants with similar points; return the pairs and the byes. `ranked`: the best first.

    Within a score group the upper half meets the lower half. If rematches are unavoidable, there are few.
    """
    usual = next_byes(ranked, 2, byes)
    for out in [*([[]] if not usual else []), *([last] for last in reversed(ranked) if usual and last not in byes)]:
        pairs = _without_rematches([entrant for entrant in ranked if entrant not in out], points, met)
        if pairs is not None:
            return pairs, out
    return _with_few_rematches([entrant for entrant in ranked if entrant not in usual], met), usual


def _without_rematches(
    ranked: Sequence[int], points: Mapping[int, int], met: Collection[frozenset[int]]
) -> list[tuple[int, int]] | None:
    """Pairs without a rematch; None if there are none, or none was found within MAX_STEPS."""
    failed = set[frozenset[int]]()
    steps = itertools.count()

    def pair(left: tuple[int, ...]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        if frozenset(left) in failed or next(steps) > MAX_STEPS:
            return None
        first, others = left[0], left[1:]
        for other in sorted(others, key=lambda opponent: _distance(left, opponent, points)):
            if frozenset((first, other)) not in met:
                rest = pair(tuple(entrant for entrant in others if entrant != other))
                if rest is not None:
                    return [(first, other), *rest]
        failed.add(frozenset(left))
        return None

    return pair(tuple(ranked))


def _distance(left: Sequence[int], other: int, points: Mapping[int, int]) -> tuple[int, int]:
    """The distance to the first one's ideal opponent: of the same score group, half its size below."""
    first = left[0]
    half = sum(points[entrant] == points[first] for entrant in left) // 2
    return abs(points[first] - points[other]), abs(left.index(other) - max(1, half))


def _with_few_rematches(ranked: Sequence[int], met: Collection[frozenset[int]]) -> list[tuple[int, int]]:
    """Pairs of neighbours in the ranking, preferably without a rematch."""
    left, pairs = list(ranked), []
    while left:
        first = left.pop(0)
        other = min(left, key=lambda opponent: (frozenset((first, opponent)) in met, left.index(opponent)))
        left.remove(other)
        pairs.append((first, other))
    return pairs


def groups(
    ranked: Sequence[int], players: int, met: Collection[frozenset[int]], byes: Collection[int]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Tables of neighbours in the ranking with few rematches, and the byes, for games of more than two players."""
    out = next_byes(ranked, players, byes)
    left = [entrant for entrant in ranked if entrant not in out]
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < players:
            best = min(left, key=lambda entrant: (_rematches(entrant, table, met), left.index(entrant)))
            left.remove(best)
            table.append(best)
        tables.append(tuple(table))
    return tables, out


def _rematches(entrant: int, table: Iterable[int], met: Collection[frozenset[int]]) -> int:
    return sum(frozenset((entrant, other)) in met for other in table)


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
