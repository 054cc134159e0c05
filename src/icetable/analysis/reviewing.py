"""Reviewing a game that is over: each of its positions is examined alone, by any number of workers."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import threading
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable import games
from icetable.analysis.positions import Analyst, check_limits, check_state, expected
from icetable.analysis.results import Review, ReviewedAct, ReviewedPosition, ReviewedSeat
from icetable.bots.compiling import ensure
from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, Action
from icetable.core.made_of import made_of
from icetable.core.sources import SAME_SOURCES, changed
from icetable.core.turns import TurnState
from icetable.kernels.layout import shares_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.analysis.results import ActKind, ActLabel, AnalysedAct, Reason, Shares
    from icetable.core.game import Game, GameInfo, State
    from icetable.core.record import Ended
    from icetable.core.sources import Sources

SIMULATIONS = 200
"""The simulations of each search of a review that is asked for no other number: a game has a hundred positions."""

AT_ONCE = 256
"""How many positions are with an executor at a time: enough for many workers, and of the longest games few."""

LABELS: tuple[tuple[float, ActLabel], ...] = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""What an act is called that costs its seat so much of a share or more."""
AS_GOOD = 0.02
"""An act that costs less of a share than this is taken for as good as the best: a search hardly tells them apart."""
FEWEST_CHOICES = 3
"""Where fewer choices mattered to a seat in a whole game, nothing tells how well it played."""
MILLI = 1000
"""Error rates are in thousandths of a share."""

Tell = Callable[[int, int], object]
"""Is called with the number of positions that are done, and of all."""
Show = Callable[[int, "Shares"], object]
"""Is called with the number of a position and what it is worth."""


class Cancelled(Exception):
    """A review was cancelled before it was done."""


class Examined(NamedTuple):
    """What a search found at a position of a game.

    `worth`: of the position; None before an act of chance, where it follows from `others`: what the position is worth
    after each outcome but the one that was drawn. At a decision they have the `best` act alone, unless it was played.
    `stake`: how much more its seat can expect after the best act than after the mean of all that were looked at.
    """

    worth: Shares | None
    others: Mapping[str, Shares]
    best: str | None = None
    line: tuple[str, ...] = ()
    stake: float = 0.0


Answers = Generator[tuple[int, Examined], None, None]
"""What was found, with the number of the position."""


class Unit(NamedTuple):
    """What a worker does: examine the position that has the `number` in its game and where `act` was played.

    `act` is None at the last position of a game that was ended before its rules did.
    """

    state: TurnState
    act: Action | None
    number: int
    analyst: Analyst

    def examine(self) -> Examined:
        """What a search finds. Positions after other acts are searched just as the next one of the game will be."""
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
        """The unit as it is sent to a worker with these sources."""
        game = self.state.game
        options, position = dict(game.options), self.state.to_json()
        return Posted(game.info.name, options, position, self.act, self.number, self.analyst, sources)


def stake_among(candidates: Sequence[AnalysedAct], seat: int) -> float:
    """How much more a seat can expect after the first of these acts than after their mean.

    Of what a search did not look at it knows nothing.
    """
    worths = [one.worth[seat] for one in candidates if one.visits > 0 or one.exact]
    return max(0.0, candidates[0].worth[seat] - math.fsum(worths) / max(1, len(worths)))


class Posted(NamedTuple):
    """A unit that any process with the same `sources` can read."""

    game: str
    options: dict[str, object]
    position: str
    act: Action | None
    number: int
    analyst: Analyst
    sources: Sources

    def unit(self) -> Unit:
        """The unit in the process that was asked. Raises GameError where it has other sources."""
        info = games.info(self.game)
        if (here := sources_of(info)) != self.sources:
            what = changed(self.sources, here)
            raise GameError(f"a worker has another {what} than the process that calls it: {SAME_SOURCES}")
        ensure(info)
        state = info.load(**self.options).from_json(self.position)
        assert isinstance(state, TurnState)
        return Unit(state, self.act, self.number, self.analyst)


def sources_of(info: GameInfo) -> Sources:
    """What the answers about a game depend on."""
    return made_of(info, __name__)


def examine(posted: Posted) -> Examined:
    """What a worker finds. Raises GameError where it has other sources."""
    return posted.unit().examine()


def review(
    game: State | str,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    where: Executor | None = None,
    tell: Tell | None = None,
    cancelled: Callable[[], bool] | threading.Event | None = None,
    show: Show | None = None,
) -> Review:
    """Where each seat's share of a game came from: luck, the mistakes of others, its own.

    `game` is the last state of a game of turns, or its record, which also tells that a seat resigned, time ran out or
    the players agreed. `where`: an executor of `concurrent.futures` whose workers have the same icetable; by default
    all is done in this thread. The figures are the same. `tell` is called after each position, and `cancelled` asked
    before it. `show` is called with the worth of each position but those before chance, as soon as it is known.

    Raises GameError for a game that is not over or that nobody won, has no turns or one player; Cancelled.

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
    asked = zip(states, [*acts, *([] if ended is None else [None])], strict=False)
    units = [Unit(state, act, number, analyst) for number, (state, act) in enumerate(asked)]
    found = _gather(units, where, tell, _asked(cancelled), show)
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
    """How a game ended that its rules have not ended. Raises GameError where it is not over, or nobody won."""
    ended = record.read_head(game).ended(players) if isinstance(game, str) else None
    if ended is None:
        raise GameError("this game is not over; a review needs its end")
    if not ended.winners:
        raise GameError("this game was broken off and nobody won, so there is no result to review")
    return ended


def _asked(cancelled: Callable[[], bool] | threading.Event | None) -> Callable[[], bool]:
    if cancelled is None:
        return lambda: False
    return cancelled.is_set if isinstance(cancelled, threading.Event) else cancelled


def _gather(
    units: list[Unit],
    where: Executor | None,
    tell: Tell | None,
    cancelled: Callable[[], bool],
    show: Show | None,
) -> list[Examined]:
    """What is found at each position, in order. Raises Cancelled."""
    found: dict[int, Examined] = {}
    with contextlib.closing(_here(units) if where is None else _elsewhere(units, where)) as answers:
        while len(found) < len(units):
            if cancelled():
                raise Cancelled(f"the review was cancelled after {len(found)} of {len(units)} positions")
            number, examined = next(answers)
            found[number] = examined
            if show is not None and examined.worth is not None:
                show(number, examined.worth)
            if tell is not None:
                tell(len(found), len(units))
    return [found[unit.number] for unit in units]


def _here(units: list[Unit]) -> Answers:
    return ((unit.number, unit.examine()) for unit in units)


def _elsewhere(units: list[Unit], where: Executor) -> Answers:
    """The answers of workers, as they come. What nobody has begun when this ends is not begun."""
    sources = sources_of(units[0].state.game.info)
    waiting, under_way = iter(units), dict[int, Future[Examined]]()
    answered: SimpleQueue[int] = SimpleQueue()

    def begin(most: int) -> None:
        for unit in itertools.islice(waiting, most):
            future = under_way[unit.number] = where.submit(examine, unit.posted(sources))
            future.add_done_callback(functools.partial(_put, answered, unit.number))

    try:
        begin(AT_ONCE)
        while under_way:
            number = answered.get()
            begin(1)
            yield number, under_way.pop(number).result()
    finally:
        for future in under_way.values():
            future.cancel()


def _put(answered: SimpleQueue[int], number: int, _: object) -> None:
    """A position is done. (The queue holds its number and not what is done: they would hold each other.)"""
    answered.put(number)


def _worths(states: list[TurnState], acts: list[Action], found: list[Examined]) -> list[Shares]:
    """What each position of a game is worth. Before chance acts that is the mean over what it may do."""
    last = states[-1]
    after_all = found[len(acts)].worth if len(found) > len(acts) else tuple(shares_of(last.winners, last.game.players))
    assert after_all is not None
    worths = [after_all]
    for state, act, examined in zip(states[-2::-1], reversed(acts), reversed(found[: len(acts)]), strict=True):
        worth = examined.worth
        if worth is None:
            after = {**examined.others, act: worths[-1]}
            worth = expected([(odds, after[outcome]) for outcome, odds in state.chance_outcomes()])
        worths.append(worth)
    return worths[::-1]


def reviewed(state: TurnState, act: str, found: Examined, before: Shares, after: Shares) -> ReviewedAct:
    """What an act did, by the worth of the positions before and after it."""
    seat, change = state.actor, _difference(after, before)
    none = (0.0,) * len(after)
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
        luck=change if kind == "chance" else none,
        drift=none if kind == "chance" else _difference(change, effect),
        label=label_of(regret),
    )


def label_of(regret: float) -> ActLabel | None:
    """A word for an act that cost much."""
    return next((label for least, label in LABELS if regret >= least), None)


def is_believed(game: Game) -> bool:
    """Whether a study of the game has found that what a search says of positions can be believed."""
    measured = game.info.measured().get(game.players)
    return measured is not None and measured.is_believed


def accuracy(acts: Sequence[ReviewedAct]) -> float | None:
    """How much of what was at stake these acts kept; None where too few choices mattered. None loses more than that."""
    mattered = [act for act in acts if act.stake >= AS_GOOD]
    if len(mattered) < FEWEST_CHOICES:
        return None
    lost = math.fsum(min(act.regret, act.stake) for act in mattered if act.regret >= AS_GOOD)
    return 1 - lost / math.fsum(act.stake for act in mattered)


def _account(seat: int, share: float, worths: list[Shares], acts: list[ReviewedAct], believed: bool) -> ReviewedSeat:
    """Where a seat's share of a game came from.

    Each change of what a position is worth has one cause, so the causes add up, exactly. What an act that was not the
    best took from its seat and gave to others is its regret and their gifts; what chance did is luck, by how much a
    position is worth more than was expected before chance acted; the rest is drift. Where a seat resigned, time ran out
    or the players agreed, `end` is the step from what the last position was worth to what the seat was given.
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
