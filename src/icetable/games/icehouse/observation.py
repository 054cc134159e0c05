"""Views as arrays of `rules`, with nothing that a player doesn't see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.games.icehouse import rules
from icetable.games.icehouse.notation import SIZE_LETTERS
from icetable.games.icehouse.rules import SIZES
from icetable.kernels.jit import copy, kernel
from icetable.kernels.layout import ENDED_BY, WINNERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from icetable.kernels.jit import Ints

SPARE_ROWS = 2
"""Free rows of the field: for a piece that is tried, and one that is tried against it."""
ID_NUMBER, KIND, UPRIGHT, CENTRE_X, CENTRE_Y, HEADING = range(6)
"""The columns of a piece that is read."""


def read(first: Ints, colours: Sequence[str], view: Mapping[str, Any]) -> tuple[Ints, Ints]:
    """The table and the field of a view; `first` is the table before the first act.

    Values that views don't show are those of `first`: the clock, the times until which calls are void, and due times.
    """
    table = first.copy()
    kinds = {
        f"{size}:{colour}": at * SIZES + n for at, colour in enumerate(colours) for n, size in enumerate(SIZE_LETTERS)
    }
    table[rules.READY_SEATS] = sum(1 << seat for seat in view["ready"])
    table[rules.FROZEN] = sum(1 << seat for seat in view["in_icehouse"])
    table[ENDED_BY] = int(view["over"])
    table[rules.PADS : rules.PADS + rules.MAX_SEATS * rules.KINDS] = 0
    for seat, pad in enumerate(view["pads"]):
        for colour, sizes in pad.items():
            for size, count in sizes.items():
                table[rules.pad_of(seat) + kinds[f"{size}:{colour}"]] = count
    for seat, held in enumerate(view["hands"]):
        table[rules.HAND + seat] = 0 if held is None else 1 + kinds[held]
    for seat, owed in view["owed"].items():
        table[rules.DEBT + int(seat)] = rules.ANY_PIECE if owed is None else rules.CRASHED + kinds[owed]
    pieces = [
        (
            int(piece["id"][1:]),
            kinds[f"{piece['size']}:{piece['colour']}"],
            piece["standing"],
            piece["x"],
            piece["y"],
            round(piece["heading"] * 10),
        )
        for piece in view["field"]
    ]
    field = rules.empty_field(len(pieces) + SPARE_ROWS)
    write_rows(table, field, np.array(pieces, np.int64).reshape(-1, HEADING + 1))
    return table, field


@kernel
def write_rows(table: Ints, field: Ints, pieces: Ints) -> None:
    """Write the rows of all pieces with their targets."""
    count = len(pieces)
    table[rules.COUNT] = count
    for row in range(count):
        piece = pieces[row]
        verb = rules.STAND if piece[UPRIGHT] else rules.POINT
        place = rules.placement_of(verb, piece[CENTRE_X], piece[CENTRE_Y], piece[HEADING])
        rules.write_row(table, field[row], place, piece[KIND])
        field[row, rules.ID] = table[rules.LAST_ID] = piece[ID_NUMBER]
    for row in range(count):
        if not field[row, rules.STANDING]:
            rules.aim(table, field, row)


@kernel
def show(table: Ints, field: Ints, first: Ints, at: int, seen: Ints) -> None:
    """Write the table that `read` returns for the view at a time, without building the view."""
    copy(table, seen)
    rules.settle_debts(seen, at)
    seen[rules.LAST_ID] = field[table[rules.COUNT] - 1, rules.ID] if table[rules.COUNT] else 0
    seen[ENDED_BY] = min(table[ENDED_BY], 1)
    for hidden in (WINNERS, rules.CLOCK, rules.QUIET_UNTIL):
        seen[hidden] = first[hidden]
    for seat in range(rules.MAX_SEATS):
        seen[rules.PAUSED_UNTIL + seat] = first[rules.PAUSED_UNTIL + seat]
        seen[rules.DUE + seat] = first[rules.DUE + seat]
