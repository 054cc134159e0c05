"""What answers to questions are: a verdict, what it rests on, and a game to watch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.lab.intervals import percent
from icetable.lab.racing import MAX_MORE

if TYPE_CHECKING:
    from icetable.lab.intervals import Estimate
    from icetable.lab.racing import Weighed

YES, NO, UNKNOWN = "yes", "no", "can't tell yet"
WHO = {"random": "random players", "greedy": "players who look one act ahead"}
SEARCHERS = {"sims": "players who search {} simulations", "tries": "players who try {} random games an act"}


class Watch(NamedTuple):
    """A game to watch: why, its record, and the number of acts after which to look; None for all of it."""

    why: str
    record: str
    at: int | None = None


@dataclass(frozen=True)
class Conclusion:
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
        left = ""
        if self.answer == UNKNOWN:
            how_long = "" if self.minutes is None else f", {minutes_of(self.minutes)}"
            left = " (nobody knows how many more games it takes)"
            left = left if self.games is None else f" ({self.games:,} more games{how_long})"
        return f"{self.question} {self.answer[0].upper()}{self.answer[1:]}{left}. {self.said}"

    def described(self) -> dict[str, Any]:
        """The verdict as JSON can hold it."""
        figures = {name: one.described() for name, one in self.figures.items()}
        watch = None if self.watch is None else self.watch._asdict()
        content = {"question": self.question, "answer": self.answer, "said": self.said, "sentence": self.sentence}
        return {**content, "figures": figures, "games": self.games, "minutes": self.minutes, "watch": watch}


def minutes_of(minutes: float) -> str:
    """A time in words."""
    whole = max(1, round(minutes))
    return "about a minute" if whole == 1 else f"about {whole:,} minutes"


def who(name: str) -> str:
    """Players in words."""
    kind, _, number = name.partition(":")
    return WHO.get(name) or SEARCHERS.get(kind, f"{name} bots").format(number)


def points(known: Estimate) -> str:
    """A part of a share with its interval, in points of 100."""
    return f"{100 * known.value:.1f} ({100 * known.low:.1f} to {100 * known.high:.1f})"


def signed(known: Estimate, factor: float = 1.0, digits: int = 0, unit: str = "") -> str:
    """A difference with its interval."""
    low, value, high = (f"{factor * one:+.{digits}f}" for one in (known.low, known.value, known.high))
    span = f"{low} to {high}" if math.isfinite(known.high - known.low) else "how surely can't be told"
    return f"{value}{unit} ({span})"


def part(known: Estimate) -> str:
    """A part with its interval, in words; also of what never or always happens."""
    if known.blocks and known.value in (0.0, 1.0):
        end = f"at most {100 * known.high:.3g}" if known.value == 0 else f"at least {100 * known.low:.3g}"
        return f"{100 * known.value:.0f} % ({end})"
    return percent(known) if known.blocks else "an unknown part"


def judged(
    question: str, answers: tuple[str, str], told: Mapping[str, Weighed], said: str, cost: Cost, watch: Watch | None
) -> Conclusion:
    """The first answer where all claims hold, the second one where one surely does not."""
    holding = [one.holds for one in told.values()]
    answer = answers[1] if False in holding else answers[0] if all(holding) else UNKNOWN
    more = max((one.claim.more(one.known) for one in told.values()), default=0) if answer == UNKNOWN else 0
    return Conclusion(question, answer, said, {name: one.known for name, one in told.items()}, *cost.of(more), watch)


class Cost(NamedTuple):
    """The games of a block, and the seconds that it takes; 0 where nobody knows."""

    games: int
    seconds: float

    def of(self, blocks: int) -> tuple[int | None, float | None]:
        """The games of so many blocks, and the minutes that they take; None where nobody knows."""
        if not blocks:
            return 0, 0.0
        if blocks >= MAX_MORE:
            return None, None
        return blocks * self.games, blocks * self.seconds / 60 if self.seconds else None
