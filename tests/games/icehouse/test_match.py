"""IH-35 and IH-36: games in a row."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import icetable
from icetable import GameError, State
from icetable.games.icehouse.match import ratings, totals
from tests.conformance.cases import set_up

from .material import piece

COLOURS = ("red", "green", "blue", "yellow")


def end(*standing: str, frozen: tuple[int, ...] = ()) -> State:
    """The end, by the bell, of a game for four with these pieces standing alone: "L:red" and so on."""
    game = icetable.load("icehouse", preset="tournament")
    pads: list[dict[str, Any]] = [{colour: {"S": 5, "M": 5, "L": 5}} for colour in COLOURS]
    field = []
    for number, name in enumerate(standing, 1):
        size, colour = name.split(":")
        pads[COLOURS.index(colour)][colour][size] -= 1
        field.append(piece(number, colour, size, standing=True, x=2000 * number, y=2000))
    position = {
        "clock": 0,
        "ready": [0, 1, 2, 3],
        "in_icehouse": list(frozen),
        "last_id": len(field),
        "quiet_until": 0 if frozen else None,
        "paused_until": [None] * 4,
        "hands": [None] * 4,
        "owed": [None] * 4,
        "pads": pads,
        "field": field,
        "ended_by": "IH-31",
    }
    return set_up(game, json.loads(json.dumps(position)))


@pytest.mark.rule("IH-35")
def test_ih_35_scores_add_up() -> None:
    games = [end("L:red", "M:green"), end("S:red", "M:blue"), end()]
    assert [game.scores for game in games] == [(3, 2, 0, 0), (1, 0, 2, 0), (0, 0, 0, 0)]
    assert totals(games) == (4, 2, 2, 0)


@pytest.mark.rule("IH-36")
def test_ih_36_a_rating() -> None:
    """Red wins the first game, shares the second with green and the third with all: 8 · (1 + 1 + ½ + ¼)."""
    games = [end("L:red", "L:red", "M:green"), end("M:red", "M:green"), end()]
    assert totals(games) == (8, 4, 0, 0)
    assert ratings(games) == (8 * Fraction(11, 4), 4 * Fraction(7, 4), Fraction(), Fraction())


@pytest.mark.rule("IH-36")
def test_ih_36_whoever_is_in_the_icehouse_wins_nothing() -> None:
    """Red scores nothing and does not share the win of the other three."""
    games = [end("L:red", frozen=(0,)), end("L:red")]
    assert games[0].winners == {1, 2, 3}
    assert totals(games) == (3, 0, 0, 0)
    assert ratings(games)[0] == 3 * 2


@pytest.mark.rule("IH-36")
def test_ih_36_nobody_wins_where_all_are_in_the_icehouse() -> None:
    game = end("L:red", frozen=(0, 1, 2, 3))
    assert game.winners == frozenset()
    assert list(map(int, ratings([game, end("S:red")]))) == [2, 0, 0, 0]


def test_what_is_no_match() -> None:
    started = icetable.load("icehouse").start()
    other = icetable.load("icehouse", players=2).start()
    for games, message in (([], "one or more games"), ([started, other], "same number"), ([started], "are over")):
        with pytest.raises(GameError, match=message):
            totals(games)
        with pytest.raises(GameError, match=message):
            ratings(games)


def test_a_tournament_is_for_four() -> None:
    assert icetable.load("icehouse", preset="tournament") == icetable.load("icehouse", preset="classic", players=4)
    with pytest.raises(icetable.BadOption, match="players can't be 3 with preset 'tournament'; allowed: 4"):
        icetable.load("icehouse", preset="tournament", players=3)
