"""`icetable perft`: count the sequences of acts of a given length."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import icetable
from icetable.cli.choosing import game_of
from icetable.cli.options import add_game_options, add_json
from icetable.core.daemons import wait_for
from icetable.core.errors import GameError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.core.game import State


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="the number of acts of a sequence")
    add_game_options(parser)
    parser.add_argument("--divide", action="store_true", help="print a count for each first act")
    add_json(parser)


def run(args: Namespace) -> int:
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
