"""Tables without clients: chance, expiring clocks, and the bots of correspondence games."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from icetable.server.table.clock import MS_PER_SECOND, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.store.store import Store
    from icetable.server.table.state import TableState


def note_due(store: Store, table_state: TableState) -> None:
    """Store when a clock of days runs out, so that any later process finds the table."""
    if table_state.timing.in_days:
        store.tables.set_due(table_state.setup.id, ends_at(table_state))


def ends_at(table_state: TableState) -> int | None:
    """When the time of the player to act is up, in milliseconds since 1970; None if no clock runs."""
    return table_state.timing.ends_at(table_state.to_act & table_state.thinking, table_state.setup.created)


def bots_play_on(table_state: TableState) -> bool:
    """Whether it is a bot's turn in a correspondence game with people, where it acts without clients."""
    bots = table_state.bots.keys()
    return table_state.timing.in_days and bool(table_state.to_act & bots) and len(bots) < table_state.game.players


class Timers:
    """At most one timer per table. `on_time` is called with the table's id."""

    def __init__(self, on_time: Callable[[str], None]) -> None:
        self._call = on_time
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def __len__(self) -> int:
        return len(self._timers)

    def set(self, table_id: str, seconds: float) -> None:
        """Set a timer, replacing any earlier one."""
        self.cancel(table_id)
        self._timers[table_id] = asyncio.get_running_loop().call_later(seconds, self._on_time, table_id)

    def cancel(self, table_id: str) -> None:
        if timer := self._timers.pop(table_id, None):
            timer.cancel()

    def end_first(self) -> None:
        """End the timer that was set first, immediately."""
        table_id = next(iter(self._timers))
        self.cancel(table_id)
        self._call(table_id)

    def close(self) -> None:
        """Cancel all timers."""
        for timer in self._timers.values():
            timer.cancel()

    def _on_time(self, table_id: str) -> None:
        del self._timers[table_id]
        self._call(table_id)


def seconds_left(table_state: TableState) -> float | None:
    """The time until a game ends by its bell or a clock; None if neither runs."""
    due = table_state.due
    return None if due is None else max(0, due - table_state.time(now())) / MS_PER_SECOND
