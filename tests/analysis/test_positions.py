"""The worth of positions: on toys of which it is known, and properties that hold for every game."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import numpy as np
import pytest

import icetable
from icetable import GameError
from icetable.analysis import Analysis, analyse
from icetable.bots.search import search
from icetable.core.game import CHANCE
from icetable.core.turns import TurnState
from icetable.kernels.layout import shares_of
from tests.analysis.material import KINDS, end_of_a_game, load, toy

each_kind = pytest.mark.parametrize(("name", "players"), KINDS)


def add_up(found: Analysis) -> bool:
    """Whether all that is told in shares adds up to 1."""
    told = [found.worth, *(one.worth for one in found.candidates), *(one.worth for one in found.outcomes)]
    return all(sum(shares) == pytest.approx(1, abs=1e-9) for shares in told)


@each_kind
def test_every_position_of_a_game(name: str, players: int) -> None:
    for state in end_of_a_game(name, players, 1).history():
        assert isinstance(state, TurnState)
        found = analyse(state, simulations=10)
        assert add_up(found)
        assert found.seat == (None if state.is_terminal else state.actor)
        if state.is_terminal:
            assert (found.worth, found.exact) == (tuple(shares_of(state.winners, players)), True)
        elif state.actor != CHANCE:
            assert sorted(one.act for one in found.candidates) == sorted(state.legal_actions())
            assert found.worth == found.candidates[0].worth
        elif state.codes():
            assert [(one.act, one.odds) for one in found.outcomes] == state.chance_outcomes()
            mean = sum(one.odds * np.array(one.worth) for one in found.outcomes)
            assert np.allclose(found.worth, mean, atol=1e-12)
        else:
            assert (found.worth[1], found.outcomes) == (state.game.deals.expect(state.array), ())
            assert found.exact


@each_kind
def test_lines_can_be_played(name: str, players: int) -> None:
    """Up to an act of chance, and the expected ones hang together: the best one is the longest of all searched."""
    start = load(name, players).start()
    while start.actor == CHANCE:
        start = start.apply(start.game.random_act(start, np.random.default_rng(1)))
    found = analyse(start, simulations=60)
    for one in found.candidates:
        assert one.line[0] == one.act
        state = start
        for act in one.line:
            assert state.actor != CHANCE
            state = state.apply(act)
    assert len(found.candidates[0].line) > 1


@pytest.mark.usefixtures("toys")
def test_a_line_ends_with_the_proven_win() -> None:
    """Of seven beans three have to be taken, and whatever the other seat takes, the rest."""
    found = analyse(toy("fate", heap=7), simulations=100)
    best = found.candidates[0]
    assert (found.exact, best.act, best.exact, best.worth) == (True, "do:3", True, (1.0, 0.0))
    state = toy("fate", *best.line, heap=7)
    assert state.winners == {0}


@pytest.mark.usefixtures("toys")
def test_lines_of_two_trees() -> None:
    for one in search(toy("fate", heap=7), simulations=60, threads=2, lines=True):
        assert toy("fate", *one.line, heap=7).act == one.line[-1]


@pytest.mark.usefixtures("toys")
def test_worth_that_is_known() -> None:
    """Four of ten lots decide, one of them for the first seat; else it wins, unless the heap is a multiple of four."""
    for heap, worth in ((5, 0.7), (8, 0.1)):
        found = analyse(toy("fate", heap=heap, lots=4, first=1), simulations=1)
        assert found.worth == pytest.approx((worth, 1 - worth))
        assert (found.seat, len(found.outcomes), found.outcomes[0].worth) == (CHANCE, 10, (1.0, 0.0))


@pytest.mark.usefixtures("toys")
def test_exact_worth() -> None:
    assert [one.exact for one in analyse(toy("fate", heap=9, lots=4), simulations=1).outcomes] == [True] * 4 + [
        False
    ] * 6
    assert analyse(toy("fate", heap=3, lots=4), simulations=5).exact
    assert not analyse(toy("fate", heap=9), simulations=1).exact
    lost = analyse(toy("fate", heap=4), simulations=100)
    assert (lost.exact, lost.worth) == (True, (0.0, 1.0))
    over = analyse(toy("fate", "do:3", heap=3))
    assert (over.seat, over.exact, over.worth, over.candidates) == (None, True, (1.0, 0.0), ())


@pytest.mark.usefixtures("toys")
def test_a_game_lost_to_one_of_two_others_has_no_exact_worth() -> None:
    """The first of three can only say which of the others wins."""
    found = analyse(toy("march", "do:1", "do:1", "do:1", players=3, length=4, width=2), simulations=50)
    assert {one.worth.index(1.0) for one in found.candidates if one.exact} == {1, 2}
    assert (found.exact, found.worth[0]) == (False, 0.0)


def test_the_same_again() -> None:
    state = load("wrecktangle", 2).start()
    found = [analyse(state, simulations=10, seed=seed) for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]


def test_seconds() -> None:
    state = load("wrecktangle", 2).start()
    assert add_up(analyse(state, simulations=None, seconds=0.001))
    assert add_up(analyse(state.apply("die:away"), simulations=5, seconds=60))


def test_as_json() -> None:
    """An analysis is written as it is: its acts are plain texts."""
    told = json.loads(msgspec.json.encode(analyse(load("squad", 2).start(), simulations=10)))
    assert set(told) == {"seat", "worth", "exact", "candidates", "outcomes"}
    assert set(told["candidates"][0]) == {"act", "worth", "visits", "exact", "line"}
    rolled = json.loads(msgspec.json.encode(analyse(load("wrecktangle", 2).start(), simulations=1)))
    assert (rolled["seat"], set(rolled["outcomes"][0])) == (CHANCE, {"act", "odds", "worth", "exact"})


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"simulations": 0}, "simulations is a whole number from 1 up"),
        ({"simulations": 2.5}, "simulations is a whole number from 1 up"),
        ({"seed": -1}, "seed is a whole number from 0 up"),
        ({"simulations": None}, "needs a limit"),
        ({"seconds": 0}, "seconds is a number above 0"),
    ],
    ids=repr,
)
def test_bad_limits(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(GameError, match=reason):
        analyse(load("squad", 2).start(), **wrong)


def test_games_that_have_no_worth() -> None:
    with pytest.raises(GameError, match="two players or more"):
        analyse(icetable.load("squad", players=1).start())
    with pytest.raises(GameError, match="a review by search is for games of turns"):
        analyse(icetable.load("icehouse").start())
