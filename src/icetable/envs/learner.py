"""Games in which one seat learns and the others answer: what the interfaces for a single agent are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.bots import Bot, levels
from icetable.core.errors import GameError
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
from icetable.envs.batch import Autoreset, Batch, Channels, Illegal, Rewards
from icetable.envs.rows import MOST_BEGINNINGS
from icetable.envs.spaces import space
from icetable.kernels.layout import NOBODY

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.game import Game, State
    from icetable.kernels.jit import Ints

    Bools = npt.NDArray[np.bool_]

Policy = Callable[[Any, Any, np.random.Generator], Any]
"""Chooses actions, for n games at a time: observations int8[n, height, width, planes] and masks int8[n, actions] give
actions int64[n]. The generator is the environment's, so that a seed gives the same choices again."""

RANDOM, SELF = "random", "self"
SEED_LIMIT = 2**31


class Learner:
    """`n` games in step, each from one act of its learner to the next one.

    `seat`: int64[n], where the learner sits: always at `seat`, or at a place drawn for each game. Where the opponent is
    "self", it plays all seats, and its seat is the one to act; after the end the one that acted last.
    `batch`: the games, with what the learner sees, also of games that are over.
    `over`: bool[n], where the last step ended a game. `rewards`: float32[n, players], what it brought each seat, and
    `reward`: float64[n], what it brought the learner, whose seat was `last_seat`.
    `final_observation`: int8[k, …], where games begin again in the same step, what the learner saw at the k ends.

    `opponent`: who plays the other seats: "random", a level's bot, or a Policy. `autoreset` and `rewards` are as
    `Batch` has them.

    Raises GameError where an argument is not allowed.
    """

    def __init__(
        self,
        game: Game | str | type,
        n: int,
        seat: int | None,
        opponent: str | Policy,
        rewards: Rewards | None,
        illegal: Illegal,
        autoreset: Autoreset,
        channels: Channels = "last",
        **options: Any,
    ) -> None:
        loaded = space(game, **options).game
        if seat is not None and not (is_integer(seat) and 0 <= seat < loaded.players):
            raise GameError(f"seat is a whole number from 0 to {loaded.players - 1} or None, not {short_repr(seat)}")
        names = [RANDOM, SELF, *(level.name for level in levels(loaded))]
        if not callable(opponent) and opponent not in names:
            raise GameError(
                f"opponent can't be {short_repr(opponent)}; allowed: a function or {', '.join(map(repr, names))}"
            )
        if opponent == SELF and seat is not None:
            raise GameError("against itself the learner plays every seat: seat must be None")
        # Kernels play at random; others are asked here for each of their acts, and see no more than they need.
        self._asks = opponent not in (RANDOM, SELF)
        self.batch = Batch(
            loaded,
            n,
            autoreset="off" if self._asks else autoreset,
            illegal=illegal,
            rewards=rewards,
            observation="look" if self._asks else "planes",
            channels=channels,
            learner="drawn" if opponent == RANDOM and seat is None else seat if opponent == RANDOM else None,
        )
        self._autoreset, self._fixed_seat, self._opponent = autoreset, seat, opponent
        self.seat: Ints = np.zeros(self.batch.n, np.int64)
        self.over = np.zeros(self.batch.n, np.bool_)
        self._firsts = np.arange(self.batch.n) * loaded.players
        self._every = ~self.over
        self._unplayed = self.over.copy()
        self._is_ready = False

    @property
    def reward(self) -> npt.NDArray[np.float64]:
        """float64[n], what the last step has brought the learner."""
        return self.rewards.ravel().take(self._firsts + self.last_seat).astype(np.float64)

    def reset(self, which: Bools, rng: np.random.Generator, state: State | None = None) -> None:
        """Begin new games in some rows, or at a state in the first one. All that chance, bots and random players do
        there comes from `rng`. Raises GameError for a state that can't be played on, and then nothing has changed.
        """
        if state is not None:
            self.batch.check(state)
        self._rng, self._is_ready = rng, False
        seed = int(rng.integers(SEED_LIMIT))
        if self._asks and isinstance(self._opponent, str):
            self._bot = Bot(self.batch.game, self._opponent, int(rng.integers(SEED_LIMIT)))
        self._begin(which, seed)
        if state is not None:
            self.batch.set(0, state)
        if self._asks:
            self._answer(which)
        self._note()
        self._is_ready = True

    def step(self, actions: npt.ArrayLike) -> None:
        """Play the learner's actions; then the others answer.

        Raises GameError and IllegalAction as `Batch.step` does, and GameError after an end and before `reset`.
        """
        if not self._is_ready:
            raise GameError("there is no game under way; begin one with reset")
        if self._autoreset == "off" and np.count_nonzero(self.over):
            raise GameError(f"the game in row {self.over.argmax()} is over; begin a new one with reset")
        last_seat = self.seat.copy()
        if self._asks:
            self._step_and_ask(actions)
        else:
            self.batch.step(actions)
        self.last_seat = last_seat
        self._note()
        if self._autoreset == "same":
            self._keep_ends()
        self._is_ready = True

    def _note(self) -> None:
        """Note what a step has brought, and who is to act."""
        batch = self.batch
        self.over, self.rewards = batch.done.copy(), batch.reward.copy()
        if self._opponent == RANDOM:
            self.seat = batch.learners.copy()
        elif self._opponent == SELF:
            self.seat = np.where(batch.actor == NOBODY, self.seat, batch.actor)

    def _keep_ends(self) -> None:
        """Keep what was seen in the end, where new games begin at once."""
        seen = self.batch.observation if self._asks else self.batch.final_observation
        self.final_observation = seen.compress(self.over, axis=0)
        if self._asks and self.over.any():
            self._is_ready = False
            self._begin(self.over)
            self._answer(self.over)

    def _step_and_ask(self, actions: npt.ArrayLike) -> None:
        """Play the learner's actions, but begin new games where that was put off; then ask the others."""
        beginning = self.over if self._autoreset == "next" else ~self._every
        self.batch.step(actions, ~beginning)
        self._is_ready = False
        if np.count_nonzero(beginning):
            self._begin(beginning)
        self._answer(self._every)

    def _begin(self, which: Bools, seed: int | None = None) -> None:
        """Begin new games in some rows."""
        if self._asks:
            if self._fixed_seat is None:
                self.seat[which] = self._rng.integers(self.batch.game.players, size=which.sum())
            else:
                self.seat[which] = self._fixed_seat
            self._unplayed |= which
        self.batch.reset(which, seed)

    def _answer(self, which: Bools) -> None:
        """Ask the others in some rows until each learner is to act, or its game is over; then show these rows.

        A game that ends before its learner has acted begins again.
        """
        batch = self.batch
        for _ in range(MOST_BEGINNINGS):
            while (waiting := (batch.actor != self.seat) & ~batch.done).any():
                batch.step(self._choose(waiting), waiting)
            if not (early := batch.done & self._unplayed).any():
                break
            self._begin(early)
        else:
            raise GameError("with these options the learner never comes to act")
        self._unplayed[:] = False
        batch.look(np.where(which, self.seat, -1))

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
