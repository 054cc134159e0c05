"""A bad argument of a method is refused by a GameError that names the allowed ones."""

from __future__ import annotations

import contextlib
import random
import re
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError, GameInfo
from icetable.analysis import analyse, review

each_game = pytest.mark.parametrize("info", icetable.list_games(), ids=lambda info: info.name)


@each_game
@pytest.mark.parametrize("rng", [None, 5, random.Random(0), np.random.RandomState(0), np.random])
def test_chance_needs_a_generator(info: GameInfo, rng: Any) -> None:
    game = info.load()
    state = game.start()
    with pytest.raises(GameError, match=r"^rng is a numpy\.random\.Generator, such as .*, not "):
        game.random_act(state, rng) if info.turns else game.random_act(state, rng, seat=0)  # type: ignore[call-arg]
    with pytest.raises(GameError, match=r"^rng is a numpy\.random\.Generator"):
        game.random_game(rng)


@each_game
def test_only_a_view_can_be_drawn(info: GameInfo) -> None:
    game, others = info.load(), [other for other in icetable.list_games() if other != info]
    state: Any = game.start()
    for draw in (game.draw, game.svg):
        with pytest.raises(GameError, match=r"a view, not a state: state\.view\(\)"):
            draw(state)
        no_views: tuple[Any, ...] = (None, 5, "view", {}, [state.view()])
        for wrong in no_views:
            with pytest.raises(GameError, match=r"^to draw, pass the view of a state, not "):
                draw(wrong)
        for other in others:
            with pytest.raises(GameError, match=f"^this is a view of '{other.name}', not of '{info.name}'$"):
                draw(other.load().start().view())


@pytest.mark.parametrize("wrong", [None, 5, icetable.list_games()[0].load(), b"icetable record 1"])
def test_a_search_starts_from_a_state(wrong: Any) -> None:
    for search in (analyse, review):
        with pytest.raises(GameError, match=r"^a search starts from a state of a game, not from "):
            search(wrong)


@each_game
def test_placements_can_be_sampled_or_acts_listed(info: GameInfo) -> None:
    state, rng = info.load().start(), np.random.default_rng(1)
    said = f"{re.escape(info.title)} has no placements to sample" if info.turns else "no piece in hand"
    with pytest.raises(GameError, match=said):
        state.sample_placements(0, rng, 1)


@each_game
def test_a_listed_act_is_an_action(info: GameInfo) -> None:
    state = info.load().start()
    with contextlib.suppress(GameError):  # where chance has too many outcomes to list
        action: icetable.Action = state.legal_actions(min(state.to_act))[0]
        assert state.apply(action, min(state.to_act)).act == action


@each_game
def test_a_state_draws_itself(info: GameInfo) -> None:
    state = info.load().random_game(np.random.default_rng(1))
    for seat in (None, 0):
        assert state.draw(seat) == state.game.draw(state.view(seat))
        assert state.svg(seat) == state.game.svg(state.view(seat))
    assert state._repr_svg_() == state.svg()
    with pytest.raises(GameError, match="no seat 9"):
        state.svg(9)
