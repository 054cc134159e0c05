"""What a command line of `icetable lab` plays, by whom, and how it tells of its progress."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from icetable import games
from icetable.cli.workers import at
from icetable.core.errors import BadOption
from icetable.core.options import short_repr
from icetable.lab.agents import agent_of
from icetable.lab.plan import Plan
from icetable.lab.players import usual_player
from icetable.lab.running import OnProgress, Progress

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import Game

BLOCKS = 200
"""The blocks of a run, unless they are given."""
LINE_SECONDS = 10
"""How often progress is printed at most where there is no terminal."""


def plan_of(chosen: Namespace, game: Game) -> Plan:
    """The plan of a command line that names players and blocks."""
    seats = [agent_of(name) for name in (chosen.seats or usual_player(game)).split(",")]
    return Plan(game.info.name, None, game.options, seats, chosen.blocks or BLOCKS, chosen.seed)


def varied(game: Game, texts: Sequence[str]) -> Game:
    """A game with some options changed, given as texts such as `formation=exact`. Raises BadOption."""
    changes = {}
    for text in texts:
        name, (value, *more) = read_values(game, text)
        if more:
            raise BadOption(f"{short_repr(text)} gives more than one value; sweep tries several")
        changes[name] = value
    return games.load(game.info.name, **{**game.options, **changes})


def read_values(game: Game, text: str) -> tuple[str, list[Any]]:
    """An option and its values, given as text such as `trios=2,3`; of a list one value. Raises BadOption."""
    options = {option.name: option for option in (game.info.players_option, *game.info.options)}
    name, _, values = text.partition("=")
    if name not in options:
        raise BadOption(f"there is no option {short_repr(name)}; allowed: {', '.join(options)}")
    option = options[name]
    return name, [option.read_text(value) for value in ([values] if option.kind == "list" else values.split(","))]


class Work(TypedDict):
    """Where games are kept, who plays them, and how progress is shown."""

    out: Path | None
    where: Executor | None
    jobs: int
    tell: OnProgress | None


def print_json(content: Any) -> int:
    """Print what was found for programs; returns the exit code."""
    print(json.dumps(content, indent=1))
    return 0


@contextlib.contextmanager
def workers(chosen: Namespace) -> Iterator[Work]:
    """How a study is to work. Progress is shown on a terminal by a bar, else by a line now and then."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    with contextlib.ExitStack() as stack:
        where = stack.enter_context(at(chosen.cluster))
        if not sys.stderr.isatty():
            yield Work(out=chosen.out, where=where, jobs=chosen.jobs, tell=telling_in_lines())
            return
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        bar = stack.enter_context(Bar(*columns, console=Console(stderr=True), transient=True))
        task = bar.add_task("playing", total=None)

        def tell(progress: Progress) -> None:
            total = progress.blocks or None
            bar.update(task, completed=progress.done, total=total, description=progress.stage)

        yield Work(out=chosen.out, where=where, jobs=chosen.jobs, tell=tell)


def telling_in_lines(now: Callable[[], float] = time.monotonic) -> OnProgress:
    """What tells progress in plain lines, LINE_SECONDS apart or more, and so long after the beginning."""
    last = now()

    def tell(progress: Progress) -> None:
        nonlocal last
        if now() - last < LINE_SECONDS:
            return
        last = now()
        how_far = f": {progress.done} of {progress.blocks} blocks" if progress.blocks else ""
        left = "" if progress.seconds_left is None else f", about {progress.seconds_left:.0f} s left"
        print(f"{progress.stage}{how_far}{left}", file=sys.stderr, flush=True)

    return tell
