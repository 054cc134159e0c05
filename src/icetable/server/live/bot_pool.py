"""The threads of the bots, for all tables of the server."""

from __future__ import annotations

import asyncio
import functools
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
from icetable.server.apart.games import ApartGame, ApartInfo
from icetable.server.apart.searches import ApartBot
from icetable.server.live.fair_pool import FairPool
from icetable.server.live.kernels import Kernels
from icetable.workers import begin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.game import Action

PAUSE_SECONDS = 0.6
"""Minimum time between an act and a bot's next one, so that people can follow."""

WAITS = 2.5
"""How much longer the weakest bot of a game without turns takes while it is ahead of a player."""

T = TypeVar("T")


def make_bot(game: Game, level: str) -> Bot | ApartBot:
    """A bot that plays a game of turns at a level, in the process of its file if it has one."""
    return ApartBot(game, level) if isinstance(game, ApartGame) else Bot(game, level)


def make_realtime_bot(game: Game, level: str) -> RealTimeBot:
    """A bot of a game without turns. The weakest, whom newcomers meet, waits for players who are slower."""
    weakest = REAL_TIME_LEVELS[0]
    return RealTimeBot(game, replace(weakest, waits=WAITS) if level == weakest.name else level)


@dataclass(frozen=True)
class BotFactory:
    """The functions that create the server's bots.

    They take the name of a game and a number of players, a game and the name of a level, or a game's info.
    """

    levels: Callable[[str, int], Sequence[Level]] = bots.levels
    make_bot: Callable[[Game, str], Bot | ApartBot] = make_bot
    make_realtime_bot: Callable[[Game, str], RealTimeBot] = make_realtime_bot
    status: Callable[[GameInfo], bots.Status] = bots.status
    compile_kernels: Callable[[GameInfo, Callable[[int, int], object]], object] = bots.load_behind


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
        self._quick = FairPool(quick, "quick-thought")
        self._slow = FairPool(max(1, self._cores - quick), "thought")
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
