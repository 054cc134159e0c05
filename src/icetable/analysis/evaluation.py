"""The result of an analysis. Imports no searches, so it loads fast."""

from __future__ import annotations

import msgspec

from icetable.analysis.results import AnalysedAct, AnalysedOutcome, Shares


class Analysis(msgspec.Struct, frozen=True):
    """The evaluation of a position: `worth`, the expected share of the game for each seat; they add up to 1.

    `seat` is the one to act, or CHANCE; None if the game is over. `exact`: the game is over or solved, so that the
    worth is proven for best play. `candidates` are the legal acts of the seat, best first, each with its principal
    variation. `outcomes` are those of chance, if they can be listed.
    """

    seat: int | None
    worth: Shares
    exact: bool
    candidates: tuple[AnalysedAct, ...] = ()
    outcomes: tuple[AnalysedOutcome, ...] = ()
