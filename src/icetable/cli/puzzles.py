"""`icetable puzzles`: positions with one right act, found in games of the computer against itself."""

from __future__ import annotations

import functools
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from icetable import games
from icetable.analysis.puzzling import holds, puzzles
from icetable.bots.compiling import ensure
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


MOST = 10
"""How many puzzles are looked for where nobody says."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--count", type=int, metavar="N", help="how many (default: 10; with --check all)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other puzzles (default: 0)")
    parser.add_argument("--check", action="store_true", help="judge the puzzles that ship with the game anew instead")
    parser.add_argument(
        "--simulations", type=int, default=300_000, metavar="N", help="how deep --check searches (default: 300000)"
    )
    parser.add_argument("--level", metavar="LEVEL", help="only those that no weaker level of the computer finds")
    add_workers(parser, "games to search at a time")
    parser.add_argument("--json", action="store_true", help="print each puzzle as a line of JSON")


def run(chosen: Namespace) -> int:
    check_whole("jobs", chosen.jobs, 1)
    check_whole("simulations", chosen.simulations, 1)
    if chosen.check:
        return check(chosen)
    game = game_of(chosen)
    with workers(chosen, ThreadPoolExecutor) as where:
        found = puzzles(game, MOST if chosen.count is None else chosen.count, chosen.seed, where, chosen.level)
        while (puzzle := wait_for(lambda: next(found, None))) is not None:
            print(json.dumps(puzzle.described()) if chosen.json else "\n".join(describe(puzzle)), flush=True)
    return 0


def check(chosen: Namespace) -> int:
    """Judge the puzzles that ship with a game anew. The result is 1 where one is refuted."""
    info = games.info_of(chosen.game)
    ensure(info)
    refuted = 0
    shipped = collection(info)[: chosen.count]
    for puzzle in shipped:
        if not wait_for(functools.partial(holds, puzzle, chosen.simulations, chosen.seed)):
            refuted += 1
            print(f"{puzzle.name} is refuted: {in_line(puzzle.answer) or 'to wait'} is not right.", flush=True)
    print(f"{len(shipped)} puzzles of {info.title} judged anew, {refuted} refuted.")
    return int(refuted > 0)


def describe(puzzle: Puzzle) -> Iterator[str]:
    """A puzzle and its answer, line by line."""
    yield show(puzzle.state())
    yield ""
    yield f"{puzzle.task} The weakest level that finds it: {puzzle.level or 'none'}."
    yield f"Answer: {in_line(puzzle.line) or 'wait'}"
    if puzzle.worth is not None:
        yield f"It is worth {puzzle.worth:.2f} of the game, any other act at most {puzzle.next_best:.2f}."
    if puzzle.themes:
        yield f"Themes: {', '.join(puzzle.themes)}"
    yield ""
