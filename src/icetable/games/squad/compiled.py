"""Who's On The Squad? by its kernel: positions and tables, acts and their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.games.squad import evaluation, rules
from icetable.games.squad.game import captain, is_captain
from icetable.games.squad.rules import (
    CAPTAIN,
    FACE,
    FIRST,
    FRIENDS,
    OF_SIZE,
    OPEN,
    PYRAMIDS,
    SIZES,
    SUPPLY,
)
from icetable.kernels.bits import bit, members
from icetable.kernels.layout import ACTOR, NOBODY, TURN
from icetable.workshop.compiled import CompiledGame, pyramids
from icetable.workshop.equipment import Pyramid

if TYPE_CHECKING:
    from icetable.kernels.boards import SquareBoard
    from icetable.kernels.jit import Ints
    from icetable.workshop.table import Table

KINDS = "FSJC"
SIZE_LETTERS = "SML"
FRIENDS_OF = [[(Pyramid(size, seat),) for size in SIZE_LETTERS] for seat in range(rules.MAX_SEATS)]
"""By seat and size: the stack of a square with a friend."""


class CompiledSquad(CompiledGame):
    """Who's On The Squad? An act is `kind << 6 | square`."""

    rules = rules
    evaluation = evaluation

    @property
    def squares(self) -> SquareBoard:
        """The board of the kernel."""
        return rules.BOARDS[self.options["board"]]

    def first_position(self) -> Ints:
        return rules.start(**self.options)

    def notation(self, code: int) -> str:
        return f"{KINDS[code >> 6]}@{self.squares.names[code & 63]}"

    def code_of(self, text: str) -> int | None:
        kind, name = text.split("@")
        space = self.squares.by_name.get(name)
        return None if space is None else KINDS.index(kind) << 6 | space.square

    def write_table(self, table: Table, position: Ints) -> None:
        words, names = position.tolist(), self.squares.names
        for seat in range(self.players):
            die, square = captain(words[FACE + seat], seat), words[CAPTAIN + seat]
            table.pad[seat] += pyramids(seat, *words[SUPPLY + seat * SIZES : SUPPLY + (seat + 1) * SIZES])
            if square:
                table.stacks[names[square.bit_length() - 1]] = (die,)
            else:
                table.pad[seat].insert(0, die)
            for size, friend in enumerate(FRIENDS_OF[seat]):
                squares = members(words[OF_SIZE + size] & words[PYRAMIDS + seat])
                table.stacks |= dict.fromkeys(map(names.__getitem__, squares), friend)
        placed = sum(map(bool, words[CAPTAIN : CAPTAIN + self.players]))
        table.turn = words[TURN] + placed
        table.seat = (words[FIRST] + words[TURN]) % self.players if words[ACTOR] == NOBODY else words[ACTOR]

    def write_position(self, position: Ints, table: Table) -> None:
        position[SUPPLY : SUPPLY + self.players * SIZES] = 0
        position[TURN] = table.turn
        for seat, pad in enumerate(table.pad):
            for piece in pad:
                if is_captain(piece):
                    position[FACE + seat] = int(piece.name[1:])
                else:
                    position[SUPPLY + seat * SIZES + SIZE_LETTERS.index(piece.size)] += 1
        for name, (piece,) in table.stacks.items():
            square, seat = bit(self.squares.by_name[name].square), int(piece.colour)
            position[FRIENDS] |= square
            if isinstance(piece, Pyramid):
                position[PYRAMIDS + seat] |= square
                position[OF_SIZE + SIZE_LETTERS.index(piece.size)] |= square
            else:
                position[CAPTAIN + seat] = square
                position[FACE + seat] = int(piece.name[1:])
                position[TURN] -= 1
        if position[TURN]:
            position[FIRST] = (table.seat - int(position[TURN])) % self.players
        elif all(position[CAPTAIN : CAPTAIN + self.players]):
            position[FIRST] = table.seat
        rules.find_open(position, table.seat)

    def settle(self, position: Ints, table: Table, rule: str) -> None:
        super().settle(position, table, rule)
        position[OPEN : OPEN + rules.KINDS] = 0

    def scores(self, position: Ints) -> tuple[int, ...]:
        return tuple(int(rules.score(position, seat)) for seat in range(self.players))

    def longest(self) -> tuple[int, int]:
        """All captains, and the friends until the first seat has placed its last one (SQ-4, SQ-5, SQ-13)."""
        friends = self.options["trios"] * SIZES
        return self.players + (friends - 1) * self.players + 1, 0

    def max_solo_score(self) -> int | None:
        return int(evaluation.max_score(self.first_position())) if self.players == 1 else None


make = CompiledSquad
