"""Positions that are equal up to symmetries of the board and of the seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.layout import TURN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.core.turns import TurnState
    from icetable.extras.encoding import Symmetry

Permutation = tuple[int, ...]

TURNS_LEFT = "turns left"
"""The plane with the number of turns left."""
MAX_IMAGES = 100
"""Maximum size of a group of symmetries that is enumerated."""


def image_of(state: TurnState) -> bytes:
    """A key that all images of a position share, independent of the number of turns."""
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


def images(symmetries: Sequence[Symmetry], players: int, cells: int) -> list[tuple[Permutation, Permutation]]:
    """The group that symmetries generate, as permutations of seats and of cells.

    The enumeration of a group that is too large stops early; it can exchange any two cells.
    """
    found: list[tuple[Permutation, Permutation]] = [(tuple(range(players)), tuple(range(cells)))]
    known = set(found)
    for seats, places in found:
        for symmetry in symmetries:
            after = tuple(symmetry.seats[seat] for seat in seats), tuple(symmetry.cells[list(places)].tolist())
            if after not in known and len(found) <= MAX_IMAGES:
                known.add(after)
                found.append(after)
    return found
