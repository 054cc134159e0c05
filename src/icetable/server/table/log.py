"""The entries of a table's log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from icetable.server.table.events import EVENT_PREFIX, Event
from icetable.server.table.salted_names import SaltedName, join_name, unless_erased

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

HOST = -2
"""The seat of entries by the host of a table."""
UNDO = re.compile(r"undo (\d{1,9})", re.ASCII)
"""The text of an undo, with the number of acts that remain."""


class Entry(msgspec.Struct, frozen=True):
    """An entry of a table's log: an act, an undo, or an event (`events`).

    `seq` counts from 1. `at` is in milliseconds since the table was created, excluding pauses. `client_id` is the seat
    of a request and the client's id of it (`0:3f7a`); None for entries by the server. `link` chains the entry to the
    previous one (`fairness.link`). `name` is the one to which the text commits; None also if it was erased
    (`salted_names`).
    """

    seq: int
    seat: int
    at: int
    text: str
    client_id: str | None = None
    link: str = ""
    name: SaltedName | None = None

    def without_name(self, erased: Collection[str]) -> Entry:
        """The same without its name, if that is one of these."""
        return self if self.name is None else msgspec.structs.replace(self, name=unless_erased(self.name, erased))

    def event(self) -> Event | None:
        """The event in an entry; None for an act or undo. Raises GameError."""
        return join_name(self.text, self.name)


def remaining_acts(log: Iterable[Entry]) -> list[Entry]:
    """The entries of the acts that were not undone."""
    acts: list[Entry] = []
    for entry in log:
        if undo := UNDO.fullmatch(entry.text):
            del acts[int(undo[1]) :]
        elif not entry.text.startswith(EVENT_PREFIX):
            acts.append(entry)
    return acts
