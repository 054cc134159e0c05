"""What the oracle of IceFrogs draws, and what it refuses to read."""

import pytest

from .oracle import Oracle

DRAWING = """
              .
            .   1S
  .   .   .   .   .   .   .
    .   .   .   .   .   .
      .   .  0L  0M1S .
   0S  .   .   1S  .   .
  .   .   .   .   .   .   .
            .   .
              .
"""


def test_drawing_on_the_hexagon() -> None:
    position = Oracle(board="hexagon").apply("L@b1").apply("S@f5")
    assert str(position).splitlines() == [
        "      .   .   .   .",
        "    .   .   .   .   1S",
        "  .   .   .   .   .   .",
        ".   .   .   .   .   .   .",
        "  .   .   .   .   .   .",
        "    0L  .   .   .   .",
        "      .   .   .   .",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0S", "0S .", "rows of"),
        ("0S", "0s", "a token is"),
        ("0S", "7S", "a token is"),
        ("0S", "xx", "a token is"),
        ("0S", "2S", "nobody has seat 2"),
        ("0S", "0S0M", "stands on a smaller one"),
        ("0S", "0S0S0S0S0S0S", "more than five"),
        ("              .\n", "              0S\n", "a start space is empty"),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(DRAWING.replace(old, new))
