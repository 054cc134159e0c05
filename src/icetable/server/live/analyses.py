"""Analyses of the positions that clients look at: each is searched deeper and deeper as long as its client looks."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from icetable.server import messages
from icetable.server.live.recent import Recent
from icetable.server.live.turns import visitor
from icetable.server.logs import about
from icetable.server.table import insight
from icetable.server.table.errors import Hidden

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.core.game import State
    from icetable.server.live.client import Client
    from icetable.server.live.kernels import Kernels
    from icetable.server.live.search_pool import SearchPool
    from icetable.server.live.table import LiveTable

DEPTHS: tuple[int, ...] = (500, 4_000, 32_000)
"""The simulations of one search after the other. The first takes some hundredths of a second, the last about one."""
PLAIN_DEPTHS: tuple[int, ...] = (50, 200, 1_000)
"""Those of games in plain Python, which take about a hundred times as long."""
MAX_AT_ONCE = 1024
"""How many clients are served: those of one address have a socket each, and few sockets in all."""
MAX_KEPT = 2 * 2**20
"""How many bytes of answers are remembered."""
LONGEST_LINE = 12
"""The acts of a line that are sent."""

TOO_MANY = "Too many positions are being analysed; please try again in a minute."
BROKEN_OFF = "The analysis broke off: a process of the server has ended. Please try again."
FAILED = "The analysis went wrong on the server. Nothing at the table has changed."

logger = logging.getLogger(__name__)


class Search(NamedTuple):
    """What a process is to search. Equal ones have equal answers."""

    game: str
    options: str
    position: str
    number: int
    simulations: int
    is_last: bool
    """Whether no deeper search would follow."""

    @property
    def key(self) -> bytes:
        """What tells it from others."""
        return hashlib.sha256(msgspec.json.encode(self)).digest()


class Answer(NamedTuple):
    """What was found: a message in JSON, and whether no deeper search follows."""

    text: bytes
    is_last: bool


def depths_of(state: State) -> tuple[int, ...]:
    """How deep a position is searched, step by step."""
    return PLAIN_DEPTHS if state.game.info.is_plain else DEPTHS


class Analyses:
    """The questions of the clients of a server process, one of each client. A newer one replaces the last."""

    def __init__(self, search_pool: SearchPool, kernels: Kernels) -> None:
        self._search_pool = search_pool
        self._kernels = kernels
        self._questions: dict[Client, asyncio.Task[None]] = {}
        self._found: Recent[bytes, Answer] = Recent(MAX_KEPT)

    def ask(self, client: Client, table: LiveTable, number: int) -> None:
        """Send a client what the position after `number` acts is worth, by one search after the other."""
        self.stop(client)
        if len(self._questions) >= MAX_AT_ONCE:
            client.send(messages.Unanalysed(number, TOO_MANY))
            return
        self._questions[client] = asyncio.create_task(self._answer(client, table, number))

    def stop(self, client: Client) -> None:
        """Answer a client no more. A search that has begun goes on to its end."""
        question = self._questions.pop(client, None)
        if question is not None:
            question.cancel()

    def waiting(self) -> int:
        """How many clients wait for an analysis."""
        return len(self._questions)

    def close(self) -> None:
        """Answer nobody any more."""
        for client in list(self._questions):
            self.stop(client)

    async def _answer(self, client: Client, table: LiveTable, number: int) -> None:
        try:
            await self._deepen(client, table, number)
        except Hidden as hidden:
            client.send(messages.Unanalysed(number, str(hidden)))
        except BrokenExecutor as error:
            logger.error("an analysis broke off", extra=about(str(error), table=table.state.setup.id))
            client.send(messages.Unanalysed(number, BROKEN_OFF))
        except Exception:
            logger.exception("a position can't be analysed", extra=about(table=table.state.setup.id, position=number))
            client.send(messages.Unanalysed(number, FAILED))
        if self._questions.get(client) is asyncio.current_task():
            del self._questions[client]

    async def _deepen(self, client: Client, table: LiveTable, number: int) -> None:
        """Whether the client may see it is asked anew before every answer. Raises Hidden and what a search does."""
        state = await _position(client, table, number)
        with self._search_pool.serving(visitor.get()) as share:
            await asyncio.shield(self._kernels.prepare(state.game.info).ready)
            for simulations in depths_of(state):
                found = await self._search(state, number, simulations, share)
                if await _position(client, table, number) != state:
                    return  # acts were taken back meanwhile
                client.send_bytes(found.text)
                if found.is_last:
                    return

    async def _search(self, state: State, number: int, simulations: int, share: Executor) -> Answer:
        options = json.dumps(dict(state.game.options))
        is_last = simulations == depths_of(state)[-1]
        search = Search(state.game.info.name, options, state.to_json(), number, simulations, is_last)
        found = self._found.get(search.key)
        if found is None:
            found = await asyncio.wrap_future(share.submit(_searched, search))
            self._found.put(search.key, found, len(found.text))
        return found


async def _position(client: Client, table: LiveTable, number: int) -> State:
    """The position that a client asks about. Raises Hidden where the client may not see it now."""
    insight.check_position(table.state, client.viewer, number)
    async with table.worked_out(number, number):
        return insight.position(table.state, client.viewer, number)


def _searched(search: Search) -> Answer:
    """What a process finds."""
    from icetable.analysis.positions import analyse_saved

    options = json.loads(search.options)
    found = analyse_saved(search.game, options, search.position, search.number, search.simulations)
    is_last = found.exact or search.is_last
    answer = messages.Analysed(
        seq=search.number,
        simulations=search.simulations,
        last=is_last,
        seat=found.seat,
        worth=found.worth,
        exact=found.exact,
        candidates=tuple(msgspec.structs.replace(one, line=one.line[:LONGEST_LINE]) for one in found.candidates),
        outcomes=found.outcomes,
    )
    return Answer(messages.write(answer), is_last)
