"""Between two seats searches solve small endings: what they call exact is what best play comes to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import icetable
from icetable.analysis import analyse
from icetable.bots.search import INFORMED, best_style, search, tighten
from icetable.bots.trees import best_first, new_tree
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.extras.strength import solver_of
from icetable.kernels import jit
from icetable.kernels.layout import NOBODY
from tests.analysis.material import toy
from tests.best_play import solved, worth
from tests.both_modes import said_in_both_modes
from tests.lab.conftest import toys  # noqa: F401 (a fixture)


def endings(name: str, options: dict[str, Any], acts: int) -> list[TurnState]:
    """Positions of random games so many acts before the end."""
    game = icetable.load(name, **options)
    found = []
    for seed in range(3):
        state = list(game.random_game(np.random.default_rng(seed)).history())[-1 - acts]
        assert isinstance(state, TurnState)
        found += [state] if state.actor >= 0 else []
    return found


@pytest.mark.parametrize(
    ("name", "options", "acts", "simulations"),
    [
        ("icefrogs", {"turn_limit": 30}, 1, 1),
        ("icefrogs", {"turn_limit": 30}, 2, 200),
        ("squad", {}, 4, 1000),
        ("squad", {}, 6, 3000),
        ("squad", {"friends": "own", "formation": "up-to"}, 5, 3000),
        ("wrecktangle", {"turn_limit": 6}, 2, 1000),
        ("wrecktangle", {"turn_limit": 6}, 4, 20_000),
    ],
    ids=str,
)
def test_small_endings_are_solved(name: str, options: dict[str, Any], acts: int, simulations: int) -> None:
    positions = endings(name, options, acts)
    assert positions
    for state in positions:
        known: dict[bytes, float] = {}
        for fewer in (1, simulations // 20 + 1):
            solved(state, fewer, known)
        assert solved(state, simulations, known)


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels are too slow to solve a game")
def test_a_draw_is_proven() -> None:
    """Early in a game, as the solver says it is; without exactness only sure wins are proven."""
    (state, *_) = endings("squad", {}, 8)
    solver = solver_of(state.game.info)
    assert solver is not None
    found = analyse(state, simulations=30_000)
    assert (found.exact, found.worth) == (True, (0.5, 0.5))
    shares = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    assert {one.act: one.worth[found.seat or 0] for one in found.candidates} == {
        act: shares[str(value)] for act, value in solver.values(state).items()
    }
    sure_wins_alone = best_style(state.game)._replace(exact=False)
    assert not any(one.exact for one in search(state, sure_wins_alone, simulations=30_000) if one.value > 0)


@pytest.mark.usefixtures("toys")
def test_the_odds_of_chance() -> None:
    """Half the guesses at a coin are right: that is proven where a game says that all outcomes are equally likely."""
    state = toy("guess")
    style = INFORMED._replace(exact=True)
    found = search(state, style._replace(even=True), simulations=10)
    assert [(one.exact, one.shares, one.sure) for one in found] == [(True, (0.5, 0.5), 0)] * 2
    assert not any(one.exact for one in search(state, style, simulations=100))


def test_a_solved_search_ends() -> None:
    (state, *_) = endings("icefrogs", {"turn_limit": 30}, 2)
    few, many = (search(state, simulations=simulations) for simulations in (2000, 20_000))
    assert few == many
    assert all(one.exact for one in few)


@pytest.mark.parametrize("threads", [1, 3])
def test_several_trees_prove_together(threads: int) -> None:
    (state, *_) = endings("icefrogs", {"turn_limit": 30}, 2)
    found = search(state, simulations=300 * threads, threads=threads)
    assert all(one.exact for one in found)
    assert found[0].value == worth(state, state.actor, {})


def test_trying_other_acts_does_not_blur_a_worth() -> None:
    """A node backs up the worth of its best act, if that is proven and better than the edge that was tried."""
    game = icetable.games.load("squad")
    assert isinstance(game, TurnGame)
    tree, node, edge = new_tree(game), 0, 3
    tree.visits[edge], tree.bound[node] = 2, 0.25

    def handed_on(seat: int, mean: float) -> list[float]:
        values = np.array([0.1, 0.9])
        tree.value_sum[edge] = mean * tree.visits[edge]
        tighten(tree, node, seat, edge, values)
        return [float(value) for value in values]

    assert [handed_on(0, mean) for mean in (0.7, 0.8)] == [[0.75, 0.25], [0.1, 0.9]]
    assert [handed_on(1, mean) for mean in (0.2, 0.3)] == [[0.75, 0.25], [0.1, 0.9]]
    assert handed_on(CHANCE, 0.0) == [0.1, 0.9]
    tree.proven[node] = 0.5
    assert handed_on(CHANCE, 0.0) == handed_on(0, 1.0) == [0.5, 0.5]


def test_the_order_of_acts() -> None:
    """Proven ones by their worth, others by their visits, and what is surely lost comes last."""
    exact = np.array([False, True, False, True, True, True])
    values = np.array([0.6, 0.55, 0.9, 0.0, 1.0, 0.55])
    visits = np.array([90, 3, 10, 70, 1, 5])
    assert best_first(exact, values, visits) == [4, 0, 2, 5, 1, 3]
    values[0] = 0.5
    assert best_first(exact, values, visits) == [4, 5, 1, 0, 2, 3]
    values[[0, 2]] = 0.0
    assert best_first(exact, values, visits) == [4, 5, 1, 0, 2, 3]


def test_more_seats_have_sure_wins_alone() -> None:
    """Of three who draw nothing else is proven."""
    game = icetable.games.load("icefrogs", players=3, turn_limit=6)
    assert isinstance(game, TurnGame)
    state = next(one for one in game.random_game(np.random.default_rng(1)).history() if one.view()["turn"] == 5)
    assert isinstance(state, TurnState)
    assert state.actor not in (CHANCE, NOBODY)
    assert all(one.exact == (one.sure > 0) for one in search(state, simulations=500))
    assert not analyse(state, simulations=500).exact


def test_both_modes_solve_alike() -> None:
    program = (
        "import icetable, numpy as np; from icetable.bots.search import *\n"
        "for name, options in ('highrise', {}), ('highrise', {'values': [0, 1, 1, 2, 3, 4, 5, 6, 9]}):\n"
        "    *_, state, _, _, _ = icetable.load(name, **options).random_game(np.random.default_rng(2)).history()\n"
        "    print([(c.action, c.visits, c.value, c.exact) for c in search(state, simulations=40, seed=3)])\n"
    )
    assert "True" in said_in_both_modes(program)
