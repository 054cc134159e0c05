"""The positions of a batch: reading, setting, copying and saving them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import State
from icetable.core.options import is_integer, short_repr
from icetable.core.turns import TurnState
from icetable.envs import rows
from icetable.envs.copies import Copied
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from icetable.core.turns import TurnGame
    from icetable.envs.spaces import Spaces
    from icetable.kernels.jit import Ints

T = TypeVar("T")
SAVED_ARRAYS = ("streams", "current", "learners", "reward", "done", "acts", "planes", "final_planes")
"""The arrays of rows that are saved directly. Positions and everything derived from them are saved as records."""


class RowHistory(NamedTuple):
    """The history of a position: a state, None for the start of the game, and the players' acts since.

    `parts`: in order, batches of actions, each with the stream of chance before it.
    """

    state: TurnState | None = None
    parts: tuple[tuple[npt.NDArray[np.int32], int], ...] = ()


class Positioned(Copied):
    """The methods of `Batch` for positions."""

    game: TurnGame
    space: Spaces
    n: int
    _rows: rows.Rows
    _actions: Ints
    _config: dict[str, Any]
    """The arguments of the batch, without those that affect no game."""
    _histories: dict[tuple[int, int], RowHistory]
    """By row and log: the history before the log, if it does not begin at the start of the game."""

    def chosen(self, which: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        raise NotImplementedError

    def _advance(self) -> None:
        raise NotImplementedError

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
