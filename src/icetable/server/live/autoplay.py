"""Automatic acts at one table: chance, the clock and the bots."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.live.realtime_bots import RealTimeBots
from icetable.server.live.unattended import bots_play_on
from icetable.server.live.worker import Worker
from icetable.server.table.clock import MS_PER_SECOND, now
from icetable.server.table.log import HOST, Resume

if TYPE_CHECKING:
    from concurrent.futures import Future

    from icetable.bots import Bot, Level
    from icetable.core.game import Action, State
    from icetable.server.apart.searches import ApartBot
    from icetable.server.live.bot_pool import BotPool
    from icetable.server.live.host import TableHost

MIN_CHECK_SECONDS = 0.001
"""Minimum delay until the clock is checked again."""


class AutoPlayer:
    """Acts for chance and the bots of one table when they are to act, and ends the game when its time is up.

    Bots of games of turns play only while a client is at the table, except in games of days. Every step checks the
    table again before it acts, so nothing has to be cancelled when the table changes.
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

    # Bots of games of turns

    def _bot_to_act(self) -> int | None:
        """The seat of the bot that is to act, if a client is at the table to see it, or in a game of days.

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
