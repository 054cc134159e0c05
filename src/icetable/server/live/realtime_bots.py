"""The bots of a game without turns: each sees the view of its seat, and chooses when to act."""

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
        self._bots: dict[int, SeatedBot] = {}

    def update(self) -> None:
        """Let every bot choose again after a change of the table. Bots have seats once lots are drawn."""
        table_state = self._host.state
        bots = table_state.bots if table_state.seating.started else {}
        for seat, bot in list(self._bots.items()):
            if bots.get(seat) != bot.level:
                bot.stop()
                del self._bots[seat]
        for seat, level in bots.items():
            if seat not in self._bots:
                self._bots[seat] = SeatedBot(self._host, self._bot_pool, seat, level)
        for bot in self._bots.values():
            bot.update()

    def close(self) -> None:
        for bot in self._bots.values():
            bot.stop()


class ChosenAct(NamedTuple):
    """An act that a bot has chosen when the table had `entries` entries."""

    act: str
    entries: int


class SeatedBot:
    """One bot. While it waits for the moment of its act it has a timer and no task."""

    def __init__(self, host: TableHost, bot_pool: BotPool, seat: int, level: str) -> None:
        self.level = level
        self._host = host
        self._bot_pool = bot_pool
        self._seat = seat
        self._bot: RealTimeBot | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._must_choose = True
        self._due_act: ChosenAct | None = None
        """The act that is due now."""
        self._is_stopped = False

    def update(self) -> None:
        """Choose again after a change of the table."""
        self._must_choose = True
        self._cancel_timer()
        self._start_playing()

    def stop(self) -> None:
        """Stop acting, and discard the result of a running search."""
        self._is_stopped = True
        self._cancel_timer()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start_playing(self) -> None:
        if self._task is None and self._may_play:
            self._task = self._host.create_task(self._play())

    @property
    def _may_play(self) -> bool:
        return not self._is_stopped and self._seat in self._host.state.to_act and self._host.is_leader

    async def _play(self) -> None:
        """Choose and act until there is nothing to do but wait."""
        try:
            while self._may_play and (self._must_choose or self._due_act is not None):
                if self._due_act is not None:
                    chosen, self._due_act = self._due_act, None
                    await self._act(chosen)
                else:
                    self._must_choose = False
                    await self._choose()
        except Exception:
            self._is_stopped = True
            metrics.EXCEPTIONS.inc()
            logger.exception("a bot can't play", extra=about(table=self._host.state.setup.id, seat=self._seat))
            self._host.broadcast(messages.ErrorMessage("The computer player failed."))
        finally:
            self._task = None

    async def _choose(self) -> None:
        """Let the bot choose an act and its time, and set a timer unless the table has changed meanwhile."""
        table_state = self._host.state
        make_bot = self._bot_pool.factory.make_realtime_bot
        if self._bot is None:
            self._bot = await self._run(lambda: make_bot(table_state.game, self.level))
        bot, view, entries, seen_at = self._bot, self._host.views.seen(self._seat), table_state.entries, self._time()
        act, at = await self._run(lambda: bot.next(view, seen_at))
        if self._must_choose or self._is_stopped or at == math.inf:
            return
        chosen = None if act is None else ChosenAct(act, entries)
        loop = asyncio.get_running_loop()
        at = max(at, self._standstill_end)
        self._timer = loop.call_later(max(0.0, at - self._time()), self._on_timer, chosen)

    @property
    def _standstill_end(self) -> float:
        """When play resumes after a standstill for a call, in which no page lets a hand move."""
        table_state = self._host.state
        game = table_state.game
        assert isinstance(game, RealTimeGame)
        recent = table_state.unseen(0, now(), STANDSTILL_MS)
        calls = [state.at for state in recent if state.at is not None and game.stops_play(state)]
        return (calls[-1] + STANDSTILL_MS) / SECOND if calls else 0.0

    def _on_timer(self, chosen: ChosenAct | None) -> None:
        self._timer = None
        self._due_act, self._must_choose = chosen, True  # it chooses again in any case, after its act
        self._start_playing()

    async def _act(self, chosen: ChosenAct) -> None:
        """Act, unless the table has changed since the bot chose the act: then it has to choose again."""
        table_state = self._host.state
        try:
            await self._host.append(
                lambda at: (
                    table_state.entry_for_bot(self._seat, chosen.act, at)
                    if table_state.entries == chosen.entries and not self._is_stopped
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
        """Run a search of this bot in the pool's threads."""
        level = self._bot_pool.level(self._host.state.game, self.level)
        return await asyncio.wrap_future(self._bot_pool.submit(self._host.state.setup.id, level, lambda _: think()))

    def _time(self) -> float:
        """The table's time, in seconds."""
        return self._host.state.time(now()) / SECOND
