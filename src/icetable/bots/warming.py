"""Compiling before play: so that no player waits for the compiler."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

from icetable.bots.levels import REAL_TIME_LEVELS
from icetable.bots.realtime import RealTimeBot
from icetable.core import jit
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.solving import best_acts, can_solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.core.game import Game, GameInfo, State

COMPILER = "icetable.bots.compiler"
SOME_POSITIONS = 100
"""Enough to compile a solver."""
NICENESS = 10
"""How far the process that compiles stands back behind others."""

_compiled: set[str] = set()
"""The games whose kernels this process knows to be compiled."""


def warm(game: Game) -> None:
    """Compile all kernels that a game needs at a table, or read them from the cache.

    Takes many seconds without a cache: run it in a thread.
    """
    import numpy as np

    from icetable.core.turns import TurnState

    if jit.ALWAYS_PLAIN:
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
    jit.note_cached(game.info.name)
    _compiled.add(game.info.name)


def has_compiled(info: GameInfo) -> bool:
    """Whether `warm` has been done, here or by another process, so that kernels run at compiled speed."""
    if info.name not in _compiled and not jit.ALWAYS_PLAIN and jit.is_cached(info.name):
        _compiled.add(info.name)
    return info.name in _compiled


def is_cached(info: GameInfo) -> bool:
    """Whether `warm` only has to read the cache, which takes about a second."""
    return jit.ALWAYS_PLAIN or jit.is_cached(info.name)


def make_ready(info: GameInfo) -> None:
    """Compile a game's kernels, one process of a machine at a time; the others read what it has compiled."""
    if not is_cached(info):
        with alone(info.name):
            warm(info.load())
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


def warm_apart(info: GameInfo, tell: Callable[[int, int], object]) -> None:
    """`warm`, but what takes long is done by another process, behind all others.

    Calls `tell` after each kernel with the number of compiled kernels and the number of all.
    """
    if not is_cached(info) and jit.can_cache():
        with contextlib.suppress(OSError):  # where no process can be started, this one compiles
            _compile_apart(info.name, tell)
        jit.remove_useless_caches()
    warm(info.load())


def compile_all(infos: Iterable[GameInfo]) -> Iterator[GameInfo]:
    """Compile what the cache lacks of some games, as many at a time as there are cores; gives each that is done."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        running = {}
        for info in infos:
            if is_cached(info):
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
