"""Which players are connected to a table, by any server process. Moments are in seconds, by any one clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

GRACE_SECONDS = 120.0
"""How many seconds a player may be away before the others can put a bot in their place."""
REPEAT_SECONDS = 20.0
"""How often, in seconds, a process reports again which players are connected to it."""
SILENCE_SECONDS = 60.0
"""How many seconds after its last report a process is forgotten."""


class Report(NamedTuple):
    """The last report of another process: the seats of the players connected to it, their lags, and when it came."""

    seats: frozenset[int]
    lags: Mapping[int, int]
    at: float


class PresenceTracker:
    """The seats of the players who are connected, and since when the others are away."""

    def __init__(self) -> None:
        self.here: frozenset[int] = frozenset()
        self._away_since: dict[int, float] = {}
        self._elsewhere: dict[str, Report] = {}

    def hear(self, process: str, seats: Collection[int], lags: Mapping[int, int], now: float) -> None:
        """Another process reports the seats of the players connected to it, and their round-trip times."""
        self._elsewhere[process] = Report(frozenset(seats), lags, now)

    def look(self, local: frozenset[int], persons: frozenset[int], now: float) -> None:
        """Update `here`: the seats connected to this process and to others, of all seats of people (`persons`)."""
        self._elsewhere = {
            process: report
            for process, report in self._elsewhere.items()
            if report.seats and report.at + SILENCE_SECONDS > now
        }
        elsewhere = (report.seats for report in self._elsewhere.values())
        self.here = local.union(*elsewhere) & persons
        self._away_since = {seat: self._away_since.get(seat, now) for seat in persons - self.here}

    @property
    def lags_elsewhere(self) -> dict[int, int]:
        """The round-trip times of the players connected to other processes, in milliseconds."""
        return {seat: lag for report in self._elsewhere.values() for seat, lag in report.lags.items()}

    def away(self, now: float) -> frozenset[int]:
        """The seats whose players have been away for GRACE_SECONDS or longer, so that a bot may take them."""
        return frozenset(seat for seat, since in self._away_since.items() if since + GRACE_SECONDS <= now)

    def leads(self, name: str, local: frozenset[int]) -> bool:
        """Whether the process of this name, with the seats `local`, comes first among those with players connected."""
        others = [process for process, report in self._elsewhere.items() if report.seats]
        return not others or (bool(local) and name < min(others))

    def next_change(self, now: float) -> float | None:
        """When `look` may change something though no client connects or disconnects."""
        moments = [since + GRACE_SECONDS for since in self._away_since.values()]
        moments += [report.at + SILENCE_SECONDS for report in self._elsewhere.values()]
        return min((moment for moment in moments if moment > now), default=None)
