"""`icetable demo`: a game of random acts."""

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
        "--svg", metavar="FILE", help="also draw the end to a new SVG file; - is standard output, alone"
    )
    add_json(parser)


def run(chosen: Namespace) -> int:
    game = game_of(chosen)
    if chosen.seed is not None and chosen.seed < 0:
        raise GameError(f"--seed is a whole number from 0 up, not {chosen.seed}")
    written = (chosen.record, chosen.svg)
    if written == (STANDARD_OUTPUT, STANDARD_OUTPUT):
        raise GameError("only one of --record and --svg can be -, standard output")
    if chosen.svg is not None:
        game.svg(game.start().view())  # refuse at once where the game has no such drawing
    record = None if chosen.record is None else new_output(chosen.record, "record")
    last = wait_for(lambda: game.random_game(np.random.default_rng(chosen.seed)))
    if record is not None:
        record(last.record())
    if chosen.svg is not None:
        draw_to_file(last, chosen.svg)
    if STANDARD_OUTPUT not in written:
        print(in_json(last) if chosen.json else show(last))
    return 0
