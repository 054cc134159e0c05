"""Timers for tables, whether or not they are open when the timer fires."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from icetable.server.table.clock import MS_PER_SECOND, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.table.state import TableState


class Alarms:
    """At most one alarm per table. `on_alarm` is called with the table's id."""

    def __init__(self, on_alarm: Callable[[str], None]) -> None:
        self._on_alarm = on_alarm
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def __len__(self) -> int:
        return len(self._timers)

    def set(self, table_id: str, seconds: float) -> None:
        """Set an alarm, replacing any earlier one."""
        self.cancel(table_id)
        self._timers[table_id] = asyncio.get_running_loop().call_later(seconds, self._on_time, table_id)

    def cancel(self, table_id: str) -> None:
        if timer := self._timers.pop(table_id, None):
            timer.cancel()

    def ring_first(self) -> None:
        """Ring the alarm that was set first, immediately."""
        table_id = next(iter(self._timers))
        self.cancel(table_id)
        self._on_alarm(table_id)

    def close(self) -> None:
        """Cancel all alarms."""
        for timer in self._timers.values():
            timer.cancel()

    def _on_time(self, table_id: str) -> None:
        del self._timers[table_id]
        self._on_alarm(table_id)


def seconds_left(table_state: TableState) -> float | None:
    """The time until a game ends by its bell or a clock; None if neither runs."""
    due = table_state.due
    return None if due is None else max(0, due - table_state.time(now())) / MS_PER_SECOND
