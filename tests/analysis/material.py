"""Games to analyse."""

from __future__ import annotations

from typing import Any

import numpy as np

import icetable
from icetable.core.turns import TurnGame, TurnState
from tests.lab.toys import TOYS

KINDS = (
    ("highrise", 2),
    ("icefrogs", 2),
    ("icefrogs", 3),
    ("squad", 2),
    ("squad", 4),
    ("wrecktangle", 2),
)
"""Every game of turns, with numbers of players."""


def load(name: str, players: int) -> TurnGame:
    """A game; those that random acts would not end have a limit of turns."""
    options: dict[str, Any] = {"turn_limit": 30} if name in ("icefrogs", "wrecktangle") else {}
    game = icetable.load(name, players=players, **options)
    assert isinstance(game, TurnGame)
    return game


def end_of_a_game(name: str, players: int, seed: int, acts: int = 9) -> TurnState:
    """The last state of a random game whose log holds the last acts alone."""
    states = list(load(name, players).random_game(np.random.default_rng(seed)).history())
    state = states[max(0, len(states) - 1 - acts)].without_history()
    for after in states[-acts:]:
        assert after.act is not None
        state = state.apply(after.act)
    assert isinstance(state, TurnState)
    return state


def toy(name: str, *acts: str, **options: object) -> TurnState:
    """A state of a toy after some acts."""
    (info,) = (one for one in TOYS if one.name == name)
    state = info.load(**options).start()
    for act in acts:
        state = state.apply(act)
    assert isinstance(state, TurnState)
    return state
