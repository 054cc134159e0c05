"""Tables replayed from their logs; requests soon after each other share a replay."""

from __future__ import annotations

import asyncio
import functools
import logging
from typing import TYPE_CHECKING, NamedTuple

from icetable.core import record
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live.shared_games import with_game
from icetable.server.live.turns import visitor
from icetable.server.logs import about
from icetable.server.table import recorded
from icetable.server.table.errors import TableNotFound, Tampered
from icetable.server.table.state import TableState

if TYPE_CHECKING:
    from typing import Any

    from icetable.server.live.turns import Turns
    from icetable.server.store.store import Store

REPLAY_SECONDS = 2.0
"""For how many seconds a replay is kept for further requests, where no other process can add to the log meanwhile."""

logger = logging.getLogger(__name__)


class Replay(NamedTuple):
    """A replay of a table's log, and the address of the visitor that it is for."""

    address: str
    task: asyncio.Task[TableState]


class Replays:
    """The replays that are under way, or were made just now."""

    def __init__(self, store: Store, turns: Turns) -> None:
        self._store = store
        self._turns = turns
        self._replays: dict[str, Replay] = {}

    def tasks(self) -> list[asyncio.Task[TableState]]:
        """What is under way or kept."""
        return [replay.task for replay in self._replays.values()]

    def forget(self, table_id: str) -> None:
        """Keep no replay of a table."""
        self._replays.pop(table_id, None)

    def keeps(self, table_id: str, table_state: TableState) -> bool:
        """Whether this is the table's replay that is kept, so that it was not open meanwhile."""
        replay = self._replays.get(table_id)
        return replay is not None and replay.task.done() and replay.task.result() is table_state

    def clear(self) -> None:
        """Keep none at all."""
        self._replays.clear()

    async def of(self, table_id: str) -> TableState:
        """A table replayed from its log. Raises TableNotFound or StoreError.

        What waits for the turn of one visitor is not shared with others.
        """
        address, replay = visitor.get(), self._replays.get(table_id)
        if replay is None or not (replay.address == address or replay.task.done()):
            replay = Replay(address, asyncio.create_task(self._replay_in_turn(table_id)))
            self._replays[table_id] = replay
        return await asyncio.shield(replay.task)

    async def _replay_in_turn(self, table_id: str) -> TableState:
        kept = 0.0
        try:
            table_state = await self._turns.run(functools.partial(self._read_state, table_id))
            kept = 0.0 if self._store.is_shared else REPLAY_SECONDS
            return table_state
        finally:
            replay = asyncio.current_task()
            if kept:
                asyncio.get_running_loop().call_later(kept, self._forget_replay, table_id, replay)
            else:
                self._forget_replay(table_id, replay)

    def _forget_replay(self, table_id: str, replay: asyncio.Task[Any] | None) -> None:
        if table_id in self._replays and self._replays[table_id].task is replay:
            del self._replays[table_id]

    def _read_state(self, table_id: str) -> TableState:
        """A table replayed from its log, in this thread. Raises TableNotFound or StoreError."""
        try:
            settled = self._store.setup(table_id)
            if settled is None and (kept := self._store.record(table_id)) is not None:
                table_state = recorded.table_of(record.read_head(kept[0]), kept[0], table_id, kept[1])
            else:
                table_state = TableState(*with_game(settled), self._store.entries(table_id))
        except Tampered as error:
            logger.error("the log of a table was changed", extra=about(error, table=table_id))
            raise TableNotFound("This table can't be opened: its log has been changed since it was kept.") from None
        except GameError as error:
            logger.error("the log of a table does not fit the rules", extra=about(error, table=table_id))
            raise TableNotFound("This table can't be opened: its log does not fit the rules as they are now.") from None
        table_state.positions.preload(messages.PAGE)  # for clients, which would else make others wait for it
        return table_state
