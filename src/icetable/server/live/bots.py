"""The threads of the bots, and their compiled kernels, for all tables of the server.

Until a game's kernels are ready, its bots play in plain mode.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from icetable import bots
from icetable.bots import Bot, Level, RealTimeBot
from icetable.bots.levels import REAL_TIME_LEVELS
from icetable.core.game import Game, GameInfo, State
from icetable.extras import strength
from icetable.server import metrics
from icetable.server.apart.games import ApartGame, ApartInfo
from icetable.server.apart.searches import ApartBot
from icetable.server.live.fair_queue import FairQueue
from icetable.server.logs import about
from icetable.workers import begin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from icetable.bots import Status
    from icetable.core.game import GameInfo

    StatusOf = Callable[[GameInfo], Status]
    Compile = Callable[[GameInfo, Callable[[int, int], object]], object]
    from collections.abc import Mapping

    from icetable.core.game import Action

LOADING_SECONDS = 10.0
"""Maximum time that the starting server waits for cached kernels."""
ESTIMATE_STEP_SECONDS = 5
"""Estimates are rounded up to multiples of this."""
MIN_COMPILED_KERNELS = 5
"""Number of kernels compiled since the first report from which the remaining time is estimated."""

PAUSE_SECONDS = 0.6
"""Minimum time between an act and a bot's next one, so that people can follow."""
SLOWDOWN = 2.5
"""How much longer the weakest bot of a game without turns takes while it is ahead of a player."""

T = TypeVar("T")

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


def make_bot(game: Game, level: str) -> Bot | ApartBot:
    """A bot that plays a turn-based game at a level, in the process of its file if it has one."""
    return ApartBot(game, level) if isinstance(game, ApartGame) else Bot(game, level)


def make_realtime_bot(game: Game, level: str) -> RealTimeBot:
    """A bot of a game without turns. The weakest, whom newcomers meet, waits for players who are slower."""
    weakest = REAL_TIME_LEVELS[0]
    return RealTimeBot(game, replace(weakest, slowdown=SLOWDOWN) if level == weakest.name else level)


@dataclass(frozen=True)
class BotFactory:
    """The functions that create the server's bots."""

    levels: Callable[[str, int], Sequence[Level]] = bots.levels
    """Returns the levels of a game, by its name, for a number of players."""
    make_bot: Callable[[Game, str], Bot | ApartBot] = make_bot
    """Creates a bot of a level for a turn-based game."""
    make_realtime_bot: Callable[[Game, str], RealTimeBot] = make_realtime_bot
    """Creates a bot of a level for a game without turns."""
    status: Callable[[GameInfo], bots.Status] = bots.status
    """Returns whether a game's kernels are compiled."""
    compile_kernels: Callable[[GameInfo, Callable[[int, int], object]], object] = bots.load_behind
    """Loads a game's kernels, and reports how many of how many are compiled."""


class BotPool:
    """The bot threads of the server.

    There are `cores` of them (by default as many as the machine has), but at least two: levels that need only
    milliseconds have their own threads and never wait for levels that need seconds.
    """

    def __init__(
        self, factory: BotFactory | None = None, pause: float = PAUSE_SECONDS, cores: int | None = None
    ) -> None:
        """`pause`: the minimum time between an act and a bot's next one, in seconds."""
        self.factory = factory or BotFactory()
        self.kernels = Kernels(self.factory.status, self.factory.compile_kernels)
        self.pause = pause
        self._cores = cores or os.cpu_count() or 1
        quick = max(1, self._cores // 4)
        self._quick = FairQueue(quick, "quick-thought")
        self._slow = FairQueue(max(1, self._cores - quick), "thought")
        self._solving = asyncio.Lock()

    async def values(self, state: State) -> Mapping[Action, str | int]:
        """Solve a position: the value of each legal act. May take many seconds; solves one position at a time.

        Raises GameError if it can't be solved.
        """
        solver = strength.solver_of(state.game.info)
        assert solver is not None
        async with self._solving:
            return await asyncio.wrap_future(begin(lambda: solver.values(state), "solve"))

    def submit(self, table: str, level: Level, think: Callable[[int], T], info: GameInfo | None = None) -> Future[T]:
        """Run `think` in a thread when it is the table's turn. Its argument is the number of threads it may search in.

        The job can be cancelled until it starts. `info`: the game, as the bots of a file's game have a thread of their
        own, so that they hold up no others.
        """
        if isinstance(info, ApartInfo):
            return info.code.bots.thread.submit(think, 1)
        if level.is_quick:
            return self._quick.submit(table, functools.partial(think, 1))
        return self._slow.submit(table, lambda: think(max(1, self._cores // max(1, self._slow.load))))

    def level(self, game: Game, name: str) -> Level:
        return next(level for level in self.factory.levels(game.info.name, game.players) if level.name == name)

    def queue_length(self) -> int:
        """The number of jobs that are queued or running."""
        return self._quick.load + self._slow.load

    def close(self) -> None:
        self.kernels.close()
        self._quick.close()
        self._slow.close()
