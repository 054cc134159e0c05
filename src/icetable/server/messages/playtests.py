"""Play-tests: a prototype, its visitors, and what its designer learns."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from icetable.server.messages.fields import Value
from icetable.server.messages.tables import Seat


class PlaytestCreated(msgspec.Struct, frozen=True):
    """A play-test: tables of a game for whoever follows its link. `code`: its designer's, who alone sees the report."""

    playtest: str
    code: str


class Playtest(msgspec.Struct, frozen=True):
    """What visitors of a play-test are shown first."""

    game: str
    title: str
    summary: str


class PlaytestVisit(msgspec.Struct, frozen=True):
    """The table of a visitor, whose open seats anybody may take."""

    table: str


class PlaytestRemark(msgspec.Struct, frozen=True):
    """What a visitor found wrong after act number `seq`; `at`: in milliseconds since 1970."""

    name: str
    seq: int
    act: str
    text: str
    at: int


class PlaytestTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a play-test. `acts`: those of players. `thinking`: the seconds that each seat took for an act, in the
    median; null for bots. `record`: where it was asked for. What a game hides waits for its end.
    """

    table: str
    created: int
    seats: list[Seat]
    acts: int
    over: bool
    winners: list[int]
    scores: list[int]
    thinking: list[float | None]
    remarks: list[PlaytestRemark]
    record: str | UnsetType = UNSET


class BotGames(msgspec.Struct, frozen=True):
    """Games that bots played among themselves. `acts`: of players, in the median. `shares`: of the wins, by seat."""

    games: int
    acts: float
    shares: list[float]


class PlaytestReport(msgspec.Struct, frozen=True):
    """What the designer of a play-test learns, the newest table first. `bots`: as soon as they have played."""

    title: str
    options: dict[str, Value]
    tables: list[PlaytestTable]
    bots: BotGames | UnsetType = UNSET
