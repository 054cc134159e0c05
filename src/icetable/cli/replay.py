"""`icetable replay`: show a game from its record."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import icetable
from icetable.cli.files import STANDARD_OUTPUT, new_output
from icetable.cli.options import add_json, add_record
from icetable.cli.screen import picture
from icetable.core import record, record_text
from icetable.core.errors import BadRecord, GameError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from icetable.core.game import State

LONGEST = 10_000_000


def add_options(parser: ArgumentParser) -> None:
    add_record(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="show the position after each act")
    which.add_argument("--at", type=int, metavar="N", help="show the position after N acts")
    parser.add_argument(
        "--svg", metavar="FILE", help="also draw the position to a new SVG file; - is standard output, alone"
    )
    add_json(parser)


def run(chosen: Namespace) -> int:
    states = list(icetable.replay(read(chosen)).history())
    at = checked(chosen.at, states)
    if chosen.all:
        if chosen.svg is not None:
            raise GameError("--svg draws one position, so it does not go with --all")
        print("\n".join(map(in_json, states)) if chosen.json else "\n\n".join(map(show, states)))
        return 0
    state = states[-1 if at is None else at]
    if chosen.svg is not None:
        draw_to_file(state, chosen.svg)
    if chosen.svg != STANDARD_OUTPUT:
        print(in_json(state) if chosen.json else show(state))
    return 0


def checked(at: int | None, states: list[State]) -> int | None:
    """The number of acts that `--at` gives, if a record has so many. Raises GameError."""
    acts = len(states) - 1
    if at is not None and not 0 <= at <= acts:
        raise GameError(f"--at is a whole number from 0 to {acts}, as many acts as the record has, not {at}")
    return at


def read(chosen: Namespace) -> str:
    """The record that a command line names: of a file, or of standard input for `-`. Raises BadRecord."""
    name = chosen.record
    try:
        if name == "-":
            content = sys.stdin.buffer.read(LONGEST + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no file has such a name"
        raise BadRecord(f"{name!r} can't be read: {reason}") from None
    if len(content) > LONGEST:
        raise BadRecord(f"{name!r} is too long for a record: over {LONGEST} bytes")
    try:
        text = record_text.decoded(content)
    except BadRecord as error:
        raise BadRecord(f"{name!r}: {error}") from None
    if chosen.number is not None:
        return record_text.select_record(text, chosen.number)
    if len(starts := record_text.starts_of(text)) > 1:
        raise BadRecord(f"{name!r}: {record_text.counted(starts)}; --number says which one is meant")
    return text


def show(state: State) -> str:
    """A position with its last act, and with the result if the game is over."""
    parts = ["the beginning" if state.parent is None else record.act_line(state), "", picture(state)]
    return "\n".join([*parts, record.end_line(state)] if state.is_terminal else parts)


def in_json(state: State) -> str:
    """A position with its last act, as a line of JSON: what a watcher sees."""
    effects = [asdict(effect) for effect in state.effects]
    return json.dumps({"act": state.act, "seat": state.seat, "at": state.at, "effects": effects, "view": state.view()})


def draw_to_file(state: State, name: str) -> None:
    """Draw a position to a new file, or to standard output for `-`.

    Raises GameError where the game has no such drawing or the file exists.
    """
    drawing = state.game.svg(state.view())
    new_output(name, "drawing")(drawing)
