"""Alarms: something is due at a table at a later moment, whether it is open then or not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from icetable.server.table.clock import MS_PER_SECOND, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.table.state import TableState


class Alarms:
    """At most one alarm for each table. `ring` is called with the table's id."""

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def __len__(self) -> int:
        return len(self._timers)

    def set(self, table_id: str, seconds: float) -> None:
        """Ring after this number of seconds, in place of any earlier setting."""
        self.cancel(table_id)
        self._timers[table_id] = asyncio.get_running_loop().call_later(seconds, self._on_time, table_id)

    def cancel(self, table_id: str) -> None:
        """Ring no more, if it was set."""
        if timer := self._timers.pop(table_id, None):
            timer.cancel()

    def ring_first(self) -> None:
        """Ring the alarm at once that was set first."""
        table_id = next(iter(self._timers))
        self.cancel(table_id)
        self._ring(table_id)

    def close(self) -> None:
        """Ring no more at all."""
        for timer in self._timers.values():
            timer.cancel()

    def _on_time(self, table_id: str) -> None:
        del self._timers[table_id]
        self._ring(table_id)


def seconds_left(table_state: TableState) -> float | None:
    """Until a game ends by the bell or a clock; None where neither runs."""
    due = table_state.due
    return None if due is None else max(0, due - table_state.time(now())) / MS_PER_SECOND
