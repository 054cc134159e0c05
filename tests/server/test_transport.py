"""The application under another ASGI server than its own: Starlette's TestClient, which knows no uvicorn."""

from __future__ import annotations

import asyncio
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import protocol
import pytest
from starlette.websockets import WebSocketDisconnect

from icetable.server.http import connection, routes, transport
from icetable.server.http.app import make_app
from icetable.server.live.bot_pool import BotPool
from icetable.server.store.sqlite import SqliteStore

from .fakes import FakeBots
from .serving import person

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have httpx2
    from starlette.testclient import TestClient

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import WebSocketTestSession


@contextmanager
def application(folder: Path, sockets_per_address: int = 10) -> Iterator[TestClient]:
    app = make_app(SqliteStore(folder / "tables.sqlite"), BotPool(FakeBots().factory, pause=0), sockets_per_address)
    with TestClient(app) as client:
        yield client


def hear(socket: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """The next message of a kind, with no error before it."""
    while (message := socket.receive_json())["type"] != kind:
        assert kind == "error" or message["type"] not in ("error", "refused"), message
    return dict(message)


def hear_all(socket: WebSocketTestSession) -> None:
    while True:
        socket.receive_json()


def test_a_game_begins_and_goes_on(tmp_path: Path) -> None:
    with application(tmp_path) as client:
        wanted = {"game": "icefrogs", "options": {}, "seats": [person("Ann"), person("Bob")]}
        created = client.post("/api/tables", json=wanted).json()
        join = {"type": "join", "table": created["table"], "codes": list(created["codes"].values())}
        with client.websocket_connect("/ws") as both, client.websocket_connect("/ws") as watcher:
            both.send_json(join)
            assert hear(both, "welcome")["frame"]["seq"] == 0
            watcher.send_json({**join, "codes": []})
            assert hear(watcher, "welcome")["frame"]["legal"] == {}
            both.send_json({"type": "act", "id": "1", "seat": 0, "text": "S@b1"})
            assert hear(both, "ack") == {"type": "ack", "id": "1", "seq": 1}
            assert hear(watcher, "frame")["frame"]["line"]["text"] == "S@b1"
            both.send_bytes(b"{}")
            assert hear(both, "error") == {"type": "error", "message": connection.NO_TEXT.message}
        with client.websocket_connect("/ws") as again:
            again.send_json(join)
            assert hear(again, "welcome")["frame"]["seq"] == 1


def test_a_socket_that_floods_is_closed_and_its_address_blocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("icetable.server.rate_limits.MOST_REJECTED", 5)
    monkeypatch.setattr(connection, "MESSAGE_BURST", 10)
    monkeypatch.setattr(routes, "BLOCKED_SECONDS", 0.01)
    with application(tmp_path) as client:
        with client.websocket_connect("/ws") as flooding:
            for _ in range(100):
                flooding.send_json({"type": "ping", "number": 1})
            with pytest.raises(WebSocketDisconnect) as closed:
                hear_all(flooding)
        assert (closed.value.code, closed.value.reason) == (1008, connection.TOO_FAST_FOR_LONG)
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws"):
            pass


def test_a_socket_too_many_is_told_why(tmp_path: Path) -> None:
    with application(tmp_path, sockets_per_address=1) as client, client.websocket_connect("/ws"):
        with client.websocket_connect("/ws") as second:
            assert second.receive_json() == {"type": "error", "message": routes.TOO_MANY_SOCKETS.message}
            with pytest.raises(WebSocketDisconnect) as closed:
                second.receive_json()
        assert closed.value.code == 1013


def test_the_session_of_the_protocol_page_can_be_played(tmp_path: Path) -> None:
    """Each message of the page is answered in turn by one of the kinds that the page names."""
    examples = {type(one).__name__: msgspec.to_builtins(one) for one in protocol.CLIENT_MESSAGES}
    with application(tmp_path) as client:
        wanted = protocol.EXAMPLES["POST /api/tables"]
        created = client.post(wanted.path, content=protocol.pretty(wanted.body))
        assert set(created.json()) == set(msgspec.to_builtins(wanted.answer))
        table, codes, invites = (created.json()[name] for name in ("table", "codes", "invites"))
        with client.websocket_connect("/ws") as anns, client.websocket_connect("/ws") as bobs:

            def play(socket: WebSocketTestSession, name: str, kind: str, **other: Any) -> dict[str, Any]:
                socket.send_json({**examples[name], **other})
                return hear(socket, kind)

            play(anns, "Join", "welcome", table=table, codes=list(codes.values()))
            play(bobs, "Join", "welcome", table=table, codes=list(invites.values()))
            assert play(bobs, "Sit", "ack")["id"] == examples["Sit"]["id"]
            assert play(anns, "Ping", "pong") == {"type": "pong", "number": examples["Ping"]["number"]}
            anns.send_json(examples["Hold"])
            assert hear(bobs, "held")["what"] == examples["Hold"]["what"]
            assert play(anns, "Act", "ack") == {"type": "ack", "id": examples["Act"]["id"], "seq": 1}
            line = hear(bobs, "frame")["frame"]["line"]
            assert line == msgspec.to_builtins(protocol.LINE)
            assert play(anns, "Look", "past")["frame"]["seq"] == 0
            assert play(anns, "History", "history")["lines"] == [line]
            assert play(bobs, "Say", "said")["remarks"][0]["text"] == examples["Say"]["text"]
            proposal = play(bobs, "Offer", "changed")["table"]["proposal"]
            assert proposal["what"] == examples["Offer"]["what"]
            assert play(anns, "Vote", "over", number=proposal["number"])["ending"]["reason"] == "draw"
            assert play(bobs, "Act", "refused")["fault"]["code"] != ""
        with client.websocket_connect("/ws") as again:
            seats = play(again, "Join", "welcome", table=table, codes=[protocol.BOB])["table"]["seats"]
            assert [seat["mine"] for seat in seats] == [False, True]


class Stuck:
    """A socket whose client reads nothing."""

    def __init__(self) -> None:
        self.forever = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.forever.wait()
        return {}

    async def send_text(self, _: str) -> None:
        await self.forever.wait()


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_client_that_does_not_read_is_dropped_and_holds_up_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MOST_UNSENT", 100)
    slow = transport.AsgiTransport(Stuck())  # type: ignore[arg-type]
    running = asyncio.create_task(slow.run(lambda _: None, lambda: True))
    await asyncio.sleep(0)
    slow.send_text(b"x" * 60)
    draining = asyncio.create_task(slow.drain())
    await asyncio.sleep(0.01)
    assert not running.done()
    assert not draining.done()
    slow.send_text(b"x" * 60)
    await asyncio.wait_for(asyncio.gather(running, draining), 5)
    slow.send_text(b"x")  # which goes nowhere
    await asyncio.wait_for(slow.close(1012, ""), 5)
