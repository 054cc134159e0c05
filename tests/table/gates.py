"""A room in a test: its gate, and who acts there."""

from __future__ import annotations

from icetable.table.gate import Gate
from icetable.table.rooms import Entry, Room

ANYBODY = range(9)
"""Holds every seat."""


def drawn(room: Room, now: int) -> Entry:
    """The entry of what nature draws, which has to be due."""
    entry = room.draw(now)
    assert entry is not None
    return entry


def gate(room: Room, now: int = 0) -> Gate:
    return Gate(room, lambda: now)
