"""WebSocket messages from server to client."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from icetable.analysis.results import AnalysedAct, AnalysedOutcome, Shares
from icetable.server.messages.client import Ping, Pong
from icetable.server.messages.tables import ChatMessage, Ending, Fault, Frame, Line, Listing, TableInfo
from icetable.server.messages.tournaments import Tournament

BotsState = Literal["thinking", "ready"]


class Welcome(msgspec.Struct, frozen=True, tag="welcome"):
    """The whole table, in answer to `join`."""

    table: TableInfo
    """The table."""
    lines: list[Line] | None
    """The last page of lines, of which `history` requests earlier ones; null if the game hides its history until it is
    over.
    """
    frame: Frame
    """The newest position."""
    ending: Ending | None
    """The result; null until the game is over."""


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """What the client missed, in answer to a `join` with `seen`.

    If acts that it had seen were undone, or if it missed more than a page, the answer is `welcome`.
    """

    table: TableInfo
    """The table."""
    lines: list[Line]
    """The lines that it missed."""
    frame: Frame
    """The newest position."""


class Listed(msgspec.Struct, frozen=True, tag="listed"):
    """Changes of the list of public tables; at most once per second."""

    tables: list[Listing]
    """New and changed tables."""
    gone: list[str]
    """The ids of tables that are no longer listed."""
    whole: bool
    """This is the complete list."""


class TournamentNews(msgspec.Struct, frozen=True, tag="tournament"):
    """News of a tournament, at most once per second."""

    tournament: Tournament
    """Its current state."""


class NewFrame(msgspec.Struct, frozen=True, tag="frame"):
    """The position has changed, by an act or by time alone."""

    frame: Frame
    """The newest position."""


class Rewound(msgspec.Struct, frozen=True, tag="rewound"):
    """Acts were undone."""

    lines: list[Line] | None
    """The last page of lines, as in `welcome`."""
    frame: Frame
    """The newest position."""


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over. It follows the frame of the last act."""

    lines: list[Line] | None
    """The last page of lines, as in `welcome`."""
    ending: Ending
    """The result."""


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """A change of the table."""

    table: TableInfo
    """The table."""
    frame: Frame
    """The newest position, as the client now sees it."""
    dropped: int | UnsetType = UNSET
    """The seat that declined the open proposal or withdrew it; left out if none did."""


class Presence(msgspec.Struct, frozen=True, tag="presence"):
    """The presence of players."""

    here: list[int]
    """The seats whose players are connected."""
    replaceable: list[int]
    """The seats that a bot may take over."""
    lags: dict[str, int] | UnsetType = UNSET
    """In a game without turns, the known round-trip times of players in milliseconds, by seat."""


class Held(msgspec.Struct, frozen=True, tag="held"):
    """The piece in a player's hand. Every new position empties all hands."""

    seat: int
    """The player's seat."""
    what: str | None
    """The piece, as a word of an act; null for nothing."""


class Aimed(msgspec.Struct, frozen=True, tag="aimed"):
    """The position of a player's hand over the board."""

    seat: int
    """The player's seat."""
    at: tuple[int, int] | None
    """x and y, in units of the layout; null: not over the board."""


class Said(msgspec.Struct, frozen=True, tag="said"):
    """Chat messages."""

    remarks: list[ChatMessage]
    """The latest ones after a `join`, then each new one."""


class Next(msgspec.Struct, frozen=True, tag="next"):
    """The series goes on at another table. The seat codes are the same."""

    table: str
    """The id of the table with the next game."""


class RoundNews(msgspec.Struct, frozen=True, kw_only=True, tag="round"):
    """What follows a finished game of a tournament, for a player at its table; sent again when it changes."""

    name: str
    """The tournament's name."""
    number: int
    """The round under way."""
    length: int
    """The planned number of rounds."""
    unfinished: int
    """The number of games of the round that are not over."""
    table: str | None
    """The table of the player's next game, whose seat codes are the same; null while there is none."""
    against: list[str]
    """The others there."""
    bye: bool
    """The player sits out in this round."""
    place: int | None
    """The player's place, once the tournament is over."""


class HistoryPage(msgspec.Struct, frozen=True, tag="history"):
    """The answer to `history`."""

    lines: list[Line]
    """The lines of the page."""


class Past(msgspec.Struct, frozen=True, tag="past"):
    """The answer to `look`. It lists no legal acts."""

    frame: Frame
    """The position. It lists no legal acts."""


class Solved(msgspec.Struct, frozen=True, tag="solved"):
    """The values of the acts at a position."""

    seq: int
    """The number of acts before the position."""
    values: dict[str, str | int]
    """The value of each legal act for the seat to act: "win", "draw" or "loss", or a score."""


class Analysed(msgspec.Struct, frozen=True, kw_only=True, tag="analysed"):
    """The value of the position after `seq` acts."""

    seq: int
    """The number of acts before the position."""
    simulations: int
    """The number in this search."""
    last: bool
    """No deeper search follows."""
    seat: int | None
    """The one to act, -1 for chance, null if the game is over."""
    worth: Shares
    """Each seat's expected share of the game; they add up to 1."""
    exact: bool
    """The game is over, or solved from here."""
    candidates: tuple[AnalysedAct, ...]
    """The legal acts, the best first."""
    outcomes: tuple[AnalysedOutcome, ...]
    """Those of chance, if they can be listed."""


class Unanalysed(msgspec.Struct, frozen=True, tag="unanalysed"):
    """A position is not analysed."""

    seq: int
    """The number of acts before the position."""
    why: str
    """The reason, in one sentence."""


class Ack(msgspec.Struct, frozen=True, tag="ack"):
    """The request was stored and took effect."""

    id: str
    """That of the request."""
    seq: int
    """The number of acts after it."""


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The request had no effect."""

    id: str
    """That of the request."""
    fault: Fault
    """The reason."""


class Bots(msgspec.Struct, frozen=True, tag="bots"):
    """The state of the bots."""

    state: BotsState
    """A bot thinks, or none does."""
    seat: int | None
    """The seat of the bot that thinks; null if none does."""
    warming_up: int | None
    """The approximate seconds until they play at the full strength of their levels; null: they do."""


BOTS_READY = Bots("ready", None, None)


class ErrorMessage(msgspec.Struct, frozen=True, tag="error"):
    """A message could not be read or handled."""

    message: str
    """The reason, in one sentence."""


ServerMessage = (
    Welcome
    | Resumed
    | Listed
    | TournamentNews
    | NewFrame
    | Rewound
    | Over
    | Changed
    | Presence
    | Held
    | Aimed
    | Said
    | Next
    | RoundNews
    | Ping
    | Pong
    | Past
    | HistoryPage
    | Solved
    | Analysed
    | Unanalysed
    | Ack
    | Refused
    | Bots
    | ErrorMessage
)
