"""Icehouse for one learner: Gymnasium's checks, bots with hands of their own, and a learner of its own."""

from __future__ import annotations

import copy
import importlib.util
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import SyncVectorEnv

import icetable
from icetable import BadNotation, BadOption, GameError
from icetable.bots.levels import REAL_TIME_NAMES
from icetable.bots.realtime import MAX_DEVIATION
from icetable.envs import Frozen, League, RealTime
from icetable.envs.gymnasium import TickEnv

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "icehouse.py"


def made(**arguments: Any) -> TickEnv:
    return TickEnv("icehouse", **{"tick": 0.5, "timer": 20.0, **arguments})


def firsts(_observations: Any, masks: Any, _rng: np.random.Generator) -> Any:
    """Plays the first entry of each menu that does something."""
    return masks[:, 1:].argmax(axis=1) + masks[:, 1:].any(axis=1)


def play(env: TickEnv, seed: int, idle: bool = False) -> list[tuple[Any, ...]]:
    """The answers of a game of random actions, or of none, from its first observation to its end."""
    told: list[tuple[Any, ...]] = [env.reset(seed=seed)]
    rng = np.random.default_rng(seed)
    while len(told) == 1 or not (told[-1][2] or told[-1][3]):
        mask = told[-1][-1]["action_mask"]
        told.append(env.step(0 if idle else int(rng.choice(np.flatnonzero(mask)))))
    return told


# What Gymnasium asks for


# Nobody knows how long a game may take.
@pytest.mark.filterwarnings("ignore:.*A Box observation space maximum value is infinity:UserWarning")
@pytest.mark.parametrize(
    "arguments",
    [
        {"opponent": "beginner@2"},
        {"players": 2, "action": "grid", "opponent": "casual"},
        {"players": 3, "action": "place", "opponent": "expert", "latency": 2},
    ],
    ids=str,
)
def test_gymnasium_finds_no_fault(arguments: dict[str, Any]) -> None:
    check_env(made(**arguments), skip_render_check=True)


def test_it_is_registered_and_many_run_at_once() -> None:
    name = "icetable.envs.gymnasium:icetable/Icehouse-v0"
    env = gymnasium.make(name, players=2, timer=5.0)
    assert isinstance(env.unwrapped, TickEnv)
    envs = gymnasium.make_vec(name, 3, "sync", opponent="beginner@2", tick=0.5, timer=20.0)
    assert isinstance(envs, SyncVectorEnv)
    observations, infos = envs.reset(seed=1)
    assert observations["menu"].shape[:2] == (3, 64)
    assert infos["action_mask"].shape == (3, 65)
    *_, infos = envs.step(firsts(None, infos["action_mask"], np.random.default_rng(0)))
    assert infos["seat"].shape == (3,)


def test_it_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    env = made(render_mode="ansi", seat=1)
    env.reset(seed=1)
    assert env.render() == icetable.replay(env.record()).draw(1)
    made(render_mode="human", seat=1).reset(seed=1)
    assert capsys.readouterr().out == f"{env.render()}\n"


# The game


@pytest.mark.parametrize("opponent", ["random", "casual@2", firsts, League("random", "beginner", firsts)])
def test_seeds_give_the_same_games_and_records_are_games(opponent: Any) -> None:
    env, again = made(opponent=opponent), made(opponent=opponent)
    told = play(env, 3)
    record = env.record()
    assert data_equivalence(play(again, 3), told, exact=True)
    assert not data_equivalence(play(again, 4), told, exact=True)
    state = icetable.replay(record)
    assert state.is_terminal
    seat = told[0][1]["seat"]
    share = (seat in state.winners) / len(state.winners)
    assert told[-1][1] == pytest.approx((share * 4 - 1) / 3)
    assert told[-1][1] == told[-1][-1]["rewards"][seat]
    assert {one.seat for one in state.history() if one.act} >= {0, 1, 2, 3} - {seat}


def test_the_learner_sees_what_its_seat_sees() -> None:
    env = made(seat=2, opponent="expert")
    observation, info = env.reset(seed=1)
    for _ in range(20):
        ticks = env._ticks
        assert all((ticks.observation[name][2] == array).all() for name, array in observation.items())
        assert (env.action_masks() == info["action_mask"]).all()
        observation, *_, info = env.step(0)


def test_seats_are_drawn_or_chosen() -> None:
    env = made(players=4)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2, 3}
    assert made(seat=3).reset(seed=1)[1]["seat"] == 3


def test_copies_go_on_with_bots() -> None:
    env = made(opponent="expert", timer=30.0)
    env.reset(seed=5)
    for _ in range(20):
        env.step(0)
    other = copy.deepcopy(env)
    assert data_equivalence([other.step(0) for _ in range(20)], [env.step(0) for _ in range(20)], exact=True)
    assert other.record() == env.record()


def test_a_refused_act_has_its_fault() -> None:
    env = made(seat=0)
    env.reset(seed=1)
    *_, info = env.step(1)
    assert info["fault"].rule == "IH-7"


# Who plays against the learner


@pytest.mark.parametrize("level", ["beginner", "merciless"])
def test_bots_are_as_slow_as_people(level: str) -> None:
    """As their level says, and never quicker; the learner's hands have nothing to do with it."""
    env = made(opponent=level, seat=0, players=2, timer=60.0, tick=0.1, hands="free")
    play(env, 1, idle=True)
    state = icetable.replay(env.record())
    lifts = [one.at or 0 for one in state.history() if one.seat == 1 and str(one.act).startswith("lift")]
    pace = REAL_TIME_NAMES[level].pace
    gaps = [after - before for before, after in pairwise(lifts)]
    assert len(gaps) > 3
    assert min(gaps) >= 1000 * pace * (1 - MAX_DEVIATION) - 100
    assert all(effect.kind != "crashes" for one in state.history() for effect in one.effects)


def test_bots_see_and_act_at_once_whatever_the_learner_sees() -> None:
    records = set()
    for arguments in ({}, {"latency": 3}, {"hands": "free"}):
        env = made(opponent="expert", seat=0, timer=30.0, **arguments)
        play(env, 2, idle=True)
        records.add(env.record())
    assert len(records) == 1


def test_functions_are_asked_for_all_their_seats_at_once() -> None:
    asked = []

    def policy(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        asked.append((observations["menu"].shape, masks.shape))
        return firsts(observations, masks, rng)

    play(made(opponent=policy), 1)
    assert set(asked) == {((3, 64, 25), (3, 65))}


@pytest.mark.parametrize("given", [[0, 0], [0.5, 0, 0], ["a", "b", "c"], 0])
def test_a_wrong_opponent_is_named(given: Any) -> None:
    env = made(opponent=lambda _seen, _masks, _rng: given)
    env.reset(seed=1)
    with pytest.raises(GameError, match="the opponent must return 3 actions"):
        env.step(0)


def test_a_frozen_model_is_an_opponent() -> None:
    class Model:
        def predict(self, observations: Any, action_masks: Any, deterministic: bool) -> Any:
            return firsts(observations, action_masks, np.random.default_rng(0)), None

    play(made(opponent=Frozen(Model())), 1)


# Acts of one's own


def test_seats_may_act_in_notation_at_their_own_pace() -> None:
    env = RealTime("icehouse", players=2, seed=1)
    env.step([0, 0], {1: "lift L"})
    assert env.state().view(1)["hands"] == [None, "L:green"]
    changed = [env.changed]
    env.step([0, 0], {1: "place 3000,3000 stand 0.0"})  # much sooner than human hands
    assert env.fault(1) is None
    env.step([0, 0], {1: "lift L"})
    assert env.fault(1) is None
    env.step([0, 0], {1: "lift S"})
    assert env.fault(1) is not None
    assert [*changed, env.changed] == [True, False]
    before = env.record()
    with pytest.raises(BadNotation):
        env.step([0, 0], {1: "jump"})
    with pytest.raises(GameError, match="a seat is"):
        env.step([0, 0], {2: None})
    assert env.record() == before
    assert icetable.replay(before) == env.state()


# Wrong use


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"opponent": "god"}, GameError, "a function, a League or 'random', 'beginner', 'beginner@2', .*; LEVEL@V"),
        ({"opponent": "beginner@9"}, GameError, "no longer of version V"),
        (
            {"opponent": "random", "action": "grid"},
            GameError,
            "pick from the menu, which action='grid' lacks; .*'beginner'",
        ),
        ({"opponent": League()}, GameError, "no members yet"),
        ({"seat": 4}, GameError, "from 0 to 3 or None"),
        ({"seed": 1}, GameError, "the seed is an argument of reset"),
        ({"render_mode": "rgb"}, GameError, "'ansi', 'human', 'rgb_array'"),
        ({"opponents": "random"}, BadOption, "did you mean 'opponent'[?]"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], error: type[GameError], message: str) -> None:
    with pytest.raises(error, match=message):
        made(**arguments)


def test_wrong_resets_and_steps_are_refused() -> None:
    env = made(opponent="expert")
    with pytest.raises(GameError, match="begin one with reset"):
        env.step(0)
    with pytest.raises(GameError, match="reset has no option 'state'; allowed: none"):
        env.reset(options={"state": 1})
    env.reset(seed=1)
    other = copy.deepcopy(env)
    for action in (-1, 65, 0.5, "a", None):
        with pytest.raises(GameError, match="whole numbers"):
            env.step(action)
    assert data_equivalence(env.step(0), other.step(0), exact=True)
    play(env, 1)
    with pytest.raises(GameError, match="the game is over"):
        env.step(0)


# The example


def test_the_example_learns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ICEHOUSE", str(tmp_path / "icehouse.npy"))
    spec = importlib.util.spec_from_file_location("icehouse_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, value in {"POPULATION": 3, "ELITE": 2, "GAMES": 1, "TIMER_SECONDS": 10.0}.items():
        monkeypatch.setattr(module, name, value)
    module.train(1, map)
    module.evaluate(4, 10.0, map)
    assert re.search(r"round 1: .*\n0[.]\d\d [(]0[.]\d\d to \d[.]\d\d[)] of 4 games", capsys.readouterr().out)


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 200


@pytest.mark.parametrize("action", ["menu", "grid", "place"])
def test_there_are_opponents_for_every_kind_of_action(action: Any) -> None:
    env = gymnasium.make("icetable.envs.gymnasium:icetable/Icehouse-v0", action=action, timer=30.0)
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.action_space.sample())
