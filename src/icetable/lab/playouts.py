"""Many random games, as one kernel: their results alone, without acts."""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import Game
from icetable.core.options import check_whole, is_integer, short_repr, slices
from icetable.core.turns import Device, TurnGame, check_device, cuda_for
from icetable.games import load
from icetable.kernels import jit
from icetable.kernels.jit import copy, kernel
from icetable.kernels.layout import ACTOR, CHANCE, ENDED_BY, NOBODY, TURN, Rules, share, shares_of
from icetable.lab.measures import Games
from icetable.lab.plan import MAX_GAME_ACTS, UNFINISHED, Plan, Row
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

rules = cast("Rules", None)  # bound for each game
cuda = cast("Any", None)  # numba.cuda, bound on a GPU like the numbers WORDS and MAX_ACTS
WORDS = MAX_ACTS = 0
MAX_GAMES = 10**9
ENDLESS = 2**62
"""More acts than any game has."""
RANDOM_GAMES = 100_000
"""Number of games that stand for all games between random players: shares are known to a third of a point."""


class Playouts(NamedTuple):
    """The results of random games, one row per game."""

    acts: Ints
    """int64[games], the number of acts, including those of chance."""
    results: Floats
    """float64[games, players], the share of each player; several winners share 1 equally."""
    lengths: Ints
    """int64[games], the number of turns."""


def playouts(game: Game | str | type, games: int, seed: int = 0, threads: int = 1, device: Device = "cpu") -> Playouts:
    """Play `games` games with uniformly random acts.

    The same seed gives the same games on any number of threads, and with `device` "cuda" on a GPU. Raises GameError for
    a game without turns, if `games` or `seed` is not an integer from 0 up, or `threads` not one from 1 up, and for a
    device that is not there.

    >>> from icetable.lab import playouts
    >>> played = playouts("squad", 3, seed=1)
    >>> played.acts.shape, played.results.shape
    ((3,), (3, 2))
    """
    if is_integer(games) and games > MAX_GAMES:
        raise GameError(f"games is a whole number from 0 to {MAX_GAMES}, not {short_repr(games)}")
    for name, number, least in (("games", games, 0), ("seed", seed, 0), ("threads", threads, 1)):
        check_whole(name, number, least)
    check_device(device)
    game = load(game) if isinstance(game, str) else game
    if not isinstance(game, TurnGame):
        raise GameError(f"random playouts are for games of turns, not for {short_repr(game)}")
    return play(game, games, seed, ENDLESS, threads, device)[0]


def has_random_games(plan: Plan, device: Device) -> bool:
    """Whether `random_games` stand for the games of a plan: all players are random, and the game has a kernel, which
    is compiled.

    Raises GameError for a device that is not there, and on a GPU for any other plan.
    """
    check_device(device)
    game, is_random = plan.game, {*plan.seats} == {"random"}
    if device == "cpu":
        has_kernel = isinstance(game, TurnGame) and not isinstance(game, PlainGame)
        return is_random and has_kernel and not jit.ALWAYS_PLAIN
    if not isinstance(game, TurnGame):
        raise GameError(f"{game.info.title} has no turns; only games with a kernel run on a GPU")
    cuda_for(game)
    if not is_random:
        raise GameError(f"only random players play on a GPU, not {', '.join(dict.fromkeys(plan.seats))}")
    return True


def random_games(plan: Plan, threads: int = 1, device: Device = "cpu") -> Games:
    """RANDOM_GAMES games of a plan between random players, without opening. Each is a block, and has no acts and no
    points.
    """
    game = plan.game
    assert isinstance(game, TurnGame)
    played, ended_by = play(game, RANDOM_GAMES, plan.seed, MAX_GAME_ACTS, threads, device)
    seats, shared = list(range(game.players)), shares_of(range(game.players), game.players)
    unfinished = Row(0, 0, seats, "", shared, [], 0, UNFINISHED, [], [], [], "")
    rows: list[Row] = []
    for shares, turns, rule in zip(played.results.tolist(), played.lengths.tolist(), ended_by.tolist(), strict=True):
        end = {"shares": shares, "ended_by": game.rule(rule)} if rule else {}
        rows.append(unfinished._replace(block=len(rows), turns=turns, **end))
    return Games(plan.changed(blocks=RANDOM_GAMES, opening=0), rows)


def play(game: TurnGame, games: int, seed: int, longest: int, threads: int, device: Device) -> tuple[Playouts, Ints]:
    """Random games, each broken off after `longest` acts of players, and the number of the rule that ended each: 0 for
    none.
    """
    seeds = jit.seeds(seed, games)
    if device == "cuda":
        return play_on_gpu(game, seeds, longest)
    played = Playouts(np.empty(games, np.int64), np.empty((games, game.players)), np.empty(games, np.int64))
    ended_by = np.empty(games, np.int64)
    run = jit.bind(play_out, game.info.name, rules=game.rules)
    first = game.first_position()

    def run_chunk(part: slice) -> None:
        state, rng, buffer = np.empty_like(first), np.empty(1, np.int64), np.empty(game.rules.MAX_ACTS, np.int64)
        own = Playouts(played.acts[part], played.results[part], played.lengths[part])
        run(first, seeds[part], longest, state, rng, buffer, *own, ended_by[part])

    threads = min(threads, max(games, 1))
    parts = slices(games, threads)
    if threads == 1:
        run_chunk(parts[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(run_chunk, parts))
    return played, ended_by


@kernel
def play_out(
    first: Ints,
    seeds: Ints,
    longest: int,
    state: Ints,
    rng: Ints,
    buffer: Ints,
    acts: Ints,
    results: Floats,
    lengths: Ints,
    ended_by: Ints,
) -> None:
    """Play a random game from `first` for each seed, up to `longest` acts of players. `state`, `rng` and `buffer`, for
    legal acts, are scratch space.
    """
    for game in range(len(seeds)):
        copy(first, state)
        rng[0] = seeds[game]
        played = 0
        left = longest
        while state[ACTOR] != NOBODY and left > 0:
            if state[ACTOR] != CHANCE:
                left -= 1
            rules.apply(state, rules.pick(state, buffer, rng))
            played += 1
        acts[game] = played
        lengths[game] = state[TURN]
        ended_by[game] = state[ENDED_BY]
        share(state, results[game])


def play_on_gpu(game: TurnGame, seeds: Ints, longest: int) -> tuple[Playouts, Ints]:
    """The random games of some seeds, played on a GPU."""
    gpu, first = cuda_for(game), game.first_position()
    acts, results = np.zeros(len(seeds), np.int64), np.zeros((len(seeds), game.players))
    written = [gpu.upload(array) for array in (acts, results, acts, acts)]
    if len(seeds):
        gpu.launch(gpu_kernel(game), len(seeds), 0, gpu.upload(first), gpu.upload(seeds), longest, *written)
    *played, ended_by = (np.ascontiguousarray(gpu.download(array)) for array in written)
    return Playouts(*played), ended_by


@functools.lru_cache
def gpu_kernel(game: TurnGame) -> Any:
    """`play_each` for a game. Compiling it takes some seconds."""
    run: Any = jit.bind(play_out, game.info.name, rules=game.rules)
    words = len(game.first_position())
    return cuda_for(game).build(play_each, play_out=run, WORDS=words, MAX_ACTS=game.rules.MAX_ACTS)


def play_each(
    first: Ints, seeds: Ints, longest: int, acts: Ints, results: Floats, lengths: Ints, ended_by: Ints
) -> None:
    """Play the game of one seed in each thread of a GPU."""
    row = cuda.grid(1)
    if row < len(seeds):
        state, rng = cuda.local.array(WORDS, np.int64), cuda.local.array(1, np.int64)
        buffer = cuda.local.array(MAX_ACTS, np.int64)
        one = slice(row, row + 1)
        play_out(first, seeds[one], longest, state, rng, buffer, acts[one], results[one], lengths[one], ended_by[one])
