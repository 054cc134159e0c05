"""Compiled kernels, game by game: whether they are there, compiling what is missing, and loading them before play.

Compiling takes many seconds, loading what was kept about one.
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
from icetable.extras.solving import best_acts, can_solve
from icetable.kernels import jit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.core.game import Game, GameInfo, State

COMPILER = "icetable.bots.compiler"
SOME_POSITIONS = 100
"""Enough to compile a solver."""
NICENESS = 10
"""How far the process that compiles stands back behind others."""

Status = Literal["plain", "missing", "kept", "loaded"]
"""Nothing is compiled; some process has to compile; the cache has all kernels; this process has run them."""

_loaded: set[str] = set()


def status(info: GameInfo) -> Status:
    """How far a game's kernels are."""
    if jit.ALWAYS_PLAIN or info.is_plain:
        return "plain"
    if info.name in _loaded:
        return "loaded"
    return "kept" if jit.is_kept(info.name) else "missing"


def load(game: Game) -> None:
    """Run all kernels that a game needs at a table: read from the cache, or compiled."""
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
                with contextlib.suppress(GameError):  # a game may be too large for so few positions
                    best_acts(state, SOME_POSITIONS)
        seen = list(game.random_game(np.random.default_rng(0)).history())
        for one in seen:
            _ask_all(one)
        if not game.info.turns:
            bot = RealTimeBot(game, REAL_TIME_LEVELS[-1].name)
            for now, one in enumerate(seen):
                bot.next(one.view(0), now)
    jit.note_kept(game.info.name)
    _loaded.add(game.info.name)


def ensure(info: GameInfo) -> None:
    """Compile a game's kernels if they are missing, one process of a machine at a time; the others read the cache."""
    if status(info) == "missing":
        with alone(info.name):
            load(info.load())
        jit.remove_useless_caches()


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """Let processes that start at the same time wait for the first one's work, where the system can do that."""
    with contextlib.ExitStack() as stack:
        if sys.platform != "win32":
            import fcntl

            with contextlib.suppress(OSError):
                fcntl.flock(stack.enter_context(jit.open_lock(name)), fcntl.LOCK_EX)
        yield


def load_behind(info: GameInfo, tell: Callable[[int, int], object]) -> None:
    """`load`, but what is missing is compiled by another process, behind all others.

    Calls `tell` after each kernel with the number of compiled kernels and the number of all.
    """
    if status(info) == "missing" and jit.can_keep():
        with contextlib.suppress(OSError):  # where no process can be started, this one compiles
            _compile_apart(info.name, tell)
        jit.remove_useless_caches()
    load(info.load())


def compile_all(infos: Iterable[GameInfo]) -> Iterator[GameInfo]:
    """Compile what the cache lacks of some games, as many at a time as there are cores; gives each that is done."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        running = {}
        for info in infos:
            if jit.is_kept(info.name):
                yield info
            else:
                running[pool.submit(_compile_apart, info.name, lambda *_: None)] = info
        for done in as_completed(running):
            done.result()
            yield running[done]


def _compile_apart(name: str, tell: Callable[[int, int], object]) -> None:
    command = [sys.executable, "-m", COMPILER, name]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=null, stdout=subprocess.PIPE, stderr=null, text=True) as process:  # noqa: S603
        with contextlib.suppress(OSError, AttributeError):  # not every system has priorities
            os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        assert process.stdout is not None
        for line in process.stdout:
            compiled, of = line.split()
            tell(int(compiled), int(of))


def _ask_all(state: State) -> None:
    """Ask what a table asks of a state after an act."""
    acts = [(act, seat) for seat in state.to_act - {CHANCE} for act in state.legal_actions(seat)[:1]]
    for act, seat in acts:
        state.fault(act, seat)
    state.view(None)
    assert isinstance(state.effects, tuple)
