"""Provable fairness: every reader of a record can check its random draws and the hash chain over its log.

Each table has a secret. Its SHA-256, the commitment, is shown before the first act, and the secret itself when the game
is over, so that every random draw can be reproduced. A record has both in its head, `nature TABLE COMMITMENT SECRET`,
the secret only if the game is over.

Each entry of a table's log has a link: the SHA-256 of the entry and the previous link. The chain begins with the
`root`, which binds everything fixed before the first act (the commitment, the game, its options, the seats, their
random order and the clock; a record has the last three in its head as `terms`). It ends with the `closing`, which binds
how the game ended and is shown at the end. The record of a game that is over quotes the log up to the end, undone acts
included, one entry per line: `log NUMBER SEAT MILLISECONDS LINK TEXT`.

Instead of a name, the terms and the entry of a player who takes a seat have its commitment, a salted hash
(`SaltedName`), so that it can be erased. For each commitment a record has the name, `log name NUMBER SEAT SALT NAME`,
or says that it was erased.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from json.encoder import encode_basestring_ascii as in_json
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from icetable import games
from icetable.core import record
from icetable.core.errors import BadRecord, GameError
from icetable.core.game import CHANCE, Action, Game, State
from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.table.log import (
    UNDO,
    DrawSeats,
    End,
    Entry,
    NewRules,
    Pause,
    Place,
    Resume,
    SaltedName,
    Sit,
    name_line,
    read_event,
    read_name_lines,
)

if TYPE_CHECKING:
    import numpy as np

CHAIN_FORM = 1
"""The form of the chain and of what it binds. Tables and records of another form are not read."""
OLD_CHAIN = "another version of icetable wrote it, and only that can verify it"
SECRET_BYTES = 32
NATURE = re.compile(r"([0-9a-z]{1,64}) ([0-9a-f]{64})(?: ([0-9a-f]{64}))?", re.ASCII)
ENTRY = re.compile(r"(\d{1,9}) (-?\d{1,9}) (\d{1,15}) ([0-9a-f]{64}) (.+)", re.ASCII)


class Broken(Exception):
    """A record contradicts its secret or its quoted log. The message is one sentence."""


class VerifiedRecord(NamedTuple):
    """A verified record: the numbers of random draws and of log entries, the last hash of the chain, and the seats with
    erased names.
    """

    drawn: int
    entries: int
    link: str
    erased: tuple[int, ...] = ()


class SettledSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat when the table was created. `name` is the name's commitment, and empty for an open one."""

    kind: messages.SeatKind
    name: str
    level: str | None


class RecordedTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"random_seats": "lots"}):
    """The terms in a record, which were fixed before the first act like the game and its options.

    `opened`: when the table was created, in milliseconds since 1970. `random_seats`: the seats are assigned at random;
    "lots" in a record. `source`: the hash of the game's file then, if it has one.
    """

    form: int
    opened: int
    seats: tuple[SettledSeat, ...]
    random_seats: bool
    clock: messages.Clock | None
    source: str | UnsetType = UNSET

    def text(self) -> str:
        """The terms as one line of JSON."""
        return msgspec.json.encode(self).decode()


read_terms = msgspec.json.Decoder(RecordedTerms).decode
"""Decodes a line of terms. Raises msgspec.DecodeError or RecursionError."""


class QuotedEntry(NamedTuple):
    """A log entry quoted in a record."""

    seq: int
    seat: int
    at: int
    link: str
    text: str


class PlayedAct(NamedTuple):
    """An act, its number in the game, and the state after it. `label` names it in error messages."""

    label: str
    number: int
    state: State


def commitment(secret: bytes) -> str:
    """The SHA-256 of a secret. Shown before the first act, it proves that the secret is not changed later."""
    return hashlib.sha256(secret).hexdigest()


def nature_of(secret: bytes, table: str, over: bool) -> str:
    """The value of `nature` in the head of a table's record."""
    return f"{table} {commitment(secret)}" + (f" {secret.hex()}" if over else "")


def root(committed: str, table: str, head: record.Head, terms: str) -> str:
    """The start of a table's chain, by the head and terms of its record."""
    bound = [CHAIN_FORM, table, committed, head.game, head.options, head.setup, terms]
    return hashlib.sha256(json.dumps(bound, sort_keys=True).encode()).hexdigest()


def closing(last: str, end: str) -> str:
    """The end of the chain: the SHA-256 of the last link and the record's text for how the game ended."""
    return hashlib.sha256(json.dumps([last, "end", end]).encode()).hexdigest()


def link(before: str, table: str, seq: int, seat: int, at: int, text: str) -> str:
    """The link of an entry after the link `before`, in hexadecimal."""
    # Equal to `json.dumps` of a list but three times as fast, since every link of a long log is checked on opening.
    line = f'["{before}", "{table}", {seq}, {seat}, {at}, {in_json(text)}]'
    return hashlib.sha256(line.encode()).hexdigest()


def draw(secret: bytes, table: str, number: int, state: State) -> Action:
    """The random act number `number` of a table, in this position."""
    return state.game.random_act(state, generator(secret, table, number))


def draw_seats(secret: bytes, table: str, players: int) -> tuple[int, ...]:
    """A random order of the players: seat i goes to the player of seat `order[i]`."""
    return tuple(int(seat) for seat in generator(secret, table, "lots").permutation(players))


def bell(secret: bytes, table: str, game: Game) -> int | None:
    """When the bell ends a game without turns, in milliseconds after play has started; None for never."""
    seconds = game.draw_timer(generator(secret, table, "bell"))
    return None if seconds is None else round(seconds * 1000)


def generator(secret: bytes, table: str, what: int | str) -> np.random.Generator:
    """The random numbers for an act (by its number), the order of seats ("lots") or the bell.

    They are determined by the table's secret and do not reveal it.
    """
    import numpy as np

    digest = hmac.digest(secret, f"{table}:{what}".encode(), "sha256")
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest)))


def name_lines(bound: Sequence[str], names: Sequence[SaltedName | None], log: Iterable[Entry]) -> Iterator[str]:
    """The lines of a record for all names with a commitment: those of the setup, then those in the log."""
    for seat, (commitment, name) in enumerate(zip(bound, names, strict=True)):
        if commitment:
            yield record.NAME + name_line((0, seat), name)
    for entry in log:
        if isinstance(event := read_event(entry.text), Sit):
            yield record.NAME + name_line((entry.seq, event.seat), entry.name)


def proof_comments(closing: str) -> tuple[str, ...]:
    """Comments for readers of a record: what can be proven of it and what can't."""
    return (
        "What `icetable verify` proves of this record: the options and terms above were settled before the first act;",
        "each die, deal, lot and bell was drawn from a secret that was committed before the first act;",
        "the rules allow every act, and none was changed, left out or added since.",
        "What it can't prove: who held a seat, and that this is the record of the game that you saw. For that, compare",
        f"the last hash with the one that the table showed at the end: {closing}",
    )


def verify(text: str) -> VerifiedRecord:
    """Verify a table's record.

    The quoted log is an unbroken chain with the same acts, the rules allow them, the random draws follow from the
    committed secret, and nothing is missing at the end.

    Raises Broken if an act, a log entry or the secret was changed; BadRecord or another GameError if the text is not
    the record of a game played to its end at a table.
    """
    head = record.read_head(text)
    parts = NATURE.fullmatch(head.nature or "")
    if parts is None:
        raise BadRecord("the record's head does not name the source of its random draws, so there is nothing to verify")
    table, committed, revealed = parts.groups()
    if revealed is None:
        raise BadRecord("the record lacks the table's secret, which is revealed when the game is over")
    terms, game = _terms_of(head), games.game_of(head)
    entries = _verified_chain(head, table, committed)
    if not entries:
        raise Broken("the record does not quote the table's log")
    acts = _verified_acts(head, game, entries)
    states = list(game.replay(text).history())
    secret = bytes.fromhex(revealed)
    if commitment(secret) != committed:
        raise Broken(f"the secret is not the one that was committed: its SHA-256 is {commitment(secret)}")
    _verify_seat_draw(entries, secret, table, game.players)
    rings = _bell_of(states, secret, table)
    if game.info.turns:
        _verify_draws(secret, table, acts)
    else:
        _verify_times(states, rings)
    drawn = sum(state.seat == CHANCE for state in states)
    _verify_end(states[-1], entries, rings)
    end = _verified_whole(head, states[-1], entries)
    _verify_terms(terms, game.players, entries)
    _verify_source(head, terms, entries)
    erased = _verified_names(head, terms, entries)
    return VerifiedRecord(drawn, len(entries), closing(entries[-1].link, end), erased)


def _terms_of(head: record.Head) -> RecordedTerms:
    """The terms in a record. Raises BadRecord."""
    if head.terms is None:
        raise BadRecord(f"the record's head lacks the table's terms: {OLD_CHAIN}")
    try:
        terms = read_terms(head.terms)
    except (msgspec.DecodeError, RecursionError):
        raise BadRecord(f"the terms in the record's head can't be read: {short_repr(head.terms)}") from None
    if terms.form != CHAIN_FORM:
        raise BadRecord(f"the record's chain is of form {short_repr(terms.form)}, not {CHAIN_FORM}: {OLD_CHAIN}")
    return terms


def _verified_names(head: record.Head, terms: RecordedTerms, entries: list[QuotedEntry]) -> tuple[int, ...]:
    """Check that all names match their commitments; return the seats with erased names."""
    names = read_name_lines(head.names())
    bound: dict[Place, str] = {(0, number): seat.name for number, seat in enumerate(terms.seats) if seat.name}
    events = ((entry.seq, read_event(entry.text)) for entry in entries)
    bound |= {(number, event.seat): event.name for number, event in events if isinstance(event, Sit)}
    for place in sorted(bound | names):
        where = f"seat {place[1]} in entry {place[0]} of the log" if place[0] else f"seat {place[1]} in the terms"
        if place not in names:
            raise Broken(f"the record neither has the name of {where} nor says that it was erased")
        if place not in bound:
            raise Broken(f"the record has a name for {where}, which commits to none")
        name = names[place]
        if name is not None and name.commitment != bound[place]:
            raise Broken(f"{short_repr(name.name)} is not the name of {where}: its salted hash is {name.commitment}")
    return tuple(sorted({seat for (_, seat), name in names.items() if name is None}))


def _verify_terms(terms: RecordedTerms, players: int, entries: list[QuotedEntry]) -> None:
    """Check the numbers of seats and of random seat orders against the terms."""
    if len(terms.seats) != players:
        raise Broken(f"the terms have {len(terms.seats)} seats, but the game has {players} players")
    drawn = sum(isinstance(read_event(entry.text), DrawSeats) for entry in entries)
    if drawn != terms.random_seats:
        raise Broken(f"the seats were drawn {drawn} times, but the terms say {int(terms.random_seats)}")


def _verify_source(head: record.Head, terms: RecordedTerms, entries: list[QuotedEntry]) -> None:
    """Check that the head names the file by whose rules the game ended, if the log binds that."""
    events = (read_event(entry.text) for entry in entries)
    sources = [terms.source, *(event.source for event in events if isinstance(event, NewRules))]
    if terms.source is not UNSET and head.source != sources[-1]:
        raise Broken(f"the record names the source {short_repr(head.source)}; its log says {short_repr(sources[-1])}")


def _verified_whole(head: record.Head, last: State, entries: list[QuotedEntry]) -> str:
    """Check that the log ends with the game and has no act in a pause; return how the game ended."""
    paused = False
    for entry in entries:
        event = read_event(entry.text)
        if paused and event is None:
            raise Broken(f"entry {entry.seq} of the log, {short_repr(entry.text)}, was made in a pause")
        paused = isinstance(event, Pause) or (paused and not isinstance(event, Resume))
    newest = entries[-1]
    ending = read_event(newest.text)
    if not (ending is None if last.is_terminal else isinstance(ending, End)):
        raise Broken(f"entry {newest.seq} of the log, {short_repr(newest.text)}, is after the end of the game")
    end = record.end_line(last) if last.is_terminal else newest.text
    if last.is_terminal and end not in (line.text for line in head.lines):
        raise Broken(f"the record does not say how the game ended: {short_repr(end)}")
    return end


def _acts_of(states: list[State]) -> list[PlayedAct]:
    return [PlayedAct(f"act {number} of the game", number, state) for number, state in enumerate(states[1:], 1)]


def _verify_draws(secret: bytes, table: str, acts: list[PlayedAct]) -> None:
    """Reproduce every random act, undone ones included."""
    for label, number, after in acts:
        if after.seat == CHANCE:
            assert after.parent is not None
            act = draw(secret, table, number, after.parent)
            if act != after.act:
                raise Broken(f"{label} is {short_repr(str(after.act))}; chance drew {short_repr(str(act))}")


def _bell_of(states: list[State], secret: bytes, table: str) -> int | None:
    """When the bell rings, in milliseconds since the table was created.

    None if it does not ring, or not yet, or if the record lacks the start.
    """
    start = next((state for state in states if CHANCE in state.to_act), states[0])
    bell_after = None if start is states[0] or start.game.info.turns else bell(secret, table, start.game)
    return None if bell_after is None else (start.at or 0) + bell_after


def _verify_times(states: list[State], rings: int | None) -> None:
    """Check that the bell rang at its time and no act followed."""
    for number, after in enumerate(states[1:], 1):
        if after.at is None:
            raise BadRecord(f"the record does not say when act {number} was made")
        if rings is not None and (after.at != rings if after.seat == CHANCE else after.at >= rings):
            label = f"act {number} of the game, {short_repr(str(after.act))}, was at {record.in_seconds(after.at)}"
            raise Broken(f"{label}; the bell rang at {record.in_seconds(rings)}")


def _verify_seat_draw(entries: list[QuotedEntry], secret: bytes, table: str, players: int) -> None:
    for entry in entries:
        event = read_event(entry.text)
        if isinstance(event, DrawSeats) and event.order != (drawn := draw_seats(secret, table, players)):
            raise Broken(f"entry {entry.seq} of the log seats {list(event.order)}; chance drew {list(drawn)}")


def _verify_end(last: State, entries: list[QuotedEntry], rings: int | None) -> None:
    """Check that the game, whose secret is revealed, is over: by the rules, or broken off before the bell."""
    end = next((entry for entry in entries if isinstance(read_event(entry.text), End)), None)
    if end is None and not last.is_terminal:
        raise Broken("the record ends before the game does, though it reveals the secret: something is missing")
    if end is None:
        return
    if last.is_terminal:
        raise Broken(f"entry {end.seq} of the log breaks off a game that the rules had ended")
    if rings is not None and end.at >= rings:
        label = f"entry {end.seq} of the log, {short_repr(end.text)}, was at {record.in_seconds(end.at)}"
        raise Broken(f"{label}; the bell rang at {record.in_seconds(rings)}")


def _verified_chain(head: record.Head, table: str, committed: str) -> list[QuotedEntry]:
    """The quoted entries. Checks that they form a chain."""
    before = root(committed, table, head, head.terms or "")
    entries = list[QuotedEntry]()
    for number, line in enumerate(head.log(), 1):
        parts = ENTRY.fullmatch(line)
        if parts is None or int(parts[1]) != number:
            raise Broken(f"entry {number} of the log is missing or can't be read: {short_repr(line)}")
        entry = QuotedEntry(number, int(parts[2]), int(parts[3]), parts[4], parts[5])
        before = link(before, table, number, entry.seat, entry.at, entry.text)
        if before != entry.link:
            label = f"entry {number} of the log, {short_repr(entry.text)}"
            alternative = " (or the record's head was changed)" if number == 1 else ""
            raise Broken(f"{label}, is not what was stored{alternative}: its hash is {before}")
        entries.append(entry)
    return entries


def _verified_acts(head: record.Head, game: Game, entries: list[QuotedEntry]) -> list[PlayedAct]:
    """The acts of the log, undone ones first. Checks that the rules allow them and that the others are the record's."""
    states = [game.first_of(head)]
    acts = list[PlayedAct]()
    for entry in entries:
        label = f"entry {entry.seq} of the log"
        if undo := UNDO.fullmatch(entry.text):
            if int(undo[1]) >= len(states):
                raise Broken(f"{label}, {short_repr(entry.text)}, takes back what was not played")
            del states[int(undo[1]) + 1 :]
        elif read_event(entry.text) is None:
            try:
                states.append(states[-1].apply(entry.text, entry.seat, entry.at / 1000))
            except GameError as error:
                raise Broken(f"{label}, {short_repr(entry.text)}, is against the rules: {error}") from None
            acts.append(PlayedAct(label, len(states) - 1, states[-1]))
    for number, (recorded, state) in enumerate(itertools.zip_longest(head.acts(), states[1:]), 1):
        logged = None if state is None else _logged(state)
        if recorded != logged and not (recorded and state and _is_same_act(recorded, state)):
            raise Broken(f"act {number} of the game is {_repr(recorded)}; the log says {_repr(logged)}")
    remaining = {id(state) for state in states}
    return [act for act in acts if id(act.state) not in remaining] + _acts_of(states)


def _logged(state: State) -> tuple[str, str, str]:
    """The last act of a state, in the form of `Head.acts`."""
    who = record.CHANCE_MARK if state.seat == CHANCE else str(state.seat)
    return who, record.in_seconds(state.at or 0), str(state.act)


def _is_same_act(recorded: tuple[str, str, str], state: State) -> bool:
    """Whether an act of a record is this state's last act in another notation."""
    assert state.parent is not None
    assert state.at is not None
    with contextlib.suppress(GameError):
        replayed = state.parent.apply(recorded[2], state.seat, state.at / 1000)
        return replayed.act == state.act and recorded[:2] == _logged(state)[:2]
    return False


def _repr(act: tuple[str, str, str] | None) -> str:
    who, time, text = act or ("", "", "")
    return "nothing" if act is None else short_repr(f"{who} @{time} {text}" if time else f"{who} {text}")
