"""Images of positions: different positions have different ones, but for turns and mirrors and how late it is."""

from __future__ import annotations

import numpy as np
import pytest

import icetable
from icetable.analysis.images import image_of
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels.layout import TURN

GAMES = [
    game
    for info in icetable.list_games()
    for options in ({}, {"memory": "off"})
    if set(options) <= {option.name for option in info.options}
    if isinstance(game := info.load(**options), TurnGame)
]


def walk(game: TurnGame) -> list[TurnState]:
    """The states of a random game at which a seat is to act."""
    states = game.random_game(np.random.default_rng(4)).history()
    return [one for one in states if isinstance(one, TurnState) and not one.is_terminal and CHANCE not in one.to_act]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_game_goes_through_many_images(game: TurnGame) -> None:
    states = walk(game)
    assert len({image_of(state) for state in states}) > 0.7 * len(states)


def test_how_late_it_is_does_not_matter() -> None:
    game = icetable.games.load("icefrogs")
    assert isinstance(game, TurnGame)
    state = walk(game)[5]
    later = state.position.copy()
    later[TURN] = game.options["turn_limit"] - 1
    assert image_of(TurnState(game, later)) == image_of(state)
