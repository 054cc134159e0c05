"""A real server for tests, in a thread of its own, and clients that talk to it over real sockets."""

from __future__ import annotations

import itertools
import json
import random
import signal
import socket
import tempfile
import threading
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import httpx
from prometheus_client import REGISTRY
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from icetable.server.http.addresses import address_of, bind
from icetable.server.http.app import make_app
from icetable.server.http.server import Server
from icetable.server.live.bots import BotPool
from icetable.server.live.settings import Settings
from icetable.server.rate_limits import Limits
from icetable.server.store import open_store
from icetable.server.store.admin import back_up

from .fakes import PATIENCE, FakeBots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from icetable.server.http.site import Site
    from icetable.server.store.store import Store

Message = dict[str, Any]


class Running:
    """A server that runs while the context lasts. `url` ends in a slash."""

    def __init__(
        self,
        database: Path,
        send_buffer: int | None = None,
        sockets_per_address: int = 10**6,
        behind_proxy: bool = False,
        host: str = "127.0.0.1",
        public_url: str | None = None,
        lan: bool | None = False,
        prefix: str = "",
        access_log: bool = False,
    ) -> None:
        ready = threading.Event()
        bound = bind(host, 0, with_loopback=bool(lan))
        if send_buffer is not None:
            for one in bound:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        self.url = address_of(bound, prefix)
        bots = BotPool(FakeBots().factory, pause=0)
        settings = Settings(
            limits=Limits(sockets_per_address),
            behind_proxy=behind_proxy,
            public_url=public_url,
            lan=lan,
            prefix=prefix,
            access_log=access_log,
        )
        self.app = make_app(open_store(database), bots, settings)
        self.site: Site = self.app.state.site
        self.told: list[str] = []
        self._server = Server(self.app, bound, ready.set, self.told.extend)
        self._thread = threading.Thread(target=self._server.run, args=(bound,))
        self._thread.start()
        assert ready.wait(PATIENCE)

    def stop(self, sig: int = signal.SIGTERM) -> None:
        """End as at this signal."""
        self._server.handle_exit(sig, None)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextmanager
def copy_of(database: Path) -> Iterator[Store]:
    """A copy of what a running server has stored so far."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite"
        copy.touch()
        back_up(database, copy)
        with closing(open_store(copy)) as log:
            yield log


def count(name: str, **labels: str) -> float:
    """The value of a metric of this process."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


def person(name: str = "Ann") -> Message:
    return {"kind": "person", "name": name, "level": None}


def bot(level: str = "easy") -> Message:
    return {"kind": "bot", "name": "Robot", "level": level}


def create_table(
    url: str, *seats: Message, game: str = "icefrogs", terms: Message | None = None, **options: Any
) -> tuple[str, list[str]]:
    """A new table: its id, and the codes of the persons' seats in order. `terms`: more of the request."""
    wanted = {"game": game, "options": {"players": len(seats), **options}, "seats": seats, **(terms or {})}
    return created(httpx.post(f"{url}api/tables", json=wanted, timeout=PATIENCE))


def created(response: httpx.Response) -> tuple[str, list[str]]:
    """A table that a request has made: its id, and the codes of the persons' seats in order."""
    assert response.status_code == 201, response.text
    made = response.json()
    return made["table"], list(made["codes"].values())


def copy_table(url: str, table: str, codes: list[str], seq: int) -> tuple[str, list[str]]:
    """A table to try things at, from the position after `seq` acts."""
    return created(httpx.post(f"{url}api/tables/{table}/copy", json={"codes": codes, "seq": seq}, timeout=PATIENCE))


def first_exercise(url: str, game: str = "icefrogs") -> tuple[str, list[str]]:
    """The table of the first step of a game's lesson."""
    lesson = httpx.get(f"{url}api/lessons/{game}", timeout=PATIENCE).json()
    return created(httpx.post(f"{url}api/lessons/{game}/{lesson['steps'][0]['name']}", timeout=PATIENCE))


REQUESTS = itertools.count(1)
"""The ids of requests, unique across clients: a table repeats its answer to an id that it knows."""


class Client:
    """A client with a real socket, and the newest frame and lines that it was sent."""

    def __init__(self, url: str, table: str | None = None, codes: list[str] | None = None, **headers: str) -> None:
        address = url.replace("http:", "ws:") + "ws"
        self._open = ExitStack()
        self.socket = self._open.enter_context(
            connect(address, additional_headers=headers, open_timeout=PATIENCE, compression=None)
        )
        self.heard: list[Message] = []
        self.frame: Message = {}
        self.lines: Any = []
        self.presence: Message = {}
        if table is not None:
            self.say(type="join", table=table, codes=codes or [])
            self.table = self.hear("welcome")["table"]

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def listen(self) -> Message:
        """The next message that is of the game; presence is kept aside, and pings are left without an answer."""
        message: Message = json.loads(self.socket.recv(PATIENCE))
        while message["type"] in ("presence", "ping"):
            if message["type"] == "presence":
                self.presence = message
            message = json.loads(self.socket.recv(PATIENCE))
        self.heard.append(message)
        if message["type"] in ("welcome", "rewound"):
            self.frame, self.lines = message["frame"], message["lines"]
        elif message["type"] == "changed":
            self.frame, self.table = message["frame"], message["table"]
        elif message["type"] == "frame":
            self.frame = message["frame"]
            self.lines = None if self.lines is None else [*self.lines, self.frame["line"]]
        return message

    def hear(self, kind: str) -> Message:
        """The next message of a kind; those before it are read, too."""
        while (message := self.listen())["type"] != kind:
            pass
        return message

    def wait_for(self, seq: int) -> None:
        """Listen until `seq` acts have been made."""
        while self.frame["seq"] < seq:
            self.listen()

    def listen_to_the_end(self) -> int | None:
        """Read all messages until the server closes the socket; the code with which it does."""
        try:
            while True:
                self.listen()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    def ask(self, **request: Any) -> Message:
        """An act or an undo, under a new id where it has none, and its answer."""
        request = {"id": f"request {next(REQUESTS)}", **request}
        self.say(**request)
        while (answer := self.listen())["type"] not in ("ack", "refused", "error"):
            pass
        assert answer["type"] == "error" or answer["id"] == request["id"]
        return answer

    def act(self, seat: int, text: str) -> Message:
        return self.ask(type="act", seat=seat, text=text)

    def play(self, dice: random.Random, pick: Callable[[Message], bool] = bool) -> None:
        """A random legal act, if one of the seats held is to act and the frame is as wanted."""
        if self.frame["legal"] and pick(self.frame):
            seat, acts = dice.choice(sorted(self.frame["legal"].items()))
            answer = self.act(int(seat), dice.choice(acts))
            assert answer["type"] == "ack", answer

    def play_to_the_end(self) -> None:
        """Random legal acts of the seats held, until the game is over."""
        dice = random.Random(1)
        while not self.frame["view"]["over"]:
            self.play(dice)
            if not self.frame["legal"] and not self.frame["view"]["over"]:
                self.listen()

    def close(self) -> None:
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
