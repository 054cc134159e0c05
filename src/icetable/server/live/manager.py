"""The services of a server process: its tables, and all that is done with them. Independent of sockets."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from icetable.server import metrics
from icetable.server.apart import process
from icetable.server.live import administration, lobby, memory, notices, tournaments, uploads
from icetable.server.live.settings import Settings
from icetable.server.live.study.analyses import Analyses
from icetable.server.live.study.playtests import Playtests
from icetable.server.live.study.practice import Practice
from icetable.server.live.study.reviews import Reviews
from icetable.server.live.study.search_pool import SearchPool
from icetable.server.live.tables import shared_games, tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from icetable.server import messages
    from icetable.server.live.bots import BotPool
    from icetable.server.live.tables.client import Client
    from icetable.server.live.tables.table import LiveTable
    from icetable.server.store.store import Store

DEFAULT_SETTINGS = Settings()

logger = logging.getLogger(__name__)


class StudyServices:
    """What players learn from games."""

    def __init__(self, of: tables.Tables, settings: Settings) -> None:
        self.search_pool = SearchPool(settings.cluster)
        self.reviews = Reviews(of, self.search_pool)
        self.analyses = Analyses(of, self.search_pool)
        self.practice = Practice(of)
        self.playtests = Playtests(of, self.search_pool)

    async def close(self) -> None:
        """Stop all searches."""
        self.reviews.close()
        self.playtests.close()
        self.analyses.close()
        await self.search_pool.close()


class TableManager:
    """The tables of a server process and its services. Must be created in a running loop."""

    def __init__(self, store: Store, bot_pool: BotPool, settings: Settings = DEFAULT_SETTINGS) -> None:
        self.tables = tables.Tables(store, bot_pool, exempts_loopback=not settings.behind_proxy)
        self.tables.policies.max_tables = settings.limits.kept
        self.lobby = lobby.Lobby(self.tables, settings.limits.listed)
        self.matchmaking = lobby.Matchmaking(self.tables, self.lobby)
        self.summaries = lobby.Summaries(self.tables)
        self.notices = notices.Notices(self.tables, settings.push)
        self.tournaments = tournaments.Tournaments(self.tables, self.notices)
        self.study = StudyServices(self.tables, settings)
        self.records = uploads.Records(self.tables, settings.keep_days)
        self.transfers = uploads.Transfers(store)
        self.administration = administration.Administration(self.tables, self.tournaments)
        self.retention = administration.Retention(self.tables, self.records, settings.keep_days)

    def start(self) -> None:
        """Begin what is done at intervals, and resume tables whose games are not over."""
        watcher = shared_games.FileWatcher(self.reload)
        self.notices.start()
        self.tables.start(self.tables.resume_running())
        for seconds, work, delay in (
            (tables.SWEEP_SECONDS, self.tables.resume_due, 0.0),
            (administration.POLL_SECONDS, self.administration.poll, 0.0),
            (administration.RETENTION_SECONDS, self.retention.delete_all, 0.0),
            (lobby.PRESENCE_INTERVAL_SECONDS, self.lobby.note_present, 0.0),
            (tournaments.POLL_SECONDS, self.tournaments.update_all, 0.0),
            (uploads.TRANSFER_SWEEP_SECONDS, self.transfers.forget_expired, 0.0),
            (notices.SWEEP_SECONDS, self.notices.check_all, notices.CLOSED_PAGE_SECONDS),  # open pages come back first
            (shared_games.POLL_SECONDS, watcher.check, shared_games.POLL_SECONDS),
            (memory.INTERVAL_SECONDS, memory.trim_memory, memory.INTERVAL_SECONDS),
            (process.IDLE_SECONDS / 4, process.end_idle, process.IDLE_SECONDS / 4),
        ):
            self.tables.start(every(seconds, work, delay))

    async def close(self) -> None:
        """Finish running work, for a short time, and close the store."""
        await self.tables.close()
        await self.notices.close()
        await self.study.close()
        await asyncio.to_thread(process.end_all)
        self.tables.bot_pool.close()
        await asyncio.to_thread(self.tables.store.close)

    async def reload(self, file: Path) -> None:
        """Reload a game from its file: open tables continue with the new rules, as far as their acts are legal."""
        await shared_games.reload(file, list(self.tables.open.values()))
        self.study.search_pool.dismiss()  # its processes have loaded the old file

    async def join(
        self, client: Client, table_id: str, codes: list[str], seen: messages.Seen | None = None
    ) -> LiveTable:
        """Let a client leave what it watches, and join a table: see `Tables.join`."""
        self._unwatch(client)
        return await self.tables.join(client, table_id, codes, seen)

    async def leave(self, client: Client) -> None:
        """Remove a client from its table, and from the watchers of the lobby and of tournaments."""
        self._unwatch(client)
        await self.tables.leave(client)

    def _unwatch(self, client: Client) -> None:
        self.lobby.unwatch(client)
        self.tournaments.watchers.unwatch(client)


async def every(seconds: float, work: Callable[[], Any], delay: float = 0.0) -> None:
    """Do work at intervals, the first time after a delay. What fails is logged, and done again at its time."""
    await asyncio.sleep(delay)
    while True:
        try:
            done = work()
            if done is not None:
                await done
        except Exception:
            metrics.EXCEPTIONS.inc()
            logger.exception("work in the background has failed")
        await asyncio.sleep(seconds)
