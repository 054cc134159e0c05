"""The deal: how it is written, how likely it is, what it brings stack by stack (HR-2, HR-8 … HR-10)."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import Effect, GameError, State
from icetable.lab import playouts

from .oracle import Oracle, write_deal
from .product import effects, game_of, key, load, state_of
from .test_faults import all_placed

DRAWS = 1500


def surprise(counts: Counter[str], kinds: int) -> float:
    """How far chi-square is from what equal chances let expect, in standard deviations (after Wilson and Hilferty)."""
    expected = counts.total() / kinds
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values()) + expected * (kinds - len(counts))
    spread = 2 / (9 * (kinds - 1))
    return float(((chi_square / (kinds - 1)) ** (1 / 3) - (1 - spread)) / spread**0.5)


def drawn(state: State) -> list[list[str]]:
    """The numbers of many random deals."""
    rng = np.random.default_rng(5)
    acts = [str(state.game.random_act(state, rng)).removeprefix("deal:") for _ in range(DRAWS)]
    return [act.split(",") if "," in act else list(act) for act in acts]


def test_hr_2_dice_are_fair_on_every_square() -> None:
    deals = drawn(all_placed())
    for square in range(9):
        assert abs(surprise(Counter(deal[square] for deal in deals), 6)) < 4
    assert abs(surprise(Counter(deal[0] + deal[8] for deal in deals), 36)) < 4


def test_hr_2_values_lie_anywhere() -> None:
    deals = drawn(all_placed(values=[0, 1, 2, 3, 4, 5, 6, 7, 80]))
    assert all(sorted(deal) == sorted(["0", "1", "2", "3", "4", "5", "6", "7", "80"]) for deal in deals)
    for square in range(9):
        assert abs(surprise(Counter(deal[square] for deal in deals), 9)) < 4
    assert abs(surprise(Counter(deal[3] + deal[4] for deal in deals), 72)) < 4


@pytest.mark.parametrize(
    ("values", "count"),
    [([7] * 9, 1), ([0] * 8 + [9], 9), ([0] * 6 + [20] * 3, 84), ([0] * 4 + [1] * 4 + [2], 630)],
    ids=str,
)
def test_hr_2_deals_that_can_be_listed(values: list[int], count: int) -> None:
    """All different ones, equally likely: shuffling equal numbers changes nothing."""
    state = all_placed(values=values)
    outcomes = state.chance_outcomes()
    assert {act for act, _ in outcomes} == {write_deal(row) for row in set(permutations(values))}
    assert len(outcomes) == count
    assert {probability for _, probability in outcomes} == {1 / count}
    assert state.legal_actions() == [act for act, _ in outcomes]
    if count > 1:
        assert abs(surprise(Counter("".join(deal) for deal in drawn(state)), count)) < 4


@pytest.mark.parametrize(
    ("options", "count"),
    [({}, 6**9), ({"cols": 4}, 6**12), ({"values": [0, 0, 0, 1, 1, 1, 2, 2, 2]}, 1680), ({"values": range(9)}, 362880)],
    ids=str,
)
def test_hr_2_deals_that_cannot_be_listed(options: dict[str, Any], count: int) -> None:
    """There are over 1000; perft knows their number all the same."""
    if "values" in options:
        options = {"values": list(options["values"])}
    state = state_of(full(**options))
    for listing in (state.legal_actions, state.chance_outcomes):
        with pytest.raises(GameError, match=f"there are {count} deals, too many to list; random_act draws one"):
            listing()
    assert icetable.perft(state, 1) == count
    assert icetable.perft(state, 2) == 0
    assert state.fault(state.game.random_act(state, np.random.default_rng(1))) is None


def full(less: int = 0, **options: Any) -> Oracle:
    """The oracle's position with all pyramids placed but the last few."""
    position = Oracle(**options)
    number = 0
    while position.left(0) + position.left(1) > less:
        size = next(size for size in "SML" if position.left_of_size(position.seat, size))
        position = position.apply(f"{size}@{position.squares[number * 5 % len(position.squares)]}")
        number += 1
    return position


@pytest.mark.parametrize("values", [[7] * 9, [0] * 8 + [12]], ids=str)
def test_perft_to_the_end(values: list[int]) -> None:
    """Placings, deals and nothing after them, as the oracle counts."""
    position = full(2, values=values)
    state = state_of(position)
    counts = [position.perft(depth) for depth in range(5)]
    assert [icetable.perft(state, depth) for depth in range(5)] == counts
    assert counts[3] == 81 * len(set(permutations(values)))
    assert counts[4] == 0
    assert icetable.perft(state.apply("L@a1").apply("L@a1").apply(write_deal(values)), 0) == 1


def test_hr_9_effects_square_by_square() -> None:
    """What the table shows tower by tower: the number, who is ahead, what it brings."""
    state = all_placed().apply("deal:352164135")
    assert [str(effect) for effect in state.effects] == [
        *("reveals a1 3", "tied a1", "reveals b1 5", "tied b1", "reveals c1 2", "tied c1"),
        *("reveals a2 1", "tied a2", "reveals b2 6", "tied b2", "reveals c2 4", "tied c2"),
        *("reveals a3 1", "tied a3", "reveals b3 3", "tied b3", "reveals c3 5", "tied c3"),
        "draw HR-10",
    ]
    assert state.scores == (0, 0)
    assert state.winners == {0, 1}
    taken = load().start()
    for act in (*["S@a1"] * 8, "S@b2", "S@a1", *["M@b2"] * 20, *["L@c3"] * 20):
        taken = taken.apply(act)
    taken = taken.apply("deal:352164135")
    assert taken.effects[:3] == (
        Effect("reveals", ("a1",), 3),
        Effect("controls", ("a1",), 1),
        Effect("scores", ("a1",), 4 + 3),
    )
    assert Effect("controls", ("b2",), 0) in taken.effects
    assert Effect("scores", ("b2",), 20 + 6) in taken.effects
    assert taken.scores == (26, 7)
    assert taken.winners == {0}
    assert taken.ended_by == "HR-8"


@pytest.mark.parametrize("options", [{}, {"values": [10**9] * 9}, {"rows": 4, "values": list(range(12))}], ids=str)
def test_deals_of_random_games(options: dict[str, Any]) -> None:
    """Drawn, played, recorded, replayed; and scored as the oracle scores."""
    game = game_of(Oracle(**options))
    rng = np.random.default_rng(6)
    for _ in range(3):
        position, state = Oracle(**options), game.start()
        while not state.is_terminal:
            act = game.random_act(state, rng)
            position, state = position.apply(act), state.apply(act)
        assert key(state) == position.key()
        assert state.scores == position.scores
        assert state.effects == effects(position, str(state.act))
        assert icetable.replay(state.record()) == state
        assert state.record().splitlines()[-1].endswith("scores {} {}".format(*position.scores))


def test_both_seats_have_the_same_chances() -> None:
    """Among random games: a check of the kernel's scoring by the laboratory."""
    results = playouts("highrise", 20_000, seed=3).results
    assert (results.sum(1) == 1).all()
    assert abs(results[:, 0].mean() - 0.5) < 4 * 0.5 / math.sqrt(20_000)
