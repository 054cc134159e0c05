"""A small High Rise for exact methods. docs/environments.md lists its exact values."""

from __future__ import annotations

import re
from collections import Counter

from icetable.workshop import Pyramid, Table, option
from icetable.workshop.editions.highrise import COLOURS, HighRise


class SmallHighRise(HighRise):
    """High Rise on two by two squares, where each player has one pyramid of each size.

    Chance rolls and deals one number at a time, so that each of its acts has few outcomes.
    """

    name, title = "small_highrise", "Small High Rise"
    rows = option(2, least=2, most=3, rule="HR-1")
    cols = option(2, least=2, most=3, rule="HR-1")
    numbers = "seen"

    def start(self, table: Table) -> None:
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, COLOURS[seat][0]) for size in "SML"]
        table.known = None if self.values == "dice" else sorted(self.values)
        table.rolled, table.dealt, table.shown = [], [], None
        if self.is_to_roll(table):
            table.roll()

    def notation(self, text: str) -> bool:
        return re.fullmatch("(die|draw):[0-9]+", text) is not None or super().notation(text)

    def play(self, table: Table, act: str) -> None:
        word, _, number = act.partition(":")
        if word == "die":
            table.rolled = sorted([*table.rolled, int(number)])
            if len(table.rolled) < len(table.spaces):
                table.roll()
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
            table.shown = table.dealt
