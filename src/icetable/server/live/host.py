"""What the parts of an open table (autoplay, presence, chat) may ask of it. Only the table itself imports the parts."""

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
    def is_leader(self) -> bool:
        """Whether this server process plays the bots of a game without turns."""

    def broadcast(self, message: messages.ServerMessage, hidden: bool = False, but: Client | str | None = None) -> None:
        """Send the same message to every client, except `but`, that may see the game; if it is `hidden`, to all."""

    def publish(self, message: PubSubMessage) -> None:
        """Send a message, which is not stored, to the other server processes."""

    def create_task(self, step: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a step in the background; the table is not freed before the step ends."""

    async def append(self, propose: Callable[[int], Entry | None]) -> None:
        """Store the entry that `propose` returns for the time now, if any. Raises StoreError and GameError."""

    def advance_time(self) -> bool:
        """Show what has changed by time alone; whether anything has."""

    def on_presence_checked(self) -> None:
        """Called after each check of which clients are present and which process leads."""


def weak(host: TableHost) -> TableHost:
    """A reference that does not keep the table alive: without cycles a closed table is freed at once."""
    proxy: TableHost = weakref.proxy(host)
    return proxy
