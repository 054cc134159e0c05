"""The player of Icehouse, on positions where the right plan is known."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import icetable
from icetable.bots.levels import REAL_TIME_LEVELS
from icetable.core.realtime import HandMove, Skill
from icetable.games.icehouse import evaluation, rules
from icetable.games.icehouse.game import Icehouse, IcehouseState
from icetable.games.icehouse.policy import HOME_RANGE, STALL_SECONDS, Policy, near_home
from icetable.games.icehouse.position import read_view
from icetable.games.icehouse.view import FieldPiece
from tests.both_modes import said_in_both_modes

from .oracle import Oracle
from .product import state_of

BEST = REAL_TIME_LEVELS[-1]
RED, GREEN = 0, 1


def laid(
    drawing: str,
    pads: dict[int, str] | None = None,
    players: int = 2,
    hands: dict[int, str] | None = None,
    **options: Any,
) -> IcehouseState:
    """A position a minute after the start, as `Oracle.laid` draws it."""
    position = Oracle.laid(drawing, players=players, pads=pads, hands=hands, **options)
    position.clock = 60_000
    return state_of(position)


def policy_of(state: IcehouseState, seat: int, now: float = 60.0, skill: Skill = BEST.skill) -> Policy:
    """The policy of a skill, looking at a state."""
    assert isinstance(state.game, Icehouse)
    policy = Policy(state.game.start(), state.game.options, skill, 1)
    policy.see(json.loads(json.dumps(state.view(seat))), now)
    return policy


def planned(state: IcehouseState, seat: int, now: float = 60.0, skill: Skill = BEST.skill) -> IcehouseState:
    """The state after the plan of the policy of a skill."""
    policy = policy_of(state, seat, now, skill)
    plan = policy.plan(BEST.pace)
    assert plan is not None
    if not policy.holds:
        state = state.apply(policy.take(plan), seat)
    return state.apply(policy.put(plan), seat)


def opportunities(state: IcehouseState, seat: int, now: float = 60.0) -> list[str]:
    return [chance.act for chance in policy_of(state, seat, now).opportunities()]


# Seeing


@pytest.mark.parametrize("seed", range(3))
def test_a_view_is_enough_to_know_the_field(seed: int) -> None:
    game = icetable.games.load("icehouse", players=2 + seed, range=("gap", "ray")[seed % 2])
    assert isinstance(game, Icehouse)
    last = game.random_game(np.random.default_rng(seed))
    unseen = [rules.CLOCK, rules.LAST_ID, rules.QUIET_UNTIL, *range(rules.PAUSED_UNTIL, rules.HAND)]
    unseen += [*range(rules.DUE, rules.PADS), 4, 5]
    for state in last.history():
        assert isinstance(state, IcehouseState)
        table, field = read_view(game.start().table, game.colours, state.view(0))
        assert (field[: len(state.field)] == state.field).all()
        assert (np.delete(table, unseen) == np.delete(state.table, unseen)).all()


def test_both_modes_think_the_same() -> None:
    program = """
import numpy as np, icetable
from icetable.bots.levels import REAL_TIME_LEVELS
game = icetable.load("icehouse", players=3)
states = list(game.random_game(np.random.default_rng(4)).history())
for number in 12, 30:
    policy = game.mind(REAL_TIME_LEVELS[1].skill, 7)
    policy.see(states[number].view(0), 50.0)
    print(policy.plan(6.0), policy.opportunities(), policy.in_danger())
"""
    assert "HandMove(" in said_in_both_modes(program)


# Duties


def test_a_player_gets_ready_once() -> None:
    state = icetable.load("icehouse", players=2).start()
    assert isinstance(state, IcehouseState)
    assert policy_of(state, RED).duty() == "ready"
    assert policy_of(state.apply("ready", RED), RED).duty() is None


def test_a_gift_is_small_and_goes_to_the_last() -> None:
    """Blue is ahead of green. A small prisoner would do as well, but it is green's."""
    drawing = """
        blue L 3000,3000 stand 0.0
        red M 6000,6000 stand 0.0
        green S 9000,9000 stand 0.0
    """
    state = laid(drawing, players=3).apply("icehouse", RED)
    assert policy_of(state, RED).duty() == "give S:red green"
    state = laid(drawing, {GREEN: "5M 5L", 2: "5S 5M 4L 4S:green"}, players=3).apply("icehouse", 2)
    assert policy_of(state, 2).duty() == "give S:green red"


def test_a_crashed_piece_is_given_away() -> None:
    state = laid("red L 5000,5000 stand 0.0", hands={GREEN: "M"}).apply("place 5100,5000 stand 0.0", GREEN)
    assert policy_of(state, GREEN).duty() == "give M:green red"


# Chances

ICED = """
    red M 12000,12000 stand 0.0
    green L 9800,12000 point 0.0
    green S 1000,1000 stand 0.0
    green S 3000,1000 stand 0.0
"""


@pytest.mark.parametrize(
    ("left", "hand", "expected"), [("5S 3M", {}, []), ("5S 2M", {}, ["icehouse"]), ("5S 2M", {RED: "L"}, [])]
)
def test_icehouse_is_called_just_when_it_finds_somebody(left: str, hand: dict[int, str], expected: list[str]) -> None:
    """A piece in hand is back on the pad when it is called."""
    state = laid(ICED, {RED: left}, hands=hand)
    assert opportunities(state, GREEN) == expected
    found = "finds red" in map(str, state.apply("icehouse", GREEN).effects)
    assert found == bool(expected)


def test_nobody_calls_the_icehouse_on_themselves() -> None:
    state = laid(ICED, {RED: "5S 2M"})
    assert "icehouse" not in opportunities(state, RED)
    assert policy_of(state, RED).in_danger()
    assert not policy_of(state, GREEN).in_danger()


def test_a_call_waits_until_calls_are_not_void_any_more() -> None:
    """Blue is vulnerable too once it has played its eighth piece, half a second after red was found."""
    drawing = ICED + "blue M 16000,16000 stand 0.0\n green L 13800,16000 point 0.0\n blue S 20000,2000 stand 0.0"
    drawing += "\n green L 18500,2000 point 0.0"
    state = laid(drawing, {RED: "5S 2M", 2: "4S 4M"}, players=4)
    policy = policy_of(state, GREEN)
    state = state.apply("icehouse", GREEN, 61)
    policy.see(state.view(GREEN), 61.0)
    assert policy.opportunities() == []
    state = state.apply("lift M", 2, 61.1).apply("place 1000,2300 point 270.0", 2, 61.5)
    policy.see(state.view(GREEN), 61.5)
    (chance,) = policy.opportunities()
    assert chance.act == "icehouse"
    assert 62.5 < chance.since < 63
    assert "void 1500" in map(str, state.apply("icehouse", GREEN, 62.5).effects)
    assert "finds blue" in map(str, state.apply("icehouse", GREEN, chance.since).effects)


def test_the_redundant_attacker_worth_most_is_captured() -> None:
    drawing = """
        red S 12000,12000 stand 0.0
        red S 2000,2000 stand 0.0
        green S 1000,20000 stand 0.0
        green S 3000,20000 stand 0.0
        green M 10800,12000 point 0.0
        green L 13500,12000 point 180.0
    """
    assert opportunities(laid(drawing), RED) == ["capture p6"]
    assert opportunities(laid(drawing), GREEN) == []


def test_a_meltdown_is_called_on_others_only() -> None:
    drawing = """
        red S 12000,12000 stand 0.0
        red S 2000,2000 stand 0.0
        green S 1000,20000 stand 0.0
        green M 10800,12000 point 0.0
    """
    assert opportunities(laid(drawing), RED) == ["meltdown green"]
    assert opportunities(laid(drawing), GREEN) == []
    assert opportunities(laid(drawing.replace("green S", "green M"), meltdown="call"), RED) == ["meltdown green"]


# Plans


def test_the_first_two_pieces_defend() -> None:
    state = laid("green M 12000,12000 stand 0.0\ngreen M 15000,12000 stand 0.0")
    for _ in range(rules.MIN_DEFENDERS):
        state = planned(state, RED)
        assert state.pieces()[-1]["standing"]


def all_played(state: IcehouseState, seat: int) -> list[FieldPiece]:
    """The field after some plans."""
    for _ in range(3):
        state = planned(state, seat, LAST_CHANCE)
    return state.pieces()


LAST_CHANCE = 475.0
"""When the bell may ring in seconds: nobody waits any more."""
TWO_RED = "red S 500,500 stand 0.0\nred S 500,1500 stand 0.0\n"


@pytest.mark.parametrize(("victim", "size"), [("S", "M"), ("M", "L")])
def test_an_attack_is_as_large_as_it_takes(victim: str, size: str) -> None:
    state = laid(f"{TWO_RED}green {victim} 12000,12000 stand 0.0", {RED: "1S 1M 1L", GREEN: ""})
    attack = next(piece for piece in all_played(state, RED) if piece["points_at"])
    assert (attack["points_at"], attack["colour"], attack["size"]) == ("p3", "red", size)


def test_an_attack_joins_another() -> None:
    """Neither of the two ices a large piece alone."""
    drawing = f"{TWO_RED}green L 12000,12000 stand 0.0\ngreen S 23000,23000 stand 0.0\nblue M 10400,12000 point 0.0"
    state = laid(drawing, {RED: "1M"}, players=3)
    assert planned(state, RED, LAST_CHANCE).scores[RED] == 1 + 1 + 2


LARGE = f"{TWO_RED}green L 12000,12000 stand 0.0\n"


FEARLESS = replace(BEST.skill, foresight=0.0)
"""No care for its own defenders distracts it."""


def test_a_large_piece_is_iced_with_two() -> None:
    """Long before the bell, when a piece that is kept is worth as much as one that scores."""
    state = laid(LARGE, {RED: "1S 1L"})
    for _ in range(2):
        state = planned(state, RED, skill=FEARLESS)
    assert [piece["id"] for piece in state.pieces() if piece["iced"]] == ["p3"]
    assert not any(piece["redundant"] for piece in state.pieces())


def sizes_played(choice: int | None, left: str) -> str:
    """The sizes of the pieces that a player without patience places one after another, as long as it has any."""
    state = laid("", {RED: left})
    for _ in left.split():
        state = planned(state, RED, LAST_CHANCE, replace(BEST.skill, choice=choice))
    return "".join(piece["size"] for piece in state.pieces())


def test_a_player_who_chooses_among_few_kinds_plays_small_pieces_first() -> None:
    assert sizes_played(None, "1S 1M 1L")[0] == "L"
    assert sizes_played(2, "1S 1M 1L")[0] == "M"
    assert sizes_played(1, "1S 1M 1L") == "SML"


def test_a_piece_in_hand_is_played_whatever_else_is_left() -> None:
    state = laid("", {RED: "1S 1M"}, hands={RED: "L"})
    played = planned(state, RED, LAST_CHANCE, replace(BEST.skill, choice=1))
    assert [piece["size"] for piece in played.pieces()] == ["L"]


@pytest.mark.parametrize("left", ["1L", "1M", "3S"])
def test_nobody_begins_what_the_pieces_left_cannot_end(left: str) -> None:
    policy = policy_of(laid(LARGE, {RED: left}), RED, skill=FEARLESS)
    plan = policy.plan(BEST.pace)
    assert plan is None or rules.verb_of(plan.place) == rules.STAND


def test_a_player_without_confidence_begins_nothing_that_takes_two() -> None:
    policy = policy_of(laid(LARGE, {RED: "1S 1L"}), RED, skill=replace(FEARLESS, confidence=0.0))
    plan = policy.plan(BEST.pace)
    assert plan is None or rules.verb_of(plan.place) == rules.STAND


def test_an_attack_is_ended_before_another_begins() -> None:
    """The pieces that are left can't ice both."""
    begun = f"{LARGE}red L 9700,12000 point 0.0\ngreen L 18000,6000 stand 0.0"
    attack = planned(laid(begun, {RED: "1S 1M"}), RED, skill=FEARLESS).pieces()[-1]
    assert (attack["points_at"], attack["size"]) == ("p3", "S")


def test_an_iced_defender_is_freed_by_what_stands_between() -> None:
    """The piece that stands there is iced, but worth less; green has nothing left to strike back with."""
    drawing = """
        red L 12000,12000 stand 0.0
        red M 2000,2000 stand 0.0
        green L 9200,12000 point 0.0
        green L 12000,9200 point 90.0
        green S 1000,20000 stand 0.0
        green S 3000,20000 stand 0.0
    """
    state = laid(drawing, {RED: "1S", GREEN: ""})
    assert state.scores[RED] == 2
    assert planned(state.apply("lift S", RED), RED, LAST_CHANCE).scores[RED] == 2 + 3


def test_a_player_in_danger_gets_out_of_it() -> None:
    state = laid(ICED, {RED: "5S 2M"})
    assert not policy_of(planned(state, RED), RED).in_danger()


@pytest.mark.parametrize("seed", range(5))
def test_a_plan_is_legal_and_holds_until_its_place_is_taken(seed: int) -> None:
    state = laid(ICED)
    policy = Policy(state.game.start(), state.game.options, BEST.skill, seed)
    policy.see(state.view(RED), LAST_CHANCE)
    plan = policy.plan(BEST.pace)
    assert plan is not None
    assert policy.wants(plan)
    lifted = state.apply(policy.take(plan), RED)
    policy.see(lifted.view(RED), LAST_CHANCE)
    assert policy.holds
    assert policy.wants(plan)
    assert lifted.fault(policy.put(plan), RED) is None
    other = lifted.apply("lift S", GREEN)
    x, y, heading = rules.place_of(plan.place)
    taken = other.apply(f"place {x},{y} stand {heading / 10}", GREEN)
    policy.see(taken.view(RED), LAST_CHANCE)
    assert not policy.wants(plan)
    anew = policy.plan(BEST.pace)
    assert anew is not None
    assert taken.fault(policy.put(anew), RED) is None


def test_patience_ends_before_the_bell_may_ring() -> None:
    state = laid(ICED)
    spent = [policy_of(state, RED, now).keep(BEST.pace) for now in (61.0, 200.0, 400.0, LAST_CHANCE)]
    assert spent == sorted(spent, reverse=True)
    assert spent[0] > 0
    assert spent[-1] == 0


def test_patience_ends_sooner_where_there_is_less_calm() -> None:
    """A share of the time left is about 31 seconds here."""
    state = laid(ICED, {RED: "5S 4M 4L"})
    kept: dict[float, list[float]] = {}
    for start in (0.5, 1.5):
        policy = policy_of(state, RED, skill=replace(BEST.skill, discount_start=start))
        kept[start] = []
        for now in (60.0, 85.0, 115.0, 145.0):
            policy.see(state.view(RED), now)
            kept[start].append(policy.keep(BEST.pace))
    assert kept[0.5][0] == kept[1.5][0] == 1
    assert kept[0.5][1] < kept[1.5][1] == 1
    assert kept[0.5][2] == 0 < kept[1.5][2]
    assert kept[1.5][3] == 0


# Where a player settles

INNER = range(6_000, 18_001)
"""Of both sides of a field of 24 inches: its middle."""


def homes(foresight: float) -> list[list[int]]:
    game = icetable.games.load("icehouse")
    assert isinstance(game, Icehouse)
    skill = replace(BEST.skill, foresight=foresight)
    return [Policy(game.start(), game.options, skill, seed).home.tolist() for seed in range(200)]


def test_players_settle_in_the_middle_and_who_foresees_most_in_corners_too() -> None:
    shares = []
    for foresight in (0.0, 1.0):
        found = homes(foresight)
        inner = [(x, y) for x, y in found if x in INNER and y in INNER]
        shares.append((len(inner) / 200, sum({x, y} <= {0, 24_000} for x, y in found) / 200))
    (middle, corners), (few_in_the_middle, many_corners) = shares
    assert corners == 0
    assert many_corners > few_in_the_middle > 0.1
    assert middle > 0.4


@pytest.mark.parametrize("home", [(0, 24_000), (12_000, 0), (9_000, 13_000)])
def test_pieces_stand_round_the_home_and_along_the_edge_where_that_is_near(home: tuple[int, int]) -> None:
    table, rng = laid("").table, np.array([7], np.int64)
    for _ in range(100):
        x, y, _ = rules.place_of(near_home(table, np.array(home), 500, rng))
        assert abs(x - home[0]) <= HOME_RANGE
        assert abs(y - home[1]) <= HOME_RANGE
        assert 500 <= x <= 23_500
        assert 500 <= y <= 23_500


# What a place is worth


def test_a_corner_is_safer_than_the_open_and_walls_shelter() -> None:
    open_field, corner = laid("red M 12000,12000 stand 0.0"), laid("red M 400,400 stand 0.0")
    fortress = laid(
        "red M 400,400 stand 0.0\nred M 1200,400 stand 0.0\nred M 400,1200 stand 0.0\nred S 1100,1100 stand 0.0"
    )
    exposures = [exposure_of(state, 0) for state in (open_field, corner, fortress)]
    assert exposures == sorted(exposures, reverse=True)
    assert exposures[0] == evaluation.MAX_EXPOSURE
    assert exposures[2] == 0


def exposure_of(state: IcehouseState, row: int) -> int:
    assert isinstance(state.game, Icehouse)
    table, field = read_view(state.game.start().table, state.game.colours, state.view(0))
    return int(evaluation.exposure(table, field, row))


@pytest.mark.parametrize("hand_error", [0, 20])
def test_the_hand_is_as_steady_as_its_skill(hand_error: int) -> None:
    state = laid(ICED)
    policy = Policy(state.game.start(), state.game.options, replace(BEST.skill, hand_error=hand_error), 3)
    policy.see(state.view(RED), 60.0)
    plan = HandMove(0, rules.placement_of(rules.STAND, 12_000, 9_000, 3_599))
    places = {policy.put(plan) for _ in range(50)}
    assert (len(places) > 1) == bool(hand_error)
    for place in places:
        x, y = map(int, place.split()[1].split(","))
        assert max(abs(x - 12_000), abs(y - 9_000)) <= 1.5 * hand_error


STANDS = "red L 2000,2000 stand 0.0\nred L 22000,2000 stand 0.0\nblue L 22000,22000 stand 0.0\n"


@pytest.mark.parametrize(
    ("green", "pads", "plays"),
    [
        ("green S 2000,22000 stand 0.0", {RED: "", GREEN: "1L:blue", 2: "1L:green"}, True),
        ("green S 2000,22000 stand 0.0", {RED: "1S", GREEN: "1L:blue", 2: "1L:green"}, False),
        (
            "\n".join(f"green L {x},22000 stand 0.0" for x in (2000, 5000, 8000)),
            {RED: "", GREEN: "1L:red", 2: "1S"},
            False,
        ),
    ],
    ids=["all wait", "red has a piece left", "green would not win any more"],
)
def test_a_prisoner_is_played_when_all_wait_for_the_bell(green: str, pads: dict[int, str], plays: bool) -> None:
    """A player who is done waits for the others, since the game ends when all is placed (IH-32)."""
    state = laid(STANDS + green, {2: "", **pads}, players=3)
    policy = policy_of(state, GREEN)
    assert policy.plan(BEST.pace) is None
    policy.see(json.loads(json.dumps(state.view(GREEN))), 60.0 + STALL_SECONDS)
    assert (policy.plan(BEST.pace) is not None) == plays
