"""Threats are what the rules would do: compared with every act of every seat, under every face of the die."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import State
from icetable.core.turns import TurnState
from icetable.games.wrecktangle.game import FACES
from icetable.games.wrecktangle.rules import DIE, OWED, SEAT, UNUSED
from icetable.games.wrecktangle.threats import threats
from icetable.kernels.layout import ACTOR, TURN_LIMIT
from tests.games.pairs import class_alone

from .drawings import EARLIER, FRAME, set_up

Threats = dict[tuple[int, str], dict[str, Any]]
"""By seat and corners: the ways, a face of the die or "move", and the prey."""


def told(state: State) -> Threats:
    """The threats that the kernel finds."""
    assert isinstance(state, TurnState)
    return {
        (seat, " ".join(corners)): {"ways": {*ways}, "prey": prey}
        for seat, corners, _, ways, prey in threats(state.array)
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
        elif seat not in state.view().get("out", ()):
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
        found = told(state)
        if number % (5 if found else 20) or state.is_terminal:
            continue
        trials = all_tried(state)
        seen += len(found)
        assert {key: one["ways"] for key, one in found.items()} == {key: one["ways"] for key, one in trials.items()}
        assert all(one["prey"] in (None, found[key]["prey"]) for key, one in trials.items())
        assert in_order(state.view()) == in_order(class_alone(game).from_json(state.to_json()).view())
    assert seen > 10


def in_order(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The threats of a view."""
    return sorted(view["threats"], key=lambda threat: (threat["seat"], threat["corners"]))


def test_a_threat_in_words() -> None:
    state = set_up(FRAME, (0, 2), last=EARLIER, roll="away").state
    frame = {"seat": 0, "corners": ["c3", "c6", "f3", "f6"], "missing": "f3"}
    frame |= {"aim": "completes rectangle c3–f6", "means": "by a move"}
    chance = "A pyramid on f3 (+) captures a queen and a drone, by a move."
    assert {**frame, "prey": ["d4", "e5"], "chance": chance} in state.view()["threats"]
    tails = set_up(FRAME, (0, 2), last=EARLIER, coin="tails").state
    (mine,) = [one for one in tails.view()["threats"] if one["missing"] == "f3"]
    assert mine["prey"] == []
    assert mine["chance"] == "A pyramid on f3 (+) only turns the coin, by a move."


def test_a_game_that_is_over_has_no_threats() -> None:
    over = set_up(FRAME, (0, 2), last=EARLIER, roll="away").apply("f5-f3").state
    assert over.is_terminal
    assert over.view()["threats"] == []
