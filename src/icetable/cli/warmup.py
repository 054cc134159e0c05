"""`icetable warmup`: compile the kernels and cache them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from icetable import bots, games
from icetable.cli.failure import Failure
from icetable.kernels import jit

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from pathlib import Path

    from icetable.core.game import GameInfo


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="compile only these games")


def run(chosen: Namespace) -> int:
    infos = [games.info(name) for name in chosen.games] or games.list_games()
    if variable := jit.plain_by(os.environ):
        print(f"{variable} is set, so nothing is compiled.")
        return 0
    if not jit.can_keep() and any(not jit.is_kept(info.name) for info in infos):
        raise Failure(nowhere(jit.cache_folder()))
    missing = [info for info in infos if not jit.is_kept(info.name)]
    for info in infos:
        if info not in missing:
            print(f"{info.title}: was compiled before")
    if missing:
        compile_games(missing)
    print(f"The compiled kernels are in {jit.cache_folder()}.")
    removed = jit.remove_useless_caches()
    if removed.folders:
        old = "1 old folder" if removed.folders == 1 else f"{removed.folders} old folders"
        print(f"Removed {old} of kernels that nothing needs any more, {removed.size / 1e6:.0f} MB.")
    return 0


def compile_games(infos: list[GameInfo]) -> None:
    """Compile the kernels of games, and say what is ready. Raises Failure."""
    print("Compiling rules and bots, several games at a time …", flush=True)
    start = time.perf_counter()
    for info in bots.compile_all(infos):
        if not jit.is_kept(info.name):
            raise Failure(f"{info.title} could not be compiled, or there is no place to keep what was")
        print(f"{info.title}: ready after {time.perf_counter() - start:.1f} s", flush=True)


def nowhere(folder: Path | None) -> str:
    """Why there is no place for what is compiled, and what can be done."""
    where = "this user has no home folder" if folder is None else f"{folder} can't be written"
    return f"there is no place to keep what is compiled: {where}. The variable XDG_CACHE_HOME may name another folder"
