"""Reviews of games that are over, worked out by processes that stand back behind all tables.

Those of one address are worked out one after another, those of different addresses side by side: a long one holds up
no other visitor.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING

from icetable import games
from icetable.bots.compiling import ensure
from icetable.core import record
from icetable.core.daemons import begin
from icetable.core.realtime import RealTimeGame
from icetable.server import messages
from icetable.server.live.recent import Recent
from icetable.server.live.turns import visitor
from icetable.server.logs import about
from icetable.server.table.clock import now
from icetable.server.table.views import NoReview, TableViews

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.analysis.results import Shares
    from icetable.core.game import GameInfo
    from icetable.server.live.kernels import Kernels
    from icetable.server.live.search_pool import SearchPool
    from icetable.server.live.turns import Turns
    from icetable.server.table.state import TableState

SIMULATIONS = 2000
"""Of each search. One core reviews 60 acts in a few seconds."""
PLAIN_SIMULATIONS = 60
"""In games of plain Python, which take about a hundred times as long."""
MAX_OF_ONE = 6
MAX_AT_ONCE = 24
"""How many reviews are under way or wait for their turn, of one address and of all."""
ACTS_OF_A_REVIEW = 100
"""A review of more acts counts as several."""
MAX_KEPT = 8 * 2**20
"""How many bytes of reviews are remembered: some hundred, or of the longest games a dozen."""
LEAST = 1_000
"""A shorter answer counts as this many bytes."""
DIGITS = 3
"""Shares are told with so many digits as long as a review is worked out."""
ASKED_WITHIN_SECONDS = 30.0
"""For how many seconds a review goes on that nobody asks about."""
ASKING_SECONDS = 1.0
"""How often, in seconds, it is checked whether anybody still waits for a review that nothing can interrupt."""

logger = logging.getLogger(__name__)


class NoReviewNow(Exception):
    """A review can't be worked out at the moment; the text says why, in one sentence."""


TOO_MANY = "Too many games are being reviewed; please try again in a minute."
BROKEN_OFF = "The review broke off: a process of the server has ended. Please try again."
FAILED = "The review went wrong on the server. Nothing at the table has changed."


class ReviewJob:
    """A review of a table's game that is under way or waits for its turn, for a visitor."""

    def __init__(self, table_id: str, address: str, positions: int) -> None:
        """`positions`: of how many it tells what they are worth."""
        self.table_id = table_id
        self.address = address
        self.worths: list[Shares | None] = [None] * positions
        """What is known so far of what they are worth."""
        self.has_begun = False
        self.done = self.of = 0
        self.is_cancelled = False
        self.asked_at = time.monotonic()
        """When a client last waited for it."""

    def tell(self, done: int, of: int) -> None:
        """Note how far it is; any thread may call this."""
        self.done, self.of = done, of

    def show(self, number: int, worth: Shares) -> None:
        """Note what a position is worth; any thread may call this."""
        self.worths[number] = tuple(round(share, DIGITS) for share in worth)

    def is_abandoned(self) -> bool:
        """Whether nobody waits for it any more; any thread may ask this."""
        return self.is_cancelled or time.monotonic() - self.asked_at > ASKED_WITHIN_SECONDS


class Reviews:
    """The reviews of a server process. `read` gives the state of a table as it is now.

    A game goes by its closing: no other game, and no other end of the same one, has the same.
    """

    def __init__(
        self, read: Callable[[str], Awaitable[TableState]], kernels: Kernels, search_pool: SearchPool, turns: Turns
    ) -> None:
        self._read = read
        self._turns = turns
        self._kernels = kernels
        self._search_pool = search_pool
        self._jobs: dict[str, ReviewJob] = {}
        """By the closings of the games. The first one of each address is under way."""
        self.found: Recent[str, bytes | NoReviewNow] = Recent(MAX_KEPT)
        """What came of reviews, in JSON."""
        self._working: dict[str, asyncio.Task[None]] = {}
        """What works for each address."""

    async def of(self, table_id: str, admit: Callable[[int], None]) -> bytes | messages.ReviewProgress:
        """The review of a table's game in JSON (`messages.AnyReview`), or how far it is.

        `admit` may refuse to begin one, which counts as a number of short ones, by raising an error.
        Whether the game is over is asked anew for every answer. Raises TableNotFound, StoreError, NoReview where there
        is none of this game or not yet, and NoReviewNow.
        """
        views = TableViews(await self._read(table_id), now)
        views.check_review()
        closing = views.state.closing
        found = self.found.get(closing)
        if isinstance(found, NoReviewNow):
            self.found.drop(closing)
            raise found
        if found is not None:
            return found
        if closing not in self._jobs:
            self._begin(closing, views.state, admit)
        job = self._jobs[closing]
        job.asked_at = time.monotonic()
        self._speed_up(closing, job)
        ahead = list(self._jobs_of(job.address)).index(closing)
        return messages.ReviewProgress(job.done, job.of, ahead, job.worths.copy())

    def close(self) -> None:
        """Review no more."""
        for working in self._working.values():
            working.cancel()
        for job in self._jobs.values():
            job.is_cancelled = True

    def waiting(self) -> int:
        """How many reviews wait or are worked out."""
        return len(self._jobs)

    def _jobs_of(self, address: str) -> dict[str, ReviewJob]:
        return {closing: job for closing, job in self._jobs.items() if job.address == address}

    def _begin(self, closing: str, state: TableState, admit: Callable[[int], None]) -> None:
        """Put a review at the end of its visitor's queue. Raises NoReviewNow, and what `admit` raises."""
        for waiting, job in list(self._jobs.items()):
            if not job.has_begun and job.is_abandoned():
                del self._jobs[waiting]
        address = visitor.get()
        if len(self._jobs) >= MAX_AT_ONCE or len(self._jobs_of(address)) >= MAX_OF_ONE:
            raise NoReviewNow(TOO_MANY)
        admit(1 + state.acts // ACTS_OF_A_REVIEW)
        positions = state.acts + 1 if state.game.info.turns else 0
        self._jobs[closing] = ReviewJob(state.setup.id, address, positions)
        self._start(address)

    def _speed_up(self, closing: str, job: ReviewJob) -> None:
        """Work out a review that waits behind others of its address for the visitor who asks, if that is sooner."""
        address = visitor.get()
        waits_for = list(self._jobs_of(job.address)).index(closing)
        if not job.has_begun and len(self._jobs_of(address)) < waits_for:
            job.address = address
            self._start(address)

    def _start(self, address: str) -> None:
        if address not in self._working:
            self._working[address] = asyncio.create_task(self._work(address))

    async def _work(self, address: str) -> None:
        """Work out one review of an address after another until none waits."""
        while jobs := self._jobs_of(address):
            closing, job = next(iter(jobs.items()))
            job.has_begun = True
            found = await self._work_out(closing, job)
            del self._jobs[closing]
            if found is not None:
                self.found.put(closing, found, max(LEAST, len(found) if isinstance(found, bytes) else 0))
        del self._working[address]

    async def _work_out(self, closing: str, job: ReviewJob) -> bytes | NoReviewNow | None:
        """The review, or why it went wrong; None where there is none any more, or no client waits for it."""
        from icetable.analysis import Cancelled  # with it comes numpy, which a server that begins has no time for

        try:
            views = TableViews(await self._read(job.table_id), now)
            views.check_review()
            if views.state.closing != closing:
                return None
            await asyncio.shield(self._kernels.prepare(views.state.game.info).ready)
            work_out = _review if views.state.game.info.turns else _tell
            text = await self._turns.run(views.record)
            with self._search_pool.serving(job.address) as share:
                return await asyncio.wrap_future(begin(lambda: work_out(text, job, share), "review"))
        except (Cancelled, NoReview):
            return None
        except BrokenExecutor as error:
            logger.error("a review broke off", extra=about(str(error), table=job.table_id))
            return NoReviewNow(BROKEN_OFF)
        except Exception:
            logger.exception("a game can't be reviewed", extra=about(table=job.table_id))
            return NoReviewNow(FAILED)


def simulations_of(info: GameInfo) -> int:
    """How many simulations a review takes for each position of a game."""
    return PLAIN_SIMULATIONS if info.is_plain else SIMULATIONS


def _review(text: str, job: ReviewJob, where: Executor) -> bytes:
    """Raises Cancelled, BrokenExecutor and others."""
    from icetable.analysis import review

    simulations = simulations_of(games.info(record.read_head(text).game))
    found = review(text, simulations, where=where, tell=job.tell, cancelled=job.is_abandoned, show=job.show)
    return messages.write(found)


def _tell(text: str, job: ReviewJob, where: Executor) -> bytes:
    """Raises Cancelled, BrokenExecutor and others."""
    from icetable.analysis import Cancelled

    told = where.submit(_told_of, text)
    while True:
        with contextlib.suppress(TimeoutError):
            return told.result(ASKING_SECONDS)
        if job.is_abandoned():
            raise Cancelled


def _told_of(text: str) -> bytes:
    """The review of a game without turns by its record, in a process of its own."""
    head = record.read_head(text)
    ensure(games.info(head.game))
    state = games.replay(text)
    assert isinstance(state.game, RealTimeGame)
    told = json.dumps(state.game.review(state, head.ended(state.game.players)))
    return messages.write(messages.RealTimeReview(messages.Told(json.loads(told))))
