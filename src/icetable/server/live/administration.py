"""What the operator decides: orders, erased names, and how long tables are stored.

Every server process carries out each order; the first to finish answers it.

Erased names go from the database, open tables and caches; the hash chain of a table's log stays valid.

Uploaded records are deleted after a while, tables only if the operator sets a time. A play-test is deleted at that age
once its last table is deleted, a tournament once it is over as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TYPE_CHECKING

import msgspec

from icetable.server import messages
from icetable.server.live.lobby import seating_after
from icetable.server.live.tables.tables import names_at
from icetable.server.live.tournaments import ACTIVE_MS
from icetable.server.live.uploads import DAY
from icetable.server.logs import about
from icetable.server.store.database import written
from icetable.server.store.errors import TABLE_CLOSED, TABLE_DELETED, TABLE_OPENED, Conflict, StoreError
from icetable.server.table.clock import now
from icetable.server.table.log import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from icetable.server.live.tables.tables import Tables
    from icetable.server.live.tournaments import Tournaments
    from icetable.server.live.uploads import Records
    from icetable.server.table.seats import Seat, Seating
    from icetable.server.table.setup import TableSetup

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
UNPLAYED_DAYS = 7
"""Maximum age of a table without acts, if the operator sets a time for tables."""
RETENTION_SECONDS = 60 * 60
"""Interval between deletions."""
DELETED_PER_BATCH = 20
"""Number of tables deleted together, in one commit or a few: players' acts wait for no more."""
BATCH_PAUSE_SECONDS = 0.1
"""Pause between batches, in which only players use the database."""
TABLES_PER_BATCH = 16
"""Number of tables handled concurrently, so that they share commits."""

Network = IPv4Network | IPv6Network

logger = logging.getLogger(__name__)

_places_decoder = msgspec.json.Decoder(dict[str, list[Place]])


class NotErased(Exception):
    """A name can't be erased; the text says why, in one sentence."""


class NameErasure:
    """Erases names at the tables of a store, some of which are open in this process."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def erase_seat(self, table: str, seat: int) -> None:
        """Erase the name of a seat everywhere at its table, and the seat's subscriptions.

        Raises NotErased and StoreError.
        """
        setup = await asyncio.to_thread(self._store.tables.setup, table)
        if setup is None:
            raise NotErased(f"There is no table {table}.")
        seating = await self._seating(setup)
        if not 0 <= seat < len(seating.seats):
            raise NotErased(f"Table {table} has the seats 0 to {len(seating.seats) - 1}.")
        await self._tables.erase(table, {seating.seats[seat].name} - {""})
        self._forget_subscribers(table, [seating.seats[seat]])

    async def erase_places(self, places: str) -> int:
        """Erase the names entered at some places of tables, and the subscriptions of seats with these names.

        `places` is JSON: for each table a list of entry numbers and seats, with 0 for the setup. Returns the number of
        tables. Raises StoreError.
        """
        tables = list(_places_decoder.decode(places).items())
        for first in range(0, len(tables), TABLES_PER_BATCH):
            await asyncio.gather(*(self._erase_at_places(*item) for item in tables[first : first + TABLES_PER_BATCH]))
        return len(tables)

    async def _erase_at_places(self, table: str, places: Iterable[Place]) -> None:
        known = await asyncio.to_thread(self._store.tables.names, table)
        if table in self._tables.open:
            known |= names_at(self._tables.open[table].state)
        erased = {known[place] for place in places if place in known}
        setup = await asyncio.to_thread(self._store.tables.setup, table)
        seats = () if setup is None else (await self._seating(setup)).seats
        await self._tables.erase(table, erased)
        self._forget_subscribers(table, [seat for seat in seats if seat.name in erased])

    def _forget_subscribers(self, table: str, seats: Iterable[Seat]) -> None:
        for seat in seats:
            if seat.code_hash is not None:
                self._store.subscriptions.delete_of_seat(table, seat.code_hash)

    async def _seating(self, setup: TableSetup) -> Seating:
        if setup.id in self._tables.open:
            return self._tables.open[setup.id].state.seating
        return seating_after(setup, await asyncio.to_thread(self._store.logs.seating, setup.id))


class Order(msgspec.Struct, frozen=True):
    """An order of the operator."""

    do: str
    """The command."""
    to: str = ""
    """Its argument: a table, a network or a text."""


class BadOrder(Exception):
    """An order can't be carried out; the text says why, in one sentence."""


class Administration:
    """Carries out orders at the tables of a store, some of which are open in this process."""

    def __init__(self, tables: Tables, tournaments: Tournaments) -> None:
        self.on_blocked: Callable[[], None] = lambda: None
        """Closes the sockets of blocked addresses."""
        self._tables = tables
        self._store = tables.store
        self._tournaments = tournaments
        self._name_erasure = NameErasure(tables)
        self._handled: set[str] | None = None
        """The orders that this process has carried out, or that are older than it."""

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
        policies = self._tables.policies
        policies.blocked = tuple(
            ip_network(name.removeprefix(BLOCK_PREFIX)) for name in names if name.startswith(BLOCK_PREFIX)
        )
        policies.is_closed = CLOSED_POLICY in names
        policies.closed_tables = frozenset(
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
        await self._tables.delete(table, messages.ErrorMessage(TABLE_DELETED))
        if exists:
            return f"Table {table} is deleted, with its acts and its chat."
        self._tournaments.forget(table)
        with contextlib.suppress(Conflict):
            await written(self._store.tournaments.delete(table))
            return f"Tournament {table} is deleted. Its tables stay."
        raise BadOrder(f"There is no table {table}, and no tournament.")

    async def _erase_chat(self, table: str) -> str:
        if table in self._tables.open:
            await self._tables.open[table].forget_chat()
        with contextlib.suppress(Conflict):
            await written(self._store.chat.delete(table))
            return f"The chat of table {table} is deleted."
        raise BadOrder(f"Nothing was said at table {table}.")

    async def _erase_seat(self, place: str) -> str:
        table, _, seat = place.rpartition(":")
        if not seat.isdecimal():
            raise BadOrder(f"{place} is not a seat, such as k7m2pq9xabcd:0.")
        await self._name_erasure.erase_seat(table, int(seat))
        return f"The name of seat {seat} at table {table} is erased, in its chat too; its chain of acts stays valid."

    async def _erase_name(self, places: str) -> str:
        tables = await self._name_erasure.erase_places(places)
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
        for table in self._tables.open.values():
            table.broadcast(messages.ErrorMessage(text), hidden=True)
        return f"Announced at {len(self._tables.open)} open tables."

    async def _close(self, table: str) -> str:
        hidden = await self._hide(table) if table else ""
        with contextlib.suppress(Conflict):
            await written(self._store.orders.set_policy(f"{CLOSED_PREFIX}{table}".strip()))
        await self.read_policies()
        if not table:
            return "No new tables can be opened; games in progress go on."
        await self._tables.dismiss(table, messages.ErrorMessage(TABLE_CLOSED))
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
        self._tables.reopen(table, TABLE_OPENED)
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


class Retention:
    """Deletes what has expired. Tables that are open here stay."""

    def __init__(self, tables: Tables, records: Records, keep_days: int | None) -> None:
        """`keep_days`: how long tables that nobody visits are stored; None for ever."""
        self._tables = tables
        self._store = tables.store
        self._records = records
        self._keep_days = keep_days

    async def delete_all(self) -> None:
        """Delete what has expired. Errors are logged; the next sweep retries."""
        try:
            await self._records.forget_old()
        except StoreError as error:
            logger.error("old records are not deleted", extra=about(str(error)))
        if self._keep_days is None:
            return
        try:
            deleted = await self._delete_tables(self._keep_days)
        except StoreError as error:
            logger.error("old tables are not deleted", extra=about(str(error)))
            return
        if deleted:
            logger.info("old tables were deleted", extra=about(tables=deleted))

    async def _delete_tables(self, days: int) -> int:
        """Return the number of deleted tables. Raises StoreError."""
        for table in list(self._tables.open):  # other processes search for old ones, too
            self._store.tables.set_seen(table, now())
        seen, unplayed = (now() - DAY * min(days, most) for most in (days, UNPLAYED_DAYS))
        deleted = 0
        while tables := await asyncio.to_thread(self._store.tables.expired, seen, unplayed, DELETED_PER_BATCH):
            batch = sum(await asyncio.gather(*map(self._tables.delete, tables)))
            deleted += batch
            if not batch:  # all have been opened, or another process is deleting them
                break
            await asyncio.sleep(BATCH_PAUSE_SECONDS)
        since = now() - DAY * days
        tournaments = self._store.tournaments.delete_old(since, abandoned=min(since, now() - ACTIVE_MS))
        for done in (self._store.playtests.delete_old(since), tournaments):
            with contextlib.suppress(Conflict):  # there are none
                await written(done)
        return deleted
