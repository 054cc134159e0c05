"""Counting sequences of acts."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import Game, GameError, State
from tests.core import toy


def by_playing(state: State, depth: int) -> int:
    """Perft in the plainest way."""
    return 1 if depth == 0 else sum(by_playing(state.apply(act), depth - 1) for act in state.legal_actions())


def test_counts(game: Game) -> None:
    """Chance counts once for each outcome; what the end cuts short does not count."""
    assert [icetable.perft(game.start(), depth) for depth in range(6)] == [1, 6, 21, 126, 441, 2640]
    for players, beans in ((1, 3), (2, 4), (3, 2)):
        start = toy.INFO.load(players=players, beans=beans).start()
        assert [icetable.perft(start, depth) for depth in range(9)] == [by_playing(start, depth) for depth in range(9)]


def test_from_a_state_along_the_way(game: Game) -> None:
    state = game.start().apply("die:3")
    assert icetable.perft(state, 1) == 3
    assert icetable.perft(state, 2) == 18


def test_when_it_is_over(game: Game) -> None:
    state = game.from_saved(
        {"icetable": 1, "game": "toy", "options": game.options, "position": {"heap": 1, "seat": 0, "turn": 0}}
    )
    over = state.apply("die:6").apply("take:1")
    assert over.is_terminal
    assert [icetable.perft(over, depth) for depth in range(3)] == [1, 0, 0]
    assert [icetable.perft(state, depth) for depth in range(4)] == [1, 6, 6, 0]


def test_counting_changes_nothing(game: Game) -> None:
    state = game.start()
    before = state.to_json()
    icetable.perft(state, 3)
    assert state.to_json() == before
    assert state == game.start()


DEPTHS: list[Any] = [-1, 1.0, 2.5, True, None, "3", b"3", [], (1,), float("nan"), 10**9, 10**30, 10**5000]


@pytest.mark.parametrize("depth", DEPTHS, ids=range(len(DEPTHS)))
def test_bad_depth(game: Game, depth: Any) -> None:
    with pytest.raises(GameError, match=r"^a depth is a whole number from 0 ") as error:
        icetable.perft(game.start(), depth)
    assert str(error.value).isprintable()


NO_STATES: list[Any] = [None, "start", 0, [], {}, toy.INFO, object()]


@pytest.mark.parametrize("state", NO_STATES, ids=range(len(NO_STATES)))
def test_no_state(state: Any) -> None:
    with pytest.raises(GameError, match=r"^perft counts from a State, not from "):
        icetable.perft(state, 1)


def test_no_state_but_a_game(game: Game) -> None:
    no_state: Any = game
    with pytest.raises(GameError, match=r"^perft counts from a State, not from "):
        icetable.perft(no_state, 1)
