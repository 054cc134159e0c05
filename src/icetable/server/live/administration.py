"""What the operator orders: of each order every server process does its part, and the first one answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

import msgspec

from icetable.server import messages, metrics
from icetable.server.live.erasing import Erasing, NotErased
from icetable.server.logs import about
from icetable.server.store.errors import TABLE_CLOSED, TABLE_DELETED, Conflict, StoreError
from icetable.server.store.waits import written

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store

Network = IPv4Network | IPv6Network

EVERY_SECONDS = 1.0
"""How many seconds lie between two looks for orders."""
BLOCK = "block "
"""How the names of policies begin that block a network."""
NOT_DONE = "Not done: "
"""How the answers to orders begin that could not be followed."""
CLOSED = "closed"
"""The policy that opens no new tables; `closed TABLE` stops play at one table."""
FULL = "This server keeps as many tables as it may, so no new ones are opened; games under way go on."
NO_NEW_TABLES = "No new tables are opened here for a while; games under way go on."

logger = logging.getLogger(__name__)


class Order(msgspec.Struct, frozen=True):
    """What to do, and with what: a table, a network or a text."""

    do: str
    to: str = ""


class BadOrder(Exception):
    """An order that can't be followed; the text says why, in one sentence."""


class Administration:
    """Follows orders at the tables of a store, of which some are open in this process."""

    def __init__(
        self,
        store: Store,
        open_tables: Mapping[str, LiveTable],
        delete: Callable[[str, messages.ErrorMessage], Awaitable[bool]],
        close: Callable[[str, messages.ErrorMessage], Awaitable[None]],
        erasing: Erasing,
        forget_tournament: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`delete` deletes a table, tells those who are there, and tells whether it was there; `close` only tells them.

        `forget_tournament` forgets what this process knows of a tournament.
        """
        self.blocked: tuple[Network, ...] = ()
        self.is_closed = False
        self.closed_tables: frozenset[str] = frozenset()
        self.on_blocked: Callable[[], None] = lambda: None
        """Closes the sockets of blocked addresses."""
        self.most_tables: int | None = None
        """How many tables are kept at most; with None as many as there are."""
        self._store = store
        self._open_tables = open_tables
        self._delete_table = delete
        self._close_table = close
        self._erasing = erasing
        self._forget_tournament = forget_tournament
        self._done: set[str] | None = None
        """The orders that were there at the start, or were followed."""

    def blocks(self, address: str) -> bool:
        """Whether an address is blocked."""
        try:
            place = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        return any(place in network for network in self.blocked)

    async def check_open(self) -> None:
        """Raises StoreError while no new tables are opened."""
        if self.is_closed:
            raise StoreError(NO_NEW_TABLES)
        if self.most_tables and await asyncio.to_thread(self._store.has_tables, self.most_tables):
            metrics.REJECTED.labels("capacity").inc()
            raise StoreError(FULL)

    def check_table(self, table: str) -> None:
        """Raises StoreError where nobody may play at a table any more."""
        if table in self.closed_tables:
            raise StoreError(TABLE_CLOSED)

    async def run(self) -> None:
        """Follow orders from now on."""
        while True:
            await self.look()
            await asyncio.sleep(EVERY_SECONDS)

    async def look(self) -> None:
        """Follow the orders that are new; those that the database can't tell now are left to a later look."""
        with contextlib.suppress(StoreError):  # which is logged
            await self._follow_new()

    async def _follow_new(self) -> None:
        """Follow the orders that are new. Raises StoreError."""
        if self._done is None:
            await self.read_policies()
            self._done = {number for number, _ in await asyncio.to_thread(self._store.orders)}
        for number, text in await asyncio.to_thread(self._store.orders):
            if number not in self._done:
                self._done.add(number)
                answer = await self.follow(text)
                logger.info("an order of the operator was followed", extra=about(order=read(text).do))
                if answer.startswith(NOT_DONE) and self._store.is_shared:
                    await asyncio.sleep(EVERY_SECONDS)  # another process may have done it, and answers first
                with contextlib.suppress(Conflict):  # another process has answered
                    await written(self._store.answer_order(number, answer))

    async def read_policies(self) -> None:
        """Read what was ordered for good. Raises StoreError."""
        names = await asyncio.to_thread(self._store.policies)
        self.blocked = tuple(ip_network(name.removeprefix(BLOCK)) for name in names if name.startswith(BLOCK))
        self.is_closed = CLOSED in names
        self.closed_tables = frozenset(
            name.removeprefix(f"{CLOSED} ") for name in names if name.startswith(f"{CLOSED} ")
        )

    async def follow(self, text: str) -> str:
        """Do what an order says; what was done, or why it can't be (NOT_DONE). Raises StoreError."""
        order = read(text)
        actions: dict[str, Callable[[str], object]] = {
            "hide": self._hide,
            "delete": self._delete,
            "erase-chat": self._erase_chat,
            "erase-name": self._erase_name,
            "erase-seat": self._erase_seat,
            "block": self._block,
            "unblock": self._unblock,
            "announce": self._announce,
            "close": self._close,
            "open": self._open,
        }
        try:
            return str(await actions[order.do](order.to))  # type: ignore[misc]
        except (BadOrder, NotErased) as error:
            return f"{NOT_DONE}{error}"

    async def _hide(self, table: str) -> str:
        with contextlib.suppress(Conflict):
            await written(self._store.hide(table))
            return f"The lobby lists table {table} no more."
        raise BadOrder(f"There is no table {table}.")

    async def _delete(self, table: str) -> str:
        is_there = await asyncio.to_thread(self._store.setup, table) is not None
        await self._delete_table(table, messages.ErrorMessage(TABLE_DELETED))
        if is_there:
            return f"Table {table} is deleted, with its acts and all that was said there."
        self._forget_tournament(table)
        with contextlib.suppress(Conflict):
            await written(self._store.delete_tournament(table))
            return f"Tournament {table} is deleted. Its tables stay."
        raise BadOrder(f"There is no table {table}, and no tournament.")

    async def _erase_chat(self, table: str) -> str:
        if table in self._open_tables:
            await self._open_tables[table].forget_chat()
        with contextlib.suppress(Conflict):
            await written(self._store.erase_chat(table))
            return f"What was said at table {table} is deleted."
        raise BadOrder(f"Nothing was said at table {table}.")

    async def _erase_seat(self, where: str) -> str:
        table, _, seat = where.rpartition(":")
        if not seat.isdecimal():
            raise BadOrder(f"{where} is no seat, such as k7m2pq9xabcd:0.")
        await self._erasing.at_seat(table, int(seat))
        return f"The name of seat {seat} at table {table} is erased, in its chat too; the chain of its acts is sound."

    async def _erase_name(self, places: str) -> str:
        tables = await self._erasing.at_places(places)
        return f"The name is erased at {tables} table{'' if tables == 1 else 's'}; the chains of their acts are sound."

    async def _block(self, address: str) -> str:
        network = read_network(address)
        with contextlib.suppress(Conflict):
            await written(self._store.set_policy(f"{BLOCK}{network}"))
        await self.read_policies()
        self.on_blocked()
        return f"{network} may open no tables and no sockets any more; those that were open are closed."

    async def _unblock(self, address: str) -> str:
        network = read_network(address)
        try:
            await written(self._store.drop_policy(f"{BLOCK}{network}"))
        except Conflict:
            await self.read_policies()
            raise BadOrder(f"{network} is not blocked.") from None
        await self.read_policies()
        return f"{network} is blocked no more."

    async def _announce(self, text: str) -> str:
        for table in self._open_tables.values():
            table.broadcast(messages.ErrorMessage(text), hidden=True)
        return f"Told at {len(self._open_tables)} open tables."

    async def _close(self, table: str) -> str:
        hidden = await self._hide(table) if table else ""
        with contextlib.suppress(Conflict):
            await written(self._store.set_policy(f"{CLOSED} {table}".strip()))
        await self.read_policies()
        if not table:
            return "No new tables are opened; games under way go on."
        await self._close_table(table, messages.ErrorMessage(TABLE_CLOSED))
        return f"{hidden} Nobody can play there any more; its record can still be read."

    async def _open(self, table: str) -> str:
        was_closed = True
        try:
            await written(self._store.drop_policy(f"{CLOSED} {table}".strip()))
        except Conflict:
            was_closed = False
        await self.read_policies()
        if table and not was_closed:
            raise BadOrder(f"Table {table} is not closed.")
        return f"Table {table} can be played at again, by its links." if table else "New tables are opened again."


_reader = msgspec.json.Decoder(Order)


def read(text: str) -> Order:
    """The order that a text holds."""
    return _reader.decode(text)


def read_network(address: str) -> Network:
    """A network, or that of an address: the address itself, or of IPv6 the /64. Raises BadOrder."""
    try:
        network = ip_network(address, strict=False)
    except ValueError:
        raise BadOrder(f"{address} is no address and no network, such as 192.0.2.1 or 2001:db8::/64.") from None
    if network.version == 6 and "/" not in address:
        return network.supernet(new_prefix=64)
    return network
