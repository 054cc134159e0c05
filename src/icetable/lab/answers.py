"""Answers to questions about a game: a verdict, its evidence, and a game to watch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.lab.intervals import percent, whole_percent
from icetable.lab.racing import MAX_BLOCKS_NEEDED

if TYPE_CHECKING:
    from icetable.lab.intervals import Estimate
    from icetable.lab.racing import Assessment

YES, NO, UNKNOWN = "yes", "no", "can't tell yet"
PLAYERS_IN_WORDS = {"random": "random players", "greedy": "players who look one act ahead"}
SEARCHERS_IN_WORDS = {
    "sims": "players who search with {} simulations",
    "tries": "players who try {} random games per act",
}


class Watch(NamedTuple):
    """A game to watch: the reason, its record, and the act of interest; None for the whole game."""

    why: str
    record: str
    at: int | None = None


@dataclass(frozen=True)
class Conclusion:
    """An answer: "yes", "no", "can't tell yet" or a figure; and its evidence, in sentences and in figures.

    `games` and `minutes`: an estimate of what an open question still needs; None if unknown.
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
    """The games per block, and the seconds that a block takes; 0 if unknown."""

    games: int
    seconds: float

    def of(self, blocks: int) -> tuple[int | None, float | None]:
        """The games in a number of blocks, and the minutes that they take; None if unknown."""
        if not blocks:
            return 0, 0.0
        if blocks >= MAX_BLOCKS_NEEDED:
            return None, None
        return blocks * self.games, blocks * self.seconds / 60 if self.seconds else None
