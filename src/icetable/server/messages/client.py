"""The messages of a client over its socket."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import Codes, Count, Name, NewCode, Text

Speech = Annotated[str, Meta(max_length=300)]
RequestId = Annotated[str, Meta(min_length=1, max_length=64)]
Part = Annotated[str, Meta(min_length=1, max_length=32)]
"""A word of an act: a space of the board, or a kind of piece."""
Number = Annotated[int, Meta(ge=-(10**9), le=10**9)]


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The newest position that a client has with all acts before it: `seq` and `entry` of its frame, 0 at the start."""

    seq: Count
    entry: Count


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="join"):
    """Joins a table, as the first message. A client without a fitting seat code watches.

    `seen`: what the client still has from before; the answer is then `resumed` if possible, else `welcome`.
    """

    table: Name
    codes: Codes
    seen: Seen | UnsetType = UNSET


class Watch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="watch"):
    """Follows the list of public tables, in place of a table. The answers are `listed`, as long as the socket lasts.

    `tournament`: follows that one instead; the answers are `tournament`.
    """

    tournament: Name | UnsetType = UNSET


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """An act of a seat, in the game's notation. It counts once, even if the client sends it again with the same `id`.

    A client may send several acts without waiting for the answers. `after`: the id of an act of the same seat without
    which this one makes no sense; if that was refused, this one is too. `lapsed`: the act is sent again, too late to
    count; the answer says whether it had counted before. `lag`: the round-trip time in milliseconds,
    which the clock does not count, up to a bound. `seen`: the `entry` of the newest frame that the player saw. In a
    game without turns an act that fails only because of what others did since is refused without a penalty, if the
    round trip that the server has measured allows for it.
    """

    id: RequestId
    seat: Number
    text: Text
    lag: Count | UnsetType = UNSET
    after: RequestId | UnsetType = UNSET
    seen: Count | UnsetType = UNSET
    lapsed: bool | UnsetType = UNSET


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="undo"):
    """Undoes all acts after the first `to`: at once at a local table, elsewhere as a proposal to the other players."""

    id: RequestId
    to: Count


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="look"):
    """Asks for the position after `seq` acts. The answer is `past`."""

    seq: Count


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="history"):
    """Asks for the page of lines that ends before line `before`. The answer is `history`."""

    before: Annotated[int, Meta(ge=1, le=10**9)]


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ping"):
    """Measures the round-trip time. The answer is a `pong` of the same number. In a game without turns the server
    sends a `ping` of its own after that, which the client answers likewise."""

    number: Count


class Pong(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="pong"):
    """The answer to `ping`, at once."""

    number: Count


class Solve(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="solve"):
    """Asks for the value of each legal act after `seq` acts. The answer is `solved`.

    A newer question replaces one that waits.
    """

    seq: Count


class Analyse(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="analyse"):
    """Asks what the position after `seq` acts and each legal act there are worth; null: no more answers are wanted.

    The answers are `analysed`, each by a deeper search than the one before, or `unanalysed`. A newer question
    replaces the last one.
    """

    seq: Count | None


class Hold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hold"):
    """Shows the others what a player has in hand before the act: a word of a legal act, null for nothing.

    It is not stored and has no answer, except an error for a seat of another client.
    A word of no legal act counts as null.
    """

    seat: Number
    what: Part | None


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="aim"):
    """Shows the others where over the board a player has a hand, in a game without turns; null: nowhere.

    `at`: x and y, in units of the layout. It is not stored and has no answer, except an error for a seat of another
    client. Of more than a few in a second some are left out, and all of them where the table does not show hands.
    """

    seat: Number
    at: tuple[Number, Number] | None


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="sit"):
    """Takes an open seat. From then on `code` holds it, and the invite is void."""

    id: RequestId
    seat: Number
    name: Text
    code: NewCode


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="leave"):
    """Leaves the game. The player keeps the seat and can return."""

    id: RequestId
    seat: Number


class Return(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="return"):
    """Returns to a seat whose player had left."""

    id: RequestId
    seat: Number


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hand-over"):
    """Gives a seat the new `code` and voids the old one, to pass it on. The host may do this with open seats."""

    id: RequestId
    seat: Number
    code: NewCode


class Fill(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="fill"):
    """Puts a bot on a seat: on an open one by the host, on one whose player is gone as a proposal to the others."""

    id: RequestId
    seat: Number
    level: Name


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="offer"):
    """Proposes a draw, a pause or its end to the other players."""

    id: RequestId
    what: Literal["draw", "pause", "resume"]


class Resign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="resign"):
    """A seat gives up, which ends the game: the other seats share the win. A player who plays alone wins nothing."""

    id: RequestId
    seat: Number


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="vote"):
    """Agrees to proposal `number` or rejects it. The player who made it withdraws it by rejecting it."""

    id: RequestId
    number: Count
    agree: bool


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="say"):
    """Sends a chat message to all clients at the table. It is not part of the game.

    `remark`: nobody at the table gets it; the server keeps it for the designer of a prototype, with the position after
    this number of acts.
    """

    id: RequestId
    text: Speech
    remark: Count | UnsetType = UNSET


Request = Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Resign | Vote
ClientMessage = Join | Watch | Ping | Pong | Look | History | Solve | Analyse | Hold | Aim | Say | Request
