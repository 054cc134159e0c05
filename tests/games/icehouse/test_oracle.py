"""The oracle of Icehouse by itself: its options, and what it reads and writes."""

from typing import Any

import pytest

from .oracle import Oracle, match_scores, milliseconds, ratings, spelled_out
from .random_games import JUNK, random_game


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


JOINT = """
    red L 12000,12000 stand 0.0
    blue M 10500,12000 point 0.0
    green M 13500,12000 point 180.0
"""


def rung(drawing: str = "", **settings: Any) -> Oracle:
    """The end of a game of three, by the bell."""
    return Oracle.laid(drawing, players=3, **settings).apply("bell", -1)


@pytest.mark.rule("IH-35", "IH-36")
def test_ih_35_and_ih_36_matches_and_ratings() -> None:
    """Scores (3, 0, 0), won by red, and (0, 2, 2), shared by green and blue: 3 · 2, 2 · 1½, 2 · 1½."""
    games = [rung("red L 12000,12000 stand 0.0"), rung(JOINT)]
    assert match_scores(games) == (3, 2, 2)
    assert list(ratings(games)) == [6, 3, 3]
    nobody = rung(in_icehouse=[0, 1, 2])
    assert list(ratings([*games, nobody])) == [6, 3, 3]


@pytest.mark.parametrize("text", JUNK)
def test_bad_notation(text: str) -> None:
    for position in (Oracle(players=8), Oracle.laid("", players=3), rung()):
        assert position.fault(text, 0) == position.fault(text, 99, -1) == "notation"


def test_bad_notation_is_the_colour_of_no_seat() -> None:
    texts = ("lift L:yellow", "meltdown yellow", "give L:yellow red", "give L yellow")
    for text in texts:
        assert Oracle.laid("", players=3).fault(text, 0) == "notation"
        assert Oracle.laid("", players=4).fault(text, 0) in (None, "IH-7", "IH-20")


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


def test_drawings() -> None:
    position = Oracle.laid(JOINT)
    assert Oracle.laid(str(position)).key() == position.key()
    with pytest.raises(ValueError, match="overlap"):
        Oracle.laid("red L 5000,5000 stand 0.0\nred L 5990,5000 stand 0.0")
    with pytest.raises(ValueError, match="more than five"):
        Oracle.laid("", pads={0: "6L"})
    with pytest.raises(ValueError, match="no piece"):
        Oracle.laid("yellow L 5000,5000 stand 0.0", players=3)


def test_view() -> None:
    view = Oracle.laid(JOINT, players=3, in_icehouse=[1]).apply("lift L", 0).apply("icehouse", 1).view()
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


def test_random_games_are_the_same_for_a_seed() -> None:
    one, other = ([(step.text, step.at) for step in random_game(3, 60)] for _ in range(2))
    assert one == other
