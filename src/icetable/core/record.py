"""The game record: a text that people can read and programs can replay, one act per line.

    icetable record 1
    game icefrogs
    option players 2
    option board "star"
    option turn_limit 400

    0 L@b1 # path a1 b1 0L
    1 S@h2 # path i1 h2 1S

The head may also have the position that the game began with (`setup`), the source of chance (`nature`) and whatever
else the table fixed before the first act (`terms`, one line of JSON). After the head each line holds the seat (`*` for
chance), the time if it is known (`@` and seconds), the act, and after `#` its effects. The record of a finished game
ends with `end`, its rule, the winners and the scores. Replaying a record checks its effects and its end against the
rules. Lines that begin with `log` quote the table's log, and lines that begin with `#` are comments; replaying skips
them. Lines that begin with `log name` give the names that the log commits to. `record_text` finds the record in the
text of a file or a mail.
"""

from __future__ import annotations

import contextlib
import json
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple, Protocol, TypeVar

from icetable.core.errors import BadRecord, GameError, IllegalAction
from icetable.core.options import short_repr, shortened
from icetable.core.record_text import FIRST_LINE, NumberedLine, lines_of
from icetable.kernels.layout import CHANCE

LOG = "log "
NAME = "name "
"""Follows LOG in lines that give a name."""
EVENT = "/"
"""Precedes the JSON of log entries other than acts and undos; no act of a game begins with it."""
COMMENT = "#"
CHANCE_MARK = "*"
ACT = re.compile(r"(\*|\d{1,2}) (?:@(\d{1,9}\.\d{3}) )?([^#]+?)(?: # (.*))?", re.ASCII)
PATH = re.compile(r"(?=.{1,300}$)(.*[/\\].*|\S+\.[a-z]{1,8})")
"""Matches texts that look like the path of a file."""

QUOTED_EVENT = re.compile(rf"\d+ -?\d+ (\d{{1,15}}) \w+ {EVENT}(.*)", re.ASCII)
"""A quoted event of the log: the number of the entry, its seat, its time, its hash and its JSON."""


class Recorded(Protocol):
    """The part of a `State` that a record contains: the last act, its effects, and the result."""

    @property
    def seat(self) -> int | None: ...
    @property
    def at(self) -> int | None: ...
    @property
    def act(self) -> str | None: ...
    @property
    def effects(self) -> tuple[object, ...]: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def ended_by(self) -> str | None: ...
    @property
    def winners(self) -> frozenset[int]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...


class Replayed(Recorded, Protocol):
    """The part of a `State` that replaying a record needs."""

    def apply(self: S, action: str, seat: int | None = None, at: float | None = None) -> S: ...


S = TypeVar("S", bound=Replayed)


class Ended(NamedTuple):
    """How a game ended at a table before its rules ended it."""

    reason: str
    """"resign", "time" or "draw"."""
    winners: tuple[int, ...]
    """The seats that share the win."""
    at: int
    """The time, in milliseconds of the table's time."""


class Head(NamedTuple):
    """The head of a record, and the lines after it."""

    game: str
    """The name of the game."""
    options: Mapping[str, Any]
    """The options by name."""
    setup: str | None = None
    """The saved position that the game began with; None if it is the usual one."""
    nature: str | None = None
    """The source of chance; None if the game was not played at a table."""
    terms: str | None = None
    """The terms of the table; None if the game was not played at a table."""
    lines: Sequence[NumberedLine] = ()
    """The lines after the head that are not empty."""
    source: str | None = None
    """A hash of the game's file, if the game is external; otherwise None."""

    def acts(self) -> Iterator[tuple[str, str, str]]:
        """The acts in order: the seat (or `*`), the time in seconds (empty if unknown) and the notation.

        Lines that can't be read are skipped, and nothing is checked.
        """
        for line in self.lines:
            if match := ACT.fullmatch(line.text):
                yield match[1], match[2] or "", match[3]

    def log(self) -> list[str]:
        """The quoted entries of the table's log, one per line."""
        return [line for line in self._quoted() if not line.startswith(NAME)]

    def names(self) -> list[str]:
        """The names that the table commits to, one per line."""
        return [line.removeprefix(NAME) for line in self._quoted() if line.startswith(NAME)]

    def _quoted(self) -> Iterator[str]:
        return (line.text.removeprefix(LOG) for line in self.lines if line.text.startswith(LOG))

    def ended(self, players: int) -> Ended | None:
        """The end in the table's log that the rules did not cause; None if there is none. Raises BadRecord."""
        end = next((end for line in self.log() if (end := _read_end(line)) is not None), None)
        if end is not None and not set(end.winners) <= set(range(players)):
            raise BadRecord(
                f"the record's log gives the game to seats {short_repr(list(end.winners))}, and {players} play"
            )
        return end


class TableDetails(NamedTuple):
    """A table's additions to a record."""

    nature: str
    """The source of chance, in the head."""
    terms: str
    """The terms of the table, in the head."""
    log: Iterable[str]
    """The quoted entries of the table's log, one per line."""
    comments: Iterable[str]
    """The comments, one per line."""


def written(head: Head, acts: Iterable[str], last: Recorded, details: TableDetails | None = None) -> str:
    """The record with this head and these lines of acts (`act_line`), which lead to the state `last`."""
    lines = [FIRST_LINE, f"game {head.game}", *([f"source {head.source}"] if head.source else [])]
    lines += [f"option {name} {json.dumps(value)}" for name, value in head.options.items()]
    if head.setup is not None:
        lines.append(f"setup {head.setup}")
    if details is not None:
        lines.append(f"nature {details.nature}")
    if details is not None and details.terms is not None:
        lines.append(f"terms {details.terms}")
    lines.append("")
    lines += acts
    if last.is_terminal:
        lines.append(end_line(last))
    if details is not None:
        lines += [f"{LOG}{line}" for line in details.log]
        lines += [f"{COMMENT} {comment}" for comment in details.comments]
    return "\n".join(lines) + "\n"


def act_line(state: Recorded) -> str:
    """The line of a record for the last act of a state."""
    seat = CHANCE_MARK if state.seat == CHANCE else str(state.seat)
    time = "" if state.at is None else f"@{in_seconds(state.at)} "
    effects = effects_text(state)
    return f"{seat} {time}{state.act}" + (f" # {effects}" if effects else "")


def in_seconds(at: int) -> str:
    """A time in milliseconds, written in seconds as in records.

    >>> in_seconds(90_050)
    '90.050'
    """
    return f"{at // 1000}.{at % 1000:03d}"


def effects_text(state: Recorded) -> str:
    """The effects of the last act, written as in records."""
    return ", ".join(str(effect) for effect in state.effects)


def end_line(state: Recorded) -> str:
    """The line for the end of a finished game."""
    winners = " ".join(str(seat) for seat in sorted(state.winners)) or "nobody"
    scores = " ".join(f"{score:g}" if isinstance(score, float) else str(score) for score in state.scores)
    return f"end {state.ended_by} winners {winners} scores {scores}"


def normalized(text: str) -> str:
    """The record in a text, restored to its original form. Raises BadRecord."""
    return "\n".join(line.text for line in lines_of(text)) + "\n"


def read_head(text: object) -> Head:
    """Read the head of a record, with the lines after it. Raises BadRecord."""
    if isinstance(text, PathLike) or (isinstance(text, str) and PATH.fullmatch(text)):
        raise BadRecord(f"{shortened(str(text))} looks like the path of a file; a record is the text in it")
    if not isinstance(text, str):
        raise BadRecord(f"a record is a text, not {short_repr(text)}")
    lines = lines_of(text)
    end = next((index for index, line in enumerate(lines) if not line.text), len(lines))
    words: dict[str, str] = {}
    options: dict[str, Any] = {}
    for number, line in lines[1:end]:
        word, _, rest = line.partition(" ")
        option, _, value = rest.partition(" ")
        if word not in ("game", "source", "option", "setup", "nature", "terms"):
            heads = "game, source, option, setup, nature and terms"
            raise BadRecord(f"line {number}: the head of a record has {heads}, not {short_repr(word)}")
        if word in words or (word == "option" and option in options):
            raise BadRecord(f"line {number}: {short_repr(option if word == 'option' else word)} appears twice")
        if word != "option":
            words[word] = rest
            continue
        try:
            options[option] = json.loads(value)
        except (ValueError, RecursionError):
            raise BadRecord(f"line {number}: the value of {short_repr(option)} can't be read") from None
    setup, nature, terms, source = (words.get(word) for word in ("setup", "nature", "terms", "source"))
    acts = [line for line in lines[end:] if line.text]
    return Head(words.get("game", ""), options, setup, nature, terms, acts, source)


@contextlib.contextmanager
def naming_version(head: Head, source: str) -> Iterator[None]:
    """Add to a BadRecord that the game was played by another version, if it was."""
    try:
        yield
    except BadRecord as error:
        if head.source in (None, source):
            raise
        raise BadRecord(f"{error}; it was played by another version of {head.game}") from None


def _read_end(line: str) -> Ended | None:
    """The end in a quoted entry of the log; None for other entries. Raises BadRecord."""
    match = QUOTED_EVENT.fullmatch(line)
    if match is None:
        return None
    at, text = match.groups()
    try:
        event = json.loads(text)
        if event["type"] != "end":
            return None
        winners = tuple(sorted({operator.index(seat) for seat in event["winners"]}))
        return Ended(str(event["reason"]), winners, int(at))
    except (ValueError, RecursionError, TypeError, KeyError):
        raise BadRecord(f"the event {short_repr(text)} of the record's log can't be read") from None


def same_options(given: object, options: Mapping[str, Any]) -> bool:
    """Whether the options of a record or a saved position are equal to `options`."""
    try:
        return json.dumps(given, sort_keys=True) == json.dumps(options, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return False


def read_act(line: str, number: int) -> tuple[str, int, float | None, str | None]:
    """Read the act, the seat, the time in seconds and the effects from a line. Raises BadRecord."""
    match = ACT.fullmatch(line)
    if match is None:
        raise BadRecord(f"line {number}: an act is written 'seat act', not {short_repr(line)}")
    seat, at, act, effects = match.groups()
    return act, CHANCE if seat == CHANCE_MARK else int(seat), None if at is None else float(at), effects


def replayed(state: S, line: str, number: int) -> S:
    """The state after a line of a record: the same state if the line is not an act. Raises BadRecord."""
    if line.startswith((LOG, COMMENT)):
        return state
    if line.startswith("end "):
        check_end(state, line, number)
        return state
    act, seat, at, effects = read_act(line, number)
    try:
        after = state.apply(act, seat, at)
    except IllegalAction as error:
        raise BadRecord(f"line {number}: {shortened(act)} is refused by {error.fault.rule}: {error}") from None
    except GameError as error:
        raise BadRecord(f"line {number}: {error}") from None
    check_effects(after, effects, number)
    return after


def check_end(state: Recorded, line: str, number: int) -> None:
    """Raise BadRecord if the line about the end of the game contradicts the rules."""
    if not state.is_terminal or line != end_line(state):
        raise BadRecord(f"line {number}: the record says {short_repr(line)}, the rules say otherwise")


def check_effects(state: Recorded, effects: str | None, number: int) -> None:
    """Raise BadRecord if the line has effects that differ from those of the last act."""
    if effects is not None and effects != effects_text(state):
        claim = f"the record says that {shortened(str(state.act))} caused {short_repr(effects)}"
        raise BadRecord(f"line {number}: {claim}, the rules say otherwise")
