#!/usr/bin/env python3
"""The strength of our search, from matches with different openings, each played in every seat.

The best search plays against `anchor`, the same search in a style that never changes; `pure`, plain UCT with random
playouts; `openspiel`, the MCTS of OpenSpiel on the same positions, also with random playouts; `random`; or `greedy`, a
player from the game's tests. All searches have the same number of simulations or the same time. A process plays one
game at a time, in one thread.
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
from icetable.lab.intervals import mean
from icetable.lab.matches import elo_of
from icetable.lab.plan import BlockChance, openings, seed_of

if TYPE_CHECKING:
    from icetable.bots.search import Style

Chooser = Callable[[TurnState, int], Action]

STYLES: dict[str, Style | None] = {"best": None, "anchor": INFORMED, "pure": PURE}
TESTS = Path(__file__).parents[1] / "tests/games"
INITIAL_SIMULATIONS = 50
"""The simulations of OpenSpiel's first search with a time limit; its speed determines those of the next ones."""

MIN_SIMULATIONS = 2
"""With fewer simulations OpenSpiel returns no act."""


class Limits(NamedTuple):
    """The limits of each search."""

    simulations: int | None
    seconds: float | None


class Played(NamedTuple):
    """The results of a block: our share in each seat, and the logs of the games."""

    shares: list[float]
    logs: list[str]


def searcher(style: Style | None, limits: Limits) -> Chooser:
    return lambda state, seed: search(state, style, **limits._asdict(), seed=seed)[0].action


def by_openspiel(game: TurnGame, limits: Limits) -> Chooser:
    """OpenSpiel's search. A time limit is converted to simulations by the speed of the search before, up to twice their
    number, because simulations are faster near the end of a game.
    """
    import openspiel
    import pyspiel

    from icetable.envs.openspiel import PREFIX, parameters_of
    from icetable.envs.spaces import space

    spiel, codec = pyspiel.load_game(PREFIX + game.info.name, parameters_of(game)), space(game).codec
    simulations = limits.simulations or INITIAL_SIMULATIONS

    def choose(state: TurnState, seed: int) -> Action:
        nonlocal simulations
        spiel_state = spiel.new_initial_state({**json.loads(state.to_json()), "drawn": []})
        before = time.monotonic()
        action = openspiel.searcher(spiel, simulations, 1, seed % 2**31).mcts_search(spiel_state).best_child().action
        if limits.seconds is not None:
            seconds = time.monotonic() - before
            simulations = max(MIN_SIMULATIONS, min(2 * simulations, round(simulations * limits.seconds / seconds)))
        return state.game.notations[codec.act_of(state.array, action)]

    return choose


def opponent(game: TurnGame, name: str, limits: Limits) -> Chooser:
    """The opponent of the best search."""
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
    """Play a game with the opening and the chance of a block, and return its last state."""
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
    """The arguments, and the game that they name. Exits with a message if they are invalid."""
    parser.add_argument("game", help="the game's name, such as icefrogs")
    parser.add_argument("--players", type=int, help="number of players (the game's default)")
    opponents = ("anchor", "pure", "openspiel", "random", "greedy")
    parser.add_argument("--against", choices=opponents, default="anchor", help="the opponent (%(default)s)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--simulations", type=int, help="simulations per search (400)")
    limit.add_argument("--seconds", type=float, help="seconds per search instead")
    parser.add_argument("--blocks", type=int, default=50, help="number of openings (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of openings and chance (%(default)s)")
    parser.add_argument("--opening", type=int, help="random acts at the beginning (two per seat, or a die's)")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel games (%(default)s)")
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
    report(game, **as_json(chosen, limits, share, len(set(logs)) / len(logs), len(logs)), cores=os.cpu_count())


def as_json(chosen: Namespace, limits: Limits, share: Any, distinct: float, games: int) -> dict[str, Any]:
    """The result as JSON-compatible data."""
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
