"""Positions that are the same but for turns and mirrors of the board, or for who sits where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.layout import TURN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.core.turns import TurnState
    from icetable.extras.encoding import Symmetry

Places = tuple[int, ...]

TURNS_LEFT = "turns left"
"""The plane that tells how late it is."""
MAX_IMAGES = 100
"""The largest group of symmetries that is gone through."""


def image_of(state: TurnState) -> bytes:
    """The same for all images of a position, whatever its number of turns."""
    module = state.game.info.part("encoding")
    if module is None:
        position = state.array.copy()
        position[TURN] = 0
        return state.game.key(position)
    encoding = module.describe(state.game)
    planes = np.zeros((encoding.height * encoding.width, len(encoding.planes)), np.int8)
    module.observe(state.array, state.actor, planes)
    planes[:, [plane.name == TURNS_LEFT for plane in encoding.planes]] = 0
    keys = []
    for seats, cells in images(encoding.symmetries, state.game.players, len(planes)):
        image = np.empty_like(planes)
        image[list(cells)] = planes
        keys.append(bytes([seats[state.actor]]) + image.tobytes())
    return min(keys) if len(keys) <= MAX_IMAGES else np.array(sorted(planes.tolist()), np.int8).tobytes()


def images(symmetries: Sequence[Symmetry], players: int, cells: int) -> list[tuple[Places, Places]]:
    """The group that symmetries generate: for each of its members where the seats go and where the cells go.

    A group that is too large is broken off; any two cells may be exchanged in it.
    """
    found: list[tuple[Places, Places]] = [(tuple(range(players)), tuple(range(cells)))]
    known = set(found)
    for seats, places in found:
        for one in symmetries:
            after = tuple(one.seats[seat] for seat in seats), tuple(one.cells[list(places)].tolist())
            if after not in known and len(found) <= MAX_IMAGES:
                known.add(after)
                found.append(after)
    return found
