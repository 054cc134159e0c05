"""Who's On The Squad? as a small picture from above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icetable.extras.picture import PITCH, RIM, Picture, Piece, frame, place_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SIZE_OF = {"F": "S", "S": "M", "J": "L"}
"""The pyramids of freshmen, sophomores and juniors."""


def svg(colours: Sequence[str], layout: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    """The board with friends and captains."""
    picture = Picture("Who's On The Squad?")
    places = {square["name"]: place_of(square) for square in layout["squares"]}
    picture.squares(list(places.values()))
    for name, friend in view["friends"].items():
        picture.stack(name, places[name], [Piece(SIZE_OF[friend[1]], colours[int(friend[0])])])
    for captain in view["captains"]:
        if captain["square"] is not None:
            square, seat, face = captain["square"], captain["seat"], captain["face"]
            picture.captain(square, places[square], colours[seat], face)
    return picture.svg(frame(list(places.values()), PITCH / 2 + RIM + 4))
