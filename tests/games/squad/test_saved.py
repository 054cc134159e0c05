"""Saved positions of Who's On The Squad?: what is written, and every reason to refuse one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import icetable
from icetable import BadRecord, Game

from .product import set_up

FULL = {"F": 2, "S": 2, "J": 2}
SAVED: dict[str, Any] = {
    "captains": ["c1", "a4"],
    "faces": [1, 1],
    "friends": {"b1": "0F", "a1": "1F"},
    "supply": [{"F": 1, "S": 2, "J": 2}, {"F": 1, "S": 2, "J": 2}],
}
"""After C@a1, C@a4, F@b1 and F@a1."""


@pytest.fixture(scope="module")
def game() -> Game:
    """For two."""
    return icetable.load("squad")


def changed(*changes: tuple[str, Any]) -> dict[str, Any]:
    """SAVED with some entries changed: "supply.0.F" is the freshmen of seat 0."""
    position: Any = copy.deepcopy(SAVED)
    for path, value in changes:
        *way, last = [int(word) if word.isdecimal() else word for word in path.split(".")]
        part = position
        for step in way:
            part = part[step]
        part[last] = value
    return position  # type: ignore[no-any-return]


def test_written(game: Game) -> None:
    state = game.start().apply("C@a1").apply("C@a4").apply("F@b1").apply("F@a1")
    assert state.to_json() == (
        '{"icetable":1,"game":"squad","options":{"players":2,"board":4,"trios":2,"captain_start":1,"begins":"corner",'
        '"friends":"any","formation":"exact","stuck":"mover","tie":"tied"},"position":{"captains":["c1","a4"],"faces":[1,1],"friends":{"a1":"1F","b1":"0F"},'
        '"supply":[{"F":1,"S":2,"J":2},{"F":1,"S":2,"J":2}]}}'
    )
    assert set_up(game, **SAVED) == state


def test_before_the_captains_stand(game: Game) -> None:
    """SQ-4."""
    blank = {"captains": [None, None], "faces": [1, 1], "friends": {}, "supply": [FULL, FULL]}
    assert set_up(game, **blank) == game.start()
    one = set_up(game, **{**blank, "captains": ["d1", None]})
    assert one == game.start().apply("C@d1")
    assert one.to_act == {1}
    two = set_up(game, **{**blank, "captains": ["d1", "a1"]})
    assert two.to_act == {0}
    assert "F@b1" in two.legal_actions()


ENTRIES = "a position of Who's On The Squad? has the entries captains, faces, friends and supply"
NEEDS_STUNTS = "the captain of seat 0 can't have come to"


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (None, ENTRIES),
        ([], ENTRIES),
        ({}, ENTRIES),
        ({**SAVED, "turn": 2}, ENTRIES),
        ({name: part for name, part in SAVED.items() if name != "faces"}, ENTRIES),
        (changed(("supply", {})), "supply is a list with an entry for each of 2 seats, not {}"),
        (changed(("supply", [FULL])), "supply is a list with an entry for each of 2 seats, not [{"),
        (changed(("supply.1", [1, 2, 2])), "the supply of a seat has the entries F, S and J, not [1, 2, 2]"),
        (changed(("supply.1", {"F": 1})), "the supply of a seat has the entries F, S and J, not {'F': 1}"),
        (changed(("supply.0.F", 3)), "a supply is a whole number from 0 to 2, not 3 (SQ-2)"),
        (changed(("supply.0.F", -1)), "a supply is a whole number from 0 to 2, not -1 (SQ-2)"),
        (changed(("supply.0.F", True)), "a supply is a whole number from 0 to 2, not True (SQ-2)"),
        (changed(("supply.0.F", 1.0)), "a supply is a whole number from 0 to 2, not 1.0 (SQ-2)"),
        (changed(("supply.1.F", 2)), "more friends 1F stand on the board than were placed (SQ-2)"),
        (changed(("supply.1.F", 0)), "seats take turns, so they can't have placed [1, 2] friends (SQ-5)"),
        (changed(("supply.0.J", 0)), "seats take turns, so they can't have placed [3, 1] friends (SQ-5)"),
        (
            changed(("supply", [{"F": 0, "S": 0, "J": 0}] * 2)),
            "the game ends when a seat has placed its last friend; here a second one has (SQ-13)",
        ),
        (changed(("friends", [])), "friends is a table of squares, not []"),
        (changed(("friends", {"e1": "0F"})), "the board has no square 'e1' (SQ-1)"),
        (changed(("friends", {"B1": "0F"})), "the board has no square 'B1' (SQ-1)"),
        (changed(("friends.b1", "0f")), "a friend is written as seat and size, such as 0F, not '0f'"),
        (changed(("friends.b1", "2F")), "a friend is written as seat and size, such as 0F, not '2F'"),
        (changed(("friends.b1", "0F\n")), "a friend is written as seat and size, such as 0F, not '0F\\n'"),
        (changed(("friends.b1", ["0F"])), "a friend is written as seat and size, such as 0F, not ['0F']"),
        (changed(("friends.b1", "0S")), "more friends 0S stand on the board than were placed (SQ-2)"),
        (changed(("friends.b2", "0F")), "more friends 0F stand on the board than were placed (SQ-2)"),
        (changed(("friends", {"b1": "0F"})), "the friend placed last still stands, but seat 1 has none on the board"),
        (changed(("captains", "c1")), "captains is a list with an entry for each of 2 seats, not 'c1'"),
        (changed(("captains", ["c1"])), "captains is a list with an entry for each of 2 seats, not ['c1']"),
        (changed(("captains.0", "e1")), "the board has no square 'e1' (SQ-1)"),
        (changed(("captains.0", 1)), "the board has no square 1 (SQ-1)"),
        (changed(("captains.0", ["c1"])), "the board has no square ['c1'] (SQ-1)"),
        (changed(("captains.0", "b1")), "two pieces stand on b1 (SQ-6)"),
        (changed(("captains.0", "a4")), "two pieces stand on a4 (SQ-6)"),
        (changed(("captains.0", None)), "captains are placed in the order of the seats (SQ-4)"),
        (changed(("captains.1", None)), "all captains are placed before the first friend (SQ-4)"),
        (changed(("captains.0", "c2")), "the captain of seat 1 would have begun where another did (SQ-4, SQ-8)"),
        (changed(("captains.1", "c3")), "the captain of seat 1 would have begun where another did (SQ-4, SQ-8)"),
        (changed(("captains.0", "d3"), ("faces.0", 2)), None),
        (changed(("captains.0", "c3")), None),
        (changed(("faces", 1)), "faces is a list with an entry for each of 2 seats, not 1"),
        (changed(("faces", [1])), "faces is a list with an entry for each of 2 seats, not [1]"),
        (changed(("faces.0", 5)), "a face is a whole number from 0 to 4, not 5 (SQ-3)"),
        (changed(("faces.0", "1")), "a face is a whole number from 0 to 4, not '1' (SQ-3)"),
        (changed(("faces.0", False)), "a face is a whole number from 0 to 4, not False (SQ-3)"),
        (changed(("faces.0", 4)), "after a stunt to c1 a captain shows 1 to 3, not 4 (SQ-10)"),
        (changed(("faces.0", 0)), "after a stunt to c1 a captain shows 1 to 3, not 0 (SQ-10)"),
        (changed(("faces.1", 2)), None),
        (changed(("faces.1", 3)), "after a stunt to a4 a captain shows 1 to 2, not 3 (SQ-10)"),
    ],
)
def test_refused(game: Game, position: Any, message: str | None) -> None:
    """Every reason; and next to some of them what is taken all the same."""
    saved = {"icetable": 1, "game": "squad", "options": dict(game.options), "position": position}
    if message is None:
        assert game.from_saved(saved)._position() == position
        return
    with pytest.raises(BadRecord) as error:
        game.from_saved(saved)
    assert str(error.value).startswith(message)
    assert str(error.value).isprintable()


Change = Callable[[dict[str, Any]], None]


def test_captains_need_time(game: Game) -> None:
    """SQ-8: a stunt is two squares long, and a captain makes one in a turn at most."""
    one_turn = changed(("friends", {"b1": "0F"}), ("supply.1", FULL))
    assert set_up(game, **one_turn).to_act == {1}
    for captain, face in (("c3", 1), ("a1", 2)):
        position = {**one_turn, "captains": [captain, "a4"], "faces": [face, 1]}
        with pytest.raises(BadRecord, match=f"{NEEDS_STUNTS} {captain} and show {face} so soon"):
            set_up(game, **position)
    for captain, face in (("c3", 1), ("a1", 2)):
        later = changed(("captains.0", captain), ("faces.0", face), ("friends", {"b2": "1F"}))
        assert set_up(game, **later).to_act == {0}
    start = {"captains": ["a1", None], "faces": [1, 2], "friends": {}, "supply": [FULL, FULL]}
    with pytest.raises(BadRecord, match="the captain of seat 1 is not placed and can't show 2"):
        set_up(game, **start)


def test_options_decide_what_can_be() -> None:
    """What captains show, where they begin, how many friends there are."""
    zero = icetable.load("squad", captain_start=0)
    assert set_up(zero, **changed(("faces.1", 0))).scores == (1, 0)
    with pytest.raises(BadRecord, match="the captain of seat 1 can't have come to a4 and show 1 so soon"):
        set_up(zero, **changed(("friends", {"b1": "0F"}), ("supply.1", FULL)))
    own = icetable.load("squad", friends="own", formation="up-to")
    assert set_up(own, **changed(("faces.0", 0))).scores == (0, 1)
    three = icetable.load("squad", players=3, board=4, trios=2)
    rim = {"captains": ["b1", "d1", "a3"], "faces": [1] * 3, "friends": {}, "supply": [FULL] * 3}
    assert set_up(three, **rim).to_act == {1}
    with pytest.raises(BadRecord, match=f"{NEEDS_STUNTS} b2 and show 1 so soon"):
        set_up(three, **{**rim, "captains": ["b2", "d1", "a3"]})
    large = icetable.load("squad", board=6)
    assert set_up(large, **changed(("captains.1", "a6"))).to_act == {0}
    with pytest.raises(BadRecord, match="the captain of seat 1 can't have come to e5"):
        set_up(large, **changed(("captains.1", "e5")))
