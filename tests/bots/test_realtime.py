"""Players in real time: under the limits of people, by what they see alone, each level better than the one below."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import bots
from icetable.bots.levels import REAL_TIME_LEVELS, RealTimeLevel
from icetable.bots.realtime import GRAB_SECONDS, MAX_DEVIATION, NEVER, Intention, RealTimeBot, play
from icetable.core.game import State
from icetable.core.realtime import RealTimeGame
from icetable.games.icehouse.game import Icehouse, IcehouseState
from icetable.lab.matches import matches
from tests.games.icehouse.greedy import greedy

MILLISECOND = 0.001
SHORT = 200
"""In seconds: a game with a bell so early is half the work, and shows who is better sooner."""


def load(players: int = 4, **options: Any) -> Icehouse:
    game = icetable.load("icehouse", players=players, **options)
    assert isinstance(game, Icehouse)
    return game


def bots_of(game: Icehouse, level: str, seed: int = 0) -> list[RealTimeBot]:
    return [RealTimeBot(game, level, seed + seat) for seat in range(game.players)]


def acts_of(state: State, seat: int) -> list[tuple[float, str]]:
    """The acts of a seat, each with its time in seconds."""
    return [((one.at or 0) / 1000, one.act) for one in state.history() if one.seat == seat and one.act is not None]


def test_levels_are_for_games_of_their_kind() -> None:
    assert bots.levels("icehouse") == REAL_TIME_LEVELS
    with pytest.raises(icetable.GameError, match="IceFrogs is played in turns"):
        RealTimeBot(icetable.load("icefrogs"), "beginner")
    with pytest.raises(icetable.BadOption, match="'master'; allowed: beginner, casual, skilled, expert, merciless"):
        RealTimeBot(load(), "master")


@pytest.mark.parametrize("level", REAL_TIME_LEVELS, ids=lambda level: level.name)
def test_an_act_that_the_game_waits_for_is_never_overlooked(level: RealTimeLevel) -> None:
    game = load()
    ready = game.start()
    for seat in range(game.players):
        ready = ready.apply("ready", seat, 1)
    owing = ready.apply("lift S", 0, 2).apply("place 6000,6000 stand 0.0", 0, 3)
    owing = owing.apply("lift S", 1, 4).apply("place 6100,6000 stand 0.0", 1, 5)
    assert owing.view(1)["owed"]
    for state, now in ((game.start(), 0.0), (owing, 5.0)):
        for seed in range(50):
            player = RealTimeBot(game, level.name, seed)
            act, at = player.next(state.view(1), now)
            assert act is not None
            assert player.next(state.view(1), at) == (act, at), "what others do meanwhile delays it"
            assert act.split()[0] in ("ready", "give")
            assert now < at <= now + level.reaction * (1 + MAX_DEVIATION) < now + 3


@pytest.mark.parametrize("players", [2, 8])
@pytest.mark.parametrize("level", [level.name for level in REAL_TIME_LEVELS])
def test_every_level_plays_to_the_end(level: str, players: int) -> None:
    game = load(players)
    state = play(game, bots_of(game, level), 480.0 if players == 2 else 100.0)
    assert state.is_terminal
    assert sum(state.scores) > 0


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "friendly"},
        {"preset": "tournament"},
        {"length": "height", "range": "ray"},
        {"timer": 0},
        {"width": 5, "height": 4},
        {"timer_spread": 1},
        {"tolerance": 0, "gift_time": 0, "call_grace": 0},
    ],
    ids=str,
)
def test_every_option_is_played_with(options: dict[str, Any]) -> None:
    game = load(**{"timer": 80, **options})
    for level in ("beginner", "merciless"):
        bell = game.options["timer"] or None
        state = play(game, bots_of(game, level), bell)
        assert state.is_terminal or bell is None
        assert len(acts_of(state, 0)) > 1


def test_the_same_seed_plays_the_same_game() -> None:
    game = load(3)
    records = {play(game, bots_of(game, "skilled", seed), SHORT).record() for seed in (1, 1, 2)}
    assert len(records) == 2


class Blindfold:
    """Passes on what was written down of a view, and nothing else."""

    def __init__(self, player: RealTimeBot) -> None:
        self.player = player
        self.refused = player.refused

    def next(self, view: Mapping[str, Any], now: float) -> Intention:
        return self.player.next(json.loads(json.dumps(view)), now)


def test_nothing_but_views_goes_in() -> None:
    game = load(3)
    open_eyed = play(game, bots_of(game, "expert"), SHORT)
    blindfolded = play(game, [Blindfold(bot) for bot in bots_of(game, "expert")], SHORT)
    assert open_eyed.record() == blindfolded.record()


def test_the_moment_of_the_bell_changes_nothing_before_it() -> None:
    game = load(3)
    early, late = (play(game, bots_of(game, "merciless"), bell) for bell in (SHORT, 2 * SHORT))
    before = early.parent
    assert before is not None
    shown = [(one.seat, one.act, one.at) for one in before.history()]
    assert shown == [(one.seat, one.act, one.at) for one in late.history()][: len(shown)]


@pytest.mark.parametrize("number", range(len(REAL_TIME_LEVELS)), ids=lambda number: REAL_TIME_LEVELS[number].name)
def test_hands_are_as_slow_as_they_should_be(number: int) -> None:
    level, least = REAL_TIME_LEVELS[number], 1 - MAX_DEVIATION
    own = slice(0, None, 2) if number else slice(1, None, 2)
    for state, seat in [(state, seat) for state, seats in neighbours(max(number, 1)) for seat in seats[own]]:
        acts = acts_of(state, seat)
        lifts = [at for at, act in acts if act.startswith("lift")]
        assert len(lifts) > 5
        assert all(
            later - one >= least * level.pace - MILLISECOND or any(one < at <= later for at in emptied(state, seat))
            for one, later in pairwise(lifts)
        )
        for (one, first), (later, second) in pairwise(acts):
            if first.startswith("lift") and second.startswith("place"):
                assert later - one >= least * level.carry - MILLISECOND
            if first.startswith("capture") and second.startswith(("place", "lift")):
                assert later - one >= GRAB_SECONDS - MILLISECOND


def emptied(state: State, seat: int) -> list[float]:
    """When calls emptied a seat's hand."""
    colour = state.game.info.colours[seat]
    return [
        (one.at or 0) / 1000
        for one in state.history()
        if one.act == "icehouse" and any(effect.kind == "returns" and colour in effect.spaces for effect in one.effects)
    ]


def test_nothing_is_answered_before_it_can_be_seen() -> None:
    """Calls and captures come a reaction after the act that made them possible, at the earliest."""
    answers = 0
    for number, (state, seats) in enumerate(best_among_beginners()):
        states = list(state.history())
        for index, answer in enumerate(states):
            seized = (answer.act or "").startswith(("icehouse", "capture", "meltdown"))
            if seized and answer.seat in (seats[0], seats[2]):
                assert answer.act is not None
                assert answer.seat is not None
                since = index - 1
                while (
                    since
                    and answer.act in states[since - 1].legal_actions(answer.seat)
                    and effective(states[since - 1], answer)
                ):
                    since -= 1
                answers += 1
                waited = (answer.at or 0) - (states[since].at or 0)
                assert waited >= 1000 * REAL_TIME_LEVELS[-1].reaction * (1 - MAX_DEVIATION) - 1, (number, answer.act)
    assert answers >= 3


@functools.cache
def best_among_beginners() -> list[tuple[State, list[int]]]:
    """Games of two of the best, who sit first and third, with two beginners."""
    game = load(timer=SHORT)
    makers = [by_level(game, level) for level in ("merciless", "beginner", "merciless", "beginner")]
    return list(matches(game, makers, 3, seed=9))


def effective(state: State, answer: State) -> bool:
    """Whether a call would have found somebody already."""
    assert answer.act is not None
    assert answer.at is not None
    then = state.apply(answer.act, answer.seat, answer.at / 1000)
    return answer.act != "icehouse" or any(effect.kind == "finds" for effect in then.effects)


@functools.cache
def neighbours(better: int) -> list[tuple[State, list[int]]]:
    """Games of two players of a level, who sit first and third, with two of the level below."""
    game = load(timer=SHORT)
    above, below = (by_level(game, REAL_TIME_LEVELS[number].name) for number in (better, better - 1))
    return list(matches(game, [above, below, above, below], 4, seed=3))


def by_level(game: Icehouse, level: str) -> Any:
    return lambda seed: RealTimeBot(game, level, seed)


def test_a_refusal_is_tried_again_and_given_up() -> None:
    game = load(2)
    player, state = RealTimeBot(game, "merciless", 5), game.start()
    for seat in (1, 0):
        state = state.apply("ready", seat, 0)
    now, placements = 0.0, set()
    for _ in range(40):
        act, at = player.next(state.view(0), now)
        assert now <= at < NEVER
        now = at
        if act is not None and act.startswith("place"):
            placements.add(act)
            player.refused()
        elif act is not None:
            state = state.apply(act, 0, now)
    assert len(placements) > 1


def test_a_place_taken_by_another_is_not_wanted_any_more() -> None:
    game = load(2)
    player, state = RealTimeBot(game, "merciless", 5), game.start()
    for seat in (1, 0):
        state = state.apply("ready", seat, 0)
    now, act = 0.0, None
    while act is None or not act.startswith("place"):
        if act is not None:
            state = state.apply(act, 0, now)
        act, now = player.next(state.view(0), now)
    taken = state.apply("lift S", 1, now - 0.2).apply(act, 1, now - 0.1)
    second = player.next(taken.view(0), now - 0.1)
    assert second.act != act
    while second.act is None or not second.act.startswith("place"):
        second = player.next(taken.view(0), second.at)
    assert taken.fault(second.act, 0, second.at) is None


def test_a_slowed_bot_is_never_far_ahead_of_a_player_who_places_nothing() -> None:
    game, placed = load(2), []
    for slowdown in (1.0, 3.0):
        player, state = RealTimeBot(game, replace(REAL_TIME_LEVELS[0], slowdown=slowdown), 3), game.start()
        for seat in (1, 0):
            state = state.apply("ready", seat, 0)
        now = 0.0
        while now < 60:
            act, now = player.next(state.view(0), now)
            if act is not None and state.fault(act, 0, now) is None:
                state = state.apply(act, 0, now)
            elif act is not None:
                player.refused()
        placed.append(sum(act.startswith("place") for _, act in acts_of(state, 0)))
    assert placed[1] < placed[0] / 1.5


def test_when_it_is_over_nobody_wants_anything() -> None:
    game = load(2)
    state = play(game, bots_of(game, "beginner"), 100.0)
    assert RealTimeBot(game, "beginner").next(state.view(0), 101.0) == Intention(None, NEVER)


# Strength


def mean_scores(played: Iterable[tuple[State, list[int]]]) -> list[float]:
    """Of the players, in their order."""
    means: list[float] = np.mean([[state.scores[seat] for seat in seats] for state, seats in played], axis=0).tolist()
    return means


def test_the_best_beats_those_without_a_plan() -> None:
    game = load(timer=SHORT)
    unplanned = [lambda seed: greedy(game, "merciless", seed)] * 3
    best, *others = mean_scores(matches(game, [by_level(game, "merciless"), *unplanned], 4, seed=3))
    assert best >= sum(others) / 3 + 8


@pytest.mark.parametrize("better", range(1, len(REAL_TIME_LEVELS)))
def test_a_level_beats_the_one_below(better: int) -> None:
    scores = mean_scores(neighbours(better))
    assert scores[0] + scores[2] > scores[1] + scores[3]


def test_the_best_never_calls_in_vain_nor_crashes() -> None:
    called = 0
    for state, seats in best_among_beginners():
        for one in state.history():
            if one.seat in (seats[0], seats[2]):
                kinds = {effect.kind for effect in one.effects}
                assert not kinds & {"false_call", "void", "crashes"}
                called += "finds" in kinds
    assert called > 3


def test_a_game_of_the_right_kind_is_real_time() -> None:
    assert isinstance(load(), RealTimeGame)
    assert isinstance(load().start(), IcehouseState)
