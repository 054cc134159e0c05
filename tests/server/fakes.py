"""Bots and disks that do what a test wants, and visitors without a socket."""

from __future__ import annotations

import asyncio
import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from icetable.server.live.table import Client
from icetable.server.store.store import Job, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from icetable.core.game import Game, State

PATIENCE = 20.0
"""How many seconds a test waits for something before it calls it lost."""


@dataclass
class FakeLevel:
    name: str
    title: str = "Title"
    about: str = "About."
    is_quick: bool = False


def first_legal(state: State, seat: int) -> str:
    return state.legal_actions(seat)[0]


class FakeBrains:
    """In the place of `icetable.bots`. Clear `may_think` or `may_wake` to hold the bots up; `thoughts` began."""

    def __init__(self) -> None:
        self.choose: Callable[[State, int], str] = first_legal
        self.may_think = threading.Event()
        self.may_think.set()
        self.may_wake = threading.Event()
        self.may_wake.set()
        self.thoughts: list[tuple[str, int]] = []
        self.at_once = 0
        self.refused = 0
        self.most_at_once = 0
        self.woken: list[str] = []
        self._count = threading.Lock()

    def levels(self, _game: str, /) -> list[FakeLevel]:
        return [FakeLevel("easy"), FakeLevel("hard")]

    def Bot(self, game: Game, level: str, /) -> FakeBot:  # noqa: N802
        return FakeBot(self, game, level)

    def RealTimeBot(self, _game: Game, _level: str, /) -> FakeHand:  # noqa: N802
        return FakeHand(self)

    def warm(self, game: Game, /) -> None:
        self.woken.append(game.info.name)
        assert self.may_wake.wait(PATIENCE)


class FakeBot:
    def __init__(self, brains: FakeBrains, game: Game, level: str) -> None:
        self.brains = brains
        self.game = game
        self.level = level

    def choose(self, state: State, seat: int, *, threads: int) -> str:
        assert threads >= 1
        brains = self.brains
        assert state.game == self.game
        with brains._count:
            brains.thoughts.append((self.level, seat))
            brains.at_once += 1
            brains.most_at_once = max(brains.most_at_once, brains.at_once)
        try:
            assert brains.may_think.wait(PATIENCE)
            return brains.choose(state, seat)
        finally:
            with brains._count:
                brains.at_once -= 1


class Listener(Client):
    """Somebody at a table, and the messages that wait to be looked at."""

    def __init__(self, browser: str | None = None) -> None:
        self.waiting = asyncio.Queue[bytes]()
        super().__init__(self.waiting.put_nowait, browser)


class SlowDisk:
    """Keeps acts no sooner than it may; `keeps` is set when there are some to be kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.keeps, self.may_keep, commit = threading.Event(), threading.Event(), Store._commit

        def slow_commit(log: Store, jobs: list[Job]) -> None:
            if any("acts" in job.command for job in jobs):
                self.keeps.set()
                assert self.may_keep.wait(PATIENCE)
            commit(log, jobs)

        monkeypatch.setattr(Store, "_commit", slow_commit)


class FakeHand:
    """A player where there are no turns: ready at once, and then it takes a piece up and puts it back."""

    def __init__(self, brains: FakeBrains) -> None:
        self.brains = brains
        self._means, self._at = "", 0.0
        """What others do is no reason to wait any longer."""

    def next(self, view: Mapping[str, Any], now: float, /) -> tuple[str | None, float]:
        seat = view["seat"]
        if seat not in view["ready"]:
            return "ready", now
        if len(view["ready"]) < len(view["pads"]):
            return None, math.inf
        act = "return" if view["hands"][seat] else "lift S"
        if act != self._means:
            self._means, self._at = act, now + 0.01
        return act, self._at

    def refused(self) -> None:
        self.brains.refused += 1
