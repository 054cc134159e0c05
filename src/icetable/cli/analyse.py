"""`icetable analyse`: what a position is worth, and what may be played there."""

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
"""The acts that are printed; --json tells all."""
LONGEST_LINE = 6
"""The acts of a line of play that are printed."""


def add_options(parser: ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--at", type=int, metavar="N", help="the position after N acts (default: the last one that is not over)"
    )
    add_search(parser, 1000)


def run(chosen: Namespace) -> int:
    states = list(icetable.replay(read(chosen)).history())
    at = checked(chosen.at, states)
    if at is None:
        at = last_open(states)
    found = wait_for(lambda: analyse(states[at], chosen.simulations))
    if chosen.json:
        print(json.dumps({"at": at, **msgspec.to_builtins(found)}, indent=1))
        return 0
    print(show(states[at]))
    print()
    print("\n".join(describe(found)))
    return 0


def last_open(states: list[State]) -> int:
    """The number of acts before the last position at which the game is not over, if there is any."""
    last = len(states) - 1
    return max(0, last - 1) if states[last].is_terminal else last


def describe(found: Analysis) -> Iterator[str]:
    """An analysis, line by line."""
    solved = ", solved" if found.exact else ""
    yield f"Worth to each seat{solved}: {in_shares(found.worth)}"
    if found.candidates:
        yield f"Seat {found.seat} is to act. The best acts, by what the position is worth after them:"
    for one in found.candidates[:MAX_SHOWN]:
        solved = ", solved" if one.exact else ""
        yield f"  {in_shares(one.worth)}  {in_line(one.line)}  ({one.visits} visits{solved})"
    if len(found.candidates) > MAX_SHOWN:
        yield f"  and {len(found.candidates) - MAX_SHOWN} more"
    if found.outcomes:
        yield "Chance is to act:"
    for outcome in found.outcomes:
        yield f"  {in_shares(outcome.worth)}  {outcome.act}  (odds {outcome.odds:.3f})"


def in_shares(worth: Shares) -> str:
    """Shares of a game, seat by seat."""
    return " ".join(f"{share:5.3f}" for share in worth)


def in_line(line: tuple[str, ...]) -> str:
    """The beginning of a line of play."""
    return " ".join([*line[:LONGEST_LINE], *(["…"] if len(line) > LONGEST_LINE else [])])
