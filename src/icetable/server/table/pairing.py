"""Who meets whom in a round of a tournament: no two twice while that can be avoided, and nobody sits out twice.

Entrants are numbers. Nothing here knows games or tables; the tests compare it with a naive oracle. The libraries that
pair chess players know tables of two alone.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

MAX_STEPS = 50_000
"""After this many steps of a search for a round without repetitions one with some is taken."""


def round_robin(entrants: Sequence[int]) -> list[list[tuple[int, int]]]:
    """All rounds in which everybody meets everybody once; who has an odd one out sits out once (circle method).

    >>> round_robin([0, 1, 2])
    [[(1, 2)], [(0, 1)], [(2, 0)]]
    """
    circle: list[int | None] = list(entrants)
    if len(circle) % 2:
        circle.append(None)
    half, rounds = len(circle) // 2, []
    for number in range(len(circle) - 1):
        pairs = list(zip(circle[:half], reversed(circle[half:]), strict=True))
        # The one who stays changes seats each round, and the others by their places in the circle.
        seated = [
            (second, first) if (place == 0 and number % 2) or (place > 0 and place % 2) else (first, second)
            for place, (first, second) in enumerate(pairs)
        ]
        rounds.append([(first, second) for first, second in seated if first is not None and second is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def sitting_out(ranked: Sequence[int], players: int, byes: Collection[int]) -> list[int]:
    """Those who find no place at tables of so many: the last of the ranking who have had a place each time."""
    count = len(ranked) % players
    fresh = [one for one in reversed(ranked) if one not in byes]
    used = [one for one in reversed(ranked) if one in byes]
    return (fresh + used)[:count]


def swiss(
    ranked: Sequence[int], points: Mapping[int, int], met: Collection[frozenset[int]], byes: Collection[int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs of those with like points, and who sits out. `ranked`: the best first.

    Of those with as many points the upper half meets the lower half. Where nobody can do without a repetition, few meet
    again.
    """
    outs = sitting_out(ranked, 2, byes)
    for out in [*([[]] if not outs else []), *([one] for one in reversed(ranked) if outs and one not in byes)]:
        pairs = _without_repetition([one for one in ranked if one not in out], points, met)
        if pairs is not None:
            return pairs, out
    return _with_few_repetitions([one for one in ranked if one not in outs], met), outs


def _without_repetition(
    ranked: Sequence[int], points: Mapping[int, int], met: Collection[frozenset[int]]
) -> list[tuple[int, int]] | None:
    """Pairs of whom none has met; None where there are none, or none were found in time."""
    failed = set[frozenset[int]]()
    steps = itertools.count()

    def pair(left: tuple[int, ...]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        if frozenset(left) in failed or next(steps) > MAX_STEPS:
            return None
        first, others = left[0], left[1:]
        for other in sorted(others, key=lambda one: _distance(left, one, points)):
            if frozenset((first, other)) not in met:
                rest = pair(tuple(one for one in others if one != other))
                if rest is not None:
                    return [(first, other), *rest]
        failed.add(frozenset(left))
        return None

    return pair(tuple(ranked))


def _distance(left: Sequence[int], other: int, points: Mapping[int, int]) -> tuple[int, int]:
    """How far another one is from the ideal opponent of the first: with as many points, half their number below."""
    first = left[0]
    half = sum(points[one] == points[first] for one in left) // 2
    return abs(points[first] - points[other]), abs(left.index(other) - max(1, half))


def _with_few_repetitions(ranked: Sequence[int], met: Collection[frozenset[int]]) -> list[tuple[int, int]]:
    """Pairs of neighbours in the ranking, where possible of such as have not met."""
    left, pairs = list(ranked), []
    while left:
        first = left.pop(0)
        other = min(left, key=lambda one: (frozenset((first, one)) in met, left.index(one)))
        left.remove(other)
        pairs.append((first, other))
    return pairs


def groups(
    ranked: Sequence[int], players: int, met: Collection[frozenset[int]], byes: Collection[int]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Tables of neighbours in the ranking, for games of more than two, and who sits out. Few meet again."""
    outs = sitting_out(ranked, players, byes)
    left = [one for one in ranked if one not in outs]
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < players:
            best = min(left, key=lambda one: (_known(one, table, met), left.index(one)))
            left.remove(best)
            table.append(best)
        tables.append(tuple(table))
    return tables, outs


def _known(one: int, table: Iterable[int], met: Collection[frozenset[int]]) -> int:
    return sum(frozenset((one, other)) in met for other in table)


def seated(table: Sequence[int], before: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Who sits where at a table: each seat goes to the one who had it least often, by the tables of earlier rounds."""
    had = Counter((entrant, seat) for seats in before for seat, entrant in enumerate(seats))
    orders = itertools.permutations(table) if len(table) <= 4 else _turned(table)
    return min(
        orders,
        key=lambda order: sum(had[entrant, seat] ** 2 + had[entrant, seat] for seat, entrant in enumerate(order)),
    )


def _turned(table: Sequence[int]) -> Iterable[tuple[int, ...]]:
    return (tuple(table[turn:]) + tuple(table[:turn]) for turn in range(len(table)))
