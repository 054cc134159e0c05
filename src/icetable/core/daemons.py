"""Work in daemon threads: compiled code and searches can't be cancelled, so the program exits without them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def begin(work: Callable[[], T], name: str | None = None) -> Future[T]:
    """Start work in a daemon thread. It can't be cancelled."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # an interrupted wait can't cancel it any more
    threading.Thread(target=_run, args=(work, future), name=name, daemon=True).start()
    return future


def wait_for(work: Callable[[], T]) -> T:
    """Run work that ignores Ctrl-C, such as compiled code, and return its result. Ctrl-C ends the wait."""
    return begin(work).result()


def _run(work: Callable[[], T], future: Future[T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 (raised again by the waiting side)
        future.set_exception(error)
        del future  # breaks a reference cycle: the error's traceback holds this frame
