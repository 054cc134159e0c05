"""Analyses of the positions that clients view, searched deeper and deeper while the client stays there."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from icetable.server import messages
from icetable.server.apart import searches
from icetable.server.apart.games import ApartState
from icetable.server.errors import Hidden, sentence
from icetable.server.live.fair_queue import client_address
from icetable.server.live.memory import LRUCache
from icetable.server.live.tables.tables import TableObserver
from icetable.server.logs import about
from icetable.server.table import insight
from icetable.workshop.guard import DesignError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.analysis.results import Analysis
    from icetable.core.game import State
    from icetable.server.live.study.search_pool import SearchPool
    from icetable.server.live.tables.client import Client
    from icetable.server.live.tables.table import LiveTable
    from icetable.server.live.tables.tables import Tables

DEPTHS: tuple[int, ...] = (500, 4_000, 32_000)
"""Simulations of the successive searches, which take from some hundredths of a second to about one second."""
PLAIN_DEPTHS: tuple[int, ...] = (50, 200, 1_000)
"""The same for games in plain Python, which are about a hundred times slower."""
MAX_CLIENTS = 1024
"""Maximum number of clients served. The limit of sockets bounds those of one address."""
MAX_CACHED_BYTES = 2 * 2**20
"""Maximum size of the cached answers."""
MAX_LINE_LENGTH = 12
"""Maximum number of acts of a line that is sent."""

TOO_MANY_ERROR = "Too many positions are being analysed; please try again in a minute."
INTERRUPTED_ERROR = "The analysis was interrupted: a process of the server has died. Please try again."
FAILED_ERROR = "The analysis failed on the server. Nothing at the table has changed."

logger = logging.getLogger(__name__)


class Search(NamedTuple):
    """The input of a search; equal inputs have equal answers."""

    game: str
    options: str
    position: str
    number: int
    simulations: int
    is_last: bool
    """Whether no deeper search follows."""

    @property
    def key(self) -> bytes:
        """A hash of the input."""
        return hashlib.sha256(msgspec.json.encode(self)).digest()


class Answer(NamedTuple):
    """The result of a search: a message in JSON, and whether no deeper search follows."""

    text: bytes
    is_last: bool


def depths_of(state: State) -> tuple[int, ...]:
    """The simulations of the successive searches of a position."""
    return PLAIN_DEPTHS if state.game.info.is_plain else DEPTHS


class Analyses(TableObserver):
    """The analyses of a server process: one per client, the latest that it requested."""

    def __init__(self, tables: Tables, search_pool: SearchPool) -> None:
        tables.observers.append(self)
        self._search_pool = search_pool
        self._kernels = tables.bot_pool.kernels
        self._tasks: dict[Client, asyncio.Task[None]] = {}
        self._answers: LRUCache[bytes, Answer] = LRUCache(MAX_CACHED_BYTES)

    def start(self, client: Client, table: LiveTable, number: int) -> None:
        """Analyse the position after `number` acts for a client, which is sent the answer of each search."""
        self.stop(client)
        if len(self._tasks) >= MAX_CLIENTS:
            client.send(messages.Unanalysed(number, TOO_MANY_ERROR))
            return
        self._tasks[client] = asyncio.create_task(self._answer(client, table, number))

    def stop(self, client: Client) -> None:
        """Stop analysing for a client. A search that has begun still runs to its end."""
        task = self._tasks.pop(client, None)
        if task is not None:
            task.cancel()

    def on_joined(self, table: LiveTable, client: Client) -> None:
        """Stop analysing for a client that has come to a table."""
        self.stop(client)

    def on_left(self, table: LiveTable, client: Client) -> None:
        """Stop analysing for a client that has left its table."""
        self.stop(client)

    def queue_length(self) -> int:
        """The number of clients that wait for an analysis."""
        return len(self._tasks)

    def close(self) -> None:
        """Stop all analyses."""
        for client in list(self._tasks):
            self.stop(client)

    async def _answer(self, client: Client, table: LiveTable, number: int) -> None:
        try:
            await self._deepen(client, table, number)
        except Hidden as hidden:
            client.send(messages.Unanalysed(number, str(hidden)))
        except DesignError as error:
            client.send(messages.Unanalysed(number, sentence(error)))
        except BrokenExecutor as error:
            logger.error("an analysis was interrupted", extra=about(str(error), table=table.state.setup.id))
            client.send(messages.Unanalysed(number, INTERRUPTED_ERROR))
        except Exception:
            logger.exception("a position can't be analysed", extra=about(table=table.state.setup.id, position=number))
            client.send(messages.Unanalysed(number, FAILED_ERROR))
        if self._tasks.get(client) is asyncio.current_task():
            del self._tasks[client]

    async def _deepen(self, client: Client, table: LiveTable, number: int) -> None:
        """Check again before every answer that the client may see it. Raises Hidden and the errors of a search."""
        state = await _position(client, table, number)
        with self._search_pool.serving(client_address.get()) as executor:
            await asyncio.shield(self._kernels.prepare(state.game.info).ready)
            for simulations in depths_of(state):
                answer = await self._search(state, number, simulations, executor)
                if await _position(client, table, number) != state:
                    return  # acts were taken back meanwhile
                client.send_bytes(answer.text)
                if answer.is_last:
                    return

    async def _search(self, state: State, number: int, simulations: int, executor: Executor) -> Answer:
        options = json.dumps(dict(state.game.options))
        is_last = simulations == depths_of(state)[-1]
        search = Search(state.game.info.name, options, state.to_json(), number, simulations, is_last)
        answer = self._answers.get(search.key)
        if answer is None:
            if isinstance(state, ApartState):
                studies = state.game.info.code.studies.thread
                answer = await asyncio.wrap_future(studies.submit(_search_apart, search, state))
            else:
                answer = await asyncio.wrap_future(executor.submit(_run_search, search))
            self._answers.put(search.key, answer, len(answer.text))
        return answer


async def _position(client: Client, table: LiveTable, number: int) -> State:
    """The position that a client asks about. Raises Hidden if the client may not see it now."""
    insight.check_position(table.state, client.viewer, number)
    async with table.loaded_positions(number, number):
        return insight.position(table.state, client.viewer, number)


def _run_search(search: Search) -> Answer:
    """Search in a worker process."""
    from icetable.analysis.positions import analyse_saved

    options = json.loads(search.options)
    return _answer(
        search, analyse_saved(search.game, options, search.position, search.number, simulations=search.simulations)
    )


def _search_apart(search: Search, state: ApartState) -> Answer:
    """Search in the process of the game's file."""
    return _answer(search, searches.analyse(state, search.number, search.simulations))


def _answer(search: Search, analysis: Analysis) -> Answer:
    is_last = analysis.exact or search.is_last
    answer = messages.Analysed(
        seq=search.number,
        simulations=search.simulations,
        last=is_last,
        seat=analysis.seat,
        worth=analysis.worth,
        exact=analysis.exact,
        candidates=tuple(
            msgspec.structs.replace(candidate, line=candidate.line[:MAX_LINE_LENGTH])
            for candidate in analysis.candidates
        ),
        outcomes=analysis.outcomes,
    )
    return Answer(messages.write(answer), is_last)
