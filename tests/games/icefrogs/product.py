"""Between the oracle and the product: the same position in both."""

from __future__ import annotations

import copy
import functools
from typing import Any

import icetable
from icetable import Game, State

from .oracle import SIZES, Oracle, coordinates


def game_of(position: Oracle) -> Game:
    """The product's game under an oracle's options."""
    return icetable.load("icefrogs", players=position.players, board=position.board, turn_limit=position.turn_limit)


def state_of(position: Oracle) -> State:
    """The product's state of an oracle's position."""
    stacks = {space: [f"{seat}{size}" for seat, size in stack] for space, stack in position.stacks.items() if stack}
    return set_up(game_of(position), turn=position.turns, passes=position.passes, stacks=stacks)


def set_up(game: Game, **position: Any) -> State:
    """The state of a position that is described as it is saved."""
    return game.from_saved({"icetable": 1, "game": "icefrogs", "options": dict(game.options), "position": position})


def key(state: State) -> tuple[object, ...]:
    """What `Oracle.key` gives, told by the product."""
    view, position = state.view(), state._position()
    return (
        tuple(sorted(state.to_act)),
        position["turn"],
        position["passes"],
        state.ended_by,
        tuple(sorted(state.winners)),
        tuple(tuple(supply[size] for size in SIZES) for supply in view["supply"]),
        tuple(
            (space, tuple((int(name[0]), name[1]) for name in stack)) for space, stack in sorted(view["stacks"].items())
        ),
    )


def patient(position: Oracle) -> Oracle:
    """An oracle that answers many questions about one position: it works out each path only once."""
    twin = copy.copy(position)
    setattr(twin, "paths", functools.cache(position.paths))  # noqa: B010 (a method, for this one oracle)
    return twin


def all_texts(board: str) -> list[str]:
    """Every act that could be written for a board: 111 entries, 1369 moves and the pass."""
    spaces = list(coordinates(board))
    return [
        "pass",
        *(f"{size}@{last}" for size in SIZES for last in spaces),
        *(f"{first}-{last}" for first in spaces for last in spaces),
    ]
