"""The two modes give the same answers bit for bit, and random acts are as random as they should be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from icetable import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import jit
from icetable.kernels.jit import Kernel
from tests.conformance import modes
from tests.conformance.cases import CASES, Case, acts, each_case, each_turn_case, states
from tests.fairness import assert_fair

ROOT = Path(__file__).parent.parent.parent
DRAWS_PER_ACT = 60


@pytest.fixture(scope="module")
def plain() -> dict[str, list[str]]:
    """The digests of plain mode."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.conformance.modes"],
        cwd=ROOT,
        env={**os.environ, "ICETABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["plain"]
    digests: dict[str, list[str]] = told["digests"]
    return digests


@pytest.fixture(scope="module")
def fast() -> dict[str, list[str]]:
    """The digests of the mode that these tests run in."""
    return modes.digests()


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="these tests run in plain mode themselves")
@each_case
def test_both_modes_say_the_same(case: Case, fast: dict[str, list[str]], plain: dict[str, list[str]]) -> None:
    if isinstance(case.game, TurnGame):
        rules = case.game.rules
        assert all(isinstance(verb, Kernel) and verb._compiled for verb in (rules.legal, rules.pick, rules.apply))
    assert fast[str(case)] == plain[str(case)]
    assert len(set(fast[str(case)])) == len(fast[str(case)])


def test_cases_differ(fast: dict[str, list[str]]) -> None:
    assert len({tuple(digests) for digests in fast.values()}) == len(CASES)


@each_turn_case
def test_pick_draws_every_legal_act_alike(case: Case) -> None:
    assert isinstance(case.game, TurnGame)
    rules = case.game.rules
    room = np.empty(rules.MAX_ACTS, np.int64)
    for number, state in enumerate(states(case)):
        assert isinstance(state, TurnState)
        if not state.codes():  # it is over, or has outcomes of chance that the kernel does not list
            continue
        expected = chances(state)
        rng = jit.seeds(number, 1)
        position = state.position.copy()
        draws = DRAWS_PER_ACT * len(expected)
        assert_fair([int(rules.pick(position, room, rng)) for _ in range(draws)], expected)
        assert position.tobytes() == state.position.tobytes()


def chances(state: TurnState) -> dict[int, float]:
    """How probable each act is."""
    codes = state.codes()
    if CHANCE in state.to_act:
        return dict(zip(codes, (probability for _, probability in state.chance_outcomes()), strict=True))
    return dict.fromkeys(codes, 1 / len(codes))


@each_turn_case
def test_random_act_is_legal(case: Case) -> None:
    rng = case.rng()
    for state in states(case):
        if not state.is_terminal:
            (seat,) = state.to_act
            drawn = {case.game.random_act(state, rng) for _ in range(30)}
            assert all(state.fault(act) is None for act in drawn)
            assert len(drawn) > 1 or len(acts(state, seat)) == 1


@each_turn_case
def test_random_act_is_the_generators(case: Case) -> None:
    """The same generator draws the same acts: a state never draws by itself."""
    state = case.game.start()
    first, second = case.rng(), case.rng()
    for _ in range(20):
        act = case.game.random_act(state, first)
        assert act == case.game.random_act(state, second)
        state = state.apply(act)
        if state.is_terminal:
            break
