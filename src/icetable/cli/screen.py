"""Colours and drawings in a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.drawing import Paint
    from icetable.core.game import GameInfo, State

INKS = {
    "red": "91",
    "green": "92",
    "blue": "94",
    "yellow": "93",
    "cyan": "96",
    "orange": "38;5;208",
    "purple": "95",
    "white": "97",
}
BOLD = "1"

SEAT = re.compile(r"((?:[Ss]eat|\b(?:out|turn|wins|controls [a-z]\d)) )(\d)|(?<!\d)(\d)(?=[A-Z])")
"""A seat number in a game's words and effects, and in the name of a pyramid: `seat 0`, `turn 0`, `0L`."""


def has_colours() -> bool:
    """Whether the output is a terminal with colours that are not turned off."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def in_ink(text: str, ink: str) -> str:
    """Format a text in a colour or in bold, in a terminal with colours."""
    return f"\x1b[{ink}m{text}\x1b[0m" if has_colours() else text


def say(args: Namespace, text: str, **results: object) -> None:
    """Print a sentence, or with --json the results as a line of JSON."""
    print(json.dumps(results) if args.json else text, flush=True)


def painter(info: GameInfo) -> Paint:
    """The `Paint` with the colours of a game's seats."""
    return lambda text, seat: in_ink(text, INKS.get(info.colours[seat], BOLD))


def counted_from_one(text: str) -> str:
    """Renumber the seats in a text for people, who count from 1; records and programs count from 0."""
    return SEAT.sub(lambda found: f"{found[1] or ''}{int(found[2] or found[3]) + 1}", text)


def wipe() -> None:
    """Clear the terminal and its scrollback."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        print("\x1b[H\x1b[2J\x1b[3J", end="")


def picture(state: State, seat: int | None = None) -> str:
    """Draw a position as seen by a seat, or by a watcher for None, with the spaces that the last act touched marked."""
    touched = {space for effect in state.effects for space in effect.spaces}
    return state.game.draw(state.view(seat), touched, painter(state.game.info))
