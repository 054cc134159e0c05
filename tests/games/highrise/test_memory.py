"""The positions that a forgetful player imagines: all that fit what is in sight, evenly (HR-7)."""

from __future__ import annotations

import functools
import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from icetable import CHANCE
from icetable.core.turns import TurnState
from icetable.games.highrise.compiled import CompiledHighRise
from icetable.games.highrise.rules import LEFT, LOG, NUMBERS, PIPS, seat_of, size_of
from icetable.kernels.layout import TURN
from icetable.lab.players import player
from tests.fairness import DRAWS, assert_fair, uniform

from .drawings import OWNER, begin_game, begun, load, set_up, stacks_of, table_of
from .material import is_hidden

Towers = dict[str, list[str]]

BOARDS: list[dict[str, Any]] = [{}, {"cols": 4}, {"rows": 5, "cols": 5}, {"values": list(range(9))}]
each_board = pytest.mark.parametrize("options", BOARDS, ids=str)


def played(game: CompiledHighRise, acts: int, seed: int) -> TurnState:
    """The state after so many random placings, at most all of them."""
    rng, state = np.random.default_rng(seed), begin_game(game)
    for _ in range(acts):
        if state.actor == CHANCE:
            break
        state = state.apply(game.random_act(state, rng))
    return state


def states(options: dict[str, Any]) -> list[TurnState]:
    """States of random games, from early to late."""
    return states_on(json.dumps(options))


@functools.cache
def states_on(board: str) -> list[TurnState]:
    """Those on a board in JSON."""
    game = load(**json.loads(board))
    return [played(game, acts, seed) for seed in range(3) for acts in (2, 9, 16, 24, 32, 39)]


def imagined(state: TurnState, memory: int, seed: int) -> TurnState:
    game = state.game
    return TurnState(game, game.determinize(state.array, memory, np.random.default_rng(seed)))


def pieces(state: TurnState) -> list[list[tuple[int, int]]]:
    """Seat and size of the pyramids on each square, from bottom to top."""
    table = table_of(state)
    return [[(OWNER[str(piece.colour)], piece.pips - 1) for piece in table.stack(space)] for space in table.spaces]


def sight(state: TurnState) -> dict[str, Any]:
    """All that the players see, but for the colours, which play no part."""
    told = dict(state.view())
    told["stacks"] = {square: [piece.partition(":")[0] for piece in tower] for square, tower in told["stacks"].items()}
    told["pads"] = [
        {size: sum(count for text, count in pad.items() if text[1] == size) for size in "SML"}
        for pad in told.get("pads", ())
    ]
    return told


# What fits


@each_board
@pytest.mark.parametrize("memory", [0, 1, 4, 15])
def test_an_imagined_position_fits_all_that_is_in_sight(options: dict[str, Any], memory: int) -> None:
    changed = 0
    for number, state in enumerate(states(options)):
        before = state.position.copy()
        other = imagined(state, memory, number)
        assert (state.position == before).all()
        assert sight(other) == sight(state)
        assert (other.position[LEFT:PIPS] == state.position[LEFT:PIPS]).all()
        assert (other.position[NUMBERS:LOG] == state.position[NUMBERS:LOG]).all()
        assert (other.position[:LEFT] == state.position[:LEFT]).all()
        assert other.legal_actions() == state.legal_actions()
        changed += pieces(other) != pieces(state)
    assert changed > 5


@each_board
@pytest.mark.parametrize("memory", [0, 3, 12])
def test_the_last_ones_are_where_they_are(options: dict[str, Any], memory: int) -> None:
    """And so are those in sight, of which the views tell."""
    for number, state in enumerate(states(options)):
        turns = int(state.position[TURN])
        other = imagined(state, memory, number)
        first = LOG + max(0, turns - memory)
        assert (other.position[first:] == state.position[first:]).all()
        placed = [sorted((seat_of(entry), size_of(entry)) for entry in log_of(one)) for one in (state, other)]
        assert placed[0] == placed[1]


@each_board
def test_the_pips_are_those_of_the_towers(options: dict[str, Any]) -> None:
    """The kernel goes by the pips, the views by the log."""
    for number, state in enumerate(states(options)):
        other = imagined(state, 2, number)
        for square, tower in enumerate(pieces(other)):
            pips = [sum(size + 1 for owner, size in tower if owner == seat) for seat in (0, 1)]
            assert other.position[PIPS + 2 * square : PIPS + 2 * square + 2].tolist() == pips


def log_of(state: TurnState) -> list[int]:
    logged: list[int] = state.position[LOG : LOG + state.position[TURN]].tolist()
    return logged


@each_board
def test_a_player_who_remembers_all_imagines_nothing(options: dict[str, Any]) -> None:
    for state in states(options):
        for memory in (int(state.position[TURN]), 10**7):
            assert (imagined(state, memory, 1).position == state.position).all()


def test_where_nothing_is_hidden_nothing_is_imagined() -> None:
    """A game that hides nothing is taken as it is."""
    state = played(load(memory="off"), 30, 1)
    assert (imagined(state, 0, 1).position == state.position).all()


# How likely


def arrangements(stacks: Towers, forgotten: list[tuple[str, int]]) -> set[tuple[tuple[str, ...], ...]]:
    """Every way in which what stands in the forgotten places can stand there out of sight, without colours."""
    found = set()
    hidden = [stacks[square][height][:2] for square, height in forgotten]
    for order in set(permutations(hidden)):
        towers = {square: [name[:2] for name in tower] for square, tower in stacks.items()}
        for (square, height), name in zip(forgotten, order, strict=True):
            towers[square][height] = name
        if all(is_hidden(towers[square], height) for square, height in forgotten):
            found.add(told(towers))
    return found


def told(stacks: Towers) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(name[:2] for name in stacks.get(square, ())) for square in ("a1", "b1", "c1"))


TOWERS: list[Towers] = [
    {"a1": ["0S:red", "1M:purple", "0L:red"], "b1": ["1S:clear", "0M:red"], "c1": ["1L:clear"]},
    {"a1": ["0S:red", "1S:cyan", "0M:red", "1L:purple"], "b1": ["1M:cyan", "0S:blue", "0L:blue"], "c1": ["1S:white"]},
    {"a1": ["0M:red", "1M:cyan", "0L:red"], "b1": ["1M:clear", "0M:blue", "1L:cyan"], "c1": ["0S:red", "1M:white"]},
    {"a1": ["0S:red", "1M:cyan"], "b1": ["0S:green", "1M:clear"], "c1": ["1S:clear", "0M:blue"]},
    {"a1": ["0S:red", "1S:cyan", "0S:blue", "1M:cyan", "0L:red", "1S:clear"], "b1": ["1M:purple", "0L:blue"]},
]


@pytest.mark.parametrize("stacks", TOWERS, ids=range(len(TOWERS)))
def test_every_arrangement_that_fits_is_as_likely_as_any_other(stacks: Towers) -> None:
    state = set_up(load(), stacks)
    assert isinstance(state, TurnState)
    forgotten = [
        (square, height) for square, tower in stacks.items() for height in range(len(tower)) if is_hidden(tower, height)
    ]
    possible = arrangements(stacks, forgotten)
    assert len(possible) > 1
    drawn = (told(stacks_by_look(imagined(state, 0, seed))) for seed in range(DRAWS))
    assert_fair(drawn, uniform(possible))


def stacks_by_look(state: TurnState) -> Towers:
    towers = zip(table_of(state).spaces, pieces(state), strict=True)
    return {square: [f"{seat}{'SML'[size]}" for seat, size in tower] for square, tower in towers}


ACTS = ["S@a1", "S@b1", "M@a1", "S@c1", "M@c1", "M@b1", "L@a1", "M@c1", "L@b1", "S@a1", "L@c1", "S@b1"]


@pytest.mark.parametrize("memory", [0, 6, 9, 11])
def test_it_is_as_likely_with_some_remembered(memory: int) -> None:
    state = begun()
    for act in ACTS:
        state = state.apply(act)
    stacks = stacks_of(state)
    placed: dict[str, int] = {}
    forgotten = []
    for turn, act in enumerate(ACTS):
        square = act[2:]
        height = placed[square] = placed.get(square, -1) + 1
        if turn < len(ACTS) - memory and is_hidden(stacks[square], height):
            forgotten.append((square, height))
    possible = arrangements(stacks, forgotten)
    drawn = (told(stacks_by_look(imagined(state, memory, seed))) for seed in range(DRAWS))
    assert_fair(drawn, uniform(possible))


# What can't be known does not matter


@functools.cache
def twins(memory: int) -> list[tuple[TurnState, TurnState]]:
    """Pairs of games that look alike now and did for the last `memory` acts: two early placings have been exchanged."""
    game, rng, found = load(), np.random.default_rng(memory), []
    for seed in range(25):
        state = played(game, 30, seed)
        acts = [str(one.act) for one in state.history() if one.seat in (0, 1)]
        old = len(acts) - memory
        for _ in range(30):
            first, second = sorted(rng.choice(old, 2, replace=False))
            swapped = [*acts]
            swapped[first], swapped[second] = (
                f"{acts[one][0]}@{acts[other][2:]}" for one, other in ((first, second), (second, first))
            )
            other = begin_game(game)
            for act in swapped:
                other = other.apply(act)
            if pieces(other) != pieces(state) and sight(other) == sight(state):
                found.append((state, other))
                break
    return found


@pytest.mark.parametrize("memory", [0, 5, 10])
def test_an_imagined_position_depends_only_on_sight_and_memory(memory: int) -> None:
    """For the same draws; so a player never knows more than a view and the last acts could have told."""
    pairs = twins(memory)
    assert len(pairs) > 5
    for one, other in pairs:
        for seed in range(5):
            left, right = imagined(one, memory, seed), imagined(other, memory, seed)
            assert (left.position[:LOG] == right.position[:LOG]).all()


@pytest.mark.parametrize("name", ["greedy", "sims:30", "pure:30", "random", "greedy/without=L@*"])
def test_a_forgetful_choice_depends_only_on_sight_and_memory(name: str) -> None:
    game = load()
    forgetful, free = player(game, f"{name}/memory=5"), player(game, name)
    knowing = 0
    for one, other in twins(5):
        for seed in range(1, 6):
            assert list(forgetful.order(one, seed)) == list(forgetful.order(other, seed))
            assert forgetful.choose(one, seed) == forgetful.choose(other, seed)
            knowing += list(free.order(one, seed)) != list(free.order(other, seed))
    assert (knowing > 5) == (name != "random")


@pytest.mark.parametrize("name", ["greedy", "sims:30", "beginner", "greedy/without=L@*"])
def test_a_player_who_remembers_all_plays_like_anybody(name: str) -> None:
    game = load()
    for state in states({}):
        if state.actor != CHANCE:
            free, all_of_it = player(game, name), player(game, f"{name}/memory=1000")
            assert list(free.order(state, 3)) == list(all_of_it.order(state, 3))


def test_forgetting_makes_a_difference() -> None:
    game = load()
    forgetful, free = player(game, "sims:60/memory=0"), player(game, "sims:60")
    assert any(
        forgetful.choose(state, 1) != free.choose(state, 1) for state in states({}) if len(state.legal_actions()) > 1
    )
