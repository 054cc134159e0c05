"""Searches in many positions at once do what searches in one do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from icetable.bots.many import choose_many
from icetable.bots.search import INFORMED, PURE, Style, search
from icetable.core.turns import TurnGame, TurnState
from icetable.envs import space
from icetable.extras.strength import Effort
from icetable.kernels import jit

GAMES = ("icefrogs", "wrecktangle", "highrise", "squad")
each_game = pytest.mark.parametrize("game", GAMES)


def positions(game: TurnGame, count: int = 12) -> list[TurnState]:
    """States of random games at which a seat has a choice, from beginning to end."""
    found = []
    for seed in range(3):
        walk = [one for one in game.random_game(np.random.default_rng(seed)).history() if isinstance(one, TurnState)]
        found += [one for one in walk if one.actor >= 0 and len(one.legal_actions()) > 1]
    return found[:: max(1, len(found) // count)]


def one_by_one(tasks: Sequence[Callable[[], None]]) -> None:
    for task in tasks:
        task()


@each_game
@pytest.mark.parametrize(("simulations", "style"), [(1, INFORMED), (30, INFORMED), (30, PURE), (60, None)], ids=str)
def test_each_act_is_the_first_of_its_search(game: str, simulations: int, style: Style | None) -> None:
    numbered = space(game)
    states = positions(numbered.game)
    seeds = np.array([jit.seeds(number, 1)[0] for number in range(len(states))])
    stacked = np.stack([state.array for state in states])
    actions, again = (
        choose_many(numbered.game, stacked, seeds, Effort(simulations), style, threads, one_by_one)
        for threads in (1, 3)
    )
    assert actions.tolist() == again.tolist()
    for number, state in enumerate(states):
        best = search(state, style, simulations=simulations, seed=number)[0]
        assert numbered.notation(actions[number]) == best.action


def test_a_level_overlooks_acts_with_its_probability() -> None:
    """The act in place k is played with the probability p(1 - p)^k."""
    numbered = space("icefrogs")
    state = positions(numbered.game)[3]
    attention, games = 0.6, 4000
    order = [one.action for one in search(state, INFORMED, simulations=1)]
    stacked = np.tile(state.array, (games, 1))
    effort = Effort(1, attention=attention)
    played = Counter(choose_many(numbered.game, stacked, jit.seeds(1, games), effort, INFORMED, 1, one_by_one).tolist())
    for place, act in enumerate(order[:4]):
        expected = games * attention * (1 - attention) ** place
        assert abs(played[numbered.number(act)] - expected) < 5 * expected**0.5


def test_any_act_that_is_near_the_best_is_played() -> None:
    numbered = space("icefrogs")
    state = numbered.game.start()
    found = search(state, INFORMED, simulations=400)
    close = {numbered.number(one.action) for one in found if one.visits >= 0.5 * found[0].visits and not one.exact}
    assert len(close) > 1
    stacked = np.tile(state.array, (60, 1))
    actions = choose_many(
        numbered.game, stacked, jit.seeds(1, 60), Effort(400, visit_ratio=0.5), INFORMED, 1, one_by_one
    )
    assert set(actions.tolist()) == close
