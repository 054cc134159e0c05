#!/usr/bin/env python3
"""Icehouse: random games per second on one thread, in the kernel and through the adapter; the time to judge an act."""

from __future__ import annotations

import json
from functools import partial
from statistics import median
from time import thread_time

import numpy as np
from measure import speed, units_in

import icetable
from icetable.games.icehouse import placements, rules
from icetable.games.icehouse.game import Icehouse, IcehouseState
from icetable.kernels import jit

PLAYERS = 4
PIECES = 60
ROUNDS = 9
SLICE_SECONDS = 0.5
VERDICTS = 2000


def kernel_games(game: Icehouse, games: int, seed: int) -> float:
    """Play games in the kernel, and return their number."""
    first = game.start().table
    rng = jit.seeds(seed, 1)
    field = rules.empty_field(PIECES + 1)
    for _ in range(games):
        placements.play_at_random(first.copy(), field, rng)
    return games


def adapter_games(game: Icehouse, games: int, seed: int) -> float:
    """Play games in the manner of a script, and return their number."""
    rng = np.random.default_rng(seed)
    for _ in range(games):
        play(game, rng)
    return games


def play(game: Icehouse, rng: np.random.Generator) -> IcehouseState:
    """Play a game in which every seat lifts and places random pieces until none is left."""
    state = game.start()
    for seat in range(game.players):
        state = state.apply("ready", seat)
    while not state.is_terminal:
        seat = int(rng.integers(game.players))
        pad = state.kinds_on_pad(seat)
        if state.hand(seat) is None and pad:
            state = state.apply(f"lift {pad[int(rng.integers(len(pad)))]}", seat)
        if state.hand(seat) is not None:
            for place in state.sample_placements(seat, rng, 1):
                state = state.apply(place, seat)
    return state


def verdict(game: Icehouse, seed: int) -> float:
    """The time of `state.fault` for a legal placement of the last piece, in microseconds."""
    rng = np.random.default_rng(seed)
    state = play(game, rng).parent
    assert state is not None
    (seat,) = (seat for seat in range(game.players) if state.hand(seat) is not None)
    (place,) = state.sample_placements(seat, rng, 1)
    before = thread_time()
    for _ in range(VERDICTS):
        state.fault(place, seat)
    return (thread_time() - before) / VERDICTS * 1e6


def main() -> None:
    game = icetable.load("icehouse", players=PLAYERS)
    assert isinstance(game, Icehouse)
    found: dict[str, float] = {}
    for name, games in (("kernel", kernel_games), ("adapter", adapter_games)):
        work = partial(games, game)
        units = units_in(work, SLICE_SECONDS)
        found[f"{name}_games_per_s"] = round(median(speed(work, units, seed)[0] for seed in range(ROUNDS)))
    found["fault_us"] = round(median(verdict(game, seed) for seed in range(ROUNDS)), 1)
    print(json.dumps({"game": "icehouse", "players": PLAYERS, **found, "rounds": ROUNDS}))


if __name__ == "__main__":
    main()
