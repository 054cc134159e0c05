"""What the oracle of Who's On The Squad refuses to read."""

import pytest

from .oracle import Oracle

OPENED = """
1C1 .   .   .
.   .   .   .
.   .   .   .
0C1 .   .   .
"""

MIDDLE_GAME = """
1C2 1J  .   .
.   .   .   .
.   0S  .   .
0C3 0J  0J  1F
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0S", "0S .", "4 rows of 4"),
        (".   0S  .   .\n", "", "4 rows of 4"),
        ("0S", "0s", "a token is"),
        ("0S", "4S", "a token is"),
        ("0C3", "0C", "a token is"),
        ("0C3", "0C5", "a token is"),
        ("0S", "0S1F", "a token is"),
        ("0S", "2S", "nobody has seat 2"),
        ("0S", "0J", "more than 2 friends of size J"),
        ("0C3", ".  ", "one by one in seat order"),
        ("1C2", "0C2", "one by one in seat order"),
        ("1C2", ".  ", "friends are placed after all captains"),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(MIDDLE_GAME.replace(old, new))


def test_drawing_of_captains_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="a captain begins where it may"):
        Oracle.drawn(OPENED.replace("1C1", ".  ").replace("0C1 . ", ".   0C1"))
    with pytest.raises(ValueError, match="friends are placed after all captains"):
        Oracle.drawn(OPENED.replace("1C1", ".  "), fallen="0F")
    for fallen in ("2F", "0C", "1F 0X"):
        with pytest.raises(ValueError, match="the fallen are friends"):
            Oracle.drawn(OPENED, fallen=fallen)
