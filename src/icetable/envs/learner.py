"""Games in which one seat learns and the others answer: what the interfaces for a single agent are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import GameError
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
from icetable.envs.answering import RANDOM, SEED_LIMIT, answer, check_member
from icetable.envs.batch import Autoreset, Batch, Channels, Illegal, Rewards
from icetable.envs.league import League, Policy
from icetable.envs.rows import MAX_BEGINNINGS
from icetable.envs.spaces import space

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.game import Game, State
    from icetable.kernels.jit import Ints

    Bools = npt.NDArray[np.bool_]


class Learner:
    """`n` games in step, each from one act of its learner to the next one.

    `seat`: int64[n], where the learner sits: always at `seat`, or at a place drawn for each game.
    `batch`: the games, with what the learner sees, also of games that are over.
    `over`: bool[n], where the last step ended a game. `rewards`: float32[n, players], what it brought each seat, and
    `reward`: float64[n], what it brought the learner, whose seat was `last_seat`.
    `final_observation`: int8[k, …], where games begin again in the same step, what the learner saw at the k ends.

    `opponent`: who plays the other seats: a player by name, a Policy, or a League of these. `autoreset`, `rewards`,
    `channels` and `threads` are as `Batch` has them.

    Raises GameError where an argument is not allowed.
    """

    def __init__(
        self,
        game: Game | str | type,
        n: int,
        seat: int | None,
        opponent: str | Policy | League,
        rewards: Rewards | None,
        illegal: Illegal,
        autoreset: Autoreset,
        channels: Channels = "last",
        threads: int = 1,
        **options: Any,
    ) -> None:
        loaded = space(game, **options).game
        check_seat(seat, loaded)
        self._league = opponent if isinstance(opponent, League) else League(opponent)
        # Kernels play at random; others are asked here for each of their acts, and see no more than they need.
        self._asks = opponent != RANDOM
        self.batch = Batch(
            loaded,
            n,
            autoreset="off" if self._asks else autoreset,
            illegal=illegal,
            rewards=rewards,
            observation="look" if self._asks else "planes",
            channels=channels,
            threads=threads,
            learner=None if self._asks else "drawn" if seat is None else seat,
        )
        self._checked = 0
        self._check_league()
        self._autoreset, self._fixed_seat = autoreset, seat
        self._members = np.zeros((self.batch.n, loaded.players), np.int64)
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
        if not self._asks:
            self.seat = batch.learners.copy()

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
            self._check_league()
            self._members[which] = self._league.draw(self._rng, int(which.sum()), self.batch.game.players)
        self.batch.reset(which, seed)

    def _answer(self, which: Bools) -> None:
        """Ask the others in some rows until each learner is to act, or its game is over; then show these rows.

        A game that ends before its learner has acted begins again.
        """
        batch = self.batch
        for _ in range(MAX_BEGINNINGS):
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
        actions, rows = np.zeros(self.batch.n, np.int64), np.flatnonzero(waiting)
        members = self._members[rows, self.batch.actor[rows]]
        for member in np.unique(members):
            its = rows[members == member]
            actions[its] = answer(self._league.members[member], self.batch, its, self._rng)
        return actions

    def _check_league(self) -> None:
        """Raise GameError where a member can't play this game, and where there is none."""
        if not self._league.members:
            raise GameError("the league has no members yet")
        for member in self._league.members[self._checked :]:
            check_member(self.batch.game, member)
        self._checked = len(self._league.members)


def check_seat(seat: int | None, game: Game) -> None:
    """Raise GameError for what is neither a seat nor None."""
    if seat is not None and not (is_integer(seat) and 0 <= seat < game.players):
        raise GameError(f"seat is a whole number from 0 to {game.players - 1} or None, not {short_repr(seat)}")
