"""A connection: one socket, its rate limits, and the handling of its messages."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import time
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from icetable.server import messages, metrics
from icetable.server.errors import TableNotFound
from icetable.server.http.responses import CLOSED_NOTICE, FAILED, RESTART_NOTICE
from icetable.server.live import fair_queue
from icetable.server.live.manager import TableManager
from icetable.server.live.tables.client import Client
from icetable.server.rate_limits import ClientQuota, FloodDetector, TokenBucket
from icetable.server.store.errors import StoreError

if TYPE_CHECKING:
    from icetable.server.http.websocket import DirectWebSocket
    from icetable.server.live.tables.table import LiveTable
    from icetable.server.logs import RareLog

MESSAGES_PER_SECOND = 50
MESSAGE_BURST = 100
"""Rate limit of a socket. Each frame counts as a message."""
WARNINGS_PER_SECOND = 3
MAX_BACKLOG = 16
"""With more messages than this in the backlog, reading pauses."""
ACT_LIFETIME_MS = 3000
"""In games without turns, an act that was longer on its way lapses."""
CLOSING_SECONDS = 3
"""How long a shutdown waits for sockets to close."""
GOING_AWAY = 1001
SERVICE_RESTART = 1012
POLICY_VIOLATION = 1008

NO_JOIN = messages.ErrorMessage("The first message joins a table.")
NO_TEXT = messages.ErrorMessage("Messages are JSON text, not binary data.")
TOO_LONG = messages.ErrorMessage(f"A message has at most {messages.MAX_LENGTH} characters.")
TOO_FAST = messages.ErrorMessage(
    f"Too fast: that was ignored. At most {MESSAGES_PER_SECOND} messages a second, please."
)
TOO_FAST_TOGETHER = messages.ErrorMessage("Too many messages are coming from your address; this one was ignored.")
TOO_MANY_ANALYSES = "Too many positions are analysed at your address; please wait {} s."
TOO_FAST_FOR_LONG = "Too many messages for too long; please wait a few seconds before you come back."

logger = logging.getLogger(__name__)


class Connection:
    """Handles the messages of an accepted socket in order, one at a time."""

    def __init__(
        self, manager: TableManager, socket: DirectWebSocket, quota: ClientQuota, browser: str | None, rare_log: RareLog
    ) -> None:
        """`browser` is the SHA-256 of the browser's cookie."""
        self._manager = manager
        self._socket = socket
        self._quota = quota
        self._rare_log = rare_log
        self._client = Client(socket.send_text, browser)
        self._client.reconnect = functools.partial(socket.abort, SERVICE_RESTART)
        self._table: LiveTable | None = None
        self._bucket = TokenBucket(MESSAGE_BURST, MESSAGES_PER_SECOND)
        self._warnings = TokenBucket(WARNINGS_PER_SECOND, WARNINGS_PER_SECOND)
        self._flood_detector = FloodDetector()
        self._backlog: deque[str | None] = deque()
        self._handling: asyncio.Task[None] | None = None
        self._is_closing = False

    async def run(self) -> None:
        """Handle messages until the socket is closed, including those still in the backlog then."""
        try:
            await self._socket.run(self._on_message, self._admit)
        finally:
            await self._finish()
            await self._manager.leave(self._client)
            self._table = None

    async def reject(self, code: int, reason: messages.ErrorMessage) -> None:
        """Send the reason why the connection is refused, and close."""
        self._is_closing = True
        self._client.send(reason)
        await asyncio.gather(self._socket.run(self._on_message, self._admit), self._socket.close(code, reason.message))

    async def close(self, *, comes_back: bool = True) -> None:
        """Finish the current message, flush the output and close. `comes_back`: the server is restarted."""
        self._is_closing = True
        self._backlog.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._finish()
                code, reason = (SERVICE_RESTART, RESTART_NOTICE) if comes_back else (GOING_AWAY, CLOSED_NOTICE)
                await self._socket.close(code, reason)

    def cut_off(self, reason: str) -> None:
        """Close immediately."""
        self._is_closing = True
        self._socket.abort(POLICY_VIOLATION, reason)

    async def _finish(self) -> None:
        if self._handling is not None:
            await asyncio.wait([self._handling])

    def _admit(self) -> bool:
        """Count a message; return False if it exceeds a rate limit."""
        if not self._bucket.take():
            self._reject_message("socket_messages", TOO_FAST)
        elif not self._quota.messages.take():
            self._reject_message("messages", TOO_FAST_TOGETHER)
        else:
            return True
        return False

    def _reject_message(self, reason: str, warning: messages.ErrorMessage) -> None:
        """Warn the client and read more slowly; close the socket of a client that floods."""
        metrics.REJECTED.labels(reason).inc()
        self._flood_detector.count()
        if self._flood_detector.is_flood():
            metrics.REJECTED.labels("floods").inc()
            self._quota.block()
            self._rare_log.warn("a client floods; its address is blocked for a moment", address=self._quota.address)
            self._socket.abort(POLICY_VIOLATION, TOO_FAST_FOR_LONG)
            return
        if self._warnings.take():
            self._client.send(warning)
        self._socket.delay_reading(1 / MESSAGES_PER_SECOND)

    def _on_message(self, text: str | None) -> None:
        if self._is_closing:
            return
        self._backlog.append(text)
        if self._handling is None:
            self._handling = asyncio.create_task(self._handle_backlog())
        elif len(self._backlog) > MAX_BACKLOG:
            self._socket.pause_reading()

    async def _handle_backlog(self) -> None:
        """Handle the backlog, which throttles a client that sends faster than it reads."""
        fair_queue.client_address.set(self._quota.address)  # the task is created by a callback outside `run`
        try:
            while self._backlog:
                await self._handle(self._backlog.popleft())
                await self._socket.drain()
                if self._backlog:
                    await asyncio.sleep(0)  # other clients get their turn
        finally:
            self._handling = None
            self._socket.resume_reading()

    async def _handle(self, text: str | None) -> None:
        if text is None:
            self._client.send(NO_TEXT)
        elif len(text) > messages.MAX_LENGTH:
            self._client.send(TOO_LONG)
        else:
            try:
                await self._handle_message(messages.read_message(text))
            except (messages.BadMessage, TableNotFound, StoreError) as error:
                self._client.send(messages.ErrorMessage(str(error)))
            except Exception:
                metrics.EXCEPTIONS.inc()
                logger.exception("A message could not be handled.")
                self._client.send(messages.ErrorMessage(FAILED))

    def _analyse(self, table: LiveTable, number: int | None) -> None:
        bucket, analyses = self._quota.analyses, self._manager.study.analyses
        if number is None:
            analyses.stop(self._client)
        elif bucket.take():
            analyses.start(self._client, table, number)
        else:
            analyses.stop(self._client)
            metrics.REJECTED.labels("analyses").inc()
            self._client.send(messages.Unanalysed(number, TOO_MANY_ANALYSES.format(bucket.seconds_to_wait())))

    async def _handle_message(self, message: messages.ClientMessage) -> None:
        """Carry out and answer a message. Raises TableNotFound and StoreError."""
        client, table = self._client, self._table
        if isinstance(message, messages.Join):
            self._table = await self._manager.join(client, message.table, message.codes, message.seen or None)
        elif isinstance(message, messages.Watch):
            await self._manager.leave(client)
            self._table = None
            if message.tournament:
                await self._manager.tournaments.watchers.watch(client, message.tournament)
            else:
                await self._manager.lobby.watch(client)
        elif table is None:
            client.send(NO_JOIN)
        elif isinstance(message, messages.Ping):
            client.send(messages.Pong(message.number))
        elif isinstance(message, messages.Pong):
            if client.line.answered(message.number):
                table.on_measured()
        elif isinstance(message, messages.Say):
            client.send(await table.say(client.viewer, message))
        elif isinstance(message, messages.Rules):
            client.send(await table.choose_rules(client.viewer, message))
        elif isinstance(message, messages.Look):
            client.send(await table.past(client.viewer, message.seq))
        elif isinstance(message, messages.History):
            client.send(await table.history(client.viewer, message.before))
        elif isinstance(message, messages.Solve):
            table.solve(client, message.seq)
        elif isinstance(message, messages.Analyse):
            self._analyse(table, message.seq)
        elif isinstance(message, messages.Hold):
            if error := table.hold(client, message.seat, message.what):
                client.send(error)
        elif isinstance(message, messages.Aim):
            if error := table.aim(client, message.seat, message.at):
                client.send(error)
        else:
            if isinstance(message, messages.Sit | messages.HandOver):
                client.add_code(message.code)
            if isinstance(message, messages.Act) and message.made and client.line.age(message.made) > ACT_LIFETIME_MS:
                message = msgspec.structs.replace(message, lapsed=True)
            started_at = time.perf_counter()
            verdict = await table.handle(client.viewer, message, client.line.known, client.line.silence)
            metrics.ANSWERS.observe(time.perf_counter() - started_at)
            (metrics.ACKNOWLEDGED if isinstance(verdict, messages.Ack) else metrics.REFUSED).inc()
            client.send(verdict)
            if isinstance(message, messages.Sit):
                self._manager.tables.remember(client)
