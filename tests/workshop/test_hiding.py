"""Hidden pieces are not seen by those they are hidden from: in views, acts, effects, records or by bots."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import icetable
from icetable.core.turns import TurnState, determinized
from icetable.workshop import DesignError, Table
from icetable.workshop.checking import check
from icetable.workshop.files import info_of
from icetable.workshop.playing import ENTRY
from tests.workshop.designs import Hands, Open, Peeking

DEAL = ("draw:6", "draw:1", "draw:5", "draw:2", "draw:4", "draw:3")
"""Seat 0 has 6, 5 and 4, seat 1 has 1, 2 and 3."""


@pytest.fixture
def dealt() -> TurnState:
    state = icetable.load(Hands).start()
    for act in DEAL:
        state = state.apply(act)
    assert isinstance(state, TurnState)
    return state


def cards(state: TurnState, viewer: int | None) -> list[str]:
    """The view of both hands."""
    return [
        " ".join(text.removeprefix("grey").removeprefix("white") for text, count in pad.items() for _ in range(count))
        for pad in state.view(viewer)["pads"]
    ]


def test_each_sees_the_own_hand(dealt: TurnState) -> None:
    assert cards(dealt, 0) == ["6 5 4", "hidden hidden hidden"]
    assert cards(dealt, 1) == ["hidden hidden hidden", "1 2 3"]
    assert cards(dealt, None) == ["hidden hidden hidden"] * 2
    assert "deck" not in json.dumps(dealt.view(0))


def test_a_sealed_act_is_shown_as_the_game_says(dealt: TurnState) -> None:
    assert dealt.game.shown_act(dealt) == "draws a card"
    assert dealt.effects == ()
    assert not dealt.game.shows_history(dealt)
    assert not dealt.game.views_are_equal
    after = dealt.apply("play:6")
    assert dealt.game.shown_act(after) == "play:6"


def test_effects_name_only_what_is_seen(dealt: TurnState) -> None:
    """A card that comes to lie on top may be named although a hidden hand had it; nothing else of a hand."""
    after = dealt.apply("play:6")
    assert [str(effect) for effect in after.effects] == ["spends 0:greyhidden", "puts a1 white6", "scores 0:+6"]
    assert after.view(1)["stacks"]["a1"] == ["greyhidden", "white6"]


def test_all_is_shown_when_the_game_is_over(dealt: TurnState) -> None:
    state = dealt
    for act in ("play:6", "play:1", "play:5", "play:2", "play:4", "play:3"):
        state = state.apply(act)
    assert state.is_terminal
    assert state.view(None)["stacks"]["a1"] == ["greystone0", "white6", "white5", "white4"]


def test_bots_take_what_they_do_not_see_to_lie_in_any_order() -> None:
    """Seat 0 is to act, having drawn two; two of the other four cards are in the deck."""
    state = icetable.load(Hands).start()
    for act in DEAL:
        state = state.apply(act)
    assert isinstance(state, TurnState)
    seen = set()
    for seed in range(40):
        other = determinized(state, None, seed)
        assert other.view(0) == state.view(0)
        assert other.legal_actions() == state.legal_actions()
        pads = other.position[ENTRY].table.pad
        assert {card.name for card in pads[0]} == {"6", "5", "4"}
        seen.add(tuple(card.name for card in pads[1]))
    assert len(seen) == 6, "every order of the three cards that seat 0 does not see"


@pytest.mark.usefixtures("few_games")
def test_the_checker_finds_leaks() -> None:
    assert check(info_of(Hands)).findings == []
    assert any("a view tells sealed acts apart" in str(one) for one in check(info_of(Open)).findings)
    assert any("acts depends on what" in str(one) for one in check(info_of(Peeking)).findings)


def test_hides_names_what_there_is() -> None:
    class Elsewhere(Hands):
        """Hides a space that is not there."""

        def hides(self, table: Table, seat: int | None) -> Iterator[object]:
            yield "z9"

    with pytest.raises(DesignError, match=r"hides .*has failed: hides returns spaces and seats, not 'z9'"):
        icetable.load(Elsewhere).start().view(0)
