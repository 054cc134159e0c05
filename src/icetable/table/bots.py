"""Those at a table that no person plays: bots, and nature."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from icetable.core import solving
from icetable.core.game import Game, State
from icetable.table import meters, wire
from icetable.table.hands import RETRY, Hands
from icetable.table.log import LogError
from icetable.table.timing import SECOND, now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from icetable.core.game import Action
    from icetable.table.live import Table

PAUSE = 0.6
"""How many seconds a bot's act comes after the one before, at the least, so that people can follow."""
LOADING = 10.0
"""How many seconds it may take at the most to read all kernels that were compiled before."""

Duty = Callable[[], Awaitable[None]]
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


class Bot(Protocol):
    """A player made of search."""

    def choose(self, state: State, seat: int) -> str: ...


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


class Thinkers:
    """The threads that bots think in, and which games' kernels are awake: one for the whole server."""

    def __init__(self, brains: Brains, pause: float = PAUSE) -> None:
        self.brains = brains
        self.pause = pause
        self.pool = ThreadPoolExecutor(os.cpu_count(), "thought")
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

    async def think(self, think: Callable[..., T], *about: object) -> T:
        """A thought, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, think, *about)

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
            with meters.WAKING.track_inprogress():
                self.brains.warm(game)
        except Exception:
            logger.exception("the kernels of %s do not compile; its bots play slowly", game.info.name)
        with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
            awake.get_loop().call_soon_threadsafe(awake.set_result, None)

    def close(self) -> None:
        """Take up no more thoughts."""
        self.pool.shutdown(wait=False, cancel_futures=True)


class Machine:
    """Acts at one table for nature and the bots, whenever it is their turn. Through the same judge as everybody."""

    def __init__(self, table: Table, thinkers: Thinkers) -> None:
        self.table = table
        self.thinkers = thinkers
        self.awake = thinkers.wake(table.room.game)
        self.idle = asyncio.Event()
        """Set while there is nothing to do."""
        self._thinking: int | None = None
        self._bots: dict[int, Bot] = {}
        self._thought: Future[str] | None = None
        self._hands = None if table.room.game.info.turns else Hands(table, thinkers)
        self._looked_at = -1
        """How many entries there were when it was last seen what there is to do."""
        self._acting: asyncio.Task[None] | None = None
        self._is_closed = False
        if table.room.bots and not self.awake.done():
            self.awake.add_done_callback(lambda _: self._announce())

    @property
    def news(self) -> wire.Bots:
        """What the bots do."""
        if self._thinking is not None:
            return wire.Bots("thinking", self._thinking)
        return wire.Bots("waking" if self.table.room.bots and not self.awake.done() else "ready", None)

    async def close(self) -> None:
        """Act no more."""
        self._is_closed = True
        if self._acting is not None:
            self._acting.cancel()
            await asyncio.wait([self._acting])
        if self._hands is not None:
            await self._hands.close()
        self.idle.set()

    def look(self) -> None:
        """Something has changed at the table: do what there is to do now, and no longer what there was."""
        if self._is_closed:
            return
        if self._hands is not None:
            self._hands.look()
        entries = self.table.room.entries
        if entries == self._looked_at:
            return
        self._looked_at = entries
        if self._acting is not None:
            self._acting.cancel()  # an undo ends a thought
        if self._seat_to_act() is None:
            self._show_thinking(None)
        duties = self._duties()
        if duties:
            self.idle.clear()
            self._acting = asyncio.create_task(self._act(entries, duties))
        else:
            self.idle.set()
            self._acting = None

    async def _act(self, entries: int, duties: list[Duty]) -> None:
        """Do what is nature's or a bot's after so many entries, and what comes with time."""
        async with asyncio.TaskGroup() as group:
            for duty in duties:
                group.create_task(self._see_through(duty))
        if self.table.room.entries == entries:
            self.idle.set()

    def _duties(self) -> list[Duty]:
        room, duties = self.table.room, list[Duty]()
        if room.seating.lots_due:
            duties.append(lambda: self.table.enter(lambda at: room.draw_lots(at) if room.seating.lots_due else None))
        if room.draws:
            state = room.state
            duties.append(lambda: self.table.enter(lambda at: room.draw(at) if room.state is state else None))
        elif (seat := self._seat_to_act()) is not None:
            duties.append(lambda: self._act_for_bot(seat))
        if room.next_change is not None:
            duties.append(self._keep_time)
        return duties

    def _seat_to_act(self) -> int | None:
        """The bot whose turn it is."""
        room = self.table.room
        return None if room.draws or not room.game.info.turns else min(room.to_act & room.bots.keys(), default=None)

    async def _see_through(self, duty: Duty) -> None:
        while True:
            try:
                await duty()
                return
            except LogError as error:
                self.table.tell_all(wire.ErrorMessage(str(error)))
                await asyncio.sleep(RETRY)
            except Exception:
                logger.exception("nature or a bot can't act at table %s", self.table.room.charter.id)
                self.table.tell_all(wire.ErrorMessage("The computer player failed. Taking back an act may help."))
                return

    async def _keep_time(self) -> None:
        """Bring about what time does, each at its moment; nobody is told of it before."""
        room = self.table.room
        while (moment := room.next_change) is not None:
            while (missing := moment - room.time(now())) > 0:
                await asyncio.sleep(missing / SECOND)
            await self.table.enter(room.overdue)
            self.table.age()

    async def _act_for_bot(self, seat: int) -> None:
        room = self.table.room
        state = room.state
        await asyncio.shield(self.awake)
        self._show_thinking(seat)
        clock = asyncio.get_running_loop().time
        earliest = clock() + self.thinkers.pause
        text = await self._think(state, seat)
        await asyncio.sleep(earliest - clock())
        await self.table.enter(lambda at: room.act(seat, text, at) if room.state is state else None)

    async def _think(self, state: State, seat: int) -> str:
        """The bot's choice. A thought that nobody wants any more can't be stopped; the next one waits for its end."""
        while self._thought is not None and not self._thought.done():
            await asyncio.wait([asyncio.wrap_future(self._thought)])
        self._thought = self.thinkers.pool.submit(self._choose, state, seat)
        return await asyncio.wrap_future(self._thought)

    def _choose(self, state: State, seat: int) -> str:
        if seat not in self._bots:
            self._bots[seat] = self.thinkers.brains.Bot(self.table.room.game, self.table.room.bots[seat])
        return self._bots[seat].choose(state, seat)

    def _show_thinking(self, seat: int | None) -> None:
        if seat != self._thinking:
            self._thinking = seat
            self._announce()

    def _announce(self) -> None:
        self.table.tell_all(self.news)
