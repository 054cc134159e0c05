"""The conversation at a table: what people say is kept, and told to those who see the game."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, TypeVar

from icetable.server import messages
from icetable.server.store import pubsub
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.store import Store
from icetable.server.store.waits import written
from icetable.server.table.chat import SHOWN, Chat, ChatMessage, checked_text, told
from icetable.server.table.clock import now
from icetable.server.table.errors import BadTable, sentence

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from icetable.server.live.table import Client, LiveTable
    from icetable.server.table.viewers import Viewer

T = TypeVar("T")


class LiveChat:
    """Lets people at a table talk. `remarks` are the last of what was said before it was opened."""

    def __init__(self, table: LiveTable, remarks: list[ChatMessage], log: Store) -> None:
        self._table = table
        self._log = log
        self._talk = Chat(remarks)
        self._lock = asyncio.Lock()
        self._errands: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """End, when all that is under way is done."""
        while self._errands:
            await asyncio.wait(self._errands)

    def welcome(self, client: Client) -> None:
        """Somebody comes, or sees the game from now on: they are told what was said."""
        said = self._talk.said()
        if said is not None and self._table.state.sees(client.viewer):
            client.tell(said)

    async def say(self, viewer: Viewer, request: messages.Say) -> messages.Ack | messages.Refused:
        """Keep what somebody says, tell everybody, and answer. It is seen through even if the caller goes away."""
        return await asyncio.shield(self._begin(self._say(viewer, request)))

    async def _say(self, viewer: Viewer, request: messages.Say) -> messages.Ack | messages.Refused:
        table_state = self._table.state
        speaker = min(
            table_state.viewer_with(viewer.code_hashes).seats, default=None
        )  # they may have handed it over meanwhile
        if speaker is None:
            return _refused(request, "no-seat", "Only who holds a seat at this table may talk here.")
        async with self._lock:
            try:
                key = f"{speaker}:{request.id}"
                if not self._talk.knows(key):
                    text = checked_text(request.text)
                    self._talk.hold_back(speaker)
                    await self._keep(speaker, table_state.seating.seats[speaker].name, text, key)
            except BadTable as error:
                return _refused(request, "not-said", sentence(error))
            except StoreError as error:
                return _refused(request, "not-kept", str(error))
        return messages.Ack(request.id, table_state.acts)

    async def _keep(self, seat: int, name: str, text: str, client_id: str) -> None:
        """Keep a remark once, behind those that others make at the same time. Raises LogError."""
        while True:
            remark = ChatMessage(self._talk.last + 1, seat, name, now(), text, client_id)
            try:
                await written(self._log.append_chat(self._table.state.setup.id, remark))
                self._take([remark])
                break
            except Conflict:
                if not await self._read_on() or self._talk.knows(client_id):
                    break  # it has been said already
        self._table.whisper(pubsub.Spoken())

    async def listen(self) -> None:
        """Take in what was said by way of other processes. Raises LogError."""
        async with self._lock:
            await self._read_on()

    def listen_by_and_by(self) -> None:
        """`listen`, and nobody waits for it: whispers may have been lost."""

        async def listen() -> None:
            with contextlib.suppress(StoreError):  # whoever talks next will read it
                await self.listen()

        _ = self._begin(listen())

    async def _read_on(self) -> list[ChatMessage]:
        """What was said and is new here. Raises LogError."""
        return self._take(await asyncio.to_thread(self._log.chat, self._table.state.setup.id, self._talk.last, SHOWN))

    def _take(self, remarks: list[ChatMessage]) -> list[ChatMessage]:
        new = self._talk.add(remarks)
        if new:
            self._table.tell_all(told(new))
        return new

    def _begin(self, errand: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        return task


def _refused(request: messages.Say, code: str, message: str) -> messages.Refused:
    return messages.Refused(request.id, messages.Fault(code, message, None, []))
