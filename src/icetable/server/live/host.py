"""The interface of an open table to its parts (autoplay, presence, chat). Only the table imports the parts."""

from __future__ import annotations

import asyncio
import weakref
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine

    from icetable.server import messages
    from icetable.server.live.client import Client
    from icetable.server.store.pubsub import PubSubMessage
    from icetable.server.table.log import Entry
    from icetable.server.table.state import TableState
    from icetable.server.table.views import TableViews

T = TypeVar("T")


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
