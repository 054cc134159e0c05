"""Play-tests: a link that any number of visitors follow to tables of a game, and what its designer learns there."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
import statistics
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec
from msgspec import UNSET

from icetable import games
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.server import messages
from icetable.server.live.recent import Recent
from icetable.server.live.shared_games import load_shared
from icetable.server.live.turns import visitor
from icetable.server.store.waits import written
from icetable.server.table.clock import now
from icetable.server.table.errors import BadTable, TableNotFound
from icetable.server.table.log import remaining_acts
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import CODE_BYTES, new_id
from icetable.server.table.views import TableViews, seats_shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from icetable.core.game import GameInfo
    from icetable.core.turns import TurnState
    from icetable.server.live.search_pool import SearchPool
    from icetable.server.live.turns import Turns
    from icetable.server.store.store import Store
    from icetable.server.table.chat import ChatMessage
    from icetable.server.table.state import TableState

MAX_TABLES = 200
"""How many tables a report tells of, the newest."""
MAX_WAITING = 10
WAITING_MS = 15 * 60 * 1000
"""Of how many of the newest tables, and how old ones, a visitor may take a seat that is left."""
BOT_GAMES = 20
BOT_SIMULATIONS = 20
LONGEST_BOT_GAME = 500
"""How many games bots play, how much they look ahead, and after how many acts they give one up."""
MAX_REMEMBERED = 64
"""Of how many play-tests it is remembered what bots have played, and when they were asked."""
MAX_TOLD_BYTES = 4 * 2**20
"""How much of what was told of tables is kept in memory, so that only those that have changed are replayed."""

UNKNOWN = "There is no such play-test."
NOT_YOURS = "This play-test belongs to somebody else: its page opens by the link that its designer has."


_read_request = messages.request_reader(messages.TableRequest)


class Kept(NamedTuple):
    """A play-test as the store has it: the SHA-256 of its designer's code, and the table that each visitor gets."""

    lock: str
    request: messages.TableRequest


class Account(NamedTuple):
    """What a designer learned of a table; None where nobody had come.

    `when`: by which rules, as a file has them, and how many entries and chat messages there were.
    """

    when: tuple[GameInfo, int, int]
    table: messages.PlaytestTable | None


class Playtests:
    """`create` opens a table of a play-test, `read` gives the state of a table."""

    def __init__(
        self,
        store: Store,
        create: Callable[[messages.TableRequest, str], Awaitable[messages.TableCreated]],
        read: Callable[[str], Awaitable[TableState]],
        turns: Turns,
        search_pool: SearchPool,
    ) -> None:
        self._store = store
        self._create = create
        self._read = read
        self._turns = turns
        self._search_pool = search_pool
        self._bots: Recent[str, messages.BotGames] = Recent(MAX_REMEMBERED)
        self._asked: Recent[str, list[tuple[str, int, int]]] = Recent(MAX_REMEMBERED)
        """How the tables of a play-test were when bots were last asked to play it."""
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._told: Recent[str, Account] = Recent(MAX_TOLD_BYTES)

    def close(self) -> None:
        """Let bots play no more games."""
        for task in self._playing.values():
            task.cancel()

    async def begin(self, request: messages.TableRequest) -> messages.PlaytestCreated:
        """Begin a play-test, whose visitors take the seats that are no bot's. Raises GameError or StoreError."""
        if request.public or request.pair or request.explore:
            raise BadTable("a play-test has tables for a game each, which the lobby does not list")
        if all(seat.kind == "bot" for seat in request.seats):
            raise BadTable("a play-test has a seat for a visitor")
        seats = [
            seat if seat.kind == "bot" else messages.SeatRequest(kind="open", name="", level=None)
            for seat in request.seats
        ]
        request = msgspec.structs.replace(request, seats=seats)
        playtest, code = new_id(), secrets.token_hex(CODE_BYTES)
        await self._create(request, playtest)  # so that it is refused here what no table can have
        text = msgspec.json.encode(request).decode()
        await written(self._store.create_playtest(playtest, hash_code(code), text, now()))
        return messages.PlaytestCreated(playtest, code)

    async def about(self, playtest: str) -> messages.Playtest:
        """What visitors are shown first. Raises TableNotFound, GameError or StoreError."""
        info = games.info((await self._kept(playtest)).request.game)
        return messages.Playtest(info.name, info.title, info.summary)

    async def visit(self, playtest: str) -> messages.PlaytestVisit:
        """A table for one more visitor: one that waits for players, else a new one.

        Raises TableNotFound, GameError or StoreError.
        """
        kept = await self._kept(playtest)
        since = now() - WAITING_MS
        for table, *_ in await asyncio.to_thread(self._store.playtest_tables, playtest, MAX_WAITING, since):
            with contextlib.suppress(TableNotFound):
                state = await self._read(table)
                if state.seating.of_kind("open") and not state.is_over:
                    return messages.PlaytestVisit(table)
        return messages.PlaytestVisit((await self._create(kept.request, playtest)).table)

    async def report(self, playtest: str, code: str, with_records: bool) -> messages.PlaytestReport:
        """What the designer learns. Raises TableNotFound, BadTable for another code, GameError or StoreError."""
        kept = await self._kept(playtest)
        if hash_code(code) != kept.lock:
            raise BadTable(NOT_YOURS)
        tables = await asyncio.to_thread(self._store.playtest_tables, playtest, MAX_TABLES)
        self._ask_bots(playtest, kept.request, tables)
        info, told = games.info(kept.request.game), []
        for table, entries, said in tables:
            with contextlib.suppress(TableNotFound):  # it was deleted meanwhile
                one = await self._tell(table, (info, entries, said), with_records)
                if one is not None:
                    told.append(one)
        return messages.PlaytestReport(info.title, dict(kept.request.options), told, self._bots.get(playtest) or UNSET)

    async def _tell(
        self, table: str, when: tuple[GameInfo, int, int], with_record: bool
    ) -> messages.PlaytestTable | None:
        """What a designer learns of a table. Raises TableNotFound or StoreError."""
        kept = self._told.get(table)
        if not with_record and kept is not None and kept.when == when:
            return kept.table
        state = await self._read(table)
        chat = await asyncio.to_thread(self._store.chat, table)
        one = await self._turns.run(functools.partial(told_of, state, chat, with_record))
        if not with_record:
            self._told.put(table, Account(when, one), len(msgspec.json.encode(one)))
        return one

    async def _kept(self, playtest: str) -> Kept:
        row = await asyncio.to_thread(self._store.playtest, playtest)
        if row is None:
            raise TableNotFound(UNKNOWN)
        return Kept(row[0], _read_request(row[1].encode()))

    def _ask_bots(self, playtest: str, request: messages.TableRequest, tables: list[tuple[str, int, int]]) -> None:
        """Let bots play among themselves, once; where that failed, again when something has happened at the tables."""
        if self._bots.get(playtest) is None and playtest not in self._playing and self._asked.get(playtest) != tables:
            self._asked.put(playtest, tables)
            self._playing[playtest] = asyncio.create_task(self._let_bots_play(playtest, request))

    async def _let_bots_play(self, playtest: str, request: messages.TableRequest) -> None:
        try:
            options = {name: value for name, value in request.options.items() if value is not None}
            game = await asyncio.to_thread(load_shared, request.game, options)
            if game.info.turns:
                start = cast("TurnState", game.start())
                with self._search_pool.serving(visitor.get()) as share:
                    playing = [share.submit(play_one, start, seed) for seed in range(BOT_GAMES)]
                    ends = [await asyncio.wrap_future(one) for one in playing]
                self._bots.put(playtest, summed(ends, game.players))
        except (BrokenExecutor, GameError):
            pass  # the page says nothing of bots then
        finally:
            del self._playing[playtest]


def play_one(state: TurnState, seed: int) -> tuple[int, frozenset[int]]:
    """A game of bots that look a little ahead: how many acts players made, and who won. For another process."""
    import numpy as np

    from icetable.bots.search import search

    rng, acts = np.random.default_rng(seed), 0
    while not state.is_terminal and acts < LONGEST_BOT_GAME:
        if state.actor == CHANCE:
            act = state.game.random_act(state, rng)
        else:
            acts += 1
            act = search(state, simulations=BOT_SIMULATIONS, seed=int(rng.integers(2**31)))[0].action
        state = state.apply(act).without_history()
    return acts, state.winners


def summed(ends: Iterable[tuple[int, frozenset[int]]], players: int) -> messages.BotGames:
    """What the games of bots say."""
    lengths, winners = zip(*ends, strict=True)
    shares = [sum((seat in won) / max(1, len(won)) for won in winners) / len(winners) for seat in range(players)]
    return messages.BotGames(len(lengths), statistics.median(lengths), shares)


def told_of(state: TableState, said: list[ChatMessage], with_record: bool) -> messages.PlaytestTable | None:
    """What a designer learns of a table; None where nobody has come. What a game hides waits for its end."""
    if not any(seat.kind == "person" for seat in state.seating.seats):
        return None
    views = TableViews(state, now)
    is_shown = state.is_over or state.game.shows_history(state.position)
    return messages.PlaytestTable(
        table=state.setup.id,
        created=state.setup.created,
        seats=seats_shown(state.seating),
        acts=sum(entry.seat != CHANCE for entry in remaining_acts(state.log())),
        over=state.is_over,
        winners=sorted(state.position.winners if state.end is None else state.end.winners) if state.is_over else [],
        scores=list(state.position.scores) if is_shown else [],
        thinking=list(thinking(state)),
        remarks=[
            messages.PlaytestRemark(
                one.shown_name, one.remark, str(state.after(one.remark).act or ""), one.text, one.at
            )
            for one in said
            if is_shown and one.remark is not None and one.remark <= state.acts
        ],
        record=views.record() if with_record and is_shown else UNSET,
    )


def thinking(state: TableState) -> Iterator[float | None]:
    """The seconds that each seat took for an act, in the median; None for bots, and where it made none."""
    spent: dict[int, list[int]] = {seat: [] for seat in range(state.game.players)}
    before = 0
    for entry in remaining_acts(state.log()):
        if entry.seat in spent and before:
            spent[entry.seat].append(entry.at - before)
        before = entry.at
    for seat, times in spent.items():
        is_person = state.seating.seats[seat].level is None
        yield statistics.median(times) / 1000 if times and is_person else None
