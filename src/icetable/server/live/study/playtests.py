"""Play-tests: a link that leads any number of visitors to tables of a game, and a report for its designer."""

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
from icetable.server.apart import searches
from icetable.server.apart.games import ApartGame
from icetable.server.bot_games import play_bot_game
from icetable.server.errors import BadTable, TableNotFound
from icetable.server.live.fair_queue import client_address
from icetable.server.live.memory import LRUCache
from icetable.server.live.tables.shared_games import load_in_thread
from icetable.server.store.database import written
from icetable.server.table.clock import now
from icetable.server.table.log import remaining_acts
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import CODE_BYTES, new_id
from icetable.server.table.views import TableViews, seats_shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from icetable.core.game import GameInfo
    from icetable.core.turns import TurnState
    from icetable.server.chat import ChatMessage
    from icetable.server.live.study.search_pool import SearchPool
    from icetable.server.live.tables.tables import Tables
    from icetable.server.table.state import TableState

MAX_REPORTED_TABLES = 200
"""Maximum number of tables in a report; the newest are shown."""
MAX_OPEN_TABLES = 10
OPEN_TABLE_MS = 15 * 60 * 1000
"""Number and maximum age of the newest tables where a visitor may take a free seat."""
BOT_GAMES = 20
"""Number of games that bots play."""
MAX_CACHED_PLAYTESTS = 64
"""Number of play-tests whose bot games are cached."""
MAX_CACHED_REPORT_BYTES = 4 * 2**20
"""Maximum size of the cached reports of tables, so that only changed tables are replayed."""

UNKNOWN_ERROR = "There is no such play-test."
NOT_YOURS_ERROR = "This play-test belongs to somebody else: its page opens by the link that its designer has."


_read_request = messages.request_reader(messages.TableRequest)


class StoredPlaytest(NamedTuple):
    """A stored play-test."""

    lock: str
    """The SHA-256 of its designer's code."""
    request: messages.TableRequest
    """The request for each of its tables."""


class CachedReport(NamedTuple):
    """The report of a table, as long as neither its game nor its log changes."""

    version: tuple[GameInfo, int, int]
    """The game as loaded from its file, and the number of entries and of chat messages."""
    table: messages.PlaytestTable | None
    """None if nobody has taken a seat."""


class Playtests:
    """The play-tests of a store."""

    def __init__(self, tables: Tables, search_pool: SearchPool) -> None:
        self._tables = tables
        self._store = tables.store
        self._search_pool = search_pool
        self._bots: LRUCache[str, messages.BotGames] = LRUCache(MAX_CACHED_PLAYTESTS)
        self._tried: LRUCache[str, list[tuple[str, int, int]]] = LRUCache(MAX_CACHED_PLAYTESTS)
        """The tables of a play-test at the last start of its bot games."""
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._reports: LRUCache[str, CachedReport] = LRUCache(MAX_CACHED_REPORT_BYTES)

    def close(self) -> None:
        """Stop the bot games."""
        for task in self._playing.values():
            task.cancel()

    async def begin(self, request: messages.TableRequest) -> messages.PlaytestCreated:
        """Create a play-test, whose visitors take the seats without bots. Raises GameError or StoreError."""
        if request.public or request.pair or request.explore:
            raise BadTable("a play-test has tables for a game each, which the lobby does not list")
        if all(seat.kind == "bot" for seat in request.seats):
            raise BadTable("a play-test needs a seat for a visitor")
        seats = [
            seat if seat.kind == "bot" else messages.SeatRequest(kind="open", name="", level=None)
            for seat in request.seats
        ]
        request = msgspec.structs.replace(request, seats=seats)
        playtest, code = new_id(), secrets.token_hex(CODE_BYTES)
        await self._tables.create(request, playtest)  # refuses a request that no table can have
        text = msgspec.json.encode(request).decode()
        await written(self._store.playtests.create(playtest, hash_code(code), text, now()))
        return messages.PlaytestCreated(playtest, code)

    async def about(self, playtest: str) -> messages.Playtest:
        """The description for visitors. Raises TableNotFound, GameError or StoreError."""
        info = games.info((await self._stored(playtest)).request.game)
        return messages.Playtest(info.name, info.title, info.summary)

    async def visit(self, playtest: str) -> messages.PlaytestVisit:
        """Assign a visitor a table: one that waits for players, or a new one.

        Raises TableNotFound, GameError or StoreError.
        """
        stored = await self._stored(playtest)
        since = now() - OPEN_TABLE_MS
        for table, *_ in await asyncio.to_thread(self._store.playtests.tables, playtest, MAX_OPEN_TABLES, since):
            with contextlib.suppress(TableNotFound):
                state = await self._tables.read(table)
                if state.seating.of_kind("open") and not state.is_over:
                    return messages.PlaytestVisit(table)
        return messages.PlaytestVisit((await self._tables.create(stored.request, playtest)).table)

    async def report(self, playtest: str, code: str, with_records: bool) -> messages.PlaytestReport:
        """The designer's report. Raises TableNotFound, BadTable for a wrong code, GameError or StoreError."""
        stored = await self._stored(playtest)
        if hash_code(code) != stored.lock:
            raise BadTable(NOT_YOURS_ERROR)
        tables = await asyncio.to_thread(self._store.playtests.tables, playtest, MAX_REPORTED_TABLES)
        self._start_bots(playtest, stored.request, tables)
        info, reports = games.info(stored.request.game), []
        for table, entries, chat_length in tables:
            with contextlib.suppress(TableNotFound):  # it has been deleted
                report = await self._report_table(table, (info, entries, chat_length), with_records)
                if report is not None:
                    reports.append(report)
        options = dict(stored.request.options)
        return messages.PlaytestReport(info.title, options, reports, self._bots.get(playtest) or UNSET)

    async def _report_table(
        self, table: str, version: tuple[GameInfo, int, int], with_record: bool
    ) -> messages.PlaytestTable | None:
        """Raises TableNotFound or StoreError."""
        cached = self._reports.get(table)
        if not with_record and cached is not None and cached.version == version:
            return cached.table
        state = await self._tables.read(table)
        chat = await asyncio.to_thread(self._store.chat.messages, table)
        report = await self._tables.scheduler.run(
            functools.partial(table_report, state, chat, with_record), state.game.info
        )
        if not with_record:
            self._reports.put(table, CachedReport(version, report), len(msgspec.json.encode(report)))
        return report

    async def _stored(self, playtest: str) -> StoredPlaytest:
        row = await asyncio.to_thread(self._store.playtests.get, playtest)
        if row is None:
            raise TableNotFound(UNKNOWN_ERROR)
        return StoredPlaytest(row[0], _read_request(row[1].encode()))

    def _start_bots(self, playtest: str, request: messages.TableRequest, tables: list[tuple[str, int, int]]) -> None:
        """Start bot games, once; if they fail, again when the tables have changed."""
        if self._bots.get(playtest) is None and playtest not in self._playing and self._tried.get(playtest) != tables:
            self._tried.put(playtest, tables)
            self._playing[playtest] = asyncio.create_task(self._play_bots(playtest, request))

    async def _play_bots(self, playtest: str, request: messages.TableRequest) -> None:
        try:
            options = {name: value for name, value in request.options.items() if value is not None}
            game = await load_in_thread(request.game, options)
            if isinstance(game, ApartGame):
                asking = [functools.partial(searches.play_bot_game, game, seed) for seed in range(BOT_GAMES)]
                studies = game.info.code.studies.thread
                results = [await asyncio.wrap_future(studies.submit(one)) for one in asking]
                self._bots.put(playtest, bot_statistics(results, game.players))
            elif game.info.turns:
                start = cast("TurnState", game.start())
                with self._search_pool.serving(client_address.get()) as executor:
                    futures = [executor.submit(play_bot_game, start, seed) for seed in range(BOT_GAMES)]
                    results = [await asyncio.wrap_future(future) for future in futures]
                self._bots.put(playtest, bot_statistics(results, game.players))
        except (BrokenExecutor, GameError):
            pass  # the report then omits bots
        finally:
            del self._playing[playtest]


def bot_statistics(results: Iterable[tuple[int, frozenset[int]]], players: int) -> messages.BotGames:
    """The statistics of bot games."""
    lengths, winners = zip(*results, strict=True)
    shares = [sum((seat in won) / max(1, len(won)) for won in winners) / len(winners) for seat in range(players)]
    return messages.BotGames(len(lengths), statistics.median(lengths), shares)


def table_report(state: TableState, chat: list[ChatMessage], with_record: bool) -> messages.PlaytestTable | None:
    """The report of a table; None if nobody has taken a seat. Omits hidden information until the game is over."""
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
        thinking=list(median_seconds(state)),
        remarks=[
            messages.PlaytestRemark(
                message.shown_name, message.remark, str(state.after(message.remark).act or ""), message.text, message.at
            )
            for message in chat
            if is_shown and message.remark is not None and message.remark <= state.acts
        ],
        record=views.record() if with_record and is_shown else UNSET,
    )


def median_seconds(state: TableState) -> Iterator[float | None]:
    """The median seconds per act of each seat; None for bots and for seats without acts."""
    spent: dict[int, list[int]] = {seat: [] for seat in range(state.game.players)}
    before = 0
    for entry in remaining_acts(state.log()):
        if entry.seat in spent and before:
            spent[entry.seat].append(entry.at - before)
        before = entry.at
    for seat, times in spent.items():
        is_person = state.seating.seats[seat].level is None
        yield statistics.median(times) / 1000 if times and is_person else None
