"""The pulse of a game without turns: pings by which the server notices within a second that a line stands still."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icetable.server.live.host import TableHost

SECONDS = 1.0
"""The time between pings."""


class Pulse:
    """Pings the players of a table while it is in play."""

    def __init__(self, host: TableHost) -> None:
        self._host = host
        self._timer: asyncio.TimerHandle | None = None

    def update(self) -> None:
        """Start if there is somebody to ping."""
        if self._timer is None and self._host.is_in_play and self._host.clients:
            self._timer = asyncio.get_running_loop().call_later(SECONDS, self._beat)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _beat(self) -> None:
        self._timer = None
        for client in self._host.clients:
            if client.viewer.seats:
                client.line.ping()
        self.update()
