"""Matches: who is stronger, and how soon that is sure."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from icetable import GameError
from icetable.lab import Plan, match
from icetable.lab import plan as plans
from icetable.lab.intervals import Estimate
from icetable.lab.runs import known_to
from tests.lab.here import Here

pytestmark = pytest.mark.usefixtures("toys", "few_resamples")


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a match is to stop is looked at after each batch."""
    monkeypatch.setattr(plans, "MAX_BLOCKS_PER_BATCH", 50)


def plan(*seats: str, blocks: int = 400, lots: int = 0) -> Plan:
    """Games of beans, or of as many lots of ten, which either seat wins alike."""
    return Plan("fate", seats=seats, options={"lots": lots, "first": lots // 2}, blocks=blocks, seed=3)


def test_the_stronger_player_gets_more_than_an_equal_share() -> None:
    found = match(plan("greedy", "random", blocks=50), executor=Here())
    assert found.plan.games == 100
    assert found.step.share.low > found.equal == 0.5
    assert found.step.elo.value > 0
    assert 0 < found.distinct.value <= 1
    assert found.is_enough
    assert found.sure is None
    told = found.described()
    assert (told["player"], told["against"], told["equal"]) == ("greedy", "random", 0.5)
    assert told["share"] == found.step.share.described()
    assert told["elo"]["value"] == found.step.elo.value


def test_a_match_stops_when_it_is_decided(tmp_path: Path) -> None:
    """At the same game in a folder or none, and going on; equal players are never told apart by so few games."""
    first, *others = (
        match(plan("greedy", "random"), decide=True, out=out, executor=Here()) for out in (None, tmp_path, tmp_path)
    )
    assert first.is_enough
    assert first.plan.blocks < 400
    assert first.sure is not None
    assert first.sure.low > 0.5
    assert [one.described() for one in others] == [first.described()] * 2
    equal = match(plan("greedy", "random", lots=10, blocks=100), decide=True, executor=Here())
    assert not equal.is_enough
    assert equal.plan.blocks == 100
    assert equal.sure is not None
    assert equal.sure.low < 0.5 < equal.sure.high


def test_a_match_stops_when_the_share_is_known() -> None:
    found = match(plan("greedy", "random", lots=10), until=0.02, executor=Here())
    assert found.is_enough
    assert found.sure is not None
    assert found.sure.high - found.sure.low <= 0.04
    assert 100 < found.plan.blocks < 400


def test_both_conditions() -> None:
    """Whichever is met first ends the match."""
    decided = match(plan("greedy", "random"), decide=True, executor=Here())
    both = match(plan("greedy", "random"), until=0.001, decide=True, executor=Here())
    assert both.described() == decided.described()


def test_lots_that_decide_all_are_the_draw() -> None:
    sources = match(plan("greedy", "random", lots=10, blocks=100), executor=Here()).sources
    assert sources.draw.value > 0.8
    assert sources.draw.value + sources.seat.value == pytest.approx(1)
    assert sum(part.value for part in sources) == pytest.approx(1)


def test_as_coins_would() -> None:
    """A player who wins three of four games does as well as a sure winner half of whose games a coin decides."""
    found = match(plan("greedy", "random", blocks=40), executor=Here())

    def coins(value: float, low: float, high: float) -> Estimate:
        step = dataclasses.replace(found.step, share=Estimate(value, low, high, "wilson", 40))
        told = dataclasses.replace(found, step=step)
        assert told.coins is not None
        assert told.described()["coins"] == told.coins.described()
        return told.coins

    for share, known in {
        (0.75, 0.7, 0.8): (0.5, 0.4, 0.6),
        (0.25, 0.2, 0.3): (0.5, 0.4, 0.6),
        (1.0, 0.9, 1.0): (0, 0, 0.2),
        (0.55, 0.45, 0.65): (0.9, 0.7, 1),
    }.items():
        one = coins(*share)
        assert (one.value, one.low, one.high) == pytest.approx(known)
    three = match(Plan("march", 3, seats=["greedy", "random", "random"], blocks=2), executor=Here())
    assert three.coins is None
    assert three.described()["coins"] is None


@pytest.mark.parametrize("precision", [0, 0.5, -1, "0.1", None])
def test_a_bad_precision_is_refused(precision: object) -> None:
    with pytest.raises(GameError, match=r"^until is half the width of an interval, above 0 and below 0\.5, not "):
        known_to(precision)


def test_a_match_needs_a_first_player_and_others_that_are_all_the_same() -> None:
    words = "^a match needs a first player and others that are all the same$"
    with pytest.raises(GameError, match=words):
        match(Plan("march", 3, seats=["random", "greedy", "random"]))
    with pytest.raises(GameError, match=words):
        match(Plan("march", 1))
    with pytest.raises(GameError, match=r"^random against itself would show nothing$"):
        match(plan("random", "random"))


def test_a_match_without_luck() -> None:
    """Whether lots decide or the beans, which the better player wins in either seat, is luck."""
    lots = plan("greedy", "greedy/without=do:1", blocks=60, lots=8)
    found = match(lots, executor=Here(), analyst=1)
    assert found.without_luck is not None
    share = found.step.share
    assert share.low < found.without_luck.value < share.high
    assert found.without_luck.high - found.without_luck.low < 0.7 * (share.high - share.low)
    assert found.without_luck.described() == found.described()["without_luck"]
    usual = match(lots, executor=Here())
    assert (usual.without_luck, usual.described()["without_luck"]) == (None, None)
    assert usual.step == found.step


def test_where_luck_is_not_taken_out() -> None:
    with pytest.raises(GameError, match="games of turns, not of Icehouse"):
        match(Plan("icehouse", seats=["casual", "beginner"], players=2, blocks=2), analyst=1)
    with pytest.raises(GameError, match="simulations"):
        match(plan("greedy", "random", blocks=2), analyst=0)
