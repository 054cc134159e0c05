"""A review in a terminal: tables of the seats, what decided most, calls and missed calls."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from icetable.core.drawing import LINE_WIDTH

if TYPE_CHECKING:
    from icetable.core.drawing import Paint
    from icetable.games.icehouse.review.parts import Call, Chance, Change, Danger, Review, Seat

MOST = 8
"""How many entries a list has at most: those that matter most, in order of time."""
NAME = 16
"""How wide the column of the seats is."""

Entry = TypeVar("Entry")
Column = tuple[str, Callable[["Seat"], str]]
"""The head of a column, and what it says of a seat."""

POINTS: tuple[Column, ...] = (
    ("stood", lambda seat: str(seat["account"]["stood"])),
    ("iced", lambda seat: str(seat["account"]["iced"])),
    ("freed", lambda seat: str(seat["account"]["freed"])),
    ("attacked", lambda seat: str(seat["account"]["attacked"])),
    ("spoilt", lambda seat: str(seat["account"]["spoilt"])),
    ("icehouse", lambda seat: str(seat["account"]["icehouse"])),
    ("score", lambda seat: str(seat["score"])),
)
PIECES: tuple[Column, ...] = (
    ("placed", lambda seat: str(seat["placed"])),
    ("attacks", lambda seat: str(seat["attacks"])),
    ("wasted", lambda seat: str(seat["wasted"])),
    ("captured", lambda seat: str(seat["taken"])),
    ("prisoners", lambda seat: str(seat["prisoners"])),
    ("crashes", lambda seat: str(seat["crashes"])),
    ("gifts", lambda seat: str(seat["given"])),
)
TIMES: tuple[Column, ...] = (
    ("acts", lambda seat: str(seat["acts"])),
    ("pause", lambda seat: seconds(seat["pause"])),
    ("longest", lambda seat: seconds(seat["longest_pause"])),
    ("answer", lambda seat: seconds(seat["answer"])),
    ("in danger", lambda seat: seconds(seat["endangered"])),
    ("open to a call", lambda seat: seconds(seat["open"])),
)


def lines(review: Review, paint: Paint) -> list[str]:
    """A review as text. Times are minutes and seconds since play began."""
    parts = (
        [summary(review)],
        table("Points", POINTS, review),
        table("Pieces", PIECES, review),
        table("Times in seconds", TIMES, review),
        section("What changed most", decisive(review), lambda one: change(one, review)),
        section("Calls", review["calls"], lambda one: call(one, review)),
        section("Missed calls", missed(review), lambda one: chance(one, review)),
        section("Last defenders in danger", brinks(review), lambda one: danger(one, review)),
    )
    return [painted(line, review, paint) for part in parts if part for line in ["", *part]][1:]


def painted(line: str, review: Review, paint: Paint) -> str:
    """A line with the names of colours in these colours."""
    colours = list(map(str, review["colours"]))
    pattern = rf"\b({'|'.join(colours)})\b"
    return re.sub(pattern, lambda found: paint(found[0], colours.index(found[0])), line)


def summary(review: Review) -> str:
    """How long a game was, how it ended, and who won."""
    length, acts = minutes(review["ended"], review), len(review["course"]) - 1
    winners = " and ".join(review["colours"][seat] for seat in review["winners"]) or "nobody"
    return f"{length} of play, {acts} acts, won by {winners} ({review['ended_by']})"


def table(title: str, columns: Sequence[Column], review: Review) -> list[str]:
    """A line for each seat, below the heads of the columns."""
    names = [title, *(f"  seat {seat} {colour}" for seat, colour in enumerate(review["colours"]))]
    cells = [[head, *(cell(seat) for seat in review["seats"])] for head, cell in columns]
    filled = [[text.rjust(max(map(len, column))) for text in column] for column in cells]
    return ["  ".join([name.ljust(NAME), *row]) for name, *row in zip(names, *filled, strict=True)]


def section(title: str, entries: Sequence[Entry], tell: Callable[[Entry], str]) -> list[str]:
    """A list below its title; nothing where there is nothing to list."""
    return [title, *(line for entry in entries for line in wrapped(tell(entry)))] if entries else []


def wrapped(text: str) -> Iterator[str]:
    """A text as indented lines."""
    yield from textwrap.wrap(text, LINE_WIDTH, initial_indent="  ", subsequent_indent=" " * 8, break_on_hyphens=False)


def decisive(review: Review) -> list[Change]:
    """The acts that moved most points."""
    return foremost(review["changes"], lambda one: sum(map(abs, one["points"])))


def missed(review: Review) -> list[Chance]:
    """The longest of the chances that nobody took."""
    open_to_the_end = [one for one in review["chances"] if one["found_by"] is None]
    return foremost(open_to_the_end, lambda one: one["end"] - one["start"])


def brinks(review: Review) -> list[Danger]:
    """The longest times that a seat was one attack away from being open to a call."""
    return foremost([one for one in review["dangers"] if one["last"]], lambda one: one["end"] - one["start"])


def foremost(entries: Sequence[Entry], weight: Callable[[Entry], int]) -> list[Entry]:
    """The entries with the greatest weight, in the order that they have."""
    first = sorted(range(len(entries)), key=lambda number: -weight(entries[number]))[:MOST]
    return [entries[number] for number in sorted(first)]


def change(one: Change, review: Review) -> str:
    """An act that changed the scores."""
    points = [f"{review['colours'][seat]} {won:+d}" for seat, won in enumerate(one["points"]) if won]
    line = f"{minutes(one['at'], review)}  {names([one['seat']], review)} {', '.join(one['effects']).replace('_', ' ')}"
    return f"{line} ({', '.join(points)})"


def call(one: Call, review: Review) -> str:
    """A call of icehouse."""
    line = f"{minutes(one['at'], review)}  {names([one['seat']], review)}"
    if not one["found"]:
        return f"{line}: {one['verdict']}"
    waited = "" if one["waited"] is None else f" after {seconds(one['waited'])} s"
    pieces = f"{one['pieces']} piece{'' if one['pieces'] == 1 else 's'}"
    return f"{line} finds {names(one['found'], review)}{waited}, {pieces}"


def chance(one: Chance, review: Review) -> str:
    """A chance that nobody took."""
    callers = names(one["callers"], review)
    return f"{span(one, review)}: {callers} could have found {names([one['seat']], review)}"


def danger(one: Danger, review: Review) -> str:
    """A last defender in danger."""
    line = f"{span(one, review)}: {one['piece']} of {names([one['seat']], review)}"
    return f"{line}, by {names(one['by'], review)}{'; iced' if one['iced'] else ''}"


def span(one: Chance | Danger, review: Review) -> str:
    """From when to when something held."""
    start, end = one["start"], one["end"]
    return f"{minutes(start, review)} to {minutes(end, review)} ({seconds(end - start)} s)"


def names(seats: Sequence[int], review: Review) -> str:
    """Seats by their colours."""
    *some, last = (review["colours"][seat] for seat in seats)
    return f"{', '.join(some)} and {last}" if some else last


def minutes(at: int, review: Review) -> str:
    """A time in minutes and seconds since play began."""
    whole = (at - review["began"]) // 1000
    return f"{whole // 60}:{whole % 60:02d}"


def seconds(milliseconds: int | None) -> str:
    """A length of time in seconds; a dash where there is none."""
    return "-" if milliseconds is None else f"{milliseconds / 1000:.1f}"
