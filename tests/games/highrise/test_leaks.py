"""Nobody sees what lies under a larger pyramid, nor any number before the deal (HR-2, HR-7, HR-8)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from icetable import CHANCE, State
from icetable.core.turns import TurnState
from icetable.games.highrise.rules import LUCK, MAX_SQUARES, NUMBERS
from icetable.kernels.layout import ACTOR, NOBODY
from tests.games.pairs import both

from .drawings import ROLLED, begun, load, seen, set_up, stacks_of, stash
from .material import is_hidden, twin

TEXTS = ("S@a1", "S:red@a1", "M:black@c3", "L:cyan@b2", "L:purple@a3", "M@z9", "deal:111111111", "deal:1")
BOARDS = st.sampled_from(
    ({}, {"cols": 4, "numbers": "unseen"}, {"rows": 4, "values": list(range(12))}, {"rows": 5, "cols": 5})
)


def played(options: dict[str, Any], choices: list[int]) -> State:
    """The state to which choices among the legal placings lead."""
    state: State = begun(**options)
    for choice in choices:
        legal = state.legal_actions()
        state = state.apply(legal[choice % len(legal)])
        if state.to_act == {CHANCE}:
            break
    return state


def numbers_known(options: dict[str, Any]) -> list[int] | None:
    """The numbers that everybody may know (HR-2)."""
    if "values" in options:
        return sorted(options["values"])
    return None if "numbers" in options else ROLLED[: options.get("rows", 3) * options.get("cols", 3)]


def all_that_is_told(state: State) -> list[object]:
    """All that reaches anybody at the table."""
    game, touched = state.game, [space for effect in state.effects for space in effect.spaces]
    return [
        *({**state.view(seat), "seat": None} for seat in (None, 0, 1)),
        [game.draw(state.view(seat), touched) for seat in (None, 0, 1)],
        state.effects,
        state.to_act,
        state.scores,
        state.winners,
        [] if state.to_act == {CHANCE} else state.legal_actions(),
        [state.fault(text) for text in TEXTS],
    ]


def account_of(tower: list[str | None]) -> dict[str, Any]:
    """The account of a tower with gaps by the pyramids in sight (HR-9)."""
    shown = [name for name in tower if name is not None]
    pips = [sum("SML".index(name[1]) + 1 for name in shown if name[0] == seat) for seat in "01"]
    if pips[0] == pips[1]:
        return {"counts": pips}
    return {"counts": pips, "owner": pips.index(max(pips)), "points": min(pips)}


@settings(max_examples=10)
@given(BOARDS, st.lists(st.integers(0, 2**16), min_size=8, max_size=140), st.integers(0, 2**32 - 1))
@pytest.mark.rule("HR-7")
def test_hr_7_worlds_that_differ_in_what_is_hidden(options: dict[str, Any], choices: list[int], seed: int) -> None:
    """They look alike to everybody, now and after every act until the deal; then all is shown."""
    state = played(options, choices)
    rng = np.random.default_rng(seed)
    other = twin(state, rng)
    assume(other is not None)
    assert other is not None
    game = state.game
    state = set_up(load(**game.options), stacks_of(state))
    assert state != other
    while state.to_act != {CHANCE}:
        assert all_that_is_told(state) == all_that_is_told(other)
        act = game.random_act(state, rng)
        state, other = state.apply(act), other.apply(act)
    assert all_that_is_told(state) == all_that_is_told(other)
    deal = game.random_act(state, rng)
    assert seen(state.apply(deal)) != seen(other.apply(deal))


@settings(max_examples=60)
@given(BOARDS, st.lists(st.integers(0, 2**16), max_size=140))
@pytest.mark.rule("HR-7")
def test_hr_7_a_view_says_no_more_than_what_is_in_sight(options: dict[str, Any], choices: list[int]) -> None:
    """Built anew from what lies on the table: towers with gaps, stashes, whose turn; and the same for everybody."""
    state = played(options, choices)
    stacks = stacks_of(state)
    gaps = {
        square: [None if is_hidden(tower, height) else name for height, name in enumerate(tower)]
        for square, tower in stacks.items()
    }
    left = stash(load(**state.game.options).start())
    placed, limit = sum(map(len, stacks.values())), state.game.layout()["turn_limit"]
    prompt = f"Choose a size, then a square. {placed} of {limit} placed."
    for name in [name for tower in stacks.values() for name in tower]:
        left[int(name[0])][name[1]][name[3:]] -= 1
    for seat in (None, 0, 1):
        view = state.view(seat)
        assert (seen(state, seat), stash(state)) == (gaps, left)
        assert {name: part for name, part in view.items() if name not in ("stacks", "pads")} == {
            "game": "highrise",
            "seat": seat,
            "to_act": sorted(state.to_act),
            "over": False,
            "ended_by": None,
            "winners": [],
            "scores": [0, 0],
            "accounts": {square: account_of(tower) for square, tower in gaps.items()},
            "pool": numbers_known(options) or [],
            "turn": placed,
            **({"turn_of": 0} if state.to_act == {CHANCE} else {"prompt": prompt}),
        }


@settings(max_examples=60)
@given(BOARDS, st.lists(st.integers(0, 2**16), min_size=1, max_size=140))
def test_an_act_tells_what_everybody_saw(options: dict[str, Any], choices: list[int]) -> None:
    """The one pyramid that was placed: it lies in sight."""
    state = played(options, choices)
    (effect,) = state.effects
    (square,) = effect.spaces
    assert effect.kind == "places"
    assert seen(state)[square][-1] == effect.value


@pytest.mark.rule("HR-8")
def test_hr_8_no_number_is_anywhere_before_the_deal() -> None:
    """Bots read the position: it holds the placings of both seats, and the numbers that all know, in no other order."""
    for options in ({}, {"numbers": "unseen"}, {"values": [9, 8, 7, 6, 5, 4, 3, 2, 1]}):
        state = begun(**options)
        game, rng = state.game, np.random.default_rng(3)
        while state.to_act != {CHANCE}:
            assert isinstance(state, TurnState)
            assert not state.position[NUMBERS : NUMBERS + MAX_SQUARES].any()
            assert state.position[LUCK] == 0
            assert state.view()["pool"] == (numbers_known(options) or [])
            state = state.apply(game.random_act(state, rng))
        assert "own" not in state.view()
        assert len({game.random_act(state, rng) for _ in range(50)}) > 40


@pytest.mark.parametrize("memory", ["on", "off"])
@pytest.mark.rule("HR-7")
def test_hr_7_history(memory: str) -> None:
    """The acts on the way would tell all: while a game with hidden pyramids runs they are not shown."""
    rng = np.random.default_rng(4)
    for game in (both("highrise", memory=memory)[1], load(memory=memory)):
        state = game.start()
        while not state.is_terminal:
            assert game.shows_history(state) == (memory == "off")
            state = state.apply(game.random_act(state, rng))
    assert game.shows_history(state)
    assert all(None not in tower for tower in seen(state).values())


@pytest.mark.rule("HR-7")
def test_hr_7_memory_off_shows_all() -> None:
    state = begun(memory="off").apply("S@b2").apply("L@b2")
    assert seen(state) == {"b2": ["0S:red", "1L:purple"]}
    state = begun().apply("S@b2").apply("L@b2")
    assert seen(state) == {"b2": [None, "1L:purple"]}


@pytest.mark.parametrize("options", [{}, {"numbers": "unseen"}, {"values": list(range(9))}])
def test_the_deal_leaves_no_trace_of_what_it_was_drawn_from(options: dict[str, Any]) -> None:
    """A position is what lies there: a seed that stayed in it would make equal ends differ."""
    state = played(options, [])
    game, rng = state.game, np.random.default_rng(1)
    while CHANCE not in state.to_act:
        state = state.apply(game.random_act(state, rng))
    assert isinstance(state, TurnState)
    position, rules = state.position.copy(), state.game.rules
    rules.apply(position, rules.pick(position, np.empty(rules.MAX_ACTS, np.int64), np.array([5], np.int64)))
    assert position[ACTOR] == NOBODY
    assert position[LUCK] == 0
