"""How a table keeps time: pauses, which do not count, and clocks for who is to act.

The time of a table is in milliseconds since it was opened.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from icetable.server.table.events import Event, Pause, Resume, Skip

if TYPE_CHECKING:
    from collections.abc import Collection

    from icetable.server import messages

SECOND = 1000
STARTED = time.time_ns() - time.monotonic_ns()
"""When the monotonic clock stood at 0, in nanoseconds since 1970, by the system's clock when the process began."""
MOST_LOST = 60 * SECOND
"""After a restart time goes on from the last entry, and at most so much later."""
JITTER = 1 * SECOND
"""The clocks of two processes may differ by so much; time stands still for that long rather than jump."""
LAG = 500
"""So much of an act's way to the server is credited at the most, and nothing of it is taken from who acts next."""


class TableClock(msgspec.Struct, frozen=True):
    """How time runs.

    `paused`: since when it stands still, in milliseconds since 1970; `skipped`: how long it stood still before. `left`:
    what each seat has left where there is a clock; `since`: when who is to act began to think, None before the first
    act, which takes no time.
    """

    clock: messages.Clock | None = None
    left: tuple[int, ...] = ()
    since: int | None = None
    paused: int | None = None
    skipped: int = 0

    def at(self, now: int, created: int) -> int:
        """The time of a table that was opened at `created`; both in milliseconds since 1970."""
        return (now if self.paused is None else self.paused) - created - self.skipped

    def after(self, change: Event) -> TableClock:
        """How time runs after a change of the table."""
        match change:
            case Pause(now):
                return msgspec.structs.replace(self, paused=now)
            case Resume(now) if self.paused is not None:
                return msgspec.structs.replace(self, paused=None, skipped=self.skipped + max(0, now - self.paused))
            case Skip(milliseconds):
                return msgspec.structs.replace(self, skipped=self.skipped + milliseconds)
        return self

    def acted(self, seat: int, at: int) -> TableClock:
        """After an act, or something that lets everybody think anew."""
        if self.clock is None:
            return self
        left = list(self.left)
        if seat in range(len(left)) and self.clock.per == "game" and self.since is not None:
            left[seat] += self.clock.increment * SECOND - max(0, at - self.since)
        return msgspec.structs.replace(self, left=tuple(left), since=at + LAG)

    def ended(self, thinking: Collection[int], at: int) -> TableClock:
        """After the game was broken off while some were thinking."""
        if self.clock is None or self.since is None:
            return self
        spent = max(0, at - self.since)
        left = tuple(max(0, left - spent) if seat in thinking else left for seat, left in enumerate(self.left))
        return msgspec.structs.replace(self, left=left, since=None)

    def deadline(self, seat: int) -> int | None:
        """Until when a seat has to act; None where it has all the time in the world."""
        return None if self.clock is None or self.since is None else self.since + self.left[seat]


def start_of(clock: messages.Clock | None, players: int) -> TableClock:
    """How time runs when a table is opened."""
    return TableClock() if clock is None else TableClock(clock, (clock.seconds * SECOND,) * players)


def now() -> int:
    """The time in milliseconds since 1970, by a clock that runs evenly: setting the system's clock does not move it."""
    return (STARTED + time.monotonic_ns()) // 1_000_000
