"""What every reader of a record can check: the secret that chance draws from, and the chain of hashes over the log.

Each table has a secret. Its SHA-256, the commitment, is shown before the first act, the secret itself when the game is
over: then every act of chance can be drawn again. A record names both in its head, `nature TABLE COMMITMENT SECRET`,
the secret only where the game is over.

Each entry of a table's log has a link: the SHA-256 of the entry and of the link before. The chain begins with the
`root`, which binds all that was settled before the first act (the commitment, the game, its options, the seats, lots
and clock; a record has the last three in its head as `terms`). It ends with the `closing`, which binds how the game
ended and is shown at the end. The record of a game that is over quotes the log up to the end, acts that were taken back
included, a line an entry: `log NUMBER SEAT MILLISECONDS LINK TEXT`.

What the chain has of a name, in the terms and where a player takes a seat, is the name's commitment, a salted hash
(`salted_names`), so that it can be erased. A record tells each name to which its log commits, `log name NUMBER SEAT
SALT NAME`, or says that it was erased.

That is form 3 of the chain. In form 2 the names themselves stand in it. In form 1, of the oldest tables, it began with
the commitment alone and ended with the last entry, so it binds neither the options nor the end.
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

from icetable import games
from icetable.core import record
from icetable.core.errors import BadRecord, GameError
from icetable.core.game import CHANCE, Action, Game, State
from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.table.events import End, Lots, Pause, Resume, Sit, read_event
from icetable.server.table.log import UNDO, Entry
from icetable.server.table.salted_names import FIRST_FORM, Place, SaltedName, line_of, read_lines

if TYPE_CHECKING:
    import numpy as np

FORM = 3
"""The form of the chain that new tables have."""
FORMS = (2, FORM)
"""The forms whose terms are bound."""
SECRET_BYTES = 32
PLEDGE = re.compile(r"([0-9a-z]{1,64}) ([0-9a-f]{64})(?: ([0-9a-f]{64}))?", re.ASCII)
ENTRY = re.compile(r"(\d{1,9}) (-?\d{1,9}) (\d{1,15}) ([0-9a-f]{64}) (.+)", re.ASCII)


class Broken(Exception):
    """A record contradicts the secret that it names, or the log that it quotes; the text says where, in a sentence."""


class Sound(NamedTuple):
    """What was checked of a record: the number of acts that chance drew, the number of entries in the log, the hash
    that the chain ends with (None without a log), the form of the chain, and the seats whose names were erased.
    """

    drawn: int
    entries: int
    link: str | None
    form: int
    erased: tuple[int, ...] = ()


class SettledSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as it was when the table was created; an open one has no name. From form 3 on `name` is its commitment."""

    kind: messages.SeatKind
    name: str
    level: str | None


class RecordedTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was settled before the first act beside the game and its options, as a record has it.

    `opened`: when the table was created, in milliseconds since 1970. `lots`: the seats were to be drawn by lot.
    """

    form: int
    opened: int
    seats: tuple[SettledSeat, ...]
    lots: bool
    clock: messages.Clock | None

    def text(self) -> str:
        """The terms as one line of JSON."""
        return msgspec.json.encode(self).decode()


read_terms = msgspec.json.Decoder(RecordedTerms).decode
"""The terms that a line of JSON holds. Raises msgspec.DecodeError or RecursionError."""


class Quoted(NamedTuple):
    """An entry of the log as a record quotes it."""

    seq: int
    seat: int
    at: int
    link: str
    text: str


class Made(NamedTuple):
    """An act that was made: how to name it, its number in the game, and the state after it."""

    said: str
    number: int
    state: State


def commitment(secret: bytes) -> str:
    """The commitment to a secret, which is shown before the first act: the secret can't be changed any more."""
    return hashlib.sha256(secret).hexdigest()


def pledge(secret: bytes, table: str, over: bool) -> str:
    """What the head of a table's record says of chance."""
    return f"{table} {commitment(secret)}" + (f" {secret.hex()}" if over else "")


def root(form: int, committed: str, table: str, head: record.Head, terms: str | None) -> str:
    """What the chain of a table begins with, by the head of its record and the terms in it.

    Without terms, in form 1, it is the commitment alone.
    """
    if terms is None:
        return committed
    settled = [form, table, committed, head.game, head.options, head.setup, terms]
    return hashlib.sha256(json.dumps(settled, sort_keys=True).encode()).hexdigest()


def closing(last: str, end: str) -> str:
    """What the chain ends with: the SHA-256 of the last link and of how the game ended, as the record says it."""
    return hashlib.sha256(json.dumps([last, "end", end]).encode()).hexdigest()


def link(before: str, table: str, seq: int, seat: int, at: int, text: str) -> str:
    """The link of an entry that follows the link `before`, in hexadecimal digits."""
    # The same as `json.dumps` of the list, at a third of the time: a long log is opened by checking every link.
    line = f'["{before}", "{table}", {seq}, {seat}, {at}, {in_json(text)}]'
    return hashlib.sha256(line.encode()).hexdigest()


def draw(secret: bytes, table: str, number: int, state: State) -> Action:
    """The act number `number` of a table, which chance draws, in the position before it."""
    return state.game.random_act(state, generator(secret, table, number))


def lots(secret: bytes, table: str, players: int) -> tuple[int, ...]:
    """The order of the seats at a table that draws lots: seat i goes to the player of seat `order[i]`."""
    return tuple(int(seat) for seat in generator(secret, table, "lots").permutation(players))


def bell(secret: bytes, table: str, game: Game) -> int | None:
    """When chance ends a game without turns, in milliseconds after play has started; None for never."""
    seconds = game.draw_timer(generator(secret, table, "bell"))
    return None if seconds is None else round(seconds * 1000)


def generator(secret: bytes, table: str, what: int | str) -> np.random.Generator:
    """The random numbers for an act of a table (by its number), the lots or the bell.

    They follow from the table's secret and do not reveal it.
    """
    import numpy as np

    digest = hmac.digest(secret, f"{table}:{what}".encode(), "sha256")
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest)))


def name_lines(bound: Sequence[str], names: Sequence[SaltedName | None], log: Iterable[Entry]) -> Iterator[str]:
    """The names to which a table commits, as a record tells them: those of its seats, then those in its log."""
    for seat, (commitment, name) in enumerate(zip(bound, names, strict=True)):
        if commitment:
            yield record.NAME + line_of((0, seat), name)
    for entry in log:
        if isinstance(event := read_event(entry.text), Sit):
            yield record.NAME + line_of((entry.seq, event.seat), entry.name)


def what_is_proven(terms: str | None, closing: str) -> tuple[str, ...]:
    """What can be proven of a record and what can't: lines of text for its readers."""
    settled = "the options and terms above were settled before the first act"
    bound = settled if terms is not None else "(older table: its options and its end are not bound)"
    return (
        f"What `icetable verify` proves of this record: {bound};",
        "each die, deal, lot and bell was drawn from a secret that was committed before the first act;",
        "the rules allow every act, and none was changed, left out or added since.",
        "What it can't prove: who held a seat, and that this is the record of the game that you saw. For that, compare",
        f"the last hash with the one that the table showed at the end: {closing}",
    )


def verify(text: str) -> Sound:
    """Check a table's record: the log that it quotes is a chain from what was settled to the end and has the same acts,
    the rules allow them, those of chance are drawn again from the committed secret, and nothing is missing at the end.
    (In form 1 the chain binds neither what was settled nor the end.)

    Raises Broken where an act, an entry of the log or the secret was changed; BadRecord or another GameError for a text
    that is no record of a game that was played to its end at a table.
    """
    head = record.read_head(text)
    parts = PLEDGE.fullmatch(head.nature or "")
    if parts is None:
        raise BadRecord("the record's head does not say what chance drew from, so there is nothing to verify")
    table, committed, shown = parts.groups()
    terms = _terms_of(head)
    entries = _verified_chain(head, table, committed, terms)
    made = _verified_acts(head, entries)
    states = list(games.replay(text).history())
    if shown is None:
        raise BadRecord("the record does not tell the secret of chance, which is shown when the game is over")
    secret = bytes.fromhex(shown)
    if commitment(secret) != committed:
        raise Broken(f"the secret is not the one that was committed: its SHA-256 is {commitment(secret)}")
    _verify_lots(entries, secret, table, states[0].game.players)
    rings = _bell_of(states, secret, table)
    if states[0].game.info.turns:
        _verify_draws(secret, table, made or _made(states))
    else:
        _verify_times(states, rings)
    drawn = sum(state.seat == CHANCE for state in states)
    _verify_end(states[-1], entries, rings)
    if terms is None:
        return Sound(drawn, len(entries), entries[-1].link if entries else None, 1)
    end = _verified_whole(head, states[-1], entries)
    _verify_terms(terms, states[0].game.players, entries)
    erased = _verified_names(head, terms, entries)
    return Sound(drawn, len(entries), closing(entries[-1].link, end), terms.form, erased)


def _terms_of(head: record.Head) -> RecordedTerms | None:
    """What was settled at the table, where the record has it. Raises BadRecord."""
    if head.terms is None:
        return None
    try:
        terms = read_terms(head.terms)
    except (msgspec.DecodeError, RecursionError):
        raise BadRecord(f"the terms in the record's head can't be read: {short_repr(head.terms)}") from None
    if terms.form not in FORMS:
        known = f"1 (without terms), {' and '.join(map(str, FORMS))}"
        raise BadRecord(f"the record's chain is of form {short_repr(terms.form)}; known: {known}")
    return terms


def _verified_names(head: record.Head, terms: RecordedTerms, entries: list[Quoted]) -> tuple[int, ...]:
    """The seats whose names were erased. Checks that all other names are those to which the log commits."""
    told = read_lines(head.names())
    bound = dict[Place, str]()
    if terms.form >= FIRST_FORM:
        bound = {(0, seat): one.name for seat, one in enumerate(terms.seats) if one.name}
        events = ((entry.seq, read_event(entry.text)) for entry in entries)
        bound |= {(number, event.seat): event.name for number, event in events if isinstance(event, Sit)}
    for place in sorted(bound | told):
        where = f"seat {place[1]} in entry {place[0]} of the log" if place[0] else f"seat {place[1]} in the terms"
        if place not in told:
            raise Broken(f"the record tells neither the name of {where} nor that it was erased")
        if place not in bound:
            raise Broken(f"the record tells a name of {where}, which commits to none")
        name = told[place]
        if name is not None and name.commitment != bound[place]:
            raise Broken(f"{short_repr(name.name)} is not the name of {where}: its salted hash is {name.commitment}")
    return tuple(sorted({seat for (_, seat), name in told.items() if name is None}))


def _verify_terms(terms: RecordedTerms, players: int, entries: list[Quoted]) -> None:
    """Check that the table was as its terms say."""
    if len(terms.seats) != players:
        raise Broken(f"the terms tell of {len(terms.seats)} seats, and {players} play")
    drawn = sum(isinstance(read_event(entry.text), Lots) for entry in entries)
    if drawn != terms.lots:
        raise Broken(f"lots for the seats were drawn {drawn} times; by the terms it is {int(terms.lots)}")


def _verified_whole(head: record.Head, last: State, entries: list[Quoted]) -> str:
    """How the game ended. Checks that the log ends there, and that no act was made in a pause."""
    if not entries:
        raise Broken("the record does not quote the table's log, though its terms say that there is one")
    paused = False
    for entry in entries:
        change = read_event(entry.text)
        if paused and change is None:
            raise Broken(f"entry {entry.seq} of the log, {short_repr(entry.text)}, was made in a pause")
        paused = isinstance(change, Pause) or (paused and not isinstance(change, Resume))
    newest = entries[-1]
    ending = read_event(newest.text)
    if not (ending is None if last.is_terminal else isinstance(ending, End)):
        raise Broken(f"entry {newest.seq} of the log, {short_repr(newest.text)}, is behind the end of the game")
    end = record.end_line(last) if last.is_terminal else newest.text
    if last.is_terminal and end not in (line.text for line in head.lines):
        raise Broken(f"the record does not say how the game ended: {short_repr(end)}")
    return end


def _made(states: list[State]) -> list[Made]:
    """The acts that led from state to state."""
    return [Made(f"act {number} of the game", number, state) for number, state in enumerate(states[1:], 1)]


def _verify_draws(secret: bytes, table: str, made: list[Made]) -> None:
    """Draw every act of chance again, those that were taken back included."""
    for said, number, after in made:
        if after.seat == CHANCE:
            assert after.parent is not None
            act = draw(secret, table, number, after.parent)
            if act != after.act:
                raise Broken(f"{said} is {short_repr(str(after.act))}; chance drew {short_repr(str(act))}")


def _bell_of(states: list[State], secret: bytes, table: str) -> int | None:
    """When the bell rings, in milliseconds since the table was created.

    None where it does not, or not yet, or where the record lacks the start.
    """
    start = next((state for state in states if CHANCE in state.to_act), states[0])
    bell_after = None if start is states[0] or start.game.info.turns else bell(secret, table, start.game)
    return None if bell_after is None else (start.at or 0) + bell_after


def _verify_times(states: list[State], rings: int | None) -> None:
    """Check that the bell rang at its moment and no act followed."""
    for number, after in enumerate(states[1:], 1):
        if after.at is None:
            raise BadRecord(f"the record does not say when act {number} was made")
        if rings is not None and (after.at != rings if after.seat == CHANCE else after.at >= rings):
            named = f"act {number} of the game, {short_repr(str(after.act))}, was at {record.in_seconds(after.at)}"
            raise Broken(f"{named}; the bell rang at {record.in_seconds(rings)}")


def _verify_lots(entries: list[Quoted], secret: bytes, table: str, players: int) -> None:
    for entry in entries:
        change = read_event(entry.text)
        if isinstance(change, Lots) and change.order != (drawn := lots(secret, table, players)):
            raise Broken(f"entry {entry.seq} of the log, the lots, is {list(change.order)}; chance drew {list(drawn)}")


def _verify_end(last: State, entries: list[Quoted], rings: int | None) -> None:
    """Check that the game, whose secret is shown, is over: by the rules, or broken off before the bell."""
    end = next((entry for entry in entries if isinstance(read_event(entry.text), End)), None)
    if end is None and not last.is_terminal:
        raise Broken("the record ends before the game does, though it shows the secret: something is missing")
    if end is None:
        return
    if last.is_terminal:
        raise Broken(f"entry {end.seq} of the log breaks off a game that the rules had ended")
    if rings is not None and end.at >= rings:
        named = f"entry {end.seq} of the log, {short_repr(end.text)}, was at {record.in_seconds(end.at)}"
        raise Broken(f"{named}; the bell rang at {record.in_seconds(rings)}")
    # At some tables of form 1 chance drew behind the end; that changes nothing.
    late = next(
        (entry for entry in entries[end.seq :] if read_event(entry.text) is None and entry.seat != CHANCE), None
    )
    if late is not None:
        raise Broken(f"entry {late.seq} of the log, {short_repr(late.text)}, is behind the end of the game")


def _verified_chain(head: record.Head, table: str, committed: str, terms: RecordedTerms | None) -> list[Quoted]:
    """The entries that a record quotes. Checks that they are a chain."""
    before = root(1 if terms is None else terms.form, committed, table, head, head.terms)
    entries = list[Quoted]()
    for number, line in enumerate(head.log(), 1):
        parts = ENTRY.fullmatch(line)
        if parts is None or int(parts[1]) != number:
            raise Broken(f"entry {number} of the log is missing or can't be read: {short_repr(line)}")
        entry = Quoted(number, int(parts[2]), int(parts[3]), parts[4], parts[5])
        before = link(before, table, number, entry.seat, entry.at, entry.text)
        if before != entry.link:
            changed = f"entry {number} of the log, {short_repr(entry.text)}"
            settled = " (or something in the record's head is another)" if number == 1 else ""
            raise Broken(f"{changed}, is not what was kept{settled}: its hash is {before}")
        entries.append(entry)
    return entries


def _verified_acts(head: record.Head, entries: list[Quoted]) -> list[Made]:
    """The acts of the log, those that were taken back included. Checks that the rules allow them, and that those which
    remain are the record's.
    """
    if not entries:
        return []
    states = [games.game_of(head).first_of(head)]
    made = list[Made]()
    for entry in entries:
        said = f"entry {entry.seq} of the log"
        if undo := UNDO.fullmatch(entry.text):
            if int(undo[1]) >= len(states):
                raise Broken(f"{said}, {short_repr(entry.text)}, takes back what was not played")
            del states[int(undo[1]) + 1 :]
        elif read_event(entry.text) is None:
            try:
                states.append(states[-1].apply(entry.text, entry.seat, entry.at / 1000))
            except GameError as error:
                raise Broken(f"{said}, {short_repr(entry.text)}, is against the rules: {error}") from None
            made.append(Made(said, len(states) - 1, states[-1]))
    for number, (written, state) in enumerate(itertools.zip_longest(head.acts(), states[1:]), 1):
        kept = None if state is None else _written(state)
        if written != kept and not (written and state and _reads_as(written, state)):
            raise Broken(f"act {number} of the game is {_said(written)}; the log says {_said(kept)}")
    remaining = {id(state) for state in states}
    return [one for one in made if id(one.state) not in remaining] + _made(states)


def _written(state: State) -> tuple[str, str, str]:
    """The last act of a state in a log, as `Head.acts` gives it."""
    who = record.CHANCE_MARK if state.seat == CHANCE else str(state.seat)
    return who, record.in_seconds(state.at or 0), str(state.act)


def _reads_as(written: tuple[str, str, str], state: State) -> bool:
    """Whether an act of a record is the last one of this state, in another spelling."""
    assert state.parent is not None
    assert state.at is not None
    with contextlib.suppress(GameError):
        read = state.parent.apply(written[2], state.seat, state.at / 1000)
        return read.act == state.act and written[:2] == _written(state)[:2]
    return False


def _said(act: tuple[str, str, str] | None) -> str:
    who, time, text = act or ("", "", "")
    return "nothing" if act is None else short_repr(f"{who} @{time} {text}" if time else f"{who} {text}")
