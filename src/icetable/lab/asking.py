"""A game by questions: does it end, how long is it, is a seat better, how much is luck? Each has an answer.

Every answer rests on intervals that hold however often one looks (`anytime`), so games are played until it is known, or
time is up.
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
from icetable.lab.answers import NO, UNKNOWN, YES, Conclusion, Cost, Watch, judged, part, points, who
from icetable.lab.blocks import final_state
from icetable.lab.changes import Changes
from icetable.lab.inquiring import (
    PROBED,
    RARE,
    SHORTEST,
    STEADY,
    Inquiry,
    is_split,
    is_steady,
    length_of,
    rows_of,
    seen_in,
    share_of,
)
from icetable.lab.intervals import Estimate, interval
from icetable.lab.ladders import share_of_first
from icetable.lab.luck import SOURCES
from icetable.lab.measures import limit_of, limit_rule, of_choices
from icetable.lab.plan import Plan
from icetable.lab.probing import unused
from icetable.lab.racing import MAX_MORE, Blocks, Weighed, known_of, play_all, workers_of
from icetable.lab.running import check_sent
from icetable.lab.studies import AMONG, AMONG_RANDOM, on_luck

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from icetable.lab.blocks import Row
    from icetable.lab.probing import Probe
    from icetable.lab.running import Tell

SECONDS = 50.0
"""How long games are played, if not all is known before."""


@dataclass(frozen=True)
class Asked:
    """The answers to all questions about a game, or about two of them, and how long it took to find them."""

    title: str
    plan: Plan
    verdicts: list[Conclusion]
    seconds: float


def ask(
    game: Game | str | type,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
    where: Executor | None = None,
    jobs: int = 1,
    tell: Tell | None = None,
    against: Game | str | type | None = None,
) -> Asked:
    """Ask all questions about a game: whether it ends, how long it is, whether a seat is better, how much is luck,
    whether a better player wins, whether a leader runs away, a loser makes a king, a rule or piece is dead, and whether
    choices are real. With a game `against` it, ask whether any of that is otherwise there.

    Equal players and unequal ones play until all is known, or for so many `seconds`; what is known by then is told, and
    how many more games may tell the rest. With one of `jobs` a game that is being played is waited for. Raises
    GameError.

    >>> from icetable import lab
    >>> lab.ask("squad", seconds=0).verdicts[0].question
    'Does it end?'
    """
    if not seconds >= 0:
        raise GameError(f"seconds are a number from 0 up, not {short_repr(seconds)}")
    begun = time.monotonic()
    given = {**(options or {}), **({} if players is None else {"players": players})}
    loaded = games.with_options(game, **given)
    ensure(loaded.info)
    plan = plan_of(loaded, seed)
    asked: Answers | Changes
    if against is None:
        asked = Answers(Inquiry(plan), jobs)
    else:
        other = against if isinstance(against, Game) else games.with_options(against, players=loaded.players)
        ensure(other.info)
        asked = Changes(plan, plan_of(other, seed), jobs)
    if where is None and jobs > 1:
        check_sent(plan)
    with workers_of(where, jobs) as (executor, at_once):
        play_all(asked.blocks, seconds, executor, at_once, tell)
    return Asked(asked.title, plan, list(asked.all()), time.monotonic() - begun)


def plan_of(game: Game, seed: int) -> Plan:
    """The plan that an inquiry begins with."""
    return Plan(game, seats=["random" if game.info.turns else "beginner"], seed=seed)


class Answers:
    """The answers that an inquiry gives."""

    def __init__(self, asked: Inquiry, jobs: int) -> None:
        self.asked, self.game, self.jobs = asked, asked.game, jobs
        self.title, self.blocks = asked.game.info.title, asked.blocks

    @property
    def best(self) -> str:
        """The strongest players of whom there are games."""
        return next((name for name in reversed(self.asked.strengths) if self._rows(name)), self.asked.strongest)

    def all(self) -> Iterator[Conclusion]:
        """The answers to all questions, as far as they are known."""
        yield self.on_end()
        yield self.on_length()
        if self.game.players > 1:
            yield from map(self.on_seats, self.asked.strengths)
            if self.asked.luck is not None:
                yield self.on_luck(self.asked.luck)
            yield from itertools.starmap(self.on_better, itertools.pairwise(self.asked.strengths))
        if self.asked.is_probed:
            yield self.on_leader()
            if self.game.players > 2:
                yield self.on_kings()
            yield self.on_choices()
        yield self.on_dead()

    def on_end(self) -> Conclusion:
        """Whether games end."""
        told = {name: self.asked.ends(blocks.found) for name, blocks in self.asked.equal.items()}
        said = []
        for name, one in told.items():
            said.append(
                f"Between {who(name)} {part(one.known)} of games had not ended after {self.asked.longest} acts."
            )
            limited = [share_of(each.rows, self._is_limited) for each in self.asked.equal[name].found]
            if any(limited):
                said.append(f"{part(known_of(limited))} end only by {limit_of(self.game)}.")
        if self.asked.strengths == ["random"]:
            said.append("As random games don't end, no others were played.")
        rows = [(row, name) for name in told for row in self._rows(name)]
        longest = max(rows, key=lambda one: len(one[0].seats), default=None)
        watch = None if longest is None else self._watch(f"the longest game, between {who(longest[1])}", longest[0])
        slow = next((name for name in reversed(told) if told[name].holds is None), self.asked.strongest)
        return judged("Does it end?", (YES, NO), told, " ".join(said), self._cost(self.asked.equal[slow]), watch)

    def _is_limited(self, row: Row) -> bool:
        return row.ended_by == limit_rule(self.game)

    def on_length(self) -> Conclusion:
        """How long games are."""
        unit, digits = ("turns", 0) if self.game.info.turns else ("minutes", 1)
        lengths = {name: self.asked.length(one.found) for name, one in self.asked.equal.items() if one.found}
        rows = sorted(self._rows(self.best), key=length_of)
        if not rows:
            return self._unknown("How long is it?")
        said = [
            f"Half of the games between {who(name)} take {interval(one, digits)} {unit} or more."
            for name, one in lengths.items()
        ]
        choices = [of_choices(row, np.mean) for row in rows]
        if any(choices):
            said.append(f"A player chooses among {np.mean(choices):.0f} acts on average.")
        known = lengths[self.best]
        answer = f"{known.value:.{digits}f} {unit}" if is_steady(known) else UNKNOWN
        left = self._cost(self.asked.equal[self.best]).of(0 if is_steady(known) else more_for_length(known))
        watch = self._watch("a game of median length", rows[len(rows) // 2])
        return Conclusion("How long is it?", answer, " ".join(said), lengths, *left, watch)

    def on_seats(self, name: str) -> Conclusion:
        """Whether a seat is better between players of a strength."""
        blocks, rows = self.asked.equal[name], self._rows(name)
        told = {f"seat {seat + 1}": one for seat, one in enumerate(self.asked.seats(blocks.found))}
        shares = ", ".join(f"{seat} {part(one.known)}" for seat, one in told.items())
        drawn = known_of([share_of(one.rows, lambda row: float(max(row.shares) < 1)) for one in blocks.found])
        said = f"Of the game, instead of {self._equal}: {shares}. Nobody wins alone in {part(drawn)} of games."
        best = int(np.argmax(np.mean([row.shares for row in rows], axis=0))) if rows else 0
        watch = self._pick(rows, lambda row: row.shares[best], f"a game that seat {best + 1} wins")
        return judged(f"Is a seat better between {who(name)}?", (NO, YES), told, said, self._cost(blocks), watch)

    def on_luck(self, blocks: Blocks) -> Conclusion:
        """How much of a result is luck, and where it comes from."""
        question = "How much is luck?"
        if not blocks.found:
            return self._unknown(question)
        assert isinstance(self.game, TurnGame)
        luck = self.asked.split(blocks.found)
        is_known, figures = is_split(self.game, luck), {name: getattr(luck, name) for name in SOURCES}
        among = AMONG_RANDOM if self.asked.slip == 1 else AMONG
        said = on_luck(luck, self.game.has_chance, among)
        if not is_known:
            so_far = ", ".join(f"{points(one)} % from {name}" for name, one in figures.items() if one.high < math.inf)
            said = f"{among}, so far: {so_far}." if so_far else said
        chance = f"{100 * min(max(luck.chance.value, 0), 1):.0f} %" if self.game.has_chance else "none of it"
        answer = chance if is_known else UNKNOWN
        left = self._cost(blocks).of(0 if is_known else 3 * len(blocks.found))
        why = "a game in which chance acts often" if self.game.has_chance else "a game like others"
        watch = self._pick(self._rows(self.best), lambda row: row.seats.count(CHANCE), why)
        return Conclusion(question, answer, said, figures, *left, watch)

    def on_better(self, weak: str, strong: str) -> Conclusion:
        """Whether a player who thinks more wins more."""
        blocks = self.asked.matches[strong]
        told = self.asked.better(blocks.found)
        said = f"One of {who(strong)} gets {part(told.known)} against {who(weak)}, instead of {self._equal}."
        rows = [row for one in blocks.found for row in one]
        watch = self._pick(rows, lambda row: -share_of_first(row), "the better player's worst game")
        question = f"Does a better player win ({strong} against {weak})?"
        return judged(question, (NO, YES), {strong: told}, said, self._cost(blocks), watch)

    def on_leader(self) -> Conclusion:
        """Whether who leads early wins nearly always."""
        watch = self._of_probes(lambda one: -one.leader, "a game that its leader wins the least")
        return self._probed(
            "Is there a runaway leader?",
            "leader",
            "Who leads after half of a game between {who} gets {part} of it in the end.",
            watch,
        )

    def on_kings(self) -> Conclusion:
        """Whether those who have lost decide who wins."""
        watch = self._of_probes(lambda one: one.sway, "where a seat that has lost moves most", "sway_at")
        said = "In a position between {who} a seat that has lost moves {points} of 100 points between others."
        return self._probed("Does a loser make a king?", "sway", said, watch)

    def on_choices(self) -> Conclusion:
        """Whether it matters what a player does."""
        watch = self._of_probes(lambda one: one.gain, "where most hangs on a choice", "gain_at")
        said = "In a position between {who} the best of a few acts gets {points} of 100 points more than any of them."
        return self._probed("Are there real choices?", "gain", said, watch)

    def on_dead(self) -> Conclusion:
        """Whether there is a rule or a piece that no game needs."""
        question = "Is there a dead rule or a dead piece?"
        every = [one for blocks in self.asked.equal.values() for one in blocks.found]
        if not every:
            return self._unknown(question)
        never = dict.fromkeys(unused(self.game, seen_in(every)), self.asked.dead(every))
        blocks = self.asked.equal[self.asked.strengths[0]]
        for option, tried in self.asked.options.items():
            if not any(tried.found):
                never[f"{option} changes nothing"] = Weighed(RARE, known_of(tried.found))
                blocks = tried
        surely = {what: one for what, one in never.items() if one.holds}
        games = sum(len(one.rows) for one in every)
        said = (
            f"In {games:,} games {'; '.join(surely or never)}." if never else f"In {games:,} games all of it is used."
        )
        watch = self._watch("any game", every[-1].rows[0])
        if not never:
            used = Estimate(1.0, 1.0, 1.0, "counted", len(every))
            return Conclusion(question, NO, said, {"used": used}, watch=watch)
        return judged(question, (YES, NO), surely or never, said, self._cost(blocks), watch)

    # What all answers need

    @property
    def _equal(self) -> str:
        return f"{100 * self.asked.equal_share:.0f} %"

    def _rows(self, name: str) -> list[Row]:
        return [row for one in self.asked.equal[name].found for row in one.rows]

    def _probed(self, question: str, what: str, said: str, watch: Watch | None) -> Conclusion:
        blocks = self.asked.equal[self.asked.strongest]
        told = self.asked.probed(blocks.found, PROBED[what], what)
        words = said.format(who=who(self.asked.strongest), part=part(told.known), points=points(told.known))
        return judged(question, (NO, YES), {what: told}, words, self._cost(blocks), watch)

    def _unknown(self, question: str) -> Conclusion:
        return Conclusion(question, UNKNOWN, "No game is finished.", games=None, minutes=None)

    def _cost(self, blocks: Blocks) -> Cost:
        games = len(rows_of(blocks.found[0])) if blocks.found else 0
        return Cost(max(1, games), blocks.pace / self.jobs)

    def _watch(self, why: str, row: Row, at: int | None = None) -> Watch:
        return Watch(why, final_state(self.asked.plan(self.asked.strongest), row).record(), at)

    def _pick(self, rows: Sequence[Row], value: Callable[[Row], float], why: str) -> Watch | None:
        return self._watch(why, max(rows, key=value)) if rows else None

    def _of_probes(self, value: Callable[[Probe], float], why: str, at: str = "") -> Watch | None:
        found = self.asked.equal[self.asked.strongest].found
        pairs = [pair for one in found for pair in zip(one.rows, one.probes, strict=True)]
        if not pairs:
            return None
        row, told = max(pairs, key=lambda pair: value(pair[1]))
        return self._watch(why, row, getattr(told, at) if at else None)


def more_for_length(known: Estimate) -> int:
    """How many more blocks a length needs."""
    wide = known.high - known.low
    if not math.isfinite(wide):
        return MAX_MORE
    return math.ceil(known.blocks * ((wide / max(SHORTEST, STEADY * known.value)) ** 2 - 1))
