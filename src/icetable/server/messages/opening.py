"""Opening, finding and joining tables."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import MAX_RECORD_LENGTH, Codes, Count, Name, NewCode, Options, SeatKind, Text


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The occupant of a seat of a new table."""

    kind: SeatKind
    """A person at this browser, a bot, or open for a player who joins later."""
    name: Text
    """The name of the person or the bot; a bot with an empty one gets one."""
    level: Name | None
    """The level of a bot; null for others."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time control.

    More than a day must be per act. From a day (86,400 seconds) on, clocks run by the calendar, even while no server is
    running. A player whose time runs out loses, and the others share the win.
    """

    per: Literal["act", "game"]
    """The time is for each act, or for the whole game."""
    seconds: Annotated[int, Meta(ge=1, le=14 * 86_400)]
    """The time for each seat."""
    increment: Annotated[int, Meta(ge=0, le=3600)]
    """The seconds added for each act, if the time is for the game."""


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The length of a match. A shared win counts in part. Players rotate by one seat after each game."""

    until: Literal["wins", "games"]
    """It ends when a player has a number of wins, or after a number of games, whose scores are added up."""
    number: Annotated[int, Meta(ge=2, le=100)]
    """The number of wins or games."""


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
    """Requests a seat at a public table: a matching one that waits for a player, otherwise a new one."""

    table: TableRequest
    """The new table, which is public: one seat is the person's, and others are open."""
    code: NewCode
    """The new code, which holds the person's seat."""


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes the first open seat of a public table."""

    name: Text
    """The player's name."""
    code: NewCode
    """The new code, which holds the seat."""


class HoldRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Links seats to the browser's cookie, as joining the table with their codes does."""

    codes: Codes
    """The codes of the seats."""


class NextRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens the next game of a series, or a new match."""

    codes: Codes
    """The client's seat codes."""
    rotate: bool
    """The next seat begins; always so in a pair or a match."""


class CopyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens a table to explore a position."""

    codes: Codes
    """The client's seat codes, if any."""
    seq: Count
    """The number of acts before the position."""


class RecordRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens a game's record as a table, to be replayed."""

    record: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH)]
    """The text of the record."""


class TableCreated(msgspec.Struct, frozen=True):
    """A new table."""

    table: str
    """The table's id."""
    codes: dict[str, str]
    """The seat code of each person, by seat number."""
    invites: dict[str, str]
    """The codes that take the open seats, by seat number."""
    host: str | None
    """The host's code; null if the table has no open seats."""


class Seated(msgspec.Struct, frozen=True):
    """The seat that a player got."""

    table: str
    """The table's id."""
    seat: int
    """The number of the seat."""
    host: str | None
    """The host's code, if the table is new; otherwise null."""
    invites: dict[str, str]
    """The codes that take the open seats, by seat number, if the table is new."""
