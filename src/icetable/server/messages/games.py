"""The games that a server has."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from icetable.server.messages.fields import Options, Value

Kind = Literal["choice", "int", "bool", "float", "list"]


class Reading(msgspec.Struct, frozen=True):
    """One of two or more ways to play that players should weigh: what to call it, and what it is like."""

    label: str
    about: str


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. `rule` is the id of the rule that it changes; `min` and `max` bound a number.

    `recommended`: the value to suggest to newcomers. `labels` say the `choices` in words and `readings`
    describe them, both in their order.
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

    `about`: what it does; `by_players`: the same for each number of players, where it differs.
    """

    name: str
    title: str
    about: str
    by_players: dict[str, str] | UnsetType = UNSET


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game. `players`: the least and the greatest number of players. `colours`: one for each seat.

    `turns`: the game is turn-based, so it can be played with a clock; otherwise all seats act at any time. `lots`: its
    rules draw lots for the seats. `measured`: what games of bots have shown, in a few sentences, by the number of
    players. `playing_time`: such as "8 to 17 minutes", empty where it is not known, and `favours`: the seat that wins
    clearly more than its share, if one does; both with the usual number of players. `workshop`: a prototype, a file of
    plain Python.
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


class RulesText(msgspec.Struct, frozen=True):
    """A game's rules as HTML. The paragraph of each rule has the rule's id.

    `colours`: of the seats in the drawings, by seat.
    """

    title: str
    html: str
    colours: tuple[str, ...]
