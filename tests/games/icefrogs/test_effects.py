"""What an act causes, and above all the way it took."""

from __future__ import annotations

import random

import pytest

from icetable import Effect, State

from .oracle import SIZES, Board, Oracle, read_boards
from .product import game_of, patient, state_of


def longest_way(position: Oracle, state: State) -> int:
    """Check every legal act's effects against the oracle: the path is one of the shortest. Returns most legs."""
    twin = patient(position)
    legs = 0
    for text in twin.legal() - {"pass"}:
        after = position.apply(text)
        source, _, last = text.replace("@", "-").partition("-")
        path, *others = state.apply(text).effects
        assert path.kind == "path"
        assert path.value == (
            f"{position.seat}{source}" if source in SIZES else "{}{}".format(*position.stacks[source][-1])
        )
        assert path.spaces in twin.paths(source)[last]
        expected = []
        if position.stacks[last]:
            seat, size = position.stacks[last][-1]
            expected.append(Effect("covers", (last,), f"{seat}{size}"))
        if after.ended_by == "IF-16":
            expected.append(Effect("reaches", (last,)))
        if after.ended_by == "IF-18":
            expected.append(Effect("draw", (), "IF-18"))
        assert others == expected
        legs = max(legs, len(path.spaces) - 1)
    return legs


@pytest.mark.parametrize("board", read_boards(), ids=lambda board: f"{board.rule} {board.title}")
def test_effects_on_the_boards(board: Board) -> None:
    assert longest_way(board.position, state_of(board.position)) >= (0 if board.position.legal() == {"pass"} else 1)


@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_effects_in_random_games(players: int, board: str) -> None:
    dice = random.Random(f"effects {players} {board}")
    position = Oracle(players, board, turn_limit=60)
    state = game_of(position).start()
    legs = 0
    while not position.ended_by:
        if position.turns % 4 == 0 or position.turns == 59:
            legs = max(legs, longest_way(position, state))
        patient = [text for text in sorted(position.legal()) if text[-2:] not in position.goals()]
        text = dice.choice(patient or sorted(position.legal()))
        position, state = position.apply(text), state.apply(text)
    assert legs >= 3


def test_a_long_way_round() -> None:
    """Four jumps and a step, and five jumps to the goal."""
    position = next(board for board in read_boards() if "A long chain may stop" in board.title).position
    state = state_of(position)
    assert state.apply("c1-e4").effects == (
        Effect("path", ("c1", "c3", "c5", "c7", "e5", "e4"), "0M"),
        Effect("covers", ("e4",), "1L"),
    )
    assert state.apply("c1-g7").effects[0] == Effect("path", ("c1", "c3", "c5", "c7", "e5", "g7"), "0M")


def test_written() -> None:
    """As a record writes them."""
    state = game_of(Oracle(turn_limit=3)).start().apply("L@b1").apply("S@h2").apply("S@b1")
    assert [str(effect) for effect in state.effects] == ["path a1 b1 0S", "covers b1 0L", "draw IF-18"]
    assert state.record().splitlines()[-4:] == [
        "0 L@b1 # path a1 b1 0L",
        "1 S@h2 # path i1 h2 1S",
        "0 S@b1 # path a1 b1 0S, covers b1 0L, draw IF-18",
        "end IF-18 winners 0 1 scores 1 1",
    ]
