"""A review as text for a terminal."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from icetable.core.game import LINE_WIDTH
from icetable.games.icehouse.review.page import minutes, page_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from icetable.core.game import Paint
    from icetable.games.icehouse.review.page import Chapter, Table
    from icetable.games.icehouse.review.parts import Review

MAX_ITEMS = 8
"""The maximum number of moments in a chapter: its first ones."""
TITLE_WIDTH = 16
"""The width of the column of titles."""
PLAIN = str.maketrans({"\N{NO-BREAK SPACE}": " ", "–": "-"})


def lines(review: Review, paint: Paint) -> list[str]:
    """A review as text. Players are called by their colours, and times are minutes and seconds since play began."""
    page, colours = page_of(review), [*map(str, review["colours"])]
    chapters = [chapter for chapter in page["chapters"] if chapter["items"]]
    parts = (
        [named(page["summary"], colours)],
        *([table["title"], *rows(table, colours)] for table in page["tables"]),
        *([chapter["title"], *moments(chapter, colours)] for chapter in chapters),
    )
    return [painted(line, colours, paint) for part in parts for line in ["", *part]][1:]


def rows(table: Table, colours: Sequence[str]) -> Iterator[str]:
    """The players, and a line per figure."""
    width = max(7, *map(len, colours))
    for title, *cells in (("", *colours), *((row["name"], *row["figures"]) for row in table["rows"])):
        yield f"  {title.ljust(TITLE_WIDTH)}{''.join(cell.rjust(width + 1) for cell in cells)}".rstrip()


def moments(chapter: Chapter, colours: Sequence[str]) -> Iterator[str]:
    """A sentence per moment, in indented lines."""
    for item in chapter["items"][:MAX_ITEMS]:
        text = f"{minutes(item['at'])}  {named(item['text'], colours)}"
        yield from textwrap.wrap(
            text, LINE_WIDTH, initial_indent="  ", subsequent_indent=" " * 8, break_on_hyphens=False
        )
    if len(chapter["items"]) > MAX_ITEMS:
        yield f"  and {len(chapter['items']) - MAX_ITEMS} more"


def named(text: str, colours: Sequence[str]) -> str:
    """A sentence with the colours in place of the players."""
    return re.sub(r"\{(\d+)((?:'s)?(?: own)?)\}", lambda found: colours[int(found[1])] + found[2], text)


def painted(line: str, colours: Sequence[str], paint: Paint) -> str:
    """A line with the names of colours painted."""
    pattern = rf"\b({'|'.join(colours)})\b"
    return re.sub(pattern, lambda found: paint(found[0], colours.index(found[0])), line.translate(PLAIN))
