"""What changes from a game to another one: all questions about a game, asked of two that are played side by side.

Each block is played in both from the same opening and chance, so that little but the rules differs.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.turns import TurnGame
from icetable.lab.answers import NO, UNKNOWN, YES, Conclusion, Cost, Watch, judged, signed, who
from icetable.lab.blocks import Row, final_state
from icetable.lab.comparing import MEASURES, SEATS, check_pair
from icetable.lab.inquiring import (
    BY_TRYING,
    MAX_BLOCKS,
    Inquiry,
    Watched,
    is_unfinished,
    length_of,
    longest_of,
    rows_of,
    seen_in,
    share_of,
    strengths_of,
)
from icetable.lab.intervals import Estimate
from icetable.lab.ladders import share_of_first
from icetable.lab.luck import SOURCES, TOTAL, parts_of
from icetable.lab.probing import unused
from icetable.lab.racing import Blocks, Claim, Weighed, known_of

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.intervals import Reals
    from icetable.lab.plan import Plan

SMALL = 0.05
"""A difference of shares that is no larger is none to speak of; of other figures, such a part of them."""


class Aspect(NamedTuple):
    """A question about two games, and by what figures it is answered: functions that give one of each block.

    Shares of the game are told in points of 100 (`unit` is "%"). Two games differ by at most `most`.
    """

    question: str
    figures: Mapping[str, Callable[[Sequence[Any]], Reals]]
    unit: str = "%"
    most: float = 1.0

    def sides(self, found: Sequence[tuple[Any, Any]], name: str) -> tuple[Reals, Reals]:
        """A figure of each block, in both games."""
        first, second = (np.array(self.figures[name]([pair[side] for pair in found]), float) for side in (0, 1))
        return first, second

    def weigh(self, found: Sequence[tuple[Any, Any]]) -> dict[str, Weighed]:
        """What is known of the differences, and the claim that there is hardly any."""
        return {name: self._weigh(*self.sides(found, name)) for name in self.figures}

    def _weigh(self, first: Reals, second: Reals) -> Weighed:
        apart, claims = second - first, len(self.figures)
        if self.is_alike(apart):
            return Weighed(Claim(0, SMALL), replace(known_of(apart != 0, claims), unit="blocks that differ"))
        small = SMALL if self.unit == "%" or not len(first) else SMALL * abs(float(first.mean()))
        known = known_of(apart, claims, -self.most, self.most)
        return Weighed(Claim(-small, small, (0.0, 0.0)), replace(known, unit=self.unit_of_difference))

    def is_alike(self, apart: Reals) -> bool:
        """Whether all blocks differ by as much, as those of games of a fixed length do: so a mean without limits has no
        interval, and what is told is how many blocks differ.
        """
        return math.isinf(self.most) and len(apart) > 0 and not np.ptp(apart)

    @property
    def unit_of_difference(self) -> str:
        return "difference" if self.unit == "%" else self.unit

    def said(self, found: Sequence[tuple[Any, Any]], names: Sequence[str]) -> str:
        """All figures and their differences in words."""
        factor, digits, unit = (100.0, 0, " %") if self.unit == "%" else (1.0, 1, f" {self.unit}")
        words = []
        for name, told in self.weigh(found).items():
            sides = self.sides(found, name)
            figures = [
                f"{factor * side.mean():.{digits}f}{unit} in {game}" for side, game in zip(sides, names, strict=True)
            ]
            change = signed(told.known, factor, digits, " points" if unit == " %" else "")
            if self.is_alike(sides[1] - sides[0]):
                change = f"{factor * (sides[1] - sides[0])[0]:+.{digits}f} in each of {len(found)} blocks"
            words.append(f"{f'{name} ' if len(self.figures) > 1 else ''}{', '.join(figures)}, {change}")
        return "; ".join(words)


class Topic(NamedTuple):
    """Blocks of two games side by side, who plays them, and what is asked of them."""

    seats: Sequence[str]
    blocks: Blocks
    aspects: Sequence[Aspect]


class Changes:
    """Two games that are played side by side, and the answers that they give. Raises GameError."""

    def __init__(self, first: Plan, second: Plan, jobs: int) -> None:
        check_pair(first, second)
        plans = first, second
        longest = min(longest_of(plan.game) for plan in plans)
        tried = [strengths_of(plan, longest) for plan in plans]
        strengths = tried[0] if tried[0] == tried[1] else min([*tried, BY_TRYING], key=len)
        self.both = [Inquiry(plan, strengths, longest) for plan in plans]
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
            aspects = [*of_equals(self.game), *(OF_PROBES[: 3 if self.game.players > 2 else 2] if is_probed else ())]
            yield self._topic((name,), first.equal[name], second.equal[name], aspects)
        for strong, blocks in first.matches.items():
            weak = first.strengths[first.strengths.index(strong) - 1]
            seats = strong, *[weak] * (self.game.players - 1)
            yield self._topic(seats, blocks, second.matches[strong], [BETTER])
        if first.luck and second.luck:
            has_chance = any(isinstance(one.game, TurnGame) and one.game.has_chance for one in self.both)
            yield self._topic((first.strongest,), first.luck, second.luck, [LUCK if has_chance else LUCK_OF_SEAT])

    def _topic(self, seats: Sequence[str], first: Blocks, second: Blocks, aspects: Sequence[Aspect]) -> Topic:
        play = functools.partial(play_both, first.play, second.play)

        def is_known(found: Sequence[tuple[Any, Any]]) -> bool:
            return all(one.holds is not None for aspect in aspects for one in aspect.weigh(found).values())

        return Topic(seats, Blocks(play, is_known, MAX_BLOCKS, first.weight), aspects)

    def _answer(self, topic: Topic, aspect: Aspect) -> Conclusion:
        found = topic.blocks.found
        players = f"{who(topic.seats[0])} and {who(topic.seats[1])}" if len(topic.seats) > 1 else who(topic.seats[0])
        question = aspect.question.format(players=players)
        if not found:
            return Conclusion(question, UNKNOWN, "No game is finished.", games=None, minutes=None)
        name = next(iter(aspect.figures))
        before, after = aspect.sides(found, name)
        apart = (after - before) * (-1 if (after - before).mean() < 0 else 1)
        watch = self._watch(found[int(apart.argmax())])
        cost = Cost(2 * max(1, len(rows_of(found[0][1]))), topic.blocks.pace / self.jobs)
        return judged(question, (NO, YES), aspect.weigh(found), f"{aspect.said(found, self.names)}.", cost, watch)

    def _watch(self, pair: tuple[Any, Any]) -> Watch | None:
        """A game of the second one in a block; any, where its blocks hold no games."""
        known = (rows_of(one[1]) for one in (pair, *self.topics[0].blocks.found))
        rows = next(filter(None, known), None)
        if rows is None:
            return None
        record = final_state(self.both[1].plan(self.both[1].strongest), rows[0]).record()
        return Watch(f"the game of {self.names[1]} that differs most so", record)

    def _on_dead(self) -> Conclusion:
        """What no game of the one needs, and some of the other do."""
        question = "Is another rule or piece dead?"
        pairs = [pair for topic in self.topics[: len(self.both[0].equal)] for pair in topic.blocks.found]
        if not pairs:
            return Conclusion(question, UNKNOWN, "No game is finished.", games=None, minutes=None)
        dead = [set(unused(one.game, seen_in([pair[at] for pair in pairs]))) for at, one in enumerate(self.both)]
        alone = [f"in {name}, {one}" for at, name in enumerate(self.names) for one in sorted(dead[at] - dead[1 - at])]
        told = dict.fromkeys(alone, self.both[0].dead(pairs))
        said = (
            f"In {2 * len(pairs):,} games: {'; '.join(alone) or 'all that one of them uses, the other one does too'}."
        )
        topic = self.topics[0]
        watch = self._watch(pairs[0])
        if not alone:
            used = Estimate(1.0, 1.0, 1.0, "counted", len(pairs))
            return Conclusion(question, NO, said, {"used": used}, watch=watch)
        return judged(question, (YES, NO), told, said, Cost(2, topic.blocks.pace / self.jobs), watch)


def play_both(first: Callable[[int], Any], second: Callable[[int], Any], block: int) -> tuple[Any, Any]:
    """A block of both games."""
    return first(block), second(block)


def names_of(first: Plan, second: Plan) -> tuple[str, str]:
    """Both games in words: their titles, and the options in which they differ."""
    games = first.game, second.game
    others = [
        [f"{name}={value}" for name, value in one.options.items() if other.options.get(name, value) != value]
        for one, other in (games, games[::-1])
    ]
    one, other = (" ".join([game.info.title, *more]) for game, more in zip(games, others, strict=True))
    return (one, other) if one != other else (f"{one} (a)", f"{other} (b)")


def of_rows(value: Callable[[Row], float]) -> Callable[[Sequence[Any]], Any]:
    """A figure of games as one of each block."""
    return lambda found: [share_of(rows_of(block), value) for block in found]


def of_probes(what: str) -> Callable[[Sequence[Watched]], Any]:
    """What positions of each block tell."""
    return lambda found: [np.mean([getattr(one, what) for one in block.probes]) for block in found]


def of_luck(source: int) -> Callable[[Sequence[Sequence[float]]], Any]:
    """A part of results, as each block tells of it."""
    return lambda found: parts_of(np.array(found)[:, source], np.array(found)[:, TOTAL])


def of_equals(game: Game) -> Iterator[Aspect]:
    """What is asked of games between equal players."""
    yield Aspect("Do more or fewer games between {players} go on without end?", {"endless": of_rows(is_unfinished)})
    if game.players > 1:
        seats = list(SEATS.values())[: game.players if game.players > 2 else 1]
        shares = {f"seat {number}": of_rows(share) for number, share in enumerate(seats, 1)}
        yield Aspect("Does a seat get another share between {players}?", shares)
        shared = {"shared": of_rows(MEASURES["draws"])}
        yield Aspect("Does nobody win alone in more or fewer games between {players}?", shared)
    unit = "turns" if game.info.turns else "minutes"
    yield Aspect("Are games between {players} longer or shorter?", {"length": of_rows(length_of)}, unit, math.inf)
    if game.info.turns:
        choices = {"choice": of_rows(MEASURES["choice"])}
        yield Aspect("Is there more or less to choose from for {players}?", choices, "acts", math.inf)


BETTER = Aspect("Does a better player win more or less ({players})?", {"share": of_rows(share_of_first)})
OF_PROBES = (
    Aspect("Does who leads early get more or less in the end?", {"leader": of_probes("leader")}),
    Aspect("Does more or less hang on a choice?", {"gain": of_probes("gain")}, most=2.0),
    Aspect("Do those who have lost move others more or less?", {"sway": of_probes("sway")}, most=2.0),
)
LUCK = Aspect(
    "Does more or less of a result come from luck?",
    {name: of_luck(source) for source, name in enumerate(SOURCES)},
    most=math.inf,
)
LUCK_OF_SEAT = LUCK._replace(
    question="Does more or less of a result come from the seat?", figures={"seat": LUCK.figures["seat"]}
)
