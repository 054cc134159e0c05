"""Hundreds of tables with simulated players over real sockets, and a check that no act was lost and no view was wrong.

Every client records what it receives: each act, and a checksum of each view. At the end `Crowd.check` replays every
table's log, act by act, and compares.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, cast

import httpx
import msgspec
from websockets.client import ClientProtocol
from websockets.frames import Frame as Bytes
from websockets.frames import Opcode
from websockets.uri import parse_uri

import icetable
from icetable import games
from icetable.core.game import CHANCE, State
from icetable.server.store import open_store
from icetable.server.store.store import Store
from icetable.server.table.log import read_event
from icetable.server.table.viewers import Viewer

RETRY_SECONDS = 0.2
"""Delay before a client reconnects or retries a request."""
TIMEOUT_SECONDS = 60.0
BELL_SECONDS = 6.0
"""Approximate length of a game of Icehouse."""
MIN_ACT_SECONDS = 0.2
"""Minimum interval between a player's acts in Icehouse, where no turns limit them."""
INCH = 1000


# The fields of messages that a client needs; decoding no others keeps it fast.


class Line(msgspec.Struct):
    seat: int
    text: str


class Frame(msgspec.Struct):
    seq: int
    line: Line | None
    view: msgspec.Raw
    legal: dict[str, list[str]]


class Welcome(msgspec.Struct, tag="welcome"):
    lines: list[Line] | None
    frame: Frame
    ending: msgspec.Raw


class NewFrame(msgspec.Struct, tag="frame"):
    frame: Frame


class Over(msgspec.Struct, tag="over"):
    pass


class Ack(msgspec.Struct, tag="ack"):
    id: str
    seq: int


class Refused(msgspec.Struct, tag="refused"):
    id: str
    fault: msgspec.Raw


class Bots(msgspec.Struct, tag="bots"):
    state: str


class Failed(msgspec.Struct, tag="error"):
    message: str


class Changed(msgspec.Struct, tag="changed"):
    pass


class Presence(msgspec.Struct, tag="presence"):
    pass


class Ping(msgspec.Struct, tag="ping"):
    number: int


Message = Welcome | NewFrame | Over | Ack | Refused | Bots | Failed | Changed | Presence | Ping


read = msgspec.json.Decoder(Message).decode


class Wrong(Exception):
    """The server has violated a guarantee."""


class Wire(asyncio.Protocol):
    """The client's end of a WebSocket."""

    def __init__(self, url: str, client: Client) -> None:
        self.client = client
        self.protocol = ClientProtocol(parse_uri(url), max_size=None)
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.protocol.send_request(self.protocol.connect())
        self.flush()

    def data_received(self, data: bytes) -> None:
        self.protocol.receive_data(data)
        for event in self.protocol.events_received():
            if isinstance(event, Bytes):
                if event.opcode is Opcode.TEXT:
                    self.client.receive(bytes(event.data))
            else:
                self.client.handle_connection(self)
        self.flush()

    def connection_lost(self, _error: Exception | None) -> None:
        self.client.connection_lost(self)

    def say(self, text: bytes) -> None:
        self.protocol.send_text(text)
        self.flush()

    def flush(self) -> None:
        self.transport.writelines(self.protocol.data_to_send())


class Client:
    """A player at a table, or a watcher if `seat` is None: the messages received, and the acts sent."""

    def __init__(self, table: Table, seat: int | None, code: str | None) -> None:
        self.table = table
        self.seat = seat
        self.codes = [] if code is None else [code]
        self.lines: list[tuple[int, str] | None] = []
        self.views: dict[int, set[int]] = {}
        self.legal: list[str] = []
        self.planned = False
        self.over = False
        self.waiting: tuple[str, bytes, float] | None = None
        self.acknowledged: dict[str, int] = {}
        self.wire: Wire | None = None
        self.visits = 0

    @property
    def is_done(self) -> bool:
        """Whether the game is over and no act is unanswered."""
        return self.over and self.waiting is None

    # Connecting

    def handle_connection(self, line: Wire) -> None:
        self.wire = line
        self.say({"type": "join", "table": self.table.id, "codes": self.codes})

    def connection_lost(self, line: Wire) -> None:
        self.table.crowd.dropped += 1
        if self.wire is line or self.wire is None:
            self.wire = None
            if not (self.is_done or self.table.crowd.closing):
                self.table.crowd.call_later(RETRY_SECONDS, self.connect)

    def connect(self) -> None:
        self.table.crowd.start(self._connect())

    async def _connect(self) -> None:
        crowd = self.table.crowd
        while not crowd.closing:
            try:
                await crowd.loop.create_connection(lambda: Wire(crowd.socket_url, self), crowd.host, crowd.port)
                return
            except OSError:
                await asyncio.sleep(RETRY_SECONDS)

    def say(self, message: dict[str, Any]) -> None:
        if self.wire is not None:
            self.wire.say(msgspec.json.encode(message))

    # Receiving

    def receive(self, raw: bytes) -> None:
        message = read(raw)
        if isinstance(message, NewFrame):
            self.see(message.frame)
        elif isinstance(message, Ack):
            self.note(message)
        elif isinstance(message, Ping):
            self.say({"type": "pong", "number": message.number})
        elif isinstance(message, Welcome):
            self.welcome(message)
        elif isinstance(message, Over):
            self.end()
        elif isinstance(message, Refused) and not self.table.info.turns:
            self.handle_refusal(message)
        elif isinstance(message, Refused | Failed):
            self.table.crowd.complaints.append(raw.decode())

    def see(self, frame: Frame) -> None:
        if frame.seq == len(self.lines) and not self.table.info.turns:
            self.update(frame)  # time has changed the position
            return
        if frame.seq != len(self.lines) + 1 or frame.line is None:
            raise Wrong(f"table {self.table.id}: frame {frame.seq} came behind {len(self.lines)} acts")
        self.lines.append((frame.line.seat, frame.line.text))
        self.update(frame)

    def welcome(self, welcome: Welcome) -> None:
        before, frame = self.lines, welcome.frame
        if welcome.lines is not None:  # only the last page of lines: earlier missed ones stay unknown
            earlier = frame.seq - len(welcome.lines)
            self.lines = [*before[:earlier], *[None] * (earlier - len(before))]
            self.lines += [(line.seat, line.text) for line in welcome.lines]
        else:  # the game hides its history
            self.lines = before + [None] * (frame.seq - len(before))
            if frame.line is not None:
                self.lines[-1] = (frame.line.seat, frame.line.text)
        pairs = zip(before, self.lines, strict=False)
        if len(self.lines) < len(before) or any(None not in (old, new) and old != new for old, new in pairs):
            raise Wrong(f"table {self.table.id}: acts that were shown before are lost")
        self.visits += 1
        if self.waiting is not None and self.wire is not None:
            self.wire.say(self.waiting[1])  # the act or only its answer may have been lost
        self.update(frame)
        if bytes(welcome.ending) != b"null":
            self.end()

    def update(self, frame: Frame) -> None:
        prints = self.views.setdefault(frame.seq, set())
        prints.add(zlib.crc32(frame.view))
        if self.table.info.turns and len(prints) > 1:
            raise Wrong(f"table {self.table.id}: the view of act {frame.seq} has changed")
        self.legal = frame.legal.get(str(self.seat), [])
        self.go_on()

    def go_on(self) -> None:
        if self.waiting is None and self.legal and not (self.planned or self.table.crowd.stopping):
            self.planned = True
            self.table.crowd.schedule(self)

    def act(self) -> None:
        self.planned = False
        crowd = self.table.crowd
        if self.waiting is not None or not self.legal or crowd.stopping:
            return
        name = f"{next(crowd.names)}"
        message = {"type": "act", "id": name, "seat": self.seat, "text": self.choose(crowd.dice)}
        raw = msgspec.json.encode(message)
        self.waiting = (name, raw, time.perf_counter())
        crowd.sent += 1
        if self.wire is not None:
            self.wire.say(raw)

    def choose(self, dice: random.Random) -> str:
        """A random legal act; in Icehouse often a random placement, which may be refused, and no calls if possible."""
        if self.table.info.turns:
            return dice.choice(self.legal)
        if "return" in self.legal and dice.random() < 0.9:
            x, y = (dice.randrange(INCH, 23 * INCH, INCH // 4) for _ in range(2))
            return f"place {x},{y} {dice.choice(('stand', 'point'))} {dice.randrange(0, 360, 15)}.0"
        acts = [act for act in self.legal if not act.startswith(("icehouse", "meltdown"))]
        return dice.choice(acts or self.legal)

    def handle_refusal(self, refused: Refused) -> None:
        if self.waiting is not None and refused.id == self.waiting[0]:
            self.table.crowd.refused += 1
            self.waiting = None
            self.go_on()
            self.table.continue_if_over()

    def note(self, ack: Ack) -> None:
        if self.waiting is None or ack.id != self.waiting[0]:
            raise Wrong(f"table {self.table.id}: {ack.id} was acknowledged but never sent")
        self.table.crowd.latencies.append((time.perf_counter(), time.perf_counter() - self.waiting[2]))
        self.acknowledged[ack.id] = ack.seq
        self.table.acts += 1
        self.waiting = None
        self.go_on()
        self.table.continue_if_over()

    def end(self) -> None:
        if not self.over:
            self.over = True
            self.table.continue_if_over()


class Table:
    """A table and its clients, who open another table when the game is over."""

    def __init__(self, crowd: Crowd, info: icetable.GameInfo, players: int, number: int) -> None:
        self.crowd = crowd
        self.info = info
        self.players = players
        self.number = number
        self.id = ""
        self.next_at = 0.0
        self.clients: list[Client] = []
        self.past: list[tuple[str, list[Client]]] = []
        self.acts = 0
        """The number of acknowledged acts in all its games."""

    async def create_table(self) -> None:
        seats = [{"kind": "person", "name": f"P{seat}", "level": None} for seat in range(self.players)]
        options = {"players": self.players} | ({} if self.info.turns else {"timer": BELL_SECONDS})
        wanted = {"game": self.info.name, "options": options, "seats": seats, "scripts": not self.info.turns}
        created = await self.crowd.post("api/tables", wanted)
        self.id = created["table"]
        codes = [*created["codes"].values(), *[None] * self.crowd.sockets][: max(self.players, self.crowd.sockets)]
        self.clients = [Client(self, seat if code is not None else None, code) for seat, code in enumerate(codes)]

    def continue_if_over(self) -> None:
        if all(client.is_done for client in self.clients):
            self.crowd.start(self.go_on())

    async def go_on(self) -> None:
        """Open the next table, and reuse the sockets there."""
        wires = [client.wire for client in self.clients]
        self.past.append((self.id, self.clients))
        await self.create_table()
        for client, wire in zip(self.clients, wires, strict=True):
            if wire is None or wire.transport.is_closing():
                client.connect()
            else:
                wire.client = client
                client.handle_connection(wire)


@dataclass
class Crowd:
    """All clients. `rate`: the target of their total acts per second; 0: as fast as the server answers."""

    url: str
    tables_wanted: int
    sockets: int
    rate: float
    seed: int = 1
    complaints: list[str] = field(default_factory=list)
    latencies: list[tuple[float, float]] = field(default_factory=list)
    sent: int = 0
    refused: int = 0
    dropped: int = 0
    stopping: bool = False
    closing: bool = False

    def __post_init__(self) -> None:
        address = httpx.URL(self.url)
        self.host, self.port = address.host, address.port or 80
        self.socket_url = f"ws://{self.host}:{self.port}/ws"
        self.dice = random.Random(self.seed)
        self.names = itertools.count(1)
        self.tables: list[Table] = []
        self.failures: list[BaseException] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open all tables, connect all clients, and start playing."""
        self.stopping = True
        self.loop = asyncio.get_running_loop()
        self.loop.set_exception_handler(lambda _, context: self.failures.append(context.get("exception", Wrong())))
        self.http = httpx.AsyncClient(base_url=self.url, timeout=TIMEOUT_SECONDS)
        infos = icetable.list_games()
        for number in range(self.tables_wanted):
            info = infos[number % len(infos)]
            least, most = info.players[0], min(info.players[1], self.sockets)
            players = least + number // len(infos) % (most - least + 1)
            self.tables.append(Table(self, info, players, number))
        for table in self.tables:
            await table.create_table()
            for client in table.clients:
                await client._connect()
        await self.until(lambda: all(client.visits for client in self.everybody()))
        self.stopping = False
        for table in self.tables:
            table.next_at = time.perf_counter() + (
                self.dice.random() * self.tables_wanted / self.rate if self.rate else 0
            )
            for client in table.clients:
                client.go_on()

    def everybody(self) -> list[Client]:
        return [client for table in self.tables for client in table.clients]

    async def until(self, holds: Any) -> None:
        """Wait for a condition. Raises Wrong on a timeout, and failures found by clients."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not holds():
            self.raise_failures()
            if time.monotonic() > deadline:
                raise Wrong("it takes too long until everybody is served")
            await asyncio.sleep(0.05)
        self.raise_failures()

    def raise_failures(self) -> None:
        if self.failures:
            raise self.failures[0]

    async def post(self, path: str, wanted: Any) -> Any:
        while True:
            try:
                answer = await self.http.post(path, json=wanted)
            except httpx.TransportError:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if answer.status_code != 201:
                raise Wrong(answer.text)
            return answer.json()

    def start(self, work: Any) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: self.failures.append(error) if (error := done.exception()) else None)

    def call_later(self, seconds: float, work: Any) -> None:
        self.loop.call_later(seconds, work)

    def schedule(self, client: Client) -> None:
        """Schedule a client's act by the rate of its table."""
        now, table = time.perf_counter(), client.table
        if not self.rate:
            if client.table.info.turns:
                client.act()
            else:
                self.loop.call_later(MIN_ACT_SECONDS, client.act)
            return
        at = max(now, table.next_at)
        table.next_at = at + self.tables_wanted / self.rate
        self.loop.call_later(at - now, client.act)

    async def stop(self) -> None:
        """Stop acting; wait until every act is answered and all clients of a table are in sync."""
        self.stopping = True

        def is_quiet() -> bool:
            return not self._tasks and all(
                client.waiting is None
                and client.visits
                and client.wire is not None
                and len(client.lines) == len(client.table.clients[0].lines)
                for client in self.everybody()
            )

        await self.until(is_quiet)
        await asyncio.sleep(0.5)  # chance may be about to act
        await self.until(is_quiet)

    async def close(self) -> None:
        self.closing = True
        for client in self.everybody():
            if client.wire is not None:
                client.wire.transport.close()
        await self.http.aclose()

    # Verification

    def check(self, database: Path) -> dict[str, int]:
        """Compare what every client received with the log. Raises Wrong; returns the numbers of items compared."""
        log = open_store(database)
        try:
            seen = {"tables": 0, "acts": 0, "acknowledged": 0, "views": 0}
            for table in self.tables:
                for name, clients in [*table.past, (table.id, table.clients)]:
                    self._check_table(log, name, clients, seen)
        finally:
            log.close()
        return seen

    def _check_table(self, log: Store, name: str, clients: list[Client], seen: dict[str, int]) -> None:
        setup, entries = log.tables.setup(name), log.logs.entries(name)
        if setup is None or any(entry.text.startswith("undo ") for entry in entries):
            raise Wrong(f"table {name} is missing or has an undone act")
        if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
            raise Wrong(f"table {name}: the log has a gap")
        made = [entry for entry in entries if read_event(entry.text) is None]
        acts = [(entry.seat, entry.text) for entry in made]
        by_id = {
            entry.client_id.partition(":")[2]: (seq, entry.seat)
            for seq, entry in enumerate(made, 1)
            if entry.client_id is not None
        }
        for client in clients:
            shown = [line if line is not None else acts[number] for number, line in enumerate(client.lines)]
            rung = acts[len(shown) :] == [(CHANCE, "bell")]  # after all clients had left
            if shown != acts[: len(acts) - rung]:
                raise Wrong(f"table {name}: a client's {len(shown)} acts differ from the {len(acts)} of the log")
            for request, seq in client.acknowledged.items():
                if by_id.get(request) != (seq, client.seat):
                    raise Wrong(f"table {name}: the acknowledged act {request} is not in the log as number {seq}")
            seen["acknowledged"] += len(client.acknowledged)
        if len(by_id) != sum(len(client.acknowledged) for client in clients):
            raise Wrong(f"table {name}: the {len(by_id)} acts of people in the log are not those acknowledged")
        state = games.info(setup.game).load(**setup.options).start()
        for seq in range(len(acts) + 1):
            if seq:
                state = state.apply(made[seq - 1].text, made[seq - 1].seat, made[seq - 1].at / 1000)
            positions = positions_over_time(state, made[seq - 1].at if seq else 0)
            expected: dict[int | None, set[int]] = {}
            for client in clients:
                if seq in client.views:
                    if client.seat not in expected:
                        viewer = Viewer(frozenset() if client.seat is None else frozenset({client.seat}))
                        expected[client.seat] = {
                            zlib.crc32(msgspec.json.encode(one.view(viewer.point_of_view(one)))) for one in positions
                        }
                    if not client.views[seq] <= expected[client.seat]:
                        raise Wrong(f"table {name}: the view of seat {client.seat} after act {seq} was wrong")
                    seen["views"] += len(client.views[seq])
        seen["tables"] += 1
        seen["acts"] += len(acts)


def positions_over_time(state: State, at: int) -> list[State]:
    """A position at a time, and all its changes by time alone."""
    positions = [state.as_of(at)]
    while (moment := positions[-1].next_change) is not None:
        positions.append(state.as_of(moment))
    return positions


# The server


class Server:
    """`icetable serve` in another process, first on a free port and after a restart on the same one.

    As a context manager it runs within the block.
    """

    options = ("--sockets-per-address=100000000",)

    def __init__(self, database: Path, core: int | None = None, metrics_port: int = 0) -> None:
        self.database = database
        self.core = core
        self.metrics_port = metrics_port
        self.port = 0

    def start(self) -> None:
        arguments = ["serve", f"--db={self.database}", f"--port={self.port}", f"--metrics-port={self.metrics_port}"]
        arguments += [*self.options, "--log-level=warning"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "icetable", *arguments],
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=self._prepare,
        )
        assert self.process.stdout is not None
        found = re.search(r"http://\S+:(\d+)/", self.process.stdout.readline())
        if found is None:
            raise Wrong("the server does not start")
        self.url, self.port = found[0], int(found[1])

    def _prepare(self) -> None:
        if self.core is not None and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {self.core})

    def end(self, sign: int) -> int:
        self.process.send_signal(sign)
        code = self.process.wait(TIMEOUT_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGTERM)

    def metrics(self) -> dict[str, float]:
        """The server's metrics, by name with labels."""
        text = httpx.get(f"http://127.0.0.1:{self.metrics_port}/metrics").text
        pairs = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, value in pairs}


@contextlib.contextmanager
def server_apart() -> Iterator[Server]:
    """Run a server within the block; with two cores, on another core than this process."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    own, ours = cores[:2] if len(cores) > 1 else (None, None)
    with TemporaryDirectory() as folder, Server(Path(folder) / "tables.sqlite", own, free_port()) as server:
        if ours is not None:
            os.sched_setaffinity(0, {ours})
        yield server


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def allow_sockets(wanted: int) -> None:
    """Raise the limit of open files for a number of sockets, in this process and its children."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted + 200:
        with contextlib.suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted + 200, hard), hard))
