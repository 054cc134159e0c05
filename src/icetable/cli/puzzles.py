"""`icetable puzzles`: positions with one right act, found in games of the computer against itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from icetable.analysis.puzzling import puzzles
from icetable.cli.analyse import in_line
from icetable.cli.choosing import game_of
from icetable.cli.replay import show
from icetable.cli.review import workers
from icetable.cli.waiting import wait_for
from icetable.core.decimals import check_whole

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from icetable.core.puzzles import Puzzle


def run(chosen: Namespace) -> int:
    check_whole("jobs", chosen.jobs, 1)
    game = game_of(chosen)
    with workers(chosen.jobs) as where:
        found = puzzles(game, chosen.count, chosen.seed, where, chosen.level)
        while (puzzle := wait_for(lambda: next(found, None))) is not None:
            print(json.dumps(puzzle.described()) if chosen.json else "\n".join(describe(puzzle)), flush=True)
    return 0


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
