"""What a player sees, as the arrays of `rules`: built from a view and from nothing else."""

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
"""Room behind the pieces of the field: for one that is tried, and one that is tried against it."""
NUMBER, KIND, UPRIGHT, MIDDLE_X, MIDDLE_Y, TURNED = range(6)
"""What is read of a piece."""


def read(first: Ints, colours: Sequence[str], view: Mapping[str, Any]) -> tuple[Ints, Ints]:
    """The table and the field that a view shows; `first` is the table before the first act.

    What no view tells stays as it is there: the clock, until when calls are void, and when debts are due.
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
    lay_all_out(table, field, np.array(pieces, np.int64).reshape(-1, TURNED + 1))
    return table, field


@kernel
def lay_all_out(table: Ints, field: Ints, pieces: Ints) -> None:
    """Write the rows of all pieces, and work out what they point at."""
    count = len(pieces)
    table[rules.COUNT] = count
    for row in range(count):
        piece = pieces[row]
        verb = rules.STAND if piece[UPRIGHT] else rules.POINT
        place = rules.placement_of(verb, piece[MIDDLE_X], piece[MIDDLE_Y], piece[TURNED])
        rules.write_row(table, field[row], place, piece[KIND])
        field[row, rules.ID] = table[rules.LAST_ID] = piece[NUMBER]
    for row in range(count):
        if not field[row, rules.STANDING]:
            rules.aim(table, field, row)


@kernel
def show(table: Ints, field: Ints, first: Ints, at: int, seen: Ints) -> None:
    """Write the table that `read` gives for a view of a table and its field at a time, without the way by the view."""
    copy(table, seen)
    rules.settle_debts(seen, at)
    seen[rules.LAST_ID] = field[table[rules.COUNT] - 1, rules.ID] if table[rules.COUNT] else 0
    seen[ENDED_BY] = min(table[ENDED_BY], 1)
    for hidden in (WINNERS, rules.CLOCK, rules.QUIET_UNTIL):
        seen[hidden] = first[hidden]
    for seat in range(rules.MAX_SEATS):
        seen[rules.PAUSED_UNTIL + seat] = first[rules.PAUSED_UNTIL + seat]
        seen[rules.DUE + seat] = first[rules.DUE + seat]
