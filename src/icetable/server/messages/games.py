"""The games of a server."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from icetable.server.messages.fields import Options, Value

Kind = Literal["choice", "int", "bool", "float", "list"]


class Reading(msgspec.Struct, frozen=True):
    """One of several ways to play that players should choose between: its name, and a description."""

    label: str
    about: str


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. `rule`: the id of the rule that it changes. `min` and `max`: the range of a number.

    `recommended`: the value to suggest to newcomers. `labels` name the `choices` and `readings` describe them, both in
    the same order.
    """

    name: str
    kind: Kind
    default: Value
    help: str
    rule: str | None
    recommended: Value
    choices: list[Value] | UnsetType = UNSET
    min: float | UnsetType = UNSET
    max: float | UnsetType = UNSET
    readings: list[Reading] | UnsetType = UNSET
    labels: list[str] | UnsetType = UNSET


class Level(msgspec.Struct, frozen=True):
    """A level of the bots; `GameInfo.levels` lists the weakest first.

    `about`: how it plays; `by_players`: the same per number of players, if it differs.
    """

    name: str
    title: str
    about: str
    by_players: dict[str, str] | UnsetType = UNSET


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game. `players`: the minimum and maximum number of players. `colours`: one per seat.

    `turns`: the game is turn-based, so it can be played with a clock; otherwise all seats act at any time. `lots`: its
    rules assign seats at random. `measured`: a summary of bot games, per number of players. `playing_time`: such as "8
    to 17 minutes", empty if unknown, and `favours`: the seat that wins clearly more than its share, if any; both for
    the usual number of players. `workshop`: a prototype, a file of plain Python.
    `teams`: the seats that win together, per number of players.
    """

    name: str
    title: str
    summary: str
    players: tuple[int, int]
    turns: bool
    default_players: int
    options: list[OptionSpec]
    presets: dict[str, Options]
    levels: list[Level]
    colours: list[str]
    lots: bool
    measured: dict[str, str]
    playing_time: str
    favours: int | None
    workshop: bool
    teams: dict[str, list[list[int]]]


class RulesText(msgspec.Struct, frozen=True):
    """A game's rules as HTML. The paragraph of each rule has the rule's id.

    `colours`: the colours in the drawings, by seat.
    """

    title: str
    html: str
    colours: tuple[str, ...]
