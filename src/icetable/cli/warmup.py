"""`icetable warmup`: compile and cache the kernels."""

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
    parser.add_argument("--environments", action="store_true", help="also compile what icetable.envs needs")
    add_json(parser)


def run(args: Namespace) -> int:
    infos = [games.info_of(name) for name in args.games] or games.list_games()
    infos = [info for info in infos if not info.is_plain]
    if variable := jit.plain_by(os.environ):
        say(args, f"{variable} is set, so nothing is compiled.", plain=variable)
        return 0
    if not jit.can_cache() and any(not jit.is_cached(info.name) for info in infos):
        raise Failure(no_cache_folder(jit.cache_folder()))
    missing = [info for info in infos if not jit.is_cached(info.name)]
    for info in infos:
        if info not in missing:
            say(args, f"{info.title}: compiled already", game=info.name, seconds=0)
    if missing:
        compile_games(missing, args)
    if args.environments:
        with workers.processes(min(len(infos), os.cpu_count() or 1)) as pool:
            for info, _ in zip(infos, pool.map(warm_up_environments, [info.name for info in infos]), strict=True):
                say(args, f"{info.title}: the environments are ready", game=info.name, environments=True)
    folder = jit.cache_folder()
    say(args, f"The compiled kernels are in {folder}.", folder=str(folder))
    removed = jit.remove_useless_caches()
    if removed.folders:
        old = "1 old folder" if removed.folders == 1 else f"{removed.folders} old folders"
        text = f"Removed {old} of unused kernels, {removed.size / 1e6:.0f} MB."
        say(args, text, removed=removed.folders, bytes=removed.size)
    return 0


def compile_games(infos: list[GameInfo], args: Namespace) -> None:
    """Compile the kernels of games, reporting each one. Raises Failure."""
    if not args.json:
        print("Compiling rules and bots, several games at a time …", flush=True)
    start = time.perf_counter()
    for info in bots.compile_all(infos):
        if not jit.is_cached(info.name):
            raise Failure(f"{info.title} could not be compiled, or the result could not be stored")
        seconds = time.perf_counter() - start
        say(args, f"{info.title}: ready after {seconds:.1f} s", game=info.name, seconds=round(seconds, 1))


def warm_up_environments(name: str) -> None:
    envs.warm_up(games.load(name))


def no_cache_folder(folder: Path | None) -> str:
    """The error message if compiled kernels can't be stored, with a remedy."""
    reason = "this user has no home folder" if folder is None else f"{folder} can't be written"
    return f"there is no place to store compiled kernels: {reason}. The variable XDG_CACHE_HOME may name another folder"
