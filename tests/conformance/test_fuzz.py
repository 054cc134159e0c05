"""Bad input, by the thousand: each time a GameError of one line, and nothing has changed.

What is fed in is legal or well-formed text with some of it changed, saved positions and records with some of them
changed, and values that have no business there at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import icetable
from icetable import CHANCE, Game, GameError, GameInfo, State
from tests.conformance.cases import CASES, Case, acts, each_game, states, texts, walk

INPUTS = 2_000
"""For each game, a fifth of them to each part."""
PART = INPUTS // 5

LETTERS = (
    "abcdefghijklmnopqrstuvwxyzABSML0123456789 \t\n\r\0#@:-,.*~()[]{}\"'\\/_+=\u0661\u2028\xa0é\u2013\ud800\U0001f438"
)


class Hostile:
    """Takes no part in anything."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]


NUMBERS = (
    0,
    1,
    -1,
    -2,
    2**31,
    2**63,
    2**64,
    -(2**63),
    10**30,
    10**400,
    0.0,
    -0.0,
    0.5,
    1e308,
    -1e308,
    math.nan,
    math.inf,
)
TEXTS = ("", " ", "\n", "\0", "\ud800", "NaN", "null", "[]", "{}", "x" * 100_000, "1" * 5000, "[" * 100_000)
ARRAYS = (np.array(1), np.array([1, 2]), np.array(["pass"]), np.array(["a", "b"]), np.zeros((3, 3)))
OBJECTS = (
    ...,
    NotImplemented,
    object(),
    object,
    len,
    icetable,
    GameError("x"),
    Hostile(),
    Hostile,
    np.random.default_rng(0),
)
BYTES = (b"", b"pass", bytearray(b"x"), memoryview(b"x"))
SEVERAL: tuple[Any, ...] = ([], [[]], [None], (), {}, {"a": 1}, {1: 2}, set(), {1}, frozenset(), range(3), iter([]))
NUMPYS = (np.int64(1), np.float64("nan"), np.bool_(True))
JSON_STRANGERS: tuple[Any, ...] = (None, True, False, *NUMBERS, *TEXTS)
STRANGERS: tuple[Any, ...] = (*JSON_STRANGERS, 10**5000, 1j, *ARRAYS, *OBJECTS, *BYTES, *SEVERAL, *NUMPYS)


def refused(ask: Callable[..., object], *arguments: Any) -> int:
    """1 where the input is refused as it should be, 0 where it is taken."""
    try:
        ask(*arguments)
    except GameError as error:
        message = str(error)
        assert message
        assert message.isprintable()
        assert len(message) < 400
        return 1
    return 0


class Fuzz:
    """Bad input for a game."""

    def __init__(self, info: GameInfo) -> None:
        self.cases = [case for case in CASES if case.name == info.name]
        self.rng = np.random.default_rng(len(info.name))

    def any(self, things: Any) -> Any:
        """One of several."""
        return things[int(self.rng.integers(len(things)))]

    def case(self) -> Case:
        """One of the game's cases."""
        found: Case = self.any(self.cases)
        return found

    def mangled(self, text: str) -> str:
        """The text with a few letters taken out, put in, changed, doubled or turned round."""
        for _ in range(int(self.rng.integers(1, 4))):
            start, end = sorted(int(place) for place in self.rng.integers(len(text) + 1, size=2))
            end = min(end, start + 3)
            change = int(self.rng.integers(6))
            text = text[:start] + self.change(change, text[start:end]) + text[end:]
        return text

    def change(self, number: int, part: str) -> str:
        """One of some ways to change a part of a text."""
        if number == 0:
            return ""
        if number == 1:
            return part + part
        if number == 2:
            return part[::-1]
        if number == 3:
            return part.swapcase()
        return "".join(self.any(LETTERS) for _ in range(int(self.rng.integers(1, 3))))

    def warped(self, value: Any) -> Any:
        """JSON with one of its parts changed into something else."""
        if isinstance(value, dict) and value and self.rng.integers(6):
            name = self.any(sorted(value))
            if not self.rng.integers(8):
                return {other: part for other, part in value.items() if other != name}
            if not self.rng.integers(8):
                return {self.mangled(str(other)) if other == name else other: part for other, part in value.items()}
            return {**value, name: self.warped(value[name])}
        if isinstance(value, list) and value and self.rng.integers(6):
            index = int(self.rng.integers(len(value)))
            repeated = (
                [value[index]] * int(self.rng.integers(3)) if not self.rng.integers(4) else [self.warped(value[index])]
            )
            return [*value[:index], *repeated, *value[index + 1 :]]
        if isinstance(value, str) and self.rng.integers(2):
            return self.mangled(value)
        if isinstance(value, int) and self.rng.integers(2):
            return value + self.any((-1, 1, 2, 10**6))
        return self.any((*JSON_STRANGERS, [value], {"a": value}, [], {}))


@each_game
def test_acts(info: GameInfo) -> None:
    """Acts, seats and times to parse, fault and apply."""
    fuzz = Fuzz(info)
    count = 0
    others = [text for other in CASES if other.name != info.name for text in texts(other)[:50]]
    while count < PART:
        case = fuzz.case()
        state = fuzz.any(states(case))
        before = state.to_json()
        text = fuzz.any(texts(case))
        act = fuzz.any((fuzz.mangled(text), text, fuzz.any(STRANGERS), fuzz.any([*others, text])))
        count += refused(case.game.parse, act)
        count += refused(state.fault, act)
        seat = fuzz.any((None, None, 0, CHANCE, fuzz.any(STRANGERS)))
        at = fuzz.any((None, 1, fuzz.any(STRANGERS)))
        count += refused(state.fault, act, seat)
        count += refused(state.apply, act, seat, at)
        count += refused(state.legal_actions, seat)
        count += refused(state.view, seat)
        assert state.to_json() == before


@each_game
def test_saved_positions(info: GameInfo) -> None:
    """A saved position that is taken is one that can be saved again and played on."""
    fuzz = Fuzz(info)
    count = 0
    while count < PART:
        case = fuzz.case()
        text = fuzz.any(states(case)).to_json()
        way = int(fuzz.rng.integers(10))
        if way == 0:
            text = fuzz.any(STRANGERS)
        elif way == 1:
            text = fuzz.mangled(text)
        else:
            text = json.dumps(fuzz.warped(json.loads(text)))
        if refused(case.game.from_json, text):
            count += 1
        else:
            state = case.game.from_json(text)
            assert_sound(state.game, state)  # without a newer option it is of the game of then


def assert_sound(game: Game, state: State) -> None:
    """The state can be saved, seen and played on."""
    assert game.from_json(state.to_json()) == state
    assert game.replay(state.record()) == state
    assert state.is_terminal == (state.ended_by is not None)
    for seat in state.to_act:
        for act in acts(state, seat)[:5]:
            assert game.from_json(state.apply(act, seat).to_json()).to_act == state.apply(act, seat).to_act


@each_game
def test_records(info: GameInfo) -> None:
    """A record that is taken gives back a state whose own record gives it back again."""
    fuzz = Fuzz(info)
    count = 0
    while count < PART:
        case = fuzz.case()
        lines = walk(case).record().splitlines()
        lines = lines[: lines.index("") + int(fuzz.rng.integers(20))]
        number = int(fuzz.rng.integers(len(lines)))
        way = int(fuzz.rng.integers(6))
        if way == 0:
            lines[number : number + 1] = [lines[number]] * int(fuzz.any((0, 2, 3)))
        elif way == 1:
            lines[number] = fuzz.any(lines)
        elif way == 2:
            lines[number] = f"{fuzz.any((*range(7), '*', '99', '-1'))} {fuzz.any(texts(case))}"
        else:
            lines[number] = fuzz.mangled(lines[number])
        text = fuzz.any(STRANGERS) if not fuzz.rng.integers(20) else "\n".join(lines)
        for replay in (case.game.replay, icetable.replay):
            if refused(replay, text):
                count += 1
            else:
                state = replay(text)
                assert icetable.replay(state.record()).record() == state.record()


@each_game
def test_options(info: GameInfo) -> None:
    """Options, presets and names to load."""
    fuzz = Fuzz(info)
    count = 0
    options = [info.players_option, *info.options]
    names = [option.name for option in options]
    while count < PART:
        usual = dict(fuzz.case().game.options)
        way = int(fuzz.rng.integers(4))
        if way == 0:
            count += refused(icetable.load, fuzz.any(STRANGERS))
        elif way == 1:
            count += refused(icetable.load, info.name, fuzz.any(STRANGERS))
        elif way == 2:
            usual[fuzz.mangled(fuzz.any(names))] = 1
        else:
            usual[fuzz.any(names)] = fuzz.warped(fuzz.any(STRANGERS))
        if not refused(partial(icetable.load, info.name, **usual)):
            game = icetable.load(info.name, **usual)
            assert all(option.read(game.options[option.name]) == game.options[option.name] for option in options)
            assert hash(game) == hash(icetable.load(info.name, **usual))
            assert game.replay(game.start().record()) == game.start()
        else:
            count += 1


@each_game
def test_depths(info: GameInfo) -> None:
    """States and depths to perft."""
    fuzz = Fuzz(info)
    count = 0
    while count < PART:
        state = fuzz.any(states(fuzz.case()))
        depth = fuzz.warped(fuzz.any(STRANGERS))
        if isinstance(depth, int) and 1 < depth <= 1000:
            continue
        count += refused(icetable.perft, state, depth)
        count += refused(icetable.perft, fuzz.any(STRANGERS), 1)
