"""Bots and disks that do what a test wants, and clients without a socket."""

from __future__ import annotations

import asyncio
import functools
import math
import threading
from typing import TYPE_CHECKING, Any

from icetable.bots import Bot, Intention, Level, RealTimeBot
from icetable.bots.levels import SearchLevel
from icetable.core.game import Action
from icetable.extras.strength import Effort
from icetable.server.live.bots import BotFactory
from icetable.server.live.tables.client import Client
from icetable.server.store.database import Database, Write
from icetable.server.store.errors import StoreError
from icetable.server.store.sqlite import SqliteDatabase

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from icetable.core.game import Game, GameInfo, State
    from icetable.server import messages
    from icetable.server.live.manager import TableManager
    from icetable.server.live.tables.table import LiveTable
    from icetable.server.table.log import Entry

PATIENCE = 60.0
"""For how many seconds a test waits for something before it fails."""


def level(name: str, is_quick: bool = False) -> Level:
    return SearchLevel(name, "Title", "About.", Effort(1 if is_quick else None))


def first_legal(state: State, seat: int) -> str:
    return state.legal_actions(seat)[0]


class FakeBots:
    """Makes bots that play as `choose` says. Clear `may_think` or `may_compile` to hold them up."""

    def __init__(self) -> None:
        self.choose: Callable[[State, int], str] = first_legal
        self.may_think = threading.Event()
        self.may_think.set()
        self.may_compile = threading.Event()
        self.may_compile.set()
        self.compile_error: Exception | None = None
        self.kept: set[str] = set()
        """The games whose kernels were compiled before."""
        self.compiled: list[str] = []
        self.thoughts: list[tuple[str, int]] = []
        """The level and the seat of each thought that has begun."""
        self.at_once = 0
        self.most_at_once = 0
        self.refused = 0
        """How many acts of bots in real time were refused."""
        self._count = threading.Lock()
        self.factory = BotFactory(
            lambda _game, _players: [level("easy", is_quick=True), level("hard")],
            functools.partial(FakeBot, self),
            functools.partial(FakeRealTimeBot, self),
            lambda info: "cached" if info.name in self.kept else "missing",
            self._compile,
        )

    def think(self, level: str, state: State, seat: int) -> Action:
        with self._count:
            self.thoughts.append((level, seat))
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            assert self.may_think.wait(PATIENCE)
            return Action(self.choose(state, seat))
        finally:
            with self._count:
                self.at_once -= 1

    def _compile(self, info: GameInfo, tell: Callable[[int, int], object]) -> None:
        """Compiles nine kernels of ten before it waits."""
        self.compiled.append(info.name)
        if info.name not in self.kept:
            for compiled in range(1, 10):
                tell(compiled, 10)
        assert self.may_compile.wait(PATIENCE)
        if self.compile_error is not None:
            raise self.compile_error


class FakeBot(Bot):
    def __init__(self, bots: FakeBots, game: Game, level: str) -> None:
        self.bots = bots
        self.game = game
        self.level_name = level

    def choose(self, state: State, seat: int, *, threads: int | None = None) -> Action:
        assert threads is not None
        assert threads >= 1
        assert state.game == self.game
        return self.bots.think(self.level_name, state, seat)


class FakeRealTimeBot(RealTimeBot):
    """Is ready at once, and then takes a piece up and puts it back again and again."""

    def __init__(self, bots: FakeBots, _game: Game, _level: str) -> None:
        self.bots = bots
        self._next_act, self._next_at = "", 0.0
        """Acts of others do not put it off."""

    def next(self, view: Mapping[str, Any], now: float) -> Intention:
        seat = view["seat"]
        if seat not in view["ready"]:
            return Intention("ready", now)
        if len(view["ready"]) < len(view["pads"]):
            return Intention(None, math.inf)
        act = "return" if view["hands"][seat] else "lift S"
        if act != self._next_act:
            self._next_act, self._next_at = act, now + 0.01
        return Intention(act, self._next_at)

    def refused(self) -> None:
        self.bots.refused += 1


class Listener(Client):
    """A client without a socket: its table, and the messages that were sent to it and not read yet."""

    table: LiveTable

    def __init__(self, browser: str | None = None) -> None:
        self.waiting = asyncio.Queue[bytes]()
        super().__init__(self.waiting.put_nowait, browser)

    async def join(
        self, manager: TableManager, table: str, codes: list[str], seen: messages.Seen | None = None
    ) -> None:
        self.table = await manager.join(self, table, codes, seen)


class SlowDisk:
    """Stores acts no sooner than it may; `keeps` is set when there are some to be stored."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.keeps, self.may_keep, commit = threading.Event(), threading.Event(), Database._commit

        def slow_commit(database: Database, jobs: list[Write]) -> None:
            if any("acts" in job.command for job in jobs):
                self.keeps.set()
                assert self.may_keep.wait(PATIENCE)
            commit(database, jobs)

        monkeypatch.setattr(Database, "_commit", slow_commit)


class BrokenDatabase(SqliteDatabase):
    """Fails as often as `failures` says."""

    failures = 0

    async def append(self, table: str, entry: Entry) -> None:
        if self.failures:
            self.failures -= 1
            raise StoreError("The disk is full, so nothing more can be stored.")
        await super().append(table, entry)
