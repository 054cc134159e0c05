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

MAX_RECORD_BYTES = 10_000_000


def add_options(parser: ArgumentParser) -> None:
    add_record(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="show the position after each act")
    which.add_argument("--at", type=int, metavar="N", help="show the position after N acts")
    parser.add_argument(
        "--svg", metavar="FILE", help="also draw the position to a new SVG file; - is standard output, alone"
    )
    add_json(parser)


def run(args: Namespace) -> int:
    states = list(icetable.replay(read(args)).history())
    at = checked(args.at, states)
    if args.all:
        if args.svg is not None:
            raise GameError("--svg draws one position, so it can't be combined with --all")
        print("\n".join(map(in_json, states)) if args.json else "\n\n".join(map(show, states)))
        return 0
    state = states[-1 if at is None else at]
    if args.svg is not None:
        draw_to_file(state, args.svg)
    if args.svg != STANDARD_OUTPUT:
        print(in_json(state) if args.json else show(state))
    return 0


def checked(at: int | None, states: list[State]) -> int | None:
    """Check the value of `--at`. Raises GameError."""
    acts = len(states) - 1
    if at is not None and not 0 <= at <= acts:
        raise GameError(f"--at is a whole number from 0 to {acts}, the number of acts in the record, not {at}")
    return at


def read(args: Namespace) -> str:
    """Read the record of a command line from a file, or from standard input for `-`. Raises BadRecord."""
    name = args.record
    try:
        if name == "-":
            content = sys.stdin.buffer.read(MAX_RECORD_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(MAX_RECORD_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "invalid file name"
        raise BadRecord(f"{name!r} can't be read: {reason}") from None
    if len(content) > MAX_RECORD_BYTES:
        raise BadRecord(f"{name!r} is too long for a record: over {MAX_RECORD_BYTES} bytes")
    try:
        text = record_text.decoded(content)
    except BadRecord as error:
        raise BadRecord(f"{name!r}: {error}") from None
    if args.number is not None:
        return record_text.select_record(text, args.number)
    if len(starts := record_text.starts_of(text)) > 1:
        raise BadRecord(f"{name!r}: {record_text.counted(starts)}; choose one with --number")
    return text


def show(state: State) -> str:
    """Format a position with its last act, and with the result if the game is over."""
    parts = ["the beginning" if state.parent is None else record.act_line(state), "", picture(state)]
    return "\n".join([*parts, record.end_line(state)] if state.is_terminal else parts)


def in_json(state: State) -> str:
    """A watcher's view of a position with its last act, as a line of JSON."""
    effects = [asdict(effect) for effect in state.effects]
    return json.dumps({"act": state.act, "seat": state.seat, "at": state.at, "effects": effects, "view": state.view()})


def draw_to_file(state: State, name: str) -> None:
    """Draw a position to a new file, or to standard output for `-`.

    Raises GameError if the game has no SVG drawing or the file exists.
    """
    drawing = state.game.svg(state.view())
    new_output(name, "drawing")(drawing)
