"""What an act causes: the formation, the stunts, the falls."""

from __future__ import annotations

import random
from typing import Any

import pytest

import icetable
from icetable import Effect

from .oracle import Oracle, read_boards
from .product import effects_of, game_of, state_of

OPTIONS: tuple[dict[str, Any], ...] = (
    {"players": 1},
    {"players": 2},
    {"players": 3},
    {"players": 4, "board": 4},
    {"players": 3, "formation": "up-to"},
    {"players": 4, "formation": "up-to", "friends": "own"},
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_effects_in_random_games(options: dict[str, Any]) -> None:
    """SQ-8 … SQ-11a, of every legal act along the way."""
    dice = random.Random(f"effects {options}")
    kinds = set()
    for _ in range(12):
        position, state = Oracle(**options), game_of(Oracle(**options)).start()
        while not position.ended_by:
            for text in sorted(position.legal()):
                after = state.apply(text)
                piece = f"{position.seat}{text[0]}"
                kind = "captain" if text[0] == "C" else "formation"
                assert after.effects[0] == Effect(kind, (text[2:],), piece)
                assert effects_of(after) == position.apply(text).effects
                kinds |= {effect.kind for effect in after.effects}
            text = dice.choice(sorted(position.legal()))
            position, state = position.apply(text), state.apply(text)
    assert kinds == {"captain", "formation", "stunt", "fall"}


@pytest.mark.parametrize("board", [board for board in read_boards() if board.after], ids=lambda board: board.title)
def test_effects_on_the_boards(board: Any) -> None:
    after = state_of(board.position).apply(board.act)
    assert effects_of(after) == board.position.apply(board.act).effects


def test_written() -> None:
    """As a record writes them: two captains leap (SQ-8, SQ-9), and two freshmen fall (SQ-11)."""
    lines = """
        0 C@d4 # captain d4 0C
        1 C@a1 # captain a1 1C
        0 F@b1 # formation b1 0F, stunt a1 b1 c1 1C1
        1 F@b2 # formation b2 1F
        0 F@d1 # formation d1 0F
        1 F@d2 # formation d2 1F
        0 J@c2 # formation c2 0J, stunt c1 c2 c3 1C1
        1 S@c4 # formation c4 1S, stunt d4 c4 b4 0C1
        0 J@b3 # formation b3 0J, stunt c3 b3 a3 1C1
        1 S@a4 # formation a4 1S
        0 S@a2 # formation a2 0S, stunt a3 a2 a1 1C2, fall b1 0F
        1 J@a3 # formation a3 1J
        0 S@b1 # formation b1 0S, stunt a1 b1 c1 1C3, fall d1 0F
        end SQ-13 winners 0 scores 11 8
    """
    expected = [line.strip() for line in lines.strip().splitlines()]
    state = icetable.load("squad").start()
    for line in expected[:-1]:
        state = state.apply(line.split()[1])
    assert state.record().splitlines()[-len(expected) :] == expected


def test_two_captains_stunt_at_once() -> None:
    """SQ-9, SQ-10: both land before either is counted."""
    drawing = """
    .   .   .   .
    .   .   .   .
    0C1 .   .   .
    .   1C1 .   .
    """
    state = state_of(Oracle.drawn(drawing)).apply("S@b2")
    assert state.effects == (
        Effect("formation", ("b2",), "0S"),
        Effect("stunt", ("a2", "b2", "c2"), "0C1"),
        Effect("stunt", ("b1", "b2", "b3"), "1C1"),
    )
