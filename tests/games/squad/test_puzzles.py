"""The puzzles that ship: none is refuted by the solver."""

from __future__ import annotations

import pytest

from icetable import games
from icetable.extras.exercises import collection
from icetable.extras.strength import best_acts, can_solve
from icetable.kernels import jit


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels are too slow to solve a game")
def test_the_solver_agrees() -> None:
    states = [(puzzle, puzzle.state()) for puzzle in collection(games.info("squad"))]
    solvable = [(puzzle, state) for puzzle, state in states if can_solve(state.game)]
    assert len(solvable) > len(states) / 2
    assert [puzzle.name for puzzle, state in solvable if best_acts(state) != {*puzzle.answer}] == []
