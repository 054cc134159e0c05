"""The view of a seat: no less than the contract says, and nothing that it can't know."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import numpy as np

from icetable import State
from tests.conformance.cases import Case, acts, each_case, some_states, states, texts
from tests.conformance.material import Worlds, declared, material

SHARED = {"game", "seat", "to_act", "over", "ended_by", "winners", "scores"}
PAIRS = 30


def seats(case: Case) -> list[int | None]:
    return [None, *range(case.game.players)]


@each_case
def test_a_seat_may_be_a_number_of_numpys(case: Case) -> None:
    start, seat = case.game.start(), case.game.players - 1
    assert json.dumps(start.view(np.int64(seat))) == json.dumps(start.view(seat))  # type: ignore[arg-type]


@each_case
def test_views(case: Case) -> None:
    for state in states(case):
        for seat in seats(case):
            view = state.view(seat)
            assert json.loads(json.dumps(view, allow_nan=False)) == view
            assert view.keys() > SHARED
            assert view["game"] == case.name
            assert view["seat"] == seat
            assert view["over"] == state.is_terminal
            assert view["ended_by"] == state.ended_by
            assert view["winners"] == sorted(state.winners)
            assert view["scores"] == list(state.scores)
            assert view["to_act"] == sorted(state.to_act)


@each_case
def test_views_and_layouts_are_as_they_are_declared(case: Case) -> None:
    view = declared(case.name)
    assert read(case.game.layout(), view.Layout) == json.loads(text(case.game.layout()))
    for state in states(case):
        own = {name: part for name, part in state.view().items() if name not in SHARED}
        assert read(own, view.View) == json.loads(text(own))


def read(told: Any, kind: Any) -> Any:
    """The value as a reader of this type gets it: entries that the type does not know are lost."""
    return json.loads(text(msgspec.convert(json.loads(text(told)), kind)))


def text(told: Any) -> str:
    return json.dumps(told, sort_keys=True)


@each_case
def test_nobody_sees_what_is_hidden(case: Case) -> None:
    """Worlds that differ only in what a seat can't know look alike to it; a game without any shows all the same."""
    worlds = material(case.name).worlds
    found = worlds and worlds(case.game, case.rng())
    if found is None:
        assert_all_see_the_same(case)
        return
    pairs = list(found)
    assert len(pairs) >= PAIRS
    for pair in pairs:
        assert pair.one != pair.other
        assert channels(pair, pair.one, case) == channels(pair, pair.other, case)


def assert_all_see_the_same(case: Case) -> None:
    """And enough to know what is legal."""
    shown: dict[str, State] = {}
    for state in states(case):
        watched = {**state.view(), "seat": None}
        assert all({**state.view(seat), "seat": None} == watched for seat in seats(case))
        other = shown.setdefault(json.dumps(watched, sort_keys=True), state)
        assert other.to_act == state.to_act
        assert all(sorted(acts(other, seat)) == sorted(acts(state, seat)) for seat in state.to_act)


def channels(pair: Worlds, state: State, case: Case) -> str:
    """All that reaches the seat."""
    legal = sorted(state.legal_actions(pair.seat)) if pair.seat is not None else []
    verdicts = [str(state.fault(text, pair.seat)) for text in texts(case)[:50]]
    effects = [str(effect) for effect in state.effects]
    return json.dumps([state.view(pair.seat), state.svg(pair.seat), legal, verdicts, effects])


@each_case
def test_drawings(case: Case) -> None:
    """The text for terminals: it draws a view and no more, and colours only repeat what the letters say."""
    for state in some_states(case):
        for seat in [None] if case.game.views_are_equal else seats(case):
            view = state.view(seat)
            drawing = case.game.draw(view)
            assert drawing.strip()
            assert all(line.isprintable() and line == line.rstrip() for line in drawing.split("\n"))
            assert case.game.draw(json.loads(json.dumps(view))) == drawing
            touched = [space for effect in state.effects for space in effect.spaces]
            for spaces in ([], touched):
                painted = case.game.draw(view, spaces, lambda text, colour: f"<{colour}<{text}>>")
                assert "<0<" in painted
                assert re.sub("<[0-9]<|>>", "", painted) == case.game.draw(view, spaces)


@each_case
def test_where_all_see_alike_they_do(case: Case) -> None:
    """A table makes such a view once, for everybody; where it is not so, every seat gets its own."""
    for state in states(case):
        for seat in range(case.game.players):
            assert not case.game.views_are_equal or state.view(seat) == {**state.view(None), "seat": seat}
