"""IceFrogs by its kernel: positions and tables, acts and their texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.games.icefrogs import evaluation, features, rules
from icetable.games.icefrogs.rules import BELOW, COPIES, ENTRY, NONE, PASS, PASSES, SIZES, SUPPLY, TOP
from icetable.kernels.layout import TURN
from icetable.workshop.compiled import CompiledGame, pyramids
from icetable.workshop.equipment import Pyramid

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.kernels.boards import HexBoard
    from icetable.kernels.jit import Ints
    from icetable.workshop.design import Game
    from icetable.workshop.table import Table

SIZE_LETTERS = "SML"
COPY_BITS = 3
EMPTY = np.full(BELOW - TOP, NONE).tobytes()
MAX_HEIGHT = rules.MAX_SEATS * SIZES * COPIES
PIECES = {
    rules.pyramid_of(seat, size, copy): Pyramid(letter, seat)
    for seat in range(rules.MAX_SEATS)
    for size, letter in enumerate(SIZE_LETTERS)
    for copy in range(COPIES)
}
"""The pieces by their numbers in the kernel."""


class CompiledIceFrogs(CompiledGame):
    """IceFrogs. An act is `source << 6 | last space`, as `rules` says."""

    rules = rules
    evaluation = evaluation
    features = features
    learned_by = ("players", "board")

    def __init__(self, info: GameInfo, options: dict[str, Any], design: Game) -> None:
        super().__init__(info, options, design)
        self.compared_words = TOP  # after that, copies of a pyramid may have changed places

    @property
    def spaces(self) -> HexBoard:
        """The board of the kernel."""
        return rules.BOARDS[self.options["board"]]

    def first_position(self) -> Ints:
        return rules.start(**self.options)

    def notation(self, code: int) -> str:
        if code == PASS:
            return "pass"
        source, target = code >> 6, self.spaces.names[code & 63]
        if source >= ENTRY:
            return f"{SIZE_LETTERS[source - ENTRY]}@{target}"
        return f"{self.spaces.names[source]}-{target}"

    def code_of(self, text: str) -> int | None:
        if text == "pass":
            return PASS
        source, target = re.split("[@-]", text)
        by_name, moves = self.spaces.by_name, "-" in text
        if target not in by_name or (moves and source not in by_name):
            return None
        first = by_name[source].square if moves else ENTRY + SIZE_LETTERS.index(source)
        return first << 6 | by_name[target].square

    def write_table(self, table: Table, position: Ints) -> None:
        words = position.tolist()
        table.passes, table.turn = words[PASSES], words[TURN]
        table.seat = table.turn % self.players
        for seat in range(self.players):
            table.pad[seat] += pyramids(seat, *words[SUPPLY + seat * SIZES : SUPPLY + (seat + 1) * SIZES])
        for square, name in self.spaces.names.items():
            if words[TOP + square] != NONE:
                table.stacks[name] = tuple(map(PIECES.__getitem__, self.stack(words, square)))

    def stack(self, words: list[int], square: int) -> list[int]:
        """The pyramids on a space, from the bottom up."""
        stack: list[int] = []
        pyramid = words[TOP + square]
        while pyramid != NONE and len(stack) < MAX_HEIGHT:  # no position has more, but other words may loop
            stack.append(pyramid)
            pyramid = words[BELOW + pyramid]
        return stack[::-1]

    def write_position(self, position: Ints, table: Table) -> None:
        position[TURN], position[PASSES] = table.turn, table.passes
        for name in table.stacks:
            for piece in table.stack(name):
                size = SIZE_LETTERS.index(piece.size)
                pyramid = rules.take_from_supply(position, piece.colour, size)
                rules.put(position, pyramid, self.spaces.by_name[name].square)

    def same(self, position: Ints, other: Ints) -> bool:
        """Whether the stacks are equal, whichever copies of a pyramid they contain."""
        level, below, others, below_others = position[TOP:BELOW], position[BELOW:], other[TOP:BELOW], other[BELOW:]
        while (kinds := (level >> COPY_BITS).tobytes()) == (others >> COPY_BITS).tobytes():
            if kinds == EMPTY:
                return True
            level, others = below[level], below_others[others]  # NONE reads the last word, which belongs to no pyramid
        return False

    def is_whole(self, position: Ints) -> bool:
        """Whether each copy of a pyramid is on the board or in the supply, from which the last ones are taken first."""
        words = position.tolist()
        placed = [pyramid for space in self.spaces.spaces for pyramid in self.stack(words, space.square)]
        return sorted(placed) == [
            rules.pyramid_of(seat, size, copy)
            for seat in range(self.players)
            for size in range(SIZES)
            for copy in range(words[SUPPLY + seat * SIZES + size], COPIES)
        ]

    def longest(self) -> tuple[int, int] | None:
        """A turn is one act (IF-18)."""
        limit = self.options["turn_limit"]
        return (limit, 0) if limit else None


make = CompiledIceFrogs
