"""Runs: the same games wherever they are played, none lost and none doubled whatever is killed, and clear refusals.

The games are played in plain mode, in which a process is ready at once.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import icetable
from icetable import GameError
from icetable.kernels import jit
from icetable.lab import Plan, Progress, Run, open_run, run, runs, storage
from icetable.lab import plan as plans
from icetable.lab.measures import Games, measured
from icetable.lab.plan import Row, play_block, play_games
from icetable.workers import Workers
from tests.clusters import PATIENCE

LONG = Plan("squad", 2, {"board": 4}, ["random", "sims:1"], blocks=14, seed=11)
"""Four batches, the last one short."""
BATCHES = 4


def set_batch(monkeypatch: pytest.MonkeyPatch, blocks: int) -> None:
    """How many blocks are kept in a file."""
    monkeypatch.setattr(plans, "MIN_BLOCKS_PER_BATCH", blocks)
    monkeypatch.setattr(plans, "MAX_BLOCKS_PER_BATCH", blocks)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    set_batch(monkeypatch, 4)
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    monkeypatch.setenv("ICETABLE_JIT", "0")


@pytest.fixture(scope="module")
def expected() -> str:
    """The hash of LONG's games, played block by block and kept nowhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "ALWAYS_PLAIN", True)
        return storage.hash_of(row for block in range(LONG.blocks) for row in play_block(LONG, block))


def here() -> Executor:
    """Plays in this process."""
    return ThreadPoolExecutor(1)


def shortened(blocks: int, plan: Plan = LONG) -> Plan:
    """The plan with another number of blocks."""
    return Plan.of({**plan.described(), "blocks": blocks})


def check(found: Run, expected: str) -> None:
    """All is there once, and nothing else."""
    numbers = [(row.block, row.game) for row in found.rows]
    assert numbers == [(block, game) for block in range(found.plan.blocks) for game in range(len(found.plan.orders))]
    assert found.hash == expected
    assert found.blocks == found.plan.blocks
    assert found.batches == list(range(found.plan.batches))
    check_names(found.folder)


def check_names(folder: Path) -> None:
    """There is nothing in a folder but what belongs there."""
    assert {path.name for path in folder.iterdir()} == {"games", "lock", "plan.json"}
    assert all(path.name[:6].isdecimal() and path.suffix == ".parquet" for path in (folder / "games").iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    """The batches of a folder."""
    return {path.name: path.read_bytes() for path in (folder / "games").glob("*.parquet")}


# The same wherever it is played


@pytest.mark.parametrize(("size", "threads"), [(5, 3), (7, 1), (1000, 3)])
def test_the_size_of_batches_does_not_matter(
    size: int, threads: int, monkeypatch: pytest.MonkeyPatch, expected: str
) -> None:
    set_batch(monkeypatch, size)
    with ThreadPoolExecutor(threads) as pool:
        found = run(LONG, executor=pool)
    assert LONG.batches == -(-LONG.blocks // size)
    check(found, expected)


def test_an_executor_of_another_kind(tmp_path: Path, expected: str) -> None:
    with ProcessPoolExecutor(2) as pool:
        check(run(LONG, tmp_path, executor=pool), expected)
        assert pool.submit(int, "3").result() == 3


def test_games_without_turns(tmp_path: Path) -> None:
    plan = Plan("icehouse", 2, {"timer": 10}, ["beginner"], blocks=1, seed=1)
    with here() as pool:
        found = run(plan, tmp_path, executor=pool)
    check(found, storage.hash_of(play_block(plan, 0)))


def test_large_numbers_are_kept(tmp_path: Path) -> None:
    """Points beyond 32 bits."""
    plan = Plan("highrise", options={"values": [10**9] * 9}, blocks=2)
    with here() as pool:
        found = run(plan, tmp_path, executor=pool)
        again = run(Plan("highrise", options={"values": [10**9] * 9}, blocks=3), tmp_path, executor=pool)
    assert max(max(row.points) for row in found.rows) > 2**31
    assert again.rows[:2] == found.rows


# On from where it was stopped


class StoppedAfter:
    """Raises an error when so many batches are kept."""

    def __init__(self, batches: int, error: type[BaseException] = KeyError) -> None:
        self.blocks, self.error = batches * LONG.batch, error

    def __call__(self, progress: Progress) -> None:
        if progress.done >= self.blocks:
            raise self.error


@pytest.mark.parametrize(("batches", "error"), [(1, KeyboardInterrupt), (2, KeyError), (3, KeyboardInterrupt)])
def test_a_run_goes_on_after_an_error(batches: int, error: type[BaseException], tmp_path: Path, expected: str) -> None:
    with here() as pool:
        with pytest.raises(error):
            run(LONG, tmp_path, executor=pool, on_progress=StoppedAfter(batches, error))
        kept = contents(tmp_path)
        assert len(kept) >= batches
        told: list[Progress] = []
        found = run(LONG, tmp_path, executor=pool, on_progress=told.append)
    check(found, expected)
    assert kept.items() <= contents(tmp_path).items()
    assert len(kept) == BATCHES or told[-1].done == told[-1].blocks == LONG.blocks
    assert [one.done for one in told] == sorted(one.done for one in told)


def test_finished_batches_are_kept_when_another_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: str
) -> None:
    """All batches are done at the same time; one of them, not the last, has failed."""

    class AtOnce(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            try:
                future.set_result(fn(*args, **kwargs))
            except ValueError as error:
                future.set_exception(error)
            return future

    def failing(plan: Plan, blocks: range) -> list[Row]:
        if 6 in blocks:
            raise ValueError("what a pity")
        return play_games(plan, blocks)

    monkeypatch.setattr(runs, "play_games", failing)
    with pytest.raises(ValueError, match="what a pity"):
        run(LONG, tmp_path, executor=AtOnce())
    assert open_run(tmp_path).batches == [0, *range(2, BATCHES)]
    monkeypatch.setattr(runs, "play_games", play_games)
    check(run(LONG, tmp_path, executor=AtOnce()), expected)


def test_waiting_batches_are_cancelled_after_an_error(tmp_path: Path) -> None:
    """An executor that belongs to somebody else is left with nothing to do."""
    given: list[Future[Any]] = []

    class Noting(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            given.append(super().submit(fn, *args, **kwargs))
            return given[-1]

    held = threading.Event()
    with Noting(1) as pool:
        pool.submit(held.wait, PATIENCE)
        first = given.pop()
        with pytest.raises(KeyError):
            run(LONG, tmp_path, executor=_Releasing(pool, held), on_progress=StoppedAfter(1))
        assert first.result()
    assert all(future.cancelled() or future.done() for future in given)
    assert len(contents(tmp_path)) < BATCHES


class _Releasing(Executor):
    """Gives on what it is given, and lets it be played once that is all."""

    def __init__(self, pool: Executor, held: threading.Event) -> None:
        self.pool, self.held, self.count = pool, held, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        if self.count == BATCHES:
            self.held.set()
        return self.pool.submit(fn, *args, **kwargs)


# On after a violent end, in processes of their own

DRIVER = """
import json, signal, sys
from icetable import lab
from icetable.lab import plan

plan.MIN_BLOCKS_PER_BATCH = plan.MAX_BLOCKS_PER_BATCH = 4

def tell(progress):
    print(progress.done, flush=True)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    lab.run(lab.Plan.of(json.loads(sys.argv[1])), sys.argv[2], jobs=2, on_progress=tell)
"""
ENDLESS = shortened(10**6)
"""It begins as LONG does, and is still played when it is stopped."""


@contextlib.contextmanager
def driver(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that plays ENDLESS with two workers, in a group of their own; a line for each batch."""
    command = [sys.executable, "-c", DRIVER, json.dumps(ENDLESS.described()), str(folder)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    )
    try:
        with process:
            yield process
            process.communicate(timeout=PATIENCE)
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def wait_for_batches(process: subprocess.Popen[str], count: int) -> None:
    """Until a driver has kept so many."""
    assert process.stdout is not None
    assert all(process.stdout.readline() for _ in range(count))


unix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals of Unix")


@unix
def test_a_run_goes_on_after_ctrl_c(tmp_path: Path, expected: str) -> None:
    """The signal reaches the workers too, as from a terminal."""
    with driver(tmp_path) as process:
        wait_for_batches(process, 2)
        kept = contents(tmp_path)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert len(kept) >= 2
    assert process.returncode != 0
    with here() as pool:
        check(run(LONG, tmp_path, executor=pool), expected)
    assert kept.items() <= contents(tmp_path).items()


@unix
def test_nothing_is_lost_when_the_driver_is_killed(tmp_path: Path, expected: str) -> None:
    """Its workers end with it: they hold its output, which would not end before they do. Meanwhile none else plays."""
    with driver(tmp_path) as process:
        wait_for_batches(process, 3)
        with pytest.raises(GameError, match="another process is playing in "):
            run(LONG, tmp_path, executor=here())
        kept = contents(tmp_path)
        process.kill()
        process.communicate(timeout=PATIENCE)
    with here() as pool:
        check(run(LONG, tmp_path, executor=pool), expected)
    assert kept.items() <= contents(tmp_path).items()


@unix
def test_nothing_is_lost_when_workers_are_killed(tmp_path: Path, expected: str) -> None:
    """Other workers play the batches that are left."""
    killed: list[object] = []

    def kill_first(_: Progress) -> None:
        workers = multiprocessing.active_children()
        if not killed:
            killed.append(workers[0].pid)
            workers[0].kill()

    check(run(LONG, tmp_path, jobs=2, on_progress=kill_first), expected)
    assert killed


def test_workers_that_die_again_and_again(tmp_path: Path) -> None:
    class Dying(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise BrokenProcessPool

    with pytest.raises(GameError, match="a worker of this executor died; in a process pool, each worker imports"):
        run(LONG, tmp_path, executor=Dying())
    check_names(tmp_path)


@pytest.mark.parametrize(
    ("have_started", "tries", "told"),
    [
        (True, runs.MAX_ATTEMPTS, "workers died 3 times in a row"),
        (False, 1, "the workers can't start: each worker imports"),
    ],
)
def test_workers_that_finish_nothing_are_given_up(
    have_started: bool, tries: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []

    def dying(*_: object) -> None:
        begun.append(True)
        raise BrokenProcessPool

    monkeypatch.setattr(runs, "_play_on", dying)
    monkeypatch.setattr(Workers, "have_started", have_started)
    with pytest.raises(GameError, match=told) as error:
        run(LONG, tmp_path, jobs=2)
    assert len(begun) == tries
    assert "memory" not in str(error.value)


def test_one_job_starts_no_process(expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(runs, "Workers")
    check(run(LONG, tmp_path), expected)


# Longer and shorter


@pytest.mark.parametrize(("before", "after"), [(1, 14), (4, 14), (6, 14), (12, 14), (13, 14), (14, 14)])
def test_a_run_is_made_longer(before: int, after: int, tmp_path: Path, expected: str) -> None:
    """Also where its last batch was a short one."""
    with here() as pool:
        short = run(shortened(before), tmp_path, executor=pool)
        first = short.rows
        longer = run(shortened(after), tmp_path, executor=pool)
    check(longer, expected)
    assert longer.rows[: len(first)] == first
    assert open_run(tmp_path).plan == shortened(after)


def test_fewer_blocks_than_there_are(tmp_path: Path, expected: str) -> None:
    with here() as pool:
        whole = run(LONG, tmp_path, executor=pool)
        before = contents(tmp_path)
        fewer = run(shortened(6), tmp_path, executor=pool)
        assert contents(tmp_path) == before
        assert (fewer.blocks, fewer.batches) == (6, [0, 1])
        assert fewer.rows == whole.rows[: 6 * len(LONG.orders)]
        assert fewer.hash == run(shortened(6), executor=pool).hash
        assert open_run(tmp_path).plan == LONG
        check(run(LONG, tmp_path, executor=pool), expected)


def test_fewer_blocks_than_a_run_is_to_have(tmp_path: Path, expected: str) -> None:
    """A batch that the shorter plan cuts short is played whole: the longer one goes on from there."""
    with here() as pool:
        with pytest.raises(KeyError):
            run(LONG, tmp_path, executor=pool, on_progress=StoppedAfter(1))
        for path in sorted((tmp_path / "games").glob("*.parquet"))[1:]:
            path.unlink()
        fewer = run(shortened(6), tmp_path, executor=pool)
        assert (fewer.blocks, len(fewer.rows)) == (6, 12)
        check(run(LONG, tmp_path, executor=pool), expected)


def test_shorter_and_longer_again_and_again(tmp_path: Path, expected: str) -> None:
    dice = random.Random(5)
    with here() as pool:
        for _ in range(4):
            blocks = dice.randrange(1, LONG.blocks)
            found = run(shortened(blocks), tmp_path, executor=pool)
            assert len(found.rows) == 2 * blocks
            for path in dice.sample(sorted((tmp_path / "games").glob("*")), 1):
                path.unlink()
        check(run(LONG, tmp_path, executor=pool), expected)


def test_a_finished_run_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = shortened(8)
    with here() as pool:
        run(plan, tmp_path, executor=pool)
        monkeypatch.delattr(runs, "play_games")
        before = contents(tmp_path)
        assert run(plan, tmp_path, executor=pool).blocks == 8
    assert contents(tmp_path) == before


# Refusals, after which the folder is as it was

SHORT = shortened(6)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of SHORT, to be copied."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        set_batch(patch, 4)
        patch.setattr(jit, "ALWAYS_PLAIN", True)
        run(SHORT, folder, executor=here())
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """With a finished run of SHORT."""
    return shutil.copytree(finished, tmp_path, dirs_exist_ok=True)


OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("game", {"game": "icefrogs", "options": {"players": 2}, "seats": ["random", "sims:1"]}),
    ("options", {"options": {"players": 2, "board": 6}}),
    ("seats", {"seats": ["sims:1", "random"]}),
    ("seed", {"seed": 12}),
    ("opening", {"opening": 3}),
]


@pytest.mark.parametrize(("name", "changes"), OTHERS, ids=lambda one: one if isinstance(one, str) else "")
def test_another_plan_is_refused(name: str, changes: dict[str, Any], folder: Path) -> None:
    before = {**contents(folder), "plan": (folder / "plan.json").read_bytes()}
    with pytest.raises(GameError, match=f"holds another plan: its {name} is .*, not "):
        run(Plan.of({**SHORT.described(), **changes}), folder, executor=here())
    assert {**contents(folder), "plan": (folder / "plan.json").read_bytes()} == before
    assert open_run(folder).plan == SHORT


def test_other_sources_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**runs.sources_of(SHORT), "icetable.games.squad.rules": "other"}
    monkeypatch.setattr(runs, "game_sources", lambda _info, *_: other)
    before = contents(folder)
    sentence = "was played by another version of icetable.games.squad.rules; use another folder"
    for plan in (SHORT, LONG):
        with pytest.raises(GameError, match=sentence):
            run(plan, folder, executor=here())
    assert contents(folder) == before
    assert open_run(folder).blocks == 6


def test_a_run_holds_the_versions_that_play_it(tmp_path: Path) -> None:
    run(SHORT, tmp_path, executor=here())
    versions = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))["versions"]
    assert versions["icetable"] == icetable.__version__
    assert versions["numba"] == metadata.version("numba")


def test_a_worker_with_other_sources_is_refused() -> None:
    theirs = {**runs.sources_of(SHORT), "icetable.bots.search": "other"}
    with pytest.raises(GameError, match=r"a worker has another icetable\.bots\.search than the process"):
        runs.play_blocks(SHORT, range(1), theirs)


def test_two_at_a_time_are_refused(folder: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no locks")
    refused = []

    def second(_: Progress) -> None:
        with pytest.raises(GameError, match="another process is playing in "):
            run(LONG, folder, executor=here())
        refused.append(True)

    with here() as pool:
        run(LONG, folder, executor=pool, on_progress=second)
        assert refused
        run(LONG, folder, executor=pool)


SPOILED = [
    "",
    "no JSON",
    "5",
    "null",
    "[]",
    "{}",
    '{"plan": 5}',
    '{"plan": {}}',
    '{"plan": {"form": 1, "game": "chess", "options": {}, "seats": [], "blocks": 1, "seed": 0, "opening": 0}}',
    json.dumps({"plan": {**SHORT.described(), "form": 99}}),
    "[" * 100_000,
    "\ud800",
]


@pytest.mark.parametrize("text", SPOILED, ids=range(len(SPOILED)))
def test_a_spoiled_plan_is_refused(text: str, folder: Path) -> None:
    before = contents(folder)
    (folder / "plan.json").write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(GameError, match=r"plan\.json can't be read: ") as error:
        run(SHORT, folder, executor=here())
    assert str(error.value).isprintable()
    with pytest.raises(GameError, match=r"plan\.json can't be read: "):
        open_run(folder)
    assert contents(folder) == before


def test_games_without_a_plan_are_refused(folder: Path) -> None:
    """Nobody knows of which plan they are."""
    (folder / "plan.json").unlink()
    with pytest.raises(GameError, match=r"holds games but no plan\.json"):
        run(SHORT, folder, executor=here())
    with pytest.raises(GameError, match="there is no run in "):
        open_run(folder)


def test_no_run_at_all(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="there is no run in "):
        open_run(tmp_path)
    with pytest.raises(GameError, match="there is no run in "):
        open_run(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def stirred(data: bytes) -> bytes:
    middle = len(data) // 3
    return data[:50] + bytes(255 - byte for byte in data[50:middle]) + data[middle:]


@pytest.mark.parametrize(
    "spoil", [lambda _: b"", lambda _: b"PAR1", cut, stirred], ids=["empty", "head", "cut", "stirred"]
)
def test_a_spoiled_batch_is_named(spoil: Callable[[bytes], bytes], folder: Path) -> None:
    """Without the file its batch is played again."""
    path = folder / "games" / "000001.parquet"
    expected = open_run(folder).hash
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(
        GameError, match="a file of games is corrupt; remove it and its batch will be played again"
    ) as error:
        _ = open_run(folder).rows
    assert "\n" not in str(error.value)
    assert path.name in str(error.value)
    path.unlink()
    with here() as pool:
        assert run(SHORT, folder, executor=pool).hash == expected


def test_nothing_finished_yet(tmp_path: Path) -> None:
    class Never(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(SHORT, tmp_path, executor=Never())
    with pytest.raises(GameError, match=r"no batch of .* is finished yet"):
        _ = open_run(tmp_path).games
    assert open_run(tmp_path).blocks == 0


def test_leftovers_are_swept(folder: Path) -> None:
    left = [folder / "plan.part", *(folder / "games" / name for name in ("000000.part", "000003.json.part"))]
    for path in left:
        path.write_text("half")
    with here() as pool:
        run(SHORT, folder, executor=pool)
    check_names(folder)


def test_a_disk_that_is_full_leaves_no_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: str) -> None:
    """A batch is there whole or not at all."""
    before = storage.write_through
    calls = []

    def full(path: Path) -> None:
        calls.append(path)
        if len(calls) == 7:
            raise OSError("no space left")
        before(path)

    monkeypatch.setattr(storage, "write_through", full)
    with here() as pool:
        with pytest.raises(OSError, match="no space left"):
            run(LONG, tmp_path, executor=pool)
        monkeypatch.setattr(storage, "write_through", before)
        check(run(LONG, tmp_path, executor=pool), expected)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, None, "2"], ids=str)
def test_the_number_of_jobs_is_checked(jobs: Any, tmp_path: Path) -> None:
    with pytest.raises(GameError, match="jobs is a whole number from 1 up"):
        run(SHORT, tmp_path / "run", jobs=jobs)
    assert not (tmp_path / "run").exists()


def test_a_run_without_a_folder_leaves_nothing() -> None:
    with here() as pool:
        found = run(SHORT, executor=pool)
    folder = found.folder
    assert len(found.rows) == 12
    assert folder.exists()
    del found
    assert not folder.exists()


def test_the_games_outlive_a_run_without_a_folder() -> None:
    with here() as pool:
        assert run(SHORT, executor=pool).games.aggregate("count(*), sum(game)").fetchall() == [(12, 6)]


# Measures


def test_measures_are_reached_by_name() -> None:
    found = run(SHORT)
    names = dir(found.measure)
    assert {"seat_share", "player_share", "turns", "endings"} <= set(names)
    for name in names:
        assert found.measure(name) == getattr(found.measure, name)
    assert found.measure.turns == measured(Games(SHORT, found.rows))["turns"]


def test_an_unknown_measure_is_answered_with_the_names_of_all() -> None:
    measure = run(SHORT).measure
    with pytest.raises(GameError, match="there is no measure 'seat_shares'; allowed: seat_share, player_share, "):
        measure("seat_shares")
    with pytest.raises(AttributeError, match="there is no measure 'seats'; allowed: seat_share, "):
        _ = measure.seats
    assert not hasattr(measure, "__deepcopy__")


# Rows on disk


def test_rows_come_back_as_they_were(folder: Path) -> None:
    rows = [row for block in range(SHORT.blocks) for row in play_block(SHORT, block)]
    found = open_run(folder)
    assert found.rows == rows
    assert [type(value) for row in found.rows for value in row] == [type(value) for row in rows for value in row]
    assert found.games.columns == list(Row._fields)


def test_a_hash_tells_rows_apart(folder: Path) -> None:
    rows = open_run(folder).rows
    changed = [*rows[:-1], rows[-1]._replace(turns=rows[-1].turns + 1)]
    assert len({storage.hash_of(some) for some in (rows, rows[1:], rows[::-1], changed, [])}) == 5
