"""The levels in games of the workshop: fair, the same again with the same seed, and in order."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

import icetable
from icetable import bots
from icetable.bots.search import search
from icetable.core.game import Action, State
from icetable.core.turns import TurnState
from icetable.workshop import Board, Game, Pyramid, Table, squares
from icetable.workshop.examples.beacons import Beacons
from icetable.workshop.examples.cairns import Cairns
from icetable.workshop.examples.divers import Divers
from icetable.workshop.examples.first import First
from icetable.workshop.examples.honeycomb import Honeycomb
from icetable.workshop.examples.rockfall import Rockfall
from tests.arena import Chooser, arena

LEVELS = ("beginner", "casual", "skilled", "expert", "master")


class Passing(Game):
    """A player who passes wins, and nobody says so.

    **PA-1** Place a pyramid, or pass and win.
    """

    def board(self) -> Board:
        return squares(8, 8)

    def acts(self, table: Table) -> Iterator[str]:
        yield from table.empty()
        yield "pass"

    def play(self, table: Table, act: str) -> None:
        table.passed = act == "pass"
        if not table.passed:
            table.put(Pyramid("S", table.seat), act)
            table.end_turn()

    def start(self, table: Table) -> None:
        table.passed = False

    def over(self, table: Table) -> str | None:
        return "PA-1" if table.passed else None

    def winners(self, table: Table) -> list[int]:
        return [table.seat]


class Valued(Passing):
    """It misleads: pyramids are worth something, and passing nothing."""

    def worth(self, table: Table) -> list[int]:
        return [len(table.where(seat)) for seat in self.seats]


class Flat(First):
    """All positions are worth the same."""

    def worth(self, table: Table) -> list[int]:
        return [0, 0]


class Guessed(Passing):
    """A guess of the hidden piece wins."""

    def start(self, table: Table) -> None:
        super().start(table)
        table._secret = [Pyramid(size, "black") for size in "SML"]

    def acts(self, table: Table) -> Iterator[str]:
        yield from "SML"

    def play(self, table: Table, act: str) -> None:
        table.passed = table._secret[0].size == act
        table.end_turn()

    def hides(self, table: Table, seat: int | None) -> list[str]:
        return []

    def over(self, table: Table) -> str | None:
        return "PA-1" if table.passed or table.turn == 4 else None

    def winners(self, table: Table) -> list[int]:
        return [1 - table.seat] if table.passed else []


class Left(Game):
    """Take what is left to be taken.

    **LE-1** Step to a neighbouring square, also onto a pyramid of the other colour, which is taken.

    **LE-2** After twelve turns, the one with more pyramids wins.
    """

    def board(self) -> Board:
        return squares(5, 5)

    def start(self, table: Table) -> None:
        for seat, spaces in enumerate(("a1 c1 c2", "a2 d5 e5")):
            for space in spaces.split():
                table.put(Pyramid("S", seat), space)

    def acts(self, table: Table) -> Iterator[str]:
        for here in table.where(table.seat):
            yield from (f"{here}-{there}" for there in table.neighbours(here) if there not in table.where(table.seat))

    def play(self, table: Table, act: str) -> None:
        here, there = act.split("-")
        table.capture(there)
        table.move(here, there)
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "LE-2" if table.turn == 12 or not all(map(table.where, self.seats)) else None

    def winners(self, table: Table) -> list[int]:
        left = [len(table.where(seat)) for seat in self.seats]
        return [seat for seat in self.seats if left[seat] == max(left)]


class Growth(Game):
    """It is best to do nothing greedy: grow first, and take later.

    **GR-1** Take a point for each size that you have, grow by one, or idle.

    **GR-2** After sixteen turns the most points win.
    """

    def board(self) -> Board:
        return squares(1, 1)

    def start(self, table: Table) -> None:
        table.size = [1, 1]

    def acts(self, table: Table) -> list[str]:
        return ["take", "grow", "idle"]

    def play(self, table: Table, act: str) -> None:
        if act == "take":
            table.gain(table.size[table.seat])
        elif act == "grow":
            table.size[table.seat] += 1
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "GR-2" if table.turn == 16 else None


class Bait(Game):
    """A point that costs three.

    **BA-1** Take a bait for a point, which leaves an opening, or stay. An opening that the other leaves is worth three.

    **BA-2** After sixteen turns the most points win.
    """

    def board(self) -> Board:
        return squares(6, 1)

    def start(self, table: Table) -> None:
        table.open = [False, False]

    def acts(self, table: Table) -> Iterator[str]:
        yield "stay"
        yield from table.spaces
        if table.open[1 - table.seat]:
            yield "punish"

    def play(self, table: Table, act: str) -> None:
        if act == "punish":
            table.gain(3)
            table.open[1 - table.seat] = False
        elif act != "stay":
            table.gain(1)
            table.open[table.seat] = True
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "BA-2" if table.turn == 16 else None


def bot(game: icetable.Game, level: str, seed: int) -> bots.Bot:
    """A bot that looks as far as its level allows, however long it takes."""
    found = bots.Bot(game, level, seed)
    effort = dataclasses.replace(found.level.effort, seconds=None, simulations=found.level.effort.simulations or 1000)
    found.level = dataclasses.replace(found.level, effort=effort)
    return found


def start(design: type[Game]) -> TurnState:
    state = icetable.load(design).start()
    assert isinstance(state, TurnState)
    return state


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("design", [Passing, Valued])
def test_an_act_that_wins_at_once_is_taken_by_every_level(design: type[Game], level: str) -> None:
    state = start(design)
    for seed in range(10):
        assert bots.Bot(state.game, level, seed).choose(state, 0) == "pass"


def test_an_act_that_wins_only_where_hidden_pieces_lie_right_is_a_guess() -> None:
    state = start(Guessed)
    assert not any(candidate.wins for seed in range(10) for candidate in search(state, simulations=1, seed=seed))


@pytest.mark.parametrize("level", ["beginner", "casual"])
@pytest.mark.parametrize("design", [First, Flat])
def test_ties_are_broken_by_the_seed(design: type[Game], level: str) -> None:
    """A bot plays all over the board, and the same again with the same seed."""
    state = start(design)
    legal = state.legal_actions()
    found = [bot(state.game, level, seed).choose(state, 0) for seed in range(30)]
    assert found == [bot(state.game, level, seed).choose(state, 0) for seed in range(30)]
    assert len(set(found)) >= 8
    assert 5 <= sum(legal.index(act) < len(legal) / 2 for act in found) <= 25


def test_a_piece_left_to_be_taken_is_taken() -> None:
    state = start(Left)

    def taken(level: str) -> int:
        return sum(bot(state.game, level, seed).choose(state, 0) == "a1-a2" for seed in range(10))

    assert taken("skilled") >= 8
    assert taken("casual") >= 4


def by_level(level: str) -> Chooser:
    def choose(state: State, seat: int, seed: int) -> Action:
        return bot(state.game, level, seed).choose(state, seat)

    return choose


def at_random(state: State, seat: int, seed: int) -> Action:
    return state.game.random_act(state, np.random.default_rng(seed))


@pytest.mark.parametrize("design", [Bait, Beacons, Cairns, Divers, First, Growth, Rockfall])
def test_a_beginner_is_no_worse_than_chance(design: type[Game]) -> None:
    game = icetable.load(design)
    assert arena(game, [by_level("beginner"), at_random], 12, seed=1).share[0] >= 1 / game.players


def test_a_beginner_alone_wins_more_often_than_chance() -> None:
    game = icetable.load(Honeycomb)
    beginner, chance = (arena(game, [player], 12, seed=1).share[0] for player in (by_level("beginner"), at_random))
    assert beginner > 2 * chance


@pytest.mark.parametrize("design", [Bait, First, Growth, Left])
def test_a_casual_player_beats_a_beginner(design: type[Game]) -> None:
    players = [by_level("casual"), by_level("beginner")]
    assert arena(icetable.load(design), players, 16, seed=1).share[0] > 0.5


def test_a_skilled_player_beats_a_casual_one() -> None:
    players = [by_level("skilled"), by_level("casual")]
    assert arena(icetable.load(Growth), players, 6, seed=1).share[0] > 0.5
