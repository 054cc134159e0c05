"""Questions about a game: does it end, how long is it, does a seat have an advantage, how much is luck?

The answers use intervals that are valid at all times (`anytime`), so games are played until they are settled or time
is up.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable import games
from icetable.bots.compiling import ensure
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, Game
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame
from icetable.lab.answers import NO, UNKNOWN, YES, Conclusion, Cost, Watch, conclude, players_text, points, share_text
from icetable.lab.blocks import final_state
from icetable.lab.changes import Changes
from icetable.lab.inquiring import (
    MAX_LENGTH_WIDTH,
    MAX_LENGTH_WIDTH_RATIO,
    PROBE_CLAIMS,
    RARE,
    Inquiry,
    is_split,
    is_steady,
    length_of,
    rows_of,
    share_of,
    usage_of,
)
from icetable.lab.intervals import Estimate, interval
from icetable.lab.ladders import share_of_first
from icetable.lab.luck import SOURCES
from icetable.lab.measures import limit_of, limit_rule, of_choices
from icetable.lab.plan import Plan
from icetable.lab.probing import unused
from icetable.lab.racing import MAX_BLOCKS_NEEDED, Assessment, Blocks, estimate_of, play_all, workers_of
from icetable.lab.running import check_sent
from icetable.lab.studies import AMONG, AMONG_RANDOM, on_luck

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from icetable.lab.blocks import Row
    from icetable.lab.probing import Probe
    from icetable.lab.running import OnProgress

DEFAULT_SECONDS = 50.0


@dataclass(frozen=True)
class AskResult:
    """The answers to all questions about a game, or about two, and how long they took."""

    title: str
    plan: Plan
    verdicts: list[Conclusion]
    seconds: float


def ask(
    game: Game | str | type,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float = DEFAULT_SECONDS,
    seed: int = 0,
    where: Executor | None = None,
    jobs: int = 1,
    tell: OnProgress | None = None,
    against: Game | str | type | None = None,
) -> AskResult:
    """Ask all questions about a game: whether it ends, how long it is, whether a seat has an advantage, how much is
    luck, whether the better player wins, whether there is a runaway leader, kingmaking, a dead rule or piece, and
    whether choices are real. With a second game `against`, ask how the two differ in all of that.

    Players of equal and of different strength play until everything is known or the `seconds` are up. Questions that
    are still open then say how many more games may settle them. With `jobs=1` the last game is played to its end.
    Raises GameError.

    >>> from icetable import lab
    >>> lab.ask("squad", seconds=0).verdicts[0].question
    'Does it end?'
    """
    if not seconds >= 0:
        raise GameError(f"seconds are a number from 0 up, not {short_repr(seconds)}")
    started = time.monotonic()
    chosen = {**(options or {}), **({} if players is None else {"players": players})}
    loaded = games.with_options(game, **chosen)
    ensure(loaded.info)
    plan = plan_of(loaded, seed)
    questions: Answers | Changes
    if against is None:
        questions = Answers(Inquiry(plan), jobs)
    else:
        other = against if isinstance(against, Game) else games.with_options(against, players=loaded.players)
        ensure(other.info)
        questions = Changes(plan, plan_of(other, seed), jobs)
    if where is None and jobs > 1:
        check_sent(plan)
    with workers_of(where, jobs) as (executor, pieces):
        play_all(questions.blocks, seconds, executor, pieces, tell)
    return AskResult(questions.title, plan, list(questions.all()), time.monotonic() - started)


def plan_of(game: Game, seed: int) -> Plan:
    """The plan that an inquiry starts from."""
    return Plan(game, seats=["random" if game.info.turns else "beginner"], seed=seed)


class Answers:
    """The answers that an inquiry gives."""

    def __init__(self, inquiry: Inquiry, jobs: int) -> None:
        self.inquiry, self.game, self.jobs = inquiry, inquiry.game, jobs
        self.title, self.blocks = inquiry.game.info.title, inquiry.blocks

    @property
    def best(self) -> str:
        return next((name for name in reversed(self.inquiry.strengths) if self._rows(name)), self.inquiry.strongest)

    def all(self) -> Iterator[Conclusion]:
        """The answers to all questions, as far as they are known."""
        yield self.on_end()
        yield self.on_length()
        if self.game.players > 1:
            yield from map(self.on_seats, self.inquiry.strengths)
            if self.inquiry.luck is not None:
                yield self.on_luck(self.inquiry.luck)
            yield from itertools.starmap(self.on_better, itertools.pairwise(self.inquiry.strengths))
        if self.inquiry.is_probed:
            yield self.on_leader()
            if self.game.players > 2:
                yield self.on_kings()
            yield self.on_choices()
        yield self.on_dead()

    def on_end(self) -> Conclusion:
        claims = {name: self.inquiry.ends(blocks.found) for name, blocks in self.inquiry.equal.items()}
        said = []
        for name, claim in claims.items():
            share = share_text(claim.estimate)
            said.append(
                f"Between {players_text(name)}, {share} of games had not ended after {self.inquiry.longest} acts."
            )
            limited = [share_of(each.rows, self._is_limited) for each in self.inquiry.equal[name].found]
            if any(limited):
                said.append(f"{share_text(estimate_of(limited))} ended only at {limit_of(self.game)}.")
        if self.inquiry.strengths == ["random"]:
            said.append("No other players were tried, as random games don't end.")
        rows = [(row, name) for name in claims for row in self._rows(name)]
        longest = max(rows, key=lambda pair: len(pair[0].seats), default=None)
        watch = None
        if longest is not None:
            watch = self._watch(f"the longest game, between {players_text(longest[1])}", longest[0])
        slow = next((name for name in reversed(claims) if claims[name].holds is None), self.inquiry.strongest)
        return conclude("Does it end?", (YES, NO), claims, " ".join(said), self._cost(self.inquiry.equal[slow]), watch)

    def _is_limited(self, row: Row) -> bool:
        return row.ended_by == limit_rule(self.game)

    def on_length(self) -> Conclusion:
        unit, digits = ("turns", 0) if self.game.info.turns else ("minutes", 1)
        lengths = {name: self.inquiry.length(run.found) for name, run in self.inquiry.equal.items() if run.found}
        rows = sorted(self._rows(self.best), key=length_of)
        if not rows:
            return self._unknown("How long is it?")
        said = [
            f"Half of the games between {players_text(name)} take {interval(one, digits)} {unit} or more."
            for name, one in lengths.items()
        ]
        choices = [of_choices(row, np.mean) for row in rows]
        if any(choices):
            said.append(f"A player chooses from {np.mean(choices):.0f} acts on average.")
        length = lengths[self.best]
        answer = f"{length.value:.{digits}f} {unit}" if is_steady(length) else UNKNOWN
        needed = self._cost(self.inquiry.equal[self.best]).of(0 if is_steady(length) else blocks_for_length(length))
        watch = self._watch("a game of median length", rows[len(rows) // 2])
        return Conclusion("How long is it?", answer, " ".join(said), lengths, *needed, watch)

    def on_seats(self, name: str) -> Conclusion:
        blocks, rows = self.inquiry.equal[name], self._rows(name)
        claims = {f"seat {seat + 1}": one for seat, one in enumerate(self.inquiry.seats(blocks.found))}
        shares = ", ".join(f"{seat} {share_text(claim.estimate)}" for seat, claim in claims.items())
        drawn = estimate_of([share_of(block.rows, lambda row: float(max(row.shares) < 1)) for block in blocks.found])
        said = f"Shares, instead of {self._equal} each: {shares}. No single winner in {share_text(drawn)} of games."
        best = int(np.argmax(np.mean([row.shares for row in rows], axis=0))) if rows else 0
        watch = self._pick(rows, lambda row: row.shares[best], f"a game that seat {best + 1} wins")
        question = f"Does a seat have an advantage between {players_text(name)}?"
        return conclude(question, (NO, YES), claims, said, self._cost(blocks), watch)

    def on_luck(self, blocks: Blocks) -> Conclusion:
        question = "How much is luck?"
        if not blocks.found:
            return self._unknown(question)
        assert isinstance(self.game, TurnGame)
        luck = self.inquiry.split(blocks.found)
        is_known, figures = is_split(self.game, luck), {name: getattr(luck, name) for name in SOURCES}
        among = AMONG_RANDOM if self.inquiry.slip == 1 else AMONG
        said = on_luck(luck, self.game.has_chance, among)
        if not is_known:
            so_far = ", ".join(
                f"{points(part)} % from {name}" for name, part in figures.items() if part.high < math.inf
            )
            said = f"{among}, so far: {so_far}." if so_far else said
        chance = f"{100 * min(max(luck.chance.value, 0), 1):.0f} %" if self.game.has_chance else "none of it"
        answer = chance if is_known else UNKNOWN
        needed = self._cost(blocks).of(0 if is_known else 3 * len(blocks.found))
        why = "a game in which chance acts often" if self.game.has_chance else "a typical game"
        watch = self._pick(self._rows(self.best), lambda row: row.seats.count(CHANCE), why)
        return Conclusion(question, answer, said, figures, *needed, watch)

    def on_better(self, weak: str, strong: str) -> Conclusion:
        blocks = self.inquiry.matches[strong]
        claim = self.inquiry.better(blocks.found)
        against, player = players_text(weak), players_text(strong)
        said = f"Against {against}, {player} get {share_text(claim.estimate)} instead of {self._equal}."
        rows = [row for block in blocks.found for row in block]
        watch = self._pick(rows, lambda row: -share_of_first(row), "the better player's worst game")
        question = f"Does the better player win ({strong} against {weak})?"
        return conclude(question, (NO, YES), {strong: claim}, said, self._cost(blocks), watch)

    def on_leader(self) -> Conclusion:
        watch = self._of_probes(lambda probe: -probe.leader, "a game in which the leader fares worst")
        return self._probed(
            "Is there a runaway leader?",
            "leader",
            "The leader halfway through a game between {players} gets {share} of it in the end.",
            watch,
        )

    def on_kings(self) -> Conclusion:
        watch = self._of_probes(lambda probe: probe.sway, "where a losing seat shifts the most", "sway_at")
        said = "Between {players}, a losing seat shifts {points} percentage points of the others' shares on average."
        return self._probed("Is there kingmaking?", "sway", said, watch)

    def on_choices(self) -> Conclusion:
        watch = self._of_probes(lambda probe: probe.gain, "where a choice matters most", "gain_at")
        said = "Between {players}, the best of a few acts gets {points} percentage points more than the average one."
        return self._probed("Are there real choices?", "gain", said, watch)

    def on_dead(self) -> Conclusion:
        question = "Is there a dead rule or a dead piece?"
        every = [block for blocks in self.inquiry.equal.values() for block in blocks.found]
        if not every:
            return self._unknown(question)
        never = dict.fromkeys(unused(self.game, usage_of(every)), self.inquiry.dead(every))
        blocks = self.inquiry.equal[self.inquiry.strengths[0]]
        for option, tried in self.inquiry.options.items():
            if not any(tried.found):
                never[f"{option} changes nothing"] = Assessment(RARE, estimate_of(tried.found))
                blocks = tried
        surely = {text: claim for text, claim in never.items() if claim.holds}
        games = sum(len(block.rows) for block in every)
        said = f"In {games:,} games: {'; '.join(surely or never) or 'everything was used'}."
        watch = self._watch("any game", every[-1].rows[0])
        if not never:
            used = Estimate(1.0, 1.0, 1.0, "counted", len(every))
            return Conclusion(question, NO, said, {"used": used}, watch=watch)
        return conclude(question, (YES, NO), surely or never, said, self._cost(blocks), watch)

    # Shared by all answers

    @property
    def _equal(self) -> str:
        return f"{100 * self.inquiry.equal_share:.0f} %"

    def _rows(self, name: str) -> list[Row]:
        return [row for one in self.inquiry.equal[name].found for row in one.rows]

    def _probed(self, question: str, figure: str, template: str, watch: Watch | None) -> Conclusion:
        blocks = self.inquiry.equal[self.inquiry.strongest]
        claim = self.inquiry.probed(blocks.found, PROBE_CLAIMS[figure], figure)
        players, share = players_text(self.inquiry.strongest), share_text(claim.estimate)
        said = template.format(players=players, share=share, points=points(claim.estimate))
        return conclude(question, (NO, YES), {figure: claim}, said, self._cost(blocks), watch)

    def _unknown(self, question: str) -> Conclusion:
        return Conclusion(question, UNKNOWN, "No game has finished yet.", games=None, minutes=None)

    def _cost(self, blocks: Blocks) -> Cost:
        games = len(rows_of(blocks.found[0])) if blocks.found else 0
        return Cost(max(1, games), blocks.pace / self.jobs)

    def _watch(self, why: str, row: Row, at: int | None = None) -> Watch:
        return Watch(why, final_state(self.inquiry.plan(self.inquiry.strongest), row).record(), at)

    def _pick(self, rows: Sequence[Row], value: Callable[[Row], float], why: str) -> Watch | None:
        return self._watch(why, max(rows, key=value)) if rows else None

    def _of_probes(self, value: Callable[[Probe], float], why: str, at: str = "") -> Watch | None:
        found = self.inquiry.equal[self.inquiry.strongest].found
        pairs = [pair for block in found for pair in zip(block.rows, block.probes, strict=True)]
        if not pairs:
            return None
        row, probe = max(pairs, key=lambda pair: value(pair[1]))
        return self._watch(why, row, getattr(probe, at) if at else None)


def blocks_for_length(length: Estimate) -> int:
    """The number of further blocks until a length is known well enough."""
    width = length.high - length.low
    if not math.isfinite(width):
        return MAX_BLOCKS_NEEDED
    return math.ceil(length.blocks * ((width / max(MAX_LENGTH_WIDTH, MAX_LENGTH_WIDTH_RATIO * length.value)) ** 2 - 1))
