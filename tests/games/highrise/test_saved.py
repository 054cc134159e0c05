"""Saved positions: what is written, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from icetable import CHANCE, BadRecord, State
from icetable.games.highrise.compiled import CompiledHighRise
from tests.conformance.cases import changed, set_up

from .drawings import begin_game, described, load, stacks_of
from .drawings import set_up as set_up_stacks
from .material import built

STACKS = {"a1": ["0S:red", "1L:purple"], "b1": ["0M:red"]}
RED = {"pyramid": ["M", "red"]}
GIVEN = r"the known numbers are those of the roll or of `values`, smallest first \(HR-2\)"
SHOWN = r"the numbers that are shown are the known ones, or those of dice, when all is placed \(HR-8\)"
IN_TURN = r"the seats place a pyramid in turn, seat 0 first \(HR-5\)"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("turn", 4, IN_TURN),
        ("seat", 0, IN_TURN),
        ("pad.0", [], IN_TURN),
        ("stacks.c1", [RED], "more of the piece 'redM'"),
        ("stacks.b1", [{"pyramid": ["M", "purple"]}], "more of the piece 'purpleM'"),
        ("stacks.b1", [{"pyramid": ["M", 0]}], "more of the piece '0M'"),
        ("stacks.b1", [{"pyramid": ["M", "red", "n"]}], "more of the piece 'redM>n'"),
        ("stacks.b1", [{"token": ["M", "red"]}], "more of the piece 'redM'"),
        ("stacks.b1", [{"pyramid": ["S", "yellow"]}], "more of the piece 'yellowS'"),
        ("stacks.d1", [RED], "spaces, seats or pieces"),
        ("own.known", None, GIVEN),
        ("own.known", [1] * 8, GIVEN),
        ("own.known", [1] * 8 + [7], GIVEN),
        ("own.known", [2] + [1] * 8, GIVEN),
        ("own.known", "111111111", GIVEN),
        ("own.known", 5, "can't go on from this position"),
        ("own.shown", [1] * 9, SHOWN),
        ("own.more", 1, "contradict"),
        ("own", {}, "can't go on from this position"),
        ("out", [0], "contradict"),
        ("score", [1, 0], "contradict"),
        ("odds", {"die:1": 1.0}, "contradict"),
        ("several", ["roll", ["1"], 9, False], "contradict"),
        ("asked", {"0": ["a"]}, "contradict"),
    ],
)
def test_refused(path: str, value: Any, message: str) -> None:
    game = load()
    saved = described(game, STACKS)
    assert set_up(game, saved).to_act == {1}
    with pytest.raises(BadRecord, match=message):
        set_up(game, changed(saved, path, value))


def test_colours_of_the_opponent_are_nobodys_stash() -> None:
    saved = described(load(), {})
    for seat, colour in enumerate(("purple", "red")):
        saved["pad"][seat][0] = {"pyramid": ["S", colour]}
    with pytest.raises(BadRecord, match="contradict"):
        set_up(load(), saved)


@pytest.mark.parametrize(
    ("options", "numbers", "is_right"),
    [
        ({}, [3, 5, 2, 1, 6, 4, 1, 3, 5], True),
        ({}, [1] * 9, False),
        ({"numbers": "unseen"}, [1] * 9, True),
        ({"numbers": "unseen"}, [1] * 8 + [7], False),
        ({"numbers": "unseen"}, [1] * 8, False),
        ({"values": [0] * 8 + [9]}, [0, 0, 0, 9, 0, 0, 0, 0, 0], True),
        ({"values": [0] * 8 + [9]}, [0, 0, 0, 9, 0, 0, 0, 0, 9], False),
    ],
    ids=str,
)
def test_the_end(options: dict[str, Any], numbers: list[int], is_right: bool) -> None:
    game = load(**options)
    saved = changed(built(game, 0), "own.shown", numbers)
    saved.pop("several", None)
    saved.pop("odds", None)
    if not is_right:
        with pytest.raises(BadRecord, match=SHOWN):
            set_up(game, saved)
        return
    state = set_up(game, saved)
    assert state.ended_by == "HR-8"
    assert state == set_up(game, built(game, 0)).apply("deal:" + "".join(map(str, numbers)))


def test_the_start_and_the_roll_are_saved() -> None:
    start = load().start()
    for state in (start, start.apply("roll:111111116"), start.apply("roll:111111116").apply("L@a1")):
        assert start.game.from_json(state.to_json()) == state
    assert start.apply("roll:111111116") != start.apply("roll:111111166")


def test_records_before_dice_were_seen_are_played_as_they_were() -> None:
    """A record that says nothing of it: nobody has seen the numbers."""
    unseen = load(numbers="unseen")
    last = unseen.random_game(np.random.default_rng(1))
    for game in (load(), unseen):
        assert game.replay(last.record().replace('option numbers "unseen"\n', "")) == last


def test_the_order_of_placing_leaves_no_trace() -> None:
    """Stacks that came about on different ways are the same position."""
    one: State = begin_game(load())
    other: State = begin_game(load())
    for act in ("L@a1", "L@b1", "S@c1", "M@a1"):
        one = one.apply(act)
    for act in ("S@c1", "L@b1", "L@a1", "M@a1"):
        other = other.apply(act)
    assert one == other
    assert hash(one) == hash(other)
    assert one.to_json() == other.to_json()
    assert one.record() != other.record()


@pytest.mark.parametrize(("rows", "cols", "hot"), [(3, 3, 9), (3, 3, 2), (5, 5, 25), (8, 8, 64), (8, 8, 5)])
def test_positions_of_play_can_be_loaded(rows: int, cols: int, hot: int) -> None:
    """Also where all goes to a few towers."""
    game: CompiledHighRise = load(rows=rows, cols=cols)
    rng = np.random.default_rng(hot)
    state: State = begin_game(game)
    while state.to_act != {CHANCE}:
        legal = [act for act in state.legal_actions() if str(act)[2:] in game.board.names[:hot]]
        state = state.apply(legal[int(rng.integers(len(legal)))])
        if rng.integers(20) == 0:
            assert set_up_stacks(game, stacks_of(state)) == state
    assert set_up_stacks(game, stacks_of(state)) == state
