"""Threats are what the rules would do: compared with every act of every seat, under every face of the die."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import State
from icetable.core.turns import TurnState
from icetable.games.wrecktangle.names import FACES
from icetable.games.wrecktangle.rules import DIE, OWED, SEAT, UNUSED
from icetable.kernels.layout import ACTOR, TURN_LIMIT

from .material import FRAME, described
from .product import set_up

Threats = dict[tuple[int, str], dict[str, Any]]
"""By seat and corners: the ways, a face of the die or "move", and the prey."""


def told(state: State) -> Threats:
    """The threats that a view tells."""
    return {
        (one["seat"], " ".join(one["corners"])): {"ways": {*one["rolls"], *["move"] * one["move"]}, "prey": one["prey"]}
        for one in state.view()["threats"]
    }


def with_turn(state: State, seat: int, face: int) -> TurnState:
    """The board as it stands, with a turn of a seat that has rolled and not moved."""
    assert isinstance(state, TurnState)
    position = state.position.copy()
    position[[ACTOR, SEAT, DIE, OWED, UNUSED, TURN_LIMIT]] = seat, seat, face, 1, 1, 0
    return TurnState(state.game, position)


def tried(turn: TurnState, found: Threats) -> None:
    """Add the rectangles that the acts of a turn complete. A swap moves a pyramid more, so that its prey can differ."""
    seat, face = turn.actor, FACES[turn.position[DIE]]
    for act in turn.legal_actions():
        effects = turn.apply(act).effects
        prey = [effect.spaces[0] for effect in effects if effect.kind == "captures"]
        formed = [effect for effect in effects if effect.kind == "forms" and effect.value == "resolved"]
        for effect in formed:
            threat = found[seat, " ".join(effect.spaces)]
            threat["ways"].add(face if act.startswith("~") else "move")
            if len(formed) == 1 and "*" not in act:
                threat["prey"] = prey


def all_tried(state: State) -> Threats:
    """The threats of every seat, found by playing every act."""
    found: Threats = defaultdict(lambda: {"ways": set(), "prey": None})
    assert isinstance(state, TurnState)
    for seat in range(state.game.players):
        if seat == state.actor:
            tried(state, found)
        elif seat not in state.view()["out"]:
            for face in range(len(FACES)):
                tried(with_turn(state, seat, face), found)
    return found


@pytest.mark.parametrize(
    "options",
    [{}, {"players": 3, "leap": True}, {"players": 4, "rectangles": "tilted", "fallen": "stay"}],
    ids=str,
)
def test_threats_are_what_the_acts_complete(options: dict[str, Any]) -> None:
    game = icetable.load("wrecktangle", **options)
    rng = np.random.default_rng(5)
    state, seen = game.start(), 0
    for number in range(240):
        state = game.start() if state.is_terminal else state.apply(game.random_act(state, rng))
        threats = told(state)
        if number % (5 if threats else 20) or state.is_terminal:
            continue
        trials = all_tried(state)
        seen += len(threats)
        assert {key: one["ways"] for key, one in threats.items()} == {key: one["ways"] for key, one in trials.items()}
        assert all(one["prey"] in (None, threats[key]["prey"]) for key, one in trials.items())
    assert seen > 10


def test_a_threat_in_words() -> None:
    game = icetable.load("wrecktangle")
    state = set_up(game, **described(game, FRAME, (0, 2), last=[[["c2", "c5", "f2", "f5"]], []], roll="away"))
    frame = {"seat": 0, "corners": ["c3", "c6", "f3", "f6"], "missing": "f3", "move": True, "rolls": []}
    assert {**frame, "prey": ["d4", "e5"]} in state.view()["threats"]
    tails = set_up(game, **described(game, FRAME, (0, 2), last=[[["c2", "c5", "f2", "f5"]], []], coin="tails"))
    (mine,) = [one for one in tails.view()["threats"] if one["missing"] == "f3"]
    assert mine["prey"] == []


def test_a_game_that_is_over_has_no_threats() -> None:
    game = icetable.load("wrecktangle")
    state = set_up(game, **described(game, FRAME, (0, 2), last=[[["c2", "c5", "f2", "f5"]], []], roll="away"))
    assert state.apply("f5-f3").is_terminal
    assert state.apply("f5-f3").view()["threats"] == []
