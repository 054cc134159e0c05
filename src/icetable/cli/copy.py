"""`icetable copy`: move the tables into another database."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from icetable.cli.failure import Failure
from icetable.cli.options import add_json
from icetable.cli.screen import say
from icetable.server.store.copying import copy
from icetable.server.store.errors import StoreError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="the tables' SQLite file or PostgreSQL URL; stop the server")
    parser.add_argument("target", metavar="TO", help="a new SQLite file, or the URL of an empty PostgreSQL database")
    add_json(parser)


def run(args: Namespace) -> int:
    try:
        found = copy(args.source, args.target, show_progress if sys.stderr.isatty() else lambda *_: None)
    except StoreError as error:
        raise Failure(str(error)) from None
    text = (
        f"Copied: tables {found.tables}, acts {found.entries}, rows of all kinds {found.rows}. All were read back from"
        " both databases and are equal."
    )
    say(args, text, **found._asdict())
    return 0


def show_progress(what: str, done: int, rows: int) -> None:
    """Show the progress in one line of the terminal, and clear it at the end of each pass."""
    text = f"{what} {done} of {rows} rows"
    print(f"\r{text if done < rows else ' ' * len(text)}\r", end="", file=sys.stderr, flush=True)
