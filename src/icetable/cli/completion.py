"""`icetable completion`: a script with which a shell completes commands, options, games and files."""

from __future__ import annotations

from argparse import _SubParsersAction
from typing import TYPE_CHECKING

import shtab

from icetable import games
from icetable.cli.parser import build

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

SHELLS = ("bash", "zsh", "fish")
OF_FILES = ("FILE", "DIR", "OUT", "RECORD")
"""What options and arguments that name files are called."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(chosen: Namespace) -> int:
    whole = build()
    suggest_in(whole)
    print(shtab.complete(whole, chosen.shell))
    return 0


def suggest_in(parser: ArgumentParser) -> None:
    """Let the words of a command and of its commands be completed: games by their names, files by what is there."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                suggest_in(command)
        elif action.metavar == "GAME":
            action.choices = [info.name for info in games.list_games()]
        elif action.metavar in OF_FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
