"""What a server stores, by subject, in one database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.store.logs import Logs
from icetable.server.store.queries import (
    Chat,
    Codes,
    Orders,
    Playtests,
    Records,
    Subscriptions,
    Tournaments,
    Transfers,
)
from icetable.server.store.tables import Tables

if TYPE_CHECKING:
    from icetable.server.store.database import Database


class Store:
    """The stored tables and what belongs to them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        """Writes and reads, and tells the other processes on it."""
        self.logs = Logs(database)
        self.tables = Tables(database, self.logs)
        self.chat = Chat(database)
        self.codes = Codes(database)
        self.orders = Orders(database)
        self.playtests = Playtests(database)
        self.records = Records(database)
        self.subscriptions = Subscriptions(database)
        self.tournaments = Tournaments(database)
        self.transfers = Transfers(database)

    def close(self) -> None:
        """Write the rest of the queue, if the database answers in time, and close the database."""
        self.database.close()
