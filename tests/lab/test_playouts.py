"""Random games by the thousand: the same on any number of threads, and the same games as the adapter plays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import jit
from icetable.lab import Playouts, playouts
from tests.core import toy
from tests.fairness import assert_fair, ends

TURN_GAMES = [
    game
    for info in icetable.list_games()
    for players in range(info.players[0], info.players[1] + 1)
    if isinstance(game := icetable.load(info.name, players=players), TurnGame)
]
each_game = pytest.mark.parametrize("game", TURN_GAMES, ids=repr)
SOME = TURN_GAMES[0]


def equal(one: Playouts, other: Playouts) -> bool:
    """Whether both hold the same numbers."""
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


@each_game
def test_shapes(game: TurnGame) -> None:
    played = playouts(game, 50)
    assert played.acts.shape == played.lengths.shape == (50,)
    assert played.results.shape == (50, game.players)
    assert played.acts.dtype == played.lengths.dtype == np.int64
    assert played.results.dtype == np.float64
    assert (played.acts >= played.lengths).all()
    assert (played.acts > 0).all()
    assert np.allclose(played.results.sum(1), 1)
    assert ((played.results >= 0) & (played.results <= 1)).all()


@each_game
def test_threads_do_not_matter(game: TurnGame) -> None:
    one = playouts(game, 101, seed=3)
    for threads in (2, 3, 7, 101, 500):
        assert equal(playouts(game, 101, seed=3, threads=threads), one)
    assert not equal(playouts(game, 101, seed=4), one)


@each_game
def test_a_longer_run_begins_alike(game: TurnGame) -> None:
    short, long = playouts(game, 20, seed=9), playouts(game, 60, seed=9, threads=3)
    assert equal(Playouts(long.acts[:20], long.results[:20], long.lengths[:20]), short)


@each_game
def test_the_face_plays_the_same_games(game: TurnGame) -> None:
    """Act by act with the same picks."""
    count = 4
    played = playouts(game, count, seed=5)
    ends = [play_by_face(game, int(seed)) for seed in jit.seeds(5, count)]
    assert played.acts.tolist() == [len(list(end.history())) - 1 for end in ends]
    assert played.lengths.tolist() == [int(end.position[2]) for end in ends]
    for shares, end in zip(played.results.tolist(), ends, strict=True):
        assert shares == [(seat in end.winners) / len(end.winners) for seat in range(game.players)]


def play_by_face(game: TurnGame, seed: int) -> TurnState:
    """A random game by the adapter, its picks drawn from the seed."""
    rng = np.array([seed], np.int64)
    room = np.empty(game.rules.MAX_ACTS, np.int64)
    state = game.start()
    while not state.is_terminal:
        state = state.apply(game.act_at(state.array, int(game.rules.pick(state.array, room, rng))))
    return state


@pytest.mark.parametrize("players", [2, 3])
def test_playouts_end_by_the_chances(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game that is small enough to work out how likely each end is; its rules are not compiled."""
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    game = toy.INFO.load(players=players, beans=5)
    played = playouts(game, 2500, seed=1)
    winners = [(winner,) for winner in played.results.argmax(1).tolist()]
    assert_fair(zip(played.acts.tolist(), winners, strict=True), ends(game.start()))


def test_a_game_by_its_name() -> None:
    assert equal(playouts(SOME.info.name, 10), playouts(icetable.load(SOME.info.name), 10))


def test_no_games() -> None:
    played = playouts(SOME, 0, threads=2)
    assert played.results.shape == (0, SOME.players)


def test_the_games_start_is_left_alone() -> None:
    before = SOME.start().to_json()
    playouts(SOME, 10)
    assert SOME.start().to_json() == before


NO_NUMBERS: list[Any] = [-1, 1.0, True, None, "1", b"1", [], float("nan"), np.array([1, 2])]


@pytest.mark.parametrize("number", NO_NUMBERS, ids=range(len(NO_NUMBERS)))
def test_bad_numbers(number: Any) -> None:
    with pytest.raises(GameError, match=r"^games is a whole number from 0 ") as error:
        playouts(SOME, number)
    assert str(error.value).isprintable()
    with pytest.raises(GameError, match=r"^threads is a whole number from 1 "):
        playouts(SOME, 1, threads=number)
    with pytest.raises(GameError, match=r"^seed is a whole number from 0 "):
        playouts(SOME, 1, seed=number)


def test_too_many() -> None:
    """More games than fit into memory are refused; threads without a game to play are not started."""
    for games in (10**12, 10**30, 10**5000):
        with pytest.raises(GameError, match=r"^games is a whole number from 0 to ") as error:
            playouts(SOME, games)
        assert str(error.value).isprintable()
    assert equal(playouts(SOME, 3, threads=10**30), playouts(SOME, 3))


def test_no_threads() -> None:
    with pytest.raises(GameError, match=r"^threads is a whole number from 1 "):
        playouts(SOME, 1, threads=0)


def test_any_seed() -> None:
    assert not equal(playouts(SOME, 20, seed=10**40), playouts(SOME, 20, seed=10**40 + 1))


NO_GAMES: list[Any] = [None, 1, [], SOME.start(), SOME.info]


@pytest.mark.parametrize("game", NO_GAMES, ids=range(len(NO_GAMES)))
def test_no_game_of_turns(game: Any) -> None:
    with pytest.raises(GameError, match="random playouts are for games of turns, not for") as error:
        playouts(game, 1)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("name", ["", "chess", SOME.info.name.upper()])
def test_no_such_game(name: str) -> None:
    with pytest.raises(icetable.UnknownGame):
        playouts(name, 1)
