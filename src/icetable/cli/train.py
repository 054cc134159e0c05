"""`icetable train`: learn the weights of a game's evaluation."""

from __future__ import annotations

import hashlib
from functools import partial
from importlib.metadata import version
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

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from icetable.kernels.jit import Floats

TOLD = 20
"""How often the loss is printed."""
BEGINNING = 32
"""The weights after so many games are kept as a hash, so that others can tell soon whether they learn the same."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--games", type=int, default=4000, metavar="N", help="how many to play (default: %(default)s)")
    parser.add_argument(
        "--simulations", type=int, default=100, metavar="N", help="of each search (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    add_workers(parser, "games to play at a time")
    parser.add_argument(
        "--out", metavar="FILE", help="where to keep the weights, beside those of other settings (default: GAME.npz)"
    )
    add_json(parser)


def run(chosen: Namespace) -> int:
    check_whole("jobs", chosen.jobs, 1)
    game = game_of(chosen)
    if not isinstance(game, TurnGame):
        raise GameError(f"weights are for games of turns, not for {game.info.title}")
    out = Path(chosen.out or f"{game.info.name}.npz")
    losses: list[float] = []
    beginning = ""
    with workers(chosen, processes) as where:
        steps = train(game, chosen.games, chosen.simulations, chosen.seed, where)
        while (step := wait_for(partial(next, steps, None))) is not None:
            losses.append(step.loss)
            if step.games >= BEGINNING and not beginning:
                beginning = hash_of(step.weights)
                say(chosen, f"after {step.games} games: {beginning}", games=step.games, beginning=beginning)
            if (
                step.games * TOLD // chosen.games > (step.games - 1) * TOLD // chosen.games
                or step.games == chosen.games
            ):
                loss = sum(losses) / len(losses)
                say(chosen, f"{step.games} games, loss {loss:.4f}", games=step.games, loss=loss)
                losses.clear()
            weights = step.weights
    made = {
        "options": dict(game.options),
        "games": chosen.games,
        "simulations": chosen.simulations,
        "seed": chosen.seed,
        "version": version("icetable"),
        "beginning": beginning,
    }
    save(out, game.setting, weights, made)
    say(chosen, f"The weights for {game.setting} are in {out}.", setting=game.setting, out=str(out))
    return 0


def hash_of(weights: Floats) -> str:
    """A few digits that tell weights apart."""
    return hashlib.sha256(weights.tobytes()).hexdigest()[:16]
