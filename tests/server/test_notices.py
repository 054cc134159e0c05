"""Notices to closed browsers: who is told what, once, and nothing secret. The push service is the tests' own."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest
from py_vapid import Vapid02

from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live import notices
from icetable.server.live.administration import NameErasure
from icetable.server.live.push import PAYLOAD_BYTES, BadKeys, Push, load_keys
from icetable.server.store import open_store
from icetable.server.store.errors import Conflict
from icetable.server.table import clock
from icetable.server.table.seats import hash_code

from .fakes import PATIENCE
from .push_service import HOST, Browser, PushService
from .serving import Running
from .support import PERSON, acked, act, ids, join, new_manager
from .table_states import OPEN, person, request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from icetable.server.live.manager import TableManager

    from .fakes import Listener

BOB = person("Bob")


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for a page to be loaded anew, and each look is one that a test asks for."""
    monkeypatch.setattr(notices, "CLOSED_PAGE_SECONDS", 10**6)
    monkeypatch.setattr(notices, "MIN_INTERVAL_MS", -1)


class Evening:
    """A table of Ann and Bob; Bob's browser is closed and subscribed."""

    def __init__(self, manager: TableManager, service: PushService, created: messages.TableCreated) -> None:
        self.manager = manager
        self.service = service
        self.table = created.table
        self.codes = list(created.codes.values())
        self.invite = "".join(created.invites.values())
        self.bob = Browser("bob")

    def wanted(self, seat: int = 1, on: bool = True, browser: Browser | None = None) -> messages.NoticesRequest:
        one = browser or self.bob
        return messages.NoticesRequest([self.codes[seat]], one.endpoint, one.p256dh, one.auth, on)

    async def subscribe(self, seat: int = 1, on: bool = True, browser: Browser | None = None) -> None:
        await self.manager.notices.subscribe(self.table, self.wanted(seat, on, browser), -1)

    async def ann(self) -> Listener:
        return await join(self.manager, self.table, self.codes[:1])

    async def act(self, seat: int) -> None:
        """Any act of a seat, by a page that is closed again."""
        client = await join(self.manager, self.table, [self.codes[seat]])
        while seat not in client.table.state.to_act:
            await asyncio.sleep(0.01)
        acked(await act(client, seat, str(client.table.state.position.legal_actions(seat)[0]), f"n{next(ids)}"))
        await self.manager.leave(client)

    async def told(self, manager: TableManager | None = None) -> list[str]:
        """The notices to Bob's browser since the last call, once all that are due were sent."""
        sending = (manager or self.manager).notices
        self.service.received.clear()
        self.write()
        await sending.check_all()
        while not sending._queue.empty():
            await sending._send(sending._queue.get_nowait())
        return [self.bob.read(one.body)["text"] for one in self.service.received]

    def write(self) -> None:
        """Wait until all is written."""
        with suppress(Conflict):
            self.manager.tables.store.database.probe()[-1].result()

    def subscribed(self) -> int:
        self.write()
        return len(self.manager.tables.store.subscriptions.at_table(self.table))


@asynccontextmanager
async def evening_at(where: str, folder: Path, *seats: messages.SeatRequest, **terms: Any) -> AsyncIterator[Evening]:
    async with PushService(folder) as service:
        manager = new_manager(open_store(where))
        manager.notices.push = service.push()
        wanted = request("icefrogs", *(seats or (PERSON, BOB)), players=2, **terms)
        yield Evening(manager, service, await manager.tables.create(wanted))
        await manager.close()


@pytest.mark.anyio
async def test_a_closed_browser_is_told_its_turn_once(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        assert await evening.told() == []
        await evening.act(0)
        assert await evening.told() == ["Your turn"]
        assert await evening.told() == []
        await evening.act(1)
        assert await evening.told() == []
        await evening.act(0)
        assert await evening.told() == ["Your turn"]


@pytest.mark.anyio
async def test_a_message_says_the_table_the_game_and_the_words_alone(where: str, tmp_path: Path) -> None:
    """And it is as long as every other, signed for this service by the server's key, and replaced by a later one."""
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        await evening.act(0)
        await evening.told()
        [one] = evening.service.received
        content = {"table": evening.table, "title": "IceFrogs", "text": "Your turn"}
        assert (one.path, evening.bob.read(one.body)) == ("/bob", content)
        assert len(one.body) == PAYLOAD_BYTES + 16 + 4 + 1 + 65 + 16 + 1  # salt, size, key, tag and padding
        assert Vapid02.verify(one.headers["authorization"].replace(", k=", ",k="))
        said = f"{one.headers}"
        assert one.headers["topic"] == evening.table
        for secret in (*evening.codes, *map(hash_code, evening.codes), "Ann", "Bob"):
            assert secret not in said + json.dumps(content)


@pytest.mark.anyio
async def test_a_player_who_is_there_is_told_nothing(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        bob = await join(evening.manager, evening.table, evening.codes[1:])
        await evening.act(0)
        assert await evening.told() == []
        assert await evening.told() == []  # a minute later, and still there
        await evening.manager.leave(bob)
        assert await evening.told() == []  # who closes a page has seen it


@pytest.mark.anyio
async def test_a_page_that_dies_unnoticed_is_taken_for_closed_a_minute_later(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        bob = await join(evening.manager, evening.table, evening.codes[1:])
        await evening.act(0)
        assert await evening.told() == []
        assert list(evening.manager.notices._due) == [evening.table]
        await evening.manager.leave(bob)
        assert await evening.told() == ["Your turn"]


@pytest.mark.anyio
async def test_a_notice_that_fell_due_while_no_server_ran_is_sent_once_after_a_restart(
    where: str, tmp_path: Path
) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        await evening.act(0)
        for expected in (["Your turn"], []):
            is_shared = evening.manager.tables.store.database.is_shared
            again = new_manager(open_store(where)) if is_shared else evening.manager
            again.notices.push = evening.service.push()
            assert await evening.told(again) == expected
            if again is not evening.manager:
                await again.close()


@pytest.mark.anyio
async def test_of_several_processes_one_tells(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        await evening.act(0)
        looks = [evening.manager.notices._check_table(evening.table) for _ in range(4)]
        is_shared = evening.manager.tables.store.database.is_shared
        others = [new_manager(open_store(where)) for _ in range(2 if is_shared else 0)]
        for other in others:
            other.notices.push = evening.service.push()
            looks.append(other.notices._check_table(evening.table))
        await asyncio.gather(*looks)
        assert sum(one.notices.queue_length() for one in (evening.manager, *others)) == 1
        for other in others:
            await other.close()


@pytest.mark.anyio
async def test_two_notices_lie_apart_and_none_is_lost(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        monkeypatch.setattr(notices, "MIN_INTERVAL_MS", 60_000)
        for expected in (["Your turn"], []):
            await evening.act(0)
            assert await evening.told() == expected
            await evening.act(1) if expected else None
        assert list(evening.manager.notices._due) == [evening.table]
        monkeypatch.setattr(clock, "MONOTONIC_EPOCH_NS", clock.MONOTONIC_EPOCH_NS + 61 * 10**9)
        assert await evening.told() == ["Your turn"]


@pytest.mark.anyio
async def test_the_end_of_the_game_and_the_next_game_are_told(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        ann = await evening.ann()
        acked(await ann.table.handle(ann.viewer, messages.Resign(f"{next(ids)}", 0)))
        assert await evening.told() == ["The game is over"]
        assert await evening.told() == []
        following = await evening.manager.tables.create_next(
            evening.table, messages.NextRequest(evening.codes[:1], rotate=False)
        )
        assert await evening.told() == ["The next game is ready"]
        assert await evening.told() == []
        assert evening.subscribed() == 0
        evening.table = following.table
        await evening.act(0)
        assert await evening.told() == ["Your turn"]


@pytest.mark.anyio
async def test_the_player_who_begins_the_next_game_is_notified(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        ann = await evening.ann()
        acked(await ann.table.handle(ann.viewer, messages.Resign(f"{next(ids)}", 0)))
        await evening.manager.tables.create_next(evening.table, messages.NextRequest(evening.codes[:1], rotate=True))
        assert await evening.told() == ["Your turn"]


@pytest.mark.anyio
async def test_the_first_player_is_told_when_the_last_seat_is_taken(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path, PERSON, OPEN) as evening:
        await evening.subscribe(0)
        assert await evening.told() == []
        bob = await join(evening.manager, evening.table, [evening.invite])
        acked(await bob.table.handle(bob.viewer, messages.Sit(f"{next(ids)}", 1, "Bob", "1" * 32)))
        assert await evening.told() == ["Your turn"]


@pytest.mark.anyio
@pytest.mark.parametrize(("status", "left"), [(404, 0), (410, 0), (201, 1), (400, 1), (403, 1), (429, 1), (500, 1)])
async def test_a_subscription_that_its_push_service_has_dropped_is_deleted(
    path: Path, tmp_path: Path, status: int, left: int
) -> None:
    async with evening_at(str(path), tmp_path) as evening:
        await evening.subscribe()
        evening.service.status = status
        await evening.act(0)
        await evening.told()
        assert evening.subscribed() == left


@pytest.mark.anyio
async def test_a_service_that_can_not_take_it_now_gets_it_again(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "RETRY_SECONDS", (0.0,))
    async with evening_at(str(path), tmp_path) as evening:
        await evening.subscribe()
        evening.service.status = 503
        await evening.act(0)
        assert await evening.told() == ["Your turn"]
        evening.service.status = 201
        sending = evening.manager.notices
        await sending._send(await asyncio.wait_for(sending._queue.get(), PATIENCE))
        assert [evening.bob.read(one.body)["text"] for one in evening.service.received] == ["Your turn"] * 2
        assert sending._queue.empty()


@pytest.mark.anyio
async def test_subscriptions_end(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the player, when the seat is handed over, after the end of the game, unrenewed, and with the table."""
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        await evening.subscribe(on=False)
        assert evening.subscribed() == 0
        await evening.subscribe()
        bob = await join(evening.manager, evening.table, evening.codes[1:])
        acked(await bob.table.handle(bob.viewer, messages.HandOver(f"{next(ids)}", 1, "2" * 32)))
        await evening.manager.leave(bob)
        assert await evening.told() == []
        assert evening.subscribed() == 0
        await evening.subscribe(0)
        monkeypatch.setattr(
            clock, "MONOTONIC_EPOCH_NS", clock.MONOTONIC_EPOCH_NS + (notices.SUBSCRIPTION_MS + 1000) * 10**6
        )
        assert await evening.told() == []
        assert evening.subscribed() == 0
        await evening.subscribe(0)
        await evening.manager.tables.delete(evening.table)
        assert evening.subscribed() == 0


@pytest.mark.anyio
async def test_a_subscription_goes_with_the_name_that_is_erased(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        await evening.subscribe(0, browser=Browser("ann"))
        await NameErasure(evening.manager.tables).erase_seat(evening.table, 1)
        assert evening.subscribed() == 1


@pytest.mark.anyio
@pytest.mark.parametrize("is_open", [True, False])
async def test_a_subscription_goes_with_the_name_that_is_erased_everywhere(
    where: str, tmp_path: Path, is_open: bool
) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        await evening.subscribe(0, browser=Browser("ann"))
        if is_open:
            await evening.ann()
        erasing = NameErasure(evening.manager.tables)
        assert await erasing.erase_places(f'{{"{evening.table}": [[0, 1]]}}') == 1
        assert evening.subscribed() == 1


@pytest.mark.anyio
async def test_after_the_end_a_subscription_is_kept_for_a_day(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening_at(where, tmp_path) as evening:
        await evening.subscribe()
        ann = await evening.ann()
        acked(await ann.table.handle(ann.viewer, messages.Resign(f"{next(ids)}", 0)))
        await evening.told()
        assert evening.subscribed() == 1
        monkeypatch.setattr(
            clock, "MONOTONIC_EPOCH_NS", clock.MONOTONIC_EPOCH_NS + (notices.SUBSCRIPTION_AFTER_END_MS + 1000) * 10**6
        )
        await evening.told()
        assert evening.subscribed() == 0


@pytest.mark.anyio
async def test_only_who_holds_a_seat_by_its_code_is_told_of_it(where: str, tmp_path: Path) -> None:
    async with evening_at(where, tmp_path) as evening:
        for codes in ([], ["0" * 32]):
            wanted = messages.NoticesRequest(codes, evening.bob.endpoint, evening.bob.p256dh, evening.bob.auth, True)
            with pytest.raises(GameError, match="only players at this table"):
                await evening.manager.notices.subscribe(evening.table, wanted, -1)
        assert evening.subscribed() == 0


@pytest.mark.anyio
async def test_there_are_bounds_to_a_seat_and_to_an_address(path: Path, tmp_path: Path) -> None:
    async with evening_at(str(path), tmp_path) as evening:
        for number in range(notices.MAX_PER_SEAT):
            await evening.subscribe(browser=Browser(f"b{number}"))
        await evening.subscribe(browser=Browser("b0"))
        with pytest.raises(GameError, match="5 browsers already receive notices for this seat"):
            await evening.subscribe()
        command = (
            "INSERT INTO subscriptions (table_id, lock, endpoint, p256dh, auth, sent, at, until, bucket)"
            " VALUES (?, '', '', '', '', 0, 0, 0, 7)"
        )
        many = range(notices.MAX_PER_BUCKET)
        wanted = [evening.manager.tables.store.database.write("", command, f"t{number}") for number in many]
        wanted[-1].result()
        with pytest.raises(GameError, match="your address already has 200 subscriptions"):
            await evening.manager.notices.subscribe(evening.table, evening.wanted(0), 7)
        await evening.manager.notices.subscribe(evening.table, evening.wanted(0), 8)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://127.0.0.1/k7"},
        {"endpoint": "https://localhost/k7"},
        {"endpoint": "https://[::1]/k7"},
        {"endpoint": "https://192.168.0.1/k7"},
        {"endpoint": f"http://{HOST}/k7"},
        {"p256dh": "AAAA"},
        {"p256dh": "B" * 87},
        {"p256dh": "no key!"},
        {"auth": "AAAA"},
        {"auth": "é"},
    ],
)
async def test_a_bad_push_address_is_refused(path: Path, tmp_path: Path, change: dict[str, str]) -> None:
    async with evening_at(str(path), tmp_path) as evening:
        evening.manager.notices.push = Push(evening.service.push()._vapid, "mailto:ann@example.org")
        if "endpoint" not in change:
            evening.manager.notices.push = evening.service.push()
        asked = msgspec.structs.replace(evening.wanted(), **change)
        with pytest.raises(GameError, match=r"a push address begins with https|in base64url"):
            await evening.manager.notices.subscribe(evening.table, asked, -1)
        assert evening.subscribed() == 0


@pytest.mark.anyio
async def test_the_log_names_no_push_address(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG, "icetable")
    async with evening_at(str(path), tmp_path) as evening:
        await evening.subscribe()
        await evening.act(0)
        assert evening.manager.notices.push is not None

        async def send(*_: object) -> None:
            raise RuntimeError(evening.bob.endpoint)

        monkeypatch.setattr(evening.manager.notices.push, "send", send)
        await evening.told()
    assert "a notice can't be sent" in caplog.text
    told = "".join(f"{record.__dict__}" for record in caplog.records)
    assert (HOST in told, evening.bob.auth in told, evening.codes[1] in told) == (False, False, False)


@pytest.mark.anyio
async def test_an_act_waits_for_no_notice(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A push service that never answers holds up the queue, and what is too much is dropped."""
    async with evening_at(str(path), tmp_path) as evening:
        await evening.subscribe()
        monkeypatch.setattr(notices.Notices.schedule, "__defaults__", (0.0,))
        push, calls = evening.manager.notices.push, []

        async def send(*_: object) -> None:
            calls.append(1)
            await asyncio.Event().wait()

        monkeypatch.setattr(push, "send", send)
        evening.manager.notices.start()
        for seat in (0, 1, 0, 1, 0):
            await evening.act(seat)
        async with asyncio.timeout(PATIENCE):
            while not calls:
                await asyncio.sleep(0.01)


def test_the_keys_are_made_once_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "push.pem"
    first = load_keys(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert Push(first, "mailto:ann@example.org").key == Push(load_keys(path), "https://example.org").key
    path.write_text("nothing")
    with pytest.raises(BadKeys, match="holds no keys"):
        load_keys(path)
    with pytest.raises(BadKeys, match="can't be read or created"):
        load_keys(tmp_path / "no" / "folder")
    with pytest.raises(BadKeys, match="mailto:"):
        Push(first, "ann")


def test_a_server_without_keys_says_so(running: Running) -> None:
    assert httpx.get(f"{running.url}api/push").json() == {"key": None}
    seats = [{"kind": "person", "name": name, "level": None} for name in ("Ann", "Bob")]
    wanted = {"game": "icefrogs", "options": {"players": 2}, "seats": seats}
    created = httpx.post(f"{running.url}api/tables", json=wanted).json()
    body = {"codes": [created["codes"]["0"]], "endpoint": f"https://{HOST}/", "p256dh": "", "auth": "", "on": True}
    answer = httpx.post(f"{running.url}api/tables/{created['table']}/notices", json=body)
    assert (answer.status_code, answer.json()) == (422, {"error": "This server sends no notices."})
