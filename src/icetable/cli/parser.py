"""The command line: its commands. The options of each stand in its module, beside what it does."""

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
    "env": "describe a game's actions and observations, for programs that learn",
    "replay": "show a game from its record",
    "analyse": "tell what a position of a record is worth, and what may be played there",
    "review": "tell what of a game's result was luck, and which acts cost most",
    "puzzles": "find positions in which one act is right",
    "verify": "check a table's record against the rules and the commitment to chance",
    "check": "try a game of the workshop: random games in all its options, and every promise of a game",
    "new": "write the file of a new game, to begin with",
    "demo": "play a game of random acts and show its end",
    "perft": "count the sequences of acts of a given length",
    "train": "learn the weights of a game's evaluation",
    "solve": "find the result of perfect play",
    "bench": "measure the speed of games on this machine",
    "lab": "study a game by games between bots: balance, length, luck, depth, readings of its rules",
    "warmup": "compile the rules and the bots now instead of at the first table",
    "admin": "look after the tables of a server: list, hide and delete them, block addresses, announce",
    "backup": "copy the file of the tables, also while a server runs",
    "copy": "move the tables between SQLite and PostgreSQL, and compare every row",
    "completion": "print a script that lets a shell complete commands",
}


class Version(argparse.Action):
    """Print the version and exit. Only this option takes the time to read the version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"icetable {version('icetable')}")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser that says what may be meant by a mistyped word."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from icetable.core.options import allowed_for, short_repr

            raise argparse.ArgumentError(action, f"not {short_repr(value)}; {allowed_for(value, list(action.choices))}")


def build(asked: Collection[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """The parser of the whole command. Only commands that are `asked` for have options: modules load slowly."""
    parser = Parser(
        prog="icetable",
        description="Play and study games with Looney pyramids: tables in the browser, rules, bots, and tools.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, about in COMMANDS.items():
        is_asked = name in asked
        command = commands.add_parser(
            name, help=about, description=sentence(about), allow_abbrev=False, add_help=is_asked
        )
        if is_asked:
            import_module(f"icetable.cli.{name}").add_options(command)
    return parser
