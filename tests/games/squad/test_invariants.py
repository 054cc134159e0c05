"""Properties of every position of every game."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icetable
from icetable import State
from icetable.games.squad.game import SIZES
from icetable.workshop import ORTHOGONALS, Pyramid
from icetable.workshop.equipment import Token

from .drawings import Squad, all_texts, start


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
    """No piece is made, captains keep to their squares, scores are what shows, saved is what was."""
    view, game = state.view(), state.game
    standing = [piece for (piece,) in view["stacks"].values()]
    for seat in range(game.players):
        left = view["pads"][seat] if "pads" in view else {}
        for letter in SIZES:
            friend = f"{seat}{letter}"
            assert standing.count(friend) + left.get(friend, 0) <= game.options["trios"]  # SQ-2
        (die,) = [piece for piece in (*standing, *left) if piece.startswith(f"{seat}C")]
        assert 0 <= int(die[2:]) <= 4  # SQ-3
        assert state.scores[seat] == 5 * standing.count(f"{seat}J") + int(die[2:])  # SQ-14
    assert set(view["stacks"]) <= {space["name"] for space in game.layout()["spaces"]}  # SQ-12
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
            assert state.view()["stacks"][square] == [friend]  # SQ-11: the friend just placed never falls


@st.composite
def positions(draw: st.DrawFn) -> Squad:
    """Any position at all: all captains and some friends anywhere, somebody's turn."""
    chosen = draw(options())
    table, seats = start(**chosen).table.copy(), range(chosen["players"])
    squares = draw(st.permutations(table.spaces))
    for seat in seats:
        table.pad[seat].pop(0)
        table.put(Token(f"C{draw(st.integers(0, 4))}", seat), squares[seat])
    friends = draw(st.lists(st.builds(Pyramid, st.sampled_from("SML"), st.sampled_from(seats)), max_size=len(squares)))
    for friend, square in zip(friends, squares[len(seats) :], strict=False):
        if len(table.pad[int(friend.colour)]) > 1 and friend in table.pad[int(friend.colour)]:
            table.put(table.spend(friend, int(friend.colour)), square)
    table.turn = len(seats) * (1 + 3 * chosen["trios"]) - sum(map(len, table.pad))
    table.seat = draw(st.sampled_from(seats))
    return Squad.at("squad", table, **chosen)


@settings(max_examples=80)
@given(positions())
def test_any_position(position: Squad) -> None:
    """Legal acts, faults, where the acts lead and what they cause, in crowds that play hardly makes (SQ-4 … SQ-15)."""
    position.assert_agreed(all_texts(6), most=12)


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


RANDOM_GAMES = 100
OPTIONS: tuple[dict[str, Any], ...] = (
    {"players": 1},
    {"players": 1, "board": 6},
    {"players": 2},
    {"players": 2, "trios": 3, "formation": "up-to", "captain_start": 0},
    {"players": 2, "friends": "own", "formation": "up-to"},
    {"players": 3},
    {"players": 3, "board": 4, "friends": "own", "formation": "up-to"},
    {"players": 2, "friends": "own", "stuck": "anyone"},
    {"players": 3, "formation": "up-to", "begins": "seat", "tie": "all"},
    {"players": 4},
    {"players": 4, "board": 4, "trios": 2, "formation": "up-to"},
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_order_of_stunts_and_falls_matters(options: dict[str, Any]) -> None:
    """Why three rulings can't be told by any position.

    A stunt's landing square is never adjacent to another captain's squares of the same turn, so that the order of
    stunts and counts is of no account (SQ-10). Friends that fall together are never adjacent, so that one fall can't
    save another (SQ-11). And the friend that was placed never falls in the same turn: the captains that leap over it
    are beside it before and after.
    """
    dice = random.Random(str(options))
    falls = 0
    for game in range(RANDOM_GAMES):
        if game >= 3 and falls:
            break
        fallen: list[str] = []
        pair = start(**options)
        while not pair.ended_by:
            text = dice.choice(sorted(pair.legal()))
            pair = pair.apply(text)
            told = {kind: [one for one in pair.state.effects if one.kind == kind] for kind in ("stunt", "fall")}
            touched = {square for effect in told["stunt"] for square in effect.spaces[::2]}
            fell = {square for effect in told["fall"] for square in effect.spaces}
            for group in (touched, fell):
                assert not any(group & set(pair.table.steps(square, ORTHOGONALS)) for square in group)
            assert text[2:] not in fell
            fallen += [str(effect.value) for effect in told["fall"]]
            lying = [piece for pieces in (*pair.table.stacks.values(), *pair.table.pad) for piece in pieces]
            friends = [name for name in (*map(pair.table.text_of, lying), *fallen) if name[1] != "C"]
            for seat in pair.table.seats:
                assert sum(name[0] == str(seat) for name in friends) == 3 * pair.options["trios"]  # SQ-2
        falls += len(fallen)
    assert falls > 0
