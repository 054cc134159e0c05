"""Play-tests: a prototype, its visitors, and the report for its designer."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from icetable.server.messages.fields import Value
from icetable.server.messages.tables import Seat


class PlaytestCreated(msgspec.Struct, frozen=True):
    """A play-test: tables of a game for visitors of its link."""

    playtest: str
    """Its id, which the link contains."""
    code: str
    """The designer's code, which opens the report."""


class Playtest(msgspec.Struct, frozen=True):
    """A play-test as visitors see it."""

    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    summary: str
    """What the game is about, in a sentence."""


class PlaytestVisit(msgspec.Struct, frozen=True):
    """A visitor's table. Anybody may take its open seats."""

    table: str
    """The table's id."""


class PlaytestRemark(msgspec.Struct, frozen=True):
    """A visitor's remark."""

    name: str
    """The visitor's name."""
    seq: int
    """The number of acts before it."""
    act: str
    """The last of these acts; empty at the start."""
    text: str
    """The remark."""
    at: int
    """The time, in milliseconds since 1970."""


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
    """Games between bots."""

    games: int
    """The number of games."""
    acts: float
    """The median number of players' acts."""
    shares: list[float]
    """The share of the wins, by seat."""


class PlaytestReport(msgspec.Struct, frozen=True):
    """The report of a play-test."""

    title: str
    """The title of the game."""
    options: dict[str, Value]
    """The value of each option."""
    tables: list[PlaytestTable]
    """The tables, the newest first."""
    bots: BotGames | UnsetType = UNSET
    """Games between bots; left out until they have played."""
