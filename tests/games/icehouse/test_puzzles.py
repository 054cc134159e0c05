"""The puzzles that ship: what `fault` and the scores say of their answers, and of what does not solve them."""

from __future__ import annotations

from collections import Counter
from typing import cast

import numpy as np
import pytest

from icetable import games
from icetable.extras.exercises import Puzzle, collection, judged
from icetable.games.icehouse.game import IcehouseState

INFO = games.info("icehouse")


def of_goal(goal: str) -> list[Puzzle]:
    return [puzzle for puzzle in collection(INFO) if puzzle.goal == goal]


def start(puzzle: Puzzle) -> IcehouseState:
    return cast("IcehouseState", puzzle.state())


def played(puzzle: Puzzle) -> IcehouseState:
    """The state after the answer, each act of which the rules allow."""
    state = start(puzzle)
    for act in puzzle.answer:
        assert state.fault(act, puzzle.seat) is None
        state = state.apply(act, puzzle.seat)
    return state


def owner(puzzle: Puzzle, state: IcehouseState) -> int:
    """The seat whose colour the target has."""
    (colour,) = (piece["colour"] for piece in state.pieces() if piece["id"] == puzzle.target)
    return state.colours.index(colour)


def test_there_are_some_of_each_kind() -> None:
    goals = Counter(puzzle.goal for puzzle in collection(INFO))
    assert goals.keys() == {"ice", "crack", "call"}
    assert min(goals.values()) >= 15
    assert {bool(puzzle.answer) for puzzle in of_goal("call")} == {True, False}


def test_two_pieces_ice_it_and_the_scores_show_it() -> None:
    for puzzle in of_goal("ice"):
        before, after = start(puzzle), played(puzzle)
        victim = owner(puzzle, before)
        assert [act.split()[0] for act in puzzle.answer] == ["lift", "place"] * 2
        assert after.scores[puzzle.seat] > before.scores[puzzle.seat]
        assert after.scores[victim] < before.scores[victim]


def test_one_piece_finds_the_crack() -> None:
    for puzzle in of_goal("crack"):
        after = played(puzzle)
        assert [act.split()[0] for act in puzzle.answer] == ["lift", "place"]
        assert after.pieces()[-1]["points_at"] == puzzle.target
        assert after.pieces()[-1]["valid"]


def test_a_call_costs_the_one_who_is_found_or_the_caller() -> None:
    for puzzle in of_goal("call"):
        before = start(puzzle)
        called = before.apply("icehouse", puzzle.seat)
        kinds = [effect.kind for effect in called.effects]
        target = before.colours.index(str(puzzle.target))
        if puzzle.answer:
            assert called.scores[target] == 0
            assert "finds" in kinds
        else:
            assert called.scores == before.scores
            assert {"false_call", "owes"} <= set(kinds)


def test_wrong_calls_and_needless_waiting() -> None:
    for puzzle in of_goal("call"):
        called = start(puzzle).apply("icehouse", puzzle.seat)
        assert judged(puzzle, called).is_right is bool(puzzle.answer)
        waited = judged(puzzle, start(puzzle), waits=True)
        assert waited.is_right is not bool(puzzle.answer)
        assert str(puzzle.target).title() in waited.explanation


@pytest.mark.parametrize(("goal", "pieces"), [("ice", 2), ("crack", 1)])
def test_pieces_in_the_wrong_place(goal: str, pieces: int) -> None:
    """Standing pieces attack nothing, and as long as some may still be placed nothing is decided."""
    rng = np.random.default_rng(1)
    for puzzle in of_goal(goal)[:10]:
        state = start(puzzle)
        for _ in range(pieces):
            assert judged(puzzle, state).is_right is None
            state = state.apply(f"lift {state.kinds_on_pad(puzzle.seat)[0]}", puzzle.seat)
            assert judged(puzzle, state, waits=True).is_right is None
            state = state.apply(state.sample_placements(puzzle.seat, rng, 1, standing=True)[0], puzzle.seat)
        assert judged(puzzle, state).is_right is False


def test_one_piece_alone_does_not_ice_it() -> None:
    """Not even one of many that are laid against it."""
    rng = np.random.default_rng(2)
    for puzzle in of_goal("ice")[:15]:
        for kind in start(puzzle).kinds_on_pad(puzzle.seat):
            lifted = start(puzzle).apply(f"lift {kind}", puzzle.seat)
            if kind.partition(":")[2] == lifted.colours[owner(puzzle, lifted)]:
                continue
            for act in lifted.sample_placements(puzzle.seat, rng, 20, standing=False, target=puzzle.target):
                assert judged(puzzle, lifted.apply(act, puzzle.seat)).is_right is None
