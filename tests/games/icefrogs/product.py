"""Between the oracle and the product: the same position in both."""

from __future__ import annotations

from typing import Any

import icetable
from icetable import Effect, Game, State

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


def effects(before: Oracle, act: str, after: Oracle) -> list[tuple[Effect, ...]]:
    """What the oracle says that an act caused, in the words of the product: by each of the shortest ways."""
    if act == "pass":
        return [draw(after)]
    source, _, last = act.replace("@", "-").partition("-")
    mover = f"{before.seat}{source}" if source in SIZES else "{}{}".format(*before.stacks[source][-1])
    told = tuple(Effect("covers", (last,), "{}{}".format(*piece)) for piece in before.stacks[last][-1:])
    if after.ended_by == "IF-16":
        told += (Effect("reaches", (last,)),)
    return [(Effect("path", path, mover), *told, *draw(after)) for path in before.paths(source)[last]]


def draw(after: Oracle) -> tuple[Effect, ...]:
    """That nobody has won, where the game has ended so."""
    return (Effect("draw", (), after.ended_by),) if after.ended_by in ("IF-17", "IF-18") else ()


def all_texts(board: str) -> list[str]:
    """Every act that could be written for a board: 111 entries, 1369 moves and the pass."""
    spaces = list(coordinates(board))
    return [
        "pass",
        *(f"{size}@{last}" for size in SIZES for last in spaces),
        *(f"{first}-{last}" for first in spaces for last in spaces),
    ]
