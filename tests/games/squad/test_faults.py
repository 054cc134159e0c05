"""Refusals of the product: code, rule, words and place."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import Fault, State

from .drawings import drawn

DRAWING = """
1C1 .   .   .
.   0J  .   .
0S  0S  1F  .
0C1 .   .   .
"""
"""Seat 0 has placed both its sophomores."""


@pytest.fixture
def state() -> State:
    return drawn(DRAWING).state


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("F@z9", Fault("no-such-square", "The board has no square 'z9'.", "SQ-1", ("z9",))),
        ("C@e5", Fault("no-such-square", "The board has no square 'e5'.", "SQ-1", ("e5",))),
        ("C@d4", Fault("captain-placed", "Your captain is already on the board.", "SQ-4")),
        ("S@b1", Fault("none-left", "You have no sophomore left to place.", "SQ-2")),
        ("S@b2", Fault("none-left", "You have no sophomore left to place.", "SQ-2")),
        ("F@b2", Fault("occupied", "b2 is taken.", "SQ-6", ("b2",))),
        ("J@a4", Fault("occupied", "a4 is taken.", "SQ-6", ("a4",))),
        (
            "F@b1",
            Fault("wrong-formation", "A freshman needs 1 friend beside it; on b1 it would have 2.", "SQ-7", ("b1",)),
        ),
        (
            "J@c3",
            Fault("wrong-formation", "A junior needs 3 friends beside it; on c3 it would have 2.", "SQ-7", ("c3",)),
        ),
        (
            "J@d4",
            Fault("wrong-formation", "A junior needs 3 friends beside it; on d4 it would have 0.", "SQ-7", ("d4",)),
        ),
    ],
)
def test_fault(state: State, text: str, fault: Fault) -> None:
    assert state.fault(text) == fault
    assert state.fault(text, 0) == fault


@pytest.mark.parametrize(
    ("options", "text", "message"),
    [
        ({"formation": "up-to"}, "F@b1", "A freshman needs 1 friend beside it; on b1 it would have 2."),
        ({"formation": "up-to"}, "J@d4", "A junior needs 1 to 3 friends beside it; on d4 it would have 0."),
        (
            {"formation": "up-to", "friends": "own"},
            "J@d2",
            "A junior needs 1 to 3 friends of its colour beside it; on d2 it would have 0.",
        ),
        (
            {"formation": "up-to", "friends": "own"},
            "F@a3",
            "A freshman needs 1 friend of its colour beside it; on a3 it would have 2.",
        ),
    ],
)
def test_formations_under_options(options: dict[str, Any], text: str, message: str) -> None:
    """SQ-6, SQ-7."""
    fault = drawn(DRAWING, **options).state.fault(text)
    assert fault == Fault("wrong-formation", message, "SQ-7", (text[2:],))


def test_captains() -> None:
    """SQ-4: two or four begin on corners, three on the rim, and friends come after all of them."""
    state = icetable.load("squad").start().apply("C@a1")
    for text in ("C@b1", "C@a1", "C@b2"):
        message = f"A captain begins on an empty corner, not on {text[2:]}."
        assert state.fault(text) == Fault("captain-site", message, "SQ-4", (text[2:],))
    assert state.fault("F@b1") == Fault(
        "captains-first", "All captains have to be placed before the first friend.", "SQ-4"
    )
    three = icetable.load("squad", players=3).start().apply("C@c1")
    for text in ("C@c1", "C@c2"):
        message = f"A captain begins on an empty square on the rim, not on {text[2:]}."
        assert three.fault(text) == Fault("captain-site", message, "SQ-4", (text[2:],))
    assert three.fault("C@b1") is None


def test_not_your_turn(state: State) -> None:
    """SQ-5."""
    assert state.fault("F@d2", 1) == Fault("not-your-turn", "It is not seat 1's turn but seat 0's.", "SQ-5")


def test_game_over() -> None:
    """SQ-13."""
    state = icetable.load("squad", players=1, trios=2).start().apply("C@a1").apply("F@b1").apply("F@a1")
    assert state.is_terminal
    for text in ("C@a4", "F@z9", "J@b1"):
        assert state.fault(text) == Fault("game-over", "The game is over.", "SQ-13")
