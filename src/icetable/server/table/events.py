"""What the log of a table keeps beside the acts of its game: who takes which seat, proposals and votes, pauses, and
ends that the rules do not know.

An event is an entry whose text is a slash and JSON: `/{"type":"leave","seat":0}`.
"""

from __future__ import annotations

import msgspec

from icetable.analysis.results import Reason
from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import messages

EVENT_PREFIX = record.EVENT
"""The text of every event begins with it."""


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """A player takes an open seat. From now on this code's hash holds it.

    In a log of form 3 or later `name` is the name's commitment (`salted_names`).
    """

    seat: int
    name: str
    code_hash: str = msgspec.field(name="lock")


class Leave(msgspec.Struct, frozen=True, tag="leave"):
    """A player leaves and keeps the seat."""

    seat: int


class Return(msgspec.Struct, frozen=True, tag="return"):
    """A player who had left is back."""

    seat: int


class HandOver(msgspec.Struct, frozen=True, tag="hand-over"):
    """A seat becomes open. The hash of a new code replaces the one before."""

    seat: int
    code_hash: str = msgspec.field(name="lock")


class Fill(msgspec.Struct, frozen=True, tag="fill"):
    """A bot takes a seat."""

    seat: int
    level: str
    name: str


class Lots(msgspec.Struct, frozen=True, tag="lots"):
    """The seats are drawn by lot: the player of seat `order[i]` moves to seat i."""

    order: tuple[int, ...]


class Propose(msgspec.Struct, frozen=True, tag="propose"):
    """A player proposes something that needs the consent of all `voters`.

    `target`: for an undo the number of acts to go back to, for a fill the seat that a bot of `level` takes; else 0.
    """

    what: messages.ProposalKind
    target: int
    level: str | None
    voters: tuple[int, ...]


class Agree(msgspec.Struct, frozen=True, tag="agree"):
    """Some of the voters agree. When the last one does, the entry of what was proposed follows instead."""

    seats: tuple[int, ...]


class Drop(msgspec.Struct, frozen=True, tag="drop"):
    """A voter declines the proposal, or the player who made it withdraws it."""


class Pause(msgspec.Struct, frozen=True, tag="pause"):
    """The table's time stops at `now`, in milliseconds since 1970."""

    now: int


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """The table's time goes on at `now`, in milliseconds since 1970."""

    now: int


class Skip(msgspec.Struct, frozen=True, tag="skip"):
    """Time that does not count: the server did not run, or the system's clock was set (below 0: set back)."""

    milliseconds: int


class End(msgspec.Struct, frozen=True, tag="end"):
    """The game is broken off; the winners share the win. A resignation is the entry of the seat that resigns."""

    reason: Reason
    winners: tuple[int, ...]


Event = Sit | Leave | Return | HandOver | Fill | Lots | Propose | Agree | Drop | Pause | Resume | Skip | End
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def write_event(event: Event) -> str:
    """The text of an event's entry."""
    return EVENT_PREFIX + in_record(msgspec.json.encode(event))


def in_record(text: bytes) -> str:
    """JSON as it may stand in records, which have comments."""
    return text.decode().replace("#", r"\u0023")


def read_event(text: str) -> Event | None:
    """The event that an entry's text holds; None for other entries. Raises GameError where it can't be read."""
    if not text.startswith(EVENT_PREFIX):
        return None
    try:
        return _decoder.decode(text[len(EVENT_PREFIX) :])
    except (msgspec.DecodeError, RecursionError):
        raise GameError(f"the entry {short_repr(text)} says nothing that is known") from None
