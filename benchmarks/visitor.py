#!/usr/bin/env python3
"""One address does all that is heavy and allowed, all at once: what other players wait for, and the server's memory.

It opens long records, goes to and fro between their tables, sends bodies in chunks of one byte, asks for records and
for reviews of long games, and has positions analysed from many browsers. Another player acts, alone and then beside
it; a third visitor asks for the review of a short game.
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
from crowd import PATIENCE, Server, allow_sockets, free_port
from load import run
from longtable import make_table, memory
from siege import FAILURES, waits_in_ms
from websockets.asyncio.client import ClientConnection, connect

import icetable
from icetable.core.errors import GameError

VISITOR, PLAYER, OTHER = "198.51.100.1", "203.0.113.1", "192.0.2.1"
LONG_GAMES, LONG_ACTS, SHORT_ACTS = 14, 1450, 30
RECORD_ACTS = 2999
ACT_EVERY = 0.05
ALONE = 15.0
"""For how many seconds the player acts alone."""
JOINING, CHUNKED, ANALYSING = 16, 12, 32
"""How many sockets or connections of the visitor do each of these, of the 64 that it may have."""
ENOUGH = 4
"""How many long records are open before bodies in chunks come, which count against the same limit."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long the visitor goes on (%(default)s)")
    parser.add_argument("--afterwards", type=float, default=60, help="seconds until memory is read (%(default)s)")
    parser.add_argument("--only", nargs="*", help="of what it does, by name; all by default")
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
    """A server with its usual limits, which takes the addresses of its clients from a header."""

    options = ("--proxy-headers",)


def long_record() -> str:
    """A record of Icehouse for eight with as many acts as one may have that is opened, and a full field."""
    game = icetable.load("icehouse", players=8, timer=0)
    state, at = game.start(), 0.0
    for seat in range(8):
        state = state.apply("ready", seat, at)
    spaces = iter((x, y) for x in range(2000, 40_000, 2500) for y in range(2000, 40_000, 2500))
    made = 8
    while made < RECORD_ACTS:
        for seat in range(8):
            at += 0.6
            lift = next((act for act in state.legal_actions(seat) if act.startswith("lift")), None)
            if lift is None or made >= RECORD_ACTS - 1:
                return state.record()
            state = state.apply(lift, seat, at)
            with contextlib.suppress(GameError, StopIteration):
                if made < 200:
                    x, y = next(spaces)
                    state = state.apply(f"{lift[5]} {x},{y} stand 0.0", seat, at + 0.3)
                    made += 2
                    continue
            state = state.apply("return", seat, at + 0.3)
            made += 2
    return state.record()


class Visitor:
    """The visitor, and what the server answered it. It works in a process of its own, with less right to the cores."""

    def __init__(self, url: str, long_games: list[str]) -> None:
        self.url = url
        self.long_games = long_games
        self.record = long_record()
        self.tables: list[str] = []
        self.counts = Counter[str]()
        self.patient_until = time.monotonic() + 5
        """Until when bodies in chunks wait: they take up what the visitor may open, too."""
        self.http = client(url, VISITOR)

    async def work(self, names: list[str] | None, seconds: float) -> None:
        """Do all of this for so long, or what is named."""
        kinds = [self.uploads, self.joins, self.chunks, self.records, self.reviews, self.analyses]
        working = [stubborn(kind) for kind in kinds if names is None or kind.__name__ in names]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*working)
        await self.http.aclose()

    async def uploads(self) -> None:
        """Long records, opened as often as the limit allows."""
        while True:
            answer = await self.http.post("api/records", json={"record": self.record})
            self.counts[f"uploads {answer.status_code}"] += 1
            if answer.status_code == 201:
                self.tables = [*self.tables[-15:], answer.json()["table"]]
            await asyncio.sleep(0.2)

    async def joins(self) -> None:
        """Sockets that go to and fro between the tables of these records."""
        dice = random.Random(1)

        async def to_and_fro() -> None:
            while True:
                if self.tables:
                    async with socket(self.url, VISITOR) as one:
                        await say(one, type="join", table=dice.choice(self.tables), codes=[])
                        await hear(one, "welcome")
                        self.counts["joins"] += 1
                await asyncio.sleep(0.1)

        await together(to_and_fro, JOINING)

    async def chunks(self) -> None:
        """Bodies in chunks of one byte."""
        host, port = self.url.split("//")[1].rstrip("/").split(":")
        head = f"POST /api/records HTTP/1.1\r\nHost: {host}:{port}\r\nX-Forwarded-For: {VISITOR}\r\n"
        head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = b"".join(b"1\r\n%c\r\n" % byte for byte in json.dumps({"record": self.record}).encode())

        async def send() -> None:
            while True:
                while len(self.tables) < ENOUGH and time.monotonic() < self.patient_until:
                    await asyncio.sleep(0.1)
                reader, writer = await asyncio.open_connection(host, int(port))
                with contextlib.suppress(OSError):
                    writer.write(head.encode() + body)
                    await writer.drain()
                    self.counts[f"chunked {(await reader.readline()).decode()[9:12]}"] += 1
                writer.close()
                await asyncio.sleep(0.05)

        await together(send, CHUNKED)

    async def records(self) -> None:
        """The records of long games."""
        while True:
            for table in [*self.long_games, *self.tables]:
                answer = await self.http.get(f"api/tables/{table}/record")
                self.counts[f"records {answer.status_code}"] += 1

    async def reviews(self) -> None:
        """Reviews of long games, asked for again and again."""
        while True:
            for table in self.long_games:
                answer = await self.http.get(f"api/tables/{table}/review")
                self.counts[f"reviews {answer.status_code}"] += 1
                await asyncio.sleep(0.2)

    async def analyses(self) -> None:
        """Positions analysed, for many browsers with cookies of their own."""
        dice = random.Random(2)

        async def ask() -> None:
            cookie = "".join(dice.choices("0123456789abcdef", k=32))
            async with socket(self.url, VISITOR, Cookie=f"icetable={cookie}") as one:
                await say(one, type="join", table=dice.choice(self.long_games), codes=[])
                await hear(one, "welcome")
                while True:
                    await say(one, type="analyse", seq=dice.randrange(LONG_ACTS))
                    answer = await hear(one, "analysed", "unanalysed", "error")
                    self.counts[f"analyses {answer['type']}"] += 1
                    await asyncio.sleep(0.3)

        await together(ask, ANALYSING)


def visit(url: str, long_games: list[str], names: list[str] | None, seconds: float, answers: Connection) -> None:
    """The visitor's process."""
    os.nice(5)

    async def work() -> Counter[str]:
        visitor = Visitor(url, long_games)
        await visitor.work(names, seconds)
        return visitor.counts

    answers.send(asyncio.run(work()))


async def besiege(server: Server, long_games: list[str], short_games: list[str], chosen: Namespace) -> dict[str, Any]:
    """The figures: the player's waits alone and beside the visitor, the other's review, and the memory."""
    while server.metrics()["icetable_games_compiling"]:
        await asyncio.sleep(0.2)
    await time_of_review(server.url, short_games[0])  # what is loaded for that stays, as Icehouse does:
    await open_record(server.url)
    await waits_of_acts(server.url, 5)
    alone = await waits_of_acts(server.url, ALONE)
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


async def stubborn(work: Callable[[], Awaitable[None]]) -> None:
    """Begin again whatever the server cuts off."""
    while True:
        with contextlib.suppress(*FAILURES, httpx.HTTPError):
            await work()
        await asyncio.sleep(0.2)


async def together(work: Callable[[], Awaitable[None]], times: int) -> None:
    await asyncio.gather(*(stubborn(work) for _ in range(times)))


async def watch(server: Server, sizes: list[int]) -> None:
    while True:
        sizes.append(memory(server)["VmRSS"])
        await asyncio.sleep(0.5)


async def time_of_review(url: str, table: str) -> float:
    """How many seconds another visitor waits for a review."""
    start = time.monotonic()
    async with client(url, OTHER) as http:
        while (await http.get(f"api/tables/{table}/review")).status_code != 200:
            await asyncio.sleep(0.5)
    return round(time.monotonic() - start, 1)


async def open_record(url: str) -> None:
    """Another visitor opens a record of Icehouse."""
    async with client(url, OTHER) as http:
        opened = (await http.post("api/records", json={"record": long_record()})).raise_for_status().json()
    async with socket(url, OTHER) as one:
        await say(one, type="join", table=opened["table"], codes=[])
        await hear(one, "welcome")


async def waits_of_acts(url: str, seconds: float) -> list[float]:
    """One person plays both seats, an act every twentieth of a second: how long each took to be acknowledged."""
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
                due = time.monotonic() + ACT_EVERY
                seat, acts = next(iter(frame["legal"].items()))
                await say(one, type="act", id=f"{len(waits)}", seat=int(seat), text=dice.choice(acts))
                frame, wait = await acknowledged(one)
                waits.append(wait)
                await asyncio.sleep(max(0, due - time.monotonic()))
    return waits


async def acknowledged(one: ClientConnection) -> tuple[dict[str, Any], float]:
    """The frame after an act that was sent just now, and the seconds until it was acknowledged."""
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
    return httpx.AsyncClient(base_url=url, timeout=PATIENCE, headers={"X-Forwarded-For": address})


def socket(url: str, address: str, **headers: str) -> Any:
    headers = {"X-Forwarded-For": address, **headers}
    return connect(
        f"{url.replace('http', 'ws')}ws",
        additional_headers=headers,
        compression=None,
        max_size=None,
        open_timeout=PATIENCE,
    )


async def say(one: ClientConnection, **message: Any) -> None:
    await one.send(json.dumps(message))


async def hear(one: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    async with asyncio.timeout(PATIENCE):
        while (message := json.loads(await one.recv()))["type"] not in kinds:
            pass
    assert isinstance(message, dict)
    return message


if __name__ == "__main__":
    main()
