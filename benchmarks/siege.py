#!/usr/bin/env python3
"""Attacks a server from outside, by sockets and HTTP alone, and watches its memory and what other players notice.

Each siege has a server of its own, with an empty database. Memory is that of the server's process (on Linux alone).
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
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx
from crowd import PATIENCE, Server, Wrong, allow_sockets, free_port
from load import run
from longtable import memory
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Frame, Opcode

from icetable.core import record
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.server.table import fairness
from icetable.server.table.events import End, read_event

JOIN_SECONDS = 8.0
"""A join that takes longer counts as failed."""
SHORTEST_VISIT, LONGEST_VISIT = 0.05, 4.0
MAX_VISITS = 3
"""Of Icehouse, in seconds, and how often at each table."""
RACE_SECONDS = 0.01
"""Within how many seconds two players act."""
SETTLING = 10.0
"""How many seconds the server has before its memory is looked at again."""
HELD_OFF = 12.0
"""After how many seconds an address that a flood came from is surely served again."""
ACT_EVERY = 0.05
"""How many seconds lie between two acts of the player beside a flood."""
LOOK_EVERY = 10.0
"""How many seconds lie between two looks at the memory in the long run."""
FLOODERS = [f"127.0.0.{number}" for number in range(2, 10)]
"""The addresses that floods come from; everybody else is at 127.0.0.1."""
CHUNK = 16_384
"""About so many bytes of a flood are written at once."""
PING_BYTES = 125
SOCKETS = 2000

FAILURES = (TimeoutError, Wrong, OSError, ConnectionClosed, InvalidHandshake)
"""What a client sees of a server that does not do its part."""

Siege = Callable[[Server, Namespace], Awaitable[dict[str, Any]]]

PERSON = "person"
QUICK_BOT = "merciless"
"""The level of Icehouse that says at once that it is ready."""
SHORT_GAMES: list[tuple[str, list[str], dict[str, Any]]] = [
    ("icefrogs", [PERSON] * 2, {"turn_limit": 12}),
    ("squad", [PERSON] * 2, {}),
    ("icehouse", [PERSON, *[QUICK_BOT] * 3], {"timer": 4}),
    ("wrecktangle", [PERSON] * 2, {"turn_limit": 6}),
    ("highrise", [PERSON] * 2, {}),
]


def main() -> None:
    chosen = parser().parse_args()
    allow_sockets(SOCKETS)
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
    whole = ArgumentParser(description=__doc__)
    sieges = whole.add_subparsers(dest="name", metavar="NAME", required=True)

    def siege(work: Siege, **numbers: tuple[float, str]) -> None:
        about = (work.__doc__ or "").partition("\n")[0]
        one = sieges.add_parser(
            work.__name__, help=about, description=about, formatter_class=ArgumentDefaultsHelpFormatter
        )
        one.set_defaults(work=work)
        for name, (default, meaning) in numbers.items():
            one.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default, help=meaning)

    seed, at_once = (1, "of what is drawn"), (20, "how many tables at the same time")
    siege(leave, tables=(200, "how many"), at_once=at_once, seed=seed)
    siege(draws, tables=(100, "how many"), at_once=(10, at_once[1]), seed=seed)
    siege(pings, seconds=(60.0, "how long"))
    siege(flood, seconds=(20.0, "how long for each kind"), sockets=(32, "how many flood"))
    siege(masters, tables=(41, "how many of two masters"), acts=(20, "how many the beginner answers"))
    siege(
        hour,
        minutes=(60.0, "how long"),
        at_once=at_once,
        pause=(0.04, "seconds before each act"),
        seed=seed,
    )
    return whole


async def besiege(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Wait until every game's kernels are loaded, and begin."""
    while server.metrics()["icetable_games_compiling"]:
        await asyncio.sleep(0.2)
    forget_peak(server)
    before, load_before = memory(server)["VmRSS"], os.getloadavg()[0]
    start, cpu = time.monotonic(), cpu_seconds(server)
    findings = await chosen.work(server, chosen)
    seconds, cpu = time.monotonic() - start, cpu_seconds(server) - cpu
    await asyncio.sleep(SETTLING)
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


def forget_peak(server: Server) -> None:
    """From now on VmHWM is the peak since this moment."""
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5", encoding="utf-8")


def cpu_seconds(server: Server) -> float:
    """The processor time that the server has used."""
    return server.metrics()["process_cpu_seconds_total"]


# Players


class Player:
    """A client at a table: the newest that it was told, and what it asks for. Without a seat it watches."""

    def __init__(self, socket: ClientConnection, table: str, seat: int | None) -> None:
        self.table = table
        self.seat = seat
        self.frame: dict[str, Any] = {}
        self.proposal: dict[str, Any] | None = None
        self.is_over = False
        self.waits: list[float] = []
        """How many seconds each answer took."""
        self._socket = socket
        self._names = itertools.count(1)
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    @property
    def legal(self) -> list[str]:
        """What this seat may do now."""
        return self.frame["legal"].get(str(self.seat), [])

    async def _listen(self) -> None:
        try:
            with contextlib.suppress(ConnectionClosed):
                async for raw in self._socket:
                    self._hear(json.loads(raw))
                    self._news.set()
        finally:
            self._news.set()

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] in ("ack", "refused"):
            self._answers.pop(message["id"]).set_result(message)
        if "frame" in message:
            self.frame = message["frame"]
        if "table" in message and message["type"] in ("welcome", "changed"):
            self.proposal = message["table"]["proposal"]
        if message["type"] == "over" or message.get("ending") is not None:
            self.is_over = True

    async def until(self, holds: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until something holds. Raises TimeoutError, and Wrong where the socket is lost."""
        async with asyncio.timeout(seconds):
            while not holds():
                if self._listening.done():
                    raise Wrong(f"a socket at table {self.table} was lost")
                self._news.clear()
                await self._news.wait()

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """What the server answers to a request: an ack or a refusal."""
        name = f"{self.seat}-{id(self):x}-{next(self._names)}"
        answer = self._answers[name] = asyncio.get_running_loop().create_future()
        start = time.perf_counter()
        await self._socket.send(json.dumps({"type": kind, "id": name, **fields}))
        await self.until(answer.done)
        self.waits.append(time.perf_counter() - start)
        return answer.result()

    async def act(self, text: str) -> dict[str, Any]:
        return await self.ask("act", seat=self.seat, text=text)

    async def go(self, politely: bool = True) -> None:
        """Close the socket, with a word or without."""
        if politely:
            await self._socket.close()
        else:
            self._socket.transport.abort()
        await asyncio.wait([self._listening])


async def found(http: httpx.AsyncClient, game: str, seats: Iterable[str], **options: Any) -> tuple[str, dict[str, str]]:
    """Make a table of people and bots; its id and the codes by seat number."""
    wanted = [
        {"kind": "person", "name": f"P{number}", "level": None}
        if one == PERSON
        else {"kind": "bot", "name": f"B{number}", "level": one}
        for number, one in enumerate(seats)
    ]
    made = await http.post("api/tables", json={"game": game, "options": options, "seats": wanted})
    created = made.raise_for_status().json()
    return created["table"], created["codes"]


async def come(server: Server, table: str, seat: int | None = None, code: str | None = None) -> Player:
    """Join a table. Raises TimeoutError where nobody answers in time."""
    async with asyncio.timeout(JOIN_SECONDS):
        socket = await connect(f"{server.url.replace('http', 'ws')}ws", compression=None, max_size=None)
        codes = [] if code is None else [code]
        await socket.send(json.dumps({"type": "join", "table": table, "codes": codes}))
        player = Player(socket, table, seat)
        await player.until(lambda: player.frame)
        return player


async def come_all(server: Server, table: str, codes: dict[str, str]) -> list[Player]:
    return [await come(server, table, int(seat), code) for seat, code in codes.items()]


async def play(player: Player, dice: random.Random, pause: float) -> None:
    """Make legal acts, each after a pause, until the game is over."""
    while True:
        await player.until(lambda: player.legal or player.is_over)
        if player.is_over:
            return
        await asyncio.sleep(pause)
        if player.legal:
            await player.act(dice.choice(player.legal))


async def next_mover(players: list[Player]) -> Player:
    """Wait until somebody may act in a game of turns that is not over: that player."""
    first = players[0]
    await first.until(lambda: first.frame["view"]["to_act"] != [CHANCE])
    mover = players[first.frame["view"]["to_act"][0]]
    await mover.until(lambda: mover.legal)
    return mover


async def move(mover: Player, text: str, players: list[Player]) -> None:
    """Act, and wait until all have seen it."""
    seq = (await mover.act(text))["seq"]
    for player in players:
        await player.until(lambda player=player: player.frame["seq"] >= seq)


@contextlib.asynccontextmanager
async def browser(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        yield http


def complain(table: str, error: Exception) -> None:
    """Say what went wrong at a table."""
    print(f"table {table}: {type(error).__name__} {error}", file=sys.stderr, flush=True)


async def side_by_side(work: Callable[[int], Awaitable[None]], times: int, at_once: int) -> None:
    """Do something a number of times, some of them at the same time."""
    numbers = iter(range(times))

    async def go_on() -> None:
        for number in numbers:
            await work(number)

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(go_on())


def waits_in_ms(waits: Iterable[float]) -> dict[str, float]:
    """The median, 99 of 100 and the worst of some waits."""
    took = sorted(waits)
    named = {"p50_ms": took[len(took) // 2], "p99_ms": took[len(took) * 99 // 100], "max_ms": took[-1]}
    return {"acts": len(took), **{name: round(wait * 1000, 1) for name, wait in named.items()}}


# Icehouse, whose only person comes and goes


async def leave(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Tables of Icehouse with three bots, whose only person leaves and comes back: every join must be answered."""
    counts, joins = Counter[str](), list[float]()

    async def enter(table: str, code: str) -> Player:
        start = time.perf_counter()
        player = await come(server, table, 0, code)
        joins.append(time.perf_counter() - start)
        return player

    async def come_and_go(number: int) -> None:
        dice = random.Random(f"{chosen.seed} {number}")
        table, codes = await found(http, "icehouse", [PERSON, *[QUICK_BOT] * 3])
        try:
            for _ in range(dice.randint(1, MAX_VISITS)):
                player = await enter(table, codes["0"])
                if number % 2 and "ready" in player.legal:
                    await player.act("ready")
                    await player.until(lambda player=player: "lift L" in " ".join(player.legal))
                await asyncio.sleep(SHORTEST_VISIT * (LONGEST_VISIT / SHORTEST_VISIT) ** dice.random())
                counts["left_in_play" if number % 2 else "left_before_play"] += 1
                await player.go(politely=dice.random() < 0.5)
                await asyncio.sleep(dice.random() / 2)
            await (await enter(table, codes["0"])).go()
        except FAILURES as error:
            counts["failed"] += 1
            complain(table, error)

    async with browser(server) as http:
        await side_by_side(come_and_go, chosen.tables, chosen.at_once)
    return {
        "tables": chosen.tables,
        "joins": len(joins),
        "slowest_join_ms": round(max(joins) * 1000, 1),
        "median_join_ms": round(sorted(joins)[len(joins) // 2] * 1000, 1),
        **{name: counts[name] for name in ("failed", "left_before_play", "left_in_play")},
    }


# A draw at the moment of a die


async def draws(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Tables of WreckTangle where a draw is agreed while the die falls: nothing may stand behind the end."""
    counts = Counter[str]()

    async def race(number: int) -> None:
        dice = random.Random(f"{chosen.seed} {number}")
        table, codes = await found(http, "wrecktangle", [PERSON] * 2)
        players = await come_all(server, table, codes)
        mover = await to_the_end_of_a_turn(players, dice)
        other = players[1 - players.index(mover)]
        await mover.ask("offer", what="draw")
        await other.until(lambda: other.proposal)
        assert other.proposal is not None
        agreed = {"number": other.proposal["number"], "agree": True}

        async def agree() -> dict[str, Any]:
            await asyncio.sleep(dice.random() * RACE_SECONDS)
            return await other.ask("vote", **agreed)

        before = mover.frame["seq"]
        answers = await asyncio.gather(mover.act("end"), agree())
        await asyncio.gather(*(player.until(lambda player=player: player.is_over) for player in players))
        await asyncio.sleep(0.2)
        for player in players:
            await player.go()
        counts["end_refused"] += answers[0]["type"] == "refused"
        counts["agreed"] += answers[1]["type"] == "ack"
        client = await come(server, table)
        acts = client.frame["seq"]
        await client.go()
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


async def to_the_end_of_a_turn(players: list[Player], dice: random.Random) -> Player:
    """Play until somebody may end their turn: that player."""
    while "end" not in (mover := await next_mover(players)).legal:
        await move(mover, dice.choice([act for act in mover.legal if not act.startswith("~")]), players)
    return mover


# Floods


class Flood(NamedTuple):
    """A kind of flood: what each socket sends first, and then again and again."""

    kind: str
    first: bytes
    again: bytes
    reads: bool


class Poured(NamedTuple):
    """What a flood came to: how many sockets were opened, were refused, and were closed, and the bytes sent."""

    opened: int
    refused: int
    closed: int
    sent_mib: float


def masked(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    """A frame as clients send it."""
    return Frame(opcode, data, fin).serialize(mask=True)


def many(one: bytes) -> bytes:
    """The same again and again, enough to be written at once."""
    return one * math.ceil(CHUNK / len(one))


def said(message: dict[str, Any]) -> bytes:
    """The frame of a message."""
    return masked(Opcode.TEXT, json.dumps(message).encode())


def protocol_pings(reads: bool) -> Flood:
    """The longest pings that the protocol allows."""
    return Flood("protocol pings", b"", many(masked(Opcode.PING, bytes(PING_BYTES))), reads)


def floods(table: str, code: str) -> list[Flood]:
    """All kinds, read and not; those of messages come from a seat of a table."""
    join = said({"type": "join", "table": table, "codes": [code]})
    acts = b"".join(said({"type": "act", "id": f"{number}", "seat": 0, "text": "none"}) for number in range(200))
    kinds = [
        ("json pings", join, many(said({"type": "ping", "number": 1}))),
        ("empty fragments", masked(Opcode.TEXT, b"", fin=False), many(masked(Opcode.CONT, b"", fin=False))),
        ("refused acts", join, many(acts)),
    ]
    both = (True, False)
    return [protocol_pings(reads) for reads in both] + [Flood(*kind, reads) for kind in kinds for reads in both]


def pour_out(host: str, port: int, flooding: Flood, sockets: int, seconds: float, pipe: Connection) -> None:
    """Flood a server from this process: say so, and at the end what it came to."""
    allow_sockets(sockets)
    pipe.send("begun")
    pipe.send(run(pour(host, port, flooding, sockets, seconds)))


async def pour(host: str, port: int, flooding: Flood, sockets: int, seconds: float) -> Poured:
    """Flood from several addresses. A socket that was refused or closed comes again at once."""
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
                writer.write(flooding.again)
                await writer.drain()
                counts["sent"] += len(flooding.again)
                await asyncio.sleep(0)
        finally:
            if reading is not None:
                reading.cancel()
            writer.transport.abort()

    async def visit_again_and_again(source: str) -> None:
        while True:
            try:
                await visit(source)
            except (OSError, EOFError):
                counts["closed"] += 1

    sources = itertools.islice(itertools.cycle(FLOODERS), sockets)
    flooders = [asyncio.create_task(visit_again_and_again(source)) for source in sources]
    await asyncio.wait(flooders, timeout=seconds)
    for flooder in flooders:
        flooder.cancel()
    await asyncio.wait(flooders)
    return Poured(counts["opened"], counts["refused"], counts["closed"], round(counts["sent"] / 2**20, 1))


async def read_all(reader: asyncio.StreamReader) -> None:
    """Read what comes and forget it."""
    with contextlib.suppress(OSError):
        while await reader.read(1 << 16):
            pass


@contextlib.asynccontextmanager
async def flooded(server: Server, flooding: Flood, sockets: int, seconds: float) -> AsyncIterator[list[Poured]]:
    """Flood a server from another process for a while; what it came to is in the list behind the block."""
    spawned, poured = multiprocessing.get_context("spawn"), list[Poured]()
    near, far = spawned.Pipe()
    words = ("127.0.0.1", server.port, flooding, sockets, seconds, far)
    process = spawned.Process(target=pour_out, args=words, daemon=True)
    process.start()
    await asyncio.to_thread(near.recv)
    yield poured
    poured.append(await asyncio.to_thread(near.recv))
    await asyncio.to_thread(process.join)


async def pings(server: Server, chosen: Namespace) -> dict[str, Any]:
    """One socket sends pings of the protocol without reading an answer: how much memory that takes."""
    async with flooded(server, protocol_pings(reads=False), 1, chosen.seconds) as poured:
        pass
    return poured[0]._asdict()


async def flood(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Sockets flood the server, kind by kind: how long another player's acts take meanwhile."""
    async with browser(server) as http:
        table, codes = await found(http, "icefrogs", [PERSON] * 2)
        kinds = []
        before = await waits_of_acts(server, http, chosen.seconds)
        for flooding in floods(table, codes["0"]):
            async with flooded(server, flooding, chosen.sockets, chosen.seconds) as poured:
                waits = await waits_of_acts(server, http, chosen.seconds)
            kinds.append(
                {
                    "kind": flooding.kind,
                    "read": flooding.reads,
                    **waits_in_ms(waits),
                    **poured[0]._asdict(),
                    "rss_peak_so_far_mib": memory(server)["VmHWM"],
                }
            )
            await asyncio.sleep(HELD_OFF)
        after = await waits_of_acts(server, http, chosen.seconds)
    return {"sockets": chosen.sockets, "before": waits_in_ms(before), "after": waits_in_ms(after), "floods": kinds}


async def waits_of_acts(server: Server, http: httpx.AsyncClient, seconds: float) -> list[float]:
    """Two people play for a while, an act every twentieth of a second: how long each took to be acknowledged."""
    waits, dice, end = list[float](), random.Random(1), time.monotonic() + seconds
    while time.monotonic() < end:
        table, codes = await found(http, "icefrogs", [PERSON] * 2, turn_limit=0)
        players = await come_all(server, table, codes)
        while time.monotonic() < end and not players[0].frame["view"]["over"]:
            due = time.monotonic() + ACT_EVERY
            mover = await next_mover(players)
            await move(mover, dice.choice(mover.legal), players)
            await asyncio.sleep(due - time.monotonic())
        for player in players:
            waits += player.waits
            await player.go()
    return waits


# Bots that think long


async def masters(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Tables of two masters, each watched, beside a person who plays a beginner: how long the beginner takes."""
    answers, dice = list[float](), random.Random(1)
    async with browser(server) as http:
        watchers = []
        for _ in range(chosen.tables):
            table, _ = await found(http, "icefrogs", ["master"] * 2, turn_limit=0)
            watchers.append(await come(server, table))
        while len(answers) < chosen.acts:
            table, codes = await found(http, "icefrogs", [PERSON, "beginner"])
            player = await come(server, table, 0, codes["0"])
            while len(answers) < chosen.acts:
                await player.until(lambda player=player: player.legal or player.is_over)
                if player.is_over:
                    break
                seq = (await player.act(dice.choice(player.legal)))["seq"]
                if player.is_over:
                    break
                start = time.perf_counter()
                await player.until(lambda player=player, seq=seq: player.frame["seq"] > seq, seconds=2 * PATIENCE)
                answers.append(time.perf_counter() - start)
            await player.go()
        played = sum(watcher.frame["seq"] for watcher in watchers)
        for watcher in watchers:
            await watcher.go()
    named = {"median_s": sorted(answers)[len(answers) // 2], "worst_s": max(answers)}
    return {
        "tables": chosen.tables,
        "answers": len(answers),
        **{name: round(wait, 3) for name, wait in named.items()},
        "acts_of_masters": played,
    }


# Memory in the long run


async def hour(server: Server, chosen: Namespace) -> dict[str, Any]:
    """Short games begin and end for long, and their tables are left: the server's memory must not grow."""
    games, sizes = Counter[str](), list[int]()
    start = time.monotonic()
    end = start + chosen.minutes * 60

    async def play_games(number: int) -> None:
        dice = random.Random(f"{chosen.seed} {number}")
        game, seats, options = SHORT_GAMES[number % len(SHORT_GAMES)]
        while time.monotonic() < end:
            table, codes = await found(http, game, seats, **options)
            try:
                players = await come_all(server, table, codes)
                if game == "icehouse":
                    await players[0].act("ready")
                    await players[0].until(lambda players=players: players[0].is_over)
                else:
                    await asyncio.gather(*(play(player, dice, chosen.pause) for player in players))
                for player in players:
                    await player.go()
                games[game] += 1
            except FAILURES as error:
                games["failed"] += 1
                complain(table, error)

    async def watch_memory() -> None:
        for number in itertools.count(1):
            await asyncio.sleep(start + number * LOOK_EVERY - time.monotonic())
            sizes.append(memory(server)["VmRSS"])
            if number % 6 == 0:
                print(f"minute {number // 6}: {sizes[-1]} MiB, {games.total()} games", file=sys.stderr, flush=True)

    async with browser(server) as http:
        watching = asyncio.create_task(watch_memory())
        await side_by_side(play_games, chosen.at_once, chosen.at_once)
        watching.cancel()
    sizes.append(memory(server)["VmRSS"])
    early = sizes[min(round(600 / LOOK_EVERY), len(sizes)) - 1]
    return {
        "games": games,
        "rss_after_10_minutes_mib": early,
        "rss_at_the_end_mib": sizes[-1],
        "ratio": round(sizes[-1] / early, 3),
        "rss_every_10_s_mib": sizes,
    }


if __name__ == "__main__":
    main()
