"""Reviews: on toys whose perfect play is known, and the sum that holds for every game."""

from __future__ import annotations

import contextlib
import gc
import json
import pickle
import weakref
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icetable
from icetable import GameError
from icetable.analysis import Cancelled, Review, analyse, review, reviews
from icetable.analysis.positions import Analyst
from icetable.analysis.reviews import Retry, Unit, retry, sources_of
from icetable.core.game import CHANCE, Action
from icetable.core.turns import TurnState
from tests.analysis.material import KINDS, end_of_a_game, toy

LOST_TWICE = "lot:15", "do:2", "do:1", "do:2"
"""Both players of five beans let a win go."""


class Pickling(Executor):
    """Does all work at once, in this thread, as if a process had done it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert not kwargs
        sent, given = pickle.loads(pickle.dumps((fn, args)))
        done: Future[Any] = Future()
        done.set_result(pickle.loads(pickle.dumps(sent(*given))))
        return done


def is_accounted_for(found: Review) -> bool:
    """Whether the parts of every seat's share add up to it, act by act and in all."""
    for seat, one in enumerate(found.seats):
        parts = one.luck + one.gifts - one.regret + one.drift + one.end
        if abs(one.share - one.start - parts) > 1e-9:
            return False
        for act, before, after in zip(found.acts, found.worths, found.worths[1:], strict=False):
            effect = -act.regret if seat == act.seat else act.gifts[seat]
            if abs(after[seat] - before[seat] - effect - act.luck[seat] - act.drift[seat]) > 1e-9:
                return False
    return True


@pytest.mark.parametrize(("name", "players"), KINDS)
@settings(max_examples=3)
@given(seed=st.integers(0, 1000), simulations=st.integers(1, 6))
def test_all_is_accounted_for(name: str, players: int, seed: int, simulations: int) -> None:
    last = end_of_a_game(name, players, seed)
    found = review(last, simulations, seed)
    assert is_accounted_for(found)
    assert all(sum(worth) == pytest.approx(1, abs=1e-9) for worth in found.worths)
    assert all(act.regret >= 0 for act in found.acts)
    states = list(last.history())
    for act, state, after in zip(found.acts, states, states[1:], strict=False):
        assert isinstance(state, TurnState)
        assert (act.seat, act.act) == (state.actor, after.act)
        assert (act.kind == "forced") == (act.seat != CHANCE and len(state.codes()) == 1)
        assert (act.kind == "chance") == (act.seat == CHANCE)
        assert act.kind == "decision" or act.regret == 0


@pytest.mark.parametrize(("name", "players"), [("squad", 3), ("wrecktangle", 2)])
def test_the_worth_of_positions_is_that_of_their_analysis(name: str, players: int) -> None:
    last = end_of_a_game(name, players, 2)
    found = review(last, 4, seed=3)
    for state, worth in zip(last.history(), found.worths, strict=True):
        assert analyse(state, 4, seed=3).worth == pytest.approx(worth, abs=1e-12)


@pytest.mark.usefixtures("toys")
def test_known_parts() -> None:
    """Four of ten lots decide, one for the first seat: it has 0.7, then 1, then 0, then 1 again."""
    found = review(toy("fate", *LOST_TWICE, heap=5, lots=4, first=1), simulations=1)
    assert [worth[0] for worth in found.worths] == pytest.approx([0.7, 1, 0, 1, 1])
    first, other = found.seats
    parts = {"share": 1, "start": 0.7, "luck": 0.3, "gifts": 1, "regret": 1, "drift": 0, "end": 0}
    rates = {"luck_adjusted": 0.7, "error_rate": 500, "accuracy": None}
    assert msgspec.structs.asdict(first) == pytest.approx({**parts, **rates, "decisions": 2, "unforced": 2})
    assert (other.luck, other.gifts, other.regret, other.unforced) == pytest.approx((-0.3, 1, 1, 1))
    assert (other.luck_adjusted, other.error_rate) == pytest.approx((0.3, 1000))
    assert [act.kind for act in found.acts] == ["chance", "decision", "decision", "decision"]
    assert [act.label for act in found.acts] == [None, "blunder", "blunder", None]
    assert [act.best for act in found.acts] == [None, "do:1", "do:3", "do:2"]
    assert found.acts[1].line[0] == "do:1"
    assert found.acts[1].gifts == pytest.approx((0, 1))
    assert (found.costliest, found.costliest_of(1)) == ((1, 2), [2])


def test_accuracy_is_what_was_kept_of_what_was_at_stake() -> None:
    found = review(end_of_a_game("squad", 2, 4), 8)
    assert all((act.stake > 0) <= (act.kind == "decision") for act in found.acts)
    for number, seat in enumerate(found.seats):
        assert seat.accuracy == reviews.accuracy([act for act in found.acts if act.seat == number])

    def made(*acts: tuple[float, float]) -> float | None:
        """Of acts that cost and staked so much."""
        return reviews.accuracy(
            [msgspec.structs.replace(found.acts[0], regret=regret, stake=stake) for regret, stake in acts]
        )

    assert made((0.1, 0.5), (0.0, 0.5), (0.0, 1.0)) == pytest.approx(0.95)
    assert made((0.1, 0.5), (0.019, 0.5), (0.0, 1.0)) == pytest.approx(0.95), "that little is as good as nothing"
    assert made((0.9, 0.3), (0.0, 0.5), (0.0, 0.2)) == pytest.approx(0.7), "an act loses no more than was at stake"
    assert made((0.9, 0.3), (0.5, 0.5), (0.3, 0.2)) == 0
    assert made((0.0, 0.9), (0.0, 0.9), (0.0, 0.019)) is None, "too few choices that matter"
    assert made() is None


@pytest.mark.usefixtures("toys")
def test_of_games_that_nobody_has_studied_no_accuracy_is_told() -> None:
    found = review(toy("fate", *LOST_TWICE, heap=5, lots=4, first=1), simulations=8)
    assert found.acts[1].stake > 0.1
    assert [seat.accuracy for seat in found.seats] == [None, None]


def test_values_are_shown_as_they_are_found() -> None:
    last = end_of_a_game("wrecktangle", 2, 5)
    shown: dict[int, tuple[float, ...]] = {}
    found = review(last, 3, show=shown.__setitem__)
    assert shown == {
        number: worth
        for number, (worth, act) in enumerate(zip(found.worths, found.acts, strict=False))
        if act.seat >= 0
    }


# Games that ended before their rules ended them


def broken_off(state: icetable.State, reason: str, winners: list[int]) -> str:
    """The record of a game that players ended at a table in this state."""
    event = json.dumps({"type": "end", "reason": reason, "winners": winners})
    return state.record() + f'log 1 0 5 {"a" * 64} /{{"type":"leave","seat":0}}\nlog 2 1 9000 {"0" * 64} /{event}\n'


@pytest.mark.parametrize(("name", "players"), KINDS)
@settings(max_examples=3)
@given(data=st.data())
def test_all_is_accounted_for_in_games_that_were_ended(name: str, players: int, data: st.DataObject) -> None:
    states = list(end_of_a_game(name, players, data.draw(st.integers(0, 1000))).history())[:-1]
    winners = sorted(data.draw(st.sets(st.integers(0, players - 1), min_size=1)))
    last = states[data.draw(st.integers(0, len(states) - 1))]
    found = review(broken_off(last, "resign", winners), 2)
    assert is_accounted_for(found)
    assert [seat.share for seat in found.seats] == pytest.approx(
        [(seat in winners) / len(winners) for seat in range(players)]
    )
    assert sum(found.worths[-1]) == pytest.approx(1, abs=1e-9)
    assert analyse(icetable.replay(last.record()), 2).worth == pytest.approx(found.worths[-1], abs=1e-12)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("reason", "winners", "end"), [("resign", [1], -1), ("time", [0], 0), ("draw", [0, 1], -0.5)])
def test_the_end_is_a_part_of_its_own(reason: str, winners: list[int], end: float) -> None:
    """The first seat has won, whatever is played: to resign costs it the whole game, and nobody else did that."""
    last = toy("fate", "lot:15", "do:2", "do:1", heap=5, lots=4, first=1)
    found = review(broken_off(last, reason, winners), simulations=1)
    assert [worth[0] for worth in found.worths] == pytest.approx([0.7, 1, 0, 1])
    first, other = found.seats
    assert (first.end, other.end) == pytest.approx((end, -end))
    assert (first.share, first.luck, first.gifts, first.regret) == pytest.approx((1 + end, 0.3, 1, 1))
    assert found.ended == reason
    assert found.costliest == (1, 2)


@pytest.mark.usefixtures("toys")
def test_a_game_that_was_ended_while_chance_was_to_act() -> None:
    start = toy("fate", heap=5, lots=4, first=1)
    found = review(broken_off(start, "draw", [0, 1]), 1, executor=Pickling())
    assert (found.worths, found.acts) == (review(broken_off(start, "draw", [0, 1]), 1).worths, ())
    assert found.worths[0] == pytest.approx((0.7, 0.3))
    assert [seat.end for seat in found.seats] == pytest.approx([-0.2, 0.2])


@pytest.mark.usefixtures("toys")
def test_ends_that_are_not_reviewed() -> None:
    last = toy("fate", "lot:15", "do:2", heap=5, lots=4, first=1)
    for winners, reason in (([], "nobody won"), ([0, 2], "gives the game to seats .0, 2., and 2 play")):
        with pytest.raises(GameError, match=reason):
            review(broken_off(last, "time", winners))
    for event in ("{", '{"type":"end","winners":[0]}', '{"type":"end","reason":"draw","winners":["x"]}', "[]"):
        with pytest.raises(GameError, match="can't be read"):
            review(last.record() + f"log 1 0 5 {'a' * 64} /{event}\n")


def test_an_end_by_the_rules_is_the_end() -> None:
    last = end_of_a_game("squad", 2, 4)
    assert review(broken_off(last, "resign", [0]), 1) == review(last, 1)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("lot", "luck"), [("lot:10", 0.5), ("lot:11", -0.5)])
def test_a_guess_is_all_luck(lot: str, luck: float) -> None:
    found = review(toy("guess", "do:1", lot), simulations=3)
    assert [seat.luck for seat in found.seats] == [luck, -luck]
    assert [seat.luck_adjusted for seat in found.seats] == [0.5, 0.5]
    assert [seat.regret for seat in found.seats] == [0, 0]


@pytest.mark.usefixtures("toys")
def test_forced_acts_cost_nothing() -> None:
    found = review(toy("march", *["do:1"] * 4, players=3, width=1), simulations=2)
    assert [act.kind for act in found.acts] == ["forced"] * 4
    assert [(seat.decisions, seat.unforced, seat.error_rate) for seat in found.seats] == [
        (2, 0, 0),
        (1, 0, 0),
        (1, 0, 0),
    ]
    assert is_accounted_for(found)


def test_a_deal_that_cannot_be_listed_is_luck() -> None:
    found = review(end_of_a_game("highrise", 2, 1), simulations=2)
    assert found.acts[-1].kind == "chance"
    assert found.acts[-1].luck[0] == pytest.approx(found.worths[-1][0] - found.worths[-2][0])


@pytest.mark.usefixtures("toys")
def test_luck_is_none_on_average() -> None:
    """Over all that chance may do."""
    ends = [("do:1",) if lot >= 4 else () for lot in range(10)]
    games = [toy("fate", f"lot:{10 + lot}", *end, heap=1, lots=4, first=1) for lot, end in enumerate(ends)]
    assert sum(review(game, simulations=2).seats[0].luck for game in games) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("regret", "label"),
    [(0.0, None), (0.049, None), (0.05, "inaccuracy"), (0.1, "mistake"), (0.149, "mistake"), (0.15, "blunder")],
)
def test_labels(regret: float, label: str | None) -> None:
    assert reviews.label_of(regret) == label


# Where it is worked out


@pytest.mark.parametrize(("name", "players"), [("squad", 2), ("wrecktangle", 2)])
def test_the_same_figures_anywhere(name: str, players: int) -> None:
    last = end_of_a_game(name, players, 4)
    here = review(last, 5, seed=2)
    with ThreadPoolExecutor(3) as pool:
        assert review(last, 5, seed=2, executor=pool) == here
    assert review(last.record(), 5, seed=2, executor=Pickling()) == here
    assert review(last, 6, seed=2) != here


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere(Pickling):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            monkeypatch.setattr(reviews, "game_sources", lambda _info, *_: {"icetable.bots.search": "other"})
            return super().submit(fn, *args, **kwargs)

    with pytest.raises(GameError, match=r"a worker has another .* than the process that calls it"):
        review(end_of_a_game("squad", 2, 1), 1, executor=Elsewhere())


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("executor", [None, Pickling()], ids=["here", "elsewhere"])
def test_progress(executor: Executor | None) -> None:
    told: list[tuple[int, int]] = []
    review(
        toy("fate", *LOST_TWICE, heap=5, lots=4),
        1,
        executor=executor,
        on_progress=lambda *progress: told.append(progress),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.usefixtures("toys")
def test_cancelling() -> None:
    stop, told = Event(), []
    last = toy("fate", *LOST_TWICE, heap=5, lots=4)

    def on_progress(done: int, of: int) -> None:
        told.append((done, of))
        stop.set()

    with pytest.raises(Cancelled, match="after 1 of 4 positions"):
        review(last, 1, on_progress=on_progress, cancelled=stop)
    assert told == [(1, 4)]
    with pytest.raises(Cancelled, match="after 0 of 4"):
        review(last, 1, cancelled=lambda: True)
    assert len(review(last, 1, cancelled=Event()).acts) == 4


@pytest.mark.usefixtures("toys")
def test_positions_of_a_cancelled_review_are_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, release, examined = Event(), Event(), []
    honest = reviews.examine

    def examine(posted: reviews.Posted) -> reviews.Examined:
        examined.append(posted.number)
        if posted.number:
            release.wait(10)
        return honest(posted)

    monkeypatch.setattr(reviews, "examine", examine)
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(Cancelled):
            review(
                toy("fate", *LOST_TWICE, heap=5, lots=4),
                1,
                executor=pool,
                on_progress=lambda *_: stop.set(),
                cancelled=stop,
            )
        release.set()
    assert examined in ([0], [0, 1])


class Lazy(Executor):
    """Does what comes first at once, and never the rest."""

    def __init__(self) -> None:
        self.given: list[weakref.ref[Future[Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        done: Future[Any] = Future()
        if not self.given:
            done.set_result(fn(*args))
        self.given.append(weakref.ref(done))
        return done


@pytest.mark.usefixtures("toys")
def test_few_positions_are_given_away_at_a_time_and_what_is_cancelled_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server seldom has the garbage collector run."""
    monkeypatch.setattr(reviews, "MAX_SUBMITTED", 2)
    last, stop, lazy = toy("fate", *LOST_TWICE, heap=5, lots=4), Event(), Lazy()
    gc.disable()
    try:
        with contextlib.suppress(Cancelled):
            review(last, 1, executor=lazy, on_progress=lambda *_: stop.set(), cancelled=stop)
        assert [future() for future in lazy.given] == [None] * 2
    finally:
        gc.enable()


# What is told, and what is refused


@pytest.mark.usefixtures("toys")
def test_as_json() -> None:
    """A review is written as it is: its acts are plain texts."""
    told = json.loads(msgspec.json.encode(review(toy("fate", *LOST_TWICE, heap=5, lots=4, first=1), 1)))
    assert set(told) == {"type", "simulations", "seed", "positions", "acts", "seats", "costliest", "ended"}
    assert (told["simulations"], told["seed"], told["costliest"]) == (1, 0, [1, 2])
    assert len(told["positions"]) == len(told["acts"]) + 1 == 5
    assert told["positions"][-1] == {"worth": [1.0, 0.0]}
    keys = {"seat", "act", "kind", "best", "line", "regret", "stake", "gifts", "luck", "drift", "label"}
    assert all(set(act) == keys for act in told["acts"])
    assert told["acts"][0]["seat"] == CHANCE
    parts = {"share", "start", "luck", "gifts", "regret", "drift", "end", "decisions", "unforced"}
    assert all(set(seat) == parts | {"luck_adjusted", "error_rate", "accuracy"} for seat in told["seats"])


def test_refusals() -> None:
    squad = icetable.load("squad", players=2)
    for game, reason in (
        (icetable.load("squad", players=1).start(), "two players or more"),
        (icetable.load("icehouse").start(), "a review by search is for games of turns"),
        (squad.start(), "not over"),
        (squad.start().record(), "not over"),
        ("no record", "icetable record 1"),
    ):
        with pytest.raises(GameError, match=reason):
            review(game)
    with pytest.raises(GameError, match="simulations"):
        review(squad.start(), simulations=0)


SIMULATIONS = 4
WINNING, LOSING = "do:1", "do:2"
"""The winning and the losing act with five beans."""


def retried(state: TurnState, number: int, act: str, simulations: int = SIMULATIONS) -> Retry:
    """The answer of a worker."""
    unit = Unit(state, Action(act), number, Analyst(simulations))
    posted = unit.posted(sources_of(state.game.info))
    found: Retry = pickle.loads(pickle.dumps(retry(pickle.loads(pickle.dumps(posted)))))
    return found


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_the_act_that_was_played_is_told_as_the_review_tells_it(name: str, players: int) -> None:
    last = end_of_a_game(name, players, seed=5)
    found = review(last, SIMULATIONS)
    states = [state for state in last.history() if isinstance(state, TurnState)]
    decisions = [number for number, act in enumerate(found.acts) if act.kind == "decision"]
    assert decisions
    for number in decisions:
        played, told = found.acts[number], retried(states[number], number, found.acts[number].act)
        assert (told.act.regret, told.act.best, told.act.line) == (played.regret, played.best, played.line)
        assert told.after == found.worths[number + 1]


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_the_best_act_of_the_review_is_right(name: str, players: int) -> None:
    last = end_of_a_game(name, players, seed=6)
    found = review(last, SIMULATIONS)
    states = [state for state in last.history() if isinstance(state, TurnState)]
    for number, act in enumerate(found.acts):
        if act.kind == "decision" and act.best is not None:
            told = retried(states[number], number, act.best)
            assert (told.is_right, told.best) == (True, told.worth)


@pytest.mark.usefixtures("toys")
def test_the_worth_of_another_act() -> None:
    """Taking one of five beans wins; taking two lets the win go."""
    five = toy("fate", "lot:15", heap=5, lots=4, first=1)
    right, wrong = (retried(five, 1, act, 200) for act in (WINNING, LOSING))
    assert (right.is_right, right.worth, right.best) == (True, 1, 1)
    assert (wrong.is_right, wrong.worth, wrong.best) == (False, 0, 1)
    assert wrong.line
