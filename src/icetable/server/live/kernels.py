"""The compiled kernels that bots need, for all tables of the server. Until they are ready bots play in plain mode."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from typing import TYPE_CHECKING

from icetable.core.daemons import begin
from icetable.server import metrics
from icetable.server.logs import about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from icetable.bots import Status
    from icetable.core.game import GameInfo

    StatusOf = Callable[[GameInfo], Status]
    Compile = Callable[[GameInfo, Callable[[int, int], object]], object]

LOADING_SECONDS = 10.0
"""Seconds that the server waits at its start for kernels that were compiled before."""
COARSE_SECONDS = 5
"""Estimates are multiples of so many seconds."""
FIRST_ESTIMATE = 5
"""After how many more kernels than the first the time left is estimated."""

logger = logging.getLogger(__name__)


class Preparation:
    """The kernels of one game on their way. `seconds`: about how long they still take; None where that is soon."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._first: tuple[float, int] | None = None
        """When the first kernels were compiled, and how many. What comes before, starting a process, tells nothing."""
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self.seconds: int | None = None
        self.watchers: set[Callable[[], None]] = set()
        """Called whenever `seconds` changes."""

    def tell(self, compiled: int, of: int) -> None:
        """Note how many kernels are compiled; may be called by any thread."""
        self._soon(self._estimate, compiled, of)

    def end(self) -> None:
        """Note that the kernels are ready; may be called by any thread."""
        self._soon(self._end)

    def _soon(self, what: Callable[..., None], *args: int) -> None:
        with contextlib.suppress(RuntimeError):  # the server's loop has ended meanwhile
            self._loop.call_soon_threadsafe(what, *args)

    def _estimate(self, compiled: int, of: int) -> None:
        began, before = self._first = self._first or (self._loop.time(), compiled)
        if compiled - before >= FIRST_ESTIMATE:
            left = (self._loop.time() - began) / (compiled - before) * (of - compiled)
            self._show(max(1, math.ceil(left / COARSE_SECONDS)) * COARSE_SECONDS)

    def _end(self) -> None:
        self.ready.set_result(None)
        self._show(None)

    def _show(self, seconds: int | None) -> None:
        if seconds != self.seconds:
            self.seconds = seconds
            for watcher in list(self.watchers):
                watcher()


class Kernels:
    """Prepares each game once: at the server's start one after another, and at once where a table is opened."""

    def __init__(self, status: StatusOf, compile_kernels: Compile) -> None:
        self._status = status
        self._compile = compile_kernels
        self._preparations: dict[str, Preparation] = {}
        self._preparing: asyncio.Task[None] | None = None

    def prepare(self, game: GameInfo) -> Preparation:
        """Load a game's kernels in the background; what is not in the cache is compiled."""
        name = game.name
        if name not in self._preparations:
            preparation = self._preparations[name] = Preparation()
            begin(lambda: self._prepare(game, preparation), "compile")
        return self._preparations[name]

    async def load(self, games: Iterable[GameInfo]) -> None:
        """Load the kernels that were compiled before. Takes at most LOADING_SECONDS; the rest comes later."""
        if kept := [game for game in games if not await self._is_missing(game)]:
            await asyncio.wait([self.prepare(game).ready for game in kept], timeout=LOADING_SECONDS)

    def prepare_all(self, games: Iterable[GameInfo], report: Callable[[str], object]) -> None:
        """Prepare games in the background, and report what takes long in sentences for whoever started the server."""
        self._preparing = asyncio.create_task(self._prepare_all(list(games), report))

    def close(self) -> None:
        """Prepare no more games."""
        if self._preparing is not None:
            self._preparing.cancel()

    async def _prepare_all(self, games: list[GameInfo], report: Callable[[str], object]) -> None:
        missing = [game for game in games if await self._is_missing(game)]
        for game in games:
            if game not in missing:
                await self._prepared(game)
        if missing:
            report("Preparing the computer players, only this once. Play at once: strong ones begin simply.")
        for number, game in enumerate(missing, 1):
            report(f"  {game.title} ({number} of {len(missing)}) ...")
            await self._prepared(game)
        if missing:
            report("The computer players are ready.")

    async def _prepared(self, game: GameInfo) -> None:
        """Wait for a game's kernels. A wait that is cancelled leaves them on their way."""
        await asyncio.shield(self.prepare(game).ready)

    async def _is_missing(self, game: GameInfo) -> bool:
        return await asyncio.to_thread(self._status, game) == "missing"

    def _prepare(self, game: GameInfo, preparation: Preparation) -> None:
        try:
            with metrics.GAMES_COMPILING.track_inprogress():
                self._compile(game, preparation.tell)
        except Exception:
            logger.exception("the kernels of a game do not compile; its bots play slowly", extra=about(game=game.name))
        preparation.end()
