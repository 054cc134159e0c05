"""Positions rendered as text, and as pictures, for videos and learning from pixels, which need `icetable[images]`."""

from __future__ import annotations

import functools
import io
import math
import re
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from icetable.envs.batch import check_choice

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from icetable.core.game import Game, State

    Frame = npt.NDArray[np.uint8]

PACKAGES = ("PIL", "fontpkg", "resvg_py")
"""What pictures need, from `icetable[images]`."""
FPS = 4
"""Turns per second in videos."""
FONT = "Roboto"
"""The extra ships this font, so pictures are the same on every machine, even without system fonts."""
SIZE = re.compile(r' width="([\d.]+)" height="([\d.]+)" role')
TRANSLUCENT = re.compile(r"rgb\((\d+) (\d+) (\d+) / (\d\d)%\)")
RenderMode = Literal["ansi", "human", "rgb_array"]


def frame(state: State, seat: int | None = None) -> Frame:
    """The picture of a position as a seat sees it, or a watcher: uint8[height, width, 3].

    All pictures of a game have the same size, with an even width and height, as video encoders need. Raises GameError
    for a game that can't be drawn, and ModuleNotFoundError without `icetable[images]`.

    >>> import icetable
    >>> from icetable.envs import frame
    >>> frame(icetable.load("squad").start()).shape
    (360, 360, 3)
    """
    width, height = size_of(state.game)
    # A board that has grown since the start is scaled down: SVG fits it into the size and keeps its proportions.
    text = SIZE.sub(f' width="{width}" height="{height}" role', light(state.game.svg(state.view(seat))), count=1)
    return rasteriser()(text)


@functools.cache
def size_of(game: Game) -> tuple[int, int]:
    """The width and height of a game's pictures. Raises the errors of `frame`."""
    rasteriser()
    found = SIZE.search(game.svg(game.start().view()))
    assert found
    width, height = (2 * math.ceil(float(length) / 2) for length in found.groups())
    return width, height


def light(svg: str) -> str:
    """The light theme of a picture, without the CSS variables and media queries that rasterisers can't read."""
    lines = [line for line in svg.split("\n") if ": var(--" not in line]
    return TRANSLUCENT.sub(r"rgba(\1, \2, \3, 0.\4)", "\n".join(lines))


@functools.cache
def rasteriser() -> Callable[[str], Frame]:
    """A function that renders an SVG text to pixels. Raises ModuleNotFoundError."""
    try:
        import fontpkg
        import resvg_py
        from PIL import Image
    except ModuleNotFoundError as missing:
        message = "Pictures as arrays need more packages; install icetable[images]."
        raise ModuleNotFoundError(message, name=missing.name) from None
    fonts: dict[str, Any] = {"font_files": [str(fontpkg.path(FONT))], "skip_system_fonts": True}

    def pixels(svg: str) -> Frame:
        png = resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff", sans_serif_family=FONT, **fonts)
        return np.array(Image.open(io.BytesIO(png)).convert("RGB"))

    return pixels


def render_modes() -> list[RenderMode]:
    """The render modes that work here: pictures need `icetable[images]`."""
    has_images = all(map(find_spec, PACKAGES))
    return [mode for mode in get_args(RenderMode) if mode != "rgb_array" or has_images]


def check_render_mode(mode: object, game: Game) -> None:
    """Raise GameError if the mode is unknown or not for this game, ModuleNotFoundError without `icetable[images]`."""
    check_choice("render_mode", mode, (*get_args(RenderMode), None))
    if mode == "rgb_array":
        size_of(game)


def render(state: State, mode: RenderMode | None) -> str | Frame | None:
    """Render a position as a watcher sees it, as text or as a picture; `human` prints the text."""
    if mode is None:
        from gymnasium import logger  # the rest of this module works without Gymnasium

        logger.warn(f"render needs a render_mode: {' or '.join(map(repr, get_args(RenderMode)))}")
        return None
    if mode == "rgb_array":
        return frame(state)
    text = state.game.draw(state.view())
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n\n")
    return None
