"""Who looks at a table, by the codes that a client sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icetable.core.game import State
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import Terms


@dataclass(frozen=True)
class Viewer:
    """What the codes of a client give it at a table: the `seats` that it holds; without any it watches.

    `guest`: the open seats that it may take. `host`: it holds the code of the table's host. `code_hashes`: the hashes
    of all codes that it sent.
    """

    seats: frozenset[int] = frozenset()
    guest: frozenset[int] = frozenset()
    host: bool = False
    code_hashes: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    def point_of_view(self, state: State) -> int | None:
        """The seat that a position is shown to: of several the one that is to act; None for a watcher."""
        return min(self.seats & state.to_act or self.seats, default=None)


def locks(terms: Terms, seating: Seating, viewer: Viewer) -> set[str]:
    """The hashes of the codes of what a viewer holds."""
    found = {seating.seats[seat].code_hash for seat in viewer.seats}
    if viewer.host:
        found.add(terms.host)
    return {lock for lock in found if lock is not None}


def identify(terms: Terms, seating: Seating, code_hashes: frozenset[str]) -> Viewer:
    """The viewer whose codes have these hashes."""
    # How long it takes to compare hashes tells nothing of the codes, which are random.
    fitting = frozenset(number for number, seat in enumerate(seating.seats) if seat.code_hash in code_hashes)
    opens = seating.of_kind("open")
    free_to_all = opens if (terms.public or terms.playtest) and not seating.started else frozenset()
    return Viewer(fitting - opens, fitting & opens | free_to_all, terms.host in code_hashes, code_hashes)
