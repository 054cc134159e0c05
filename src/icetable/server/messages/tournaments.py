"""Tournaments, their entrants and standings."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import Count, Name, NewCode, Options, Text
from icetable.server.messages.opening import Clock

TournamentKind = Literal["round-robin", "swiss", "rated"]


class TournamentRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to open. All its tables have the same game, options and clock."""

    name: Text
    """Its name."""
    game: Name
    """The name of the game."""
    options: Options
    """The options of the game; null is the default."""
    kind: TournamentKind
    """A round robin of games for two; by the Swiss system, rounds that pair players of similar points; or rated: the
    same by the ratings of games that define them.
    """
    rounds: Annotated[int, Meta(ge=1, le=31)] | UnsetType = UNSET
    """The number of rounds by the Swiss system, or rated."""
    clock: Clock | UnsetType = UNSET
    """The time control; left out for none."""
    public: bool = False
    """The lobby lists it while it is open or running."""


class TournamentListing(msgspec.Struct, frozen=True, kw_only=True):
    """A public tournament in the lobby."""

    id: str
    """The tournament's id."""
    name: str
    """Its name."""
    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    clock: Clock | None
    """The time control; null for none."""
    kind: TournamentKind
    """How its players are paired."""
    players: int
    """The number per table."""
    length: int
    """The planned number of rounds."""
    state: Literal["open", "running", "over"]
    """It is open to entrants, running or over."""
    entrants: int
    """The number of those who play on."""
    round: int
    """The number of rounds drawn."""
    created: int
    """In milliseconds since 1970."""


class TournamentCreated(msgspec.Struct, frozen=True):
    """A new tournament."""

    tournament: str
    """Its id, by which others enter it."""
    code: str
    """The organizer's code."""


class EnterRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Enters a tournament that has not begun: a person, or, by its organizer, a bot."""

    name: Text
    """The name of the entrant."""
    code: NewCode | UnsetType = UNSET
    """The new code of a person, who holds it at every table."""
    level: Name | UnsetType = UNSET
    """The level of a bot."""


class Entered(msgspec.Struct, frozen=True):
    """A tournament was entered."""

    entrant: int
    """The number of the entrant; always the same for the same code."""


class OrganizerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision of the organizer."""

    do: Literal["start", "remove", "forfeit"]
    """To start the first round, to remove an entrant from further rounds, or to forfeit an entrant's game of this
    round.
    """
    entrant: Count | UnsetType = UNSET
    """The number of the entrant."""
    table: Name | UnsetType = UNSET
    """The id of the table of the game."""


class Entrant(msgspec.Struct, frozen=True):
    """A player of a tournament."""

    name: str
    """Its name."""
    level: str | None
    """The level of a bot; null for a person."""
    gone: bool
    """It plays in no further rounds."""


class TournamentTable(msgspec.Struct, frozen=True):
    """A table of a round."""

    table: str
    """The table's id."""
    seats: list[int]
    """The numbers of entrants, by seat."""
    wins: list[float] | None
    """The win of each seat, of which a shared one counts in part; null until the game is over."""
    scores: list[int]
    """The score of each seat."""
    forfeit: int | None
    """The entrant who did not play; null if all did."""


class TournamentRound(msgspec.Struct, frozen=True):
    """A round."""

    tables: list[TournamentTable]
    """Its tables."""
    out: list[int]
    """The entrants who sit out."""


class TournamentLine(msgspec.Struct, frozen=True):
    """The standing of an entrant."""

    place: int
    """The place, from 1."""
    entrant: int
    """The number of the entrant."""
    points: float
    """The wins, or the rating."""
    played: int
    """The number of games played."""
    breaks: list[float]
    """Tie-breaks, the most important first: in a round robin head to head, then Sonneborn-Berger; by the Swiss system
    Buchholz, then Sonneborn-Berger; then the sums of the game's scores and of its own tie-break points. If rated, the
    sum of scores only.
    """


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
