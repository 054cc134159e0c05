"""Properties of every position, and agreement of kernel and class at positions that play hardly reaches."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icetable
from icetable import State
from icetable.workshop import Pyramid

from .drawings import BOARDS, SIZES, Frogs, all_texts, start

PLAYERS = st.integers(2, 6)
EITHER_BOARD = st.sampled_from(BOARDS)


def assert_sound(state: State) -> None:
    """Pyramids are neither made nor lost, stacks grow smaller upwards, and nobody stands on a start but who has won."""
    view = state.view()
    stacks = view["stacks"]
    standing = Counter(piece for stack in stacks.values() for piece in stack)
    for seat in range(state.game.players):
        left = view["pads"][seat] if "pads" in view else {}
        assert [standing[f"{seat}{size}"] + left.get(f"{seat}{size}", 0) for size in SIZES] == [5] * 3  # IF-3
    for stack in stacks.values():
        sizes = [SIZES.index(piece[1]) for piece in stack]
        assert sizes == sorted(sizes, reverse=True)  # IF-8
    starts = {space["name"]: space["zone"] for space in state.game.layout()["spaces"] if space["zone"] is not None}
    reached = [space for space in starts if space in stacks]
    if state.ended_by == "IF-16":
        (space,) = reached
        (winner,) = state.winners
        assert state.effects[-1].spaces == (space,)
        assert [int(piece[0]) for piece in stacks[space]] == [winner]
        assert starts[space] != winner
    else:
        assert reached == []  # IF-6
    assert view["turn"] == len(list(state.history())) - 1
    assert state.legal_actions() or state.is_terminal  # IF-17


@given(PLAYERS, EITHER_BOARD, st.lists(st.integers(0, 2**16), max_size=150))
def test_invariants_in_play(players: int, board: str, choices: list[int]) -> None:
    state = icetable.load("icefrogs", players=players, board=board).start()
    for choice in choices:
        legal = state.legal_actions()
        if not legal:
            break
        state = state.apply(legal[choice % len(legal)])
        assert_sound(state)


@st.composite
def positions(draw: st.DrawFn) -> Frogs:
    """Any position at all: some pyramids put down wherever they may lie, somebody's turn."""
    position = start(players=draw(PLAYERS), board=draw(EITHER_BOARD))
    table, seats = position.table.copy(), range(position.game.players)
    spaces = [space for space in table.spaces if space not in position.design.homes]
    pyramid = st.tuples(st.sampled_from(seats), st.sampled_from(SIZES), st.sampled_from(spaces))
    for seat, size, space in draw(st.lists(pyramid, min_size=draw(st.sampled_from((0, 15, 40))), max_size=70)):
        if position.design.carries(table, space, Pyramid(size, seat)) and Pyramid(size, seat) in table.pad[seat]:
            table.put(table.spend(Pyramid(size, seat), seat), space)
    table.turn = table.seat = draw(st.sampled_from(seats))
    return Frogs.at("icefrogs", table, **position.options)


@settings(max_examples=80)
@given(positions())
def test_any_position(position: Frogs) -> None:
    """Legal acts, where they lead and by which way."""
    position.assert_agreed((), most=12)


@settings(max_examples=12)
@given(positions())
def test_every_text_in_any_position(position: Frogs) -> None:
    """IF-2 … IF-17: which rule refuses each of the 1481 acts."""
    position.assert_agreed(all_texts(position.options["board"]))


@pytest.mark.parametrize("board", BOARDS)
def test_every_text_has_its_number(board: str) -> None:
    """1481 acts, each a text of its own."""
    texts = all_texts(board)
    assert len(set(texts)) == len(texts) == 1481
    game = icetable.load("icefrogs", board=board)
    assert [str(game.parse(text)) for text in texts] == texts
