"""The clients at a table: who they are, by the codes that they sent, and which players are connected.

Presence counts clients of any server process. Its times are in seconds of one clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.core.game import State
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import Terms

GRACE_SECONDS = 120.0
"""Time that a player may be away before the others can replace them by a bot."""
REPEAT_SECONDS = 20.0
"""Interval between the reports of a process."""
SILENCE_SECONDS = 60.0
"""Time without reports after which a process is dropped."""


@dataclass(frozen=True)
class Viewer:
    """A client's rights at a table: the `seats` that it holds; without any it is a watcher.

    `guest`: the open seats that it may take. `host`: whether it holds the host's code. `code_hashes`: the hashes of all
    codes that it sent.
    """

    seats: frozenset[int] = frozenset()
    guest: frozenset[int] = frozenset()
    host: bool = False
    code_hashes: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    def point_of_view(self, state: State) -> int | None:
        """The seat whose view is shown, preferably one to act; None for a watcher."""
        return min(self.seats & state.to_act or self.seats, default=None)


def code_hashes_of(terms: Terms, seating: Seating, viewer: Viewer) -> set[str]:
    """The hashes of the codes for a viewer's seats, and of the host's code if it is the host."""
    hashes = {seating.seats[seat].code_hash for seat in viewer.seats}
    if viewer.host:
        hashes.add(terms.host)
    return {code_hash for code_hash in hashes if code_hash is not None}


def identify(terms: Terms, seating: Seating, code_hashes: frozenset[str]) -> Viewer:
    """The viewer whose codes have these hashes."""
    # The comparison need not be constant-time: its duration reveals nothing of the codes, which are random.
    matching = frozenset(number for number, seat in enumerate(seating.seats) if seat.code_hash in code_hashes)
    opens = seating.of_kind("open")
    free_to_all = opens if (terms.public or terms.playtest) and not seating.started else frozenset()
    return Viewer(matching - opens, matching & opens | free_to_all, terms.host in code_hashes, code_hashes)


class Report(NamedTuple):
    """The last report of another process: the seats connected to it, their lags, and when it arrived."""

    seats: frozenset[int]
    lags: Mapping[int, int]
    at: float


class PresenceTracker:
    """The seats of connected players, and since when the others are away."""

    def __init__(self) -> None:
        self.here: frozenset[int] = frozenset()
        self._away_since: dict[int, float] = {}
        self._reports: dict[str, Report] = {}

    def receive(self, process: str, seats: Collection[int], lags: Mapping[int, int], now: float) -> None:
        """Store another process's report."""
        self._reports[process] = Report(frozenset(seats), lags, now)

    def update(self, local: frozenset[int], persons: frozenset[int], now: float) -> None:
        """Update `here`, the seats of `persons` that are connected to this process (`local`) or to another one."""
        self._reports = {
            process: report
            for process, report in self._reports.items()
            if report.seats and report.at + SILENCE_SECONDS > now
        }
        elsewhere = (report.seats for report in self._reports.values())
        self.here = local.union(*elsewhere) & persons
        self._away_since = {seat: self._away_since.get(seat, now) for seat in persons - self.here}

    @property
    def lags_elsewhere(self) -> dict[int, int]:
        """The round-trip times of the players connected to other processes, in milliseconds."""
        return {seat: lag for report in self._reports.values() for seat, lag in report.lags.items()}

    def away(self, now: float) -> frozenset[int]:
        """The seats whose players have been away for at least GRACE_SECONDS, so that a bot may take them."""
        return frozenset(seat for seat, since in self._away_since.items() if since + GRACE_SECONDS <= now)

    def leads(self, name: str, local: frozenset[int]) -> bool:
        """Whether this process, with the seats `local`, is the first by name of those with connected players."""
        others = [process for process, report in self._reports.items() if report.seats]
        return not others or (bool(local) and name < min(others))

    def next_change(self, now: float) -> float | None:
        """When time alone next changes something; None if it won't."""
        moments = [since + GRACE_SECONDS for since in self._away_since.values()]
        moments += [report.at + SILENCE_SECONDS for report in self._reports.values()]
        return min((moment for moment in moments if moment > now), default=None)
