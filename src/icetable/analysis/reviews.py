"""What a review tells of a game: of each act and of each seat, where its result came from.

Each change of what a position is worth has one cause, so for every seat the causes add up, exactly:

    share - start = luck + gifts - regret + drift + end

`end` is 0 in a game that its rules have ended. Where a seat resigned, time ran out or the players agreed, it is the
step from what the last position was worth to what the seat was given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from icetable.core.game import CHANCE
from icetable.kernels.layout import shares_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from icetable.analysis.positions import Shares
    from icetable.core.game import Action, Game
    from icetable.core.record import Ended

Kind = Literal["decision", "forced", "chance"]

LABELS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""What an act is called that costs its seat so much of a share or more."""
MILLI = 1000
"""Error rates are in thousandths of a share."""


@dataclass(frozen=True)
class ActReview:
    """What an act did to each seat.

    `kind`: whether its seat could choose. `effect` is how much less, or more, a position is worth after it than after
    the act that was better; all 0 where none was, and for acts of chance. `luck` is how much more it is worth than it
    was expected to be before chance acted. `drift` is the rest: by how much the search changed its mind. Of a seat's
    act, `best` is what the search would have played, and `line` the play that it expected then.
    """

    seat: int
    act: Action
    kind: Kind
    effect: Shares
    luck: Shares
    drift: Shares
    best: Action | None = None
    line: tuple[Action, ...] = ()

    @property
    def regret(self) -> float:
        """What the act cost its own seat."""
        return 0.0 if self.seat == CHANCE else max(0.0, -self.effect[self.seat])

    @property
    def gifts(self) -> Shares:
        """What the act brought to the other seats."""
        return tuple(0.0 if seat == self.seat else effect for seat, effect in enumerate(self.effect))

    @property
    def label(self) -> str | None:
        """A word for an act that cost much."""
        return next((label for least, label in LABELS if self.regret >= least), None)

    def described(self) -> dict[str, Any]:
        """The act as JSON can hold it."""
        return {
            "seat": self.seat,
            "act": self.act,
            "kind": self.kind,
            "best": self.best,
            "line": list(self.line),
            "regret": self.regret,
            "gifts": list(self.gifts),
            "luck": list(self.luck),
            "drift": list(self.drift),
            "label": self.label,
        }


class SeatReview(NamedTuple):
    """Where a seat's share of a game came from.

    `start`: what the first position was worth to it. `luck`: what chance brought. `gifts`: what the regrets of others
    brought. `regret`: what its own acts cost. `drift`: the search's own error. `end`: what it won or lost as the game
    was ended before its rules did; else 0. `unforced` of its `decisions` had an alternative.
    """

    share: float
    start: float
    luck: float
    gifts: float
    regret: float
    drift: float
    end: float
    decisions: int
    unforced: int

    @property
    def luck_adjusted(self) -> float:
        """The share without luck: as large on average, and less at the mercy of chance."""
        return self.share - self.luck

    @property
    def error_rate(self) -> float:
        """The regret of an unforced decision on average, in thousandths of a share."""
        return MILLI * self.regret / max(self.unforced, 1)

    def described(self) -> dict[str, Any]:
        """The seat as JSON can hold it."""
        return {**self._asdict(), "luck_adjusted": self.luck_adjusted, "error_rate": self.error_rate}


@dataclass(frozen=True)
class Review:
    """A game, act by act: `worths` of its positions, one more than its `acts`.

    The last one is the result, unless the game was `ended` before its rules did. Searches of that many
    `simulations` found all of it, with a `seed`.
    """

    game: Game
    simulations: int
    seed: int
    worths: tuple[Shares, ...]
    acts: tuple[ActReview, ...]
    ended: Ended | None = None

    @property
    def result(self) -> Shares:
        """The share of the game that each seat has got."""
        return self.worths[-1] if self.ended is None else tuple(shares_of(self.ended.winners, self.game.players))

    @property
    def seats(self) -> tuple[SeatReview, ...]:
        """Each seat's account of the game."""
        return tuple(self._seat(seat) for seat in range(self.game.players))

    def _seat(self, seat: int) -> SeatReview:
        own = [act for act in self.acts if act.seat == seat]
        return SeatReview(
            share=self.result[seat],
            start=self.worths[0][seat],
            luck=math.fsum(act.luck[seat] for act in self.acts),
            gifts=math.fsum(act.gifts[seat] for act in self.acts),
            regret=math.fsum(act.regret for act in own),
            drift=math.fsum(act.drift[seat] for act in self.acts),
            end=self.result[seat] - self.worths[-1][seat],
            decisions=len(own),
            unforced=sum(act.kind == "decision" for act in own),
        )

    def costliest(self, seat: int | None = None) -> list[int]:
        """The indices of the acts that cost something, of a seat or of all, the costliest first."""
        return sorted(self._costly(seat), key=lambda index: -self.acts[index].regret)

    def _costly(self, seat: int | None) -> Iterable[int]:
        return (index for index, act in enumerate(self.acts) if act.regret > 0 and seat in (None, act.seat))

    def described(self) -> dict[str, Any]:
        """The review as JSON can hold it."""
        return {
            "game": self.game.info.name,
            "options": dict(self.game.options),
            "simulations": self.simulations,
            "seed": self.seed,
            "positions": [{"worth": list(worth)} for worth in self.worths],
            "acts": [act.described() for act in self.acts],
            "seats": [seat.described() for seat in self.seats],
            "costliest": self.costliest(),
            "ended": None if self.ended is None else self.ended.reason,
        }
