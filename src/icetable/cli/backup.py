"""`icetable backup`: copy the tables, also while a server runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from icetable.cli.failure import Failure
from icetable.cli.files import new_file
from icetable.cli.options import add_database, add_json
from icetable.cli.screen import say
from icetable.server.store import is_postgres
from icetable.server.store.admin import NoBackup, back_up

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(parser: ArgumentParser) -> None:
    add_database(parser, "FILE", "the SQLite file of the tables")
    parser.add_argument("copy", metavar="OUT", help="a new file; to restore it, start a server on it")
    add_json(parser)


def run(args: Namespace) -> int:
    if is_postgres(args.db):
        raise Failure("a PostgreSQL database is copied with pg_dump, as docs/running.md shows")
    copy = new_file(args.copy, "copy")
    try:
        tables = back_up(Path(args.db), copy)
    except NoBackup as error:
        copy.unlink()
        raise Failure(str(error)) from None
    text = f"The copy is in {copy}: {tables} table{'' if tables == 1 else 's'}, and the file is sound."
    say(args, text, copy=str(copy), tables=tables)
    return 0
