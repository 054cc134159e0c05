#!/usr/bin/env python3
"""A GPU beside this machine's cores: are the games equal, how many random acts and steps of `Batch` a second?

For each game and some of its options: random games on both, with a hash of all acts, shares and lengths; then steps of
a batch with masks and planes, on the GPU and with a thread per core. With pgx and JAX on the GPU installed, steps of
its games in the same process.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import icetable
from icetable import GameError
from icetable.core.turns import TurnGame
from icetable.envs import Batch
from icetable.lab import Playouts, playouts
from icetable.lab.playouts import gpu_kernel

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "squad": [{}, {"players": 4, "stuck": "anyone"}, {"players": 3, "formation": "up-to", "friends": "own"}],
    "highrise": [{}, {"rows": 4, "numbers": "unseen"}, {"memory": "off"}],
    "icefrogs": [{}, {"players": 6}, {"players": 3, "board": "hexagon"}],
    "wrecktangle": [{}, {"players": 4, "rectangles": "tilted", "turn_limit": 100}, {"players": 3, "leap": True}],
}
ROWS_PER_CORE = 4096
RUNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(OPTIONS), metavar="GAME")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=1 << 20)
    parser.add_argument("--steps", type=int, default=64)
    parser.add_argument("--pgx", nargs="*", default=["connect_four", "hex", "othello"], metavar="ENV")
    chosen = parser.parse_args()
    try:
        playouts("squad", 1, device="cuda")
    except GameError as error:
        parser.exit(1, f"Nothing was measured: {error}.\n")
    for name in chosen.names:
        for options in OPTIONS[name]:
            game = icetable.load(name, **options)
            assert isinstance(game, TurnGame)
            random_games = of_games(game, chosen.games)
            steps = of_steps(game, chosen.rows, chosen.steps) if not options else {}
            print(json.dumps({"game": name, "options": options, **random_games, **steps}), flush=True)
    for name in chosen.pgx:
        print(json.dumps({"pgx": name, "steps_per_s": of_pgx(name, chosen.rows, chosen.steps)}), flush=True)


def of_games(game: TurnGame, games: int) -> dict[str, Any]:
    """Whether random games are equal, and acts per second: with all copies and the making of seeds, and without."""
    cores = os.cpu_count() or 1
    playouts(game, games, seed=1, device="cuda")  # compiles
    playouts(game, 1000)
    there, took_there = timed(lambda: playouts(game, games, seed=1, device="cuda"))
    here, took_here = timed(lambda: playouts(game, games, seed=1, threads=cores))
    took_alone = time_of_kernel(game, games)
    acts = int(here.acts.sum())
    took = {"in_the_kernel": took_alone, "on_the_gpu": took_there, f"on_{cores}_cores": took_here}
    rates = {f"acts_per_s_{where}": round(acts / seconds) for where, seconds in took.items()}
    return {"games": games, "equal": digest(here) == digest(there), "sha256": digest(there), **rates}


def time_of_kernel(game: TurnGame, games: int) -> float:
    """The seconds that the GPU plays, the best of some runs."""
    import numba.cuda

    from icetable.kernels import cuda, jit

    acts, results = np.zeros(games, np.int64), np.zeros((games, game.players))
    arrays = [cuda.upload(one) for one in (game.first_position(), jit.seeds(1, games), acts, results, acts)]

    def run() -> None:
        cuda.launch(gpu_kernel(game), games, 0, *arrays)
        numba.cuda.synchronize()

    return min(timed(run)[1] for _ in range(RUNS))


def digest(played: Playouts) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in played)).hexdigest()[:16]


def of_steps(game: TurnGame, rows: int, steps: int) -> dict[str, Any]:
    """Random steps of rows per second: on the GPU, and on all cores."""
    cores = os.cpu_count() or 1
    rates = []
    for batch in (Batch(game, rows, device="cuda"), Batch(game, ROWS_PER_CORE * cores, threads=cores)):
        batch.step(None)  # compiles
        assert batch.faults == 0

        def run(batch: Batch = batch) -> None:
            for _ in range(steps):
                batch.step(None)
            assert batch.faults == 0  # this waits for the GPU

        times = [timed(run)[1] for _ in range(RUNS)]
        rates.append(round(batch.n * steps / statistics.median(times)))
    return {"rows": rows, "steps_per_s": rates[0], f"steps_per_s_{cores}_cores": rates[1]}


def of_pgx(name: str, rows: int, steps: int) -> int | str:
    """Random steps of pgx's games per second, with observations, masks and new games in the same step."""
    try:
        import jax
        import jax.numpy as jnp
        import pgx
    except ImportError as error:
        return f"not measured: {error}"
    env = pgx.make(name)
    init, step = jax.vmap(env.init), jax.vmap(env.step)

    def one(carry: Any, _: None) -> Any:
        state, key = carry
        key, choice, again = jax.random.split(key, 3)
        after = step(state, jax.random.categorical(choice, jnp.where(state.legal_action_mask, 0.0, -jnp.inf)))
        over, fresh = after.terminated | after.truncated, init(jax.random.split(again, rows))
        shape = lambda part: over.reshape((-1,) + (1,) * (part.ndim - 1))  # noqa: E731
        after = jax.tree.map(lambda new, old: jnp.where(shape(old), new, old), fresh, after)
        return (after, key), after.observation.sum(dtype=jnp.float32)

    run = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=steps))
    carry = jax.jit(init)(jax.random.split(jax.random.PRNGKey(0), rows)), jax.random.PRNGKey(1)
    jax.block_until_ready(run(carry))  # compiles
    times = [timed(lambda: jax.block_until_ready(run(carry)))[1] for _ in range(RUNS)]
    return round(rows * steps / statistics.median(times))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


if __name__ == "__main__":
    main()
