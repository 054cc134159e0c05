"""`icetable completion`: a shell script that completes commands, options, games and files."""

from __future__ import annotations

from argparse import _SubParsersAction
from typing import TYPE_CHECKING

import shtab

from icetable import games
from icetable.bots.levels import levels
from icetable.cli.parser import build

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

SHELLS = ("bash", "zsh", "fish")
FILE_METAVARS = ("FILE", "DIR", "OUT", "RECORD")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(args: Namespace) -> int:
    parser = build()
    add_completions(parser)
    print(shtab.complete(parser, args.shell))
    return 0


def unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def add_completions(parser: ArgumentParser) -> None:
    """Complete the names of games, levels, presets, options and files in a command and its subcommands."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                add_completions(command)
        elif action.metavar == "GAME":
            action.choices = [info.name for info in games.list_games()]
        elif "--level" in action.option_strings:
            action.choices = unique(level.name for info in games.list_games() for level in levels(info))
        elif "--preset" in action.option_strings:
            action.choices = unique(preset for info in games.list_games() for preset in info.presets)
        elif "--option" in action.option_strings:
            action.choices = unique(f"{option.name}=" for info in games.list_games() for option in info.options)
        elif action.metavar in FILE_METAVARS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
