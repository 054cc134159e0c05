"""`icetable puzzles`: find positions with a single right act, in games of bots against themselves."""

from __future__ import annotations

import functools
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from icetable import games
from icetable.analysis.puzzling import holds, puzzles
from icetable.bots.compilation import ensure
from icetable.cli.analyse import in_line
from icetable.cli.choosing import game_of
from icetable.cli.options import add_game_options, add_workers
from icetable.cli.replay import show
from icetable.cli.workers import workers
from icetable.core.daemons import wait_for
from icetable.core.numbers import check_whole
from icetable.extras.puzzles import collection

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.extras.puzzles import Puzzle


DEFAULT_COUNT = 10


def add_options(parser: ArgumentParser) -> None:
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


def run(args: Namespace) -> int:
    check_whole("jobs", args.jobs, 1)
    check_whole("simulations", args.simulations, 1)
    if args.check:
        return check(args)
    game = game_of(args)
    with workers(args, ThreadPoolExecutor) as executor:
        found = puzzles(game, DEFAULT_COUNT if args.count is None else args.count, args.seed, executor, args.level)
        while (puzzle := wait_for(lambda: next(found, None))) is not None:
            print(json.dumps(puzzle.described()) if args.json else "\n".join(describe(puzzle)), flush=True)
    return 0


def check(args: Namespace) -> int:
    """Verify the puzzles that ship with a game; return 1 if one is refuted."""
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


def describe(puzzle: Puzzle) -> Iterator[str]:
    """Format a puzzle and its solution as lines."""
    yield show(puzzle.state())
    yield ""
    yield f"{puzzle.task} The weakest level that solves it: {puzzle.level or 'none'}."
    yield f"Solution: {in_line(puzzle.line) or 'wait'}"
    if puzzle.worth is not None:
        yield f"Its value is {puzzle.worth:.2f} of the game, that of any other act at most {puzzle.next_best:.2f}."
    if puzzle.themes:
        yield f"Themes: {', '.join(puzzle.themes)}"
    yield ""
