"""A batch of games played in step: the fastest environment, and the basis of all others."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Self, TypeVar, cast, get_args

import numpy as np

from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import State
from icetable.core.options import check_whole, is_integer, short_repr, slices
from icetable.core.turns import Device, TurnState, check_device, cuda_for
from icetable.envs import rows
from icetable.envs.gpu import RowsOnGpu
from icetable.envs.spaces import Copyable, check_names, space
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

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
SAVED_ARRAYS = ("streams", "current", "learners", "reward", "done", "acts", "planes", "final_planes")
"""The arrays of rows that are saved directly. Positions and everything derived from them are saved as records."""

T = TypeVar("T")


class RowHistory(NamedTuple):
    """The history of a position."""

    state: TurnState | None = None
    """A state that it begins with; None for the start of the game."""
    parts: tuple[tuple[npt.NDArray[np.int32], int], ...] = ()
    """The players' actions since: in order, arrays of actions, each with the stream of chance before it."""


class Batch(Copyable):
    """`n` games of one kind, played in step. Each row is a game.

    Each `step` plays one action in every game, then chance until a player is to act. It writes the arrays `actor`,
    `observation`, `mask`, `legal`, `reward`, `done`, `final_observation`, `acts` and `learners` in place; they are
    read-only for users, so copy anything that has to outlast the step.

    `autoreset` says when a finished game restarts: in the `same` step, in the `next` one, whose action is then ignored,
    or never (`off`: call `reset`; an action for a finished game raises GameError, whatever `illegal` says).
    `illegal` says what an illegal action does: `raise` IllegalAction before any game has changed, `lose` the game for
    its seat (if rewards are points, each seat gets its points so far), or `ignore` the action. Each row has its own
    random stream for chance, derived from `seed` and the row, so the same seed gives the same games for any number of
    `threads`.

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
    """int64[n], the seat to act; -2 if the game is over."""
    observation: Bytes
    """int8[n, height, width, planes], what that seat sees, or the learner. See `space(game).encoding`."""
    mask: Bytes
    """int8[n, actions], 1 for its legal actions."""
    legal: npt.NDArray[np.bool_]
    """bool[n, actions], the same."""
    reward: npt.NDArray[np.float32]
    """float32[n, players], the reward of the last step for each seat: 0 before the end, then by `rewards` either the
    share of the game, scaled from -1 / (players - 1) for a loss to 1 for a sole win, so that the rewards add up to 0;
    or the points. By default it is the share, except in games for one player, whose share is always 0."""
    done: npt.NDArray[np.bool_]
    """bool[n], whether the last step ended the game."""
    final_observation: Bytes
    """int8[n, height, width, planes], where `done` what the learner sees at the end, or without a learner the last seat
    to act."""
    acts: Ints
    """int64[n], the number of actions in the game so far; where `done`, in the game that ended."""
    learners: Ints
    """int64[n], the seat that learns; -1 without a `learner`."""
    device: Device = "cpu"
    """Where the games are played."""
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
        *,
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
        self.n: int = int(n)
        self.threads = min(int(threads), self.n)
        self._channels = channels
        self.rewards: Rewards = rewards or ("points" if self.game.players == 1 else "share")
        self._config: dict[str, Any] = {
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
        """The arguments, without those that affect no game."""
        self._make_rows(int(seed))
        self._histories: dict[tuple[int, int], RowHistory] = {}
        """By row and log: the history before the log, if it does not begin at the start of the game."""
        self._bind()
        self.reset()

    def __new__(cls, *_arguments: Any, **options: Any) -> Self:
        return cast("Self", super().__new__(BatchOnGpu if options.get("device") == "cuda" else cls))

    __signature__ = inspect.Signature([*inspect.signature(__init__).parameters.values()][1:])
    """Shown to users instead of that of `__new__`."""

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

    def state(self, row: int, final: bool = False) -> TurnState:
        """The position of a row without its history; with `final` the final position of the row's last finished game.

        Raises GameError if there is no such row or game.
        """
        number = self._row(row, final)
        return TurnState(self.game, (self._rows.finals if final else self._rows.positions)[number].copy())

    def states(self) -> list[TurnState]:
        """The position of each row."""
        return [self.state(row) for row in range(self.n)]

    def positions(self, which: npt.ArrayLike | None = None) -> Ints:
        """int64[k, words], the positions of all rows, or of those where bool[n] `which` is True, as `set` accepts them.

        Their format belongs to this version of icetable; for storage use `state_dict` or the texts of states.
        """
        return self._rows.positions[self.chosen(which)]

    def get(self, row: int) -> TurnState:
        """The position of a row with its history, for `set`. Raises GameError if there is no such row.

        The history is left out if an illegal action lost the game, because no act ended it.
        """
        number = self._row(row)
        played = self._replayed(number, int(self._rows.current[number]))
        state = self.state(number)
        return played if np.array_equal(played.array, state.array) else state

    def set(self, row: int | npt.ArrayLike, state: State | Sequence[State] | Ints) -> None:
        """Replace the game in a row by a state of this game, or in k rows by k states or by the same state.

        A state may be given as a position, int64[words], several as int64[k, words]. The record begins with the acts of
        the state; `acts` counts from here. Chance continues with the row's stream. With a `learner` the others act
        until it is to act. A state that is over leaves its row finished, as after its last step, with no reward.

        Raises GameError if a row does not exist or is given twice, if a state has another game or other options or has
        chance to act, and if words are not a position. Nothing has changed then.
        """
        numbers = self._numbers(row)
        if isinstance(state, np.ndarray):
            given: list[Any] = [self.game.state_at(words) for words in np.atleast_2d(state)]
        else:
            given = list(state) if isinstance(state, list | tuple) else [state]
        found = [self.check(one) for one in given]
        chosen = paired(found, numbers)
        for number, one in zip(numbers, chosen, strict=True):
            self._leave(number)
            self._begin(number, one, 0)
            if one.is_terminal:
                self._end(number, one, True)
        self._show([number for number, one in zip(numbers, chosen, strict=True) if not one.is_terminal])

    def copy(self, sources: int | npt.ArrayLike, targets: int | npt.ArrayLike, include_rng: bool = False) -> None:
        """Replace the games in k rows, the `targets`, by those of k `sources`, or of one, with their history.

        Chance continues with the target's stream, or with `include_rng` with a copy of the source's, so that both rows
        play on identically. Raises GameError if a row does not exist or a target is given twice.
        """
        target_rows = self._numbers(targets)
        source_rows = paired([self._row(row) for row in np.atleast_1d(np.asarray(sources)).tolist()], target_rows)
        histories = {row: [self._history(row, log) for log in (0, 1)] for row in set(source_rows)}
        arrays = self._rows
        moved = {id(array): array for name, array in arrays._asdict().items() if name not in rows.SHARED_FIELDS}
        for array in moved.values():
            if len(array) and array is not arrays.logs and (include_rng or array is not arrays.streams):
                array[target_rows] = array[source_rows]
        arrays.before[target_rows] += arrays.lengths[target_rows]
        arrays.lengths[target_rows], arrays.given[target_rows] = 0, True
        arrays.starts[target_rows] = arrays.streams[target_rows, :1]
        for target, source in zip(target_rows, source_rows, strict=True):
            for log, history in enumerate(histories[source]):
                self._histories[target, log] = history

    def check(self, state: State) -> TurnState:
        """Return `state` if a row can have it. Raises GameError otherwise, as `set` does."""
        if not isinstance(state, TurnState):
            raise GameError(f"a state of {self.game!r} is needed, not {short_repr(state)}")
        if state.game != self.game:
            raise GameError(f"this is a state of {state.game!r}, not of {self.game!r}")
        if state.actor == CHANCE:
            raise GameError("chance is to act in this state; apply one of its chance_outcomes first")
        return state

    def unfinished(self, state: State) -> TurnState:
        """Return `state` if a game can continue from it. Raises GameError otherwise."""
        checked = self.check(state)
        if checked.is_terminal:
            raise GameError("the game of this state is over; there is nothing left to play")
        return checked

    def record(self, row: int, final: bool = False) -> str:
        """The record of the game in a row as in `State.record`; with `final` that of the row's last finished game.

        Raises GameError if there is no such row or game.
        """
        number = self._row(row, final)
        log = int(self._rows.current[number])
        if final and not self._is_over(number):
            log = 1 - log
        return self._replayed(number, log).record()

    def state_dict(self) -> dict[str, npt.NDArray[Any]]:
        """The complete state of the batch for `load_state_dict`, as arrays for `numpy.savez` and the like.

        Games are saved as records, so every later version with the same encoding can load them.
        """
        arrays = self._rows
        over, ended = arrays.actor == NOBODY, arrays.finals[:, SEATS] != 0
        finals = [self.record(row, final=True) if ended[row] and not over[row] else "" for row in range(self.n)]
        return {
            "made": np.array(json.dumps(self._config)),
            "records": np.array([self.record(row).encode() for row in range(self.n)]),
            "finals": np.array([record.encode() for record in finals]),
            "over": over,
            "counts": (arrays.before + arrays.lengths)[np.arange(self.n), arrays.current],
            **{name: getattr(arrays, name).copy() for name in SAVED_ARRAYS},
        }

    def load_state_dict(self, kept: Mapping[str, Any]) -> None:
        """Restore the state saved by `state_dict`, directly or through `numpy.load`.

        It takes a moment, because all games are replayed. Raises GameError if the batch was created with other
        arguments (`threads` and `channels` may differ) or the arrays are invalid. Nothing has changed then.
        """
        try:
            if (config := str(kept["made"])) != json.dumps(self._config):
                raise GameError(f"this was saved by a batch made with {config}, not with {json.dumps(self._config)}")
            arrays = {name: like(name, kept[name], getattr(self._rows, name)) for name in SAVED_ARRAYS}
            over, counts = like("over", kept["over"], self._rows.done), like("counts", kept["counts"], self._rows.acts)
            states = [self._read(text, ended) for text, ended in zip(kept["records"].tolist(), over, strict=True)]
            finals = [self._read(text, True) if text else None for text in kept["finals"].tolist()]
        except (KeyError, ValueError, AttributeError) as error:
            raise GameError(f"this is not the state_dict of a batch: {error!r}") from None
        if len(finals) != self.n or not self._are_seats(arrays["learners"]) or set(arrays["current"]) - {0, 1}:
            raise GameError("this is not the state_dict of a batch: its arrays contradict each other")
        for name, array in arrays.items():
            getattr(self._rows, name)[:] = array
        for row, (state, final) in enumerate(zip(states, finals, strict=True)):
            self._begin(row, state, int(counts[row]))
            self._end(row, state if over[row] else final, bool(over[row]))
        self._show(np.flatnonzero(~over).tolist())

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
            self._refuse_options()
        if self.rewards == "points":
            self._pay_points()

    def _refuse_options(self) -> NoReturn:
        """Raise the error for options under which no game counts."""
        if self._config["learner"] == rows.NO_LEARNER:
            raise GameError("with these options every game ends in its opening")
        raise GameError("with these options the learner never comes to act")

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

    def _read(self, text: bytes, ended: bool) -> TurnState:
        """The state of a record. Raises GameError."""
        state = self.game.replay(text.decode())
        assert isinstance(state, TurnState)
        return state if ended else self.unfinished(state)

    def _begin(self, row: int, state: TurnState, acts: int) -> None:
        """Continue in a row from a state, with the number of acts so far."""
        arrays = self._rows
        log = int(arrays.current[row])
        arrays.positions[row] = state.array
        arrays.before[row, log], arrays.lengths[row, log], arrays.given[row, log] = acts, 0, True
        arrays.starts[row, log] = arrays.streams[row, 0]
        self._histories[row, log] = RowHistory(state)

    def _leave(self, row: int) -> None:
        """Drop the game under way in a row, but keep the log of a finished game."""
        arrays = self._rows
        if self._is_over(row):
            arrays.current[row] = 1 - arrays.current[row]
            arrays.actor[row] = CHANCE
        arrays.done[row] = False
        arrays.reward[row] = 0

    def _end(self, row: int, state: TurnState | None, over: bool) -> None:
        """Restore the end of a row's last finished game, None if there is none; `over`: no new game has begun yet."""
        arrays = self._rows
        arrays.finals[row] = 0
        if state is not None:
            arrays.finals[row] = state.array
            arrays.finals[row, ACTOR] = NOBODY  # also if an illegal action lost the game
            log = int(arrays.current[row]) ^ (not over)
            self._histories[row, log] = RowHistory(state)
            arrays.given[row, log], arrays.lengths[row, log] = True, 0
        if over:
            arrays.positions[row], arrays.actor[row] = arrays.finals[row], NOBODY
            arrays.mask[row] = 0

    def _show(self, numbers: list[int]) -> None:
        """Update the arrays of some rows; with a learner the others act first."""
        self._actions[:] = rows.SKIP
        self._actions[numbers] = rows.PLAY_OPENING
        self._advance()

    def _history(self, row: int, log: int) -> RowHistory:
        """The history up to the end of a log."""
        arrays = self._rows
        history = self._histories[row, log] if arrays.given[row, log] else RowHistory()
        actions = arrays.logs[row, log, : arrays.lengths[row, log]].copy()
        return RowHistory(history.state, (*history.parts, (actions, int(arrays.starts[row, log]))))

    def _replayed(self, row: int, log: int) -> TurnState:
        """The state at the end of a log, with all acts."""
        history = self._history(row, log)
        state = history.state or self.game.start()
        for actions, stream in history.parts:
            state = self._after(state, actions.tolist(), np.array([stream]))
        return state

    def _after(self, state: TurnState, actions: list[int], stream: Ints) -> TurnState:
        """The state after some actions, with chance drawn from a stream."""
        buffer = np.empty(self.game.rules.MAX_ACTS, np.int64)
        remaining = iter(actions)
        while True:
            if state.to_act == {CHANCE}:
                code = int(self.game.rules.pick(state.array.copy(), buffer, stream))
                state = state.apply(self.game.act_at(state.array, code))
            elif (action := next(remaining, None)) is not None and not state.is_terminal:
                state = state.apply(self.space.notation(action))
            else:
                return state

    def _row(self, row: int, final: bool = False) -> int:
        """The index of a row; with `final` it must have a finished game. Raises GameError."""
        if not is_integer(row) or not 0 <= row < self.n:
            raise GameError(f"a row is a whole number from 0 to {self.n - 1}, not {short_repr(row)}")
        if final and not self._rows.finals[row, SEATS]:
            raise GameError(f"no game of row {row} has ended yet")
        return int(row)

    def _numbers(self, which: int | npt.ArrayLike) -> list[int]:
        """The indices of one or several rows. Raises GameError."""
        numbers = [self._row(row) for row in np.atleast_1d(np.asarray(which)).tolist()]
        if len(set(numbers)) < len(numbers):
            raise GameError(f"each row can be given once, not as in {short_repr(numbers)}")
        return numbers

    def _is_over(self, row: int) -> bool:
        return bool(self._rows.actor[row] == NOBODY)

    def _are_seats(self, learners: Ints) -> bool:
        """Whether all entries are seats or NO_LEARNER."""
        return bool(((learners >= rows.NO_LEARNER) & (learners < self.game.players)).all())


class BatchOnGpu(Batch):
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
            self._refuse_options()
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


def paired(found: list[T], numbers: list[int]) -> list[T]:
    """The elements by row: one per row, or a single one repeated. Raises GameError."""
    if len(found) not in (1, len(numbers)):
        raise GameError(f"{len(numbers)} rows take one or {len(numbers)}, not {len(found)}")
    return found * len(numbers) if len(found) == 1 else found


def like(name: str, given: Any, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`given` as an array with the shape and type of `array`. Raises GameError."""
    found = np.asarray(given)
    if found.shape != array.shape or found.dtype != array.dtype:
        raise GameError(f"{name} is {found.dtype}{list(found.shape)}, and here {array.dtype}{list(array.shape)}")
    return found
