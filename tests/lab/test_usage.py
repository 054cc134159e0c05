"""Effects of acts, on marches whose steps are heard: every figure is known from the steps themselves."""

from __future__ import annotations

import math
from statistics import mean

import pytest

from icetable.core.game import CHANCE
from icetable.lab import Plan, run
from icetable.lab.measures import Games
from icetable.lab.plan import ACT_SEPARATOR, Row
from icetable.lab.usage import (
    RecordedEffects,
    board_use,
    effect_measures,
    effects_in,
    first_use,
    record_effects,
    share_of_users,
    spaces_of,
    usage,
    uses,
)
from tests.lab.here import Here
from tests.lab.toys import NOISES


def march(blocks: int = 40, loud: bool = True) -> Games:
    """Random marches of four steps, each of three kinds, by two in turn."""
    plan = Plan("march", 2, {"length": 4, "width": 3, "loud": loud}, blocks=blocks, seed=5, opening=0)
    return Games(plan, run(plan, executor=Here()).rows)


def steps(row: Row) -> list[str]:
    """The sounds of the steps of a march."""
    return [NOISES[int(act.removeprefix("do:"))] for act in row.log.split(ACT_SEPARATOR)]


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("kind", NOISES[1:])
def test_measures_of_each_sound(kind: str) -> None:
    games = march()
    noted, heard = record_effects(games), [steps(row) for row in games.rows]
    having = [one for one in heard if kind in one]
    assert 0 < len(having) < len(heard)
    assert usage(noted)[kind].value == pytest.approx(len(having) / len(heard))
    assert uses(noted)[kind].value == pytest.approx(mean(one.count(kind) for one in heard))
    assert first_use(noted)[kind].value == pytest.approx(mean((one.index(kind) + 1) / 4 for one in having))
    shares = []
    for row, one in zip(games.rows, heard, strict=True):
        seats = {number % 2 for number, step in enumerate(one) if step == kind}
        if len(seats) == 1:
            shares.append(row.shares[seats.pop()])
    assert shares
    assert share_of_users(noted)[kind].value == pytest.approx(mean(shares))


@pytest.mark.usefixtures("toys")
def test_an_effect_of_every_act_is_left_out_of_the_shares() -> None:
    """A noise is in every act: it is always there, from the first act on, and of all seats."""
    noted = record_effects(march())
    assert noted.kinds == ["jump", "noise", "stamp", "tap"]
    assert usage(noted)["noise"].value == 1
    assert uses(noted)["noise"].value == 4
    assert first_use(noted)["noise"].value == 0.25
    assert "noise" not in share_of_users(noted)
    assert effect_measures(march(blocks=2, loud=False)) == {}


def test_an_effect_that_never_occurs_is_reported() -> None:
    """The effects that a game declares are there even if no act of these games causes them."""
    plan = Plan("squad", 2, blocks=2, seed=1)
    noted = RecordedEffects(Games(plan, run(plan, executor=Here()).rows), [{}, {}], [{}, {}])
    assert set(noted.kinds) >= {"stunt", "fall", "formation"}
    assert all(one.value == 0 < one.high for one in usage(noted).values())
    assert first_use(noted) == share_of_users(noted) == {}
    assert uses(noted)["stunt"].value == 0
    assert {math.isnan(part.value) for part in board_use(noted).values()} == {True}


@pytest.mark.usefixtures("toys")
def test_first_uses_are_told_from_more_blocks() -> None:
    """Few games are short, and count most."""
    for blocks, method in ((99, "none"), (100, "skewed t")):
        moments = [{"noise": [((1 + number % 5) / 5, 0)]} for number in range(blocks)]
        noted = RecordedEffects(march(blocks), moments, [{}] * blocks)
        assert first_use(noted)["noise"].method == method
        assert uses(noted)["noise"].method == "equal"


def test_where_on_the_board() -> None:
    """Of four times that acts touch a space in the first game, and of two in the second; hands are no spaces."""
    plan = Plan("squad", 2, blocks=2, seed=1)
    touched = {"a1": 1, "b2": 3, "hand": 9}, {"b2": 2}
    found = board_use(RecordedEffects(Games(plan, run(plan, executor=Here()).rows), [{}, {}], touched))
    assert list(found) == [space["name"] for space in spaces_of(plan.game)]
    assert {name: part.value for name, part in found.items() if part.value} == {"a1": 0.125, "b2": 0.875}


@pytest.mark.parametrize(
    "plan", [Plan("squad", 2, blocks=2, seed=1), Plan("icehouse", 2, {"timer": 20}, ["beginner"], 1, 1)], ids=str
)
def test_real_games(plan: Plan) -> None:
    """Moments run by acts, or by the clock in a game without turns."""
    for row in run(plan, executor=Here()).rows:
        found, touched = effects_in(plan, row)
        assert found
        assert touched
        on_board = {space["name"] for space in spaces_of(plan.game)}
        assert not on_board or on_board & touched.keys()
        for kind, moments in found.items():
            parts, seats = zip(*moments, strict=True)
            assert list(parts) == sorted(parts), kind
            assert 0 <= parts[0] <= parts[-1] <= 1
            assert set(seats) <= {CHANCE, *range(plan.game.players)}
