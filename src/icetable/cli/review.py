"""`icetable review`: separate luck from play in a game's result."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

import msgspec

import icetable
from icetable.analysis import review
from icetable.cli.analyse import in_line
from icetable.cli.options import add_record, add_search, add_workers
from icetable.cli.replay import read
from icetable.cli.screen import painter
from icetable.cli.workers import workers
from icetable.core import record
from icetable.core.daemons import wait_for
from icetable.core.numbers import check_whole
from icetable.core.realtime import RealTimeGame
from icetable.lab.intervals import whole_percent

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.analysis import Review

MAX_SHOWN = 3
"""Maximum number of costly acts per seat in the text; --json prints all."""
COLUMNS = ("share", "start", "luck", "gifts", "regret", "drift", "end", "without luck")
ENDS = {"resign": "a seat resigned", "time": "time ran out", "draw": "the players agreed"}
"""Endings other than by the rules."""


def add_options(parser: ArgumentParser) -> None:
    add_record(parser)
    add_search(parser, 200)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other searches (default: 0)")
    add_workers(parser, "positions to search at a time")


def run(args: Namespace) -> int:
    text = read(args)
    state = icetable.replay(text)
    check_whole("jobs", args.jobs, 1)
    if isinstance(state.game, RealTimeGame):
        content = state.game.review(state, record.read_head(text).ended(state.game.players))
        lines = state.game.review_lines(content, painter(state.game.info))
        print(json.dumps(content, indent=1) if args.json else "\n".join(lines))
        return 0
    on_progress = show_progress if sys.stderr.isatty() else None
    stop = Event()
    with workers(args, ThreadPoolExecutor) as executor:  # compiled searches run in parallel threads
        try:
            found = wait_for(lambda: review(text, args.simulations, args.seed, executor, on_progress, stop))
        except KeyboardInterrupt:
            stop.set()
            raise
    if args.json:
        content = {"game": state.game.info.name, "options": dict(state.game.options), **msgspec.to_builtins(found)}
        print(json.dumps(content, indent=1))
    else:
        print("\n".join(describe(found, state.game.info.title)))
    return 0


def show_progress(done: int, positions: int) -> None:
    """Show the progress in one line of the terminal, and clear it at the end."""
    text = f"{done} of {positions} positions"
    print(f"\r{text if done < positions else ' ' * len(text)}\r", end="", file=sys.stderr, flush=True)


def describe(found: Review, title: str) -> Iterator[str]:
    """Format a review as lines."""
    yield f"{title}: {len(found.acts)} acts, {found.simulations} simulations per search."
    if found.ended is not None:
        yield f"The game ended as {ENDS.get(found.ended, 'it was broken off')}."
    yield "Share = start + luck + gifts - regret + drift + end; all but the last three in shares of the game."
    yield ""
    yield "seat" + "".join(f"{name:>{width(name)}}" for name in COLUMNS) + "  error rate  unforced  accuracy"
    for number, seat in enumerate(found.seats):
        numbers = (seat.share, seat.start, seat.luck, seat.gifts, seat.regret, seat.drift, seat.end, seat.luck_adjusted)
        figures = (f"{value:>{width(name)}.3f}" for name, value in zip(COLUMNS, numbers, strict=True))
        accuracy = "-" if seat.accuracy is None else f"{whole_percent(seat.accuracy)}%"
        yield f"{number:>4}{''.join(figures)}{seat.error_rate:>12.1f}{seat.unforced:>10}{accuracy:>10}"
    for number in range(len(found.seats)):
        yield ""
        yield from describe_acts(found, number)


def describe_acts(found: Review, seat: int) -> Iterator[str]:
    """Format the costliest acts of a seat, with better ones."""
    costliest = found.costliest_of(seat)[:MAX_SHOWN]
    yield f"The costliest acts of seat {seat}:" if costliest else f"Seat {seat} made no costly act."
    for index in costliest:
        act = found.acts[index]
        label = f", {act.label}" if act.label else ""
        yield f"  act {index + 1}: {act.act} costs {act.regret:.3f}{label}; better {in_line(act.line)}"


def width(name: str) -> int:
    return max(len(name), 6) + 2
