"""Automatic acts at one table: chance, the clock and the bots.

The bots of a game without turns each see the view of their seat, and choose when to act.
"""

from __future__ import annotations

import asyncio
import logging
import math
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from icetable.core.errors import GameError
from icetable.core.realtime import STANDSTILL_MS, RealTimeGame
from icetable.server import messages, metrics
from icetable.server.live.tables.host import RETRY_SECONDS, Worker
from icetable.server.live.tables.unattended import bots_play_on
from icetable.server.logs import about
from icetable.server.store.errors import StoreError
from icetable.server.table.clock import MS_PER_SECOND, now
from icetable.server.table.log import HOST, Resume

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from icetable.bots import Bot, Level, RealTimeBot
    from icetable.core.game import Action, State
    from icetable.server.apart.searches import ApartBot
    from icetable.server.live.bots import BotPool
    from icetable.server.live.tables.host import TableHost

MIN_CHECK_SECONDS = 0.001
"""Minimum delay until the clock is checked again."""

T = TypeVar("T")

logger = logging.getLogger(__name__)


class RealTimeBots:
    """The bots of one table. They play while it is open, in one server process."""

    def __init__(self, host: TableHost, bot_pool: BotPool) -> None:
        self._host = host
        self._bot_pool = bot_pool
        self._bots: dict[int, SeatedBot] = {}

    def update(self) -> None:
        """Let every bot choose again after a change of the table. Bots have seats once these are drawn."""
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
        return (calls[-1] + STANDSTILL_MS) / MS_PER_SECOND if calls else 0.0

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
        return self._host.state.time(now()) / MS_PER_SECOND


class AutoPlayer:
    """Acts for chance and the bots of one table when they are to act, and ends the game when its time is up.

    Bots of turn-based games play only while a client is at the table, except in correspondence games. Every step checks
    the table again before it acts, so nothing has to be cancelled when the table changes.
    """

    def __init__(self, host: TableHost, bot_pool: BotPool) -> None:
        self._host = host
        self._bot_pool = bot_pool
        self._kernels = bot_pool.kernels.prepare(host.state.game.info)
        self._realtime_bots = None if host.state.game.info.turns else RealTimeBots(host, bot_pool)
        self._bots: dict[tuple[int, str], Bot | ApartBot] = {}
        self._thinking_seat: int | None = None
        self._choice: Future[Action] | None = None
        self._choice_position: State | None = None
        self._chance = Worker(host, lambda: self._chance_is_due, self._draw)
        self._clock = Worker(host, lambda: self._time_is_up, self._end_overdue)
        self._resumption = Worker(host, lambda: self._should_resume, self._resume)
        self._turn = Worker(host, lambda: self._bot_to_act() is not None, self._act_for_bot)
        self._timer: asyncio.TimerHandle | None = None
        self.is_closed = False
        self._sent_status = self.status
        self._kernels.watchers.add(self._send_status)

    @property
    def status(self) -> messages.Bots:
        """The status of the bots, as clients are shown it."""
        warming_up = self._kernels.seconds if self._is_weakened else None
        return messages.Bots("ready" if self._thinking_seat is None else "thinking", self._thinking_seat, warming_up)

    async def close(self) -> None:
        """Finish the running steps of chance and the clock, and stop acting."""
        await self._chance.finish()
        await self._clock.finish()
        self.is_closed = True
        for worker in (self._chance, self._clock, self._resumption, self._turn):
            worker.close()
        self._cancel_timer()
        self._kernels.watchers.discard(self._send_status)
        if self._realtime_bots is not None:
            self._realtime_bots.close()
        if self._choice is not None:
            self._choice.cancel()

    def update(self) -> None:
        """Start what is due after a change of the table."""
        if self.is_closed:
            return
        self._check_clock()
        if self._chance_is_due:
            self._chance.update()
        if self._should_resume:
            self._resumption.update()
        if self._choice is not None and self._choice_position is not self._bot_position:
            self._choice.cancel()  # succeeds only before it starts: after an undo, or when the last client has left
        if self._bot_to_act() is None:
            self._set_thinking(None)
        else:
            self._turn.update()
        if self._realtime_bots is not None:
            self._realtime_bots.update()

    @property
    def _is_weakened(self) -> bool:
        """Whether a bot here plays worse until the kernels are compiled, as slower levels do."""
        game = self._host.state.game
        return any(not self._bot_pool.level(game, name).is_quick for name in self._host.state.bots.values())

    def _send_status(self) -> None:
        if self.status != self._sent_status:
            self._sent_status = self.status
            self._host.broadcast(self._sent_status)

    # Chance

    @property
    def _chance_is_due(self) -> bool:
        return self._host.state.chance_to_act or self._host.state.seating.draw_due

    async def _draw(self) -> None:
        await self._host.append(self._host.state.draw_chance)

    # The clock

    @property
    def _time_is_up(self) -> bool:
        return self._host.state.overdue(now()) is not None

    async def _end_overdue(self) -> None:
        await self._host.append(lambda _: None)  # an overdue entry is stored before any other

    def _check_clock(self) -> None:
        """End the game if it is overdue; otherwise check again at the next change by time. That moment stays secret."""
        self._cancel_timer()
        table_state = self._host.state
        moment = table_state.next_change
        if moment is None:
            return
        seconds = (moment - table_state.time(now())) / MS_PER_SECOND
        if seconds <= 0 and self._time_is_up:
            self._clock.update()
        else:
            self._timer = asyncio.get_running_loop().call_later(max(MIN_CHECK_SECONDS, seconds), self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        if self._time_is_up:
            self._clock.update()
        elif not self._host.advance_time():  # calls `update` if anything has changed
            self._check_clock()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def _should_resume(self) -> bool:
        return bool(self._host.clients) and self._host.state.waits_for_watchers

    async def _resume(self) -> None:
        """Resume a game between bots once somebody watches again."""
        await self._host.append(
            lambda at: self._host.state.next_event(HOST, Resume(at), at) if self._should_resume else None
        )

    # Bots of turn-based games

    def _bot_to_act(self) -> int | None:
        """The seat of the bot that is to act, if a client is at the table to see it, or in a correspondence game.

        If several processes have clients, the bot thinks in each of them and the first act counts: so no process has to
        detect that another one has died.
        """
        table_state = self._host.state
        if table_state.chance_to_act or not table_state.game.info.turns:
            return None
        if not (self._host.clients or bots_play_on(table_state)):
            return None
        return min(table_state.to_act & table_state.bots.keys(), default=None)

    @property
    def _bot_position(self) -> State | None:
        return None if self._bot_to_act() is None else self._host.state.position

    async def _act_for_bot(self) -> None:
        table_state, seat = self._host.state, self._bot_to_act()
        assert seat is not None
        state = table_state.position
        self._set_thinking(seat)
        clock = asyncio.get_running_loop().time
        earliest = clock() + self._bot_pool.pause
        bot, level = self._bot_at(seat)
        self._choice_position = state
        self._choice = self._bot_pool.submit(
            table_state.setup.id,
            level,
            lambda threads: bot.choose(state, seat, threads=threads if self._kernels.ready.done() else 1),
            state.game.info,
        )
        choice = asyncio.wrap_future(self._choice)
        await asyncio.wait([choice])
        self._choice = self._choice_position = None
        if choice.cancelled() or self._bot_position is not state:
            return
        text = choice.result()
        await asyncio.sleep(earliest - clock())
        await self._host.append(
            lambda at: table_state.entry_for_bot(seat, text, at) if self._bot_position is state else None
        )

    def _bot_at(self, seat: int) -> tuple[Bot | ApartBot, Level]:
        game, name = self._host.state.game, self._host.state.bots[seat]
        if (seat, name) not in self._bots:
            self._bots[seat, name] = self._bot_pool.factory.make_bot(game, name)
        return self._bots[seat, name], self._bot_pool.level(game, name)

    def _set_thinking(self, seat: int | None) -> None:
        self._thinking_seat = seat
        if self._host.state.bots or self._sent_status != messages.BOTS_READY:
            self._send_status()
