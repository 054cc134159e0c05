"""The evaluation of bots, and the search that uses it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import icetable
from icetable import Action, State
from icetable.bots.search import search
from icetable.bots.trees import Candidate
from icetable.core.turns import TurnState
from tests.arena import arena
from tests.best_play import solved, worth

from .drawings import EARLIER, FRAME, set_up
from .greedy import greedy


def values(state: State) -> list[float]:
    """The evaluation of a state."""
    assert isinstance(state, TurnState)
    shares = np.empty(state.game.players)
    state.game.evaluation.evaluate(state.array, shares)
    return [float(share) for share in shares]


def look(state: State, simulations: int, seed: int = 0) -> list[Candidate]:
    assert isinstance(state, TurnState)
    return search(state, simulations=simulations, seed=seed)


def position(pieces: dict[str, str], **changes: Any) -> State:
    """Seat 1 has lost two."""
    return set_up(pieces, (0, 2), **{"last": EARLIER, "roll": "away", **changes}).state


def test_the_evaluation_knows_what_matters() -> None:
    frame = values(position(FRAME))[0]
    assert frame > values(position(FRAME, coin="tails"))[0]  # nothing stands on the sides
    assert frame > values(position(FRAME, left=["die"]))[0]  # it can't be completed now
    assert frame > values(position({**FRAME, "f5": "0D"}))[0]  # the pawn on f5 could, a drone can't
    assert frame > values(position(FRAME, last={0: ["c3 c6 f3 f6"]}))[0]  # it would not capture
    alike = icetable.load("wrecktangle").start()
    assert values(alike) == [0.5, 0.5]


def test_a_player_who_is_out_has_no_share() -> None:
    state = set_up(FRAME, (0, 3), last=EARLIER, players=3, fallen="stay").state
    assert values(state)[1] == 0
    assert sum(values(state)) == pytest.approx(1)


def test_a_winning_capture_is_taken_and_proven() -> None:
    best = look(position(FRAME), 50)[0]
    assert (best.action, best.sure, best.value) == ("f5-f3", 1, 1.0)


def test_a_capture_in_two_acts_is_found() -> None:
    """Neither the die move nor the normal move captures alone."""
    pieces = {"c3": "0D", "c6": "0Q", "f6": "0Q", "f5": "0P", "e5": "1D", "d4": "1Q"}
    pieces |= {"f4": "1P"}  # in the way of f5-f3; away takes it to f3, swap elsewhere
    state = position(pieces, roll="swap")
    assert "f5-f3" not in state.legal_actions()
    best = look(state, 3000)[0]
    after = state.apply(best.action)
    if not after.is_terminal:
        after = after.apply(look(after, 3000)[0].action)
    assert after.ended_by == "WT-17"


@pytest.mark.parametrize("players", [2, 3])
def test_a_short_search_beats_greed(players: int) -> None:
    def by_search(state: State, seat: int, seed: int) -> Action:
        return look(state, 60, seed)[0].action

    game = icetable.load("wrecktangle", players=players)
    standing = arena(game, [by_search] + [greedy] * (players - 1), 6, seed=1)
    assert standing.share[0] >= 0.8


@pytest.mark.parametrize("roll", ["away", "toward", "diag-away"])
def test_the_last_roll_is_solved(roll: str) -> None:
    """One act is left before seat 0 rolls for the last turn, in which some faces let it wreck seat 1."""
    state = set_up(FRAME, (0, 2), turn=1, seat=1, roll=roll, left=["die"], last=EARLIER, turn_limit=3).state
    known: dict[bytes, float] = {}
    for simulations in (10, 100, 1000):
        solved(state, simulations, known)
    assert solved(state, 10_000, known)
    assert 0.5 < worth(state, 0, known) < 1
