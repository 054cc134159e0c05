"""The die: six faces, equally likely, for every seat (WT-5)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import icetable
from icetable.bots import search
from icetable.bots.search import INFORMED, Style
from icetable.bots.trees import new_tree
from icetable.core.turns import TurnGame, TurnState
from icetable.games.wrecktangle import rules
from icetable.games.wrecktangle.rules import DIE, FACES, ROLL
from icetable.kernels import jit
from icetable.lab.playouts import ENDLESS, play_out
from tests.fairness import (
    LIMIT,
    Source,
    assert_fair,
    assert_independent,
    each_source,
    ends,
    positions,
    surprise,
    uniform,
)

from .drawings import EARLIER, FRAME, set_up

PRINTED = ("away", "toward", "diag-away", "diag-toward", "swap", "wild")
"""WT-7."""
GAMES = 20_000


@each_source
@pytest.mark.rule("WT-5")
def test_wt_5_the_die_is_fair(source: Source) -> None:
    """And a roll says nothing of those that follow."""
    start = icetable.load("wrecktangle").start()
    assert isinstance(start, TurnState)
    rolled = positions(source, start)
    faces, first = np.unique(rolled[:, DIE], return_index=True)
    names = {
        face: TurnState(start.game, rolled[one]).view()["own"]["face"] for face, one in zip(faces, first, strict=True)
    }
    shown = [names[face] for face in rolled[:, DIE]]
    assert_fair(shown, uniform(PRINTED))
    for later in range(1, 9):
        assert_independent(shown[:-later], shown[later:], uniform(PRINTED))
    threes = zip(shown[::3], shown[1::3], shown[2::3], strict=True)
    assert_fair(threes, uniform(itertools.product(PRINTED, repeat=3)))


def last_turn() -> TurnState:
    """Seat 0 rolls for the last turn of all, in which it may wreck seat 1."""
    return set_up(FRAME, (0, 2), last=EARLIER, turn_limit=1).state


def test_playouts_roll_by_the_chances() -> None:
    """All ways in which the last turn may go are counted."""
    state = last_turn()
    acts, results, unused = np.empty(GAMES, np.int64), np.empty((GAMES, 2)), np.empty(GAMES, np.int64)
    run = jit.bind(play_out, "wrecktangle", rules=rules)
    room, rng, buffer = state.array.copy(), np.empty(1, np.int64), np.empty(rules.MAX_ACTS, np.int64)
    run(state.array, jit.seeds(1, GAMES), ENDLESS, room, rng, buffer, acts, results, unused, unused)
    winners = [tuple(np.flatnonzero(result).tolist()) for result in results]
    expected = ends(state)
    assert set(expected) == {(3, (0, 1)), (3, (0,)), (2, (0,))}
    assert_fair(zip(acts.tolist(), winners, strict=True), expected)


def tried(style: Style, simulations: int, least: int) -> list[list[int]]:
    """How often a search from the start tried each face, at each roll of its tree with so many visits."""
    game = icetable.games.load("wrecktangle")
    assert isinstance(game, TurnGame)
    tree, scratch = new_tree(game), search.new_scratch(game, 7)
    grow = jit.bind(search.run, "wrecktangle", **search.modules_of(game))
    grow(tree, scratch, game.first_position(), simulations, style)
    found = []
    for node in range(tree.used[0]):
        edges = slice(tree.first[node], tree.first[node] + tree.degree[node])
        if tree.degree[node] and tree.act[edges.start] == ROLL and tree.visits[edges].sum() >= least:
            assert tree.act[edges].tolist() == [ROLL | face for face in range(FACES)]
            found.append(tree.visits[edges].tolist())
    return found


@pytest.mark.parametrize("style", [INFORMED, Style(informed=False, cutoff=2)], ids=["informed", "playing out"])
def test_searches_roll_by_the_chances(style: Style) -> None:
    """At each node of the tree where the die is rolled, a face is tried as often as it falls."""
    often = tried(style, 60_000, least=60)
    surprises = [surprise(dict(enumerate(visits)), uniform(range(FACES))) for visits in often]
    assert len(often) > 20
    assert max(surprises) < LIMIT
    assert abs(sum(surprises)) / len(surprises) ** 0.5 < LIMIT


def test_the_best_search_tries_all_faces_alike() -> None:
    game = icetable.games.load("wrecktangle")
    assert isinstance(game, TurnGame)
    rolls = tried(search.best_style(game), 5_000, least=2)
    assert any(sum(visits) % FACES for visits in rolls)
    assert all(max(visits) - min(visits) <= 1 for visits in rolls)
    early = [visits for visits in rolls if sum(visits) == 2]
    assert np.sum(early, axis=0).all(), "which face comes first is drawn"
