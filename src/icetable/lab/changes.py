"""All questions about the differences of two games that are played side by side.

Each block is played in both from the same opening and chance, so that little but the rules differs.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.lab.answers import NO, UNKNOWN, YES, Conclusion, Cost, Watch, conclude, players_text, signed
from icetable.lab.blocks import Row, final_state
from icetable.lab.comparing import MEASURES, SEATS, check_pair
from icetable.lab.inquiring import (
    MAX_BLOCKS,
    STRENGTHS_BY_PLAYOUTS,
    STRONGEST_WEIGHT,
    EqualBlock,
    Inquiry,
    is_unfinished,
    length_of,
    rows_of,
    share_of,
    strengths_of,
    try_out,
    usage_of,
)
from icetable.lab.intervals import Estimate
from icetable.lab.ladders import share_of_first
from icetable.lab.luck import SOURCES, TOTAL, parts_of
from icetable.lab.probing import unused
from icetable.lab.racing import Assessment, Blocks, Claim, estimate_of
from icetable.workshop.files import WorkshopInfo, labels_of

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.intervals import Reals
    from icetable.lab.plan import Plan

MAX_SMALL_DIFFERENCE = 0.05
"""Largest negligible difference of shares; relative for other figures."""


class Aspect(NamedTuple):
    """A question about two games, and the figures that answer it: functions that return one value per block.

    Differences of shares are in percentage points (`unit` is "%"). `most`: the largest possible difference.
    """

    question: str
    figures: Mapping[str, Callable[[Sequence[Any]], Reals]]
    unit: str = "%"
    most: float = 1.0

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
    """Blocks of two games side by side, their players, and the questions that they answer."""

    seats: Sequence[str]
    blocks: Blocks
    aspects: Sequence[Aspect]


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
