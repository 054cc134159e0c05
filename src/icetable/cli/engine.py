"""The commands that compute with the rules of a game: `perft`, `bench`, `solve`, `puzzles`, `train` and `warmup`."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import random
import statistics
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import icetable
from icetable import games
from icetable.cli.options import add_game_options, add_json, add_workers, game_of, workers
from icetable.cli.output import Failure, say
from icetable.cli.records import in_line, show_position
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.options import check_whole
from icetable.extras import strength
from icetable.extras.exercises import collection
from icetable.kernels import jit
from icetable.workers import wait_for

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator

    from icetable.core.game import Game, GameInfo, State
    from icetable.core.turns import Device
    from icetable.extras.exercises import Puzzle
    from icetable.extras.strength import Solution, Solver
    from icetable.kernels.jit import Floats

RUNS = 5
"""The number of runs of `bench`, of which the median counts."""
MIN_SECONDS = 0.2
"""Minimum duration of a run."""
BEST_FIRST = ("win", "draw", "loss")
LOSS_REPORTS = 20
"""Number of times that the loss is printed."""
HASHED_AFTER_GAMES = 32
"""The weights after this number of games are hashed, to check early whether another run learns the same."""
DEFAULT_COUNT = 10
"""The number of puzzles to find."""


def add_perft_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="the number of acts of a sequence")
    add_game_options(parser)
    parser.add_argument("--divide", action="store_true", help="print a count for each first act")
    add_json(parser)


def run_perft(args: Namespace) -> int:
    game, depth = game_of(args), args.depth
    if args.divide and depth < 1:
        raise GameError(f"--divide needs a depth of at least 1, not {depth}")
    counts = {}
    for act, count in divide(game.start(), depth) if args.divide else ():
        counts[act] = count
        if not args.json:
            print(f"{act} {count}", flush=True)
    total = sum(counts.values()) if args.divide else wait_for(lambda: icetable.perft(game.start(), depth))
    if args.json:
        found = {"game": game.info.name, "options": game.options, "depth": depth, "count": total}
        print(json.dumps({**found, "divided": counts} if args.divide else found, indent=1))
    else:
        print(total)
    return 0


def divide(state: State, depth: int) -> Iterator[tuple[str, int]]:
    """Count the sequences that begin with each act."""
    for seat in sorted(state.to_act):
        for act in state.legal_actions(seat):
            after = state.apply(act, seat)
            yield act, wait_for(lambda after=after: icetable.perft(after, depth - 1))  # type: ignore[misc]


def add_bench_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="measure only this game")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: random games on a GPU too")
    add_json(parser)


def run_bench(args: Namespace) -> int:
    infos = [games.info_of(args.game)] if args.game else [info for info in games.list_games() if info.turns]
    if not infos[0].turns:
        raise GameError(f"{infos[0].title} has no turns, and random acts at any time don't measure its speed")
    for game in [info.load() for info in infos]:
        figures = wait_for(lambda game=game: measure_speed(game, args.device))  # type: ignore[misc]
        if args.json:
            print(json.dumps({"game": game.info.name, "options": game.options, "runs": RUNS, **figures}), flush=True)
        else:
            print(describe_speed(game, figures), flush=True)
    return 0


def describe_speed(game: Game, figures: dict[str, int]) -> str:
    lines = {
        "random games, 1 thread": figures["acts_per_second"],
        f"random games, {figures['threads']} threads": figures["acts_per_second_all_threads"],
        "State.apply, 1 thread": figures["adapter_acts_per_second"],
        "random games, GPU": figures.get("acts_per_second_cuda"),
    }
    title = f"{game.info.title}, acts per second, median of {RUNS} runs"
    return "\n".join([title, *(f"  {label:<26}{rate:>14,}" for label, rate in lines.items() if rate)])


def measure_speed(game: Game, device: Device = "cpu") -> dict[str, int]:
    """Acts per second of random games: in the kernel on one thread and on all threads, through State, on a GPU."""
    from icetable.lab.playouts import playouts

    threads = os.cpu_count() or 1

    def on_gpu(games: int) -> int:
        return int(playouts(game, games, device="cuda").acts.sum())

    if device == "cuda":
        on_gpu(1)  # compiles
    return {
        "threads": threads,
        "acts_per_second": rate(lambda games: int(playouts(game, games).acts.sum())),
        "acts_per_second_all_threads": rate(lambda games: int(playouts(game, games, threads=threads).acts.sum())),
        "adapter_acts_per_second": rate(lambda games: play_through_states(game, games)),
        **({"acts_per_second_cuda": rate(on_gpu)} if device == "cuda" else {}),
    }


def rate(play: Callable[[int], int]) -> int:
    """Median acts per second. `play` plays a number of games and returns the number of their acts."""
    games = 1
    while timed(play, games)[0] < MIN_SECONDS:
        games *= 2
    runs = [timed(play, games) for _ in range(RUNS)]
    return round(statistics.median(acts / seconds for seconds, acts in runs))


def timed(play: Callable[[int], int], games: int) -> tuple[float, int]:
    start = time.perf_counter()
    acts = play(games)
    return time.perf_counter() - start, acts


def play_through_states(game: Game, games: int) -> int:
    """Play random games as a script would; return the number of their acts."""
    import numpy as np

    rng, chance = random.Random(0), np.random.default_rng(0)  # noqa: S311 (play, not secrets)
    acts = 0
    for _ in range(games):
        state = game.start()
        while not state.is_terminal:
            drawn = state.to_act == {CHANCE}  # its acts may be too many to list
            state = state.apply(game.random_act(state, chance) if drawn else rng.choice(state.legal_actions()))
            acts += 1
    return acts


def add_solve_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    add_json(parser)


def run_solve(args: Namespace) -> int:
    game = game_of(args)
    solver = strength.solver_of(game.info)
    if solver is None:
        known = ", ".join(info.name for info in games.list_games() if strength.solver_of(info))
        raise GameError(f"{game.info.title} can't be solved; there are solvers for: {known}")
    is_default = args.players is None and args.preset is None and not args.option
    for variant in [game.info.load(**options) for options in solver.DEFAULT_OPTIONS] if is_default else [game]:
        lines = solution_in_json if args.json else solution_lines
        print("\n".join(wait_for(lambda variant=variant, lines=lines: list(lines(variant, solver)))), flush=True)  # type: ignore[misc]
    return 0


def solution_in_json(game: Game, solver: Solver) -> Iterator[str]:
    """Solve a game; yield it as a line of JSON."""
    solution = solver.solve(game)
    line = [
        {"seat": after.seat, "act": after.act, "worths": solver.values(before)}
        for before, after in pairwise(solution.end.history())
    ]
    found = {"game": game.info.name, "options": game.options, "worth": solution.worth}
    yield json.dumps({**found, "positions": solution.positions, "line": line})


def solution_lines(game: Game, solver: Solver) -> Iterator[str]:
    """Solve a game; yield its result, and a line of perfect play with the alternatives to each act."""
    solution = solver.solve(game)
    options = ", ".join(f"{name}={value}" for name, value in game.options.items())
    yield f"{game.info.title} ({options}): {verdict_on(solution)}. {solution.positions:,} positions."
    for before, after in pairwise(solution.end.history()):
        yield f"  seat {after.seat}  {after.act}  ({alternatives(before, solver)})"


def verdict_on(solution: Solution) -> str:
    words = {"win": "seat 0 wins", "loss": "seat 1 wins", "draw": "a draw"}
    if isinstance(solution.worth, str):
        return words[solution.worth]
    return f"the best score is {solution.worth}"


def alternatives(state: State, solver: Solver) -> str:
    """The legal acts of a position by value, the best first."""
    groups: dict[str | int, list[str]] = defaultdict(list)
    for act, value in solver.values(state).items():
        groups[value].append(act)
    values = sorted(groups, key=lambda value: BEST_FIRST.index(value) if isinstance(value, str) else -value)
    return "; ".join(f"{value}: {' '.join(groups[value])}" for value in values)


def add_puzzles_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--count", type=int, metavar="N", help="the number of puzzles (default: 10; with --check all)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other puzzles (default: 0)")
    parser.add_argument("--check", action="store_true", help="verify the puzzles that ship with the game instead")
    parser.add_argument(
        "--simulations", type=int, default=300_000, metavar="N", help="the simulations of --check (default: 300000)"
    )
    parser.add_argument("--level", metavar="LEVEL", help="only puzzles that no weaker level of the bots solves")
    add_workers(parser, "games to search at a time")
    parser.add_argument("--json", action="store_true", help="print each puzzle as a line of JSON")


def run_puzzles(args: Namespace) -> int:
    from icetable.analysis.puzzle_search import puzzles

    check_whole("jobs", args.jobs, 1)
    check_whole("simulations", args.simulations, 1)
    if args.check:
        return check_puzzles(args)
    game = game_of(args)
    with workers(args, ThreadPoolExecutor) as executor:
        found = puzzles(game, DEFAULT_COUNT if args.count is None else args.count, args.seed, executor, args.level)
        while (puzzle := wait_for(lambda: next(found, None))) is not None:
            print(json.dumps(puzzle.described()) if args.json else "\n".join(describe_puzzle(puzzle)), flush=True)
    return 0


def check_puzzles(args: Namespace) -> int:
    """Verify the puzzles that ship with a game; return 1 if one is refuted."""
    from icetable.analysis.puzzle_search import holds
    from icetable.bots.compilation import ensure

    info = games.info_of(args.game)
    ensure(info)
    refuted = 0
    shipped = collection(info)[: args.count]
    for puzzle in shipped:
        if not wait_for(functools.partial(holds, puzzle, args.simulations, args.seed)):
            refuted += 1
            print(f"{puzzle.name} is refuted: {in_line(puzzle.answer) or 'to wait'} is not right.", flush=True)
    print(f"{len(shipped)} puzzles of {info.title} verified, {refuted} refuted.")
    return int(refuted > 0)


def describe_puzzle(puzzle: Puzzle) -> Iterator[str]:
    """Format a puzzle and its solution as lines."""
    yield show_position(puzzle.state())
    yield ""
    yield f"{puzzle.task} The weakest level that solves it: {puzzle.level or 'none'}."
    yield f"Solution: {in_line(puzzle.line) or 'wait'}"
    if puzzle.worth is not None:
        yield f"Its value is {puzzle.worth:.2f} of the game, that of any other act at most {puzzle.next_best:.2f}."
    if puzzle.themes:
        yield f"Themes: {', '.join(puzzle.themes)}"
    yield ""


def add_train_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--games", type=int, default=4000, metavar="N", help="number of games (default: %(default)s)")
    parser.add_argument(
        "--simulations", type=int, default=100, metavar="N", help="simulations per search (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    add_workers(parser, "games to play at a time")
    parser.add_argument(
        "--out", metavar="FILE", help="the file of the weights, shared with other settings (default: GAME.npz)"
    )
    add_json(parser)


def run_train(args: Namespace) -> int:
    from icetable.bots.training import train
    from icetable.core.parts import save_weights
    from icetable.core.turns import TurnGame
    from icetable.version import version
    from icetable.workers import processes

    check_whole("jobs", args.jobs, 1)
    game = game_of(args)
    if not isinstance(game, TurnGame):
        raise GameError(f"only turn-based games have weights, not {game.info.title}")
    out = Path(args.out or f"{game.info.name}.npz")
    losses: list[float] = []
    beginning = ""
    with workers(args, processes) as executor:
        steps = train(game, args.games, args.simulations, args.seed, executor)
        while (step := wait_for(functools.partial(next, steps, None))) is not None:
            losses.append(step.loss)
            if step.games >= HASHED_AFTER_GAMES and not beginning:
                beginning = hash_of(step.weights)
                say(args, f"after {step.games} games: {beginning}", games=step.games, beginning=beginning)
            if (
                step.games * LOSS_REPORTS // args.games > (step.games - 1) * LOSS_REPORTS // args.games
                or step.games == args.games
            ):
                loss = sum(losses) / len(losses)
                say(args, f"{step.games} games, loss {loss:.4f}", games=step.games, loss=loss)
                losses.clear()
            weights = step.weights
    metadata = {
        "options": dict(game.options),
        "games": args.games,
        "simulations": args.simulations,
        "seed": args.seed,
        "version": version(),
        "beginning": beginning,
    }
    save_weights(out, game.setting, weights, metadata)
    say(args, f"The weights for {game.setting} are in {out}.", setting=game.setting, out=str(out))
    return 0


def hash_of(weights: Floats) -> str:
    """A short hash of weights."""
    return hashlib.sha256(weights.tobytes()).hexdigest()[:16]


def add_warmup_options(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="compile only these games")
    parser.add_argument("--environments", action="store_true", help="also compile what icetable.envs needs")
    add_json(parser)


def run_warmup(args: Namespace) -> int:
    from icetable.workers import processes

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
        with processes(min(len(infos), os.cpu_count() or 1)) as pool:
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
    from icetable import bots

    if not args.json:
        print("Compiling rules and bots, several games at a time …", flush=True)
    start = time.perf_counter()
    for info in bots.compile_all(infos):
        if not jit.is_cached(info.name):
            raise Failure(f"{info.title} could not be compiled, or the result could not be stored")
        seconds = time.perf_counter() - start
        say(args, f"{info.title}: ready after {seconds:.1f} s", game=info.name, seconds=round(seconds, 1))


def warm_up_environments(name: str) -> None:
    from icetable import envs

    envs.warm_up(games.load(name))


def no_cache_folder(folder: Path | None) -> str:
    """The error message if compiled kernels can't be stored, with a remedy."""
    reason = "this user has no home folder" if folder is None else f"{folder} can't be written"
    return f"there is no place to store compiled kernels: {reason}. The variable XDG_CACHE_HOME may name another folder"
