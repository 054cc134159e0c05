#!/usr/bin/env python3
"""How strong our search is: matches from different openings, each played in every seat.

The best search we know meets `anchor`, the same search in a style that never changes; `pure`, plain UCT with random
playouts; `openspiel`, the MCTS of OpenSpiel on the same positions, with random playouts too; or `random`; or `greedy`,
the player of that name that the game's tests know. All searches make as many simulations, or think as long. A process
plays one game at a time, in one thread.
"""

from __future__ import annotations

import json
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from measure import chosen_game, report

from icetable.bots.search import INFORMED, PURE, search
from icetable.core.game import CHANCE, Action
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels.layout import shares_of
from icetable.lab import Plan
from icetable.lab.blocks import BlockChance, openings
from icetable.lab.intervals import mean
from icetable.lab.ladders import elo_of
from icetable.lab.streams import seed_of

if TYPE_CHECKING:
    from icetable.bots.search import Style

Chooser = Callable[[TurnState, int], Action]

STYLES: dict[str, Style | None] = {"best": None, "anchor": INFORMED, "pure": PURE}
TESTS = Path(__file__).parents[1] / "tests/games"
FIRST_GUESS = 50
"""The simulations of OpenSpiel's first search that is to take so long; its speed sets those of the next ones."""

LEAST = 2
"""Fewer simulations show OpenSpiel no act."""


class Limits(NamedTuple):
    """Where each search ends."""

    simulations: int | None
    seconds: float | None


class Played(NamedTuple):
    """What a block came to: our share in each seat, and the logs of the games."""

    shares: list[float]
    logs: list[str]


def searcher(style: Style | None, limits: Limits) -> Chooser:
    """A search of ours."""
    return lambda state, seed: search(state, style, **limits._asdict(), seed=seed)[0].action


def by_openspiel(game: TurnGame, limits: Limits) -> Chooser:
    """OpenSpiel's search. To think for so many seconds it makes as many simulations as would have done before, and at
    most twice as many as before: near the end of a game they are quick.
    """
    import openspiel
    import pyspiel

    from icetable.envs.openspiel import PREFIX, parameters_of
    from icetable.envs.spaces import space

    spiel, codec = pyspiel.load_game(PREFIX + game.info.name, parameters_of(game)), space(game).codec
    simulations = limits.simulations or FIRST_GUESS

    def choose(state: TurnState, seed: int) -> Action:
        nonlocal simulations
        asked = spiel.new_initial_state({**json.loads(state.to_json()), "drawn": []})
        before = time.monotonic()
        action = openspiel.searcher(spiel, simulations, 1, seed % 2**31).mcts_search(asked).best_child().action
        if limits.seconds is not None:
            took = time.monotonic() - before
            simulations = max(LEAST, min(2 * simulations, round(simulations * limits.seconds / took)))
        return state.game.notations[codec.act_of(state.array, action)]

    return choose


def opponent(game: TurnGame, name: str, limits: Limits) -> Chooser:
    """Whom the best search meets."""
    if name == "openspiel":
        return by_openspiel(game, limits)
    if name == "random":
        return lambda state, seed: game.random_act(state, np.random.default_rng(seed))
    if name == "greedy":
        greedy = run_path(str(TESTS / game.info.name / "greedy.py"))["greedy"]
        return lambda state, seed: cast(Action, greedy(state, state.actor, seed))
    return searcher(STYLES[name], limits)


def play_block(plan: Plan, against: str, limits: Limits, block: int) -> Played:
    """The games of a block: the best search in each seat, against the opponent in all others."""
    game = plan.game
    assert isinstance(game, TurnGame)
    best, others = searcher(STYLES["best"], limits), opponent(game, against, limits)
    played = Played([], [])
    for seat in range(game.players):
        last = play(plan, game, block, [best if one == seat else others for one in range(game.players)])
        played.shares.append(shares_of(last.winners, game.players)[seat])
        played.logs.append("\n".join(str(state.act) for state in list(last.history())[1:]))
    return played


def play(plan: Plan, game: TurnGame, block: int, seated: list[Chooser]) -> TurnState:
    """The end of a game with the opening and the chance of a block."""
    opening, chance = openings(plan, game).of(block), BlockChance(plan.seed, block)
    state, played = game.start(), 0
    while not state.is_terminal:
        if state.actor == CHANCE:
            act: str = chance.act(state)
        elif played < len(opening):
            act = opening[played]
        else:
            act = seated[state.actor](state, seed_of(plan.seed, block, state.actor, played))
        state, played = state.apply(act), played + 1
    return state


def options(parser: ArgumentParser) -> tuple[Namespace, TurnGame]:
    """The arguments, and the game that they name. Exits with a message where they are not allowed."""
    parser.add_argument("game", help="the game's name, such as icefrogs")
    parser.add_argument("--players", type=int, help="how many play (the game's default)")
    opponents = ("anchor", "pure", "openspiel", "random", "greedy")
    parser.add_argument("--against", choices=opponents, default="anchor", help="(%(default)s)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--simulations", type=int, help="of each search (400)")
    limit.add_argument("--seconds", type=float, help="of each search instead")
    parser.add_argument("--blocks", type=int, default=50, help="how many openings (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of openings and chance (%(default)s)")
    parser.add_argument("--opening", type=int, help="the random acts at the beginning (two of each seat, or a die's)")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time (%(default)s)")
    chosen = parser.parse_args()
    if min(chosen.blocks, chosen.jobs, chosen.simulations or 1) < 1 or min(chosen.seed, chosen.opening or 0) < 0:
        parser.error("--blocks, --jobs and --simulations are whole numbers from 1 up, --seed and --opening from 0 up")
    if chosen.seconds is not None and not chosen.seconds > 0:
        parser.error("--seconds is a number above 0")
    if chosen.against == "greedy" and not (TESTS / chosen.game / "greedy.py").exists():
        parser.error(f"there is no greedy player of {chosen.game}")
    return chosen, chosen_game(parser, chosen)


def main() -> None:
    chosen, game = options(ArgumentParser(description=__doc__))
    simulations = chosen.simulations or (400 if chosen.seconds is None else None)
    limits = Limits(simulations, chosen.seconds)
    plan = Plan(game.info.name, None, game.options, ["random"], chosen.blocks, chosen.seed, chosen.opening)
    play_one = partial(play_block, plan, chosen.against, limits)
    with ProcessPoolExecutor(chosen.jobs) as pool:
        played = list(pool.map(play_one, range(chosen.blocks)))
    share = mean([float(np.mean(block.shares)) for block in played], 0, 1)
    logs = [log for block in played for log in block.logs]
    report(game, **told(chosen, limits, share, len(set(logs)) / len(logs), len(logs)), cores=os.cpu_count())


def told(chosen: Namespace, limits: Limits, share: Any, distinct: float, games: int) -> dict[str, Any]:
    """The result as JSON can hold it."""
    players = games // chosen.blocks
    return {
        "against": chosen.against,
        **limits._asdict(),
        "games": games,
        "share": round(share.value, 3),
        "interval_95": [round(share.low, 3), round(share.high, 3)],
        "equal": round(1 / players, 3),
        "elo": round(elo_of(share.value, players)),
        "distinct": round(distinct, 3),
    }


if __name__ == "__main__":
    main()
