"""Playing a plan: in batches, by as many workers as there are, and on from where it was stopped."""

from __future__ import annotations

import contextlib
import json
import pickle
import platform
import shutil
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.bots.compiling import ensure
from icetable.core.errors import GameError
from icetable.core.made_of import game_sources
from icetable.core.numbers import check_whole
from icetable.core.sources import SAME_SOURCES_HINT, changed
from icetable.core.workers import MAIN_GUARD_HINT, InlineExecutor, Workers, check_start
from icetable.lab import store
from icetable.lab.blocks import Row, final_state, play_block
from icetable.lab.measures import Games, Measures
from icetable.lab.plan import NO_OTHERS, Plan

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from icetable.core.game import State
    from icetable.core.sources import Sources
    from icetable.lab.players import Chooser

AHEAD = 2
"""The batches that are given out for each worker."""
IN_FLIGHT = 1000
"""The batches that are given to somebody else's executor: nobody knows how many workers it has."""
TRIES = 3
"""How often batches are given out of which none is finished because workers die."""


class Progress(NamedTuple):
    """How far a run is: blocks that are done, all blocks, and the seconds that are left, if that can be told.

    `stage`: what is being done; where that is not counted in blocks there are 0.
    """

    done: int
    blocks: int
    seconds_left: float | None
    stage: str = "playing"


Tell = Callable[[Progress], object]


def at_stage(tell: Tell | None, stage: str) -> Tell | None:
    """Tell that a stage begins; what tells how far it is."""
    if tell is None:
        return None
    tell(Progress(0, 0, None, stage))
    return lambda progress: tell(progress._replace(stage=stage))


class Run:
    """The games of a plan that have been played, in a folder: `plan.json` and the batches in `games`.

    With `lasts` False the folder is removed with the run.
    """

    def __init__(self, plan: Plan, folder: Path, lasts: bool = True) -> None:
        self.plan: Plan = plan
        self.folder: Path = folder
        self._lasts = lasts
        if not lasts:
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    @property
    def batches(self) -> list[int]:
        """The batches that are there."""
        there = (int(path.stem) for path in (self.folder / "games").glob("[0-9]*.parquet"))
        return sorted(batch for batch in there if batch < self.plan.batches)

    @property
    def files(self) -> list[Path]:
        """Where the batches are that are there."""
        return [self.file(batch) for batch in self.batches]

    @property
    def blocks(self) -> int:
        """The number of blocks of the plan that are there."""
        return sum(len(self.plan.blocks_of(batch)) for batch in self.batches)

    @property
    def games(self) -> DuckDBPyRelation:
        """The games as a relation of DuckDB, a row each. The columns are the fields of `icetable.lab.blocks.Row`."""
        if not self.batches:
            raise GameError(f"no batch of {self.folder} is finished yet")
        database = store.connect()
        played = store.read(database, self.files)
        if not self._lasts:  # the relation may outlive the files
            played = store.in_memory(database, played, self.files)
        return played.filter(f"block < {self.plan.blocks}")

    @cached_property
    def rows(self) -> list[Row]:
        """The games, in order."""
        return store.rows_of(self.games, self.files)

    @property
    def states(self) -> Iterator[State]:
        """The last state of each game, in order, with the acts that led to it."""
        return (final_state(self.plan, row) for row in self.rows)

    @property
    def measure(self) -> Measures:
        """The measures of the games: `measure.seat_share` or `measure("seat_share")`."""
        return Measures(Games(self.plan, self.rows))

    @property
    def hash(self) -> str:
        """A hash of all games: the same for the same plan, wherever it was played."""
        return store.hash_of(self.rows)

    def keep(self, batch: int, rows: list[Row]) -> None:
        """Write a batch."""
        store.write(self.file(batch), rows)
        self.__dict__.pop("rows", None)

    def file(self, batch: int) -> Path:
        """Where a batch is."""
        return self.folder / "games" / f"{batch:06}.parquet"


def run(
    plan: Plan, out: Path | str | None = None, where: Executor | None = None, jobs: int = 1, tell: Tell | None = None
) -> Run:
    """Play a plan, or the rest of it, and return its games.

    `out`: the folder to keep them in; a run that is there is gone on with. Without it they last as long as the result.
    `where`: an executor of `concurrent.futures` whose workers have the same icetable; by default this thread, or with
    more than one of `jobs` so many processes on this machine. Each of them reads the script anew, so a script with
    `jobs` keeps its calls under `if __name__ == "__main__":`. `tell` is called after each batch.

    Raises GameError where the folder holds another plan or was made by another version of the games, where a worker
    has other sources, and where workers can't begin or die. What was finished before an error or a Ctrl-C is kept.

    >>> from icetable import lab
    >>> played = lab.run(lab.Plan("squad", blocks=20, seed=1))
    >>> played.blocks, played.rows[0].ended_by, list(played.measure.seat_share)
    (20, 'SQ-13', ['seat 1', 'seat 2'])
    """
    check_kept(plan, out)
    folder = Path(tempfile.mkdtemp(prefix="icetable-") if out is None else out)
    return go_on(Run(plan, folder, lasts=out is not None), where, jobs, tell)


def check_kept(plan: Plan, out: Path | str | None) -> None:
    """Raise GameError where games are to be kept that nobody could go on with."""
    if plan.own and out is not None:
        raise GameError(f"no folder can say who {', '.join(plan.own)} is: games with players of one's own need no out")


def go_on(found: Run, where: Executor | None, jobs: int, tell: Tell | None) -> Run:
    """Play what is left of a run. Raises GameError as `run` does."""
    plan = found.plan
    check_whole("jobs", jobs, 1)
    if where is None and jobs > 1:
        check_start()
        check_sent(plan)
    with open_folder(found) as whole:
        there = set(found.batches)
        left = [batch for batch in range(plan.batches) if batch not in there]
        if left:
            ensure(plan.game.info)
            _play(found, whole, left, where, jobs, tell)
    return found


def check_sent(plan: Plan) -> None:
    """Raise GameError for players of one's own who can't be sent to other processes."""
    try:
        pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        names = ", ".join(plan.own)
        raise GameError(f"{names} can't be sent to other processes, and jobs=1 needs none: {error}") from None


def open_run(folder: Path | str) -> Run:
    """The run in a folder, finished or not. Raises GameError where there is none."""
    described = _manifest(Path(folder), NO_OTHERS)
    if described is None:
        raise GameError(f"there is no run in {folder}")
    return Run(Plan.of(described["plan"]), Path(folder))


def sources_of(plan: Plan) -> Sources:
    """What the games of a plan are played by."""
    return game_sources(plan.game.info, "icetable.lab.blocks", "icetable.lab.plan")


def play_blocks(plan: Plan, blocks: range, sources: Sources) -> list[Row]:
    """The games of some blocks: what a worker does. Raises GameError where it has other sources than `sources`."""
    if (here := sources_of(plan)) != sources:
        raise GameError(
            f"a worker has another {changed(sources, here)} than the process that asks it: {SAME_SOURCES_HINT}"
        )
    ensure(plan.game.info)
    return [row for block in blocks for row in play_block(plan, block)]


@contextlib.contextmanager
def open_folder(found: Run) -> Iterator[Plan]:
    """Begin or go on with the run of a folder, alone. Gives the plan with all blocks that the folder was ever to have.

    Raises GameError.
    """
    (found.folder / "games").mkdir(parents=True, exist_ok=True)
    with (found.folder / "lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise GameError(f"another process is playing in {found.folder}") from None
        own = found.plan.choosers
        before, now = _manifest(found.folder, own), manifest(found.plan)
        if before is not None:
            _compare(found.folder, Plan.of(before["plan"], own), before.get("sources"), now)
        elif found.batches:
            raise GameError(f"{found.folder} holds games, but no plan.json that tells of which plan")
        whole = found.plan if before is None else _extend(found, Plan.of(before["plan"], own))
        if before is None or whole.blocks != before["plan"]["blocks"]:
            store.write_json(found.folder / "plan.json", now)
        for part in (found.folder / "plan.part", *(found.folder / "games").glob("*.part")):
            part.unlink(missing_ok=True)
        yield whole


def manifest(plan: Plan) -> dict[str, Any]:
    """What a folder says of its run: the plan, and what played it."""
    return {
        "plan": plan.described(),
        "sources": sources_of(plan),
        "versions": {name: version_of(name) for name in ("icetable", "numba", "numpy", "duckdb")},
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def version_of(package: str) -> str:
    """The version of a package; icetable may also be run from its sources, without being installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _manifest(folder: Path, own: Mapping[str, Chooser]) -> dict[str, Any] | None:
    try:
        kept: dict[str, Any] = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        Plan.of(kept["plan"], own)
    except FileNotFoundError:
        return None
    except KeyError as error:
        raise GameError(f"{folder / 'plan.json'} can't be read: it has no entry {error}") from None
    except (GameError, ValueError, TypeError, RecursionError) as error:
        raise GameError(f"{folder / 'plan.json'} can't be read: {error}") from None
    return kept


def _compare(folder: Path, before: Plan, sources: object, now: dict[str, Any]) -> None:
    """Raise GameError where a folder holds games, of the plan `before`, that the plan now would not give."""
    held, wanted = before.described(), now["plan"]
    for name, value in wanted.items():
        if name != "blocks" and held[name] != value:
            raise GameError(f"{folder} holds another plan: its {name} is {held[name]!r}, not {value!r}")
    if sources != now["sources"]:
        what = changed(sources, now["sources"])
        raise GameError(f"{folder} was played by another version of {what}; begin anew in another folder")


def _extend(found: Run, before: Plan) -> Plan:
    """The longer one of two plans. The batch that was the last one of the plan before may have been a short one."""
    if before.blocks >= found.plan.blocks:
        return before
    if before.blocks % before.batch:
        found.file(before.batches - 1).unlink(missing_ok=True)
    return found.plan


def _play(found: Run, whole: Plan, left: list[int], where: Executor | None, jobs: int, tell: Tell | None) -> None:
    """Play some batches, in this thread or by processes of this machine, unless there is an executor."""
    if where is not None:
        try:
            _give_out(found, whole, left, where, IN_FLIGHT, tell)
        except BrokenProcessPool:
            raise GameError(f"a worker of this executor died; of a pool of processes {MAIN_GUARD_HINT}") from None
    elif jobs == 1:
        _give_out(found, whole, left, InlineExecutor(), 1, tell)
    else:
        _play_by_workers(found, whole, left, jobs, tell)


def _play_by_workers(found: Run, whole: Plan, left: list[int], jobs: int, tell: Tell | None) -> None:
    """Play some batches. Those whose worker dies are given out again."""
    deaths = 0
    while left:
        with Workers(jobs) as workers:
            before = len(left)
            try:
                _give_out(found, whole, left, workers.pool, AHEAD * jobs, tell)
            except BrokenProcessPool:
                if not workers.have_started:
                    raise GameError(f"the workers can't begin: {MAIN_GUARD_HINT}") from None
                deaths = deaths + 1 if len(left) == before else 0
                if deaths == TRIES:
                    raise GameError(
                        f"{TRIES} times in a row workers died before a batch was finished; jobs=1 plays in this process"
                    ) from None


def _give_out(found: Run, whole: Plan, left: list[int], pool: Executor, at_once: int, tell: Tell | None) -> None:
    """Give batches to workers, so many at once, and keep what comes back; takes from `left` what is kept."""
    begun, at_first = time.monotonic(), found.blocks
    waiting = iter(list(left))
    running: dict[Future[list[Row]], int] = {}
    sources = sources_of(whole)
    try:
        while left:
            while len(running) < at_once and (batch := next(waiting, None)) is not None:
                running[pool.submit(play_blocks, whole, whole.blocks_of(batch), sources)] = batch
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=_has_failed):
                found.keep(running[future], future.result())
                left.remove(running.pop(future))
            if tell is not None:
                now = found.blocks
                speed = (now - at_first) / max(time.monotonic() - begun, 1e-9)
                tell(Progress(now, found.plan.blocks, (found.plan.blocks - now) / speed if speed else None))
    except BrokenProcessPool:
        raise
    except BaseException:
        for future in running:
            future.cancel()
        raise


def _has_failed(future: Future[list[Row]]) -> bool:
    """Whether a future that is done has no result. What is finished is kept before an error ends the run."""
    return future.cancelled() or future.exception() is not None
