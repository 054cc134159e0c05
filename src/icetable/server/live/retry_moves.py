"""Retries at positions of a finished game: judges another act by the standard of its review."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, cast

from icetable.core.errors import GameError
from icetable.core.game import CHANCE, Action
from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.apart import games as apart
from icetable.server.apart import searches
from icetable.server.apart.games import ApartState
from icetable.server.live import reviews
from icetable.server.live.fair_scheduler import client_address
from icetable.server.logs import about
from icetable.server.table.clock import now
from icetable.server.table.views import NoReview, TableViews, frames, states_after

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.analysis.reviews import Retry
    from icetable.core.turns import TurnState
    from icetable.server.live.fair_scheduler import FairScheduler
    from icetable.server.live.kernels import Kernels
    from icetable.server.live.search_pool import SearchPool
    from icetable.server.table.state import TableState

MAX_LINE_LENGTH = 12
"""Maximum number of acts of a line that is sent."""

NO_TURNS_ERROR = "Only moves of games of turns can be tried again."
INTERRUPTED_ERROR = "The verdict was interrupted: a process of the server has died. Please try again."

logger = logging.getLogger(__name__)


class Retries:
    """The verdicts of a server process. `read` returns the current state of a table."""

    def __init__(
        self,
        read: Callable[[str], Awaitable[TableState]],
        kernels: Kernels,
        search_pool: SearchPool,
        scheduler: FairScheduler,
    ) -> None:
        self._read = read
        self._kernels = kernels
        self._search_pool = search_pool
        self._scheduler = scheduler

    async def judge(self, table_id: str, number: int, act: str) -> messages.Retried:
        """Judge an act at the position after `number` acts.

        Raises TableNotFound, StoreError, GameError if the act is not legal there, NoReview if the game has no review or
        is not over, and NoReviewNow.
        """
        state = await self._position(table_id, number)
        if act not in state.legal_actions():
            raise GameError(f"{short_repr(act)} is not a move at this position")
        await asyncio.shield(self._kernels.prepare(state.game.info).ready)
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
        views = TableViews(await self._read(table_id), now)
        views.check_review()
        if not views.state.game.info.turns:
            raise NoReview(NO_TURNS_ERROR)
        if number >= views.state.acts:
            raise GameError(f"only {views.state.acts} moves were made")
        async with self._scheduler.loaded_positions(views.state.positions, number, number, views.state.game.info):
            state = cast("TurnState | ApartState", views.state.after(number))
        if state.actor == CHANCE:
            raise GameError("chance acted at this position")
        return state

    async def _search(self, state: TurnState | ApartState, number: int, act: Action) -> Retry:
        """Raises NoReviewNow."""
        from icetable.analysis.positions import Analyst
        from icetable.analysis.reviews import Unit, retry, sources_of

        if isinstance(state, ApartState):
            simulations = reviews.simulations_of(state.game.info)
            studies = state.game.info.code.studies.thread
            return await asyncio.wrap_future(studies.submit(searches.retry, state, act, number, simulations))
        posted = Unit(state, act, number, Analyst(reviews.simulations_of(state.game.info))).posted(
            sources_of(state.game.info)
        )
        try:
            with self._search_pool.serving(client_address.get()) as executor:
                return await asyncio.wrap_future(executor.submit(retry, posted))
        except BrokenExecutor as error:
            logger.error("a verdict was interrupted", extra=about(str(error)))
            raise reviews.NoReviewNow(INTERRUPTED_ERROR) from None
