"""High Rise as a small picture from above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icetable.extras.picture import PITCH, RIM, Picture, Piece, frame, place_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NUMBER_OFFSET = 24
"""The offset of a number from the middle of its square."""


def svg(colours: Sequence[str], layout: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    """The board with its towers; after the end also the number of each square, in its owner's colour."""
    picture = Picture("High Rise")
    places = {square["name"]: place_of(square) for square in layout["squares"]}
    picture.squares(list(places.values()))
    for name, tower in view["stacks"].items():
        known = [read(pyramid, colours) for pyramid in tower if pyramid is not None]
        picture.stack(name, places[name], known, tower.count(None))
    for name, account in (view["account"] or {}).items():
        x, y = places[name]
        owner = None if account["owner"] is None else colours[account["owner"]]
        picture.number((x - NUMBER_OFFSET, y + NUMBER_OFFSET), account["number"], owner)
    return picture.svg(frame(list(places.values()), PITCH / 2 + RIM + 4))


def read(pyramid: str, colours: Sequence[str]) -> Piece:
    """A pyramid such as "0L:blue", with the mark of its owner."""
    name, _, colour = pyramid.partition(":")
    return Piece(name[1], colour, colours[int(name[0])])
