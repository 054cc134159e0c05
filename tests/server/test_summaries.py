"""Summaries and pictures of tables in lists."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import icetable

from .serving import Client, Running, create_table, person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from icetable.server.table.state import TableState

COOKIE = {"cookie": f"icetable={'0123456789abcdef' * 2}"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("summaries") / "tables.sqlite") as running:
        yield running


def summary(running: Running, table: str, **headers: str) -> dict[str, Any]:
    answer = httpx.get(f"{running.url}api/tables/{table}", headers=headers)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_a_summary_and_a_picture_follow_the_game(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"))
    state = icetable.load("icefrogs").start()
    before = httpx.get(f"{running.url}api/tables/{table}")
    told = before.json()
    assert (told["id"], told["game"], told["started"], told["hidden"], told["length"]) == (
        table,
        "icefrogs",
        True,
        False,
        0,
    )
    assert (told["to_act"], told["over"], told["scores"], told["reason"]) == ([0], False, [0, 0], None)
    assert [(seat["name"], seat["mine"]) for seat in before.json()["seats"]] == [("Ann", False), ("Bob", False)]
    known = {"If-None-Match": before.headers["ETag"]}
    assert httpx.get(before.url, headers=known).status_code == 304
    address = f"{running.url}api/tables/{table}/picture.svg"
    picture = httpx.get(address)
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text == state.game.thumbnail(state.view())

    with Client(running.url, table, codes[:1]) as ann:  # open while it is asked for
        act = state.legal_actions()[0]
        ann.act(0, act)
        open_now = summary(running, table)
    assert summary(running, table) == open_now
    assert (open_now["length"], open_now["to_act"]) == (1, [1])
    assert open_now["when"] >= before.json()["when"]
    assert httpx.get(before.url, headers=known).status_code == 200
    state = state.apply(act)
    assert httpx.get(address, headers={"If-None-Match": picture.headers["ETag"]}).text == state.game.thumbnail(
        state.view()
    )


def test_a_hidden_table_tells_watchers_only_that_it_is_in_progress_until_it_is_over(running: Running) -> None:
    wanted = {"game": "icefrogs", "options": {}, "seats": [person("Ann"), person("Bob")], "live": False}
    made = httpx.post(f"{running.url}api/tables", json=wanted).json()
    table, code = made["table"], made["codes"]["0"]
    start = icetable.load("icefrogs").start()
    act = start.legal_actions()[0]
    created = summary(running, table)
    with Client(running.url, table, [code], **COOKIE) as ann:
        ann.act(0, act)
    told = summary(running, table)
    assert (told["length"], told["when"]) == (created["length"], created["when"]) == (0, created["when"])
    assert (told["hidden"], told["to_act"], told["scores"], told["over"]) == (True, [], [], False)
    address = f"{running.url}api/tables/{table}/picture.svg"
    assert httpx.get(address).text == start.game.thumbnail(start.view())
    mine = summary(running, table, **COOKIE)
    assert (mine["length"], mine["when"] >= told["when"]) == (1, True)
    assert (mine["hidden"], mine["to_act"], [seat["mine"] for seat in mine["seats"]]) == (False, [1], [True, False])
    after = start.apply(act)
    assert httpx.get(address, headers=COOKIE).text == after.game.thumbnail(after.view())
    assert httpx.get(f"{running.url}api/tables/{table}/record").status_code == 409
    with Client(running.url, table, [code]) as ann:
        ann.ask(type="resign", seat=0)
    assert httpx.get(address).text == after.game.thumbnail(after.view())  # who may read the record may see the end
    assert httpx.get(f"{running.url}api/tables/{table}/record").status_code == 200


def test_a_browser_that_has_the_codes_comes_to_hold_the_seats(running: Running) -> None:
    wanted = {"game": "icefrogs", "options": {}, "seats": [person("Ann"), person("Bob")], "live": False}
    made = httpx.post(f"{running.url}api/tables", json=wanted).json()
    table, codes = made["table"], [*made["codes"].values()]

    def hold(*codes: str, **headers: str) -> list[bool]:
        answer = httpx.post(f"{running.url}api/tables/{table}/hold", json={"codes": codes}, headers=headers)
        assert (answer.status_code, answer.json()["hidden"]) == (201, not codes)
        return mine(answer.json())

    def mine(told: dict[str, Any]) -> list[bool]:
        return [seat["mine"] for seat in told["seats"]]

    other = {"cookie": f"icetable={'fedcba9876543210' * 2}"}
    assert (hold(**other), mine(summary(running, table, **other))) == ([False, False], [False, False])
    assert (hold(codes[1]), mine(summary(running, table))) == ([False, True], [False, False])  # there is no cookie
    for _ in range(2):
        assert (hold(codes[1], **other), mine(summary(running, table, **other))) == ([False, True], [False, True])
    refused = httpx.post(f"{running.url}api/tables/{table}/hold", json={"codes": codes[1]})
    assert refused.status_code == 422
    assert httpx.post(f"{running.url}api/tables/nowhere/hold", json={"codes": codes}).status_code == 404


def test_several_tables_are_asked_for_at_once(running: Running) -> None:
    tables = [create_table(running.url, person("Ann"), person("Bob"), game=game)[0] for game in ("squad", "highrise")]
    address = f"{running.url}api/summaries"
    told = httpx.get(address, params={"tables": ",".join([tables[1], "nowhere", *tables])}).json()
    assert [one["id"] for one in told] == [tables[1], tables[0]]
    assert httpx.get(address, params={"tables": ""}).json() == []
    assert httpx.get(address).status_code == 422
    assert httpx.get(address, params={"tables": ",".join(map(str, range(25)))}).status_code == 422
    for path in ("", "/picture.svg"):
        assert httpx.get(f"{running.url}api/tables/nowhere{path}").status_code == 404


def test_asking_opens_no_table_and_reads_a_log_once(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = create_table(running.url, person("Ann"), person("Bob"))
    manager = running.site.manager
    replayed: list[str] = []
    read: Callable[[str], TableState] = manager.tables._replays._read_state

    def note(table: str) -> TableState:
        replayed.append(table)
        return read(table)

    monkeypatch.setattr(manager.tables._replays, "_read_state", note)
    monkeypatch.setattr("icetable.server.live.tables.replays.REPLAY_SECONDS", 0.0)
    first = [summary(running, table) for _ in range(3)]
    assert first == [first[0]] * 3
    assert (replayed, manager.tables.open) == ([table], {})
    pictures = {httpx.get(f"{running.url}api/tables/{table}/picture.svg").text for _ in range(3)}
    assert len(pictures) == 1
    assert ET.fromstring(pictures.pop()).tag.endswith("svg")
    assert (replayed, manager.tables.open) == ([table, table], {})
