"""Games without turns in PettingZoo: its own tests, and what its users may rely on."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test

import icetable
from icetable import GameError
from icetable.envs import RealTime, parallel
from icetable.envs.parallel import RealTimeEnv
from icetable.envs.pettingzoo import icehouse_v0

ARGUMENTS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 2, "action": "grid", "hands": "free"},
    {"players": 8, "action": "place", "latency": 2},
    {"players": 3, "planes": 8, "latency": 1, "rewards": "points", "preset": "friendly"},
)
each = pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)


def random_actions(env: RealTimeEnv, observations: dict[str, Any]) -> dict[str, Any]:
    return {agent: parallel_sample(env, observations, agent) for agent in env.agents}


def parallel_sample(env: RealTimeEnv, observations: dict[str, Any], agent: str) -> Any:
    """As PettingZoo's tests draw an action."""
    space = env.action_space(agent)
    return space.sample(observations[agent]["action_mask"]) if isinstance(space, Discrete) else space.sample()


@each
def test_pettingzoo_accepts_it(arguments: dict[str, Any]) -> None:
    parallel_api_test(RealTimeEnv("icehouse", **arguments), num_cycles=40)
    parallel_seed_test(lambda: RealTimeEnv("icehouse", **arguments), num_cycles=40)


# PettingZoo's test is about arrays and numbers; its own games with masks have dicts, too.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be gymnasium.spaces.box or gymn")
@pytest.mark.filterwarnings("ignore:Action space for each agent probably should be gymnasium.spaces.box or gymnasium")
@each
def test_agents_may_be_asked_one_after_another(arguments: dict[str, Any]) -> None:
    api_test(icehouse_v0.env(**arguments), num_cycles=60)


def test_max_cycles_truncates() -> None:
    max_cycles_test(icehouse_v0)


@each
def test_spaces_hold_what_there_is(arguments: dict[str, Any]) -> None:
    env = RealTimeEnv("icehouse", **arguments)
    observations, _ = env.reset(seed=2)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    for _ in range(30):
        for agent in env.agents:
            assert env.observation_space(agent).contains(observations[agent])
        assert env.state_space.contains(env.state())
        observations, *_ = env.step(random_actions(env, observations))


@each
def test_agents_see_and_do_what_seats_do(arguments: dict[str, Any]) -> None:
    env, ticks = RealTimeEnv("icehouse", **arguments), RealTime("icehouse", **arguments)
    observations, _ = env.reset(seed=3)
    ticks.reset(3)
    refused = 0
    for agent in env.possible_agents:
        env.action_space(agent).seed(4)
    for _ in range(30):
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        flat: Any = list(actions.values())
        if ticks.action == "place":
            flat = [[one["verb"], one["kind"], one["target"], *one["place"]] for one in flat]
        assert env.notation("player_1", actions["player_1"]) == ticks.notation(1, flat[1])
        observations, rewards, terminations, truncations, infos = env.step(actions)
        ticks.step(flat)
        for seat, agent in enumerate(env.possible_agents):
            seen = dict(observations[agent])
            mask = seen.pop("action_mask" if ticks.action == "menu" else "verb_mask")
            assert (mask == ticks.mask[seat]).all()
            assert all((array == ticks.observation[name][seat]).all() for name, array in seen.items())
            assert infos[agent].get("fault") == ticks.fault(seat)
            refused += "fault" in infos[agent]
        assert set(rewards.values()) == {0.0}
        assert not any(terminations.values())
        assert not any(truncations.values())
    assert refused
    assert env.record() == ticks.record()
    assert (env.state() == ticks.overview()).all()


def test_observations_are_arrays_of_their_own() -> None:
    env = RealTimeEnv("icehouse", players=2)
    observations, _ = env.reset(seed=1)
    before = {name: array.copy() for name, array in observations["player_0"].items()}
    for _ in range(20):
        env.step({"player_0": 2, "player_1": 0})
    assert all((observations["player_0"][name] == array).all() for name, array in before.items())


def test_all_agents_end_at_once_and_begin_again() -> None:
    env = RealTimeEnv("icehouse", players=2, timer=0.5, timer_spread=0.0)
    env.reset(seed=1)
    for _ in range(4):
        env.step({"player_0": 0, "player_1": 0})
    _, rewards, terminations, truncations, _ = env.step({"player_0": 0, "player_1": 0})
    assert terminations == {"player_0": True, "player_1": True}
    assert not any(truncations.values())
    assert rewards == {"player_0": 0.0, "player_1": 0.0}
    assert env.agents == []
    with pytest.raises(GameError, match="begin a new one with reset"):
        env.step({})
    assert icetable.replay(env.record()).ended_by == "IH-31"
    env.reset()
    assert env.agents == ["player_0", "player_1"]


def test_the_bell_is_in_no_state() -> None:
    """Two environments whose bells ring at other moments look alike until one of them rings."""
    one, other = (
        RealTimeEnv("icehouse", timer=3.0, timer_spread=0.9, bell=bell, max_cycles=100) for bell in ("hidden", "fixed")
    )
    observations, infos = one.reset(seed=5)
    others, other_infos = other.reset(seed=5)
    rng, ticks = np.random.default_rng(1), 0
    while one.agents and other.agents:
        for agent in one.agents:
            assert infos[agent] == other_infos[agent]
            assert all((observations[agent][name] == others[agent][name]).all() for name in observations[agent])
        assert (one.state() == other.state()).all()
        actions = {agent: int(rng.choice(np.flatnonzero(observations[agent]["action_mask"]))) for agent in one.agents}
        observations, *_, infos = one.step(actions)
        others, *_, other_infos = other.step(actions)
        ticks += 1
    assert bool(one.agents) != bool(other.agents)
    assert ticks > 2


def test_masks_of_the_grid_fit_its_space() -> None:
    env = RealTimeEnv("icehouse", players=2, action="grid", hands="free")
    env.reset(seed=1)
    lift = env.action_space("player_0").sample(env.mask_for("player_0", 1))
    assert str(env.notation("player_0", lift)).startswith("lift")
    env.step({"player_0": lift, "player_1": np.zeros(7, np.int64)})
    with pytest.raises(GameError, match="there is no agent 'player_2'"):
        env.mask_for("player_2", 1)


def test_it_is_registered() -> None:
    env = pettingzoo.make("parallel", "icetable/icehouse_v0", players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert pettingzoo.make("aec", "icetable/icehouse_v0", players=2).possible_agents == ["player_0", "player_1"]
    assert str(env) == "icehouse_v0"


def test_people_see_each_tick(capsys: pytest.CaptureFixture[str]) -> None:
    human, ansi = (RealTimeEnv("icehouse", players=2, render_mode=mode) for mode in ("human", "ansi"))
    drawn = []
    for env in (human, ansi):
        env.reset(seed=1)
        drawn.append(env.render())
        env.step({"player_0": 0, "player_1": 0})
        env.close()
    assert drawn[0] is None
    assert capsys.readouterr().out == f"{drawn[1]}\n\n" * 3


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ({}, "an action for each of player_0, player_1"),
        ({"player_0": 0}, "an action for each of player_0, player_1"),
        ({"player_0": 0, "player_1": 0, "player_2": 0}, "an action for each of player_0, player_1"),
        ({"player_0": 0, "player_1": 0}, "an action has verb, kind, target and place"),
        ({"player_0": {"verb": 0}, "player_1": {}}, "an action has verb, kind, target and place"),
        ({agent: {"verb": 0, "kind": 0, "target": 0, "place": [0]} for agent in ("player_0", "player_1")}, "7 numbers"),
        (
            {agent: {"verb": 9, "kind": 0, "target": 0, "place": [0] * 4} for agent in ("player_0", "player_1")},
            "0 to 8",
        ),
    ],
    ids=str,
)
def test_wrong_actions_are_refused_and_change_nothing(actions: Any, message: str) -> None:
    env = RealTimeEnv("icehouse", players=2, action="place")
    env.reset(seed=1)
    before = env.state(), env.record()
    with pytest.raises(GameError, match=message):
        env.step(actions)
    assert (env.state() == before[0]).all()
    assert env.record() == before[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1}, "the seed is an argument of reset"),
        ({"render_mode": "rgb"}, "render_mode can't be 'rgb'; allowed: 'ansi', 'human', 'rgb_array'"),
        ({"hands": "quick"}, "hands can't be 'quick'"),
        ({"players": 1}, "players can't be 1"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_with_what_is_allowed(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        RealTimeEnv("icehouse", **arguments)


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", inspect.getdoc(parallel) or "", re.DOTALL)
    assert len(example.splitlines()) <= 25
    exec(example, {})
    assert capsys.readouterr().out.rstrip().splitlines()[-1].find("end IH-") > 0
