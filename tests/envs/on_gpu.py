"""Games on a GPU equal those of the processor, bit for bit. `test_gpu` runs this in CUDA's simulator.

On a machine with a GPU: `python -m pytest tests/envs/on_gpu.py`.
"""

from __future__ import annotations

import copy
import pickle
import sys
from itertools import cycle, product
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError
from icetable.cli import engine
from icetable.envs import Batch, TreeSearch
from icetable.envs.gymnasium import TensorVectorEnv
from icetable.kernels import cuda
from icetable.kernels.layout import NOBODY
from icetable.lab import Plan, playouts
from icetable.lab.playouts import has_random_games, random_games
from tests.conformance.cases import Case
from tests.envs.cases import CASES, each_case

MODULE: Any = sys.modules["icetable.lab.playouts"]
ROWS, STEPS = 3, 25
SHOWN = ("actor", "mask", "reward", "done", "acts", "learners", "observation", "final_observation")
MODES = list(product(("same", "next", "off"), ("raise", "lose", "ignore"), ("share", "points"), (None, 0, "drawn")))
NAMES = sorted({case.name for case in CASES})
SOME = CASES[0].game


def batches(game: Any, n: int = ROWS, seed: int = 5, **arguments: Any) -> tuple[Batch, Batch]:
    """The same batch on the processor and on the GPU."""
    return Batch(game, n, seed, **arguments), Batch(game, n, seed, device="cuda", **arguments)


def assert_equal(here: Batch, there: Batch) -> None:
    for name in SHOWN:
        one, other = getattr(here, name), np.asarray(getattr(there, name))
        assert one.dtype == other.dtype, name
        assert np.array_equal(one, other), name


def play(here: Batch, there: Batch, steps: int) -> None:
    """Random steps of both, which are equal after each."""
    for _ in range(steps):
        which = here.actor != NOBODY if here._config["autoreset"] == "off" else None
        actions = here.pick(which)
        assert np.array_equal(actions, np.asarray(there.pick(which)))
        here.step(actions, which)
        there.step(actions, which)
        assert_equal(here, there)


@pytest.mark.parametrize("learner", [None, "drawn"])
def test_openings(learner: Any) -> None:
    here, there = batches(SOME, openings=4, learner=learner)
    play(here, there, STEPS)


@pytest.mark.parametrize("name", NAMES)
def test_random_games(name: str) -> None:
    limit: dict[str, Any] = {"turn_limit": 12} if "turn_limit" in icetable.load(name).options else {}
    assert_equal_games(icetable.load(name, **limit), 50)


@each_case
def test_random_games_with_options(case: Case) -> None:
    assert_equal_games(case.game, 1)


def assert_equal_games(game: Any, games: int) -> None:
    here, there = playouts(game, games, seed=3), playouts(game, games, seed=3, device="cuda")
    for one, other in zip(here, there, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


def test_random_games_of_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """To their ends, and broken off."""
    monkeypatch.setattr(MODULE, "RANDOM_GAMES", 20)
    for longest in (MODULE.MAX_GAME_ACTS, 9):
        monkeypatch.setattr(MODULE, "MAX_GAME_ACTS", longest)
        for name in NAMES:
            plan = Plan(name, seed=4)
            assert has_random_games(plan, "cuda")
            assert random_games(plan, device="cuda").rows == random_games(plan).rows


@pytest.mark.parametrize(("case", "mode"), list(zip(CASES, cycle(MODES[::5]))), ids=str)
def test_batches_in_all_modes(case: Case, mode: tuple[Any, ...]) -> None:
    autoreset, illegal, rewards, learner = mode
    arguments = {"autoreset": autoreset, "illegal": illegal, "rewards": rewards, "learner": learner}
    here, there = batches(case.game, channels="first" if learner is None else "last", **arguments)
    assert_equal(here, there)
    play(here, there, STEPS)
    assert [here.record(row) for row in range(ROWS)] == [there.record(row) for row in range(ROWS)]


@pytest.mark.parametrize("learner", [None, 1])
def test_illegal_actions(learner: int | None) -> None:
    for illegal in ("lose", "ignore"):
        here, there = batches("squad", players=3, illegal=illegal, learner=learner)
        for _ in range(4):
            wrong = here.mask.argmin(axis=1)
            for batch in (here, there):
                batch.step(wrong)
            assert_equal(here, there)
            play(here, there, 2)
        assert there.faults == 0
    strict = Batch("squad", 3, learner=learner, device="cuda")
    before, legal = strict.states(), np.asarray(strict.mask).argmax(axis=1)
    strict.step([legal[0], np.asarray(strict.mask)[1].argmin(), -2])
    assert [one == other for one, other in zip(strict.states(), before, strict=True)] == [False, True, True]
    strict.step([-1, 64, 0], [True, True, False])
    assert strict.faults == 4


def test_rows_and_seeds_choose_the_games_as_on_the_processor() -> None:
    here, there = batches(SOME, 5)
    play(here, there, 10)
    which = np.array([True, False, True, False, False])
    for seed in (None, 9):
        here.reset(which, seed)
        there.reset(which, seed)
        assert_equal(here, there)
        here.step(None, ~which)
        there.step(None, ~which)
        assert_equal(here, there)
    play(here, there, 5)
    some, _ = batches(SOME, 5, seed=8)
    more = Batch(SOME, 9, seed=8, device="cuda")
    for _ in range(12):
        some.step(None)
        more.step(None)
    assert np.array_equal(np.asarray(more.observation)[:5], some.observation)


@pytest.mark.parametrize("game", ["wrecktangle", "squad"])
def test_positions_come_and_go(game: str) -> None:
    here, there = batches(game, 4)
    other = Batch(game, 2, seed=1)
    for batch in (here, there, other):
        for _ in range(9):
            batch.step(None)
    for batch in (here, there):
        batch.set([1, 2], [other.get(0), other.get(1)])
        batch.copy([0, 1], [3, 0], include_rng=True)
    assert_equal(here, there)
    assert np.array_equal(here.positions(), there.positions())
    play(here, there, 4)
    kept = there.state_dict()
    assert all(np.array_equal(value, kept[name]) for name, value in here.state_dict().items())
    copies = [Batch(game, 4, device="cuda"), copy.copy(there), pickle.loads(pickle.dumps(there))]
    copies[0].load_state_dict(kept)
    play(here, there, 6)
    for one in copies:
        for _ in range(6):
            one.step(one.pick())
        assert_equal(here, one)
        assert one.record(3) == here.record(3)


def test_logs_have_room_for_games_of_any_length() -> None:
    for learner in (None, "drawn"):
        here, there = batches("icefrogs", 2, players=6, turn_limit=0, observation=None, learner=learner)
        for step in range(80):
            here.step(None)
            there.step(None)
            if step == 60:
                there = pickle.loads(pickle.dumps(there))
        assert [here.record(row) for row in (0, 1)] == [there.record(row) for row in (0, 1)]


def test_seats_look_on_the_gpu() -> None:
    here, there = batches(SOME, observation="look")
    for batch in (here, there):
        batch.step(None)
        batch.look([1, -1, 0])
    assert_equal(here, there)
    assert np.array_equal(here.observe(2, 1), there.observe(2, 1))
    assert here.legal_actions(1).tolist() == there.legal_actions(1).tolist()
    with pytest.raises(GameError, match="look takes 3 seats"):
        there.look([0.0, 1.0, 1.0])


def test_wrong_arguments_are_refused() -> None:
    there = Batch(SOME, 2, device="cuda")
    with pytest.raises(GameError, match="step takes 2 whole numbers"):
        there.step([0])
    with pytest.raises(GameError, match="an array of 2 bools"):
        there.step(None, [1, 0])
    with pytest.raises(GameError, match="an array of 2 bools"):
        there.reset([True])
    there.step([-1, 10**6])
    assert there.faults == 2
    with pytest.raises(GameError, match="a tree search runs on the processor"):
        TreeSearch(there, lambda *_: (np.zeros(1), np.zeros(1)))
    with pytest.raises(GameError, match="there is nothing to look at"):
        Batch(SOME, 1, observation=None, device="cuda").look([0])


def test_other_libraries_take_arrays_without_a_copy() -> None:
    there = Batch(SOME, 4, device="cuda")
    assert repr(there.reward) == "<float32[4, 2] on the GPU>"
    assert (there.mask.ndim, len(there.mask)) == (2, 4)
    if cuda.SIMULATED:  # there the memory is the processor's
        seen = np.from_dlpack(there.observation)
        there.step(None)
        assert np.array_equal(seen, np.asarray(there.observation))
        assert seen.strides[0] == 1
    with pytest.raises(ValueError, match="copied for NumPy"):
        np.asarray(there.mask, copy=False)


def test_bench_measures_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MIN_SECONDS", 0.001)
    game = icetable.load("squad")
    figures = engine.measure_speed(game, "cuda")
    assert figures["acts_per_second_cuda"] > 0
    assert "random games, GPU" in engine.describe_speed(game, figures)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_gymnasium_has_tensors(device: Any, mode: Any) -> None:
    torch = pytest.importorskip("torch", reason="needs torch, which the tests do without")
    envs = TensorVectorEnv("squad", 3, seat=1, autoreset_mode=mode, device=device)
    batch = Batch("squad", 3, 7, autoreset="same" if mode == "SameStep" else "next", learner=1, illegal="lose")
    batch.reset(seed=7)
    seen, infos = envs.reset(seed=7)
    for _ in range(20):
        actions = infos["action_mask"].argmax(1)
        batch.step(batch.mask.argmax(axis=1))
        seen, rewards, ends, cuts, infos = envs.step(actions)
        assert isinstance(seen, torch.Tensor)
        assert not cuts.any()
        for one, other in ((seen, batch.observation), (rewards, batch.reward[:, 1]), (ends, batch.done)):
            assert np.array_equal(one.cpu().numpy(), other)
        if mode == "SameStep":
            assert np.array_equal(infos["final_obs"].cpu().numpy(), batch.final_observation)
