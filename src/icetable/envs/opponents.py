"""The opponents of a learner: functions, named players, copies of itself, and leagues of these.

`Learner` plays them in games of turns, for many games at a time, `RealTimeOpponents` in real time.
"""

from __future__ import annotations

import copy
import functools
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from icetable.bots.levels import REAL_TIME_NAMES, timeless_levels
from icetable.bots.many import choose_many
from icetable.bots.players import VERSIONED, Player, Searcher, player_named, player_names
from icetable.bots.realtime import Intention, RealTimeBot
from icetable.core.errors import GameError
from icetable.core.options import is_integer, short_repr
from icetable.core.turns import TurnGame, determinized
from icetable.envs.batch import Autoreset, Batch, Channels, Illegal, Rewards
from icetable.envs.policies import Model, Policy
from icetable.envs.realtime import RealTime
from icetable.envs.rows import MAX_UNPLAYED_GAMES
from icetable.envs.search import Kind, TreeSearch
from icetable.envs.spaces import space
from icetable.kernels import jit

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from icetable.core.game import Game, State
    from icetable.core.turns import TurnGame
    from icetable.envs.batch import Batch
    from icetable.extras.encoding import Bytes
    from icetable.kernels.jit import Ints

    Bools = npt.NDArray[np.bool_]
    from icetable.envs.realtime import RealTime

RANDOM = "random"
SEED_LIMIT = 2**31
DEFAULT_LEVEL = "beginner@2"


class League:
    """A pool of opponents. Each other seat of each game draws one of them; more can be added at any time.

    `members`: names of players, and functions that take many games at a time. The newest member is drawn with
    probability `newest`, otherwise any of them. Games under way keep their opponents.

    Raises GameError if `newest` is not a probability.

    >>> from icetable.envs import League
    >>> from icetable.envs.gymnasium import Env
    >>> league = League("random", "greedy", newest=0.5)
    >>> env = Env("squad", opponent=league)
    >>> league.add("casual@1")
    >>> league.members
    ['random', 'greedy', 'casual@1']
    """

    def __init__(self, *members: str | Policy, newest: float = 0.0) -> None:
        if not 0 <= newest <= 1:
            raise GameError(f"newest is a probability from 0 to 1, not {short_repr(newest)}")
        self.members, self.newest = list(members), newest

    def add(self, member: str | Policy) -> None:
        """Add a member, from the next game on."""
        self.members.append(member)

    def draw(self, rng: np.random.Generator, games: int, players: int) -> Ints:
        """Draw the member of each seat: int64[games, players], indices into `members`."""
        last = len(self.members) - 1
        if last == 0:
            return np.zeros((games, players), np.int64)
        drawn = rng.integers(last + 1, size=(games, players))
        return np.where(rng.random((games, players)) < self.newest, last, drawn)


class Frozen:
    """A frozen copy of a learner as an opponent.

    `model`: an object with `predict(observations, action_masks=…, deterministic=…)`, such as MaskablePPO of
    sb3-contrib; if it has a `policy`, only that is copied. Its random choices don't depend on the environment's seed.
    """

    def __init__(self, model: Any, deterministic: bool = False) -> None:
        self.model = copy.deepcopy(getattr(model, "policy", model))
        self.deterministic = deterministic

    def __call__(self, observations: Any, masks: Any, _rng: np.random.Generator) -> Any:
        return self.model.predict(observations, action_masks=masks, deterministic=self.deterministic)[0]


def check_member(game: TurnGame, member: object) -> None:
    """Raise GameError if `member` is not a valid opponent."""
    if isinstance(member, Model):
        member.check(game)
    if callable(member) or (isinstance(member, str) and player(game, member)):
        return
    if member == "self":
        raise GameError(
            "opponent can't be 'self': one reward for all seats teaches that a loss of others is one's own; "
            "play against copies, League(Frozen(model)), or all seats of a Batch"
        )
    raise GameError(
        f"opponent can't be {short_repr(member)}; allowed: a function, a League or "
        f"{', '.join(map(repr, player_names(game)))}; {VERSIONED}"
    )


def choose_actions(member: str | Policy, batch: Batch, rows: Ints, rng: np.random.Generator) -> Ints:
    """The actions of an opponent in the rows where it is to act. Raises GameError if one is illegal."""
    if callable(member):
        return _call_policy(member, batch, rows, rng)
    if member == RANDOM:
        return batch.pick(_row_mask(batch, rows))[rows]
    game, chosen = batch.game, player(batch.game, member)
    assert chosen is not None
    seeds = rng.integers(1, SEED_LIMIT, size=len(rows))
    if game.info.is_plain or not isinstance(chosen, Searcher):
        each = list(map(int, seeds))
        states = [determinized(batch.state(int(row)), None, seed) for row, seed in zip(rows, each, strict=True)]
        return np.array([batch.space.number(act) for act in chosen.choose_many(states, each)])
    positions, effort = batch.positions(_row_mask(batch, rows)), chosen.effort
    if has_secrets(game):
        for number, seed in enumerate(seeds):
            positions[number] = game.determinize(positions[number], effort.memory, np.random.default_rng(seed))
    threads = min(batch.threads, len(rows))
    return choose_many(game, positions, seeds, effort, chosen.style, threads, batch.side_by_side)


@functools.lru_cache(maxsize=64)
def player(game: TurnGame, name: str) -> Player | None:
    """The player of this name, or None if there is none."""
    return player_named(game, name)


@functools.lru_cache(maxsize=64)
def has_secrets(game: TurnGame) -> bool:
    return game.has_secrets


def _row_mask(batch: Batch, rows: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    which = np.zeros(batch.n, np.bool_)
    which[rows] = True
    return which


def _call_policy(policy: Policy, batch: Batch, rows: Ints, rng: np.random.Generator) -> Ints:
    """The actions that a function chooses. Raises GameError if one is illegal."""
    batch.look(np.where(_row_mask(batch, rows), batch.actor, -1))
    masks = batch.mask[rows]
    given = np.asarray(policy(batch.observation[rows], masks.copy(), rng))
    if given.shape != (len(masks),) or not np.issubdtype(given.dtype, np.integer):
        raise GameError(f"the opponent must return {len(masks)} whole numbers, not {short_repr(given)}")
    if given.min() < 0 or given.max() >= masks.shape[1] or not masks[np.arange(len(masks)), given].all():
        raise GameError(f"the opponent has played an illegal action: {short_repr(given.tolist())}")
    return given


class Learner:
    """`n` games in step; each step lasts from one act of the learner to its next.

    `seat`: the learner's seat; None to draw it for each game. `opponent` plays the other seats: a named player, a
    Policy, or a League of these. `autoreset`, `rewards`, `channels` and `threads` are those of `Batch`.

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
        """The games, with the learner's observations, also of finished games."""
        self._checked = 0
        self._check_league()
        self._autoreset, self._fixed_seat = autoreset, seat
        self._members = np.zeros((self.batch.n, loaded.players), np.int64)
        self.seat: Ints = np.zeros(self.batch.n, np.int64)
        """int64[n], the learner's seat."""
        self.last_seat = self.seat
        """int64[n], the learner's seat in the last step."""
        self.over = np.zeros(self.batch.n, np.bool_)
        """bool[n], whether the last step ended the game."""
        self.rewards = np.zeros((self.batch.n, loaded.players), np.float32)
        """float32[n, players], the rewards of the last step."""
        self._firsts = np.arange(self.batch.n) * loaded.players
        self._all = ~self.over
        self._unplayed = self.over.copy()
        self._ends = self.batch.observation.copy() if self._calls_opponents and autoreset == "same" else None
        self._is_ready = False

    @property
    def final_observation(self) -> Bytes:
        """int8[n, …], what the learner sees at the end, where `over`, with autoreset in the same step."""
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
            actions[chosen] = choose_actions(self._league.members[member], self.batch, chosen, self._rng)
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


class RealTimeOpponents:
    """The opponents of a learner in a real-time game. `opponent`: a level, "random", a Policy or a League.

    None is "random" if there is a menu, otherwise "beginner@2". Raises GameError for anything else.
    """

    def __init__(self, ticks: RealTime, opponent: str | Policy | League | None) -> None:
        self._ticks = ticks
        if opponent is None:
            opponent = RANDOM if ticks.action == "menu" else DEFAULT_LEVEL
        self._league = opponent if isinstance(opponent, League) else League(opponent)
        self._check()

    def _check(self) -> None:
        """Raise GameError if the league is empty or a member can't play."""
        names = [*([RANDOM] if self._ticks.action == "menu" else []), *REAL_TIME_NAMES]
        if not self._league.members:
            raise GameError("the league has no members yet")
        for member in self._league.members:
            if member == RANDOM and RANDOM not in names:
                raise GameError(
                    f"'random' opponents pick from the menu, which action={self._ticks.action!r} lacks; "
                    f"allowed: a function, a League or {', '.join(map(repr, names))}"
                )
            if not callable(member) and member not in names:
                raise GameError(
                    f"opponent can't be {short_repr(member)}; allowed: a function, a League or "
                    f"{', '.join(map(repr, names))}; {VERSIONED}"
                )

    def begin(self, learner: int, rng: np.random.Generator) -> None:
        """Draw the opponents of a new game; `rng` drives all their choices. Raises GameError for an invalid member."""
        self._check()
        self._rng = rng
        drawn = self._league.draw(rng, 1, self._ticks.game.players)[0].tolist()
        members = {seat: self._league.members[member] for seat, member in enumerate(drawn) if seat != learner}
        self._random = [seat for seat, member in members.items() if member == RANDOM]
        self._policies: dict[int, tuple[Policy, list[int]]] = {}
        self._bots = []
        for seat, member in members.items():
            if callable(member):
                self._policies.setdefault(drawn[seat], (member, []))[1].append(seat)
            elif member != RANDOM:
                bot = RealTimeBot(self._ticks.game, REAL_TIME_NAMES[member], int(rng.integers(SEED_LIMIT)))
                self._bots.append(TickBot(bot, seat))

    def act(self, actions: npt.NDArray[Any]) -> dict[int, str | None]:
        """Write the actions of functions and random players, return the acts of bots. Raises GameError for others."""
        ticks = self._ticks
        if self._random:
            actions[self._random] = ticks.pick()[self._random]
        for policy, seats in self._policies.values():
            seen = {name: array[seats] for name, array in ticks.observation.items()}
            given = np.asarray(policy(seen, ticks.mask[seats], self._rng))
            if given.shape != actions[seats].shape or not np.can_cast(given.dtype, actions.dtype, "same_kind"):
                raise GameError(f"the opponent must return {len(seats)} actions, not {short_repr(given)}")
            actions[seats] = given
        state = functools.cache(lambda: ticks.state().as_of(round(ticks.now * 1000)))
        return {bot.seat: bot.act(ticks, state) for bot in self._bots}


class TickBot:
    """A bot at its seat. It sees changes without delay, and acts at the beginning of the tick that it has chosen."""

    def __init__(self, bot: RealTimeBot, seat: int) -> None:
        self.seat = seat
        self._bot = bot
        self._intention = Intention(None, 0.0)

    def act(self, ticks: RealTime, state: Callable[[], State]) -> str | None:
        """The bot's act in this tick, or None; `state` returns the position."""
        now = ticks.now
        if ticks.fault(self.seat) is not None:
            self._bot.refused()
        waits = self._intention.act is None and self._intention.at <= now
        if waits or ticks.changed:
            self._intention = self._bot.next(state().view(self.seat), now)
        act, at = self._intention
        if act is None or at > now:
            return None
        self._intention = Intention(None, now)
        return act


def warm_up(game: Game) -> None:
    """Compile or load the kernels of a game's environments, including those of an opponent that searches."""
    with jit.compiling():
        _use(game)


def _use(game: Game) -> None:
    if not isinstance(game, TurnGame):
        RealTime(game)
        return
    batch = Batch(game, 1)
    batch.step(batch.pick())
    for kind in get_args(Kind):
        TreeSearch(batch, _evaluate_nothing, 1, kind, noise=0.5).run()
    learner = Learner(game, 1, 0, timeless_levels(game)[0].name, None, "lose", "same")
    learner.reset(np.ones(1, np.bool_), np.random.default_rng(0))
    learner.step(learner.batch.mask.argmax(axis=1))


def _evaluate_nothing(_seen: Any, masks: Any) -> Any:
    return np.zeros(masks.shape), np.zeros(len(masks))
