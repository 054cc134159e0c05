"""Refusals: code, rule, words and place."""

from __future__ import annotations

import pytest

from icetable import Fault, State

from .drawings import drawn, start

DRAWING = """
#   1P  .   .   .   .   1P  #
.   .   .   .   .   .   .   .
.   .   .   1Q  .   .   .   .
.   .   .   .   .   .   .   .
.   0P  1D  0Q  .   1D  .   .
.   .   .   .   0D  .   .   .
.   .   .   .   .   .   .   .
#   0P  .   .   .   .   0D  #
"""


def state_with(**settings: object) -> State:
    return drawn(DRAWING, **settings).state  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("die:swap", Fault("rolled", "The die has been rolled for this turn.", "WT-5")),
        ("end", Fault("move-owed", "You can make your normal move, so you must.", "WT-5")),
        ("a3-a1", Fault("no-such-square", "The board has no square 'a1'.", "WT-6", ("a1",))),
        ("z9-a1", Fault("no-such-square", "The board has no square 'z9'.", "WT-6", ("z9",))),
        ("c3-c5", Fault("no-own-pyramid", "Pick one of your own pyramids first: none stands on c3.", "WT-6", ("c3",))),
        ("d6-d8", Fault("no-own-pyramid", "Pick one of your own pyramids first: none stands on d6.", "WT-6", ("d6",))),
        (
            "b4-b5",
            Fault(
                "wrong-way",
                "A pawn moves exactly 2 squares along its row or its column. "
                "The die moves it one square toward or away from its home row, but not sideways.",
                "WT-6",
                ("b4", "b5"),
            ),
        ),
        (
            "b4-d6",
            Fault("wrong-way", "A pawn moves exactly 2 squares along its row or its column.", "WT-6", ("b4", "d6")),
        ),
        ("e3-e5", Fault("wrong-way", "A drone moves exactly 2 squares diagonally.", "WT-6", ("e3", "e5"))),
        (
            "d4-e6",
            Fault(
                "wrong-way",
                "A queen moves exactly 2 squares along its row, along its column or diagonally.",
                "WT-6",
                ("d4", "e6"),
            ),
        ),
        ("d4-f2", Fault("blocked", "The way from d4 to f2 is blocked on e3.", "WT-6", ("e3",))),
        ("d4-f4", Fault("occupied", "A pyramid already stands on f4.", "WT-6", ("f4",))),
        ("b4-d4", Fault("blocked", "The way from b4 to d4 is blocked on c4.", "WT-6", ("c4",))),
        ("~b1-a1", Fault("no-such-square", "The board has no square 'a1'.", "WT-7", ("a1",))),
        ("~a1*b2", Fault("no-such-square", "The board has no square 'a1'.", "WT-7", ("a1",))),
        ("~c3-c4", Fault("no-pyramid", "No pyramid stands on c3.", "WT-7", ("c3",))),
        (
            "~d4-d6",
            Fault(
                "wrong-way",
                "The die moves a pyramid one square toward or away from its home row, but not sideways, "
                "and not from d4 to d6.",
                "WT-7",
                ("d4", "d6"),
            ),
        ),
        (
            "~d4-e4",
            Fault(
                "wrong-way",
                "The die moves a pyramid one square toward or away from its home row, but not sideways, "
                "and not from d4 to e4.",
                "WT-7",
                ("d4", "e4"),
            ),
        ),
        ("~d4-e3", Fault("occupied", "A pyramid already stands on e3.", "WT-7", ("e3",))),
        ("~b1*c3", Fault("no-pyramid", "No pyramid stands on c3.", "WT-7", ("c3",))),
        (
            "~c4*f4",
            Fault(
                "no-change",
                "The pyramids on c4 and f4 are alike: swapping them would change nothing.",
                "WT-8",
                ("c4", "f4"),
            ),
        ),
    ],
)
def test_fault(text: str, fault: Fault) -> None:
    state = state_with(roll="wild")
    assert state.fault(text) == fault
    assert state.fault(text, 0) == fault


@pytest.mark.parametrize(
    ("roll", "text", "message"),
    [
        ("away", "~b1*g1", "The die shows away, so nothing can be swapped."),
        ("away", "~d4-d3", "The die moves a pyramid one square away from its home row, and not from d4 to d3."),
        ("away", "~d6-d7", "The die moves a pyramid one square away from its home row, and not from d6 to d7."),
        ("toward", "~d6-d5", "The die moves a pyramid one square toward its home row, and not from d6 to d5."),
        (
            "diag-toward",
            "~d6-e5",
            "The die moves a pyramid one square diagonally toward its home row, and not from d6 to e5.",
        ),
        (
            "diag-away",
            "~d6-e7",
            "The die moves a pyramid one square diagonally away from its home row, and not from d6 to e7.",
        ),
        ("swap", "~d6-d5", "The die shows swap, so two pyramids change places."),
    ],
)
def test_another_roll(roll: str, text: str, message: str) -> None:
    fault = state_with(roll=roll).fault(text)
    assert fault is not None
    assert (fault.rule, fault.message) == ("WT-7", message)


def test_the_phases() -> None:
    """WT-5, in the order roll, normal move, die move."""
    start = state_with()
    for text in ("b4-b6", "~b4-b5", "~b1*g1", "end", "a1-a3"):
        assert start.fault(text) == Fault("not-rolled", "First the die has to be rolled.", "WT-5")
    moved = start.apply("die:wild").apply("b4-b6")
    for text in ("b6-b4", "a1-a3"):
        assert moved.fault(text) == Fault("moved", "You have made the normal move of this turn.", "WT-5")
    assert moved.fault("end") is None
    rolled = start.apply("die:wild").apply("~b4-b5")
    for text in ("~b5-b4", "~b1*g1", "~a1-a2", "~a1*z9"):
        assert rolled.fault(text) == Fault("die-used", "You have made the die move of this turn.", "WT-5")
    assert rolled.fault("end") == Fault("move-owed", "You can make your normal move, so you must.", "WT-5")


def test_not_your_turn() -> None:
    start = state_with()
    fault = Fault("not-your-turn", "It is not seat 0's turn but chance's.", "WT-5")
    assert start.fault("b4-b6", 0) == fault
    fault = Fault("not-your-turn", "It is not seat 1's turn but seat 0's.", "WT-5")
    assert start.apply("die:swap").fault("d6-d8", 1) == fault


def test_game_over() -> None:
    """The rule that ended the game."""
    state = start(turn_limit=1).state.apply("die:away").apply("d1-d3").apply("end")
    for text in ("end", "die:swap", "a1-a3", "~b1*b8"):
        assert state.fault(text) == Fault("game-over", "The game is over.", "WT-18")
