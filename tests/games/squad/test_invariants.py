"""What holds in every position of every game."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icetable
from icetable import State

from .oracle import SIZES, Oracle
from .product import all_texts, key, state_of


def options() -> st.SearchStrategy[dict[str, Any]]:
    """Any options."""
    return st.fixed_dictionaries(
        {
            "players": st.integers(1, 4),
            "board": st.sampled_from((4, 6)),
            "trios": st.integers(2, 3),
            "captain_start": st.integers(0, 1),
            "begins": st.sampled_from(("corner", "seat")),
            "friends": st.sampled_from(("any", "own")),
            "formation": st.sampled_from(("exact", "up-to")),
            "stuck": st.sampled_from(("mover", "anyone")),
            "tie": st.sampled_from(("tied", "all")),
        }
    )


def assert_sound(state: State) -> None:
    """No piece is made, captains keep to their columns and rows, scores are what shows, saved is what was."""
    view, game = state.view(), state.game
    standing = list(view["friends"].values())
    for seat, supply in enumerate(view["supply"]):
        for size in SIZES:
            assert standing.count(f"{seat}{size}") + supply[size] <= game.options["trios"]  # SQ-2
        face = view["captains"][seat]["face"]
        assert 0 <= face <= 4  # SQ-3
        assert state.scores[seat] == 5 * standing.count(f"{seat}J") + face  # SQ-14
    squares = [captain["square"] for captain in view["captains"] if captain["square"]]
    names = {square["name"] for square in game.layout()["squares"]}
    assert set(squares) | set(view["friends"]) <= names  # SQ-12
    assert len({*squares, *view["friends"]}) == len(squares) + len(standing)
    if state.is_terminal:
        best = max(state.scores)
        assert state.winners
        tied = state.scores.count(best) > 1
        assert all(state.scores[seat] == best for seat in state.winners) or (tied and game.options["tie"] == "all")
    else:
        assert state.legal_actions()  # SQ-13
    assert game.from_json(state.to_json()) == state


@settings(max_examples=60)
@given(options(), st.lists(st.integers(0, 2**16), max_size=45))
def test_invariants_in_play(chosen: dict[str, Any], choices: list[int]) -> None:
    state = icetable.load("squad", **chosen).start()
    for choice in choices:
        legal = state.legal_actions()
        if not legal:
            break
        state = state.apply(legal[choice % len(legal)])
        assert_sound(state)
        if state.effects[0].kind == "formation":
            (square,), friend = state.effects[0].spaces, state.effects[0].value
            assert state.view()["friends"][square] == friend  # SQ-11: the friend just placed never falls


@st.composite
def positions(draw: st.DrawFn) -> Oracle:
    """Any position at all: all captains and some friends anywhere, somebody's turn."""
    position = Oracle(**draw(options()))
    seats = range(position.players)
    squares = draw(st.permutations(position.squares))
    for seat in seats:
        position.standing[squares[seat]] = (seat, "C")
        position.numbers[seat] = draw(st.integers(0, 4))
    friends = draw(st.lists(st.tuples(st.sampled_from(seats), st.sampled_from(SIZES)), max_size=len(squares)))
    for (seat, size), square in zip(friends, squares[position.players :], strict=False):
        if position.supplies[seat][size] and sum(position.supplies[seat].values()) > 1:
            position.supplies[seat][size] -= 1
            position.standing[square] = (seat, size)
    position.seat = draw(st.sampled_from(seats))
    position._judge_end()
    return position


@settings(max_examples=250)
@given(positions())
def test_any_position(position: Oracle) -> None:
    """Legal acts, faults, and where the acts lead, in crowds that play hardly makes (SQ-4 … SQ-15)."""
    state = state_of(position)
    assert key(state) == position.key()
    assert {str(act) for act in state.legal_actions()} == position.legal()
    for text in all_texts(6):
        fault = state.fault(text)
        assert (fault.rule if fault else None) == position.fault(text), text
    for text in sorted(position.legal())[:12]:
        assert key(state.apply(text)) == position.apply(text).key()


@pytest.mark.parametrize(("players", "turns"), [(1, 7), (2, 5), (4, 4)])
def test_transpositions(players: int, turns: int) -> None:
    """The order in which friends came leaves no trace: positions met on different ways are equal in every respect."""
    state = icetable.load("squad", players=players, board=4).start()
    for _ in range(players):
        state = state.apply(state.legal_actions()[0])
    layer: set[State] = {state}
    twice = 0
    for _ in range(turns):
        met: dict[State, State] = {}
        for after in (state.apply(act) for state in layer for act in state.legal_actions()):
            other = met.setdefault(after, after)
            twice += other is not after
            assert after.to_json() == other.to_json()
            assert after.legal_actions() == other.legal_actions()
        layer = set(met)
    assert twice > 0
