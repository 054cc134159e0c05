"""The seats of a table: people, bots and open seats, and the proposal that waits for votes."""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING

import msgspec

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.table import names
from icetable.server.table.errors import BadTable
from icetable.server.table.events import Agree, Event, Fill, HandOver, Leave, Lots, Propose, Return, Sit, Skip

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

BOT_NAMES = ("Frost", "Hail", "Sleet", "Drift", "Rime", "Floe", "Berg", "Thaw")
"""What bots are called, who are given no names."""


class Seat(msgspec.Struct, frozen=True):
    """A seat. `code_hash` is the SHA-256 of the code that holds a person's seat, or that takes an open one.

    `name` is "" where it was erased, and at an open seat.
    """

    kind: messages.SeatKind
    name: str
    level: str | None
    colour: str
    code_hash: str | None = msgspec.field(name="lock")

    @property
    def shown_name(self) -> str:
        """The name that all see: where it was erased that of the colour; "" at an open seat."""
        return self.name or ("" if self.kind == "open" else self.colour.title())


class Proposal(msgspec.Struct, frozen=True):
    """A proposal that waits for votes. `number` is that of its entry, `by` the seat that made it."""

    number: int
    by: int
    what: messages.ProposalKind
    target: int
    level: str | None
    waiting: frozenset[int]


class Seating(msgspec.Struct, frozen=True, dict=True):
    """Who sits where.

    `lots`: the seats are still to be drawn by lot. `gone`: the seats whose players left. `started`: every seat was
    taken, and the game is played.
    """

    seats: tuple[Seat, ...]
    lots: bool
    gone: frozenset[int] = frozenset()
    started: bool = False
    proposal: Proposal | None = None

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
    def lots_due(self) -> bool:
        """Whether only the lots are missing for the game to start."""
        return self.lots and not self.started and not self.of_kind("open")

    def without_names(self, erased: Collection[str]) -> Seating:
        """The same without these names."""
        return msgspec.structs.replace(self, seats=without_names(self.seats, erased))

    def begun(self) -> Seating:
        """The same; the game is started if every seat is taken and no lots are to be drawn."""
        ready = not self.lots and not self.of_kind("open")
        return msgspec.structs.replace(self, started=self.started or ready)

    def after(self, event: Event, number: int, by: int) -> Seating:
        """Who sits where after an event: entry `number`, by seat `by`. Raises GameError."""
        match event:
            case Sit(seat, name, code_hash):
                return self._with(seat, "open", kind="person", name=name, code_hash=code_hash).begun()
            case Fill(seat, level, name):
                filled = self._with(seat, "open person", kind="bot", name=name, level=level, code_hash=None)
                return filled.settled().begun()
            case HandOver(seat, code_hash):
                return self._with(seat, "open person", kind="open", name="", code_hash=code_hash)
            case Leave(seat):
                self._check(seat, "person")
                return msgspec.structs.replace(self, gone=self.gone | {seat})
            case Return(seat):
                self._check(seat, "person")
                return self.present(seat)
            case Lots(order):
                if sorted(order) != list(range(len(self.seats))):
                    raise GameError(f"{short_repr(order)} is no order of {len(self.seats)} seats")
                return self._reordered(order)
            case Propose(what, target, level, voters):
                proposal = Proposal(number, by, what, target, level, frozenset(voters))
                return msgspec.structs.replace(self, proposal=proposal)
            case Agree(seats):
                if self.proposal is None:
                    raise GameError("nothing is proposed")
                left = msgspec.structs.replace(self.proposal, waiting=self.proposal.waiting - set(seats))
                return msgspec.structs.replace(self, proposal=left)
            case Skip():
                return self
            case _:
                return self.settled()

    def settled(self) -> Seating:
        """The same without a proposal."""
        return self if self.proposal is None else msgspec.structs.replace(self, proposal=None)

    def present(self, seat: int) -> Seating:
        """The player of this seat is at the table: a proposal to fill the seat is dropped."""
        at_stake = self.proposal is not None and (self.proposal.what, self.proposal.target) == ("fill", seat)
        after = self.settled() if at_stake else self
        return msgspec.structs.replace(after, gone=self.gone - {seat}) if seat in self.gone else after

    def acted(self, seat: int) -> Seating:
        """After an act of this seat: a proposed undo is dropped, and a draw that waits for the seat's consent."""
        match self.proposal:
            case Proposal(what="undo"):
                after = self.settled()
            case Proposal(what="draw", waiting=waiting) if seat in waiting:
                after = self.settled()
            case _:
                after = self
        return after.present(seat)

    def _check(self, seat: int, kinds: str) -> None:
        if not (0 <= seat < len(self.seats) and self.seats[seat].kind in kinds.split()):
            raise BadTable(f"seat {short_repr(seat)} is not {kinds.replace(' ', ' or ')}")

    def _with(self, seat: int, kinds: str, **changes: object) -> Seating:
        """The same with changes of a seat, which has to be of one of these kinds."""
        self._check(seat, kinds)
        seats = list(self.seats)
        seats[seat] = msgspec.structs.replace(seats[seat], **changes)
        return msgspec.structs.replace(self.present(seat), seats=tuple(seats))

    def _reordered(self, order: tuple[int, ...]) -> Seating:
        """The same with the players in another order; the seats keep their colours."""
        seats = tuple(
            msgspec.structs.replace(self.seats[before], colour=self.seats[seat].colour)
            for seat, before in enumerate(order)
        )
        gone = frozenset(seat for seat, before in enumerate(order) if before in self.gone)
        return msgspec.structs.replace(self, seats=seats, gone=gone, lots=False).begun()


def without_names(seats: tuple[Seat, ...], erased: Collection[str]) -> tuple[Seat, ...]:
    """Seats without these names."""
    return tuple(msgspec.structs.replace(seat, name="") if seat.name in erased else seat for seat in seats)


def hash_code(code: str) -> str:
    """The SHA-256 of a seat's code, in hexadecimal digits: what the server stores in the code's place."""
    return hashlib.sha256(code.encode()).hexdigest()


def checked_name(name: str, seats: Collection[Seat]) -> str:
    """A player's name, cleaned, and with a number behind it where it looks like another seat's. Raises BadTable."""
    if names.has_tricks(name):
        raise BadTable("a player's name has no control characters")
    clean = names.cleaned(name)
    if not clean:
        raise BadTable("a player's name has at least one character that can be seen")
    if len(clean) > names.LONGEST_NAME:
        raise BadTable(f"a player's name has at most {names.LONGEST_NAME} characters, not {len(clean)}")
    return names.distinct(clean, (seat.shown_name for seat in seats))


def checked_level(level: str | None, levels: Collection[str]) -> str:
    """The level of a bot. Raises BadTable for one that is not among `levels`."""
    if level is None or level not in levels:
        known = ", ".join(repr(one) for one in levels) or "none; this game has no computer players"
        raise BadTable(f"there is no level {short_repr(level)}; allowed: {known}")
    return level


def name_for_bot(seats: Collection[Seat]) -> str:
    """A bot's name, different from those of the other seats."""
    taken = [seat.name for seat in seats]
    free = (name for name in BOT_NAMES if names.distinct(name, taken) == name)
    return next(free, names.distinct(BOT_NAMES[0], taken))
