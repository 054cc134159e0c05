"""WreckTangle by its kernel: positions and tables, acts and their texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from icetable.core.turns import TurnGame
from icetable.games.wrecktangle import evaluation, features, rules
from icetable.games.wrecktangle.game import COINS, FACES, SQUARE
from icetable.games.wrecktangle.rules import (
    COIN,
    DIE,
    DIE_MOVE,
    DIE_SWAP,
    END,
    KINDS,
    LAST,
    LOST,
    MAX_FORMED,
    MOVE,
    NAMES,
    NONE,
    OWED,
    OWN,
    ROLL,
    SEAT,
    SIZES,
    SQUARES,
    UNUSED,
    VERBS,
    names_of,
)
from icetable.games.wrecktangle.threats import threats
from icetable.kernels.bits import bit
from icetable.kernels.layout import ACTOR, NOBODY, TURN
from icetable.workshop.compiled import CompiledGame
from icetable.workshop.equipment import Pyramid

if TYPE_CHECKING:
    from icetable.games.wrecktangle.game import WreckTangle
    from icetable.kernels.jit import Ints
    from icetable.workshop.table import Table

SIZE_LETTERS = "SML"
STACKS = [[(Pyramid(letter, seat),) for letter in SIZE_LETTERS] for seat in range(rules.MAX_SEATS)]
"""The stack of a square by the seat and the size of its pyramid."""


class CompiledWreckTangle(CompiledGame):
    """WreckTangle. Acts are those of `rules`."""

    design: WreckTangle
    rules = rules
    evaluation = evaluation
    features = features
    compared_words = LAST
    exploration = 0.08
    equal_odds = True
    chance_parts = tuple(f"die:{face}" for face in FACES)
    scores = TurnGame.scores

    def first_position(self) -> Ints:
        return rules.start(**self.options)

    def notation(self, code: int) -> str:
        verb, source, target = code & VERBS, code >> 6 & 63, code & 63
        if verb == END:
            return "end"
        if verb == ROLL:
            return f"die:{FACES[target]}"
        if verb == DIE_SWAP:
            return f"~{NAMES[source]}*{NAMES[target]}"
        return f"{'~' if verb == DIE_MOVE else ''}{NAMES[source]}-{NAMES[target]}"

    def code_of(self, text: str) -> int | None:
        if text == "end":
            return END
        if text.startswith("die:"):
            return ROLL | FACES.index(text[4:])
        source, target = re.findall(SQUARE, text)
        if source not in SQUARES or target not in SQUARES:
            return None
        verb = DIE_SWAP if "*" in text else DIE_MOVE if "~" in text else MOVE
        return verb | SQUARES[source] << 6 | SQUARES[target]

    def write_table(self, table: Table, position: Ints) -> None:
        words = position.tolist()
        for seat, by_size in enumerate(STACKS[: self.players]):
            for size, stack in enumerate(by_size):
                table.stacks |= dict.fromkeys(names_of(words[OWN + seat] & words[KINDS + size]), stack)
        table.seat, table.turn, table.coin = words[SEAT], words[TURN], COINS[words[COIN]]
        table.face = "" if words[DIE] == NONE else FACES[words[DIE]]
        table.left = {name for name, word in (("move", OWED), ("die", UNUSED)) if words[word]}
        table.lost = words[LOST : LOST + self.players]
        table.out = frozenset(seat for seat in range(self.players) if table.lost[seat] >= rules.LOST_WHEN_OUT)
        table.last = [{names_of(corners) for corners in last_of(words, seat)} for seat in range(self.players)]
        if not table.face and words[ACTOR] != NOBODY:
            table.roll(FACES)

    def write_position(self, position: Ints, table: Table) -> None:
        position[OWN : KINDS + SIZES] = 0
        for name, (piece,) in table.stacks.items():
            assert isinstance(piece, Pyramid)
            rules.put(position, int(piece.colour), SIZE_LETTERS.index(piece.size), SQUARES[name])
        position[SEAT], position[TURN], position[COIN] = table.seat, table.turn, COINS.index(table.coin)
        position[DIE] = FACES.index(table.face) if table.face else NONE
        position[OWED], position[UNUSED] = "move" in table.left, "die" in table.left
        position[LOST : LOST + self.players] = table.lost
        for seat, rectangles in enumerate(table.last):
            for number, corners in enumerate(sorted(rectangles)):
                position[LAST + seat * MAX_FORMED + number] = sum(bit(SQUARES[corner]) for corner in corners)

    def same(self, position: Ints, other: Ints) -> bool:
        """Whether the rectangles that captured last are equal, in any order."""
        return all(set(last_of(position, seat)) == set(last_of(other, seat)) for seat in range(self.players))

    def eliminated(self, position: Ints) -> list[int]:
        return [seat for seat in range(self.players) if not rules.is_in(position, seat)]

    def threats(self, position: Ints) -> list[dict[str, Any]]:
        table = self.table_of(position)
        return [self.design.threat(table, *threat)._asdict() for threat in threats(position)]

    def longest(self) -> tuple[int, int] | None:
        """A turn has one roll, and at most two acts: the normal move, and a die move or the end (WT-5, WT-18)."""
        return (2 * limit, limit) if (limit := self.options["turn_limit"]) else None


def last_of(position: Ints | list[int], seat: int) -> list[int]:
    """The rectangles of a seat that captured last, as sets of squares."""
    first = LAST + seat * MAX_FORMED
    return [int(corners) for corners in position[first : first + MAX_FORMED] if corners]


make = CompiledWreckTangle
