"""The elements of SVG files, as text.

A file linked with the fragment LIGHT (`picture.svg#light`) is always light; otherwise it follows the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Point = tuple[float, float]

LIGHT = "light"
DARK_SCREENS = "@media (prefers-color-scheme: dark)"
UNLESS_LIGHT = "svg:not(:target)"
"""The prefix of selectors for dark screens."""


def number(value: float) -> str:
    """A coordinate as a short text."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def listed(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def written(attributes: Mapping[str, str | float]) -> str:
    """Attributes; `stroke_width` is written stroke-width, `class_` class."""
    texts = {name: value if isinstance(value, str) else number(value) for name, value in attributes.items()}
    return "".join(f' {name.rstrip("_").replace("_", "-")}="{value}"' for name, value in texts.items())


def polygon(points: Sequence[Point], **attributes: str | float) -> str:
    return f'<polygon points="{listed(points)}"{written(attributes)}/>'


def line(start: Point, end: Point, **attributes: str | float) -> str:
    ends = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    return f"<line{written(ends)}{written(attributes)}/>"


def circle(centre: Point, radius: float, **attributes: str | float) -> str:
    x, y = centre
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{written(attributes)}/>'


def square(centre: Point, side: float, round_: float = 0, **attributes: str | float) -> str:
    """A square, optionally with rounded corners."""
    corner = {"x": centre[0] - side / 2, "y": centre[1] - side / 2, "width": side, "height": side}
    return f"<rect{written(corner)}{written({'rx': round_} if round_ else {})}{written(attributes)}/>"


def text(place: Point, words: str, **attributes: str | float) -> str:
    """A line of text."""
    x, y = place
    return f'<text x="{number(x)}" y="{number(y)}"{written(attributes)}>{escape(words)}</text>'


def document(title: str, box: Sequence[float], style: str, body: Iterable[str]) -> str:
    """A complete SVG file. `box`: left, top, width and height."""
    view_box = " ".join(map(number, box))
    size = written({"width": box[2], "height": box[3]})  # without it some browsers can't draw the file on a canvas
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{LIGHT}" viewBox="{view_box}"{size} role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            *body,
            "</svg>",
            "",
        ]
    )
