"""The positions of a batch: taken out, put in, copied from row to row, and kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import State
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
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
KEPT = ("streams", "current", "learners", "reward", "done", "acts", "planes", "final_planes")
"""The arrays of rows that are kept as they are. Positions, and what follows from them, are in the records."""


class Before(NamedTuple):
    """What has led to a position: a state, None for the start of the game, and the acts of players after it.

    `parts`: one after another, some actions, and the stream of chance as it was before them.
    """

    state: TurnState | None = None
    parts: tuple[tuple[npt.NDArray[np.int32], int], ...] = ()


class Positioned(Copied):
    """What `Batch` does with positions."""

    game: TurnGame
    space: Spaces
    n: int
    _rows: rows.Rows
    _actions: Ints
    _config: dict[str, Any]
    """What makes a batch, but for what changes no game."""
    _origins: dict[tuple[int, int], Before]
    """By row and log: what came before the log, where it does not begin at the start of the game."""

    def chosen(self, which: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        raise NotImplementedError

    def _advance(self) -> None:
        raise NotImplementedError

    def state(self, row: int, final: bool = False) -> TurnState:
        """The position of a row, without the acts that led to it; or how the last finished game of the row ended.

        Raises GameError where there is no such row or game.
        """
        number = self._row(row, final)
        return TurnState(self.game, (self._rows.finals if final else self._rows.positions)[number].copy())

    def states(self) -> list[TurnState]:
        """The position of each row."""
        return [self.state(row) for row in range(self.n)]

    def positions(self, which: npt.ArrayLike | None = None) -> Ints:
        """int64[k, words], the positions of all rows, or of those where bool[n] `which` is True, as `set` takes them
        and kernels have them, in this version of icetable. `state_dict` and the texts of states last.
        """
        return self._rows.positions[self.chosen(which)]

    def get(self, row: int) -> TurnState:
        """The position of a row with the acts that led to it, for `set`. Raises GameError where there is no such row.

        A game that an illegal action has lost has no act that ends it: then the acts are left out.
        """
        number = self._row(row)
        played = self._replayed(number, int(self._rows.current[number]))
        state = self.state(number)
        return played if np.array_equal(played.array, state.array) else state

    def set(self, row: int | npt.ArrayLike, state: State | Sequence[State] | Ints) -> None:
        """Go on in a row from a state of this game, or in k rows from k states or from one; what was under way there is
        dropped. In place of a state its position will do, int64[words], or int64[k, words] for several.

        The record begins with the acts of the state, and `acts` counts from here on. Chance goes on from where the
        row's stream is. With a `learner` the others act until it is to act.

        Raises GameError where there is no such row or one comes twice, for a state of another game or of other options,
        for words that are no position, where chance is to act, and where the game is over. Then nothing has changed.
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
        self._show(numbers)

    def copy(self, sources: int | npt.ArrayLike, targets: int | npt.ArrayLike, include_rng: bool = False) -> None:
        """Go on in k rows, the `targets`, from where k `sources` are, or one: all of a row goes along, and what was
        under way in the target is dropped.

        Chance goes on from where the target's stream is; with `include_rng` from the source's, so that both play on
        alike. Raises GameError where there is no such row, and where a target comes twice.
        """
        into = self._numbers(targets)
        begun = paired([self._row(row) for row in np.atleast_1d(np.asarray(sources)).tolist()], into)
        befores = {row: [self._before(row, log) for log in (0, 1)] for row in set(begun)}
        arrays = self._rows
        moved = {id(array): array for name, array in arrays._asdict().items() if name not in rows.COMMON}
        for array in moved.values():
            if len(array) and array is not arrays.logs and (include_rng or array is not arrays.streams):
                array[into] = array[begun]
        arrays.before[into] += arrays.lengths[into]
        arrays.lengths[into], arrays.given[into] = 0, True
        arrays.starts[into] = arrays.streams[into, :1]
        for target, source in zip(into, begun, strict=True):
            for log, before in enumerate(befores[source]):
                self._origins[target, log] = before

    def check(self, state: State) -> TurnState:
        """A state that a row can go on from, as it is. Raises GameError for any other, as `set` does."""
        if not isinstance(state, TurnState):
            raise GameError(f"a state of {self.game!r} is needed, not {short_repr(state)}")
        if state.game != self.game:
            raise GameError(f"this is a state of {state.game!r}, not of {self.game!r}")
        if state.is_terminal:
            raise GameError("the game of this state is over; there is nothing left to play")
        if state.actor == CHANCE:
            raise GameError("chance is to act in this state; apply one of its chance_outcomes first")
        return state

    def record(self, row: int, final: bool = False) -> str:
        """The record of the game in a row, as `State.record` gives it; or of the last finished game of the row.

        Raises GameError where there is no such row or game.
        """
        number = self._row(row, final)
        log = int(self._rows.current[number])
        if final and not self._is_over(number):
            log = 1 - log
        return self._replayed(number, log).record()

    def state_dict(self) -> dict[str, npt.NDArray[Any]]:
        """All that `load_state_dict` needs to go on from here, as arrays for `numpy.savez` and the like.

        Games are kept as records, so that every later version with the same encoding can read it.
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
            **{name: getattr(arrays, name).copy() for name in KEPT},
        }

    def load_state_dict(self, kept: Mapping[str, Any]) -> None:
        """Go on from where a batch was that gave this `state_dict`, or from what `numpy.load` has read of it.

        It takes a moment, for all games are played again. Raises GameError for that of a batch that was made otherwise
        (but for `threads` and `channels`) and for what no batch gives. Then nothing has changed.
        """
        try:
            if (made := str(kept["made"])) != json.dumps(self._config):
                raise GameError(f"this was kept by a batch made with {made}, not with {json.dumps(self._config)}")
            arrays = {name: like(name, kept[name], getattr(self._rows, name)) for name in KEPT}
            over, counts = like("over", kept["over"], self._rows.done), like("counts", kept["counts"], self._rows.acts)
            states = [self._read(text, ended) for text, ended in zip(kept["records"].tolist(), over, strict=True)]
            finals = [self._read(text, True) if text else None for text in kept["finals"].tolist()]
        except (KeyError, ValueError, AttributeError) as error:
            raise GameError(f"this is not what a batch has kept: {error!r}") from None
        if len(finals) != self.n or not self._are_seats(arrays["learners"]) or set(arrays["current"]) - {0, 1}:
            raise GameError("this is not what a batch has kept: its arrays contradict each other")
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
        return state if ended else self.check(state)

    def _begin(self, row: int, state: TurnState, acts: int) -> None:
        """Go on in a row from a state, after so many acts."""
        arrays = self._rows
        log = int(arrays.current[row])
        arrays.positions[row] = state.array
        arrays.before[row, log], arrays.lengths[row, log], arrays.given[row, log] = acts, 0, True
        arrays.starts[row, log] = arrays.streams[row, 0]
        self._origins[row, log] = Before(state)

    def _leave(self, row: int) -> None:
        """Leave what is under way in a row; the log of a game that has ended is kept."""
        arrays = self._rows
        if self._is_over(row):
            arrays.current[row] = 1 - arrays.current[row]
            arrays.actor[row] = CHANCE
        arrays.done[row] = False
        arrays.reward[row] = 0

    def _end(self, row: int, state: TurnState | None, over: bool) -> None:
        """Keep how the last game of a row has ended, and whether a new one has begun; None where none has ended."""
        arrays = self._rows
        arrays.finals[row] = 0
        if state is not None:
            arrays.finals[row] = state.array
            arrays.finals[row, ACTOR] = NOBODY  # also where an illegal action has lost the game
            log = int(arrays.current[row]) ^ (not over)
            self._origins[row, log] = Before(state)
            arrays.given[row, log], arrays.lengths[row, log] = True, 0
        if over:
            arrays.positions[row], arrays.actor[row] = arrays.finals[row], NOBODY
            arrays.mask[row] = 0

    def _show(self, numbers: list[int]) -> None:
        """Show where some rows have gone on; with a learner first the others act."""
        self._actions[:] = rows.STAND
        self._actions[numbers] = rows.OPEN
        self._advance()

    def _before(self, row: int, log: int) -> Before:
        """What has led to where a log ends."""
        arrays = self._rows
        before = self._origins[row, log] if arrays.given[row, log] else Before()
        actions = arrays.logs[row, log, : arrays.lengths[row, log]].copy()
        return Before(before.state, (*before.parts, (actions, int(arrays.starts[row, log]))))

    def _replayed(self, row: int, log: int) -> TurnState:
        """The state that a log leads to, with all acts."""
        before = self._before(row, log)
        state = before.state or self.game.start()
        for actions, stream in before.parts:
            state = self._after(state, actions.tolist(), np.array([stream]))
        return state

    def _after(self, state: TurnState, actions: list[int], stream: Ints) -> TurnState:
        """The state after some actions, with chance drawing from a stream."""
        buffer = np.empty(self.game.rules.MAX_ACTS, np.int64)
        todo = iter(actions)
        while True:
            if state.to_act == {CHANCE}:
                code = int(self.game.rules.pick(state.array.copy(), buffer, stream))
                state = state.apply(self.game.act_at(state.array, code))
            elif (action := next(todo, None)) is not None and not state.is_terminal:
                state = state.apply(self.space.notation(action))
            else:
                return state

    def _row(self, row: int, final: bool = False) -> int:
        """The number of a row; with `final` of one in which a game has ended. Raises GameError."""
        if not is_integer(row) or not 0 <= row < self.n:
            raise GameError(f"a row is a whole number from 0 to {self.n - 1}, not {short_repr(row)}")
        if final and not self._rows.finals[row, SEATS]:
            raise GameError(f"no game of row {row} has ended yet")
        return int(row)

    def _numbers(self, which: int | npt.ArrayLike) -> list[int]:
        """The numbers of a row or of several. Raises GameError."""
        numbers = [self._row(row) for row in np.atleast_1d(np.asarray(which)).tolist()]
        if len(set(numbers)) < len(numbers):
            raise GameError(f"each row can be given once, not as in {short_repr(numbers)}")
        return numbers

    def _is_over(self, row: int) -> bool:
        return bool(self._rows.actor[row] == NOBODY)

    def _are_seats(self, learners: Ints) -> bool:
        """Whether these may be the seats of learners."""
        return bool(((learners >= rows.NO_LEARNER) & (learners < self.game.players)).all())


def paired(found: list[T], numbers: list[int]) -> list[T]:
    """Some things for as many rows, or one for them all. Raises GameError."""
    if len(found) not in (1, len(numbers)):
        raise GameError(f"{len(numbers)} rows take one or {len(numbers)}, not {len(found)}")
    return found * len(numbers) if len(found) == 1 else found


def like(name: str, given: Any, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array of the shape and type of another. Raises GameError."""
    found = np.asarray(given)
    if found.shape != array.shape or found.dtype != array.dtype:
        raise GameError(f"{name} is {found.dtype}{list(found.shape)}, and here {array.dtype}{list(array.shape)}")
    return found
