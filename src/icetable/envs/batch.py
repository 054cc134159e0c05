"""A batch of games played in step: the fastest environment, and the basis of all others."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

import numpy as np

from icetable.core.errors import GameError, IllegalAction
from icetable.core.options import check_whole, is_integer, short_repr, slices
from icetable.core.turns import Device, check_device, cuda_for
from icetable.envs import rows
from icetable.envs.gpu import RowsOnGpu
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
INITIAL_LOG_LENGTH = 64
"""Initial capacity of a log, in actions; it doubles when a game is longer."""
MIN_ROWS_PER_THREAD = 128
"""With fewer rows, dispatching a step to a thread takes longer than the step itself."""
COPIED_ATTRIBUTES = ("space", "n", "rewards", "_channels", "threads", "_config", "_rows", "_histories")
"""Attributes that a copy takes over; the rest is rebuilt from them."""


class Batch(Positioned):
    """`n` games of one kind, played in step. Each row is a game.

    Each `step` plays one action in every game, then chance until a player is to act. It writes the arrays below in
    place; they are read-only for users, so copy anything that has to outlast the step.

    `actor`: int64[n], the seat to act; -2 if the game is over.
    `observation`: int8[n, height, width, planes], what that seat sees. See `space(game).encoding`.
    `mask`: int8[n, actions], 1 for its legal actions; `legal`: bool[n, actions], the same.
    `reward`: float32[n, players], the reward of the last step for each seat: 0 before the end, then by `rewards`
    either the share of the game, scaled from -1 / (players - 1) for a loss to 1 for a sole win, so that the rewards
    add up to 0; or the points. By default it is the share, except in games for one player, whose share is always 0.
    `done`: bool[n], whether the last step ended the game.
    `final_observation`: if `done`, what the learner sees at the end, or without a learner the last seat to act.
    `acts`: int64[n], the number of actions in the game so far; if `done`, in the game that ended.
    `learners`: int64[n], the seat that learns; -1 without a `learner`.

    `autoreset` says when a finished game restarts: in the `same` step, in the `next` one, whose action is then ignored,
    or never (`off`: call `reset`; an action for a finished game raises GameError, whatever `illegal` says).
    `illegal` says what an illegal action does: `raise` IllegalAction before any game
    has changed, `lose` the game for its seat (if rewards are points, each seat gets its points so far), or `ignore` the
    action. Each row has its own random stream for chance, derived from `seed` and the row, so the same seed gives the
    same games for any number of `threads`.

    With `channels` "first" observations are [planes, height, width], a view of the same memory.

    With `observation` "look" observations are written only by `look`, with None never.

    With a `learner`, a seat or "drawn" for a random seat per game, one seat of each game learns. Each step then plays
    random actions for the others until the learner is to act or the game is over, and shows what the learner sees. A
    game that ends before its learner has acted does not count, and restarts immediately.

    All rows begin alike. With `openings`, a number of acts, each game begins with as many random acts of all seats, as
    an evaluation by the protocol does with two per seat; a game that they end does not count either.

    `get` and `set` read and write the positions of rows, `copy` copies rows, and `state_dict` saves the whole batch.
    A copied or unpickled batch continues from the same state with the same chance outcomes, and is independent.

    With `device` "cuda" the games are played on a GPU, the same games as on the processor. The arrays above stay there,
    for torch, JAX and CuPy to use without a copy (`icetable.kernels.cuda.DeviceArray`); `step`, `reset`, `pick` and
    `look` take such arrays too, and run on the CUDA stream with the handle `stream`, without waiting for it. An action
    that can't be played then raises nothing: its row stays as it is, and `faults` counts it. `pick` returns an array
    that the next `pick` overwrites. Everything about single rows passes through the processor.

    Raises GameError if an argument is not allowed.

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
    device: Device = "cpu"
    stream: int = 0
    """On a GPU the CUDA stream that steps run on, 0 for the default stream."""

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
        openings: int = 0,
        device: Device = "cpu",
        **options: Any,
    ) -> None:
        check_device(device)
        for name, number, least in (("n", n, 1), ("seed", seed, 0), ("threads", threads, 1), ("openings", openings, 0)):
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
        if device == "cuda":
            cuda_for(self.game)
            self.__class__ = OnGpu
        self.n: int = int(n)
        self.threads = min(int(threads), self.n)
        self._channels = channels
        self.rewards: Rewards = rewards or ("points" if self.game.players == 1 else "share")
        self._config = {
            "game": self.game.info.name,
            **({"source": self.game.info.source} if self.game.info.source else {}),
            "options": dict(self.game.options),
            "encoding": self.space.encoding.version,
            "n": self.n,
            "autoreset": autoreset,
            "illegal": illegal,
            "rewards": self.rewards,
            "observation": observation,
            "learner": self._learner_code(learner),
            "openings": int(openings),
        }
        self._make_rows(int(seed))
        self._histories = {}
        self._bind()
        self.reset()

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in COPIED_ATTRIBUTES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.game = self.space.game
        self._bind()

    def _bind(self) -> None:
        """Create what can't be copied: kernels, threads, and views of the arrays."""
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
        self._split_rows()

    def reset(self, which: npt.ArrayLike | None = None, seed: int | None = None) -> None:
        """Begin a new game in all rows, or in the rows where bool[n] `which` is True.

        With a `seed` the streams of these rows are reseeded. Raises GameError if an argument is not allowed, and if a
        thousand consecutive games end before their learner has acted.
        """
        chosen = self.chosen(which)
        if seed is not None:
            check_whole("seed", seed, 0)
            self._rows.streams[chosen] = jit.seeds(int(seed), 2 * self.n).reshape(self.n, 2)[chosen]
        self._actions[:] = np.where(chosen, rows.NEW_GAME, rows.SKIP)
        self._advance()

    def step(self, actions: npt.ArrayLike | None, which: npt.ArrayLike | None = None) -> None:
        """Play an action in every row, or in the rows where bool[n] `which` is True.

        `actions` is an array of `n` whole numbers, ignored in rows that don't play; None plays what `pick` would
        return. Raises GameError if a number is out of range or the array has another shape; if `illegal` is `raise`,
        also IllegalAction for an illegal action; with `autoreset` "off", also for an action after the end. Nothing has
        changed then.
        """
        self._set_actions(actions, self.chosen(which))
        self._advance()

    def pick(self, which: npt.ArrayLike | None = None) -> Ints:
        """A uniformly random legal action for every row, or for the rows where bool[n] `which` is True.

        Each row draws from its own stream. Other rows and finished games get 0. Raises GameError.
        """
        self._picked[:] = self.chosen(which)
        self._run(self._pick, self._picked)
        return self._picked.copy()

    def legal_actions(self, row: int) -> Ints:
        """The legal actions of a row in ascending order; none after the end. Raises GameError."""
        return np.flatnonzero(self._rows.mask[self._row(row)])

    def look(self, seats: npt.ArrayLike) -> None:
        """Write what a seat sees of each row to `observation`: int64[n] `seats`, with -1 for rows to leave unchanged.

        Raises GameError if an argument is not allowed, and if the batch has no observations.
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
        """A seat's observation of a row, as a new array. Raises GameError."""
        number = self._row(row)
        if not is_integer(seat) or not 0 <= seat < self.game.players:
            raise GameError(f"a seat is a whole number from 0 to {self.game.players - 1}, not {short_repr(seat)}")
        height, width, planes = self.space.encoding.shape
        seen = np.empty((height * width, planes), np.int8)
        self.space.codec.observe(self._rows.positions[number], seat, seen)
        return self.arranged(seen.reshape(height, width, planes))

    @property
    def faults(self) -> int:
        """On a GPU the number of actions so far that could not be played; reading it waits for the GPU."""
        return 0

    def out(self, row: int) -> list[int]:
        """The seats that have been eliminated from a row's unfinished game. Raises GameError for an unknown row."""
        return self.game.eliminated(self._rows.positions[self._row(row)])

    def chosen(self, which: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        """`which` as bool[n], with None for all rows. Raises GameError."""
        if which is None:
            return self._all
        chosen = np.asarray(which)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise GameError(f"rows are chosen by an array of {self.n} bools, not {short_repr(which)}")
        return chosen

    def _set_actions(self, actions: npt.ArrayLike | None, chosen: npt.NDArray[np.bool_]) -> None:
        """Check and store the actions of a step. Raises GameError and IllegalAction."""
        if actions is None:
            self._actions[:] = rows.RANDOM
        else:
            given = np.asarray(actions)
            if given.shape != (self.n,) or given.dtype.kind not in "iu":
                raise GameError(f"step takes {self.n} whole numbers, not {short_repr(actions)}")
            self._actions[:] = given
            np.maximum(self._actions, rows.SKIP, out=self._actions)  # no negative number is an action
        arrays, strict = self._rows, self._config["illegal"] == "raise"
        row = self._choose(self._actions, chosen, arrays.mask, arrays.actor, strict, arrays.autoreset)
        if row >= 0:
            self._raise_fault(row, int(self._actions[row]))

    def _raise_fault(self, row: int, action: int) -> NoReturn:
        """Raise the error for an action that can't be played."""
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
        """Execute `_actions` in each row."""
        while (result := max(self._run(self._step, self._actions))) == rows.FULL:
            self._grow_logs()
        if result == rows.ENDLESS:
            raise GameError("with these options the learner never comes to act")
        if self.rewards == "points":
            self._pay_points()

    def _pay_points(self) -> None:
        for row in np.flatnonzero(self._rows.done):
            self._rows.reward[row] = self.game.scores(self._rows.finals[row])

    def _learner_code(self, learner: int | str | None) -> int:
        """The learner as `Rows` stores it. Raises GameError."""
        if learner is None or learner == "drawn":
            return rows.NO_LEARNER if learner is None else rows.DRAWN
        if not is_integer(learner) or not 0 <= int(learner) < self.game.players:
            last = self.game.players - 1
            raise GameError(f"learner is a seat from 0 to {last}, 'drawn' or None, not {short_repr(learner)}")
        return int(learner)

    def _make_rows(self, seed: int) -> None:
        config, encoding, n, players = self._config, self.space.encoding, self.n, self.game.players
        autoreset, observation = get_args(Autoreset).index(config["autoreset"]), config["observation"]
        first = self.game.first_position()
        cells, planes = encoding.height * encoding.width, len(encoding.planes)
        observes = observation == "planes"
        shown = np.zeros((0 if observation is None else n, cells, planes), np.int8)
        self._rows = rows.Rows(
            first=first,
            positions=np.tile(first, (n, 1)),
            finals=np.zeros((n, len(first)), first.dtype),
            streams=jit.seeds(seed, 2 * n).reshape(n, 2),
            logs=np.zeros((n, 2, INITIAL_LOG_LENGTH), np.int32),
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
            openings=config["openings"],
            learner=config["learner"],
            observes=observes,
            illegal_loses=config["illegal"] == "lose",
            buffer=np.empty(self.game.rules.MAX_ACTS, np.int64),
            shares=np.zeros(players),
        )

    def _show_rows(self) -> None:
        """Expose the arrays of the rows as read-only views."""
        self.actor, self.mask, self.reward, self.done, self.acts, self.learners = (
            read_only(getattr(self._rows, name)) for name in ("actor", "mask", "reward", "done", "acts", "learners")
        )
        self.observation, self.final_observation = (
            read_only(self.arranged(array.reshape(len(array), *self.space.encoding.shape)))
            for array in (self._rows.planes, self._rows.final_planes)
        )
        self.legal = self.mask.view(np.bool_)

    def arranged(self, seen: Bytes) -> Bytes:
        """An observation with its planes first or last, as `channels` says."""
        return seen if self._channels == "last" else np.moveaxis(seen, -1, -3)

    def _split_rows(self) -> None:
        self._slices = []
        count = max(1, min(self.threads, self.n // MIN_ROWS_PER_THREAD))
        for part in slices(self.n, count):
            own: dict[str, Any] = {
                name: array[part] for name, array in self._rows._asdict().items() if name not in rows.SHARED_FIELDS
            }
            own["buffer"], own["shares"] = np.empty_like(self._rows.buffer), np.empty_like(self._rows.shares)
            self._slices.append((part, self._rows._replace(**own)))

    def _open_pool(self) -> None:
        """Start a thread pool in this process."""
        self._process = os.getpid()
        self._pool = ThreadPoolExecutor(max(1, self.threads - 1))

    def _run(self, kernel: Any, given: npt.NDArray[Any]) -> list[Any]:
        """Run a kernel over all rows, with an entry of `given` for each, and return its results by thread."""
        return self.side_by_side([functools.partial(kernel, given[part], arrays) for part, arrays in self._slices])

    def side_by_side(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run tasks in parallel, at most one per thread, and return their results."""
        first, *others = tasks
        if others and self._process != os.getpid():  # a forked process has no threads
            self._open_pool()
        running = [self._pool.submit(task) for task in others]
        return [first(), *(task.result() for task in running)]

    def _grow_logs(self) -> None:
        """Double the capacity of the logs."""
        self._rows = self._rows._replace(logs=np.concatenate((self._rows.logs, np.zeros_like(self._rows.logs)), axis=2))
        self._split_rows()


class OnGpu(Batch):
    """A `Batch` with `device` "cuda"."""

    _rows: Any
    device = "cuda"

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_rows": self._rows.on_processor()}

    def _bind(self) -> None:
        self._rows = RowsOnGpu(self.game, self._rows, lambda: self.stream)
        self._actions = np.zeros(self.n, np.int64)
        self._all = read_only(np.ones(self.n, np.bool_))
        for name in ("actor", "mask", "reward", "done", "acts", "learners"):
            setattr(self, name, self._rows.shown(name))
        self.legal: Any = self.mask
        self._picked = self._rows.shown(self._rows.picked)
        self.observation, self.final_observation = (
            self._rows.seen(name, self.space.encoding.shape, self._channels) for name in ("planes", "final_planes")
        )

    def reset(self, which: npt.ArrayLike | None = None, seed: int | None = None) -> None:
        if seed is not None:
            return super().reset(which, seed)
        self._rows.mark(self._where(which), rows.NEW_GAME, rows.SKIP, self._rows.actions)
        return self._play()

    def step(self, actions: npt.ArrayLike | None, which: npt.ArrayLike | None = None) -> None:
        chosen = self._where(which)
        if actions is None:
            self._rows.mark(chosen, rows.RANDOM, rows.SKIP, self._rows.actions)
        else:
            self._rows.take(self._numbers_of("step takes {} whole numbers, not {}", actions))
        self._rows.check(chosen, self._config["illegal"] == "raise")
        self._play()

    def pick(self, which: npt.ArrayLike | None = None) -> Ints:
        self._rows.pick(self._where(which))
        return self._picked

    def look(self, seats: npt.ArrayLike) -> None:
        if not len(self.observation):
            raise GameError("these games were made with observation=None; there is nothing to look at")
        self._rows.look(self._numbers_of("look takes {} seats, not {}", seats))

    @property
    def faults(self) -> int:
        return int(self._rows.count_faults())

    def copy(self, sources: int | npt.ArrayLike, targets: int | npt.ArrayLike, include_rng: bool = False) -> None:
        super().copy(sources, targets, include_rng)
        self._rows.copy_back()

    def chosen(self, which: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        given: Any = which if which is None else self._rows.foreign(which)
        return super().chosen(given.copy_to_host() if hasattr(given, "copy_to_host") else given)

    def _where(self, which: Any) -> Any:
        """The chosen rows on the GPU. Raises GameError."""
        given = which if which is None else self._rows.foreign(which)
        if given is not None and (given.dtype != np.bool_ or given.shape != (self.n,)):
            raise GameError(f"rows are chosen by an array of {self.n} bools, not {short_repr(which)}")
        return self._rows.choose(given)

    def _numbers_of(self, message: str, given: Any) -> Any:
        """Whole numbers by row, on either side. Raises GameError."""
        numbers = self._rows.foreign(given)
        if numbers.shape != (self.n,) or numbers.dtype.kind not in "iu":
            raise GameError(message.format(self.n, short_repr(given)))
        return numbers

    def _advance(self) -> None:
        self._rows.take_codes(self._actions)
        self._play()

    def _play(self) -> None:
        """Execute the actions on the GPU."""
        if self._rows.play() == rows.ENDLESS:
            raise GameError("with these options the learner never comes to act")
        if self.rewards == "points":
            self._pay_points()

    def _pay_points(self) -> None:
        super()._pay_points()
        self._rows.copy_back()


def check_choice(name: str, chosen: object, choices: tuple[object, ...]) -> None:
    """Raise GameError unless `chosen` is one of the choices."""
    if chosen not in choices:
        raise GameError(f"{name} can't be {short_repr(chosen)}; allowed: {', '.join(map(repr, choices))}")


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view of an array."""
    view = array.view()
    view.flags.writeable = False
    return view
