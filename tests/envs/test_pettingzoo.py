"""The games as PettingZoo's agents meet them: by its own tests, by the states of the games, and under wrong use."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.test import (
    api_test,
    bombardment_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import BaseWrapper

import icetable
from icetable import GameError, IllegalAction
from icetable.envs import RealTime, space
from icetable.envs import pettingzoo as zoo
from icetable.envs.pettingzoo import (
    ENVIRONMENTS,
    RealTimeEnv,
    TurnEnv,
    TurnGames,
    highrise_v0,
    icehouse_v0,
    squad_v0,
    wrecktangle_v0,
)
from tests.conformance.cases import Case
from tests.envs.cases import each_case

TURN_GAMES = {name: games for name, games in ENVIRONMENTS.items() if isinstance(games, TurnGames)}
each_game = pytest.mark.parametrize("games", TURN_GAMES.values(), ids=TURN_GAMES)

# What PettingZoo's tests say of every observation that is a dict, its own games' names apart; and of the mask of an
# agent that is done.
of_dicts = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array$:UserWarning"),
    pytest.mark.filterwarnings(
        "ignore:Observation space for each agent probably should be gymnasium.spaces.box or "
        "gymnasium.spaces.discrete$:UserWarning"
    ),
    pytest.mark.filterwarnings(
        r"ignore:Action mask numpy array is all zeros \(no legal actions\)\.$:UserWarning",
    ),
]


def allow_dicts(test: Any) -> Any:
    """Let a test of PettingZoo's pass whose warnings about dicts can't be avoided."""
    for mark in of_dicts:
        test = mark(test)
    return test


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """PettingZoo's tests begin games without a seed and choose actions by the global generator."""
    monkeypatch.setattr("icetable.envs.pettingzoo.secrets", SimpleNamespace(randbits=lambda _bits: 5))
    random.seed(5)


def seeded(env: Any) -> Any:
    """The environment with its spaces seeded."""
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    return env


def made(case: Case, **options: Any) -> TurnEnv:
    """The environment of a case."""
    return TurnEnv(case.name, **case.game.options, **options)


def picked(env: Any, rng: random.Random) -> int | None:
    """A random legal action of the agent that is selected; None where it is done."""
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return None
    seen = env.observe(agent)
    mask = seen["action_mask"] if isinstance(seen, dict) else env.infos[agent]["action_mask"]
    return rng.choice(np.flatnonzero(mask).tolist())


def play(env: Any, seed: int, most: int = 100_000) -> list[tuple[str, int]]:
    """Play a random game, and say who did what."""
    env.reset(seed=seed)
    rng, acts = random.Random(seed), []
    for agent in env.agent_iter(most):
        action = picked(env, rng)
        if action is not None:
            acts.append((agent, action))
        env.step(action)
    return acts


def told(env: TurnEnv) -> Any:
    """All that an environment tells, but for its record."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    dones = env.terminations, env.truncations, env.rewards, env._cumulative_rewards
    return pickle.dumps((env.agents, env.agent_selection, seen, env.state(), dones, env.infos))


# PettingZoo's own tests


@allow_dicts
@pytest.mark.parametrize("mask", ["observation", "info"])
@each_case
def test_pettingzoos_test_of_the_interface(case: Case, mask: str) -> None:
    api_test(seeded(made(case, mask=mask)), num_cycles=20)


@allow_dicts
@pytest.mark.parametrize("mask", ["observation", "info"])
@each_game
def test_pettingzoos_test_of_the_interface_over_whole_games(games: TurnGames, mask: str) -> None:
    api_test(seeded(games.env(mask=mask)), num_cycles=1000)


@each_game
def test_pettingzoos_test_of_seeds(games: TurnGames) -> None:
    seed_test(games.env, num_cycles=100)


@each_game
def test_pettingzoos_test_of_rendering(games: TurnGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icetable.envs.rendering.size_of", lambda _game: (80, 80))
    render_test(lambda **options: seeded(games.env(**options)), {"ansi": lambda text: text.count("\n") > 3})


@each_game
def test_pettingzoos_test_of_the_state(games: TurnGames) -> None:
    env = seeded(games.env(illegal="ignore"))
    state_test(env, turn_based_aec_to_parallel(seeded(games.env())), num_cycles=50)


class Telling(BaseWrapper[str, Any, Any]):
    """Returns from `step` what `bombardment_test` compares: the next observation of the agent that is selected."""

    def step(self, action: Any) -> Any:
        super().step(action)
        return self.observe(self.agent_selection)


@each_game
def test_pettingzoos_bombardment(games: TurnGames) -> None:
    bombardment_test(Telling(seeded(games.env(mask="info"))), cycles=20)


@each_game
def test_pettingzoos_measurement_runs(games: TurnGames, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(1000))
    module = sys.modules[performance_benchmark.__module__]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(seconds) / 8))
    performance_benchmark(games.env())


@each_game
def test_a_parallel_environment_and_back(games: TurnGames) -> None:
    env = games.raw_env()
    acts = play(env, seed=3)
    reference = games.raw_env()
    parallel = turn_based_aec_to_parallel(reference)
    parallel.reset(seed=3)
    for agent, action in acts:
        assert reference.agent_selection == agent
        assert reference.observe(agent)["action_mask"][action]
        observations, rewards, terminations, _, _ = parallel.step({agent: action})
    assert parallel.agents == []
    assert all(terminations.values())
    assert rewards == {agent: env._batch.reward[0, seat] for seat, agent in enumerate(rewards)}
    assert set(observations) == set(rewards)
    assert reference.record() == env.record()


# The games behind it


@pytest.mark.rule("WT-16")
@pytest.mark.parametrize("rewards", ["share", "points"])
def test_an_agent_that_is_out_terminates_at_once(rewards: str) -> None:
    """Of four players two are out before the game ends, with these dice sooner than with others."""
    env = wrecktangle_v0.raw_env(players=4, turn_limit=0, rectangles="tilted", rewards=rewards)
    env.reset(seed=49)
    rng = random.Random(49)
    gone: list[str] = []
    for agent in env.agent_iter():
        state = env._batch.state(0)
        out = [f"player_{seat}" for seat in state.view().get("out", ())]
        pending = [one for one in env.agents if env.terminations[one]]
        assert set(gone + pending) == set(out)
        if env.terminations[agent]:
            assert env.last()[1] == pytest.approx(-1 / 3 if rewards == "share" else 0)
            assert not env.observe(agent)["action_mask"].any()
            gone.append(agent)
            if len(gone) == 2:
                break
        env.step(picked(env, rng))
    assert len(gone) == 2
    assert not state.is_terminal


def test_a_turn_limit_terminates() -> None:
    env = wrecktangle_v0.raw_env(turn_limit=3)
    play_until_done(env)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert not any(env.truncations.values())


def play_until_done(env: TurnEnv, seed: int = 1) -> None:
    """Play a random game until the agents are done, but not yet gone."""
    env.reset(seed=seed)
    rng = random.Random(seed)
    while (action := picked(env, rng)) is not None:
        env.step(action)


def test_most_cycles_truncate() -> None:
    env = squad_v0.raw_env(players=3, max_cycles=2)
    assert len(play(env, seed=1)) == 6
    play_until_done(env)
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    ignoring = squad_v0.raw_env(players=1, max_cycles=3, illegal="ignore")
    for _ in range(3):
        ignoring.step(0)
    assert ignoring.truncations == {"player_0": True}


def test_an_end_in_the_last_cycle_is_an_end() -> None:
    env = squad_v0.raw_env()
    acts = play(env, seed=4)
    exact = squad_v0.raw_env(max_cycles=-(-len(acts) // 2))
    exact._max_steps = len(acts)
    play_until_done(exact, seed=4)
    assert all(exact.terminations.values())
    assert not any(exact.truncations.values())


@each_game
def test_seeds_reproduce_games_and_what_follows(games: TurnGames) -> None:
    one, other = games.raw_env(), games.env(mask="info")
    play(other, seed=9, most=40)
    for _ in range(2):
        assert play(one, seed=6) == play(other, seed=6)
        assert one.record() == other.record()
    one.reset()
    other.reset()
    assert one.record() == other.record()


def test_games_without_seeds_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    openings = set()
    for _ in range(12):
        env = wrecktangle_v0.raw_env()
        openings.add(env.record())
        env.reset()
        openings.add(env.record())
    assert len(openings) > 1  # all 24 rolls alike: once in 6**23


# What agents may know


@pytest.mark.parametrize("options", [{"memory": "on"}, {"memory": "off"}], ids=str)
def test_a_deal_to_come_changes_nothing_that_is_told(options: dict[str, str]) -> None:
    one, other = (highrise_v0.raw_env(mask="info", **options) for _ in range(2))
    assert compare_with_other_chance(one, other) == one._batch.acts[0]
    assert (one.state() != other.state()).any()


def test_dice_to_come_change_nothing_that_is_told() -> None:
    one, other = (wrecktangle_v0.raw_env(mask="info") for _ in range(2))
    rolls = set()
    for seed in range(8):
        play(one, seed=seed, most=9)
        play(other, seed=seed, most=9)
        turn = one._batch.state(0).view()["turn"]
        assert compare_with_other_chance(one, other, turn) > 0
        rolls |= {one._batch.state(0).view()["own"]["face"], other._batch.state(0).view()["own"]["face"]}
    assert len(rolls) > 2


def compare_with_other_chance(one: TurnEnv, other: TurnEnv, turn: int | None = None) -> int:
    """Play the same actions with another stream of chance in `other`, until chance is asked; the number of actions."""
    other._batch._rows.streams[:] = 17
    rng = random.Random(1)
    acts = 0
    while True:
        assert told(one) == told(other)
        action = picked(one, rng)
        assert action is not None
        one.step(action)
        other.step(action)
        acts += 1
        if not one._acting or turn not in (None, one._batch.state(0).view()["turn"]):
            return acts


@pytest.mark.rule("HR-7")
def test_the_state_lays_open_what_players_have_to_remember() -> None:
    hidden, shown = highrise_v0.raw_env(memory="on"), highrise_v0.raw_env(memory="off")
    covered = [plane.name for plane in hidden._batch.space.encoding.planes].index("covered")
    most = 0
    for seed in range(3):
        assert play(hidden, seed=seed, most=30) == play(shown, seed=seed, most=30)
        assert (hidden.state() == shown.state()).all()
        assert (shown.state() == shown.observe("player_0")["observation"]).all()
        most = max(most, hidden.observe("player_0")["observation"][..., covered].max())
    assert most > 0


@pytest.mark.parametrize("mask", ["observation", "info"])
@each_game
def test_observations_are_copies(games: TurnGames, mask: str) -> None:
    env, other = games.raw_env(mask=mask), games.raw_env(mask=mask)
    env.reset(seed=1)
    given = list(arrays(env))
    kept = [array.copy() for array in given]
    acts = play(env, seed=1, most=6)
    assert all((array == copy).all() for array, copy in zip(given, kept, strict=True))
    env.reset(seed=1)
    other.reset(seed=1)
    for array in arrays(env):
        array[...] = 1
    for _, action in acts:
        env.step(action)
        other.step(action)
        assert told(env) == told(other)


def arrays(env: TurnEnv) -> Iterator[Any]:
    """The arrays that an environment gives away."""
    for agent in env.possible_agents:
        seen = env.observe(agent)
        yield from seen.values() if isinstance(seen, dict) else [seen]
        yield from env.infos[agent].values()
    yield env.state()


# Wrong use


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"illegal": "cry"}, "illegal can't be 'cry'; allowed: 'raise', 'lose', 'ignore'"),
        ({"rewards": 3}, "rewards can't be 3; allowed: 'share', 'points'"),
        ({"mask": "off"}, "mask can't be 'off'; allowed: 'observation', 'info'"),
        ({"render_mode": "rgb"}, "render_mode can't be 'rgb'; allowed: 'ansi', 'human', 'rgb_array', None"),
        ({"max_cycles": 0}, "max_cycles is a whole number from 1 up, not 0"),
        ({"max_cycle": 5}, "there is no option 'max_cycle'; .*; did you mean 'max_cycles'[?]"),
        ({"max_cycles": 2.5}, "max_cycles is a whole number from 1 up, not 2.5"),
        ({"players": 9}, "players can't be 9; allowed: a whole number from 1 to 4"),
        ({"autoreset": "same"}, "there is no option 'autoreset'; allowed: players, board"),
        ({"reward": "points"}, "there is no option 'reward'; .*; did you mean 'rewards'[?]"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_allowed(options: dict[str, Any], message: str) -> None:
    for make in (squad_v0.env, squad_v0.raw_env):
        with pytest.raises(GameError, match=message):
            make(**options)


@pytest.mark.parametrize("action", [-1, 64, 1.0, "0", None, [0]])
def test_a_bad_action_is_refused_and_changes_nothing(action: Any) -> None:
    env = squad_v0.raw_env(illegal="lose")
    before = told(env)
    with pytest.raises(GameError, match="an action is a whole number from 0 to 63, not"):
        env.step(action)
    assert told(env) == before


@pytest.mark.parametrize("action", [48, np.int32(48), np.array(48)])
def test_every_kind_of_whole_number_is_an_action(action: Any) -> None:
    env = squad_v0.raw_env()
    env.step(action)
    assert env.agent_selection == "player_1"


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = squad_v0.raw_env()
    before = told(env)
    with pytest.raises(IllegalAction, match=r"^F@a1: All captains have to be placed") as caught:
        env.step(0)
    assert caught.value.fault.rule == "SQ-4"
    assert told(env) == before


def test_an_illegal_action_loses_the_game() -> None:
    env = squad_v0.env(players=3)
    env.reset(seed=1)
    env.step(0)
    assert env.infos["player_0"]["fault"].rule == "SQ-4"
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], termination, _, _ = env.last()
        assert termination
        env.step(None)
    assert rewards == pytest.approx({"player_0": -0.5, "player_1": 0.25, "player_2": 0.25})
    assert icetable.replay(env.record()) == icetable.load("squad", players=3).start()


@pytest.mark.parametrize("mask", ["observation", "info"])
def test_an_illegal_action_is_ignored(mask: Any) -> None:
    env = squad_v0.raw_env(illegal="ignore", mask=mask)
    before = told(env)
    env.step(0)
    assert env.infos["player_0"].pop("fault").message.startswith("F@a1: All captains")
    assert told(env) == before
    env.step(48)
    assert all("fault" not in info for info in env.infos.values())


def test_nothing_follows_the_end() -> None:
    env = squad_v0.raw_env()
    play_until_done(env)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    play(env, seed=1)
    for action in (None, 0):
        with pytest.raises(GameError, match="the game is over; begin a new one with reset"):
            env.step(action)
    assert icetable.replay(env.record()).is_terminal


def test_an_unknown_agent_is_refused() -> None:
    env = squad_v0.raw_env()
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(GameError, match="there is no agent 'player_2'; there are player_0, player_1"):
            ask("player_2")
    with pytest.raises(GameError, match="seed is a whole number from 0 up"):
        env.reset(seed=-1)


def test_a_game_without_turns_is_refused() -> None:
    with pytest.raises(GameError, match="has no turns"):
        TurnEnv("icehouse")


def test_the_everyday_environment_insists_on_a_reset() -> None:
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        squad_v0.env().agents  # noqa: B018


def test_rendering_without_a_mode_warns() -> None:
    with pytest.warns(UserWarning, match="render needs a render_mode: 'ansi' or 'human' or 'rgb_array'"):
        assert squad_v0.raw_env().render() is None


def test_people_see_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = squad_v0.raw_env(render_mode="human")
    drawing = squad_v0.raw_env(render_mode="ansi")
    for action in (48, 51):
        env.step(action)
        drawing.step(action)
        assert capsys.readouterr().out == f"{drawing.render()}\n\n"
    env.close()


# Finding it


@each_game
def test_the_registry_has_every_game(games: TurnGames) -> None:
    version = space(games.game).encoding.version
    env: Any = pettingzoo.make("aec", f"icetable/{games.game}_v{version}", mask="info", max_cycles=7)
    assert str(env) == f"{games.game}_v{version}"
    assert str(pettingzoo.make("aec", f"icetable/{games.game}")) == str(env)
    assert env.unwrapped._max_steps == 7 * env.max_num_agents
    assert pettingzoo.spec("aec", f"icetable/{games.game}").version == version


def test_unknown_names_are_told() -> None:
    with pytest.raises(AttributeError, match="there is no 'chess_v0' here; there are highrise_v0, icefrogs_v0"):
        zoo.chess_v0  # noqa: B018


def test_heavy_packages_are_imported_only_where_they_are_asked_for() -> None:
    code = """
import sys
import icetable, icetable.envs
assert not {"pettingzoo", "gymnasium", "torch", "jax", "resvg_py", "PIL"} & set(sys.modules)
sys.modules["pettingzoo"] = None
try:
    import icetable.envs.pettingzoo
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "PettingZoo is not installed; install icetable[pettingzoo].\n"


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
def test_wrong_arguments_of_real_time_are_refused_with_what_is_allowed(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        RealTimeEnv("icehouse", **arguments)
