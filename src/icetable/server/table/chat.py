"""Table talk: what people say to each other. It is kept beside the log of the game and is no part of its record.

Nobody's remark counts twice, however often it is sent, and nobody says very much at once.
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
"""How many remarks, the last ones, who comes is shown."""
AT_ONCE = 5
A_SECOND = 0.5
"""How fast somebody may talk: so many remarks at once, and later so many a second."""


class ChatMessage(msgspec.Struct, frozen=True):
    """Something that was said.

    `number` counts from 1; `name` is who had the seat then; `at` is in milliseconds since 1970. `client_id` is the
    browser's own name of the request.
    """

    number: int
    seat: int
    name: str
    at: int
    text: str
    client_id: str

    def shown(self) -> messages.ChatMessage:
        """The remark as people are told of it."""
        return messages.ChatMessage(self.number, self.seat, self.name, self.at, self.text)


class Chat:
    """The last remarks at a table, as far as this process knows them."""

    def __init__(self, remarks: Collection[ChatMessage] = ()) -> None:
        self._remarks = list(remarks)
        self._purses: defaultdict[int, TokenBucket] = defaultdict(lambda: TokenBucket(AT_ONCE, A_SECOND))

    @property
    def last(self) -> int:
        """The number of the last remark."""
        return self._remarks[-1].number if self._remarks else 0

    def said(self) -> messages.Said | None:
        """What who comes is told; None where nothing has been said."""
        return told(self._remarks) if self._remarks else None

    def knows(self, client_id: str) -> bool:
        """Whether a request is among the last remarks."""
        return any(remark.client_id == client_id for remark in self._remarks)

    def take(self, remarks: Iterable[ChatMessage]) -> list[ChatMessage]:
        """Take in what was said; what of it is new."""
        new = [remark for remark in remarks if remark.number > self.last]
        self._remarks = [*self._remarks, *new][-SHOWN:]
        return new

    def hold_back(self, seat: int) -> None:
        """Count a remark of a seat. Raises BadTable where there were too many."""
        bucket = self._purses[seat]
        if not bucket.take():
            raise BadTable(f"that was too fast; please wait {bucket.seconds_to_wait()} s and say it again")


def told(remarks: Iterable[ChatMessage]) -> messages.Said:
    """Remarks as people are told of them."""
    return messages.Said([remark.shown() for remark in remarks])


def checked_text(text: str) -> str:
    """What somebody says, on one line and without characters that play tricks. Raises BadTable."""
    plain = "".join(" " if unicodedata.category(one) == "Cc" else one for one in text if one not in names.TRICKS)
    if not names.has_visible(plain):
        raise BadTable("nothing was said")
    return plain.strip()


def comments(remarks: Collection[ChatMessage]) -> str:
    """Remarks as comments for the end of a record, a line each; times are UTC."""
    return "".join(f"{COMMENT} {line}\n" for line in _lines(remarks))


def _lines(remarks: Collection[ChatMessage]) -> Iterator[str]:
    if remarks:
        yield "Table talk; the rules know nothing of it."
    for remark in remarks:
        at = datetime.fromtimestamp(math.floor(remark.at / 1000), UTC)
        yield f"{at:%Y-%m-%d %H:%M:%S} {remark.name}: {remark.text}"
