"""Transfers: data that one browser leaves for another waits a while, and is collected once."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from icetable.server import messages
from icetable.server.live import uploads
from icetable.server.live.fair_queue import client_address
from icetable.server.live.uploads import TAKEN_ERROR, NoTransfer, TooManyTransfers, Transfers, TransferTaken
from icetable.server.store import open_store
from icetable.server.table.clock import now

from .serving import Running, count

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from icetable.server.store.store import Store

ID = "9f2c41d07be35a6810cd"
OTHER = "0" * 20
ENCRYPTED = b"nobody here can open it"


@pytest.fixture
async def store(where: str) -> AsyncIterator[Store]:
    one = open_store(where)
    yield one
    await asyncio.to_thread(one.close)


def wanted(transfer: str = ID, encrypted: bytes = ENCRYPTED) -> messages.TransferRequest:
    return messages.TransferRequest(transfer, encrypted)


def kept(store: Store) -> int:
    return store.database.value(int, "SELECT count(*) FROM transfers")


@pytest.mark.anyio
async def test_a_transfer_is_taken_out_once(store: Store) -> None:
    here, there = Transfers(store), Transfers(store)
    assert await here.leave(wanted()) == messages.TransferLeft(600)
    with pytest.raises(NoTransfer):
        await there.take(OTHER)
    taken = await asyncio.gather(*(one.take(ID) for one in (here, there)), return_exceptions=True)
    assert messages.Transfer(ENCRYPTED) in taken
    assert [type(one) for one in taken].count(NoTransfer) == 1
    with pytest.raises(NoTransfer, match=r"^There is nothing under this code\. It works once, and for ten minutes\.$"):
        await here.take(ID)
    assert kept(store) == 0


@pytest.mark.anyio
async def test_a_transfer_waits_ten_minutes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Transfers(store)
    await here.leave(wanted())
    later = now() + uploads.TRANSFER_MS + 1000
    monkeypatch.setattr(uploads, "now", lambda: later)
    with pytest.raises(NoTransfer):
        await here.take(ID)
    await here.leave(wanted(OTHER))
    assert kept(store) == 1, "the old one goes by itself"


@pytest.mark.anyio
async def test_so_much_waits_of_one_address_and_of_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_TRANSFER_BYTES_PER_BUCKET", 2 * len(ENCRYPTED))
    monkeypatch.setattr(uploads, "MAX_TRANSFER_BYTES", 3 * len(ENCRYPTED))
    here = Transfers(store)
    numbers = [f"{number:020x}" for number in range(6)]
    client_address.set("192.0.2.1")
    for number in numbers[:2]:
        await here.leave(wanted(number))
    with pytest.raises(TooManyTransfers, match="Too much is being moved right now"):
        await here.leave(wanted(numbers[2]))
    client_address.set("192.0.2.2")
    await here.leave(wanted(numbers[3]))
    with pytest.raises(TooManyTransfers, match="Too much"):
        await here.leave(wanted(numbers[4]))
    await here.take(numbers[0])
    await here.leave(wanted(numbers[5]))


@pytest.mark.anyio
async def test_no_transfer_takes_the_place_of_another(store: Store) -> None:
    here = Transfers(store)
    await here.leave(wanted())
    with pytest.raises(TransferTaken):
        await here.leave(wanted(encrypted=b"another"))
    assert (await here.take(ID)).encrypted == ENCRYPTED


def test_by_the_network(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:

        def post(path: str, content: Any = None, **headers: str) -> httpx.Response:
            return httpx.post(f"{running.url}api/transfers{path}", json=content, headers=headers)

        content = {"transfer": ID, "encrypted": base64.b64encode(ENCRYPTED).decode()}
        answer = post("", content)
        assert (answer.status_code, answer.json()) == (201, {"seconds": 600})
        assert post(f"/{ID}", origin="https://elsewhere.example").status_code == 403
        assert httpx.get(f"{running.url}api/transfers/{ID}").status_code == 405, "what loads a page ahead takes nothing"
        answer = post(f"/{ID}")
        assert (answer.status_code, answer.json()) == (201, {"encrypted": content["encrypted"]})
        assert (answer.headers["cache-control"], post(f"/{ID}").status_code) == ("no-store", 404)
        for wrong in (
            {"transfer": "../x"},
            {"transfer": f"{ID}\n"},
            {"encrypted": ""},
            {"encrypted": "no base64!"},
            {"name": "Ann"},
        ):
            assert post("", {**content, **wrong}).status_code == 422
        again = post("", content)
        refused = post("", content)
        assert (again.status_code, refused.status_code, refused.json()) == (201, 409, {"error": TAKEN_ERROR})
        large = base64.b64encode(bytes(messages.MAX_TRANSFER_BYTES)).decode()
        assert post("", {"transfer": OTHER, "encrypted": large}).status_code == 201
        assert post("", {**content, "encrypted": large + "AAAA"}).status_code == 422


def test_transfers_count_as_what_is_opened(tmp_path: Path) -> None:
    """An address can't leave or guess more of them than it may open tables."""
    with Running(tmp_path / "tables.sqlite", sockets_per_address=2) as running:
        before = count("icetable_rejected_total", reason="tables")
        answers = [httpx.post(f"{running.url}api/transfers/{OTHER}").status_code for _ in range(3)]
        assert answers == [404, 429, 429]
        assert count("icetable_rejected_total", reason="tables") == before + 2
