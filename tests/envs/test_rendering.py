"""Pictures of games as arrays, in all environments that show positions."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import icetable
from icetable.envs import Batch, RealTime, frame
from icetable.envs.gymnasium import Env, VectorEnv
from icetable.envs.pettingzoo import icehouse_v0, squad_v0
from icetable.envs.rendering import light, rasteriser, size_of
from icetable.extras.picture import GLASS, Picture, Piece

GAMES = [info.name for info in icetable.list_games()]


@pytest.mark.parametrize("name", GAMES)
def test_all_pictures_of_a_game_are_of_one_size(name: str) -> None:
    game = icetable.load(name)
    states = list(game.random_game(np.random.default_rng(1)).history())
    first, last = frame(states[0]), frame(states[-1])
    assert first.dtype == np.uint8
    assert (first.ndim, first.shape[2]) == (3, 3)
    assert first.shape[0] % 2 == first.shape[1] % 2 == 0
    assert last.shape == first.shape
    assert (last != first).any()


def test_a_picture_that_grows_is_drawn_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    game = icetable.load("icehouse", players=2)
    usual = frame(game.start())
    taller = game.svg(game.start().view()).replace('viewBox="0 0 1008 ', 'viewBox="0 0 1008 9')
    monkeypatch.setattr(type(game), "svg", lambda _game, _view: taller)
    grown = frame(game.start())
    assert grown.shape == usual.shape == (*size_of(game)[::-1], 3)
    assert (grown != usual).any()


@pytest.mark.parametrize("colour", sorted(GLASS))
def test_pyramids_have_the_colours_of_light_screens(colour: str) -> None:
    picture = Picture("One")
    picture.stack("a1", (0, 0), [Piece("L", colour)])
    pixels = rasteriser()(light(picture.svg((-32, -32, 64, 64))))
    body = GLASS[colour].body
    if colour == "clear":
        red, green, blue = (round(255 - 0.42 * (255 - tone)) for tone in (150, 190, 218))
    else:
        tone = body if isinstance(body, str) else body[0]
        red, green, blue = bytes.fromhex(tone[1:])
    lit = [round(0.84 * part + 0.16 * 255) for part in (red, green, blue)]  # the left side, where light falls
    assert np.abs(pixels[40, 8].astype(int) - lit).max() <= 2


def test_letters_are_drawn_without_those_of_the_system() -> None:
    blank = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" role="img">{}</svg>'
    digit = '<text x="5" y="35" style="font: 800 30px system-ui, sans-serif">8</text>'
    assert (rasteriser()(blank.format(digit)) < 128).any()
    assert (rasteriser()(blank.format("")) == 255).all()


def test_gymnasium() -> None:
    env: Any = gymnasium.make("icetable.envs.gymnasium:icetable/Squad-v0", players=2, render_mode="rgb_array")
    check_env(env.unwrapped)
    env.reset(seed=1)
    state = icetable.replay(env.unwrapped.record())
    assert (env.render() == frame(state, int(env.unwrapped._learner.seat[0]))).all()
    kept: Any = gymnasium.wrappers.RenderCollection(env)
    _, info = kept.reset(seed=1)
    kept.step(int(info["action_mask"].argmax()))
    assert [one.shape for one in kept.render()] == [(360, 360, 3)] * 2


def test_vectors_of_gymnasium() -> None:
    envs: Any = gymnasium.make_vec(
        "icetable.envs.gymnasium:icetable/Squad-v0",
        num_envs=3,
        vectorization_mode="vector_entry_point",
        render_mode="rgb_array",
    )
    envs.reset(seed=1)
    shown = envs.render()
    assert isinstance(shown, tuple)
    assert [one.shape for one in shown] == [(360, 360, 3)] * 3
    assert "rgb_array" in envs.metadata["render_modes"]
    assert VectorEnv("squad", 2).render() is None
    texts = VectorEnv("squad", 2, render_mode="ansi")
    texts.reset(seed=1)
    assert [type(text) for text in texts.render() or ()] == [str, str]
    with pytest.raises(icetable.GameError, match="allowed: 'ansi', 'rgb_array', None"):
        VectorEnv("squad", 2, render_mode="human")  # type: ignore[arg-type]


def test_pettingzoo() -> None:
    for env in (squad_v0.env(render_mode="rgb_array"), icehouse_v0.env(players=2, timer=9.0, render_mode="rgb_array")):
        env.reset(seed=1)
        shown = env.render()
        assert shown.dtype == np.uint8
        assert shown.shape[2] == 3
        assert "rgb_array" in env.metadata["render_modes"]
    both: Any = icehouse_v0.parallel_env(players=2, timer=9.0, tick=0.5, render_mode="rgb_array")
    both.reset(seed=1)
    assert (both.render() == frame(both._ticks.state())).all()
    assert both.metadata["render_fps"] == 2


def test_batches_and_ticks_are_drawn_by_their_states() -> None:
    assert frame(Batch("squad", 2).state(1)).shape == (360, 360, 3)
    assert frame(RealTime("icehouse", players=2).state()).shape[2] == 3


def test_a_machine_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    rasteriser.cache_clear()
    size_of.cache_clear()
    for make in (partial(Env, "squad"), partial(VectorEnv, "squad"), squad_v0.env):
        with pytest.raises(ModuleNotFoundError, match=r"need more packages; install icetable\[images\]\.$"):
            make(render_mode="rgb_array")
    Env("squad", render_mode="ansi")
