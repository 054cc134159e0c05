"""What anybody can check: nature's secret, which everything that nature does at a table follows from, and the chain
of the log, which shows where somebody has changed it.

Each table has a secret. Its SHA-256, the commitment, is shown before the first act, the secret itself when the game
is over: then anybody can draw every act of nature again. A record names both in its head,
`nature TABLE COMMITMENT SECRET`, the secret only where the game is over.

Each entry of a table's log has a link: the SHA-256 of the entry and of the link before, the first one's being the
commitment. The record of a game that is over quotes the log, acts that were taken back included, a line an entry:
`log NUMBER SEAT MILLISECONDS LINK TEXT`.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import re
from typing import TYPE_CHECKING, NamedTuple

from icetable.core import record, registry
from icetable.core.errors import BadRecord
from icetable.core.game import CHANCE, Action, Game, State
from icetable.core.options import shorten
from icetable.table.changes import Lots, change_in

if TYPE_CHECKING:
    import numpy as np

SECRET_BYTES = 32
PLEDGE = re.compile(r"([0-9a-z]{1,64}) ([0-9a-f]{64})(?: ([0-9a-f]{64}))?", re.ASCII)


ENTRY = re.compile(r"(\d{1,9}) (-?\d{1,9}) (\d{1,15}) ([0-9a-f]{64}) (.+)", re.ASCII)
UNDO = re.compile(r"undo (\d{1,9})", re.ASCII)


class Broken(Exception):
    """A record contradicts the secret that it names, or the log that it quotes; the text says where, in a sentence."""


class Sound(NamedTuple):
    """What was checked of a record: acts that nature drew, entries of the log, and the last one's link (or None)."""

    drawn: int
    entries: int
    link: str | None


def commitment(secret: bytes) -> str:
    """What may be shown of a secret before the first act: whoever knows it can't change the secret any more."""
    return hashlib.sha256(secret).hexdigest()


def pledge(secret: bytes, table: str, over: bool) -> str:
    """What the head of a table's record says of nature."""
    return f"{table} {commitment(secret)}" + (f" {secret.hex()}" if over else "")


def link(before: str, table: str, seq: int, seat: int, at: int, text: str) -> str:
    """The link of a log's entry behind the link `before`, in hexadecimal digits."""
    return hashlib.sha256(json.dumps([before, table, seq, seat, at, text]).encode()).hexdigest()


def draw(secret: bytes, table: str, number: int, state: State) -> Action:
    """Nature's act number `number` of a table, in the position before it."""
    return state.game.random_act(state, generator(secret, table, number))


def lots(secret: bytes, table: str, players: int) -> tuple[int, ...]:
    """The order in which those who came sit down, where a table draws lots for the seats."""
    return tuple(int(seat) for seat in generator(secret, table, "lots").permutation(players))


def bell(secret: bytes, table: str, game: Game) -> int | None:
    """When nature ends a game without turns, in milliseconds after play has started; None for never."""
    seconds = game.draw_timer(generator(secret, table, "bell"))
    return None if seconds is None else round(seconds * 1000)


def generator(secret: bytes, table: str, what: int | str) -> np.random.Generator:
    """What nature draws an act of a table from (by its number), the lots or the bell.

    It is a function of the table's secret, which it does not betray.
    """
    import numpy as np

    digest = hmac.digest(secret, f"{table}:{what}".encode(), "sha256")
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest)))


def verify(text: str) -> Sound:
    """What could be checked of a table's record: the log that it quotes is a chain and tells of the same acts, the
    rules allow them, and nature's are drawn again from the secret that was committed.

    Raises Broken where an act, an entry of the log or the secret is another; BadRecord or another GameError for a text
    that is no record of a game that was played to its end at a table.
    """
    head = record.read_head(text)
    parts = PLEDGE.fullmatch(head.nature or "")
    if parts is None:
        raise BadRecord("the record's head does not say what nature drew from, so there is nothing to verify")
    table, committed, shown = parts.groups()
    last = _verify_log(head, table, committed)
    states = list(registry.replay(text).history())
    if shown is None:
        raise BadRecord("the record does not tell nature's secret, which is shown when the game is over")
    secret = bytes.fromhex(shown)
    if commitment(secret) != committed:
        raise Broken(f"the secret is not the one that was committed: its SHA-256 is {commitment(secret)}")
    _verify_lots(head, secret, table, states[0].game.players)
    verify_acts = _verify_draws if states[0].game.info.turns else _verify_bell
    return Sound(verify_acts(secret, table, states), len(head.log()), last)


def _verify_draws(secret: bytes, table: str, states: list[State]) -> int:
    """How many acts nature drew."""
    drawn = 0
    for number, (before, after) in enumerate(itertools.pairwise(states), 1):
        if after.seat == CHANCE:
            drawn += 1
            act = draw(secret, table, number, before)
            if act != after.act:
                raise Broken(f"act {number} of the game is {shorten(str(after.act))}; nature drew {shorten(str(act))}")
    return drawn


def _verify_bell(secret: bytes, table: str, states: list[State]) -> int:
    """How often the bell rang: at its moment, and nobody acted later. It rings where the record tells of the start."""
    if CHANCE in states[0].to_act:
        return 0
    rings: int | None = None
    for number, (before, after) in enumerate(itertools.pairwise(states), 1):
        if after.at is None:
            raise BadRecord(f"the record does not say when act {number} was made")
        if rings is None and CHANCE in before.to_act:
            rings = (before.at or 0) + (bell(secret, table, before.game) or 0)
        if rings is not None and (after.at > rings or (after.seat == CHANCE and after.at < rings)):
            told = f"act {number} of the game, {shorten(str(after.act))}, was at {record.in_seconds(after.at)}"
            raise Broken(f"{told}; the bell rang at {record.in_seconds(rings)}")
    return int(states[-1].seat == CHANCE)


def _verify_lots(head: record.Head, secret: bytes, table: str, players: int) -> None:
    for number, line in enumerate(head.log(), 1):
        change = change_in(line.split(" ", 4)[4])
        if isinstance(change, Lots) and change.order != (drawn := lots(secret, table, players)):
            raise Broken(f"entry {number} of the log, the lots, is {list(change.order)}; nature drew {list(drawn)}")


def _verify_log(head: record.Head, table: str, committed: str) -> str | None:
    """The last link of the log that a record quotes; None where it quotes none."""
    before, told = committed, list[tuple[str, str, str]]()
    for number, line in enumerate(head.log(), 1):
        parts = ENTRY.fullmatch(line)
        if parts is None or int(parts[1]) != number:
            raise Broken(f"entry {number} of the log is missing or can't be read: {shorten(line)}")
        seat, at, quoted, text = int(parts[2]), int(parts[3]), parts[4], parts[5]
        before = link(before, table, number, seat, at, text)
        if before != quoted:
            raise Broken(f"entry {number} of the log, {shorten(text)}, is not what was kept: its hash is {before}")
        if undo := UNDO.fullmatch(text):
            del told[int(undo[1]) :]
        elif change_in(text) is None:
            told.append((record.NATURE if seat == CHANCE else str(seat), record.in_seconds(at), text))
    if not head.log():
        return None
    for number, (written, kept) in enumerate(itertools.zip_longest(head.acts(), told), 1):
        if written != kept:
            raise Broken(f"act {number} of the game is {_said(written)}; the log says {_said(kept)}")
    return before


def _said(act: tuple[str, str, str] | None) -> str:
    who, time, text = act or ("", "", "")
    return "nothing" if act is None else shorten(f"{who} @{time} {text}" if time else f"{who} {text}")
