"""Opponents of a learner: players by name, leagues, and copies of the learner."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

import icetable
from icetable import GameError
from icetable.bots.levels import timeless_levels
from icetable.bots.players import player_named, player_names
from icetable.core.turns import TurnGame
from icetable.envs import Frozen, League, space
from icetable.envs.gymnasium import Env, VectorEnv
from icetable.workshop.examples.canals import Canals

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, State

GAMES = ("icefrogs", "wrecktangle", "highrise", "squad")
each_game = pytest.mark.parametrize("game", GAMES)


def firsts(_observations: Any, masks: Any, _rng: np.random.Generator) -> Any:
    return masks.argmax(axis=1)


def lasts(_observations: Any, masks: Any, _rng: np.random.Generator) -> Any:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def play(envs: VectorEnv, steps: int, seed: int = 1) -> list[Any]:
    """The answers of some steps in which the learner plays its first legal actions."""
    told: list[Any] = [envs.reset(seed=seed)]
    for _ in range(steps):
        told.append(envs.step(told[-1][-1]["action_mask"].argmax(axis=1)))
    return told


@each_game
def test_every_player_with_a_name_is_an_opponent(game: str) -> None:
    loaded = space(game).game
    for name in player_names(loaded):
        told = name.replace(":N", ":3")
        if not told.startswith(("strong", "seasoned", "expert", "master")):
            play(VectorEnv(game, 2, opponent=told), 3)
    casual = next(level for level in timeless_levels(loaded) if level.name == "casual")
    play(VectorEnv(game, 2, opponent=casual.fixed_name), 3)


@pytest.mark.parametrize("name", ["greedy", "sims:5", "casual"])
@each_game
def test_opponents_play_what_players_of_their_name_play(game: str, name: str) -> None:
    """Where nothing is left to chance: the greedy act is the same, and the others play legal acts."""
    envs = VectorEnv(game, 4, seat=0, opponent=name, autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step(envs._learner.batch.mask.argmax(axis=1))
    player = player_named(space(game).game, name)
    assert player is not None
    for row in range(4):
        state = icetable.replay(envs.record(row))
        for before in state.history():
            if before.parent is not None and before.seat == 1 and name == "greedy":
                best = player.order(before.parent, 1)  # type: ignore[arg-type]
                assert before.act == next(best)


def test_a_level_that_thinks_by_the_clock_plays_as_its_bot_does(monkeypatch: pytest.MonkeyPatch) -> None:
    class Last:
        def __init__(self, game: Game, level: str, _seed: int) -> None:
            assert (game.info.name, level) == ("squad", "master")

        def choose(self, state: State, seat: int) -> Action:
            return state.legal_actions(seat)[-1]

    monkeypatch.setattr("icetable.bots.players.Bot", Last)
    for name in ("master", "master@1"):
        env = Env("squad", seat=1, opponent=name)
        env.reset(seed=1)
        begun = next(state for state in icetable.replay(env.record()).history() if state.seat == 0)
        assert begun.parent is not None
        assert begun.act == begun.parent.legal_actions()[-1]


@pytest.mark.parametrize("opponent", ["casual", "sims:20"])
def test_threads_change_no_game(opponent: str) -> None:
    told = play(VectorEnv("squad", 9, opponent=opponent, autoreset_mode="SameStep"), 12)
    assert data_equivalence(
        play(VectorEnv("squad", 9, opponent=opponent, autoreset_mode="SameStep", threads=3), 12), told, exact=True
    )


def test_a_game_of_plain_python_has_opponents_with_names() -> None:
    for opponent in ("random", "pure:3"):
        env = Env(Canals, opponent=opponent)
        _, info = env.reset(seed=1)
        env.step(int(info["action_mask"].argmax()))


# Leagues


def seats_of_members(envs: VectorEnv) -> Any:
    return envs._learner._members


def test_a_member_is_drawn_for_each_other_seat_of_each_game() -> None:
    asked: dict[str, int] = {"firsts": 0, "lasts": 0}

    def counted(policy: Any) -> Any:
        def ask(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
            asked[policy.__name__] += len(masks)
            return policy(observations, masks, rng)

        return ask

    league = League(counted(firsts), counted(lasts))
    play(VectorEnv("squad", 32, opponent=league, players=3, autoreset_mode="SameStep"), 10)
    assert min(asked.values()) > 0.4 * sum(asked.values())


def test_a_league_plays_as_its_members_do() -> None:
    options: Any = {"seat": 0, "autoreset_mode": "Disabled"}
    alone = {policy: play(VectorEnv("squad", 6, opponent=policy, **options), 2) for policy in (firsts, lasts)}
    envs = VectorEnv("squad", 6, opponent=League(firsts, lasts), **options)
    told = play(envs, 2)
    members = seats_of_members(envs)[:, 1]
    assert set(members) == {0, 1}
    for row, member in enumerate(members):
        assert (told[-1][0][row] == alone[(firsts, lasts)[member]][-1][0][row]).all()


def test_the_newest_member_plays_from_the_next_game_on() -> None:
    league = League(firsts, newest=1)
    envs = VectorEnv("squad", 8, opponent=league, autoreset_mode="SameStep")
    told: Any = envs.reset(seed=1)
    league.add(lasts)
    before = seats_of_members(envs).copy()
    assert (before == 0).all()
    ends = np.zeros(8, np.bool_)
    while not ends.all():
        told = envs.step(told[-1]["action_mask"].argmax(axis=1))
        ends |= told[2]
        assert (seats_of_members(envs) == ends[:, np.newaxis]).all()
    league.add("god")
    with pytest.raises(GameError, match="can't be 'god'"):
        envs.reset()


def test_the_members_of_a_league_are_drawn_from_the_seed() -> None:
    envs = VectorEnv("icefrogs", 6, opponent=League("random", "greedy", firsts, newest=0.5))
    told = play(envs, 8)
    assert data_equivalence(play(envs, 8), told, exact=True)
    assert not data_equivalence(play(envs, 8, seed=2), told, exact=True)


@pytest.mark.parametrize("newest", [-0.1, 1.5])
def test_a_bad_probability_is_refused(newest: float) -> None:
    with pytest.raises(GameError, match="newest is a probability"):
        League("random", newest=newest)


class Model:
    """Plays the legal action with its number."""

    def __init__(self) -> None:
        self.number = 0

    def predict(self, observations: Any, *, action_masks: Any, deterministic: bool) -> tuple[Any, None]:
        assert len(observations) == len(action_masks)
        assert deterministic is False
        return np.array([np.flatnonzero(mask)[self.number] for mask in action_masks]), None


@pytest.mark.parametrize("wrapped", [False, True], ids=["model", "policy"])
def test_a_frozen_learner_learns_nothing_more(wrapped: bool) -> None:
    model = Model()
    frozen = Frozen(SimpleNamespace(policy=model) if wrapped else model)
    model.number = 1
    options: Any = {"seat": 0, "autoreset_mode": "Disabled"}
    told = play(VectorEnv("squad", 3, opponent=frozen, **options), 2)
    assert data_equivalence(play(VectorEnv("squad", 3, opponent=firsts, **options), 2), told, exact=True)
    one = Env("squad", seat=1, opponent=League(frozen, Frozen(model)))
    one.reset(seed=1)


@each_game
def test_every_reward_is_that_of_the_learners_own_seat(game: str) -> None:
    """So its sign is right for every one of its acts, whoever acted last."""
    envs = VectorEnv(game, 16, opponent=League("random", firsts), autoreset_mode="Disabled")
    told: Any = envs.reset(seed=3)
    seats = told[-1]["seat"]
    assert isinstance(space(game).game, TurnGame)
    over = np.zeros(16, np.bool_)
    for _ in range(25):
        told = envs.step(told[-1]["action_mask"].argmax(axis=1))
        over |= told[2]
        rewards = told[-1]["rewards"][np.arange(16), seats]
        assert (told[1] == np.where(told[2], rewards, 0)).all()
        if told[2].any():
            break
