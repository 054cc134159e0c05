"""The seats of a table: people, bots and open seats, and the pending proposal."""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING

import msgspec

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import messages, names
from icetable.server.errors import BadTable
from icetable.server.table.log import Agree, DrawSeats, Event, Fill, HandOver, Leave, Propose, Return, Sit, Skip

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

BOT_NAMES = ("Frost", "Hail", "Sleet", "Drift", "Rime", "Floe", "Berg", "Thaw")


class Seat(msgspec.Struct, frozen=True):
    """A seat. `code_hash` is the SHA-256 of the code that holds a person's seat, or that can take an open one.

    `name` is "" if it was erased, and at an open seat.
    """

    kind: messages.SeatKind
    name: str
    level: str | None
    colour: str
    code_hash: str | None = msgspec.field(name="lock")

    @property
    def shown_name(self) -> str:
        """The name that all see; that of the colour if it was erased, "" at an open seat."""
        return self.name or ("" if self.kind == "open" else self.colour.title())


class Proposal(msgspec.Struct, frozen=True):
    """A pending proposal: the `number` of its entry, the seat it is `by`, and the seats it is `waiting` for."""

    number: int
    by: int
    what: messages.ProposalKind
    target: int
    level: str | None
    waiting: frozenset[int]


class Seating(msgspec.Struct, frozen=True, dict=True):
    """The seats and their players."""

    seats: tuple[Seat, ...]
    random_seats: bool
    """The seats are still to be assigned at random."""
    gone: frozenset[int] = frozenset()
    """The seats whose players left."""
    started: bool = False
    """Every seat was taken, and the game has begun."""
    proposal: Proposal | None = None
    """The one that waits for votes."""

    def of_kind(self, kind: messages.SeatKind) -> frozenset[int]:
        """The numbers of the seats of a kind."""
        return self._by_kind[kind]

    @functools.cached_property
    def _by_kind(self) -> dict[messages.SeatKind, frozenset[int]]:
        numbers: dict[messages.SeatKind, set[int]] = {"person": set(), "bot": set(), "open": set()}
        for number, seat in enumerate(self.seats):
            numbers[seat.kind].add(number)
        return {kind: frozenset(of_kind) for kind, of_kind in numbers.items()}

    @functools.cached_property
    def levels(self) -> Mapping[int, str]:
        """The levels of the seats that bots play."""
        return {number: seat.level for number, seat in enumerate(self.seats) if seat.level is not None}

    @property
    def draw_due(self) -> bool:
        """Whether the seats are to be assigned at random now."""
        return self.random_seats and not self.started and not self.of_kind("open")

    def without_names(self, erased: Collection[str]) -> Seating:
        """The same without these names."""
        return msgspec.structs.replace(self, seats=without_names(self.seats, erased))

    def started_if_ready(self) -> Seating:
        """Start the game if every seat is taken and no random assignment is due."""
        ready = not self.random_seats and not self.of_kind("open")
        return msgspec.structs.replace(self, started=self.started or ready)

    def after(self, event: Event, number: int, by: int) -> Seating:
        """The seating after an event, entry `number` by seat `by`. Raises GameError."""
        match event:
            case Sit(seat, name, code_hash):
                return self._with(seat, "open", kind="person", name=name, code_hash=code_hash).started_if_ready()
            case Fill(seat, level, name):
                filled = self._with(seat, "open person", kind="bot", name=name, level=level, code_hash=None)
                return filled.without_proposal().started_if_ready()
            case HandOver(seat, code_hash):
                return self._with(seat, "open person", kind="open", name="", code_hash=code_hash)
            case Leave(seat):
                self._check(seat, "person")
                return msgspec.structs.replace(self, gone=self.gone | {seat})
            case Return(seat):
                self._check(seat, "person")
                return self.present(seat)
            case DrawSeats(order):
                if sorted(order) != list(range(len(self.seats))):
                    raise GameError(f"{short_repr(order)} is not an order of {len(self.seats)} seats")
                return self._reordered(order)
            case Propose(what, target, level, voters):
                proposal = Proposal(number, by, what, target, level, frozenset(voters))
                return msgspec.structs.replace(self, proposal=proposal)
            case Agree(seats):
                if self.proposal is None:
                    raise GameError("there is no proposal to agree to")
                remaining = msgspec.structs.replace(self.proposal, waiting=self.proposal.waiting - set(seats))
                return msgspec.structs.replace(self, proposal=remaining)
            case Skip():
                return self
            case _:
                return self.without_proposal()

    def without_proposal(self) -> Seating:
        """The same without a proposal."""
        return self if self.proposal is None else msgspec.structs.replace(self, proposal=None)

    def present(self, seat: int) -> Seating:
        """Mark the player of this seat as back, and drop a proposal to fill the seat."""
        at_stake = self.proposal is not None and (self.proposal.what, self.proposal.target) == ("fill", seat)
        after = self.without_proposal() if at_stake else self
        return msgspec.structs.replace(after, gone=self.gone - {seat}) if seat in self.gone else after

    def acted(self, seat: int) -> Seating:
        """The seating after an act of this seat: it drops a proposed undo, and a draw that awaits the seat's vote."""
        match self.proposal:
            case Proposal(what="undo"):
                after = self.without_proposal()
            case Proposal(what="draw", waiting=waiting) if seat in waiting:
                after = self.without_proposal()
            case _:
                after = self
        return after.present(seat)

    def _check(self, seat: int, kinds: str) -> None:
        if not (0 <= seat < len(self.seats) and self.seats[seat].kind in kinds.split()):
            raise BadTable(f"seat {short_repr(seat)} is not {kinds.replace(' ', ' or ')}")

    def _with(self, seat: int, kinds: str, **changes: object) -> Seating:
        """Change a seat, which must be of one of these kinds."""
        self._check(seat, kinds)
        seats = list(self.seats)
        seats[seat] = msgspec.structs.replace(seats[seat], **changes)
        return msgspec.structs.replace(self.present(seat), seats=tuple(seats))

    def _reordered(self, order: tuple[int, ...]) -> Seating:
        """Reorder the players; the seats keep their colours."""
        seats = tuple(
            msgspec.structs.replace(self.seats[before], colour=self.seats[seat].colour)
            for seat, before in enumerate(order)
        )
        gone = frozenset(seat for seat, before in enumerate(order) if before in self.gone)
        return msgspec.structs.replace(self, seats=seats, gone=gone, random_seats=False).started_if_ready()


def without_names(seats: tuple[Seat, ...], erased: Collection[str]) -> tuple[Seat, ...]:
    """The seats without these names."""
    return tuple(msgspec.structs.replace(seat, name="") if seat.name in erased else seat for seat in seats)


def hash_code(code: str) -> str:
    """The SHA-256 of a seat's code in hexadecimal, which the server stores instead of the code."""
    return hashlib.sha256(code.encode()).hexdigest()


def checked_name(name: str, seats: Collection[Seat]) -> str:
    """A player's name, cleaned, with a number appended if it looks like another seat's. Raises BadTable."""
    if names.has_controls(name):
        raise BadTable("a player's name can't contain control characters")
    clean = names.cleaned(name)
    if not clean:
        raise BadTable("a player's name needs at least one visible character")
    if len(clean) > names.MAX_NAME_LENGTH:
        raise BadTable(f"a player's name has at most {names.MAX_NAME_LENGTH} characters, not {len(clean)}")
    return names.distinct(clean, (seat.shown_name for seat in seats))


def checked_level(level: str | None, levels: Collection[str]) -> str:
    """The level of a bot. Raises BadTable for one that is not among `levels`."""
    if level is None or level not in levels:
        known = ", ".join(repr(name) for name in levels) or "none; this game has no computer players"
        raise BadTable(f"there is no level {short_repr(level)}; allowed: {known}")
    return level


def name_for_bot(seats: Collection[Seat]) -> str:
    """A name for a bot that is not taken by another seat."""
    taken = [seat.name for seat in seats]
    free = (name for name in BOT_NAMES if names.distinct(name, taken) == name)
    return next(free, names.distinct(BOT_NAMES[0], taken))
