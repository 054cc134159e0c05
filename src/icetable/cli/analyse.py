"""`icetable analyse`: evaluate a position and its legal acts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

import icetable
from icetable.analysis import analyse
from icetable.cli.options import add_record, add_search
from icetable.cli.replay import checked, read, show
from icetable.core.daemons import wait_for

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.analysis import Analysis
    from icetable.analysis.results import Shares
    from icetable.core.game import State

MAX_SHOWN = 12
"""Maximum number of acts in the text; --json prints all."""
MAX_LINE_ACTS = 6
"""Maximum number of acts of a line of play in the text."""


def add_options(parser: ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--at", type=int, metavar="N", help="the position after N acts (default: the last one that is not over)"
    )
    add_search(parser, 1000)


def run(args: Namespace) -> int:
    states = list(icetable.replay(read(args)).history())
    at = checked(args.at, states)
    if at is None:
        at = last_open(states)
    analysis = wait_for(lambda: analyse(states[at], args.simulations))
    if args.json:
        print(json.dumps({"at": at, **msgspec.to_builtins(analysis)}, indent=1))
        return 0
    print(show(states[at]))
    print()
    print("\n".join(describe(analysis)))
    return 0


def last_open(states: list[State]) -> int:
    """The number of acts before the last position that is not over, if there is one."""
    last = len(states) - 1
    return max(0, last - 1) if states[last].is_terminal else last


def describe(analysis: Analysis) -> Iterator[str]:
    """Format an analysis as lines."""
    solved = ", solved" if analysis.exact else ""
    yield f"Value to each seat{solved}: {in_shares(analysis.worth)}"
    if analysis.candidates:
        yield f"Seat {analysis.seat} is to act. The best acts, by the value of the position after them:"
    for candidate in analysis.candidates[:MAX_SHOWN]:
        solved = ", solved" if candidate.exact else ""
        yield f"  {in_shares(candidate.worth)}  {in_line(candidate.line)}  ({candidate.visits} visits{solved})"
    if len(analysis.candidates) > MAX_SHOWN:
        yield f"  and {len(analysis.candidates) - MAX_SHOWN} more"
    if analysis.outcomes:
        yield "Chance is to act:"
    for outcome in analysis.outcomes:
        yield f"  {in_shares(outcome.worth)}  {outcome.act}  (odds {outcome.odds:.3f})"


def in_shares(worth: Shares) -> str:
    return " ".join(f"{share:5.3f}" for share in worth)


def in_line(line: tuple[str, ...]) -> str:
    """The first acts of a line of play."""
    return " ".join([*line[:MAX_LINE_ACTS], *(["…"] if len(line) > MAX_LINE_ACTS else [])])
