"""Runs: plans played in batches on any number of workers, on this machine or others, to their end or until shares are
known well enough. A run that was stopped can be continued.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import platform
import shutil
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property, partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable import games
from icetable.bots.compilation import ensure
from icetable.core.errors import GameError
from icetable.core.options import check_whole, short_repr
from icetable.lab import storage
from icetable.lab.intervals import anytime
from icetable.lab.measures import Games, Measures
from icetable.lab.plan import NO_CHOOSERS, Plan, Row, final_state, play_games
from icetable.sources import SAME_SOURCES_HINT, changed, game_sources
from icetable.version import version
from icetable.workers import MAIN_GUARD_HINT, InlineExecutor, Workers, check_start, run_tasks

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from icetable.core.game import GameInfo, State
    from icetable.lab.intervals import Estimate
    from icetable.sources import Sources

BATCHES_PER_WORKER = 2
"""Number of batches submitted per worker."""
MAX_SUBMITTED = 1000
"""Number of batches submitted to an executor with an unknown number of workers."""
MAX_ATTEMPTS = 3
"""Maximum number of attempts in a row in which workers die before finishing any batch."""
BATCHES_BEFORE_FIRST_CHECK = 2
"""Number of batches before the first check; it doubles for each further one."""
RETRIES = 3
"""Number of retries of a batch whose worker died."""
CHECK_SECONDS = 2.0
"""Interval between checks for connected workers."""


class Progress(NamedTuple):
    """The progress of a run."""

    done: int
    """The number of blocks that are done."""
    blocks: int
    """The number of all blocks; 0 if it is not counted in blocks."""
    seconds_left: float | None
    """An estimate of the seconds left; None if there is none."""
    stage: str = "playing"
    """The current activity, in a few words."""


OnProgress = Callable[[Progress], object]


def at_stage(on_progress: OnProgress | None, stage: str) -> OnProgress | None:
    """Report the start of a stage, and return the callback for its progress."""
    if on_progress is None:
        return None
    on_progress(Progress(0, 0, None, stage))
    return lambda progress: on_progress(progress._replace(stage=stage))


class Run:
    """The played games of a plan, in a folder with `plan.json` and the batches in `games`.

    With `lasts=False` the folder is removed with the run.
    """

    def __init__(self, plan: Plan, folder: Path, lasts: bool = True) -> None:
        self.plan: Plan = plan
        self.folder: Path = folder
        self._lasts = lasts
        if not lasts:
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    @property
    def batches(self) -> list[int]:
        """The finished batches."""
        found = (int(path.stem) for path in (self.folder / "games").glob("[0-9]*.parquet"))
        return sorted(batch for batch in found if batch < self.plan.batches)

    @property
    def files(self) -> list[Path]:
        """The files of the finished batches."""
        return [self.file(batch) for batch in self.batches]

    @property
    def blocks(self) -> int:
        """The number of finished blocks."""
        return sum(len(self.plan.blocks_of(batch)) for batch in self.batches)

    @property
    def games(self) -> DuckDBPyRelation:
        """The games as a DuckDB relation, one row per game; the columns are the fields of `icetable.lab.plan.Row`."""
        if not self.batches:
            raise GameError(f"no batch of {self.folder} is finished yet")
        database = storage.connect()
        played = storage.read(database, self.files)
        if not self._lasts:  # the relation may outlive the files
            played = storage.in_memory(database, played, self.files)
        return played.filter(f"block < {self.plan.blocks}")

    @cached_property
    def rows(self) -> list[Row]:
        """The games, in order."""
        return storage.rows_of(self.games, self.files)

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
        """A hash of all games, which is the same for the same plan on any machine."""
        return storage.hash_of(self.rows)

    def keep(self, batch: int, rows: list[Row]) -> None:
        """Write a batch."""
        storage.write(self.file(batch), rows)
        self.__dict__.pop("rows", None)

    def file(self, batch: int) -> Path:
        """The file of a batch."""
        return self.folder / "games" / f"{batch:06}.parquet"


def run(
    plan: Plan,
    out: Path | str | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> Run:
    """Play a plan, or the rest of it, and return its games.

    `out`: the folder for the games; a run that it holds is continued. Without it, games are removed with the result.
    `executor`: an executor of `concurrent.futures` whose workers have the same icetable; by default this thread, or
    processes on this machine if `jobs` is more than 1. Each process imports the script again, so a script with `jobs`
    needs its calls under `if __name__ == "__main__":`. `on_progress` is called after each batch.

    Raises GameError if the folder holds another plan or games of another version, if a worker has other sources, and if
    workers can't start or die. Batches that were finished before an error or a Ctrl-C are kept.

    >>> from icetable import lab
    >>> played = lab.run(lab.Plan("squad", blocks=20, seed=1))
    >>> played.blocks, played.rows[0].ended_by, list(played.measure.seat_share)
    (20, 'SQ-13', ['seat 1', 'seat 2'])
    """
    check_kept(plan, out)
    folder = Path(tempfile.mkdtemp(prefix="icetable-") if out is None else out)
    return finish(Run(plan, folder, lasts=out is not None), executor, jobs, on_progress)


def check_kept(plan: Plan, out: Path | str | None) -> None:
    """Raise GameError if games are to be stored whose plan can't be."""
    if plan.own and out is not None:
        raise GameError(f"games of custom players can't be stored, so leave out the folder: {', '.join(plan.own)}")


def finish(found: Run, executor: Executor | None, jobs: int, on_progress: OnProgress | None) -> Run:
    """Play the rest of a run. Raises GameError as `run` does."""
    plan = found.plan
    check_whole("jobs", jobs, 1)
    if executor is None and jobs > 1:
        check_start()
        check_sent(plan)
    with open_folder(found) as whole:
        finished = set(found.batches)
        left = [batch for batch in range(plan.batches) if batch not in finished]
        if left:
            ensure(plan.game.info)
            _play(found, whole, left, executor, jobs, on_progress)
    return found


def check_sent(plan: Plan) -> None:
    """Raise GameError for choosers that can't be sent to other processes."""
    try:
        pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        names = ", ".join(plan.own) or plan.game.info.title
        raise GameError(f"{names} can't be sent to other processes, so use jobs=1: {error}") from None


def open_run(folder: Path | str) -> Run:
    """The run in a folder, finished or not. Raises GameError if there is none."""
    found = _manifest(Path(folder))
    if found is None:
        raise GameError(f"there is no run in {folder}")
    return Run(found[1], Path(folder))


def sources_of(plan: Plan) -> Sources:
    """Hashes of the sources that play the games of a plan."""
    return game_sources(plan.game.info, "icetable.lab.plan")


def play_blocks(plan: Plan, blocks: range, sources: Sources) -> list[Row]:
    """Play some blocks in a worker. Raises GameError if its sources are not `sources`."""
    if (here := sources_of(plan)) != sources:
        raise GameError(
            f"a worker has another {changed(sources, here)} than the process that calls it: {SAME_SOURCES_HINT}"
        )
    ensure(plan.game.info)
    return play_games(plan, blocks)


@contextlib.contextmanager
def open_folder(found: Run) -> Iterator[Plan]:
    """Lock the folder of a run, and yield the longest plan that it was ever used for. Raises GameError."""
    (found.folder / "games").mkdir(parents=True, exist_ok=True)
    with (found.folder / "lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise GameError(f"another process is playing in {found.folder}") from None
        before, now = _manifest(found.folder, found.plan), manifest(found.plan)
        if before is not None:
            _compare(found.folder, before[1], before[0].get("sources"), now)
        elif found.batches:
            raise GameError(f"{found.folder} holds games but no plan.json")
        whole = found.plan if before is None else _extend(found, before[1])
        if before is None or whole.blocks != before[1].blocks:
            storage.write_json(found.folder / "plan.json", now)
        for part in (found.folder / "plan.part", *(found.folder / "games").glob("*.part")):
            part.unlink(missing_ok=True)
        yield whole


def manifest(plan: Plan) -> dict[str, Any]:
    """The content of `plan.json`: the plan, and the versions that play it."""
    return {
        "plan": plan.described(),
        "sources": sources_of(plan),
        "versions": {"icetable": version(), **{name: version_of(name) for name in ("numba", "numpy", "duckdb")}},
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def version_of(package: str) -> str:
    """The version of a package, which need not be installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _manifest(folder: Path, wanted: Plan | None = None) -> tuple[dict[str, Any], Plan] | None:
    """The content of a folder's `plan.json`, and its plan, with the choosers and the external game of the wanted one.

    Raises GameError if it can't be read.
    """
    try:
        stored: dict[str, Any] = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        own, brought = (NO_CHOOSERS, _game_of(stored)) if wanted is None else (wanted.choosers, wanted.brought)
        return stored, Plan.of(stored["plan"], own, brought)
    except FileNotFoundError:
        return None
    except KeyError as error:
        raise GameError(f"{folder / 'plan.json'} can't be read: it has no entry {error}") from None
    except (GameError, ValueError, TypeError, RecursionError) as error:
        raise GameError(f"{folder / 'plan.json'} can't be read: {error}") from None


def _game_of(stored: Mapping[str, Any]) -> GameInfo:
    """The game of a stored plan: if several have its name, the one with its source. Raises UnknownGame."""
    name, sources = stored["plan"]["game"], stored.get("sources")
    return games.info(name, sources.get(name) if isinstance(sources, dict) else None)


def _compare(folder: Path, before: Plan, sources: object, now: dict[str, Any]) -> None:
    """Raise GameError if the games in a folder, of the plan `before`, are not those of the plan now."""
    stored, wanted = before.described(), now["plan"]
    for name, value in wanted.items():
        if name != "blocks" and stored[name] != value:
            raise GameError(f"{folder} holds another plan: its {name} is {stored[name]!r}, not {value!r}")
    if sources != now["sources"]:
        what = changed(sources, now["sources"])
        raise GameError(f"{folder} was played by another version of {what}; use another folder")


def _extend(found: Run, before: Plan) -> Plan:
    """The longer of two plans. If the last batch of the stored one is short, it is removed to be played again."""
    if before.blocks >= found.plan.blocks:
        return before
    if before.blocks % before.batch:
        found.file(before.batches - 1).unlink(missing_ok=True)
    return found.plan


def _play(
    found: Run, whole: Plan, left: list[int], executor: Executor | None, jobs: int, on_progress: OnProgress | None
) -> None:
    """Play some batches on an executor, in this thread, or in processes of this machine."""
    if executor is not None:
        try:
            _play_on(found, whole, left, executor, MAX_SUBMITTED, on_progress)
        except BrokenProcessPool:
            raise GameError(f"a worker of this executor died; in a process pool, {MAIN_GUARD_HINT}") from None
    elif jobs == 1:
        _play_on(found, whole, left, InlineExecutor(), 1, on_progress)
    else:
        _play_by_workers(found, whole, left, jobs, on_progress)


def _play_by_workers(found: Run, whole: Plan, left: list[int], jobs: int, on_progress: OnProgress | None) -> None:
    """Play some batches in processes, and retry those whose worker dies."""
    deaths = 0
    while left:
        with Workers(jobs) as workers:
            unfinished = len(left)
            try:
                _play_on(found, whole, left, workers.pool, BATCHES_PER_WORKER * jobs, on_progress)
            except BrokenProcessPool:
                if not workers.have_started:
                    raise GameError(f"the workers can't start: {MAIN_GUARD_HINT}") from None
                deaths = deaths + 1 if len(left) == unfinished else 0
                if deaths == MAX_ATTEMPTS:
                    raise GameError(
                        f"workers died {MAX_ATTEMPTS} times in a row without finishing a batch; jobs=1 needs no workers"
                    ) from None


def _play_on(
    found: Run, whole: Plan, left: list[int], pool: Executor, most: int, on_progress: OnProgress | None
) -> None:
    """Submit up to `most` batches at a time, and store their results. Removes finished batches from `left`."""
    started, done_before, sources = time.monotonic(), found.blocks, sources_of(whole)
    tasks = ((batch, partial(play_blocks, whole, whole.blocks_of(batch), sources)) for batch in tuple(left))
    with contextlib.closing(run_tasks(pool, most, lambda: next(tasks, None))) as results:
        for batch, rows in results:
            found.keep(batch, rows)
            left.remove(batch)
            if on_progress is not None:
                now = found.blocks
                speed = (now - done_before) / max(time.monotonic() - started, 1e-9)
                on_progress(Progress(now, found.plan.blocks, (found.plan.blocks - now) / speed if speed else None))


Share = Callable[["Row"], float]
Enough = Callable[["list[Estimate]"], bool]
"""Whether shares are known well enough."""


class Stopped(NamedTuple):
    """Games that were played until shares were known well enough, or until the end of their plan."""

    games: Games
    """The games."""
    shares: list[Estimate]
    """The shares, with anytime-valid intervals (`anytime`)."""
    is_enough: bool
    """Whether they are known well enough."""


def known_to(precision: object) -> Enough:
    """Whether each share is known to plus or minus a precision. Raises GameError for an invalid one."""
    if not isinstance(precision, int | float) or not 0 < precision < 0.5:
        raise GameError(f"until is half the width of an interval, above 0 and below 0.5, not {short_repr(precision)}")
    return lambda shares: all(share.high - share.low <= 2 * precision for share in shares)


def run_until(
    plan: Plan,
    enough: Enough,
    shares: list[Share] | None = None,
    out: Path | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> Stopped:
    """Play a plan until some shares, by default those of the seats, are known well enough, or to its end.

    Equal calls stop after the same games, even if one was interrupted and continued. Raises GameError, also for a game
    for one player, which has no shares.
    """
    if plan.game.players == 1:
        raise GameError("until needs two players or more: one player has no share of the game")
    check_kept(plan, out)
    with contextlib.ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="icetable-")))
        blocks = BATCHES_BEFORE_FIRST_CHECK * plan.batch
        while True:
            part = plan.changed(blocks=min(blocks, plan.blocks))
            games = Games(part, finish(Run(part, folder), executor, jobs, on_progress).rows)
            estimates = anytime_shares(games, shares)
            if enough(estimates) or part.blocks == plan.blocks:
                return Stopped(games, estimates, enough(estimates))
            blocks *= 2


def anytime_shares(games: Games, shares: list[Share] | None = None) -> list[Estimate]:
    """Some shares, by default those of the seats, with anytime-valid intervals."""
    measured = shares or [_share_of(seat) for seat in range(games.plan.game.players)]
    return [anytime(games.by_block(share)) for share in measured]


def _share_of(seat: int) -> Share:
    return lambda row: row.shares[seat]


@contextlib.contextmanager
def cluster(address: str, timeout: float | None = None) -> Iterator[Executor]:
    """The workers of a Dask scheduler, such as tcp://192.0.2.1:8786, which all need the same icetable.

    A client that reaches a Dask scheduler can run programs there: let it listen on this machine only, or use its TLS.
    After `timeout` seconds without a worker all pending calls are cancelled; by default they wait for one. Raises
    GameError if nothing answers at the address, and without `icetable[cluster]`.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise GameError("this needs Dask: pip install 'icetable[cluster]'") from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise GameError(f"there is no Dask scheduler at {short_repr(address)}: {error}") from None
    with client:
        executor = client.get_executor(retries=RETRIES)
        if timeout is None:
            yield executor
        else:
            with _Impatient(executor, client.nthreads, timeout) as impatient:
                yield impatient


class _Impatient(Executor):
    """Cancels pending calls after a while without workers."""

    def __init__(self, executor: Executor, workers: Callable[[], object], timeout: float) -> None:
        self._executor = executor
        self._workers = workers
        self._timeout = timeout
        self._pending = set[Future[Any]]()
        self._ended = threading.Event()
        threading.Thread(target=self._watch, name="cluster", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = self._executor.submit(fn, *args, **kwargs)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop watching for workers."""
        self._ended.set()

    def _watch(self) -> None:
        seconds_without = 0.0
        while not self._ended.wait(CHECK_SECONDS):
            seconds_without = 0.0 if self._has_workers() else seconds_without + CHECK_SECONDS
            if seconds_without > self._timeout:
                for future in self._pending.copy():
                    future.cancel()

    def _has_workers(self) -> bool:
        try:
            return bool(self._workers())
        except OSError:  # the scheduler has stopped
            return False
