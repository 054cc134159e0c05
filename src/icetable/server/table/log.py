"""The log of a table: its entries, the events among them, and the names in it, which can be erased.

The text of an event's entry is a slash and JSON: `/{"type":"leave","seat":0}`.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from typing import TYPE_CHECKING

import msgspec

from icetable.analysis.results import Reason
from icetable.core import record
from icetable.core.errors import BadRecord, GameError
from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.errors import Tampered

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
EVENT_PREFIX = record.EVENT
HOST = -2
"""The seat of entries by the host of a table."""
UNDO = re.compile(r"undo (\d{1,9})", re.ASCII)
"""The text of an undo, with the number of acts that remain."""


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """A player takes an open seat, which from now on belongs to the code with this hash.

    In a log, `name` is the name's commitment (`SaltedName`).
    """

    seat: int
    name: str
    code_hash: str = msgspec.field(name="lock")


class Leave(msgspec.Struct, frozen=True, tag="leave"):
    """A player leaves and keeps the seat."""

    seat: int


class Return(msgspec.Struct, frozen=True, tag="return"):
    """A player who left is back."""

    seat: int


class HandOver(msgspec.Struct, frozen=True, tag="hand-over"):
    """A seat becomes open. A new code's hash replaces the previous one."""

    seat: int
    code_hash: str = msgspec.field(name="lock")


class Fill(msgspec.Struct, frozen=True, tag="fill"):
    """A bot takes a seat."""

    seat: int
    level: str
    name: str


class DrawSeats(msgspec.Struct, frozen=True, tag="lots"):
    """The seats are assigned at random: the player of seat `order[i]` moves to seat i."""

    order: tuple[int, ...]


class Propose(msgspec.Struct, frozen=True, tag="propose"):
    """A player makes a proposal that needs the consent of all `voters`.

    `target`: for an undo the number of acts that remain, for a fill the seat for a bot of `level`, otherwise 0.
    """

    what: messages.ProposalKind
    target: int
    level: str | None
    voters: tuple[int, ...]


class Agree(msgspec.Struct, frozen=True, tag="agree"):
    """Some of the voters agree. The last vote is not logged: the entry of the proposal itself takes its place."""

    seats: tuple[int, ...]


class Drop(msgspec.Struct, frozen=True, tag="drop"):
    """A voter declines the proposal, or its author withdraws it."""


class Pause(msgspec.Struct, frozen=True, tag="pause"):
    """The table's time stops at `now`, in milliseconds since 1970."""

    now: int


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """The table's time resumes at `now`, in milliseconds since 1970."""

    now: int


class Skip(msgspec.Struct, frozen=True, tag="skip"):
    """Time that does not count: no server was running, or the system's clock was changed (negative: set back)."""

    milliseconds: int


class NewRules(msgspec.Struct, frozen=True, tag="rules"):
    """The game's file was changed: from now on the rules are those of the file with this hash."""

    source: str


class End(msgspec.Struct, frozen=True, tag="end"):
    """The game is broken off; the winners share the win. The entry of a resignation has the seat that resigns."""

    reason: Reason
    winners: tuple[int, ...]


Event = (
    Sit | Leave | Return | HandOver | Fill | DrawSeats | Propose | Agree | Drop | Pause | Resume | Skip | NewRules | End
)


_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def write_event(event: Event) -> str:
    """The text of an event's entry."""
    return EVENT_PREFIX + in_record(msgspec.json.encode(event))


def in_record(text: bytes) -> str:
    """Escape JSON for records, in which "#" begins a comment."""
    return text.decode().replace("#", r"\u0023")


def read_event(text: str) -> Event | None:
    """Decode the event in an entry's text; None for other entries. Raises GameError if it can't be decoded."""
    if not text.startswith(EVENT_PREFIX):
        return None
    try:
        return _decoder.decode(text[len(EVENT_PREFIX) :])
    except (msgspec.DecodeError, RecursionError):
        raise GameError(f"the entry {short_repr(text)} is no known event") from None


class Entry(msgspec.Struct, frozen=True):
    """An entry of a table's log: an act, an undo, or an event (`events`).

    `seq` counts from 1. `at` is in milliseconds since the table was created, excluding pauses. `client_id` is the seat
    of a request and the client's id of it (`0:3f7a`); None for entries by the server. `link` chains the entry to the
    previous one (`fairness.link`). `name` is the one to which the text commits; None also if it was erased
    (`SaltedName`).
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


class SaltedName(msgspec.Struct, frozen=True, array_like=True):
    """A name and its salt in hexadecimal, without which the name could be guessed from its hash.

    The chain binds only a salted hash of each name. The salt and the name are stored separately and are not hashed.
    Once they are erased, the name can't be recovered, and the chain can still be verified.
    """

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


def name_line(place: Place, name: SaltedName | None) -> str:
    """The line of a record for a name, without the prefix `log name`; None for an erased one."""
    text = ERASED if name is None else f"{name.salt} {in_record(msgspec.json.encode(name.name))}"
    return f"{place[0]} {place[1]} {text}"


def read_name_lines(lines: Iterable[str]) -> dict[Place, SaltedName | None]:
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
