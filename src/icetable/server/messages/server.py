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
    """The whole table, in answer to `join`, with the last page of lines; `history` requests earlier ones.

    `lines` is null if the game hides its history until it is over. `ending` is null until the game is over.
    """

    table: TableInfo
    lines: list[Line] | None
    frame: Frame
    ending: Ending | None


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """The lines that the client missed, in answer to a `join` with `seen`.

    If acts that it had seen were undone, or if it missed more than a page, the answer is `welcome`.
    """

    table: TableInfo
    lines: list[Line]
    frame: Frame


class Listed(msgspec.Struct, frozen=True, tag="listed"):
    """New and changed public tables, and the ids of those that are `gone`; at most once per second.

    `whole`: this is the complete list.
    """

    tables: list[Listing]
    gone: list[str]
    whole: bool


class TournamentNews(msgspec.Struct, frozen=True, tag="tournament"):
    """The current state of a tournament, at most once per second."""

    tournament: Tournament


class NewFrame(msgspec.Struct, frozen=True, tag="frame"):
    """The newest position, after an act or a change by time alone."""

    frame: Frame


class Rewound(msgspec.Struct, frozen=True, tag="rewound"):
    """Acts were undone. `lines`: as in `welcome`."""

    lines: list[Line] | None
    frame: Frame


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over. It follows the frame of the last act. `lines`: as in `welcome`."""

    lines: list[Line] | None
    ending: Ending


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """A change of the table. `frame`: the newest position, as the client now sees it.

    `dropped`: the seat that declined the open proposal or withdrew it, if one did.
    """

    table: TableInfo
    frame: Frame
    dropped: int | UnsetType = UNSET


class Presence(msgspec.Struct, frozen=True, tag="presence"):
    """`here`: the seats whose players are connected. `replaceable`: the seats that a bot may take over.

    `lags`: in a game without turns, the known round-trip times of players in milliseconds, by seat.
    """

    here: list[int]
    replaceable: list[int]
    lags: dict[str, int] | UnsetType = UNSET


class Held(msgspec.Struct, frozen=True, tag="held"):
    """The piece in a player's hand, null for nothing. Every new position empties all hands."""

    seat: int
    what: str | None


class Aimed(msgspec.Struct, frozen=True, tag="aimed"):
    """The position of a player's hand over the board, as x and y in units of the layout; null: not over it."""

    seat: int
    at: tuple[int, int] | None


class Said(msgspec.Struct, frozen=True, tag="said"):
    """Chat messages: the latest ones after a `join`, then each new one."""

    remarks: list[ChatMessage]


class Next(msgspec.Struct, frozen=True, tag="next"):
    """The next game of the series is at this table. The seat codes are the same."""

    table: str


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


class Past(msgspec.Struct, frozen=True, tag="past"):
    """The answer to `look`. It lists no legal acts."""

    frame: Frame


class Solved(msgspec.Struct, frozen=True, tag="solved"):
    """The value of each legal act after `seq` acts, for the seat to act: "win", "draw" or "loss", or a score."""

    seq: int
    values: dict[str, str | int]


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
    """The position after `seq` acts is not analysed. `why`: the reason, in one sentence."""

    seq: int
    why: str


class Ack(msgspec.Struct, frozen=True, tag="ack"):
    """The request was stored and took effect. `seq`: the number of acts after it."""

    id: str
    seq: int


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The request had no effect."""

    id: str
    fault: Fault


class Bots(msgspec.Struct, frozen=True, tag="bots"):
    """The state of the bots: the bot of `seat` thinks, or none does (ready).

    `warming_up`: the approximate seconds until they play at the full strength of their levels; null: they do.
    """

    state: BotsState
    seat: int | None
    warming_up: int | None


BOTS_READY = Bots("ready", None, None)


class ErrorMessage(msgspec.Struct, frozen=True, tag="error"):
    """A message could not be read or handled. `message`: the reason, in one sentence."""

    message: str


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
