"""The interface of an open table to its parts (autoplay, presence, chat), and the steps that they take one by one.

Only the table imports the parts.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from icetable.server import messages, metrics
from icetable.server.logs import about
from icetable.server.store.errors import StoreError
from icetable.workshop.guard import DesignError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Coroutine

    from icetable.server import messages
    from icetable.server.live.tables.client import Client
    from icetable.server.store.pubsub import PubSubMessage
    from icetable.server.table.log import Entry
    from icetable.server.table.state import TableState
    from icetable.server.table.views import TableViews

RETRY_SECONDS = 5.0
"""Delay before retrying an act that could not be stored."""
FINISH_TIMEOUT_SECONDS = 2.0
"""Maximum time that a closing table waits for a running step."""

T = TypeVar("T")

logger = logging.getLogger(__name__)


class TableHost(Protocol):
    """An open table as its parts see it."""

    @property
    def state(self) -> TableState: ...

    @property
    def views(self) -> TableViews: ...

    @property
    def clients(self) -> Collection[Client]: ...

    @property
    def is_in_play(self) -> bool:
        """Whether somebody may act in a game without turns."""

    @property
    def is_leader(self) -> bool:
        """Whether this server process plays the bots of a game without turns."""

    def broadcast(self, message: messages.ServerMessage, hidden: bool = False, but: Client | str | None = None) -> None:
        """Send a message to every client that may see the game, except `but`; if `hidden`, to all clients."""

    def publish(self, message: PubSubMessage) -> None:
        """Send a message to the other server processes; it is not stored."""

    def create_task(self, step: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a step in the background; the table is not freed before the step ends."""

    async def append(self, propose: Callable[[int], Entry | None]) -> None:
        """Store the entry that `propose` returns for the time now, if any. Raises StoreError and GameError."""

    def advance_time(self) -> bool:
        """Show changes by time alone; return whether there are any."""

    def on_presence_checked(self) -> None:
        """Called after each check of which clients are present and which process leads."""


def weak(host: TableHost) -> TableHost:
    """A weak reference to a table: without reference cycles a closed table is freed immediately."""
    proxy: TableHost = weakref.proxy(host)
    return proxy


class Worker:
    """Runs `step` when the table has changed and `is_due()`, never twice at the same time.

    A step whose act could not be stored is retried. After other errors no step runs until the table changes.
    Steps are never cancelled: each one checks the table again before it acts.
    """

    def __init__(self, host: TableHost, is_due: Callable[[], bool], step: Callable[[], Awaitable[None]]) -> None:
        self._host = host
        self._is_due = is_due
        self._step = step
        self._running: asyncio.Task[None] | None = None
        self._failed_at = -1
        """The table's number of entries when a step failed."""
        self._has_changed = False
        """Whether the table has changed since the last step began; if not, no further step runs."""

    def update(self) -> None:
        """Handle a change of the table: start unless a step is running or nothing is due."""
        self._has_changed = True
        if self._running is None and self._is_wanted:
            self._running = self._host.create_task(self._run())

    async def finish(self) -> None:
        """Wait for the running step, at most FINISH_TIMEOUT_SECONDS."""
        if self._running is not None:
            await asyncio.wait([self._running], timeout=FINISH_TIMEOUT_SECONDS)

    def close(self) -> None:
        """Start no more steps, and drop the references to the owner."""
        self._is_due, self._step = _false, _do_nothing

    @property
    def _is_wanted(self) -> bool:
        return self._is_due() and self._host.state.entries != self._failed_at

    async def _run(self) -> None:
        host = self._host
        try:
            while self._has_changed and self._is_wanted:
                self._has_changed = False
                try:
                    await self._step()
                except StoreError as error:
                    host.broadcast(messages.ErrorMessage(str(error)))
                    await asyncio.sleep(RETRY_SECONDS)
                    self._has_changed = True
        except DesignError as error:
            self._failed_at = host.state.entries
            logger.warning("the game's file has failed", extra=about(error, table=host.state.setup.id))
            host.broadcast(messages.ErrorMessage(f"The game can't go on: {error}. Undoing a move may help."))
        except Exception:
            self._failed_at = host.state.entries
            metrics.EXCEPTIONS.inc()
            logger.exception("chance or a bot can't act at a table", extra=about(table=host.state.setup.id))
            host.broadcast(messages.ErrorMessage("The computer player failed. Undoing a move may help."))
        finally:
            self._running = None


def _false() -> bool:
    return False


async def _do_nothing() -> None: ...
