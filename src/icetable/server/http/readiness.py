"""The readiness check: the server is not shutting down, and its store can be written."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from icetable.server.http.responses import RESTART_NOTICE
from icetable.server.store.errors import NOT_RESPONDING, Conflict, StoreError

if TYPE_CHECKING:
    from icetable.server.store.store import Store

CACHE_SECONDS = 1.0
PROBE_TIMEOUT_SECONDS = 1.5


class Readiness:
    """Probes the store at most once every CACHE_SECONDS, and with one probe at a time."""

    def __init__(self, store: Store) -> None:
        self.is_shutting_down = asyncio.Event()
        self._store = store
        self._probe: asyncio.Task[StoreError | None] | None = None
        self._answered_at = 0.0

    async def check(self) -> None:
        """Raise StoreError or HTTPException if a load balancer should send no requests here."""
        if self.is_shutting_down.is_set():
            raise HTTPException(503, RESTART_NOTICE)
        clock = asyncio.get_running_loop().time
        if self._probe is None or (self._probe.done() and clock() - self._answered_at > CACHE_SECONDS):
            self._probe = asyncio.create_task(self._run_probe())
        probe = self._probe
        await asyncio.wait([probe], timeout=PROBE_TIMEOUT_SECONDS)
        if not probe.done():
            raise StoreError(NOT_RESPONDING)
        if error := probe.result():
            raise StoreError(str(error))

    async def _run_probe(self) -> StoreError | None:
        """Attempt a write; return its error."""
        try:
            for done in self._store.database.probe():
                with contextlib.suppress(Conflict):
                    await asyncio.wrap_future(done)
        except StoreError as error:
            return error
        finally:
            self._answered_at = asyncio.get_running_loop().time()
        return None
