"""Chat between players, stored separately from the log of the game and its chain.

A message sent repeatedly counts once, and every seat has a rate limit.
"""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime

import msgspec

from icetable.core.record import COMMENT
from icetable.server import messages, names
from icetable.server.errors import BadTable
from icetable.server.rate_limits import TokenBucket

MAX_SHOWN = 50
"""Maximum number of messages that a client gets when it joins."""
BURST = 5
MESSAGES_PER_SECOND = 0.5
"""The rate limit per seat."""

NAMELESS = "Somebody"
"""Stands for an erased name."""


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message.

    `number` counts from 1. `name` is that of the seat's player at the time, "" if it was erased. `at` is in
    milliseconds since 1970. `client_id` is the seat and the client's id of the request (`0:3f7a`). `remark`: in a
    remark to the game's designer, the number of acts that led to the position; None in a public message.
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
        """The name that all see; a placeholder if it was erased."""
        return self.name or NAMELESS

    def shown(self) -> messages.ChatMessage:
        """The message as clients get it."""
        return messages.ChatMessage(self.number, self.seat, self.shown_name, self.at, self.text)


class Chat:
    """The last messages at a table, in memory."""

    def __init__(self, last: Collection[ChatMessage] = ()) -> None:
        self._messages = list(last)
        self._buckets: defaultdict[int, TokenBucket] = defaultdict(lambda: TokenBucket(BURST, MESSAGES_PER_SECOND))

    @property
    def last(self) -> int:
        """The number of the last message."""
        return self._messages[-1].number if self._messages else 0

    def said(self) -> messages.Said | None:
        """The public messages for a client that joins; None if there are none."""
        public = public_messages(self._messages)
        return sent(public) if public else None

    def knows(self, client_id: str) -> bool:
        """Whether the message of a request is among the last ones."""
        return any(message.client_id == client_id for message in self._messages)

    def add(self, stored: Iterable[ChatMessage]) -> list[ChatMessage]:
        """Add stored messages and return those that are new."""
        new = [message for message in stored if message.number > self.last]
        self._messages = [*self._messages, *new][-MAX_SHOWN:]
        return new

    def erase(self, names: Collection[str]) -> bool:
        """Erase names; return whether there were any."""
        nameless = [msgspec.structs.replace(old, name="") if old.name in names else old for old in self._messages]
        has_erased = nameless != self._messages
        self._messages = nameless
        return has_erased

    def take_token(self, seat: int) -> None:
        """Count a message against the seat's rate limit. Raises BadTable if it is exceeded."""
        bucket = self._buckets[seat]
        if not bucket.take():
            raise BadTable(f"that was too fast; please wait {bucket.seconds_to_wait()} s and send it again")


def public_messages(stored: Iterable[ChatMessage]) -> list[ChatMessage]:
    """The messages that are not remarks to the designer."""
    return [message for message in stored if message.remark is None]


def sent(stored: Iterable[ChatMessage]) -> messages.Said:
    """Messages as clients get them."""
    return messages.Said([message.shown() for message in stored])


def checked_text(text: str) -> str:
    """The text of a message on one line, without TEXT_CONTROLS. Raises BadTable."""
    plain = "".join(
        " " if unicodedata.category(character) == "Cc" else character
        for character in text
        if character not in names.TEXT_CONTROLS
    )
    if not names.has_visible(plain):
        raise BadTable("the message is empty")
    return plain.strip()


def comments(stored: Collection[ChatMessage]) -> str:
    """Messages as comments at the end of a record, one per line; times are UTC."""
    return "".join(f"{COMMENT} {line}\n" for line in _lines(stored))


def _lines(stored: Collection[ChatMessage]) -> Iterator[str]:
    if stored:
        yield "Table talk; the rules know nothing of it."
    for message in stored:
        at = datetime.fromtimestamp(math.floor(message.at / 1000), UTC)
        where = "" if message.remark is None else f" remarks on act {message.remark}"
        yield f"{at:%Y-%m-%d %H:%M:%S} {message.shown_name}{where}: {message.text}"
