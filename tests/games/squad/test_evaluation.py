"""The evaluation of bots."""

from __future__ import annotations

import numpy as np
import pytest

import icetable
from icetable import Action, State
from icetable.bots.search import search
from icetable.core.turns import TurnState
from icetable.games.squad import evaluation
from tests.arena import arena

from .drawings import drawn
from .greedy import greedy


def evaluated(state: State) -> list[float]:
    """Each seat's expected share."""
    assert isinstance(state, TurnState)
    values = np.empty(state.game.players)
    evaluation.evaluate(state.array, values)
    found: list[float] = values.tolist()
    return found


def test_a_junior_more_is_worth_more() -> None:
    drawing = """
    1C1 .   .   .
    .   .   {}  .
    .   .   .   0F
    0C1 .   .   1F
    """
    leads = [evaluated(drawn(drawing.format(piece)).state)[0] for piece in ("0J", "0F", "1F", "1J")]
    assert leads == sorted(leads, reverse=True)
    assert len(set(leads)) == 4


def test_alone_the_score_is_scaled_alike_everywhere() -> None:
    """From 0 to 1, whatever has fallen in the meantime; more points are always more."""
    game = icetable.load("squad", players=1)
    rng = np.random.default_rng(2)
    believed: dict[int, set[float]] = {}
    for _ in range(60):
        state = game.start()
        while not state.is_terminal:
            state = state.apply(game.random_act(state, rng))
            (value,) = evaluated(state)
            believed.setdefault(int(state.scores[0]), set()).add(value)
    assert len(believed) > 4
    assert all(len(values) == 1 for values in believed.values())
    in_order = [believed[score].pop() for score in sorted(believed)]
    assert in_order == sorted(in_order)
    assert all(0 <= value <= 1 for value in in_order)


def test_search_finds_the_best_score_alone() -> None:
    """SQ-16: 600 simulations an act are enough for 12 points."""
    state = icetable.load("squad", players=1).start()
    while not state.is_terminal:
        assert isinstance(state, TurnState)
        state = state.apply(search(state, simulations=600, seed=4)[0].action)
    assert state.scores == (12,)


@pytest.mark.parametrize("players", [2, 3])
def test_a_short_search_beats_greed(players: int) -> None:
    def by_search(state: State, seat: int, seed: int) -> Action:
        assert isinstance(state, TurnState)
        return search(state, simulations=300, seed=seed)[0].action

    game = icetable.load("squad", players=players)
    standing = arena(game, [by_search] + [greedy] * (players - 1), 30, seed=1)
    assert standing.share[0] >= 1.5 / players  # an equal would have 1 / players
