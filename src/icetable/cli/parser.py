"""The command line: its commands, with the modules that define their options and run them."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

EPILOG = "'icetable COMMAND --help' describes a command."

COMMANDS = {
    "play": ("server", "open a table in the browser, or play in the terminal"),
    "serve": ("server", "run a server for other people, as described in docs/running.md"),
    "games": ("games", "list the games with their options"),
    "rules": ("games", "print the rules of a game"),
    "env": ("games", "describe a game's actions and observations, for learning programs"),
    "replay": ("records", "show a game from its record"),
    "analyse": ("records", "evaluate a position of a record and its legal acts"),
    "review": ("records", "separate luck from play in a game's result, and list the costliest acts"),
    "puzzles": ("engine", "find positions with a single right act"),
    "verify": ("records", "check a table's record against the rules and the commitment to chance"),
    "check": ("games", "test a workshop game: random games with all its options, against every promise of a game"),
    "new": ("games", "create the file of a new game, as a starting point"),
    "demo": ("records", "play a random game and show its end"),
    "perft": ("engine", "count the sequences of acts of a given length"),
    "train": ("engine", "learn the weights of a game's evaluation"),
    "solve": ("engine", "find the result of perfect play"),
    "bench": ("engine", "measure the speed of games on this machine"),
    "lab": ("lab", "study a game by games between bots: balance, length, luck, depth, readings of its rules"),
    "warmup": ("engine", "compile the rules and the bots now instead of at the first table"),
    "admin": ("admin", "manage the tables of a server: list, hide and delete them, block addresses, announce"),
    "backup": ("admin", "copy the tables' file, also while a server runs"),
    "copy": ("admin", "move the tables between SQLite and PostgreSQL, and compare every row"),
    "completion": ("games", "print a script that lets a shell complete commands"),
}
"""For each command its module, which has `add_NAME_options` and `run_NAME`, and what it does."""


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
    for name, (_, about) in COMMANDS.items():
        is_needed = name in needed
        command = commands.add_parser(
            name, help=about, description=sentence(about), allow_abbrev=False, add_help=is_needed
        )
        if is_needed:
            definition(name, "add_{}_options")(command)
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command of a parsed command line, and return the exit code."""
    return int(definition(args.command, "run_{}")(args))


def definition(command: str, form: str) -> Callable[..., Any]:
    """A function of a command's module, which is imported on use; `form` is its name, with {} for the command's."""
    function: Callable[..., Any] = getattr(import_module(f"icetable.cli.{COMMANDS[command][0]}"), form.format(command))
    return function


def sentence(about: str) -> str:
    """Turn the description of a command into a sentence."""
    return f"{about[0].upper()}{about[1:]}."
