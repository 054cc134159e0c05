"""The review of whole games beside the oracle, which is asked at every moment what holds."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import icetable
from icetable import CHANCE, State
from icetable.games.icehouse.game import IcehouseState
from icetable.games.icehouse.review.parts import Review

from .oracle import VALUES, Oracle
from .product import state_of
from .random_games import random_text, random_time


def led(seed: int, **options: Any) -> tuple[list[Oracle], IcehouseState]:
    """A random game led by the oracle until the bell: its positions, and the last state.

    Each seat has so few pieces left that it has to defend itself all the time. No two acts have the same time, so that
    the oracle can be asked what holds between them.
    """
    random = Random(seed)
    players = options["players"]
    positions = [Oracle.laid("", pads=dict.fromkeys(range(players), "3S 2M 3L"), **options)]
    state = state_of(positions[0])
    for number in range(ATTEMPTS + 1):
        position, seat = positions[-1], random.randrange(players)
        at, text = max(position.clock + 1, random_time(position, random)), random_text(position, seat, random)
        if number == ATTEMPTS:
            at, seat, text = position.clock + 20_000, CHANCE, "bell"
        is_rash = text == "icehouse" and random.random() < CAUTION
        if not is_rash and not position.fault(text, seat, at):
            positions.append(position.apply(text, seat, at))
            state = state.apply(text, seat, at / 1000)
    return positions, state


ATTEMPTS = 200
CAUTION = 0.8
"""How often a player thinks better of a call."""
GAMES: tuple[tuple[int, dict[str, Any]], ...] = (
    (4, {"players": 4, "width": 9.5, "height": 9.5}),
    (6, {"players": 3, "width": 9.5, "height": 7, "gift_time": 3.0015}),
    (8, {"players": 2, "width": 9.5, "height": 9.5, "crash": "refuse", "false_call": "free", "call_pause": 2.0005}),
    (1, {"players": 5, "width": 12, "height": 9.5, "meltdown": "prevent", "range": "ray"}),
)
each_game = pytest.mark.parametrize("number", range(len(GAMES) + 1))


def recorded() -> tuple[list[Oracle], State]:
    """A game between bots of four levels: the oracle's positions, and the last state."""
    state = icetable.replay((Path(__file__).parent / "bots.record").read_text(encoding="utf-8"))
    positions = [Oracle(players=state.game.players)]
    for one in list(state.history())[1:]:
        assert one.seat is not None
        positions.append(positions[-1].apply(str(one.act), one.seat, one.at))
    return positions, state


@cache
def led_and_reviewed(number: int) -> tuple[list[Oracle], Review]:
    """One of these games, or the recorded one: the oracle's positions, and its review."""
    positions, state = led(GAMES[number][0], **GAMES[number][1]) if number < len(GAMES) else recorded()
    assert isinstance(state, IcehouseState)
    return positions, state.game.review(state)


@each_game
def test_scores_and_icings_are_those_of_the_oracle(number: int) -> None:
    positions, review = led_and_reviewed(number)
    assert [one["scores"] for one in review["course"]] == [list(position.scores) for position in positions]
    assert [one["at"] for one in review["course"]] == [position.clock for position in positions]
    expected = []
    for act, (before, after) in enumerate(pairwise(positions), 1):
        expected += [(act, f"p{number}") for number in sorted(iced(after) - iced(before))]
    assert [(one["act"], one["piece"]) for one in review["icings"]] == expected
    assert sum(one["freed_by"] is None for one in review["icings"]) == len(iced(positions[-1]))


def iced(position: Oracle) -> set[int]:
    return {number for number, status in position.statuses().items() if status.iced}


@each_game
def test_missed_calls_are_those_that_the_oracle_would_have_answered(number: int) -> None:
    """The oracle plays a call of each seat whenever anything may have changed, and just before that."""
    positions, review = led_and_reviewed(number)
    chances = review["chances"]
    callers: list[set[int]] = [set() for _ in chances]
    for position, after in pairwise(positions):
        for at in times(position, after.clock):
            found = answers(position, at)
            going = [number for number, one in enumerate(chances) if one["start"] <= at < one["end"]]
            assert sorted(chances[number]["seat"] for number in going) == sorted(found), at
            for number in going:
                callers[number] |= found[chances[number]["seat"]]
    assert [one["callers"] for one in chances] == [sorted(seen) for seen in callers]


def times(position: Oracle, until: int) -> set[int]:
    """The times before the next act at which it may matter when a call is made."""
    ends = [position.grace_until, *position.pause_until.values()]
    ends += [debt.since + position.gift_time for debt in position.debts.values()]
    edges = [position.clock, until, *(end + 1 for end in ends if end is not None)]
    return {at for edge in edges for at in (edge - 1, edge) if position.clock <= at < until}


def answers(position: Oracle, at: int) -> dict[int, set[int]]:
    """The seats that calls at a time would find, with those that could call and would not be found themselves."""
    found: dict[int, set[int]] = {}
    for caller in range(position.players):
        if position.fault("icehouse", caller, at) is None:
            victims = position.apply("icehouse", caller, at).in_icehouse - position.in_icehouse
            for victim in victims if caller not in victims else ():
                found.setdefault(victim, set()).add(caller)
    return found


@each_game
def test_dangers_are_those_of_the_oracle(number: int) -> None:
    positions, review = led_and_reviewed(number)
    dangers = review["dangers"]
    armed: list[set[int]] = [set() for _ in dangers]
    for position, after in pairwise(positions):
        for at in times(position, after.clock):
            found = endangered(position.settled(at))
            going = {
                (one["piece"], one["last"]): number
                for number, one in enumerate(dangers)
                if one["start"] <= at < one["end"]
            }
            assert going.keys() == found.keys(), at
            for key, number_of_danger in going.items():
                armed[number_of_danger] |= found[key]
    assert [one["by"] for one in dangers] == [sorted(seats) for seats in armed]


def endangered(position: Oracle) -> dict[tuple[str, bool], set[int]]:
    """The defenders in danger, and whether a call would find their players without them, with who may ice them."""
    found = {}
    for piece in position.field:
        status = position.statuses()[piece.id]
        if not position.is_free_stander(piece) or piece.colour in position.in_icehouse:
            continue
        others = [one for one in position.field if one.colour == piece.colour and one.id != piece.id]
        left = position.pads[piece.colour].total() + (position.hands[piece.colour] is not None)
        is_last = left < 8 and not any(map(position.is_free_stander, others))
        force = sum(one.value for one in position.field if one.id in status.attackers)
        seats = armed_against(position, piece.colour, piece.value + 1 - force)
        if seats and (is_last or status.attackers):
            found[f"p{piece.id}", is_last] = seats
    return found


def armed_against(position: Oracle, victim: int, worth: int) -> set[int]:
    """The other seats that have a piece left, of so much worth at least, that may attack a colour."""
    may_attack = {one for one in range(position.players) if position.meltdown == "call" or position.defenders(one) > 1}
    found = set()
    for seat in range(position.players):
        held = position.hands[seat]
        kinds = [*+position.pads[seat], *([held] if held else [])]
        strong = [colour for size, colour in kinds if VALUES[size] >= worth]
        if seat != victim and may_attack & set(strong) - {victim}:
            found.add(seat)
    return found
