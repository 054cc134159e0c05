"""The compiled kernels of the bots, for all tables of the server. Until they are ready, bots play in plain mode."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from typing import TYPE_CHECKING

from icetable.server import metrics
from icetable.server.logs import about
from icetable.workers import begin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from icetable.bots import Status
    from icetable.core.game import GameInfo

    StatusOf = Callable[[GameInfo], Status]
    Compile = Callable[[GameInfo, Callable[[int, int], object]], object]

LOADING_SECONDS = 10.0
"""Maximum time that the starting server waits for cached kernels."""
ESTIMATE_STEP_SECONDS = 5
"""Estimates are rounded up to multiples of this."""
MIN_COMPILED_KERNELS = 5
"""Number of kernels compiled since the first report from which the remaining time is estimated."""

logger = logging.getLogger(__name__)


class Preparation:
    """The preparation of one game's kernels. `seconds`: the estimated time left; None if unknown or over."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._first: tuple[float, int] | None = None
        """Time and number of the first report. Starting a process comes before it and would distort the estimate."""
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self.seconds: int | None = None
        self.watchers: set[Callable[[], None]] = set()
        """Called whenever `seconds` changes."""

    def report_progress(self, compiled: int, total: int) -> None:
        """Set the number of compiled kernels. Thread-safe."""
        self._call_in_loop(self._estimate, compiled, total)

    def end(self) -> None:
        """Mark the kernels as ready. Thread-safe."""
        self._call_in_loop(self._end)

    def _call_in_loop(self, callback: Callable[..., None], *args: int) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(callback, *args)

    def _estimate(self, compiled: int, total: int) -> None:
        began, before = self._first = self._first or (self._loop.time(), compiled)
        if compiled - before >= MIN_COMPILED_KERNELS:
            seconds_left = (self._loop.time() - began) / (compiled - before) * (total - compiled)
            self._show(max(1, math.ceil(seconds_left / ESTIMATE_STEP_SECONDS)) * ESTIMATE_STEP_SECONDS)

    def _end(self) -> None:
        self.ready.set_result(None)
        self._show(None)

    def _show(self, seconds: int | None) -> None:
        if seconds != self.seconds:
            self.seconds = seconds
            for watcher in list(self.watchers):
                watcher()


class Kernels:
    """Prepares each game once: one after another at the server's start, immediately if a table is opened."""

    def __init__(self, status: StatusOf, compile_kernels: Compile) -> None:
        self._status = status
        self._compile = compile_kernels
        self._preparations: dict[str, Preparation] = {}
        self._task: asyncio.Task[None] | None = None

    def prepare(self, game: GameInfo) -> Preparation:
        """Load a game's kernels in the background, compiling those that are not cached."""
        name = game.name
        if name not in self._preparations:
            preparation = self._preparations[name] = Preparation()
            begin(lambda: self._prepare(game, preparation), "compile")
        return self._preparations[name]

    async def load(self, games: Iterable[GameInfo]) -> None:
        """Load the cached kernels of games. Waits at most LOADING_SECONDS; loading continues in the background."""
        if cached := [game for game in games if not await self._is_missing(game)]:
            await asyncio.wait([self.prepare(game).ready for game in cached], timeout=LOADING_SECONDS)

    def prepare_all(self, games: Iterable[GameInfo], report: Callable[[str], object]) -> None:
        """Prepare games in the background; `report` is sent progress messages for the operator."""
        self._task = asyncio.create_task(self._prepare_all(list(games), report))

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _prepare_all(self, games: list[GameInfo], report: Callable[[str], object]) -> None:
        missing = [game for game in games if await self._is_missing(game)]
        for game in games:
            if game not in missing:
                await self._wait_for(game)
        if missing:
            report("Preparing the computer players, this once only. You can play now; strong ones start out weaker.")
        for number, game in enumerate(missing, 1):
            report(f"  {game.title} ({number} of {len(missing)}) ...")
            await self._wait_for(game)
        if missing:
            report("The computer players are ready.")

    async def _wait_for(self, game: GameInfo) -> None:
        """Wait for a game's kernels. Cancelling the wait does not cancel the preparation."""
        await asyncio.shield(self.prepare(game).ready)

    async def _is_missing(self, game: GameInfo) -> bool:
        return await asyncio.to_thread(self._status, game) == "missing"

    def _prepare(self, game: GameInfo, preparation: Preparation) -> None:
        try:
            with metrics.GAMES_COMPILING.track_inprogress():
                self._compile(game, preparation.report_progress)
        except Exception:
            logger.exception("the kernels of a game do not compile; its bots play slowly", extra=about(game=game.name))
        preparation.end()
