"""A secret choice depends on nothing but what its seat knows, and nobody can take advantage of it."""

from __future__ import annotations

import collections
import math
import random
from statistics import mean
from typing import Any

import pytest

import icetable
from icetable import lab
from icetable.bots.plain import MomentNode, PlainSearch
from icetable.bots.players import player_named
from icetable.bots.search import best_style, search
from icetable.bots.trees import Candidate, by_preference
from icetable.core.game import Action
from icetable.core.turns import TurnState, determinized
from icetable.extras.strength import Effort
from icetable.lab.usage import before_choices
from icetable.workshop import Game
from icetable.workshop.playing import ENTRY, PlainGame
from tests.workshop.designs import Hands
from tests.workshop.secrets import Bids, Judged, Numbers, Penalty, Secret, Tricks

GAMES = 40
FAR = 4 * 0.5 / math.sqrt(GAMES)
"""Four standard errors of the share of even games."""


def start(design: type[Game], **options: Any) -> TurnState:
    state = icetable.load(design, None, **options).start()
    assert isinstance(state, TurnState)
    return state


def odds(design: type[Game], seat: int, simulations: int, seed: int) -> dict[str, float]:
    """The choices of a search at the start of a game, with their probabilities."""
    state = start(design)
    if seat == 1:
        state = state.apply(state.legal_actions()[0])
    assert isinstance(state.game, PlainGame)
    found = PlainSearch(state.game, state, best_style(state.game), seed, math.inf)
    found.run(simulations)
    assert isinstance(found.root, MomentNode)
    own = found.root.asked(state.game.choices(found.game.before_choices(state.array)), random.Random(1))[seat]
    return {state.game.notations[code].split(":")[1]: one for code, one in zip(own.codes, own.odds(), strict=True)}


def chosen(state: TurnState, name: str, seeds: int) -> collections.Counter[str]:
    player = player_named(state.game, name)
    assert player is not None
    return collections.Counter(str(player.choose(state, seed)).split(":")[1] for seed in range(seeds))


@pytest.mark.parametrize("name", ["beginner", "casual", "best:30", "pure:30", "tries:30"])
def test_the_secret_choice_of_another_changes_nothing(name: str) -> None:
    """Not even for a seat that chooses later."""
    asked = start(Secret, rounds=2)
    after = [chosen(asked.apply(act), name, 10) for act in asked.legal_actions()]
    assert after[0] == after[1] == after[2]


def test_a_probe_of_the_lab_knows_no_more_than_the_seat() -> None:
    asked = start(Secret)
    seen = [before_choices(asked.apply(act)) for act in asked.legal_actions()]
    assert seen == [seen[0]] * 3
    assert seen[0].actor == 1
    assert before_choices(asked) == asked


def test_both_are_asked_the_same() -> None:
    """The search of either seat is of the moment before anybody has chosen: only its side of it is another."""
    first = start(Bids)
    for simulations in (1, 20):
        one, other = (search(state, simulations=simulations, seed=3) for state in (first, first.apply("choose:2")))
        assert {candidate.action for candidate in one} == {candidate.action for candidate in other}
        assert sum(candidate.visits for candidate in one) == sum(candidate.visits for candidate in other)


@pytest.mark.parametrize(
    ("design", "name"),
    [
        (Secret, "beginner"),
        (Secret, "casual"),
        (Secret, "best:12"),
        (Secret, "pure:12"),
        (Secret, "tries:6"),
        (Bids, "best:30"),
        (Bids, "tries:6"),
        (Judged, "greedy"),
        (Judged, "casual"),
    ],
)
def test_equal_players_come_out_even(design: type[Game], name: str) -> None:
    game = icetable.load(design)
    played = lab.run(lab.Plan(game, seats=[name], blocks=GAMES // 2, seed=1))
    assert played.measure("seat_share")["seat 1"].value == pytest.approx(0.5, abs=FAR)


@pytest.mark.parametrize("name", ["casual", "best:40", "pure:40", "tries:20"])
def test_rock_paper_scissors_is_mixed(name: str) -> None:
    for state in (start(Secret), start(Secret).apply("choose:rock")):
        found = chosen(state, name, GAMES)
        assert len(found) == 3
        assert max(found.values()) < GAMES * 0.6
        assert found == chosen(state, name, GAMES)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_choice_that_a_pure_one_would_lose_by_is_mixed_as_it_should_be(seat: int) -> None:
    assert mean(odds(Penalty, seat, 500, seed)["left"] for seed in range(1, 11)) == pytest.approx(1 / 3, abs=0.1)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_dominant_choice_is_found(seat: int) -> None:
    assert all(odds(Numbers, seat, 40, seed)["5"] == 1 for seed in range(1, 11))


def test_a_choice_that_is_better_on_the_whole_is_found() -> None:
    """Over three rounds, of which the first decides little."""
    asked = start(Numbers, rounds=3)
    found = chosen(asked, "best:200", 20) + chosen(asked.apply("choose:1"), "best:200", 20)
    assert found["5"] >= 32
    assert found["1"] + found["2"] <= 2


def test_a_level_keeps_to_the_order_of_mixed_choices() -> None:
    """Which is drawn already: choices with more visits come no sooner."""
    rare, usual = (
        Candidate(Action(act), visits, 0.5, False, (0.5, 0.5), (), mixed=True)
        for act, visits in (("choose:rock", 1), ("choose:paper", 9))
    )
    for seed in range(5):
        assert next(by_preference([rare, usual], Effort(visit_ratio=0.9), random.Random(seed))) is rare


def test_choices_from_a_hidden_hand() -> None:
    """In a world that a bot draws, the other chooses from the hand that it has there, and so do searches."""
    state = start(Tricks)
    for act in ("draw:6", "draw:1", "draw:2", "draw:4"):
        state = state.apply(act)
    hands = set()
    for seed in range(20):
        table = determinized(state.apply("choose:6"), None, seed).array[ENTRY].table
        hand = tuple(card.name for card in table.pad[0])
        assert table._asked == {0: hand, 1: ("1", "4")}
        assert table._chosen[0] in hand
        hands.add(hand)
    assert len(hands) > 6
    for name in ("beginner", "best:20"):
        assert set(chosen(state, name, 5)) <= {"6", "2"}


def test_worlds_that_cannot_be_are_drawn_again() -> None:
    """A stone under a card can't be in a hand."""
    state = start(Hands)
    for act in ("draw:6", "draw:1", "draw:5", "draw:2", "draw:4", "draw:3", "play:6", "play:1"):
        state = state.apply(act)
    assert sum(candidate.visits for candidate in search(state, simulations=20, seed=1)) == 20
