"""Clients that send too much, too slowly or only half of it: they cost next to nothing, and nobody else notices."""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import socket
import sys
import time
import weakref
from contextlib import ExitStack, suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.protocol import Side, State
from websockets.server import ServerProtocol

from icetable.server import rate_limits
from icetable.server.http import addresses, responses, security, server, static, transport, websocket
from icetable.server.http.api import connection, routes
from icetable.server.http.api.endpoints import body_too_long
from icetable.server.http.transport import HttpConnection, RoundRobin
from icetable.server.live.tables.table import LiveTable
from icetable.server.rate_limits import ClientQuotas, FloodDetector

from .fakes import PATIENCE, SlowDisk
from .fuzzing import HANDSHAKE, frame_of
from .processes import SERVER, Process
from .serving import Client, Running, count, create_table, person

if TYPE_CHECKING:
    from pathlib import Path

PING = json.dumps({"type": "ping", "number": 1}).encode()
ACT = json.dumps({"type": "act", "id": "x", "seat": 0, "text": "S@b1"}).encode()
EMPTY = frame_of(0, b"", 0)
FLOODS = {
    "pings": frame_of(9, b"x" * 20),
    "pongs": frame_of(10, b""),
    "messages": frame_of(1, PING),
    "acts that are refused": frame_of(1, ACT),
    "binary data": frame_of(2, b"x"),
    "empty messages": frame_of(1, b""),
}
FEW_FILES = """
import resource
from icetable.server.http import transport
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
transport.HEAD_SECONDS = 1
"""
SIGTERM_ENDS = "import signal; signal.signal(signal.SIGTERM, signal.default_int_handler)\n"
HALF_POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"


@pytest.fixture
def _no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MESSAGE_BURST", 10**9)


def raw_socket(url: str, data: bytes = b"", buffer: int | None = None) -> socket.socket:
    """A connection to a server that has sent something."""
    raw = socket.socket()
    if buffer is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    raw.settimeout(PATIENCE)
    raw.connect(("127.0.0.1", httpx.URL(url).port or 0))
    raw.sendall(data)
    return raw


def send_on(raw: socket.socket, data: bytes, pause: float = 0) -> None:
    """Send the same again and again, as long as the server lets it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        raw.sendall(data)
        time.sleep(pause)


def rest_of(raw: socket.socket) -> bytes:
    """All that comes until the server hangs up."""
    answer = b""
    with raw, suppress(ConnectionError):
        while more := raw.recv(65536):
            answer += more
    return answer


def until(what: Any) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.005)


# Limits


def test_a_client_floods_that_is_refused_very_often_or_for_long(now: list[float]) -> None:
    often, steadily, hastily = FloodDetector(), FloodDetector(), FloodDetector()
    for _ in range(rate_limits.MAX_REJECTED):
        often.count()
    assert not often.is_flood()
    often.count()
    assert often.is_flood()
    for _ in range(4 * rate_limits.FLOOD_SECONDS):
        assert not steadily.is_flood()
        steadily.count()
        hastily.count()
        now[0] += 0.25
    steadily.count()
    assert not steadily.is_flood()
    now[0] += 0.25
    steadily.count()
    assert steadily.is_flood()
    for _ in range(100):
        now[0] += rate_limits.CALM_SECONDS + 0.25
        hastily.count()
        assert not hastily.is_flood()


def test_an_address_is_held_off_for_a_while_and_not_forgotten_meanwhile(now: list[float]) -> None:
    quota = ClientQuotas().at("192.0.2.1")
    assert (quota.seconds_blocked(), quota.is_idle()) == (0, True)
    quota.block()
    now[0] += 0.5
    assert (quota.seconds_blocked(), quota.is_idle()) == (rate_limits.BLOCK_SECONDS, False)
    now[0] += rate_limits.BLOCK_SECONDS
    assert (quota.seconds_blocked(), quota.is_idle()) == (0, True)


# Floods


@pytest.mark.parametrize("flood", FLOODS.values(), ids=list(FLOODS))
def test_a_socket_that_floods_is_closed(tmp_path: Path, now: list[float], flood: bytes) -> None:
    refused, floods = (count("icetable_rejected_total", reason=one) for one in ("socket_messages", "floods"))
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes[:1]) as ann, Client(running.url, table, codes[1:]) as flooding:
            with suppress(ConnectionError):
                flooding.socket.socket.sendall(flood * 1000)
            assert flooding.listen_to_the_end() == 1008
            assert flooding.socket.close_reason == connection.TOO_FAST_FOR_LONG
            assert ann.act(0, "S@b1")["type"] == "ack"
        assert (
            sum(message == {"type": "error", "message": connection.TOO_FAST.message} for message in flooding.heard) <= 3
        )
    assert count("icetable_rejected_total", reason="floods") == floods + 1
    assert count("icetable_rejected_total", reason="socket_messages") == refused + rate_limits.MAX_REJECTED + 1


def test_endless_fragments_are_a_flood_and_a_refused_one_spoils_its_message(tmp_path: Path, now: list[float]) -> None:
    with Running(tmp_path / "tables.sqlite") as running, Client(running.url) as client:
        client.socket.socket.sendall(frame_of(1, PING, 0) + EMPTY * (connection.MESSAGE_BURST - 1))
        client.socket.socket.sendall(EMPTY)
        assert client.listen()["message"] == connection.TOO_FAST.message
        now[0] += 1
        client.socket.socket.sendall(frame_of(0, b"") + frame_of(1, b"{}"))
        assert client.listen()["message"].startswith("The message can't be read")  # of the second one
        with suppress(ConnectionError):
            client.socket.socket.sendall(frame_of(1, b"", 0) + EMPTY * 1000)
        assert client.listen_to_the_end() == 1008


@pytest.mark.usefixtures("_no_limit")
def test_fragments_without_anything_in_them_take_no_room(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running, Client(running.url) as client:
        client.socket.socket.sendall(frame_of(1, PING[:5], 0) + EMPTY * 5000)
        client.socket.ping().wait(PATIENCE)
        (opened,) = running.site.connections
        assert opened._socket._fragments == PING[:5]
        client.socket.socket.sendall(frame_of(0, PING[5:]))
        assert client.listen()["message"] == connection.NO_JOIN.message


@pytest.mark.usefixtures("_no_limit")
def test_frames_are_parsed_a_little_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed, data_received = list[int](), ServerProtocol.receive_data

    def record(protocol: ServerProtocol, data: bytes) -> None:
        if protocol.state is not State.CONNECTING and protocol.side is Side.SERVER:
            parsed.append(len(data))
        data_received(protocol, data)

    monkeypatch.setattr(ServerProtocol, "receive_data", record)
    with Running(tmp_path / "tables.sqlite") as running, Client(running.url) as client:
        client.socket.socket.sendall(frame_of(1, PING, 0) + EMPTY * 20_000 + frame_of(0, b""))
        assert client.listen()["message"] == connection.NO_JOIN.message
    assert sum(parsed) > 20_000 * len(EMPTY)
    assert max(parsed) == websocket.SLICE_BYTES


def test_an_address_that_a_flood_came_from_gets_no_socket_for_a_while(
    tmp_path: Path,
    now: list[float],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(routes, "BLOCKED_SECONDS", 0.01)
    before = count("icetable_rejected_total", reason="blocked")
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        here: dict[str, Any] = {"X-Forwarded-For": "192.0.2.1"}
        elsewhere: dict[str, Any] = {"X-Forwarded-For": "192.0.2.2"}
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes, **here) as player:
            with Client(running.url, **here) as flooding:
                flooding.socket.socket.sendall(FLOODS["messages"] * 1000)
                assert flooding.listen_to_the_end() == 1008
            now[0] += 2
            with pytest.raises(InvalidStatus) as refused:
                Client(running.url, **here)
            response = refused.value.response
            assert (response.status_code, response.headers["Retry-After"]) == (429, "8")
            assert json.loads(response.body or b"") == {"error": routes.BLOCKED}
            with raw_socket(
                running.url, HANDSHAKE.replace(b"Host: localhost", b"Host: localhost\r\nX-Forwarded-For: 192.0.2.1")
            ):
                until(lambda: count("icetable_rejected_total", reason="blocked") == before + 2)  # and goes away
            assert player.act(0, "S@b1")["type"] == "ack"
            with Client(running.url, table, **elsewhere) as other:
                assert other.frame["seq"] == 1
            now[0] += 8
            with Client(running.url, table, **here) as again:
                assert again.frame["seq"] == 1
    assert count("icetable_rejected_total", reason="blocked") == before + 2
    floods = [one for one in caplog.get_records("call") if "floods" in one.getMessage()]
    assert {one.__dict__["facts"]["address"] for one in floods} == {"192.0.2.1"}


def test_a_socket_too_many_that_floods_is_closed_as_well(tmp_path: Path, now: list[float]) -> None:
    with Running(tmp_path / "tables.sqlite", sockets_per_address=1) as running, Client(running.url):
        before = count("icetable_rejected_total", reason="floods")
        with raw_socket(running.url, HANDSHAKE) as raw:
            assert raw.recv(12) == b"HTTP/1.1 101"
            with suppress(ConnectionError):
                raw.sendall(FLOODS["pings"] * 1000)
            assert b"\x03\xf5" + routes.TOO_MANY_SOCKETS.message.encode() in rest_of(raw)
        assert count("icetable_rejected_total", reason="floods") == before + 1


@pytest.mark.usefixtures("_no_limit")
def test_a_client_that_does_not_read_its_pongs_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The buffers on the way are small, so that they are full soon."""
    monkeypatch.setattr(websocket, "MAX_UNSENT_BYTES", 20_000)
    before = count("icetable_slow_readers_dropped_total")
    with Running(tmp_path / "tables.sqlite", send_buffer=4096) as running:
        with raw_socket(running.url, HANDSHAKE, buffer=4096) as raw:
            assert raw.recv(12) == b"HTTP/1.1 101"
            with pytest.raises(ConnectionError):
                send_on(raw, frame_of(9, b"x" * 125) * 100)
        until(lambda: not running.site.connections)
    assert count("icetable_slow_readers_dropped_total") == before + 1


def test_a_client_that_answers_no_ping_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "PING_SECONDS", 0.2)
    with Running(tmp_path / "tables.sqlite") as running, Client(running.url) as client:
        with raw_socket(running.url, HANDSHAKE) as raw:
            assert rest_of(raw).endswith(b"\x89\x00\x88\x18\x03\xf3keepalive ping timeout")
        assert client.ask(type="look", seq=0)["type"] == "error"


def test_a_message_that_fails_is_written_down_and_the_socket_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(LiveTable, "past", fail)
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as client:
            client.say(type="look", seq=0)
            assert client.hear("error")["message"] == responses.FAILED
            assert client.act(0, "S@b1")["type"] == "ack"
    (record,) = caplog.get_records("call")
    assert record.message == "A message could not be handled."
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


# Slow and broken requests


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", 408),
        (b"GET / HT", 408),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", 408),
        (HALF_POST, 408),
        (HALF_POST.replace(b"Content-Length: 100", b"Transfer-Encoding: chunked")[:-1] + b"9\r\n", 408),
    ],
)
def test_a_request_has_to_come_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, sent: bytes, status: int
) -> None:
    monkeypatch.setattr(transport, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(transport, "BODY_SECONDS", 0.2)
    before = count("icetable_rejected_total", reason="slow_requests")
    with Running(tmp_path / "tables.sqlite") as running:
        head, _, body = rest_of(raw_socket(running.url, sent)).partition(b"\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} ".encode())
        assert b"connection: close" in head.lower()
        assert security.HEADERS["Content-Security-Policy"].encode() in head
        assert json.loads(body) == {"error": transport.TOO_SLOW}
        until(lambda: not running._server.server_state.tasks)
    assert count("icetable_rejected_total", reason="slow_requests") == before + 1
    assert caplog.get_records("call") == []


def test_a_request_that_comes_drop_by_drop_is_not_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "HEAD_SECONDS", 0.3)
    with (
        Running(tmp_path / "tables.sqlite") as running,
        raw_socket(running.url, b"GET / HTTP/1.1\r\n") as raw,
        pytest.raises(ConnectionError),
    ):
        send_on(raw, b"X: y\r\n", pause=0.02)


def test_a_connection_between_two_requests_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        Running(tmp_path / "tables.sqlite") as running,
        Client(running.url) as client,
        raw_socket(running.url) as raw,
    ):
        for _ in range(2):
            raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b"\r\n\r\nok\n"):
                answer += raw.recv(65536)
            monkeypatch.setattr(transport, "HEAD_SECONDS", 0.1)
            monkeypatch.setattr(transport, "BODY_SECONDS", 0.1)
            time.sleep(0.2)
        client.say(type="look", seq=0)
        assert client.listen()["message"] == connection.NO_JOIN.message


@pytest.mark.parametrize("path", ["/api/tables", "/api/records"])
def test_a_body_of_many_small_chunks_is_not_parsed_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    parsed = list[int]()
    monkeypatch.setattr(HttpConnection, "_pass_on", recording(HttpConnection._pass_on, parsed))
    before = count("icetable_rejected_total", reason="long_requests")
    with Running(tmp_path / "tables.sqlite") as running:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        answer = rest_of(raw_socket(running.url, head + b"1\r\nx\r\n" * 50_000))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(json.dumps({"error": transport.TOO_SMALL}, separators=(",", ":")).encode())
    assert count("icetable_rejected_total", reason="long_requests") == before + 1
    assert sum(parsed) < 2 * transport.MAX_FRAMING_BYTES
    assert max(parsed) <= transport.SLICE_BYTES


@pytest.mark.parametrize(
    ("sent", "status", "why"),
    [
        (b"GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n", 505, transport.WRONG_VERSION),
        (b"GET /healthz HTTP/1.1\nHost: localhost\n\n", 400, transport.WRONG_LINES),
        (
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 2000 + b"\nY: y\r\n\r\n",
            400,
            transport.WRONG_LINES,
        ),
        (
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9000\r\n\r\n",
            413,
            body_too_long(8192),
        ),
    ],
)
def test_requests_that_are_refused_by_their_heads(running: Running, sent: bytes, status: int, why: str) -> None:
    head, _, body = rest_of(raw_socket(running.url, sent)).partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert json.loads(body) == {"error": why}


def test_line_feeds_in_a_body_are_none_in_a_head(running: Running) -> None:
    """However the head and the body are cut into slices."""
    body = b'{"game":\n\n1}'
    lines = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nX: " % len(body)
    for length in range(transport.SLICE_BYTES - 20, transport.SLICE_BYTES + 10):
        with raw_socket(running.url) as raw:
            raw.sendall(lines + b"x" * (length - len(lines)) + transport.HEAD_END + body)
            assert raw.recv(12) == b"HTTP/1.1 422"


def test_lines_are_told_from_bare_line_feeds_wherever_a_head_is_cut(running: Running) -> None:
    for length in range(transport.SLICE_BYTES - 10, transport.SLICE_BYTES + 5):
        lines = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: "
        head = lines + b"x" * (length - len(lines)) + b"\r\nY: y\r\n\r\n"
        assert rest_of(raw_socket(running.url, head)).startswith(b"HTTP/1.1 200")


def test_a_request_behind_a_body_is_answered(running: Running) -> None:
    """Where chunks end, only their parser knows, so the connection is closed behind them."""
    end = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\n"
    answers = rest_of(raw_socket(running.url, head + b"Content-Length: 2\r\n\r\n{}" + end))
    assert [answers.count(b"HTTP/1.1 422"), answers.count(b"HTTP/1.1 200")] == [1, 1]
    answers = rest_of(raw_socket(running.url, head + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + end))
    assert [answers.count(b"HTTP/1.1 422"), answers.count(b"HTTP/1.1 200")] == [1, 0]
    assert b"\r\nconnection: close\r\n" in answers


def test_a_body_that_nobody_asks_for_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = list[int]()
    monkeypatch.setattr(HttpConnection, "_pass_on", recording(HttpConnection._pass_on, parsed))
    with Running(tmp_path / "tables.sqlite") as running:
        head = b"POST /api/nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        answer = rest_of(raw_socket(running.url, head + b"1\r\nx\r\n" * 50_000))
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert parsed == [len(head)]


def recording(data_received: Any, parsed: list[int]) -> Any:
    """A protocol's `data_received` that notes how much is parsed."""

    def record(protocol: Any, data: bytes) -> None:
        parsed.append(len(data))
        data_received(protocol, data)

    return record


def test_a_closed_connection_waits_for_no_garbage_collector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The collector comes so seldom that bodies which were not read would fill the memory."""
    made = list[weakref.ref[HttpConnection]]()

    def note(connection: HttpConnection, network: asyncio.BaseTransport) -> None:
        made.append(weakref.ref(connection))
        make(connection, network)

    make = HttpConnection.connection_made
    monkeypatch.setattr(HttpConnection, "connection_made", note)
    gc.disable()
    try:
        with Running(tmp_path / "tables.sqlite") as running:
            head = b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            assert rest_of(raw_socket(running.url, head + b"1\r\nx\r\n" * 50_000)).startswith(b"HTTP/1.1 413 ")
            assert httpx.get(f"{running.url}api/games").status_code == 200
            table, codes = create_table(running.url, person(), person())
            Client(running.url, table, codes).close()
        assert len(made) == 4
        assert [protocol() for protocol in made] == [None] * 4
    finally:
        gc.enable()


def test_a_body_may_come_in_ordinary_chunks(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        text = json.dumps({"record": "x" * 290_000}).encode()
        chunks = (text[start : start + 512] for start in range(0, len(text), 512))
        answer = httpx.post(f"{running.url}api/records", content=chunks, timeout=PATIENCE)
    assert answer.status_code == 422
    assert "The first line of a record" in answer.text


@pytest.mark.parametrize("close", [b"", b"Connection: close\r\n"])
def test_bytes_after_an_early_answer_are_not_parsed_and_the_client_can_read_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, close: bytes
) -> None:
    """The client sends all of its body first, and more than fits into the buffers on the way."""
    parsed = list[int]()
    monkeypatch.setattr(HttpConnection, "_pass_on", recording(HttpConnection._pass_on, parsed))
    with Running(tmp_path / "tables.sqlite") as running:
        head = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: 900000\r\n\r\n" % close
        raw = raw_socket(running.url, head)
        assert raw.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 405"
        raw.sendall(b"x" * 900_000)
        answer = rest_of(raw).lower()
        assert b"\r\nconnection: close\r\n" in answer
        assert answer.endswith(b'{"error":"method not allowed"}')
    assert sum(parsed) == len(head)


def test_a_client_that_sends_on_behind_its_answer_is_cut_off(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "LINGER_SECONDS", 0.1)
    raw = raw_socket(running.url, HALF_POST.replace(b"/api/tables", b"/healthz").replace(b"100", b"999999999"))
    with raw, pytest.raises(ConnectionError):
        send_on(raw, b"x" * 1000)
    until(lambda: not transport._lingering)


def test_requests_that_come_together_are_answered_one_after_another(running: Running) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    raw = raw_socket(running.url, request * 99 + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    assert rest_of(raw).count(b"HTTP/1.1 200") == 100


@pytest.mark.anyio
async def test_all_connections_together_are_read_for_a_while_in_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step takes as long as a turn has. Steps of a connection that came later have their turn meanwhile."""
    clock, steps = [0.0], list[str]()
    monkeypatch.setattr(transport, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    shared = RoundRobin()

    def connection(name: str, slices: int) -> Any:
        left = [slices]

        def step() -> bool:
            clock[0] += transport.TURN_SECONDS
            steps.append(name)
            left[0] -= 1
            return left[0] > 0

        return step

    shared.add(connection("long", 3))
    shared.add(connection("short", 1))  # the long one is back in the queue already
    seen = []
    for _ in range(4):
        seen.append("".join(steps))
        await asyncio.sleep(0)
    assert seen == ["long", "longlong", "longlongshort", "longlongshortlong"]
    for _ in range(3):
        await asyncio.sleep(0)
    assert len(steps) == 4
    shared.add(connection("again", 1))
    assert steps[-1] == "again"


@pytest.mark.parametrize(
    "body",
    [b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b"Content-Length: 9\r\n\r\n"],
)
def test_a_request_that_breaks_off_is_no_error_of_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        tasks = running._server.server_state.tasks
        with raw_socket(running.url, b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\n" + body):
            until(lambda: tasks)
        until(lambda: not tasks)
    assert caplog.get_records("call") == []


def test_a_chunk_that_is_none_behind_the_answer_is_no_error_of_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        raw = raw_socket(
            running.url, b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
        )
        assert raw.recv(12) == b"HTTP/1.1 405"
        raw.sendall(b"no chunk\r\n")
        rest_of(raw)
    assert caplog.get_records("call") == []


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system has no such timeout")
def test_a_client_that_takes_nothing_of_a_page_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "STALLED_SECONDS", 1)
    monkeypatch.setattr(static, "STATIC", tmp_path)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "large-1a2b.js").write_bytes(bytes(1 << 24))
    with Running(tmp_path / "tables.sqlite") as running:
        request = b"GET /assets/large-1a2b.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with raw_socket(running.url, request, buffer=4096) as raw:
            assert raw.recv(12) == b"HTTP/1.1 200"
            until(lambda: not running._server.connections)


# Files


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_as_many_files_may_be_open_as_the_system_allows() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before[1] - 1, before[1]))
        server.raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_half_requests_do_not_keep_others_out_for_long(tmp_path: Path) -> None:
    with changed(tmp_path / "tables.sqlite", FEW_FILES) as server, ExitStack() as half:
        for _ in range(110):
            half.enter_context(raw_socket(server.url, b"GET / HTTP/1.1\r\n"))

        def is_served() -> bool:
            with suppress(httpx.TransportError):
                return httpx.get(f"{server.url}healthz", timeout=1).text == "ok\n"
            return False

        until(is_served)


def changed(database: Path, first: str) -> Process:
    """A server process where something is done first."""
    server = Process(database)
    server.program = first + SERVER
    return server


# The end


@pytest.mark.skipif(sys.platform == "win32", reason="Windows can't ask a process to end")
def test_the_end_is_clean_with_all_kinds_of_open_connections(tmp_path: Path) -> None:
    with changed(tmp_path / "tables.sqlite", SIGTERM_ENDS) as server, ExitStack() as opened:
        table, codes = create_table(server.url, person(), person())
        client = opened.enter_context(Client(server.url, table, codes))
        flooding = opened.enter_context(Client(server.url))
        assert client.act(0, "S@b1")["type"] == "ack"
        for data in (
            b"",
            b"GET / HT",
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
            HALF_POST,
            HANDSHAKE,
            HANDSHAKE[:50],
            HANDSHAKE[:-2] + b"X: " + b"y" * 9000 + b"\r\n\r\n",
            HANDSHAKE.replace(b"13", b"99"),
            HANDSHAKE + frame_of(1, PING, 0),
        ):
            opened.enter_context(raw_socket(server.url, data))
        with suppress(ConnectionError):
            flooding.socket.socket.sendall(FLOODS["empty messages"])
        assert httpx.get(f"{server.url}healthz").text == "ok\n"  # the others were heard before
        assert server.end(signal.SIGTERM) == ("ended\n", "")
        assert server.process.returncode == 0


def test_neither_half_requests_nor_a_stuck_disk_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps share one deadline; without it this end would wait until the disk goes on."""
    for module in (server, connection):
        monkeypatch.setattr(module, "CLOSING_SECONDS", 0.2)
    monkeypatch.setattr(server, "CUT_OFF_SECONDS", 0.1)
    monkeypatch.setattr(server, "SHUTDOWN_SECONDS", 0.5)
    disk = SlowDisk(monkeypatch)
    running = Running(tmp_path / "tables.sqlite")
    table, codes = create_table(running.url, person(), person())
    log = running.site.manager.tables.store
    with raw_socket(running.url, HALF_POST), Client(running.url, table, codes) as client:
        client.say(type="act", id="last", seat=0, text="S@b1")
        assert disk.keeps.wait(PATIENCE)
        running._server.should_exit = True
        running._thread.join(PATIENCE / 2)
        assert not running._thread.is_alive()
        assert client.listen_to_the_end() == 1012
    disk.may_keep.set()
    log.close()
    with Running(tmp_path / "tables.sqlite") as again, Client(again.url, table, codes) as client:
        assert client.frame["seq"] == 1


def test_the_steps_of_the_end_take_no_longer_than_the_whole() -> None:
    assert connection.CLOSING_SECONDS + server.CUT_OFF_SECONDS < server.SHUTDOWN_SECONDS <= 6
