"""Many random games, as one kernel."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import Game
from icetable.core.numbers import check_whole, is_integer, slices
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame
from icetable.games import load
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, NOBODY, TURN, Rules, share

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

rules = cast("Rules", None)  # bound for each game
MAX_GAMES = 10**9


class Playouts(NamedTuple):
    """The results of random games, one row per game.

    `acts`: int64[games], the number of acts, including those of chance. `results`: float64[games, players], the share
    of each player; several winners share 1 equally. `lengths`: int64[games], the number of turns.
    """

    acts: Ints
    results: Floats
    lengths: Ints


def playouts(game: Game | str | type, games: int, seed: int = 0, threads: int = 1) -> Playouts:
    """Play `games` games with uniformly random acts.

    The same seed gives the same games on any number of threads. Raises GameError for a game without turns, and if
    `games` or `seed` is not an integer from 0 up, or `threads` not one from 1 up.

    >>> from icetable.lab import playouts
    >>> played = playouts("squad", 3, seed=1)
    >>> played.acts.shape, played.results.shape
    ((3,), (3, 2))
    """
    if is_integer(games) and games > MAX_GAMES:
        raise GameError(f"games is a whole number from 0 to {MAX_GAMES}, not {short_repr(games)}")
    for name, number, least in (("games", games, 0), ("seed", seed, 0), ("threads", threads, 1)):
        check_whole(name, number, least)
    game = load(game) if isinstance(game, str) else game
    if not isinstance(game, TurnGame):
        raise GameError(f"random playouts are for games of turns, not for {short_repr(game)}")
    seeds = jit.seeds(seed, games)
    played = Playouts(np.empty(games, np.int64), np.empty((games, game.players)), np.empty(games, np.int64))
    run = jit.bind(play_out, game.info.name, rules=game.rules)
    first = game.first_position()

    def run_chunk(part: slice) -> None:
        buffer = np.empty(game.rules.MAX_ACTS, np.int64)
        run(first, seeds[part], buffer, played.acts[part], played.results[part], played.lengths[part])

    threads = min(threads, max(games, 1))
    parts = slices(games, threads)
    if threads == 1:
        run_chunk(parts[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(run_chunk, parts))
    return played


@jit.allocating
def play_out(first: Ints, seeds: Ints, buffer: Ints, acts: Ints, results: Floats, lengths: Ints) -> None:
    """Play a random game from `first` for each seed. `buffer` holds the legal acts of a position."""
    state = first.copy()
    rng = np.empty(1, np.int64)
    for game in range(len(seeds)):
        state[:] = first
        rng[0] = seeds[game]
        played = 0
        while state[ACTOR] != NOBODY:
            rules.apply(state, rules.pick(state, buffer, rng))
            played += 1
        acts[game] = played
        lengths[game] = state[TURN]
        share(state, results[game])
