"""Who is at a table, at whichever server process their socket is. Moments are in seconds, by any clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

GRACE = 120.0
"""How many seconds somebody may be away before the others can put a bot in their place."""
REPEAT = 20.0
"""How often a process says again who is at its sockets."""
SILENCE = 60.0
"""Of whom nothing has been heard for so long, that process is forgotten, and who is there."""


class Report(NamedTuple):
    """What another process has said last, and when."""

    seats: frozenset[int]
    at: float


class PresenceTracker:
    """The seats of those who are here, and since when the others are away."""

    def __init__(self) -> None:
        self.here: frozenset[int] = frozenset()
        self._away_since: dict[int, float] = {}
        self._elsewhere: dict[str, Report] = {}

    def hear(self, process: str, seats: Collection[int], now: float) -> None:
        """Another process says whose people are at its sockets."""
        self._elsewhere[process] = Report(frozenset(seats), now)

    def look(self, local: frozenset[int], persons: frozenset[int], now: float) -> None:
        """See who is here now: those at this process's sockets, and those elsewhere. `persons`: all who might be."""
        self._elsewhere = {
            process: report for process, report in self._elsewhere.items() if report.seats and report.at + SILENCE > now
        }
        elsewhere = (report.seats for report in self._elsewhere.values())
        self.here = local.union(*elsewhere) & persons
        self._away_since = {seat: self._away_since.get(seat, now) for seat in persons - self.here}

    def away(self, now: float) -> frozenset[int]:
        """The seats whose people have been away for so long that a bot may come."""
        return frozenset(seat for seat, since in self._away_since.items() if since + GRACE <= now)

    def leads(self, name: str, local: frozenset[int]) -> bool:
        """Of the processes that have people at the table, whether the one of this name, with `local`, is the first."""
        others = [process for process, report in self._elsewhere.items() if report.seats]
        return not others or (bool(local) and name < min(others))

    def next_change(self, now: float) -> float | None:
        """When it is time to look again, though nobody comes or goes."""
        moments = [since + GRACE for since in self._away_since.values()]
        moments += [report.at + SILENCE for report in self._elsewhere.values()]
        return min((moment for moment in moments if moment > now), default=None)
