"""Several runs of blocks at a time, each played until what is asked of it is known, and all no longer than a time."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.core.errors import GameError
from icetable.core.workers import MAIN_GUARD_HINT, InlineExecutor, processes
from icetable.lab.intervals import FEW_FOR_PARTS, LEVEL, Estimate, anytime
from icetable.lab.running import Progress, Tell

if TYPE_CHECKING:
    from icetable.lab.intervals import Reals

FIRST_LOOK = 10
"""The blocks after which a run is first looked at."""
GROWTH = 1.4
"""By how much it is longer at each next look. What a run tells depends on its looks alone, not on who played it."""
PIECE_SECONDS = 0.4
"""How long the blocks take that a worker is given at a time, or one of them."""
WARM = 3
"""The blocks of a run that are not timed."""
AT_ONCE = 2
"""The pieces that are given out for each worker."""
MAX_MORE = 10**6
"""More blocks than anybody waits for."""


class Claim(NamedTuple):
    """That a mean lies from `low` to `high`. It is surely so where its interval lies there, and surely not where the
    interval lies outside the `inner` limits, which are by default the same ones.
    """

    low: float
    high: float
    inner: tuple[float, float] | None = None

    def holds(self, known: Estimate) -> bool | None:
        """Whether it is so; None where that can't be told yet."""
        if self.low <= known.low and known.high <= self.high:
            return True
        least, most = self.inner or (self.low, self.high)
        return False if known.low > most or known.high < least else None

    def more(self, known: Estimate) -> int:
        """How many more blocks it may take to tell, if the mean is what it looks like now."""
        if self.holds(known) is not None:
            return 0
        least, most = self.inner or (self.low, self.high)
        inside = min(known.value - self.low if self.low > 0 else 1.0, self.high - known.value if self.high < 1 else 1.0)
        apart = max(inside, least - known.value, known.value - most)
        half = max(known.high - known.value, known.value - known.low)
        if math.isinf(half) and 0 < known.blocks < FEW_FOR_PARTS:
            return FEW_FOR_PARTS - known.blocks
        if not apart > 0 or not math.isfinite(half):
            return MAX_MORE
        return min(MAX_MORE, max(1, math.ceil(known.blocks * ((half / apart) ** 2 - 1))))


class Weighed(NamedTuple):
    """A claim, and what is known of it."""

    claim: Claim
    known: Estimate

    @property
    def holds(self) -> bool | None:
        """Whether it is so; None where that can't be told yet."""
        return self.claim.holds(self.known)


def known_of(values: Sequence[float] | Reals, claims: int = 1, least: float = 0.0, most: float = 1.0) -> Estimate:
    """A mean in an interval by which one of several claims is judged: all of them hold together at 95 %."""
    return anytime([one for one in values if one == one], 1 - (1 - LEVEL) / claims, least, most)


class Blocks:
    """Blocks of something that is played, as far as they are known: those up to the last look, in order.

    `play` plays a block by its number, and is sent to workers. `is_known` says of all blocks so far whether they are
    enough, from the `first` look on; at most so many are played. Of the time they get a part by their `weight`.
    """

    def __init__(
        self,
        play: Callable[[int], Any],
        is_known: Callable[[Sequence[Any]], bool],
        most: int,
        weight: int = 1,
        first: int = FIRST_LOOK,
    ) -> None:
        self.play, self.is_known, self.most, self.weight = play, is_known, most, weight
        self.found: list[Any] = []
        self.is_done = False
        self.given = 0
        self._kept: dict[int, Any] = {}
        self._look = min(first, most)
        self._seconds, self._timed = 0.0, 0

    @property
    def pace(self) -> float:
        """The seconds of a block, but for the first ones, for which workers load much; 0 where it is unknown."""
        return self._seconds / self._timed if self._timed else 0.0

    @property
    def is_open(self) -> bool:
        """Whether there is more to play."""
        return not self.is_done and self.given < self.most

    def next_piece(self) -> range:
        """The blocks to play next."""
        size = max(1, int(PIECE_SECONDS / self.pace)) if self.pace else 1
        left = (self._look if self.given < self._look else self.most) - self.given
        first, self.given = self.given, self.given + min(size, left)
        return range(first, self.given)

    def take(self, blocks: range, played: Sequence[Any], seconds: float) -> None:
        """Keep what was played, and look whether it is enough."""
        if len(self._kept) >= WARM:
            self._seconds, self._timed = self._seconds + seconds, self._timed + len(blocks)
        self._kept.update(zip(blocks, played, strict=True))
        while not self.is_done and all(number in self._kept for number in range(len(self.found), self._look)):
            self.found = [self._kept[number] for number in range(self._look)]
            self.is_done = self._look == self.most or self.is_known(self.found)
            self._look = min(math.ceil(self._look * GROWTH), self.most)

    def end(self) -> None:
        """Time is up: look at all blocks before the first that is not finished. That it lasts long is no matter to
        intervals that hold at all times.
        """
        while not self.is_done and len(self.found) in self._kept:
            self.found.append(self._kept[len(self.found)])


def play_all(
    several: Sequence[Blocks], seconds: float, where: Executor, workers: int = 1, tell: Tell | None = None
) -> None:
    """Play several runs of blocks until all are known, or so many seconds have gone.

    Raises GameError.
    """
    begun = time.monotonic()
    running: dict[Future[tuple[list[Any], float]], tuple[Blocks, range]] = {}
    while True:
        while len(running) < workers and (waiting := [one for one in several if one.is_open]):
            chosen = min(waiting, key=lambda one: one.given * (one.pace or 1.0) / one.weight)
            piece = chosen.next_piece()
            running[where.submit(play_piece, chosen.play, piece)] = chosen, piece
        left = begun + seconds - time.monotonic()
        if not running or left <= 0:
            break
        try:
            for future in wait(running, None if math.isinf(left) else left, FIRST_COMPLETED).done:
                chosen, piece = running.pop(future)
                chosen.take(piece, *future.result())
        except BrokenProcessPool:
            raise GameError(f"the workers can't begin, or have died: {MAIN_GUARD_HINT}") from None
        if tell is not None:
            done = sum(one.is_done for one in several)
            tell(Progress(done, len(several), left if math.isfinite(left) else None, "questions"))
    for future in running:
        future.cancel()
    for one in several:
        one.end()


def play_piece(play: Callable[[int], Any], blocks: range) -> tuple[list[Any], float]:
    """What some blocks give, and the seconds that they took: what a worker does."""
    begun = time.perf_counter()
    return [play(block) for block in blocks], time.perf_counter() - begun


@contextlib.contextmanager
def workers_of(where: Executor | None, jobs: int) -> Iterator[tuple[Executor, int]]:
    """Who plays, and how many pieces are given out at once. Processes of this machine end with what they are at."""
    if where is not None:
        yield where, AT_ONCE * jobs
    elif jobs == 1:
        yield InlineExecutor(), 1
    else:
        with processes(jobs) as pool:
            yield pool, AT_ONCE * jobs
