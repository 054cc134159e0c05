"""Runs of blocks played in parallel, each until its questions are settled or time is up."""

from __future__ import annotations

import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.core.errors import GameError
from icetable.lab.intervals import LEVEL, MIN_BLOCKS_FOR_PARTS, Estimate, anytime
from icetable.lab.runs import OnProgress, Progress
from icetable.workers import MAIN_GUARD_HINT, InlineExecutor, processes, run_tasks

if TYPE_CHECKING:
    from icetable.lab.intervals import Reals

BLOCKS_BEFORE_FIRST_CHECK = 10
"""Number of blocks before the first check."""
CHECK_GROWTH = 1.25
"""Growth of a run between checks. Results depend only on the checks, not on which workers played."""
PIECE_SECONDS = 0.4
"""Duration of the blocks that a worker gets at a time, at least one."""
UNTIMED_BLOCKS = 3
"""Number of blocks of a run that are not timed, since workers are still loading modules."""
PIECES_PER_WORKER = 2
MAX_GROWTH = 8
"""A run is taken to be known once it has grown by this factor, whatever it seems to need."""
USUAL_BLOCKS = 50
"""Number of blocks that an answer takes, as long as nothing is known about it."""
MIN_APART = 0.005
"""Distance of a mean from the limit that it lies at, to estimate when it is told from it."""
QUESTIONS = "questions"
"""The stage of `Progress` in which runs are counted, each of which answers a question, instead of blocks."""
MAX_BLOCKS_NEEDED = 10**6
"""More blocks than anyone would wait for."""


class Claim(NamedTuple):
    """The claim that a mean lies between two limits.

    It holds if the interval of the mean lies within, and fails if the interval lies outside the inner limits.
    """

    low: float
    """The lower limit."""
    high: float
    """The upper limit."""
    inner: tuple[float, float] | None = None
    """The inner limits, lower and upper; None: the same as the outer ones."""

    def holds(self, known: Estimate) -> bool | None:
        """Whether it holds; None if that is still open."""
        if self.low <= known.low and known.high <= self.high:
            return True
        least, most = self.inner or (self.low, self.high)
        return False if known.low > most or known.high < least else None

    def more_blocks(self, known: Estimate) -> int:
        """The number of further blocks that may settle it, if the mean stays as it is."""
        if self.holds(known) is not None:
            return 0
        least, most = self.inner or (self.low, self.high)
        inside = min(known.value - self.low if self.low > 0 else 1.0, self.high - known.value if self.high < 1 else 1.0)
        apart = max(inside, least - known.value, known.value - most)
        half = max(known.high - known.value, known.value - known.low)
        if math.isinf(half) and 0 < known.blocks < MIN_BLOCKS_FOR_PARTS:
            return MIN_BLOCKS_FOR_PARTS - known.blocks
        if not math.isfinite(half):
            return MAX_BLOCKS_NEEDED
        # Intervals of values that are all equal shrink with the number of blocks, others with its root.
        power = 1 if known.value in (0.0, 1.0) else 2
        more = known.blocks * ((half / max(apart, MIN_APART)) ** power - 1)
        return min(MAX_BLOCKS_NEEDED, max(1, math.ceil(more)))


class Assessment(NamedTuple):
    """A claim and the estimate that it is judged by."""

    claim: Claim
    """The claim."""
    estimate: Estimate
    """The estimate of the mean."""

    @property
    def holds(self) -> bool | None:
        return self.claim.holds(self.estimate)

    @property
    def more_blocks(self) -> int:
        return self.claim.more_blocks(self.estimate)


def estimate_of(values: Sequence[float] | Reals, claims: int = 1, least: float = 0.0, most: float = 1.0) -> Estimate:
    """The mean of a figure for one of several claims; their intervals hold together at 95 %."""
    return anytime([value for value in values if value == value], 1 - (1 - LEVEL) / claims, least, most)


class Blocks:
    """A run of blocks; `found` holds those up to the last check, in order.

    `play` plays a block by its number, in a worker. `is_known` says whether the blocks so far are enough; it is called
    after `first` blocks and then at growing intervals, up to `most` blocks. `weight`: the run's share of the time.
    `more`: the number of further blocks to the nearest answer, 0 if there is none; runs that have it are played in the
    order of the time that this takes. `expected`: the seconds that a block should take, until some are timed.
    """

    def __init__(
        self,
        play: Callable[[int], Any],
        is_known: Callable[[Sequence[Any]], bool],
        most: int,
        weight: int = 1,
        first: int = BLOCKS_BEFORE_FIRST_CHECK,
        more: Callable[[Sequence[Any]], int] | None = None,
        expected: float = 0.0,
    ) -> None:
        self.play, self.is_known, self.most, self.weight = play, is_known, most, weight
        self.more, self.expected = more, expected
        self.found: list[Any] = []
        self.is_done = False
        self.given = 0
        self._played: dict[int, Any] = {}
        self._next_check = min(first, most)
        self._seconds, self._timed = 0.0, 0
        self._wanted = USUAL_BLOCKS

    @property
    def pace(self) -> float:
        """Seconds per block, as measured or expected; 0 if unknown."""
        return self._seconds / self._timed if self._timed else self.expected

    @property
    def seconds_to_answer(self) -> float:
        """The processor time that the next answer of this run takes; 0 if that does not matter."""
        return 0.0 if self.more is None else max(1, self._wanted - self.given) * self.pace

    @property
    def is_open(self) -> bool:
        return not self.is_done and self.given < self.most

    def next_piece(self) -> range:
        size = max(1, int(PIECE_SECONDS / self.pace)) if self.pace else 1
        left = (self._next_check if self.given < self._next_check else self.most) - self.given
        first, self.given = self.given, self.given + min(size, left)
        return range(first, self.given)

    def take(self, blocks: range, played: Sequence[Any], seconds: float) -> None:
        """Store the results of a piece, and check whether they are enough."""
        if len(self._played) >= UNTIMED_BLOCKS:
            self._seconds, self._timed = self._seconds + seconds, self._timed + len(blocks)
        self._played.update(zip(blocks, played, strict=True))
        while not self.is_done and all(number in self._played for number in range(len(self.found), self._next_check)):
            self.found = [self._played[number] for number in range(self._next_check)]
            more = 0 if self.is_known(self.found) else 1 if self.more is None else self.more(self.found)
            self.is_done = self._next_check == self.most or not more
            # The first estimates err widely: nothing waits for long because of one.
            self._wanted = len(self.found) + min(more, MAX_GROWTH * len(self.found))
            self._next_check = min(math.ceil(self._next_check * CHECK_GROWTH), self.most)

    def end(self) -> None:
        """Time is up: use all blocks before the first unfinished one.

        Anytime intervals stay valid at any number of blocks.
        """
        while not self.is_done and len(self.found) in self._played:
            self.found.append(self._played[len(self.found)])


def play_all(
    runs: Sequence[Blocks], seconds: float, executor: Executor, workers: int = 1, on_progress: OnProgress | None = None
) -> None:
    """Play several runs of blocks until all are settled or the seconds are up, the quickest answers first.

    No block is begun that would not end in time. Raises GameError.
    """
    until = time.monotonic() + seconds

    def next_piece() -> tuple[tuple[Blocks, range], Callable[[], tuple[list[Any], float]]] | None:
        left = until - time.monotonic()
        waiting = [run for run in runs if run.is_open and run.pace <= left]
        if not waiting:
            return None
        chosen = min(waiting, key=urgency)
        piece = chosen.next_piece()
        return (chosen, piece), functools.partial(play_piece, chosen.play, piece)

    try:
        with contextlib.closing(run_tasks(executor, workers, next_piece, until)) as results:
            for (run, piece), (played, spent) in results:
                run.take(piece, played, spent)
                if on_progress is not None:
                    left, done = until - time.monotonic(), sum(run.is_done for run in runs)
                    on_progress(Progress(done, len(runs), left if math.isfinite(left) else None, QUESTIONS))
    except BrokenProcessPool:
        raise GameError(f"the workers can't start, or have died: {MAIN_GUARD_HINT}") from None
    for run in runs:
        run.end()


def urgency(run: Blocks) -> tuple[float, float]:
    """The run with the lowest one is played next."""
    return run.seconds_to_answer, run.given * (run.pace or 1.0) / run.weight


def play_piece(play: Callable[[int], Any], blocks: range) -> tuple[list[Any], float]:
    """Play some blocks in a worker, and time them."""
    begun = time.perf_counter()
    return [play(block) for block in blocks], time.perf_counter() - begun


@contextlib.contextmanager
def workers_of(executor: Executor | None, jobs: int) -> Iterator[tuple[Executor, int]]:
    """An executor, and the number of pieces to submit ahead. Local processes finish their current piece."""
    if executor is not None:
        yield executor, PIECES_PER_WORKER * jobs
    elif jobs == 1:
        yield InlineExecutor(), 1
    else:
        with processes(jobs) as pool:
            yield pool, PIECES_PER_WORKER * jobs
