"""Bots at a table without turns: each is shown what its seat sees, and acts when it means to, as people do."""

from __future__ import annotations

import asyncio
import logging
import math
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live.worker import RETRY
from icetable.server.store.errors import StoreError
from icetable.server.table.clock import SECOND, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.live.autoplay import BotPool, RealTimeBot
    from icetable.server.live.table import LiveTable

T = TypeVar("T")

logger = logging.getLogger(__name__)


class RealTimeBots:
    """The bots of one table. They stand still while the table does, and while nobody is there to see them."""

    def __init__(self, table: LiveTable, bot_pool: BotPool) -> None:
        self._table = table
        self._thinkers = bot_pool
        self._players: dict[int, Player] = {}

    def look(self) -> None:
        """The table has changed: every bot looks at it. Bots have their seats once the lots are drawn."""
        table_state = self._table.state
        bots = table_state.bots if table_state.seating.started else {}
        for seat, player in list(self._players.items()):
            if bots.get(seat) != player.level:
                player.close()
                del self._players[seat]
        for seat, level in bots.items():
            if seat not in self._players:
                self._players[seat] = Player(self._table, self._thinkers, seat, level)
        for player in self._players.values():
            player.look()

    def close(self) -> None:
        """Play no more. There is nothing to wait for."""
        for player in self._players.values():
            player.close()


class Intended(NamedTuple):
    """What a bot means to do, in the position after a number of entries."""

    act: str
    entries: int


class Player:
    """One bot. While it waits for its moment there is no task, only a timer."""

    def __init__(self, table: LiveTable, bot_pool: BotPool, seat: int, level: str) -> None:
        self.level = level
        self._table = table
        self._thinkers = bot_pool
        self._seat = seat
        self._bot: RealTimeBot | None = None
        self._playing: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._must_look = True
        self._intended: Intended | None = None
        """What it does next: its moment has come."""
        self._is_closed = False

    def look(self) -> None:
        """The table has changed."""
        self._must_look = True
        self._wait_no_longer()
        self._play_on()

    def close(self) -> None:
        """Play no more; a thought that is under way comes to nothing."""
        self._is_closed = True
        self._wait_no_longer()

    def _wait_no_longer(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _play_on(self) -> None:
        if self._playing is None and self._may_play:
            self._playing = asyncio.create_task(self._play())

    @property
    def _may_play(self) -> bool:
        if self._is_closed or self._table.is_closed:
            return False
        return (
            self._table.autoplayer.awake.done()
            and self._seat in self._table.state.to_act
            and self._table.presence.plays_bots
        )

    async def _play(self) -> None:
        """Look and act until there is nothing to do but to wait."""
        table = self._table.itself()
        try:
            while self._may_play and (self._must_look or self._intended is not None):
                if self._intended is not None:
                    intended, self._intended = self._intended, None
                    await self._act(intended)
                else:
                    self._must_look = False
                    await self._look()
        except Exception:
            self._is_closed = True
            logger.exception("the bot at seat %s can't play at table %s", self._seat, table.state.setup.id)
            table.tell_all(messages.ErrorMessage("The computer player failed."))
        finally:
            self._playing = None

    async def _look(self) -> None:
        """Make up its mind, and wait for the moment that it means, unless the table changes before."""
        table_state = self._table.state
        if self._bot is None:
            self._bot = await self._think(lambda: self._thinkers.brains.RealTimeBot(table_state.game, self.level))
        bot, view, entries, seen_at = self._bot, self._table.views.seen(self._seat), table_state.entries, self._time()
        act, at = await self._think(lambda: bot.next(view, seen_at))
        if self._must_look or self._is_closed or at == math.inf:
            return
        intended = None if act is None else Intended(act, entries)
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(max(0.0, at - self._time()), self._moment_has_come, intended)

    def _moment_has_come(self, intended: Intended | None) -> None:
        self._alarm = None
        self._intended, self._must_look = intended, True  # it looks again in any case, after its act
        self._play_on()

    async def _act(self, intended: Intended) -> None:
        """Act in the position that was seen. In another one the bot has to look again."""
        table_state = self._table.state
        try:
            await self._table.enter(
                lambda at: (
                    table_state.act_for_bot(self._seat, intended.act, at)
                    if table_state.entries == intended.entries and not self._is_closed
                    else None
                )
            )
        except GameError:  # the rules know better than the bot
            assert self._bot is not None
            self._bot.refused()
        except StoreError as error:
            self._table.tell_all(messages.ErrorMessage(str(error)))
            await asyncio.sleep(RETRY)

    async def _think(self, think: Callable[[], T]) -> T:
        level = self._thinkers.level(self._table.state.game, self.level)
        return await asyncio.wrap_future(self._thinkers.think(self._table.state.setup.id, level, lambda _: think()))

    def _time(self) -> float:
        """The table's time, in seconds."""
        return self._table.state.time(now()) / SECOND
