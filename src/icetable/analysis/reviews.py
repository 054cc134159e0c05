"""Reviews of finished games: each position is examined independently, by any number of workers. So are other acts."""

from __future__ import annotations

import contextlib
import functools
import math
import threading
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable import games
from icetable.analysis.positions import Analyst, check_limits, check_state, expected
from icetable.analysis.results import Review, ReviewedAct, ReviewedPosition, ReviewedSeat
from icetable.bots.compilation import ensure
from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, Action
from icetable.core.turns import TurnState
from icetable.kernels.layout import shares_of
from icetable.sources import SAME_SOURCES_HINT, changed, game_sources
from icetable.workers import run_tasks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.analysis.results import ActKind, ActLabel, AnalysedAct, Reason, Shares
    from icetable.core.game import Game, GameInfo, State
    from icetable.core.record import Ended
    from icetable.sources import Sources

DEFAULT_SIMULATIONS = 200
MAX_SUBMITTED = 256
"""Maximum number of positions submitted to an executor at a time."""

LABELS: tuple[tuple[float, ActLabel], ...] = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""Labels of acts by their minimum regret."""
MIN_REGRET = 0.02
"""An act with less regret counts as good as the best, since a search can hardly distinguish them."""
MIN_CHOICES = 3
"""Minimum number of choices with a stake for the accuracy of a seat."""
MILLI = 1000
"""Error rates are in thousandths of a share."""

OnProgress = Callable[[int, int], object]
"""Called with the number of examined positions, and of all."""
OnWorth = Callable[[int, "Shares"], object]
"""Called with the number of a position and its worth."""


class Cancelled(Exception):
    """A review was cancelled before it was done."""


class Examined(NamedTuple):
    """The result of the searches at a position of a game.

    `worth`: that of the position; None before chance, where it follows from `others`, the worths after the outcomes
    that were not drawn. At a decision, `others` only has the `best` act, unless it was played. `stake`: the expected
    share of the seat after the best act, minus the mean over all visited acts.
    """

    worth: Shares | None
    others: Mapping[str, Shares]
    best: str | None = None
    line: tuple[str, ...] = ()
    stake: float = 0.0


Results = Generator[tuple[int, Examined], None, None]
"""Results by the number of the position."""


class Unit(NamedTuple):
    """The task of a worker: examine the position with this `number` in its game, where `act` was played.

    `act` is None at the last position of a game that ended before its rules did.
    """

    state: TurnState
    act: Action | None
    number: int
    analyst: Analyst

    def examine(self) -> Examined:
        """Search the position, and those after other acts just like the next one of the game."""
        if self.act is not None and self.state.actor == CHANCE and self.state.codes():
            undrawn = (outcome for outcome, _ in self.state.chance_outcomes() if outcome != self.act)
            return Examined(None, {outcome: self._worth_after(outcome) for outcome in undrawn})
        found = self.analyst.analyse(self.state, self.number)
        if self.act is None or self.state.actor == CHANCE:
            return Examined(found.worth, {})
        best = found.candidates[0]
        others = {} if best.act == self.act else {best.act: self._worth_after(best.act)}
        return Examined(found.worth, others, best.act, best.line, stake_among(found.candidates, self.state.actor))

    def _worth_after(self, act: str) -> Shares:
        return self.analyst.analyse(self.state.apply(act), self.number + 1).worth

    def posted(self, sources: Sources) -> Posted:
        """The unit in the form that is sent to a worker with these sources."""
        game = self.state.game
        options, position = dict(game.options), self.state.to_json()
        return Posted(game.info, options, position, self.act, self.number, self.analyst, sources)


def stake_among(candidates: Sequence[AnalysedAct], seat: int) -> float:
    """The expected share of a seat after the first act, minus the mean over all acts that the search visited."""
    worths = [candidate.worth[seat] for candidate in candidates if candidate.visits > 0 or candidate.exact]
    return max(0.0, candidates[0].worth[seat] - math.fsum(worths) / max(1, len(worths)))


class Posted(NamedTuple):
    """A unit that any process with the same `sources` can read."""

    info: GameInfo
    options: dict[str, object]
    position: str
    act: Action | None
    number: int
    analyst: Analyst
    sources: Sources

    def unit(self) -> Unit:
        """The unit, in the worker. Raises GameError if the worker has other sources."""
        if (here := sources_of(self.info)) != self.sources:
            what = changed(self.sources, here)
            raise GameError(f"a worker has another {what} than the process that calls it: {SAME_SOURCES_HINT}")
        ensure(self.info)
        state = self.info.load(**self.options).from_json(self.position)
        assert isinstance(state, TurnState)
        return Unit(state, self.act, self.number, self.analyst)


def sources_of(info: GameInfo) -> Sources:
    """Hashes of the sources that reviews of a game depend on."""
    return game_sources(info, __name__)


def examine(posted: Posted) -> Examined:
    """Examine a unit in a worker. Raises GameError if the worker has other sources."""
    return posted.unit().examine()


def review(
    game: State | str,
    simulations: int = DEFAULT_SIMULATIONS,
    seed: int = 0,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | threading.Event | None = None,
    show: OnWorth | None = None,
) -> Review:
    """Account for each seat's share of a game: luck, the mistakes of others, and its own.

    `game` is the last state of a game of turns, or its record, which also says if a seat resigned, time ran out or the
    players agreed. `executor`: one of `concurrent.futures` whose workers have the same icetable, by default this
    thread; the figures are the same. `cancelled` is checked before each position, and `on_progress` called after it.
    `show` is called with the worth of each position, except before chance, as soon as it is known.

    Raises GameError if the game is not over, has no winner, no turns or only one player; Cancelled if it is cancelled.

    >>> import icetable, numpy
    >>> from icetable.analysis import review
    >>> game = icetable.load("squad", players=2).random_game(numpy.random.default_rng(3))
    >>> found = review(game, simulations=5)
    >>> one = found.seats[0]
    >>> round(one.share - one.start - (one.luck + one.gifts - one.regret + one.drift + one.end), 9)
    0.0
    """
    last = check_state(games.replay(game) if isinstance(game, str) else game)
    check_limits(simulations, seed)
    ended = None if last.is_terminal else _end_of(game, last.game.players)
    states = [check_state(state) for state in last.history()]
    analyst = Analyst(simulations, seed)
    acts = [Action(after.act) for after in states[1:]]
    pairs = zip(states, [*acts, *([] if ended is None else [None])], strict=False)
    units = [Unit(state, act, number, analyst) for number, (state, act) in enumerate(pairs)]
    found = _gather(units, executor, on_progress, _as_function(cancelled), show)
    worths = _worths(states, acts, found)
    rows = zip(states, acts, found, worths, worths[1:], strict=False)
    reviewed_acts = [reviewed(*row) for row in rows]
    result = worths[-1] if ended is None else tuple(shares_of(ended.winners, last.game.players))
    costly = (index for index, act in enumerate(reviewed_acts) if act.regret > 0)
    return Review(
        simulations=simulations,
        seed=seed,
        positions=tuple(map(ReviewedPosition, worths)),
        acts=tuple(reviewed_acts),
        seats=tuple(
            _account(seat, result[seat], worths, reviewed_acts, is_believed(last.game))
            for seat in range(last.game.players)
        ),
        costliest=tuple(sorted(costly, key=lambda index: -reviewed_acts[index].regret)),
        ended=None if ended is None else cast("Reason", ended.reason),
    )


def _end_of(game: State | str, players: int) -> Ended:
    """The end of a game that its rules did not end. Raises GameError if it is not over or has no winner."""
    ended = record.read_head(game).ended(players) if isinstance(game, str) else None
    if ended is None:
        raise GameError("this game is not over; a review needs its end")
    if not ended.winners:
        raise GameError("this game was broken off and nobody won, so there is no result to review")
    return ended


def _as_function(cancelled: Callable[[], bool] | threading.Event | None) -> Callable[[], bool]:
    if cancelled is None:
        return lambda: False
    return cancelled.is_set if isinstance(cancelled, threading.Event) else cancelled


def _gather(
    units: list[Unit],
    executor: Executor | None,
    on_progress: OnProgress | None,
    cancelled: Callable[[], bool],
    show: OnWorth | None,
) -> list[Examined]:
    """Examine all positions, and return the results in order. Raises Cancelled."""
    found: dict[int, Examined] = {}
    with contextlib.closing(_here(units) if executor is None else _elsewhere(units, executor)) as results:
        while len(found) < len(units):
            if cancelled():
                raise Cancelled(f"the review was cancelled after {len(found)} of {len(units)} positions")
            number, examined = next(results)
            found[number] = examined
            if show is not None and examined.worth is not None:
                show(number, examined.worth)
            if on_progress is not None:
                on_progress(len(found), len(units))
    return [found[unit.number] for unit in units]


def _here(units: list[Unit]) -> Results:
    return ((unit.number, unit.examine()) for unit in units)


def _elsewhere(units: list[Unit], executor: Executor) -> Results:
    """Yield the results of workers as they arrive. Pending units are cancelled when the generator closes."""
    sources = sources_of(units[0].state.game.info)
    tasks = ((unit.number, functools.partial(examine, unit.posted(sources))) for unit in units)
    yield from run_tasks(executor, MAX_SUBMITTED, lambda: next(tasks, None))


def _worths(states: list[TurnState], acts: list[Action], found: list[Examined]) -> list[Shares]:
    """The worth of each position of a game. Before chance it is the mean over the outcomes."""
    last = states[-1]
    final = found[len(acts)].worth if len(found) > len(acts) else tuple(shares_of(last.winners, last.game.players))
    assert final is not None
    worths = [final]
    for state, act, examined in zip(states[-2::-1], reversed(acts), reversed(found[: len(acts)]), strict=True):
        worth = examined.worth
        if worth is None:
            after = {**examined.others, act: worths[-1]}
            worth = expected([(odds, after[outcome]) for outcome, odds in state.chance_outcomes()])
        worths.append(worth)
    return worths[::-1]


def reviewed(state: TurnState, act: str, found: Examined, before: Shares, after: Shares) -> ReviewedAct:
    """The review of an act, by the worths of the positions before and after it."""
    seat, change = state.actor, _difference(after, before)
    zeros = (0.0,) * len(after)
    kind: ActKind = "chance" if seat == CHANCE else "decision" if len(state.codes()) > 1 else "forced"
    better = after
    if kind == "decision" and found.best is not None and found.best in found.others:
        better = max(after, found.others[found.best], key=lambda worth: worth[seat])
    effect = _difference(after, better)
    regret = 0.0 if kind == "chance" else max(0.0, -effect[seat])
    return ReviewedAct(
        seat=seat,
        act=str(act),
        kind=kind,
        best=found.best,
        line=found.line,
        regret=regret,
        stake=found.stake if kind == "decision" else 0.0,
        gifts=tuple(0.0 if other == seat else gift for other, gift in enumerate(effect)),
        luck=change if kind == "chance" else zeros,
        drift=zeros if kind == "chance" else _difference(change, effect),
        label=label_of(regret),
    )


def label_of(regret: float) -> ActLabel | None:
    """The label of an act with this regret, if it has one."""
    return next((label for least, label in LABELS if regret >= least), None)


def is_believed(game: Game) -> bool:
    """Whether a study of the game has found its searches to be reliable."""
    measured = game.info.measured().get(game.players)
    return measured is not None and measured.is_believed


def accuracy(acts: Sequence[ReviewedAct]) -> float | None:
    """The part of the stakes that these acts kept; None if too few choices mattered. An act loses at most its stake."""
    mattered = [act for act in acts if act.stake >= MIN_REGRET]
    if len(mattered) < MIN_CHOICES:
        return None
    lost = math.fsum(min(act.regret, act.stake) for act in mattered if act.regret >= MIN_REGRET)
    return 1 - lost / math.fsum(act.stake for act in mattered)


def _account(seat: int, share: float, worths: list[Shares], acts: list[ReviewedAct], believed: bool) -> ReviewedSeat:
    """Account for a seat's share of a game.

    Each change of the worth has one cause, so the causes add up exactly. What a suboptimal act takes from its seat and
    gives to others is its regret and their gifts. The change through chance, relative to the expectation, is luck; the
    rest is drift. If a seat resigned, time ran out or the players agreed, `end` is the step from the worth of the last
    position to the seat's share.
    """
    own = [act for act in acts if act.seat == seat]
    luck, regret = math.fsum(act.luck[seat] for act in acts), math.fsum(act.regret for act in own)
    unforced = sum(act.kind == "decision" for act in own)
    return ReviewedSeat(
        share=share,
        start=worths[0][seat],
        luck=luck,
        gifts=math.fsum(act.gifts[seat] for act in acts),
        regret=regret,
        drift=math.fsum(act.drift[seat] for act in acts),
        end=share - worths[-1][seat],
        decisions=len(own),
        unforced=unforced,
        luck_adjusted=share - luck,
        error_rate=MILLI * regret / max(unforced, 1),
        accuracy=accuracy(own) if believed else None,
    )


def _difference(one: Shares, other: Shares) -> Shares:
    return tuple(np.subtract(one, other).tolist())


if TYPE_CHECKING:
    from icetable.analysis.results import ReviewedAct, Shares


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
