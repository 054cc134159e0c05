"""Copies of environments, by whatever way: each goes on where the original is, and neither changes the other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import icetable
from icetable import CHANCE, GameError
from icetable.envs import Batch, RealTime, space
from icetable.envs.gymnasium import Env, VectorEnv
from icetable.envs.openspiel import Observer, SpielGame
from icetable.envs.pettingzoo import icehouse_v0, squad_v0, wrecktangle_v0

Way = Callable[[Any], Any]
Play = Callable[[Any, int], list[Any]]


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


each_way = pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickled], ids=lambda way: way.__name__)
each_deep_way = pytest.mark.parametrize("way", [copy.deepcopy, pickled], ids=lambda way: way.__name__)


def check(env: Any, way: Way, play: Play, before: int = 9) -> None:
    """The copy of an environment in mid-game plays on as the original does, which was not played on meanwhile."""
    play(env, before)
    again = way(env)
    assert type(again) is type(env)
    gone_on = play(again, 60)
    assert gone_on
    assert play(env, 60) == gone_on


# What programs play


def play_batch(batch: Batch, steps: int) -> list[Any]:
    seen = []
    for _ in range(steps):
        batch.step(batch.pick())
        told = (batch.observation, batch.mask, batch.reward, batch.done, batch.final_observation, batch.acts)
        seen.append([array.tobytes() for array in told])
    return [*seen, *(batch.record(row) for row in range(batch.n))]


def play_ticks(env: RealTime, steps: int) -> list[Any]:
    seen: list[Any] = []
    while len(seen) < steps and not env.terminated:
        env.step(env.pick())
        told: list[Any] = [env.mask, env.reward, *env.observation.values()]
        seen.append((env.now, [array.tobytes() for array in told], [str(env.fault(seat)) for seat in (0, 1)]))
    return [*seen, env.record()]


def play_one(env: Any, steps: int) -> list[Any]:
    seen = []
    for _ in range(steps):
        mask = env.unwrapped.action_masks()
        if not mask.any():
            _, info = env.reset()
            mask = info["action_mask"]
        observation, *told, info = env.step(int(env.action_space.sample(mask)))
        seen.append((observation.tobytes(), told, info["rewards"].tolist(), int(info["seat"])))
    return [*seen, env.unwrapped.record()]


def play_many(envs: Any, steps: int) -> list[Any]:
    seen = []
    for _ in range(steps):
        masks = envs.unwrapped._learner.batch.mask.copy()
        masks[~masks.any(axis=1), 0] = 1
        observations, rewards, over, _, infos = envs.step(masks.argmax(axis=1))
        assert not infos["_seat"].flags.writeable
        seen.append((observations.tobytes(), rewards.tolist(), over.tolist(), infos["rewards"].tolist()))
    return [*seen, envs.unwrapped.record(0)]


def play_in_turns(env: Any, steps: int) -> list[Any]:
    seen: list[Any] = []
    while len(seen) < steps and env.agents:
        observation, reward, *over, _ = env.last()
        mask = observation["action_mask"]
        seen.append((env.agent_selection, reward, over, {name: part.tobytes() for name, part in observation.items()}))
        env.step(None if any(over) else int(mask.nonzero()[0][len(seen) * 7 % mask.sum()]))
    return [*seen, env.unwrapped.state().tobytes()]


def play_at_once(env: Any, steps: int) -> list[Any]:
    seen: list[Any] = []
    while len(seen) < steps and env.agents:
        observations, *told, infos = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        parts = [np.asarray(part).tobytes() for one in observations.values() for part in one.values()]
        seen.append((parts, told, str(infos)))
    return [*seen, env.record()]


def first(_observation: Any, mask: Any, rng: np.random.Generator) -> Any:
    """An opponent whose choices are random."""
    return rng.choice(mask.nonzero()[0])


# Copies


@each_way
@pytest.mark.parametrize("options", [{"threads": 2}, {"learner": "drawn", "autoreset": "next"}], ids=str)
def test_batches(way: Way, options: dict[str, Any]) -> None:
    check(Batch("wrecktangle", 5, seed=3, **options), way, play_batch)
    check(Batch("highrise", 3, seed=3, observation="look", cols=3, **options), way, play_batch)


@each_way
def test_a_copied_batch_has_threads_and_arrays_of_its_own(way: Way) -> None:
    batch = Batch("squad", 4, threads=2)
    again = way(batch)
    assert again._pool is not batch._pool
    for name in ("actor", "observation", "mask", "reward", "done", "final_observation", "acts", "learners"):
        assert not np.shares_memory(getattr(again, name), getattr(batch, name))
        assert not getattr(again, name).flags.writeable
    again.step(again.pick())
    assert (batch.acts == 0).all()


@each_way
@pytest.mark.parametrize("options", [{}, {"latency": 2, "planes": 8, "bell": "fixed"}], ids=str)
def test_games_in_ticks(way: Way, options: dict[str, Any]) -> None:
    check(RealTime("icehouse", seed=4, players=2, timer=20.0, tick=0.5, **options), way, play_ticks)


@each_way
@pytest.mark.parametrize(
    "opponent", ["random", "greedy", "beginner", first], ids=lambda one: one if isinstance(one, str) else "own"
)
def test_environments_of_gymnasium(way: Way, opponent: Any) -> None:
    env = Env("wrecktangle", opponent=opponent, turn_limit=30)
    env.reset(seed=5)
    env.action_space.seed(5)
    check(env, way, play_one)


@each_way
@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
@pytest.mark.parametrize("opponent", ["random", "beginner"])
def test_vectors_of_gymnasium(way: Way, opponent: str, mode: str) -> None:
    envs = VectorEnv("squad", 3, opponent=opponent, autoreset_mode=mode)
    envs.reset(seed=5)
    check(envs, way, play_many)


@each_deep_way
def test_copies_of_wrapped_environments(way: Way) -> None:
    env = gymnasium.make("icetable.envs.gymnasium:icetable/Squad-v0", players=2)
    env.reset(seed=5)
    env.action_space.seed(5)
    check(env, way, play_one, before=2)
    envs: Any = gymnasium.wrappers.vector.RecordEpisodeStatistics(VectorEnv("squad", 3))
    envs.reset(seed=5)
    play_many(envs, 3)
    again = way(envs)
    assert play_many(again, 30) == play_many(envs, 30)


@each_way
@pytest.mark.parametrize(
    "make",
    [
        lambda: wrecktangle_v0.raw_env(players=3),
        lambda: squad_v0.env(players=3, max_cycles=9),
        lambda: icehouse_v0.env(players=2, timer=8.0),
    ],
    ids=["raw", "usual", "without turns"],
)
def test_agents_that_take_turns(way: Way, make: Callable[[], Any]) -> None:
    env = make()
    env.reset(seed=2)
    check(env, way, play_in_turns)


@each_way
@pytest.mark.parametrize("action", ["menu", "grid", "place"])
def test_agents_that_act_at_once(way: Way, action: str) -> None:
    env = icehouse_v0.parallel_env(players=2, timer=10.0, action=action)
    env.reset(seed=2)
    for agent in env.agents:
        env.action_space(agent).seed(2)
    check(env, way, play_at_once)


@each_way
@pytest.mark.parametrize("name", ["squad", "highrise(memory=on)"])
def test_states_and_observers_of_openspiel(way: Way, name: str) -> None:
    game: SpielGame = pyspiel.load_game(f"python_icetable_{name}")
    state = game.new_initial_state()
    while state.is_chance_node() or state.move_number() < 4:
        state.apply_action(state.legal_actions()[-1])
    shown: Observer = game.make_py_observer()
    shown.set_from(state, 0)
    again, copied = way(state), way(shown)
    before = str(state)
    assert str(again) == before
    assert (copied.tensor == shown.tensor).all()
    again.apply_action(again.legal_actions()[0])
    copied.set_from(again, 1)
    assert str(state) == before
    assert (copied.tensor != shown.tensor).any()
    assert all(np.shares_memory(part, copied.tensor) for part in copied.dict.values())
    assert str(way(game)) == str(game)


# States taken out and put in


@pytest.mark.parametrize("game", ["squad", "icefrogs", "wrecktangle", "highrise"])
def test_a_state_goes_from_row_to_row(game: str) -> None:
    batch, other = Batch(game, 3, seed=1), Batch(game, 2, seed=2, threads=2, autoreset="off")
    for _ in range(5):
        batch.step(batch.pick())
    state = batch.get(2)
    assert state == batch.state(2)
    assert state.record() == batch.record(2)
    other.set(1, state)
    assert other.state(1) == state
    assert (other.observation[1] == batch.observation[2]).all()
    assert (other.mask[1] == batch.mask[2]).all()
    assert (other.actor[1], other.acts[1], other.done[1]) == (batch.actor[2], 0, False)
    untouched = other.record(0)
    while not other.done[1]:
        other.step(other.pick(), np.array([False, True]))
    assert other.record(0) == untouched
    record = other.record(1)
    assert icetable.replay(record) == other.state(1)
    assert record.startswith(state.record().rstrip("\n"))
    other.reset()
    assert other.record(1, final=True) == record
    assert icetable.replay(other.record(1)) == other.state(1)


def test_a_state_that_was_put_in_takes_the_place_of_the_game_under_way() -> None:
    batch = Batch("squad", 1, seed=1)
    while not batch.done[0]:
        batch.step(batch.pick())
    ended = batch.record(0, final=True)
    batch.step(batch.pick())
    batch.set(0, batch.game.start().apply("C@a1"))
    assert batch.record(0, final=True) == ended
    batch.reset()
    assert batch.record(0, final=True) == ended
    assert batch.get(0) == batch.game.start()


def test_others_act_until_the_learner_is_to_act() -> None:
    batch = Batch("icefrogs", 2, seed=1, learner=1)
    batch.set(0, batch.game.start())
    assert batch.actor[0] == 1
    assert len(list(batch.get(0).history())) == 2


def test_a_game_that_an_illegal_action_has_lost_can_be_taken_out() -> None:
    batch = Batch("squad", 1, illegal="lose", autoreset="off")
    batch.step(batch.mask.argmin(axis=1))
    assert batch.get(0).is_terminal


def test_a_bad_state_for_a_row_is_refused() -> None:
    batch = Batch("wrecktangle", 2, seed=1)
    game = batch.game
    before = batch.record(0)
    over = game.random_game(np.random.default_rng(1))
    begun = game.start()
    other = icetable.load("wrecktangle", players=3)
    for row, state, message in (
        (2, over, "a row is a whole number from 0 to 1, not 2"),
        (True, over, "a row is a whole number from 0 to 1, not True"),
        (0, begun, "chance is to act in this state; apply one of its chance_outcomes first"),
        (0, icetable.load("squad").start(), "this is a state of icetable.load('squad', "),
        (0, other.start(), "this is a state of icetable.load('wrecktangle', players=3, "),
        (0, icetable.load("icehouse").start(), "a state of icetable.load('wrecktangle', "),
        (0, "C@a1", "a state of icetable.load('wrecktangle', "),
    ):
        with pytest.raises(GameError) as refused:
            batch.set(row, state)  # type: ignore[arg-type]
        assert str(refused.value).startswith(message)
    with pytest.raises(GameError, match="a row is"):
        batch.get(-1)
    assert begun.to_act == {CHANCE}
    assert batch.record(0) == before


def test_environments_begin_at_a_state() -> None:
    state = icetable.load("squad", players=3).start().apply("C@a1").apply("C@a3")
    for opponent in ("random", "beginner"):
        env = Env("squad", seat=2, opponent=opponent, players=3)
        _, info = env.reset(seed=1, options={"state": state})
        assert icetable.replay(env.record()) == state
        assert info["seat"] == 2
        with pytest.raises(GameError, match="a state of"):
            env.reset(options={"state": 3})
        assert icetable.replay(env.record()) == state
    agents = squad_v0.env(players=3)
    agents.reset(seed=1, options={"state": state})
    assert agents.agent_selection == "player_2"
    assert icetable.replay(agents.record()) == state


def test_spaces_and_games_can_be_copied() -> None:
    squad = space("squad", players=3)
    for way in (copy.copy, copy.deepcopy, pickled):
        assert way(squad).game == squad.game
        assert way(squad).notation(3) == squad.notation(3)
    assert copy.deepcopy(squad.game) is squad.game
