"""What a server stores, by subject, in one database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.store.queries import (
    ChatStore,
    CodeStore,
    OrderStore,
    PlaytestStore,
    RecordStore,
    SourceStore,
    SubscriptionStore,
    TournamentStore,
    TransferStore,
)
from icetable.server.store.tables import LogStore, TableStore

if TYPE_CHECKING:
    from icetable.server.store.database import Database


class Store:
    """The stored tables and what belongs to them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        """Writes and reads, and tells the other processes on it."""
        self.logs = LogStore(database)
        self.tables = TableStore(database, self.logs)
        self.chat = ChatStore(database)
        self.codes = CodeStore(database)
        self.orders = OrderStore(database)
        self.playtests = PlaytestStore(database)
        self.records = RecordStore(database)
        self.sources = SourceStore(database)
        self.subscriptions = SubscriptionStore(database)
        self.tournaments = TournamentStore(database)
        self.transfers = TransferStore(database)

    def close(self) -> None:
        """Write the rest of the queue, if the database answers in time, and close the database."""
        self.database.close()
