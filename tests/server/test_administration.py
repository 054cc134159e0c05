"""What the operator may order, of a server under way and of one that is down: `icetable admin`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import httpx
import pytest

from icetable.cli import main
from icetable.server.live.administration import NO_NEW_TABLES, read_network
from icetable.server.store import open_store
from icetable.server.store.errors import DELETED
from icetable.server.store.sqlite import SqliteStore

from .serving import Client, Running, create_table, person
from .support import PERSON, act, join, new_manager, refused
from .support import create_table as create_table_in

if TYPE_CHECKING:
    from pathlib import Path

PUBLIC = {"game": "icefrogs", "options": {}, "seats": [person("Spam"), person()], "public": True}


@pytest.fixture
def running(tmp_path: Path) -> Running:
    return Running(tmp_path / "tables.sqlite", host="127.0.0.1")


def admin(capsys: pytest.CaptureFixture[str], database: Path | str, *words: str) -> str:
    """What the command prints; what went wrong, if that is so."""
    code = main(["admin", f"--db={database}", *words])
    said = capsys.readouterr()
    assert (code == 0) == (not said.err)
    return said.out or said.err


def test_a_server_under_way_follows_orders(
    tmp_path: Path, running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "tables.sqlite"
    with running:
        spam = httpx.post(f"{running.url}api/tables", json=PUBLIC).json()["table"]
        table, codes = create_table(running.url, person("Ann"), person("Bob"))
        with Client(running.url, table, codes) as client:
            client.act(0, "S@b1")
            client.ask(type="say", text="Hello!")
            listed = admin(capsys, database, "tables")
            assert all(name in listed for name in (spam, table, "public", "Ann, Bob"))
            assert "Ann: Hello!" in admin(capsys, database, "show", table)
            assert httpx.get(f"{running.url}api/tables").json()[0]["id"] == spam
            assert "no more" in admin(capsys, database, "hide", spam)
            assert httpx.get(f"{running.url}api/tables").json() == []
            assert "is deleted" in admin(capsys, database, "erase-chat", table)
            assert "Hello!" not in admin(capsys, database, "show", table)
            assert admin(capsys, database, "announce", "Back at ten.") == "Told at 1 open tables.\n"
            assert client.hear("error")["message"] == "Back at ten."
            assert "deleted" in admin(capsys, database, "delete", table)
            assert client.hear("error")["message"] == DELETED
            assert client.act(1, "S@h1")["type"] in ("refused", "error")
        assert httpx.get(f"{running.url}api/tables/{table}/record").status_code == 404
        assert "There is no table" in admin(capsys, database, "delete", "nowhere")
    with closing(SqliteStore(database)) as store:
        assert store.lost == set()


def test_an_address_can_be_blocked_and_let_in_again(
    tmp_path: Path, running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "tables.sqlite"
    with running:
        create_table(running.url, person(), person())
        admin(capsys, database, "block", "127.0.0.0/8")
        assert httpx.get(f"{running.url}api/tables").status_code == 403
        with pytest.raises(Exception, match="403"):
            Client(running.url)
        assert httpx.get(f"{running.url}healthz").status_code == 200
    assert "is blocked no more" in admin(capsys, database, "unblock", "127.0.0.0/8")  # no server runs
    with Running(database) as again:
        assert httpx.get(f"{again.url}api/tables").status_code == 200
        assert "is not blocked" in admin(capsys, database, "unblock", "127.0.0.0/8")
        assert "no address" in admin(capsys, database, "block", "somebody")
        admin(capsys, database, "close")
        answer = httpx.post(f"{again.url}api/tables", json=PUBLIC)
        assert (answer.status_code, answer.json()["error"]) == (503, NO_NEW_TABLES)
        admin(capsys, database, "open")
        assert httpx.post(f"{again.url}api/tables", json=PUBLIC).status_code == 201


@pytest.mark.anyio
async def test_of_several_servers_each_does_its_part(database: str) -> None:
    """In PostgreSQL; at the second one the table is open."""
    one, other = new_manager(open_store(database)), new_manager(open_store(database))
    table, codes = await create_table_in(one, "icefrogs", *(2 * [PERSON]))
    ann = await join(other, table, codes)
    await act(ann, 0, "S@b1")
    for manager in (one, other):
        await manager.administration.look()
    order = f'{{"do": "delete", "to": "{table}"}}'
    one.store._ask("INSERT INTO orders (id, at, text) VALUES ('1', 1, ?)", (order,), "").result()
    for manager in (one, other):
        await manager.administration.look()
    assert refused(await act(ann, 1, "S@h1")).message == DELETED
    assert other.store.setup(table) is None
    assert other.store.entries(table) == []
    for manager in (one, other):
        await manager.close()


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.1", "192.0.2.1/32"), ("192.0.2.1/24", "192.0.2.0/24"), ("2001:db8::1", "2001:db8::/64")],
)
def test_a_network(address: str, network: str) -> None:
    assert str(read_network(address)) == network


def test_what_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "tables.sqlite"
    assert "There are no tables yet." in admin(capsys, database, "tables")
    assert "There are no tables yet." in admin(capsys, database, "hide", "k7m2")
    assert "needs to be told with what" in admin(capsys, database, "hide")
    assert "takes nothing more" in admin(capsys, database, "close", "now")
    assert not database.exists()
