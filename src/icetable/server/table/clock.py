"""Time at a table: pauses, which do not count, and the players' clocks.

The time of a table is in milliseconds since it was created, excluding pauses.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from icetable.server.table.log import Event, Pause, Resume, Skip

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from icetable.server import messages

MS_PER_SECOND = 1000
SECONDS_PER_DAY = 24 * 60 * 60
MONOTONIC_EPOCH_NS = time.time_ns() - time.monotonic_ns()
"""The zero of the monotonic clock, in nanoseconds since 1970, by the system's clock when the process started."""
MAX_LOST_MS = 60 * MS_PER_SECOND
"""Maximum time that players lose by a restart."""
MAX_SKEW_MS = 1 * MS_PER_SECOND
"""Tolerated difference between the clocks of two processes; within it, time stops rather than jumps back."""
MAX_LAG_MS = 500
"""Maximum network delay of an act that is credited to its player, and not charged to the next one."""


class TableClock(msgspec.Struct, frozen=True):
    """The time of a table and its players.

    `paused`: when the current pause began, in milliseconds since 1970. `skipped`: the total of earlier pauses. `left`:
    the time left per seat, if there is a clock. `since`: when the players to act began to think; None before the first
    act, which takes no time.
    """

    clock: messages.Clock | None = None
    left: tuple[int, ...] = ()
    since: int | None = None
    paused: int | None = None
    skipped: int = 0

    @property
    def in_days(self) -> bool:
        """Whether players have days for each act. Then time runs even while no server does."""
        return is_in_days(self.clock)

    def at(self, now: int, created: int) -> int:
        """The table's time at `now`. Both parameters are in milliseconds since 1970."""
        return (now if self.paused is None else self.paused) - created - self.skipped

    def after(self, event: Event) -> TableClock:
        """The clock after an event."""
        match event:
            case Pause(now):
                return msgspec.structs.replace(self, paused=now)
            case Resume(now) if self.paused is not None:
                return msgspec.structs.replace(self, paused=None, skipped=self.skipped + max(0, now - self.paused))
            case Skip(milliseconds):
                return msgspec.structs.replace(self, skipped=self.skipped + milliseconds)
        return self

    def acted(self, seat: int, at: int, others: Collection[int] = ()) -> TableClock:
        """The clock after an act. `seat` is CHANCE for an undo and for a bot's act; `others` were thinking too."""
        if self.clock is None:
            return self
        left = list(self.left)
        if self.clock.per == "game" and self.since is not None:
            for thinking in {*others, seat} & set(range(len(left))):
                left[thinking] -= max(0, at - self.since)
            if seat in range(len(left)):
                left[seat] += self.clock.increment * MS_PER_SECOND
        return msgspec.structs.replace(self, left=tuple(left), since=at + MAX_LAG_MS)

    def ended(self, thinking: Collection[int], at: int) -> TableClock:
        """The clock after the game was broken off while these seats were thinking."""
        if self.clock is None or self.since is None:
            return self
        spent = max(0, at - self.since)
        left = tuple(max(0, left - spent) if seat in thinking else left for seat, left in enumerate(self.left))
        return msgspec.structs.replace(self, left=left, since=None)

    def deadline(self, seat: int) -> int | None:
        """When the time of a seat runs out; None if no clock is running."""
        return None if self.clock is None or self.since is None else self.since + self.left[seat]

    def ends_at(self, seats: Iterable[int], created: int) -> int | None:
        """The first deadline of these seats; None if there is none. Like `created`, in milliseconds since 1970."""
        deadlines = [deadline for seat in seats if (deadline := self.deadline(seat)) is not None]
        return None if self.paused is not None or not deadlines else created + self.skipped + min(deadlines)


def is_in_days(clock: messages.Clock | None) -> bool:
    """Whether a time control is one of days per act."""
    return clock is not None and clock.per == "act" and clock.seconds >= SECONDS_PER_DAY


def new_clock(clock: messages.Clock | None, players: int) -> TableClock:
    """The clock of a new table."""
    return TableClock() if clock is None else TableClock(clock, (clock.seconds * MS_PER_SECOND,) * players)


def now() -> int:
    """The time in milliseconds since 1970. It is monotonic: setting the system's clock does not change it."""
    return (MONOTONIC_EPOCH_NS + time.monotonic_ns()) // 1_000_000
