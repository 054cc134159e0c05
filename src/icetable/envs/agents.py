"""Helpers shared by the PettingZoo environments: agent names, metadata and rendering."""

from __future__ import annotations

import sys
from importlib.util import find_spec
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
    """The names of the agents by seat."""
    return [f"player_{seat}" for seat in range(game.players)]


def seat_of(agent: str, seats: dict[str, int]) -> int:
    """The seat of an agent. Raises GameError."""
    if agent not in seats:
        raise GameError(f"there is no agent {short_repr(agent)}; there are {', '.join(seats)}")
    return seats[agent]


def render_modes() -> list[RenderMode]:
    """The render modes that work here: pictures need `icetable[images]`."""
    has_images = all(map(find_spec, frames.PACKAGES))
    return [mode for mode in get_args(RenderMode) if mode != "rgb_array" or has_images]


def metadata(game: Game, version: int, fps: float) -> dict[str, Any]:
    """The metadata that PettingZoo expects."""
    return {
        "name": environment_name(game.info.name, version),
        "render_modes": render_modes(),
        "render_fps": fps,
        "is_parallelizable": not game.info.turns,
    }


def check_render_mode(mode: object, game: Game) -> None:
    """Raise GameError if the mode is unknown or not for this game, ModuleNotFoundError without `icetable[images]`."""
    check_choice("render_mode", mode, (*get_args(RenderMode), None))
    if mode == "rgb_array":
        frames.size_of(game)


def environment_name(game: str, version: int) -> str:
    """The name of an environment in PettingZoo."""
    return f"{game}_v{version}"


def render(state: State, mode: RenderMode | None) -> str | Frame | None:
    """Render a position as a watcher sees it, as text or as a picture; `human` prints the text."""
    if mode is None:
        from gymnasium import logger  # the rest of this module works without Gymnasium

        logger.warn(f"render needs a render_mode: {' or '.join(map(repr, get_args(RenderMode)))}")
        return None
    if mode == "rgb_array":
        return frames.frame(state)
    text = state.game.draw(state.view())
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n\n")
    return None
