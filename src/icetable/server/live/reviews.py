"""Reviews of games that are over, worked out one after another by processes that stand back behind all tables."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING

import msgspec

from icetable import games
from icetable.bots.warming import make_ready
from icetable.core import record
from icetable.core.realtime import RealTimeGame
from icetable.server import messages
from icetable.server.live.daemon import in_daemon
from icetable.server.table.clock import now
from icetable.server.table.views import TableViews

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.server.live.analysts import Analysts
    from icetable.server.live.kernels import Kernels
    from icetable.server.table.state import TableState

SIMULATIONS = 2000
"""Of each search. One core reviews 60 acts in a few seconds."""
MOST_AT_ONCE = 12
"""How many reviews are under way or wait for their turn."""
MOST_KEPT = 32
"""How many reviews are remembered."""
ASKED_WITHIN = 30.0
"""For how many seconds a review goes on that nobody asks about."""
ASKING = 1.0
"""How often, in seconds, it is checked whether anybody still waits for a review that nothing can interrupt."""

CUSTOMER = "reviews"
"""All of them together, before the analysts."""

logger = logging.getLogger(__name__)


class NoReviewNow(Exception):
    """A review can't be worked out at the moment; the text says why, in one sentence."""


TOO_MANY = "Too many games are being reviewed; please try again in a minute."
BROKEN_OFF = "The review broke off: a process of the server has ended. Please try again."
FAILED = "The review went wrong on the server. Nothing at the table has changed."


class Job:
    """A review that is under way or waits for its turn."""

    def __init__(self, views: TableViews) -> None:
        self.views = views
        self.done = self.of = 0
        self.is_cancelled = False
        self.asked_at = time.monotonic()
        """When a client last waited for it."""

    def tell(self, done: int, of: int) -> None:
        """Note how far it is; any thread may call this."""
        self.done, self.of = done, of

    def is_abandoned(self) -> bool:
        """Whether nobody waits for it any more; any thread may ask this."""
        return self.is_cancelled or time.monotonic() - self.asked_at > ASKED_WITHIN


class Reviews:
    """The reviews of a server process. `read` gives the state of a table as it is now.

    A game goes by its closing: no other game, and no other end of the same one, has the same.
    """

    def __init__(self, read: Callable[[str], Awaitable[TableState]], kernels: Kernels, analysts: Analysts) -> None:
        self._read = read
        self._kernels = kernels
        self._analysts = analysts
        self._jobs: dict[str, Job] = {}
        """By the closings of the games. The first one is under way."""
        self._found: dict[str, messages.AnyReview | NoReviewNow] = {}
        """What came of reviews, those asked for last at the end."""
        self._working: asyncio.Task[None] | None = None

    async def of(self, table_id: str, admit: Callable[[], None]) -> messages.AnyReview | messages.ReviewProgress:
        """The review of a table's game, or how far it is. `admit` may refuse to begin one by raising an error.

        Whether the game is over is asked anew for every answer. Raises TableNotFound, StoreError, NoReview where there
        is none of this game or not yet, and NoReviewNow.
        """
        views = TableViews(await self._read(table_id), now)
        views.check_review()
        closing = views.state.closing
        if (found := self._found.pop(closing, None)) is not None:
            if isinstance(found, NoReviewNow):
                raise found
            self._keep(closing, found)
            return found
        if closing not in self._jobs:
            self._begin(closing, views, admit)
        job = self._jobs[closing]
        job.asked_at = time.monotonic()
        return messages.ReviewProgress(job.done, job.of, list(self._jobs).index(closing))

    def close(self) -> None:
        """Review no more."""
        if self._working is not None:
            self._working.cancel()
        for job in self._jobs.values():
            job.is_cancelled = True

    def _keep(self, closing: str, found: messages.AnyReview | NoReviewNow) -> None:
        self._found[closing] = found
        if len(self._found) > MOST_KEPT:
            del self._found[next(iter(self._found))]

    def _begin(self, closing: str, views: TableViews, admit: Callable[[], None]) -> None:
        """Put a review at the end of the queue. Raises NoReviewNow, and what `admit` raises."""
        for waiting in list(self._jobs)[1:]:
            if self._jobs[waiting].is_abandoned():
                del self._jobs[waiting]
        if len(self._jobs) >= MOST_AT_ONCE:
            raise NoReviewNow(TOO_MANY)
        admit()
        self._jobs[closing] = Job(views)
        if self._working is None:
            self._working = asyncio.create_task(self._work())

    async def _work(self) -> None:
        """Work out one review after another until none waits."""
        while self._jobs:
            closing, job = next(iter(self._jobs.items()))
            found = await self._work_out(job)
            del self._jobs[closing]
            if found is not None:
                self._keep(closing, found)
        self._working = None

    async def _work_out(self, job: Job) -> messages.AnyReview | NoReviewNow | None:
        """The review, or why it went wrong; None where nobody waits for it any more."""
        from icetable.analysis import Cancelled  # with it comes numpy, which a server that begins has no time for

        try:
            await asyncio.shield(self._kernels.prepare(job.views.state.game.info).ready)
            work_out = _review if job.views.state.game.info.turns else _tell
            with self._analysts.serving(CUSTOMER) as share:
                return await in_daemon("review", lambda: work_out(job, share))
        except Cancelled:
            return None
        except BrokenExecutor as error:
            logger.error("a review of table %s broke off: %s", job.views.state.setup.id, error)
            return NoReviewNow(BROKEN_OFF)
        except Exception:
            logger.exception("the game of table %s can't be reviewed", job.views.state.setup.id)
            return NoReviewNow(FAILED)


def _review(job: Job, where: Executor) -> messages.Review:
    """Raises Cancelled, BrokenExecutor and others."""
    from icetable.analysis import review

    found = review(job.views.record(), SIMULATIONS, where=where, tell=job.tell, cancelled=job.is_abandoned)
    told = json.dumps({"type": "turns", **found.described()})
    return msgspec.json.decode(told, type=messages.Review)


def _tell(job: Job, where: Executor) -> messages.RealTimeReview:
    """Raises Cancelled, BrokenExecutor and others."""
    from icetable.analysis import Cancelled

    told = where.submit(_told_of, job.views.record())
    while True:
        with contextlib.suppress(TimeoutError):
            return messages.RealTimeReview(messages.Told(json.loads(told.result(ASKING))))
        if job.is_abandoned():
            raise Cancelled


def _told_of(text: str) -> str:
    """The review of a game without turns by its record, in a process of its own: JSON."""
    head = record.read_head(text)
    make_ready(games.info(head.game))
    state = games.replay(text)
    assert isinstance(state.game, RealTimeGame)
    return json.dumps(state.game.review(state, head.ended(state.game.players)))
