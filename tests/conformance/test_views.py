"""What a seat sees: no less than the contract says, and nothing that it can't know."""

from __future__ import annotations

import json

import pytest

from icetable import GameInfo, State
from tests.conformance.cases import CASES, INFOS, Case, each_case, states, texts
from tests.conformance.material import Worlds, material

SHARED = {"game", "seat", "to_act", "over", "ended_by", "winners", "scores"}
OPEN = [info for info in INFOS if material(info.name).worlds is None]
HIDING = [info for info in INFOS if material(info.name).worlds is not None]
PAIRS = 200


def seats(case: Case) -> list[int | None]:
    return [None, *range(case.game.players)]


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


@pytest.mark.parametrize("case", [case for case in CASES if case.game.info in OPEN], ids=str)
def test_a_game_that_hides_nothing_shows_all_the_same(case: Case) -> None:
    shown: dict[str, State] = {}
    for state in states(case):
        watched = {**state.view(), "seat": None}
        assert all({**state.view(seat), "seat": None} == watched for seat in seats(case))
        assert shown.setdefault(json.dumps(watched, sort_keys=True), state).to_act == state.to_act
        assert sorted(shown[json.dumps(watched, sort_keys=True)].legal_actions()) == sorted(state.legal_actions())


@pytest.mark.parametrize("info", HIDING, ids=lambda info: info.name)
def test_worlds_look_alike(info: GameInfo) -> None:
    """On every channel that a seat has: view, legal acts, verdicts, the effects of the last act."""
    worlds = material(info.name).worlds
    assert worlds is not None
    count = 0
    for case in (case for case in CASES if case.game.info == info):
        for pair in worlds(case.rng()):
            assert pair.one != pair.other
            assert channels(pair, pair.one, case) == channels(pair, pair.other, case)
            count += 1
    assert count >= PAIRS


def channels(pair: Worlds, state: State, case: Case) -> str:
    """All that reaches the seat."""
    legal = sorted(state.legal_actions(pair.seat)) if pair.seat is not None else []
    verdicts = [str(state.fault(text, pair.seat)) for text in texts(case)[:50]]
    effects = [str(effect) for effect in state.effects]
    return json.dumps([state.view(pair.seat), legal, verdicts, effects])
