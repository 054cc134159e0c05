"""`icetable warmup`: compile the kernels and cache them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from icetable import bots, envs, games
from icetable.cli.failure import Failure
from icetable.cli.options import add_json
from icetable.cli.screen import say
from icetable.core import workers
from icetable.kernels import jit

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from pathlib import Path

    from icetable.core.game import GameInfo


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="compile only these games")
    parser.add_argument("--environments", action="store_true", help="also what icetable.envs needs")
    add_json(parser)


def run(chosen: Namespace) -> int:
    infos = [games.info_of(name) for name in chosen.games] or games.list_games()
    infos = [info for info in infos if not info.is_plain]
    if variable := jit.plain_by(os.environ):
        say(chosen, f"{variable} is set, so nothing is compiled.", plain=variable)
        return 0
    if not jit.can_cache() and any(not jit.is_cached(info.name) for info in infos):
        raise Failure(nowhere(jit.cache_folder()))
    missing = [info for info in infos if not jit.is_cached(info.name)]
    for info in infos:
        if info not in missing:
            say(chosen, f"{info.title}: was compiled before", game=info.name, seconds=0)
    if missing:
        compile_games(missing, chosen)
    if chosen.environments:
        with workers.processes(min(len(infos), os.cpu_count() or 1)) as pool:
            for info, _ in zip(infos, pool.map(warm_up_environments, [info.name for info in infos]), strict=True):
                say(chosen, f"{info.title}: the environments are ready", game=info.name, environments=True)
    folder = jit.cache_folder()
    say(chosen, f"The compiled kernels are in {folder}.", folder=str(folder))
    removed = jit.remove_useless_caches()
    if removed.folders:
        old = "1 old folder" if removed.folders == 1 else f"{removed.folders} old folders"
        text = f"Removed {old} of kernels that nothing needs any more, {removed.size / 1e6:.0f} MB."
        say(chosen, text, removed=removed.folders, bytes=removed.size)
    return 0


def compile_games(infos: list[GameInfo], chosen: Namespace) -> None:
    """Compile the kernels of games, and say what is ready. Raises Failure."""
    if not chosen.json:
        print("Compiling rules and bots, several games at a time …", flush=True)
    start = time.perf_counter()
    for info in bots.compile_all(infos):
        if not jit.is_cached(info.name):
            raise Failure(f"{info.title} could not be compiled, or there is no place to keep what was")
        seconds = time.perf_counter() - start
        say(chosen, f"{info.title}: ready after {seconds:.1f} s", game=info.name, seconds=round(seconds, 1))


def warm_up_environments(name: str) -> None:
    envs.warm_up(games.load(name))


def nowhere(folder: Path | None) -> str:
    """Why there is no place for what is compiled, and what can be done."""
    where = "this user has no home folder" if folder is None else f"{folder} can't be written"
    return f"there is no place to keep what is compiled: {where}. The variable XDG_CACHE_HOME may name another folder"
