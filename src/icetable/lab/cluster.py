"""Workers on other machines: a cluster of Dask as an executor for runs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

from icetable.core.errors import GameError
from icetable.core.options import short_repr

TRIES = 3
"""How often a batch is given out whose worker has died."""
CHECK = 2.0
"""How often it is checked whether there is a worker, in seconds."""


@contextlib.contextmanager
def cluster(address: str, patience: float | None = None) -> Iterator[Executor]:
    """The workers of a scheduler, such as tcp://192.0.2.1:8786, each of which needs the same icetable.

    Whoever reaches a scheduler of Dask can run programs there: let it listen on this machine only, or use its TLS.
    What waits when there has been no worker for `patience` seconds is cancelled; without it, what waits goes on as soon
    as a worker comes. Raises GameError where nothing answers there, and without `icetable[cluster]`.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise GameError("this needs Dask: pip install 'icetable[cluster]'") from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise GameError(f"there is no scheduler of Dask at {short_repr(address)}: {error}") from None
    with client:
        executor = client.get_executor(retries=TRIES)
        if patience is None:
            yield executor
        else:
            with _Impatient(executor, client.nthreads, patience) as impatient:
                yield impatient


class _Impatient(Executor):
    """Cancels what waits when there has been no worker for a while."""

    def __init__(self, executor: Executor, workers: Callable[[], object], patience: float) -> None:
        self._executor = executor
        self._workers = workers
        self._patience = patience
        self._waiting = set[Future[Any]]()
        self._ended = threading.Event()
        threading.Thread(target=self._watch, name="cluster", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function at one of the workers."""
        future = self._executor.submit(fn, *args, **kwargs)
        self._waiting.add(future)
        future.add_done_callback(self._waiting.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Watch no more."""
        self._ended.set()

    def _watch(self) -> None:
        alone = 0.0
        while not self._ended.wait(CHECK):
            alone = 0.0 if self._has_workers() else alone + CHECK
            if alone > self._patience:
                for future in self._waiting.copy():
                    future.cancel()

    def _has_workers(self) -> bool:
        try:
            return bool(self._workers())
        except OSError:  # the scheduler is gone
            return False
