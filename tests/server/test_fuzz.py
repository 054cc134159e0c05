"""Thousands of messages that no browser sends: each gets its answer, and nothing changes."""

from __future__ import annotations

import json
import logging
import random
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from icetable.server import messages
from icetable.server.http import websocket
from icetable.server.http.api import connection

from .fuzzing import HANDSHAKE, ODD_VALUES, frame_of, junk, mutated
from .serving import Client, Running, create_table, person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MESSAGES = 1500
"""How many messages each kind of stranger sends."""
NO_QUESTION = json.dumps({"type": "analyse", "seq": None})
"""It has no answer."""


@dataclass
class Scene:
    """A game under way that nothing may disturb, and what nobody may learn."""

    running: Running
    table: str
    codes: list[str]
    other_table: str
    other_codes: list[str]
    secrets: list[str]
    before: dict[str, Any]

    @property
    def url(self) -> str:
        return self.running.url

    def check(self, answer: str) -> None:
        """An answer is a message that gives nothing away."""
        assert len(answer) < 30_000
        assert not any(secret in answer for secret in self.secrets)
        assert "Traceback" not in answer
        assert "File " not in answer

    def check_nothing_changed(self) -> None:
        with Client(self.url, self.table, self.codes) as client:
            assert client.heard[0] == self.before


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "MESSAGE_BURST", 10**9)
        with Running(tmp_path_factory.mktemp("fuzz") / "tables.sqlite") as running:
            table, codes = create_table(running.url, person("Ann"), person("Bob"))
            other_table, other_codes = create_table(running.url, person("Eve"), person("Mallory"))
            with Client(running.url, table, codes) as client:
                for number in range(6):
                    (seat,) = client.frame["legal"]
                    client.ask(type="act", id=f"known {number}", seat=int(seat), text=client.frame["legal"][seat][0])
            with Client(running.url, table, codes) as client:
                before = client.heard[0]
            log = running.site.manager.tables.store
            kept = [setup for one in (table, other_table) if (setup := log.tables.setup(one)) is not None]
            locks = [str(seat.code_hash) for setup in kept for seat in setup.seats]
            secrets = [*codes, *locks, *(setup.secret.hex() for setup in kept)]
            yield Scene(running, table, codes, other_table, other_codes, secrets, before)


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No stranger makes the server write anything down, but what may be a proxy's mistake."""
    yield
    warnings = [record for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    warnings = [record for record in warnings if "the proxy must" not in record.getMessage()]
    assert [record for record in warnings if record.name != "websockets.client"] == []


# What strangers say


def valid(scene: Scene, dice: random.Random) -> dict[str, Any]:
    """A message of the right shape."""
    return dice.choice(
        [
            {"type": "join", "table": scene.table, "codes": [dice.randbytes(16).hex()]},
            {
                "type": "act",
                "id": dice.choice(["known 3", "new"]),
                "seat": dice.randrange(-1, 3),
                "text": some_act(dice),
            },
            {"type": "undo", "id": dice.choice(["known 5", "new"]), "to": dice.randrange(8)},
            {
                "type": "sit",
                "id": "new",
                "seat": dice.randrange(-1, 3),
                "name": "Eve",
                "code": dice.randbytes(16).hex(),
            },
            {"type": "hand-over", "id": "new", "seat": dice.randrange(-1, 3), "code": dice.randbytes(16).hex()},
            {"type": dice.choice(["leave", "return"]), "id": "new", "seat": dice.randrange(-1, 3)},
            {"type": "fill", "id": "new", "seat": dice.randrange(-1, 3), "level": "easy"},
            {"type": "vote", "id": "new", "number": dice.randrange(9), "agree": True},
            {"type": "offer", "id": "new", "what": dice.choice(["draw", "pause", "resume"])},
            {"type": "say", "id": dice.choice(["known 3", "new"]), "text": some_act(dice)},
            {"type": "ping", "number": dice.randrange(9)},
            {"type": "look", "seq": dice.randrange(12)},
            {"type": "history", "before": dice.randrange(12)},
            {"type": "solve", "seq": dice.randrange(12)},
            {"type": "analyse", "seq": dice.randrange(12)},
            {"type": "hold", "seat": dice.choice([-1, 0, 2]), "what": some_act(dice)},
        ]
    )


def some_act(dice: random.Random) -> str:
    here, there = (dice.choice("abcdefghij") + dice.choice("0123456789") for _ in range(2))
    return dice.choice([f"{dice.choice('SMLX')}@{there}", f"{here}-{there}", "pass", "undo 3", "die:6", "bell"])


def tell(client: Client, message: str | bytes) -> dict[str, Any]:
    """Send something; the one answer that it gets. What people say comes besides."""
    client.socket.send(message)
    while (answer := client.listen())["type"] == "said":
        pass
    return answer


# Who the strangers are


def test_a_watcher_who_says_anything(scene: Scene) -> None:
    dice = random.Random(1)
    with Client(scene.url, scene.table) as client:
        client.heard.clear()
        for _ in range(MESSAGES):
            message = mutated(valid(scene, dice), dice) if dice.random() < 0.7 else junk(dice)
            if message == NO_QUESTION:
                continue
            answer = tell(client, message)
            assert answer["type"] in ("error", "refused", "past", "history", "pong", "welcome", "unanalysed")
        for answer in client.heard:
            scene.check(json.dumps(answer))
            if answer["type"] == "error":
                assert 10 < len(answer["message"]) < 300
            if answer["type"] == "welcome":
                assert not any(seat["mine"] for seat in answer["table"]["seats"])
        kinds = {answer["type"] for answer in client.heard}
        assert kinds == {"error", "refused", "past", "history", "pong", "welcome", "unanalysed"}
    scene.check_nothing_changed()


def test_somebody_who_has_not_joined(scene: Scene) -> None:
    dice = random.Random(2)
    with Client(scene.url) as client:
        for _ in range(MESSAGES):
            message = valid(scene, dice)
            if message["type"] == "join":
                message["table"] = dice.choice(["", "nowhere", scene.table[:-1], scene.table.upper(), "%", "x" * 64])
            answer = tell(client, json.dumps(message))
            assert answer["type"] == "error"
            scene.check(json.dumps(answer))
    scene.check_nothing_changed()


def test_a_player_of_another_table(scene: Scene) -> None:
    """Holds good codes, but of the wrong table; knows the ids of requests that were granted."""
    dice = random.Random(3)
    with Client(scene.url, scene.table, scene.other_codes) as client:
        for _ in range(MESSAGES):
            message = valid(scene, dice)
            if message["type"] == "join":
                message["codes"] = [*scene.other_codes, "", "0" * 32]
            answer = tell(client, json.dumps(message))
            answers = {"join": "welcome", "look": "past", "history": "history", "ping": "pong"}
            answers |= {"solve": "error", "analyse": "unanalysed", "hold": "error"}
            expected = answers.get(message["type"], "refused")
            assert answer["type"] in (expected, "error")
            if expected == "refused":
                assert answer["fault"]["code"] in ("not-your-seat", "no-seat", "no-invitation")
            scene.check(json.dumps(answer))
    scene.check_nothing_changed()


def test_a_player_who_tries_what_is_not_allowed(scene: Scene) -> None:
    """Holds seat 1 while seat 0 is to act: no act of theirs is legal, and none of seat 0's is theirs."""
    dice = random.Random(4)
    assert scene.before["frame"]["view"]["to_act"] == [0]
    with Client(scene.url, scene.table, scene.codes[1:]) as client:
        for number in range(MESSAGES):
            message = valid(scene, dice)
            if message["type"] not in ("act", "look", "ping", "say", "solve", "analyse", "sit", "fill", "vote"):
                continue
            message["id"] = f"{number}"
            answer = tell(client, json.dumps(message))
            answers = {
                "look": ("past", "error"),
                "ping": ("pong", "error"),
                "say": ("ack", "refused"),
                "solve": ("error",),
                "analyse": ("unanalysed", "error"),
            }
            expected = answers.get(message["type"], ("refused", "error"))
            assert answer["type"] in expected
            scene.check(json.dumps(answer))
    scene.check_nothing_changed()


def test_a_player_whose_turn_it_is_and_who_plays_illegal_acts(scene: Scene) -> None:
    dice = random.Random(5)
    rules = set()
    with Client(scene.url, scene.table, scene.codes[:1]) as client:
        legal = client.frame["legal"]["0"]
        for number in range(MESSAGES):
            text = dice.choice(
                [some_act(dice), dice.choice(legal) + dice.choice(" \n#;x0"), dice.choice(legal).upper()]
            )
            if text in legal:
                continue
            answer = tell(client, json.dumps({"type": "act", "id": f"{number}", "seat": 0, "text": text}))
            assert answer["type"] == "refused"
            assert answer["fault"]["message"]
            rules.add(answer["fault"]["rule"])
            scene.check(json.dumps(answer))
    assert {None, "IF-2", "IF-6", "IF-9", "IF-17"} <= rules
    scene.check_nothing_changed()


def test_requests_for_tables_with_something_wrong_about_them(scene: Scene) -> None:
    dice = random.Random(6)
    seen = set()
    with httpx.Client(base_url=scene.url) as browser:
        for _ in range(MESSAGES // 5):
            seats = [dict(person("Eve")), dict(person("Bob"))]
            wanted: dict[str, Any] = {"game": "icefrogs", "options": {"players": 2, "board": "star"}, "seats": seats}
            part = dice.choice([wanted, wanted["options"], *seats])
            response = browser.post(
                "/api/tables", content=mutated(part, dice) if part is wanted else changed(wanted, part, dice)
            )
            seen.add(response.status_code)
            assert response.status_code in (201, 413, 422), response.text
            assert response.status_code == 201 or list(response.json()) == ["error"]
            if response.status_code != 201:
                scene.check(response.text)
    assert seen == {201, 413, 422}
    scene.check_nothing_changed()


def changed(wanted: dict[str, Any], part: dict[str, Any], dice: random.Random) -> str:
    """The request with an odd value or an odd name somewhere in one part of it."""
    part[dice.choice([*part, "self", "preset", "colour", ""])] = dice.choice(ODD_VALUES)
    return json.dumps(wanted)


# Below the messages


def shout(client: Client, message: str | list[str]) -> None:
    """Say what nobody reads to its end; the server hangs up, perhaps before all is said, and then no code comes."""
    try:
        client.socket.send(message)
    except ConnectionClosed:
        return
    assert client.listen_to_the_end() in (1009, None)


def test_a_message_that_is_longer_than_anybody_reads(scene: Scene) -> None:
    with Client(scene.url, scene.table) as client:
        assert tell(client, "x" * messages.MAX_LENGTH)["message"].startswith("The message can't be read: ")
        assert tell(client, "x" * (messages.MAX_LENGTH + 1))["message"] == "A message has at most 8192 characters."
        assert tell(client, "ö" * (websocket.MAX_FRAME_BYTES // 2))["type"] == "error"
        shout(client, "x" * (websocket.MAX_FRAME_BYTES + 1))
    with Client(scene.url, scene.table) as client:
        shout(client, ["x" * 1000] * 100)
    scene.check_nothing_changed()


JOIN = b'{"type":"join","table":"x","codes":[]}'

BROKEN_FRAMES = {
    "a text that is no UTF-8": frame_of(1, b'{"type":"\xff\xfe"}'),
    "half a letter": frame_of(1, b'"\xc3'),
    "reserved bits": frame_of(1, JOIN, 0xF0),
    "an unknown kind": frame_of(3, JOIN),
    "a long ping": frame_of(9, b"x" * 126),
    "a ping in pieces": frame_of(9, b"x", 0),
    "a piece of nothing": frame_of(0, JOIN),
    "a message within a message": frame_of(1, JOIN, 0) + frame_of(1, JOIN),
    "a promise of a huge message": frame_of(1, b"", length=2**62),
    "a broken close": frame_of(8, b"\x03"),
    "a close with a wrong number": frame_of(8, b"\x00\x01"),
    "no mask": b"\x81" + bytes([len(JOIN)]) + JOIN,
}


def exchange(scene: Scene, *data: bytes) -> list[bytes]:
    """Send bytes and read what comes each time: up to a message or handshake, in the end until the server hangs up."""
    received = []
    with socket.create_connection(("127.0.0.1", httpx.URL(scene.url).port or 0), timeout=30) as raw:
        for number, piece in enumerate(data, 1):
            answer = b""
            try:
                raw.sendall(piece)
                if number == len(data):
                    raw.shutdown(socket.SHUT_WR)
                while more := raw.recv(65536):
                    answer += more
                    if number < len(data) and answer.endswith((b"}", b"\r\n\r\n")):
                        break
            except OSError:  # the server has hung up already: a reset, or a socket no longer connected
                pass
            received.append(answer)
    return received


@pytest.mark.parametrize("data", BROKEN_FRAMES.values(), ids=list(BROKEN_FRAMES))
def test_frames_that_break_the_protocol(scene: Scene, data: bytes) -> None:
    handshake, first, last = exchange(scene, HANDSHAKE, frame_of(1, b"{}"), data)
    assert handshake.startswith(b"HTTP/1.1 101")
    assert b'{"type":"error","message":"The message can\'t be read' in first
    assert last[0] == 0x88
    assert int.from_bytes(last[2:4], "big") in (1002, 1007, 1009)
    scene.check((first + last).decode("latin-1"))
    scene.check_nothing_changed()


def test_sockets_that_just_go_away(scene: Scene) -> None:
    for _ in range(50):
        client = Client(scene.url, scene.table, scene.codes)
        client.socket.socket.shutdown(socket.SHUT_RDWR)
        assert client.listen_to_the_end() is None
        client.close()
    scene.check_nothing_changed()


BROKEN_REQUESTS: list[Callable[[random.Random], bytes]] = [
    lambda dice: dice.randbytes(100) + b"\r\n\r\n",
    lambda dice: b"GET /%s HTTP/1.1\r\n\r\n" % bytes(dice.randrange(33, 127) for _ in range(60)),
    lambda dice: b"GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n" % (b"y" * 100_000),
    lambda dice: b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    lambda dice: (
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{}{}{}{}{}"
    ),
    lambda dice: b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    lambda dice: HANDSHAKE.replace(b"13", b"99"),
    lambda dice: HANDSHAKE.replace(b"dGhl", b"!!!!"),
    lambda dice: HANDSHAKE.replace(b"/ws", b"/api/games"),
]
REFUSED_HANDSHAKES = {
    "a long line": (HANDSHAKE[:-2] + b"X: " + b"y" * 9000 + b"\r\n\r\n", 431),
    "many lines": (HANDSHAKE[:-2] + b"".join(b"X%d: y\r\n" % number for number in range(130)) + b"\r\n", 431),
    "a long path": (HANDSHAKE.replace(b"/ws", b"/ws?" + b"x" * 9000), 414),
    "another version": (HANDSHAKE.replace(b"13", b"99"), 400),
    "a wrong key": (HANDSHAKE.replace(b"dGhl", b"!!!!"), 400),
    "no key": (HANDSHAKE.replace(b"Sec-WebSocket-Key", b"X"), 400),
    "a body": (HANDSHAKE[:-2] + b"Content-Length: 3\r\n\r\nabc", 400),
    "chunks": (HANDSHAKE[:-2] + b"Transfer-Encoding: chunked\r\n\r\n", 400),
}


@pytest.mark.parametrize("number", range(len(BROKEN_REQUESTS)))
def test_requests_that_break_the_protocol(scene: Scene, number: int) -> None:
    dice = random.Random(number)
    for _ in range(5):
        (answer,) = exchange(scene, BROKEN_REQUESTS[number](dice))
        assert b" 101 " not in answer
        scene.check(answer.decode("latin-1"))
    assert httpx.get(f"{scene.url}api/games").status_code == 200
    scene.check_nothing_changed()


@pytest.mark.parametrize(("data", "status"), REFUSED_HANDSHAKES.values(), ids=list(REFUSED_HANDSHAKES))
def test_a_handshake_that_is_refused_is_answered_and_closed(scene: Scene, data: bytes, status: int) -> None:
    with socket.create_connection(("127.0.0.1", httpx.URL(scene.url).port or 0), timeout=30) as raw:
        raw.sendall(data)
        answer = b""
        while more := raw.recv(65536):
            answer += more
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    scene.check(answer.decode("latin-1"))


def test_play_goes_on_after_all_that(scene: Scene, tmp_path: Path) -> None:
    with Client(scene.url, scene.table, scene.codes) as client:
        answer = client.act(0, client.frame["legal"]["0"][0])
        assert answer["type"] == "ack"
        assert answer["seq"] == 7
