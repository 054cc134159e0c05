"""Questions about games of which the answers are known."""

from __future__ import annotations

import functools
import itertools
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence

import pytest

import icetable
from icetable import GameError, lab
from icetable.core.turns import TurnGame
from icetable.games.squad.game import Squad
from icetable.lab import claims, intervals, luck, questions, scheduler, usage
from icetable.lab import questions as changing
from icetable.lab.claims import Inquiry, Trial, try_out
from icetable.lab.plan import play_block
from icetable.lab.questions import NO, UNKNOWN, YES, AskResult, Conclusion, ask
from icetable.lab.scheduler import Claim
from icetable.workers import InlineExecutor
from icetable.workshop import Table
from icetable.workshop.examples.beacons import Beacons
from tests.lab import known


@functools.cache
def asked(game: type) -> AskResult:
    """All answers of as many games as they take; most of them are looked at by several tests."""
    return ask(game, seconds=math.inf)


def answers(game: type) -> dict[str, Conclusion]:
    """All answers, by question."""
    return {one.question: one for one in asked(game).verdicts}


def answer(found: dict[str, Conclusion], begins: str) -> list[str]:
    return [one.answer for question, one in found.items() if question.startswith(begins)]


@pytest.fixture(autouse=True, scope="module")
def _coarse() -> Iterator[None]:
    """The questions are coarser than for designers, so few games answer them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_coarse(monkeypatch)
        yield


def make_coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "FIRST_LIMIT": 4,
        "LAST_LIMIT": 20,
        "MAX_SEAT_ADVANTAGE": 0.4,
        "MIN_SKILL_ADVANTAGE": 0.15,
        "ENDS": Claim(0, 0.2),
    }.items():
        monkeypatch.setattr(claims, name, value)
    for module in (claims, questions):
        monkeypatch.setattr(module, "RARE", Claim(0, 0.15))
    for name, claim in {"gain": Claim(-1, 0.2, (-1, 0)), "sway": Claim(-1, 0.25, (-1, 0))}.items():
        monkeypatch.setitem(claims.PROBE_CLAIMS, name, claim)
    for name in ("PLAYOUTS_PER_ACT", "PLAYOUTS_FOR_LEADER"):
        monkeypatch.setattr(usage, name, 2)
    monkeypatch.setattr(intervals, "MIN_BLOCKS_FOR_PARTS", 25)
    monkeypatch.setattr(changing, "MAX_SMALL_DIFFERENCE", 0.25)
    monkeypatch.setattr(luck, "MAX_INTERVAL_WIDTH", 0.8)


SLOW = Trial(longest=500, acts=60.0, ends=True, seconds_per_act=1e-3)
"""A trial of a game that plays a thousand acts a second."""


def test_a_coin() -> None:
    found = answers(known.Coin)
    assert answer(found, "Does it end?") == [YES]
    assert answer(found, "How long") == ["2 turns"]
    assert answer(found, "Does a seat have an advantage") == [NO, NO]
    assert answer(found, "Does the better player win") == [NO]
    assert answer(found, "Are there real choices") == [NO]
    assert answer(found, "Is there a runaway leader") == [NO]
    told = found["How much is luck?"]
    assert told.answer.endswith("%")
    assert told.figures["chance"].low > 0.4


def test_nim() -> None:
    found = answers(known.Nim)
    assert answer(found, "Does it end?") == [YES]
    assert answer(found, "How much is luck?") == ["none of it"]
    assert answer(found, "Does the better player win") == [YES]
    assert answer(found, "Are there real choices") == [YES]
    assert answer(found, "Is there a dead rule") == [NO]
    assert answer(found, "Is there kingmaking?") == []  # two are too few


def test_a_rigged_seat() -> None:
    found = answers(known.Rigged)
    assert answer(found, "Does a seat have an advantage") == [YES, YES]
    assert answer(found, "Does the better player win") == [NO]
    assert answer(found, "Is there a runaway leader") == [YES]
    assert "seat 1 0% (at most" in found["Does a seat have an advantage between random players?"].said


def test_a_game_without_end() -> None:
    found = answers(known.Endless)
    assert answer(found, "Does it end?") == [NO]
    assert found["Does it end?"].said.endswith("No other players were tried, as random games don't end.")
    assert answer(found, "Does the better player win") == []


def test_the_limit_grows_until_games_end_and_counts_no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "LAST_LIMIT", 8)
    trial = try_out(icetable.load(known.Long), 0, math.inf)
    assert trial.ends
    assert claims.FIRST_LIMIT < known.Long.turns < trial.longest == 8 < trial.acts == 11


def test_a_game_that_was_broken_off_has_no_length() -> None:
    length = answers(known.Endless)["How long is it?"]
    assert length.answer == f"more than {claims.LAST_LIMIT} acts"
    assert length.said.startswith("More than half of the games between random players had not ended after 20 acts")
    assert length.figures["random"].value == math.inf
    inquiry = Inquiry(questions.plan_of(icetable.load(known.Tiny), 0), SLOW)
    ended, broken_off = (play_block(inquiry.plan("random"), 0, longest) for longest in (9, 1))
    found = [claims.EqualBlock(rows, [], []) for rows in 40 * [ended, broken_off] + [ended]]
    half = inquiry.length(found)
    assert (half.low, half.value, half.high) == (2, 2, math.inf)
    assert not claims.is_steady(half)


def test_a_trial_takes_no_longer_than_its_part_of_the_time() -> None:
    """The limit stays where the clock stood when its time was up."""
    clock = itertools.count()  # a second for each look
    trial = try_out(icetable.load(known.Endless), 0, 4 / claims.TRIAL_PART, lambda: float(next(clock)))
    assert (trial.longest, trial.ends) == (2 * claims.FIRST_LIMIT, False)
    assert trial.seconds_per_act == pytest.approx(1 / trial.longest)


def test_a_slow_game_is_asked_by_random_players_and_the_end_of_its_games() -> None:
    plan = questions.plan_of(icetable.load(known.Fair), 0)
    slow, fast = (Inquiry(plan, SLOW._replace(acts=acts), seconds=100.0) for acts in (60.0, 3.0))
    assert (slow.probed_players, fast.probed_players) == ("random", "tries:8")
    assert slow.part < fast.part == 1
    assert slow.leaders is not slow.choices
    assert fast.leaders is fast.choices is fast.equal["tries:8"]
    for run in (slow.leaders, slow.choices):
        assert run.play(0).probes
    usual = slow.equal["random"].play(3).rows[0].log.split("\n")
    assert [row.log.split("\n")[: len(usual) - 1] for row in slow.matches["tries:8"].play(3)] == [usual[:-1]] * 3


def test_a_question_that_has_not_begun_says_how_many_minutes_it_takes() -> None:
    plan = questions.plan_of(icetable.load(known.King), 0)
    found = list(questions.Answers(Inquiry(plan, SLOW, seconds=100.0), 2).all())
    assert {one.answer for one in found} == {UNKNOWN}
    assert all(one.games and one.minutes for one in found)
    assert " more games, about " in found[0].sentence


def test_no_block_is_begun_that_would_not_end_in_time() -> None:
    begun: list[str] = []
    wanted = {"slow": (5, 50.0), "late": (5, 7.0), "soon": (0, 2.0)}
    runs = [
        scheduler.Blocks(
            functools.partial(run, begun, name),
            lambda _: False,
            4,
            first=2,
            more=wanting(more),
            expected=pace,
        )
        for name, (more, pace) in wanted.items()
    ]
    scheduler.play_all(runs, 20.0, InlineExecutor())
    assert begun == ["soon", "soon", "late", "late", "late", "late"]
    assert not runs[0].found


def wanting(more: int) -> Callable[[Sequence[object]], int]:
    return lambda _: more


def run(begun: list[str], name: str, block: int) -> int:
    begun.append(name)
    return block


def between(low: float, high: float) -> intervals.Estimate:
    return intervals.Estimate((low + high) / 2, low, high, "anytime", 50)


def test_points_are_hundredths_of_a_share() -> None:
    assert questions.points(between(0.05, 0.2)) == "12.5 (5.0 to 20.0)"


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [(0, 0.2, True), (0.1, 0.15, True), (0.1, 0.3, None), (0.2, 0.4, None), (0.25, 0.4, False), (-0.3, -0.1, False)],
)
def test_a_claim_is_settled_by_an_interval_within_its_limits_or_beyond(low: float, high: float, holds: object) -> None:
    assert Claim(0, 0.2).holds(between(low, high)) is holds


def test_a_claim_with_inner_limits_fails_between_them_and_the_outer_ones() -> None:
    claim = Claim(-1, 0.2, (-1, 0))
    found = [claim.holds(between(*interval)) for interval in ((-0.5, 0.2), (0.1, 0.3), (-0.1, 0.3))]
    assert found == [True, False, None]


def test_a_game_for_one_is_asked_about_its_score() -> None:
    found = answers(known.Patience)
    assert answer(found, "Does it end?") == [YES]
    assert answer(found, "Does skill add to the result") == [YES]
    score = found["How many points does a player get?"]
    assert score.figures["random"].value < score.figures["tries:8"].value
    assert "nine of ten with " in score.said
    assert not any("seat" in question or "luck" in question for question in found)
    assert all(one.figures and one.watch for one in found.values())


def test_a_game_for_one_with_points_that_can_be_lost_is_asked_how_often_it_is_won_too() -> None:
    said = answers(known.Peril)["How many points does a player get?"].said
    (low, high), (_, best) = (
        map(int, found) for found in re.findall(r"\bwin \d+% [(](\d+) to (\d+)[)] of games", said)
    )
    assert low <= 40 <= high
    assert best >= 80
    assert "nine of ten with " in said
    assert "win" not in answers(known.Patience)["How many points does a player get?"].said


def test_kingmakers() -> None:
    assert answer(answers(known.King), "Is there kingmaking?") == [YES]
    assert answer(answers(known.Fair), "Is there kingmaking?") == [NO]


def test_a_dead_rule_a_dead_piece_and_a_dead_option() -> None:
    found = answers(known.Dead)["Is there a dead rule or a dead piece?"]
    assert found.answer == YES
    for dead in (
        "never run: table.gain(5)",
        "nothing ever happens to large pyramids",
        "noise=True changes",
    ):
        assert dead in found.said
    assert "heap" not in found.said
    assert "small" not in found.said


def test_every_answer_has_an_interval_and_a_game_to_watch() -> None:
    found = asked(known.King)
    for one in found.verdicts:
        assert one.figures
        assert all(figure.low <= figure.value <= figure.high for figure in one.figures.values())
        assert one.watch is not None
    assert json.loads(json.dumps([one.described() for one in found.verdicts], allow_nan=False))
    swayed = next(one.watch for one in found.verdicts if one.question == "Is there kingmaking?")
    assert swayed is not None
    assert swayed.at == 2
    assert swayed.record.startswith("icetable record")


def test_the_same_is_found_again() -> None:
    assert ask(known.Rigged, seconds=math.inf).verdicts == asked(known.Rigged).verdicts


def test_an_open_question_says_how_much_is_missing() -> None:
    found = ask(known.Coin, seconds=0).verdicts
    assert {one.answer for one in found} == {UNKNOWN}
    assert all(one.games is None for one in found)
    assert "nobody knows how many more" in found[0].sentence


def test_workers_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICETABLE_JIT", "0")  # so are the kernels of files, and workers begin sooner
    alone, together = asked(known.Rigged).verdicts, ask(known.Rigged, seconds=math.inf, jobs=2).verdicts
    assert [(one.answer, one.said) for one in alone] == [(one.answer, one.said) for one in together]


def test_a_bad_time_is_refused() -> None:
    with pytest.raises(GameError, match="seconds are a number from 0 up"):
        lab.ask("squad", seconds=-1)


class Dealt(known.Nim):
    """Nim in which chance deals a card at the start, and does nothing else."""

    def start(self, table: Table) -> None:
        super().start(table)
        table.deal([1, 2])


def test_a_game_with_dice_or_cards_has_chance() -> None:
    for design, has_chance in ((known.Coin, True), (known.Nim, False), (Beacons, True), (Dealt, True)):
        game = icetable.load(design)
        assert isinstance(game, TurnGame)
        assert game.has_chance is has_chance


class Kind(known.Rigged):
    """The first seat wins instead, later, and may pass."""

    turns = 5

    def acts(self, table: Table) -> list[str]:
        return [*super().acts(table), "pass"]

    def winners(self, table: Table) -> list[int]:
        return [0]


def changes(first: type, second: type, seconds: float = math.inf) -> dict[str, Conclusion]:
    found = ask(first, seconds=seconds, against=second)
    assert found.title == f"{first.__name__} and {second.__name__}"
    return {one.question: one for one in found.verdicts}


def test_differences_are_reported_at_each_strength_with_their_intervals() -> None:
    found = changes(known.Rigged, Kind)
    for players in ("random players", "players who try 8 random games per act"):
        assert answer(found, f"Between {players}, do the seats' shares change?") == [YES]
        assert answer(found, f"Between {players}, are games longer or shorter?") == [YES]
        assert answer(found, f"Between {players}, is there more or less to choose from?") == [YES]
        assert answer(found, f"Between {players}, do more or fewer games never end?") == [NO]
        assert answer(found, f"Between {players}, do more or fewer games have no single winner?") == [NO]
    for question in ("Does the early leader", "Do choices matter", "Does the better player", "Are different rules"):
        assert answer(found, question) == [NO]
    share = found["Between random players, do the seats' shares change?"]
    assert share.said.startswith("0% in Rigged, 100% in Kind, +100 points (+")
    assert share.figures["seat 1"].unit == "difference"
    assert 0.5 < share.figures["seat 1"].low <= share.figures["seat 1"].value == 1
    length = found["Between random players, are games longer or shorter?"]
    assert "2.0 turns in Rigged, 5.0 turns in Kind, +3.0 in each of " in length.said
    assert all(one.figures and one.watch for one in found.values())
    assert json.loads(json.dumps([one.described() for one in found.values()], allow_nan=False))


class Tossed(known.Fair):
    """The third seat can't win, and has nothing to say."""

    sides = 2


def test_a_changed_kingmaker_and_changed_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changing, "MAX_SMALL_DIFFERENCE", 0.4)  # the kingmaker moves more
    found = changes(known.King, Tossed)
    assert answer(found, "Is there more or less kingmaking") == [YES]
    told = found["Does more or less of the result come from luck?"]
    assert told.figures["chance"].value > 0.5
    assert set(told.figures) == {"seat", "choices", "chance"}


def test_a_piece_that_is_dead_in_one_of_two_games_is_reported() -> None:
    found = changes(known.Nim, known.Dead)["Are different rules or pieces dead?"]
    assert found.answer == YES
    assert "in Dead, nothing ever happens to large pyramids" in found.said


def test_games_that_cannot_be_compared() -> None:
    for other, words in (
        (known.Coin, "both readings are the same game"),
        ("icehouse", "one of them has no turns"),
        (known.King, "players"),
    ):
        with pytest.raises(GameError, match=words):
            ask(known.Coin, seconds=0, against=other)


class Same(Squad):
    """Who's On The Squad? without its kernel."""


def test_a_kernel_is_compared_with_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are played by those who try games, since no class says what positions are worth."""
    monkeypatch.setattr(claims, "FIRST_LIMIT", 500)  # there is no time to let it grow
    found = ask("squad", seconds=0, against=Same)
    assert any("players who try 8 random games per act" in one.question for one in found.verdicts)
    assert {one.answer for one in found.verdicts} == {UNKNOWN}
