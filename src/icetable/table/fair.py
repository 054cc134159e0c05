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
import re
from json.encoder import encode_basestring_ascii as in_json
from typing import TYPE_CHECKING, NamedTuple

from icetable.core import record, registry
from icetable.core.errors import BadRecord
from icetable.core.game import CHANCE, Action, Game, State
from icetable.core.options import shorten
from icetable.table.changes import End, Lots, change_in

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


class Quoted(NamedTuple):
    """An entry of the log as a record quotes it."""

    seq: int
    seat: int
    at: int
    link: str
    text: str


def commitment(secret: bytes) -> str:
    """What may be shown of a secret before the first act: whoever knows it can't change the secret any more."""
    return hashlib.sha256(secret).hexdigest()


def pledge(secret: bytes, table: str, over: bool) -> str:
    """What the head of a table's record says of nature."""
    return f"{table} {commitment(secret)}" + (f" {secret.hex()}" if over else "")


def link(before: str, table: str, seq: int, seat: int, at: int, text: str) -> str:
    """The link of a log's entry behind the link `before`, in hexadecimal digits."""
    # The same as `json.dumps` of the list, at a third of the time: a long log is opened by checking every link.
    line = f'["{before}", "{table}", {seq}, {seat}, {at}, {in_json(text)}]'
    return hashlib.sha256(line.encode()).hexdigest()


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
    rules allow them, nature's are drawn again from the secret that was committed, and nothing is missing at the end.

    Raises Broken where an act, an entry of the log or the secret is another; BadRecord or another GameError for a text
    that is no record of a game that was played to its end at a table.
    """
    head = record.read_head(text)
    parts = PLEDGE.fullmatch(head.nature or "")
    if parts is None:
        raise BadRecord("the record's head does not say what nature drew from, so there is nothing to verify")
    table, committed, shown = parts.groups()
    entries = _verified_log(head, table, committed)
    states = list(registry.replay(text).history())
    if shown is None:
        raise BadRecord("the record does not tell nature's secret, which is shown when the game is over")
    secret = bytes.fromhex(shown)
    if commitment(secret) != committed:
        raise Broken(f"the secret is not the one that was committed: its SHA-256 is {commitment(secret)}")
    _verify_lots(entries, secret, table, states[0].game.players)
    rings = _bell_of(states, secret, table)
    drawn = _verify_draws(secret, table, states) if states[0].game.info.turns else _verify_times(states, rings)
    _verify_end(states[-1], entries, rings)
    return Sound(drawn, len(entries), entries[-1].link if entries else None)


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


def _bell_of(states: list[State], secret: bytes, table: str) -> int | None:
    """When the bell rings, in milliseconds since the table was opened.

    None where it does not, or not yet, or where the record does not tell of the start.
    """
    start = next((state for state in states if CHANCE in state.to_act), states[0])
    bell_after = None if start is states[0] or start.game.info.turns else bell(secret, table, start.game)
    return None if bell_after is None else (start.at or 0) + bell_after


def _verify_times(states: list[State], rings: int | None) -> int:
    """How often the bell rang: at its moment, and from then on nobody acted."""
    for number, after in enumerate(states[1:], 1):
        if after.at is None:
            raise BadRecord(f"the record does not say when act {number} was made")
        if rings is not None and (after.at != rings if after.seat == CHANCE else after.at >= rings):
            told = f"act {number} of the game, {shorten(str(after.act))}, was at {record.in_seconds(after.at)}"
            raise Broken(f"{told}; the bell rang at {record.in_seconds(rings)}")
    return int(states[-1].seat == CHANCE)


def _verify_lots(entries: list[Quoted], secret: bytes, table: str, players: int) -> None:
    for entry in entries:
        change = change_in(entry.text)
        if isinstance(change, Lots) and change.order != (drawn := lots(secret, table, players)):
            raise Broken(f"entry {entry.seq} of the log, the lots, is {list(change.order)}; nature drew {list(drawn)}")


def _verify_end(last: State, entries: list[Quoted], rings: int | None) -> None:
    """A secret that is shown belongs to a game that is over: by the rules, or broken off before the bell."""
    end = next((entry for entry in entries if isinstance(change_in(entry.text), End)), None)
    if end is None and not last.is_terminal:
        raise Broken("the record ends before the game does, though it shows the secret: something is missing")
    if end is None:
        return
    if last.is_terminal:
        raise Broken(f"entry {end.seq} of the log breaks off a game that the rules had ended")
    if rings is not None and end.at >= rings:
        told = f"entry {end.seq} of the log, {shorten(end.text)}, was at {record.in_seconds(end.at)}"
        raise Broken(f"{told}; the bell rang at {record.in_seconds(rings)}")
    late = next((entry for entry in entries[end.seq :] if change_in(entry.text) is None), None)
    if late is not None:
        raise Broken(f"entry {late.seq} of the log, {shorten(late.text)}, is behind the end of the game")


def _verified_log(head: record.Head, table: str, committed: str) -> list[Quoted]:
    """The entries that a record quotes: a chain that tells of the record's acts."""
    before, entries, told = committed, list[Quoted](), list[tuple[str, str, str]]()
    for number, line in enumerate(head.log(), 1):
        parts = ENTRY.fullmatch(line)
        if parts is None or int(parts[1]) != number:
            raise Broken(f"entry {number} of the log is missing or can't be read: {shorten(line)}")
        entry = Quoted(number, int(parts[2]), int(parts[3]), parts[4], parts[5])
        before = link(before, table, number, entry.seat, entry.at, entry.text)
        if before != entry.link:
            changed = f"entry {number} of the log, {shorten(entry.text)}"
            raise Broken(f"{changed}, is not what was kept: its hash is {before}")
        entries.append(entry)
        if undo := UNDO.fullmatch(entry.text):
            del told[int(undo[1]) :]
        elif change_in(entry.text) is None:
            who = record.NATURE if entry.seat == CHANCE else str(entry.seat)
            told.append((who, record.in_seconds(entry.at), entry.text))
    for number, (written, kept) in enumerate(itertools.zip_longest(head.acts(), told), 1):
        if entries and written != kept:
            raise Broken(f"act {number} of the game is {_said(written)}; the log says {_said(kept)}")
    return entries


def _said(act: tuple[str, str, str] | None) -> str:
    who, time, text = act or ("", "", "")
    return "nothing" if act is None else shorten(f"{who} @{time} {text}" if time else f"{who} {text}")
