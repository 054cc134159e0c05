"""The plan, the workers and the progress display of an `icetable lab` command."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from icetable import games
from icetable.cli.workers import cluster_at
from icetable.core.errors import BadOption
from icetable.core.options import short_repr
from icetable.lab.plan import Plan
from icetable.lab.players import agent_of, usual_player
from icetable.lab.runs import OnProgress, Progress
from icetable.lab.scheduler import QUESTIONS

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import Game
    from icetable.lab.players import Chooser

DEFAULT_BLOCKS = 200
PROGRAM, MODEL = "program:", "model:"
LINE_SECONDS = 5
"""Minimum interval between lines of progress outside a terminal."""


def player_of(text: str) -> str | Chooser:
    """The player that a text names: its name, `mine.py:agent`, `model:NAME` or `program:COMMAND`. Raises GameError."""
    if not text.startswith((PROGRAM, MODEL)):
        return agent_of(text)
    from icetable.envs import Agent, Program, load_model  # environments take a while to import

    kind, _, rest = text.partition(":")
    return Program(rest) if f"{kind}:" == PROGRAM else Agent(load_model(rest))


def plan_of(args: Namespace, game: Game) -> Plan:
    """Create the plan of a command line with players and blocks."""
    seats = [player_of(name) for name in (args.seats or usual_player(game)).split(",")]
    return Plan(game, None, None, seats, args.blocks or DEFAULT_BLOCKS, args.seed)


def varied(game: Game, texts: Sequence[str]) -> Game:
    """Change options of a game, given as texts such as `formation=exact`. Raises BadOption."""
    changes = {}
    for text in texts:
        name, (value, *more) = read_values(game, text)
        if more:
            raise BadOption(f"{short_repr(text)} gives more than one value; sweep tries several")
        changes[name] = value
    return games.with_options(game, **changes)


def read_values(game: Game, text: str) -> tuple[str, list[Any]]:
    """Parse an option and its values, such as `trios=2,3`; a list is a single value. Raises BadOption."""
    options = {option.name: option for option in (game.info.players_option, *game.info.options)}
    name, _, values = text.partition("=")
    if name not in options:
        raise BadOption(f"there is no option {short_repr(name)}; allowed: {', '.join(options)}")
    option = options[name]
    return name, [option.read_text(value) for value in ([values] if option.kind == "list" else values.split(","))]


class Work(TypedDict):
    """Arguments of lab functions: where games are stored, who plays them, and how progress is shown."""

    out: Path | None
    executor: Executor | None
    jobs: int
    on_progress: OnProgress | None


def print_json(content: Any) -> int:
    """Print results as JSON; return the exit code."""
    print(json.dumps(content, indent=1))
    return 0


@contextlib.contextmanager
def workers(args: Namespace) -> Iterator[Work]:
    """Set up the workers of a study and its progress display: a bar on a terminal, otherwise lines."""
    with contextlib.ExitStack() as stack:
        executor = stack.enter_context(cluster_at(args.cluster))
        if not sys.stderr.isatty() or find_spec("rich") is None:
            yield Work(out=args.out, executor=executor, jobs=args.jobs, on_progress=stack.enter_context(lines()))
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        bar = stack.enter_context(Bar(*columns, console=Console(stderr=True), transient=True))
        task = bar.add_task("playing", total=None)

        def on_progress(progress: Progress) -> None:
            total = progress.blocks or None
            bar.update(task, completed=progress.done, total=total, description=progress.stage)

        yield Work(out=args.out, executor=executor, jobs=args.jobs, on_progress=on_progress)


@contextlib.contextmanager
def lines() -> Iterator[OnProgress]:
    """A function that prints progress as lines. They go on while nothing is told, as a slow game does not for long."""
    printer, ended = LinePrinter(), threading.Event()

    def repeat() -> None:
        while not ended.wait(LINE_SECONDS):
            printer.repeat()

    if LINE_SECONDS < threading.TIMEOUT_MAX:
        threading.Thread(target=repeat, name="progress", daemon=True).start()
    try:
        yield printer.tell
    finally:
        ended.set()


class LinePrinter:
    """Prints progress as lines, at most one per LINE_SECONDS: what was told last, and how long its stage has taken."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._printed = self._begun = now()
        self._last: Progress | None = None

    def tell(self, progress: Progress) -> None:
        if self._last is None or progress.stage != self._last.stage:
            self._begun = self._now()
        self._last = progress
        self.repeat()

    def repeat(self) -> None:
        """Print what was told last, unless a line has just been printed."""
        progress, now = self._last, self._now()
        if progress is None or now - self._printed < LINE_SECONDS:
            return
        self._printed = now
        counted = "" if progress.stage == QUESTIONS else " blocks"
        done = f": {progress.done} of {progress.blocks}{counted}" if progress.blocks else ""
        left = "" if progress.seconds_left is None else f", about {progress.seconds_left:.0f} s left"
        print(f"{progress.stage}{done}{left}, {now - self._begun:.0f} s so far", file=sys.stderr, flush=True)
