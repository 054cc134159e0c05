"""A small IceFrogs for exact methods. docs/environments.md lists its exact values."""

from __future__ import annotations

import functools

from icetable.games.icefrogs.game import IceFrogs
from icetable.workshop.boards import Board, hexagons
from icetable.workshop.design import option
from icetable.workshop.pieces import Pyramid
from icetable.workshop.table import Table


class SmallIceFrogs(IceFrogs):
    """IceFrogs on seven spaces, from b1 to b3 and back, where each player has a small and a large pyramid."""

    name, title = "small_icefrogs", "Small IceFrogs"
    players = (2, 2)
    lots = False
    shape = "small"
    turn_limit = option(20, rule="IF-18")

    def board(self) -> Board:
        return hexagons((2, 3, 2), zones={0: ["b1"], 1: ["b3"]}, circles=True)

    def start(self, table: Table) -> None:
        super().start(table)
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in "SL"]

    @functools.cached_property
    def homes(self) -> list[str]:
        return ["b1", "b3"]
