"""Examples of the workshop that work so much in each act that they play about a thousand random acts a second."""

from __future__ import annotations

from icetable.workshop import Table
from icetable.workshop.examples.beacons import Beacons
from icetable.workshop.examples.canals import Canals
from icetable.workshop.examples.first import First


def work(rounds: int) -> int:
    return sum(number * number for number in range(rounds))


class SlowFirst(First):
    """First, slowly."""

    def play(self, table: Table, act: str) -> None:
        work(11_000)
        super().play(table, act)


class SlowCanals(Canals):
    """Canals, slowly."""

    def play(self, table: Table, act: str) -> None:
        work(10_000)
        super().play(table, act)


class SlowBeacons(Beacons):
    """Beacons, slowly: a game with dice."""

    def play(self, table: Table, act: str) -> None:
        work(11_000)
        super().play(table, act)
