"""The game record: a text that people can read and programs can replay, one act a line.

    icetable record 1
    game icefrogs
    option players 2
    option board "star"
    option turn_limit 400

    0 L@b1 # path a1 b1 0L
    1 S@h2 # path i1 h2 1S

The head may also name the position that the game began from (`setup`), what nature drew from (`nature`) and what else
was settled at the table before the first act (`terms`, one line of JSON). Behind
it each line holds the seat (`*` for nature), where the time was kept `@` and seconds, the act, and behind `#` what it
caused. A game that is over ends with `end`, its rule, the winners and the scores. What a record says of effects and
of the end is checked against the rules. Lines that begin with `log` quote the log that the game was kept in, and
whole lines behind `#` are anybody's remarks; the rules know nothing of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.core.errors import BadNotation, BadRecord, GameError, IllegalAction
from icetable.core.options import shorten

if TYPE_CHECKING:
    from icetable.core.game import Game, State

FIRST_LINE = "icetable record 1"
LOG = "log "
COMMENT = "#"
NATURE = "*"
ACT = re.compile(r"(\*|\d{1,2}) (?:@(\d{1,9}\.\d{3}) )?([^#]+?)(?: # (.*))?", re.ASCII)


class Head(NamedTuple):
    """What a record says before its acts, and the `lines` behind."""

    game: str
    options: dict[str, Any]
    setup: str | None
    nature: str | None
    terms: str | None
    lines: list[str]

    def acts(self) -> Iterator[tuple[str, str, str]]:
        """Who acted (a seat, or `*`), when (empty where nobody kept the time) and how, in order.

        Lines that can't be read are left out, and nothing is judged.
        """
        for line in self.lines:
            if match := ACT.fullmatch(line.strip()):
                yield match[1], match[2] or "", match[3]

    def log(self) -> list[str]:
        """What the record quotes of the log, a line an entry."""
        return [line.strip().removeprefix(LOG) for line in self.lines if line.strip().startswith(LOG)]


class Told(NamedTuple):
    """What a table adds to its record: what nature drew from, what was settled before the first act (None in records of
    older tables), the log as it is quoted, a line an entry, and comments for people.
    """

    nature: str
    terms: str | None
    log: Iterable[str]
    comments: Iterable[str]


def write(state: State) -> str:
    """The record of the acts that led to `state`."""
    first, *later = state.history()
    return written(first, map(act_line, later), state)


def written(first: State, acts: Iterable[str], last: State, told: Told | None = None) -> str:
    """The record of a log that begins at `first` and leads to `last` by acts that have these lines (`act_line`)."""
    game = first.game
    lines = [FIRST_LINE, f"game {game.info.name}"]
    lines += [f"option {name} {json.dumps(value)}" for name, value in game.options.items()]
    if first != game.start():
        lines.append(f"setup {first.to_json()}")
    if told is not None:
        lines.append(f"nature {told.nature}")
    if told is not None and told.terms is not None:
        lines.append(f"terms {told.terms}")
    lines.append("")
    lines += acts
    if last.is_terminal:
        lines.append(end_line(last))
    if told is not None:
        lines += [f"{LOG}{line}" for line in told.log]
        lines += [f"{COMMENT} {comment}" for comment in told.comments]
    return "\n".join(lines) + "\n"


def act_line(state: State) -> str:
    """The line of a record that led to `state`."""
    seat = NATURE if state.seat == -1 else str(state.seat)
    time = "" if state.at is None else f"@{in_seconds(state.at)} "
    effects = effects_text(state)
    return f"{seat} {time}{state.act}" + (f" # {effects}" if effects else "")


def in_seconds(at: int) -> str:
    """A time in milliseconds as a record writes it."""
    return f"{at // 1000}.{at % 1000:03d}"


def effects_text(state: State) -> str:
    """What the last act caused, as a record says it."""
    return ", ".join(str(effect) for effect in state.effects)


def end_line(state: State) -> str:
    """The last line of the record of a game that is over."""
    winners = " ".join(str(seat) for seat in sorted(state.winners)) or "nobody"
    scores = " ".join(f"{score:g}" if isinstance(score, float) else str(score) for score in state.scores)
    return f"end {state.ended_by} winners {winners} scores {scores}"


def read_head(text: object) -> Head:
    """The head of a record, apart from the other lines. Raises BadRecord."""
    if not isinstance(text, str):
        raise BadRecord(f"a record is a text, not {shorten(text)}")
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadRecord(f"the first line of a record is {FIRST_LINE!r}")
    end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    words: dict[str, str] = {}
    options: dict[str, Any] = {}
    for number, line in enumerate(lines[1:end], 2):
        word, _, rest = line.strip().partition(" ")
        option, _, value = rest.partition(" ")
        if word not in ("game", "option", "setup", "nature", "terms"):
            heads = "game, option, setup, nature and terms"
            raise BadRecord(f"line {number}: the head of a record has {heads}, not {shorten(word)}")
        if word in words or (word == "option" and option in options):
            raise BadRecord(f"line {number}: {shorten(option if word == 'option' else word)} is there twice")
        if word != "option":
            words[word] = rest
            continue
        try:
            options[option] = json.loads(value)
        except (ValueError, RecursionError):
            raise BadRecord(f"line {number}: the value of {shorten(option)} can't be read") from None
    return Head(
        words.get("game", ""), options, words.get("setup"), words.get("nature"), words.get("terms"), lines[end + 1 :]
    )


def replay(game: Game, text: str) -> State:
    """The last state of a record of `game`. Raises BadRecord."""
    name, options, setup, _, _, lines = read_head(text)
    if name != game.info.name:
        raise BadRecord(f"this is a record of {shorten(name)}, not of {game.info.name!r}")
    if not same_options(options, game.options):
        raise BadRecord(f"this is a record of a game under other options than {shorten(dict(game.options))}")
    state = game.start() if setup is None else game.from_json(setup)
    first = len(text.splitlines()) - len(lines) + 1
    for number, line in enumerate(lines, first):
        if line.strip():
            state = _replay_line(state, line.strip(), number)
    return state


def same_options(given: object, options: Mapping[str, Any]) -> bool:
    """Whether what a record or a saved position says is just these options."""
    try:
        return json.dumps(given, sort_keys=True) == json.dumps(options, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return False


def _replay_line(state: State, line: str, number: int) -> State:
    if line.startswith((LOG, COMMENT)):
        return state
    if line.startswith("end "):
        if not state.is_terminal or line != end_line(state):
            raise BadRecord(f"line {number}: the record says {shorten(line)}, the rules say otherwise")
        return state
    match = ACT.fullmatch(line)
    if match is None:
        raise BadRecord(f"line {number}: an act is written 'seat act', not {shorten(line)}")
    seat_text, at, act, effects = match.groups()
    try:
        state = state.apply(act, -1 if seat_text == NATURE else int(seat_text), None if at is None else float(at))
    except IllegalAction as error:
        raise BadRecord(f"line {number}: {act} is refused by {error.fault.rule}: {error.fault.message}") from None
    except BadNotation as error:
        raise BadRecord(f"line {number}: {error}") from None
    except GameError as error:
        raise BadRecord(f"line {number}: {error}") from None
    if effects is not None and effects != effects_text(state):
        raise BadRecord(f"line {number}: the record says that {act} caused {shorten(effects)}, the rules say otherwise")
    return state
