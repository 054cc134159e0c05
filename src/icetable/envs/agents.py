"""What the environments for PettingZoo have in common: the names of agents, and how a position is shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, get_args

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.envs import frames
from icetable.envs.batch import check_choice

if TYPE_CHECKING:
    from icetable.core.game import Game, State
    from icetable.envs.frames import Frame

RenderMode = Literal["ansi", "human", "rgb_array"]


def agents_of(game: Game) -> list[str]:
    """The agents by seat."""
    return [f"player_{seat}" for seat in range(game.players)]


def seat_of(agent: str, seats: dict[str, int]) -> int:
    """The seat of an agent. Raises GameError."""
    if agent not in seats:
        raise GameError(f"there is no agent {short_repr(agent)}; there are {', '.join(seats)}")
    return seats[agent]


def metadata(game: Game, version: int, fps: float) -> dict[str, Any]:
    """What PettingZoo wants to know of an environment."""
    return {
        "name": environment_name(game.info.name, version),
        "render_modes": list(get_args(RenderMode)),
        "render_fps": fps,
        "is_parallelizable": not game.info.turns,
    }


def check_render_mode(mode: object, game: Game) -> None:
    """Raise GameError for what is no mode or none for this game, ModuleNotFoundError without `icetable[images]`."""
    check_choice("render_mode", mode, (*get_args(RenderMode), None))
    if mode == "rgb_array":
        frames.size_of(game)


def environment_name(game: str, version: int) -> str:
    """The name by which PettingZoo's users know an environment."""
    return f"{game}_v{version}"


def render(state: State, mode: RenderMode | None) -> str | Frame | None:
    """A position as a watcher sees it, as text or as a picture; `human` prints the text."""
    if mode is None:
        from gymnasium import logger  # which the rest of this module does without

        logger.warn(f"render needs a render_mode: {' or '.join(map(repr, get_args(RenderMode)))}")
        return None
    if mode == "rgb_array":
        return frames.frame(state)
    text = state.game.draw(state.view())
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n\n")
    return None
