"""Several dice and cards in one act of chance, and what else a game may say of its acts, options and points."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import icetable
from icetable import CHANCE, BadNotation, BadOption, BadRecord, GameError
from icetable.core.turns import TurnState
from icetable.workshop.equipment import MultiDraw, drawn
from icetable.workshop.files import info_of
from tests.workshop.designs import Throws


def begin(**options: object) -> TurnState:
    state = icetable.load(Throws, None, **options).start()
    assert isinstance(state, TurnState)
    return state


def dealing(**options: object) -> TurnState:
    state = begin(**options)
    while "deal" not in str(state.game.random_act(state, np.random.default_rng(1))):
        state = state.apply(
            "keep" if state.to_act != {CHANCE} else str(state.game.random_act(state, np.random.default_rng(1)))
        )
    return state


def test_dice_that_fall_together_are_told_smallest_first() -> None:
    state = begin()
    assert state.to_act == {CHANCE}
    for seed in range(20):
        act = str(state.game.random_act(state, np.random.default_rng(seed)))
        assert drawn(act) == sorted(drawn(act))
        assert len(drawn(act)) == 5
    assert [state.fault(text) is None for text in ("roll:11356", "roll:31156", "roll:1135", "roll:11357", "keep")] == [
        *(True, False, False, False, False),
    ]
    state = state.apply("roll:11356")
    assert [str(effect) for effect in state.effects] == ["roll 11356", "turns a1 016"]
    assert state.legal_actions() == ["keep"]


def test_many_outcomes_are_not_listed_and_few_are() -> None:
    for listing in (begin().legal_actions, begin().chance_outcomes):
        with pytest.raises(GameError, match="chance has 7776 outcomes, too many to list"):
            listing()
    odds = {str(act): chance for act, chance in begin(board=2).chance_outcomes()}
    assert len(odds) == 21
    assert odds["roll:12"] == pytest.approx(1 / 18)
    assert odds["roll:66"] == pytest.approx(1 / 36)
    assert sum(odds.values()) == pytest.approx(1)
    assert dict(dealing().chance_outcomes()) == {
        "deal:1,1,20": pytest.approx(1 / 3),
        "deal:1,20,1": pytest.approx(1 / 3),
        "deal:20,1,1": pytest.approx(1 / 3),
    }


def test_cards_lie_in_any_order() -> None:
    state = dealing(cards=list(range(7)))
    firsts = Counter(drawn(str(state.game.random_act(state, np.random.default_rng(seed))))[0] for seed in range(1400))
    assert all(140 < firsts[str(card)] < 260 for card in range(7))
    assert state.fault("deal:6543210") is None
    assert state.fault("deal:6543211") is not None
    assert state.apply("deal:6543210").scores == (6, 5)


def test_dice_that_nobody_has_seen() -> None:
    several = MultiDraw("deal", tuple("123456"), 9, ordered=True)
    assert several.number == 6**9
    assert several.is_possible("deal:665544332")
    assert not several.is_possible("deal:66554433")
    assert not several.is_possible("deal:6,6,5,5,4,4,3,3,2")


def test_a_pending_act_of_chance_is_saved() -> None:
    state = begin()
    again = state.game.from_json(state.to_json())
    assert again == state
    assert again.apply("roll:11111").legal_actions() == ["keep"]
    for spoiled in ('["jump",', '[["roll"],', '["roll",[],5,false],"more":["roll",'):
        with pytest.raises(BadRecord):
            state.game.from_json(state.to_json().replace('["roll",', spoiled))


def test_acts_that_are_not_listed_may_be_allowed() -> None:
    state = begin().apply("roll:11356")
    assert state.fault("say:99") is None
    refused = state.fault("say:100")
    assert refused is not None
    assert refused.rule == "TH-2"
    swapped = state.apply("swap")
    assert [str(effect) for effect in swapped.effects] == ["moves a1 b1 016", "moves b1 a1 1S"]
    assert swapped.view()["stacks"]["b1"] == ["016"]
    assert icetable.games.info_of(Throws).load().replay(swapped.record()) == swapped


def test_a_text_that_is_no_act_is_bad_notation() -> None:
    for state in (begin(), begin().apply("roll:11356")):
        with pytest.raises(BadNotation):
            state.fault("jump")


def test_why_is_asked_where_chance_acts() -> None:
    refused = begin().fault("keep")
    assert refused is not None
    assert (refused.rule, refused.message) == ("TH-2", "No.")


def test_options_that_hang_on_players_lists_and_other_names() -> None:
    assert [(one.name, one.kind, one.default) for one in info_of(Throws).options] == [
        ("board", "int", None),
        ("cards", "list", "few"),
    ]
    assert [begin(players=players).game.options["board"] for players in (2, 3)] == [5, 3]
    assert begin(players=3, board=2).game.options["board"] == 2
    with pytest.raises(BadOption, match=r"^cards are 'few' or a list of at least 2 numbers$"):
        begin(cards=[1])
    with pytest.raises(BadOption, match="board can't be 4; allowed: 2 or 3 or 5"):
        begin(board=4)


def test_points_may_follow_from_the_table() -> None:
    assert begin().scores == (0, 0)
    end = dealing().apply("deal:1,20,1")
    assert (end.scores, sorted(end.winners)) == ((1, 20), [1])
