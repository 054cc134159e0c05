"""What each act of a solved game is worth, for the clients of an open table that ask."""

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
    """Answers the questions at a table one after another. A new question replaces the client's last one."""

    def __init__(self, host: TableHost, bot_pool: BotPool) -> None:
        self._host = host
        self._bot_pool = bot_pool
        self._questions: dict[Client, int] = {}
        self._answering: asyncio.Task[None] | None = None

    def ask(self, client: Client, number: int) -> None:
        """Send a client, when it is worked out, the value of each act after `number` acts."""
        self._questions[client] = number
        if self._answering is None or self._answering.done():
            self._answering = self._host.create_task(self._answer_all())

    def forget(self, client: Client) -> None:
        """A client has left the table."""
        self._questions.pop(client, None)

    async def _answer_all(self) -> None:
        while self._questions:
            client = next(iter(self._questions))
            answer = await self._answer(client, self._questions.pop(client))
            if answer is not None and client in self._host.clients:
                client.send(answer)

    async def _answer(self, client: Client, number: int) -> messages.ServerMessage | None:
        """The values, or why there are none; None where the acts were taken back meanwhile."""
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
