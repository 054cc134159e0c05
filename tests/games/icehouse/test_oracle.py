"""The oracle against the rule text: every expected value was worked out by hand and stands here as a literal.

On axes, from the middle of a standing piece to its sides it is 500 (L), 391 (M) and 281 (S). From the middle of a
lying one to its tip it is 910, 715 and 520 when it points to the east or north, else 910, 714 and 519; its length is
1820, 1429 and 1039.
"""

from typing import Any

import pytest

from . import geometry_oracle as geometry
from .oracle import CHANCE, Debt, Oracle, footprint, match_scores, milliseconds, ratings, spelled_out
from .random_games import JUNK, random_game

RED, GREEN, BLUE, YELLOW = range(4)


def laid(drawing: str = "", players: int = 3, **settings: Any) -> Oracle:
    """The position of a drawing, for three players where nothing else is said."""
    return Oracle.laid(drawing, players=players, **settings)


def play(position: Oracle, *acts: str) -> Oracle:
    """The position to which acts such as "0 lift L" or "0@1500 lift L", with a time, lead."""
    for act in acts:
        who, text = act.split(" ", 1)
        seat, _, at = who.partition("@")
        position = position.apply(text, int(seat), int(at) if at else None)
    return position


def fault(position: Oracle, act: str) -> str | None:
    """The rule that such an act breaks."""
    who, text = act.split(" ", 1)
    seat, _, at = who.partition("@")
    return position.fault(text, int(seat), int(at) if at else None)


def on_pad(position: Oracle, seat: int) -> dict[str, int]:
    """What lies on the pad of a seat, by size and the first letter of the colour."""
    return {f"{size}{'rgbycopw'[colour]}": count for (size, colour), count in sorted((+position.pads[seat]).items())}


# IH-1 to IH-8: table, pieces, start and hand


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 9},
        {"preset": "quick"},
        {"preset": "tournament", "players": 3},
        {"width": 0},
        {"height": -1},
        {"length": "side"},
        {"range": "far"},
        {"crash": "free"},
        {"meltdown": "free"},
        {"false_call": "refuse"},
        {"tolerance": -0.01},
        {"call_pause": -1},
        {"call_grace": -1},
        {"gift_time": -1},
        {"timer": -1},
        {"timer_spread": 1.1},
        {"timer_spread": -0.1},
    ],
    ids=str,
)
def test_options_that_the_rules_do_not_know(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(reversed(options)).replace("players", "player")):
        Oracle(**options)


def test_presets() -> None:
    friendly, classic = Oracle(preset="friendly"), Oracle()
    assert (friendly.crash, friendly.meltdown, friendly.false_call) == ("refuse", "prevent", "free")
    assert (classic.crash, classic.meltdown, classic.false_call) == ("penalty", "call", "gift")
    assert (classic.length, classic.range) == ("face", "gap")
    assert [classic.width, classic.height, classic.tolerance] == [24000, 24000, 30]
    assert (classic.call_pause, classic.call_grace, classic.gift_time, classic.timer) == (10000, 1500, 10000, 600000)
    assert list(classic.bell_bounds) == [480000, 720000]
    assert Oracle(preset="friendly", crash="penalty").crash == "penalty"
    assert Oracle(preset="tournament").players == 4


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.rule("IH-1")
def test_ih_1_no_turns(players: int) -> None:
    """Any seat may act, again and again, whoever acted last."""
    position = play(Oracle(players=players), *(f"{seat} ready" for seat in reversed(range(players))))
    assert position.to_act == {CHANCE, *range(players)}
    position = play(position, "1 lift S", "1 return", "1 lift M", "0 lift L", "1 return", "1 lift L")
    assert position.to_act == {CHANCE, *range(players)}
    assert position.hands == [("L", RED), ("L", GREEN)] + [None] * (players - 2)


@pytest.mark.rule("IH-1")
def test_ih_1_colours_by_seat() -> None:
    position = play(Oracle(players=8), *(f"{seat} ready" for seat in range(8)))
    for seat, colour in enumerate(("red", "green", "blue", "yellow", "cyan", "orange", "purple", "white")):
        assert position.legal(seat) >= {f"meltdown {colour}", "lift S"}
        assert play(position, f"{seat} lift L:{colour}").hands[seat] == ("L", seat)
    assert fault(laid(players=7), "0 meltdown white") == "notation"


@pytest.mark.rule("IH-3")
def test_ih_3_stashes() -> None:
    position = Oracle(players=8)
    assert on_pad(position, 7) == {"Sw": 5, "Mw": 5, "Lw": 5}
    assert position.pads[4].total() == 15


@pytest.mark.rule("IH-6")
def test_ih_6_everybody_is_ready_once() -> None:
    position = Oracle(players=3)
    assert position.to_act == {0, 1, 2}
    assert position.legal(1) == {"ready"}
    position = play(position, "1@700 ready")
    assert position.to_act == {0, 2}
    assert fault(position, "1 ready") == "IH-6"
    assert fault(position, "0 lift L") == fault(position, "1 icehouse") == fault(position, "1 return") == "IH-6"
    position = play(position, "2@900 ready", "0@900 ready")
    assert position.to_act == {0, 1, 2, CHANCE}
    assert position.clock == 900
    assert fault(position, "0 ready") == "IH-6"
    assert position.legal(0) == {"icehouse", "lift S", "lift M", "lift L"} | {
        "meltdown red",
        "meltdown green",
        "meltdown blue",
    }


@pytest.mark.rule("IH-7")
def test_ih_7_one_piece_in_hand() -> None:
    position = laid()
    assert fault(position, "0 return") == fault(position, "0 place 5000,5000 stand 0.0") == "IH-7"
    position = play(position, "0 lift L")
    assert on_pad(position, RED) == {"Sr": 5, "Mr": 5, "Lr": 4}
    assert position.hands == [("L", RED), None, None]
    assert fault(position, "0 lift S") == "IH-7"
    assert fault(position, "1 return") == "IH-7"
    assert position.legal(0) == {"icehouse", "return", "meltdown red", "meltdown green", "meltdown blue"}
    position = play(position, "0 return")
    assert on_pad(position, RED) == {"Sr": 5, "Mr": 5, "Lr": 5}
    assert fault(position, "0 lift L:blue") == "IH-7"


@pytest.mark.rule("IH-7")
def test_ih_7_only_what_lies_on_the_pad() -> None:
    position = laid(pads={0: "1S 1L:blue", 2: "4L"})
    assert fault(position, "0 lift L") == fault(position, "0 lift S:blue") == "IH-7"
    assert play(position, "0 lift L:blue").hands[0] == ("L", BLUE)
    assert play(position, "0 lift S:red").key() == play(position, "0 lift S").key()
    assert position.legal(0) >= {"lift S", "lift L:blue"}


def test_ids_go_up_and_are_not_used_again() -> None:
    """IH-30: a crash uses none; IH-13: the ids of a meltdown are gone."""
    position = laid("red L 5000,5000 stand 0.0\nblue L 3000,5000 point 0.0")
    position = play(position, "0 meltdown blue", "1 lift L", "1 place 5100,5000 stand 0.0", "1 give L blue")
    position = play(position, "1 lift M", "1 place 9000,9000 stand 0.0")
    assert [piece.id for piece in position.field] == [1, 3]


@pytest.mark.rule("IH-8")
def test_ih_8_a_played_piece_stays_where_it_is() -> None:
    """It can't be taken up again, not by its player either, whatever else is played, called and captured."""
    position = laid("red L 5000,5000 stand 0.0\ngreen L 3500,5000 point 0.0", pads={0: "1M"})
    before = position.field
    position = play(position, "0 lift M", "0 place 9000,9000 stand 0.0")
    assert {act for act in position.legal(0) if act.startswith(("lift", "return", "capture"))} == set()
    assert fault(position, "0 lift L") == fault(position, "0 return") == "IH-7"
    assert fault(position, "0 capture p1") == fault(position, "1 capture p2") == "IH-26"
    position = play(position, "2 lift S", "2 place 5000,7000 stand 0.0", "2 meltdown red", "1 icehouse")
    assert position.field[:2] == before


# IH-9 to IH-12: attacks


def shot(position: Oracle, id_: int) -> tuple[int | None, bool]:
    """What a lying piece points at and whether that is a valid attack."""
    status = position.statuses()[id_]
    return status.points_at, status.valid


@pytest.mark.rule("IH-9")
def test_ih_9_a_standing_piece_defends_anywhere() -> None:
    """At whatever angle, also where a lying one would have nothing to attack; it attacks nothing that it faces."""
    position = play(laid("green S 5000,5000 stand 0.0"), "0 lift L")
    for place in ("12000,12000 {} 0.0", "6000,5000 {} 180.0", "20000,4000 {} 33.3"):
        assert fault(position, f"0 place {place.format('stand')}") is None
        standing = play(position, f"0 place {place.format('stand')}")
        assert [standing.statuses()[id_].attackers for id_ in (1, 2)] == [frozenset(), frozenset()]
        assert standing.scores == (3, 1, 0)
    assert (
        fault(position, "0 place 12000,12000 point 0.0") == fault(position, "0 place 20000,4000 point 33.3") == "IH-12"
    )


@pytest.mark.rule("IH-9")
def test_ih_9_a_lying_piece_attacks() -> None:
    position = play(laid("green S 5000,5000 stand 0.0"), "0 lift L", "0 place 6500,5000 point 180.0")
    assert position.statuses()[1].attackers == {2}
    assert position.scores == (3, 0, 0)


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


@pytest.mark.rule("IH-11")
def test_ih_11_the_gap_may_be_nearer_elsewhere() -> None:
    """The target (left side 5719 to 6281) touches nothing, yet is 1 from the attacker's tip: a gap below its range."""
    position = play(laid("green S 6192,5000 stand 0.0"), "0 lift L", "0 place 5000,5000 point 0.0")
    assert shot(position, 2) == (1, True)


@pytest.mark.rule("IH-12")
def test_ih_12_attacks_that_must_be_taken_back() -> None:
    """At an attacking piece, at the own colour, at nothing: the piece stays in hand."""
    drawing = """
        green M 5000,9000 stand 0.0
        blue M 3500,9000 point 0.0
        red M 9000,3000 stand 0.0
    """
    position = play(laid(drawing), "0 lift S")
    assert fault(position, "0 place 3500,7500 point 90.0") == "IH-12"  # tip at 8020, the attacker's side at 8609 or so
    assert fault(position, "0 place 7800,3000 point 0.0") == "IH-12"
    assert fault(position, "0 place 12000,12000 point 0.0") == "IH-12"
    assert fault(position, "0 place 5000,7800 point 90.0") is None
    assert position.hands[0] == ("S", RED)


@pytest.mark.rule("IH-11")
def test_ih_11_colour_decides_and_not_the_player() -> None:
    """Red plays a blue prisoner: it may attack red, its captor, but not blue."""
    drawing = "red M 5000,5000 stand 0.0\nblue M 5000,9000 stand 0.0"
    position = laid(drawing, pads={0: "1S:blue", 2: "4S"})
    position = play(position, "0 lift S:blue")
    assert fault(position, "0 place 3800,9000 point 0.0") == "IH-12"
    position = play(position, "0 place 3800,5000 point 0.0")
    assert shot(position, 3) == (1, True)
    assert position.field[2].colour == BLUE


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
        assert shot(play(position, "0 place 6490,5000 point 0.0"), 4) == (points_at, True)


@pytest.mark.rule("IH-10")
def test_ih_10_a_tip_in_the_corner_of_two_that_touch_points_at_nothing() -> None:
    position = play(laid("green L 8000,5707 stand 45.0\nblue L 8000,4293 stand 45.0"), "0 lift L")
    assert fault(position, "0 place 7090,5000 point 0.0") == "IH-12"
    assert fault(position, "0 place 7090,5001 point 0.0") == "IH-5"  # now the tip is inside the upper one, or nearly


@pytest.mark.rule("IH-10")
def test_ih_10_a_tip_may_touch_what_it_attacks() -> None:
    position = play(laid("green L 8000,5000 stand 0.0"), "0 lift L", "0 place 6590,5000 point 0.0")
    assert shot(position, 2) == (1, True)


# IH-5 and IH-30: overlaps


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


@pytest.mark.rule("IH-30")
def test_ih_30_the_deepest_counts() -> None:
    """1 into the left one, 50 into the right one."""
    position = play(laid("green L 5000,5000 stand 0.0\ngreen L 6949,5000 stand 0.0"), "0 lift L")
    after = play(position, "0@40 place 5999,5000 stand 0.0")
    assert after.debts == {RED: Debt(40, ("L", RED))}


@pytest.mark.rule("IH-30")
def test_ih_30_a_crash() -> None:
    position = play(laid("green L 5000,5000 stand 0.0"), "0 lift L", "0@500 place 5500,5000 point 0.0")
    assert len(position.field) == 1
    assert position.next_id == 2
    assert position.hands[0] is None
    assert on_pad(position, RED) == {"Sr": 5, "Mr": 5, "Lr": 5}
    assert position.view()["owed"] == {"0": "L:red"}
    assert position.legal(0) == {"give L:red green", "give L:red blue"}
    assert fault(position, "0 give S blue") == "IH-30"
    assert fault(position, "0 give S red") == "IH-20"
    assert fault(position, "0 icehouse") == fault(position, "0 meltdown red") == fault(position, "0 lift S") == "IH-24"
    assert fault(position, "1 give L green") == fault(position, "1 give L red") == "IH-20"
    assert fault(position, "1 lift L") is None
    position = play(position, "0 give L blue")
    assert position.debts == {}
    assert on_pad(position, BLUE) == {"Sb": 5, "Mb": 5, "Lb": 5, "Lr": 1}


def test_a_crashed_prisoner_is_owed_itself() -> None:
    position = laid("green L 5000,5000 stand 0.0", pads={0: "1L 1L:blue", 2: "4L"})
    position = play(position, "0 lift L:blue", "0 place 5500,5000 stand 0.0")
    assert fault(position, "0 give L green") == "IH-30"
    position = play(position, "0 give L:blue blue")
    assert on_pad(position, BLUE) == {"Lb": 5}


@pytest.mark.rule("IH-5")
def test_ih_5_off_the_field_is_no_crash() -> None:
    """It overlaps by 900 as well; and what only touches the edge is on the field."""
    position = play(laid("green L 500,5000 stand 0.0"), "0 lift L")
    assert fault(position, "0 place 400,5000 stand 0.0") == "IH-5"
    assert fault(position, "0 place 499,9000 stand 0.0") == fault(position, "0 place -5,9000 stand 0.0") == "IH-5"
    assert fault(position, "0 place 500,9000 stand 0.0") is None
    assert fault(position, "0 place 23500,23500 stand 0.0") is None
    assert fault(position, "0 place 23501,9000 stand 0.0") == fault(position, "0 place 9000,23501 stand 0.0") == "IH-5"
    assert position.hands[0] == ("L", RED)
    assert position.debts == {}


def test_order_of_judging_a_placement() -> None:
    """Overlap before too early, too early before no attack."""
    position = play(laid("green L 5000,5000 stand 0.0", meltdown="prevent"), "0 lift L")
    assert fault(position, "0 place 3600,5000 point 0.0") == "IH-5"  # tip at 4510, 10 inside
    assert fault(position, "0 place 3500,5000 point 0.0") == "IH-13"
    assert fault(position, "0 place 9000,9000 point 0.0") == "IH-13"
    assert play(position, "0 place 5400,5000 point 0.0").debts == {RED: Debt(0, ("L", RED))}


# IH-13: meltdown

EARLY = """
    green L 5000,5000 stand 0.0
    red M 3500,5000 point 0.0
    red S 6100,5000 point 180.0
    red L 9000,9000 stand 0.0
"""
"""Red has one defender; its small piece has its tip at 5581, its medium one at 4215."""


@pytest.mark.rule("IH-13")
def test_ih_13_a_meltdown_is_called() -> None:
    """Blue had played one of the red ones as a prisoner; all go to red. What red holds stays in its hand."""
    position = play(laid(EARLY), "0 lift L", "2 meltdown red")
    assert [piece.id for piece in position.field] == [1, 4]
    assert on_pad(position, RED) == {"Sr": 5, "Mr": 5, "Lr": 3}
    assert position.hands[0] == ("L", RED)
    assert position.next_id == 5


@pytest.mark.rule("IH-13")
def test_ih_13_the_pieces_go_to_the_player_of_their_colour() -> None:
    """Blue's large one, iced by nobody, attacks green; red calls."""
    position = play(laid("green L 5000,5000 stand 0.0\nblue L 3000,5000 point 0.0"), "0 meltdown blue")
    assert position.field[1:] == ()
    assert [pad.total() for pad in position.pads] == [15, 14, 15]


@pytest.mark.parametrize("options", [{"meltdown": "prevent"}, {}], ids=str)
@pytest.mark.rule("IH-13")
def test_ih_13_a_meltdown_that_finds_nothing(options: dict[str, Any]) -> None:
    """It is accepted, owes nothing and changes nothing but the clock."""
    position = laid(EARLY, **options)
    if not options:
        position = laid(EARLY + "red S 12000,9000 stand 0.0")
    after = play(position, "1@70 meltdown red")
    assert after.key()[1:] == position.key()[1:]
    assert after.clock == 70


@pytest.mark.rule("IH-13")
def test_ih_13_an_early_attack_lands_or_is_refused() -> None:
    drawing = "green L 5000,5000 stand 0.0\nred L 9000,9000 stand 0.0"
    act = "0 place 3500,5000 point 0.0"
    assert shot(play(laid(drawing), "0 lift M", act), 3) == (1, True)
    assert fault(play(laid(drawing, meltdown="prevent"), "0 lift M"), act) == "IH-13"


@pytest.mark.rule("IH-13")
def test_ih_13_prisoners_stand_for_their_colour() -> None:
    """Blue plays a red prisoner standing: now red has two defenders and may attack."""
    drawing = "green L 5000,5000 stand 0.0\nred L 9000,9000 stand 0.0"
    position = laid(drawing, meltdown="prevent", pads={2: "1S:red", 0: "1M 1S"})
    position = play(position, "2 lift S:red", "2 place 12000,12000 stand 0.0", "0 lift M")
    assert fault(position, "0 place 3500,5000 point 0.0") is None


# IH-14 to IH-16: icing

JOINT = """
    red L 12000,12000 stand 0.0
    blue M 10500,12000 point 0.0
    green M 13500,12000 point 180.0
"""


@pytest.mark.rule("IH-14")
def test_ih_14_joint_icing() -> None:
    """The handbook's example: 2 of blue and 2 of green exceed 3 of red; each attacker is successful."""
    position = laid(JOINT)
    assert position.statuses()[1].attackers == {2, 3}
    assert position.statuses()[1].iced
    assert position.scores == (0, 2, 2)
    assert not position.statuses()[2].redundant


@pytest.mark.rule("IH-14")
def test_ih_14_as_much_is_not_more() -> None:
    position = laid("red L 12000,12000 stand 0.0\nblue L 10500,12000 point 0.0")
    assert position.statuses()[1].attackers == {2}
    assert not position.statuses()[1].iced
    assert position.scores == (3, 0, 0)


@pytest.mark.rule("IH-15")
def test_ih_15_who_succeeds() -> None:
    """Iced: red's large one, so that both attackers score. Not iced: yellow's, whose attacker scores nothing, and
    green's, which nobody attacks. Blue's small one lies in the open and attacks nothing.
    """
    others = """
        yellow L 5000,5000 stand 0.0
        red L 3500,5000 point 0.0
        green S 5000,18000 stand 0.0
        blue S 20000,20000 point 0.0
    """
    position = laid(JOINT + others, players=4)
    assert [position.statuses()[id_].iced for id_ in (1, 4, 6)] == [True, False, False]
    assert [position.statuses()[id_].valid for id_ in (2, 3, 5, 7)] == [True, True, True, False]
    assert position.scores == (0, 2 + 1, 2, 3)
    after = play(position, "1 lift S", "1 place 5000,6300 point 270.0")
    assert after.statuses()[4].iced
    assert after.scores == (3, 3 + 1, 2, 0)


@pytest.mark.rule("IH-16")
def test_ih_16_squander_by_blocking() -> None:
    """Blue's large piece (tip at 10810) ices red's medium one, until blue's own small one stands between."""
    drawing = "red M 12000,12000 stand 0.0\nblue L 9900,12000 point 0.0"
    position = laid(drawing)
    assert position.scores == (0, 0, 3)
    position = play(position, "2 lift S", "2 place 11200,12000 stand 0.0")
    assert shot(position, 2) == (3, False)
    assert position.scores == (2, 0, 1)
    by_green = play(laid(drawing), "1 lift S", "1 place 11200,12000 stand 0.0")
    assert shot(by_green, 2) == (3, True)  # green's is iced instead
    assert by_green.scores == (2, 0, 3)
    by_corner = play(laid(drawing), "1 lift S", "1 place 11200,12281 stand 0.0")
    assert shot(by_corner, 2) == (1, True)  # its side lies along the ray, which grazes it


BLOCKED = """
    red M 12000,12000 stand 0.0
    blue L 9900,12000 point 0.0
    red S 11200,13300 stand 0.0
    green S 11200,12100 point 90.0
    yellow M 11200,15000 point 270.0
"""
"""Green's small piece, from 11581 to 12620, lies across blue's line; with yellow's it ices red's small piece."""


@pytest.mark.rule("IH-28")
def test_ih_28_unblocking_by_capture() -> None:
    """1 + 2 against 1: without green's 1 it is still iced, so green's is redundant; without yellow's 2 it is not."""
    position = laid(BLOCKED, players=4)
    assert shot(position, 2) == (4, False)
    assert position.catch(RED) == {4}
    assert [position.statuses()[id_].redundant for id_ in (2, 4, 5)] == [False, True, False]
    assert position.scores == (2, 1, 0, 2)
    assert [fault(position, f"{seat} capture p4") for seat in range(4)] == [None, "IH-26", "IH-26", "IH-26"]
    assert (
        fault(position, "0 capture p5") == fault(position, "0 capture p1") == fault(position, "0 capture p9") == "IH-26"
    )
    position = play(position, "0 lift L", "0 capture p4")  # a piece in hand is no hindrance
    assert [piece.id for piece in position.field] == [1, 2, 3, 5]
    assert on_pad(position, RED) == {"Sr": 4, "Mr": 4, "Lr": 4, "Sg": 1}
    assert shot(position, 2) == (1, True)
    assert position.scores == (0, 0, 3, 2)
    assert position.catch(RED) == set()


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


@pytest.mark.rule("IH-26")
def test_ih_26_one_by_one_while_redundant() -> None:
    """The handbook's example: 3 + 3 on 2. Either may be captured, then the other may not."""
    drawing = "red M 12000,12000 stand 0.0\nblue L 10500,12000 point 0.0\ngreen L 13500,12000 point 180.0"
    position = laid(drawing)
    assert position.catch(RED) == {2, 3}
    assert play(position, "0 capture p3").catch(RED) == set()
    assert fault(play(position, "0 capture p2"), "0 capture p3") == "IH-26"
    third = "\nblue S 12000,10500 point 90.0"
    position = play(laid(drawing + third), "0 capture p4")  # 3 + 3 + 1: all are redundant
    assert position.catch(RED) == {2, 3}


@pytest.mark.rule("IH-27")
def test_ih_27_prisoners_count_for_their_colour() -> None:
    """Red plays a captured green piece standing: 3 for green. Then red ices it: executing a prisoner."""
    position = laid(pads={0: "1L:green 2L 2M", 1: "4L"})
    position = play(position, "0 lift L:green", "0 place 12000,12000 stand 0.0")
    assert position.scores == (0, 3, 0)
    position = play(
        position, "0 lift L", "0 place 10500,12000 point 0.0", "0 lift M", "0 place 13500,12000 point 180.0"
    )
    assert position.scores == (5, 0, 0)


@pytest.mark.rule("IH-27")
def test_ih_27_a_prisoner_helps_to_over_ice_its_captor() -> None:
    """Restructuring: red's medium piece is iced by green's large one; red adds blue's 3 and takes green's."""
    drawing = "red M 12000,12000 stand 0.0\ngreen L 10500,12000 point 0.0"
    position = laid(drawing, pads={0: "1L:blue", 2: "4L"})
    position = play(position, "0 lift L:blue", "0 place 13500,12000 point 180.0", "0 capture p2")
    assert on_pad(position, RED) == {"Lg": 1}
    assert position.scores == (0, 0, 3)
    assert play(position, "0 lift L:green").hands[0] == ("L", GREEN)


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
    assert on_pad(position, RED) == {"Sr": 1}
    assert position.field[1].colour == BLUE
    assert position.scores == ((0, 1, 2) if stance == "stand" else (0, 0, 2))


@pytest.mark.rule("IH-29")
def test_ih_29_prisoners_are_given_away_and_come_home() -> None:
    """Owed for a false call or for a crash; home again it is a piece like the others of its size and colour."""
    pads = {0: "4S 4L 1L:blue 1M:green", 1: "5S 4M 4L", 2: "5S 5M 4L"}
    position = laid("green L 5000,5000 stand 0.0", pads=pads)
    called = play(position, "0 icehouse")
    crashed = play(position, "0 lift L:blue", "0 place 5500,5000 stand 0.0")
    for owing in (called, crashed):
        home = play(owing, "0 give L:blue blue")
        assert on_pad(home, RED) == {"Sr": 4, "Lr": 4, "Mg": 1}
        assert on_pad(home, BLUE) == {"Sb": 5, "Mb": 5, "Lb": 5}
        assert home.legal(2) >= {"lift L"}
        assert not {act for act in home.legal(2) if act.startswith("lift L:")}
    away = play(called, "0 give M:green blue")
    assert on_pad(away, BLUE) == {"Sb": 5, "Mb": 5, "Lb": 4, "Mg": 1}
    assert "lift M:green" in away.legal(2)


# IH-17 to IH-23: the icehouse

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
        assert on_pad(after, GREEN)["Sb"] == 2


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


@pytest.mark.rule("IH-18")
def test_ih_18_one_free_stander_is_enough() -> None:
    assert laid(ICED + "red S 9000,9000 stand 0.0", pads={0: SEVEN}).vulnerable() == set()
    prisoner = laid(ICED, pads={0: SEVEN, 1: "1S:red"})
    prisoner = play(prisoner, "1 lift S:red", "1 place 9000,9000 stand 0.0")
    assert prisoner.vulnerable() == {GREEN}  # green's prisoner is a free stander of red, not of green


@pytest.mark.rule("IH-19")
def test_ih_19_a_call() -> None:
    """Red and green are found; blue, who calls, gets both pads. All hands go back first, red's on to blue."""
    position = laid(ICED, pads={0: "3M 3L", 1: "2S 1M:red", 2: EIGHT}, hands={0: "S", 2: "L"})
    position = play(position, "2@1000 icehouse")
    assert position.in_icehouse == {RED, GREEN}
    assert position.hands == [None, None, None]
    assert [on_pad(position, seat) for seat in (RED, GREEN)] == [{}, {}]
    assert on_pad(position, BLUE) == {"Sr": 1, "Mr": 4, "Lr": 3, "Sg": 2, "Mb": 4, "Lb": 5}
    assert position.scores == (0, 0, 2)
    assert position.grace_until == 2500
    assert position.debts == {}


@pytest.mark.rule("IH-19")
def test_ih_19_the_caller_is_found_too() -> None:
    """Red keeps its own pieces, and takes green's all the same."""
    position = play(laid(ICED, pads={0: SEVEN, 1: "2S 1M:red", 2: EIGHT}), "0 icehouse")
    assert position.in_icehouse == {RED, GREEN}
    assert on_pad(position, RED) == {"Mr": 5, "Lr": 3, "Sg": 2}
    assert on_pad(position, GREEN) == {}
    assert position.debts == {}


@pytest.mark.rule("IH-19")
def test_ih_19_on_oneself() -> None:
    position = play(laid(ICED, pads={0: SEVEN}), "0@5 icehouse")
    assert position.in_icehouse == {RED}
    assert on_pad(position, RED) == {"Mr": 4, "Lr": 3}
    assert position.grace_until == 1505
    assert fault(position, "0 lift L") is None


@pytest.mark.rule("IH-20")
def test_ih_20_a_false_call() -> None:
    """It empties all hands; the caller gives any piece of its pad, also a prisoner, to any other player."""
    position = play(laid("red S 5000,5000 stand 0.0", pads={0: "1L 1S:blue"}, hands={0: "M", 1: "S"}), "0 icehouse")
    assert position.hands == [None, None, None]
    assert position.in_icehouse == set()
    assert position.view()["owed"] == {"0": None}
    assert fault(position, "0 give S blue") == fault(position, "0 give L:blue blue") == "IH-20"
    assert fault(position, "0 give L red") == "IH-20"
    assert fault(position, "0 icehouse") == "IH-24"
    assert {"give S:blue green", "give L:red blue"} <= position.legal(0)
    position = play(position, "0 give S:blue blue")
    assert position.pads[BLUE]["S", BLUE] == 5
    assert fault(position, "0 give L blue") == "IH-20"


@pytest.mark.rule("IH-20")
def test_ih_20_with_an_empty_pad_nothing_is_owed() -> None:
    """But a piece in hand is on the pad again when this is judged."""
    empty = laid("green S 5000,5000 stand 0.0", pads={1: ""})
    after = play(empty, "1@1000 icehouse")
    assert after.debts == {}
    assert after.pause_until == {GREEN: 11000}
    holding = laid("green S 5000,5000 stand 0.0", pads={1: ""}, hands={1: "L"})
    after = play(holding, "1@1000 icehouse")
    assert after.debts == {GREEN: Debt(1000, None)}
    assert after.pause_until == {}


@pytest.mark.rule("IH-20")
def test_ih_20_the_pause() -> None:
    """At most 10 s later that player's calls are void; 10.001 s later they are not. Void is: no hand empties."""
    position = play(laid(false_call="free"), "0@1000 icehouse")
    assert position.debts == {}
    held = play(position, "1@1000 lift L", "0@11000 icehouse")
    assert held.hands[1] == ("L", GREEN)
    assert held.pause_until == {RED: 11000}  # a void call is no false call
    assert play(held, "0@11001 icehouse").hands[1] is None
    assert play(held, "0@11001 icehouse").pause_until == {RED: 21001}
    by_another = play(position, "1@1000 lift L", "2@1001 icehouse")
    assert by_another.hands[1] is None
    melted = play(laid(EARLY, false_call="free"), "2@1000 icehouse", "2@1001 meltdown red")
    assert len(melted.field) == 2


@pytest.mark.rule("IH-22")
def test_ih_22_the_grace() -> None:
    """At most 1.5 s after a call that found somebody, all calls are void, also the caller's own; then not."""
    position = play(laid(ICED, pads={0: SEVEN}), "1@1000 icehouse", "2@1000 lift L")
    for seat in (0, 1, 2):
        void = play(position, f"{seat}@2500 icehouse")
        assert void.hands[2] == ("L", BLUE)
        assert void.debts == {}
        assert void.grace_until == 2500
        false = play(position, f"{seat}@2501 icehouse")
        assert false.hands[2] is None
    assert play(position, "2@2501 icehouse").debts == {BLUE: Debt(2501, None)}


@pytest.mark.rule("IH-22")
def test_ih_22_a_false_call_gives_no_grace() -> None:
    position = play(laid(ICED), "1@1000 icehouse", "2@1000 icehouse")
    assert position.debts == {GREEN: Debt(1000, None), BLUE: Debt(1000, None)}


@pytest.mark.rule("IH-23")
def test_ih_23_in_the_icehouse() -> None:
    """Red is there: it captures, plays and calls; its pieces still ice, but score nothing."""
    drawing = "red M 12000,12000 stand 0.0\nblue L 10500,12000 point 0.0\ngreen L 13500,12000 point 180.0"
    position = laid(drawing, pads={0: ""}, in_icehouse=[RED])
    position = play(position, "0 capture p3", "0 lift L:green", "0 place 12000,10000 point 90.0")
    assert position.field[-1].colour == GREEN
    assert position.scores == (0, 3, 3)
    assert fault(position, "0 icehouse") is None
    attack = laid("green S 5000,5000 stand 0.0\nred M 3500,5000 point 0.0", in_icehouse=[RED], pads={1: SEVEN})
    assert attack.scores == (0, 0, 0)
    assert on_pad(play(attack, "0 icehouse"), RED)["Lg"] == 3


# IH-24: debts


@pytest.mark.rule("IH-24")
def test_ih_24_settled_after_the_time() -> None:
    """Owed since 1000 ms: at 11000 still a debt, at 11001 settled. Green has no small piece of its own: blue comes
    after green, so blue's goes to the next seat, blue.
    """
    pads = {0: "4S 5M 5L", 1: "2M 1S:blue 1S:red", 2: "4S 5M 5L"}
    position = play(laid("green S 5000,5000 stand 0.0", pads=pads), "1@1000 icehouse")
    assert fault(position, "1@11000 lift M") == "IH-24"
    assert fault(position, "1@11001 lift M") is None
    assert fault(position, "1@11001 lift S:blue") == "IH-7"
    assert fault(position, "1@11001 give M red") == "IH-20"
    assert on_pad(position, GREEN) == {"Sb": 1, "Mg": 2, "Sr": 1}  # a refused act settles nothing
    late = play(position, "0@11000 lift L")
    assert late.debts == {GREEN: Debt(1000, None)}
    late = play(position, "0@11001 lift L")
    assert late.debts == {}
    assert on_pad(late, GREEN) == {"Mg": 2, "Sr": 1}
    assert on_pad(late, BLUE) == {"Sb": 5, "Mb": 5, "Lb": 5}


@pytest.mark.rule("IH-24")
def test_ih_24_of_the_smallest_the_own_colour_first() -> None:
    pads = {0: "4S 5M 5L", 1: "1S 1M 1S:blue 1S:red", 2: "4S 5M 5L"}
    position = play(laid("green S 5000,5000 stand 0.0", pads=pads), "1@0 icehouse", "0@10001 lift L")
    assert on_pad(position, GREEN) == {"Sb": 1, "Mg": 1, "Sr": 1}


@pytest.mark.rule("IH-24")
def test_ih_24_the_colours_go_round() -> None:
    """Blue is the last seat: after it come red and then green; and it gives to seat 0."""
    pads = {0: "5S 4M", 1: "5S 4M", 2: "2L 1M:green 1M:red"}
    position = play(laid("blue S 5000,5000 stand 0.0", pads=pads), "2@0 icehouse", "1@10001 lift S")
    assert on_pad(position, BLUE) == {"Lb": 2, "Mg": 1}
    assert position.pads[RED]["M", RED] == 5


@pytest.mark.rule("IH-24")
def test_ih_24_the_crashed_piece_is_settled() -> None:
    position = play(laid("green L 5000,5000 stand 0.0"), "2 lift L", "2@300 place 5500,5000 stand 0.0")
    assert fault(position, "2@10300 icehouse") == "IH-24"
    position = play(position, "2@10301 lift L")
    assert on_pad(position, BLUE) == {"Sb": 5, "Mb": 5, "Lb": 3}
    assert on_pad(position, RED) == {"Sr": 5, "Mr": 5, "Lr": 5, "Lb": 1}


@pytest.mark.rule("IH-24")
def test_ih_24_settled_before_a_later_call() -> None:
    """Red, its piece iced, has 8 and owes one: at the moment of the call it has 7 and is found."""
    position = laid(ICED, pads={0: "4M 3L"}, hands={0: "L"})
    position = play(position, "0@0 place 5300,5000 stand 0.0")
    assert position.debts == {RED: Debt(0, ("L", RED))}
    assert play(position, "2@10000 icehouse").in_icehouse == set()
    assert play(position, "2@10001 icehouse").in_icehouse == {RED}


TWO_DEBTS = {0: "5L", 1: "1M 1S:red", 2: "2M"}
STANDING = "red M 9000,9000 stand 0.0\ngreen S 5000,5000 stand 0.0\nblue S 7000,5000 stand 0.0"


@pytest.mark.rule("IH-24")
def test_ih_24_several_are_settled_in_the_order_of_their_moments() -> None:
    """At one moment green is first: blue gets the small red piece and gives it on to red. Else blue gives its own."""
    position = laid(STANDING, pads=TWO_DEBTS)
    together = play(position, "2@500 icehouse", "1@500 icehouse", "0@20000 lift L")
    assert [on_pad(together, seat) for seat in range(3)] == [{"Lr": 4, "Sr": 1}, {"Mg": 1}, {"Mb": 2}]
    blue_first = play(position, "2@500 icehouse", "1@501 icehouse", "0@20000 lift L")
    assert [on_pad(blue_first, seat) for seat in range(3)] == [{"Lr": 4, "Mb": 1}, {"Mg": 1}, {"Mb": 1, "Sr": 1}]
    only_blue = play(position, "2@500 icehouse", "1@501 icehouse", "0@10501 lift L")
    assert only_blue.debts == {GREEN: Debt(501, None)}


@pytest.mark.rule("IH-24")
def test_ih_24_a_debt_lapses_with_the_pad() -> None:
    """Red owes for a false call; then blue ices its last stander, green calls and gets red's pad."""
    position = laid("red S 5000,5000 stand 0.0", pads={0: SEVEN})
    position = play(position, "0@100 icehouse", "2 lift M", "2@200 place 3500,5000 point 0.0", "1@300 icehouse")
    assert position.in_icehouse == {RED}
    assert position.debts == {}
    assert on_pad(position, GREEN) == {"Mr": 4, "Lr": 3, "Sg": 5, "Mg": 5, "Lg": 5}
    assert fault(position, "0 icehouse") is None
    later = play(position, "1@20000 lift S")
    assert on_pad(later, RED) == {}


@pytest.mark.rule("IH-24")
def test_ih_24_a_debt_lapses_with_the_bell() -> None:
    position = play(laid(), "0@100 icehouse", "-1@200 bell")
    assert position.debts == {}
    assert position.pads[RED].total() == 15


@pytest.mark.rule("IH-24")
def test_ih_24_a_due_debt_is_settled_before_the_bell() -> None:
    position = play(laid(), "0@100 icehouse", "-1@10101 bell")
    assert [pad.total() for pad in position.pads] == [14, 16, 15]


# IH-31 to IH-36: end and score


@pytest.mark.rule("IH-31")
def test_ih_31_the_bell() -> None:
    position = play(laid(JOINT), "0 lift L", "-1 bell")
    assert position.ended_by == "IH-31"
    assert position.hands == [None, None, None]
    assert position.pads[RED].total() == 14
    assert position.to_act == set()
    assert position.scores == (0, 2, 2)
    assert position.winners == {GREEN, BLUE}
    assert fault(position, "0 lift L") == fault(position, "-1 bell") == fault(position, "9@0 icehouse") == "IH-31"
    assert position.legal(0) == set()


@pytest.mark.rule("IH-31")
def test_ih_31_who_rings_it() -> None:
    """Nature only, once play has started, and not where there is no timer."""
    assert fault(Oracle(), "-1 bell") == "IH-31"
    assert fault(laid(), "-1 bell") is None
    assert fault(laid(), "0 bell") == fault(laid(), "7 bell") == "IH-31"
    without = laid(timer=0)
    assert fault(without, "-1 bell") == "IH-31"
    assert without.to_act == {0, 1, 2}


@pytest.mark.rule("IH-32")
def test_ih_32_the_last_piece() -> None:
    """Red's last piece lands, and over-ices: nobody may capture any more."""
    drawing = "green M 12000,12000 stand 0.0\nblue L 10500,12000 point 0.0"
    position = laid(drawing, pads={0: "", 1: "", 2: ""}, hands={0: "L"})
    assert position.ended_by is None
    after = play(position, "0 place 13500,12000 point 180.0")
    assert after.ended_by == "IH-32"
    assert after.to_act == set()
    assert after.statuses()[2].redundant
    assert fault(after, "1 capture p2") == fault(after, "-1 bell") == "IH-32"
    assert after.winners == {RED, BLUE}
    assert play(position, "0 return").ended_by is None
    assert play(position, "0 place 12000,12000 stand 0.0").ended_by is None  # a crash: the piece is on the pad again


@pytest.mark.rule("IH-32")
def test_ih_32_hands_count() -> None:
    position = laid(pads={0: "", 1: "", 2: ""}, hands={0: "L", 1: "S"})
    position = play(position, "0 place 12000,12000 stand 0.0")
    assert position.ended_by is None
    assert play(position, "1 place 9000,9000 stand 0.0").ended_by == "IH-32"


@pytest.mark.rule("IH-33")
def test_ih_33_at_most_30() -> None:
    rows = {"S": 2000, "M": 5000, "L": 8000}
    pieces = [f"red {size} {x},{y} stand 0.0" for size, y in rows.items() for x in range(2000, 12000, 2000)]
    assert laid("\n".join(pieces)).scores == (30, 0, 0)


@pytest.mark.rule("IH-33")
def test_ih_33_a_squandered_attack_scores_nothing() -> None:
    position = laid("red L 12000,12000 stand 0.0\nblue M 10500,12000 point 0.0")
    assert position.scores == (3, 0, 0)


@pytest.mark.rule("IH-34")
def test_ih_34_who_cannot_win() -> None:
    drawing = "red L 12000,12000 stand 0.0"
    assert play(laid(drawing), "-1 bell").winners == {RED}
    assert play(laid(drawing, in_icehouse=[RED]), "-1 bell").winners == {GREEN, BLUE}
    assert play(laid(drawing, in_icehouse=[RED, GREEN]), "-1 bell").winners == {BLUE}
    assert play(laid(drawing, in_icehouse=[RED, GREEN, BLUE]), "-1 bell").winners == set()
    assert laid(drawing).winners == set()


@pytest.mark.rule("IH-35", "IH-36")
def test_ih_35_and_ih_36_matches_and_ratings() -> None:
    """Scores (3, 0, 0), won by red, and (0, 2, 2), shared by green and blue: 3 · 2, 2 · 1½, 2 · 1½."""
    games = [play(laid("red L 12000,12000 stand 0.0"), "-1 bell"), play(laid(JOINT), "-1 bell")]
    assert match_scores(games) == (3, 2, 2)
    assert list(ratings(games)) == [6, 3, 3]
    nobody = play(laid(in_icehouse=[0, 1, 2]), "-1 bell")
    assert list(ratings([*games, nobody])) == [6, 3, 3]


# Notation, clock and faults


@pytest.mark.parametrize("text", JUNK)
def test_bad_notation(text: str) -> None:
    for position in (Oracle(players=8), laid(), play(laid(), "-1 bell")):
        assert position.fault(text, 0) == position.fault(text, 99, -1) == "notation"


def test_bad_notation_is_the_colour_of_no_seat() -> None:
    texts = ("lift L:yellow", "meltdown yellow", "give L:yellow red", "give L yellow")
    for text in texts:
        assert laid().fault(text, 0) == "notation"
        assert laid(players=4).fault(text, 0) in (None, "IH-7", "IH-20")


def test_notation_that_is_refused_only_by_rules() -> None:
    position = play(laid(), "0 lift L")
    for text in ("place 0,0 stand 0.0", "place -7,123456789012345678901 point 359.9", "place 5,5 stand 0.1"):
        assert position.fault(text, 0) == "IH-5"
    assert position.fault("capture p12345678901234567890", 0) == "IH-26"
    assert position.fault("place 5000,5000 stand 359.9", 0) is None


def test_spelled_out() -> None:
    assert spelled_out("lift L", 2) == "lift L:blue"
    assert spelled_out("give S red", 1) == "give S:green red"
    assert spelled_out("give S:blue red", 1) == "give S:blue red"
    assert spelled_out("lift M:red", 1) == "lift M:red"
    assert spelled_out("icehouse", 1) == "icehouse"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, 0),
        (1.5, 1500),
        (0.0005, 1),
        (0.00049, 0),
        (1.0005, 1001),
        (2.0015, 2002),
        (0.1 + 0.2, 300),
        (1e-7, 0),
        (7, 7000),
    ],
)
def test_times_are_whole_milliseconds(seconds: float, expected: int) -> None:
    """1.0005 is a little less as a binary fraction: its shortest decimal text counts."""
    assert milliseconds(seconds) == expected


def test_lengths_of_time_are_rounded_too() -> None:
    position = Oracle(call_grace=1.0005, call_pause=0.0004, gift_time=2.0015)
    assert (position.call_grace, position.call_pause, position.gift_time) == (1001, 0, 2002)


@pytest.mark.rule("IH-22")
def test_ih_22_time_does_not_run_back() -> None:
    position = play(laid(), "0@500 lift L")
    assert fault(position, "1@499 lift L") == "IH-22"
    assert fault(position, "1@500 lift L") is None
    assert fault(Oracle(), "1@-1 ready") == "IH-22"
    refused = position.key()
    assert fault(position, "0@900 lift L") == "IH-7"
    assert position.key() == refused
    assert fault(position, "1@600 lift L") is None
    with pytest.raises(ValueError, match="IH-22"):
        position.apply("lift L", 1, 499)


def test_order_of_faults() -> None:
    """Each of these breaks several rules; the first in the order is named."""
    over, before = play(laid(), "-1@50 bell"), play(Oracle(players=3), "0@50 ready")
    debtor = play(laid(), "0@50 icehouse")
    assert over.fault("lift 7", 9, 0) == "notation"
    assert over.fault("bell", 9, 0) == "IH-31"
    assert debtor.fault("bell", 9, 49) == "IH-22"
    assert before.fault("bell", 9) == "IH-31"
    assert before.fault("lift L", 9) == before.fault("ready", CHANCE) == debtor.fault("lift L", -2) == "IH-1"
    assert debtor.fault("ready", 0) == before.fault("ready", 0) == "IH-6"
    assert debtor.fault("return", 0) == debtor.fault("capture p1", 0) == "IH-24"
    assert debtor.fault("give L red", 1) == "IH-20"


@pytest.mark.rule("IH-24")
def test_ih_24_a_debtor_may_not_call_even_what_would_be_void() -> None:
    position = laid(ICED + "green L 9000,9000 stand 0.0", pads={0: SEVEN})
    position = play(position, "1 lift L", "1@0 place 9100,9000 stand 0.0", "2@0 icehouse")
    assert position.grace_until == 1500
    assert fault(position, "1@1 icehouse") == "IH-24"
    assert fault(position, "0@1 icehouse") is None


def test_drawings() -> None:
    position = laid(JOINT)
    assert laid(str(position)).key() == position.key()
    with pytest.raises(ValueError, match="overlap"):
        laid("red L 5000,5000 stand 0.0\nred L 5990,5000 stand 0.0")
    with pytest.raises(ValueError, match="more than five"):
        laid(pads={0: "6L"})
    with pytest.raises(ValueError, match="no piece"):
        laid("yellow L 5000,5000 stand 0.0")


def test_view() -> None:
    view = play(laid(JOINT, in_icehouse=[GREEN]), "0 lift L", "1 icehouse").view()
    assert view["field"][0] == {
        "id": "p1",
        "colour": "red",
        "size": "L",
        "x": 12000,
        "y": 12000,
        "heading": 0.0,
        "standing": True,
        "points_at": None,
        "valid": None,
        "iced": True,
        "redundant": None,
    }
    assert view["field"][2] == {
        "id": "p3",
        "colour": "green",
        "size": "M",
        "x": 13500,
        "y": 12000,
        "heading": 180.0,
        "standing": False,
        "points_at": "p1",
        "valid": True,
        "iced": None,
        "redundant": False,
    }
    assert view["pads"][0] == {"red": {"S": 5, "M": 5, "L": 4}}
    assert (view["hands"], view["in_icehouse"], view["owed"]) == ([None] * 3, [1], {"1": None})


# Random games


@pytest.mark.parametrize("seed", range(6))
def test_random_games_keep_what_must_hold(seed: int) -> None:
    """15 of every colour are always somewhere, nothing overlaps, and what is refused leaves no trace."""
    for step in random_game(seed, 250, bell_from=200):
        assert set(step.after.census().values()) == {5}
        assert len(step.after.census()) == 3 * step.after.players
        assert all(0 <= points <= 30 for points in step.after.scores)
        assert step.before.in_icehouse <= step.after.in_icehouse
        if step.fault:
            assert step.after is step.before
            with pytest.raises(ValueError, match=r"(notation|IH-[0-9]+)$"):
                step.before.apply(step.text, step.seat, step.at)
    polygons = [footprint(piece, step.after.length) for piece in step.after.field]
    for number, one in enumerate(polygons):
        assert geometry.is_on_field(one, step.after.width, step.after.height)
        assert not any(geometry.depth_squared(one, other) for other in polygons[:number])


def test_random_games_bring_up_everything() -> None:
    """So that a comparison with the product over such games compares all there is."""
    options = [{"crash": "penalty", "meltdown": "prevent"}, {"crash": "penalty", "meltdown": "call"}]
    games = [random_game(seed, 300, 250, players=2 + seed % 3, **options[seed % 2]) for seed in range(10)]
    games.append(random_game(13, 450, 450, players=2, crash="penalty", width=12, height=12, false_call="free"))
    steps = [step for game in games for step in game]
    assert {step.fault for step in steps} >= {
        None,
        "notation",
        *(f"IH-{number}" for number in (1, 5, 6, 7, 12, 13, 20, 22, 24, 26, 30, 31)),
    }
    done = {step.text.split()[0] for step in steps if step.fault is None}
    assert done == {"ready", "lift", "place", "return", "icehouse", "meltdown", "capture", "give", "bell"}
    assert any(step.after.in_icehouse > step.before.in_icehouse for step in steps)
    assert any(step.after.next_id > step.before.next_id and not step.after.field[-1].stands for step in steps)


def test_random_games_are_the_same_for_a_seed() -> None:
    one, other = ([(step.text, step.at) for step in random_game(3, 60)] for _ in range(2))
    assert one == other
