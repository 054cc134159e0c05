"""Opening, finding and joining tables."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import MAX_RECORD_LENGTH, Codes, Count, Name, NewCode, Options, SeatKind, Text


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The occupant of a seat of a new table: a person at this browser, a bot of a `level`, or a player who joins later.

    A bot with an empty `name` gets one.
    """

    kind: SeatKind
    name: Text
    level: Name | None


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time control: `seconds` per act, or for the whole game plus `increment` seconds per act.

    More than a day must be per act. From a day (86,400 seconds) on, clocks run by the calendar, even while no server is
    running. A player whose time runs out loses, and the others share the win.
    """

    per: Literal["act", "game"]
    seconds: Annotated[int, Meta(ge=1, le=14 * 86_400)]
    increment: Annotated[int, Meta(ge=0, le=3600)]


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The length of a match. It ends when a player has this `number` of wins, or after this `number` of games, whose
    scores are added up. A shared win counts in part. Players rotate by one seat after each game.
    """

    until: Literal["wins", "games"]
    number: Annotated[int, Meta(ge=2, le=100)]


class TableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open."""

    game: Name
    """The name of the game."""
    options: Options
    """An option that is null has its default value."""
    seats: list[SeatRequest]
    """Their occupants, by number."""
    public: bool | UnsetType = UNSET
    """The lobby lists the table, and every client may take its open seats."""
    live: bool | UnsetType = UNSET
    """Watchers see the game while it is played."""
    random_seats: bool | UnsetType = UNSET
    """Seats are assigned at random when all of them are taken."""
    clock: Clock | UnsetType = UNSET
    """The time control."""
    pair: bool | UnsetType = UNSET
    """Two players play two games, and swap seats for the second."""
    explore: bool | UnsetType = UNSET
    """The table is for exploring, by one client with a person on each seat: positions can be analysed at any time."""
    hands: bool | UnsetType = UNSET
    """In a game without turns, players see each other's hands over the board; true by default."""
    scripts: bool | UnsetType = UNSET
    """Programs play, so no hand is refused as too quick; not at a public table."""
    match: Match | UnsetType = UNSET
    """It is the first table of a match."""
    plays_like: Name | UnsetType = UNSET
    """The level of bots that the player who opens it claims to equal, for the list of public tables."""


class SeekRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Requests a seat at a public table: a matching one that waits for a player, otherwise a new one.

    In `table`, which is public, one seat is the person's, who holds it with `code`, and others are open.
    """

    table: TableRequest
    code: NewCode


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes the first open seat of a public table. From then on `code` holds it."""

    name: Text
    code: NewCode


class HoldRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Links the seats of these codes to the browser's cookie, as joining the table with them does."""

    codes: Codes


class NextRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens the next game of a series, or a new match. `codes`: the client's seat codes.

    `rotate`: the next seat begins; always true in a pair or a match.
    """

    codes: Codes
    rotate: bool


class CopyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens a table to explore the position after `seq` acts. `codes`: the client's seat codes, if any."""

    codes: Codes
    seq: Count


class RecordRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens the text of a game's record as a table, to be replayed."""

    record: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH)]


class TableCreated(msgspec.Struct, frozen=True):
    """A new table. `codes`: the seat code of each person, by seat number.

    `invites`: the codes that take the open seats. `host`: the host's code, if the table has open seats.
    """

    table: str
    codes: dict[str, str]
    invites: dict[str, str]
    host: str | None


class Seated(msgspec.Struct, frozen=True):
    """The seat that a player got. `host` and `invites`: as in `TableCreated`, if the table is new."""

    table: str
    seat: int
    host: str | None
    invites: dict[str, str]
