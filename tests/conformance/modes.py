"""Games played the same way in either mode, boiled down to digests: `python -m tests.conformance.modes` prints them.

With ICETABLE_JIT=0 in the environment they are played in plain mode.
"""

from __future__ import annotations

import hashlib
import json
import sys

import numpy as np

import icetable
from icetable import lab
from icetable.core.turns import TurnGame, TurnState
from icetable.envs import Batch
from icetable.kernels import jit
from tests.conformance.cases import CASES, TURN_CASES, Case, states
from tests.conformance.material import material

GAMES = 2
MAX_ACTS = 45
MAX_ACTS_WITHOUT_TURNS = 15
PERFT_DEPTH = 3
STEPS = 10
MAX_TURNS = 1000
"""A game with a turn limit far away is played on for long, and its limit alone makes no playout another one."""


def digests() -> dict[str, list[str]]:
    """For each case a digest of each of its games; in a game of turns also of a playout, perft and a batch."""
    of_turns = {str(case): [*(play(case, seed) for seed in range(GAMES)), summary(case)] for case in TURN_CASES}
    others = {str(case): [watch(case, seed) for seed in range(GAMES)] for case in CASES if case not in TURN_CASES}
    return {**of_turns, **others}


def watch(case: Case, number: int) -> str:
    """A digest of all that is said and shown in the course of a random game without turns."""
    rng = case.rng(number)
    state = case.game.start()
    said = hashlib.sha256()
    for _ in range(MAX_ACTS_WITHOUT_TURNS):
        if state.is_terminal:
            break
        state = material(case.name).step(state, rng)
        said.update(state.to_json().encode())
        said.update(f"{state.winners} {state.scores} {state.ended_by} {'; '.join(map(str, state.effects))}".encode())
        said.update(json.dumps(state.view(None)).encode())
    return said.hexdigest()


def play(case: Case, number: int) -> str:
    """A digest of all that is said and shown in the course of a random game: from a set-up where there is one."""
    game = case.game
    assert isinstance(game, TurnGame)
    rules = game.rules
    state = states(case)[-1 if number else 0]
    assert isinstance(state, TurnState)
    rng = jit.seeds(number, 1)
    said = hashlib.sha256()
    for _ in range(MAX_ACTS):
        said.update(state.position.tobytes())
        said.update("; ".join(map(str, state.effects)).encode())
        said.update(f"{state.winners} {state.scores} {state.ended_by} {state.codes()}".encode())
        said.update(json.dumps(state.view(None)).encode())
        if state.is_terminal:
            break
        act = rules.pick(state.array, np.zeros(rules.MAX_ACTS, np.int64), rng)
        said.update(f"{act} {rng[0]}".encode())
        state = state.apply(game.act_at(state.position, int(act)))
    return said.hexdigest()


def summary(case: Case) -> str:
    """A digest of a playout, of perft and of a batch."""
    assert isinstance(case.game, TurnGame)
    counts = [icetable.perft(case.game.start(), depth) for depth in range(PERFT_DEPTH)]
    said = hashlib.sha256(json.dumps(counts).encode())
    if case.game.options.get("turn_limit", 0) <= MAX_TURNS:
        for part in lab.playouts(case.game, 1, seed=5):
            said.update(part.tobytes())
    if case.game.info.part("encoding"):
        said.update(stepped(case.game))
    return said.hexdigest()


def stepped(game: TurnGame) -> bytes:
    """The arrays of some games in step, as programs that learn see them."""
    batch = Batch(game, GAMES, seed=5)
    seen = b""
    for _ in range(STEPS):
        seen += batch.observation.tobytes() + batch.mask.tobytes() + batch.reward.tobytes()
        batch.step(batch.pick())
    return seen


if __name__ == "__main__":
    told = digests()
    sys.stdout.write(json.dumps({"plain": "numba" not in sys.modules, "digests": told}))
