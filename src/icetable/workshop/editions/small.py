"""Small members of the games' families, for exact methods. docs/environments.md tells their exact values."""

from __future__ import annotations

import functools

from icetable.workshop import Board, Pyramid, Table, hexagons, option
from icetable.workshop.editions.highrise import COLOURS, HighRise
from icetable.workshop.editions.icefrogs import IceFrogs


class SmallHighRise(HighRise):
    """High Rise on two by two squares, where each player has one pyramid of each size."""

    name, title = "small_highrise", "Small High Rise"
    rows = option(2, least=2, most=3, rule="HR-1")
    cols = option(2, least=2, most=3, rule="HR-1")

    def start(self, table: Table) -> None:
        super().start(table)
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, COLOURS[seat][0]) for size in "SML"]


class SmallIceFrogs(IceFrogs):
    """IceFrogs on seven spaces, from b1 to b3 and back, where each player has a small and a large pyramid."""

    name, title = "small_icefrogs", "Small IceFrogs"
    players = (2, 2)
    shape = "small"
    turn_limit = option(20, rule="IF-18")

    def board(self) -> Board:
        return hexagons((2, 3, 2))

    def start(self, table: Table) -> None:
        super().start(table)
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in "SL"]

    @functools.cached_property
    def homes(self) -> list[str]:
        """The start spaces by seat (IF-4)."""
        return ["b1", "b3"]
