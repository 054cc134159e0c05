"""A visit: one socket, and what its messages ask for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import TYPE_CHECKING

from starlette.websockets import WebSocketDisconnect

from icetable.server import messages, metrics
from icetable.server.http import static
from icetable.server.http.websocket import direct_websocket
from icetable.server.live.client import Client
from icetable.server.live.manager import TableManager, TableNotFound
from icetable.server.rate_limits import ClientQuota, FloodDetector, TokenBucket
from icetable.server.store.errors import StoreError

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from icetable.server.live.table import LiveTable

MESSAGES_A_SECOND = 50
MESSAGES_AT_ONCE = 100
"""How fast a socket may send messages: so many at once, and later so many a second. Each frame counts as one."""
COMPLAINTS_A_SECOND = 3
"""How often a socket that is too fast is told so."""
MOST_HEARD = 16
"""So many messages may wait for those before them; then no more are read for a while."""
CLOSING_SECONDS = 3
"""How long a server that ends waits for sockets to close."""
RESTARTING = 1012
FLOODING = 1008

NO_JOIN = messages.ErrorMessage("The first message joins a table.")
NO_TEXT = messages.ErrorMessage("Messages are texts of JSON, no binary data.")
TOO_LONG = messages.ErrorMessage(f"A message has at most {messages.LONGEST} characters.")
TOO_FAST = messages.ErrorMessage(
    f"That was too fast and was not read: at most {MESSAGES_A_SECOND} messages a second, please."
)
TOO_FAST_TOGETHER = messages.ErrorMessage("Too many messages come from your address; this one was not read.")
TOO_FAST_FOR_LONG = "Too many messages came for too long; please wait some seconds before you come back."
FAILED = "The server failed. The table is as it was."
FAREWELL = "The server restarts. Everything is kept; come back in a moment."

logger = logging.getLogger(__name__)


class Connection:
    """Takes in the messages of a socket that is accepted, one after another, each in its turn."""

    def __init__(self, manager: TableManager, websocket: WebSocket, guest: ClientQuota) -> None:
        self._hall = manager
        self._websocket = websocket
        self._guest = guest
        self._line = direct_websocket(websocket)
        self._visitor = Client(self._line.tell, static.browser_of(websocket))
        self._table: LiveTable | None = None
        self._purse = TokenBucket(MESSAGES_AT_ONCE, MESSAGES_A_SECOND)
        self._complaints = TokenBucket(COMPLAINTS_A_SECOND, COMPLAINTS_A_SECOND)
        self._excess = FloodDetector()
        self._heard: deque[str | None] = deque()
        self._heeding: asyncio.Task[None] | None = None
        self._is_ending = False

    async def last(self) -> None:
        """Until the socket is closed. What was heard before is seen through."""
        try:
            self._line.take_over(self._hear, self._admit)
            await self._line.ended.wait()
        finally:
            await self._finish()
            await self._hall.leave(self._visitor)
            self._line.release()
            self._table = None

    async def decline(self, code: int, why: messages.ErrorMessage) -> None:
        """Say why the visit can't be, and close."""
        self._is_ending = True
        self._line.take_over(self._hear, self._admit)
        self._visitor.send(why)
        await self._websocket.close(code, why.message)

    async def take_leave(self) -> None:
        """Finish what is under way, send all that waits, and close."""
        self._is_ending = True
        self._heard.clear()
        with contextlib.suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._finish()
                await self._websocket.close(RESTARTING, FAREWELL)
        self._line.ended.set()

    async def _finish(self) -> None:
        if self._heeding is not None:
            await asyncio.wait([self._heeding])

    def _admit(self) -> bool:
        """Count a frame, and refuse it where there were too many."""
        if not self._purse.take():
            self._refuse("socket's messages", TOO_FAST)
        elif not self._guest.messages.take():
            self._refuse("messages", TOO_FAST_TOGETHER)
        else:
            return True
        return False

    def _refuse(self, reason: str, complaint: messages.ErrorMessage) -> None:
        """A frame is not read; a client that sends on nevertheless is turned away."""
        metrics.REJECTED.labels(reason).inc()
        self._excess.grow()
        if self._excess.is_flood():
            metrics.REJECTED.labels("floods").inc()
            self._guest.hold_off()
            self._line.turn_away(FLOODING, TOO_FAST_FOR_LONG)
            return
        if self._complaints.take():
            self._visitor.send(complaint)
        self._line.rest(1 / MESSAGES_A_SECOND)

    def _hear(self, text: str | None) -> None:
        if self._is_ending:
            return
        self._heard.append(text)
        if self._heeding is None:
            self._heeding = asyncio.create_task(self._heed_all())
        elif len(self._heard) > MOST_HEARD:
            self._line.listen(now=False)

    async def _heed_all(self) -> None:
        """Heed what has been heard; who asks faster than they read waits for themselves."""
        try:
            while self._heard:
                await self._heed(self._heard.popleft())
                await self._line.has_room()
                if self._heard:
                    await asyncio.sleep(0)  # what others ask for has its turn
        finally:
            self._heeding = None
            self._line.listen(now=True)

    async def _heed(self, text: str | None) -> None:
        if text is None:
            self._visitor.send(NO_TEXT)
        elif len(text) > messages.LONGEST:
            self._visitor.send(TOO_LONG)
        else:
            try:
                await self._do(messages.read_message(text))
            except (messages.BadMessage, TableNotFound, StoreError) as error:
                self._visitor.send(messages.ErrorMessage(str(error)))
            except Exception:
                logger.exception("A message could not be handled.")
                self._visitor.send(messages.ErrorMessage(FAILED))

    async def _do(self, request: messages.ClientMessage) -> None:
        """Do what a message asks for and answer it. Raises NoTable and LogError."""
        client, table = self._visitor, self._table
        if isinstance(request, messages.Join):
            self._table = await self._hall.join(client, request.table, request.codes, request.seen or None)
        elif table is None:
            client.send(NO_JOIN)
        elif isinstance(request, messages.Ping):
            client.send(messages.Pong(request.number))
        elif isinstance(request, messages.Say):
            client.send(await table.say(client.viewer, request))
        elif isinstance(request, messages.Look):
            client.send(table.past(client.viewer, request.seq))
        elif isinstance(request, messages.History):
            client.send(table.history(client.viewer, request.before))
        elif isinstance(request, messages.Solve):
            table.solve(client, request.seq)
        elif isinstance(request, messages.Hold):
            if complaint := table.hold(client, request.seat, request.what):
                client.send(complaint)
        else:
            if isinstance(request, messages.Sit | messages.HandOver):
                client.add_code(request.code)
            verdict = await table.handle(client.viewer, request)
            (metrics.ACKNOWLEDGED if isinstance(verdict, messages.Ack) else metrics.REFUSED).inc()
            client.send(verdict)
            if isinstance(request, messages.Sit):
                self._hall.remember(client)
