"""Tournaments, their entrants and standings."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import Count, Name, NewCode, Options, Text
from icetable.server.messages.opening import Clock

TournamentKind = Literal["round-robin", "swiss", "rated"]


class TournamentRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to open: all its tables have this game, with `options` (null: the default) and `clock`.

    `kind`: a round robin of games for two; by the Swiss system, `rounds` rounds that pair players of similar points; or
    rated: the same by the ratings of games that define them. `public`: the lobby lists it while it is open or running.
    """

    name: Text
    game: Name
    options: Options
    kind: TournamentKind
    rounds: Annotated[int, Meta(ge=1, le=31)] | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    public: bool = False


class TournamentListing(msgspec.Struct, frozen=True, kw_only=True):
    """A public tournament in the lobby. The fields without a word are as in `Tournament`."""

    id: str
    """The tournament's id."""
    name: str
    game: str
    title: str
    clock: Clock | None
    kind: TournamentKind
    players: int
    length: int
    state: Literal["open", "running", "over"]
    entrants: int
    """The number of those who play on."""
    round: int
    """The number of rounds drawn."""
    created: int
    """In milliseconds since 1970."""


class TournamentCreated(msgspec.Struct, frozen=True):
    """A tournament, which others enter by its id. `code`: the organizer's."""

    tournament: str
    code: str


class EnterRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Enters a tournament that has not begun: a person, who holds `code` at every table, or, by its organizer, a bot of
    a `level`."""

    name: Text
    code: NewCode | UnsetType = UNSET
    level: Name | UnsetType = UNSET


class Entered(msgspec.Struct, frozen=True):
    """The number of an entrant; always the same for the same code."""

    entrant: int


class OrganizerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision of the organizer: to start the first round, to remove an entrant from further rounds, or to forfeit
    an entrant's game at a table of this round.
    """

    do: Literal["start", "remove", "forfeit"]
    entrant: Count | UnsetType = UNSET
    table: Name | UnsetType = UNSET


class Entrant(msgspec.Struct, frozen=True):
    """A player of a tournament; bots have a `level`. `gone`: plays in no further rounds."""

    name: str
    level: str | None
    gone: bool


class TournamentTable(msgspec.Struct, frozen=True):
    """A table of a round. `seats`: the numbers of entrants, by seat. `wins` and `scores` by seat; `wins` is null until
    the game is over, and a shared win counts in part. `forfeit`: the entrant who did not play.
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
    """The standing of an entrant. `points`: wins, or the rating. `breaks`: tie-breaks, the most important first: in a
    round robin head to head, then Sonneborn-Berger; by the Swiss system Buchholz, then Sonneborn-Berger; then the sums
    of the game's scores and of its own tie-break points. If rated, the sum of scores only.
    """

    place: int
    entrant: int
    points: float
    played: int
    breaks: list[float]


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """The public state of a tournament."""

    name: str
    """As its organizer called it."""
    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    options: Options
    """As in `TableRequest`."""
    clock: Clock | None
    """The time control."""
    kind: TournamentKind
    """As in `TournamentRequest`."""
    players: int
    """The number per table."""
    length: int
    """The planned number of rounds."""
    state: Literal["open", "running", "over"]
    """Open to entrants, running, or over."""
    entrants: list[Entrant]
    """By number."""
    rounds: list[TournamentRound]
    """Those drawn so far."""
    standings: list[TournamentLine]
    """The entrants, the best first."""
