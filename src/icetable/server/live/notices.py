"""Push notifications for players whose page is closed: their turn, the end of the game, the next game.

The database records what each browser has been sent, so a notification goes out at most once, whichever process finds
it due. Nothing here delays an act: a table only reports that it has changed.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, NamedTuple

from icetable.core.game import CHANCE
from icetable.server import metrics
from icetable.server.errors import BadTable, TableNotFound
from icetable.server.live.tables.tables import TableObserver
from icetable.server.logs import about
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.queries import Subscription
from icetable.server.table.clock import now

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from icetable.server import messages
    from icetable.server.live.push import Push
    from icetable.server.live.tables.tables import Tables
    from icetable.server.table.state import TableState

CHECK_DELAY_SECONDS = 5.0
"""Delay between a change and the check for due notifications; a page that is being reloaded is back by then."""
CLOSED_PAGE_SECONDS = 60.0
"""A connected player who closes the page and does nothing is notified after this long."""
MIN_INTERVAL_MS = 60_000
"""Minimum time between two notifications to one browser about one seat."""
SWEEP_SECONDS = 60 * 60
"""Interval between checks of all tables with subscriptions."""
SUBSCRIPTION_MS = 60 * 24 * 60 * 60 * 1000
SUBSCRIPTION_AFTER_END_MS = 24 * 60 * 60 * 1000
"""Lifetime of a subscription that no page renews, and what is left of it after the game, for the next one."""
MAX_PER_SEAT = 5
MAX_PER_BUCKET = 200
"""Maximum number of browsers per seat, and of subscriptions per bucket of addresses."""
MAX_QUEUED = 1000
"""Maximum number of notifications in the queue; further ones are dropped."""
SENDERS = 4
RETRY_SECONDS = (60.0, 600.0)
"""Delays before retries when a push service is busy."""

NO_KEYS_ERROR = "this server sends no notices"

logger = logging.getLogger(__name__)


class Notice(NamedTuple):
    """A message for a seat, due since entry number `since` of the log."""

    text: str
    since: int


class QueuedNotice(NamedTuple):
    """A notice in the queue."""

    table: str
    title: str
    text: str
    subscription: Subscription
    tries: int = 0


class Notices(TableObserver):
    """Sends notices to subscribed browsers. Without a `push` it sends none."""

    def __init__(self, tables: Tables, push: Push | None = None) -> None:
        tables.observers.append(self)
        self.push = push
        self._tables = tables
        self._store = tables.store
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._pending_since: dict[tuple[str, str], int] = {}
        """By table and code: the log entry of a notice that waits because the player has the page open."""
        self._queue: asyncio.Queue[QueuedNotice] = asyncio.Queue(MAX_QUEUED)
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop sending."""
        for timer in self._due.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        if self.push is not None:
            await self.push.close()

    def queue_length(self) -> int:
        """The number of notices in the queue."""
        return self._queue.qsize()

    # Subscribing

    @property
    def key(self) -> str | None:
        """The public key that browsers subscribe with; None if the server sends no notices."""
        return None if self.push is None else self.push.key

    async def subscribe(self, table_id: str, request: messages.NoticesRequest, bucket: int) -> None:
        """Subscribe a browser to the seats of its codes, or unsubscribe it.

        Raises GameError, TableNotFound or StoreError.
        """
        if self.push is None:
            raise BadTable(NO_KEYS_ERROR)
        table_state = await self._tables.read(table_id)
        seats = table_state.viewer(request.codes).seats
        locks = {lock for seat in seats if (lock := table_state.seating.seats[seat].code_hash) is not None}
        if not locks:
            raise BadTable("only players at this table can subscribe to its notices")
        if not request.on:
            for lock in locks:
                self._store.subscriptions.delete(table_id, lock, request.endpoint)
            return
        sent = table_state.entries if table_state.seating.started else -1
        subscriptions = [
            Subscription(lock, request.endpoint, request.p256dh, request.auth, sent, 0) for lock in sorted(locks)
        ]
        await self._check(table_id, subscriptions, bucket)
        for subscription in subscriptions:
            await written(self._store.subscriptions.add(table_id, subscription, now() + SUBSCRIPTION_MS, bucket))

    async def _check(self, table_id: str, subscriptions: list[Subscription], bucket: int) -> None:
        """Raise GameError if a limit is reached or the push address is not allowed."""
        assert self.push is not None
        known = await asyncio.to_thread(self._store.subscriptions.at_table, table_id)
        for subscription in subscriptions:
            others = {other.endpoint for other in known if other.lock == subscription.lock} - {subscription.endpoint}
            if len(others) >= MAX_PER_SEAT:
                raise BadTable(f"{MAX_PER_SEAT} browsers already receive notices for this seat")
        if bucket >= 0 and await asyncio.to_thread(self._store.subscriptions.count, bucket) >= MAX_PER_BUCKET:
            raise BadTable(f"your address already has {MAX_PER_BUCKET} subscriptions")
        await self.push.check(subscriptions[0])

    def follow(self, table_id: str, following: str, lock: str | None = None) -> None:
        """Move all subscriptions, or those of the code with this hash, to the next game of a series or tournament."""
        self._store.subscriptions.move(table_id, following, now() + SUBSCRIPTION_MS, lock)
        self.schedule(following)

    # Finding what is due

    def start(self) -> None:
        """Start sending, if the server has keys for that."""
        if self.push is not None:
            for _ in range(SENDERS):
                self._start(self._send_all())

    def on_entry(self, table_id: str) -> None:
        """Check a table whose log has grown."""
        self.schedule(table_id)

    def on_next(self, table_id: str, following: str) -> None:
        """Move the subscriptions at a table to the series' next one."""
        self.follow(table_id, following)

    async def check_all(self) -> None:
        """Check every table with subscriptions, also for what fell due while no server was running."""
        if self.push is None:
            return
        try:
            self._store.subscriptions.delete_expired(now())
            for table_id in await asyncio.to_thread(self._store.subscriptions.tables):
                await self._check_table(table_id)
        except StoreError as error:
            logger.error("notices can't be read", extra=about(str(error)))

    def schedule(self, table_id: str, seconds: float = CHECK_DELAY_SECONDS) -> None:
        """Check a changed table for due notices after a delay, once for all changes until then."""
        if self.push is None or table_id in self._due:
            return
        self._due[table_id] = asyncio.get_running_loop().call_later(seconds, self._start_check, table_id)

    def _start_check(self, table_id: str) -> None:
        del self._due[table_id]
        self._start(self._check_table(table_id))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _check_table(self, table_id: str) -> None:
        try:
            known = await asyncio.to_thread(self._store.subscriptions.at_table, table_id)
            if known:
                table_state = await self._tables.read(table_id)
                for subscription in known:
                    await self._notify(table_state, subscription)
                if table_state.is_over and table_state.setup.terms.tournament is None:  # whose next round may be far
                    self._store.subscriptions.expire(table_id, now() + SUBSCRIPTION_AFTER_END_MS)
        except (TableNotFound, StoreError) as error:
            logger.error("notices of a table can't be sent", extra=about(str(error), table=table_id))

    async def _notify(self, table_state: TableState, subscription: Subscription) -> None:
        """Queue the due notice of one browser, if there is one. Raises StoreError."""
        table_id = table_state.setup.id
        seat = seat_of(table_state, subscription.lock)
        if seat is None:
            # The seat was handed over.
            self._store.subscriptions.delete(table_id, subscription.lock, subscription.endpoint)
            return
        notice = notice_of(table_state, seat)
        if notice is None or notice.since <= subscription.sent:
            self._pending_since.pop((table_id, subscription.lock), None)
            return
        is_present = self._tables.is_present(table_id, seat)
        if is_present and self._pending_since.get((table_id, subscription.lock)) != notice.since:
            self._pending_since[table_id, subscription.lock] = notice.since
            self.schedule(table_id, CLOSED_PAGE_SECONDS)
            return
        wait = 0 if is_present else subscription.at + MIN_INTERVAL_MS - now()
        if wait > 0:
            self.schedule(table_id, wait / 1000)
            return
        try:
            at = subscription.at if is_present else now()
            await written(self._store.subscriptions.claim(table_id, subscription, notice.since, at))
        except Conflict:
            return
        if not is_present:
            self._put(QueuedNotice(table_id, table_state.game.info.title, notice.text, subscription))

    # Sending

    def _put(self, queued: QueuedNotice) -> None:
        try:
            self._queue.put_nowait(queued)
        except asyncio.QueueFull:
            metrics.NOTICES.labels("dropped").inc()

    async def _send_all(self) -> None:
        while True:
            await self._send(await self._queue.get())

    async def _send(self, queued: QueuedNotice) -> None:
        from icetable.server.live.push import payload

        assert self.push is not None
        subscription = queued.subscription
        try:
            outcome = await self.push.send(subscription, queued.table, payload(queued.table, queued.title, queued.text))
        except Exception as error:  # noqa: BLE001 (one failed notice must not stop the others)
            logger.error("a notice can't be sent", extra=about(type(error).__name__, table=queued.table))
            outcome = "refused"
        metrics.NOTICES.labels(outcome).inc()
        if outcome == "gone":
            self._store.subscriptions.delete_of_endpoint(subscription.endpoint)
        elif outcome == "busy" and queued.tries < len(RETRY_SECONDS):
            later = queued._replace(tries=queued.tries + 1)
            asyncio.get_running_loop().call_later(RETRY_SECONDS[queued.tries], self._put, later)


def seat_of(table_state: TableState, lock: str) -> int | None:
    """The seat held by the code with this hash."""
    seats = table_state.seating.seats
    return next((number for number, seat in enumerate(seats) if seat.code_hash == lock and seat.kind == "person"), None)


def notice_of(table_state: TableState, seat: int) -> Notice | None:
    """The notice due to a seat's player. It holds nothing secret and nothing about other players."""
    if table_state.is_over:
        return Notice("The game is over", len(table_state.log_of_game()))
    if table_state.acts == 0 and not table_state.game.info.turns:
        return Notice("The next game is ready", 0) if follows_another(table_state) else None
    last = table_state.acts
    while last and table_state.after(last).seat == CHANCE:
        last -= 1
    is_turn = table_state.game.info.turns and seat in table_state.to_act
    if is_turn and not (last and table_state.after(last).seat == seat):
        return Notice("Your turn", table_state.entry_of_act(last))
    if table_state.acts == 0 and follows_another(table_state):
        return Notice("The next game is ready", 0)
    return None


def follows_another(table_state: TableState) -> bool:
    """Whether players may have come from an earlier game, of a series or a tournament."""
    return table_state.setup.series is not None or table_state.setup.terms.tournament is not None
