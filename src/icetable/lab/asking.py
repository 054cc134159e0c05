"""A game by questions: does it end, how long is it, is a seat better, how much is luck – each with an answer.

Every answer rests on intervals that hold however often one looks (`anytime`), so games are played until it is known, or
time is up.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable import games
from icetable.bots.compiling import ensure
from icetable.core.options import short_repr
from icetable.core.errors import GameError
from icetable.core.turns import TurnGame
from icetable.lab.blocks import UNFINISHED, final_state
from icetable.lab.inquiring import PROBED, RARE, Inquiry, Judged, Played, is_split, is_steady, length_of, seen_in, share_of
from icetable.lab.intervals import Estimate, interval, percent
from icetable.lab.measures import limit_of, limit_rule, of_choices
from icetable.lab.plan import Plan
from icetable.lab.probing import slip_of, unused
from icetable.lab.racing import MOST_MORE, Blocks, known_of, play_all, workers_of
from icetable.lab.running import check_sent
from icetable.lab.studies import AMONG, AMONG_RANDOM, on_luck

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.running import Tell

SECONDS = 50.0
"""How long games are played, if not all is known before."""
YES, NO, UNKNOWN = "yes", "no", "can't tell yet"
WHO = {"random": "players who act at random", "greedy": "players who look one act ahead"}
SEARCHERS = {"sims": "players who search {} simulations", "pure": "players who try {} random games before each act"}


class Watch(NamedTuple):
    """A game to watch: why, its record, and the number of acts after which to look; None for all of it."""

    why: str
    record: str
    at: int | None = None


@dataclass(frozen=True)
class Verdict:
    """An answer: "yes", "no", "can't tell yet", or a figure; and what it rests on, in sentences and in figures.

    Where it can't be told yet, so many `games` more may tell, which take so many `minutes`; None where nobody knows.
    """

    question: str
    answer: str
    said: str
    figures: Mapping[str, Estimate] = field(default_factory=dict)
    games: int | None = 0
    minutes: float | None = 0.0
    watch: Watch | None = None

    @property
    def sentence(self) -> str:
        """The whole answer in a line."""
        left = "" if self.answer != UNKNOWN else " (nobody knows how many more games it takes)"
        if self.answer == UNKNOWN and self.games is not None and self.minutes is not None:
            left = f" ({self.games:,} more games, about {max(1, round(self.minutes)):,} minutes)"
        return f"{self.question} {self.answer[0].upper()}{self.answer[1:]}{left}. {self.said}"

    def described(self) -> dict[str, Any]:
        """The verdict as JSON can hold it."""
        figures = {name: one.described() for name, one in self.figures.items()}
        watch = None if self.watch is None else self.watch._asdict()
        content = {"question": self.question, "answer": self.answer, "said": self.said, "sentence": self.sentence}
        return {**content, "figures": figures, "games": self.games, "minutes": self.minutes, "watch": watch}


@dataclass(frozen=True)
class Asked:
    """The answers to all questions about a game, and how long it took to find them."""

    plan: Plan
    verdicts: list[Verdict]
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
) -> Asked:
    """Ask all questions about a game: whether it ends, how long it is, whether a seat is better, how much is luck,
    whether a better player wins, whether a leader runs away, a loser makes a king, a rule or piece is dead, and whether
    choices are real.

    Equal players and unequal ones play until all is known, or for so many `seconds`; what is known by then is told, and
    how many more games may tell the rest. With one of `jobs` a game that is being played is waited for. Raises
    GameError.

    >>> from icetable import lab
    >>> lab.ask("squad", seconds=0).verdicts[0].question
    'Does it end?'
    """
    if not isinstance(seconds, int | float) or not seconds >= 0:
        raise GameError(f"seconds are a number from 0 up, not {short_repr(seconds)}")
    begun = time.monotonic()
    given = {**(options or {}), **({} if players is None else {"players": players})}
    loaded = games.with_options(game, **given)
    ensure(loaded.info)
    plan = Plan(loaded, seats=["random" if loaded.info.turns else "beginner"], seed=seed)
    asked = Inquiry(plan)
    if where is None and jobs > 1:
        check_sent(plan)
    with workers_of(where, jobs) as (executor, at_once):
        play_all(asked.blocks, seconds, executor, at_once, tell)
    answers = Answers(asked, jobs)
    return Asked(plan, list(answers.all()), time.monotonic() - begun)


class Answers:
    """The answers that an inquiry gives."""

    def __init__(self, asked: Inquiry, jobs: int) -> None:
        self.asked, self.game, self.jobs = asked, asked.game, jobs
        self.best = asked.equal[asked.strongest].found or asked.equal[asked.strengths[0]].found
        """The games between the strongest players, if there are any."""
        self.best_name = asked.strongest if asked.equal[asked.strongest].found else asked.strengths[0]

    def all(self) -> Iterator[Verdict]:
        """The answers to all questions, as far as they are known."""
        asked = self.asked
        yield self.on_end()
        yield self.on_length()
        if self.game.players > 1:
            yield from map(self.on_seats, asked.strengths)
            if asked.luck is not None:
                yield self.on_luck(asked.luck)
            yield from (self.on_better(strong, weak) for weak, strong in itertools.pairwise(asked.strengths))
        if asked.is_probed:
            yield self.on_leader()
            if self.game.players > 2:
                yield self.on_kings()
            yield self.on_choices()
        yield self.on_dead()

    def on_end(self) -> Verdict:
        told = {name: self.asked.ends(blocks.found) for name, blocks in self.asked.equal.items()}
        said = []
        for name, one in told.items():
            said.append(f"Between {who(name)} {percent(one.known)} of games had not ended after {self.asked.longest} acts.")
            limited = [share_of(each.rows, self._is_limited) for each in self.asked.equal[name].found]
            if any(limited):
                said.append(f"{percent(known_of(limited))} end only by {limit_of(self.game)}.")
        if self.asked.strengths == ["random"]:
            said.append("Since random games don't end, no others were played.")
        rows = [(row, name) for name, blocks in self.asked.equal.items() for each in blocks.found for row in each.rows]
        longest = max(rows, key=lambda one: len(one[0].seats), default=None)
        watch = longest and self._watch(f"the longest game, between {who(longest[1])}", longest[0], longest[1])
        slow = [name for name in told if told[name].holds is None] or [self.asked.strongest]
        return self._verdict("Does it end?", (YES, NO), told, self.asked.equal[slow[-1]], " ".join(said), watch)

    def _is_limited(self, row: Row) -> bool:
        return row.ended_by not in (UNFINISHED, "") and row.ended_by == limit_rule(self.game)

    def on_length(self) -> Verdict:
        question, unit = "How long is it?", "turns" if self.game.info.turns else "minutes"
        if not self.best:
            return Verdict(question, UNKNOWN, "No game is finished.", games=None, minutes=None)
        digits = 0 if self.game.info.turns else 1
        lengths = {name: self.asked.length(one.found) for name, one in self.asked.equal.items() if one.found}
        said = [f"Half of the games between {who(name)} are longer than {interval(one, digits)} {unit}." for name, one in lengths.items()]
        choices = known_choices(self.best)
        if choices is not None:
            said.append(f"A player chooses among {choices:.0f} acts on average.")
        rows = sorted((row for one in self.best for row in one.rows), key=length_of)
        known = lengths[self.best_name]
        answer = f"{known.value:.{digits}f} {unit}" if is_steady(known) else UNKNOWN
        blocks = self.asked.equal[self.best_name]
        more = 0 if is_steady(known) else 3 * known.blocks
        watch = self._watch("a game of median length", rows[len(rows) // 2], self.best_name)
        return Verdict(question, answer, " ".join(said), lengths, *self._cost(blocks, more), watch=watch)

    def on_seats(self, name: str) -> Verdict:
        blocks = self.asked.equal[name]
        judged = self.asked.seats(blocks.found)
        told = {f"seat {seat + 1}": one for seat, one in enumerate(judged)}
        shares = ", ".join(f"{seat}: {percent(one.known)}" for seat, one in told.items())
        equal = f"{100 / self.game.players:.0f} %"
        drawn = known_of([share_of(one.rows, lambda row: float(max(row.shares) < 1)) for one in blocks.found])
        said = f"Of the game, instead of {equal}, {shares}. Nobody wins alone in {percent(drawn)} of games."
        best = int(np.argmax([one.known.value for one in judged])) if blocks.found else 0
        if len(judged) == 1 and blocks.found and judged[0].known.value < self.asked.equal_share:
            best = 1
        rows = [row for one in blocks.found for row in one.rows]
        watch = self._pick(rows, lambda row: row.shares[best], f"a game that seat {best + 1} wins", name)
        return self._verdict(f"Is a seat better between {who(name)}?", (NO, YES), told, blocks, said, watch)

    def on_luck(self, blocks: Blocks) -> Verdict:
        question = "How much is luck?"
        assert isinstance(self.game, TurnGame)
        if not blocks.found:
            return Verdict(question, UNKNOWN, "No game is finished.", games=None, minutes=None)
        luck = self.asked.split(blocks.found)
        is_known = is_split(self.game, luck)
        said = on_luck(luck, self.game.has_chance, AMONG_RANDOM if slip_of(self.game) == 1 else AMONG)
        answer = UNKNOWN
        if is_known:
            answer = f"{100 * min(max(luck.chance.value, 0), 1):.0f} %" if self.game.has_chance else "none of it"
        figures = {name: one for name, one in luck._asdict().items() if name != "adds_up"}
        rows = [row for one in self.best for row in one.rows]
        watch = self._pick(rows, lambda row: row.seats.count(-1), "a game in which chance acts often", self.best_name)
        more = 0 if is_known else 3 * len(blocks.found)
        return Verdict(question, answer, said, figures, *self._cost(blocks, more), watch=watch)

    def on_better(self, strong: str, weak: str) -> Verdict:
        blocks = self.asked.matches[strong]
        judged = self.asked.better(blocks.found)
        equal = f"{100 * self.asked.equal_share:.0f} %"
        said = f"Of {who(strong)} against {who(weak)}, one gets {percent(judged.known)} of the game, where {equal} is an equal share."
        rows = [row for one in blocks.found for row in one]
        watch = self._pick(rows, lambda row: -row.shares[row.players.index(0)], "the better player's worst game", strong, weak)
        question = f"Does a better player win, {who(strong)} against {who(weak)}?"
        return self._verdict(question, (NO, YES), {"share": judged}, blocks, said, watch)

    def on_leader(self) -> Verdict:
        judged = self._probed("leader")
        said = f"Who leads after half of a game between {who(self.asked.strongest)} gets {percent(judged.known)} of it in the end."
        watch = self._of_probes(lambda one: -one.leader, "a game that its leader does not win")
        return self._verdict("Is there a runaway leader?", (NO, YES), {"leader": judged}, self._strongest, said, watch)

    def on_kings(self) -> Verdict:
        judged = self._probed("sway")
        said = f"In a position between {who(self.asked.strongest)}, a seat that has lost moves {points(judged.known)} points of 100 between the others, on average."
        watch = self._of_probes(lambda one: one.sway, "where a seat that has lost moves most", "sway_at")
        return self._verdict("Does a loser make a king?", (NO, YES), {"sway": judged}, self._strongest, said, watch)

    def on_choices(self) -> Verdict:
        judged = self._probed("gain")
        said = f"In a position between {who(self.asked.strongest)}, the best of a few acts gets {points(judged.known)} points of 100 more than any of them."
        watch = self._of_probes(lambda one: one.gain, "where most hangs on a choice", "gain_at")
        return self._verdict("Are there real choices?", (NO, YES), {"gain": judged}, self._strongest, said, watch)

    def on_dead(self) -> Verdict:
        question = "Is there a dead rule or a dead piece?"
        every = [one for blocks in self.asked.equal.values() for one in blocks.found]
        if not every:
            return Verdict(question, UNKNOWN, "No game is finished.", games=None, minutes=None)
        weakest = self.asked.equal[self.asked.strengths[0]]
        never = unused(self.game, seen_in(every))
        told = {"used": Judged(RARE, known_of([0.0] * len(every)))} if never else {}
        blocks = weakest
        for option, some in self.asked.options.items():
            if some.found and not any(some.found):
                never.append(f"{option} changes nothing")
                told[option], blocks = Judged(RARE, known_of(some.found)), some
        untried = [option for option, some in self.asked.options.items() if not some.found]
        said = f"In {len(every) * len(every[0].rows):,} games: {'; '.join(never)}." if never else "All of the game is used."
        said += f" Not tried: {', '.join(untried)}." if untried else ""
        watch = self._watch("any game", every[0].rows[0], self.asked.strengths[0])
        if not never:
            used = known_of([1.0] * len(every))
            return Verdict(question, UNKNOWN if untried else NO, said, {"used": used}, None, None, watch)
        return self._verdict(question, (YES, NO), told, blocks, said, watch)

    # What all answers need

    @property
    def _strongest(self) -> Blocks:
        return self.asked.equal[self.asked.strongest]

    def _probed(self, what: str) -> Judged:
        return self.asked.probed(self._strongest.found, PROBED[what], what)

    def _verdict(
        self, question: str, answers: tuple[str, str], told: Mapping[str, Judged], blocks: Blocks, said: str, watch: Watch | None
    ) -> Verdict:
        """The first answer where all claims hold, the second one where one surely does not."""
        holding = [one.holds for one in told.values()]
        answer = answers[1] if False in holding else answers[0] if all(holding) else UNKNOWN
        more = max((one.claim.more(one.known) for one in told.values()), default=0) if answer == UNKNOWN else 0
        figures = {name: one.known for name, one in told.items()}
        return Verdict(question, answer, said, figures, *self._cost(blocks, more), watch=watch)

    def _cost(self, blocks: Blocks, more: int) -> tuple[int | None, float | None]:
        """The games of so many blocks, and the minutes that they take; None where nobody knows."""
        if more >= MOST_MORE or not blocks.found:
            return (None, None) if more else (0, 0.0)
        first = blocks.found[0]
        many = len(first.rows) if isinstance(first, Played) else len(first) if isinstance(first, list) and first and not isinstance(first[0], float) else 1
        return more * many, more * blocks.pace / self.jobs / 60

    def _watch(self, why: str, row: Row, *seats: str, at: int | None = None) -> Watch:
        return Watch(why, final_state(self.asked.plan(*self._seated(seats)), row).record(), at)

    def _seated(self, seats: Sequence[str]) -> list[str]:
        return [seats[0], *seats[1:] * (self.game.players - 1)]

    def _pick(self, rows: Sequence[Row], value: Callable[[Row], float], why: str, *seats: str) -> Watch | None:
        return self._watch(why, max(rows, key=value), *seats) if rows else None

    def _of_probes(self, value: Callable[[Any], float], why: str, at: str = "") -> Watch | None:
        pairs = [pair for one in self._strongest.found for pair in zip(one.rows, one.probes, strict=True)]
        if not pairs:
            return None
        row, found = max(pairs, key=lambda pair: value(pair[1]))
        return self._watch(why, row, self.asked.strongest, at=getattr(found, at) if at else None)


def who(name: str) -> str:
    """Players in words."""
    kind, _, number = name.partition(":")
    return WHO.get(name) or SEARCHERS.get(kind, f"{name} bots").format(number)


def points(known: Estimate) -> str:
    """A part of a share with its interval, in points of 100."""
    return f"{100 * known.value:.1f} ({100 * known.low:.1f} to {100 * known.high:.1f})"


def known_choices(found: Sequence[Played]) -> float | None:
    """Among how many acts a player chooses, on average."""
    several = [of_choices(row, np.mean) for one in found for row in one.rows if any(row.choices)]
    return float(np.mean(several)) if several else None
