"""Play-tests: a prototype, its visitors, and the report for its designer."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from icetable.server.messages.fields import Value
from icetable.server.messages.tables import Seat


class PlaytestCreated(msgspec.Struct, frozen=True):
    """A play-test: tables of a game for visitors of its link. `code`: the designer's, which opens the report."""

    playtest: str
    code: str


class Playtest(msgspec.Struct, frozen=True):
    """A play-test as visitors see it."""

    game: str
    title: str
    summary: str


class PlaytestVisit(msgspec.Struct, frozen=True):
    """A visitor's table. Anybody may take its open seats."""

    table: str


class PlaytestRemark(msgspec.Struct, frozen=True):
    """A visitor's remark after act number `seq`; `at`: in milliseconds since 1970."""

    name: str
    seq: int
    act: str
    text: str
    at: int


class PlaytestTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a play-test. Data that a game hides is left out until its end."""

    table: str
    """The table's id."""
    created: int
    """In milliseconds since 1970."""
    seats: list[Seat]
    """By number."""
    acts: int
    """The number of players' acts."""
    over: bool
    """The game is over."""
    winners: list[int]
    """The seats that won."""
    scores: list[int]
    """By seat."""
    thinking: list[float | None]
    """The median seconds per act, by seat; null for bots."""
    remarks: list[PlaytestRemark]
    """What its players said about the game."""
    record: str | UnsetType = UNSET
    """On request."""


class BotGames(msgspec.Struct, frozen=True):
    """Games between bots. `acts`: the median number of players' acts. `shares`: the share of the wins, by seat."""

    games: int
    acts: float
    shares: list[float]


class PlaytestReport(msgspec.Struct, frozen=True):
    """The report of a play-test, the newest table first. `bots`: once they have played."""

    title: str
    options: dict[str, Value]
    tables: list[PlaytestTable]
    bots: BotGames | UnsetType = UNSET
