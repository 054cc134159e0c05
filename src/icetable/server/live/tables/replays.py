"""Replays of tables from their logs, shared by requests in quick succession."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from typing import TYPE_CHECKING, NamedTuple

from icetable import games
from icetable.core import record
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.apart.games import ApartInfo
from icetable.server.errors import TableNotFound, Tampered
from icetable.server.live.fair_queue import client_address
from icetable.server.live.tables.shared_games import with_game
from icetable.server.live.tables.versions import version_of
from icetable.server.logs import about
from icetable.server.table.log import NewRules
from icetable.server.table.state import TableState, recorded_table
from icetable.workshop.guard import DesignError

if TYPE_CHECKING:
    from typing import Any

    from icetable.core.game import GameInfo
    from icetable.server.live.fair_queue import FairScheduler
    from icetable.server.store.store import Store
    from icetable.server.table.log import Entry
    from icetable.server.table.setup import TableSetup

REPLAY_SECONDS = 2.0
"""How long a replay is cached for further requests, if no other process can append to the log."""

logger = logging.getLogger(__name__)


class Replay(NamedTuple):
    """A replay of a table's log."""

    address: str
    """The address of the client that requested it."""
    task: asyncio.Task[TableState]


class Replays:
    """The running and the cached replays."""

    def __init__(self, store: Store, scheduler: FairScheduler) -> None:
        self._store = store
        self._scheduler = scheduler
        self._replays: dict[str, Replay] = {}

    def tasks(self) -> list[asyncio.Task[TableState]]:
        """The tasks of the running and the cached replays."""
        return [replay.task for replay in self._replays.values()]

    def forget(self, table_id: str) -> None:
        self._replays.pop(table_id, None)

    def is_cached(self, table_id: str, table_state: TableState) -> bool:
        """Whether this state is the cached replay, so the table has not been open meanwhile."""
        replay = self._replays.get(table_id)
        return replay is not None and replay.task.done() and replay.task.result() is table_state

    def clear(self) -> None:
        self._replays.clear()

    async def of(self, table_id: str) -> TableState:
        """Replay a table from its log. Raises TableNotFound or StoreError.

        A replay that waits for one client's turn is not shared with others.
        """
        address, replay = client_address.get(), self._replays.get(table_id)
        if replay is None or not (replay.address == address or replay.task.done()):
            replay = Replay(address, asyncio.create_task(self._replay_in_turn(table_id)))
            self._replays[table_id] = replay
        return await asyncio.shield(replay.task)

    async def _replay_in_turn(self, table_id: str) -> TableState:
        cache_seconds = 0.0
        try:
            info = await asyncio.to_thread(self._info_of, table_id)
            table_state = await self._scheduler.run(functools.partial(self._read_state, table_id), info)
            cache_seconds = 0.0 if self._store.database.is_shared else REPLAY_SECONDS
            return table_state
        finally:
            replay = asyncio.current_task()
            if cache_seconds:
                asyncio.get_running_loop().call_later(cache_seconds, self._forget_replay, table_id, replay)
            else:
                self._forget_replay(table_id, replay)

    def _forget_replay(self, table_id: str, replay: asyncio.Task[Any] | None) -> None:
        if table_id in self._replays and self._replays[table_id].task is replay:
            del self._replays[table_id]

    def _info_of(self, table_id: str) -> GameInfo | None:
        """The game of a table whose file has a thread of its own; None for other tables. Raises StoreError."""
        if not any(isinstance(info, ApartInfo) for info in games.list_games()):
            return None
        table_setup, stored = self._store.tables.setup(table_id), None
        if table_setup is None:
            stored = self._store.records.get(table_id)
        with contextlib.suppress(GameError):
            if table_setup is not None:
                return games.info(table_setup.game)
            if stored is not None:
                return games.info(record.read_head(stored[0]).game)
        return None

    def _read_state(self, table_id: str) -> TableState:
        """Replay a table in the current thread. Raises TableNotFound or StoreError."""
        table_setup = None
        try:
            table_setup = self._store.tables.setup(table_id)
            if table_setup is None and (stored := self._store.records.get(table_id)) is not None:
                table_state = recorded_table(record.read_head(stored[0]), stored[0], table_id, stored[1])
            else:
                table_state = replayed(self._store, table_setup, self._store.logs.entries(table_id))
        except Tampered as error:
            logger.error("the log of a table was changed", extra=about(error, table=table_id))
            raise TableNotFound("This table can't be opened: its log has been changed since it was stored.") from None
        except DesignError as error:
            logger.warning("a table can't be opened, as the game's file fails", extra=about(error, table=table_id))
            raise TableNotFound(f"This table can't be opened until the game's file is mended: {error}.") from None
        except GameError as error:
            logger.error("the log of a table does not fit the rules", extra=about(error, table=table_id))
            raise TableNotFound(_refused_by(table_setup)) from None
        table_state.positions.preload(messages.LINES_PER_PAGE)  # for clients; computing them later would delay others
        return table_state


def _refused_by(table_setup: TableSetup | None) -> str:
    """Why a table can't be opened whose log does not fit the rules, and what to do about it."""
    with contextlib.suppress(GameError):
        info = None if table_setup is None else games.info(table_setup.game)
        if isinstance(info, ApartInfo):
            return (
                f"This table can't be opened now: {info.file.name} has other rules than those that it was played by, "
                "and they refuse one of its moves or its options. Nothing is lost: it opens again once the file allows "
                "them, as it did before."
            )
    return "This table can't be opened: its log does not fit the current rules."


def replayed(store: Store, table_setup: TableSetup | None, entries: list[Entry]) -> TableState:
    """Replay a table by its game or, if that refuses its acts, by the file that it was played by last.

    Raises TableNotFound, GameError or StoreError.
    """
    try:
        return TableState(*with_game(table_setup), entries)
    except Tampered:
        raise
    except GameError:
        assert table_setup is not None
        info = games.info(table_setup.game)
        with contextlib.suppress(GameError):
            before = version_of(store, info, source_of(table_setup, entries))
            if before is not None:
                return TableState(table_setup, before.load_stored(table_setup.options), entries)
        raise


def source_of(table_setup: TableSetup, entries: list[Entry]) -> str | None:
    """The source of the file that a table was played by last, if its game has one."""
    changes = [event.source for entry in entries if isinstance(event := entry.event(), NewRules)]
    return changes[-1] if changes else table_setup.terms.source
