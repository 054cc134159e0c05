#!/usr/bin/env python3
"""How strong a bot's level is: matches in which every player sits in every seat equally often.

Against `random` and `greedy` the level plays as it is. Greedy sees one act ahead; it is the player of that name that
the game's tests know. Against `pure`, UCT with full random rollouts, both make the same number of simulations for each
act, whatever time they take.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from runpy import run_path
from statistics import mean
from typing import cast

import numpy as np
from measure import chosen_game, report
from scipy.stats import binomtest

from icetable import Action, State
from icetable.bots import Bot, levels
from icetable.bots.search import PURE, search
from icetable.core.turns import TurnGame, TurnState
from icetable.lab.arena import Chooser, arena

OPENING = {"random": 0, "greedy": 0, "pure": 4}
"""The number of random acts at the beginning of a game, by opponent, so that two searches play different games."""

TESTS = Path(__file__).parents[1] / "tests/games"


def at_random(state: State, _seat: int, seed: int) -> Action:
    """Any legal act."""
    return state.game.random_act(state, np.random.default_rng(seed))


def by_pure_search(simulations: int) -> Chooser:
    """Plain UCT."""

    def choose(state: State, _seat: int, seed: int) -> Action:
        assert isinstance(state, TurnState)
        return search(state, PURE, simulations=simulations, seed=seed)[0].action

    return choose


def by_level(game: TurnGame, level: str, simulations: int | None, seconds: float | None) -> Chooser:
    """A level's bot. `simulations` or `seconds` replace the limits of its level."""

    def choose(state: State, seat: int, seed: int) -> Action:
        bot = Bot(game, level, seed)
        if simulations is not None or seconds is not None:
            bot.level = replace(bot.level, simulations=simulations, seconds=seconds)
        return bot.choose(state, seat)

    return choose


def after_opening(acts: int, choose: Chooser) -> Chooser:
    """A player that makes the first acts of a game at random."""

    def choose_later(state: State, seat: int, seed: int) -> Action:
        made = sum(1 for _ in state.history()) - 1
        return (choose if made >= acts else at_random)(state, seat, seed)

    return choose_later


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", help="the game's name, such as icefrogs")
    parser.add_argument("--players", type=int, help="how many play: one by the level, the others against it")
    parser.add_argument("--level", default="master", help="the bot's level (%(default)s)")
    parser.add_argument("--against", choices=tuple(OPENING), default="random", help="(%(default)s)")
    parser.add_argument("--games", type=int, default=100, help="(%(default)s)")
    parser.add_argument("--simulations", type=int, default=1000, help="for each act, against pure (%(default)s)")
    parser.add_argument("--seconds", type=float, help="for each act of the level, not against pure (the level's own)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="games at the same time (%(default)s)")
    chosen = parser.parse_args()
    game = chosen_game(parser, chosen)
    if chosen.level not in (names := [level.name for level in levels(chosen.game)]):
        parser.error(f"there is no level {chosen.level!r}; allowed: {', '.join(names)}")
    if min(chosen.games, chosen.simulations, chosen.threads) < 1:
        parser.error("--games, --simulations and --threads are whole numbers from 1 up")
    if chosen.seed < 0:
        parser.error("--seed is a whole number from 0 up")
    if chosen.seconds is not None and (chosen.against == "pure" or not chosen.seconds > 0):
        parser.error("--seconds is a number above 0, and not for --against pure")
    greedy = TESTS / chosen.game / "greedy.py"
    if chosen.against == "greedy" and not greedy.exists():
        parser.error(f"there is no greedy player of {chosen.game}")

    simulations = chosen.simulations if chosen.against == "pure" else None
    strong = by_level(game, chosen.level, simulations, chosen.seconds)
    weak: Chooser = at_random
    if chosen.against == "greedy":
        weak = cast(Chooser, run_path(str(greedy))["greedy"])
    elif chosen.against == "pure":
        weak = by_pure_search(chosen.simulations)
    players = [after_opening(OPENING[chosen.against], player) for player in (strong, *[weak] * (game.players - 1))]
    standing = arena(game, players, chosen.games, chosen.seed, chosen.threads)

    wins = standing.wins[0]
    interval = binomtest(wins, standing.games).proportion_ci(0.95, method="wilson")
    report(
        game,
        level=chosen.level,
        against=chosen.against,
        simulations=simulations,
        seconds=chosen.seconds,
        games=standing.games,
        wins=wins,
        draws=standing.draws[0],
        win_rate=round(wins / standing.games, 4),
        interval_95=[round(interval.low, 4), round(interval.high, 4)],
        mean_acts=round(mean(standing.acts), 1),
        opening=OPENING[chosen.against],
    )


if __name__ == "__main__":
    main()
