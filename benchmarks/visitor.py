#!/usr/bin/env python3
"""One address sends all expensive but allowed requests simultaneously: the latency for other players, and the memory.

The visitor opens long records, joins and leaves their tables, sends bodies in chunks of one byte, requests records and
reviews of long games, and has positions analysed from many browsers. Another player acts, first alone and then beside
the visitor; a third one requests the review of a short game.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import statistics
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Awaitable, Callable
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from crowd import TIMEOUT_SECONDS, Server, allow_sockets, free_port
from load import run
from longtable import make_table, memory
from siege import FAILURES, waits_in_ms
from websockets.asyncio.client import ClientConnection, connect

import icetable
from icetable.core.errors import GameError

VISITOR, PLAYER, OTHER = "198.51.100.1", "203.0.113.1", "192.0.2.1"
LONG_GAMES, LONG_ACTS, SHORT_ACTS = 14, 1450, 30
RECORD_ACTS = 2999
ACT_SECONDS = 0.05
ALONE_SECONDS = 15.0
"""Length of the measurement without the visitor."""
JOINING_SOCKETS, CHUNKED_SOCKETS, ANALYSING_SOCKETS = 16, 12, 32
"""Sockets or connections per task, of the 64 that the visitor may have."""
MIN_OPEN_RECORDS = 4
"""Long records to open before sending bodies in chunks, which count against the same limit."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="activity of the visitor (%(default)s)")
    parser.add_argument("--afterwards", type=float, default=60, help="seconds until memory is read (%(default)s)")
    parser.add_argument("--only", nargs="*", help="names of the visitor's tasks; all by default")
    chosen = parser.parse_args()
    allow_sockets(1000)
    with TemporaryDirectory() as folder:
        server = Proxied(Path(folder) / "tables.sqlite", metrics_port=free_port())
        long_games = [
            make_table(server.database, "wrecktangle", LONG_ACTS, seed, resigned=True) for seed in range(LONG_GAMES)
        ]
        short_games = [make_table(server.database, "icefrogs", SHORT_ACTS, seed, resigned=True) for seed in (98, 99)]
        with server:
            print(json.dumps(run(besiege(server, long_games, short_games, chosen))))


class Proxied(Server):
    """A server with the default limits, which reads the addresses of its clients from a header."""

    options = ("--proxy-headers",)


def long_record() -> str:
    """A record of Icehouse for eight with the maximum number of acts for opening it, and a full field."""
    game = icetable.load("icehouse", players=8, timer=0)
    state, at = game.start(), 0.0
    for seat in range(8):
        state = state.apply("ready", seat, at)
    spaces = iter((x, y) for x in range(2000, 40_000, 2500) for y in range(2000, 40_000, 2500))
    acts = 8
    while acts < RECORD_ACTS:
        for seat in range(8):
            at += 0.6
            lift = next((act for act in state.legal_actions(seat) if act.startswith("lift")), None)
            if lift is None or acts >= RECORD_ACTS - 1:
                return state.record()
            state = state.apply(lift, seat, at)
            with contextlib.suppress(GameError, StopIteration):
                if acts < 200:
                    x, y = next(spaces)
                    state = state.apply(f"{lift[5]} {x},{y} stand 0.0", seat, at + 0.3)
                    acts += 2
                    continue
            state = state.apply("return", seat, at + 0.3)
            acts += 2
    return state.record()


class Visitor:
    """The visitor, and the counts of its answers. It runs in another process with a lower priority."""

    def __init__(self, url: str, long_games: list[str]) -> None:
        self.url = url
        self.long_games = long_games
        self.record = long_record()
        self.tables: list[str] = []
        self.counts = Counter[str]()
        self.chunks_wait_until = time.monotonic() + 5
        """Latest start of bodies in chunks, which count against the same limit as records."""
        self.http = client(url, VISITOR)

    async def work(self, names: list[str] | None, seconds: float) -> None:
        """Run all tasks, or the named ones, for a number of seconds."""
        kinds = [self.uploads, self.joins, self.chunks, self.records, self.reviews, self.analyses]
        working = [repeat(kind) for kind in kinds if names is None or kind.__name__ in names]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*working)
        await self.http.aclose()

    async def uploads(self) -> None:
        """Open long records as often as the limit allows."""
        while True:
            answer = await self.http.post("api/records", json={"record": self.record})
            self.counts[f"uploads {answer.status_code}"] += 1
            if answer.status_code == 201:
                self.tables = [*self.tables[-15:], answer.json()["table"]]
            await asyncio.sleep(0.2)

    async def joins(self) -> None:
        """Join and leave the tables of these records."""
        dice = random.Random(1)

        async def join_and_leave() -> None:
            while True:
                if self.tables:
                    async with socket(self.url, VISITOR) as one:
                        await say(one, type="join", table=dice.choice(self.tables), codes=[])
                        await hear(one, "welcome")
                        self.counts["joins"] += 1
                await asyncio.sleep(0.1)

        await together(join_and_leave, JOINING_SOCKETS)

    async def chunks(self) -> None:
        """Send bodies in chunks of one byte."""
        host, port = self.url.split("//")[1].rstrip("/").split(":")
        head = f"POST /api/records HTTP/1.1\r\nHost: {host}:{port}\r\nX-Forwarded-For: {VISITOR}\r\n"
        head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = b"".join(b"1\r\n%c\r\n" % byte for byte in json.dumps({"record": self.record}).encode())

        async def send() -> None:
            while True:
                while len(self.tables) < MIN_OPEN_RECORDS and time.monotonic() < self.chunks_wait_until:
                    await asyncio.sleep(0.1)
                reader, writer = await asyncio.open_connection(host, int(port))
                with contextlib.suppress(OSError):
                    writer.write(head.encode() + body)
                    await writer.drain()
                    self.counts[f"chunked {(await reader.readline()).decode()[9:12]}"] += 1
                writer.close()
                await asyncio.sleep(0.05)

        await together(send, CHUNKED_SOCKETS)

    async def records(self) -> None:
        """Request the records of long games."""
        while True:
            for table in [*self.long_games, *self.tables]:
                answer = await self.http.get(f"api/tables/{table}/record")
                self.counts[f"records {answer.status_code}"] += 1

    async def reviews(self) -> None:
        """Request reviews of long games repeatedly."""
        while True:
            for table in self.long_games:
                answer = await self.http.get(f"api/tables/{table}/review")
                self.counts[f"reviews {answer.status_code}"] += 1
                await asyncio.sleep(0.2)

    async def analyses(self) -> None:
        """Request analyses of positions from many browsers with their own cookies."""
        dice = random.Random(2)

        async def request() -> None:
            cookie = "".join(dice.choices("0123456789abcdef", k=32))
            async with socket(self.url, VISITOR, Cookie=f"icetable={cookie}") as one:
                await say(one, type="join", table=dice.choice(self.long_games), codes=[])
                await hear(one, "welcome")
                while True:
                    await say(one, type="analyse", seq=dice.randrange(LONG_ACTS))
                    answer = await hear(one, "analysed", "unanalysed", "error")
                    self.counts[f"analyses {answer['type']}"] += 1
                    await asyncio.sleep(0.3)

        await together(request, ANALYSING_SOCKETS)


def visit(url: str, long_games: list[str], names: list[str] | None, seconds: float, answers: Connection) -> None:
    os.nice(5)

    async def work() -> Counter[str]:
        visitor = Visitor(url, long_games)
        await visitor.work(names, seconds)
        return visitor.counts

    answers.send(asyncio.run(work()))


async def besiege(server: Server, long_games: list[str], short_games: list[str], chosen: Namespace) -> dict[str, Any]:
    """The figures: the player's latencies alone and beside the visitor, the time of the other's review, the memory."""
    while server.metrics()["icetable_games_compiling"]:
        await asyncio.sleep(0.2)
    await time_of_review(server.url, short_games[0])  # loads code that stays in memory, and so does:
    await open_record(server.url)
    await waits_of_acts(server.url, 5)
    alone = await waits_of_acts(server.url, ALONE_SECONDS)
    before = memory(server)["VmRSS"]
    here, there = Pipe()
    visitor = Process(target=visit, args=(server.url, long_games, chosen.only, chosen.seconds + 3, there))
    visitor.start()
    sizes = list[int]()
    watching = asyncio.create_task(watch(server, sizes))
    await asyncio.sleep(3)
    reviewing = asyncio.create_task(time_of_review(server.url, short_games[1]))
    beside = await waits_of_acts(server.url, chosen.seconds)
    review = await reviewing
    counts = await asyncio.to_thread(here.recv)
    await asyncio.sleep(chosen.afterwards)
    watching.cancel()
    return {
        "alone": waits_in_ms(alone),
        "beside": waits_in_ms(beside),
        "times_the_median": round(statistics.median(beside) / statistics.median(alone), 2),
        "review_of_another_s": review,
        "rss_before_mib": before,
        "rss_most_mib": max(sizes),
        "rss_afterwards_mib": memory(server)["VmRSS"],
        "visitor": dict(sorted(counts.items())),
    }


async def repeat(work: Callable[[], Awaitable[None]]) -> None:
    """Run a task forever, and restart it when the server drops it."""
    while True:
        with contextlib.suppress(*FAILURES, httpx.HTTPError):
            await work()
        await asyncio.sleep(0.2)


async def together(work: Callable[[], Awaitable[None]], times: int) -> None:
    await asyncio.gather(*(repeat(work) for _ in range(times)))


async def watch(server: Server, sizes: list[int]) -> None:
    while True:
        sizes.append(memory(server)["VmRSS"])
        await asyncio.sleep(0.5)


async def time_of_review(url: str, table: str) -> float:
    """The time that another visitor waits for a review, in seconds."""
    start = time.monotonic()
    async with client(url, OTHER) as http:
        while (await http.get(f"api/tables/{table}/review")).status_code != 200:
            await asyncio.sleep(0.5)
    return round(time.monotonic() - start, 1)


async def open_record(url: str) -> None:
    """Open a record of Icehouse as another visitor."""
    async with client(url, OTHER) as http:
        opened = (await http.post("api/records", json={"record": long_record()})).raise_for_status().json()
    async with socket(url, OTHER) as one:
        await say(one, type="join", table=opened["table"], codes=[])
        await hear(one, "welcome")


async def waits_of_acts(url: str, seconds: float) -> list[float]:
    """Play both seats with an act every twentieth of a second; the latencies of acknowledgements."""
    waits, dice, end = list[float](), random.Random(1), time.monotonic() + seconds
    while time.monotonic() < end:
        async with client(url, PLAYER) as http:
            seats = [{"kind": "person", "name": name, "level": None} for name in ("Ann", "Bob")]
            made = await http.post(
                "api/tables", json={"game": "icefrogs", "options": {"turn_limit": 0}, "seats": seats}
            )
            created = made.raise_for_status().json()
        async with socket(url, PLAYER) as one:
            await say(one, type="join", table=created["table"], codes=list(created["codes"].values()))
            frame = (await hear(one, "welcome"))["frame"]
            while time.monotonic() < end and frame["legal"]:
                due = time.monotonic() + ACT_SECONDS
                seat, acts = next(iter(frame["legal"].items()))
                await say(one, type="act", id=f"{len(waits)}", seat=int(seat), text=dice.choice(acts))
                frame, wait = await acknowledged(one)
                waits.append(wait)
                await asyncio.sleep(max(0, due - time.monotonic()))
    return waits


async def acknowledged(one: ClientConnection) -> tuple[dict[str, Any], float]:
    """The frame after an act that has just been sent, and the seconds until it was acknowledged."""
    start, wait = time.perf_counter(), 0.0
    frame: dict[str, Any] = {}
    while not frame or not wait:
        answer = await hear(one, "ack", "frame")
        if answer["type"] == "ack":
            wait = time.perf_counter() - start
        else:
            frame = answer["frame"]
    return frame, wait


def client(url: str, address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS, headers={"X-Forwarded-For": address})


def socket(url: str, address: str, **headers: str) -> Any:
    headers = {"X-Forwarded-For": address, **headers}
    return connect(
        f"{url.replace('http', 'ws')}ws",
        additional_headers=headers,
        compression=None,
        max_size=None,
        open_timeout=TIMEOUT_SECONDS,
    )


async def say(one: ClientConnection, **message: Any) -> None:
    await one.send(json.dumps(message))


async def hear(one: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while (message := json.loads(await one.recv()))["type"] not in kinds:
            pass
    assert isinstance(message, dict)
    return message


if __name__ == "__main__":
    main()
