"""What a table does by itself: chance, time and bots, each one step after another."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.store.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.server.live.table import LiveTable

RETRY = 5.0
"""How many seconds to wait where an act could not be kept."""
FINISHING = 2.0
"""How many seconds a table that closes waits for a step that is under way."""

logger = logging.getLogger(__name__)


class Worker:
    """Something that a table does whenever it is due, one step at a time, as long as the table is open.

    A step that could not be kept is tried again after a while. One that failed is not, until the table changes. Nothing
    cancels a step: each looks at the table as it is when its moment has come.
    """

    def __init__(self, table: LiveTable, is_due: Callable[[], bool], step: Callable[[], Awaitable[None]]) -> None:
        self._table = table
        self._is_due = is_due
        self._step = step
        self._running: asyncio.Task[None] | None = None
        self._failed_at = -1
        """How many entries the table had when a step failed."""
        self._has_news = False
        """Whether the table has changed since the last step began. Without news no step follows another."""

    def look(self) -> None:
        """The table has changed: begin if it is due and not being done."""
        self._has_news = True
        if self._running is None and self._is_wanted:
            self._running = asyncio.create_task(self._run())

    async def finish(self) -> None:
        """Wait, within a bound, until it is done and no longer due."""
        if self._running is not None:
            await asyncio.wait([self._running], timeout=FINISHING)

    def close(self) -> None:
        """Begin no more, and hold on to nothing."""
        self._is_due, self._step = _never, _do_nothing

    @property
    def _is_wanted(self) -> bool:
        return not self._table.is_closed and self._table.state.entries != self._failed_at and self._is_due()

    async def _run(self) -> None:
        table = self._table.itself()
        try:
            while self._has_news and self._is_wanted:
                self._has_news = False
                try:
                    await self._step()
                except StoreError as error:
                    table.tell_all(messages.ErrorMessage(str(error)))
                    await asyncio.sleep(RETRY)
                    self._has_news = True
        except Exception:
            self._failed_at = table.state.entries
            logger.exception("nature or a bot can't act at table %s", table.state.setup.id)
            table.tell_all(messages.ErrorMessage("The computer player failed. Taking back an act may help."))
        finally:
            self._running = None


def _never() -> bool:
    return False


async def _do_nothing() -> None: ...
