"""Tournaments, those who enter them, and how they stand."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import Count, Name, NewCode, Options, Text
from icetable.server.messages.opening import Clock

TournamentKind = Literal["round-robin", "swiss", "rated"]


class TournamentRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to open: each of its tables has this game, with `options` (null: the default) and `clock`.

    `kind`: everybody against everybody in games of two; by the Swiss system, so many `rounds` between those who stand
    alike; or rated like that, by the rating of games that have one.
    """

    name: Text
    game: Name
    options: Options
    kind: TournamentKind
    rounds: Annotated[int, Meta(ge=1, le=31)] | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET


class TournamentCreated(msgspec.Struct, frozen=True):
    """A tournament, which others enter by its id. `code`: its organizer's."""

    tournament: str
    code: str


class EnterRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Enters a tournament that has not begun: a person, who holds `code` at every table, or for its organizer a bot of
    a `level`."""

    name: Text
    code: NewCode | UnsetType = UNSET
    level: Name | UnsetType = UNSET


class Entered(msgspec.Struct, frozen=True):
    """The number of an entrant; the same one for the same code."""

    entrant: int


class OrganizerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the organizer decides: the first round starts; an entrant plays no more, or has forfeited the game at a
    table of this round.
    """

    do: Literal["start", "remove", "forfeit"]
    entrant: Count | UnsetType = UNSET
    table: Name | UnsetType = UNSET


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who has entered a tournament; bots have a `level`. `gone`: plays in no further round."""

    name: str
    level: str | None
    gone: bool


class TournamentTable(msgspec.Struct, frozen=True):
    """A table of a round. `seats`: the numbers of entrants, by seat. `wins` and `scores` by seat; `wins` is null until
    the game is over, a shared win counts in part. `forfeit`: who did not play.
    """

    table: str
    seats: list[int]
    wins: list[float] | None
    scores: list[int]
    forfeit: int | None


class TournamentRound(msgspec.Struct, frozen=True):
    """A round. `out`: the entrants who sit out."""

    tables: list[TournamentTable]
    out: list[int]


class TournamentLine(msgspec.Struct, frozen=True):
    """How an entrant stands. `points`: of wins, or the rating. `breaks` decide between equal points, the weightiest
    first: in a round robin head to head, then Sonneborn-Berger; by the Swiss system Buchholz, then Sonneborn-Berger;
    then the sums of the game's scores and of its own tie-break points. Rated, the sum of scores decides alone.
    """

    place: int
    entrant: int
    points: float
    played: int
    breaks: list[float]


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as everybody may see it. `players`: at each table. `length`: how many rounds there are to be."""

    name: str
    game: str
    title: str
    options: Options
    clock: Clock | None
    kind: TournamentKind
    players: int
    length: int
    state: Literal["open", "running", "over"]
    entrants: list[Entrant]
    rounds: list[TournamentRound]
    standings: list[TournamentLine]
