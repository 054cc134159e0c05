"""Saved positions and records give back what was saved."""

from __future__ import annotations

import json

import pytest

import icetable
from icetable import BadRecord, State
from tests.conformance.cases import CASES, Case, acts, again, differences, each_case, set_up, states, walk
from tests.conformance.material import material

LENGTHS = 4
LIES = 6
"""How many beginnings of a record are replayed, and how many of its lines are made a lie, one at a time."""


@each_case
def test_json_round_trip(case: Case) -> None:
    for state in states(case):
        text = state.to_json()
        twin = case.game.from_json(text)
        assert twin == state, differences(twin, state)
        assert hash(twin) == hash(state)
        assert twin.to_json() == text
        assert twin.to_act == state.to_act
        assert (twin.winners, twin.scores, twin.ended_by) == (state.winners, state.scores, state.ended_by)
        for seat in state.to_act:
            assert acts(twin, seat) == acts(state, seat)
        assert {**twin.view(), "seat": None} == {**state.view(), "seat": None}
        assert (twin.parent, twin.act, twin.seat, twin.effects) == (None, None, None, ())
        assert case.game.from_json(json.dumps(json.loads(text), indent=2, sort_keys=True)) == state


@each_case
def test_play_goes_on_alike_from_json(case: Case) -> None:
    history = list(walk(case).history())
    middle = len(history) // 2
    state = case.game.from_json(history[middle].to_json())
    for later in history[middle + 1 :]:
        state = again(state, later)
        assert state == later, differences(state, later)
        assert state.effects == later.effects
    assert case.game.replay(state.record()) == walk(case)


@each_case
def test_positions_belong_to_their_options(case: Case) -> None:
    saved, record = case.game.start().to_json(), case.game.start().record()
    for other in CASES:
        if other.game != case.game:
            with pytest.raises(BadRecord):
                other.game.from_json(saved)
            with pytest.raises(BadRecord):
                other.game.replay(record)


@each_case
def test_record_round_trip(case: Case) -> None:
    end = walk(case)
    text = end.record()
    for twin in (case.game.replay(text), icetable.replay(text)):
        assert twin == end
        assert twin.record() == text
        assert steps(twin) == steps(end)
    assert text.isascii()
    assert text.endswith("\n")


@each_case
def test_record_of_every_length(case: Case) -> None:
    """A record is the log: each act adds a line, and every beginning of it replays."""
    history = list(walk(case).history())
    lines = walk(case).record().splitlines()
    head = lines.index("") + 1
    assert len(lines) == head + len(history) - 1 + walk(case).is_terminal
    for count in range(0, len(history), 1 + len(history) // LENGTHS):
        assert case.game.replay("\n".join(lines[: head + count])) == history[count]


@each_case
def test_record_from_a_set_up(case: Case) -> None:
    step = material(case.name).step
    rng = case.rng()
    for position in material(case.name).set_ups(case.game):
        state = set_up(case.game, position)
        assert state != case.game.start()
        assert case.game.replay(state.record()) == state
        for _ in range(5):
            if not state.is_terminal:
                state = step(state, rng)
        assert case.game.replay(state.record()) == state
        assert icetable.replay(state.record()).record() == state.record()


@each_case
def test_record_keeps_the_time(case: Case) -> None:
    state = case.game.start()
    for number, later in enumerate(list(walk(case).history())[1:20]):
        if later.at is not None:  # where it matters when an act is made
            state = again(state, later)
            assert state.at == later.at
            continue
        assert later.act is not None
        state = state.apply(later.act, later.seat, at=number * 61.0625 if number % 3 else None)
        assert state.at == (number * 61062 + (number + 1) // 2 if number % 3 else None)
    twin = case.game.replay(state.record())
    assert [step.at for step in twin.history()] == [step.at for step in state.history()]
    assert twin.record() == state.record()


def steps(state: State) -> list[tuple[object, ...]]:
    """The log of a state."""
    return [(step.act, step.seat, step.at, step.effects) for step in state.history()]


@each_case
def test_a_record_that_lies_is_found_out(case: Case) -> None:
    """Another effect than the rules say, another end, an act twice, an act left out."""
    lines = walk(case).record().splitlines()
    telling = [number for number, line in enumerate(lines) if " # " in line and number > lines.index("")]
    for number in telling[:: 1 + len(telling) // LIES]:
        with pytest.raises(BadRecord, match=f"line {number + 1}: "):
            case.game.replay("\n".join([*lines[:number], lines[number] + " 1"]))
    if walk(case).is_terminal:
        with pytest.raises(BadRecord, match=f"line {len(lines)}: "):
            case.game.replay("\n".join([*lines[:-1], lines[-1] + " 7"]))
        with pytest.raises(BadRecord, match=f"line {len(lines) - 1}: "):
            case.game.replay("\n".join([*lines[:-2], lines[-1]]))
        with pytest.raises(BadRecord, match=f"line {len(lines) + 1}: "):
            case.game.replay("\n".join([*lines, lines[-2]]))
