"""The operator's orders to a server that runs and to one that is down: `icetable admin`."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from icetable.cli import main
from icetable.server.http.app import make_app
from icetable.server.live.administration import read_network
from icetable.server.live.bots import BotPool
from icetable.server.live.tables.tables import CLOSED_ERROR, FULL_ERROR
from icetable.server.store import open_store
from icetable.server.store.errors import TABLE_CLOSED, TABLE_DELETED
from icetable.server.table import fairness

from . import stored_tables
from .fakes import PATIENCE, FakeBots
from .serving import Client, Running, count, create_table, person
from .support import PERSON, act, join, kind, receive, received, refused
from .support import create_table as create_table_in
from .table_states import CHARTER

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import TwoServers

PUBLIC = {"game": "icefrogs", "options": {}, "seats": [person("Spam"), person()], "public": True}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers look for orders all the time, and the command soon sees that one runs; one that ends has time for it."""
    monkeypatch.setattr("icetable.server.live.administration.POLL_SECONDS", 0.02)
    monkeypatch.setattr("icetable.server.store.admin.POLLING_SECONDS", 0.01)
    monkeypatch.setattr("icetable.server.store.sqlite.SHUTDOWN_TIMEOUT_SECONDS", 0.0)
    monkeypatch.setattr("icetable.server.store.database.CLOSE_TIMEOUT_SECONDS", PATIENCE)
    monkeypatch.setattr("icetable.server.http.api.routes.BLOCKED_SECONDS", 0.0)


@pytest.fixture
def running(tmp_path: Path) -> Running:
    return Running(tmp_path / "tables.sqlite", host="127.0.0.1")


def admin(capsys: pytest.CaptureFixture[str], database: Path | str, *words: str) -> str:
    """The output of the command, or its error."""
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
            assert "no longer lists" in admin(capsys, database, "hide", spam)
            assert httpx.get(f"{running.url}api/tables").json() == []
            assert "is deleted" in admin(capsys, database, "erase-chat", table)
            assert "Hello!" not in admin(capsys, database, "show", table)
            assert admin(capsys, database, "announce", "Back at ten.") == "Announced at 1 open tables.\n"
            assert client.hear("error")["message"] == "Back at ten."
            assert "deleted" in admin(capsys, database, "delete", table)
            assert client.hear("error")["message"] == TABLE_DELETED
            assert client.act(1, "S@h1")["type"] in ("refused", "error")
        assert httpx.get(f"{running.url}api/tables/{table}/record").status_code == 404
        assert admin(capsys, database, "delete", "nowhere").startswith("icetable: There is no table")
    with closing(open_store(database)) as store:
        assert store.database.lost == set()


def test_a_table_can_be_closed_and_opened_again(
    tmp_path: Path, running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "tables.sqlite"
    with running:
        table, codes = create_table(running.url, person("Ann"), person("Bob"))
        with Client(running.url, table, codes) as client:
            client.act(0, "S@b1")
            assert "Nobody can play there" in admin(capsys, database, "close", table)
            assert client.hear("error")["message"] == TABLE_CLOSED
            assert client.act(1, "S@h1")["type"] in ("refused", "error")
            assert ", closed\n" in admin(capsys, database, "show", table)
            assert "  closed  " in admin(capsys, database, "tables")
            assert f"Closed tables: {table}\n" in admin(capsys, database, "closed")
            with Client(running.url) as guest:
                guest.say(type="join", table=table, codes=codes)
                assert guest.hear("error")["message"] == TABLE_CLOSED
                admin(capsys, database, "open", f"{running.url}table/{table}#seat={codes[0]}")
                for one in (client, guest):  # both are to come back
                    with pytest.raises(ConnectionClosed, match="opened this table again"):
                        one.hear("nothing more")
        with Client(running.url, table, codes) as client:
            assert client.act(1, "S@h1")["type"] == "ack"
            admin(capsys, database, "close", table)
            assert client.hear("error")["message"] == TABLE_CLOSED
            other, _ = create_table(running.url, person(), person())
            assert main(["admin", f"--db={database}", "delete", table, "nowhere", other]) == 1
            said = capsys.readouterr()
            assert said.out.count("is deleted") == 2
            assert said.err == "icetable: There is no table nowhere, and no tournament.\n"
            assert client.hear("error")["message"] == TABLE_DELETED
            assert httpx.get(f"{running.url}api/tables/{other}/record").status_code == 404
        table, codes = create_table(running.url, person("Ann"), person("Bob"))
        with Client(running.url, table, codes) as client:
            client.act(0, "S@b1")
        admin(capsys, database, "close", table)
        assert "S@b1" in httpx.get(f"{running.url}api/tables/{table}/record").text
        assert httpx.post(f"{running.url}api/tables", json=PUBLIC).status_code == 201
        assert "There is no table" in admin(capsys, database, "close", "nowhere")
    with Running(database) as again:
        with Client(again.url) as client:
            client.say(type="join", table=table, codes=codes)
            assert client.hear("error")["message"] == TABLE_CLOSED
        assert "nowhere is not closed" in admin(capsys, database, "open", "nowhere")
        assert "can be played at again" in admin(capsys, database, "open", table)
        with Client(again.url, table, codes) as client:
            assert client.act(1, "S@h1")["type"] == "ack"


@pytest.mark.parametrize(
    ("words", "logged"),
    [
        (["hide", "{table}"], {"order": "hide", "to": "{table}", "event": "carried out"}),
        (["hide", "nowhere"], {"order": "hide", "to": "nowhere", "event": "refused", "cause": "no table nowhere"}),
        (["block", "192.0.2.1"], {"order": "block", "to": "192.0.2.1", "event": "carried out"}),
        (["erase-name", "Ann"], {"order": "erase-name", "event": "carried out"}),
    ],
)
def test_the_log_tells_what_was_ordered_and_what_came_of_it(
    tmp_path: Path,
    running: Running,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    words: list[str],
    logged: dict[str, str],
) -> None:
    caplog.set_level("INFO", "icetable.server.live.administration")
    with running:
        table, _ = create_table(running.url, person("Ann"), person())
        admin(capsys, tmp_path / "tables.sqlite", *(word.format(table=table) for word in words))
    (record,) = (record for record in caplog.records if "an order" in record.getMessage())
    facts = {"event": record.getMessage(), **vars(record)["facts"]}
    assert facts.keys() == logged.keys()
    assert all(said.format(table=table) in facts[name] for name, said in logged.items())


def test_an_address_can_be_blocked_and_let_in_again(
    tmp_path: Path, running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "tables.sqlite"
    with running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as client:
            admin(capsys, database, "block", "127.0.0.0/8")
            with pytest.raises(ConnectionClosed, match="blocked your address"):
                client.hear("nothing more")
        assert httpx.get(f"{running.url}api/tables").status_code == 403
        with pytest.raises(Exception, match="403"):
            Client(running.url)
        assert httpx.get(f"{running.url}healthz").status_code == 200
    assert "is no longer blocked" in admin(capsys, database, "unblock", "127.0.0.0/8")  # no server runs
    with Running(database) as again:
        assert httpx.get(f"{again.url}api/tables").status_code == 200
        assert "icetable: 127.0.0.0/8 is not blocked" in admin(capsys, database, "unblock", "127.0.0.0/8")
        assert "icetable: somebody is not an address" in admin(capsys, database, "block", "somebody")
        for network in ("0.0.0.0/0", "128.0.0.0/1", "::/0"):
            assert "is too much of the internet: block a /8 of IPv4" in admin(capsys, database, "block", network)
        assert admin(capsys, database, "blocks") == "Nothing is blocked.\n"
        assert len(admin(capsys, database, "block", "192.0.2.7", "2001:db8::/32").splitlines()) == 2
        assert admin(capsys, database, "blocks") == "192.0.2.7/32\n2001:db8::/32\n"
        assert "needs some words" in admin(capsys, database, "announce", " ")
        assert admin(capsys, database, "closed") == "New tables can be opened.\nNo table is closed.\n"
        admin(capsys, database, "close")
        assert admin(capsys, database, "closed").startswith("No new tables can be opened.\n")
        answer = httpx.post(f"{again.url}api/tables", json=PUBLIC)
        assert (answer.status_code, answer.json()["error"]) == (503, CLOSED_ERROR)
        admin(capsys, database, "open")
        assert httpx.post(f"{again.url}api/tables", json=PUBLIC).status_code == 201


@pytest.mark.anyio
async def test_a_lasting_order_holds_from_the_first_request_on(path: Path) -> None:
    with closing(open_store(path)) as store:
        store.orders.set_policy("closed k7m2").result()
    app = make_app(open_store(path), BotPool(FakeBots().factory, pause=0))
    async with app.router.lifespan_context(app):
        assert app.state.site.manager.tables.policies.closed_tables == {"k7m2"}


@pytest.mark.anyio
async def test_of_several_servers_each_does_its_part(database: str, two_servers: TwoServers) -> None:
    """In PostgreSQL; at the second one the table is open."""
    one, other = two_servers
    table, codes = await create_table_in(one, "icefrogs", *(2 * [PERSON]))
    ann = await join(other, table, codes)
    await act(ann, 0, "S@b1")
    for manager in (one, other):
        await manager.administration.poll()
    order = f'{{"do": "delete", "to": "{table}"}}'
    one.tables.store.database.write("", "INSERT INTO orders (id, at, text) VALUES ('1', 1, ?)", order).result()
    for manager in (one, other):
        await manager.administration.poll()
    assert refused(await act(ann, 1, "S@h1")).message == TABLE_DELETED
    assert other.tables.store.tables.setup(table) is None
    assert other.tables.store.logs.entries(table) == []


def test_a_server_that_keeps_as_many_tables_as_it_may_opens_no_more(tmp_path: Path, running: Running) -> None:
    with running:
        running.site.manager.tables.policies.max_tables = 2
        table, codes = create_table(running.url, person(), person())
        create_table(running.url, person(), person())
        before = count("icetable_rejected_total", reason="capacity")
        answer = httpx.post(f"{running.url}api/tables", json=PUBLIC)
        assert (answer.status_code, answer.json()["error"]) == (503, FULL_ERROR)
        assert count("icetable_rejected_total", reason="capacity") == before + 1
        with Client(running.url, table, codes) as client:
            assert client.act(0, "S@b1")["type"] == "ack"
        running.site.manager.tables.policies.max_tables = 3
        assert httpx.post(f"{running.url}api/tables", json=PUBLIC).status_code == 201
    with closing(open_store(tmp_path / "tables.sqlite")) as store:
        assert store.tables.has_as_many(3)
        assert not store.tables.has_as_many(4)


# Names


def kept_of(database: Path) -> bytes:
    """All that lies on the disk, with the files beside it."""
    return b"".join(path.read_bytes() for path in sorted(database.parent.glob(f"{database.name}*")))


def names_shown(message: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in message["seats"]]


def welcomed(client: Client) -> list[str]:
    """The names at the table, once it is sent anew."""
    while True:
        message = client.listen()
        if message["type"] == "welcome":
            return names_shown(message["table"])


def test_a_name_is_erased_on_a_server_under_way(
    tmp_path: Path, running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    """All who are there see it at once, nothing of it is left, and the record is as sound as before."""
    database = tmp_path / "tables.sqlite"
    wrong = "Unmistakable"
    with running:
        seats = [person(wrong), {"kind": "open", "name": "", "level": None}]
        created = httpx.post(
            f"{running.url}api/tables", json={"game": "icefrogs", "options": {}, "seats": seats, "public": True}
        ).json()
        table = created["table"]
        with (
            Client(running.url, table, list(created["codes"].values())) as client,
            Client(running.url, table, list(created["invites"].values())) as guest,
        ):
            guest.ask(type="sit", seat=1, name=f"{wrong} 2", code="cd" * 16)
            client.ask(type="say", text="Hello!")
            client.act(0, "S@b1")
            client.ask(type="resign", seat=0)
            record = httpx.get(f"{running.url}api/tables/{table}/record").text
            summary = f"{running.url}api/tables/{table}"
            assert names_shown(httpx.get(summary).json()) == [wrong, f"{wrong} 2"]
            assert wrong.encode() in kept_of(database)

            shown = admin(capsys, database, "show", table)
            assert f"seats as they were opened: {wrong}, nobody\ntaken later by: {wrong} 2\n" in shown
            assert "is erased at 1 table;" in admin(capsys, database, "erase-name", wrong)
            assert welcomed(client) == welcomed(guest) == ["Red", f"{wrong} 2"]
            assert client.listen()["remarks"][0]["name"] == "Somebody"
            assert "is erased, in its chat too" in admin(capsys, database, "erase-seat", f"{table}:1")
            assert welcomed(client) == welcomed(guest) == ["Red", "Blue"]
            assert wrong.encode() not in kept_of(database)
            assert names_shown(httpx.get(summary).json()) == ["Red", "Blue"]
            told = httpx.get(f"{running.url}api/tables/{table}/record").text
            assert "nowhere" in admin(capsys, database, "erase-name", wrong)
        assert wrong not in admin(capsys, database, "show", table)
    assert fairness.verify(told) == fairness.verify(record)._replace(erased=(0, 1))
    assert wrong not in told
    path = tmp_path / "game.txt"
    path.write_text(told)
    assert main(["verify", str(path)]) == 0
    assert "The names of seats 0 and 1 were erased since, and nothing else." in capsys.readouterr().out
    assert main(["backup", f"--db={database}", str(tmp_path / "copy.sqlite")]) == 0
    assert main(["copy", str(tmp_path / "copy.sqlite"), str(tmp_path / "another.sqlite")]) == 0
    for copy in ("copy.sqlite", "another.sqlite"):
        assert wrong.encode() not in kept_of(tmp_path / copy)


def test_a_name_in_a_record_or_a_tournament_goes_with_that(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No server runs."""
    database, name = tmp_path / "tables.sqlite", "Ann"
    with closing(open_store(database)) as store:
        store.tables.create(CHARTER).result()
        store.records.create("record", f'/{{"type":"sit","seat":1,"name":"{name}","lock":""}}', 0, 0, 0).result()
        store.tournaments.create("cup", "", "{}", 0).result()
        store.tournaments.append_event("cup", 1, f'{{"type":"enter","name":"{name}","level":null,"lock":""}}').result()
    answer, left = admin(capsys, database, "erase-name", name).splitlines()
    assert answer == "The name is erased at 1 table; their chains of acts stay valid."
    assert set(left.rpartition(": ")[2].split()) == {"record", "cup"}
    answer, left = admin(capsys, database, "erase-name", name).splitlines()
    assert answer == "That name appears nowhere where it can be erased."
    with closing(open_store(database)) as store:
        erased = store.tables.setup(CHARTER.id)
        assert erased is not None
        assert erased.seats[0].shown_name == erased.seats[0].colour.title()
    for table in ("record", "cup"):
        admin(capsys, database, "delete", table)
    assert "stays" not in admin(capsys, database, "erase-name", name)


def test_an_order_to_erase_a_seat_without_a_name_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "tables.sqlite"
    stored_tables.write(database)
    with closing(open_store(database)) as store:
        table = store.tables.finished()[0]
    page = f"https://games.example:8421/pyramids/table/{table}#seat=ab,cd"
    assert f"at table {table} is erased" in admin(capsys, database, "erase-seat", f"{page}:1")
    for wrong in (table, f"{table}:", f"{table}:one", f"{table}:-1"):
        assert "is not a seat, such as" in admin(capsys, database, "erase-seat", wrong)
    assert "has the seats 0 to 1" in admin(capsys, database, "erase-seat", f"{table}:2")
    assert "There is no table nowhere." in admin(capsys, database, "erase-seat", "nowhere:0")


@pytest.mark.anyio
async def test_of_several_servers_each_forgets_a_name(
    database: str, capsys: pytest.CaptureFixture[str], two_servers: TwoServers
) -> None:
    """In PostgreSQL; at the second one the table is open. The order does not say the name."""
    one, other = two_servers
    table, codes = await create_table_in(one, "icefrogs", PERSON, PERSON)
    ann = await join(other, table, codes)
    assert (await one.summaries.summary(table, None)).seats[0].name == "Ann"
    for manager in (one, other):
        await manager.administration.poll()
    received(ann)
    ordered = asyncio.create_task(asyncio.to_thread(admin, capsys, database, "erase-name", "Ann"))
    while not await asyncio.to_thread(one.tables.store.orders.all):
        await asyncio.sleep(0)
    assert not any("Ann" in text for _, text in one.tables.store.orders.all())
    for manager in (one, other):
        await manager.administration.poll()
    assert "is erased at 1 table" in await ordered
    assert [seat["name"] for seat in (await receive(ann, kind("welcome")))[-1]["table"]["seats"]] == ["Red", "Ann 2"]
    assert (await one.summaries.summary(table, None)).seats[0].name == "Red"
    assert ann.table.state.setup.names[0] is None
    assert one.tables.store.tables.names(table) == {(0, 1): "Ann 2"}


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.1", "192.0.2.1/32"), ("192.0.2.1/24", "192.0.2.0/24"), ("2001:db8::1", "2001:db8::/64")],
)
def test_a_network(address: str, network: str) -> None:
    assert str(read_network(address)) == network


def test_the_place_is_that_of_the_server_s_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(tmp_path / "tables.sqlite").close()
    monkeypatch.setenv("ICETABLE_DB", str(tmp_path / "tables.sqlite"))
    assert main(["admin", "tables"]) == 0
    assert main(["backup", str(tmp_path / "copy.sqlite")]) == 0
    assert "0 tables, and the file is sound" in capsys.readouterr().out


def test_wrong_words_of_the_command_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "tables.sqlite"
    assert "There are no tables yet." in admin(capsys, database, "tables")
    assert "There are no tables yet." in admin(capsys, database, "hide", "k7m2")
    assert "hide needs an argument" in admin(capsys, database, "hide")
    assert "blocks takes no argument" in admin(capsys, database, "blocks", "now")
    assert "put one of several words in quotes" in admin(capsys, database, "announce", "Back", "at", "ten")
    assert "tables takes no argument" in admin(capsys, database, "tables", "now")
    assert not database.exists()
