"""Many games of one kind in step: the environment that all others are made of, and the fastest."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

import numpy as np

from icetable.core.errors import GameError, IllegalAction
from icetable.core.numbers import check_whole, is_integer, slices
from icetable.core.options import short_repr
from icetable.envs import rows
from icetable.envs.positions import Positioned
from icetable.envs.spaces import check_names, space
from icetable.kernels import jit
from icetable.kernels.layout import NOBODY

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.game import Game
    from icetable.core.turns import TurnGame
    from icetable.envs.spaces import Spaces
    from icetable.extras.encoding import Bytes
    from icetable.kernels.jit import Ints

Autoreset = Literal["same", "next", "off"]
Illegal = Literal["raise", "lose", "ignore"]
Rewards = Literal["share", "points"]
Observation = Literal["planes", "look"] | None
Channels = Literal["last", "first"]
FIRST_LOG = 64
"""The number of actions of a game for which there is room at first."""
WORTH_A_THREAD = 128
"""With fewer rows each, handing a step on to a thread takes longer than the step."""
COPIED = ("space", "n", "rewards", "_channels", "threads", "_made", "_rows", "_befores")
"""What makes a batch: all else follows from it."""


class Batch(Positioned):
    """`n` games of one kind in step.

    Each `step` plays one action in every game, then chance until a player is to act. The arrays below are written in
    place by each step and can't be written from outside; copy what has to last. Rows are games.

    `actor`: int64[n], the seat that is to act; -2 where the game is over.
    `observation`: int8[n, height, width, planes], what that seat sees. See `space(game).encoding`.
    `mask`: int8[n, actions], 1 for its legal actions; `legal`: bool[n, actions], the same.
    `reward`: float32[n, players], what the last step brought each seat: 0 before the end; then by `rewards` the share
    of the game on a scale from -1 / (players - 1) for a loss to 1 for a win alone, which adds up to 0; or the points.
    Without `rewards` a player alone is paid points, for whom a share is always 0, and all others are paid shares.
    `done`: bool[n], whether the last step ended the game.
    `final_observation`: where `done`, what the learner, or else the seat that acted last, sees at the end.
    `acts`: int64[n], the number of actions in the game so far; where `done`, in the game that ended.
    `learners`: int64[n], the seat that learns; -1 where no `learner` was asked for.

    `autoreset` says when a game that is over begins again: in the `same` step, in the `next` one, whose action is then
    ignored, or never (`off`: call `reset`). `illegal` says what an illegal action does: `raise` IllegalAction before
    any game has changed, `lose` the game for its seat, or `ignore` the action; who is paid points gets those so far
    when a game is lost so. Chance draws from a stream of each row's own, which `seed` and the row determine: the same
    seed gives the same games for any `threads`.

    With `channels` "first" all that is seen is [planes, height, width], the same memory in another order.

    With `observation` "look" only `look` shows what is seen, with None nothing does.

    With a `learner` one seat of each game learns: that one, or one that is "drawn" for each game. Each step then goes
    on with random actions of the others, until the learner is to act or the game is over, and shows what the learner
    sees. A game that is over before its learner has acted does not count, and begins again at once.

    `get` and `set` take positions out of rows and put them in, `copy` goes from row to row, and `state_dict` keeps all.
    A copy or an unpickled batch goes on where this one is, with the same chance to come, and neither changes the other.

    Raises GameError where an argument is not allowed.

    >>> from icetable.envs import Batch
    >>> batch = Batch("squad", 2, seed=1)
    >>> batch.observation.shape, batch.mask.sum(axis=1)
    ((2, 4, 4, 23), array([4, 4]))
    >>> batch.step(batch.pick())
    >>> batch.actor, batch.state(0).to_act
    (array([1, 1]), frozenset({1}))
    """

    actor: Ints
    observation: Bytes
    mask: Bytes
    legal: npt.NDArray[np.bool_]
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    final_observation: Bytes
    acts: Ints
    learners: Ints

    def __init__(
        self,
        game: Game | str | type,
        n: int,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = "same",
        illegal: Illegal = "raise",
        rewards: Rewards | None = None,
        observation: Observation = "planes",
        channels: Channels = "last",
        learner: int | Literal["drawn"] | None = None,
        **options: Any,
    ) -> None:
        for name, number, least in (("n", n, 1), ("seed", seed, 0), ("threads", threads, 1)):
            check_whole(name, number, least)
        for name, chosen, choices in (
            ("autoreset", autoreset, get_args(Autoreset)),
            ("illegal", illegal, get_args(Illegal)),
            ("rewards", rewards, (*get_args(Rewards), None)),
            ("observation", observation, ("planes", "look", None)),
            ("channels", channels, get_args(Channels)),
        ):
            check_choice(name, chosen, choices)
        check_names(game, options, Batch)
        self.space: Spaces = space(game, **options)
        self.game: TurnGame = self.space.game
        self.n: int = int(n)
        self.threads = min(int(threads), self.n)
        self._channels = channels
        self.rewards: Rewards = rewards or ("points" if self.game.players == 1 else "share")
        self._made = {
            "game": self.game.info.name,
            "options": dict(self.game.options),
            "encoding": self.space.encoding.version,
            "n": self.n,
            "autoreset": autoreset,
            "illegal": illegal,
            "rewards": self.rewards,
            "observation": observation,
            "learner": self._learner(learner),
        }
        self._make_rows(int(seed))
        self._befores = {}
        self._connect()
        self.reset()

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in COPIED}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.game = self.space.game
        self._connect()

    def _connect(self) -> None:
        """Make all that a copy can't have from the original: kernels, threads, and views of its own arrays."""
        self._actions, self._picked = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        self._all = read_only(np.ones(self.n, np.bool_))
        jit.announce_compiling()
        bound = {"rules": self.game.rules, "codec": self.space.codec}
        self._choose = jit.bind(rows.choose, self.game.info.name, **bound)
        self._step, self._pick, self._look = (
            jit.bind(kernel, self.game.info.name, **bound) for kernel in (rows.step, rows.pick, rows.look)
        )
        self._show_rows()
        self._open_pool()
        self._split()

    def reset(self, which: npt.ArrayLike | None = None, seed: int | None = None) -> None:
        """Begin a new game in all rows, or in the rows where bool[n] `which` is True.

        With a `seed` the streams of these rows begin anew. Raises GameError where an argument is not allowed, and where
        a thousand games in a row are over before their learner has acted.
        """
        chosen = self.chosen(which)
        if seed is not None:
            check_whole("seed", seed, 0)
            self._rows.streams[chosen] = jit.seeds(int(seed), 2 * self.n).reshape(self.n, 2)[chosen]
        self._actions[:] = np.where(chosen, rows.BEGIN, rows.STAND)
        self._advance()

    def step(self, actions: npt.ArrayLike | None, which: npt.ArrayLike | None = None) -> None:
        """Play an action in every row, or in the rows where bool[n] `which` is True; the others stay as they are.

        `actions` is an array of `n` whole numbers, of which those of rows that stay don't matter; None plays what
        `pick` would give. Raises GameError for numbers off the numbering and for an array of another shape, and where
        `illegal` is `raise` IllegalAction for an act that the rules refuse, and GameError for an act after the end.
        Then nothing has changed.
        """
        self._take(actions, self.chosen(which))
        self._advance()

    def pick(self, which: npt.ArrayLike | None = None) -> Ints:
        """A uniformly random legal action for every row, or for the rows where bool[n] `which` is True; else 0.

        Each row draws from a stream of its own. Where the game is over the action is 0. Raises GameError.
        """
        self._picked[:] = self.chosen(which)
        self._run(self._pick, self._picked)
        return self._picked.copy()

    def legal_actions(self, row: int) -> Ints:
        """The legal actions of a row in ascending order, none after the end. Raises GameError."""
        return np.flatnonzero(self._rows.mask[self._row(row)])

    def look(self, seats: npt.ArrayLike) -> None:
        """Show in `observation` what a seat sees of each row: int64[n] `seats`, with -1 for rows that stay as they are.

        Raises GameError where an argument is not allowed, and where observations are not made.
        """
        given = np.asarray(seats)
        if given.shape != (self.n,) or not np.issubdtype(given.dtype, np.integer):
            raise GameError(f"look takes {self.n} seats, not {short_repr(seats)}")
        if given.min() < -1 or given.max() >= self.game.players:
            raise GameError(f"a seat is a whole number from 0 to {self.game.players - 1}, or -1 for none")
        if not len(self.observation):
            raise GameError("these games were made with observation=None; there is nothing to look at")
        self._run(self._look, given.astype(np.int64))

    def observe(self, row: int, seat: int) -> Bytes:
        """What a seat sees of a row, an array of its own. Raises GameError."""
        number = self._row(row)
        if not is_integer(seat) or not 0 <= seat < self.game.players:
            raise GameError(f"a seat is a whole number from 0 to {self.game.players - 1}, not {short_repr(seat)}")
        height, width, planes = self.space.encoding.shape
        seen = np.empty((height * width, planes), np.int8)
        self.space.codec.observe(self._rows.positions[number], seat, seen)
        return self.arranged(seen.reshape(height, width, planes))

    def out(self, row: int) -> list[int]:
        """The seats that are out of a row's game, which goes on. Raises GameError where there is no such row."""
        return self.game.eliminated(self._rows.positions[self._row(row)])

    def chosen(self, which: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        """bool[n], the rows that are meant: by such an array, or all of them by None. Raises GameError."""
        if which is None:
            return self._all
        chosen = np.asarray(which)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise GameError(f"rows are chosen by an array of {self.n} bools, not {short_repr(which)}")
        return chosen

    def _take(self, actions: npt.ArrayLike | None, chosen: npt.NDArray[np.bool_]) -> None:
        """Take over the actions of a step. Raises GameError and IllegalAction."""
        if actions is None:
            self._actions[:] = rows.RANDOM
        else:
            given = np.asarray(actions)
            if given.shape != (self.n,) or given.dtype.kind not in "iu":
                raise GameError(f"step takes {self.n} whole numbers, not {short_repr(actions)}")
            self._actions[:] = given
        arrays, strict = self._rows, self._made["illegal"] == "raise"
        row = self._choose(self._actions, chosen, arrays.mask, arrays.actor, strict, arrays.autoreset)
        if row >= 0:
            self._refuse(row, int(self._actions[row]))

    def _refuse(self, row: int, action: int) -> NoReturn:
        """Raise the reason why an action can't be played."""
        last = self.space.encoding.actions - 1
        if action != rows.RANDOM and not 0 <= action <= last:
            raise GameError(f"actions are whole numbers from 0 to {last}")
        if self._is_over(row):
            raise GameError(f"the game in row {row} is over; begin a new one with reset")
        act = self.space.notation(action)
        fault = self.state(row).fault(act)
        assert fault is not None
        raise IllegalAction(dataclasses.replace(fault, message=f"Row {row}, {act}: {fault.message}"))

    def _advance(self) -> None:
        """Do in each row what is in `_actions`."""
        while (result := max(self._run(self._step, self._actions))) == rows.FULL:
            self._make_room()
        if result == rows.ENDLESS:
            raise GameError("with these options the learner never comes to act")
        if self.rewards == "points":
            self._pay_points()

    def _pay_points(self) -> None:
        for row in np.flatnonzero(self.done):
            self._rows.reward[row] = self.game.scores(self._rows.finals[row])

    def _learner(self, learner: int | str | None) -> int:
        """Who learns, as `Rows` has it. Raises GameError."""
        if learner is None or learner == "drawn":
            return rows.NO_LEARNER if learner is None else rows.DRAWN
        if not is_integer(learner) or not 0 <= int(learner) < self.game.players:
            last = self.game.players - 1
            raise GameError(f"learner is a seat from 0 to {last}, 'drawn' or None, not {short_repr(learner)}")
        return int(learner)

    def _make_rows(self, seed: int) -> None:
        """The arrays of all rows."""
        made, encoding, n, players = self._made, self.space.encoding, self.n, self.game.players
        autoreset, observation = get_args(Autoreset).index(made["autoreset"]), made["observation"]
        first = self.game.first_position()
        cells, planes = encoding.height * encoding.width, len(encoding.planes)
        observes = observation == "planes"
        shown = np.zeros((0 if observation is None else n, cells, planes), np.int8)
        self._rows = rows.Rows(
            first=first,
            positions=np.tile(first, (n, 1)),
            finals=np.zeros((n, len(first)), first.dtype),
            streams=jit.seeds(seed, 2 * n).reshape(n, 2),
            logs=np.zeros((n, 2, FIRST_LOG), np.int32),
            lengths=np.zeros((n, 2), np.int64),
            starts=np.zeros((n, 2), np.int64),
            current=np.zeros(n, np.int64),
            given=np.zeros((n, 2), np.bool_),
            before=np.zeros((n, 2), np.int64),
            learners=np.full(n, rows.NO_LEARNER, np.int64),
            actor=np.full(n, NOBODY, np.int64),
            planes=shown,
            mask=np.zeros((n, encoding.actions), np.int8),
            reward=np.zeros((n, players), np.float32),
            done=np.zeros(n, np.bool_),
            final_planes=shown if observes and autoreset != rows.SAME else np.zeros_like(shown[: n * observes]),
            acts=np.zeros(n, np.int64),
            autoreset=autoreset,
            learner=made["learner"],
            observes=observes,
            loses=made["illegal"] == "lose",
            buffer=np.empty(self.game.rules.MAX_ACTS, np.int64),
            shares=np.zeros(players),
        )

    def _show_rows(self) -> None:
        """Let users see the arrays of the rows."""
        self.actor, self.mask, self.reward, self.done, self.acts, self.learners = (
            read_only(getattr(self._rows, name)) for name in ("actor", "mask", "reward", "done", "acts", "learners")
        )
        self.observation, self.final_observation = (
            read_only(self.arranged(array.reshape(len(array), *self.space.encoding.shape)))
            for array in (self._rows.planes, self._rows.final_planes)
        )
        self.legal = self.mask.view(np.bool_)

    def arranged(self, seen: Bytes) -> Bytes:
        """What is seen with its planes where they are asked for."""
        return seen if self._channels == "last" else np.moveaxis(seen, -1, -3)

    def _split(self) -> None:
        """Divide the rows among the threads."""
        self._parts = []
        count = max(1, min(self.threads, self.n // WORTH_A_THREAD))
        for part in slices(self.n, count):
            own: dict[str, Any] = {
                name: array[part] for name, array in self._rows._asdict().items() if name not in rows.COMMON
            }
            own["buffer"], own["shares"] = np.empty_like(self._rows.buffer), np.empty_like(self._rows.shares)
            self._parts.append((part, self._rows._replace(**own)))

    def _open_pool(self) -> None:
        """Begin with threads of this process."""
        self._process = os.getpid()
        self._pool = ThreadPoolExecutor(max(1, self.threads - 1))

    def _run(self, kernel: Any, given: npt.NDArray[Any]) -> list[Any]:
        """Run a kernel over all rows; `given` has an entry for each. What it returns for the rows of each thread."""
        return self.side_by_side([functools.partial(kernel, given[part], arrays) for part, arrays in self._parts])

    def side_by_side(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run some tasks, at most as many as there are threads, and return what they give."""
        first, *others = tasks
        if others and self._process != os.getpid():  # a process that was forked has none of the threads
            self._open_pool()
        running = [self._pool.submit(task) for task in others]
        return [first(), *(task.result() for task in running)]

    def _make_room(self) -> None:
        """Make the logs twice as long."""
        self._rows = self._rows._replace(logs=np.concatenate((self._rows.logs, np.zeros_like(self._rows.logs)), axis=2))
        self._split()


def check_choice(name: str, chosen: object, choices: tuple[object, ...]) -> None:
    """Raise GameError for what is none of the choices."""
    if chosen not in choices:
        raise GameError(f"{name} can't be {short_repr(chosen)}; allowed: {', '.join(map(repr, choices))}")


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view of an array that can't be written."""
    view = array.view()
    view.flags.writeable = False
    return view
