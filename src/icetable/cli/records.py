"""The commands about one game: `replay`, `verify`, `analyse`, `review` and `demo`."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from threading import Event
from typing import TYPE_CHECKING

import icetable
from icetable.cli.options import (
    add_game_options,
    add_json,
    add_record,
    add_search,
    add_workers,
    game_of,
    read_record,
    workers,
)
from icetable.cli.output import STANDARD_OUTPUT, Failure, new_output, painter, picture
from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.options import check_whole
from icetable.core.realtime import RealTimeGame
from icetable.workers import wait_for

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.analysis import Analysis, Review
    from icetable.analysis.results import Shares
    from icetable.core.game import State

MAX_SHOWN_ACTS = 12
"""Maximum number of acts in the text; --json prints all."""
MAX_LINE_ACTS = 6
"""Maximum number of acts of a line of play in the text."""
MAX_COSTLY_ACTS = 3
"""Maximum number of costly acts per seat in the text; --json prints all."""
COLUMNS = ("share", "start", "luck", "gifts", "regret", "drift", "end", "without luck")
ENDS = {"resign": "a seat resigned", "time": "time ran out", "draw": "the players agreed"}
"""Endings other than by the rules."""


def add_replay_options(parser: ArgumentParser) -> None:
    add_record(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="show the position after each act")
    which.add_argument("--at", type=int, metavar="N", help="show the position after N acts")
    parser.add_argument(
        "--svg", metavar="FILE", help="also draw the position to a new SVG file; - is standard output, alone"
    )
    add_json(parser)


def run_replay(args: Namespace) -> int:
    states = list(icetable.replay(read_record(args)).history())
    at = checked_at(args.at, states)
    if args.all:
        if args.svg is not None:
            raise GameError("--svg draws one position, so it can't be combined with --all")
        print("\n".join(map(position_in_json, states)) if args.json else "\n\n".join(map(show_position, states)))
        return 0
    state = states[-1 if at is None else at]
    if args.svg is not None:
        draw_to_file(state, args.svg)
    if args.svg != STANDARD_OUTPUT:
        print(position_in_json(state) if args.json else show_position(state))
    return 0


def checked_at(at: int | None, states: list[State]) -> int | None:
    """Check the value of `--at`. Raises GameError."""
    acts = len(states) - 1
    if at is not None and not 0 <= at <= acts:
        raise GameError(f"--at is a whole number from 0 to {acts}, the number of acts in the record, not {at}")
    return at


def show_position(state: State) -> str:
    """Format a position with its last act, and with the result if the game is over."""
    parts = ["the beginning" if state.parent is None else record.act_line(state), "", picture(state)]
    return "\n".join([*parts, record.end_line(state)] if state.is_terminal else parts)


def position_in_json(state: State) -> str:
    """A watcher's view of a position with its last act, as a line of JSON."""
    effects = [asdict(effect) for effect in state.effects]
    return json.dumps({"act": state.act, "seat": state.seat, "at": state.at, "effects": effects, "view": state.view()})


def draw_to_file(state: State, name: str) -> None:
    """Draw a position to a new file, or to standard output for `-`.

    Raises GameError if the game has no SVG drawing or the file exists.
    """
    drawing = state.game.svg(state.view())
    new_output(name, "drawing")(drawing)


def add_verify_options(parser: ArgumentParser) -> None:
    add_record(parser)
    add_json(parser)


def run_verify(args: Namespace) -> int:
    from icetable.server.table import fairness

    try:
        drawn, entries, link, erased = fairness.verify(read_record(args))
    except fairness.Broken as broken:
        raise Failure(f"the record is not sound: {broken}") from None
    if args.json:
        found = {"drawn": drawn, "entries": entries, "last_hash": link, "erased": erased}
        print(json.dumps(found, indent=1))
        return 0
    drawn_acts = "1 act of chance follows" if drawn == 1 else f"{drawn} acts of chance follow"
    print(f"The record is sound: the rules allow every act, and {drawn_acts} from the committed secret.")
    print(f"The {entries} entries of its log are one chain. The last hash is {link}.")
    print("The chain covers the options, the seats, the draw for seats, the clock, every act, and the end.")
    if erased:
        print(f"{names_subject(erased)} erased since, and nothing else.")
    print("Not proven: who held a seat. Compare the last hash with the one that the table showed at the end.")
    return 0


def names_subject(seats: tuple[int, ...]) -> str:
    if len(seats) == 1:
        return f"The name of seat {seats[0]} was"
    return f"The names of seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} were"


def add_demo_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="a seed, to repeat a game")
    parser.add_argument(
        "--record", metavar="FILE", help="write the record of the game to a new file; - is standard output"
    )
    parser.add_argument(
        "--svg", metavar="FILE", help="also draw the final position to a new SVG file; - is standard output, alone"
    )
    add_json(parser)


def run_demo(args: Namespace) -> int:
    import numpy as np

    game = game_of(args)
    if args.seed is not None and args.seed < 0:
        raise GameError(f"--seed is a whole number from 0 up, not {args.seed}")
    outputs = (args.record, args.svg)
    if outputs == (STANDARD_OUTPUT, STANDARD_OUTPUT):
        raise GameError("only one of --record and --svg can be -, standard output")
    if args.svg is not None:
        game.svg(game.start().view())  # fails before the game is played if it has no SVG drawing
    record = None if args.record is None else new_output(args.record, "record")
    last = wait_for(lambda: game.random_game(np.random.default_rng(args.seed)))
    if record is not None:
        record(last.record())
    if args.svg is not None:
        draw_to_file(last, args.svg)
    if STANDARD_OUTPUT not in outputs:
        print(position_in_json(last) if args.json else show_position(last))
    return 0


def add_analyse_options(parser: ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--at", type=int, metavar="N", help="the position after N acts (default: the last one that is not over)"
    )
    add_search(parser, 1000)


def run_analyse(args: Namespace) -> int:
    import msgspec

    from icetable.analysis import analyse

    states = list(icetable.replay(read_record(args)).history())
    at = checked_at(args.at, states)
    if at is None:
        at = last_open(states)
    analysis = wait_for(lambda: analyse(states[at], args.simulations))
    if args.json:
        print(json.dumps({"at": at, **msgspec.to_builtins(analysis)}, indent=1))
        return 0
    print(show_position(states[at]))
    print()
    print("\n".join(describe_analysis(analysis)))
    return 0


def last_open(states: list[State]) -> int:
    """The number of acts before the last position that is not over, if there is one."""
    last = len(states) - 1
    return max(0, last - 1) if states[last].is_terminal else last


def describe_analysis(analysis: Analysis) -> Iterator[str]:
    """Format an analysis as lines."""
    solved = ", solved" if analysis.exact else ""
    yield f"Value to each seat{solved}: {in_shares(analysis.worth)}"
    if analysis.candidates:
        yield f"Seat {analysis.seat} is to act. The best acts, by the value of the position after them:"
    for candidate in analysis.candidates[:MAX_SHOWN_ACTS]:
        solved = ", solved" if candidate.exact else ""
        yield f"  {in_shares(candidate.worth)}  {in_line(candidate.line)}  ({candidate.visits} visits{solved})"
    if len(analysis.candidates) > MAX_SHOWN_ACTS:
        yield f"  and {len(analysis.candidates) - MAX_SHOWN_ACTS} more"
    if analysis.outcomes:
        yield "Chance is to act:"
    for outcome in analysis.outcomes:
        yield f"  {in_shares(outcome.worth)}  {outcome.act}  (odds {outcome.odds:.3f})"


def in_shares(worth: Shares) -> str:
    return " ".join(f"{share:5.3f}" for share in worth)


def in_line(line: tuple[str, ...]) -> str:
    """The first acts of a line of play."""
    return " ".join([*line[:MAX_LINE_ACTS], *(["…"] if len(line) > MAX_LINE_ACTS else [])])


def add_review_options(parser: ArgumentParser) -> None:
    add_record(parser)
    add_search(parser, 200)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other searches (default: 0)")
    add_workers(parser, "positions to search at a time")


def run_review(args: Namespace) -> int:
    import msgspec

    from icetable.analysis import review

    text = read_record(args)
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
        print("\n".join(describe_review(found, state.game.info.title)))
    return 0


def show_progress(done: int, positions: int) -> None:
    """Show the progress in one line of the terminal, and clear it at the end."""
    text = f"{done} of {positions} positions"
    print(f"\r{text if done < positions else ' ' * len(text)}\r", end="", file=sys.stderr, flush=True)


def describe_review(found: Review, title: str) -> Iterator[str]:
    """Format a review as lines."""
    from icetable.lab.intervals import whole_percent

    yield f"{title}: {len(found.acts)} acts, {found.simulations} simulations per search."
    if found.ended is not None:
        yield f"The game ended as {ENDS.get(found.ended, 'it was broken off')}."
    yield "Share = start + luck + gifts - regret + drift + end; all but the last three in shares of the game."
    yield ""
    yield "seat" + "".join(f"{name:>{column_width(name)}}" for name in COLUMNS) + "  error rate  unforced  accuracy"
    for number, seat in enumerate(found.seats):
        numbers = (seat.share, seat.start, seat.luck, seat.gifts, seat.regret, seat.drift, seat.end, seat.luck_adjusted)
        figures = (f"{value:>{column_width(name)}.3f}" for name, value in zip(COLUMNS, numbers, strict=True))
        accuracy = "-" if seat.accuracy is None else f"{whole_percent(seat.accuracy)}%"
        yield f"{number:>4}{''.join(figures)}{seat.error_rate:>12.1f}{seat.unforced:>10}{accuracy:>10}"
    for number in range(len(found.seats)):
        yield ""
        yield from describe_acts(found, number)


def describe_acts(found: Review, seat: int) -> Iterator[str]:
    """Format the costliest acts of a seat, with better ones."""
    costliest = found.costliest_of(seat)[:MAX_COSTLY_ACTS]
    yield f"The costliest acts of seat {seat}:" if costliest else f"Seat {seat} made no costly act."
    for index in costliest:
        act = found.acts[index]
        label = f", {act.label}" if act.label else ""
        yield f"  act {index + 1}: {act.act} costs {act.regret:.3f}{label}; better {in_line(act.line)}"


def column_width(name: str) -> int:
    return max(len(name), 6) + 2
