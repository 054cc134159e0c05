"""Names that can be erased: the chain of a table's log binds only a salted hash of each name.

The salt and the name are stored separately and are not hashed. Once they are erased, the name can't be recovered, and
the chain can still be verified.
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

SALT_BYTES = 16
ERASED = "erased"
LINE = re.compile(rf'(\d{{1,9}}) (\d{{1,3}}) (?:{ERASED}|([0-9a-f]{{{2 * SALT_BYTES}}}) (".*"))', re.ASCII)
"""A name in a record: the number of the entry that took the seat, or 0 for the setup; the seat; the salt; the name as
JSON."""

Place = tuple[int, int]
"""The place of a name in a log: the number of the entry that took the seat, or 0 for the setup, and the seat."""

_read_name = msgspec.json.Decoder(str).decode


class SaltedName(msgspec.Struct, frozen=True, array_like=True):
    """A name and its salt in hexadecimal, without which the name could be guessed from its hash."""

    salt: str
    name: str

    @property
    def commitment(self) -> str:
        """The SHA-256 of both, which the chain binds."""
        return hashlib.sha256(json.dumps(["name", self.salt, self.name]).encode()).hexdigest()


read_name = msgspec.json.Decoder(SaltedName).decode
"""Decodes a stored name. Raises msgspec.DecodeError."""


def salted(name: str) -> SaltedName:
    """Add a random salt to a name."""
    return SaltedName(secrets.token_hex(SALT_BYTES), name)


def line_of(place: Place, name: SaltedName | None) -> str:
    """The line of a record for a name, without the prefix `log name`; None for an erased one."""
    text = ERASED if name is None else f"{name.salt} {in_record(msgspec.json.encode(name.name))}"
    return f"{place[0]} {place[1]} {text}"


def read_lines(lines: Iterable[str]) -> dict[Place, SaltedName | None]:
    """The names in a record; None for erased ones. Raises BadRecord."""
    names: dict[Place, SaltedName | None] = {}
    for line in lines:
        parts = LINE.fullmatch(line)
        try:
            number, seat, salt, name = parts.groups() if parts else ()
            recorded = None if salt is None else SaltedName(salt, _read_name(name))
        except (ValueError, msgspec.DecodeError):
            raise BadRecord(f"the name in {short_repr(line)} of the record's log can't be read") from None
        if names.setdefault((int(number), int(seat)), recorded) is not recorded:
            raise BadRecord(f"the record has the name of seat {seat} in entry {number} of its log twice")
    return names


def unless_erased(name: SaltedName | None, erased: Collection[str]) -> SaltedName | None:
    """The name, or None if it is among the erased ones."""
    return None if name is None or name.name in erased else name


def split_name(event: Event) -> tuple[Event, SaltedName | None]:
    """Replace a name in an event by its commitment; return the event and the name."""
    if not isinstance(event, Sit):
        return event, None
    name = salted(event.name)
    return Sit(event.seat, name.commitment, event.code_hash), name


def join_name(text: str, name: SaltedName | None) -> Event | None:
    """Decode an entry's event and replace its commitment by the name, or by "" if that was erased.

    None for entries without an event. Raises GameError if it can't be decoded or the name does not match.
    """
    event = read_event(text)
    if not isinstance(event, Sit):
        return event
    if name is not None and name.commitment != event.name:
        raise Tampered("a name at this table is not the one that was stored")
    return Sit(event.seat, "" if name is None else name.name, event.code_hash)
