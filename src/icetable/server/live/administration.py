"""The operator's orders. Every server process carries out each order; the first to finish answers it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

import msgspec

from icetable.server import messages, metrics
from icetable.server.live.name_erasure import Erasing, NotErased
from icetable.server.logs import about
from icetable.server.store.database import written
from icetable.server.store.errors import TABLE_CLOSED, TABLE_DELETED, TABLE_OPENED, Conflict, StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store

Network = IPv4Network | IPv6Network

POLL_SECONDS = 1.0
"""Interval between checks for new orders."""
BLOCK_PREFIX = "block "
"""Prefix of the policies that block a network."""
FAILURE_PREFIX = "Not done: "
"""Prefix of the answers to orders that failed."""
MIN_PREFIX_LENGTHS = {4: 8, 6: 16}
"""The largest networks that can be blocked, by version of the protocol: 0.0.0.0/0 would keep everybody out."""
UNLOGGED = ("erase-name",)
"""Orders whose argument is not logged."""
CLOSED_POLICY = "closed"
CLOSED_PREFIX = "closed "
"""The policy against new tables, and the prefix of those that stop play at a table."""
FULL_ERROR = "This server has reached its limit of tables, so no new ones can be opened; games in progress go on."
CLOSED_ERROR = "No new tables can be opened here for now; games in progress go on."

logger = logging.getLogger(__name__)


class Order(msgspec.Struct, frozen=True):
    """A command (`do`) and its argument: a table, a network or a text."""

    do: str
    to: str = ""


class BadOrder(Exception):
    """An order can't be carried out; the text says why, in one sentence."""


class Administration:
    """Carries out orders at the tables of a store, some of which are open in this process."""

    def __init__(
        self,
        store: Store,
        open_tables: Mapping[str, LiveTable],
        delete: Callable[[str, messages.ErrorMessage], Awaitable[bool]],
        close: Callable[[str, messages.ErrorMessage], Awaitable[None]],
        reopen: Callable[[str, str], None],
        erasing: Erasing,
        forget_tournament: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`delete` deletes a table and returns whether it existed; `close` only closes it. Both send the message.
        `reopen` lets the clients of a closed table come back, and tells them why.

        `forget_tournament` drops a tournament from this process's memory.
        """
        self.blocked: tuple[Network, ...] = ()
        self.is_closed = False
        self.closed_tables: frozenset[str] = frozenset()
        self.on_blocked: Callable[[], None] = lambda: None
        """Closes the sockets of blocked addresses."""
        self.max_tables: int | None = None
        """Maximum number of stored tables; None for no limit."""
        self._store = store
        self._open_tables = open_tables
        self._delete_table = delete
        self._close_table = close
        self._reopen_table = reopen
        self._erasing = erasing
        self._forget_tournament = forget_tournament
        self._handled: set[str] | None = None
        """The orders that this process has carried out, or that are older than it."""

    def blocks(self, address: str) -> bool:
        try:
            place = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        return any(place in network for network in self.blocked)

    async def check_open(self) -> None:
        """Raise StoreError if no new tables may be opened."""
        if self.is_closed:
            raise StoreError(CLOSED_ERROR)
        if self.max_tables and await asyncio.to_thread(self._store.tables.has_as_many, self.max_tables):
            metrics.REJECTED.labels("capacity").inc()
            raise StoreError(FULL_ERROR)

    async def run(self) -> None:
        """Carry out orders as they arrive."""
        while True:
            await self.poll()
            await asyncio.sleep(POLL_SECONDS)

    async def poll(self) -> None:
        """Carry out new orders. If the database fails, the next poll retries."""
        with contextlib.suppress(StoreError):  # which is logged
            await self._follow_new()

    async def _follow_new(self) -> None:
        """Raises StoreError."""
        if self._handled is None:
            await self.read_policies()
            self._handled = {number for number, _ in await asyncio.to_thread(self._store.orders.all)}
        for number, text in await asyncio.to_thread(self._store.orders.all):
            if number not in self._handled:
                self._handled.add(number)
                answer = await self.follow(text)
                is_refused = answer.startswith(FAILURE_PREFIX)
                log_order(read_order(text), answer.removeprefix(FAILURE_PREFIX) if is_refused else None)
                if is_refused and self._store.database.is_shared:
                    await asyncio.sleep(POLL_SECONDS)  # lets a process that succeeded answer first
                with contextlib.suppress(Conflict):  # another process has answered
                    await written(self._store.orders.answer(number, answer))

    async def read_policies(self) -> None:
        """Read the standing orders. Raises StoreError."""
        names = await asyncio.to_thread(self._store.orders.policies)
        self.blocked = tuple(
            ip_network(name.removeprefix(BLOCK_PREFIX)) for name in names if name.startswith(BLOCK_PREFIX)
        )
        self.is_closed = CLOSED_POLICY in names
        self.closed_tables = frozenset(
            name.removeprefix(CLOSED_PREFIX) for name in names if name.startswith(CLOSED_PREFIX)
        )

    async def follow(self, text: str) -> str:
        """Carry out an order; return its result, or a reason after FAILURE_PREFIX. Raises StoreError."""
        order = read_order(text)
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
            return f"{FAILURE_PREFIX}{error}"

    async def _hide(self, table: str) -> str:
        with contextlib.suppress(Conflict):
            await written(self._store.tables.hide(table))
            return f"The lobby no longer lists table {table}."
        raise BadOrder(f"There is no table {table}.")

    async def _delete(self, table: str) -> str:
        exists = await asyncio.to_thread(self._store.tables.setup, table) is not None
        await self._delete_table(table, messages.ErrorMessage(TABLE_DELETED))
        if exists:
            return f"Table {table} is deleted, with its acts and its chat."
        self._forget_tournament(table)
        with contextlib.suppress(Conflict):
            await written(self._store.tournaments.delete(table))
            return f"Tournament {table} is deleted. Its tables stay."
        raise BadOrder(f"There is no table {table}, and no tournament.")

    async def _erase_chat(self, table: str) -> str:
        if table in self._open_tables:
            await self._open_tables[table].forget_chat()
        with contextlib.suppress(Conflict):
            await written(self._store.chat.delete(table))
            return f"The chat of table {table} is deleted."
        raise BadOrder(f"Nothing was said at table {table}.")

    async def _erase_seat(self, place: str) -> str:
        table, _, seat = place.rpartition(":")
        if not seat.isdecimal():
            raise BadOrder(f"{place} is not a seat, such as k7m2pq9xabcd:0.")
        await self._erasing.erase_seat(table, int(seat))
        return f"The name of seat {seat} at table {table} is erased, in its chat too; its chain of acts stays valid."

    async def _erase_name(self, places: str) -> str:
        tables = await self._erasing.erase_places(places)
        return f"The name is erased at {tables} table{'' if tables == 1 else 's'}; their chains of acts stay valid."

    async def _block(self, address: str) -> str:
        network = read_network(address)
        if network.prefixlen < MIN_PREFIX_LENGTHS[network.version]:
            widest = " or ".join(f"a /{length} of IPv{version}" for version, length in MIN_PREFIX_LENGTHS.items())
            raise BadOrder(f"{network} is too much of the internet: block {widest} at most, or stop the server.")
        with contextlib.suppress(Conflict):
            await written(self._store.orders.set_policy(f"{BLOCK_PREFIX}{network}"))
        await self.read_policies()
        self.on_blocked()
        return f"{network} may no longer open tables or sockets; its open sockets are closed."

    async def _unblock(self, address: str) -> str:
        network = read_network(address)
        try:
            await written(self._store.orders.drop_policy(f"{BLOCK_PREFIX}{network}"))
        except Conflict:
            await self.read_policies()
            raise BadOrder(f"{network} is not blocked.") from None
        await self.read_policies()
        return f"{network} is no longer blocked."

    async def _announce(self, text: str) -> str:
        if not text.strip():
            raise BadOrder("An announcement needs some words.")
        for table in self._open_tables.values():
            table.broadcast(messages.ErrorMessage(text), hidden=True)
        return f"Announced at {len(self._open_tables)} open tables."

    async def _close(self, table: str) -> str:
        hidden = await self._hide(table) if table else ""
        with contextlib.suppress(Conflict):
            await written(self._store.orders.set_policy(f"{CLOSED_PREFIX}{table}".strip()))
        await self.read_policies()
        if not table:
            return "No new tables can be opened; games in progress go on."
        await self._close_table(table, messages.ErrorMessage(TABLE_CLOSED))
        return f"{hidden} Nobody can play there any more; its record can still be read."

    async def _open(self, table: str) -> str:
        was_closed = True
        try:
            await written(self._store.orders.drop_policy(f"{CLOSED_PREFIX}{table}".strip()))
        except Conflict:
            was_closed = False
        await self.read_policies()
        if table and not was_closed:
            raise BadOrder(f"Table {table} is not closed.")
        self._reopen_table(table, TABLE_OPENED)
        return f"Table {table} can be played at again, by its links." if table else "New tables can be opened again."


_order_decoder = msgspec.json.Decoder(Order)


def read_order(text: str) -> Order:
    return _order_decoder.decode(text)


def log_order(order: Order, refusal: str | None) -> None:
    """Log whether an order was carried out, or why not, with its table, address or sentence."""
    to = {} if order.do in UNLOGGED or not order.to else {"to": order.to}
    done, refused = "an order of the operator was carried out", "an order of the operator was refused"
    event = done if refusal is None else refused
    logger.info(event, extra=about(refusal, order=order.do, **to))


def read_network(address: str) -> Network:
    """Read a network or an address, which gives the address itself, or the /64 of an IPv6 one. Raises BadOrder."""
    try:
        network = ip_network(address, strict=False)
    except ValueError:
        raise BadOrder(f"{address} is not an address or a network, such as 192.0.2.1 or 2001:db8::/64.") from None
    if network.version == 6 and "/" not in address:
        return network.supernet(new_prefix=64)
    return network
