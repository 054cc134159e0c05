"""Waiting for compiled code, which hears no Ctrl-C: it runs in a thread, and the main thread listens."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def begin(work: Callable[[], T]) -> Future[T]:
    """Start work in a thread that nobody waits for at the end of the program."""
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 (whoever asks for the result gets it)
            future.set_exception(error)

    Thread(target=do, daemon=True).start()
    return future


def wait_for(work: Callable[[], T]) -> T:
    """What the work comes to. Ctrl-C ends the waiting."""
    return begin(work).result()
