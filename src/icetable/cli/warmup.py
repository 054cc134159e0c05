"""`icetable warmup`: compile the kernels and cache them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from icetable import bots, games
from icetable.cli.failure import Failure
from icetable.core import jit

if TYPE_CHECKING:
    from argparse import Namespace


def run(chosen: Namespace) -> int:
    infos = [games.info(name) for name in chosen.games] or games.list_games()
    if jit.ALWAYS_PLAIN:
        print("ICETABLE_JIT=0 is set, so nothing is compiled.")
        return 0
    print("Compiling rules and bots, several games at a time …", flush=True)
    start = time.perf_counter()
    for info in bots.compile_all(infos):
        if not bots.is_cached(info):
            raise Failure(f"{info.title} could not be compiled, or there is no place to keep what was")
        print(f"{info.title}: ready after {time.perf_counter() - start:.1f} s", flush=True)
    return 0
