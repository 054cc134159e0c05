"""Work in threads that the end of the server does not wait for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


async def in_daemon(name: str, work: Callable[[], T]) -> T:
    """What `work` returns in a daemon thread. It can't be cancelled: where nobody waits any more, it goes on."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()  # from now on a wait that ends early leaves it alone

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 (raised again by the await)
            done.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await asyncio.wrap_future(done)
