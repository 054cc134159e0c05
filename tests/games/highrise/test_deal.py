"""The deal: how it is written, how likely it is, what it brings stack by stack (HR-2, HR-8 … HR-10)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import CHANCE, Effect, GameError, State
from icetable.bots.search import PURE, search
from icetable.core.turns import TurnState
from icetable.games.highrise import rules
from icetable.games.highrise.rules import NUMBERS, PIPS, VALUES
from icetable.kernels import jit
from icetable.lab import playouts
from icetable.lab.playouts import ENDLESS, play_out
from tests.conformance.test_perft import count_by_playing
from tests.fairness import (
    DRAWS,
    LIMIT,
    Source,
    assert_columns_independent,
    assert_fair,
    assert_independent,
    by_secrets,
    by_the_kernel,
    by_the_plain_kernel,
    each_source,
    positions,
    uniform,
)

from .drawings import ROLLED, HighRise, begun, load, start, write_numbers
from .test_faults import all_placed

FACES = uniform(range(1, 7))
"""HR-2: a die on each square."""
some_sources = pytest.mark.parametrize("source", [by_the_kernel, by_the_plain_kernel, by_secrets])
"""For what is dealt as lists of values are, of which each source is asked."""


def deals(source: Source, state: State) -> Any:
    """The numbers of the deals that a source draws, a row for each deal."""
    squares = len(state.game.layout()["spaces"])
    return positions(source, state)[:, NUMBERS : NUMBERS + squares]


@each_source
@pytest.mark.rule("HR-2")
def test_hr_2_dice_are_fair_on_every_square(source: Source) -> None:
    """And no two of them hang together, neither in one deal nor in two that follow one another."""
    drawn = deals(source, all_placed(numbers="unseen"))
    assert_columns_independent(np.hstack((drawn[:-1], drawn[1:])), FACES)
    for numbers in drawn.T.tolist():
        assert_fair(numbers, FACES)


@each_source
@pytest.mark.rule("HR-2")
def test_hr_2_values_lie_anywhere(source: Source) -> None:
    """Every value is on every square equally often, every pair of values on every pair of squares."""
    values = [0, 1, 2, 3, 4, 5, 6, 7, 80]
    assert_lie_anywhere(deals(source, all_placed(values=values)), values)


@some_sources
@pytest.mark.rule("HR-2")
def test_hr_2_rolled_numbers_lie_anywhere(source: Source) -> None:
    """The dice that all have seen are dealt as a list of their numbers is."""
    assert_lie_anywhere(deals(source, all_placed()), ROLLED[:9])


def assert_lie_anywhere(drawn: Any, values: list[int]) -> None:
    assert (np.sort(drawn) == values).all()
    squares, pairs = drawn.T.tolist(), weighed(permutations(values, 2))
    for square, other in combinations(range(9), 2):
        assert_fair(zip(squares[square], squares[other], strict=True), pairs)
    for square in range(9):
        assert_fair(squares[square], weighed(values))
        assert_independent(squares[square][:-1], squares[square][1:], weighed(values))


def weighed(outcomes: Iterable[Hashable]) -> dict[Any, float]:
    """The chances of outcomes that are equally likely, where some are alike."""
    counts = Counter(outcomes)
    return {outcome: count / counts.total() for outcome, count in counts.items()}


@each_source
@pytest.mark.rule("HR-2")
def test_hr_2_dice_that_all_see_are_fair(source: Source) -> None:
    """How many show each number, what the least and the greatest are, and nothing hangs on the roll before.

    Four and more are counted alike, and so are the least and the greatest that hardly ever come together.
    """
    drawn = positions(source, load().start())[:, VALUES : VALUES + 9]
    assert (np.sort(drawn) == drawn).all()
    counts = {count: math.comb(9, count) * 5 ** (9 - count) / 6**9 for count in range(4)}
    counts[4] = 1 - sum(counts.values())
    ends: Counter[tuple[int, int]] = Counter()
    for roll in combinations_with_replacement(range(1, 7), 9):
        ends[end_of(roll)] += orders(roll)
    assert ends.total() == 6**9
    for face in range(1, 7):
        shown = np.minimum((drawn == face).sum(axis=1), 4).tolist()
        assert_fair(shown, counts)
        assert_independent(shown[:-1], shown[1:], counts)
    assert_fair(map(end_of, drawn.tolist()), {end: count / 6**9 for end, count in ends.items()})


def end_of(roll: Sequence[int]) -> tuple[int, int]:
    """The least and the greatest number of a roll, but for those that are seldom."""
    return (roll[0], roll[-1]) if roll[0] < 3 and roll[-1] > 4 else (0, 0)


def orders(roll: tuple[int, ...]) -> int:
    """In how many orders dice can show these numbers."""
    return math.factorial(len(roll)) // math.prod(math.factorial(count) for count in Counter(roll).values())


@pytest.mark.rule("HR-2")
def test_hr_2_rolls_told_number_by_number_are_as_likely_as_dice_show_them() -> None:
    game = load()
    start = game.start()
    told: Counter[str] = Counter()
    for roll in combinations_with_replacement(range(6), 9):
        odds = [game.part_odds(start.position, roll[:count])[roll[count]] for count in range(9)]
        assert game.act_of_parts(start.position, roll[:8]) is None
        act = game.act_of_parts(start.position, roll)
        assert act == "roll:" + "".join(str(face + 1) for face in roll)
        assert math.prod(odds) * 6**9 == pytest.approx(orders(roll))
        told[act] += 1
    assert len(told) == 2002
    for drawn in ((), (0, 0), (2, 2, 5)):
        odds = game.part_odds(start.position, drawn)
        assert sum(odds) == pytest.approx(1, abs=1e-12)
        assert not any(odds[: drawn[-1] if drawn else 0])


@pytest.mark.parametrize(("options", "count"), [({}, 2002), ({"cols": 4}, 6188), ({"rows": 8, "cols": 8}, 11238513)])
@pytest.mark.rule("HR-2")
def test_hr_2_rolls_cannot_be_listed(options: dict[str, Any], count: int) -> None:
    """There are over 1000; perft knows their number all the same, and that of all deals behind them."""
    state = load(**options).start()
    for listing in (state.legal_actions, state.chance_outcomes):
        with pytest.raises(GameError, match=r"outcomes, too many to list; .*, and apply takes any"):
            listing()
    squares = len(state.game.layout()["spaces"])
    assert [icetable.perft(state, depth) for depth in range(3)] == [1, count, count * 3 * squares]
    assert state.fault(state.game.random_act(state, np.random.default_rng(1))) is None


@pytest.mark.rule("HR-2")
def test_hr_2_deals_of_rolled_numbers() -> None:
    """Those that can be listed are all different orders."""
    state: State = load().start().apply("roll:333333345")
    for act in (*["S@a1"] * 10, *["M@b2"] * 20, *["L@c3"] * 20):
        state = state.apply(act)
    outcomes = state.chance_outcomes()
    assert {act for act, _ in outcomes} == {write_numbers("deal", row) for row in set(permutations([3] * 7 + [4, 5]))}
    assert len(outcomes) == icetable.perft(state, 1) == 72
    with pytest.raises(GameError, match="45360 outcomes, too many to list"):
        all_placed().chance_outcomes()


@pytest.mark.rule("HR-2")
def test_hr_2_on_the_largest_board() -> None:
    state = full(rows=8, cols=8, numbers="unseen").state
    assert_columns_independent(deals(by_the_kernel, state), FACES)
    state = full(rows=8, cols=8, values=list(range(64))).state
    for numbers in deals(by_the_kernel, state).T.tolist():
        assert_fair(numbers, uniform(range(64)))


@some_sources
@pytest.mark.rule("HR-2")
def test_hr_2_each_deal_that_can_be_listed_is_as_likely_as_the_others(source: Source) -> None:
    for values in ([0] * 8 + [9], [0] * 4 + [1] * 4 + [2]):
        state = all_placed(values=values)
        chances = {str(deal): chance for deal, chance in state.chance_outcomes()}
        assert_fair((write_numbers("deal", numbers) for numbers in deals(source, state).tolist()), chances)


def test_any_deal_may_come() -> None:
    """The largest board has more deals than a small seed could bring: each bit of the seed is drawn."""
    state = full(rows=8, cols=8).state
    assert state.to_act == {CHANCE}
    rng, table_state = jit.seeds(1, 1), np.empty(rules.MAX_ACTS, np.int64)
    seeds = np.array([rules.pick(state.array, table_state, rng) - rules.DEAL - 1 for _ in range(DRAWS)])
    assert seeds.min() >= 0
    assert seeds.max() < 1 << 60
    assert_columns_independent(seeds[:, None] >> np.arange(60) & 1, uniform((0, 1)))


@pytest.mark.parametrize(
    ("values", "count"),
    [([7] * 9, 1), ([0] * 8 + [9], 9), ([0] * 6 + [20] * 3, 84), ([0] * 4 + [1] * 4 + [2], 630)],
    ids=str,
)
@pytest.mark.rule("HR-2")
def test_hr_2_deals_that_can_be_listed(values: list[int], count: int) -> None:
    """All different ones, equally likely: shuffling equal numbers changes nothing."""
    state = all_placed(values=values)
    outcomes = state.chance_outcomes()
    assert {act for act, _ in outcomes} == {write_numbers("deal", row) for row in set(permutations(values))}
    assert len(outcomes) == count
    assert {probability for _, probability in outcomes} == {1 / count}
    assert state.legal_actions() == [act for act, _ in outcomes]


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"numbers": "unseen"}, 6**9),
        ({"cols": 4, "numbers": "unseen"}, 6**12),
        ({"values": [0, 0, 0, 1, 1, 1, 2, 2, 2]}, 1680),
        ({"values": range(9)}, 362880),
    ],
    ids=str,
)
@pytest.mark.rule("HR-2")
def test_hr_2_deals_that_cannot_be_listed(options: dict[str, Any], count: int) -> None:
    """There are over 1000; perft knows their number all the same."""
    if "values" in options:
        options = {"values": list(options["values"])}
    state = full(**options).state
    for listing in (state.legal_actions, state.chance_outcomes):
        with pytest.raises(GameError, match=f"{count} outcomes, too many to list; random_act draws one"):
            listing()
    assert icetable.perft(state, 1) == count
    assert icetable.perft(state, 2) == 0
    assert state.fault(state.game.random_act(state, np.random.default_rng(1))) is None


def full(less: int = 0, **options: Any) -> HighRise:
    """The position with all pyramids placed but the last few."""
    position = start(**options)
    if CHANCE in position.to_act:
        position = position.apply(write_numbers("roll", ROLLED[: len(position.table.spaces)]))
    while sum(map(len, position.table.pad)) > less:
        table = position.table
        size = next(size for size in "SML" if any(one.size == size for one in table.pad[table.seat]))
        position = position.apply(f"{size}@{table.spaces[table.turn * 5 % len(table.spaces)]}")
    return position


@pytest.mark.parametrize("values", [[7] * 9, [0] * 8 + [12]], ids=str)
def test_perft_to_the_end(values: list[int]) -> None:
    """Placings, deals and nothing after them, as the class counts."""
    position = full(2, values=values)
    state: State = position.state
    counts = [count_by_playing(position.plain, depth) for depth in range(5)]
    assert [icetable.perft(state, depth) for depth in range(5)] == counts
    assert counts[3] == 81 * len(set(permutations(values)))
    assert counts[4] == 0
    assert icetable.perft(state.apply("L@a1").apply("L@a1").apply(write_numbers("deal", values)), 0) == 1


@pytest.mark.rule("HR-9")
def test_hr_9_effects_square_by_square() -> None:
    """Tower by tower: the number, who is ahead, and the points."""
    state = all_placed().apply("deal:352164135")
    assert [str(effect) for effect in state.effects] == [
        *("reveals a1 3", "tied a1", "reveals b1 5", "tied b1", "reveals c1 2", "tied c1"),
        *("reveals a2 1", "tied a2", "reveals b2 6", "tied b2", "reveals c2 4", "tied c2"),
        *("reveals a3 1", "tied a3", "reveals b3 3", "tied b3", "reveals c3 5", "tied c3"),
        "draw HR-10",
    ]
    assert state.scores == (0, 0)
    assert state.winners == {0, 1}
    taken: State = begun()
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
    """Drawn, played, recorded, replayed; and scored as the class scores."""
    rng = np.random.default_rng(6)
    for _ in range(3):
        pair = start(**options)
        while not pair.state.is_terminal:
            pair = pair.apply(pair.state.game.random_act(pair.state, rng))
        state = pair.state
        assert icetable.replay(state.record()) == state
        assert state.record().splitlines()[-1].endswith("scores {} {}".format(*pair.plain.scores))


def test_both_seats_have_the_same_chances() -> None:
    """Among random games: a check of the kernel's scoring by the laboratory."""
    results = playouts("highrise", 20_000, seed=3).results
    assert (results.sum(1) == 1).all()
    assert abs(results[:, 0].mean() - 0.5) < 4 * 0.5 / math.sqrt(20_000)


# What the deal decides: the exact chances, and those that playouts and searches find


def expected_share(state: State) -> float:
    """Seat 0's share when all is placed, on average over all deals of the dice (HR-2, HR-9, HR-10)."""
    assert isinstance(state, TurnState)
    deals_by_lead = Counter({0: 1})
    for square in range(9):
        own, other = state.position[PIPS + 2 * square : PIPS + 2 * square + 2].tolist()
        gains = [0] * 6 if own == other else [other + die if own > other else -own - die for die in range(1, 7)]
        before, deals_by_lead = deals_by_lead, Counter()
        for lead, gain in product(before, gains):
            deals_by_lead[lead + gain] += before[lead]
    assert deals_by_lead.total() == 6**9
    return sum(count * ((lead > 0) + (lead == 0) / 2) for lead, count in deals_by_lead.items()) / 6**9


@pytest.fixture(scope="module")
def close_games() -> list[State]:
    """Games whose winner only the deal decides."""
    rng, game = np.random.default_rng(8), load(numbers="unseen")
    found: list[State] = []
    while len(found) < 6:
        state: State = game.start()
        while state.to_act != {CHANCE}:
            state = state.apply(game.random_act(state, rng))
        found += [state] if 0.2 < expected_share(state) < 0.8 else []
    return found


def test_playouts_deal_by_the_chances(close_games: list[State]) -> None:
    run = jit.bind(play_out, "highrise", rules=rules)
    for number, state in enumerate(close_games):
        assert isinstance(state, TurnState)
        unused, results = np.empty(DRAWS, np.int64), np.empty((DRAWS, 2))
        room, draws, buffer = state.array.copy(), np.empty(1, np.int64), np.empty(rules.MAX_ACTS, np.int64)
        run(state.array, jit.seeds(number, DRAWS), ENDLESS, room, draws, buffer, unused, results, unused, unused)
        assert abs(results[:, 0].mean() - expected_share(state)) < LIMIT * 0.5 / math.sqrt(DRAWS)


def test_searches_deal_by_the_chances(close_games: list[State]) -> None:
    """The search that plays out finds for each last placement what all deals together bring."""
    for number, state in enumerate(close_games):
        before = state.parent
        assert isinstance(before, TurnState)
        for candidate in search(before, PURE, simulations=DRAWS, seed=number):
            share = 1 - expected_share(before.apply(candidate.action))
            assert abs(candidate.value - share) < LIMIT * 0.5 / math.sqrt(candidate.visits)
