"""Bots at a table without turns: each is shown what its seat sees, and acts when it means to, like everybody."""

from __future__ import annotations

import asyncio
import logging
import math
from typing import TYPE_CHECKING

from icetable.core.errors import GameError
from icetable.table import wire
from icetable.table.log import LogError
from icetable.table.timing import SECOND, now

if TYPE_CHECKING:
    from icetable.table.bots import RealTimeBot, Thinkers
    from icetable.table.live import Table

RETRY = 5.0
"""How many seconds to wait where an act could not be kept."""

logger = logging.getLogger(__name__)


class Hands:
    """The bots of one table. They stand still while the table does, and while nobody is there to see them."""

    def __init__(self, table: Table, thinkers: Thinkers) -> None:
        self._table = table
        self._thinkers = thinkers
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._changed: dict[int, asyncio.Event] = {}

    def look(self) -> None:
        """The table has changed: every bot looks at it, and one that has just taken a seat begins to play."""
        for seat, level in self._table.room.bots.items():
            if seat not in self._tasks:
                self._changed[seat] = asyncio.Event()
                self._tasks[seat] = asyncio.create_task(self._play(seat, level))
        for changed in self._changed.values():
            changed.set()

    async def close(self) -> None:
        """Play no more."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _play(self, seat: int, level: str) -> None:
        try:
            await asyncio.shield(self._table.machine.awake)
            bot = await self._thinkers.think(self._thinkers.brains.RealTimeBot, self._table.room.game, level)
            while not self._table.room.is_over:
                await self._step(bot, seat)
        except Exception:
            logger.exception("the bot at seat %s can't play at table %s", seat, self._table.room.charter.id)
            self._table.tell_all(wire.ErrorMessage("The computer player failed."))

    async def _step(self, bot: RealTimeBot, seat: int) -> None:
        """Look, wait for the moment that the bot means, and act then if nothing has changed meanwhile."""
        room, changed = self._table.room, self._changed[seat]
        changed.clear()
        if seat not in room.to_act or not self._table.company.plays_bots:
            await changed.wait()
            return
        entries = room.entries
        clock = asyncio.get_running_loop().time
        seen_at = clock() - room.time(now()) / SECOND
        act, at = await self._thinkers.think(bot.next, self._table.gate.seen(seat), clock() - seen_at)
        try:
            await asyncio.wait_for(changed.wait(), None if at == math.inf else max(0.0, at - (clock() - seen_at)))
        except TimeoutError:
            if act is not None:
                await self._act(bot, seat, act, entries)

    async def _act(self, bot: RealTimeBot, seat: int, act: str, entries: int) -> None:
        """Act in the position that was seen. In another one the bot has to look again."""
        room = self._table.room
        try:
            await self._table.enter(lambda at: room.act(seat, act, at) if room.entries == entries else None)
        except GameError:  # the rules know better than the bot
            bot.refused()
        except LogError as error:
            self._table.tell_all(wire.ErrorMessage(str(error)))
            await asyncio.sleep(RETRY)
