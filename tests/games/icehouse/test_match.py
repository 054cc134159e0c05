"""IH-35 and IH-36: games in a row."""

from __future__ import annotations

from fractions import Fraction

import pytest

import icetable
from icetable import GameError, State
from icetable.games.icehouse.game import ratings, totals

from .oracle import CHANCE, Oracle
from .product import state_of


def end(*standing: str, frozen: tuple[int, ...] = ()) -> State:
    """The end, by the bell, of a game for four with these pieces standing alone: "red L" and so on."""
    drawing = "\n".join(f"{name} {2000 * number},2000 stand 0.0" for number, name in enumerate(standing, 1))
    return state_of(Oracle.laid(drawing, preset="tournament", in_icehouse=frozen).apply("bell", CHANCE))


@pytest.mark.rule("IH-35")
def test_ih_35_scores_add_up() -> None:
    games = [end("red L", "green M"), end("red S", "blue M"), end()]
    assert [game.scores for game in games] == [(3, 2, 0, 0), (1, 0, 2, 0), (0, 0, 0, 0)]
    assert totals(games) == (4, 2, 2, 0)


@pytest.mark.rule("IH-36")
def test_ih_36_a_rating() -> None:
    """Red wins the first game, shares the second with green and the third with all: 8 · (1 + 1 + ½ + ¼)."""
    games = [end("red L", "red L", "green M"), end("red M", "green M"), end()]
    assert totals(games) == (8, 4, 0, 0)
    assert ratings(games) == (8 * Fraction(11, 4), 4 * Fraction(7, 4), Fraction(), Fraction())


@pytest.mark.rule("IH-36")
def test_ih_36_whoever_is_in_the_icehouse_wins_nothing() -> None:
    """Red scores nothing and does not share the win of the other three."""
    games = [end("red L", frozen=(0,)), end("red L")]
    assert games[0].winners == {1, 2, 3}
    assert totals(games) == (3, 0, 0, 0)
    assert ratings(games)[0] == 3 * 2


@pytest.mark.rule("IH-36")
def test_ih_36_nobody_wins_where_all_are_in_the_icehouse() -> None:
    game = end("red L", frozen=(0, 1, 2, 3))
    assert game.winners == frozenset()
    assert list(map(int, ratings([game, end("red S")]))) == [2, 0, 0, 0]


def test_games_that_are_no_match_are_refused() -> None:
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
