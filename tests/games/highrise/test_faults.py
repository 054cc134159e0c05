"""Refusals of the product: code, rule, words and place, in the order of the rules."""

from __future__ import annotations

import pytest

from icetable import CHANCE, Fault, State

from .drawings import begun, load

YOURS = "your colours are red, yellow, green, blue, black."
TOO_EARLY = Fault("too-early", "The numbers are shown when both stashes are empty.", "HR-8")
NOT_ROLLED = Fault("not-rolled", "First the dice have to be rolled.", "HR-2")
ROLLED_ALREADY = Fault("rolled", "The dice have been rolled.", "HR-2")
OTHER_NUMBERS = Fault("other-numbers", "The numbers of a deal are those that were rolled, in any order.", "HR-2")
NOTHING_LEFT = Fault("nothing-left", "No pyramids are left to place; now the numbers are shown.", "HR-8")


def after(*acts: str, **options: object) -> State:
    """The state to which the acts lead."""
    state: State = begun(**options)
    for act in acts:
        state = state.apply(act)
    return state


def all_placed(**options: object) -> State:
    """The deal is to come."""
    return after(*["S@a1"] * 10, *["M@b2"] * 20, *["L@c3"] * 20, **options)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("deal:352164135", TOO_EARLY),
        ("deal:777777777", TOO_EARLY),
        ("deal:1", TOO_EARLY),
        ("L@d1", Fault("no-such-square", "The board has no square 'd1'.", "HR-1", ("d1",))),
        ("L@a4", Fault("no-such-square", "The board has no square 'a4'.", "HR-1", ("a4",))),
        ("L@a0", Fault("no-such-square", "The board has no square 'a0'.", "HR-1", ("a0",))),
        ("L@a01", Fault("no-such-square", "The board has no square 'a01'.", "HR-1", ("a01",))),
        ("L:cyan@z9", Fault("no-such-square", "The board has no square 'z9'.", "HR-1", ("z9",))),
        ("S:red@z9", Fault("no-such-square", "The board has no square 'z9'.", "HR-1", ("z9",))),
        ("L:cyan@a1", Fault("not-your-colour", f"Your opponent plays cyan; {YOURS}", "HR-6")),
        ("S:orange@a1", Fault("not-your-colour", f"Your opponent plays orange; {YOURS}", "HR-6")),
        ("S@a1", Fault("none-left", "You have no small pyramid left in your stash.", "HR-3")),
        ("S:red@a1", Fault("none-left", "You have no small pyramid left in your stash.", "HR-3")),
        ("L:red@a1", Fault("none-left", "You have no large red pyramid left in your stash.", "HR-3")),
        ("L@a1", None),
        ("L:black@a1", None),
        ("M:red@c3", None),
    ],
)
def test_placing(text: str, fault: Fault | None) -> None:
    """Seat 0 to move without small ones and red large ones."""
    state = after(*["S@a1"] * 10, *["L:red@b1", "L@b1"] * 2)
    assert state.to_act == {0}
    assert state.fault(text) == fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("L@b2", NOTHING_LEFT),
        ("L:cyan@b2", NOTHING_LEFT),
        ("L@z9", NOTHING_LEFT),
        ("deal:1", Fault("wrong-count", "There are 9 squares, so a deal has 9 numbers, not 1.", "HR-2")),
        ("deal:1111111111", Fault("wrong-count", "There are 9 squares, so a deal has 9 numbers, not 10.", "HR-2")),
        ("deal:10,2", Fault("wrong-count", "There are 9 squares, so a deal has 9 numbers, not 2.", "HR-2")),
        ("deal:352164137", Fault("no-die", "A die shows 1 to 6.", "HR-2")),
        ("deal:052164135", Fault("no-die", "A die shows 1 to 6.", "HR-2")),
        ("deal:3,5,2,1,6,4,1,3,10", Fault("no-die", "A die shows 1 to 6.", "HR-2")),
        ("deal:352164135", None),
        ("roll:112335465", Fault("no-roll", "In this game no dice are rolled openly.", "HR-2")),
    ],
)
def test_deal_of_dice_that_nobody_has_seen(text: str, fault: Fault | None) -> None:
    assert all_placed(numbers="unseen").fault(text) == fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("L@b2", NOTHING_LEFT),
        ("deal:1", Fault("wrong-count", "There are 9 squares, so a deal has 9 numbers, not 1.", "HR-2")),
        ("deal:352164137", OTHER_NUMBERS),
        ("deal:352164136", OTHER_NUMBERS),
        ("deal:111111111", OTHER_NUMBERS),
        ("deal:352164135", None),
        ("deal:112334556", None),
        ("roll:112334556", ROLLED_ALREADY),
        ("roll:1", ROLLED_ALREADY),
    ],
)
def test_deal_of_dice_that_all_have_seen(text: str, fault: Fault | None) -> None:
    """They show 1, 1, 2, 3, 3, 4, 5, 5 and 6."""
    assert all_placed().fault(text) == fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("L@b2", NOT_ROLLED),
        ("L@z9", NOT_ROLLED),
        ("L:cyan@b2", NOT_ROLLED),
        ("deal:352164135", TOO_EARLY),
        ("deal:1", TOO_EARLY),
        ("roll:1", Fault("wrong-count", "There are 9 squares, so a roll has 9 numbers, not 1.", "HR-2")),
        ("roll:112334557", Fault("no-die", "A die shows 1 to 6.", "HR-2")),
        ("roll:012334556", Fault("no-die", "A die shows 1 to 6.", "HR-2")),
        ("roll:211334556", Fault("not-in-order", "The numbers of a roll are listed smallest first.", "HR-2")),
        ("roll:112334556", None),
    ],
)
def test_before_the_roll(text: str, fault: Fault | None) -> None:
    assert load().start().fault(text) == fault


def test_a_second_roll() -> None:
    assert after("L@a1").fault("roll:112334556") == ROLLED_ALREADY
    given = Fault("no-roll", "In this game no dice are rolled openly.", "HR-2")
    assert after(values=[1] * 9).fault("roll:111111111") == given


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("deal:0,0,0,5,5,5,10,10,200", True),
        ("deal:200,0,5,0,10,5,0,10,5", True),
        ("deal:0,0,0,5,5,5,10,10,10", False),
        ("deal:0,0,0,5,5,5,10,200,200", False),
        ("deal:000555123", False),
    ],
)
def test_deal_of_values(text: str, right: bool) -> None:
    message = "The numbers of a deal are those of this game's values, in any order."
    fault = all_placed(values=[0, 0, 0, 5, 5, 5, 10, 10, 200]).fault(text)
    assert fault == (None if right else Fault("other-numbers", message, "HR-2"))


def test_not_your_turn() -> None:
    state = after("L@a1")
    assert state.fault("L@a1", 0) == Fault("not-your-turn", "It is not seat 0's turn but seat 1's.", "HR-5")
    assert state.fault("deal:352164135", CHANCE) == Fault(
        "not-your-turn", "It is not chance's turn but seat 1's.", "HR-5"
    )
    assert all_placed().fault("L@a1", 0) == Fault("not-your-turn", "It is not seat 0's turn but chance's.", "HR-5")


def test_when_it_is_over() -> None:
    state = all_placed().apply("deal:352164135")
    for text in ("L@a1", "L@z9", "L:cyan@a1", "deal:352164135", "deal:1"):
        assert state.fault(text) == Fault("game-over", "The game is over.", "HR-8")
