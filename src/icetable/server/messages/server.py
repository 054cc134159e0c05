"""The messages of the server over a client's socket."""

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
    """The whole table, in answer to `join`, with the last page of lines; `history` asks for earlier ones.

    `lines` is null if the game hides its history until it is over. `ending` is null until then.
    """

    table: TableInfo
    lines: list[Line] | None
    frame: Frame
    ending: Ending | None


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """What the client missed, in answer to a `join` with `seen`.

    If acts that it had seen were undone, or if it missed more than a page, the answer is `welcome`.
    """

    table: TableInfo
    lines: list[Line]
    frame: Frame


class Listed(msgspec.Struct, frozen=True, tag="listed"):
    """The public tables that are new or have changed, and the ids of those that are `gone`; at most once a second.

    `whole`: these are all that there are.
    """

    tables: list[Listing]
    gone: list[str]
    whole: bool


class TournamentNews(msgspec.Struct, frozen=True, tag="tournament"):
    """A tournament as it is now, at most once a second."""

    tournament: Tournament


class NewFrame(msgspec.Struct, frozen=True, tag="frame"):
    """The newest position, after an act or after a change by time alone."""

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
    """Something about the table has changed. `frame`: the newest position, as the client sees it now.

    `dropped`: the seat that declined the open proposal or withdrew it, if one did.
    """

    table: TableInfo
    frame: Frame
    dropped: int | UnsetType = UNSET


class Presence(msgspec.Struct, frozen=True, tag="presence"):
    """`here`: the seats whose players are connected. `replaceable`: the seats that a bot may take over.

    `lags`: in a game without turns, the round-trip times of the players in milliseconds, by seat, where they are known.
    """

    here: list[int]
    replaceable: list[int]
    lags: dict[str, int] | UnsetType = UNSET


class Held(msgspec.Struct, frozen=True, tag="held"):
    """What a player has in hand, null for nothing. With every new position all hands are empty."""

    seat: int
    what: str | None


class Aimed(msgspec.Struct, frozen=True, tag="aimed"):
    """Where over the board a player has a hand, as x and y in units of the layout; null for nowhere."""

    seat: int
    at: tuple[int, int] | None


class Said(msgspec.Struct, frozen=True, tag="said"):
    """Chat messages: the last ones after a `join`, then each new one."""

    remarks: list[ChatMessage]


class Next(msgspec.Struct, frozen=True, tag="next"):
    """The next game of the series was opened at this table. The seat codes are the same."""

    table: str


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
    """What the position after `seq` acts is worth: the share of the game that each seat can expect; they add up to 1.

    `seat` is to act, -1 for chance, null where the game is over. `candidates`: its legal acts, the best first.
    `outcomes`: those of chance, where they can be listed. `exact`: the game is over, or solved from here.
    `simulations`: of this search. `last`: no deeper search follows.
    """

    seq: int
    simulations: int
    last: bool
    seat: int | None
    worth: Shares
    exact: bool
    candidates: tuple[AnalysedAct, ...]
    outcomes: tuple[AnalysedOutcome, ...]


class Unanalysed(msgspec.Struct, frozen=True, tag="unanalysed"):
    """The position after `seq` acts is not analysed, for the reason in one sentence."""

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
    """What the bots do: the bot of `seat` thinks, or none does (ready).

    `warming_up`: about how many seconds until they play as well as their levels can; null: they do.
    """

    state: BotsState
    seat: int | None
    warming_up: int | None


BOTS_READY = Bots("ready", None, None)


class ErrorMessage(msgspec.Struct, frozen=True, tag="error"):
    """A message could not be read or handled, for the reason in one sentence."""

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
