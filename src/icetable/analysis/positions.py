"""What a position is worth to each seat, by a search that can be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from icetable import games
from icetable.analysis.results import AnalysedAct, AnalysedOutcome, Shares
from icetable.bots.compiling import ensure
from icetable.bots.search import search
from icetable.bots.trees import share_out
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, State
from icetable.core.numbers import check_whole
from icetable.core.options import short_repr
from icetable.core.turns import TurnState
from icetable.kernels import jit
from icetable.kernels.layout import UNPROVEN, shares_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.bots.ranking import Candidate

SIMULATIONS = 1000
"""The simulations of a search that is asked for no other number."""

DRAWN = 8
"""How many outcomes of chance a search draws where they are too many to list and the game goes on."""


class Analysis(msgspec.Struct, frozen=True):
    """What a position is worth to each seat: its expected shares of the game, which add up to 1.

    `seat` is the one that is to act, or CHANCE; None where the game is over. `exact`: the game is over or solved, so
    that the worth is proven to be that of best play. `candidates` are the legal acts of the seat, best first, each with
    the play to expect from it on. `outcomes` are those of chance, where they can be listed.
    """

    seat: int | None
    worth: Shares
    exact: bool
    candidates: tuple[AnalysedAct, ...] = ()
    outcomes: tuple[AnalysedOutcome, ...] = ()


class Analyst(NamedTuple):
    """The limits of each search, and a seed. Without a limit in seconds equal analysts give equal answers."""

    simulations: int | None
    seed: int = 0
    seconds: float | None = None

    def analyse(self, state: TurnState, number: int) -> Analysis:
        """The analysis of a position that has the `number` in its game. The seed of a search depends on it."""
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
        worth = expected([(one.odds, one.worth) for one in outcomes])
        return Analysis(CHANCE, worth, all(one.exact for one in outcomes), outcomes=outcomes)

    def _worth_of_many(self, state: TurnState, number: int) -> tuple[Shares, bool]:
        """What a position is worth before chance that has too many outcomes to list, and whether that is exact.

        Where they end the game the evaluation tells it; else the mean over some that are drawn.
        """
        rng = np.random.default_rng((self.seed, number))
        drawn = [state.apply(state.game.random_act(state, rng)) for _ in range(DRAWN)]
        if drawn[0].is_terminal:
            return worth_of_deals(state)
        each = self if self.seconds is None else self._replace(seconds=self.seconds / DRAWN)
        worths = [each.analyse(after, number + 1).worth for after in drawn]
        return expected([(1 / DRAWN, worth) for worth in worths]), False

    def _outcomes(self, state: TurnState, number: int) -> list[AnalysedOutcome]:
        listed = state.chance_outcomes()
        each = self if self.seconds is None else self._replace(seconds=self.seconds / len(listed))
        found = [(action, odds, each.analyse(state.apply(action), number + 1)) for action, odds in listed]
        return [AnalysedOutcome(str(action), odds, after.worth, after.exact) for action, odds, after in found]


def worth_of_deals(state: TurnState) -> tuple[Shares, bool]:
    """What a position is worth before chance that has too many outcomes to list, and whether that is exact."""
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
    """Whether the worth of a position is that of its best act for sure, to all seats.

    That is so if the act wins, or if the worth of every act is known and equally good ones are the same to the others.
    """
    best = found[0]
    return best.exact and (
        best.value == 1
        or (all(one.exact for one in found) and len({one.sure for one in found if one.value == best.value}) == 1)
    )


def expected(outcomes: list[tuple[float, Shares]]) -> Shares:
    """The mean of what a position is worth after each outcome, by their odds."""
    odds, worths = zip(*outcomes, strict=True)
    return tuple((np.array(odds) @ np.array(worths)).tolist())


def analyse(
    state: State, simulations: int | None = SIMULATIONS, seed: int = 0, seconds: float | None = None
) -> Analysis:
    """What a position of a game of turns is worth to each seat, and each legal act.

    The search of a seat's acts ends at the first limit: after `simulations` or after `seconds`; None is no limit.
    Before a die falls, each outcome is searched alike, or of too many some that are drawn. The same simulations and
    seed give the same figures. Raises GameError for games without turns, or with one player.

    >>> import icetable
    >>> from icetable.analysis import analyse
    >>> state = icetable.load("icefrogs").start()
    >>> found = analyse(state, simulations=20)
    >>> sorted(one.act for one in found.candidates) == sorted(state.legal_actions()), round(sum(found.worth), 9)
    (True, 1.0)
    """
    asked = check_state(state)
    check_limits(simulations, seed)
    if simulations is None and seconds is None:
        raise GameError("an analysis needs a limit: simulations or seconds")
    if seconds is not None and not seconds > 0:
        raise GameError(f"seconds is a number above 0, not {short_repr(seconds)}")
    acts = sum(1 for _ in asked.history()) - 1
    return Analyst(simulations, seed, seconds).analyse(asked, acts)


def analyse_saved(game: str, options: Mapping[str, Any], position: str, number: int, simulations: int) -> Analysis:
    """What `analyse` finds at a saved position that has the `number` in its game; for a process of its own."""
    info = games.info(game)
    ensure(info)
    state = check_state(info.load(**options).from_json(position))
    return Analyst(simulations).analyse(state, number)


def check_state(state: State) -> TurnState:
    """The state, if it can be analysed. Raises GameError."""
    if not isinstance(state, State):
        raise GameError(f"a search begins at a state of a game, not at {short_repr(state)}")
    if not isinstance(state, TurnState):
        raise GameError(f"a review by search is for games of turns, not for {state.game.info.title}")
    if state.game.players == 1:
        raise GameError("reviews are for two players or more: one player has no share of the game to lose")
    return state


def check_limits(simulations: int | None, seed: int) -> None:
    """Raise GameError for what is no number of simulations or no seed."""
    if simulations is not None:
        check_whole("simulations", simulations, 1)
    check_whole("seed", seed, 0)
