"""Pairings of tournaments, against a naive oracle for few entrants and by their promises for many."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from icetable.server import tournament

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def can_avoid(left: Sequence[int], met: Collection[frozenset[int]]) -> bool:
    """Whether there is a round in which nobody meets again: all rounds are tried."""
    if not left:
        return True
    first, *others = left
    return any(
        frozenset((first, other)) not in met and can_avoid([one for one in others if one != other], met)
        for other in others
    )


@pytest.mark.parametrize("count", range(2, 33))
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    rounds = tournament.round_robin(range(count))
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == dict.fromkeys(map(frozenset, itertools.combinations(range(count), 2)), 1)
    assert len(rounds) == count - 1 + count % 2
    for pairs in rounds:
        played = [one for pair in pairs for one in pair]
        assert len(played) == len(set(played)) == count - count % 2
    for one in range(count):
        first = sum(pair[0] == one for pairs in rounds for pair in pairs)
        assert abs(2 * first - (count - 1)) <= 2


def ranked_by(points: dict[int, int]) -> list[int]:
    return sorted(points, key=lambda one: (-points[one], one))


@pytest.mark.parametrize("seed", range(60))
def test_nobody_meets_again_while_that_can_be_avoided(seed: int) -> None:
    """Up to eight entrants, for as many rounds as come; the oracle knows when a repetition can't be avoided."""
    rng = random.Random(seed)
    count = rng.randint(2, 8)
    points, met, byes = dict.fromkeys(range(count), 0), Counter[frozenset[int]](), Counter[int]()
    for _ in range(count + 2):
        ranked = ranked_by(points)
        fewest = min(byes[one] for one in ranked)
        free = [one for one in ranked if byes[one] == fewest] if count % 2 else [None]
        avoidable = any(can_avoid([one for one in ranked if one != out], met) for out in free)
        pairs, out = tournament.swiss(ranked, points, met, byes)
        assert sorted([*itertools.chain.from_iterable(pairs), *out]) == list(range(count))
        repeated = [pair for pair in pairs if frozenset(pair) in met]
        assert not (avoidable and repeated)
        met.update(frozenset(pair) for pair in pairs)
        byes.update(out)
        for first, second in pairs:
            points[rng.choice((first, second))] += 2
        for one in out:
            points[one] += 2
        assert not byes or max(byes.values()) - min(byes[one] for one in ranked) <= 1


@pytest.mark.parametrize("count", range(2, 10))
@pytest.mark.parametrize("rounds", range(1, 10))
def test_byes_and_meetings_are_even_however_many_rounds_are_planned(count: int, rounds: int) -> None:
    """Nobody gets a second bye, and no pair meets again, before all others have: whatever the results are."""
    for seed in range(4):
        rng = random.Random(seed)
        points, met, byes = dict.fromkeys(range(count), 0), Counter[frozenset[int]](), Counter[int]()
        for number in range(rounds):
            pairs, out = tournament.swiss(ranked_by(points), points, met, byes, rounds - number - 1)
            met.update(frozenset(pair) for pair in pairs)
            byes.update(out)
            for winner in [*(rng.choice(pair) for pair in pairs), *out]:
                points[winner] += 2
            for counts in (
                [byes[one] for one in range(count)],
                [met[pair] for pair in map(frozenset, itertools.combinations(range(count), 2))],
            ):
                assert max(counts) - min(counts) <= 1
        assert sum(byes.values()) == rounds * (count % 2)


def test_meetings_stay_as_even_as_they_can_after_an_entrant_has_left() -> None:
    """The two who have never met do, though both are then met twice by others."""
    met = Counter({frozenset((0, 1)): 2, frozenset((2, 3)): 2, frozenset((0, 2)): 1, frozenset((1, 3)): 1})
    pairs, out = tournament.swiss(range(4), dict.fromkeys(range(4), 0), met, Counter(), 2)
    assert sorted(pairs) == [(0, 3), (1, 2)]
    assert out == []


@pytest.mark.parametrize(("count", "seed"), [(count, seed) for count in (9, 16, 31, 32) for seed in range(3)])
def test_large_tournaments_repeat_nothing_for_half_as_many_rounds_as_entrants(count: int, seed: int) -> None:
    rng = random.Random(seed)
    points, met, byes = dict.fromkeys(range(count), 0), Counter[frozenset[int]](), Counter[int]()
    tables: list[tuple[int, ...]] = []
    for _ in range(count // 2):
        pairs, out = tournament.swiss(ranked_by(points), points, met, byes)
        met.update(frozenset(pair) for pair in pairs)
        byes.update(out)
        assert max(met.values()) == 1
        assert not byes or max(byes.values()) == 1
        for pair in pairs:
            tables.append(tournament.seat_order(pair, tables))
            points[rng.choice(pair)] += 2
    for one in range(count):
        first, second = (sum(table[seat] == one for table in tables) for seat in (0, 1))
        assert abs(first - second) <= 3


def test_those_with_as_many_points_meet_upper_half_against_lower_half() -> None:
    assert tournament.swiss(range(8), dict.fromkeys(range(8), 0), {}, {})[0] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    points = {0: 2, 1: 2, 2: 0, 3: 0}
    assert tournament.swiss(range(4), points, {frozenset((0, 2)): 1, frozenset((1, 3)): 1}, {})[0] == [(0, 1), (2, 3)]


def test_when_no_round_is_found_in_time_neighbours_meet_who_have_met_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "MAX_STEPS", 0)
    points = dict.fromkeys(range(4), 0)
    assert tournament.swiss(range(4), points, {}, {}) == ([(0, 1), (2, 3)], [])
    assert tournament.swiss(range(4), points, {frozenset((0, 1)): 1}, {}) == ([(0, 2), (1, 3)], [])


@pytest.mark.parametrize(("count", "players"), [(9, 4), (12, 3), (13, 4), (32, 5), (8, 8)])
def test_larger_tables_are_full_and_few_sit_out(count: int, players: int) -> None:
    points, met, byes = dict.fromkeys(range(count), 0), Counter[frozenset[int]](), Counter[int]()
    rng = random.Random(count)
    for _ in range(4):
        tables, outs = tournament.groups(ranked_by(points), players, met, byes)
        assert all(len(table) == players for table in tables)
        assert sorted([*itertools.chain.from_iterable(tables), *outs]) == list(range(count))
        assert len(outs) == count % players
        byes.update(outs)
        for table in tables:
            met.update(frozenset(pair) for pair in itertools.combinations(table, 2))
            points[rng.choice(table)] += 1
        assert max(byes[one] for one in range(count)) - min(byes[one] for one in range(count)) <= 1
