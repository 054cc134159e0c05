"""How long people think: from the times of acts at real tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.lab.intervals import mean

if TYPE_CHECKING:
    from icetable.lab.measures import Figures


class Thoughts(NamedTuple):
    """The acts of people at a table: the game, and for each act in a row its seat and how long it took, in seconds."""

    game: str
    acts: Sequence[tuple[int, float]]


def pace(tables: Iterable[Thoughts]) -> dict[str, Figures]:
    """For each game the seconds of an act and of a turn, which is all acts of a seat in a row: the median of each
    table, on average over tables. Tables without acts do not count.
    """
    by_game: dict[str, list[Thoughts]] = {}
    for table in tables:
        if table.acts:
            by_game.setdefault(table.game, []).append(table)
    return {
        game: {
            "act": mean([float(np.median([seconds for _, seconds in one.acts])) for one in several], 0, unit="seconds"),
            "turn": mean([float(np.median(turns_of(one))) for one in several], 0, unit="seconds"),
        }
        for game, several in sorted(by_game.items())
    }


def turns_of(table: Thoughts) -> list[float]:
    """The seconds of each turn."""
    by_seat = itertools.groupby(table.acts, key=lambda act: act[0])
    return [sum(seconds for _, seconds in acts) for _, acts in by_seat]
