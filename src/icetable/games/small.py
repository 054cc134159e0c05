"""Small versions of the games, for exact methods. docs/environments.md lists their exact values."""

from __future__ import annotations

import functools
import re
from collections import Counter

from icetable.core.errors import Fault
from icetable.games.highrise.game import COLOURS, HighRise
from icetable.games.icefrogs.game import IceFrogs
from icetable.workshop import Board, Pyramid, Table, hexagons, option


class SmallHighRise(HighRise):
    """High Rise on two by two squares, where each player has one pyramid of each size.

    Chance rolls and deals one number at a time, so that each of its acts has few outcomes.
    """

    name, title = "small_highrise", "Small High Rise"
    rows = option(2, least=2, most=3, rule="HR-1")
    cols = option(2, least=2, most=3, rule="HR-1")
    numbers = "seen"

    def start(self, table: Table) -> None:
        super().start(table)
        table.rolled, table.dealt = [], []

    def stash(self, seat: int) -> list[Pyramid]:
        return [Pyramid(size, COLOURS[seat][0]) for size in "SML"]

    def roll_dice(self, table: Table) -> None:
        table.roll()

    def notation(self, text: str) -> bool:
        return re.fullmatch("(die|draw):[0-9]+", text) is not None or super().notation(text)

    def play(self, table: Table, act: str) -> None:
        word, _, number = act.partition(":")
        if word == "die":
            table.rolled = sorted([*table.rolled, int(number)])
            if len(table.rolled) < len(table.spaces):
                self.roll_dice(table)
            else:
                table.known = table.rolled
        elif word == "draw":
            table.dealt = [*table.dealt, int(number)]
            self.show_dice(table)
        else:
            super().play(table, act)

    def show_dice(self, table: Table) -> None:
        left = Counter(table.known) - Counter(table.dealt)
        if left:
            table.draw(list(left.elements()))
        else:
            self.count(table, table.dealt)

    def why(self, table: Table, act: str) -> Fault | tuple[str, str]:
        if act.startswith(("die:", "draw:")):
            return "HR-2", "Here the dice can't show this."
        return super().why(table, act)


class SmallIceFrogs(IceFrogs):
    """IceFrogs on seven spaces, from b1 to b3 and back, where each player has a small and a large pyramid."""

    name, title = "small_icefrogs", "Small IceFrogs"
    players = (2, 2)
    random_seats = False
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
