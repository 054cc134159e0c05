"""Nature's secret. Everything that nature does at a table follows from it, and it can be checked that it did.

Each table has a secret. Its SHA-256, the commitment, is shown before the first act, the secret itself when the game
is over: then anybody can draw every act of nature again. A record names both in its head,
`nature TABLE COMMITMENT SECRET`, the secret only where the game is over.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import re
from typing import TYPE_CHECKING

from icetable.core import record, registry
from icetable.core.errors import BadRecord
from icetable.core.game import CHANCE, Action, State
from icetable.core.options import shorten

if TYPE_CHECKING:
    import numpy as np

SECRET_BYTES = 32
PLEDGE = re.compile(r"([0-9a-z]{1,64}) ([0-9a-f]{64})(?: ([0-9a-f]{64}))?", re.ASCII)


class Broken(Exception):
    """A record contradicts the secret that it names; the text says where, in one sentence."""


def commitment(secret: bytes) -> str:
    """What may be shown of a secret before the first act: whoever knows it can't change the secret any more."""
    return hashlib.sha256(secret).hexdigest()


def pledge(secret: bytes, table: str, over: bool) -> str:
    """What the head of a table's record says of nature."""
    return f"{table} {commitment(secret)}" + (f" {secret.hex()}" if over else "")


def draw(secret: bytes, table: str, number: int, state: State) -> Action:
    """Nature's act number `number` of a table, in the position before it."""
    return state.game.random_act(state, generator(secret, table, number))


def generator(secret: bytes, table: str, number: int) -> np.random.Generator:
    """What nature draws act `number` of a table from: a function of the table's secret, which it does not betray."""
    import numpy as np

    digest = hmac.digest(secret, f"{table}:{number}".encode(), "sha256")
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest)))


def verify(text: str) -> int:
    """How many acts of nature a table's record has, each drawn again from the secret that was committed.

    Raises Broken where one of them, or the secret, is another; BadRecord or another GameError for a text that is no
    record of a game that was played to its end at a table.
    """
    head = record.read_head(text)
    parts = PLEDGE.fullmatch(head.nature or "")
    if parts is None:
        raise BadRecord("the record's head does not say what nature drew from, so there is nothing to verify")
    table, committed, shown = parts.groups()
    states = list(registry.replay(text).history())
    if shown is None:
        raise BadRecord("the record does not tell nature's secret, which is shown when the game is over")
    secret = bytes.fromhex(shown)
    if commitment(secret) != committed:
        raise Broken(f"the secret is not the one that was committed: its SHA-256 is {commitment(secret)}")
    drawn = 0
    for number, (before, after) in enumerate(itertools.pairwise(states), 1):
        if after.seat == CHANCE:
            drawn += 1
            act = draw(secret, table, number, before)
            if act != after.act:
                raise Broken(f"act {number} of the game is {shorten(str(after.act))}; nature drew {shorten(str(act))}")
    return drawn
