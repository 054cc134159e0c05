"""The search finds what is forced, is reproducible, and gets stronger with what it knows and how much it looks."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import icetable
from icetable.bots.search import INFORMED, PURE, Style, best_style, search
from icetable.bots.trees import TREES, Candidate
from icetable.core.game import CHANCE, Action, State
from icetable.core.turns import TurnState
from tests.arena import Chooser, arena
from tests.both_modes import said_in_both_modes
from tests.games.icefrogs.drawings import state_with

STYLES = [pytest.param(INFORMED, id="informed"), pytest.param(PURE, id="pure")]


def position(stacks: dict[str, list[str]], turn: int = 0, **options: Any) -> TurnState:
    """A state of IceFrogs with these stacks."""
    game = icetable.load("icefrogs", **options)
    state = state_with(game, turn, {space: "".join(stack) for space, stack in stacks.items()})
    assert isinstance(state, TurnState)
    return state


def look(state: State, style: Style = INFORMED, simulations: int = 200, **how: Any) -> list[Candidate]:
    assert isinstance(state, TurnState)
    return search(state, style, simulations=simulations, **how)


def test_a_tree_that_was_used_before_is_as_good_as_new() -> None:
    """Searches one after another, at the same time and of other games find what they would alone."""
    start, other = icetable.load("icefrogs").start(), icetable.load("squad", players=3).start()
    alone = [look(state, seed=seed) for state in (start, other) for seed in (1, 2)]
    TREES.clear()
    assert [look(state, seed=seed) for state in (start, other) for seed in (1, 2)] == alone
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda one: look(one[0], seed=one[1]), [(start, 1), (start, 2), (other, 1), (other, 2)] * 3)
        assert list(together) == alone * 3


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "players"), [("squad", 3), ("wrecktangle", 2), ("highrise", 2)])
def test_shares_of_all_seats(name: str, players: int, threads: int) -> None:
    """They add up to the whole game, and the value of an act is the actor's."""
    state = icetable.load(name, players=players).start()
    rng = np.random.default_rng(1)
    while CHANCE in state.to_act or len(list(state.history())) < 6:
        state = state.apply(state.game.random_act(state, rng))
    (seat,) = state.to_act
    for candidate in look(state, threads=threads):
        assert sum(candidate.shares) == pytest.approx(1)
        assert candidate.shares[seat] == candidate.value


@pytest.mark.parametrize("style", STYLES)
def test_a_win_in_one_is_taken_and_proven(style: Style) -> None:
    best = look(position({"h1": ["0S"], "g4": ["1L"]}), style)[0]
    assert best.action == "h1-i1"
    assert (best.sure, best.value) == (1, 1.0)


@pytest.mark.parametrize("style", STYLES)
def test_a_threat_is_parried_by_the_only_act_that_does(style: Style) -> None:
    # Seat 0 threatens h1-i1. Seat 1 can only cover h1, with a pyramid no larger than the medium one there.
    state = position({"h1": ["0M"]}, turn=1)
    best = look(state, style, simulations=2000)[0]
    assert best.action in {"M@h1", "S@h1"}
    losing = [candidate for candidate in look(state, style, simulations=2000) if candidate.sure == 1]
    assert losing
    assert all(candidate.value == 0 for candidate in losing)


def test_a_win_that_looks_bad_is_found() -> None:
    """The learned weights judge the act so badly that only wide visits come to it."""
    stacks = {"b2": ["0M"], "c4": ["0L", "0S", "1S"], "d3": ["1S"], "e3": ["1M", "0S"], "f3": ["1M", "0S"]}
    state = position(stacks | {"g3": ["0S"], "h2": ["1L", "1M", "0M", "1S"]}, turn=28)
    style = best_style(state.game)
    best = look(state, style, simulations=3000, seed=5)[0]
    assert (best.action, best.sure) == ("g3-h1", 1)
    assert look(state, style._replace(wide=0.0), simulations=3000, seed=5)[0].sure == 0


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("style", STYLES)
def test_the_same_seed_gives_the_same_answer(style: Style, threads: int) -> None:
    start = icetable.load("icefrogs", players=3).start()
    answers = [look(start, style, simulations=300, threads=threads, seed=5) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(
    ("name", "options", "visits"),
    [
        ("icefrogs", {"players": 2}, {"b1-d2": 167, "c3-c4": 17, "b1-c3": 3, "b2-c4": 2}),
        ("icefrogs", {"players": 4}, {"L@e5": 133, "M@b2": 40, "b1-b2": 7, "b1-c4": 6}),
        ("wrecktangle", {"players": 2}, {"g1-g3": 53, "f1-h3": 30, "b1-b3": 23, "c1-a3": 20}),
        ("highrise", {"numbers": "unseen"}, {"S@b1": 26, "S@a2": 26, "S@b3": 26, "S@c3": 26}),
        ("squad", {"players": 3}, {"J@b3": 127, "S@c3": 12, "F@d5": 9, "F@d4": 6}),
    ],
)
def test_the_anchor_never_changes(name: str, options: dict[str, Any], visits: dict[str, int]) -> None:
    state, rng = icetable.load(name, **options).start(), np.random.default_rng(1)
    while len(list(state.history())) <= 8 or CHANCE in state.to_act:
        state = state.apply(state.game.random_act(state, rng))
    assert {one.action: one.visits for one in look(state, seed=4)[:4]} == visits


@pytest.mark.parametrize(
    ("name", "options", "left", "visits"),
    [
        ("highrise", {"numbers": "unseen"}, 3, {"M@c3": 47, "M@b2": 22, "M@a2": 21, "M@c2": 21}),
        ("icefrogs", {"turn_limit": 30}, 3, {"g5-g4": 96, "g5-g6": 92, "h1-g4": 2, "g5-f4": 2}),
        ("wrecktangle", {"turn_limit": 6}, 4, {"~d1-d2": 36, "~b1-b2": 34, "~c2-c3": 23, "end": 22}),
        ("squad", {}, 6, {"S@c3": 13, "S@a4": 13, "S@b2": 8}),
    ],
)
def test_the_anchor_never_changes_near_the_end(
    name: str, options: dict[str, Any], left: int, visits: dict[str, int]
) -> None:
    """It proves sure wins alone."""
    state = list(icetable.load(name, **options).random_game(np.random.default_rng(2)).history())[-1 - left]
    found = look(state, seed=4)
    assert {one.action: one.visits for one in found[:4]} == visits
    assert all(one.exact == (one.sure > 0) for one in found)


def test_another_seed_gives_other_playouts() -> None:
    start = icetable.load("icefrogs").start()
    assert look(start, PURE, seed=1) != look(start, PURE, seed=2)


@pytest.mark.parametrize("style", STYLES)
def test_every_simulation_is_counted_once(style: Style) -> None:
    start = icetable.load("icefrogs").start()
    candidates = look(start, style, simulations=500)
    judged_at_once = len(candidates) if style.informed else 0
    opening = 1 if style.informed else 0  # the first simulation opens the root, and goes through no edge
    assert sum(candidate.visits for candidate in candidates) == 500 - opening + judged_at_once
    assert {candidate.action for candidate in candidates} == set(start.legal_actions())
    assert all(0 <= candidate.value <= 1 for candidate in candidates)


def test_both_modes_search_alike() -> None:
    program = (
        "import icetable; from icetable.bots.search import *\n"
        "icefrogs = icetable.load('icefrogs', players=3).start()\n"
        "highrise = icetable.load('highrise', values=[0, 0, 1, 1, 2, 2, 10, 10, 20]).start().apply('S@b2')\n"
        "wrecktangle = icetable.load('wrecktangle', players=3, rectangles='tilted').start().apply('die:wild')\n"
        "for start, style, simulations in (\n"
        "    (icefrogs, INFORMED, 25), (icefrogs, PURE, 25), (highrise, INFORMED, 6), (wrecktangle, INFORMED, 12)\n"
        "):\n"
        "    found = search(start, style, simulations=simulations, seed=3)\n"
        "    print([(c.action, c.visits, c.value, c.sure) for c in found])\n"
    )
    said = said_in_both_modes(program)
    assert "L@b2" in said
    assert "~" in said


def by_search(style: Style, simulations: int) -> Chooser:
    def choose(state: State, seat: int, seed: int) -> Action:
        return look(state, style, simulations=simulations, seed=seed)[0].action

    return choose


def at_random(state: State, seat: int, seed: int) -> Action:
    return state.game.random_act(state, np.random.default_rng(seed))


def test_searching_beats_chance() -> None:
    standing = arena(icetable.load("icefrogs"), [by_search(INFORMED, 30), at_random], 20, seed=1)
    assert standing.share[0] >= 0.9


def test_knowing_the_game_beats_playing_it_out() -> None:
    standing = arena(icetable.load("icefrogs"), [by_search(INFORMED, 150), by_search(PURE, 150)], 20, seed=1)
    assert standing.share[0] >= 0.7
