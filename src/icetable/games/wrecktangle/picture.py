"""WreckTangle as a small picture from above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icetable.extras.picture import PITCH, RIM, TILE, Picture, Piece, frame, place_of
from icetable.extras.svg import square as tile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SIZE_OF = {"P": "S", "D": "M", "Q": "L"}
"""The pyramids of pawns, drones and queens."""


def svg(colours: Sequence[str], layout: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    """The board with its pyramids; home rows have the colours of their seats."""
    picture = Picture("WreckTangle")
    places = {square["name"]: place_of(square) for square in layout["squares"]}
    picture.squares(list(places.values()))
    for square in layout["squares"]:
        if square["home"] is not None:
            colour = picture.paint(colours[square["home"]])
            home = tile((0, 0), TILE, 9, class_=colour, fill_opacity=0.46, stroke="none")
            picture.add(picture.use(f"home-{colour}", home, places[square["name"]]))
    for name, pyramid in view["pieces"].items():
        picture.stack(name, places[name], [Piece(SIZE_OF[pyramid[1]], colours[int(pyramid[0])])])
    return picture.svg(frame(list(places.values()), PITCH / 2 + RIM + 4))
