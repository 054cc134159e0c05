"""The games as environments of Gymnasium: its own checks, and one learner's games equal to those of states."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import icetable
from icetable import BadOption, GameError, IllegalAction, UnknownGame
from icetable.envs import League, space
from icetable.envs.gymnasium import Env, VectorEnv
from tests.conformance.cases import Case
from tests.envs.cases import each_case

GAMES = {"icefrogs": "IceFrogs", "wrecktangle": "WreckTangle", "highrise": "HighRise", "squad": "Squad"}
each_game = pytest.mark.parametrize("game", GAMES)


def made(case: Case, **options: Any) -> Env:
    return Env(case.game.info.name, **options, **case.game.options)


def first(_observation: Any, mask: Any, _rng: np.random.Generator) -> int:
    """Plays the first legal action of one game."""
    return int(mask.argmax())


def firsts(_observations: Any, masks: Any, _rng: np.random.Generator) -> Any:
    """Plays the first legal action of each game."""
    return masks.argmax(axis=1)


def play_at_random(env: Env, seed: int) -> list[tuple[Any, ...]]:
    """The answers of a game of random actions, from its first observation to its end."""
    told: list[tuple[Any, ...]] = [env.reset(seed=seed)]
    rng = np.random.default_rng(seed)
    while len(told) == 1 or not told[-1][2]:
        told.append(env.step(int(rng.choice(np.flatnonzero(told[-1][-1]["action_mask"])))))
    return told


# What Gymnasium asks for


@each_case
def test_gymnasium_finds_no_fault(case: Case) -> None:
    check_env(made(case), skip_render_check=True)  # drawings are checked below


@each_game
def test_environments_are_registered(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icetable.envs.rendering.size_of", lambda _game: (80, 80))
    name = f"icetable.envs.gymnasium:icetable/{GAMES[game]}-v{space(game).encoding.version}"
    env = gymnasium.make(name, opponent="greedy")
    check_env(env.unwrapped)
    assert env.unwrapped.record().splitlines()[1] == f"game {game}"  # type: ignore[attr-defined]
    envs = gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point", autoreset_mode="SameStep")
    assert isinstance(envs, VectorEnv)
    assert envs.reset(seed=1)[0] in envs.observation_space


def test_drawings_are_given_or_written(capsys: pytest.CaptureFixture[str]) -> None:
    env = Env("squad", render_mode="ansi", players=1)
    env.reset(seed=1)
    state = icetable.replay(env.record())
    assert env.render() == state.game.draw(state.view(0))
    assert capsys.readouterr().out == ""
    env = Env("squad", render_mode="human", players=1)
    env.reset(seed=1)
    assert capsys.readouterr().out == state.game.draw(state.view(0)) + "\n"


# The games


def test_points_are_paid_where_they_are_asked_for() -> None:
    told = play_at_random(Env("squad", rewards="points"), 1)[-1]
    assert sum(told[-1]["rewards"]) > 1
    assert told[1] == told[-1]["rewards"][told[-1]["seat"]]


@pytest.mark.parametrize("opponent", ["random", "greedy", "beginner", first])
def test_seeds_give_the_same_games_again(opponent: Any) -> None:
    env, again = (Env("squad", opponent=opponent, players=3) for _ in range(2))
    told = play_at_random(env, 4)
    assert data_equivalence(play_at_random(again, 4), told, exact=True)
    assert data_equivalence(play_at_random(env, 4), told, exact=True)
    assert not data_equivalence(play_at_random(env, 5), told, exact=True)


def test_games_without_a_seed_differ() -> None:
    firsts_seen = {Env("wrecktangle", seat=0).reset()[0].tobytes() for _ in range(30)}
    assert len(firsts_seen) > 1  # six faces of the die; all thirty alike once in 6**29


def test_seats_are_drawn_or_chosen() -> None:
    drawn, fixed = Env("squad", players=4), Env("squad", seat=2, players=4)
    drawn.reset(seed=1)
    assert {int(drawn.reset()[1]["seat"]) for _ in range(40)} == {0, 1, 2, 3}
    assert {int(fixed.reset()[1]["seat"]) for _ in range(5)} == {2}
    envs = VectorEnv("squad", 40, players=4)
    assert set(envs.reset(seed=1)[1]["seat"]) == {0, 1, 2, 3}


def test_a_game_that_ends_before_the_learner_acts_begins_again() -> None:
    env = Env("icefrogs", opponent=first, players=6, turn_limit=1)
    assert {int(env.reset(seed=seed)[1]["seat"]) for seed in range(5)} == {0}
    with pytest.raises(GameError, match="the learner never comes to act"):
        Env("icefrogs", seat=1, players=6, turn_limit=1).reset()


@pytest.mark.parametrize("game", ["highrise", "wrecktangle"])
def test_nothing_reveals_future_chance(game: str) -> None:
    """Two games that are alike so far, with another future of chance, give the same answers."""
    env, other = (Env(game, 0, first) for _ in range(2))
    told: Any = env.reset(seed=0)
    seed = next(seed for seed in range(1, 9999) if data_equivalence(other.reset(seed=seed), told, exact=True))
    other.reset(seed=seed)
    differed = False
    rng = np.random.default_rng(1)
    while not differed:
        before = chances(env)
        action = int(rng.choice(np.flatnonzero(env.action_masks())))
        told, told_other = env.step(action), other.step(action)
        differed = not data_equivalence(told, told_other, exact=True)
        assert chances(env) > before or not differed


@pytest.mark.parametrize("opponent", ["random", firsts])
def test_many_games_tell_nothing_of_a_deal_to_come(opponent: Any) -> None:
    envs, other = (VectorEnv("highrise", 4, 0, opponent, autoreset_mode="Disabled") for _ in range(2))
    told: Any = envs.reset(seed=1)
    told_other: Any = other.reset(seed=1)
    other._learner.batch._rows.streams[:, 0] = 17
    while told[-1]["action_mask"].any(axis=1).all():
        assert data_equivalence(told, told_other, exact=True)
        actions = told[-1]["action_mask"].argmax(axis=1)
        told, told_other = envs.step(actions), other.step(actions)
    assert not data_equivalence(told[0], told_other[0], exact=True)


def chances(env: Env) -> int:
    """The number of acts of chance so far."""
    return sum(line.startswith("* ") for line in env.record().splitlines())


# Wrong use


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"game": "go"}, UnknownGame, "there are highrise"),
        ({"game": "icehouse"}, GameError, "has no turns"),
        ({"players": 9}, BadOption, "a whole number from 1 to 4"),
        ({"render_mode": "rgb"}, GameError, "'ansi', 'human', 'rgb_array'"),
        ({"seat": 2}, GameError, "from 0 to 1 or None"),
        ({"seat": True}, GameError, "from 0 to 1 or None"),
        ({"opponent": "self"}, GameError, "one reward for all seats .* League"),
        ({"opponent": "god"}, GameError, "'random', 'greedy', 'beginner', .*, 'master'; LEVEL@V"),
        ({"opponent": "casual@9"}, GameError, "no longer of version V"),
        ({"opponent": 1}, GameError, "a function, a League or 'random'"),
        ({"opponent": League()}, GameError, "no members yet"),
        ({"opponent": League("greedy", "god")}, GameError, "can't be 'god'"),
        ({"rewards": "gold"}, GameError, "'share', 'points'"),
        ({"illegal": "win"}, GameError, "'raise', 'lose', 'ignore'"),
        ({"reward": "points"}, BadOption, "no option 'reward'; .*; did you mean 'rewards'[?]"),
        ({"opponents": "random"}, BadOption, "no option 'opponents'; .*; did you mean 'opponent'[?]"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_allowed(options: Any, error: type[GameError], message: str) -> None:
    with pytest.raises(error, match=message):
        Env(**{"game": "squad", **options})
    if "render_mode" not in options:
        with pytest.raises(error, match=message):
            VectorEnv(**{"game": "squad", **options})


def test_wrong_arguments_of_many_games_are_refused() -> None:
    with pytest.raises(GameError, match="'NextStep', 'SameStep', 'Disabled'"):
        VectorEnv("squad", autoreset_mode="never")
    for wrong in (0, 1.5, True):
        with pytest.raises(GameError, match="num_envs is a whole number from 1"):
            VectorEnv("squad", wrong)  # type: ignore[arg-type]
    envs = VectorEnv("squad", 2)
    for mask in ([True], np.array([0, 1]), [False, False]):
        with pytest.raises(GameError, match="reset_mask is an array of 2 bools"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(GameError, match="reset has no option 'which'; allowed: reset_mask"):
        envs.reset(options={"which": 1})


def test_wrong_resets_and_steps_are_refused() -> None:
    env = Env("squad")
    with pytest.raises(GameError, match="begin one with reset"):
        env.step(0)
    for wrong in (-1, 0.5, "a"):
        with pytest.raises(GameError, match="seed is a whole number"):
            env.reset(seed=wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="reset has no option 'seat'; allowed: state"):
        env.reset(options={"seat": 1})
    env.reset(seed=1)
    before = env.record()
    for action in (-1, 64, 0.5, None):
        with pytest.raises(GameError, match="whole numbers"):
            env.step(action)  # type: ignore[arg-type]
    assert env.record() == before
    play_at_random(env, 1)
    with pytest.raises(GameError, match="the game in row 0 is over"):
        env.step(0)


def test_an_illegal_action_loses_is_ignored_or_raises() -> None:
    envs = {illegal: Env("squad", seat=0, illegal=illegal, players=3) for illegal in ("lose", "ignore", "raise")}
    told = {illegal: env.reset(seed=1) for illegal, env in envs.items()}
    wrong = int(told["lose"][1]["action_mask"].argmin())
    _, reward, terminated, _, info = envs["lose"].step(wrong)
    assert (reward, terminated, info["rewards"].tolist()) == (-0.5, True, [-0.5, 0.25, 0.25])
    observation, reward, terminated, _, info = envs["ignore"].step(wrong)
    assert (reward, terminated) == (0, False)
    assert data_equivalence((observation, info), told["ignore"], exact=True)
    with pytest.raises(IllegalAction, match="All captains"):
        envs["raise"].step(wrong)
    assert not envs["raise"].step(int(told["raise"][1]["action_mask"].argmax()))[2]


@pytest.mark.parametrize(
    ("action", "message"), [(0.5, "1 whole numbers"), ([1, 2], "1 whole numbers"), (64, "illegal"), (0, "illegal")]
)
def test_a_wrong_opponent_is_named(action: Any, message: str) -> None:
    env = Env("squad", seat=1, opponent=lambda _seen, _mask, _rng: action)
    with pytest.raises(GameError, match=message):
        env.reset()
    with pytest.raises(GameError, match="begin one with reset"):
        env.step(0)


def test_without_gymnasium_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "icetable.envs.gymnasium")
    with pytest.raises(ModuleNotFoundError, match=r"^Gymnasium is not installed; install icetable\[gymnasium\]\.$"):
        importlib.import_module("icetable.envs.gymnasium")


# Many games


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(("game", "players"), [("squad", 1), ("squad", 3), ("icefrogs", 2)])
def test_many_games_are_what_gymnasium_makes_of_single_ones(mode: AutoresetMode, game: str, players: int) -> None:
    """In games without chance, against players without chance, with seats that are not drawn."""
    options: Any = {"seat": players - 1, "players": players, "illegal": "ignore"}
    envs = VectorEnv(game, 3, opponent=firsts, autoreset_mode=mode, **options)
    single = SyncVectorEnv([lambda: Env(game, opponent=first, **options)] * 3, autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] == single.metadata["autoreset_mode"]
    assert envs.observation_space == single.observation_space
    assert envs.action_space == single.action_space
    told: Any = envs.reset(seed=1)
    wanted: Any = single.reset(seed=1)
    assert data_equivalence(told, wanted, exact=True)
    rng = np.random.default_rng(1)
    ends = 0
    while ends < 5:
        masks = told[-1]["action_mask"]
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        told, wanted = envs.step(actions), single.step(actions)
        assert data_equivalence(told, wanted, exact=True)
        over = told[2]
        ends += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            with pytest.raises(GameError, match="is over"):
                envs.step(actions)
            told = envs.reset(options={"reset_mask": over})
            wanted = single.reset(options={"reset_mask": over})
            assert data_equivalence(told[0], wanted[0], exact=True)


@each_case
def test_one_row_of_many_is_the_single_game(case: Case) -> None:
    """Also where dice fall: the first row has the same chance, however many there are."""
    seat = case.game.players - 1
    env = made(case, seat=seat, opponent=first)
    envs = VectorEnv(case.game.info.name, 3, seat, firsts, autoreset_mode=AutoresetMode.SAME_STEP, **case.game.options)
    told: Any = env.reset(seed=2)
    many: Any = envs.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(20):
        masks = many[-1]["action_mask"]
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        told, many = env.step(int(actions[0])), envs.step(actions)
        assert told[1:3] == (many[1][0], many[2][0])
        if told[2]:
            assert (many[-1]["final_obs"][0] == told[0]).all()
            assert icetable.replay(envs.record(0, final=True)) == icetable.replay(env.record())
            break
        assert (many[0][0] == told[0]).all()
        assert (many[-1]["action_mask"][0] == told[-1]["action_mask"]).all()


@pytest.mark.parametrize("opponent", ["random", "greedy", "beginner"])
def test_many_games_have_the_same_seeds_again(opponent: str) -> None:
    envs, again = (VectorEnv("squad", 4, opponent=opponent, autoreset_mode="SameStep") for _ in range(2))
    told: Any = envs.reset(seed=3)
    wanted: Any = again.reset(seed=3)
    for _ in range(15):
        assert data_equivalence(told, wanted, exact=True)
        actions = told[-1]["action_mask"].argmax(axis=1)
        told, wanted = envs.step(actions), again.step(actions)


@each_game
def test_planes_come_first_where_they_are_asked_for(game: str) -> None:
    env = Env(game, channels="first")
    check_env(env, skip_render_check=True)
    last = Env(game)
    assert (env.reset(seed=1)[0].transpose(1, 2, 0) == last.reset(seed=1)[0]).all()
    envs = VectorEnv(game, 3, channels="first", autoreset_mode="SameStep")
    assert envs.reset(seed=1)[0].shape[1:] == env.observation_space.shape


@pytest.mark.parametrize("opponent", ["random", "beginner"])
def test_without_copies_the_same_is_told_in_the_memory_of_the_games(opponent: str) -> None:
    options: Any = {"opponent": opponent, "autoreset_mode": "SameStep"}
    envs, lent = VectorEnv("squad", 4, **options), VectorEnv("squad", 4, copy=False, **options)
    told: Any = envs.reset(seed=1)
    seen, infos = lent.reset(seed=1)
    for _ in range(30):
        assert (seen == told[0]).all()
        assert (infos["action_mask"] == told[-1]["action_mask"]).all()
        assert not seen.flags.writeable
        assert not infos["action_mask"].flags.writeable
        actions = infos["action_mask"].argmax(axis=1)
        told, after = envs.step(actions), lent.step(actions)
        assert np.shares_memory(after[0], seen)
        assert np.shares_memory(after[-1]["action_mask"], infos["action_mask"])
        assert (after[1] == told[1]).all()
        seen, infos = after[0], after[-1]
