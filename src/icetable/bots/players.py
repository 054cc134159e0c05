"""Named players of turn-based games: random and greedy players, levels, searches of any size, the solver.

Their acts depend only on the position and a seed, but for the level that thinks by the clock.
"""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.bots.bot import Bot
from icetable.bots.levels import SearchLevel, levels, timeless_levels
from icetable.bots.search import INFORMED, PURE, Style, search
from icetable.bots.trees import MAX_PLAYOUT_ACTS, by_preference
from icetable.core.turns import TurnGame, TurnState, determinized
from icetable.extras.strength import Effort, can_solve, rank, solver_of
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, NOBODY, WINNERS, shares_of

if TYPE_CHECKING:
    from icetable.core.game import Action


MAX_SIMULATIONS = 10**7
SLOW_SIMULATIONS = 2000
"""Nominal number of simulations of players who may be slow, which keeps their batches small."""
SEARCH_NAME = re.compile("(best|sims|pure):([1-9][0-9]{0,7})")
STYLES: Mapping[str, Style | None] = {"best": None, "sims": INFORMED, "pure": PURE}
MIDDLING_POINTS = 10.0
"""The points of a single player at which one more counts a quarter of the first one."""
TRIES_NAME = re.compile("tries:([1-9][0-9]{0,3})")
VERSIONED = "LEVEL@V, which is refused where the level is no longer of version V"


class Player(ABC):
    """A player of turn-based games. `simulations`: the cost of a decision, as a number of simulations."""

    simulations = 1

    @abstractmethod
    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        """The legal acts of the seat to act, in order of preference. The seed drives random choices."""

    def choose(self, state: TurnState, seed: int) -> Action:
        """The act that the player prefers."""
        return next(self.order(state, seed))

    def choose_many(self, states: Sequence[TurnState], seeds: Sequence[int]) -> list[Action]:
        """The acts in several positions, for a player who is faster with many at once."""
        return [self.choose(state, seed) for state, seed in zip(states, seeds, strict=True)]


def first_then_others(act: Action, state: TurnState) -> Iterator[Action]:
    """The order of a player who only chooses an act: the other legal ones follow as they are listed."""
    yield act
    yield from (other for other in state.legal_actions() if other != act)


class Random(Player):
    """Plays uniformly random legal acts."""

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        legal = state.legal_actions()
        _generator(seed).shuffle(legal)
        return iter(legal)

    def choose(self, state: TurnState, seed: int) -> Action:
        rules = state.game.rules
        buffer = np.empty(rules.MAX_ACTS, np.int64)
        return state.game.notations[int(rules.pick(state.array, buffer, np.array([seed], np.int64)))]


class Searcher(Player):
    """Searches with a given effort, in the best known style or another; it has no time limit. If the effort has a
    `memory`, it only knows what is visible and the last `memory` acts.
    """

    def __init__(self, style: Style | None, effort: Effort) -> None:
        assert effort.simulations is not None
        self.style, self.effort, self.simulations = style, effort, effort.simulations

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        legal = state.legal_actions()
        if len(legal) == 1:
            return iter(legal)
        memory = self.effort.memory
        known = state if memory is None else determinized(state, memory, seed)
        found = search(known, self.style, simulations=self.simulations, seed=seed)
        return (candidate.action for candidate in by_preference(found, self.effort, _generator(seed)))


class Trier(Player):
    """Plays random games to the end, after as many different acts as it can, and chooses the act that wins most often.

    It is faster than a search, and tries acts in random order, so it plays sensibly even with fewer games than acts. It
    skips games that can't change its choice: if half of all games are won, that is most of them.
    """

    def __init__(self, tries: int) -> None:
        self.simulations = tries

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        legal = state.legal_actions()
        if len(legal) == 1:
            return iter(legal)
        known = determinized(state, None, seed)
        rng, draws = _generator(seed), jit.seeds(seed, 1)
        rng.shuffle(legal)
        tried, values, best = min(self.simulations, len(legal)), dict.fromkeys(legal, -1.0), 0.0
        for number, act in enumerate(legal[:tried]):
            left = games = self.simulations // tried + (number < self.simulations % tried)
            won = 0.0
            while left and (won + left) / games > best:  # otherwise it can't beat the best act so far
                won += self._play_out(known.game, known.apply(act).array.copy(), draws)[state.actor]
                left -= 1
            values[act], best = won / games, max(best, won / games)
        return iter(sorted(legal, key=lambda act: -values[act]))

    def _play_out(self, game: TurnGame, position: Any, rng: Any) -> list[float]:
        """The shares of a random game; equal shares if it is too long. Alone, points count too."""
        buffer = np.empty(game.rules.MAX_ACTS, np.int64)
        for _ in range(MAX_PLAYOUT_ACTS):
            if position[ACTOR] == NOBODY:
                winners = [seat for seat in range(game.players) if position[WINNERS] >> seat & 1]
                shares = shares_of(winners, game.players)
                return shares if game.players > 1 else [(shares[0] + bounded(game.scores(position)[0])) / 2]
            game.rules.apply(position, game.rules.pick(position, buffer, rng))
        return shares_of(range(game.players), game.players)


def bounded(points: float) -> float:
    """A number between 0 and 1 that grows with points of either sign."""
    return (1 + points / (abs(points) + MIDDLING_POINTS)) / 2


class Perfect(Player):
    """Plays perfectly with the game's solver, choosing randomly among equally good acts."""

    simulations = 1000

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        solver = solver_of(state.game.info)
        assert solver is not None
        ranks = {act: rank(value) for act, value in solver.values(state).items()}
        legal = list(ranks)
        _generator(seed).shuffle(legal)
        return iter(sorted(legal, key=lambda act: -ranks[act]))


class Clocked(Player):
    """Plays like the bot of a level at a table: by the clock on all cores, so results depend on the machine."""

    simulations = SLOW_SIMULATIONS

    def __init__(self, level: str) -> None:
        self.level = level

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        return first_then_others(Bot(state.game, self.level, seed).choose(state, state.actor), state)


def player_names(game: TurnGame) -> list[str]:
    """The names of a game's players, with N for a number; levels are also available as NAME@VERSION."""
    evaluating = ("greedy", "sims:N") if game.is_evaluated else ()
    timeless = [level.name for level in timeless_levels(game)]
    by_clock = [level.name for level in levels(game) if level.name not in timeless]
    names = ["random", *evaluating[:1], *timeless, "best:N", *evaluating[1:], "pure:N", "tries:N"]
    return names + (["solver"] if can_solve(game) else []) + by_clock


def player_named(game: TurnGame, name: str) -> Player | None:
    """The player of a game with this name, or None."""
    if name == "random":
        return Random()
    if name == "greedy" and game.is_evaluated:
        return Searcher(INFORMED, Effort(1))
    if name == "solver" and can_solve(game):
        return Perfect()
    if (tries := TRIES_NAME.fullmatch(name)) is not None:
        return Trier(int(tries[1]))
    for level in levels(game):
        if isinstance(level, SearchLevel) and name in (level.name, level.fixed_name):
            return Clocked(level.name) if level.effort.simulations is None else Searcher(None, level.effort)
    numbered = SEARCH_NAME.fullmatch(name)
    if numbered is None or int(numbered[2]) > MAX_SIMULATIONS or (numbered[1] == "sims" and not game.is_evaluated):
        return None
    return Searcher(STYLES[numbered[1]], Effort(int(numbered[2])))


def _generator(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 (play, not secrets)
