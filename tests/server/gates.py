"""A room in a test: its gate, and who acts there."""

from __future__ import annotations

from icetable.server.table.log import Entry
from icetable.server.table.state import TableState
from icetable.server.table.views import TableViews

ANYBODY = range(9)
"""Holds every seat."""


def drawn(table_state: TableState, now: int) -> Entry:
    """The entry of what nature draws, which has to be due."""
    entry = table_state.draw_chance(now)
    assert entry is not None
    return entry


def views(table_state: TableState, now: int = 0) -> TableViews:
    return TableViews(table_state, lambda: now)
