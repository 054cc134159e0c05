"""The end of the game is solved: the deal's exact expectation against all deals, the last placings against all play."""

from __future__ import annotations

import functools
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from icetable import CHANCE, State
from icetable.analysis import analyse
from icetable.core.turns import TurnState
from icetable.games.highrise import deals
from icetable.games.highrise.rules import PIPS
from icetable.kernels.layout import UNPROVEN, shares_of
from icetable.workshop.equipment import rows
from tests.best_play import solved

from .drawings import begin_game, load, write_numbers
from .test_deal import expected_share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def placed(squares: int, left: int, seed: int, roll: str = "", **options: Any) -> TurnState:
    """Pyramids on some of the squares, at random, the small ones first, until so many are left."""
    game, rng = load(**options), np.random.default_rng(seed)
    state: State = game.start().apply(f"roll:{roll}") if roll else begin_game(game)
    for _ in range(game.longest()[0] - left):
        (size, *_) = state.legal_actions()[0]
        state = state.apply(f"{size}@{game.board.names[rng.integers(squares)]}")
    assert isinstance(state, TurnState)
    return state


def towers(pips: Sequence[tuple[int, int]], **options: Any) -> TurnState:
    """The deal is to come, over towers with these pips of the seats; all other squares are empty."""
    state = placed(1, 0, 0, **options)
    position = state.position.copy()
    of_squares = position[PIPS : PIPS + 2 * len(state.game.layout()["spaces"])].reshape(-1, 2)
    of_squares[:] = 0
    of_squares[: len(pips)] = pips
    return TurnState(state.game, position)


def share_of_second(ends: list[State]) -> float:
    """Seat 1's mean share."""
    return float(np.mean([shares_of(end.winners, 2)[1] for end in ends]))


@pytest.mark.rule("HR-2")
@pytest.mark.rule("HR-9")
@pytest.mark.rule("HR-10")
@pytest.mark.parametrize(
    ("pips", "undecided"),
    [
        ([(0, 0)], True),
        ([(1, 0)], False),
        ([(2, 3), (7, 1)], True),
        ([(0, 5), (0, 6), (1, 2)], False),
        ([(9, 14), (4, 4), (6, 5), (4, 3)], True),
        ([(3, 2), (3, 5), (3, 4), (5, 4)], True),
        ([(1, 0), (2, 2), (2, 0), (0, 1), (9, 12)], True),
    ],
    ids=str,
)
def test_dice_under_few_towers(pips: list[tuple[int, int]], undecided: bool) -> None:
    """Every deal of the dice that count."""
    state = towers(pips, numbers="unseen")
    numbers = [range(1, 7) if own != other else (1,) for own, other in [*pips, *[(0, 0)] * (9 - len(pips))]]
    share = share_of_second([state.apply(write_numbers("deal", deal)) for deal in product(*numbers)])
    assert deals.expect(state.array) == pytest.approx(share, abs=1e-12)
    assert (0 < share < 1) == undecided


@pytest.mark.rule("HR-2")
@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({"values": [7] * 9}, True),
        ({"values": [0] * 8 + [9]}, True),
        ({"values": [0] * 6 + [20] * 3}, True),
        ({"values": [1] * 4 + [2] * 4 + [5]}, True),
        ({"values": [3, 3, 3, 3, 3, 4, 4, 4, 10**9]}, False),
        ({"rows": 4, "values": [0] * 10 + [2, 5]}, True),
    ],
    ids=str,
)
def test_given_numbers(options: dict[str, Any], known: bool) -> None:
    """Every order of them."""
    shares = set()
    for pips in (
        [(5, 2), (1, 3)],
        [(0, 1), (2, 2), (4, 3), (3, 6), (5, 4)],
        [(1, 2), (2, 1), (3, 2), (2, 4), (0, 1), (1, 0), (5, 5), (5, 6), (4, 3)],
        [(1, 2), (2, 3), (2, 4), (0, 1), (0, 1), (1, 3), (2, 3), (12, 10), (20, 3)],
    ):
        state = towers(pips, **options)
        share = share_of_second([state.apply(deal) for deal, _ in state.chance_outcomes()])
        assert deals.expect(state.array) == (pytest.approx(share, abs=1e-12) if known else UNPROVEN)
        shares.add(share)
    assert len(shares) > 1


def test_all_dice() -> None:
    """Against all deals counted by their leads."""
    for seed in range(20):
        state = placed(9, 0, seed, numbers="unseen")
        assert deals.expect(state.array) == pytest.approx(1 - expected_share(state), abs=1e-12)


@pytest.mark.parametrize("roll", ["111111111", "111111116", "123333333", "111233344", "111222666", "111145566"])
@pytest.mark.rule("HR-2")
def test_rolled_numbers(roll: str) -> None:
    """Every order of the dice that all have seen: against the score of each."""
    undecided = 0
    for seed in range(3):
        state = placed(9, 0, seed, roll=roll)
        share = share_over_orders(state)
        assert deals.expect(state.array) == pytest.approx(share, abs=1e-12)
        undecided += 0 < share < 1
    for pips in ([(5, 2), (1, 3)], [(1, 2), (2, 1), (3, 2), (2, 4), (0, 1), (1, 0), (5, 5), (5, 6), (4, 3)]):
        state = towers(pips, roll=roll)
        assert deals.expect(state.array) == pytest.approx(share_over_orders(state), abs=1e-12)
    assert undecided or len(set(roll)) < 3


def share_over_orders(state: TurnState) -> float:
    """Seat 1's mean share over all orders in which the numbers that all know can lie."""
    numbers = state.view()["pool"]
    pips = state.position[PIPS : PIPS + 2 * len(numbers)].reshape(-1, 2).tolist()
    orders = orders_of(tuple(numbers))
    leads = np.zeros(len(orders), int)
    for square, (own, other) in enumerate(pips):
        if own != other:
            leads += orders[:, square] + other if own > other else -orders[:, square] - own
    return float(np.mean((leads < 0) + (leads == 0) / 2))


@functools.cache
def orders_of(numbers: tuple[int, ...]) -> Any:
    """All different orders of some numbers, a row for each."""
    return np.array([list(map(int, row)) for row, _ in rows(Counter(map(str, numbers)), len(numbers), back=False)])


def test_nothing_is_known_before_the_roll() -> None:
    assert deals.expect(load().start().array) == UNPROVEN


def test_rolled_numbers_on_larger_boards() -> None:
    """As many orders as there are can't be tried: against the same sums in whole numbers, tower by tower."""
    for seed in range(2):
        state = placed(12, 0, seed, roll="111123345566", cols=4)
        assert deals.expect(state.array) == pytest.approx(float(share_by_counting(state)), abs=1e-12)


def share_by_counting(state: TurnState) -> Fraction:
    """Seat 1's mean share, by which numbers are left after each tower."""
    numbers = state.view()["pool"]
    ways = {(0, tuple(Counter(numbers)[face] for face in range(1, 7))): 1}
    for own, other in state.position[PIPS : PIPS + 2 * len(numbers)].reshape(-1, 2).tolist():
        before, ways = ways, Counter[tuple[int, tuple[int, ...]]]()
        for (lead, left), count in before.items():
            for face in range(6):
                if left[face]:
                    gain = 0 if own == other else other + face + 1 if own > other else -own - face - 1
                    rest = (*left[:face], left[face] - 1, *left[face + 1 :])
                    ways[lead + gain, rest] += count * left[face]
    return Fraction(
        sum(count * ((lead < 0) * 2 + (lead == 0)) for (lead, _), count in ways.items()), 2 * sum(ways.values())
    )


def test_the_largest_board() -> None:
    """64 dice against sums in whole numbers, and certain where they can't matter."""
    large, rng = {"rows": 8, "cols": 8, "numbers": "unseen"}, np.random.default_rng(2)
    undecided = 0
    for _ in range(8):
        pips = [(own, other) for own, other in rng.integers(0, 4, (64, 2)).tolist()]
        share = behind([(own, other) for own, other in pips if own != other])
        assert deals.expect(towers(pips, **large).array) == pytest.approx(float(share), abs=1e-12)
        undecided += 0.01 < share < 0.99
    assert undecided > 3
    for own, other, certain in ((0, 1000, 1), (1000, 0, 0), (5, 5, 0.5)):
        assert deals.expect(towers([(own, other)] * 64, **large).array) == certain
    assert deals.expect(towers([(2, 3), (3, 2)], **large).array) == 0.5


def behind(pips: list[tuple[int, int]]) -> Fraction:
    """The share of seat 1 with dice under towers of these pips."""
    ways = Counter({0: 1})
    for own, other in pips:
        before, ways = ways, Counter[int]()
        for lead, die in product(before, range(1, 7)):
            ways[lead + (other + die if own > other else -own - die)] += before[lead]
    return Fraction(sum(count * ((lead < 0) * 2 + (lead == 0)) for lead, count in ways.items()), 2 * ways.total())


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"values": [0] * 8 + [9]}, 2),
        ({"values": [7] * 9}, 4),
        ({"rows": 4, "values": [0] * 11 + [30]}, 2),
    ],
    ids=str,
)
def test_the_last_placings_are_solved(options: dict[str, Any], left: int) -> None:
    """Against all placings and all deals."""
    for seed in range(2):
        state, known = placed(9, left, seed, **options), dict[bytes, float]()
        assert not solved(state, 1, known)
        assert solved(state, 5000, known)


def test_the_last_placings_over_dice_are_solved() -> None:
    """By the best of all placings, with the counted deals at their end."""
    solve_last_placings(expected_share, numbers="unseen")


def test_the_last_placings_over_rolled_numbers_are_solved() -> None:
    solve_last_placings(lambda state: 1 - share_over_orders(state), roll="111333335")


def solve_last_placings(expected_share: Callable[[TurnState], float], **options: Any) -> None:
    undecided = 0
    for seed in range(4):
        state = placed(9, 2, seed, **options)
        assert state.actor == 0
        found = analyse(state, simulations=500)
        worths = {
            act: min(expected_share(state.apply(act).apply(reply)) for reply in state.apply(act).legal_actions())
            for act in state.legal_actions()
        }
        assert found.exact
        assert found.worth[0] == pytest.approx(max(worths.values()), abs=1e-12)
        assert {one.act: one.worth[found.seat or 0] for one in found.candidates} == pytest.approx(worths, abs=1e-12)
        undecided += 0.01 < found.worth[0] < 0.99
    assert undecided


def test_before_the_deal_the_worth_is_exact() -> None:
    state = placed(4, 0, 3)
    found = analyse(state)
    assert (found.seat, found.exact) == (CHANCE, True)
    assert found.worth[1] == deals.expect(state.array)
    numbers = [2**exponent for exponent in range(30)]
    long = placed(64, 0, 3, rows=8, cols=8, values=[*numbers, *numbers, 1, 2, 3, 4])
    assert not analyse(long).exact
