"""The hidden pyramids as imagined by a player of High Rise who remembers only some placements (HR-7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.games.highrise.rules import LOG, PIPS, PLAYERS, seat_of, size_of, square_of
from icetable.kernels.layout import TURN

if TYPE_CHECKING:
    import numpy as np

    from icetable.kernels.jit import Ints

MEDIUM, LARGE = 1, 2
SQUARE_MASK = 63
"""The bits of the square in an entry of the log."""


def determinize(position: Ints, memory: int, rng: np.random.Generator) -> Ints:
    """The position with the forgotten pyramids in places drawn at random.

    The number of pyramids that a tower hides is visible, and the stashes show which ones were placed. Pyramids in sight
    and the last `memory` ones stay in place. Any other pyramid may be wherever one is hidden under a larger one in
    sight; all such arrangements are equally likely. The colour of an imagined pyramid is arbitrary.

    The same sight, memory and draws give the same pips on each square, whatever is really there.
    """
    turns = int(position[TURN])
    forgotten = {turn: cover for turn, cover in hidden(position).items() if turn < turns - memory}
    log = {turn: int(position[LOG + turn]) for turn in forgotten}
    places = sorted(log, key=lambda turn: (square_of(log[turn]), turn))
    entries = sorted(log.values(), key=lambda entry: (-size_of(entry), seat_of(entry)))
    mediums = sum(size_of(entry) == MEDIUM for entry in entries)
    roomy = [turn for turn in places if forgotten[turn] == LARGE]
    for_mediums = [roomy[index] for index in rng.choice(len(roomy), mediums, replace=False)] if mediums else []
    for_smalls = [turn for turn in places if turn not in for_mediums]
    rng.shuffle(for_smalls)
    imagined = position.copy()
    for entry, place in zip(entries, for_mediums + for_smalls, strict=True):
        imagined[LOG + place] = entry & ~SQUARE_MASK | square_of(log[place])
        add_pips(imagined, entry, -1)
        add_pips(imagined, int(imagined[LOG + place]), 1)
    return imagined


def hidden(position: Ints) -> dict[int, int]:
    """The turns in which the hidden pyramids were placed, each with the largest size above the pyramid."""
    above: dict[int, int] = {}
    found = {}
    for turn in range(int(position[TURN]) - 1, -1, -1):
        entry = int(position[LOG + turn])
        square, size = square_of(entry), size_of(entry)
        if above.get(square, 0) > size:
            found[turn] = above[square]
        above[square] = max(above.get(square, 0), size)
    return found


def add_pips(position: Ints, entry: int, times: int) -> None:
    """Add the pips of an entry of the log, `times` times, to those of its seat on its square."""
    position[PIPS + square_of(entry) * PLAYERS + seat_of(entry)] += times * (size_of(entry) + 1)
