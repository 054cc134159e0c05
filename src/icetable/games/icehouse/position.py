"""A position of Icehouse: the arrays of `rules`, and their content in the form of views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.icehouse import geometry, rules
from icetable.games.icehouse.notation import SIZE_LETTERS, kind_name
from icetable.games.icehouse.rules import SIZES
from icetable.kernels.layout import ENDED_BY

if TYPE_CHECKING:
    from icetable.games.icehouse.view import Colour, FieldPiece, Pad
    from icetable.kernels.jit import Ints


class Position:
    """A position. `table` and `field` are the arrays of `rules`; `colours` go by seat."""

    __slots__ = ("colours", "field", "table")

    def __init__(self, table: Ints, field: Ints, colours: tuple[Colour, ...]) -> None:
        self.table = table
        self.field = field
        self.colours = colours

    @property
    def ended_by(self) -> str | None:
        """The id of the rule that ended the game; None until it is over."""
        return f"IH-{self.table[ENDED_BY]}" if self.table[ENDED_BY] else None

    def field_with_room(self) -> Ints:
        """The field with a free row, for a piece that is tried."""
        field = np.empty((len(self.field) + 1, rules.ROW.length), np.int64)
        field[:-1] = self.field
        return field

    def hand(self, seat: int) -> str | None:
        """The piece in a seat's hand, such as "L:red"."""
        held = int(self.table[rules.HAND + seat]) if seat >= 0 else 0
        return kind_name(held - 1, self.colours) if held else None

    def owed(self, seat: int) -> str | None:
        """The piece that a debtor crashed with; None if the debtor may choose."""
        debt = int(self.table[rules.DEBT + seat])
        return kind_name(debt - rules.CRASHED, self.colours) if debt >= rules.CRASHED else None

    def pad(self, seat: int) -> Pad:
        """A seat's pad: the number of pieces of each size, by colour."""
        pad: Pad = {}
        first = rules.pad_of(seat)
        for kind, count in enumerate(self.table[first : first + rules.KINDS].tolist()):
            if count:
                pad.setdefault(self.colours[kind // SIZES], {})[SIZE_LETTERS[kind % SIZES]] = count
        return pad

    def overlapped(self, act: int, seat: int) -> tuple[str, ...]:
        """The ids of the pieces that a placement by a seat would overlap, the oldest first."""
        held = int(self.table[rules.HAND + seat])
        if not held or rules.verb_of(act) not in (rules.STAND, rules.POINT):
            return ()
        piece = np.empty(rules.ROW.length, np.int64)
        rules.write_row(self.table, piece, act, held - 1)
        return tuple(f"p{row[rules.ID]}" for row in self.field if geometry.overlap(row, piece))

    def pieces(self) -> list[FieldPiece]:
        """The pieces on the field in order of placing, with their status (IH-16)."""
        rows = self.field.tolist()
        names = [f"p{row[rules.ID]}" for row in rows]
        return [self._see_piece(row, status, names) for row, status in zip(rows, self.status().tolist(), strict=True)]

    def status(self) -> Ints:
        """The status bits of each piece on the field."""
        status = np.empty(len(self.field), np.int64)
        rules.see_status(self.table, self.field, status)
        return status

    def _see_piece(self, row: list[int], status: int, names: list[str]) -> FieldPiece:
        standing, target = bool(row[rules.STANDING]), row[rules.TARGET]
        return {
            "id": f"p{row[rules.ID]}",
            "colour": self.colours[row[rules.COLOUR]],
            "size": SIZE_LETTERS[row[rules.SIZE]],
            "x": row[rules.X],
            "y": row[rules.Y],
            "heading": row[rules.HEADING] / 10,
            "standing": standing,
            "points_at": None if target == rules.NOTHING else names[target],
            "valid": None if standing else bool(status & rules.IS_VALID),
            "iced": bool(status & rules.IS_ICED) if standing else None,
            "redundant": None if standing else bool(status & rules.IS_REDUNDANT),
        }
