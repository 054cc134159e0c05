"""A cluster: it finds what this process finds, and without workers what waits for one is given up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any

import pytest

from icetable.lab import Plan, run, runs
from tests.analysis.material import end_of_a_game
from tests.cli.test_commands import output_here
from tests.clusters import PATIENCE, cluster


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler with two workers, whose kernels are plain."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ICETABLE_JIT", "0")
        with cluster(tmp_path_factory.mktemp("cluster")) as found:
            yield found


def test_a_cluster_plays_the_same(address: str) -> None:
    plan = Plan("squad", 2, {"board": 4}, ["random", "sims:1"], blocks=12, seed=11)
    import distributed  # takes a second, and only this test needs it here

    with distributed.Client(address, timeout=PATIENCE) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
        assert run(plan, executor=client.get_executor()).hash == run(plan).hash


def test_a_cluster_reviews_alike(address: str, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text(end_of_a_game("wrecktangle", 2, 5).record(), encoding="utf-8")
    words = "review", str(record), "--simulations=3", "--json"
    assert output_here(*words, "--cluster", address) == output_here(*words)


class FakeClient:
    """A cluster whose workers have died: its tasks wait until `workers` has one."""

    def __init__(self, *_: object, **__: object) -> None:
        self.workers = dict[str, int]()
        self.asked = 0
        self.asked_often = threading.Event()

    def nthreads(self) -> dict[str, int]:
        self.asked += 1
        if self.asked == 10:
            self.asked_often.set()
        return self.workers

    def get_executor(self, **_: object) -> Executor:
        return Waiting()

    def __enter__(self) -> FakeClient:
        return self

    def __exit__(self, *_: object) -> None: ...


class Waiting(Executor):
    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        return Future()


def test_a_call_that_waits_for_a_worker_is_cancelled_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("distributed.Client", FakeClient)
    monkeypatch.setattr(runs, "CHECK_SECONDS", 0.01)
    with runs.cluster("tcp://192.0.2.1:8786", timeout=0.02) as far:
        for _ in range(2):
            with pytest.raises(CancelledError):
                far.submit(int, "1").result(PATIENCE)


def test_a_call_that_waits_while_there_are_workers_is_not_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    client = FakeClient()
    client.workers = {"tcp://192.0.2.2:1": 1}
    monkeypatch.setattr("distributed.Client", lambda *_, **__: client)
    monkeypatch.setattr(runs, "CHECK_SECONDS", 0.001)
    with runs.cluster("tcp://192.0.2.1:8786", timeout=0.0) as far:
        waits = far.submit(int, "1")
        assert client.asked_often.wait(PATIENCE)
        assert not waits.done()
