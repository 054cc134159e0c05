"""The entries of a table's log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from icetable.server.table.events import EVENT_PREFIX, Event
from icetable.server.table.salted_names import SaltedName, kept, together

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

HOST = -2
"""The seat of entries that the host of a table makes as its host."""
UNDO = re.compile(r"undo (\d{1,9})", re.ASCII)
"""The text of an entry that takes acts back; the number of acts that remain."""


class Entry(msgspec.Struct, frozen=True):
    """One entry of a table's log: an act, an undo, or another event (`events`).

    `seq` counts the entries from 1. `at` is in milliseconds since the table was created, without pauses. `client_id` is
    the number of the seat that a request is for and the client's id of the request (`0:3f7a`); None for entries that
    the server makes. `link` chains the entry to the one before (`fairness.link`). `name` is the one to which the text
    commits; None also where it was erased (`salted_names`).
    """

    seq: int
    seat: int
    at: int
    text: str
    client_id: str | None = None
    link: str = ""
    name: SaltedName | None = None

    def without_name(self, erased: Collection[str]) -> Entry:
        """The same, where its name is one of these without it."""
        return self if self.name is None else msgspec.structs.replace(self, name=kept(self.name, erased))

    def event(self, form: int) -> Event | None:
        """The event that it is in a log of this form; None for an act or undo. Raises GameError."""
        return together(self.text, self.name, form)


def remaining_acts(log: Iterable[Entry]) -> list[Entry]:
    """The entries of the acts that were not taken back."""
    acts: list[Entry] = []
    for entry in log:
        if undo := UNDO.fullmatch(entry.text):
            del acts[int(undo[1]) :]
        elif not entry.text.startswith(EVENT_PREFIX):
            acts.append(entry)
    return acts
