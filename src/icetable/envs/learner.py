"""Games in which one seat learns and opponents play the others: the basis of the single-agent interfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import GameError
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
from icetable.envs.answering import RANDOM, SEED_LIMIT, answer, check_member
from icetable.envs.batch import Autoreset, Batch, Channels, Illegal, Rewards
from icetable.envs.league import League, Policy
from icetable.envs.rows import MAX_UNPLAYED_GAMES
from icetable.envs.spaces import space

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.game import Game, State
    from icetable.extras.encoding import Bytes
    from icetable.kernels.jit import Ints

    Bools = npt.NDArray[np.bool_]


class Learner:
    """`n` games in step; each step lasts from one act of the learner to its next.

    `seat`: int64[n], the learner's seat: always `seat`, or drawn for each game.
    `batch`: the games, with the learner's observations, also of finished games.
    `over`: bool[n], whether the last step ended the game. `rewards`: float32[n, players], its rewards for each seat;
    `reward`: float64[n], its reward for the learner, whose seat was `last_seat`.
    `final_observation`: int8[n, …], with autoreset in the same step, what the learner sees at the end, where `over`.

    `opponent` plays the other seats: a named player, a Policy, or a League of these. `autoreset`, `rewards`,
    `channels` and `threads` are those of `Batch`.

    Raises GameError if an argument is not allowed.
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
        # Random opponents play inside the kernels. All others are called for each act, with observations on demand.
        self._calls_opponents = opponent != RANDOM
        self.batch = Batch(
            loaded,
            n,
            autoreset="off" if self._calls_opponents else autoreset,
            illegal=illegal,
            rewards=rewards,
            observation="look" if self._calls_opponents else "planes",
            channels=channels,
            threads=threads,
            learner=None if self._calls_opponents else "drawn" if seat is None else seat,
        )
        self._checked = 0
        self._check_league()
        self._autoreset, self._fixed_seat = autoreset, seat
        self._members = np.zeros((self.batch.n, loaded.players), np.int64)
        self.seat: Ints = np.zeros(self.batch.n, np.int64)
        self.over = np.zeros(self.batch.n, np.bool_)
        self._firsts = np.arange(self.batch.n) * loaded.players
        self._all = ~self.over
        self._unplayed = self.over.copy()
        self._ends = self.batch.observation.copy() if self._calls_opponents and autoreset == "same" else None
        self._is_ready = False

    @property
    def final_observation(self) -> Bytes:
        return self.batch.final_observation if self._ends is None else self._ends

    @property
    def reward(self) -> npt.NDArray[np.float64]:
        """float64[n], the learner's reward for the last step."""
        return self.rewards.take(self._firsts + self.last_seat).astype(np.float64)

    def reset(self, which: Bools, rng: np.random.Generator, state: State | None = None) -> None:
        """Begin new games in some rows, the first of them optionally from a state. `rng` drives chance, bots and random
        players. Raises GameError if the state can't be played on; nothing has changed then.
        """
        if state is not None:
            self.batch.unfinished(state)
        self._rng, self._is_ready = rng, False
        seed = int(rng.integers(SEED_LIMIT))
        self._begin(which, seed)
        if state is not None:
            self.batch.set(0, state)
        if self._calls_opponents:
            self._play_opponents(which)
        self._read_results()
        self._is_ready = True

    def step(self, actions: npt.ArrayLike) -> None:
        """Play the learner's actions, then those of the opponents.

        Raises the errors of `Batch.step`, and GameError after the end of a game and before `reset`.
        """
        if not self._is_ready:
            raise GameError("there is no game under way; begin one with reset")
        if self._autoreset == "off" and np.count_nonzero(self.over):
            raise GameError(f"the game in row {self.over.argmax()} is over; begin a new one with reset")
        if self._calls_opponents:
            last_seat = self.seat.copy()
            self._step_with_opponents(actions)
            self.last_seat = last_seat
        else:
            self.batch.step(actions)
            self.last_seat = self.seat
        self._read_results()
        if self._autoreset == "same" and np.count_nonzero(self.over):
            self._restart()
        self._is_ready = True

    def _read_results(self) -> None:
        batch = self.batch
        self.over, self.rewards = batch.done.copy(), batch.reward.copy()
        if not self._calls_opponents:
            self.seat = batch.learners.copy()

    def _restart(self) -> None:
        """Save the final observations and restart the games, if the batch has not."""
        if self._ends is not None:
            self._ends[:] = self.batch.observation
            self._is_ready = False
            self._begin(self.over)
            self._play_opponents(self.over)

    def _step_with_opponents(self, actions: npt.ArrayLike) -> None:
        """Play the learner's actions, or begin a new game in rows due for autoreset; then play the opponents."""
        beginning = self.over if self._autoreset == "next" else ~self._all
        self.batch.step(actions, ~beginning)
        self._is_ready = False
        if np.count_nonzero(beginning):
            self._begin(beginning)
        self._play_opponents(self._all)

    def _begin(self, which: Bools, seed: int | None = None) -> None:
        if self._calls_opponents:
            if self._fixed_seat is None:
                self.seat[which] = self._rng.integers(self.batch.game.players, size=which.sum())
            else:
                self.seat[which] = self._fixed_seat
            self._unplayed |= which
            self._check_league()
            self._members[which] = self._league.draw(self._rng, int(which.sum()), self.batch.game.players)
        self.batch.reset(which, seed)

    def _play_opponents(self, which: Bools) -> None:
        """Play the opponents in some rows until each learner is to act or its game is over; then update observations.

        A game that ends before its learner has acted restarts.
        """
        batch = self.batch
        for _ in range(MAX_UNPLAYED_GAMES):
            while (waiting := (batch.actor != self.seat) & ~batch.done).any():
                batch.step(self._opponent_actions(waiting), waiting)
            if not (early := batch.done & self._unplayed).any():
                break
            self._begin(early)
        else:
            raise GameError("with these options the learner never comes to act")
        self._unplayed[:] = False
        batch.look(np.where(which, self.seat, -1))

    def _opponent_actions(self, waiting: Bools) -> Ints:
        actions, rows = np.zeros(self.batch.n, np.int64), np.flatnonzero(waiting)
        members = self._members[rows, self.batch.actor[rows]]
        for member in np.unique(members):
            chosen = rows[members == member]
            actions[chosen] = answer(self._league.members[member], self.batch, chosen, self._rng)
        return actions

    def _check_league(self) -> None:
        """Raise GameError if the league is empty or a new member can't play this game."""
        if not self._league.members:
            raise GameError("the league has no members yet")
        for member in self._league.members[self._checked :]:
            check_member(self.batch.game, member)
        self._checked = len(self._league.members)


def check_seat(seat: int | None, game: Game) -> None:
    """Raise GameError unless `seat` is a seat or None."""
    if seat is not None and not (is_integer(seat) and 0 <= seat < game.players):
        raise GameError(f"seat is a whole number from 0 to {game.players - 1} or None, not {short_repr(seat)}")
