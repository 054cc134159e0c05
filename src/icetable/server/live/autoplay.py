"""Those at a table that no person plays: bots, and nature."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from icetable.core import solving
from icetable.core.game import Game, State
from icetable.server import messages, metrics
from icetable.server.live.fair_pool import FairPool
from icetable.server.live.realtime_bots import RealTimeBots
from icetable.server.live.worker import Worker
from icetable.server.table.clock import SECOND, now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from icetable.core.game import Action
    from icetable.server.live.table import LiveTable

PAUSE = 0.6
"""How many seconds a bot's act comes after the one before, at the least, so that people can follow."""
LOADING = 10.0
"""How many seconds it may take at the most to read all kernels that were compiled before."""

SOONEST = 0.001
"""How many seconds pass at the least until the table is looked at again because of time."""

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Level(Protocol):
    """A strength of bots."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def is_quick(self) -> bool: ...


class Bot(Protocol):
    """A player made of search."""

    def choose(self, state: State, seat: int, *, threads: int) -> str: ...


class RealTimeBot(Protocol):
    """A player where there are no turns."""

    def next(self, view: Mapping[str, Any], now: float, /) -> tuple[str | None, float]: ...
    def refused(self) -> None: ...


class Brains(Protocol):
    """What the server asks of `icetable.bots`."""

    def levels(self, game: str, /) -> Sequence[Level]: ...
    def Bot(self, game: Game, level: str, /) -> Bot: ...  # noqa: N802 (a class of that module)
    def RealTimeBot(self, game: Game, level: str, /) -> RealTimeBot: ...  # noqa: N802 (as well)
    def warm(self, game: Game, /) -> object: ...


class BotPool:
    """The threads that bots think in, and which games' kernels are awake: one for the whole server.

    No more threads think than the machine has `cores`, but at least two: those levels whose thoughts take a few
    milliseconds have their own, and never wait for those that take seconds.
    """

    def __init__(self, brains: Brains, pause: float = PAUSE, cores: int | None = None) -> None:
        self.brains = brains
        self.pause = pause
        self._cores = cores or os.cpu_count() or 1
        quick = max(1, self._cores // 4)
        self._quick = FairPool(quick, "quick-thought")
        self._slow = FairPool(max(1, self._cores - quick), "thought")
        self._awake: dict[str, asyncio.Future[None]] = {}
        self._solving = asyncio.Lock()

    async def values(self, state: State) -> Mapping[Action, str | int]:
        """What the legal acts of a position are worth. One question at a time: it may take many seconds.

        Raises GameError where that can't be worked out.
        """
        values: Future[Mapping[Action, str | int]] = Future()

        def work_out() -> None:
            try:
                solver = solving.solver_of(state.game.info)
                assert solver is not None
                values.set_result(solver.values(state))
            except BaseException as error:  # noqa: BLE001 (whoever waits gets it)
                values.set_exception(error)

        async with self._solving:
            # A thread that nobody waits for: neither the search nor the compiler can be called off.
            threading.Thread(target=work_out, name="solve", daemon=True).start()
            return await asyncio.wrap_future(values)

    def think(self, table: str, level: Level, think: Callable[[int], T]) -> Future[T]:
        """A thought of a bot at a table, in a thread, when it is the table's turn.

        `think` is told in how many threads it may search. A thought that has not begun can be cancelled.
        """
        if level.is_quick:
            return self._quick.submit(table, functools.partial(think, 1))
        return self._slow.submit(table, lambda: think(max(1, self._cores // max(1, self._slow.load))))

    def level(self, game: Game, name: str) -> Level:
        """A level of bots by its name."""
        return next(level for level in self.brains.levels(game.info.name) if level.name == name)

    def wake(self, game: Game) -> asyncio.Future[None]:
        """Compile a game's kernels in the background, once; the future is done when they are."""
        name = game.info.name
        if name not in self._awake:
            self._awake[name] = asyncio.get_running_loop().create_future()
            # A thread that nobody waits for: the compiler can't be called off when the server ends.
            threading.Thread(target=self._warm, args=(game, self._awake[name]), name="wake", daemon=True).start()
        return self._awake[name]

    async def load(self, games: Iterable[Game]) -> None:
        """Wake games before anybody plays them. What is not compiled yet takes long, and goes on in the background."""
        await asyncio.wait([self.wake(game) for game in games], timeout=LOADING)

    def _warm(self, game: Game, awake: asyncio.Future[None]) -> None:
        try:
            with metrics.GAMES_COMPILING.track_inprogress():
                self.brains.warm(game)
        except Exception:
            logger.exception("the kernels of %s do not compile; its bots play slowly", game.info.name)
        with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
            awake.get_loop().call_soon_threadsafe(awake.set_result, None)

    def close(self) -> None:
        """Take up no more thoughts."""
        self._quick.close()
        self._slow.close()


class AutoPlayer:
    """Acts at one table for nature and the bots, whenever it is their turn, and ends it when its time is up.

    Bots play only while somebody is there. Everything here is a step that looks at the table when it is done, so
    nothing has to be called off; `close` leaves nothing to wait for but a step that chance or time has begun.
    """

    def __init__(self, table: LiveTable, bot_pool: BotPool) -> None:
        """`table` is a weak proxy: the table holds its machine, and not the other way round."""
        self.table = table
        self.bot_pool = bot_pool
        self.awake = bot_pool.wake(table.state.game)
        self._thinking: int | None = None
        self._bots: dict[tuple[int, str], Bot] = {}
        self._thought: Future[str] | None = None
        self._thought_about: State | None = None
        self._hands = None if table.state.game.info.turns else RealTimeBots(table, bot_pool)
        self._chance = Worker(table, lambda: self._chance_is_due, self._draw)
        self._time = Worker(table, lambda: self._time_is_up, self._end)
        self._turn = Worker(table, lambda: self.awake.done() and self._seat_to_act() is not None, self._act_for_bot)
        self._alarm: asyncio.TimerHandle | None = None
        self._is_closed = False
        if not self.awake.done():
            self.awake.add_done_callback(lambda _: self._begin())

    @property
    def news(self) -> messages.Bots:
        """What the bots do."""
        if self._thinking is not None:
            return messages.Bots("thinking", self._thinking)
        return messages.Bots("waking" if self.table.state.bots and not self.awake.done() else "ready", None)

    async def close(self) -> None:
        """Finish what chance or time has begun, and act no more."""
        await self._chance.finish()
        await self._time.finish()
        self._is_closed = True
        for duty in (self._chance, self._time, self._turn):
            duty.close()
        if self._alarm is not None:
            self._alarm.cancel()
        if self._hands is not None:
            self._hands.close()
        if self._thought is not None:
            self._thought.cancel()

    def look(self) -> None:
        """Something has changed at the table: do what there is to do now."""
        if self._is_closed:
            return
        self._look_at_clock()
        if self._chance_is_due:
            self._chance.look()
        if self._thought is not None and self._thought_about is not self._position_to_act_in:
            self._thought.cancel()  # where it has not begun: an undo ends a thought, and so does an empty table
        if self._seat_to_act() is None:
            self._show_thinking(None)
        else:
            self._turn.look()
        if self._hands is not None:
            self._hands.look()

    def _begin(self) -> None:
        """The bots are ready to play."""
        if self._is_closed:
            return
        if self.table.state.bots:
            self._announce()
        self.look()

    # Chance

    @property
    def _chance_is_due(self) -> bool:
        return self.table.state.chance_to_act or self.table.state.seating.lots_due

    async def _draw(self) -> None:
        await self.table.enter(self.table.state.draw_chance)

    # Time

    @property
    def _time_is_up(self) -> bool:
        return self.table.state.overdue(now()) is not None

    async def _end(self) -> None:
        await self.table.enter(lambda _: None)  # whatever enters, what is overdue comes first

    def _look_at_clock(self) -> None:
        """End what is overdue, else look again when time next changes something. The moment stays secret."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        table_state = self.table.state
        moment = table_state.next_change
        if moment is None:
            return
        seconds = (moment - table_state.time(now())) / SECOND
        if seconds <= 0 and self._time_is_up:
            self._time.look()
        else:
            self._alarm = asyncio.get_running_loop().call_later(max(SOONEST, seconds), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._time_is_up:
            self._time.look()
        elif not self.table.age():  # which looks, where it has changed something
            self._look_at_clock()

    # Bots of games of turns

    def _seat_to_act(self) -> int | None:
        """The bot whose turn it is, where somebody is there to see it play.

        Where people are at several processes, all of them let it think, and the first one's act counts: so none has to
        find out first that another one has died.
        """
        table_state = self.table.state
        if table_state.chance_to_act or not table_state.game.info.turns or not self.table.clients:
            return None
        return min(table_state.to_act & table_state.bots.keys(), default=None)

    @property
    def _position_to_act_in(self) -> State | None:
        return None if self._seat_to_act() is None else self.table.state.position

    async def _act_for_bot(self) -> None:
        table_state, seat = self.table.state, self._seat_to_act()
        assert seat is not None
        state = table_state.position
        self._show_thinking(seat)
        clock = asyncio.get_running_loop().time
        earliest = clock() + self.bot_pool.pause
        bot, level = self._bot_at(seat)
        self._thought_about = state
        self._thought = self.bot_pool.think(
            table_state.setup.id, level, lambda threads: bot.choose(state, seat, threads=threads)
        )
        thought = asyncio.wrap_future(self._thought)
        await asyncio.wait([thought])
        self._thought = self._thought_about = None
        if thought.cancelled() or self._position_to_act_in is not state:
            return
        text = thought.result()
        await asyncio.sleep(earliest - clock())
        await self.table.enter(
            lambda at: table_state.act_for_bot(seat, text, at) if self._position_to_act_in is state else None
        )

    def _bot_at(self, seat: int) -> tuple[Bot, Level]:
        game, name = self.table.state.game, self.table.state.bots[seat]
        if (seat, name) not in self._bots:
            self._bots[seat, name] = self.bot_pool.brains.Bot(game, name)
        return self._bots[seat, name], self.bot_pool.level(game, name)

    def _show_thinking(self, seat: int | None) -> None:
        if seat != self._thinking:
            self._thinking = seat
            self._announce()

    def _announce(self) -> None:
        self.table.tell_all(self.news)
