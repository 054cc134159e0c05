"""Records that visitors open from files: what is shown of them, that nobody plays there, and that none is analysed."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import icetable
from icetable.analysis import Review
from icetable.core import record
from icetable.server import messages
from icetable.server.live import uploads
from icetable.server.live.fair_queue import client_address
from icetable.server.live.manager import TableManager
from icetable.server.store import open_store
from icetable.server.store.errors import Conflict
from icetable.server.table.state import recorded_table
from icetable.server.table.views import NoReview

from .fakes import PATIENCE
from .serving import Client, Running, create_table, person
from .support import PERSON, join
from .support import create_table as create
from .table_states import views as views_of
from .test_reviews import play_to_the_end

QUICK: dict[str, Any] = {"turn_limit": 8}
ICEHOUSE = Path(__file__).parents[1] / "games" / "icehouse" / "bots.record"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("records") / "tables.sqlite") as running:
        yield running


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    def review(*_: object, **__: object) -> Review:
        raise AssertionError("a game was reviewed")

    monkeypatch.setattr("icetable.analysis.review", review)


def upload(running: Running, text: str) -> httpx.Response:
    return httpx.post(f"{running.url}api/records", json={"record": text}, timeout=PATIENCE)


def opened(running: Running, text: str) -> str:
    """The table that shows a record."""
    answer = upload(running, text)
    assert answer.status_code == 201, answer.text
    assert answer.json() == {"table": answer.json()["table"], "codes": {}, "invites": {}, "host": None}
    return str(answer.json()["table"])


def welcome(running: Running, table: str) -> dict[str, Any]:
    with Client(running.url, table) as client:
        return client.heard[0]


def get(running: Running, table: str, what: str) -> httpx.Response:
    return httpx.get(f"{running.url}api/tables/{table}{what}", timeout=PATIENCE)


def some_record(game: str = "wrecktangle", acts: int = 4, **options: Any) -> str:
    """The record of a game under way."""
    dice = np.random.default_rng(1)
    state = icetable.load(game, players=2, **options).random_game(dice)
    return list(state.history())[acts].record()


def admit(_price: int) -> None: ...


# What is shown


@pytest.mark.parametrize("game", ["highrise", "icefrogs", "squad", "wrecktangle"])
def test_a_record_is_watched_again(running: Running, game: str) -> None:
    options = QUICK if game in ("icefrogs", "wrecktangle") else {}
    last = icetable.load(game, players=2, **options).random_game(np.random.default_rng(3))
    table = opened(running, last.record())
    shown = welcome(running, table)
    states = list(last.history())
    assert [line["text"] for line in shown["lines"]] == [state.act for state in states[1:]]
    assert (shown["frame"]["view"]["over"], shown["frame"]["legal"]) == (True, {})
    assert shown["frame"]["view"]["winners"] == sorted(last.winners)
    assert (shown["ending"]["reason"], shown["ending"]["secret"]) == (None, "")
    assert (shown["table"]["record"], shown["table"]["solvable"], shown["ending"]["reviewable"]) == (True, False, False)
    with Client(running.url, table) as client:
        client.say(type="look", seq=2)
        assert client.hear("past")["frame"]["line"]["text"] == states[2].act
    assert get(running, table, "/record").text == last.record()
    summary = get(running, table, "").json()
    assert (summary["over"], summary["winners"]) == (True, sorted(last.winners))
    assert get(running, table, "/picture.svg").status_code == 200


def test_a_record_from_a_mail_is_kept_as_it_was_written(running: Running) -> None:
    text = some_record()
    mailed = "Look:\r\n" + "".join(f"> {line}\r\n" for line in text.splitlines())
    assert get(running, opened(running, mailed), "/record").text == text
    answer = upload(running, f"{text}\n{text}")
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("There are 2 records, at lines 1, ")


def test_a_game_without_turns_is_watched_again_with_its_times(running: Running) -> None:
    text = ICEHOUSE.read_text(encoding="utf-8")
    shown = welcome(running, opened(running, text))
    states = list(icetable.replay(text).history())
    assert [line["at"] for line in shown["lines"]] == [state.at for state in states[1:]]
    assert shown["frame"]["view"]["ended_by"] == "IH-32"


def test_a_record_that_ends_before_its_game_does(running: Running) -> None:
    shown = welcome(running, opened(running, some_record()))
    view = shown["frame"]["view"]
    assert (view["over"], view["to_act"], view["winners"], view["ended_by"]) == (True, [], [], None)
    assert shown["ending"]["reason"] == "record"


def test_names_and_the_end_are_those_of_the_record(running: Running, tmp_path: Path) -> None:
    """It comes from another server, where a player resigned."""
    with Running(tmp_path / "tables.sqlite") as elsewhere:
        wanted = {
            "game": "squad",
            "options": {"players": 2},
            "seats": [person("Zoë"), person("Bob")],
            "random_seats": True,
        }
        made = httpx.post(f"{elsewhere.url}api/tables", json=wanted).json()
        table, codes = made["table"], list(made["codes"].values())
        with Client(elsewhere.url, table, codes) as client:
            while not client.frame["legal"]:
                client.listen()
            client.play(random.Random(1))
            assert client.ask(type="resign", seat=0)["type"] == "ack"
            names = [seat["name"] for seat in client.table["seats"]]
        text = get(elsewhere, table, "/record").text
    shown = welcome(running, opened(running, text))
    assert [seat["name"] for seat in shown["table"]["seats"]] == names
    assert (shown["ending"]["reason"], shown["frame"]["view"]["winners"]) == ("resign", [1])


def test_a_record_without_names_names_the_colours(running: Running) -> None:
    for terms in ("", "terms {}", 'terms {"form":1,"opened":1,"seats":[],"lots":false,"clock":null}'):
        text = some_record("squad").replace("\n\n", f"\n{terms}\n\n" if terms else "\n\n", 1)
        names = [seat["name"] for seat in welcome(running, opened(running, text))["table"]["seats"]]
        assert names == ["Red", "Blue"] or len(set(names)) == 2


def test_names_that_deceive_are_not_shown() -> None:
    seats = '[{"kind":"person","name":"","level":null},{"kind":"person","name":"","level":null}]'
    terms = f'terms {{"form":1,"opened":1,"seats":{seats},"lots":false,"clock":null}}'
    text = some_record("squad").replace("\n\n", f"\n{terms}\n\n", 1) + f'log name 0 0 {"0" * 32} "\\u202eAnn"\n'
    state = recorded_table(record.read_head(text), text, "t", 1)
    assert [seat.name for seat in state.seating.seats] == [name.title() for name in state.game.info.colours[:2]]


# What is refused


def test_nobody_plays_there(running: Running) -> None:
    table = opened(running, some_record())
    with Client(running.url, table) as client:
        for request in (
            {"type": "act", "seat": 0, "text": "end"},
            {"type": "resign", "seat": 0},
            {"type": "undo", "to": 0},
            {"type": "sit", "seat": 0, "name": "Eve", "code": "0" * 32},
            {"type": "fill", "seat": 0, "level": "easy"},
            {"type": "offer", "what": "resume"},
        ):
            assert client.ask(**request)["type"] == "refused"
    next_game = httpx.post(f"{running.url}api/tables/{table}/next", json={"codes": [], "rotate": False})
    assert next_game.status_code == 422
    assert table not in [one["id"] for one in httpx.get(f"{running.url}api/tables").json()]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("icetable record 1", "{}", "The first line of a record is 'icetable record 1'."),
        ("game squad", "game chess", "There is no game 'chess'; there are highrise, "),
        ("option players 2", "option players 9", "Players can't be 9; allowed: "),
        ("option players 2", "option players", "Line 3: the value of 'players' can't be read."),
        ("\n\n0 ", "\n\nhello ", "Line 13: an act is written 'seat act', not 'hello C@"),
        ("\n\n0 C@", "\n\n0 C@z", "Line 13: "),
        (" # captain", " # friend", "Line 13: "),
    ],
)
def test_a_bad_record_is_refused_with_its_line(running: Running, before: str, after: str, reason: str) -> None:
    """The answer names the line and what is wrong there."""
    text = some_record("squad", 1)
    assert before in text
    answer = upload(running, text.replace(before, after, 1))
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(reason)


def test_a_record_that_begins_with_the_end_of_its_game(running: Running) -> None:
    last = icetable.load("icefrogs", players=2, **QUICK).random_game(np.random.default_rng(3))
    answer = upload(running, last.without_history().record())
    assert (answer.status_code, "starts from the end of its game" in answer.json()["error"]) == (422, True)


def test_a_record_with_bottomless_json(running: Running) -> None:
    """It is refused where what it says is needed, and left out where it is not."""
    deep = "[" * 100_000
    entry = f'log 99 0 9 {"0" * 64} /{{"type":{deep}\n'
    assert upload(running, some_record("squad") + entry).status_code == 422
    over = icetable.load("squad", players=2).random_game(np.random.default_rng(2)).record()
    for text in (over + entry, over.replace("\n\n", f"\nterms {deep}\n\n", 1)):
        names = [seat["name"] for seat in welcome(running, opened(running, text))["table"]["seats"]]
        assert names == ["Red", "Blue"] or len(set(names)) == 2


def test_too_long_records(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    long = upload(running, "x" * (messages.MAX_RECORD_LENGTH + 1))
    assert (long.status_code, "300000" in long.json()["error"]) == (422, True)
    longer = upload(running, "x" * messages.MAX_UPLOAD_BYTES)
    assert (longer.status_code, longer.json()["error"]) == (413, "A request has at most 400000 bytes.")
    monkeypatch.setattr("icetable.server.table.state.MAX_RECORDED_ACTS", 3)
    assert upload(running, some_record(acts=4)).json()["error"] == "Only records of up to 3 acts can be opened."


def test_records_count_as_tables(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", sockets_per_address=1) as running:
        statuses = [upload(running, "").status_code for _ in range(20)]
        assert statuses[-1] == 429
        other = httpx.post(
            f"{running.url}api/records", json={"record": ""}, headers={"origin": "http://elsewhere.example"}
        )
        assert other.status_code in (403, 429)


# Nothing is analysed


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize("end", ["under way", "by the rules", "resigned"])
def test_no_record_is_analysed(running: Running, end: str) -> None:
    """It may be that of a game under way, with any end: that of somebody who played on alone, or a made-up one."""
    text = some_record("squad")
    if end == "by the rules":
        text = icetable.load("squad", players=2).random_game(np.random.default_rng(2)).record()
    elif end == "resigned":
        text += f'log 1 1 9000 {"0" * 64} /{{"type":"end","reason":"resign","winners":[0]}}\n'
    table = opened(running, text)
    refusal = "A record from a file is not reviewed here: its game may be under way."
    assert (get(running, table, "/review").status_code, get(running, table, "/review").json()["error"]) == (
        409,
        refusal,
    )
    tried = httpx.post(f"{running.url}api/tables/{table}/copy", json={"codes": [], "seq": 1})
    assert (tried.status_code, "not analysed" in tried.json()["error"]) == (409, True)
    with Client(running.url, table) as client:
        client.say(type="solve", seq=1)
        assert "not analysed" in client.hear("error")["message"]
        client.say(type="analyse", seq=1)
        assert "not analysed" in client.hear("unanalysed")["why"]


def test_the_record_of_a_table_of_the_server_leads_to_it(running: Running) -> None:
    """There it is reviewed. What was changed, and what is the record of a game that goes on, leads to a new table."""
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    with Client(running.url, table, codes) as client:
        client.play(random.Random(1))
    early = get(running, table, "/record").text
    assert opened(running, early) != table
    play_to_the_end(running, table, codes)
    text = get(running, table, "/record").text
    assert opened(running, text) == opened(running, get(running, table, "/record?talk=1").text) == table
    lines = text.splitlines()
    act = next(number for number, line in enumerate(lines) if line.startswith("0 "))
    assert opened(running, "\n".join(line for line in lines if not line.startswith("log "))) != table
    assert upload(running, "\n".join(lines[:act] + lines[act + 1 :])).status_code == 422
    assert opened(running, early) != table
    named = text.replace("Ann", "Eve")
    assert opened(running, named) != table
    elsewhere = text.replace(table, "k7m2pq9xabcd")
    assert opened(running, elsewhere) not in (table, "k7m2pq9xabcd")


# How they are kept


@pytest.mark.anyio
async def test_only_so_many_are_kept_for_so_long(manager: TableManager, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1, 1000))
    monkeypatch.setattr(uploads, "now", lambda: next(clock))
    monkeypatch.setattr(uploads, "MAX_BYTES_PER_BUCKET", 2 * uploads.MIN_COUNTED_BYTES)
    tables = [(await manager.records.open(some_record(), admit)).table for _ in range(4)]

    def there() -> list[bool]:
        return [manager.tables.store.records.get(table) is not None for table in tables]

    while there() != [False, False, True, True]:
        time.sleep(0.01)
    monkeypatch.setattr(uploads, "MAX_AGE_MS", 0)
    await manager.records.forget_old()
    while any(there()):
        time.sleep(0.01)


@pytest.mark.anyio
async def test_a_visitor_pushes_out_their_own_records_alone(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_BYTES_PER_BUCKET", 2 * uploads.MIN_COUNTED_BYTES)

    async def opened(address: str) -> str:
        client_address.set(address)
        return (await manager.records.open(some_record(), admit)).table

    mine = await opened("10.0.0.1")
    others = [await opened("10.0.0.2") for _ in range(5)]
    while sum(manager.tables.store.records.get(table) is not None for table in others) > 2:
        await asyncio.sleep(0.01)
    assert manager.tables.store.records.get(mine) is not None


@pytest.mark.anyio
async def test_a_long_record_counts_as_several(manager: TableManager, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = list[int]()
    monkeypatch.setattr(uploads, "ACTS_PER_RECORD", 2)
    await manager.records.open(some_record(acts=5), prices.append)
    assert prices == [3]


def test_the_store_keeps_records(tmp_path: Path) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    store.records.create("one", "a text", 5, 10, 0).result()
    with pytest.raises(Conflict):
        store.records.create("one", "another", 6, 10, 0).result()
    store.records.create("two", "b", 7, 10, 0).result()
    store.records.create("other", "c", 6, 10, 1).result()
    assert (store.records.get("one"), store.records.get("three")) == (("a text", 5), None)
    limits = {(0, 20, 30): [], (6, 20, 30): ["one"], (0, 19, 30): ["one"], (0, 20, 29): ["one"]}
    limits |= {(0, 20, 19): ["one", "other"], (0, 9, 90): ["one", "other", "two"]}
    assert {limit: sorted(store.records.surplus(*limit)) for limit in limits} == limits
    store.records.delete("one").result()
    with pytest.raises(Conflict):
        store.records.delete("one").result()
    assert store.records.get("one") is None
    store.close()


@pytest.mark.anyio
async def test_a_record_outlives_its_clients(manager: TableManager) -> None:
    text = some_record()
    table = (await manager.records.open(text, admit)).table
    client = await join(manager, table, [])
    opened_at = client.table.state.last_change
    await manager.leave(client)
    again = await join(manager, table, [])
    assert again.table is not client.table
    assert again.table.state.last_change == opened_at
    assert await manager.tables.record(table) == ("wrecktangle", text)
    glance = await manager.summaries.summary(table, None)
    assert (glance.over, glance.when) == (True, opened_at)
    other, _ = await create(manager, "icefrogs", PERSON, PERSON)
    assert other != table


def test_a_record_is_never_reviewed() -> None:
    text = ICEHOUSE.read_text(encoding="utf-8")
    views = views_of(recorded_table(record.read_head(text), text, "t", 1))
    with pytest.raises(NoReview, match="its game may be under way"):
        views.check_review()
    assert json.loads(messages.write(views.table(views.state.viewer([]))))["record"] is True
