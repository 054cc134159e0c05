"""Refusals: code, rule, words and place."""

from __future__ import annotations

import random
from collections import Counter
from typing import cast

import pytest

import icetable
from icetable import Fault, State
from icetable.games.icefrogs.game import IceFrogs
from icetable.workshop.compiled import CompiledGame

from .drawings import drawn, start, state_with

DRAWING = """
              .
            .   1S
  .   .   .   .   .   .   .
    .   .   .   .   .   .
      .   .  0L  0M1S 1S
   0S  .   .   1S  .   .
  .   .   .   .   .   .   .
            .   .
              .
"""


@pytest.fixture
def state() -> State:
    """Seat 0 has a large pyramid on e3, a buried one on e4 and a small one on d1."""
    return drawn(DRAWING).state


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("pass", Fault("needless-pass", "You may pass only when you have no legal move.", "IF-17")),
        ("L@z9", Fault("no-such-space", "The board has no space 'z9'.", "IF-2", ("z9",))),
        ("z8-z9", Fault("no-such-space", "The board has no space 'z8'.", "IF-2", ("z8",))),
        ("e3-e6", Fault("no-such-space", "The board has no space 'e6'.", "IF-2", ("e6",))),
        ("c1-c2", Fault("no-own-pyramid", "Pick one of your own pyramids first: none stands on c1.", "IF-6", ("c1",))),
        ("d4-d5", Fault("no-own-pyramid", "Pick one of your own pyramids first: none stands on d4.", "IF-6", ("d4",))),
        (
            "e4-e5",
            Fault(
                "buried",
                "Your pyramid on e4 is covered until the one on it moves. Choose a marked one.",
                "IF-7",
                ("e4",),
            ),
        ),
        ("e3-e3", Fault("no-change", "A move may not end on e3, where it began.", "IF-14", ("e3",))),
        (
            "e3-a1",
            Fault(
                "own-start", "A move may not end on a1, your own start space: choose a marked space.", "IF-13", ("a1",)
            ),
        ),
        (
            "M@a1",
            Fault("own-start", "It starts at a1 and must move on: choose a marked space.", "IF-13", ("a1",)),
        ),
        (
            "e3-d4",
            Fault(
                "covers-smaller",
                "A large pyramid can't cover the small one on d4, only large ones.",
                "IF-8",
                ("d4",),
            ),
        ),
        (
            "e3-e1",
            Fault(
                "nothing-to-jump",
                "There is nothing on e2 to jump over. Go to a space beside e3 instead.",
                "IF-9",
                ("e2",),
            ),
        ),
        (
            "L@i1",
            Fault(
                "out-of-reach",
                "i1 is too far from a1: step once, or jump over pyramids that are no larger.",
                "IF-9",
                ("a1", "i1"),
            ),
        ),
        (
            "e3-c4",
            Fault(
                "out-of-reach",
                "After a jump only a step onto another pyramid may follow, and c4 is empty. Choose a marked space.",
                "IF-9",
                ("e3", "c4"),
            ),
        ),
        (
            "e3-e5",
            Fault(
                "covers-smaller",
                "A large pyramid can't land on the small one on e5, only on large ones.",
                "IF-9",
                ("e5",),
            ),
        ),
    ],
)
def test_fault(state: State, text: str, fault: Fault) -> None:
    assert state.fault(text) == fault
    assert state.fault(text, 0) == fault


def test_a_jump_over_a_larger_one() -> None:
    state = state_with(start().game, 0, {"c3": "0S", "c4": "1L"})
    message = "A small pyramid can't jump over the large one on c4, only over small ones."
    assert state.fault("c3-c5") == Fault("jumps-larger", message, "IF-9", ("c4",))


HOW = "Jump over equal or smaller ones, again and again."


def test_the_next_step_tells_what_is_covered(state: State) -> None:
    """IF-7."""
    choices = "Choose a marked pyramid or take one from your supply, then choose a marked space."
    assert state.view(0)["prompt"] == f"{choices} {HOW} Yours on e4 can't move while it is covered."
    both = state_with(state.game, 6, {"e3": "0L1M", "e4": "0M1S"})
    told = "Take a pyramid from your supply, then choose a marked space. 2 of yours can't move while they are covered."
    assert both.view(0)["prompt"] == told


def test_the_next_step_warns_of_a_move_that_wins() -> None:
    """IF-16."""
    game = start().game
    for pieces, how in (
        ({"b1": "1S"}, "b1–a1"),
        ({"b1": "0S", "c2": "1M"}, ""),  # not in line
        ({"b1": "0S", "c3": "1M"}, "c3–a1"),
        ({"b1": "0L", "c3": "1M"}, ""),
        ({"b1": "0S", "c4": "0S", "c5": "1M"}, "c5–a1"),
        ({"b1": "0S", "c4": "0L", "c5": "1M"}, ""),
        ({"b1": "1S", "b2": "0S", "c5": "1M"}, "b1–a1 or c5–a1"),
        (dict.fromkeys(("b2", "d5", "f5", "h2"), "0S"), "a pyramid from the supply"),
    ):
        prompt = state_with(game, 6, {"d6": "0L", **pieces}).view(0)["prompt"]
        told = f"Careful: <who 1> could win with one move, {how}."
        assert prompt.endswith(told) if how else "Careful" not in prompt, pieces


@pytest.mark.parametrize("players", [2, 3, 6])
def test_who_could_win_is_who_has_a_move_that_does(players: int) -> None:
    """IF-16."""
    game = cast("CompiledGame", icetable.load("icefrogs", players=players))
    rules, found = cast("IceFrogs", game.design), Counter[bool]()
    for seed in range(4):
        state = game.start()
        rng = random.Random(seed)
        while not state.is_terminal:
            table = game.table_of(state.array)
            for seat in range(players):
                turn = table.copy()
                turn.seat = seat
                homes = {*rules.homes} - {rules.homes[seat]}
                wins = [act for act in rules.acts(turn) if act.replace("@", "-").split("-")[-1] in homes]
                assert sorted(rules.winning_acts(table, seat)) == sorted(wins)
                found[bool(wins)] += 1
            state = state.apply(rng.choice(state.legal_actions(state.actor)), state.actor)
    assert min(found[True], found[False]) > 20


def test_none_in_supply() -> None:
    state = state_with(start().game, 0, {"e3": "0L" * 5 + "0M" * 5 + "0S" * 5})
    for size, word in (("S", "small"), ("M", "medium"), ("L", "large")):
        fault = Fault("none-in-supply", f"You have no {word} pyramid left in your supply.", "IF-6")
        assert state.fault(f"{size}@b1") == fault


def test_not_your_turn(state: State) -> None:
    """IF-5."""
    assert state.fault("h2-h1", 1) == Fault("not-your-turn", "It is not seat 1's turn but seat 0's.", "IF-5")
    assert state.apply("e3-e2").fault("d1-d2", 0) == Fault(
        "not-your-turn", "It is not seat 0's turn but seat 1's.", "IF-5"
    )


def test_game_over() -> None:
    """The rule that ended the game."""
    game = start().game
    won, stuck, late = state_with(game, 1, {"i1": "0L"}), state_with(game, 2, {}, passes=2), state_with(game, 400, {})
    for state, rule in ((won, "IF-16"), (stuck, "IF-17"), (late, "IF-18")):
        for text in ("pass", "L@b1", "L@z9", "b1-b1"):
            assert state.fault(text) == Fault("game-over", "The game is over.", rule)
            assert state.fault(text, 1) == Fault("game-over", "The game is over.", rule)
