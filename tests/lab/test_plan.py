"""Plans: what they refuse and with what they answer, who sits where, and that a plan is the same after a journey."""

from __future__ import annotations

import json
import math
import pickle
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError
from icetable.kernels import jit
from icetable.lab import Plan
from icetable.lab.plan import FORMAT_VERSION, OPENING_ACTS_PER_SEAT, seed_of

NO_WHOLE: list[Any] = [1.0, True, None, "1", b"1", [], math.nan, np.array([1, 2])]


@pytest.mark.parametrize("number", [*NO_WHOLE, 0, -1], ids=str)
def test_the_number_of_blocks_is_checked(number: Any) -> None:
    with pytest.raises(GameError, match=r"^blocks is a whole number from 1 up, not "):
        Plan("squad", blocks=number)


@pytest.mark.parametrize("number", [*NO_WHOLE, -1], ids=str)
def test_the_seed_is_checked(number: Any) -> None:
    with pytest.raises(GameError, match=r"^seed is a whole number from 0 up, not "):
        Plan("squad", seed=number)


@pytest.mark.parametrize("number", [one for one in NO_WHOLE if one is not None] + [-1], ids=str)
def test_the_opening_is_checked(number: Any) -> None:
    with pytest.raises(GameError, match=r"^opening is a whole number from 0 up, not "):
        Plan("squad", opening=number)


@pytest.mark.parametrize("name", ["", "chess", "Squad", None, 1, []], ids=str)
def test_the_game_is_checked(name: Any) -> None:
    with pytest.raises(icetable.UnknownGame, match="there are highrise, icefrogs, icehouse, squad, wrecktangle"):
        Plan(name)


@pytest.mark.parametrize("options", [5, "board", [("board", 6)], {1: 2}, {None: 1}], ids=str)
def test_options_are_values_by_name(options: Any) -> None:
    with pytest.raises(GameError, match=r"^options are values by name, not "):
        Plan("squad", options=options)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({"bord": 6}, "board"), ({"board": 7.5}, "whole number|allowed"), ({"players": 9}, "from 1 to 4")],
)
def test_wrong_options_are_answered_with_the_allowed_ones(options: dict[str, Any], allowed: str) -> None:
    with pytest.raises(icetable.BadOption, match=allowed):
        Plan("squad", options=options)


@pytest.mark.parametrize("seats", ["random", None, 1, [], ["random"] * 3, {"random": "greedy"}, {"random"}], ids=str)
def test_there_is_one_name_or_one_for_each_seat(seats: Any) -> None:
    with pytest.raises(GameError, match=r"^seats is one player or 2 of them, not "):
        Plan("squad", players=2, seats=seats)


@pytest.mark.parametrize("name", [None, 1, ("random",), b"random"], ids=str)
def test_a_name_is_text(name: Any) -> None:
    with pytest.raises(GameError, match=r"^a player is a name, or a callable of .*, not "):
        Plan("squad", seats=[name])


def test_one_wrong_name_among_good_ones_is_refused() -> None:
    with pytest.raises(GameError, match="there is no player 'greddy'; allowed: random, greedy, beginner"):
        Plan("squad", players=2, seats=["random", "greddy"])


def test_a_game_without_turns_has_no_opening() -> None:
    assert Plan("icehouse", seats=["beginner"]).opening == 0
    with pytest.raises(GameError, match="Icehouse has no turns, and no openings"):
        Plan("icehouse", seats=["beginner"], opening=1)


def test_games_that_chance_does_not_begin_begin_with_random_acts() -> None:
    """In High Rise chance decides in the end: until then equal players would play the same game again and again."""
    openings = {info.name: Plan(info.name, seats=["beginner"]).opening for info in icetable.list_games()}
    players = {info.name: info.default_players for info in icetable.list_games()}
    assert openings == {
        "highrise": OPENING_ACTS_PER_SEAT * players["highrise"],
        "icefrogs": OPENING_ACTS_PER_SEAT * players["icefrogs"],
        "icehouse": 0,
        "squad": OPENING_ACTS_PER_SEAT * players["squad"],
        "wrecktangle": 0,
    }


# Who sits where


@pytest.mark.parametrize(
    ("players", "seats", "orders"),
    [
        (2, "a", 1),
        (2, "ab", 2),
        (3, "a", 1),
        (3, "aab", 3),
        (3, "abc", 6),
        (4, "aabb", 6),
        (4, "aaab", 4),
        (4, "abcd", 24),
        (4, "abac", 12),
        (5, "a", 1),
        (5, "abcde", 5),
        (5, "aaaab", 5),
        (6, "ababab", 2),
        (6, "abcabc", 3),
    ],
)
def test_orders(players: int, seats: str, orders: int) -> None:
    """All distinct arrangements of names to four players, the distinct rotations above."""
    names = {letter: f"sims:{number + 1}" for number, letter in enumerate("abcdef")}
    plan = Plan("icefrogs", players, seats=[names[letter] for letter in seats], blocks=3)
    assert len(plan.orders) == orders
    assert plan.games == 3 * orders
    everyone = list(range(players))
    turned = [tuple(everyone[shift:] + everyone[:shift]) for shift in everyone]
    possible = list(permutations(everyone)) if players <= 4 else turned
    named = [tuple(plan.seats[player] for player in order) for order in plan.orders]
    assert set(plan.orders) <= set(possible)
    assert len(set(named)) == len(named)
    assert set(named) == {tuple(plan.seats[player] for player in order) for order in possible}
    assert list(plan.orders) == sorted(plan.orders)
    assert plan.orders[0] == tuple(everyone)


def test_in_all_orders_a_name_sits_everywhere_equally_often() -> None:
    for seats in (["greedy", "random", "random"], ["greedy", "sims:2", "random"], ["greedy", "greedy", "random"]):
        plan = Plan("squad", 3, seats=seats)
        for name in set(seats):
            counts = {sum(plan.seats[order[seat]] == name for order in plan.orders) for seat in range(3)}
            assert len(counts) == 1


@pytest.mark.parametrize("blocks", [1, 9, 10, 11, 20, 399])
@pytest.mark.parametrize("seats", [["random"], ["sims:2"], ["random", "sims:2"], ["greedy", "random"]], ids=str)
def test_batches_part_the_blocks(blocks: int, seats: list[str]) -> None:
    plan = Plan("squad", 2, seats=seats, blocks=blocks)
    parted = [block for batch in range(plan.batches) for block in plan.blocks_of(batch)]
    assert parted == list(range(blocks))
    assert all(len(plan.blocks_of(batch)) > 0 for batch in range(plan.batches))


@pytest.mark.parametrize(
    ("seats", "blocks"),
    [
        (["random"], 400),
        (["sims:50"], 400),
        (["sims:100"], 200),
        (["greedy", "sims:100/without=stunt"], 200),
        (["sims:5000"], 10),
        (["solver"], 20),
    ],
    ids=str,
)
def test_batches_are_long_where_players_are_quick(seats: list[str], blocks: int) -> None:
    """Else writing a batch would take longer than playing it."""
    assert Plan("squad", 2, seats=seats, blocks=1000).batch == blocks
    assert Plan("icehouse", 2, seats=["beginner"], blocks=1000).batch == 10


# A plan told, and read again

PLANS = [
    Plan("squad"),
    Plan("squad", 1, seats=["solver"], blocks=3, seed=10**30, opening=5),
    Plan("icefrogs", 5, {"board": "hexagon"}, ["sims:3", "random", "random", "greedy", "pure:2"], blocks=7),
    Plan("highrise", options={"values": [0, 1, 2, 3, 4, 5, 6, 7, 8]}, seats=["greedy/memory=3"]),
    Plan("icehouse", 3, seats=["hands=casual+mind=expert", "beginner", "merciless"]),
    Plan("wrecktangle", seats=["random/without=end"], blocks=np.int64(4), seed=np.int64(3)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("plan", PLANS, ids=repr)
def test_a_plan_is_the_same_again(plan: Plan) -> None:
    for again in (
        Plan.of(plan.described()),
        Plan.of(json.loads(json.dumps(plan.described()))),
        pickle.loads(pickle.dumps(plan)),
    ):
        assert again == plan
        assert (hash(again), again.key, repr(again)) == (hash(plan), plan.key, repr(plan))


def test_plans_that_differ_are_not_equal() -> None:
    assert len(set(PLANS)) == len({plan.key for plan in PLANS}) == len(PLANS)
    longer = Plan("squad", blocks=101)
    assert longer != Plan("squad", blocks=100)
    assert longer.key == Plan("squad", blocks=100).key
    assert longer.key != Plan("squad", blocks=101, seed=1).key
    assert longer != "squad"


GOOD = PLANS[0].described()


@pytest.mark.parametrize(
    "described",
    [
        None,
        5,
        "squad",
        [],
        {},
        [GOOD],
        {**GOOD, "moves": 3},
        {name: value for name, value in GOOD.items() if name != "seed"},
        {**GOOD, "form": FORMAT_VERSION + 1},
        {**GOOD, "form": None},
        {**GOOD, "game": "chess"},
        {**GOOD, "game": None},
        {**GOOD, "options": None, "seats": None},
        {**GOOD, "options": [1]},
        {**GOOD, "seats": "random"},
        {**GOOD, "blocks": "100"},
        {**GOOD, "opening": -3},
    ],
    ids=range(17),
)
def test_what_describes_no_plan_is_refused(described: Any) -> None:
    with pytest.raises(GameError) as error:
        Plan.of(described)
    assert str(error.value).isprintable()


# Seeds by key


def test_seeds_by_key() -> None:
    keys: list[tuple[int | str, ...]] = [
        (block, kind, turn, occurrence)
        for block in range(20)
        for kind in ("die", "coin", "deal")
        for turn in range(10)
        for occurrence in (1, 2)
    ]
    seeds = [seed_of(*key) for key in keys]
    assert len(set(seeds)) == len(keys)
    assert seeds == [seed_of(*key) for key in keys]
    assert all(1 <= seed < jit.SEED_LIMIT for seed in seeds)
    assert len({seed_of(1, 23), seed_of(12, 3), seed_of("1", 23), seed_of(1, "23"), seed_of(123), seed_of()}) == 6
