"""Options shared by several commands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="the file of the record, or - for standard input")
    parser.add_argument("--number", type=int, metavar="N", help="which record of a file that has several (from 1)")


def add_search(parser: argparse.ArgumentParser, simulations: int) -> None:
    parser.add_argument(
        "--simulations",
        type=int,
        default=simulations,
        metavar="N",
        help="the simulations of each search (default: %(default)s)",
    )
    add_json(parser)


def add_database(parser: argparse.ArgumentParser, metavar: str, what: str) -> None:
    """Add the database, which is by default that of the server's variable."""
    default = os.environ.get("ICETABLE_DB") or None
    what += " (default: the variable ICETABLE_DB)"
    parser.add_argument("--db", default=default, required=default is None, metavar=metavar, help=what)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def add_game_options(parser: argparse._ActionsContainer) -> None:
    """Add the options, the preset and the number of players of a game."""
    parser.add_argument("--players", metavar="N", help="the number of players")
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    parser.add_argument("--preset", metavar="P", help="a named set of the game's options")


def add_workers(parser: argparse.ArgumentParser, jobs: str) -> None:
    """Add the number of jobs and the cluster. `jobs`: a description of the jobs."""
    workers = parser.add_mutually_exclusive_group()
    workers.add_argument("--jobs", type=int, default=1, metavar="N", help=f"{jobs} (default: 1)")
    workers.add_argument("--cluster", metavar="ADDRESS", help="use the workers of this Dask scheduler instead")


def sentence(about: str) -> str:
    """Turn the description of a command into a sentence."""
    return f"{about[0].upper()}{about[1:]}."
