"""Reviews of finished games, computed by low-priority processes.

Reviews of one address run one after another, those of different addresses in parallel: a long one delays no other
client.

At a position of a reviewed game another act can be tried, which is judged by the standard of the review.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, cast

from icetable import games
from icetable.bots.compilation import ensure
from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.game import CHANCE, Action
from icetable.core.options import short_repr
from icetable.core.realtime import RealTimeGame
from icetable.server import messages
from icetable.server.apart import games as apart
from icetable.server.apart import searches
from icetable.server.apart.games import ApartGame, ApartState
from icetable.server.errors import sentence
from icetable.server.live.fair_queue import FairQueue, client_address
from icetable.server.live.memory import LRUCache
from icetable.server.logs import about
from icetable.server.table.clock import now
from icetable.server.table.views import NoReview, TableViews, frames, states_after
from icetable.workers import begin
from icetable.workshop.guard import DesignError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from icetable.analysis.results import Shares
    from icetable.analysis.reviews import Retry
    from icetable.core.game import GameInfo
    from icetable.core.turns import TurnState
    from icetable.server.apart.wire import ReviewProgress
    from icetable.server.live.study.search_pool import SearchPool
    from icetable.server.live.tables.tables import Tables
    from icetable.server.table.state import TableState

SIMULATIONS = 2000
"""Simulations per search. One core reviews 60 acts in a few seconds."""
PLAIN_SIMULATIONS = 60
"""The same for games in plain Python, which are about a hundred times slower."""
MAX_JOBS_PER_ADDRESS = 6
MAX_JOBS = 24
"""Maximum number of queued and running reviews, per address and in total."""
ACTS_PER_REVIEW = 100
"""A review with more acts counts as several."""
MAX_CACHED_BYTES = 8 * 2**20
"""Maximum size of the cached reviews: about a hundred, or a dozen of the longest games."""
MIN_COUNTED_BYTES = 1_000
"""A shorter answer counts as this many bytes."""
SHARE_DIGITS = 3
"""Number of decimals of the shares shown while a review is running."""
ABANDONED_SECONDS = 30.0
"""A review is abandoned if no client requests it for this long."""
ABANDONED_CHECK_SECONDS = 1.0
"""Interval between checks for abandonment of a review that can't be interrupted."""
MAX_LINE_LENGTH = 12
"""Maximum number of acts of a line that is sent."""

NO_TURNS_ERROR = "Only moves of games of turns can be tried again."
VERDICT_INTERRUPTED_ERROR = "The verdict was interrupted: a process of the server has died. Please try again."

TOO_MANY_ERROR = "Too many games are being reviewed; please try again in a minute."
INTERRUPTED_ERROR = "The review was interrupted: a process of the server has died. Please try again."
FAILED_ERROR = "The review failed on the server. Nothing at the table has changed."

logger = logging.getLogger(__name__)


class NoReviewNow(Exception):
    """A review can't be computed at the moment; the text says why, in one sentence."""


class ReviewJob:
    """A queued or running review of a table's game, for a client."""

    def __init__(self, table_id: str, address: str, positions: int) -> None:
        """`positions`: the number of positions whose values it shows."""
        self.table_id = table_id
        self.address = address
        self.values: list[Shares | None] = [None] * positions
        """The values found so far."""
        self.task: asyncio.Task[None] | None = None
        self.has_started = False
        self.done = self.of = 0
        self.is_cancelled = False
        self.requested_at = time.monotonic()
        """When a client last requested it."""

    def set_progress(self, done: int, of: int) -> None:
        """Set the numbers of finished and of all searches. Thread-safe."""
        self.done, self.of = done, of

    def set_value(self, number: int, value: Shares) -> None:
        """Set the value of a position. Thread-safe."""
        self.values[number] = tuple(round(share, SHARE_DIGITS) for share in value)

    def is_abandoned(self) -> bool:
        """Whether no client waits for it any more. Thread-safe."""
        return self.is_cancelled or time.monotonic() - self.requested_at > ABANDONED_SECONDS


class Reviews:
    """The reviews of a server process, and verdicts on other acts at positions of reviewed games.

    Games are identified by their closings, which differ between games and between ends of the same game.
    """

    def __init__(self, tables: Tables, search_pool: SearchPool) -> None:
        self._tables = tables
        self._search_pool = search_pool
        self._jobs: dict[str, ReviewJob] = {}
        """By the closings of the games, those of an address in order; its first one is running."""
        self.results: LRUCache[str, bytes | NoReviewNow] = LRUCache(MAX_CACHED_BYTES)
        """Finished reviews in JSON, and errors."""
        self._queue = FairQueue(MAX_JOBS, "review", per_client=1)

    async def of(self, table_id: str, admit: Callable[[int], None]) -> bytes | messages.ReviewProgress:
        """The review of a table's game in JSON (`messages.AnyReview`), or its progress.

        `admit` is called with the number of short reviews that a new one counts as, and may raise an error to refuse
        it. Checks for every answer that the game is over. Raises TableNotFound, StoreError, NoReview if the game has no
        review or is not over, and NoReviewNow.
        """
        views = TableViews(await self._tables.read(table_id), now)
        views.check_review()
        closing = views.state.closing
        result = self.results.get(closing)
        if isinstance(result, NoReviewNow):
            self.results.drop(closing)
            raise result
        if result is not None:
            return result
        if closing not in self._jobs:
            self._begin(closing, views.state, admit)
        job = self._jobs[closing]
        job.requested_at = time.monotonic()
        self._move_forward(closing, job)
        ahead = list(self._jobs_of(job.address)).index(closing)
        return messages.ReviewProgress(job.done, job.of, ahead, job.values.copy())

    def close(self) -> None:
        """Stop all reviews."""
        for job in self._jobs.values():
            job.is_cancelled = True
            if job.task is not None:
                job.task.cancel()
        self._queue.close()

    def queue_length(self) -> int:
        """The number of queued and running reviews."""
        return len(self._jobs)

    def _jobs_of(self, address: str) -> dict[str, ReviewJob]:
        return {closing: job for closing, job in self._jobs.items() if job.address == address}

    def _begin(self, closing: str, state: TableState, admit: Callable[[int], None]) -> None:
        """Append a review to its client's queue. Raises NoReviewNow and the errors of `admit`."""
        for queued, job in list(self._jobs.items()):
            if not job.has_started and job.is_abandoned():
                self._drop(queued)
        address = client_address.get()
        if len(self._jobs) >= MAX_JOBS or len(self._jobs_of(address)) >= MAX_JOBS_PER_ADDRESS:
            raise NoReviewNow(TOO_MANY_ERROR)
        admit(1 + state.acts // ACTS_PER_REVIEW)
        positions = state.acts + 1 if state.game.info.turns else 0
        self._start(closing, ReviewJob(state.setup.id, address, positions))

    def _move_forward(self, closing: str, job: ReviewJob) -> None:
        """Move a queued review to the queue of the address that requests it, if that is shorter."""
        address = client_address.get()
        ahead = list(self._jobs_of(job.address)).index(closing)
        if not job.has_started and len(self._jobs_of(address)) < ahead:
            self._drop(closing)
            job.address = address
            self._start(closing, job)

    def _start(self, closing: str, job: ReviewJob) -> None:
        self._jobs[closing] = job
        job.task = asyncio.create_task(self._run(closing, job))

    def _drop(self, closing: str) -> None:
        """Take a review that has not started out of its queue."""
        job = self._jobs.pop(closing)
        if job.task is not None:
            job.task.cancel()

    async def _run(self, closing: str, job: ReviewJob) -> None:
        """Run a review when it is its address's turn; those of an address run one after another."""
        async with self._queue.turn(job.address):
            job.has_started = True
            result = await self._run_job(closing, job)
            del self._jobs[closing]
            if result is not None:
                size = len(result) if isinstance(result, bytes) else 0
                self.results.put(closing, result, max(MIN_COUNTED_BYTES, size))

    async def _run_job(self, closing: str, job: ReviewJob) -> bytes | NoReviewNow | None:
        """The review, or an error; None if the game no longer has one, or no client waits for it."""
        from icetable.analysis import Cancelled  # imports numpy, which would slow down the server's start

        try:
            views = TableViews(await self._tables.read(job.table_id), now)
            views.check_review()
            if views.state.closing != closing:
                return None
            await asyncio.shield(self._tables.bot_pool.kernels.prepare(views.state.game.info).ready)
            game = views.state.game
            if isinstance(game, ApartGame):
                text = await self._tables.scheduler.run(views.record, game.info)
                studies = game.info.code.studies.thread
                return await asyncio.wrap_future(studies.submit(_review_apart, game, text, job))
            run = _review_turns if views.state.game.info.turns else _review_realtime
            text = await self._tables.scheduler.run(views.record)
            with self._search_pool.serving(job.address) as executor:
                return await asyncio.wrap_future(begin(lambda: run(text, job, executor), "review"))
        except (Cancelled, NoReview):
            return None
        except DesignError as error:
            return NoReviewNow(sentence(error))
        except BrokenExecutor as error:
            logger.error("a review was interrupted", extra=about(str(error), table=job.table_id))
            return NoReviewNow(INTERRUPTED_ERROR)
        except Exception:
            logger.exception("a game can't be reviewed", extra=about(table=job.table_id))
            return NoReviewNow(FAILED_ERROR)

    # Verdicts

    async def judge(self, table_id: str, number: int, act: str) -> messages.Retried:
        """Judge an act at the position after `number` acts.

        Raises TableNotFound, StoreError, GameError if the act is not legal there, NoReview if the game has no review or
        is not over, and NoReviewNow.
        """
        state = await self._position(table_id, number)
        if act not in state.legal_actions():
            raise GameError(f"{short_repr(act)} is not a move at this position")
        await asyncio.shield(self._tables.bot_pool.kernels.prepare(state.game.info).ready)
        verdict = await self._search(state, number, Action(act))

        def retried() -> messages.Retried:
            reply = states_after(state.apply(act), verdict.line[:MAX_LINE_LENGTH], state.actor)
            answer = states_after(state, verdict.act.line[:MAX_LINE_LENGTH], state.actor)
            return messages.Retried(
                verdict.is_right,
                verdict.worth,
                verdict.best,
                frames(reply, state.actor, 2),
                frames([state, *answer], state.actor, 0),
            )

        return await apart.run(state.game.info, retried)

    async def _position(self, table_id: str, number: int) -> TurnState | ApartState:
        """A position where a seat was to act. Raises the errors of `judge`."""
        views = TableViews(await self._tables.read(table_id), now)
        views.check_review()
        if not views.state.game.info.turns:
            raise NoReview(NO_TURNS_ERROR)
        if number >= views.state.acts:
            raise GameError(f"only {views.state.acts} moves were made")
        async with self._tables.scheduler.loaded_positions(
            views.state.positions, number, number, views.state.game.info
        ):
            state = cast("TurnState | ApartState", views.state.after(number))
        if state.actor == CHANCE:
            raise GameError("chance acted at this position")
        return state

    async def _search(self, state: TurnState | ApartState, number: int, act: Action) -> Retry:
        """Raises NoReviewNow."""
        from icetable.analysis.positions import Analyst
        from icetable.analysis.reviews import Unit, retry, sources_of

        if isinstance(state, ApartState):
            simulations = simulations_of(state.game.info)
            studies = state.game.info.code.studies.thread
            return await asyncio.wrap_future(studies.submit(searches.retry, state, act, number, simulations))
        posted = Unit(state, act, number, Analyst(simulations_of(state.game.info))).posted(sources_of(state.game.info))
        try:
            with self._search_pool.serving(client_address.get()) as executor:
                return await asyncio.wrap_future(executor.submit(retry, posted))
        except BrokenExecutor as error:
            logger.error("a verdict was interrupted", extra=about(str(error)))
            raise NoReviewNow(VERDICT_INTERRUPTED_ERROR) from None


def simulations_of(info: GameInfo) -> int:
    """The number of simulations per position in a review of a game."""
    return PLAIN_SIMULATIONS if info.is_plain else SIMULATIONS


def _review_turns(text: str, job: ReviewJob, executor: Executor) -> bytes:
    """Raises Cancelled, BrokenExecutor and others."""
    from icetable.analysis import review

    simulations = simulations_of(games.info(record.read_head(text).game))
    result = review(
        text,
        simulations,
        executor=executor,
        on_progress=job.set_progress,
        cancelled=job.is_abandoned,
        show=job.set_value,
    )
    return messages.write(result)


def _review_apart(game: ApartGame, text: str, job: ReviewJob) -> bytes:
    """Raises Cancelled, and DesignError if the game's file fails."""
    from icetable.analysis import Cancelled

    def on_progress(progress: ReviewProgress) -> None:
        if job.is_abandoned():
            raise Cancelled
        if progress.worth is None:
            job.set_progress(progress.done, progress.of)
        else:
            job.set_value(progress.done, progress.worth)

    return messages.write(searches.review(game, text, simulations_of(game.info), on_progress))


def _review_realtime(text: str, job: ReviewJob, executor: Executor) -> bytes:
    """Raises Cancelled, BrokenExecutor and others."""
    from icetable.analysis import Cancelled

    future = executor.submit(_realtime_review, text)
    while True:
        with contextlib.suppress(TimeoutError):
            return future.result(ABANDONED_CHECK_SECONDS)
        if job.is_abandoned():
            raise Cancelled


def _realtime_review(text: str) -> bytes:
    """Review the record of a game without turns, in a worker process."""
    head = record.read_head(text)
    ensure(games.info(head.game))
    state = games.replay(text)
    assert isinstance(state.game, RealTimeGame)
    game = state.game
    content = json.dumps(game.review_page(game.review(state, head.ended(game.players))))
    return messages.write(messages.RealTimeReview(messages.ReviewParts(json.loads(content))))
