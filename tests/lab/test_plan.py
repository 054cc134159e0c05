"""Plans, and the blocks of games that they play."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
import pickle
import threading
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import CHANCE, GameError, State
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import jit
from icetable.kernels.layout import TURN
from icetable.lab import Plan
from icetable.lab.plan import (
    ACT_SEPARATOR,
    FORMAT_VERSION,
    MAX_OPENING_DRAWS,
    OPENING_ACTS_PER_SEAT,
    Openings,
    Row,
    final_state,
    play_block,
    seed_of,
)

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
def test_a_bad_description_of_a_plan_is_refused(described: Any) -> None:
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


PATIENCE = 30


def seats_of(name: str, players: int) -> list[str]:
    """Players that differ, and quick ones."""
    quick = ["casual", "beginner"] if name == "icehouse" else ["random", "greedy", "sims:3"]
    return list(itertools.islice(itertools.cycle(quick), players))


def plan_of(name: str, players: int, **others: Any) -> Plan:
    return Plan(name, players, seats=seats_of(name, players), seed=3, **others)


SHORTENED: dict[str, dict[str, Any]] = {"icehouse": {"timer": 60}, "wrecktangle": {"turn_limit": 30}}
"""Options that shorten long games."""
PLAYED_PLANS = [
    plan_of(info.name, players, blocks=2 if info.turns and players < 3 else 1, options=SHORTENED.get(info.name))
    for info in icetable.list_games()
    for players in range(info.players[0], info.players[1] + 1)
    if info.turns or players < 3
]
PLAYED_PLANS += [
    Plan(
        "highrise", options={"values": [10**9, 0, 0, 5, 5, 5, 1, 2, 3]}, seats=["greedy/memory=2", "random"], blocks=2
    ),
    Plan("highrise", options={"memory": "off"}, opening=7, blocks=2),
    Plan("icefrogs", 2, {"turn_limit": 9}, blocks=3),
    Plan("squad", 1, seats=["solver"], blocks=2, opening=3),
    Plan("squad", 2, opening=0, seats=["random", "random/without=stunt"], blocks=2),
    Plan("wrecktangle", 3, {"turn_limit": 5}, blocks=2, opening=4),
]
each_plan = pytest.mark.parametrize("plan", PLAYED_PLANS, ids=range(len(PLAYED_PLANS)))


@functools.cache
def played(plan: Plan) -> list[Row]:
    return [row for block in range(plan.blocks) for row in play_block(plan, block)]


# Rows


@each_plan
def test_a_block_is_played_once_in_each_order(plan: Plan) -> None:
    rows = played(plan)
    assert [(row.block, row.game) for row in rows] == [
        (block, number) for block in range(plan.blocks) for number in range(len(plan.orders))
    ]
    assert [tuple(row.players) for row in rows] == list(plan.orders) * plan.blocks


@each_plan
def test_rows_say_what_was_played(plan: Plan) -> None:
    """Their log is played again here through the public state, and all else follows from that."""
    for row in played(plan):
        state = plan.game.start()
        acts = row.log.split("\n")
        times: Sequence[int | None] = row.times or [None] * len(acts)
        assert len(acts) == len(row.seats) == len(row.choices) == len(times)
        turns = 0
        for act, seat, choices, at in zip(acts, row.seats, row.choices, times, strict=True):
            assert seat in state.to_act
            if plan.game.info.turns:
                assert choices == (0 if seat == CHANCE else len(state.legal_actions()))
            else:
                assert choices == 0
            turns += seat != CHANCE
            state = state.apply(act, seat, None if at is None else at / 1000)
        assert state.is_terminal
        winners = len(state.winners)
        assert row.shares == [1 / winners if seat in state.winners else 0.0 for seat in range(plan.game.players)]
        assert sum(row.shares) == pytest.approx(1)
        assert row.points == list(state.scores)
        assert row.ended_by == state.ended_by
        assert row.turns == (int(state.position[TURN]) if isinstance(state, TurnState) else turns)
        assert row.times == sorted(row.times)
        assert final_state(plan, row) == state
        assert [one.act for one in final_state(plan, row).history()] == [one.act for one in state.history()]


@each_plan
def test_rows_are_made_of_what_every_format_knows(plan: Plan) -> None:
    for row in played(plan)[:3]:
        for value in row:
            items = value if isinstance(value, list) else [value]
            assert {type(item) for item in items} <= {int, float, str}


@each_plan
def test_a_block_is_the_same_alone(plan: Plan) -> None:
    """The last one without those before, by a plan with other numbers of blocks."""
    block = plan.blocks - 1
    alone = Plan.of({**plan.described(), "blocks": 50})
    assert play_block(alone, block) == [row for row in played(plan) if row.block == block]


def test_another_seed_is_another_game() -> None:
    for info in icetable.list_games():
        one, other = (
            Plan(info.name, None, SHORTENED.get(info.name), ["random" if info.turns else "beginner"], seed=seed)
            for seed in (1, 2)
        )
        assert play_block(one, 0)[0].log != play_block(other, 0)[0].log
        assert play_block(one, 0)[0].log != play_block(one, 1)[0].log


def test_equal_players_draw_apart() -> None:
    """Two seats of one name do not play the same random numbers."""
    (row,) = play_block(Plan("highrise", opening=0), 0)
    acts = row.log.split(ACT_SEPARATOR)
    assert acts[0:20:2] != acts[1:20:2]


# Openings


def opening_of(plan: Plan, row: Row) -> tuple[State, list[str]]:
    """The state after the opening, and its acts."""
    state, left = plan.game.start(), plan.opening
    acts = row.log.split(ACT_SEPARATOR)
    for number, (act, seat) in enumerate(zip(acts, row.seats, strict=True)):
        if not left:
            return state, acts[:number]
        state = state.apply(act)
        left -= seat != CHANCE
    raise AssertionError("the game ended in its opening")


def fingerprint(state: State) -> str:
    assert isinstance(state, TurnState)
    return hashlib.sha256(state.position.tobytes()).hexdigest()[:16]


OPENED = [
    Plan(info.name, players, SHORTENED.get(info.name), blocks=20, opening=opening, seed=4)
    for info in icetable.list_games()
    if info.turns
    for players in {max(2, info.players[0]), info.players[1]}
    for opening in (1, 5)
]


@pytest.mark.parametrize("plan", OPENED, ids=repr)
def test_openings_differ(plan: Plan) -> None:
    rows = [play_block(plan, block)[0] for block in range(plan.blocks)]
    opened = [opening_of(plan, row) for row in rows]
    for row, (state, _) in zip(rows, opened, strict=True):
        assert not state.is_terminal
        assert row.opening == fingerprint(state)
    different = {row.opening for row in rows}
    if plan.opening > 1:
        assert len(different) == plan.blocks
    else:
        assert len(different) > 1


@pytest.mark.parametrize("plan", OPENED[:4], ids=repr)
def test_all_games_of_a_block_have_its_opening(plan: Plan) -> None:
    varied = Plan.of({**plan.described(), "seats": ["random", "greedy", *["greedy"] * 4][: plan.game.players]})
    for block in range(3):
        openings = [opening_of(varied, row)[1] for row in play_block(varied, block)]
        assert openings == [openings[0]] * len(varied.orders)
        assert openings[0] == opening_of(plan, play_block(plan, block)[0])[1]


@pytest.mark.parametrize("plan", OPENED, ids=repr)
def test_a_longer_run_begins_with_the_same_openings(plan: Plan) -> None:
    assert isinstance(plan.game, TurnGame)
    short, long = Openings(plan, plan.game), Openings(Plan.of({**plan.described(), "blocks": 500}), plan.game)
    longest = long.of(40)
    assert [short.of(block) for block in (20, 3, 11, 20)] == [long.of(block) for block in (20, 3, 11, 20)]
    assert short.of(40) == longest


def test_a_game_too_small_for_different_openings_repeats_them() -> None:
    """Squad's first act has so many results; more blocks than that can't all differ, and the drawing still ends."""
    plan = Plan("squad", 2, {"board": 4}, blocks=60, opening=1)
    assert isinstance(plan.game, TurnGame)
    start = plan.game.start()
    possible = {start.apply(act).position.tobytes() for act in start.legal_actions()}
    openings = Openings(plan, plan.game)
    found = []
    for block in range(plan.blocks):
        (act,) = openings.of(block)
        found.append(start.apply(act).position.tobytes())
    assert len(possible) < plan.blocks
    assert set(found) <= possible
    assert len(set(found[: len(possible) // 2])) == len(possible) // 2
    assert len(set(found)) > 0.9 * len(possible)


def test_an_opening_is_drawn_again_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan("squad", 2, blocks=3, opening=0)
    assert isinstance(plan.game, TurnGame)
    drawn: list[tuple[int, int]] = []
    before = Openings._open

    def noted(self: Openings, block: int, attempt: int) -> TurnState:
        drawn.append((block, attempt))
        return before(self, block, attempt)

    monkeypatch.setattr(Openings, "_open", noted)
    assert Openings(plan, plan.game).of(0) == ()
    assert Openings(plan, plan.game).of(1) == ()
    assert drawn == [(0, 0), (0, 0), *((1, attempt) for attempt in range(MAX_OPENING_DRAWS))]


def test_an_opening_ends_before_the_game() -> None:
    plan = Plan("squad", 2, blocks=5, opening=1000, seats=["random", "greedy"])
    for block in range(plan.blocks):
        for row in play_block(plan, block):
            assert row.opening
            assert len(row.seats) >= 1
    logs = [[row.log for row in play_block(plan, block)] for block in range(plan.blocks)]
    assert all(len(one) == 2 for one in logs)


def test_threads_share_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that need an opening at the same time get the same one: none is drawn twice."""
    plan = Plan("squad", 2, blocks=40, opening=4)
    assert isinstance(plan.game, TurnGame)
    alone = Openings(plan, plan.game)
    expected = [alone.of(block) for block in range(8)]
    shared, begun, other_waits = Openings(plan, plan.game), threading.Event(), threading.Event()
    before = Openings._open

    def slow(self: Openings, block: int, attempt: int) -> TurnState:
        """The first draw lasts until the other thread has had every chance to draw as well."""
        if not begun.is_set():
            begun.set()
            other_waits.wait(0.5)
        else:
            other_waits.set()
        return before(self, block, attempt)

    monkeypatch.setattr(Openings, "_open", slow)
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(shared.of, 7)
        assert begun.wait(PATIENCE)
        other = pool.submit(shared.of, 7)
        assert one.result(PATIENCE) == other.result(PATIENCE) == expected[7]
    assert [shared.of(block) for block in range(8)] == expected


# Chance


def chances(plan: Plan, row: Row) -> dict[tuple[str, int], list[str]]:
    """The acts of chance in a game, by kind and turn."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    state = plan.game.start()
    for act, seat in zip(row.log.split(ACT_SEPARATOR), row.seats, strict=True):
        if seat == CHANCE:
            assert isinstance(state, TurnState)
            found[act.partition(":")[0], int(state.position[TURN])].append(act)
        state = state.apply(act)
    return found


CHANCY = [info.name for info in icetable.list_games() if getattr(info.load(), "chance_parts", ())]
VARIED: dict[str, list[dict[str, Any]]] = {
    "wrecktangle": [{}, {"rectangles": "tilted"}, {"leap": True}, {"fallen": "stay"}],
    "highrise": [{}, {"memory": "off"}],
}


@pytest.mark.parametrize("name", CHANCY)
def test_plans_that_differ_meet_the_same_die_in_the_same_turn(name: str) -> None:
    """With other players, in other orders, and by other readings of a rule."""
    plans = [Plan(name, 2, options, seats, seed=5) for options in VARIED[name] for seats in (["random"], ["greedy"])]
    plans.append(Plan(name, 2, seats=["random", "sims:5"], seed=5))
    for block in range(3):
        games = [chances(plan, row) for plan in plans for row in play_block(plan, block)]
        assert len(games) == len(plans) + 1
        shared = 0
        for one, other in itertools.combinations(games, 2):
            for key in one.keys() & other.keys():
                both = min(len(one[key]), len(other[key]))
                assert one[key][:both] == other[key][:both]
                shared += both
        assert shared >= len(games) - 1


@pytest.mark.parametrize("name", CHANCY)
def test_another_seed_or_block_or_turn_is_another_die(name: str) -> None:
    rows = [
        (plan, row)
        for seed in (1, 2)
        for plan in [Plan(name, 2, seed=seed)]
        for block in range(8)
        for row in play_block(plan, block)
    ]
    found = [tuple(itertools.chain.from_iterable(chances(plan, row).values())) for plan, row in rows]
    assert len(set(found)) == len(rows)
    longest = max(found, key=len)
    assert name == "highrise" or len(set(longest)) > 2


def test_the_bell_of_a_block_is_the_same_in_every_order() -> None:
    plan = Plan("icehouse", 2, {"timer": 60}, ["beginner", "casual"])
    rows = play_block(plan, 0)
    assert len(rows) == 2
    bells = []
    for row in rows:
        ready = max(at for act, at in zip(row.log.split(ACT_SEPARATOR), row.times, strict=True) if act == "ready")
        if row.seats[-1] == CHANCE:
            bells.append(row.times[-1] - ready)
    assert len(bells) == 2
    assert bells[0] == bells[1]
    assert play_block(plan, 1)[0].times[-1] != rows[0].times[-1]
