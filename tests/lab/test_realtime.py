"""The clock that costs no time: acts in order of their moments, each judged, those of chance among them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import icetable
from icetable.bots import Intention
from icetable.bots.realtime import play
from icetable.core.realtime import RealTimeGame
from icetable.lab.matches import matches

(INFO,) = (info for info in icetable.list_games() if not info.turns)
NEVER = float("inf")


def load(**options: Any) -> RealTimeGame:
    game = INFO.load(players=2, **options)
    assert isinstance(game, RealTimeGame)
    return game


class Scripted:
    """Makes acts at fixed moments, and notes what it was told."""

    def __init__(self, *acts: tuple[str | None, float]) -> None:
        self.acts: Iterator[tuple[str | None, float]] = iter(acts)
        self.meant = Intention(*next(self.acts))
        self.asked: list[tuple[int, float]] = []
        self.refusals = 0

    def next(self, view: Mapping[str, Any], now: float) -> Intention:
        self.asked.append((view["seat"], now))
        if now >= self.meant.at:
            self.meant = Intention(*next(self.acts, (None, NEVER)))
        return self.meant

    def refused(self) -> None:
        self.refusals += 1


def test_acts_come_in_order_and_everybody_is_asked_anew() -> None:
    one = Scripted(("ready", 1.0), ("lift L", 5.0), ("return", 7.0))
    other = Scripted(("ready", 2.0), (None, 3.0), ("lift S", 6.0))
    state = play(load(), [one, other], 10.0)
    made = [(past.seat, past.act, past.at) for past in state.history()][1:]
    assert made[:5] == [
        (0, "ready", 1000),
        (1, "ready", 2000),
        (0, "lift L", 5000),
        (1, "lift S", 6000),
        (0, "return", 7000),
    ]
    assert made[5][0] == icetable.CHANCE
    assert made[5][2] == 12_000
    assert one.asked == [(0, now) for now in (0.0, 1.0, 2.0, 5.0, 6.0, 7.0)]
    assert other.asked == [(1, now) for now in (0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0)]


def test_a_refusal_is_told_to_nobody_else() -> None:
    one, other = Scripted(("return", 1.0), ("ready", 2.0)), Scripted((None, NEVER))
    state = play(load(), [one, other], None)
    assert [past.act for past in state.history()][1:] == ["ready"]
    assert (one.refusals, other.refusals) == (1, 0)
    assert other.asked == [(1, 0.0), (1, 2.0)]


def test_without_nature_it_ends_when_nobody_means_to_do_anything() -> None:
    state = play(load(timer=0), [Scripted(("ready", 1.0)), Scripted(("ready", 2.0))], None)
    assert not state.is_terminal
    assert len(list(state.history())) == 3


def test_the_end_comes_before_an_act_of_the_same_moment() -> None:
    state = play(load(), [Scripted(("ready", 1.0), ("lift S", 7.0)), Scripted(("ready", 2.0))], 5.0)
    assert [past.seat for past in state.history()][1:] == [0, 1, icetable.CHANCE]


@pytest.mark.parametrize("games", [0, 3])
def test_players_change_seats_and_seeds(games: int) -> None:
    seeds = []

    def maker(seed: int) -> Scripted:
        seeds.append(seed)
        return Scripted(("ready", 1.0 + len(seeds)))

    played = list(matches(load(), [maker, maker], games, seed=4))
    assert [seats for _, seats in played] == [[0, 1], [1, 0], [0, 1]][:games]
    assert all(state.is_terminal for state, _ in played)
    assert len(set(seeds)) == 2 * games
    assert len({state.at for state, _ in played}) == games


def test_a_game_that_is_over_can_be_reviewed() -> None:
    game = load()
    last = play(game, [Scripted(("ready", 1.0), ("lift L", 3.0)), Scripted(("ready", 2.0))], 10.0)
    review = game.review(last)
    assert json.loads(json.dumps(review)) == review
    assert all(isinstance(line, str) for line in game.review_lines(review))
    with pytest.raises(icetable.GameError):
        game.review(game.start())
