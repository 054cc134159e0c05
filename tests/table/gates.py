"""The gate of a room in a test."""

from __future__ import annotations

from icetable.table.gate import Gate
from icetable.table.rooms import Room


def gate(room: Room, now: int = 0) -> Gate:
    return Gate(room, lambda: now)
