"""The value of each act of a solved game, for clients of an open table."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.logs import about
from icetable.server.table.errors import Hidden, sentence

if TYPE_CHECKING:
    import asyncio

    from icetable.server.live.bot_pool import BotPool
    from icetable.server.live.client import Client
    from icetable.server.live.host import TableHost

logger = logging.getLogger(__name__)


class Solving:
    """Answers the requests at a table one after another. A new request replaces the client's last one."""

    def __init__(self, host: TableHost, bot_pool: BotPool) -> None:
        self._host = host
        self._bot_pool = bot_pool
        self._requests: dict[Client, int] = {}
        self._task: asyncio.Task[None] | None = None

    def request(self, client: Client, number: int) -> None:
        """Solve the position after `number` acts, and send a client the values of its acts."""
        self._requests[client] = number
        if self._task is None or self._task.done():
            self._task = self._host.create_task(self._solve_all())

    def forget(self, client: Client) -> None:
        """Drop the request of a client that has left the table."""
        self._requests.pop(client, None)

    async def _solve_all(self) -> None:
        while self._requests:
            client = next(iter(self._requests))
            answer = await self._solve(client, self._requests.pop(client))
            if answer is not None and client in self._host.clients:
                client.send(answer)

    async def _solve(self, client: Client, number: int) -> messages.ServerMessage | None:
        """The values, or an error; None if the acts were taken back meanwhile."""
        views = self._host.views
        try:
            state = views.position(client.viewer, number)
            values = await self._bot_pool.values(state)
            if views.position(client.viewer, number) != state:
                return None
            return messages.Solved(number, {str(act): value for act, value in values.items()})
        except Hidden as hidden:
            return messages.ErrorMessage(str(hidden))
        except GameError as error:
            return messages.ErrorMessage(sentence(error))
        except Exception:
            table = self._host.state.setup.id
            logger.exception("a position can't be solved", extra=about(table=table, position=number))
            return messages.ErrorMessage("The values of the moves could not be worked out.")
