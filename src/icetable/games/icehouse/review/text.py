"""A review as text for a terminal: tables of the seats, decisive acts, calls and missed calls."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from icetable.core.game import LINE_WIDTH

if TYPE_CHECKING:
    from icetable.core.game import Paint
    from icetable.games.icehouse.review.parts import Call, Chance, Change, Danger, Review, Seat

MAX_ENTRIES = 8
"""The maximum number of entries in a list: the most important ones, in order of time."""
NAME_WIDTH = 16
"""The width of the column of seats."""

Entry = TypeVar("Entry")
Column = tuple[str, Callable[["Seat"], str]]
"""The head of a column, and the function for a seat's cell."""

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
    ("quickest five", lambda seat: seconds(seat["quickest"])),
    ("answer", lambda seat: seconds(seat["answer"])),
    ("in danger", lambda seat: seconds(seat["endangered"])),
    ("open", lambda seat: seconds(seat["open"])),
)


def lines(review: Review, paint: Paint) -> list[str]:
    """A review as text. Times are minutes and seconds since play began."""
    parts = (
        [summary(review)],
        table("Points", POINTS, review),
        table("Pieces", PIECES, review),
        table("Times in seconds", TIMES, review),
        section("What changed most", decisive(review), lambda entry: change(entry, review)),
        section("Calls", review["calls"], lambda entry: call(entry, review)),
        section("Missed calls", missed(review), lambda entry: chance(entry, review)),
        section("Last defenders in danger", brinks(review), lambda entry: danger(entry, review)),
    )
    return [painted(line, review, paint) for part in parts if part for line in ["", *part]][1:]


def painted(line: str, review: Review, paint: Paint) -> str:
    """A line with the names of colours painted."""
    colours = list(map(str, review["colours"]))
    pattern = rf"\b({'|'.join(colours)})\b"
    return re.sub(pattern, lambda found: paint(found[0], colours.index(found[0])), line)


def summary(review: Review) -> str:
    """The length of the game, its winners and its end."""
    length, acts = minutes(review["ended"], review), len(review["course"]) - 1
    winners = " and ".join(review["colours"][seat] for seat in review["winners"]) or "nobody"
    return f"{length} of play, {acts} acts, won by {winners} ({review['ended_by']})"


def table(title: str, columns: Sequence[Column], review: Review) -> list[str]:
    """The heads of the columns, and a line per seat."""
    names = [title, *(f"  seat {seat} {colour}" for seat, colour in enumerate(review["colours"]))]
    cells = [[head, *(cell(seat) for seat in review["seats"])] for head, cell in columns]
    filled = [[text.rjust(max(map(len, column))) for text in column] for column in cells]
    return ["  ".join([name.ljust(NAME_WIDTH), *row]) for name, *row in zip(names, *filled, strict=True)]


def section(title: str, entries: Sequence[Entry], describe: Callable[[Entry], str]) -> list[str]:
    """A title and a list; nothing for an empty list."""
    return [title, *(line for entry in entries for line in wrapped(describe(entry)))] if entries else []


def wrapped(text: str) -> Iterator[str]:
    """A text as indented lines."""
    yield from textwrap.wrap(text, LINE_WIDTH, initial_indent="  ", subsequent_indent=" " * 8, break_on_hyphens=False)


def decisive(review: Review) -> list[Change]:
    """The acts that changed the scores most."""
    return heaviest(review["changes"], lambda entry: sum(map(abs, entry["points"])))


def missed(review: Review) -> list[Chance]:
    """The longest chances that nobody took."""
    open_to_the_end = [entry for entry in review["chances"] if entry["found_by"] is None]
    return heaviest(open_to_the_end, lambda entry: entry["end"] - entry["start"])


def brinks(review: Review) -> list[Danger]:
    """The longest dangers in which a seat was one attack away from being open to a call."""
    return heaviest([item for item in review["dangers"] if item["last"]], lambda item: item["end"] - item["start"])


def heaviest(entries: Sequence[Entry], weight: Callable[[Entry], int]) -> list[Entry]:
    """The entries with the greatest weight, in their given order."""
    first = sorted(range(len(entries)), key=lambda number: -weight(entries[number]))[:MAX_ENTRIES]
    return [entries[number] for number in sorted(first)]


def change(act: Change, review: Review) -> str:
    points = [f"{review['colours'][seat]} {won:+d}" for seat, won in enumerate(act["points"]) if won]
    line = f"{minutes(act['at'], review)}  {names([act['seat']], review)} {', '.join(act['effects']).replace('_', ' ')}"
    return f"{line} ({', '.join(points)})"


def call(entry: Call, review: Review) -> str:
    line = f"{minutes(entry['at'], review)}  {names([entry['seat']], review)}"
    if not entry["found"]:
        return f"{line}: {entry['verdict']}"
    waited = "" if entry["waited"] is None else f" after {seconds(entry['waited'])} s"
    pieces = f"{entry['pieces']} piece{'' if entry['pieces'] == 1 else 's'}"
    return f"{line} finds {names(entry['found'], review)}{waited}, {pieces}"


def chance(entry: Chance, review: Review) -> str:
    callers = names(entry["callers"], review)
    return f"{span(entry, review)}: {callers} could have found {names([entry['seat']], review)}"


def danger(entry: Danger, review: Review) -> str:
    line = f"{span(entry, review)}: {entry['piece']} of {names([entry['seat']], review)}"
    return f"{line}, by {names(entry['by'], review)}{'; iced' if entry['iced'] else ''}"


def span(entry: Chance | Danger, review: Review) -> str:
    """An interval and its length."""
    start, end = entry["start"], entry["end"]
    return f"{minutes(start, review)} to {minutes(end, review)} ({seconds(end - start)} s)"


def names(seats: Sequence[int], review: Review) -> str:
    """The colours of seats."""
    *some, last = (review["colours"][seat] for seat in seats)
    return f"{', '.join(some)} and {last}" if some else last


def minutes(at: int, review: Review) -> str:
    """A time in minutes and seconds since play began."""
    whole = (at - review["began"]) // 1000
    return f"{whole // 60}:{whole % 60:02d}"


def seconds(milliseconds: int | None) -> str:
    """A duration in seconds; a dash for None."""
    return "-" if milliseconds is None else f"{milliseconds / 1000:.1f}"
