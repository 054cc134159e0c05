"""OpenSpiel's side of the benchmarks: the fastest ways to do the same work."""

from __future__ import annotations

import random

import pyspiel
from measure import Work

BREAKTHROUGH = "breakthrough(rows=6,columns=6)"
CHINESE_CHECKERS = "chinese_checkers(players=2)"
LENGTH_SAMPLES = 20_000
EXPLORATION = 1.4
MAX_MEGABYTES = 1000


def by_bots(name: str) -> Work:
    """Random games between OpenSpiel's own random players, one call per game."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def play(games: int, seed: int) -> float:
        acts = 0
        for number in range(games):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed * games + number)
            acts += state.move_number()
        return acts

    return play


def by_rollouts(name: str) -> Work:
    """Random games as the rollouts of a single simulation: one call for all games, without Python in between.

    OpenSpiel does not report their number of acts, which is estimated by the mean of similar games played before.
    """
    game = pyspiel.load_game(name)
    mean_acts = by_bots(name)(LENGTH_SAMPLES, 0) / LENGTH_SAMPLES

    def play(games: int, seed: int) -> float:
        bot = searcher(game, 1, games, seed)
        bot.step(game.new_initial_state())
        return games * mean_acts

    return play


def from_python(name: str) -> Work:
    """Random games driven from Python, one act at a time."""
    game = pyspiel.load_game(name)

    def play(games: int, seed: int) -> float:
        acts = 0
        draw = random.Random(seed).random
        for _ in range(games):
            state = game.new_initial_state()
            legal_actions, apply_action, is_terminal = state.legal_actions, state.apply_action, state.is_terminal
            while not is_terminal():
                legal = legal_actions()
                apply_action(legal[int(draw() * len(legal))])
            acts += state.move_number()
        return acts

    return play


def by_search(name: str, simulations: int) -> Work:
    """Searches from the start position; counts simulations, each with one full random game."""
    game = pyspiel.load_game(name)

    def search(searches: int, seed: int) -> float:
        for number in range(searches):
            searcher(game, simulations, 1, seed * searches + number).step(game.new_initial_state())
        return simulations * searches

    return search


def searcher(game: pyspiel.Game, simulations: int, rollouts: int, seed: int) -> pyspiel.MCTSBot:
    """OpenSpiel's own UCT with a number of random games in each simulation."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed + 1)
    return pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MAX_MEGABYTES, False, seed + 1, False)
