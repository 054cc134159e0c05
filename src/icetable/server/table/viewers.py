"""Viewers of a table, identified by the codes that a client sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icetable.core.game import State
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import Terms


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
