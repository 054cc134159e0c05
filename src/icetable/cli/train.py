"""`icetable train`: learn the weights of a game's evaluation."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from icetable.bots.training import train
from icetable.cli.choosing import game_of
from icetable.cli.options import add_game_options, add_json, add_workers
from icetable.cli.screen import say
from icetable.cli.workers import workers
from icetable.core.daemons import wait_for
from icetable.core.errors import GameError
from icetable.core.numbers import check_whole
from icetable.core.turns import TurnGame
from icetable.core.weights import save
from icetable.core.workers import processes
from icetable.version import version

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from icetable.kernels.jit import Floats

LOSS_REPORTS = 20
"""Number of times that the loss is printed."""
HASHED_AFTER_GAMES = 32
"""The weights after this number of games are hashed, to check early whether another run learns the same."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--games", type=int, default=4000, metavar="N", help="number of games (default: %(default)s)")
    parser.add_argument(
        "--simulations", type=int, default=100, metavar="N", help="simulations per search (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    add_workers(parser, "games to play at a time")
    parser.add_argument(
        "--out", metavar="FILE", help="the file of the weights, shared with other settings (default: GAME.npz)"
    )
    add_json(parser)


def run(args: Namespace) -> int:
    check_whole("jobs", args.jobs, 1)
    game = game_of(args)
    if not isinstance(game, TurnGame):
        raise GameError(f"only turn-based games have weights, not {game.info.title}")
    out = Path(args.out or f"{game.info.name}.npz")
    losses: list[float] = []
    beginning = ""
    with workers(args, processes) as executor:
        steps = train(game, args.games, args.simulations, args.seed, executor)
        while (step := wait_for(partial(next, steps, None))) is not None:
            losses.append(step.loss)
            if step.games >= HASHED_AFTER_GAMES and not beginning:
                beginning = hash_of(step.weights)
                say(args, f"after {step.games} games: {beginning}", games=step.games, beginning=beginning)
            if (
                step.games * LOSS_REPORTS // args.games > (step.games - 1) * LOSS_REPORTS // args.games
                or step.games == args.games
            ):
                loss = sum(losses) / len(losses)
                say(args, f"{step.games} games, loss {loss:.4f}", games=step.games, loss=loss)
                losses.clear()
            weights = step.weights
    metadata = {
        "options": dict(game.options),
        "games": args.games,
        "simulations": args.simulations,
        "seed": args.seed,
        "version": version(),
        "beginning": beginning,
    }
    save(out, game.setting, weights, metadata)
    say(args, f"The weights for {game.setting} are in {out}.", setting=game.setting, out=str(out))
    return 0


def hash_of(weights: Floats) -> str:
    """A short hash of weights."""
    return hashlib.sha256(weights.tobytes()).hexdigest()[:16]
