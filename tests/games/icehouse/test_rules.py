"""Rules worked out by hand where one number makes the difference, for the oracle and the product.

The stories tell the rest. The rules that no act is refused by or brings about are IH-1 … IH-5, IH-8, IH-9 and IH-36:
those are tested in `test_match.py` and `test_geometry_oracle.py`, too.
"""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import State

from .oracle import Oracle
from .product import Paired
from .test_stories import attempt, pad

RED, GREEN, BLUE = range(3)


def laid(drawing: str = "", **settings: Any) -> Oracle:
    """The position of a drawing, for three players, with the product at its side."""
    return Paired.laid(drawing, players=3, **settings)


def play(position: Oracle, *acts: str) -> Oracle:
    """The position to which acts such as "0 lift L" or "0@1500 lift L", with a time, lead."""
    for act in acts:
        position = position.apply(*attempt(act))
    return position


def fault(position: Oracle, act: str) -> str | None:
    """The rule that such an act breaks."""
    return position.fault(*attempt(act))


@pytest.mark.parametrize(("x", "legal"), [(8010, True), (8011, False), (8012, False)])
@pytest.mark.rule("IH-11")
def test_ih_11_range_is_strictly_less(x: int, legal: bool) -> None:
    """Tip at 5910, side at x - 281: the gap of 1820 is out of range, 1819 in it."""
    position = play(laid(f"green S {x},5000 stand 0.0"), "0 lift L")
    assert fault(position, "0 place 5000,5000 point 0.0") == (None if legal else "IH-12")


@pytest.mark.rule("IH-4")
def test_ih_4_shorter_by_height() -> None:
    """Length 1750: tip at 5875, range 1750, so the side at x - 281 must be below 7625."""
    for x, expected in ((7905, None), (7906, "IH-12")):
        position = play(laid(f"green S {x},5000 stand 0.0", length="height"), "0 lift L")
        assert fault(position, "0 place 5000,5000 point 0.0") == expected


@pytest.mark.parametrize(
    ("x", "by_gap", "by_ray"),
    [(8136, None, None), (8137, None, "IH-12"), (8138, None, "IH-12"), (8500, "IH-12", "IH-12")],
)
@pytest.mark.rule("IH-11")
def test_ih_11_range_by_gap_or_ray(x: int, by_gap: str | None, by_ray: str | None) -> None:
    """The lower left side of the turned target runs from (x - 707, 5300) to (x, 4593).

    At y = 5000 it is at x - 407; the tip is at 5910: along the ray that is 1820 for x = 8137. The gap is to the left
    corner, for x = 8138 that is √(1521² + 300²), 1550; for x = 8500 √(1883² + 300²), 1906.
    """
    for option, expected in (("gap", by_gap), ("ray", by_ray)):
        position = play(laid(f"green L {x},5300 stand 45.0", range=option), "0 lift L")
        assert fault(position, "0 place 5000,5000 point 0.0") == expected


CRACK = """
    green L 8000,5500 stand 0.0
    green L 8000,{y} stand 0.0
    green S 9000,5000 stand 0.0
"""
"""The attacker's tip is to be at 7400, its range 1820: the small one, with its side at 8719, is near enough."""


@pytest.mark.parametrize(("y", "points_at", "expected"), [(4500, None, "IH-12"), (4499, 3, None)])
@pytest.mark.rule("IH-10")
def test_ih_10_a_wall_without_gaps_is_sealed(y: int, points_at: int | None, expected: str | None) -> None:
    position = play(laid(CRACK.format(y=y)), "0 lift L")
    assert fault(position, "0 place 6490,5000 point 0.0") == expected
    if expected is None:
        status = play(position, "0 place 6490,5000 point 0.0").statuses()[4]
        assert (status.points_at, status.valid) == (points_at, True)


@pytest.mark.parametrize(("x", "rule"), [(6000, None), (5999, "IH-5"), (5970, "IH-5"), (5969, "crash")])
@pytest.mark.rule("IH-30")
def test_ih_30_tolerance(x: int, rule: str | None) -> None:
    """The box on the field ends at 5500: touching, overlaps of 1, of 30 and of 31 thousandths."""
    box = "green L 5000,5000 stand 0.0"
    act = f"0 place {x},5000 stand 0.0"
    for option, crashes in (("penalty", None), ("refuse", "IH-5")):
        position = play(laid(box, crash=option), "0 lift L")
        assert fault(position, act) == (crashes if rule == "crash" else rule)
    refused = play(laid(box, tolerance=0), "0 lift L")
    assert (fault(refused, act) is None) == (rule != "IH-5" or x < 6000)
    assert fault(play(laid(box, tolerance=0.031), "0 lift L"), act) == ("IH-5" if rule else None)


@pytest.mark.parametrize(
    ("above", "below", "redundant"),
    [("", "", set()), ("blue S", "", {3}), ("blue M", "", {3}), ("blue L", "", {2, 3}), ("blue S", "blue S", {3, 4})],
    ids=str,
)
@pytest.mark.rule("IH-25")
def test_ih_25_an_attacker_is_redundant_where_the_others_are_enough(
    above: str, below: str, redundant: set[int]
) -> None:
    """Green's 3 alone ice red's 2; without green's only another 3 would."""
    drawing = "red M 12000,12000 stand 0.0\ngreen L 10500,12000 point 0.0"
    for attacker, place in ((above, "12000,13400 point 270.0"), (below, "12000,10600 point 90.0")):
        drawing += f"\n{attacker} {place}" if attacker else ""
    position = laid(drawing)
    assert position.statuses()[1].iced
    assert {id_ for id_, status in position.statuses().items() if status.redundant} == redundant
    assert position.catch(RED) == redundant
    assert {act for act in position.legal(0) if act.startswith("capture")} == {f"capture p{id_}" for id_ in redundant}


@pytest.mark.parametrize("stance", ["stand", "point"])
@pytest.mark.rule("IH-29")
def test_ih_29_prisoners_are_played_by_the_same_rules(stance: str) -> None:
    """One in hand at a time, on free ground, and lying only where it attacks; it leaves the pad that it was on."""
    position = laid("green S 5000,5000 stand 0.0", pads={0: "1S 1M:blue", 2: "4M"})
    position = play(position, "0 lift M:blue")
    assert fault(position, "0 lift S") == "IH-7"
    assert fault(position, f"0 place 100,100 {stance} 180.0") == "IH-5"
    assert fault(position, f"0 place 12000,12000 {stance} 180.0") == (None if stance == "stand" else "IH-12")
    position = play(position, f"0 place 6400,5000 {stance} 180.0")
    assert pad(position, RED) == "1S"
    assert position.field[1].colour == BLUE
    assert position.scores == ((0, 1, 2) if stance == "stand" else (0, 0, 2))


ICED = """
    red S 5000,5000 stand 0.0
    blue M 3500,5000 point 0.0
"""
"""Red's only defender is iced."""

SEVEN, EIGHT = "4M 3L", "4M 4L"


@pytest.mark.parametrize("caller", [RED, GREEN, BLUE])
@pytest.mark.parametrize("found", [True, False])
@pytest.mark.rule("IH-17")
def test_ih_17_anyone_may_call_and_all_hands_go_back(caller: int, found: bool) -> None:
    """Also with a piece in hand; what is in hands is not lost, and goes to the pad that it came from."""
    pads = {0: "2S 2M 2L" if found else EIGHT, 1: "4M 5L 1S:blue", 2: "4M 4L"}
    position = laid(ICED + "green S 12000,9000 stand 0.0", pads=pads, hands={0: "S", 1: "S:blue", 2: "L"})
    after = play(position, f"{caller} icehouse")
    assert after.hands == [None, None, None]
    assert (RED in after.in_icehouse) == found
    before = [pad.total() for pad in position.pads]
    assert sum(pad.total() for pad in after.pads) == sum(before) + 3
    if not found:
        assert [pad.total() for pad in after.pads] == [count + 1 for count in before]
        assert after.pads[GREEN]["S", BLUE] == 2


@pytest.mark.parametrize(
    ("settings", "vulnerable"),
    [
        ({"pads": {0: SEVEN}}, {RED}),
        ({"pads": {0: EIGHT}}, set()),
        ({"pads": {0: "3M 3L 1S:green", 1: "4S 5M 5L"}}, {RED}),
        ({"pads": {0: "4M 3L 1S:green", 1: "4S 5M 5L"}}, set()),
        ({"pads": {0: SEVEN}, "hands": {0: "S"}}, set()),
        ({"pads": {0: "3M 3L"}, "hands": {0: "S:green"}}, {RED}),
        ({"pads": {0: SEVEN, 1: SEVEN}}, {RED, GREEN}),
        ({"pads": {0: SEVEN, 1: ""}}, {RED, GREEN}),
        ({"pads": {0: SEVEN}, "in_icehouse": [RED]}, set()),
    ],
    ids=str,
)
@pytest.mark.rule("IH-18", "IH-21")
def test_ih_18_who_is_found(settings: dict[str, Any], vulnerable: set[int]) -> None:
    """Fewer than 8 with what is in hand; prisoners count; to have none on the field is to have no free stander."""
    position = laid(ICED, **settings)
    assert position.vulnerable() == vulnerable
    after = play(position, "2 icehouse")
    assert after.in_icehouse == vulnerable | set(settings.get("in_icehouse", ()))
    assert (BLUE in after.debts) == (not vulnerable)


# What mutants of the product had survived


@pytest.mark.rule("IH-11")
def test_ih_11_by_ray_also_of_what_lies_there_already() -> None:
    """The gap of 1550 would be in range, the ray is 1821 long, as far as the attacker reaches and 1."""
    drawing = "green L 8138,5300 stand 45.0\nred L 5000,5000 point 0.0"
    assert not laid(drawing, range="ray").statuses()[2].valid
    assert laid(drawing, range="gap").statuses()[2].valid
    for option in ("ray", "gap"):
        play(laid(drawing, range=option), "1 lift S")


def small_field(*acts: str) -> State:
    """A field of 8 by 6 inches after acts such as "0 stand M 5000,2000", each a second after the one before."""
    state = icetable.load("icehouse", players=2, width=8, height=6).start()
    for seat in (0, 1):
        state = state.apply("ready", seat, 0.0)
    for number, text in enumerate(acts, 1):
        player, *words = text.split()
        steps = [f"lift {words[0]}", f"place {' '.join(words[1:])}"] if words[0] in "SML" else [" ".join(words)]
        for step in steps:
            state = state.apply(step, int(player), float(number))
    return state


SQUANDERED = ("0 M 5000,2000 stand 0.0", "1 L 2600,2000 point 0.0", "1 S 4000,2000 stand 0.0")
"""Green's large piece points at its own small one, which has come between it and red's."""


@pytest.mark.rule("IH-33")
def test_ih_33_an_attacker_that_is_not_valid_scores_nothing() -> None:
    """Also where what it points at is iced by another."""
    state = small_field(*SQUANDERED, "0 L 4000,3600 point 270.0")
    assert [piece["id"] for piece in state.view()["field"] if piece["iced"]] == ["p3"]
    assert state.scores == (5, 0)


@pytest.mark.rule("IH-13")
def test_ih_13_a_meltdown_takes_squandered_attackers_too() -> None:
    state = small_field(*SQUANDERED, "0 meltdown green")
    assert [str(effect) for effect in state.effects] == ["melts p2 green"]
    assert [piece["id"] for piece in state.view()["field"]] == ["p1", "p3"]


# What is said of pieces


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("place 5000,2760 stand 0.0", "The piece would overlap the medium red piece: move it aside."),
        ("place 2600,3600 point 270.0", "The piece would point at a lying one; only standing pieces can be attacked."),
        ("place 7000,4000 point 270.0", "The piece would point at the small green piece, which has its own colour."),
        ("capture p3", "The small green piece attacks nothing, so nobody can capture it."),
    ],
)
def test_refusals_call_pieces_as_people_see_them(text: str, told: str) -> None:
    """The field shows no ids; those are in `where`."""
    state = small_field("0 M 5000,2000 stand 0.0", "1 L 2600,2000 point 0.0", "1 S 7000,2000 stand 0.0")
    fault = state.apply("lift M", 1, 9.0).fault(text, 1)
    assert fault is not None
    assert fault.message == told
    assert fault.where


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        (["lift L", "lift S"], "hand-full"),
        (["return"], "hand-empty"),
        (["lift L", "place 1000,1000 stand 0.0", "lift L"], None),
    ],
)
def test_a_fault_names_its_reason(acts: list[str], code: str | None) -> None:
    state: State = icetable.load("icehouse", players=2).start().apply("ready", 0).apply("ready", 1)
    for act in acts[:-1]:
        state = state.apply(act, 0)
    found = state.fault(acts[-1], 0)
    assert (found and found.code) == code
