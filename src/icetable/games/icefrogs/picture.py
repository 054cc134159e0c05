"""IceFrogs as a small picture from above."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from icetable.extras.picture import Picture, Piece, frame
from icetable.extras.svg import circle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PITCH = 104
SPACE, SHORE = 47, 64
"""The radius of a space, and of the water round it."""


def svg(colours: Sequence[str], layout: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    """The board with its stacks; start spaces have the colours of their seats."""
    picture = Picture("IceFrogs")
    spaces = layout["spaces"]
    places = {space["name"]: (space["x"] * PITCH / 2, -space["y"] * PITCH / 2 * math.sqrt(3)) for space in spaces}
    water = circle((0, 0), SHORE, class_="water", stroke="none")
    lily = circle((0, 0), SPACE, class_="space", stroke_width=1.5)
    picture.add(*(picture.use("water", water, place) for place in places.values()))
    picture.add(*(picture.use("space", lily, place) for place in places.values()))
    for space in spaces:
        if space["start"] is not None:
            colour = picture.paint(colours[space["start"]])
            picture.add(circle(places[space["name"]], SPACE, class_=colour, fill_opacity=0.46, stroke="none"))
    for name, stack in view["stacks"].items():
        picture.stack(name, places[name], [Piece(pyramid[1], colours[int(pyramid[0])]) for pyramid in stack])
    return picture.svg(frame(list(places.values()), SHORE + 4))
