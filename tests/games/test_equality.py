"""States that few words don't tell apart: what these words leave out is compared too."""

from __future__ import annotations

import pytest

import icetable
from icetable import State
from tests.conformance.cases import set_up
from tests.conformance.material import material
from tests.games.icefrogs.drawings import state_with


def stacks(e5: list[str], f5: list[str]) -> State:
    """A set-up of IceFrogs."""
    return state_with(icetable.load("icefrogs"), 8, {"e5": "".join(e5), "f5": "".join(f5)})


def after(*acts: str) -> State:
    """A game of High Rise."""
    state: State = icetable.load("highrise", values=list(range(9))).start()
    for act in acts:
        state = state.apply(act)
    return state


def owing(due: int) -> State:
    """A debt in Icehouse, due at some time."""
    game = icetable.load("icehouse", players=2)
    debt = next(position for position in material("icehouse").set_ups(game) if any(position["owed"]))
    return set_up(game, {**debt, "owed": [{"piece": None, "due": due}, None]})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(stacks(["1L", "0S"], ["0L", "0S"]), stacks(["0L", "0S"], ["1L", "0S"]), id="covered"),
        pytest.param(after("S:red@a1"), after("S:yellow@a1"), id="colour"),
        pytest.param(owing(7), owing(8), id="due"),
    ],
)
def test_states_with_equal_hashes_may_differ(one: State, other: State) -> None:
    assert hash(one) == hash(other)
    assert one != other
    assert len({one, other}) == 2


def test_the_order_of_towers_leaves_no_trace() -> None:
    one, other = after("S@a1", "M@b1", "L@c1"), after("L@c1", "M@b1", "S@a1")
    assert one == other
    assert hash(one) == hash(other)


def test_states_of_other_options_differ() -> None:
    assert icetable.load("icehouse", players=2).start() != icetable.load("icehouse", players=2, timer=60.0).start()
