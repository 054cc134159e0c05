"""High Rise in readable form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from icetable.workshop import BadOption, Board, Game, Pyramid, Table, drawn, option, squares

COLOURS = (("red", "yellow", "green", "blue", "black"), ("purple", "orange", "clear", "cyan", "white"))
PLACING = f"([SML])(?::({'|'.join(COLOURS[0] + COLOURS[1])}))?@([a-z][0-9]+)"
NUMBER = "(?:0|[1-9][0-9]*)"
NUMBERS = f"(?:roll|deal):(?:[0-9]+|(?=.*[0-9][0-9]){NUMBER}(?:,{NUMBER})+)"
MAX_NUMBER = 10**9


class HighRise(Game):
    """Build towers on dice that nobody sees, and win those where you have more than the other.

    **HR-1** Two play, Rainbow (seat 0) and Xeno (seat 1), on three by three squares or on a larger board.

    **HR-2** Dice are rolled, one for each square. All see the numbers; then the dice are covered and mixed, and nobody
    knows where they lie. Instead of dice there may be any numbers, one a square.

    **HR-3** A stash is a pyramid of each size in each of a player's five colours. Both have a stash for every five
    squares, or part of five, but one small pyramid of each colour is out of play.

    **HR-4** Seat 0 begins.

    **HR-5** The players take turns. A turn places a pyramid on top of any tower, whatever its size.

    **HR-6** A colour tells only whose a pyramid is. Where none is named, it is one of which most are left.

    **HR-7** Nobody looks beneath: a pyramid is out of sight while a larger one lies anywhere above it.

    **HR-8** When all pyramids are placed, the dice are shown, and the game is over.

    **HR-9** Who has more pips in a tower scores the pips of the other one there, and the number of its die. A tower
    where both have as many is nobody's.

    **HR-10** The most points win.
    """

    name, title = "highrise_edition", "High Rise, the readable edition"
    rows = option(3, least=3, most=8, rule="HR-1")
    cols = option(3, least=3, most=8, rule="HR-1")
    values = option("dice", list, rule="HR-2")
    numbers = option("seen", "unseen", rule="HR-2")
    memory = option("on", "off", rule="HR-7")
    turn_rule = "HR-5"

    def __init__(self, players: int, chosen: Mapping[str, Any]) -> None:
        super().__init__(players, chosen)
        if self.memory == "off":
            self.hides = None  # type: ignore[method-assign,assignment]  # all is visible, earlier acts too (HR-7)

    def board(self) -> Board:
        count = self.rows * self.cols
        are_numbers = all(type(value) is int and 0 <= value <= MAX_NUMBER for value in self.values)
        if self.values != "dice" and not (are_numbers and len(self.values) == count):
            raise BadOption(f"values are 'dice' or {count} whole numbers from 0 to {MAX_NUMBER}, one for each square")
        return squares(self.cols, self.rows)

    def start(self, table: Table) -> None:
        count = len(table.spaces)
        stashes = -(-count // 5)
        sizes = "S" * (stashes - 1) + "M" * stashes + "L" * stashes
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, colour) for colour in COLOURS[seat] for size in sizes]
        table.known = None if self.values == "dice" else sorted(self.values)
        table.shown = None
        if self.is_to_roll(table):
            table.roll(6, dice=count)

    def is_to_roll(self, table: Table) -> bool:
        """Whether the dice have yet to be rolled openly (HR-2)."""
        return table.known is None and self.numbers == "seen"

    def notation(self, text: str) -> bool:
        return re.fullmatch(f"{PLACING}|{NUMBERS}", text) is not None

    def acts(self, table: Table) -> Iterator[str]:
        for size in sorted({piece.size for piece in table.pad[table.seat]}):
            yield from (f"{size}@{space}" for space in table.spaces)

    def allows(self, table: Table, act: str) -> bool:
        """A colour may be named; it makes no difference to the game (HR-6)."""
        found = re.fullmatch(PLACING, act)
        return found is not None and found[3] in table.spaces and Pyramid(found[1], found[2]) in table.pad[table.seat]

    def usual_colour(self, table: Table, size: str) -> str:
        """The colour of a pyramid if none is named (HR-6)."""
        return max(COLOURS[table.seat], key=lambda colour: table.pad[table.seat].count(Pyramid(size, colour)))

    def play(self, table: Table, act: str) -> None:
        if act.startswith("roll:"):
            table.known = list(map(int, drawn(act)))
        elif act.startswith("deal:"):
            table.shown = list(map(int, drawn(act)))
        else:
            kind, space = act.split("@")
            size, _, colour = kind.partition(":")
            pyramid = Pyramid(size, colour or self.usual_colour(table, size))
            table.spend(pyramid)
            table.put(pyramid, space)
            table.end_turn()
            if not any(table.pad):
                self.show_dice(table)

    def show_dice(self, table: Table) -> None:
        """Let chance reveal the places of the numbers (HR-2, HR-8)."""
        if table.known is None:
            table.deal(range(1, 7), dice=len(table.spaces))
        else:
            table.deal(table.known)

    def hides(self, table: Table, seat: int | None) -> Iterator[tuple[str, int]]:
        """The pyramids beneath larger ones (HR-7)."""
        for space in table.where():
            tower = table.stack(space)
            for height, pyramid in enumerate(tower):
                if any(above.pips > pyramid.pips for above in tower[height:]):
                    yield space, height

    def pips(self, table: Table, space: str, seat: int) -> int:
        """The pips of a player in a tower (HR-9)."""
        return sum(int(pyramid.pips) for pyramid in table.stack(space) if pyramid.colour in COLOURS[seat])

    def owner(self, table: Table, space: str) -> int | None:
        """The owner of a tower; None if it is nobody's (HR-9)."""
        rainbow, xeno = self.pips(table, space, 0), self.pips(table, space, 1)
        return None if rainbow == xeno else int(rainbow < xeno)

    def points(self, table: Table, space: str, number: int) -> int:
        """The points of a tower for its owner (HR-9)."""
        owner = self.owner(table, space)
        return 0 if owner is None else self.pips(table, space, 1 - owner) + number

    def scores(self, table: Table) -> list[int]:
        scores = [0, 0]
        for space, number in zip(table.spaces, table.shown or [], strict=False):
            scores[self.owner(table, space) or 0] += self.points(table, space, number)
        return scores

    def over(self, table: Table) -> str | None:
        return "HR-8" if table.shown else None

    def why(self, table: Table, act: str) -> tuple[str, str]:
        placing = re.fullmatch(PLACING, act)
        if (placing or act.startswith("deal")) and bool(placing) != any(table.pad):
            return "HR-8", "The dice are shown when all pyramids are placed, and no sooner."
        if not placing or self.is_to_roll(table):
            return "HR-2", "Here the dice can't show this."
        _, colour, space = placing.groups()
        if space not in table.spaces:
            return "HR-1", f"The board has no square {space}."
        if colour and colour not in COLOURS[table.seat]:
            return "HR-6", f"Your colours are {', '.join(COLOURS[table.seat])}."
        return "HR-3", "You have no such pyramid left in your stash."
