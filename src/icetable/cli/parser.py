"""The command line and its commands, whose options are defined in their own modules."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import TYPE_CHECKING, Any

from icetable.cli.options import sentence

if TYPE_CHECKING:
    from collections.abc import Collection

EPILOG = "'icetable COMMAND --help' describes a command."

COMMANDS = {
    "play": "open a table in the browser, or play in the terminal",
    "serve": "run a server for other people, as described in docs/running.md",
    "games": "list the games with their options",
    "rules": "print the rules of a game",
    "env": "describe a game's actions and observations, for learning programs",
    "replay": "show a game from its record",
    "analyse": "evaluate a position of a record and its legal acts",
    "review": "separate luck from play in a game's result, and list the costliest acts",
    "puzzles": "find positions with a single right act",
    "verify": "check a table's record against the rules and the commitment to chance",
    "check": "test a workshop game: random games with all its options, against every promise of a game",
    "new": "create the file of a new game, as a starting point",
    "demo": "play a random game and show its end",
    "perft": "count the sequences of acts of a given length",
    "train": "learn the weights of a game's evaluation",
    "solve": "find the result of perfect play",
    "bench": "measure the speed of games on this machine",
    "lab": "study a game by games between bots: balance, length, luck, depth, readings of its rules",
    "warmup": "compile the rules and the bots now instead of at the first table",
    "admin": "manage the tables of a server: list, hide and delete them, block addresses, announce",
    "backup": "copy the tables' file, also while a server runs",
    "copy": "move the tables between SQLite and PostgreSQL, and compare every row",
    "completion": "print a script that lets a shell complete commands",
}


class Version(argparse.Action):
    """Print the version and exit. Reading the version is slow, so no other option does it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from icetable.version import version

        print(f"icetable {version()}")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser that suggests corrections for mistyped words."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from icetable.core.options import allowed_for, short_repr

            raise argparse.ArgumentError(action, f"not {short_repr(value)}; {allowed_for(value, list(action.choices))}")


def build(needed: Collection[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """Build the parser of the whole command. Only `needed` commands have options, as their modules load slowly."""
    parser = Parser(
        prog="icetable",
        description="Play and study games with Looney pyramids: tables in the browser, rules, bots, and tools.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, about in COMMANDS.items():
        is_needed = name in needed
        command = commands.add_parser(
            name, help=about, description=sentence(about), allow_abbrev=False, add_help=is_needed
        )
        if is_needed:
            import_module(f"icetable.cli.{name}").add_options(command)
    return parser
