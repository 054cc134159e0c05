#!/usr/bin/env python3
"""The cost of a review for other tables: the latency of acknowledgements with and without a review in progress.

At one table four simulated players act over sockets; at another table four bots of the server play. The server
alternately reviews a finished game (a new one every time) and rests for the same time.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from crowd import Server
from websockets.asyncio.client import ClientConnection, connect

TIMEOUT_SECONDS = 120.0
GAME = "icefrogs"
POLL_SECONDS = 0.2
"""Interval between requests for the review."""
FOUR_PLAYERS = {"players": 4, "turn_limit": 0}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--game", default=GAME, help="game to review (%(default)s)")
    parser.add_argument("--acts", type=int, default=60, help="acts of the reviewed games (%(default)s)")
    parser.add_argument("--rounds", type=int, default=7, help="number of reviews (%(default)s)")
    parser.add_argument("--rate", type=float, default=25, help="acts per second at the table of players (%(default)s)")
    parser.add_argument("--level", default="skilled", help="of the server's bots (%(default)s)")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder, Server(Path(folder) / "tables.sqlite") as server:
        print(json.dumps(asyncio.run(measure(server.url, chosen))))


@dataclass
class Table:
    """The latencies at a table: (time of completion, seconds)."""

    took: list[tuple[float, float]] = field(default_factory=list)

    def between(self, start: float, end: float) -> float:
        """The median latency in an interval."""
        return median(seconds for at, seconds in self.took if start < at <= end)


async def measure(url: str, chosen: Namespace) -> dict[str, Any]:
    """Alternate between reviews and rests."""
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as http:
        games = [await finished_game(http, url, chosen, seed) for seed in range(chosen.rounds + 1)]
        players, bots = Table(), Table()
        playing = [
            asyncio.create_task(play(http, url, players, 1 / chosen.rate)),
            asyncio.create_task(watch(http, url, bots, chosen.level)),
        ]
        await review(http, games.pop())  # starts the processes and loads the kernels
        seconds, quiet, busy = list[float](), list[float](), list[float]()
        for game in games:
            begin = time.perf_counter()
            await review(http, game)
            middle = time.perf_counter()
            await asyncio.sleep(max(4.0, middle - begin))
            end = time.perf_counter()
            seconds.append(middle - begin)
            busy.append(players.between(begin, middle))
            quiet.append(players.between(middle, end))
            for task in playing:
                if task.done():
                    task.result()
        for task in playing:
            task.cancel()
    ratios = sorted(one / other for one, other in zip(busy, quiet, strict=True))
    return {
        "game": chosen.game,
        "acts": chosen.acts,
        "review_s": round(median(seconds), 1),
        "review_max_s": round(max(seconds), 1),
        "ack_quiet_ms": round(1000 * median(quiet), 2),
        "ack_review_ms": round(1000 * median(busy), 2),
        "ratio": round(median(ratios), 2),
        "quartiles": [round(ratios[len(ratios) // 4], 2), round(ratios[-1 - len(ratios) // 4], 2)],
        "acks": len(players.took),
        "bots_act_s": round(median(took for _, took in bots.took), 2),
    }


async def open_table(http: httpx.AsyncClient, game: str, seats: list[dict[str, Any]], **options: int) -> Any:
    wanted = {"game": game, "options": options, "seats": seats}
    return (await http.post("api/tables", json=wanted)).raise_for_status().json()


def person(number: int) -> dict[str, Any]:
    return {"kind": "person", "name": f"Player {number}", "level": None}


async def enter(url: str, created: Any) -> ClientConnection:
    socket = await connect(f"ws{url.removeprefix('http')}ws", max_size=None, compression=None)
    join = {"type": "join", "table": created["table"], "codes": list(created["codes"].values())}
    await socket.send(json.dumps(join))
    return socket


async def finished_game(http: httpx.AsyncClient, url: str, chosen: Namespace, seed: int) -> str:
    """Play a game of `chosen.acts` random acts to its end; the id of its table."""
    dice = random.Random(seed)
    options = {"turn_limit": chosen.acts} if chosen.game == GAME else {}
    while True:
        created = await open_table(http, chosen.game, [person(1), person(2)], players=2, **options)
        socket = await enter(url, created)
        frame = await next_frame(socket)
        while not frame["view"]["over"]:
            if frame["legal"]:
                await act(socket, frame, dice)
            frame = await next_frame(socket)
        await socket.close()
        if frame["seq"] == chosen.acts or chosen.game != GAME:
            chosen.acts = frame["seq"]
            return str(created["table"])


async def next_frame(socket: ClientConnection) -> Any:
    while True:
        message = json.loads(await socket.recv())
        if message["type"] in ("error", "refused"):
            raise RuntimeError(message)
        if message["type"] in ("welcome", "frame"):
            return message["frame"]


async def act(socket: ClientConnection, frame: Any, dice: random.Random) -> None:
    ((seat, acts),) = frame["legal"].items()
    await socket.send(
        json.dumps({"type": "act", "id": f"{frame['seq']}", "seat": int(seat), "text": dice.choice(acts)})
    )


async def play(http: httpx.AsyncClient, url: str, table: Table, pause: float) -> None:
    """Play one game after another with four players, and record the latency of each acknowledgement."""
    dice = random.Random(0)
    while True:
        socket = await enter(url, await open_table(http, GAME, [person(n) for n in range(4)], **FOUR_PLAYERS))
        frame = await next_frame(socket)
        while not frame["view"]["over"]:
            start = time.perf_counter()
            await act(socket, frame, dice)
            while (message := json.loads(await socket.recv()))["type"] != "ack":
                if message["type"] in ("refused", "error"):
                    raise RuntimeError(message)
                frame = message.get("frame", frame)
            end = time.perf_counter()
            table.took.append((end, end - start))
            await asyncio.sleep(max(0.0, start + pause - time.perf_counter()))
        await socket.close()


async def watch(http: httpx.AsyncClient, url: str, table: Table, level: str) -> None:
    """Watch one game after another of the server's bots, and record the time of each act, including the pause."""
    for number in itertools.count():
        bots = [{"kind": "bot", "name": f"Bot {number} {n}", "level": level} for n in range(4)]
        socket = await enter(url, await open_table(http, GAME, bots, **FOUR_PLAYERS))
        frame, last = await next_frame(socket), time.perf_counter()
        while not frame["view"]["over"]:
            frame, now = await next_frame(socket), time.perf_counter()
            table.took.append((now, now - last))
            last = now
        await socket.close()


async def review(http: httpx.AsyncClient, table: str) -> None:
    while (await http.get(f"api/tables/{table}/review")).raise_for_status().status_code == 202:
        await asyncio.sleep(POLL_SECONDS)


if __name__ == "__main__":
    main()
