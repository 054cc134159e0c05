"""Questions about a game: does it end, how long is it, does a seat have an advantage, how much is luck?

The answers use intervals that are valid at all times (`anytime`), so games are played until they are settled or time
is up. Of two games it is asked how they differ: each block is played in both from the same opening and chance, so that
little but the rules differs.
"""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable import games
from icetable.bots.compilation import ensure
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, Game
from icetable.core.options import short_repr
from icetable.lab.claims import (
    MAX_BLOCKS,
    PARTS_OF_GAMES,
    RARE,
    STRENGTHS_BY_PLAYOUTS,
    STRONGEST_WEIGHT,
    EqualBlock,
    Inquiry,
    blocks_for_length,
    blocks_for_luck,
    is_unfinished,
    length_of,
    rows_of,
    share_of,
    strengths_of,
    try_out,
    usage_of,
)
from icetable.lab.comparisons import MEASURES, SEATS, check_pair
from icetable.lab.intervals import Estimate, interval, percent, whole_percent
from icetable.lab.luck import SOURCES, TOTAL, parts_of
from icetable.lab.measures import is_drawn, limit_of, limit_rule, of_choices
from icetable.lab.plan import Plan, Row, final_state, share_of_first
from icetable.lab.runs import check_sent
from icetable.lab.scheduler import (
    MAX_BLOCKS_NEEDED,
    USUAL_BLOCKS,
    Assessment,
    Blocks,
    Claim,
    estimate_of,
    play_all,
    workers_of,
)
from icetable.lab.studies import AMONG, AMONG_RANDOM, on_luck
from icetable.lab.usage import unused
from icetable.workshop.files import WorkshopInfo, labels_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.lab.intervals import Reals
    from icetable.lab.runs import OnProgress
    from icetable.lab.usage import Probe


YES, NO, UNKNOWN = "yes", "no", "can't tell yet"
PLAYERS_IN_WORDS = {"random": "random players", "greedy": "players who look one act ahead"}
SEARCHERS_IN_WORDS = {
    "sims": "players who search with {} simulations",
    "tries": "players who try {} random games per act",
}
DEFAULT_SECONDS = 50.0
MAX_SMALL_DIFFERENCE = 0.05
"""Largest negligible difference of shares; relative for other figures."""


class Watch(NamedTuple):
    """A game to watch."""

    why: str
    """The reason, in a few words."""
    record: str
    """The record of the game."""
    at: int | None = None
    """The number of the act of interest; None for the whole game."""


@dataclass(frozen=True)
class Conclusion:
    """The answer to a question, with its evidence."""

    question: str
    """The question, in a sentence."""
    answer: str
    """"yes", "no", "can't tell yet" or a figure."""
    said: str
    """The evidence, in sentences."""
    figures: Mapping[str, Estimate] = field(default_factory=dict)
    """The evidence in figures, by name."""
    games: int | None = 0
    """The number of games that an open question may still need; 0 if it is settled, None if unknown."""
    minutes: float | None = 0.0
    """The minutes that an open question may still need; 0 if it is settled, None if unknown."""
    watch: Watch | None = None
    """A game that shows it; None if there is none."""

    @property
    def sentence(self) -> str:
        """The whole answer on one line."""
        needed = ""
        if self.answer == UNKNOWN:
            duration = "" if self.minutes is None else f", {minutes_of(self.minutes)}"
            needed = " (nobody knows how many more games it takes)"
            needed = needed if self.games is None else f" ({self.games:,} more games{duration})"
        return f"{self.question} {self.answer[0].upper()}{self.answer[1:]}{needed}. {self.said}"

    def described(self) -> dict[str, Any]:
        """The conclusion as a JSON-able dict."""
        figures = {name: figure.described() for name, figure in self.figures.items()}
        watch = None if self.watch is None else self.watch._asdict()
        content = {"question": self.question, "answer": self.answer, "said": self.said, "sentence": self.sentence}
        return {**content, "figures": figures, "games": self.games, "minutes": self.minutes, "watch": watch}


def minutes_of(minutes: float) -> str:
    """A duration in words."""
    whole = max(1, round(minutes))
    return "about a minute" if whole == 1 else f"about {whole:,} minutes"


def players_text(name: str) -> str:
    """Describe players by their name, in the plural."""
    kind, _, number = name.partition(":")
    return PLAYERS_IN_WORDS.get(name) or SEARCHERS_IN_WORDS.get(kind, f"{name} bots").format(number)


def points(known: Estimate) -> str:
    """A difference of shares with its interval, in percentage points."""
    return f"{100 * known.value:.1f} ({100 * known.low:.1f} to {100 * known.high:.1f})"


def signed(known: Estimate, factor: float = 1.0, digits: int = 0, unit: str = "") -> str:
    """A difference with its interval."""
    low, value, high = (f"{factor * bound:+.{digits}f}" for bound in (known.low, known.value, known.high))
    span = f"{low} to {high}" if math.isfinite(known.high - known.low) else "interval unknown"
    return f"{value}{unit} ({span})"


def share_text(known: Estimate) -> str:
    """A share with its interval, in words, including 0 % and 100 %."""
    if known.blocks and known.value in (0.0, 1.0):
        end = f"at most {100 * known.high:.3g}" if known.value == 0 else f"at least {100 * known.low:.3g}"
        return f"{whole_percent(known.value)}% ({end})"
    return percent(known) if known.blocks else "an unknown share"


def conclude(
    question: str,
    answers: tuple[str, str],
    claims: dict[str, Assessment],
    said: str,
    cost: Cost,
    watch: Watch | None,
    shown: dict[str, Assessment] | None = None,
) -> Conclusion:
    """Give the first answer if all claims hold, the second if one surely does not. `shown`: the claims with a figure,
    by default all.
    """
    holding = [claim.holds for claim in claims.values()]
    answer = answers[1] if False in holding else answers[0] if all(holding) else UNKNOWN
    more = max((claim.more_blocks for claim in claims.values()), default=0) if answer == UNKNOWN else 0
    figures = {name: claim.estimate for name, claim in (shown or claims).items()}
    return Conclusion(question, answer, said, figures, *cost.of(more), watch)


class Cost(NamedTuple):
    """What further blocks cost."""

    games: int
    """The number of games per block."""
    seconds: float
    """The seconds that a block takes; 0 if unknown."""

    def of(self, blocks: int) -> tuple[int | None, float | None]:
        """The games in a number of blocks, and the minutes that they take; None if unknown."""
        if not blocks:
            return 0, 0.0
        if blocks >= MAX_BLOCKS_NEEDED:
            return None, None
        return blocks * self.games, blocks * self.seconds / 60 if self.seconds else None


@dataclass(frozen=True)
class AskResult:
    """The answers to all questions about a game, or about two."""

    title: str
    """The title of the game, or of both."""
    plan: Plan
    """The plan that the questions start from."""
    verdicts: list[Conclusion]
    """The answers, in the order of the questions."""
    seconds: float
    """The seconds that they took."""


def ask(
    game: Game | str | type,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float = DEFAULT_SECONDS,
    seed: int = 0,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
    against: Game | str | type | None = None,
) -> AskResult:
    """Ask all questions about a game: whether it ends, how long it is, whether a seat has an advantage, how much is
    luck, whether the better player wins, whether there is a runaway leader, kingmaking, a dead rule or piece, and
    whether choices are real. With a second game `against`, ask how the two differ in all of that.

    Random players play first, then better ones where a question is about them, until everything is known or the
    `seconds` are up. Questions that are still open then say how many more games and minutes may settle them. With
    `jobs=1` the last game is played to its end. A game for one player is asked about its score instead of seats.
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
        trial = try_out(loaded, seed, seconds)
        left = max(0.0, seconds - (time.monotonic() - started))
        questions = Answers(Inquiry(plan, trial, seconds=left * jobs), jobs)
    else:
        other = against if isinstance(against, Game) else games.with_options(against, players=loaded.players)
        ensure(other.info)
        questions = Changes(plan, plan_of(other, seed), jobs, seconds)
    if executor is None and jobs > 1:
        check_sent(plan)
    with workers_of(executor, jobs) as (executor, pieces):
        left = max(0.0, seconds - (time.monotonic() - started))
        play_all(questions.blocks, left, executor, pieces, on_progress)
    return AskResult(questions.title, plan, list(questions.all()), time.monotonic() - started)


def plan_of(game: Game, seed: int) -> Plan:
    """The plan that an inquiry starts from."""
    return Plan(game, seats=["random" if game.info.turns else "beginner"], seed=seed)


class Answers:
    """The answers that an inquiry gives."""

    def __init__(self, inquiry: Inquiry, jobs: int) -> None:
        self.inquiry, self.game, self.jobs = inquiry, inquiry.game, jobs
        self.title, self.blocks = inquiry.game.info.title, inquiry.blocks

    def all(self) -> Iterator[Conclusion]:
        """The answers to all questions, as far as they are known."""
        yield self.on_end()
        yield self.on_length()
        if self.game.players > 1:
            yield from map(self.on_seats, self.inquiry.strengths)
            if self.inquiry.is_probed:
                yield self.on_luck()
        else:
            yield self.on_score()
        yield from itertools.starmap(self.on_better, itertools.pairwise(self.inquiry.strengths))
        if self.inquiry.is_probed:
            yield self.on_leader()
            if self.game.players > 2:
                yield self.on_kings()
            yield self.on_choices()
        yield self.on_dead()

    def on_end(self) -> Conclusion:
        question, equal = "Does it end?", self.inquiry.equal
        claims = {name: self.inquiry.ends(blocks.found) for name, blocks in equal.items() if blocks.found}
        if not claims:
            return self._open(question, equal[self.inquiry.weakest])
        said = []
        for name, claim in claims.items():
            share, limit = share_text(claim.estimate), f"{self.inquiry.longest:,} acts of players"
            said.append(f"Between {players_text(name)}, {share} of games had not ended after {limit}.")
            limited = [share_of(each.rows, self._is_limited) for each in equal[name].found]
            if any(limited):
                said.append(f"{share_text(estimate_of(limited))} ended only at {limit_of(self.game)}.")
        if self.inquiry.strengths == ["random"]:
            said.append("No other players were tried, as random games don't end.")
        rows = [(row, name) for name in claims for row in self._rows(name)]
        longest, name = max(rows, key=lambda pair: len(pair[0].seats))
        watch = self._watch(f"the longest game, between {players_text(name)}", longest)
        # Games of better players are too slow to wait for, but a surely endless one of theirs counts.
        decisive = {name: claim for name, claim in claims.items() if claim.holds is False} or {
            name: claim for name, claim in claims.items() if claim.holds
        }
        cost = self._cost(equal[self.inquiry.weakest])
        return conclude(question, (YES, NO), decisive or claims, " ".join(said), cost, watch, claims)

    def _is_limited(self, row: Row) -> bool:
        return row.ended_by == limit_rule(self.game)

    def on_length(self) -> Conclusion:
        question, equal = "How long is it?", self.inquiry.equal
        unit, digits = ("turns", 0) if self.game.info.turns else ("minutes", 1)
        lengths = {name: self.inquiry.length(blocks.found) for name, blocks in equal.items() if blocks.found}
        if not lengths:
            return self._open(question, equal[self.inquiry.weakest])
        said = []
        for name, one in lengths.items():
            players, cut_off = players_text(name), f"{self.inquiry.longest:,} acts of players"
            if one.value == math.inf:
                said.append(f"More than half of the games between {players} had not ended after {cut_off}.")
            else:
                said.append(f"Half of the games between {players} take {interval(one, digits)} {unit} or more.")
        name = next((name for name in reversed(lengths) if is_length_known(lengths[name])), self.inquiry.weakest)
        rows = sorted(self._rows(name), key=length_of)
        choices = [of_choices(row, np.mean) for row in rows]
        if any(choices):
            said.append(f"A player chooses from {np.mean(choices):.0f} acts on average.")
        length, answer = lengths[name], UNKNOWN
        if length.low == math.inf:
            answer = f"more than {self.inquiry.longest:,} acts"
        elif is_length_known(length):
            answer = f"{length.value:.{digits}f} {unit}"
        needed = self._cost(equal[name]).of(blocks_for_length(length))
        middle = rows[len(rows) // 2]
        why = "a game that was broken off" if is_unfinished(middle) else "a game of median length"
        return Conclusion(question, answer, " ".join(said), lengths, *needed, self._watch(why, middle))

    def on_seats(self, name: str) -> Conclusion:
        question = f"Does a seat have an advantage between {players_text(name)}?"
        blocks, rows = self.inquiry.equal[name], self._rows(name)
        if not rows:
            return self._open(question, blocks)
        claims = {f"seat {seat + 1}": one for seat, one in enumerate(self.inquiry.seats(blocks.found))}
        shares = ", ".join(f"{seat} {share_text(claim.estimate)}" for seat, claim in claims.items())
        drawn = estimate_of(
            [share_of(block.rows, lambda row: float(is_drawn(self.game, row))) for block in blocks.found]
        )
        said = f"Shares, instead of {self._equal} each: {shares}. No single winner in {share_text(drawn)} of games."
        best = int(np.argmax(np.mean([row.shares for row in rows], axis=0)))
        watch = self._pick(rows, lambda row: row.shares[best], f"a game that seat {best + 1} wins")
        return conclude(question, (NO, YES), claims, said, self._cost(blocks), watch)

    def on_luck(self) -> Conclusion:
        question = "How much is luck?"
        blocks = self.inquiry.luck or self.inquiry.equal[self.inquiry.weakest]
        if not blocks.found:
            return self._open(question, blocks)
        has_chance = self.inquiry.has_chance
        luck = self.inquiry.split(blocks.found) if has_chance else self.inquiry.luck_without_chance(blocks.found)
        is_known, luck = luck.is_known, luck.shares
        figures = {name: getattr(luck, name) for name in SOURCES}
        among = AMONG_RANDOM if self.inquiry.slip == 1 or not has_chance else AMONG
        said = on_luck(luck, has_chance, among)
        if not is_known:
            parts = [
                f"{points(part)}% from {name}"
                for name, part in figures.items()
                if part.high < math.inf and (has_chance or name != "chance")
            ]
            said = (
                f"{among}, so far: {', '.join(parts)}." if parts else f"{len(blocks.found)} games are too few to say."
            )
            said = said if has_chance else f"Nothing is left to chance. {said}"
        answer = f"{whole_percent(luck.chance.value)}%" if is_known else UNKNOWN
        answer = answer if has_chance else "none of it"
        needed = self._cost(blocks).of(blocks_for_luck(luck) if answer == UNKNOWN else 0)
        why = "a game in which chance acts often" if has_chance else "a typical game"
        watch = self._pick(self._rows(self.inquiry.weakest), lambda row: row.seats.count(CHANCE), why)
        return Conclusion(question, answer, said, figures, *needed, watch)

    def on_score(self) -> Conclusion:
        """The points of a single player, or how often the game is won if nobody counts any."""
        blocks, rows = self.inquiry.equal[self.inquiry.weakest], self._rows(self.inquiry.weakest)
        is_scored = any(row.points[0] for row in rows)
        question = "How many points does a player get?" if is_scored or not rows else "How often is it won?"
        if not rows:
            return self._open(question, blocks)
        won = {
            name: estimate_of([share_of(block.rows, lambda row: row.shares[0]) for block in one.found])
            for name, one in self.inquiry.equal.items()
            if one.found
        }
        is_lost = any(share.value < 1 for share in won.values())
        wins = (f"{players_text(name).capitalize()} win {share_text(share)} of games." for name, share in won.items())
        said = list(wins) if is_lost or not is_scored else []
        if not is_scored:
            answer = f"{whole_percent(won[self.inquiry.weakest].value)}%"
            watch = self._pick(rows, lambda row: row.shares[0], "a game of random players, won if any is")
            return Conclusion(question, answer, " ".join(said), won, watch=watch)
        figures = {}
        for name, one in self.inquiry.equal.items():
            if one.found:
                low, median, high = (self.inquiry.score(one.found, part) for part in (0.05, 0.5, 0.95))
                figures[name] = median
                said.append(
                    f"Half of the games of {players_text(name)} end with {interval(median)} points or more, nine of "
                    f"ten with {low.value:.0f} to {high.value:.0f}."
                )
        name = next((name for name in reversed(figures) if is_length_known(figures[name])), self.inquiry.weakest)
        known, blocks = figures[name], self.inquiry.equal[name]
        more = blocks_for_length(known)
        watch = self._pick(rows, lambda row: row.points[0], "the best game of random players")
        needed = self._cost(blocks).of(more)
        return Conclusion(question, UNKNOWN if more else f"{known.value:.0f}", " ".join(said), figures, *needed, watch)

    def on_better(self, weak: str, strong: str) -> Conclusion:
        is_alone = self.game.players == 1
        question = f"Does the better player win ({strong} against {weak})?"
        question = f"Does skill add to the result ({strong} against {weak})?" if is_alone else question
        blocks, against, player = self.inquiry.matches[strong], players_text(weak), players_text(strong)
        if not blocks.found:
            return self._open(question, blocks)
        claim = self.inquiry.better(blocks.found)
        rows = [row for block in blocks.found for row in block]
        if is_alone:
            more = float(np.mean([one.points[0] - other.points[0] for one, other in blocks.found]))
            points = f" They get {more:+.1f} points on average." if any(row.points[0] for row in rows) else ""
            share = share_text(claim.estimate)
            said = f"With the same chance, {player} do better than {against} in {share} of games.{points}"
            rows = [block[0] for block in blocks.found]
        else:
            part = PARTS_OF_GAMES[self.inquiry.part]
            setting = f"In the {part} of random games, against" if part else "Against"
            said = f"{setting} {against}, {player} get {share_text(claim.estimate)} instead of {self._equal}."
        watch = self._pick(rows, lambda row: (-share_of_first(row), -row.points[0]), "the better player's worst game")
        return conclude(question, (NO, YES), {strong: claim}, said, self._cost(blocks), watch)

    def on_leader(self) -> Conclusion:
        said = "The leader halfway through a game between {players} gets {share} of it in the end."
        watch = self._of_probes(
            self.inquiry.leaders, lambda probe: -probe.leader, "a game in which the leader fares worst"
        )
        return self._probed("Is there a runaway leader?", self.inquiry.leaders, "leader", said, watch)

    def on_kings(self) -> Conclusion:
        said = "Between {players}, a losing seat shifts {points} percentage points of the others' shares on average."
        blocks = self.inquiry.choices
        watch = self._of_probes(blocks, lambda probe: probe.sway, "where a losing seat shifts the most", "sway_at")
        return self._probed("Is there kingmaking?", blocks, "sway", said, watch)

    def on_choices(self) -> Conclusion:
        """A better player who wins shows that choices are real, since nothing else is better about it."""
        said = "Between {players}, the best of a few acts gets {points} percentage points more than the average one."
        blocks, better = self.inquiry.choices, self.inquiry.better
        watch = self._of_probes(blocks, lambda probe: probe.gain, "where a choice matters most", "gain_at")
        found = self._probed("Are there real choices?", blocks, "gain", said, watch)
        matches = {name: better(run.found) for name, run in self.inquiry.matches.items() if run.found}
        shown = next((name for name, claim in matches.items() if claim.holds is False), None)
        if shown is None or found.answer == YES:
            return found
        said = f"Better acts win: {players_text(shown)} get more than their share."
        watch = watch or self._pick(self.inquiry.matches[shown].found[0], share_of_first, "a game of a better player")
        return Conclusion(found.question, YES, said, {shown: matches[shown].estimate}, watch=watch)

    def on_dead(self) -> Conclusion:
        question = "Is there a dead rule or a dead piece?"
        blocks = self.inquiry.usage or self.inquiry.equal[self.inquiry.weakest]
        runs = [blocks, *self.inquiry.equal.values()]
        every = [block for run in dict.fromkeys(runs) for block in run.found if block.usage or not self.inquiry.usage]
        if not every:
            return self._open(question, blocks)
        never = dict.fromkeys(unused(self.game, usage_of(every)), self.inquiry.dead(every))
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
        return f"{whole_percent(self.inquiry.equal_share)}%"

    def _rows(self, name: str) -> list[Row]:
        return [row for one in self.inquiry.equal[name].found for row in one.rows]

    def _probed(self, question: str, blocks: Blocks, figure: str, template: str, watch: Watch | None) -> Conclusion:
        if not blocks.found:
            return self._open(question, blocks)
        claim = self.inquiry.probed(blocks.found, figure)
        players, share = players_text(self.inquiry.probed_players), share_text(claim.estimate)
        said = template.format(players=players, share=share, points=points(claim.estimate))
        return conclude(question, (NO, YES), {figure: claim}, said, self._cost(blocks), watch)

    def _open(self, question: str, blocks: Blocks) -> Conclusion:
        """A question of which no game has been played."""
        needed = self._cost(blocks).of(USUAL_BLOCKS) if blocks.pace else (None, None)
        return Conclusion(question, UNKNOWN, "No game has finished yet.", {}, *needed)

    def _cost(self, blocks: Blocks) -> Cost:
        games = len(rows_of(blocks.found[0])) if blocks.found else 0
        return Cost(max(1, games), blocks.pace / self.jobs)

    def _watch(self, why: str, row: Row, at: int | None = None) -> Watch:
        return Watch(why, final_state(self.inquiry.plan(self.inquiry.strongest), row).record(), at)

    def _pick(self, rows: Sequence[Row], value: Callable[[Row], Any], why: str) -> Watch | None:
        return self._watch(why, max(rows, key=value)) if rows else None

    def _of_probes(self, blocks: Blocks, value: Callable[[Probe], float], why: str, at: str = "") -> Watch | None:
        pairs = [pair for block in blocks.found for pair in zip(block.rows, block.probes, strict=True)]
        if not pairs:
            return None
        row, probe = max(pairs, key=lambda pair: value(pair[1]))
        return self._watch(why, row, getattr(probe, at) if at else None)


def is_length_known(length: Estimate) -> bool:
    return blocks_for_length(length) == 0


class Aspect(NamedTuple):
    """A question about two games, and the figures that answer it."""

    question: str
    """The question, with room for the players."""
    figures: Mapping[str, Callable[[Sequence[Any]], Reals]]
    """The figures by name: functions that return one value per block."""
    unit: str = "%"
    """The unit of the figures; differences of shares, "%", are in percentage points."""
    most: float = 1.0
    """The largest possible difference."""

    def sides(self, found: Sequence[tuple[Any, Any]], name: str) -> tuple[Reals, Reals]:
        """The values of a figure by block, for both games."""
        first, second = (np.array(self.figures[name]([pair[side] for pair in found]), float) for side in (0, 1))
        return first, second

    def assess(self, found: Sequence[tuple[Any, Any]]) -> dict[str, Assessment]:
        """Assess the claims that differences are negligible."""
        return {name: self._assess(*self.sides(found, name)) for name in self.figures}

    def _assess(self, first: Reals, second: Reals) -> Assessment:
        differences, claims = second - first, len(self.figures)
        if self.is_constant(differences):
            estimate = estimate_of(differences != 0, claims)
            return Assessment(Claim(0, MAX_SMALL_DIFFERENCE), replace(estimate, unit="blocks that differ"))
        relative = self.unit != "%" and len(first)
        small = MAX_SMALL_DIFFERENCE * abs(float(first.mean())) if relative else MAX_SMALL_DIFFERENCE
        estimate = estimate_of(differences, claims, -self.most, self.most)
        return Assessment(Claim(-small, small, (0.0, 0.0)), replace(estimate, unit=self.unit_of_difference))

    def is_constant(self, differences: Reals) -> bool:
        """Whether the difference is the same in all blocks, as with games of a fixed length.

        An unbounded mean has no interval then, so the share of blocks that differ is estimated instead.
        """
        return math.isinf(self.most) and len(differences) > 0 and not np.ptp(differences)

    @property
    def unit_of_difference(self) -> str:
        return "difference" if self.unit == "%" else self.unit

    def in_words(self, found: Sequence[tuple[Any, Any]], names: Sequence[str]) -> str:
        """All figures and their differences in words."""
        factor, digits, unit = (100.0, 0, "%") if self.unit == "%" else (1.0, 1, f" {self.unit}")
        words = []
        for name, assessment in self.assess(found).items():
            sides = self.sides(found, name)
            figures = [
                f"{factor * side.mean():.{digits}f}{unit} in {game}" for side, game in zip(sides, names, strict=True)
            ]
            change = signed(assessment.estimate, factor, digits, " points" if unit == "%" else "")
            if self.is_constant(sides[1] - sides[0]):
                change = f"{factor * (sides[1] - sides[0])[0]:+.{digits}f} in each of {len(found)} blocks"
            words.append(f"{f'{name} ' if len(self.figures) > 1 else ''}{', '.join(figures)}, {change}")
        return "; ".join(words)


class Topic(NamedTuple):
    """Blocks of two games side by side."""

    seats: Sequence[str]
    """The names of their players."""
    blocks: Blocks
    """The blocks, each with the games of both."""
    aspects: Sequence[Aspect]
    """The questions that they answer."""


class Changes:
    """Two games that are played side by side, and the answers about their differences. Raises GameError."""

    def __init__(self, first: Plan, second: Plan, jobs: int, seconds: float) -> None:
        check_pair(first, second)
        plans = first, second
        trials = [try_out(plan.game, plan.seed, seconds) for plan in plans]
        longest = max(trial.longest for trial in trials)
        both = [strengths_of(plan.game, trial) for plan, trial in zip(plans, trials, strict=True)]
        strengths = both[0] if both[0] == both[1] else min([*both, STRENGTHS_BY_PLAYOUTS], key=len)
        self.both = [
            Inquiry(plan, trial._replace(longest=longest), strengths) for plan, trial in zip(plans, trials, strict=True)
        ]
        self.names, self.jobs, self.game = names_of(first, second), jobs, second.game
        self.title = " and ".join(self.names)
        self.topics = list(self._topics())
        self.blocks = [topic.blocks for topic in self.topics]

    def all(self) -> Iterator[Conclusion]:
        """The answers to all questions, as far as they are known."""
        for topic in self.topics:
            for aspect in topic.aspects:
                yield self._answer(topic, aspect)
        yield self._on_dead()

    def _topics(self) -> Iterator[Topic]:
        first, second = self.both
        for name in first.strengths:
            is_probed = first.is_probed and name == first.strongest
            aspects = [*equal_aspects(self.game), *(PROBES[: 3 if self.game.players > 2 else 2] if is_probed else ())]
            weight = STRONGEST_WEIGHT if is_probed else 2
            yield self._topic((name,), first.play_of(name), second.play_of(name), aspects, weight)
        for strong, blocks in first.matches.items() if self.game.players > 1 else ():
            weak = first.strengths[first.strengths.index(strong) - 1]
            seats = strong, *[weak] * (self.game.players - 1)
            yield self._topic(seats, blocks.play, second.matches[strong].play, [BETTER])
        if first.is_probed:
            aspect = LUCK if any(inquiry.has_chance for inquiry in self.both) else LUCK_OF_SEAT
            yield self._topic((first.strongest,), first.play_of_luck, second.play_of_luck, [aspect])

    def _topic(
        self,
        seats: Sequence[str],
        first: Callable[[int], Any],
        second: Callable[[int], Any],
        aspects: Sequence[Aspect],
        weight: int = 1,
    ) -> Topic:
        play = functools.partial(play_both, first, second)

        def is_known(found: Sequence[tuple[Any, Any]]) -> bool:
            return all(claim.holds is not None for aspect in aspects for claim in aspect.assess(found).values())

        return Topic(seats, Blocks(play, is_known, MAX_BLOCKS, weight), aspects)

    def _answer(self, topic: Topic, aspect: Aspect) -> Conclusion:
        found = topic.blocks.found
        players = " and ".join(map(players_text, topic.seats[:2]))
        question = aspect.question.format(players=players)
        if not found:
            return Conclusion(question, UNKNOWN, "No game has finished yet.", games=None, minutes=None)
        name = next(iter(aspect.figures))
        before, after = aspect.sides(found, name)
        differences = (after - before) * (-1 if (after - before).mean() < 0 else 1)
        watch = self._watch(found[int(differences.argmax())])
        cost = Cost(2 * max(1, len(rows_of(found[0][1]))), topic.blocks.pace / self.jobs)
        said = f"{aspect.in_words(found, self.names)}."
        return conclude(question, (NO, YES), aspect.assess(found), said, cost, watch)

    def _watch(self, pair: tuple[Any, Any]) -> Watch | None:
        """A game of the second design from this block, or from another one if this block stores no games."""
        blocks = (rows_of(block[1]) for block in (pair, *self.topics[0].blocks.found))
        rows = next(filter(None, blocks), None)
        if rows is None:
            return None
        record = final_state(self.both[1].plan(self.both[1].strongest), rows[0]).record()
        return Watch(f"the game of {self.names[1]} with the largest difference", record)

    def _on_dead(self) -> Conclusion:
        """Whether one of them has dead rules or pieces that the other one uses."""
        question = "Are different rules or pieces dead?"
        pairs = [pair for topic in self.topics[: len(self.both[0].equal)] for pair in topic.blocks.found]
        if not pairs:
            return Conclusion(question, UNKNOWN, "No game has finished yet.", games=None, minutes=None)
        dead = [set(unused(side.game, usage_of([pair[at] for pair in pairs]))) for at, side in enumerate(self.both)]
        alone = [f"in {name}, {text}" for at, name in enumerate(self.names) for text in sorted(dead[at] - dead[1 - at])]
        claims = dict.fromkeys(alone, self.both[0].dead(pairs))
        said = f"In {2 * len(pairs):,} games: {'; '.join(alone) or 'both use the same rules and pieces'}."
        topic = self.topics[0]
        watch = self._watch(pairs[0])
        if not alone:
            used = Estimate(1.0, 1.0, 1.0, "counted", len(pairs))
            return Conclusion(question, NO, said, {"used": used}, watch=watch)
        return conclude(question, (YES, NO), claims, said, Cost(2, topic.blocks.pace / self.jobs), watch)


def play_both(first: Callable[[int], Any], second: Callable[[int], Any], block: int) -> tuple[Any, Any]:
    return first(block), second(block)


def names_of(first: Plan, second: Plan) -> tuple[str, str]:
    """Names for both games: their titles, the options in which they differ, and their files if nothing else does."""
    games = first.game, second.game
    others = [
        [f"{name}={value}" for name, value in one.options.items() if other.options.get(name, value) != value]
        for one, other in (games, games[::-1])
    ]
    one, other = (" ".join([game.info.title, *more]) for game, more in zip(games, others, strict=True))
    infos = (game.info for game in games)
    files = [info.file for info in infos if isinstance(info, WorkshopInfo) and info.is_file and info.path]
    a, b = labels_of(files) if len(set(files)) == len(games) else "ab"
    return (one, other) if one != other else (f"{one} ({a})", f"{other} ({b})")


def of_rows(value: Callable[[Row], float]) -> Callable[[Sequence[Any]], Any]:
    """A figure of blocks: the mean of a figure of games."""
    return lambda found: [share_of(rows_of(block), value) for block in found]


def of_probes(figure: str) -> Callable[[Sequence[EqualBlock]], Any]:
    """A figure of blocks: the mean of a figure of probes."""
    return lambda found: [np.mean([getattr(probe, figure) for probe in block.probes]) for block in found]


def of_luck(source: int) -> Callable[[Sequence[Sequence[float]]], Any]:
    """A figure of blocks: the part of results that comes from a source."""
    return lambda found: parts_of(np.array(found)[:, source], np.array(found)[:, TOTAL])


def equal_aspects(game: Game) -> Iterator[Aspect]:
    """The questions about games between equal players."""
    yield Aspect("Between {players}, do more or fewer games never end?", {"endless": of_rows(is_unfinished)})
    if game.players > 1:
        seats = list(SEATS.values())[: game.players if game.players > 2 else 1]
        shares = {f"seat {number}": of_rows(functools.partial(share, game)) for number, share in enumerate(seats, 1)}
        yield Aspect("Between {players}, do the seats' shares change?", shares)
        shared = {"shared": of_rows(functools.partial(MEASURES["draws"], game))}
        yield Aspect("Between {players}, do more or fewer games have no single winner?", shared)
    unit = "turns" if game.info.turns else "minutes"
    yield Aspect("Between {players}, are games longer or shorter?", {"length": of_rows(length_of)}, unit, math.inf)
    if game.info.turns:
        choices = {"choice": of_rows(functools.partial(MEASURES["choice"], game))}
        yield Aspect("Between {players}, is there more or less to choose from?", choices, "acts", math.inf)


BETTER = Aspect("Does the better player win more or less often ({players})?", {"share": of_rows(share_of_first)})
PROBES = (
    Aspect("Does the early leader end up with more or less?", {"leader": of_probes("leader")}),
    Aspect("Do choices matter more or less?", {"gain": of_probes("gain")}, most=2.0),
    Aspect("Is there more or less kingmaking?", {"sway": of_probes("sway")}, most=2.0),
)
LUCK = Aspect(
    "Does more or less of the result come from luck?",
    {name: of_luck(source) for source, name in enumerate(SOURCES)},
    most=math.inf,
)
LUCK_OF_SEAT = LUCK._replace(
    question="Does more or less of the result come from the seat?", figures={"seat": LUCK.figures["seat"]}
)
