"""What the log of a table keeps beside the acts of its game: who sits where, what is proposed, pauses, and ends that no
rule knows.
"""

from __future__ import annotations

import msgspec

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import messages

MARK = "/"
"""Entries of this kind begin with it; no act of a game does."""


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """Somebody takes an open seat, which from now on has this lock."""

    seat: int
    name: str
    lock: str


class Leave(msgspec.Struct, frozen=True, tag="leave"):
    """Somebody goes, and keeps the seat."""

    seat: int


class Return(msgspec.Struct, frozen=True, tag="return"):
    """Somebody who had left is back."""

    seat: int


class HandOver(msgspec.Struct, frozen=True, tag="hand-over"):
    """A seat becomes open under a new lock; the one before is void."""

    seat: int
    lock: str


class Fill(msgspec.Struct, frozen=True, tag="fill"):
    """A bot takes a seat."""

    seat: int
    level: str
    name: str


class Lots(msgspec.Struct, frozen=True, tag="lots"):
    """Seat number i goes to who had number `order[i]`."""

    order: tuple[int, ...]


class Propose(msgspec.Struct, frozen=True, tag="propose"):
    """Something that needs the consent of `voters`.

    `target`: the number of acts to go back to, or the seat for a bot of `level`; 0 where there is none.
    """

    what: messages.ProposalKind
    target: int
    level: str | None
    voters: tuple[int, ...]


class Agree(msgspec.Struct, frozen=True, tag="agree"):
    """Some of several voters agree; the last one's consent is the entry of what was proposed."""

    seats: tuple[int, ...]


class Drop(msgspec.Struct, frozen=True, tag="drop"):
    """The proposal is declined, or called off by who made it."""


class Pause(msgspec.Struct, frozen=True, tag="pause"):
    """Time stands still from a moment on, in milliseconds since 1970."""

    now: int


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """Time goes on from a moment on, in milliseconds since 1970."""

    now: int


class Skip(msgspec.Struct, frozen=True, tag="skip"):
    """Time that does not count, as the server did not run or its clock was set. Below 0 the clock was set back."""

    milliseconds: int


class End(msgspec.Struct, frozen=True, tag="end"):
    """The game is broken off; these seats share the win."""

    reason: messages.Reason
    winners: tuple[int, ...]


Event = Sit | Leave | Return | HandOver | Fill | Lots | Propose | Agree | Drop | Pause | Resume | Skip | End
_change: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def write_event(change: Event) -> str:
    """The entry's text."""
    return MARK + msgspec.json.encode(change).decode().replace("#", r"\u0023")  # records have comments


def read_event(text: str) -> Event | None:
    """What an entry's text says beside the game; None where it is another entry. Raises GameError."""
    if not text.startswith(MARK):
        return None
    try:
        return _change.decode(text[len(MARK) :])
    except msgspec.DecodeError:
        raise GameError(f"the entry {short_repr(text)} says nothing that is known") from None
