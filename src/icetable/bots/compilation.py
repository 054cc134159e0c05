"""The compiled kernels of each game: their status, compiling missing ones, and loading them before play.

Compiling takes many seconds, loading from the cache about one.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Literal

from icetable.bots.levels import REAL_TIME_LEVELS
from icetable.bots.realtime import RealTimeBot
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.extras.strength import best_acts, can_solve
from icetable.kernels import jit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.core.game import Game, GameInfo, State

COMPILER = "icetable.bots.compiler"
MAX_WARM_UP_POSITIONS = 100
"""Enough positions to make a solver compile."""
NICENESS = 10
"""The priority of compiling processes, as in `nice`."""

Status = Literal["plain", "missing", "cached", "loaded"]
"""Kernels are not compiled for this game; not in the cache yet; in the cache; loaded in this process."""

_loaded: set[str] = set()


def status(info: GameInfo) -> Status:
    """The status of a game's kernels."""
    if jit.ALWAYS_PLAIN or info.is_plain:
        return "plain"
    if info.name in _loaded:
        return "loaded"
    return "cached" if jit.is_cached(info.name) else "missing"


def load(game: Game) -> None:
    """Load all kernels that a game needs at a table from the cache, or compile them, by running them once."""
    import numpy as np

    from icetable.core.turns import TurnState

    if status(game.info) == "plain":
        return
    with jit.compiling():
        state = game.start()
        if isinstance(state, TurnState):
            from icetable.bots.search import search

            search(state, simulations=2)
            if can_solve(game):
                with contextlib.suppress(GameError):  # the game may have more positions
                    best_acts(state, MAX_WARM_UP_POSITIONS)
        states = list(game.random_game(np.random.default_rng(0)).history())
        for reached in states:
            _query(reached)
        if not game.info.turns:
            bot = RealTimeBot(game, REAL_TIME_LEVELS[-1].name)
            for now, reached in enumerate(states):
                bot.next(reached.view(0), now)
    jit.mark_cached(game.info.name)
    _loaded.add(game.info.name)


def ensure(info: GameInfo) -> None:
    """Compile a game's kernels if they are missing: one process per machine compiles, the others read the cache."""
    if status(info) == "missing":
        with alone(info.name):
            load(info.load())
        jit.remove_useless_caches()


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """Hold a lock between processes, if the system supports it, so that only one compiles a game at a time."""
    with contextlib.ExitStack() as stack:
        if sys.platform != "win32":
            import fcntl

            with contextlib.suppress(OSError):
                fcntl.flock(stack.enter_context(jit.open_lock(name)), fcntl.LOCK_EX)
        yield


def load_behind(info: GameInfo, on_progress: Callable[[int, int], object]) -> None:
    """`load`, but missing kernels are compiled by another process with low priority.

    Calls `on_progress` after each kernel with the number of compiled kernels and their total number.
    """
    if status(info) == "plain":
        return
    if status(info) == "missing" and jit.can_cache():
        with contextlib.suppress(OSError):  # if no process can be started, this one compiles
            _compile_in_process(info.name, on_progress)
        jit.remove_useless_caches()
    load(info.load())


def compile_all(infos: Iterable[GameInfo]) -> Iterator[GameInfo]:
    """Compile the missing kernels of some games, one game per core at a time; yields each game when it is done."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        running = {}
        for info in infos:
            if jit.is_cached(info.name):
                yield info
            else:
                running[pool.submit(_compile_in_process, info.name, lambda *_: None)] = info
        for done in as_completed(running):
            done.result()
            yield running[done]


def _compile_in_process(name: str, on_progress: Callable[[int, int], object]) -> None:
    command = [sys.executable, "-m", COMPILER, name]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=null, stdout=subprocess.PIPE, stderr=null, text=True) as process:  # noqa: S603
        with contextlib.suppress(OSError, AttributeError):  # not every system has priorities
            os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        assert process.stdout is not None
        for line in process.stdout:
            compiled, total = line.split()
            on_progress(int(compiled), int(total))


def _query(state: State) -> None:
    """Call everything that a table calls on a state after an act."""
    acts = [(act, seat) for seat in state.to_act - {CHANCE} for act in state.legal_actions(seat)[:1]]
    for act, seat in acts:
        state.fault(act, seat)
    state.view(None)
    assert isinstance(state.effects, tuple)
