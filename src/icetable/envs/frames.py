"""Pictures of positions as arrays, for videos and for learning from pixels. Needs `icetable[images]`."""

from __future__ import annotations

import functools
import io
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

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


SIZE = re.compile(r' width="([\d.]+)" height="([\d.]+)" role')
TRANSLUCENT = re.compile(r"rgb\((\d+) (\d+) (\d+) / (\d\d)%\)")


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
