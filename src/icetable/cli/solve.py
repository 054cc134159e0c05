"""`icetable solve`: find the result of perfect play."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from icetable import games
from icetable.cli.choosing import game_of
from icetable.cli.options import add_game_options, add_json
from icetable.core.daemons import wait_for
from icetable.core.errors import GameError
from icetable.extras import solving

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.core.game import Game, State
    from icetable.extras.solving import Solution, Solver

BEST_FIRST = ("win", "draw", "loss")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    game = game_of(args)
    solver = solving.solver_of(game.info)
    if solver is None:
        known = ", ".join(info.name for info in games.list_games() if solving.solver_of(info))
        raise GameError(f"{game.info.title} can't be solved; there are solvers for: {known}")
    is_default = args.players is None and args.preset is None and not args.option
    for variant in [game.info.load(**options) for options in solver.DEFAULT_OPTIONS] if is_default else [game]:
        lines = json_lines if args.json else describe
        print("\n".join(wait_for(lambda variant=variant, lines=lines: list(lines(variant, solver)))), flush=True)  # type: ignore[misc]
    return 0


def json_lines(game: Game, solver: Solver) -> Iterator[str]:
    """Solve a game; yield it as a line of JSON."""
    solution = solver.solve(game)
    line = [
        {"seat": after.seat, "act": after.act, "worths": solver.values(before)}
        for before, after in pairwise(solution.end.history())
    ]
    found = {"game": game.info.name, "options": game.options, "worth": solution.worth}
    yield json.dumps({**found, "positions": solution.positions, "line": line})


def describe(game: Game, solver: Solver) -> Iterator[str]:
    """Solve a game; yield its result, and a line of perfect play with the alternatives to each act."""
    solution = solver.solve(game)
    options = ", ".join(f"{name}={value}" for name, value in game.options.items())
    yield f"{game.info.title} ({options}): {verdict(solution)}. {solution.positions:,} positions."
    for before, after in pairwise(solution.end.history()):
        yield f"  seat {after.seat}  {after.act}  ({alternatives(before, solver)})"


def verdict(solution: Solution) -> str:
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
