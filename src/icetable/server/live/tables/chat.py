"""The chat at a table: messages are stored, and sent to the clients that may see the game."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET

from icetable.server import messages
from icetable.server.chat import MAX_SHOWN, Chat, ChatMessage, checked_text, public_messages, sent
from icetable.server.errors import BadTable, sentence
from icetable.server.store import pubsub
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.store import Store
from icetable.server.table.clock import now

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine

    from icetable.server.live.tables.client import Client
    from icetable.server.live.tables.host import TableHost
    from icetable.server.table.viewers import Viewer

T = TypeVar("T")


class LiveChat:
    """The chat of one table. `recent`: the last messages before the table was opened."""

    def __init__(self, host: TableHost, recent: list[ChatMessage], store: Store) -> None:
        self._host = host
        self._store = store
        self._chat = Chat(recent)
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Wait for the running tasks."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def forget(self) -> None:
        """Drop all messages."""
        async with self._lock:
            self._chat = Chat()

    async def erase(self, names: Collection[str]) -> bool:
        """Erase these names from the messages; return whether any had one."""
        async with self._lock:
            return self._chat.erase(names)

    def join(self, client: Client) -> None:
        """Send the recent messages to a client that has joined or may now see the game."""
        recent = self._chat.said()
        if recent is not None and self._host.state.can_see(client.viewer):
            client.send(recent)

    async def say(self, viewer: Viewer, request: messages.Say) -> messages.Ack | messages.Refused:
        """Store a message, send it to the clients, and answer. Completes even if the caller is cancelled."""
        return await asyncio.shield(self._create_task(self._say(viewer, request)))

    async def _say(self, viewer: Viewer, request: messages.Say) -> messages.Ack | messages.Refused:
        table_state = self._host.state
        current = table_state.viewer_with(viewer.code_hashes)  # the seat may have been handed over meanwhile
        speaker = min(current.seats, default=None)
        if speaker is None:
            return _refused(request, "no-seat", "Only players at this table can chat.")
        if request.remark is not UNSET and not table_state.game.info.is_plain:
            return _refused(request, "not-said", "Remarks are for the designers of prototypes.")
        remark = None if request.remark is UNSET else min(request.remark, table_state.acts)
        async with self._lock:
            try:
                key = f"{speaker}:{request.id}"
                if not self._chat.knows(key):
                    text = checked_text(request.text)
                    self._chat.take_token(speaker)
                    await self._append(speaker, table_state.seating.seats[speaker].shown_name, text, key, remark=remark)
            except BadTable as error:
                return _refused(request, "not-said", sentence(error))
            except StoreError as error:
                return _refused(request, "not-kept", str(error))
        return messages.Ack(request.id, table_state.acts)

    async def _append(self, seat: int, name: str, text: str, client_id: str, *, remark: int | None) -> None:
        """Store a message once, after those of other processes. Raises StoreError."""
        while True:
            message = ChatMessage(self._chat.last + 1, seat, name, now(), text, client_id, remark)
            try:
                await written(self._store.chat.append_message(self._host.state.setup.id, message))
                self._apply([message])
                break
            except Conflict:
                has_new = await self._read_new()
                if self._chat.knows(client_id) or await self._is_stored(client_id):
                    break  # an earlier attempt stored it
                if not has_new:
                    raise self._store.logs.unreadable_entry(self._host.state.setup.id) from None
        self._host.publish(pubsub.Spoken())

    async def catch_up(self) -> None:
        """Read and show the messages that other processes have stored. Raises StoreError."""
        async with self._lock:
            await self._read_new()

    def start_catch_up(self) -> None:
        """Catch up in the background."""

        async def catch_up() -> None:
            with contextlib.suppress(StoreError):  # the next message sent here catches up
                await self.catch_up()

        _ = self._create_task(catch_up())

    async def _read_new(self) -> list[ChatMessage]:
        """Show the messages that are new here, and return them. Raises StoreError."""
        return self._apply(
            await asyncio.to_thread(self._store.chat.messages, self._host.state.setup.id, self._chat.last, MAX_SHOWN)
        )

    async def _is_stored(self, client_id: str) -> bool:
        return await asyncio.to_thread(self._store.chat.has, self._host.state.setup.id, client_id)

    def _apply(self, chat_messages: list[ChatMessage]) -> list[ChatMessage]:
        new = self._chat.add(chat_messages)
        if public := public_messages(new):
            self._host.broadcast(sent(public))
        return new

    def _create_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _refused(request: messages.Say, code: str, message: str) -> messages.Refused:
    return messages.Refused(request.id, messages.Fault(code, message, None, []))
