"""Waiting for compiled code, which ignores Ctrl-C: it runs in a thread while the main thread waits."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def begin(work: Callable[[], T]) -> Future[T]:
    """Start work in a thread that the end of the program does not wait for."""
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 (it is raised again with the result)
            future.set_exception(error)

    Thread(target=do, daemon=True).start()
    return future


def wait_for(work: Callable[[], T]) -> T:
    """The result of the work. Ctrl-C ends the waiting."""
    return begin(work).result()
