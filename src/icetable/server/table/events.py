"""The events in a table's log besides acts: taken seats, proposals and votes, pauses, resignations.

The text of an event's entry is a slash and JSON: `/{"type":"leave","seat":0}`.
"""

from __future__ import annotations

import msgspec

from icetable.analysis.results import Reason
from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import messages

EVENT_PREFIX = record.EVENT


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """A player takes an open seat, which from now on belongs to the code with this hash.

    In a log, `name` is the name's commitment (`salted_names`).
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
