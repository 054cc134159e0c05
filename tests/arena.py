"""Matches of many games in which the players change seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from icetable.core.game import CHANCE, Action, Game, State
from icetable.kernels.layout import shares_of

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats

Chooser = Callable[[State, int, int], Action]
"""A player: a function of the state, its seat and a seed for this choice that returns a legal act."""


@dataclass(frozen=True)
class Standing:
    """The result of a match: each player's mean share of a game, wins and draws, and the acts of each game."""

    games: int
    share: tuple[float, ...]
    wins: tuple[int, ...]
    draws: tuple[int, ...]
    acts: tuple[int, ...]


def arena(
    game: Game, players: Sequence[Chooser], games: int, seed: int = 0, threads: int = 1, first: int = 0
) -> Standing:
    """Play `games` games from number `first` on; in game n player p sits at seat (p + n) modulo the number of players.

    The same seed gives the same games on any number of threads if the players use no other source of chance.
    """
    assert len(players) == game.players

    def play(number: int) -> tuple[Floats, int]:
        rng = np.random.default_rng([seed, number])
        state, acts = game.start(), 0
        while not state.is_terminal:
            seat = min(state.to_act)  # of those that choose in secret, the first
            if seat == CHANCE:
                act = game.random_act(state, rng)
            else:
                act = players[(seat - number) % len(players)](state, seat, int(rng.integers(2**31)))
            state = state.apply(act)
            acts += 1
        return np.roll(shares_of(state.winners, game.players), -number % game.players), acts

    with ThreadPoolExecutor(threads) as pool:
        played = list(pool.map(play, range(first, first + games)))
    shares = np.array([share for share, _ in played])
    return Standing(
        games,
        tuple(shares.mean(0).tolist()),
        tuple((shares == 1).sum(0).tolist()),
        tuple(((shares > 0) & (shares < 1)).sum(0).tolist()),
        tuple(acts for _, acts in played),
    )
