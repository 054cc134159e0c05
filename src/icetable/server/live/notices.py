"""Notices to players whose page is closed: their turn, the end of the game, and the next game.

What a browser was told is in the database, so each notice goes out once at most, whatever process finds it due. Nothing
here holds up an act: a table only says that it has changed.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, NamedTuple

from icetable.core.game import CHANCE
from icetable.server import metrics
from icetable.server.logs import about
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.subscriptions import Subscription
from icetable.server.store.waits import written
from icetable.server.table.clock import now
from icetable.server.table.errors import BadTable, TableNotFound

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.server import messages
    from icetable.server.live.push import Push
    from icetable.server.store.store import Store
    from icetable.server.table.state import TableState

SOON_SECONDS = 5.0
"""How long after a change one looks who is to be told: a page that is loaded anew is back by then."""
HERE_SECONDS = 60.0
"""A player who is there then counts as gone if the page is closed so much later, and nothing was done meanwhile."""
APART = 60_000
"""How many milliseconds lie between two notices to a browser about one seat, at least."""
EVERY_SECONDS = 60 * 60
"""How many seconds lie between two looks at all tables that some browser is told of."""
KEPT_FOR = 60 * 24 * 60 * 60 * 1000
KEPT_AFTER = 24 * 60 * 60 * 1000
"""For how many milliseconds a subscription is kept that no page renews; after the end of a game, for the next one."""
MAX_OF_A_SEAT = 5
MAX_OF_ONE = 200
"""How many browsers are told of a seat, and how many subscriptions there are of one bucket of visitors."""
MAX_WAITING = 1000
"""How many notices wait to be sent; more are dropped."""
SENDERS = 4
AGAIN_SECONDS = (60.0, 600.0)
"""After how many seconds a notice is sent again that a push service could not take."""

NO_KEYS = "this server sends no notices"

logger = logging.getLogger(__name__)


class Notice(NamedTuple):
    """What a seat is to be told since entry number `since` of the log."""

    text: str
    since: int


class Waiting(NamedTuple):
    """A notice on its way."""

    table: str
    title: str
    text: str
    subscription: Subscription
    tries: int = 0


class Notices:
    """Tells browsers of their seats. Without a `push` nothing is told."""

    def __init__(
        self,
        store: Store,
        read: Callable[[str], Awaitable[TableState]],
        is_here: Callable[[str, int], bool],
    ) -> None:
        """`read` gives the state of a table; `is_here` tells whether the player of a seat has the page open."""
        self.push: Push | None = None
        self._store = store
        self._read = read
        self._is_here = is_here
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._seen: dict[tuple[str, str], int] = {}
        """Since which entry players who were there have something to be told."""
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue(MAX_WAITING)
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Tell nothing more."""
        for timer in self._due.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        if self.push is not None:
            await self.push.close()

    def waiting(self) -> int:
        """How many notices wait to be sent."""
        return self._queue.qsize()

    # Subscribing

    @property
    def key(self) -> str | None:
        """The key by which browsers subscribe; None where no notices are sent."""
        return None if self.push is None else self.push.key

    async def subscribe(self, table_id: str, wanted: messages.NoticesRequest, bucket: int) -> None:
        """Tell a browser of the seats that its codes hold, or tell it no more.

        Raises GameError, TableNotFound or StoreError.
        """
        if self.push is None:
            raise BadTable(NO_KEYS)
        table_state = await self._read(table_id)
        seats = table_state.viewer(wanted.codes).seats
        locks = {lock for seat in seats if (lock := table_state.seating.seats[seat].code_hash) is not None}
        if not locks:
            raise BadTable("only players at this table can be told of it")
        if not wanted.on:
            for lock in locks:
                self._store.drop_subscription(table_id, lock, wanted.endpoint)
            return
        told = table_state.entries if table_state.seating.started else -1
        asked = [Subscription(lock, wanted.endpoint, wanted.p256dh, wanted.auth, told, 0) for lock in sorted(locks)]
        await self._check(table_id, asked, bucket)
        for one in asked:
            await written(self._store.add_subscription(table_id, one, now() + KEPT_FOR, bucket))

    async def _check(self, table_id: str, asked: list[Subscription], bucket: int) -> None:
        """Raises GameError where one subscription is too many, or the address is not to be called."""
        assert self.push is not None
        known = await asyncio.to_thread(self._store.subscriptions, table_id)
        for one in asked:
            others = {other.endpoint for other in known if other.lock == one.lock} - {one.endpoint}
            if len(others) >= MAX_OF_A_SEAT:
                raise BadTable(f"{MAX_OF_A_SEAT} browsers are told of this seat already")
        if bucket >= 0 and await asyncio.to_thread(self._store.subscriptions_of, bucket) >= MAX_OF_ONE:
            raise BadTable(f"{MAX_OF_ONE} notices are wanted from your address already")
        await self.push.check(asked[0])

    def follow(self, table_id: str, following: str) -> None:
        """The next game of a series was created: who was told of the one is told of the other."""
        self._store.move_subscriptions(table_id, following, now() + KEPT_FOR)
        self.note(following)

    # What is due

    async def run(self) -> None:
        """From now on send what is due: also what became due while no server ran."""
        if self.push is None:
            return
        self._start_senders()
        await asyncio.sleep(HERE_SECONDS)  # until then pages that are open are connected again
        while True:
            await self.look_at_all()
            await asyncio.sleep(EVERY_SECONDS)

    async def look_at_all(self) -> None:
        """Look at all tables that some browser is told of."""
        try:
            self._store.forget_subscriptions(now())
            for table_id in await asyncio.to_thread(self._store.subscribed_tables):
                await self._look(table_id)
        except StoreError as error:
            logger.error("notices can't be read", extra=about(str(error)))

    def note(self, table_id: str, seconds: float = SOON_SECONDS) -> None:
        """A table has changed: look soon whether somebody is to be told."""
        if self.push is None or table_id in self._due:
            return
        self._due[table_id] = asyncio.get_running_loop().call_later(seconds, self._start_look, table_id)

    def _start_look(self, table_id: str) -> None:
        del self._due[table_id]
        self._start(self._look(table_id))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, table_id: str) -> None:
        try:
            known = await asyncio.to_thread(self._store.subscriptions, table_id)
            if known:
                table_state = await self._read(table_id)
                for one in known:
                    await self._tell(table_state, one)
                if table_state.is_over:
                    self._store.end_subscriptions(table_id, now() + KEPT_AFTER)
        except (TableNotFound, StoreError) as error:
            logger.error("notices of a table can't be sent", extra=about(str(error), table=table_id))

    async def _tell(self, table_state: TableState, one: Subscription) -> None:
        """Tell a browser what it is to be told, if anything, once. Raises StoreError."""
        table_id = table_state.setup.id
        seat = seat_of(table_state, one.lock)
        if seat is None:
            self._store.drop_subscription(table_id, one.lock, one.endpoint)  # it was handed over
            return
        notice = notice_of(table_state, seat)
        if notice is None or notice.since <= one.told:
            self._seen.pop((table_id, one.lock), None)
            return
        is_here = self._is_here(table_id, seat)
        if is_here and self._seen.get((table_id, one.lock)) != notice.since:
            self._seen[table_id, one.lock] = notice.since
            self.note(table_id, HERE_SECONDS)
            return
        wait = 0 if is_here else one.at + APART - now()
        if wait > 0:
            self.note(table_id, wait / 1000)
            return
        try:
            await written(self._store.claim_notice(table_id, one, notice.since, one.at if is_here else now()))
        except Conflict:
            return
        if not is_here:
            self._put(Waiting(table_id, table_state.game.info.title, notice.text, one))

    # Sending

    def _start_senders(self) -> None:
        for _ in range(SENDERS):
            self._start(self._send_all())

    def _put(self, waiting: Waiting) -> None:
        try:
            self._queue.put_nowait(waiting)
        except asyncio.QueueFull:
            metrics.NOTICES.labels("dropped").inc()

    async def _send_all(self) -> None:
        while True:
            await self._send(await self._queue.get())

    async def _send(self, waiting: Waiting) -> None:
        from icetable.server.live.push import content_of

        assert self.push is not None
        one = waiting.subscription
        try:
            answer = await self.push.send(one, waiting.table, content_of(waiting.table, waiting.title, waiting.text))
        except Exception as error:  # noqa: BLE001 (a notice that fails is no reason to send no others)
            logger.error("a notice can't be sent", extra=about(type(error).__name__, table=waiting.table))
            answer = "refused"
        metrics.NOTICES.labels(answer).inc()
        if answer == "gone":
            self._store.forget_endpoint(one.endpoint)
        elif answer == "busy" and waiting.tries < len(AGAIN_SECONDS):
            later = waiting._replace(tries=waiting.tries + 1)
            asyncio.get_running_loop().call_later(AGAIN_SECONDS[waiting.tries], self._put, later)


def seat_of(table_state: TableState, lock: str) -> int | None:
    """The seat that a code's hash holds."""
    seats = table_state.seating.seats
    return next((number for number, seat in enumerate(seats) if seat.code_hash == lock and seat.kind == "person"), None)


def notice_of(table_state: TableState, seat: int) -> Notice | None:
    """What the player of a seat is to be told. Nothing in it is secret, or about another player."""
    if table_state.is_over:
        return Notice("The game is over", len(table_state.log_of_game()))
    if table_state.acts == 0 and not table_state.game.info.turns:
        return Notice("The next game is ready", 0) if table_state.setup.series else None
    last = table_state.acts
    while last and table_state.after(last).seat == CHANCE:
        last -= 1
    is_turn = table_state.game.info.turns and seat in table_state.to_act
    if is_turn and not (last and table_state.after(last).seat == seat):
        return Notice("Your turn", table_state.made_by(last))
    if table_state.acts == 0 and table_state.setup.series:
        return Notice("The next game is ready", 0)
    return None
