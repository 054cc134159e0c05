"""How long people think, from the times of acts at real tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.lab.intervals import mean

if TYPE_CHECKING:
    from icetable.lab.measures import Figures


class Thoughts(NamedTuple):
    """The game and the acts of people at a table, in order: the seat, and the seconds that it thought."""

    game: str
    acts: Sequence[tuple[int, float]]


def pace(tables: Iterable[Thoughts]) -> dict[str, Figures]:
    """The seconds per act and per turn (consecutive acts of a seat) of each game: the median of each table, averaged
    over the tables with acts.
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
