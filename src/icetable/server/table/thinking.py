"""How long the people at a table have thought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.table.clock import SECOND
from icetable.server.table.log import UNDO
from icetable.server.table.seats import Seating

if TYPE_CHECKING:
    from collections.abc import Iterable

    from icetable.server.table.log import Entry
    from icetable.server.table.setup import TableSetup


def thoughts(setup: TableSetup, log: Iterable[Entry]) -> list[tuple[int, float]]:
    """For each act of a person the seat, and the seconds since the act before, or since one was taken back.

    The first act of a game took no time that anybody knows, and is left out. Raises GameError for a log that can't be.
    """
    seating = Seating(setup.seats, setup.terms.lots).begun()
    found: list[tuple[int, float]] = []
    before: int | None = None
    for entry in log:
        event = entry.event(setup.form)
        if event is not None:
            seating = seating.after(event, entry.seq, entry.seat)
            continue
        is_act = not UNDO.fullmatch(entry.text)
        if is_act and before is not None and entry.seat in seating.of_kind("person"):
            found.append((entry.seat, (entry.at - before) / SECOND))
        before = entry.at
    return found
