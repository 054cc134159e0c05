#!/usr/bin/env python3
"""Attack a server by sockets and HTTP, and measure its memory and the effect on other players.

Each siege has its own server with an empty database. Memory is that of the server's process (on Linux only).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import math
import multiprocessing
import os
import random
import signal
import sys
import time
import uuid
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx
from crowd import TIMEOUT_SECONDS, Server, Wrong, allow_sockets, free_port
from load import run
from longtable import memory
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Frame, Opcode

from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.server.table import fairness
from icetable.server.table.log import End, read_event

JOIN_SECONDS = 8.0
"""Timeout of a join."""
KEPT_SECONDS = 2.0
"""Time that an unused connection is kept: the server closes it after 5 s, which a request must not meet."""
MIN_VISIT_SECONDS, MAX_VISIT_SECONDS = 0.05, 4.0
MAX_VISITS = 3
"""Length of visits to Icehouse tables, and maximum number of visits per table."""
RACE_SECONDS = 0.01
"""Maximum time between the acts of two racing players."""
SETTLING_SECONDS = 10.0
"""Delay before the server's memory is measured again."""
BAN_SECONDS = 12.0
"""An address that has flooded the server is certainly served again after this long."""
ACT_SECONDS = 0.05
"""Interval between acts of the players beside a flood."""
MEMORY_SECONDS = 10.0
"""Interval between measurements of the memory in the long run."""
FLOODERS = [f"127.0.0.{number}" for number in range(2, 10)]
"""The source addresses of floods; all other clients use 127.0.0.1."""
CHUNK_BYTES = 16_384
"""Approximate size of a single write in a flood."""
PING_BYTES = 125
MAX_SOCKETS = 2000

FAILURES = (TimeoutError, Wrong, OSError, ConnectionClosed, InvalidHandshake)
"""The errors of a client whose server fails."""

Codes = dict[str, str]
Siege = Callable[[Server, Namespace], Awaitable[dict[str, Any]]]

PERSON = "person"
QUICK_BOT = "merciless"
"""The level of Icehouse that is ready immediately."""
SHORT_GAMES: list[tuple[str, list[str], dict[str, Any]]] = [
    ("icefrogs", [PERSON] * 2, {"turn_limit": 12}),
    ("squad", [PERSON] * 2, {}),
    ("icehouse", [PERSON, *[QUICK_BOT] * 3], {"timer": 4}),
    ("wrecktangle", [PERSON] * 2, {"turn_limit": 6}),
    ("highrise", [PERSON] * 2, {}),
]


def main() -> None:
    chosen = parser().parse_args()
    allow_sockets(MAX_SOCKETS)
    with TemporaryDirectory() as folder:
        server = Server(Path(folder) / "tables.sqlite", metrics_port=free_port())
        server.start()
        try:
            findings = run(besiege(server, chosen))
        finally:
            start = time.monotonic()
            status = server.end(signal.SIGTERM)
    ended = {"exit_status": status, "ended_s": round(time.monotonic() - start, 1)}
    print(json.dumps({"siege": chosen.name, **findings, **ended}))


def parser() -> ArgumentParser:
    """The arguments: the name of a siege, and its numbers."""
    parser = ArgumentParser(description=__doc__)
    sieges = parser.add_subparsers(dest="name", metavar="NAME", required=True)

    def siege(work: Siege, **numbers: tuple[float, str]) -> None:
        about = (work.__doc__ or "").partition("\n")[0]
        subparser = sieges.add_parser(
            work.__name__, help=about, description=about, formatter_class=ArgumentDefaultsHelpFormatter
        )
        subparser.set_defaults(work=work)
        for name, (default, meaning) in numbers.items():
            subparser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default, help=meaning)

    seed, at_once = (1, "seed of random choices"), (20, "number of simultaneous tables")
    siege(leave, tables=(200, "number of tables"), at_once=at_once, seed=seed)
    siege(draws, tables=(100, "number of tables"), at_once=(10, at_once[1]), seed=seed)
    siege(pings, seconds=(60.0, "length of the siege"))
    siege(flood, seconds=(20.0, "length of each kind of flood"), sockets=(32, "number of flooding sockets"))
    siege(masters, tables=(41, "number of tables of two masters"), acts=(20, "number of answers by the beginner"))
    siege(
        hour,
        minutes=(60.0, "length of the siege"),
        at_once=at_once,
        pause=(0.04, "seconds before each act"),
        seed=seed,
    )
    return parser


async def besiege(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Wait until the kernels of all games are loaded, and run a siege."""
    while server.metrics()["icetable_games_compiling"]:
        await asyncio.sleep(0.2)
    reset_peak(server)
    before, load_before = memory(server)["VmRSS"], os.getloadavg()[0]
    start, cpu = time.monotonic(), cpu_seconds(server)
    findings = await chosen.work(server, chosen)
    seconds, cpu = time.monotonic() - start, cpu_seconds(server) - cpu
    await asyncio.sleep(SETTLING_SECONDS)
    sizes = memory(server)
    return {
        **findings,
        "seconds": round(seconds, 1),
        "server_core": round(cpu / seconds, 2),
        "rss_before_mib": before,
        "rss_peak_mib": sizes["VmHWM"],
        "rss_after_mib": sizes["VmRSS"],
        "machine_load": [round(load_before, 1), round(os.getloadavg()[0], 1)],
    }


def reset_peak(server: Server) -> None:
    """Reset VmHWM to the current memory."""
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5", encoding="utf-8")


def cpu_seconds(server: Server) -> float:
    """The processor time that the server has used."""
    return server.metrics()["process_cpu_seconds_total"]


# Players


class Player:
    """A client at a table, with its last frame and its requests. Without a seat it watches."""

    def __init__(self, socket: ClientConnection, table: str, seat: int | None) -> None:
        self.table = table
        self.seat = seat
        self.frame: dict[str, Any] = {}
        self.proposal: dict[str, Any] | None = None
        self.is_over = False
        self.waits: list[float] = []
        """The latencies of answers in seconds."""
        self._socket = socket
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._changed = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    @property
    def legal(self) -> list[str]:
        """The legal acts of this seat."""
        return self.frame["legal"].get(str(self.seat), [])

    async def _listen(self) -> None:
        try:
            with contextlib.suppress(ConnectionClosed):
                async for raw in self._socket:
                    self._receive(json.loads(raw))
                    self._changed.set()
        finally:
            self._changed.set()

    def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] in ("ack", "refused"):
            self._answers.pop(message["id"]).set_result(message)
        if "frame" in message:
            self.frame = message["frame"]
        if "table" in message and message["type"] in ("welcome", "changed"):
            self.proposal = message["table"]["proposal"]
        if message["type"] == "over" or message.get("ending") is not None:
            self.is_over = True

    async def until(self, holds: Callable[[], object], seconds: float = TIMEOUT_SECONDS) -> None:
        """Wait for a condition. Raises TimeoutError, and Wrong if the socket is lost."""
        async with asyncio.timeout(seconds):
            while not holds():
                if self._listening.done():
                    raise Wrong(f"a socket at table {self.table} was lost")
                self._changed.clear()
                await self._changed.wait()

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request, and return the server's answer: an ack or a refusal."""
        name = uuid.uuid4().hex
        answer = self._answers[name] = asyncio.get_running_loop().create_future()
        start = time.perf_counter()
        await self._socket.send(json.dumps({"type": kind, "id": name, **fields}))
        await self.until(answer.done)
        self.waits.append(time.perf_counter() - start)
        return answer.result()

    async def act(self, text: str) -> dict[str, Any]:
        return await self.ask("act", seat=self.seat, text=text)

    async def leave(self, politely: bool = True) -> None:
        """Close the socket, with a closing handshake or without."""
        if politely:
            await self._socket.close()
        else:
            self._socket.transport.abort()
        await asyncio.wait([self._listening])


async def open_table(http: httpx.AsyncClient, game: str, kinds: Iterable[str], **options: Any) -> tuple[str, Codes]:
    """Create a table of people and bots; returns its id and the codes by seat number."""
    seats = [
        {"kind": "person", "name": f"P{number}", "level": None}
        if kind == PERSON
        else {"kind": "bot", "name": f"B{number}", "level": kind}
        for number, kind in enumerate(kinds)
    ]
    answer = await http.post("api/tables", json={"game": game, "options": options, "seats": seats})
    created = answer.raise_for_status().json()
    return created["table"], created["codes"]


async def join(server: Server, table: str, seat: int | None = None, code: str | None = None) -> Player:
    """Join a table. Raises TimeoutError if there is no answer in time."""
    async with asyncio.timeout(JOIN_SECONDS):
        socket = await connect(f"{server.url.replace('http', 'ws')}ws", compression=None, max_size=None)
        codes = [] if code is None else [code]
        await socket.send(json.dumps({"type": "join", "table": table, "codes": codes}))
        player = Player(socket, table, seat)
        await player.until(lambda: player.frame)
        return player


async def join_all(server: Server, table: str, codes: Codes) -> list[Player]:
    return [await join(server, table, int(seat), code) for seat, code in codes.items()]


async def play(player: Player, dice: random.Random, pause: float) -> None:
    """Play random legal acts, each after a pause, until the game is over."""
    while True:
        await player.until(lambda: player.legal or player.is_over)
        if player.is_over:
            return
        await asyncio.sleep(pause)
        if player.legal:
            await player.act(dice.choice(player.legal))


async def next_mover(players: list[Player]) -> Player:
    """Wait until a player may act in an unfinished turn-based game, and return the player."""
    first = players[0]
    await first.until(lambda: first.frame["view"]["to_act"] != [CHANCE])
    mover = players[first.frame["view"]["to_act"][0]]
    await mover.until(lambda: mover.legal)
    return mover


async def move(mover: Player, text: str, players: list[Player]) -> None:
    """Act, and wait until all players have received the act."""
    seq = (await mover.act(text))["seq"]
    for player in players:
        await player.until(lambda player=player: player.frame["seq"] >= seq)


@contextlib.asynccontextmanager
async def browser(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(keepalive_expiry=KEPT_SECONDS)
    async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT_SECONDS, limits=limits) as http:
        yield http


def complain(table: str, error: Exception) -> None:
    print(f"table {table}: {type(error).__name__} {error}", file=sys.stderr, flush=True)


async def side_by_side(work: Callable[[int], Awaitable[None]], times: int, at_once: int) -> None:
    """Run tasks `times` times, `at_once` of them concurrently."""
    numbers = iter(range(times))

    async def run_tasks() -> None:
        for number in numbers:
            await work(number)

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(run_tasks())


def waits_in_ms(waits: Iterable[float]) -> dict[str, float]:
    """The median, 99th percentile and maximum of latencies."""
    took = sorted(waits)
    named = {"p50_ms": took[len(took) // 2], "p99_ms": took[len(took) * 99 // 100], "max_ms": took[-1]}
    return {"acts": len(took), **{name: round(wait * 1000, 1) for name, wait in named.items()}}


# Icehouse, with a person who leaves and returns


async def leave(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Tables of Icehouse with three bots and a person who leaves and returns: every join must be answered."""
    counts, joins = Counter[str](), list[float]()

    async def enter(table: str, code: str) -> Player:
        start = time.perf_counter()
        player = await join(server, table, 0, code)
        joins.append(time.perf_counter() - start)
        return player

    async def leave_and_return(number: int) -> None:
        dice = random.Random(f"{chosen.seed} {number}")
        table, codes = await open_table(http, "icehouse", [PERSON, *[QUICK_BOT] * 3])
        try:
            for _ in range(dice.randint(1, MAX_VISITS)):
                player = await enter(table, codes["0"])
                if number % 2 and "ready" in player.legal:
                    await player.act("ready")
                    await player.until(lambda player=player: "lift L" in " ".join(player.legal))
                await asyncio.sleep(MIN_VISIT_SECONDS * (MAX_VISIT_SECONDS / MIN_VISIT_SECONDS) ** dice.random())
                counts["left_in_play" if number % 2 else "left_before_play"] += 1
                await player.leave(politely=dice.random() < 0.5)
                await asyncio.sleep(dice.random() / 2)
            await (await enter(table, codes["0"])).leave()
        except FAILURES as error:
            counts["failed"] += 1
            complain(table, error)

    async with browser(server) as http:
        await side_by_side(leave_and_return, chosen.tables, chosen.at_once)
    return {
        "tables": chosen.tables,
        "joins": len(joins),
        "slowest_join_ms": round(max(joins) * 1000, 1),
        "median_join_ms": round(sorted(joins)[len(joins) // 2] * 1000, 1),
        **{name: counts[name] for name in ("failed", "left_before_play", "left_in_play")},
    }


# A draw agreed during the roll of a die


async def draws(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Tables of WreckTangle where a draw is agreed during the roll of the die: no entry may follow the end."""
    counts = Counter[str]()

    async def race(number: int) -> None:
        dice = random.Random(f"{chosen.seed} {number}")
        table, codes = await open_table(http, "wrecktangle", [PERSON] * 2)
        players = await join_all(server, table, codes)
        mover = await play_until_turn_can_end(players, dice)
        other = players[1 - players.index(mover)]
        await mover.ask("offer", what="draw")
        await other.until(lambda: other.proposal)
        assert other.proposal is not None
        vote = {"number": other.proposal["number"], "agree": True}

        async def agree() -> dict[str, Any]:
            await asyncio.sleep(dice.random() * RACE_SECONDS)
            return await other.ask("vote", **vote)

        before = mover.frame["seq"]
        answers = await asyncio.gather(mover.act("end"), agree())
        await asyncio.gather(*(player.until(lambda player=player: player.is_over) for player in players))
        await asyncio.sleep(0.2)
        for player in players:
            await player.leave()
        counts["end_refused"] += answers[0]["type"] == "refused"
        counts["agreed"] += answers[1]["type"] == "ack"
        client = await join(server, table)
        acts = client.frame["seq"]
        await client.leave()
        text = (await http.get(f"api/tables/{table}/record")).raise_for_status().text
        head = record.read_head(text)
        counts["die_fell"] += acts == before + 2
        newest = fairness.ENTRY.fullmatch(head.log()[-1])
        ended = newest is not None and isinstance(read_event(newest[5]), End)
        counts["behind_the_end"] += len(list(head.acts())) != acts or not ended
        try:
            fairness.verify(text)
        except (fairness.Broken, GameError) as error:
            counts["not_sound"] += 1
            complain(table, error)

    async with browser(server) as http:
        await side_by_side(race, chosen.tables, chosen.at_once)
    names = ("agreed", "end_refused", "die_fell", "behind_the_end", "not_sound")
    return {"tables": chosen.tables, **{name: counts[name] for name in names}}


async def play_until_turn_can_end(players: list[Player], dice: random.Random) -> Player:
    """Play until a player may end the turn, and return the player."""
    while "end" not in (mover := await next_mover(players)).legal:
        await move(mover, dice.choice([act for act in mover.legal if not act.startswith("~")]), players)
    return mover


# Floods


class Flood(NamedTuple):
    """A kind of flood: what each socket sends first, and what it then sends repeatedly."""

    kind: str
    first: bytes
    repeated: bytes
    reads: bool


class FloodResult(NamedTuple):
    """The numbers of sockets that were opened, refused and closed in a flood, and the amount of data sent."""

    opened: int
    refused: int
    closed: int
    sent_mib: float


def masked(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    """A frame in the masked form that clients send."""
    return Frame(opcode, data, fin).serialize(mask=True)


def repeat(data: bytes) -> bytes:
    """Repeat data to at least CHUNK_BYTES."""
    return data * math.ceil(CHUNK_BYTES / len(data))


def frame_of(message: dict[str, Any]) -> bytes:
    """The frame of a message."""
    return masked(Opcode.TEXT, json.dumps(message).encode())


def protocol_pings(reads: bool) -> Flood:
    """The longest pings that the protocol allows."""
    return Flood("protocol pings", b"", repeat(masked(Opcode.PING, bytes(PING_BYTES))), reads)


def floods(table: str, code: str) -> list[Flood]:
    """All kinds of floods, with and without reading answers; floods of messages come from a seat of a table."""
    join = frame_of({"type": "join", "table": table, "codes": [code]})
    acts = b"".join(frame_of({"type": "act", "id": f"{number}", "seat": 0, "text": "none"}) for number in range(200))
    kinds = [
        ("json pings", join, repeat(frame_of({"type": "ping", "number": 1}))),
        ("empty fragments", masked(Opcode.TEXT, b"", fin=False), repeat(masked(Opcode.CONT, b"", fin=False))),
        ("refused acts", join, repeat(acts)),
    ]
    both = (True, False)
    return [protocol_pings(reads) for reads in both] + [Flood(*kind, reads) for kind in kinds for reads in both]


def flood_in_process(host: str, port: int, flooding: Flood, sockets: int, seconds: float, pipe: Connection) -> None:
    """Flood a server from this process; sends a message at the beginning and the result at the end."""
    allow_sockets(sockets)
    pipe.send("begun")
    pipe.send(run(flood_from_all(host, port, flooding, sockets, seconds)))


async def flood_from_all(host: str, port: int, flooding: Flood, sockets: int, seconds: float) -> FloodResult:
    """Flood from several addresses. Sockets that are refused or closed reconnect immediately."""
    counts = Counter[str]()
    handshake = (
        f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()

    async def visit(source: str) -> None:
        reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0))
        reading = None
        try:
            writer.write(handshake)
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 101 " not in head.partition(b"\r\n")[0]:
                counts["refused"] += 1
                return
            counts["opened"] += 1
            reading = asyncio.create_task(read_all(reader)) if flooding.reads else None
            writer.write(flooding.first)
            while True:
                writer.write(flooding.repeated)
                await writer.drain()
                counts["sent"] += len(flooding.repeated)
                await asyncio.sleep(0)
        finally:
            if reading is not None:
                reading.cancel()
            writer.transport.abort()

    async def visit_repeatedly(source: str) -> None:
        while True:
            try:
                await visit(source)
            except (OSError, EOFError):
                counts["closed"] += 1

    sources = itertools.islice(itertools.cycle(FLOODERS), sockets)
    flooders = [asyncio.create_task(visit_repeatedly(source)) for source in sources]
    await asyncio.wait(flooders, timeout=seconds)
    for flooder in flooders:
        flooder.cancel()
    await asyncio.wait(flooders)
    return FloodResult(counts["opened"], counts["refused"], counts["closed"], round(counts["sent"] / 2**20, 1))


async def read_all(reader: asyncio.StreamReader) -> None:
    """Read and discard all data."""
    with contextlib.suppress(OSError):
        while await reader.read(1 << 16):
            pass


@contextlib.asynccontextmanager
async def flooded(server: Server, flooding: Flood, sockets: int, seconds: float) -> AsyncIterator[list[FloodResult]]:
    """Flood a server from another process during the block; the yielded list has the result after the block."""
    context, results = multiprocessing.get_context("spawn"), list[FloodResult]()
    near, far = context.Pipe()
    arguments = ("127.0.0.1", server.port, flooding, sockets, seconds, far)
    process = context.Process(target=flood_in_process, args=arguments, daemon=True)
    process.start()
    await asyncio.to_thread(near.recv)
    yield results
    results.append(await asyncio.to_thread(near.recv))
    await asyncio.to_thread(process.join)


async def pings(server: Server, chosen: Namespace) -> dict[str, Any]:
    """One socket sends protocol pings without reading answers: the memory that this takes."""
    async with flooded(server, protocol_pings(reads=False), 1, chosen.seconds) as results:
        pass
    return results[0]._asdict()


async def flood(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Sockets flood the server, kind by kind: the latency of other players' acts meanwhile."""
    async with browser(server) as http:
        table, codes = await open_table(http, "icefrogs", [PERSON] * 2)
        kinds = []
        before = await waits_of_acts(server, http, chosen.seconds)
        for flooding in floods(table, codes["0"]):
            async with flooded(server, flooding, chosen.sockets, chosen.seconds) as results:
                waits = await waits_of_acts(server, http, chosen.seconds)
            kinds.append(
                {
                    "kind": flooding.kind,
                    "read": flooding.reads,
                    **waits_in_ms(waits),
                    **results[0]._asdict(),
                    "rss_peak_so_far_mib": memory(server)["VmHWM"],
                }
            )
            await asyncio.sleep(BAN_SECONDS)
        after = await waits_of_acts(server, http, chosen.seconds)
    return {"sockets": chosen.sockets, "before": waits_in_ms(before), "after": waits_in_ms(after), "floods": kinds}


async def waits_of_acts(server: Server, http: httpx.AsyncClient, seconds: float) -> list[float]:
    """Play with two people for a while, with an act every twentieth of a second; the latencies of acknowledgements."""
    waits, dice, end = list[float](), random.Random(1), time.monotonic() + seconds
    while time.monotonic() < end:
        table, codes = await open_table(http, "icefrogs", [PERSON] * 2, turn_limit=0)
        players = await join_all(server, table, codes)
        while time.monotonic() < end and not players[0].frame["view"]["over"]:
            due = time.monotonic() + ACT_SECONDS
            mover = await next_mover(players)
            await move(mover, dice.choice(mover.legal), players)
            await asyncio.sleep(due - time.monotonic())
        for player in players:
            waits += player.waits
            await player.leave()
    return waits


# Bots that think long


async def masters(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Watched tables of two masters, and a person who plays against a beginner: the beginner's latency."""
    answers, dice = list[float](), random.Random(1)
    async with browser(server) as http:
        watchers = []
        for _ in range(chosen.tables):
            table, _ = await open_table(http, "icefrogs", ["master"] * 2, turn_limit=0)
            watchers.append(await join(server, table))
        while len(answers) < chosen.acts:
            table, codes = await open_table(http, "icefrogs", [PERSON, "beginner"])
            player = await join(server, table, 0, codes["0"])
            while len(answers) < chosen.acts:
                await player.until(lambda player=player: player.legal or player.is_over)
                if player.is_over:
                    break
                seq = (await player.act(dice.choice(player.legal)))["seq"]
                if player.is_over:
                    break
                start = time.perf_counter()
                await player.until(lambda player=player, seq=seq: player.frame["seq"] > seq, 2 * TIMEOUT_SECONDS)
                answers.append(time.perf_counter() - start)
            await player.leave()
        played = sum(watcher.frame["seq"] for watcher in watchers)
        for watcher in watchers:
            await watcher.leave()
    named = {"median_s": sorted(answers)[len(answers) // 2], "worst_s": max(answers)}
    return {
        "tables": chosen.tables,
        "answers": len(answers),
        **{name: round(wait, 3) for name, wait in named.items()},
        "acts_of_masters": played,
    }


# Memory in the long run


async def hour(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Short games are played and left for a long time: the server's memory must not grow."""
    games, sizes = Counter[str](), list[int]()
    start = time.monotonic()
    end = start + chosen.minutes * 60

    async def play_games(number: int) -> None:
        dice = random.Random(f"{chosen.seed} {number}")
        game, seats, options = SHORT_GAMES[number % len(SHORT_GAMES)]
        while time.monotonic() < end:
            table, codes = await open_table(http, game, seats, **options)
            try:
                players = await join_all(server, table, codes)
                if game == "icehouse":
                    await players[0].act("ready")
                    await players[0].until(lambda players=players: players[0].is_over)
                else:
                    await asyncio.gather(*(play(player, dice, chosen.pause) for player in players))
                for player in players:
                    await player.leave()
                games[game] += 1
            except FAILURES as error:
                games["failed"] += 1
                complain(table, error)

    async def watch_memory() -> None:
        for number in itertools.count(1):
            await asyncio.sleep(start + number * MEMORY_SECONDS - time.monotonic())
            sizes.append(memory(server)["VmRSS"])
            if number % 6 == 0:
                print(f"minute {number // 6}: {sizes[-1]} MiB, {games.total()} games", file=sys.stderr, flush=True)

    async with browser(server) as http:
        watching = asyncio.create_task(watch_memory())
        await side_by_side(play_games, chosen.at_once, chosen.at_once)
        watching.cancel()
    sizes.append(memory(server)["VmRSS"])
    early = sizes[min(round(600 / MEMORY_SECONDS), len(sizes)) - 1]
    return {
        "games": games,
        "rss_after_10_minutes_mib": early,
        "rss_at_the_end_mib": sizes[-1],
        "ratio": round(sizes[-1] / early, 3),
        "rss_every_10_s_mib": sizes,
    }


if __name__ == "__main__":
    main()
