"""Work in threads that the end of the program does not wait for: compiled code and searches can't be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def begin(work: Callable[[], T], name: str | None = None) -> Future[T]:
    """Start work in a daemon thread. It can't be cancelled: it goes on even if nobody waits for it."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()  # from now on a wait that ends early leaves it alone
    threading.Thread(target=_do, args=(work, done), name=name, daemon=True).start()
    return done


def wait_for(work: Callable[[], T]) -> T:
    """The result of work that ignores Ctrl-C, such as compiled code: Ctrl-C ends the waiting."""
    return begin(work).result()


def _do(work: Callable[[], T], done: Future[T]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # noqa: BLE001 (raised again by the waiting side)
        done.set_exception(error)
        del done  # which the error would refer to by this frame, so that all that it refers to would stay
