"""Somebody to play with: tables that wait, seats that one player gets, and the list that follows all that."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from icetable.server import messages
from icetable.server.errors import BadTable, SeatTaken
from icetable.server.live import lobby
from icetable.server.store import open_store
from icetable.server.table.clock import now

from .fakes import PATIENCE, Listener
from .serving import Running
from .support import PERSON, create_open_table, create_table, join, new_manager, received
from .table_states import OPEN, person, request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.server.live.manager import TableManager

    from .conftest import TwoServers

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody comes to the tables that are opened here, however long it takes."""
    monkeypatch.setattr(lobby, "ARRIVAL_GRACE_SECONDS", 3600.0)


def new_code() -> str:
    return secrets.token_hex(16)


def wanted(name: str = "Ann", game: str = "icefrogs", players: int = 2, **terms: Any) -> messages.TableRequest:
    return request(game, person(name), *[OPEN] * (players - 1), players=players, public=True, **terms)


async def seek(manager: TableManager, request: messages.TableRequest, browser: str | None = None) -> messages.Seated:
    return await manager.matchmaking.seek(request, new_code(), browser)


async def names_at(manager: TableManager, table: str) -> list[str]:
    return [seat.name for seat in (await manager.tables.read(table)).seating.seats]


# Who asks for the same


async def test_two_who_ask_for_the_same_play(where: str) -> None:
    manager = new_manager(open_store(where))
    ann, bob, cem = [await seek(manager, wanted(name)) for name in ("Ann", "Bob", "Cem")]
    assert (bob.table, ann.seat, bob.seat) == (ann.table, 0, 1)
    assert cem.table != ann.table
    assert await names_at(manager, ann.table) == ["Ann", "Bob"]
    assert (ann.host is None, bob.host, bob.invites) == (False, None, {})
    await manager.close()


@pytest.mark.parametrize(
    "other",
    [
        wanted(game="highrise"),
        wanted(players=3),
        wanted(clock=messages.Clock("game", 300, 5)),
        wanted(match=messages.Match("wins", 2)),
        wanted(live=False),
        request("icefrogs", PERSON, OPEN, board="hexagon", public=True),
    ],
)
async def test_a_player_who_wants_another_game_waits(manager: TableManager, other: messages.TableRequest) -> None:
    assert (await seek(manager, wanted())).table != (await seek(manager, other)).table


async def test_a_level_that_is_shown_and_who_sits_first_do_not_matter(manager: TableManager) -> None:
    ann = await seek(manager, wanted(plays_like="easy"))
    assert (await seek(manager, request("icefrogs", OPEN, person("Bob"), public=True))).table == ann.table


async def test_a_browser_that_waits_comes_back_to_its_table(manager: TableManager) -> None:
    first = await seek(manager, wanted(), "browser")
    again = await seek(manager, wanted(), "browser")
    assert (again.table, again.seat) == (first.table, first.seat)
    assert (await seek(manager, wanted("Bob"), "another")).seat == 1


async def test_where_nobody_waits_any_more_nobody_is_sent(manager: TableManager) -> None:
    ann = await seek(manager, wanted())
    assert manager.tables.store.tables.leave_waiting(ann.table, now()).exception() is None
    bob = await seek(manager, wanted("Bob"))
    assert bob.table != ann.table
    assert (await seek(manager, wanted("Cem"))).table == bob.table


async def test_a_table_that_the_operator_hides_or_deletes_pairs_nobody(manager: TableManager) -> None:
    tables = [(await seek(manager, wanted())).table]
    await manager.administration._hide(tables[0])
    tables.append((await seek(manager, wanted())).table)
    await manager.administration._delete(tables[1])
    tables.append((await seek(manager, wanted())).table)
    assert len(set(tables)) == 3
    assert [listing.id for listing in await manager.lobby.listings()] == tables[2:]


@pytest.mark.parametrize(
    "request_",
    [
        request("icefrogs", PERSON, OPEN),
        request("icefrogs", PERSON, PERSON, public=True),
        request("icefrogs", OPEN, OPEN, public=True),
    ],
)
async def test_a_seek_for_a_table_that_nobody_can_join_is_refused(
    manager: TableManager, request_: messages.TableRequest
) -> None:
    with pytest.raises(BadTable, match="is public, and has one person and open seats"):
        await seek(manager, request_)


async def test_a_level_that_there_is_not_is_refused(manager: TableManager) -> None:
    with pytest.raises(BadTable, match="there is no level 'best'; allowed: 'easy'"):
        await seek(manager, wanted(plays_like="best"))


async def test_many_who_ask_two_processes_at_once_share_no_seat(two_servers: TwoServers) -> None:
    """Everybody has a seat of their own, and at most one table still waits."""
    crowd = 21
    found = await asyncio.gather(*(seek(two_servers[one % 2], wanted(f"Player {one}")) for one in range(crowd)))
    assert max(Counter((one.table, one.seat) for one in found).values()) == 1
    assert sorted(Counter(one.table for one in found).values()) == [1, *[2] * (crowd // 2)]
    for one in found:
        name = (await names_at(two_servers[0], one.table))[one.seat]
        assert name.startswith("Player")


# A seat that anybody may take


async def test_the_first_open_seat_is_taken_once(manager: TableManager) -> None:
    table = (await create_open_table(manager, public=True)).table
    code = new_code()
    seated = [await manager.matchmaking.join(table, "Bob", code, None) for _ in range(2)]
    assert [one.seat for one in seated] == [1, 1]
    with pytest.raises(SeatTaken):
        await manager.matchmaking.join(table, "Cem", new_code(), None)
    assert await names_at(manager, table) == ["Ann", "Bob"]


async def test_the_last_seat_goes_to_one_of_two_processes(two_servers: TwoServers) -> None:
    table = (await create_open_table(two_servers[0], public=True)).table
    came = await asyncio.gather(
        *(two_servers[one % 2].matchmaking.join(table, f"Player {one}", new_code(), None) for one in range(6)),
        return_exceptions=True,
    )
    assert [type(one) for one in came if not isinstance(one, messages.Seated)] == [SeatTaken] * 5


async def test_seats_that_are_by_invitation_stay_so(manager: TableManager) -> None:
    table = (await create_open_table(manager)).table
    with pytest.raises(SeatTaken):
        await manager.matchmaking.join(table, "Bob", new_code(), None)


async def test_a_name_that_no_player_may_have_is_refused(manager: TableManager) -> None:
    table = (await create_open_table(manager, public=True)).table
    with pytest.raises(BadTable, match="at least one visible character"):
        await manager.matchmaking.join(table, " ", new_code(), None)


async def test_a_player_who_has_joined_is_shown_to_those_at_the_table(manager: TableManager) -> None:
    created = await create_open_table(manager, public=True)
    ann = await join(manager, created.table, [created.codes["0"]])
    seated = await manager.matchmaking.join(created.table, "Bob", code := new_code(), None)
    assert any(message["type"] == "changed" for message in received(ann))
    bob = await join(manager, created.table, [code])
    assert bob.viewer.seats == {seated.seat}


# The list


async def listings(manager: TableManager) -> dict[str, messages.Listing]:
    return {listing.id: listing for listing in await manager.lobby.listings()}


async def test_the_list_says_what_would_be_played(manager: TableManager) -> None:
    clock, match = messages.Clock("game", 300, 5), messages.Match("wins", 2)
    usual = await seek(manager, wanted())
    terms: dict[str, Any] = {"public": True, "clock": clock, "match": match, "plays_like": "easy"}
    other = await seek(manager, request("icefrogs", PERSON, OPEN, OPEN, board="hexagon", players=3, **terms))
    found = await listings(manager)
    plain, special = found[usual.table], found[other.table]
    assert (plain.options, plain.clock, plain.match, plain.plays_like) == ({}, None, None, None)
    assert (special.options, special.clock, special.match) == ({"board": "hexagon"}, clock, match)
    assert special.plays_like == "easy"


async def test_tables_that_wait_come_before_those_under_way(manager: TableManager) -> None:
    waits = await seek(manager, wanted("Ann", "highrise"))
    for name in ("Bob", "Cem"):
        played = await seek(manager, wanted(name))
    async with asyncio.timeout(PATIENCE):
        while [one.id for one in await manager.lobby.listings()] != [waits.table, played.table]:
            await asyncio.sleep(0.01)


async def test_a_table_vanishes_when_its_last_player_has_left(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "RELOAD_GRACE_SECONDS", 0.0)
    created = await create_open_table(manager, public=True)
    ann, again = [await join(manager, created.table, [created.codes["0"]]) for _ in range(2)]
    await manager.leave(ann)
    await asyncio.sleep(0.01)
    assert list(await listings(manager)) == [created.table]
    await manager.leave(again)
    async with asyncio.timeout(PATIENCE):
        while await listings(manager):
            await asyncio.sleep(0.01)
    await join(manager, created.table, [created.codes["0"]])
    async with asyncio.timeout(PATIENCE):
        while list(await listings(manager)) != [created.table]:
            await asyncio.sleep(0.01)


async def follow(manager: TableManager) -> Listener:
    client = Listener()
    await manager.lobby.watch(client)
    return client


async def test_a_client_that_follows_the_list_is_sent_changes_only(manager: TableManager) -> None:
    first = await seek(manager, wanted())
    watcher = await follow(manager)
    (whole,) = received(watcher)
    assert (whole["type"], whole["whole"], [one["id"] for one in whole["tables"]]) == ("listed", True, [first.table])
    await manager.lobby.send_changes()
    assert received(watcher) == []
    second = await seek(manager, wanted("Bob", "highrise"))
    await manager.lobby.send_changes()
    (news,) = received(watcher)
    assert ([one["id"] for one in news["tables"]], news["gone"], news["whole"]) == ([second.table], [], False)
    await seek(manager, wanted("Cem"))
    await manager.lobby.send_changes()
    (news,) = received(watcher)
    assert [(one["id"], one["started"]) for one in news["tables"]] == [(first.table, True)]
    await manager.tables.delete(second.table)
    await manager.lobby.send_changes()
    (news,) = received(watcher)
    assert (news["tables"], news["gone"]) == ([], [second.table])
    manager.lobby.unwatch(watcher)


async def test_one_message_is_built_for_all_who_follow(manager: TableManager) -> None:
    watchers = [await follow(manager) for _ in range(3)]
    for one in watchers:
        received(one)
    await seek(manager, wanted())
    await manager.lobby.send_changes()
    sent = [one.waiting.get_nowait() for one in watchers]
    assert all(one is sent[0] for one in sent)


async def test_nothing_secret_is_in_the_list(manager: TableManager) -> None:
    code = new_code()
    seated = await manager.matchmaking.seek(wanted(), code, None)
    watcher = await follow(manager)
    state = await manager.tables.read(seated.table)
    told = watcher.waiting.get_nowait()
    hashes = [seat.code_hash for seat in state.seating.seats]
    for secret in (code, seated.host, *seated.invites.values(), *hashes, state.setup.secret.hex()):
        assert str(secret).encode() not in told


# By the interface


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("joining") / "tables.sqlite") as started:
        yield started


def test_by_the_interface(running: Running) -> None:
    def ask(path: str, **body: Any) -> httpx.Response:
        return httpx.post(f"{running.url}api/{path}", json=body)

    table = msgspec.to_builtins(wanted())
    ann = ask("seeks", table=table, code=new_code()).json()
    code = new_code()
    joined = ask(f"tables/{ann['table']}/join", name="Bob", code=code)
    assert (joined.status_code, joined.json()["seat"]) == (201, 1)
    late = ask(f"tables/{ann['table']}/join", name="Cem", code=new_code())
    assert (late.status_code, "no seat is free" in late.json()["error"]) == (409, True)
    assert ask("tables/nowhere/join", name="Cem", code=new_code()).status_code == 404
    assert ask("seeks", table=table, code="short").status_code == 422
    assert json.loads(joined.text)["invites"] == {}


async def test_a_private_table_is_not_listed(manager: TableManager) -> None:
    await create_table(manager, "icefrogs", PERSON, PERSON)
    watcher = await follow(manager)
    assert received(watcher)[0]["tables"] == []
