"""Workers on other machines: a Dask cluster as an executor for runs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

from icetable.core.errors import GameError
from icetable.core.options import short_repr

RETRIES = 3
"""Number of retries of a batch whose worker died."""
CHECK_SECONDS = 2.0
"""Interval between checks for connected workers."""


@contextlib.contextmanager
def cluster(address: str, patience: float | None = None) -> Iterator[Executor]:
    """The workers of a Dask scheduler, such as tcp://192.0.2.1:8786, which all need the same icetable.

    A client that reaches a Dask scheduler can run programs there: let it listen on this machine only, or use its TLS.
    After `patience` seconds without a worker all pending calls are cancelled; by default they wait for one. Raises
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
        if patience is None:
            yield executor
        else:
            with _Impatient(executor, client.nthreads, patience) as impatient:
                yield impatient


class _Impatient(Executor):
    """Cancels pending calls after a while without workers."""

    def __init__(self, executor: Executor, workers: Callable[[], object], patience: float) -> None:
        self._executor = executor
        self._workers = workers
        self._patience = patience
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
            if seconds_without > self._patience:
                for future in self._pending.copy():
                    future.cancel()

    def _has_workers(self) -> bool:
        try:
            return bool(self._workers())
        except OSError:  # the scheduler has stopped
            return False
