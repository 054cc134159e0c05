"""One contract for all environments: their games are those of the states, and what they tell is what the states say."""

from __future__ import annotations

import random
import re
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyspiel
import pytest

import icetable
from icetable import CHANCE, Game
from icetable.core.turns import TurnGame, TurnState
from icetable.envs import Batch, space
from icetable.envs.gymnasium import Env
from icetable.envs.openspiel import MAX_ACTS, parameters_of
from icetable.envs.pettingzoo import TurnEnv
from tests.envs.cases import CASES, planes
from tests.envs.test_openspiel import seen as spiel_planes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.cases import Case


class Moment(NamedTuple):
    """What an environment tells when a seat is to act, and the action that was taken."""

    seat: int
    legal: list[int]
    planes: Any
    action: int


class Played(NamedTuple):
    """A whole game of an environment: what was told to some seats, and what was paid before the end and at the end."""

    record: str
    seats: list[int]
    moments: list[Moment]
    early: list[float]
    rewards: list[float]
    at_the_end: dict[int, Any]
    """The planes that some seats see then."""


def by_batch(case: Case, rewards: Any) -> Played:
    """The second of three games."""
    batch = Batch(case.game, 3, seed=5, rewards=rewards)
    moments, early = [], []
    while not batch.done[1]:
        early += batch.reward[1].tolist()
        actions, legal = batch.pick(), np.flatnonzero(batch.mask[1]).tolist()
        moments.append(Moment(int(batch.actor[1]), legal, batch.observation[1].copy(), int(actions[1])))
        batch.step(actions)
    assert batch.acts[1] == len(moments)
    seats = list(range(case.game.players))
    return Played(batch.record(1, final=True), seats, moments, early, batch.reward[1].tolist(), {})


def by_pettingzoo(case: Case, rewards: Any) -> Played:
    env = TurnEnv(case.name, **case.game.options, rewards=rewards)
    env.reset(seed=1)
    dice = random.Random(1)
    moments: list[Moment] = []
    early: list[float] = []
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert (truncated, info) == (False, {})
        assert observation is not None
        totals[agent] += reward
        if terminated:
            env.step(None)
            continue
        early.append(reward)
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        action = dice.choice(legal)
        moments.append(Moment(env.possible_agents.index(agent), legal, observation["observation"], action))
        env.step(action)
    return Played(env.record(), list(range(case.game.players)), moments, early, list(totals.values()), {})


def by_gymnasium(case: Case, rewards: Any) -> Played:
    return by_learner(Env(case.name, **case.game.options, rewards=rewards))


def by_learner(env: Env) -> Played:
    """What the only seat is told that does not play by itself."""
    dice = np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    reward, terminated = 0.0, False
    moments, early = [], []
    while not terminated:
        early.append(reward)
        assert env.action_masks().tolist() == info["action_mask"].tolist()
        legal = np.flatnonzero(info["action_mask"]).tolist()
        moments.append(Moment(int(info["seat"]), legal, observation, int(dice.choice(legal))))
        observation, reward, terminated, truncated, info = env.step(moments[-1].action)
        assert not truncated
    assert not info["action_mask"].any()
    assert reward == info["rewards"][info["seat"]]
    seat = int(info["seat"])
    return Played(env.record(), [seat], moments, early, info["rewards"].tolist(), {seat: observation})


def by_openspiel(case: Case) -> Played:
    """A game of `Batch`, played again."""
    assert isinstance(case.game, TurnGame)
    game = pyspiel.load_game(f"python_icetable_{case.name}", parameters_of(case.game))
    assert game.game == case.game
    batch = Batch(case.game, 1, seed=4)
    while not batch.done[0]:
        batch.step(batch.pick())
    record, state, moments = batch.record(0, final=True), game.new_initial_state(), []
    for after in icetable.replay(record).history():
        if after.act is None:
            continue
        assert not state.is_terminal()
        assert state.is_chance_node() == (after.seat == CHANCE)
        parts = parts_of(case.game, after.act) if after.seat == CHANCE else [game.space.number(after.act)]
        if after.seat != CHANCE:
            seat, legal = state.current_player(), state.legal_actions()
            names = [state.action_to_string(action) for action in legal]
            assert [game.space.number(name) for name in names] == legal
            moments.append(Moment(seat, legal, spiel_planes(state, seat), parts[0]))
        for part in parts:
            state.apply_action(part)
        assert isinstance(after, TurnState)
        assert (state.node.position == after.position).all()
    assert state.is_terminal()
    seats = list(range(case.game.players))
    at_the_end = {seat: spiel_planes(state, seat) for seat in seats}
    return Played(record, seats, moments, [], list(state.returns()), at_the_end)


def parts_of(game: TurnGame, act: str) -> list[int]:
    """The outcomes that an act of chance is made of."""
    if act in game.chance_parts:
        return [game.chance_parts.index(act)]
    return [game.chance_parts.index(number) for number in re.findall("[0-9]+" if "," in act else "[0-9]", act)]


def is_taken(game: Game) -> bool:
    """Whether OpenSpiel can count as far as a game can go."""
    assert isinstance(game, TurnGame)
    bounds = game.longest()
    return bounds is not None and sum(bounds) <= MAX_ACTS


def assert_agrees(played: Played, rewards: str | None) -> None:
    """What was told is what the states of the record say."""
    final = icetable.replay(played.record)
    assert isinstance(final, TurnState)
    assert final.is_terminal
    assert final.record() == played.record
    numbered = space(final.game)
    acted = [state for state in final.history() if state.seat in played.seats]
    assert len(acted) == len(played.moments)
    for state, moment in list(zip(acted, played.moments, strict=True))[::5]:
        before = state.parent
        assert isinstance(before, TurnState)
        assert {moment.seat} == before.to_act
        assert moment.legal == sorted(numbered.number(act) for act in before.legal_actions())
        assert numbered.notation(moment.action) == str(state.act).partition(":")[0]
        assert (moment.planes == planes(numbered, before.array, moment.seat)).all()
    for seat, seen in played.at_the_end.items():
        assert (seen == planes(numbered, final.array, seat)).all()
    assert not any(played.early)
    assert played.rewards == pytest.approx(wages(final, rewards))


def wages(final: TurnState, rewards: str | None) -> list[float]:
    players = final.game.players
    if rewards == "points" or (rewards is None and players == 1):
        return list(final.scores)
    if players == 1:
        return [0]
    shares = [(seat in final.winners) / len(final.winners) for seat in range(players)]
    return [(share * players - 1) / (players - 1) for share in shares]


@pytest.mark.parametrize("play", [by_batch, by_pettingzoo, by_gymnasium])
@pytest.mark.parametrize(("case", "rewards"), list(zip(CASES, cycle([None, "share", "points"]))), ids=str)
def test_games_are_those_of_the_states(play: Callable[[Case, Any], Played], case: Case, rewards: str | None) -> None:
    assert_agrees(play(case, rewards), rewards)


@pytest.mark.parametrize("case", [case for case in CASES if is_taken(case.game)], ids=str)
def test_games_of_openspiel_are_those_of_the_states(case: Case) -> None:
    assert_agrees(by_openspiel(case), None)


@pytest.mark.parametrize("game", ["icefrogs", "wrecktangle", "highrise", "squad"])
def test_games_against_bots_are_those_of_the_states(game: str) -> None:
    assert_agrees(by_learner(Env(game, opponent="beginner")), None)
