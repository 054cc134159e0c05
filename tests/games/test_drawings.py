"""Drawings of positions that can't be are refused, so that a slip of the pen is no test."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from tests.games.icefrogs import drawings as frogs
from tests.games.squad import drawings as squad

OPENED = """
1C1 1J  .   .
.   .   .   .
.   0S  .   .
0C3 0J  0J  1F
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0S", "0S .", "4 rows of 4"),
        (".   0S  .   .\n", "", "4 rows of 4"),
        *(("0S", wrong, "a token is") for wrong in ("0s", "4S", "0S1F")),
        *(("0C3", wrong, "a token is") for wrong in ("0C", "0C5")),
        ("0S", "2S", "not so many 2S"),
        ("0S", "0J", "not so many 0J"),
    ],
)
def test_of_what_can_not_be(old: str, new: str, message: str) -> None:
    assert squad.drawn(OPENED).to_act == {0}
    with pytest.raises(ValueError, match=message):
        squad.drawn(OPENED.replace(old, new))


STAR = ".\n. {}\n" + ". . . . . . .\n. . . . . .\n. . . . .\n. . . . . .\n. . . . . . .\n. .\n."


@pytest.mark.parametrize(
    ("token", "message"), [("0S0S0S0S0S0S", "not so many 0S"), ("2S", "not so many 2S"), ("0s", "a token is")]
)
def test_of_a_star(token: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        frogs.drawn(STAR.format(token))


SQUARE = "{} . .\n. . .\n. . ."
EIGHT = "# . . . . . . #\n" + ". . . . . . . .\n" * 6 + "# . . . {} 0D 0D #"


@pytest.mark.parametrize(
    ("name", "drawing", "token", "message"),
    [
        ("icefrogs", STAR, "0S0S0S0S0S0S", "not so many 0S"),
        ("icefrogs", STAR, "2S", "not so many 2S"),
        ("icefrogs", STAR, "0s", "a token is"),
        ("highrise", SQUARE, "0S0S0S0S0S0S", "not so many 0S"),
        ("highrise", SQUARE, "0L0L", "the seats place in turn"),
        ("highrise", SQUARE, "2L", "a token is"),
        ("wrecktangle", EIGHT, "0D", "more than two pyramids of a size"),
        ("wrecktangle", EIGHT, "2P", "more than two pyramids of a size"),
        ("wrecktangle", EIGHT, "#", "a token is"),
    ],
)
def test_of_too_much(name: str, drawing: str, token: str, message: str) -> None:
    drawings: Any = import_module(f"tests.games.{name}.drawings")
    with pytest.raises(ValueError, match=message):
        drawings.drawn(drawing.format(token))
