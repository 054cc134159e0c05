"""The thinking times of the people at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.table.clock import MS_PER_SECOND
from icetable.server.table.log import UNDO
from icetable.server.table.seats import Seating

if TYPE_CHECKING:
    from collections.abc import Iterable

    from icetable.server.table.log import Entry
    from icetable.server.table.setup import TableSetup


def thinking_times(setup: TableSetup, log: Iterable[Entry]) -> list[tuple[int, float]]:
    """For each act of a person the seat, and the seconds since the previous act or undo.

    The first act is left out, since its time is unknown. Raises GameError for an invalid log.
    """
    seating = Seating(setup.seats, setup.terms.lots).started_if_ready()
    times: list[tuple[int, float]] = []
    before: int | None = None
    for entry in log:
        event = entry.event()
        if event is not None:
            seating = seating.after(event, entry.seq, entry.seat)
            continue
        is_act = not UNDO.fullmatch(entry.text)
        if is_act and before is not None and entry.seat in seating.of_kind("person"):
            times.append((entry.seat, (entry.at - before) / MS_PER_SECOND))
        before = entry.at
    return times
