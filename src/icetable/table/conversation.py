"""The conversation at a table: what people say is kept, and told to those who see the game."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, TypeVar

from icetable.table import whispers, wire
from icetable.table.log import Log, LogError, Taken, answered
from icetable.table.rooms import sentence
from icetable.table.seating import BadTable
from icetable.table.talk import SHOWN, Remark, Talk, checked_text, told
from icetable.table.timing import now

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from icetable.table.live import Table, Visitor
    from icetable.table.rooms import Viewer

T = TypeVar("T")


class Conversation:
    """Lets people at a table talk. `remarks` are the last of what was said before it was opened."""

    def __init__(self, table: Table, remarks: list[Remark], log: Log) -> None:
        self._table = table
        self._log = log
        self._talk = Talk(remarks)
        self._lock = asyncio.Lock()
        self._errands: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """End, when all that is under way is done."""
        while self._errands:
            await asyncio.wait(self._errands)

    def welcome(self, visitor: Visitor) -> None:
        """Somebody comes, or sees the game from now on: they are told what was said."""
        said = self._talk.said()
        if said is not None and self._table.room.sees(visitor.viewer):
            visitor.tell(said)

    async def say(self, viewer: Viewer, request: wire.Say) -> wire.Ack | wire.Refused:
        """Keep what somebody says, tell everybody, and answer. It is seen through even if the caller goes away."""
        return await asyncio.shield(self._begin(self._say(viewer, request)))

    async def _say(self, viewer: Viewer, request: wire.Say) -> wire.Ack | wire.Refused:
        room = self._table.room
        speaker = min(room.viewer_with(viewer.locks).seats, default=None)  # they may have handed it over meanwhile
        if speaker is None:
            return _refused(request, "no-seat", "Only who holds a seat at this table may talk here.")
        async with self._lock:
            try:
                key = f"{speaker}:{request.id}"
                if not self._talk.knows(key):
                    text = checked_text(request.text)
                    self._talk.hold_back(speaker)
                    await self._keep(speaker, room.seating.seats[speaker].name, text, key)
            except BadTable as error:
                return _refused(request, "not-said", sentence(error))
            except LogError as error:
                return _refused(request, "not-kept", str(error))
        return wire.Ack(request.id, room.acts)

    async def _keep(self, seat: int, name: str, text: str, client_id: str) -> None:
        """Keep a remark once, behind those that others make at the same time. Raises LogError."""
        while True:
            remark = Remark(self._talk.last + 1, seat, name, now(), text, client_id)
            try:
                await answered(self._log.say(self._table.room.charter.id, remark))
                self._take([remark])
                break
            except Taken:
                if not await self._read_on() or self._talk.knows(client_id):
                    break  # it has been said already
        self._table.whisper(whispers.Spoken())

    async def listen(self) -> None:
        """Take in what was said by way of other processes. Raises LogError."""
        async with self._lock:
            await self._read_on()

    def listen_by_and_by(self) -> None:
        """`listen`, and nobody waits for it: whispers may have been lost."""

        async def listen() -> None:
            with contextlib.suppress(LogError):  # whoever talks next will read it
                await self.listen()

        _ = self._begin(listen())

    async def _read_on(self) -> list[Remark]:
        """What was said and is new here. Raises LogError."""
        return self._take(await asyncio.to_thread(self._log.talk, self._table.room.charter.id, self._talk.last, SHOWN))

    def _take(self, remarks: list[Remark]) -> list[Remark]:
        new = self._talk.take(remarks)
        if new:
            self._table.tell_all(told(new))
        return new

    def _begin(self, errand: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        return task


def _refused(request: wire.Say, code: str, message: str) -> wire.Refused:
    return wire.Refused(request.id, wire.Fault(code, message, None, []))
