"""Which public tables the lobby lists: where somebody is there to play, and of each address only some."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest

from icetable.server.live.fair_queue import client_address
from icetable.server.live.lobby import MAX_LISTED, PRESENT_MS
from icetable.server.rate_limits import Limits
from icetable.server.store import open_store
from icetable.server.table.clock import now

from .support import create_open_table, join, new_manager
from .table_states import CHARTER

if TYPE_CHECKING:
    from icetable.server.live.manager import TableManager

pytestmark = pytest.mark.anyio
SPAMMED = 32
"""How many tables an address may open at once."""


async def listed(manager: TableManager) -> list[str]:
    return [listing.id for listing in await manager.lobby.listings()]


async def test_two_addresses_do_not_push_out_a_third(where: str) -> None:
    manager = new_manager(open_store(where))
    client_address.set("192.0.2.1")
    honest = (await create_open_table(manager, public=True)).table
    for address in ("192.0.2.2", "192.0.2.3"):
        client_address.set(address)
        for _ in range(SPAMMED):
            await create_open_table(manager, public=True)
    found = await listed(manager)
    assert len(found) == 1 + 2 * manager.lobby.max_listed_per_address
    assert honest in found
    await manager.close()


async def test_this_machine_s_own_tables_are_all_listed(manager: TableManager) -> None:
    client_address.set("127.0.0.1")
    tables = [
        (await create_open_table(manager, public=True)).table for _ in range(2 * manager.lobby.max_listed_per_address)
    ]
    assert set(await listed(manager)) == set(tables)


async def test_a_table_is_listed_as_long_as_somebody_is_there_to_play(where: str) -> None:
    """Watchers do not count. What one server sees, the others list."""
    manager = new_manager(open_store(where))
    tables = [await create_open_table(manager, public=True) for _ in range(3)]
    left, watched, attended = (one.table for one in tables)
    await join(manager, watched, [])
    await join(manager, attended, [tables[2].codes["0"]])
    long_ago = now() - PRESENT_MS - 1000
    for one in tables:
        manager.tables.store.tables.set_waiting(one.table, long_ago).result()
    assert await listed(manager) == []
    manager.lobby.note_present()
    while not (found := await listed(manager)):
        pass
    assert found == [attended]
    assert left not in found
    await manager.close()


def test_of_an_address_the_newest_are_listed(where: str) -> None:
    terms = msgspec.structs.replace(CHARTER.terms, public=True)
    with closing(open_store(where)) as store:
        for number, bucket in enumerate((1, 1, 2, -1, -1, 1)):
            setup = msgspec.structs.replace(CHARTER, id=f"t{number}", created=number, terms=terms)
            store.tables.create(setup, bucket).result()
        assert [table for table, _ in store.tables.public(0, 0, 1, 10)] == ["t5", "t4", "t3", "t2"]
        assert [table for table, _ in store.tables.public(0, 3, 2, 10)] == ["t5", "t4", "t3"]
        assert [table for table, _ in store.tables.public(0, 0, 2, MAX_LISTED)][-2:] == ["t2", "t1"]


def test_the_limit_scales_with_the_others() -> None:
    assert [Limits(sockets=sockets).listed for sockets in (None, 8, 640)] == [4, 1, 40]
