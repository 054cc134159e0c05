"""Games in which one seat learns and the others answer: what the interfaces for a single agent are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.bots import Bot, levels
from icetable.core.decimals import is_integer
from icetable.core.errors import GameError
from icetable.core.kernel import NOBODY
from icetable.core.options import short_repr
from icetable.envs.batch import Batch, Illegal, Rewards
from icetable.envs.spaces import space

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.game import Game
    from icetable.core.jit import Ints

    Bools = npt.NDArray[np.bool_]

Policy = Callable[[Any, Any, np.random.Generator], Any]
"""Chooses actions, for n games at a time: observations int8[n, height, width, planes] and masks int8[n, actions] give
actions int64[n]. The generator is the environment's, so that a seed gives the same choices again."""

RANDOM, SELF = "random", "self"
SEED_LIMIT = 2**31
MOST_BEGINNINGS = 1000
"""The number of games that may end before their learner has acted, until something must be wrong."""


class Learner:
    """`n` games in step, each from one act of its learner to the next one.

    `seat`: int64[n], where the learner sits: always at `seat`, or at a place drawn for each game. Where the opponent is
    "self", it plays all seats, and its seat is the one to act; after the end the one that acted last.
    `batch`: the games, with what the learner sees, also of games that are over.
    `opponent`: who plays the other seats: "random", a level's bot, or a Policy.
    `rewards`: as `Batch` has them; by default points for a player alone, else the share.

    Raises GameError where an argument is not allowed.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        seat: int | None,
        opponent: str | Policy,
        rewards: Rewards | None,
        illegal: Illegal,
        **options: Any,
    ) -> None:
        loaded = space(game, **options).game
        rewards = rewards or ("points" if loaded.players == 1 else "share")
        self._shows_itself = opponent in (RANDOM, SELF)
        self.batch = Batch(
            loaded,
            n,
            autoreset="off",
            illegal=illegal,
            rewards=rewards,
            observation="planes" if self._shows_itself else "look",
        )
        if seat is not None and not (is_integer(seat) and 0 <= seat < loaded.players):
            raise GameError(f"seat is a whole number from 0 to {loaded.players - 1} or None, not {short_repr(seat)}")
        names = [RANDOM, SELF, *(level.name for level in levels(loaded.info.name))]
        if not callable(opponent) and opponent not in names:
            raise GameError(
                f"opponent can't be {short_repr(opponent)}; allowed: a function or {', '.join(map(repr, names))}"
            )
        if opponent == SELF and seat is not None:
            raise GameError("against itself the learner plays every seat: seat must be None")
        self._fixed_seat, self._opponent = seat, opponent
        self.seat: Ints = np.zeros(self.batch.n, np.int64)
        self._numbers = np.arange(self.batch.n)
        self._every = np.ones(self.batch.n, np.bool_)
        self._unplayed = ~self._every
        self._is_ready = False

    @property
    def over(self) -> Bools:
        """bool[n], where the game is over."""
        return np.equal(self.batch.actor, NOBODY)

    @property
    def reward(self) -> npt.NDArray[np.float64]:
        """float64[n], what the last step has brought the learner."""
        return self.batch.reward[self._numbers, self.seat].astype(np.float64)

    def reset(self, which: Bools, rng: np.random.Generator) -> None:
        """Begin new games in some rows. All that chance, bots and random players do there comes from `rng`."""
        self._rng = rng
        seed = int(rng.integers(SEED_LIMIT))
        if isinstance(self._opponent, str) and self._opponent not in (RANDOM, SELF):
            self._bot = Bot(self.batch.game, self._opponent, int(rng.integers(SEED_LIMIT)))
        self._begin(which, seed)
        self._answer(which)

    def begin(self, which: Bools) -> None:
        """Begin new games in some rows after others."""
        self._begin(which)
        self._answer(which)

    def step(self, actions: npt.ArrayLike, beginning: Bools) -> None:
        """Play the learner's actions, but begin new games in the rows `beginning`. Then the others answer.

        Raises GameError and IllegalAction as `Batch.step` does, and GameError after an end and before `reset`.
        """
        if not self._is_ready:
            raise GameError("there is no game under way; begin one with reset")
        if (over := self.over & ~beginning).any():
            raise GameError(f"the game in row {over.argmax()} is over; begin a new one with reset")
        self.batch.step(actions, ~beginning)
        if beginning.any():
            self._begin(beginning)
        self._answer(self._every)

    def _begin(self, which: Bools, seed: int | None = None) -> None:
        """Begin new games, with learners at their seats or at seats that are drawn."""
        if self._fixed_seat is None:
            self.seat[which] = self._rng.integers(self.batch.game.players, size=np.count_nonzero(which))
        else:
            self.seat[which] = self._fixed_seat
        self._unplayed |= which
        self.batch.reset(which, seed, self.seat if self._opponent == RANDOM else None)

    def _answer(self, which: Bools) -> None:
        """Let the others play in some rows until each learner is to act, or its game is over; then show these rows.

        A game that ends before its learner has acted begins again.
        """
        self._is_ready = False
        self._let_others_play()
        beginnings = 0
        while (early := self.over & self._unplayed).any():
            beginnings += 1
            if beginnings > MOST_BEGINNINGS:
                raise GameError("with these options the learner never comes to act")
            self._begin(early)
            self._let_others_play()
        self._unplayed[:] = False
        if not self._shows_itself:
            self.batch.look(np.where(which, self.seat, -1))
        self._is_ready = True

    def _let_others_play(self) -> None:
        """Until each learner is to act, or its game is over. Random players have played already."""
        batch = self.batch
        if self._opponent == SELF:
            self.seat = np.where(self.over, self.seat, batch.actor)
        elif self._opponent != RANDOM:
            while (waiting := (batch.actor != self.seat) & ~self.over).any():
                batch.step(self._choose(waiting), waiting)

    def _choose(self, waiting: Bools) -> Ints:
        """The actions of others."""
        actions = np.zeros(self.batch.n, np.int64)
        if callable(self._opponent):
            actions[waiting] = self._ask(self._opponent, waiting)
            return actions
        for row in np.flatnonzero(waiting).tolist():
            state = self.batch.state(row)
            actions[row] = self.batch.space.number(self._bot.choose(state, state.actor))
        return actions

    def _ask(self, policy: Policy, waiting: Bools) -> Ints:
        """The actions of a policy. Raises GameError where one is illegal."""
        self.batch.look(np.where(waiting, self.batch.actor, -1))
        masks = self.batch.mask[waiting]
        given = np.asarray(policy(self.batch.observation[waiting], masks.copy(), self._rng))
        if given.shape != (len(masks),) or not np.issubdtype(given.dtype, np.integer):
            raise GameError(f"the opponent has to give {len(masks)} whole numbers, not {short_repr(given)}")
        if given.min() < 0 or given.max() >= masks.shape[1] or not masks[np.arange(len(masks)), given].all():
            raise GameError(f"the opponent has played an illegal action: {short_repr(given.tolist())}")
        return given
