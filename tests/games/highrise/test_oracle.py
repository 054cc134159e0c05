"""What the oracle of High Rise refuses to read, and what it does not list."""

from typing import Any

import pytest

from .oracle import Oracle

COVERED = """
.         .      L:green
M:orange  .      .
S:redL:white  .  S:cyanM:black
"""


def test_drawing_of_another_board() -> None:
    position = Oracle.drawn(". . . 0L\n. 1M . .\n. . . .", rows=3, cols=4)
    assert position.stacks["d3"] == [("L", "red")]
    assert position.stacks["b2"] == [("M", "purple")]
    assert position.to_act == {0}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("L:green", "L:green .", "3 rows of 3"),
        (".         .      L:green\n", "", "3 rows of 3"),
        ("L:green", "L:pink", "a token is"),
        ("L:green", "2L", "a token is"),
        ("L:green", "L", "a token is"),
        ("L:green", "x", "a token is"),
        ("L:green", "S:red", "seat 0 has no more red pyramid of size S"),
        ("L:green", "0S0S0S0S0S", "seat 0 has no more red pyramid of size S"),
        ("L:green", ". ", "the seats place in turn"),
        ("L:green", "0L0L", None),
        ("L:green", "0L0L0L", "the seats place in turn"),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str | None) -> None:
    drawing = COVERED.replace(old, new)
    if message is None:
        assert Oracle.drawn(drawing).to_act == {1}
        return
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(drawing)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("chips", "values is dice or a list of 9 numbers"),
        ([1] * 8, "values is dice or a list of 9 numbers"),
        ([1] * 12, "values is dice or a list of 9 numbers"),
        ([1] * 8 + [-1], "whole numbers of 0 or more"),
        ([1] * 8 + [1.5], "whole numbers of 0 or more"),
        ([1] * 8 + [True], "whole numbers of 0 or more"),
    ],
)
def test_values(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle(values=values)


@pytest.mark.rule("HR-2")
def test_hr_2_outcomes_are_listed_up_to_1000() -> None:
    """9·8·7 = 504 with three numbers that are not 0, 9·8·7·6 = 3024 with four; and those of dice never."""
    tower = ".  .  .\n.  .  .\n" + "0L1L" * 10 + "0M1M" * 10 + "0S1S" * 5 + "  .  ."
    assert len(Oracle.drawn(tower, values=[1, 2, 3, 0, 0, 0, 0, 0, 0]).legal()) == 504
    with pytest.raises(ValueError, match="3024 outcomes are too many"):
        Oracle.drawn(tower, values=[1, 2, 3, 4, 0, 0, 0, 0, 0]).legal()
    with pytest.raises(ValueError, match="too many"):
        Oracle.drawn(tower).legal()
