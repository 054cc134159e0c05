"""Updates for the watchers of tournaments, at most once per second."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.store.errors import StoreError
from icetable.server.table.errors import TableNotFound

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.server.live.client import Client

UPDATE_INTERVAL_SECONDS = 1.0
"""Minimum interval between two messages."""


class Onlookers:
    """The clients that follow tournaments. `show` returns the public view of one."""

    def __init__(self, show: Callable[[str], Awaitable[messages.Tournament]]) -> None:
        self._show = show
        self._following: dict[Client, str] = {}
        self._sent: dict[str, bytes] = {}
        """By tournament: the last message sent."""
        self._sender: asyncio.Task[None] | None = None

    async def follow(self, client: Client, tournament: str) -> None:
        """Send a client the tournament, and its changes from now on. Raises TableNotFound or StoreError."""
        update = await self._update(tournament)
        client.send_bytes(update)
        self._following[client] = tournament
        self._sent.setdefault(tournament, update)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._keep_sending())

    def leave(self, client: Client) -> None:
        self._following.pop(client, None)

    async def _keep_sending(self) -> None:
        while self._following:
            await asyncio.sleep(UPDATE_INTERVAL_SECONDS)
            await self.send_changes()

    async def send_changes(self) -> None:
        """Send the clients what has changed."""
        followed = set(self._following.values())
        self._sent = {tournament: update for tournament, update in self._sent.items() if tournament in followed}
        for tournament in followed:
            with contextlib.suppress(StoreError, TableNotFound):  # the first is logged; the next round retries
                update = await self._update(tournament)
                if update != self._sent.get(tournament):
                    self._sent[tournament] = update
                    for client in [client for client, watched in self._following.items() if watched == tournament]:
                        client.send_bytes(update)

    async def _update(self, tournament: str) -> bytes:
        return messages.write(messages.TournamentNews(await self._show(tournament)))
