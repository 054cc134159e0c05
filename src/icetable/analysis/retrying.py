"""What another act would have been worth at a position of a game that is over, by the measure of the game's review."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from icetable.analysis.reviewing import AS_GOOD, reviewed

if TYPE_CHECKING:
    from icetable.analysis.results import ReviewedAct, Shares
    from icetable.analysis.reviewing import Posted


class Retry(NamedTuple):
    """An act in place of the one that was played, as a review would tell of it.

    `after`: what the position is worth after it, and `line` the play to expect then; none where chance is to act.
    """

    act: ReviewedAct
    after: Shares
    line: tuple[str, ...]

    @property
    def worth(self) -> float:
        """The share of the game that its seat can expect after it."""
        return self.after[self.act.seat]

    @property
    def best(self) -> float:
        """The share that it could expect after the best act."""
        return self.worth + self.act.regret

    @property
    def is_right(self) -> bool:
        """Whether the act is the best that is known, or as good."""
        return self.act.act == self.act.best or self.act.regret < AS_GOOD


def retry(posted: Posted) -> Retry:
    """What a worker finds of the act of a unit, at a decision. Raises GameError where it has other sources."""
    unit = posted.unit()
    assert unit.act is not None
    found = unit.examine()
    assert found.worth is not None
    after = unit.analyst.analyse(unit.state.apply(unit.act), unit.number + 1)
    act = reviewed(unit.state, unit.act, found, found.worth, after.worth)
    return Retry(act, after.worth, after.candidates[0].line if after.candidates else ())
