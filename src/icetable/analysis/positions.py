"""Evaluation of a position for each seat, by a reproducible search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable import games
from icetable.analysis.results import AnalysedAct, AnalysedOutcome, Analysis, Shares
from icetable.bots.compilation import ensure
from icetable.bots.search import search
from icetable.bots.trees import share_out
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, State
from icetable.core.options import check_whole, short_repr
from icetable.core.turns import TurnState
from icetable.kernels import jit
from icetable.kernels.layout import UNPROVEN, shares_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.bots.trees import Candidate

DEFAULT_SIMULATIONS = 1000
CHANCE_SAMPLES = 8
"""Number of outcomes sampled if they are too many to list and don't end the game."""


class Analyst(NamedTuple):
    """The limits of each search, and a seed. Without a limit in seconds, results are reproducible."""

    simulations: int | None
    seed: int = 0
    seconds: float | None = None

    def analyse(self, state: TurnState, number: int) -> Analysis:
        """Analyse a position with this `number` in its game, on which the seed of the search depends."""
        players = state.game.players
        if state.is_terminal:
            return Analysis(None, tuple(shares_of(state.winners, players)), True)
        if state.actor != CHANCE:
            seed = int(jit.seeds(self.seed, number + 1)[number])
            found = tuple(search(state, simulations=self.simulations, seconds=self.seconds, seed=seed, lines=True))
            return Analysis(state.actor, found[0].shares, _is_solved(found), tuple(map(_analysed, found)))
        if not state.codes():  # too many outcomes to list
            return Analysis(CHANCE, *self._worth_of_many(state, number))
        outcomes = tuple(self._outcomes(state, number))
        worth = expected([(outcome.odds, outcome.worth) for outcome in outcomes])
        return Analysis(CHANCE, worth, all(outcome.exact for outcome in outcomes), outcomes=outcomes)

    def _worth_of_many(self, state: TurnState, number: int) -> tuple[Shares, bool]:
        """Evaluate a position before chance with too many outcomes to list, and say whether the result is exact.

        Uses the evaluation if the outcomes end the game, otherwise the mean over a sample.
        """
        rng = np.random.default_rng((self.seed, number))
        samples = [state.apply(state.game.random_act(state, rng)) for _ in range(CHANCE_SAMPLES)]
        if samples[0].is_terminal:
            return worth_of_deals(state)
        each = self if self.seconds is None else self._replace(seconds=self.seconds / CHANCE_SAMPLES)
        worths = [each.analyse(after, number + 1).worth for after in samples]
        return expected([(1 / CHANCE_SAMPLES, worth) for worth in worths]), False

    def _outcomes(self, state: TurnState, number: int) -> list[AnalysedOutcome]:
        listed = state.chance_outcomes()
        each = self if self.seconds is None else self._replace(seconds=self.seconds / len(listed))
        found = [(action, odds, each.analyse(state.apply(action), number + 1)) for action, odds in listed]
        return [AnalysedOutcome(str(action), odds, after.worth, after.exact) for action, odds, after in found]


def worth_of_deals(state: TurnState) -> tuple[Shares, bool]:
    """Evaluate a position before chance whose outcomes end the game, and say whether the result is exact."""
    values = np.empty(state.game.players)
    proof = state.game.deals.expect(state.array)
    if proof == UNPROVEN:
        state.game.evaluation.evaluate(state.array, values)
    else:
        share_out(proof, values)
    return tuple(values.tolist()), proof != UNPROVEN


def _analysed(found: Candidate) -> AnalysedAct:
    return AnalysedAct(str(found.action), found.shares, found.visits, found.exact, tuple(map(str, found.line)))


def _is_solved(found: tuple[Candidate, ...]) -> bool:
    """Whether the worth of the best act is proven to be that of the position, for all seats.

    It is if the act wins, or if every act is exact and equally good ones are equal for the other seats.
    """
    best = found[0]
    return best.exact and (
        best.value == 1
        or (all(one.exact for one in found) and len({one.sure for one in found if one.value == best.value}) == 1)
    )


def expected(outcomes: list[tuple[float, Shares]]) -> Shares:
    """The mean of the worths after each outcome, weighted by their odds."""
    odds, worths = zip(*outcomes, strict=True)
    return tuple((np.array(odds) @ np.array(worths)).tolist())


def analyse(
    state: State, simulations: int | None = DEFAULT_SIMULATIONS, seed: int = 0, seconds: float | None = None
) -> Analysis:
    """Evaluate a position of a game of turns, and each legal act, for each seat.

    The search of a seat's acts ends at the first limit: after `simulations` or after `seconds`; None is no limit.
    Before an act of chance, each outcome is searched equally, or a sample if they are too many. The same simulations
    and seed give the same figures. Raises GameError for games without turns or with one player.

    >>> import icetable
    >>> from icetable.analysis import analyse
    >>> state = icetable.load("icefrogs").start()
    >>> found = analyse(state, simulations=20)
    >>> sorted(one.act for one in found.candidates) == sorted(state.legal_actions()), round(sum(found.worth), 9)
    (True, 1.0)
    """
    checked = check_state(state)
    check_limits(simulations, seed)
    if simulations is None and seconds is None:
        raise GameError("an analysis needs a limit: simulations or seconds")
    if seconds is not None and not seconds > 0:
        raise GameError(f"seconds is a number above 0, not {short_repr(seconds)}")
    acts = sum(1 for _ in checked.history()) - 1
    return Analyst(simulations, seed, seconds).analyse(checked, acts)


def analyse_saved(game: str, options: Mapping[str, Any], position: str, number: int, simulations: int) -> Analysis:
    """Analyse a saved position with this `number` in its game; runs in a separate process."""
    info = games.info(game)
    ensure(info)
    state = check_state(info.load(**options).from_json(position))
    return Analyst(simulations).analyse(state, number)


def check_state(state: State) -> TurnState:
    """Return the state if it can be analysed. Raises GameError."""
    if not isinstance(state, State):
        raise GameError(f"a search starts from a state of a game, not from {short_repr(state)}")
    if not isinstance(state, TurnState):
        raise GameError(f"a review by search is for games of turns, not for {state.game.info.title}")
    if state.game.players == 1:
        raise GameError("reviews are for two players or more: one player has no share of the game to lose")
    return state


def check_limits(simulations: int | None, seed: int) -> None:
    """Raise GameError for an invalid number of simulations or seed."""
    if simulations is not None:
        check_whole("simulations", simulations, 1)
    check_whole("seed", seed, 0)
