"""How a table keeps time: pauses, which do not count, and the clocks of the players.

The time of a table is in milliseconds since it was created, without pauses.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from icetable.server.table.events import Event, Pause, Resume, Skip

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from icetable.server import messages

SECOND = 1000
DAY_SECONDS = 24 * 60 * 60
STARTED = time.time_ns() - time.monotonic_ns()
"""When the monotonic clock stood at 0, in nanoseconds since 1970, by the system's clock when the process started."""
MAX_LOST_MS = 60 * SECOND
"""After a restart time goes on from the last entry, or at most this much later."""
JITTER_MS = 1 * SECOND
"""The clocks of two processes may differ by this much; time stands still for that long rather than jump."""
MAX_LAG_MS = 500
"""At most this much of an act's way to the server is credited to its player; it is not taken from the next one."""


class TableClock(msgspec.Struct, frozen=True):
    """How time runs.

    `paused`: since when it stands still, in milliseconds since 1970. `skipped`: how long it stood still before. `left`:
    what each seat has left where there is a clock. `since`: when the players who are to act began to think; None before
    the first act, which takes no time.
    """

    clock: messages.Clock | None = None
    left: tuple[int, ...] = ()
    since: int | None = None
    paused: int | None = None
    skipped: int = 0

    @property
    def in_days(self) -> bool:
        """Whether players have days for each act. Then time goes by the calendar, whether a server runs or not."""
        return is_in_days(self.clock)

    def at(self, now: int, created: int) -> int:
        """The time of a table that was created at `created`; `now` and `created` are in milliseconds since 1970."""
        return (now if self.paused is None else self.paused) - created - self.skipped

    def after(self, event: Event) -> TableClock:
        """How time runs after an event."""
        match event:
            case Pause(now):
                return msgspec.structs.replace(self, paused=now)
            case Resume(now) if self.paused is not None:
                return msgspec.structs.replace(self, paused=None, skipped=self.skipped + max(0, now - self.paused))
            case Skip(milliseconds):
                return msgspec.structs.replace(self, skipped=self.skipped + milliseconds)
        return self

    def acted(self, seat: int, at: int) -> TableClock:
        """How time runs after an act of a seat; after an undo, and the acts of bots, the seat is CHANCE."""
        if self.clock is None:
            return self
        left = list(self.left)
        if seat in range(len(left)) and self.clock.per == "game" and self.since is not None:
            left[seat] += self.clock.increment * SECOND - max(0, at - self.since)
        return msgspec.structs.replace(self, left=tuple(left), since=at + MAX_LAG_MS)

    def ended(self, thinking: Collection[int], at: int) -> TableClock:
        """How time runs after the game was broken off while these seats were thinking."""
        if self.clock is None or self.since is None:
            return self
        spent = max(0, at - self.since)
        left = tuple(max(0, left - spent) if seat in thinking else left for seat, left in enumerate(self.left))
        return msgspec.structs.replace(self, left=left, since=None)

    def deadline(self, seat: int) -> int | None:
        """When the time of a seat is up; None where no clock runs."""
        return None if self.clock is None or self.since is None else self.since + self.left[seat]

    def ends_at(self, seats: Iterable[int], created: int) -> int | None:
        """When the time of the first of these seats is up at a table that was created at `created`; None: of none.

        Both are in milliseconds since 1970.
        """
        deadlines = [deadline for seat in seats if (deadline := self.deadline(seat)) is not None]
        return None if self.paused is not None or not deadlines else created + self.skipped + min(deadlines)


def is_in_days(clock: messages.Clock | None) -> bool:
    """Whether a time control gives days for each act."""
    return clock is not None and clock.per == "act" and clock.seconds >= DAY_SECONDS


def start_of(clock: messages.Clock | None, players: int) -> TableClock:
    """How time runs at a new table."""
    return TableClock() if clock is None else TableClock(clock, (clock.seconds * SECOND,) * players)


def now() -> int:
    """The time in milliseconds since 1970, by a clock that runs evenly: setting the system's clock does not move it."""
    return (STARTED + time.monotonic_ns()) // 1_000_000
