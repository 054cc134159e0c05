"""`icetable demo`: a random game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.cli.choosing import game_of
from icetable.cli.files import STANDARD_OUTPUT, new_output
from icetable.cli.options import add_game_options, add_json
from icetable.cli.replay import draw_to_file, in_json, show
from icetable.core.daemons import wait_for
from icetable.core.errors import GameError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="a seed, to repeat a game")
    parser.add_argument(
        "--record", metavar="FILE", help="write the record of the game to a new file; - is standard output"
    )
    parser.add_argument(
        "--svg", metavar="FILE", help="also draw the final position to a new SVG file; - is standard output, alone"
    )
    add_json(parser)


def run(args: Namespace) -> int:
    game = game_of(args)
    if args.seed is not None and args.seed < 0:
        raise GameError(f"--seed is a whole number from 0 up, not {args.seed}")
    outputs = (args.record, args.svg)
    if outputs == (STANDARD_OUTPUT, STANDARD_OUTPUT):
        raise GameError("only one of --record and --svg can be -, standard output")
    if args.svg is not None:
        game.svg(game.start().view())  # fails before the game is played if it has no SVG drawing
    record = None if args.record is None else new_output(args.record, "record")
    last = wait_for(lambda: game.random_game(np.random.default_rng(args.seed)))
    if record is not None:
        record(last.record())
    if args.svg is not None:
        draw_to_file(last, args.svg)
    if STANDARD_OUTPUT not in outputs:
        print(in_json(last) if args.json else show(last))
    return 0
