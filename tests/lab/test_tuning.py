"""Races between variants: who drops out, who is left, and what can be wanted."""

from __future__ import annotations

from dataclasses import replace

import pytest

import icetable
from icetable import GameError
from icetable.lab.scheduler import Assessment, estimate_of
from icetable.lab.tuning import MAX_BLOCKS_PER_VARIANT, race_in_words, tune, wants_of
from tests.lab import known

PLANTED = {"lean": 50, "long": 6}
LEANS, LENGTHS = [5, 20, 50, 80, 90, 95], [3, 6, 9, 12]
WANT = "turns 5..8, seats within 0.08"


def race(seed: int) -> tuple[list[dict[str, int]], int]:
    """The variants that are not out, of 24, and the blocks that were played."""
    found = tune(known.Slide, {"lean": LEANS, "long": LENGTHS}, WANT, seat="random", seed=seed)
    return [dict(one.options) for one in found if one.is_right is not False], sum(one.blocks for one in found)


def test_the_planted_one_of_24_variants_is_found_at_a_tenth_of_the_cost() -> None:
    left, blocks = race(1)
    assert left == [PLANTED]
    assert blocks <= len(LEANS) * len(LENGTHS) * MAX_BLOCKS_PER_VARIANT / 10


def test_variants_that_surely_meet_the_goal_are_right() -> None:
    found = tune(known.Slide, {"long": [4, 5, 6]}, "turns 3..5, draws 0..0.2", seat="random")
    assert [(one.options["long"], one.is_right) for one in found] == [(4, True), (5, True), (6, False)]
    right, _, wrong = race_in_words(found, "…")
    assert right.startswith("long=4: yes, under 3 turns 0% (0 to ")
    assert wrong.startswith("long=6: no, ")


def test_the_race_is_over_when_one_is_left() -> None:
    """Whether it is surely right is known then or not."""
    found = tune(known.Slide, {"long": [4, 6]}, "turns 3..5, seats within 0.1", seat="random")
    assert [(one.options["long"], one.is_right) for one in found[1:]] == [(6, False)]
    assert found[0].blocks < MAX_BLOCKS_PER_VARIANT
    alone = replace(
        found[0], known={text: Assessment(one.claim, estimate_of([])) for text, one in found[0].known.items()}
    )
    assert race_in_words([alone, found[1]], "…")[0].startswith("long=4: the only one left, ")


def test_where_none_is_right_the_nearest_is_named() -> None:
    found = tune(known.Slide, {"long": [4]}, "turns 30..50", seat="random")
    assert found[0].is_right is False
    assert race_in_words(found, "…")[0].startswith("None of 1 variants meets the goal (…); the closest is long=4")


@pytest.mark.parametrize("want", ["", "turns", "seats within", "turns 9..3", "luck 0..1", "turns 3..5; draws 0..1"])
def test_a_bad_goal_is_refused(want: str) -> None:
    with pytest.raises(GameError, match="is no goal; allowed: seats within"):
        wants_of(want, icetable.load(known.Slide))


def test_options_are_checked_before_anything_is_played() -> None:
    with pytest.raises(GameError, match="lean"):
        tune(known.Slide, {"lean": [50, 101]}, WANT)
