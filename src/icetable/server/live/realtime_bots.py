"""The bots at a table of a game without turns: each sees what its seat sees, and chooses when to act."""

from __future__ import annotations

import asyncio
import logging
import math
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from icetable.core.errors import GameError
from icetable.core.realtime import STANDSTILL_MS, RealTimeGame
from icetable.server import messages, metrics
from icetable.server.live.worker import RETRY_SECONDS
from icetable.server.logs import about
from icetable.server.store.errors import StoreError
from icetable.server.table.clock import SECOND, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.bots import RealTimeBot
    from icetable.server.live.bot_pool import BotPool
    from icetable.server.live.host import TableHost

T = TypeVar("T")

logger = logging.getLogger(__name__)


class RealTimeBots:
    """The bots of one table. They play while it is open, in one server process."""

    def __init__(self, host: TableHost, bot_pool: BotPool) -> None:
        self._host = host
        self._bot_pool = bot_pool
        self._players: dict[int, SeatedBot] = {}

    def update(self) -> None:
        """The table has changed: every bot looks at it again. Bots get their seats once the lots are drawn."""
        table_state = self._host.state
        bots = table_state.bots if table_state.seating.started else {}
        for seat, player in list(self._players.items()):
            if bots.get(seat) != player.level:
                player.stop()
                del self._players[seat]
        for seat, level in bots.items():
            if seat not in self._players:
                self._players[seat] = SeatedBot(self._host, self._bot_pool, seat, level)
        for player in self._players.values():
            player.update()

    def close(self) -> None:
        """Act no more."""
        for player in self._players.values():
            player.stop()


class Intended(NamedTuple):
    """An act that a bot chose when the table had `entries` entries."""

    act: str
    entries: int


class SeatedBot:
    """One bot. While it waits for its moment there is a timer and no task."""

    def __init__(self, host: TableHost, bot_pool: BotPool, seat: int, level: str) -> None:
        self.level = level
        self._host = host
        self._bot_pool = bot_pool
        self._seat = seat
        self._bot: RealTimeBot | None = None
        self._playing: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._must_look = True
        self._intended: Intended | None = None
        """The act whose moment has come."""
        self._is_stopped = False

    def update(self) -> None:
        """The table has changed."""
        self._must_look = True
        self._cancel_timer()
        self._play_on()

    def stop(self) -> None:
        """Act no more; a thought that is under way comes to nothing."""
        self._is_stopped = True
        self._cancel_timer()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _play_on(self) -> None:
        if self._playing is None and self._may_play:
            self._playing = self._host.create_task(self._play())

    @property
    def _may_play(self) -> bool:
        return not self._is_stopped and self._seat in self._host.state.to_act and self._host.is_leader

    async def _play(self) -> None:
        """Look and act until there is nothing left but to wait."""
        try:
            while self._may_play and (self._must_look or self._intended is not None):
                if self._intended is not None:
                    intended, self._intended = self._intended, None
                    await self._act(intended)
                else:
                    self._must_look = False
                    await self._look()
        except Exception:
            self._is_stopped = True
            metrics.EXCEPTIONS.inc()
            logger.exception("a bot can't play", extra=about(table=self._host.state.setup.id, seat=self._seat))
            self._host.broadcast(messages.ErrorMessage("The computer player failed."))
        finally:
            self._playing = None

    async def _look(self) -> None:
        """Let the bot choose an act and its moment, and set a timer unless the table has changed meanwhile."""
        table_state = self._host.state
        make_bot = self._bot_pool.factory.make_realtime_bot
        if self._bot is None:
            self._bot = await self._run(lambda: make_bot(table_state.game, self.level))
        bot, view, entries, seen_at = self._bot, self._host.views.seen(self._seat), table_state.entries, self._time()
        act, at = await self._run(lambda: bot.next(view, seen_at))
        if self._must_look or self._is_stopped or at == math.inf:
            return
        intended = None if act is None else Intended(act, entries)
        loop = asyncio.get_running_loop()
        at = max(at, self._still_until)
        self._timer = loop.call_later(max(0.0, at - self._time()), self._on_timer, intended)

    @property
    def _still_until(self) -> float:
        """When play goes on that stands still for a call: no page lets a hand move before."""
        table_state = self._host.state
        game = table_state.game
        assert isinstance(game, RealTimeGame)
        recent = table_state.unseen(0, now(), STANDSTILL_MS)
        calls = [state.at for state in recent if state.at is not None and game.stops_play(state)]
        return (calls[-1] + STANDSTILL_MS) / SECOND if calls else 0.0

    def _on_timer(self, intended: Intended | None) -> None:
        self._timer = None
        self._intended, self._must_look = intended, True  # it looks again in any case, after its act
        self._play_on()

    async def _act(self, intended: Intended) -> None:
        """Act, unless the table has changed since the bot chose the act: then the bot has to look again."""
        table_state = self._host.state
        try:
            await self._host.append(
                lambda at: (
                    table_state.entry_for_bot(self._seat, intended.act, at)
                    if table_state.entries == intended.entries and not self._is_stopped
                    else None
                )
            )
        except GameError:  # the bot has misjudged the rules
            assert self._bot is not None
            self._bot.refused()
        except StoreError as error:
            self._host.broadcast(messages.ErrorMessage(str(error)))
            await asyncio.sleep(RETRY_SECONDS)

    async def _run(self, think: Callable[[], T]) -> T:
        """Run a thought of this bot in the pool's threads."""
        level = self._bot_pool.level(self._host.state.game, self.level)
        return await asyncio.wrap_future(self._bot_pool.submit(self._host.state.setup.id, level, lambda _: think()))

    def _time(self) -> float:
        """The table's time, in seconds."""
        return self._host.state.time(now()) / SECOND
