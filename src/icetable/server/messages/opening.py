"""Tables that are to be opened, found or joined."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import LONGEST_RECORD, Codes, Count, Name, NewCode, Options, SeatKind, Text


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes a seat of a new table: a person at this browser, a bot of a `level`, or a player who takes it later.

    A bot whose `name` is empty is given one.
    """

    kind: SeatKind
    name: Text
    level: Name | None


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time control: `seconds` for each act, or for all acts of a game with `increment` seconds more for each act.

    More than a day is for each act. From a day on (86,400 seconds) time goes by the calendar, whether a server runs or
    not. A player whose time runs out loses, and the others share the win.
    """

    per: Literal["act", "game"]
    seconds: Annotated[int, Meta(ge=1, le=14 * 86_400)]
    increment: Annotated[int, Meta(ge=0, le=3600)]


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The length of a match. It ends when a player has this `number` of wins, or after this `number` of games, whose
    scores add up. A shared win counts in part. Players move one seat on after each game.
    """

    until: Literal["wins", "games"]
    number: Annotated[int, Meta(ge=2, le=100)]


class TableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open. An option that is null has its default value.

    `public`: the lobby lists the table, and every client may take its open seats. `live`: watchers see the game while
    it is played. `lots`: seats are assigned at random when all of them are taken. `clock`: the time control.
    `pair`: two players play two games, and change seats for the second. `explore`: the table is for trying things, by
    one client with a person on each seat; its positions are analysed at any time. `hands`: in a game without turns, all
    see where over the board the others have their hands; unless it is false. `match`: it is the first table of a match.
    `plays_like`: the level of bots that the player who opens it claims to equal, for the list of public tables.
    """

    game: Name
    options: Options
    seats: list[SeatRequest]
    public: bool | UnsetType = UNSET
    live: bool | UnsetType = UNSET
    lots: bool | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    pair: bool | UnsetType = UNSET
    explore: bool | UnsetType = UNSET
    hands: bool | UnsetType = UNSET
    match: Match | UnsetType = UNSET
    plays_like: Name | UnsetType = UNSET


class SeekRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A public table that somebody wants to play at: one that waits for such a player, else a new one.

    One seat is the person's, who holds it with `code`, and others are open; it is public.
    """

    table: TableRequest
    code: NewCode


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes the first open seat of a table that anybody may join. From then on `code` holds it."""

    name: Text
    code: NewCode


class HoldRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Has the browser's cookie stand for the seats that codes open, as joining the table with them does."""

    codes: Codes


class NextRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next game of a series, or of a new match. `codes`: the client's seat codes.

    `rotate`: the next seat begins; in a pair and in a match always.
    """

    codes: Codes
    rotate: bool


class CopyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table for one client to explore the position after `seq` acts. `codes`: the client's seat codes, if any."""

    codes: Codes
    seq: Count


class RecordRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a game's record, to be watched again."""

    record: Annotated[str, Meta(max_length=LONGEST_RECORD)]


class TableCreated(msgspec.Struct, frozen=True):
    """A new table. `codes`: the seat code of each person, by seat number.

    `invites`: the codes with which the open seats are taken. `host`: the host's code, if the table has open seats.
    """

    table: str
    codes: dict[str, str]
    invites: dict[str, str]
    host: str | None


class Seated(msgspec.Struct, frozen=True):
    """The seat that a player has got. `host` and `invites`: as of a new table, where it was opened for the player."""

    table: str
    seat: int
    host: str | None
    invites: dict[str, str]
