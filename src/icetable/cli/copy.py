"""`icetable copy`: move the tables to another database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.cli.failure import Failure
from icetable.cli.options import add_json
from icetable.cli.screen import say
from icetable.server.store.copying import copy
from icetable.server.store.errors import StoreError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="the SQLite file or PostgreSQL URL of the tables")
    parser.add_argument("target", metavar="TO", help="the same of a database where no tables are yet")
    add_json(parser)


def run(chosen: Namespace) -> int:
    try:
        copied = copy(chosen.source, chosen.target)
    except StoreError as error:
        raise Failure(str(error)) from None
    text = f"Copied and compared: {copied.tables} tables with {copied.entries} entries, all equal."
    say(chosen, text, tables=copied.tables, entries=copied.entries)
    return 0
