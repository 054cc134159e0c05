"""The rows of a batch on a GPU: each thread plays one row, by the kernels of `rows`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from icetable.core.turns import cuda_for
from icetable.envs import rows
from icetable.envs.rows import SKIP, Rows, choose, look, pick, step
from icetable.envs.spaces import space
from icetable.kernels import jit
from icetable.kernels.jit import copy
from icetable.kernels.layout import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from icetable.core.turns import TurnGame
    from icetable.envs.rows import Bools
    from icetable.extras.encoding import Bytes
    from icetable.kernels.jit import Floats, Ints

cuda = cast("Any", None)  # numba.cuda, bound for each game like the numbers below
WORDS = MAX_ACTS = PLAYERS = 0
RESULT, LONGEST, FAULTS = range(3)
"""The counters of a batch: the worst result of a step, the length of the longest log, and actions not played."""


class RowsOnGpu:
    """`Rows` on a GPU, with an attribute for each of its fields: a copy on the processor, which may be changed."""

    def __init__(self, game: TurnGame, given: Rows, stream: Callable[[], int]) -> None:
        self._gpu = cuda_for(game)
        self._kernels = _kernels(game)
        self._stream = stream
        n, arrays = len(given.positions), [one for one in given if isinstance(one, np.ndarray)]
        there = {id(array): self._gpu.upload(array) for array in arrays}
        self._rows: Any = Rows(*(there.get(id(value), value) for value in given))
        self._here: dict[int, npt.NDArray[Any]] = {}
        self.actions, self.picked = (self._gpu.upload(np.zeros(n, np.int64)) for _ in range(2))
        self._counters = self._gpu.upload(np.zeros(3, np.int64))
        self._everywhere, self._chosen = (self._gpu.upload(np.ones(n, np.bool_)) for _ in range(2))
        self._given = self._gpu.upload(np.zeros(n, np.int64))
        self._longest = int(given.lengths.max())

    def __getattr__(self, name: str) -> Any:
        array = getattr(self._rows, name)
        if not hasattr(array, "shape"):
            return array
        if id(array) not in self._here:
            self._here[id(array)] = np.ascontiguousarray(self._gpu.download(array))
        return self._here[id(array)]

    def _asdict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Rows._fields}

    def on_processor(self) -> Rows:
        """All fields, copied."""
        return Rows(**self._asdict())

    def copy_back(self) -> None:
        """Copy to the GPU what may have been changed on the processor."""
        for array in {id(one): one for one in self._rows}.values():
            if id(array) in self._here:
                self._gpu.replace(array, self._here[id(array)])
        self._here.clear()

    def shown(self, array: Any) -> Any:
        """An array on the GPU for others; a field by its name."""
        base = getattr(self._rows, array) if isinstance(array, str) else array
        return self._gpu.DeviceArray(base, base.shape, base.strides, self._stream)

    def seen(self, name: str, shape: tuple[int, int, int], channels: str) -> Any:
        """Observations for others, with height and width as dimensions of their own."""
        base = getattr(self._rows, name)
        row, cell, plane = base.strides
        sizes, strides = [len(base), *shape], [row, cell * shape[1], cell, plane]
        if channels == "first":
            sizes, strides = [[one[0], one[3], one[1], one[2]] for one in (sizes, strides)]
        return self._gpu.DeviceArray(base, tuple(sizes), tuple(strides), self._stream)

    def foreign(self, given: Any) -> Any:
        """An array of another library or a list, as an array on either side."""
        return self._gpu.foreign(given)

    def choose(self, chosen: Any) -> Any:
        """Bools of the rows on the GPU, from an array on either side, or None for all."""
        return self._everywhere if chosen is None else self._there(chosen, self._chosen)

    def mark(self, chosen: Any, code: int, other: int, target: Any) -> None:
        """Write one number to the chosen rows of an array and another to all others."""
        self._launch("mark", chosen, code, other, target)

    def take(self, given: Any) -> None:
        """Take actions from an array on either side."""
        self._launch("take", self._there(given, self._given), self.actions)

    def take_codes(self, codes: Ints) -> None:
        """Take actions and other codes from the processor."""
        self._gpu.replace(self.actions, codes)

    def check(self, chosen: Any, strict: bool) -> None:
        """Skip rows that are not chosen, and count and skip those whose action can't be played."""
        own = self._rows
        self._launch("check", self.actions, chosen, own.mask, own.actor, strict, own.autoreset, self._counters)

    def play(self) -> int:
        """Execute the actions in each row, with room in all logs. Return the result.

        `_longest` is never less than the length of any log, so that it is seldom measured, which waits for the GPU.
        """
        while True:
            if self._longest >= self._rows.logs.shape[2]:
                self._make_room()
            self._launch("step", self.actions, self._rows, self._counters)
            self._longest += 1
            if self._rows.learner == rows.NO_LEARNER and not self._rows.openings:  # one action, so its log had room
                return rows.DONE
            result = self._take_counter(RESULT)
            if result != rows.FULL:
                return result
            self._longest = self._rows.logs.shape[2]

    def pick(self, chosen: Any) -> None:
        """Write a random legal action of each chosen row to `picked`, and 0 to others."""
        self.mark(chosen, 1, 0, self.picked)
        self._launch("pick", self.picked, self._rows)

    def look(self, seats: Any) -> None:
        """Write what seats, given on either side, see of their rows."""
        self._launch("look", self._there(seats, self._given), self._rows)

    def count_faults(self) -> int:
        """The number of actions so far that could not be played."""
        return int(self._gpu.download(self._counters)[FAULTS])

    def _there(self, given: Any, room: Any) -> Any:
        if not isinstance(given, np.ndarray) or given is room:
            return given
        self._gpu.replace(room, given)
        return room

    def _launch(self, name: str, *arguments: Any) -> None:
        """Run a kernel in a thread per row."""
        self.copy_back()
        n = len(self.actions)
        self._gpu.launch(self._kernels[name], n, self._gpu.stream_of(self._stream()), *arguments)

    def _make_room(self) -> None:
        """Double the capacity of the logs if one is full."""
        self._launch("measure", self._rows.lengths, self._rows.current, self._counters)
        self._longest = self._take_counter(LONGEST)
        old = self._rows.logs
        if self._longest >= old.shape[2]:
            new = self._gpu.upload(np.zeros((*old.shape[:2], 2 * old.shape[2]), old.dtype))
            self._launch("move", old, new)
            self._rows = self._rows._replace(logs=new)

    def _take_counter(self, which: int) -> int:
        """Read a counter and set it to 0. This waits for the GPU."""
        counters = self._gpu.download(self._counters)
        value = int(counters[which])
        if value:
            counters[which] = 0
            self._gpu.replace(self._counters, counters)
        return value


@functools.lru_cache
def _kernels(game: TurnGame) -> dict[str, Any]:
    """The CUDA kernels of a game, by name; each is compiled when it first runs."""
    gpu, bound = cuda_for(game), {"rules": game.rules, "codec": space(game).codec}
    own = {kernel.__name__: jit.bind(kernel, game.info.name, **bound) for kernel in (step, pick, look)}
    sizes = {"WORDS": len(game.first_position()), "MAX_ACTS": game.rules.MAX_ACTS, "PLAYERS": game.players}
    each = (step_each, pick_each, look_each, check_each, take_each, mark_each, measure_each, move_each)
    return {one.__name__.removesuffix("_each"): gpu.build(one, **own, **sizes) for one in each}


# The CUDA kernels. A thread plays its row as the only one of `Rows` of its own, with the position in its own memory.


def own_rows(row: int, all_rows: Rows, positions: Ints, buffer: Ints, shares: Floats) -> Rows:
    """A row as `Rows`, with its position, copied to `positions`, and scratch space."""
    copy(all_rows.positions[row], positions[0])
    one = slice(row, row + 1)
    return Rows(
        all_rows.first,
        positions,
        all_rows.finals[one],
        all_rows.streams[one],
        all_rows.logs[one],
        all_rows.lengths[one],
        all_rows.starts[one],
        all_rows.current[one],
        all_rows.given[one],
        all_rows.before[one],
        all_rows.learners[one],
        all_rows.actor[one],
        all_rows.planes[one],
        all_rows.mask[one],
        all_rows.reward[one],
        all_rows.done[one],
        all_rows.final_planes[one],
        all_rows.acts[one],
        all_rows.autoreset,
        all_rows.openings,
        all_rows.learner,
        all_rows.observes,
        all_rows.illegal_loses,
        buffer,
        shares,
    )


def step_each(actions: Ints, all_rows: Rows, counters: Ints) -> None:
    """Execute the action of a row."""
    row = cuda.grid(1)
    if row < len(actions) and actions[row] != SKIP:
        positions, buffer = cuda.local.array((1, WORDS), np.int64), cuda.local.array(MAX_ACTS, np.int64)
        shares = cuda.local.array(PLAYERS, np.float64)
        own = own_rows(row, all_rows, positions, buffer, shares)
        result = step(actions[row : row + 1], own)
        copy(positions[0], all_rows.positions[row])
        if result != rows.DONE:
            cuda.atomic.max(counters, RESULT, result)


def pick_each(actions: Ints, all_rows: Rows) -> None:
    """Replace a 1 by a random legal action of a row."""
    row = cuda.grid(1)
    if row < len(actions) and actions[row]:
        positions, buffer = cuda.local.array((1, WORDS), np.int64), cuda.local.array(MAX_ACTS, np.int64)
        shares = cuda.local.array(PLAYERS, np.float64)
        pick(actions[row : row + 1], own_rows(row, all_rows, positions, buffer, shares))


def look_each(seats: Ints, all_rows: Rows) -> None:
    """Write what a seat sees of a row; nothing if there is no such seat."""
    row = cuda.grid(1)
    if row < len(seats) and 0 <= seats[row] < all_rows.first[SEATS]:
        positions, buffer = cuda.local.array((1, WORDS), np.int64), cuda.local.array(MAX_ACTS, np.int64)
        shares = cuda.local.array(PLAYERS, np.float64)
        look(seats[row : row + 1], own_rows(row, all_rows, positions, buffer, shares))


def check_each(
    actions: Ints, chosen: Bools, mask: Bytes, actor: Ints, strict: bool, autoreset: int, counters: Ints
) -> None:
    """Skip a row that is not chosen, and one whose action can't be played, which is counted."""
    row = cuda.grid(1)
    if row < len(actions):
        one = slice(row, row + 1)
        if choose(actions[one], chosen[one], mask[one], actor[one], strict, autoreset) >= 0:
            actions[row] = SKIP
            cuda.atomic.add(counters, FAULTS, 1)


def take_each(given: Ints, actions: Ints) -> None:
    """Take an action; no negative number is one."""
    row = cuda.grid(1)
    if row < len(actions):
        action = np.int64(given[row])
        actions[row] = action if action >= 0 else SKIP


def mark_each(chosen: Bools, code: int, other: int, target: Ints) -> None:
    """Write one number to a chosen row and another to others."""
    row = cuda.grid(1)
    if row < len(target):
        target[row] = code if chosen[row] else other


def measure_each(lengths: Ints, current: Ints, counters: Ints) -> None:
    """Find the length of the longest log of a game under way."""
    row = cuda.grid(1)
    if row < len(current):
        cuda.atomic.max(counters, LONGEST, lengths[row, current[row]])


def move_each(old: Any, new: Any) -> None:
    """Copy a row's logs."""
    row = cuda.grid(1)
    if row < len(old):
        for log in range(2):
            copy(old[row, log], new[row, log])
