"""The adapter of turn-based games: seats, chance, times, refusals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import CHANCE, BadNotation, BadRecord, Effect, Fault, Game, GameError, IllegalAction, State
from tests.core import toy

BAD_SEATS: list[Any] = [
    2,
    3,
    -2,
    0.0,
    1.0,
    True,
    False,
    "0",
    b"0",
    [0],
    (0,),
    {},
    np.array([0, 1]),
    10**400,
    float("nan"),
]
bad_seats = pytest.mark.parametrize("seat", BAD_SEATS, ids=range(len(BAD_SEATS)))


def test_a_turn(game: Game) -> None:
    start = game.start()
    assert start.to_act == {CHANCE}
    assert start.legal_actions() == start.legal_actions(CHANCE) == [f"die:{face}" for face in range(1, 7)]
    assert start.legal_actions(0) == []
    rolled = start.apply("die:2")
    assert (rolled.seat, rolled.act, rolled.effects) == (CHANCE, "die:2", ())
    assert rolled.to_act == {0}
    assert rolled.legal_actions() == rolled.legal_actions(0) == ["take:1", "take:2"]
    taken = rolled.apply("take:2", 0)
    assert (taken.seat, taken.act, taken.effects) == (0, "take:2", (Effect("leaves", ("heap",), 10),))
    assert taken.to_act == {CHANCE}
    assert taken.apply("die:1").to_act == {1}
    assert list(taken.history()) == [start, rolled, taken]
    assert repr(taken) == "<Toy after 2 acts: {'heap': 10, 'seat': 1, 'turn': 1}>"


def test_chance(game: Game) -> None:
    outcomes = game.start().chance_outcomes()
    assert outcomes == [(f"die:{face}", 1 / 6) for face in range(1, 7)]
    with pytest.raises(GameError, match="nothing is left to chance"):
        game.start().apply("die:2").chance_outcomes()


def test_random_act(game: Game) -> None:
    rng = np.random.default_rng(3)
    start = game.start()
    counts = Counter(game.random_act(start, rng) for _ in range(600))
    assert counts.keys() == set(start.legal_actions())
    assert min(counts.values()) > 60
    others: tuple[Any, ...] = (toy.INFO.load(beans=13).start(), None, "start", game)
    for state in others:
        with pytest.raises(GameError, match="a random act is drawn at a state of this game"):
            game.random_act(state, rng)


@pytest.mark.parametrize(
    ("text", "seat", "fault"),
    [
        ("take:3", None, Fault("too-many", "So many there are not.", "TO-5", ("heap",))),
        ("take:3", 0, Fault("too-many", "So many there are not.", "TO-5", ("heap",))),
        ("take:9", 0, Fault("too-many", "So many there are not.", "TO-5", ("heap",))),
        ("die:3", None, Fault("wrong-time", "That is not the order of things.", "TO-4")),
        ("take:2", 1, Fault("not-your-turn", "It is not seat 1's turn but seat 0's.", "TO-3")),
        ("take:2", CHANCE, Fault("not-your-turn", "It is not chance's turn but seat 0's.", "TO-3")),
        ("die:2", CHANCE, Fault("not-your-turn", "It is not chance's turn but seat 0's.", "TO-3")),
    ],
)
def test_fault(game: Game, text: str, seat: int | None, fault: Fault) -> None:
    state = game.start().apply("die:2")
    assert state.fault(text, seat) == fault
    with pytest.raises(IllegalAction) as refused:
        state.apply(text, seat)
    assert refused.value.fault == fault


def test_not_chances_turn(game: Game) -> None:
    fault = game.start().fault("die:2", 1)
    assert fault == Fault("not-your-turn", "It is not seat 1's turn but chance's.", "TO-3")


@bad_seats
def test_no_such_seat(game: Game, seat: Any) -> None:
    for state, act in ((game.start(), "die:2"), (game.start().apply("die:2").apply("take:1").apply("die:2"), "take:1")):
        asks: tuple[Callable[[], object], ...] = (
            partial(state.apply, act, seat),
            partial(state.fault, act, seat),
            partial(state.legal_actions, seat),
            partial(state.view, seat),
        )
        for ask in asks:
            with pytest.raises(GameError, match=r"^there is no seat .*; seats are 0 to 1$") as error:
                ask()
            assert str(error.value).isprintable()


BAD_TIMES: list[Any] = [-1, -0.001, "1", b"1", True, [], {}, float("nan"), float("inf"), 10**400, 1e308, 10**9, 1j]


@pytest.mark.parametrize("at", BAD_TIMES, ids=range(len(BAD_TIMES)))
def test_bad_times(game: Game, at: Any) -> None:
    with pytest.raises(GameError, match=r"^a time is a number of seconds from 0 ") as error:
        game.start().apply("die:2", at=at)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("at", "kept"),
    [
        (0, 0),
        (1, 1000),
        (1.0004, 1000),
        (1.0005, 1001),
        (0.0005, 1),
        (999_999_999, 999_999_999_000),
        (np.float64(2.5), 2500),
    ],
)
def test_times_are_whole_milliseconds(game: Game, at: float, kept: int) -> None:
    state = game.start().apply("die:2", at=at)
    assert state.at == kept
    assert game.replay(state.record()).at == kept


def test_times_do_not_run_back(game: Game) -> None:
    state = game.start().apply("die:2", at=5)
    assert state.apply("take:1", at=5).at == 5000
    with pytest.raises(GameError, match=r"^time does not run back"):
        state.apply("take:1", at=4.999)
    assert state.apply("take:1").apply("die:1", at=5).at == 5000
    with pytest.raises(GameError, match=r"^time does not run back"):
        state.apply("take:1").apply("die:1", at=4)


def test_an_act_is_judged_before_its_time(game: Game) -> None:
    with pytest.raises(IllegalAction):
        game.start().apply("take:1", at=-1)
    with pytest.raises(BadNotation):
        game.start().apply("nonsense", at=-1)


def test_equality(game: Game) -> None:
    """Two ways to the same position are the same position; the log does not count."""
    one = game.start().apply("die:2").apply("take:2")
    other = game.start().apply("die:4", at=3).apply("take:2", at=4)
    assert one == other
    assert hash(one) == hash(other)
    assert one != game.start().apply("die:2").apply("take:1")
    assert one != toy.INFO.load(noisy=True).start().apply("die:2").apply("take:2")
    assert one != one.to_json()
    assert game == toy.INFO.load(players=2)
    assert game != toy.INFO.load(players=3)
    assert hash(game) == hash(toy.INFO.load())
    assert game != "toy"


def test_view(game: Game) -> None:
    state = game.start().apply("die:2")
    assert state.view(1) == {
        "game": "toy",
        "seat": 1,
        "to_act": [0],
        "over": False,
        "ended_by": None,
        "winners": [],
        "scores": [0, 0],
        "heap": 12,
    }


def saved(of: Game, /, **changed: object) -> Any:
    """A decoded saved position with other entries."""
    return {**json.loads(of.start().to_json()), **changed}


def test_saved(game: Game) -> None:
    assert game.start().to_json() == (
        '{"icetable":1,"game":"toy","options":{"players":2,"beans":12,"winner":"last","noisy":false,"weight":0.5,'
        '"names":[],"depth":null},"position":{"heap":12,"seat":0,"turn":0}}'
    )
    assert game.from_saved(saved(game)) == game.start()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"icetable": 2}, "this position is of version 2; known: 1"),
        ({"icetable": True}, "this position is of version True; known: 1"),
        ({"icetable": 1.0}, "this position is of version 1.0; known: 1"),
        ({"icetable": "1"}, "this position is of version '1'; known: 1"),
        ({"icetable": [1]}, "this position is of version [1]; known: 1"),
        ({"game": "chess"}, "this position is of 'chess', not of 'toy'"),
        ({"game": None}, "this position is of None, not of 'toy'"),
        ({"game": ["toy"]}, "this position is of ['toy'], not of 'toy'"),
        ({"options": {}}, "this position is of a game with other options than"),
        ({"options": None}, "this position is of a game with other options than"),
        ({"options": {1, 2}}, "this position is of a game with other options than"),
        ({"options": {1: 1, "a": 2}}, "this position is of a game with other options than"),
        ({"position": None}, "a position has heap, seat and turn"),
        ({"more": 1}, "a saved position has the entries icetable, game, options and position"),
    ],
)
def test_saved_refused(game: Game, changed: dict[str, object], message: str) -> None:
    with pytest.raises(BadRecord) as error:
        game.from_saved(saved(game, **changed))
    assert str(error.value).startswith(message)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("decoded", [None, 1, "x", [], {}, {"icetable": 1}, [("icetable", 1)]])
def test_saved_is_a_table(game: Game, decoded: object) -> None:
    with pytest.raises(BadRecord, match=r"^a saved position has the entries"):
        game.from_saved(decoded)


@pytest.mark.parametrize(
    "text", ["", "{", "nonsense", "\ufeff{}", "{'icetable': 1}", "[" * 100_000, '{"a":' * 100_000, "9" * 5000, "\ud800"]
)
def test_saved_is_json(game: Game, text: str) -> None:
    with pytest.raises(BadRecord, match=r"^a saved position is JSON, and this is not$"):
        game.from_json(text)


@pytest.mark.parametrize("depth", [*range(880, 1000, 5), 2000, 20_000])
def test_saved_may_be_nested_deeply(game: Game, depth: int) -> None:
    """Somewhere Python gives up; wherever that is, it is a bad record."""
    nested = "[" * depth + "]" * depth
    text = game.start().to_json()
    for entry in ('"position":{"heap":12,"seat":0,"turn":0}', '"names":[]', '"game":"toy"', '"icetable":1'):
        name = entry.split(":", 1)[0]
        with pytest.raises(BadRecord) as error:
            game.from_json(text.replace(entry, f"{name}:{nested}"))
        assert str(error.value).isprintable()


def test_a_game_without_a_drawing(game: Game) -> None:
    """A notebook shows its states as text."""
    assert game.start()._repr_svg_() is None
    with pytest.raises(GameError, match=r"^Toy can't be drawn as SVG$"):
        game.start().svg()


def by_playing(state: State, depth: int) -> int:
    """Perft in the plainest way."""
    return 1 if depth == 0 else sum(by_playing(state.apply(act), depth - 1) for act in state.legal_actions())


def test_counts(game: Game) -> None:
    """Chance counts once for each outcome; what the end cuts short does not count."""
    assert [icetable.perft(game.start(), depth) for depth in range(6)] == [1, 6, 21, 126, 441, 2640]
    for players, beans in ((1, 3), (2, 4), (3, 2)):
        start = toy.INFO.load(players=players, beans=beans).start()
        assert [icetable.perft(start, depth) for depth in range(9)] == [by_playing(start, depth) for depth in range(9)]


def test_from_a_state_along_the_way(game: Game) -> None:
    state = game.start().apply("die:3")
    assert icetable.perft(state, 1) == 3
    assert icetable.perft(state, 2) == 18


def test_when_it_is_over(game: Game) -> None:
    state = game.from_saved(
        {"icetable": 1, "game": "toy", "options": game.options, "position": {"heap": 1, "seat": 0, "turn": 0}}
    )
    over = state.apply("die:6").apply("take:1")
    assert over.is_terminal
    assert [icetable.perft(over, depth) for depth in range(3)] == [1, 0, 0]
    assert [icetable.perft(state, depth) for depth in range(4)] == [1, 6, 6, 0]


def test_counting_changes_nothing(game: Game) -> None:
    state = game.start()
    before = state.to_json()
    icetable.perft(state, 3)
    assert state.to_json() == before
    assert state == game.start()


DEPTHS: list[Any] = [-1, 1.0, 2.5, True, None, "3", b"3", [], (1,), float("nan"), 10**9, 10**30, 10**5000]


@pytest.mark.parametrize("depth", DEPTHS, ids=range(len(DEPTHS)))
def test_bad_depth(game: Game, depth: Any) -> None:
    with pytest.raises(GameError, match=r"^a depth is a whole number from 0 ") as error:
        icetable.perft(game.start(), depth)
    assert str(error.value).isprintable()


NO_STATES: list[Any] = [None, "start", 0, [], {}, toy.INFO, object()]


@pytest.mark.parametrize("state", NO_STATES, ids=range(len(NO_STATES)))
def test_no_state(state: Any) -> None:
    with pytest.raises(GameError, match=r"^perft counts from a State, not from "):
        icetable.perft(state, 1)


def test_no_state_but_a_game(game: Game) -> None:
    no_state: Any = game
    with pytest.raises(GameError, match=r"^perft counts from a State, not from "):
        icetable.perft(no_state, 1)
