"""The evaluation of bots, and the search that uses it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from icetable import CHANCE, Action, State
from icetable.bots import Bot
from icetable.bots.search import search
from icetable.bots.trees import Candidate
from icetable.core.turns import TurnState
from icetable.games.highrise import evaluation
from tests.arena import arena

from .drawings import begun, load
from .greedy import greedy
from .test_deal import full
from .test_faults import all_placed


def shares(state: State) -> list[float]:
    """Each seat's expected share."""
    assert isinstance(state, TurnState)
    values = np.empty(2)
    evaluation.evaluate(state.array, values)
    found: list[float] = values.tolist()
    return found


def look(state: State, simulations: int, seed: int = 0) -> list[Candidate]:
    assert isinstance(state, TurnState)
    return search(state, simulations=simulations, seed=seed)


def test_before_the_deal_what_is_likely() -> None:
    """Shares against those of many deals; certain where no number can change the winner."""
    rng = np.random.default_rng(2)
    off = []
    for _ in range(15):
        state: State = begun()
        while state.to_act != {CHANCE}:
            state = state.apply(state.game.random_act(state, rng))
        ends = [state.apply(state.game.random_act(state, rng)) for _ in range(300)]
        won = sum((0 in end.winners) / len(end.winners) for end in ends) / len(ends)
        off.append(abs(shares(state)[0] - won))
    assert max(off) < 0.15
    assert sum(off) / len(off) < 0.05
    assert shares(all_placed()) == [0.5, 0.5]
    assert shares(all_placed(values=[7] * 9)) == [0.5, 0.5]


def test_without_spread_the_count_decides() -> None:
    """Numbers that are all alike leave nothing open once all is placed."""
    position = full(2, values=[7] * 9)
    state: State = position.state
    seen = set()
    for act in state.legal_actions()[:9]:
        for reply in state.apply(act).legal_actions()[:9]:
            after = state.apply(act).apply(reply)
            end = after.apply("deal:777777777")
            assert shares(after) == shares(end)
            seen.add(end.winners)
    assert len(seen) > 1


def test_the_colour_does_not_matter() -> None:
    """HR-6."""
    one, other = begun().apply("L@b2"), begun().apply("L:black@b2")
    assert shares(one) == shares(other)


def test_the_end_is_played_without_a_mistake() -> None:
    """The last two placings, against all there are; numbers that are all alike leave nothing to chance."""
    game = load(values=[7] * 9)
    found = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        state: State = game.start()
        while state.view()["turn"] < 48:
            state = state.apply(greedy(state, min(state.to_act), int(rng.integers(2**31))))
        worth = {
            act: min(result(state.apply(act).apply(reply)) for reply in state.apply(act).legal_actions())
            for act in state.legal_actions()
        }
        best = look(state, 1500, seed)[0].action
        assert worth[best] == max(worth.values())
        found.add(len(set(worth.values())))
    assert max(found) > 1


def result(state: State) -> float:
    """The share of seat 0 when the numbers are shown."""
    return shares(state.apply("deal:777777777"))[0]


@pytest.mark.parametrize(
    "options", [{}, {"cols": 4, "memory": "off"}, {"values": [0, 0, 0, 3, 3, 3, 9, 9, 9]}], ids=str
)
def test_a_short_search_beats_greed(options: dict[str, Any]) -> None:
    def by_search(state: State, _seat: int, seed: int) -> Action:
        return look(state, 30, seed)[0].action

    standing = arena(load(**options), [by_search, greedy], 6, seed=1)
    assert standing.share[0] >= 0.8


def test_a_bot_plays_a_game_to_its_end() -> None:
    """Hidden pyramids and the deal to come are no obstacle."""
    game = load()
    bot = Bot(game, "beginner", seed=1)
    rng = np.random.default_rng(1)
    state: State = game.start()
    while not state.is_terminal:
        act = game.random_act(state, rng) if state.to_act == {CHANCE} else bot.choose(state, min(state.to_act))
        state = state.apply(act)
    assert state.ended_by == "HR-8"
