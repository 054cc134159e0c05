"""`icetable env`: the meaning of the numbers in a game's environment."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from icetable.cli.choosing import game_of
from icetable.cli.options import add_game_options, add_json
from icetable.envs.reference import numbers_of, page_of

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    game = game_of(args)
    if args.json:
        print(json.dumps(numbers_of(game), indent=1))
    else:
        print(page_of(game), end="")
    return 0
