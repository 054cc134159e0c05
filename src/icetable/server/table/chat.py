"""Chat: what players say to each other. It is stored beside the log of the game and is no part of its chain.

A message counts once however often it is sent, and every seat has a rate limit.
"""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime

import msgspec

from icetable.core.record import COMMENT
from icetable.server import messages
from icetable.server.rate_limits import TokenBucket
from icetable.server.table import names
from icetable.server.table.errors import BadTable

SHOWN = 50
"""The number of last messages that a client gets when it joins."""
AT_ONCE = 5
A_SECOND = 0.5
"""How many messages a seat may send at once, and how many a second after that."""

NAMELESS = "Somebody"
"""What a player is called whose name was erased."""


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message.

    `number` counts from 1. `name` is that of the seat's player then, "" where it was erased. `at` is in milliseconds
    since 1970. `client_id` is the number of the seat and the client's id of the request (`0:3f7a`). `remark`: for the
    designer of the game, on the position after so many acts; None for what is said to all.
    """

    number: int
    seat: int
    name: str
    at: int
    text: str
    client_id: str
    remark: int | None = None

    @property
    def shown_name(self) -> str:
        """The name that all see, also where it was erased."""
        return self.name or NAMELESS

    def shown(self) -> messages.ChatMessage:
        """The message as clients get it."""
        return messages.ChatMessage(self.number, self.seat, self.shown_name, self.at, self.text)


class Chat:
    """The last messages at a table, as far as this process knows them."""

    def __init__(self, last: Collection[ChatMessage] = ()) -> None:
        self._messages = list(last)
        self._buckets: defaultdict[int, TokenBucket] = defaultdict(lambda: TokenBucket(AT_ONCE, A_SECOND))

    @property
    def last(self) -> int:
        """The number of the last message."""
        return self._messages[-1].number if self._messages else 0

    def said(self) -> messages.Said | None:
        """What a client gets when it joins; None where there are no messages."""
        said = to_all(self._messages)
        return told(said) if said else None

    def knows(self, client_id: str) -> bool:
        """Whether the message of a request is among the last ones."""
        return any(message.client_id == client_id for message in self._messages)

    def add(self, stored: Iterable[ChatMessage]) -> list[ChatMessage]:
        """Add messages that were stored; returns those that are new."""
        new = [message for message in stored if message.number > self.last]
        self._messages = [*self._messages, *new][-SHOWN:]
        return new

    def erase(self, names: Collection[str]) -> bool:
        """Know these names no more; whether any was known."""
        nameless = [msgspec.structs.replace(one, name="") if one.name in names else one for one in self._messages]
        was_known = nameless != self._messages
        self._messages = nameless
        return was_known

    def hold_back(self, seat: int) -> None:
        """Count a message of a seat. Raises BadTable over the rate limit."""
        bucket = self._buckets[seat]
        if not bucket.take():
            raise BadTable(f"that was too fast; please wait {bucket.seconds_to_wait()} s and send it again")


def to_all(stored: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Those messages that are no remarks for the designer."""
    return [message for message in stored if message.remark is None]


def told(stored: Iterable[ChatMessage]) -> messages.Said:
    """Messages as clients get them."""
    return messages.Said([message.shown() for message in stored])


def checked_text(text: str) -> str:
    """The text of a message, on one line and without characters that play tricks. Raises BadTable."""
    plain = "".join(" " if unicodedata.category(one) == "Cc" else one for one in text if one not in names.TRICKS)
    if not names.has_visible(plain):
        raise BadTable("the message is empty")
    return plain.strip()


def comments(stored: Collection[ChatMessage]) -> str:
    """Messages as comments for the end of a record, a line each; times are UTC."""
    return "".join(f"{COMMENT} {line}\n" for line in _lines(stored))


def _lines(stored: Collection[ChatMessage]) -> Iterator[str]:
    if stored:
        yield "Table talk; the rules know nothing of it."
    for message in stored:
        at = datetime.fromtimestamp(math.floor(message.at / 1000), UTC)
        where = "" if message.remark is None else f" remarks on act {message.remark}"
        yield f"{at:%Y-%m-%d %H:%M:%S} {message.shown_name}{where}: {message.text}"
