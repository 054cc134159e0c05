"""What the oracle of WreckTangle refuses to read."""

from typing import Any

import pytest

from .oracle import Oracle

STUCK = """
#   2P  2D  2Q  2Q  2D  2P  #
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
1P  1D  1Q  1Q  1D  1P  .   .
#   0P  0P  0D  0D  .   .   #
"""
"""Seat 0 has no normal move; and nothing can go toward its home row."""

TWO_RECTANGLES = """
#   1P  .   1Q  .   .   1D  #
.   .   .   .   0Q  .   .   .
.   .   .   .   .   .   .   .
.   0D  .   .   .   .   .   0D
.   .   .   .   .   .   1D  .
.   .   1P  .   1Q  .   .   .
.   0P  .   .   0Q  .   .   0P
#   .   .   .   .   .   .   #
"""

THREE_PLAYERS = """
#   2P  2D  2Q  2Q  .   .   #
.   .   .   .   0Q  .   .   .
1D  .   .   .   .   .   .   .
1Q  0D  .   .   .   .   .   .
1Q  .   .   .   .   .   .   .
.   .   1P  .   .   .   .   .
.   0P  .   .   0Q  .   .   .
#   .   .   .   .   .   .   #
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#   1P", "#   1P  .", "8 rows of 8"),
        ("#   .   .   .   .   .   .   #\n", "", "8 rows of 8"),
        ("1D  #", "1D  .", "a token is"),
        ("1D  #", "#   #", "a token is"),
        ("1D  #", "1S  #", "a token is"),
        ("1D  #", "D1  #", "a token is"),
        ("1D  #", "2D  #", "nobody has seat 2"),
        ("1D  #", "1Q  #", "more than two of size Q"),
        ("1D", ". ", None),
        ("1Q", ". ", None),
        ("1P", ". ", None),
        ("0D", ". ", None),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str | None) -> None:
    drawing = TWO_RECTANGLES.replace(old, new)
    if message is None:
        assert len(Oracle.drawn(drawing).standing) == 10
        return
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(drawing)


@pytest.mark.parametrize(
    ("drawing", "settings", "message"),
    [
        (TWO_RECTANGLES.replace("1D", ". ").replace("1Q  .   .", ".   .   ."), {}, "has no pyramids on the board"),
        (
            TWO_RECTANGLES.replace("1D", ". ").replace("1Q  .   .", ".   .   ."),
            {"fallen": "stay"},
            "the last player in the game has won",
        ),
        (THREE_PLAYERS.replace("1D", ". "), {"players": 3, "fallen": "stay", "seat": 1}, "seat 1 is out"),
        (TWO_RECTANGLES, {"roll": "tip"}, "no face of the die is tip"),
        (TWO_RECTANGLES, {"normal_made": True}, "the roll comes first"),
        (TWO_RECTANGLES, {"die_used": True}, "the roll comes first"),
        (TWO_RECTANGLES, {"roll": "away", "normal_made": True, "die_used": True}, "the turn has passed by itself"),
        (STUCK, {"players": 3, "roll": "toward"}, "the turn has passed by itself"),
        (TWO_RECTANGLES, {"last": "b2 b5 e2 e4"}, "is no rectangle"),
    ],
)
def test_drawing_of_turns_that_cannot_be(drawing: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(drawing, **settings)
