"""`icetable env`: what the numbers of a game's environment mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.cli.choosing import game_of
from icetable.cli.options import add_game_options
from icetable.envs.describe import page_of

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)


def run(chosen: Namespace) -> int:
    print(page_of(game_of(chosen)), end="")
    return 0
