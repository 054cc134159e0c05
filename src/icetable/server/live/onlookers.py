"""Those who look on at tournaments are told of their changes, at most once a second."""

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

NEWS_SECONDS = 1.0
"""How many seconds lie at least between two messages."""


class Onlookers:
    """The clients that follow tournaments. `show` gives one as everybody may see it."""

    def __init__(self, show: Callable[[str], Awaitable[messages.Tournament]]) -> None:
        self._show = show
        self._following: dict[Client, str] = {}
        self._told: dict[str, bytes] = {}
        """What was told of each tournament last."""
        self._telling: asyncio.Task[None] | None = None

    async def follow(self, client: Client, tournament: str) -> None:
        """Send a client the tournament, and from now on its changes. Raises TableNotFound or StoreError."""
        news = await self._news(tournament)
        client.send_bytes(news)
        self._following[client] = tournament
        self._told.setdefault(tournament, news)
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    def leave(self, client: Client) -> None:
        """A client follows no tournament any more."""
        self._following.pop(client, None)

    async def _tell(self) -> None:
        while self._following:
            await asyncio.sleep(NEWS_SECONDS)
            await self.tell()

    async def tell(self) -> None:
        """Tell of what has changed."""
        followed = set(self._following.values())
        self._told = {tournament: told for tournament, told in self._told.items() if tournament in followed}
        for tournament in followed:
            with contextlib.suppress(StoreError, TableNotFound):  # the first is logged, and looked for again
                news = await self._news(tournament)
                if news != self._told.get(tournament):
                    self._told[tournament] = news
                    for client in [one for one, other in self._following.items() if other == tournament]:
                        client.send_bytes(news)

    async def _news(self, tournament: str) -> bytes:
        return messages.write(messages.TournamentNews(await self._show(tournament)))
