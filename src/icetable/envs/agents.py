"""What the environments for PettingZoo have in common: the names of agents, and how a position is shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, get_args

from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.core.game import Game, State

RenderMode = Literal["ansi", "human"]


def agents_of(game: Game) -> list[str]:
    """The agents by seat."""
    return [f"player_{seat}" for seat in range(game.players)]


def seat_of(agent: str, seats: dict[str, int]) -> int:
    """The seat of an agent. Raises GameError."""
    if agent not in seats:
        raise GameError(f"there is no agent {short_repr(agent)}; there are {', '.join(seats)}")
    return seats[agent]


def metadata(game: Game, version: int) -> dict[str, Any]:
    """What PettingZoo wants to know of an environment."""
    name = environment_name(game.info.name, version)
    return {"name": name, "render_modes": list(get_args(RenderMode)), "is_parallelizable": not game.info.turns}


def environment_name(game: str, version: int) -> str:
    """The name by which PettingZoo's users know an environment."""
    return f"{game}_v{version}"


def render(state: State, mode: RenderMode | None) -> str | None:
    """A position as a watcher sees it, as text; `human` prints it."""
    if mode is None:
        from gymnasium import logger  # which the rest of this module does without

        logger.warn("render needs a render_mode: 'ansi' or 'human'")
        return None
    text = state.game.draw(state.view())
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n\n")
    return None
