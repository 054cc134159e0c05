"""Options that commands share, and what they stand for: a game, a record, workers."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable import games
from icetable.core.errors import BadOption, BadRecord
from icetable.core.options import allowed_for, short_repr
from icetable.core.record_text import counted, decoded, select_record, starts_of
from icetable.workshop.files import WorkshopInfo
from icetable.workshop.mistakes import mistakes_in

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ActionsContainer
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from icetable.core.game import Game, GameInfo

MAX_RECORD_BYTES = 10_000_000


def add_record(parser: ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="the file of the record, or - for standard input")
    parser.add_argument("--number", type=int, metavar="N", help="which record of a file that has several (from 1)")


def read_record(args: Namespace) -> str:
    """Read the record of a command line from a file, or from standard input for `-`. Raises BadRecord."""
    name = args.record
    try:
        if name == "-":
            content = sys.stdin.buffer.read(MAX_RECORD_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(MAX_RECORD_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "invalid file name"
        raise BadRecord(f"{name!r} can't be read: {reason}") from None
    if len(content) > MAX_RECORD_BYTES:
        raise BadRecord(f"{name!r} is too long for a record: over {MAX_RECORD_BYTES} bytes")
    try:
        text = decoded(content)
    except BadRecord as error:
        raise BadRecord(f"{name!r}: {error}") from None
    if args.number is not None:
        return select_record(text, args.number)
    if len(starts := starts_of(text)) > 1:
        raise BadRecord(f"{name!r}: {counted(starts)}; choose one with --number")
    return text


def add_game_options(parser: _ActionsContainer) -> None:
    """Add the options, the preset and the number of players of a game."""
    parser.add_argument("--players", metavar="N", help="the number of players")
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    parser.add_argument("--preset", metavar="P", help="a named set of the game's options")


def game_of(args: Namespace) -> Game:
    """Load the game with the options of a command line. Raises UnknownGame or BadOption."""
    info = games.info_of(args.game)
    texts = list(args.option or [])
    if args.players is not None:
        texts.append(f"players={args.players}")
    return info.load(args.preset, **read_options(info, texts))


def read_options(info: GameInfo, texts: list[str]) -> dict[str, Any]:
    """Parse options such as `board=hexagon`. Raises BadOption."""
    allowed = {option.name: option for option in (info.players_option, *info.options)}
    options = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in allowed:
            raise BadOption(f"there is no option {short_repr(name)}; {allowed_for(name, allowed)}")
        options[name] = allowed[name].read_text(value)
    return options


def point_out_mistakes(info: GameInfo) -> None:
    """Print to standard error the mistakes in a game's file that do not prevent play."""
    if isinstance(info, WorkshopInfo) and info.is_file:
        for mistake in mistakes_in(info.design):
            print(mistake, file=sys.stderr)


def add_workers(parser: ArgumentParser, jobs: str) -> None:
    """Add the number of jobs and the cluster. `jobs`: a description of the jobs."""
    workers = parser.add_mutually_exclusive_group()
    workers.add_argument("--jobs", type=int, default=1, metavar="N", help=f"{jobs} (default: 1)")
    workers.add_argument("--cluster", metavar="ADDRESS", help="use the workers of this Dask scheduler instead")


@contextlib.contextmanager
def workers(args: Namespace, pool: Callable[[int], AbstractContextManager[Executor]]) -> Iterator[Executor | None]:
    """The workers chosen by --cluster or --jobs, the latter from a `pool`; None for this process. Raises GameError."""
    with cluster_at(args.cluster) as cluster:
        if cluster is None and args.jobs > 1:
            with pool(args.jobs) as executor:
                yield executor
        else:
            yield cluster


@contextlib.contextmanager
def cluster_at(address: str | None, timeout: float | None = None) -> Iterator[Executor | None]:
    """The workers of the scheduler at an address (see `lab.cluster`); None without an address. Raises GameError."""
    if address is None:
        yield None
        return
    from icetable.lab.runs import cluster

    with cluster(address, timeout) as executor:
        yield executor


def add_search(parser: ArgumentParser, simulations: int) -> None:
    parser.add_argument(
        "--simulations",
        type=int,
        default=simulations,
        metavar="N",
        help="the simulations of each search (default: %(default)s)",
    )
    add_json(parser)


def add_database(parser: ArgumentParser, metavar: str, what: str) -> None:
    """Add the database, which is by default that of the server's variable."""
    default = os.environ.get("ICETABLE_DB") or None
    what += " (default: the variable ICETABLE_DB)"
    parser.add_argument("--db", default=default, required=default is None, metavar=metavar, help=what)


def add_json(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
