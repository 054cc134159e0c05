"""Evaluation of another act at a position of a finished game, by the measure of the game's review."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from icetable.analysis.reviewing import MIN_REGRET, reviewed

if TYPE_CHECKING:
    from icetable.analysis.results import ReviewedAct, Shares
    from icetable.analysis.reviewing import Posted


class Retry(NamedTuple):
    """An act in place of the one that was played, with its review.

    `after`: the worth of the position after it. `line`: the principal variation from there; empty before chance.
    """

    act: ReviewedAct
    after: Shares
    line: tuple[str, ...]

    @property
    def worth(self) -> float:
        """The expected share of its seat after the act."""
        return self.after[self.act.seat]

    @property
    def best(self) -> float:
        """The expected share after the best act."""
        return self.worth + self.act.regret

    @property
    def is_right(self) -> bool:
        """Whether the act is the best known one, or as good."""
        return self.act.act == self.act.best or self.act.regret < MIN_REGRET


def retry(posted: Posted) -> Retry:
    """Review the act of a unit, which is a decision, in a worker. Raises GameError if its sources differ."""
    unit = posted.unit()
    assert unit.act is not None
    found = unit.examine()
    assert found.worth is not None
    after = unit.analyst.analyse(unit.state.apply(unit.act), unit.number + 1)
    act = reviewed(unit.state, unit.act, found, found.worth, after.worth)
    return Retry(act, after.worth, after.candidates[0].line if after.candidates else ())
