"""Saved positions: what is written, and what is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import icetable
from icetable import BadRecord
from icetable.workshop.saving import table_to_json
from tests.conformance import cases

from .drawings import EARLIER, FRAME, SIZES, STUCK, placed, set_up, start, tokens


def test_written() -> None:
    position = start().apply("die:swap").apply("~d1*e8")
    assert json.loads(position.state.to_json())["position"] == {
        "seat": 0,
        "turn": 0,
        "pad": [[], []],
        "stacks": {
            square: [{"pyramid": [SIZES[token[1]], int(token[0])]}] for square, token in tokens(position).items()
        },
        "own": {
            "coin": "heads",
            "face": "swap",
            "last": [{"set": []}, {"set": []}],
            "left": {"set": ["move"]},
            "lost": [0, 0],
        },
    }


def refused(position: Any, **options: Any) -> str:
    """Why a position can't be set up."""
    with pytest.raises(BadRecord) as error:
        cases.set_up(icetable.load("wrecktangle", **options), position)
    return str(error.value)


def last(*corners: str) -> list[Any]:
    """The rectangles that captured last, one of seat 0."""
    return [{"set": [{"tuple": list(corners)}]}, {"set": []}]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("seat", 2, "spaces, seats or pieces"),
        ("turn", -1, "turn is a whole number from 0 to 400, not -1"),
        ("turn", 401, "turn is a whole number from 0 to 400, not 401"),
        ("turn", 10**30, "turn is a whole number from 0 to 400, not"),
        ("own.face", "up", "none of the game's (WT-4, WT-5)"),
        ("own.face", "swap", "contradict"),
        ("own.coin", "edge", "none of the game's (WT-4, WT-5)"),
        ("own.coin", ["heads"], "none of the game's (WT-4, WT-5)"),
        ("own.left", {"set": ["move", "leap"]}, "none of the game's (WT-4, WT-5)"),
        ("own.left", {"set": ["move"]}, "there are no moves before the roll (WT-5)"),
        ("own.left", None, "TypeError"),
        ("own", {}, "AttributeError"),
        ("odds", {"die:up": 1.0}, "contradict"),
        ("odds", {}, "contradict"),
        ("out", [1], "seat 1 has lost 2 pyramids and can't have 4 (WT-15, WT-16)"),
        ("own.lost", [0], "IndexError"),
        ("own.lost", [0, 2, 0], "this position can't be read: ValueError"),
        ("own.lost", [0, 1], "seat 1 has lost 1 pyramids and can't have 4 (WT-15, WT-16)"),
        ("own.lost", [0, 3], "seat 1 has lost 3 pyramids and can't have 4 (WT-15, WT-16)"),
        ("own.lost", [0, 10**30], "and can't have 4 (WT-15, WT-16)"),
        ("own.last", [], "at most two rectangles"),
        ("own.last", last("c2", "c5", "f2"), "are not the corners of a rectangle (WT-10)"),
        ("own.last", last("c2", "c5", "f2", "f6"), "are not the corners of a rectangle (WT-10)"),
        ("own.last", last("c2", "f5", "c2", "f5"), "are not the corners of a rectangle (WT-10)"),
        ("own.last", last("a1", "a5", "c1", "c5"), "are not the corners of a rectangle (WT-10)"),
        ("own.last", last("c5", "c2", "f2", "f5"), "contradict"),
        ("own.last.0.set", [{"tuple": ["c2", f"c{top}", "f2", f"f{top}"]} for top in (3, 4, 5)], "at most two"),
        ("own.more", 1, "contradict"),
        ("stacks.a1", [{"pyramid": ["S", 0]}], "spaces, seats or pieces"),
        ("stacks.d5", [{"pyramid": ["L", 0]}], "there are more of the piece '0Q'"),
        ("stacks.d4", [{"pyramid": ["L", 1]}, {"pyramid": ["S", 1]}], "more than one pyramid stands on d4 (WT-6)"),
    ],
)
def test_refused(path: str, value: Any, message: str) -> None:
    position: Any = table_to_json(set_up(FRAME, (0, 2), last=EARLIER).table)
    assert cases.set_up(icetable.load("wrecktangle"), copy.deepcopy(position)).to_act == {icetable.CHANCE}
    assert message in refused(cases.changed(position, path, value))


def test_a_turn_that_has_passed() -> None:
    """WT-9: where nothing can be done, nobody can be about to do it."""
    stuck = set_up(STUCK, (2, 0), last={1: EARLIER[0]}, roll="away", left=["die"])
    saved = table_to_json(stuck.table)
    assert cases.set_up(stuck.game, saved).to_act == {0}
    saved["own"]["left"] = {"set": []}
    assert refused(saved) == "no act is left in this turn, so it has passed (WT-9)"


def test_a_game_that_is_over() -> None:
    """WT-16 to WT-18."""
    home = {square: name for square, name in tokens(start()).items() if name[0] == "0"}
    won = placed(home, roll="swap", left=["die"])
    again = cases.set_up(won.game, table_to_json(won.table))
    assert (again.ended_by, again.winners) == ("WT-17", frozenset({0}))
    drawn = set_up(FRAME, (0, 2), last=EARLIER, turn=400)
    again = cases.set_up(drawn.game, table_to_json(drawn.table))
    assert (again.ended_by, again.winners) == ("WT-18", frozenset({0, 1}))
    out = table_to_json(set_up({}, (0, 3), players=4, fallen="stay").table)
    assert refused(out | {"seat": 1}, players=4, fallen="stay") == "seat 1 is out of the game and has no turn (WT-16)"
