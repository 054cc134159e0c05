"""Names that can be erased: from form 3 on the chain of a table's log binds of each name a salted hash alone.

The salt and the name itself stand beside, outside of all that is hashed. Once they are erased nobody can find out the
name, and the chain is as sound as before.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from typing import TYPE_CHECKING

import msgspec

from icetable.core.errors import BadRecord
from icetable.core.options import short_repr
from icetable.server.table.errors import Tampered
from icetable.server.table.events import Event, Sit, in_record, read_event

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

FIRST_FORM = 3
"""The first form of the chain that binds names so."""
SALT_BYTES = 16
ERASED = "erased"
LINE = re.compile(rf'(\d{{1,9}}) (\d{{1,3}}) (?:{ERASED}|([0-9a-f]{{{2 * SALT_BYTES}}}) (".*"))', re.ASCII)
"""A name as a record tells it: the number of the entry by which the seat was taken, 0 for names from before the first
act; the seat; the salt, and the name as JSON."""

Place = tuple[int, int]
"""Where a name was given: the number of the entry, or 0, and the seat."""

_read_name = msgspec.json.Decoder(str).decode


class SaltedName(msgspec.Struct, frozen=True, array_like=True):
    """A name and its salt, in hexadecimal digits: without the salt the hash of a name could be guessed."""

    salt: str
    name: str

    @property
    def commitment(self) -> str:
        """What the chain binds: the SHA-256 of both."""
        return hashlib.sha256(json.dumps(["name", self.salt, self.name]).encode()).hexdigest()


read_name = msgspec.json.Decoder(SaltedName).decode
"""The name that is stored. Raises msgspec.DecodeError."""


def salted(name: str) -> SaltedName:
    """A name with a salt of its own."""
    return SaltedName(secrets.token_hex(SALT_BYTES), name)


def line_of(place: Place, name: SaltedName | None) -> str:
    """A name as a record tells it, behind its `log name`; None: it was erased."""
    told = ERASED if name is None else f"{name.salt} {in_record(msgspec.json.encode(name.name))}"
    return f"{place[0]} {place[1]} {told}"


def read_lines(lines: Iterable[str]) -> dict[Place, SaltedName | None]:
    """The names that a record tells. Raises BadRecord."""
    names: dict[Place, SaltedName | None] = {}
    for line in lines:
        parts = LINE.fullmatch(line)
        try:
            number, seat, salt, name = parts.groups() if parts else ()
            told = None if salt is None else SaltedName(salt, _read_name(name))
        except (ValueError, msgspec.DecodeError):
            raise BadRecord(f"the name in {short_repr(line)} of the record's log can't be read") from None
        if names.setdefault((int(number), int(seat)), told) is not told:
            raise BadRecord(f"the record tells the name of seat {seat} in entry {number} of its log twice")
    return names


def kept(name: SaltedName | None, erased: Collection[str]) -> SaltedName | None:
    """What is left of a name when these are erased."""
    return None if name is None or name.name in erased else name


def apart(event: Event, form: int) -> tuple[Event, SaltedName | None]:
    """An event as the log of a table has it, and the name that stands beside."""
    if form < FIRST_FORM or not isinstance(event, Sit):
        return event, None
    name = salted(event.name)
    return Sit(event.seat, name.commitment, event.code_hash), name


def together(text: str, name: SaltedName | None, form: int) -> Event | None:
    """The event of an entry with the name that stands beside; without one where that was erased.

    None for entries that are no events. Raises GameError where it can't be read, or the name is not the one bound.
    """
    event = read_event(text)
    if form < FIRST_FORM or not isinstance(event, Sit):
        return event
    if name is not None and name.commitment != event.name:
        raise Tampered("a name at this table is not the one that was kept")
    return Sit(event.seat, "" if name is None else name.name, event.code_hash)
