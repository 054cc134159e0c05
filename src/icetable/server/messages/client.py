"""WebSocket messages from client to server."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import Codes, Count, Name, NewCode, RulesChoice, Text

Speech = Annotated[str, Meta(max_length=300)]
RequestId = Annotated[str, Meta(min_length=1, max_length=64)]
Part = Annotated[str, Meta(min_length=1, max_length=32)]
"""A word of an act: a space of the board, or a kind of piece."""
Number = Annotated[int, Meta(ge=-(10**9), le=10**9)]


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The newest position up to which a client has all acts, as its frame says."""

    seq: Count
    """Its number of acts; 0 at the start."""
    entry: Count
    """The number of its last act in the table's log; 0 at the start."""


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="join"):
    """Joins a table, as the first message. A client without a code of one of its seats watches."""

    table: Name
    """The table's id."""
    codes: Codes
    """The client's seat codes, and those of invitations and of the host."""
    seen: Seen | UnsetType = UNSET
    """The state of a client that reconnects; the answer is then `resumed` if possible, otherwise `welcome`."""


class Watch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="watch"):
    """Subscribes to the list of public tables instead of a table. The answers are `listed` until the socket closes."""

    tournament: Name | UnsetType = UNSET
    """The id of a tournament to subscribe to instead; the answers are `tournament`."""


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """An act of a seat, in the game's notation. It counts once, even if the client sends it again with the same `id`.

    A client may send several acts without waiting for the answers.
    """

    id: RequestId
    """Drawn by the client."""
    seat: Number
    """The seat that acts."""
    text: Text
    """The act, as in `legal`."""
    lag: Count | UnsetType = UNSET
    """The round-trip time in milliseconds, which the clock does not count, up to a limit."""
    after: RequestId | UnsetType = UNSET
    """The id of an act of the same seat that this one depends on; if that was refused, this one is too."""
    seen: Count | UnsetType = UNSET
    """The `entry` of the newest frame that the player saw. In a game without turns, an act that fails only because of
    later ones is refused without a penalty, unless the client's answers to `ping` prove that the player had seen
    those.
    """
    made: tuple[Count, Number] | UnsetType = UNSET
    """The number of the last `ping` answered on this socket, and the milliseconds from then to the act, negative if it
    was before. In a game without turns, an act that was on its way for three seconds longer than that answer lapses.
    """
    lapsed: bool | UnsetType = UNSET
    """The act is sent again, too late to count; the answer says whether it had counted before."""


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="undo"):
    """Undoes acts: immediately at a local table, otherwise as a proposal to the others."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    to: Count
    """The number of acts that stay."""


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="look"):
    """Requests an earlier position. The answer is `past`."""

    seq: Count
    """The number of acts after which it stood."""


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="history"):
    """Requests a page of lines. The answer is `history`."""

    before: Annotated[int, Meta(ge=1, le=10**9)]
    """The number of the line before which the page ends."""


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ping"):
    """Measures the round-trip time. The answer is a `pong` with the same number. In a game without turns, the server
    also sends its own `ping`, after each act and every second, which the client answers in the same way: after it has
    handled all earlier messages."""

    number: Count
    """Any number, which the answer repeats."""


class Pong(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="pong"):
    """The immediate answer to `ping`."""

    number: Count
    """That of the `ping`."""


class Solve(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="solve"):
    """Requests the value of each legal act at a position. The answer is `solved`.

    A newer request replaces one in the queue.
    """

    seq: Count
    """The number of acts before the position."""


class Analyse(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="analyse"):
    """Requests the values of a position and of its legal acts.

    The answers are `analysed`, each by a deeper search than the last, or `unanalysed`. A newer request replaces the
    previous one.
    """

    seq: Count | None
    """The number of acts before the position; null stops the analysis."""


class Hold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hold"):
    """Shows the others the piece in a player's hand before the act.

    It is not stored and has no answer, except an error for another client's seat. A word that is in no legal act counts
    as null.
    """

    seat: Number
    """The player's seat."""
    what: Part | None
    """A word of a legal act; null for nothing."""


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="aim"):
    """Shows the others the position of a player's hand over the board, in a game without turns.

    It is not stored and has no answer, except an error for another client's seat. Above a few per second some are
    dropped, and all of them if the table does not show hands.
    """

    seat: Number
    """The player's seat."""
    at: tuple[Number, Number] | None
    """x and y, in units of the layout; null: not over the board."""


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="sit"):
    """Takes an open seat. From then on the invite is void."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    seat: Number
    """The open seat."""
    name: Text
    """The player's name."""
    code: NewCode
    """The new code, which holds the seat."""


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="leave"):
    """Leaves the game. The player keeps the seat and can return."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    seat: Number
    """The player's seat."""


class Return(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="return"):
    """Returns to a seat whose player had left."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    seat: Number
    """The player's seat."""


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hand-over"):
    """Replaces the code of a seat, to pass the seat on. The host may do this with open seats."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    seat: Number
    """The seat."""
    code: NewCode
    """The new code."""


class Fill(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="fill"):
    """Puts a bot on a seat: the host on an open seat; on one whose player has left, as a proposal to the others."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    seat: Number
    """The seat."""
    level: Name
    """The name of the bot's level."""


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="offer"):
    """Makes a proposal to the other players."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    what: Literal["draw", "pause", "resume"]
    """A draw, a pause, or the end of a pause."""


class Resign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="resign"):
    """Resigns a seat, which ends the game: the other seats share the win. A player who plays alone wins nothing."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    seat: Number
    """The seat that resigns."""


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="vote"):
    """Agrees to a proposal or rejects it. Its author withdraws it by rejecting it."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    number: Count
    """That of the proposal."""
    agree: bool
    """The client agrees; otherwise it rejects the proposal."""


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="say"):
    """Sends a chat message to all clients at the table. It is not part of the game."""

    id: RequestId
    """The id of the request; the same if it is sent again."""
    text: Speech
    """The message."""
    remark: Count | UnsetType = UNSET
    """The message is not shown at the table, but stored for the designer of a prototype, with the position after this
    number of acts.
    """


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="rules"):
    """Decides what a table does about changed rules.

    The answer is `ack` or `refused`.
    """

    id: RequestId
    """The id of the request; the same if it is sent again."""
    choice: RulesChoice
    """One of the choices of the notice."""


Request = Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Resign | Vote
ClientMessage = Join | Watch | Ping | Pong | Look | History | Solve | Analyse | Hold | Aim | Say | Rules | Request
