#!/usr/bin/env python3
"""The cost of a full lobby for players: the latency of acts with an empty lobby and with hundreds of watchers.

The server has one core, the clients another. Every open table has a player, and tables are opened and closed all the
time, so that the lobby sends updates every second.
"""

from __future__ import annotations

import asyncio
import json
import time
from argparse import ArgumentParser, Namespace
from typing import Any

from crowd import Crowd, Server, allow_sockets, server_apart
from load import run, warm_up
from websockets.asyncio.client import ClientConnection, connect

OPEN = {"kind": "open", "name": "", "level": None}
NEWS_SECONDS = 0.2
"""Interval between opening and closing a table."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="tables with games (%(default)s)")
    parser.add_argument("--rate", type=float, default=300, help="acts per second at these tables (%(default)s)")
    parser.add_argument("--open", type=int, default=1000, help="tables that wait for players (%(default)s)")
    parser.add_argument("--watchers", type=int, default=200, help="clients that watch the lobby (%(default)s)")
    parser.add_argument("--seconds", type=float, default=15, help="length of each measurement (%(default)s)")
    chosen = parser.parse_args()
    allow_sockets(chosen.tables * 4 + chosen.open + chosen.watchers)
    with server_apart() as server:
        print(json.dumps(run(compare(server, chosen))))


async def compare(server: Server, chosen: Namespace) -> dict[str, Any]:
    """The median latency of acts with an empty lobby, with a full one, and with an empty one again."""
    await warm_up(server)
    crowd = Crowd(server.url, chosen.tables, 4, chosen.rate)
    await crowd.open()
    before = await median(crowd, chosen.seconds)
    lobby = Lobby(crowd)
    await lobby.fill(chosen.open, chosen.watchers)
    messages_before = lobby.messages
    full = await median(crowd, chosen.seconds)
    messages = lobby.messages - messages_before
    await lobby.clear()
    after = await median(crowd, chosen.seconds)
    await crowd.stop()
    await crowd.close()
    return {
        "tables": chosen.tables,
        "open": chosen.open,
        "watchers": chosen.watchers,
        "news_to_each_per_s": round(messages / chosen.watchers / chosen.seconds, 2),
        "news_mean_bytes": lobby.bytes // max(1, lobby.messages),
        "p50_ms_empty": [round(one * 1000, 2) for one in (before, after)],
        "p50_ms_full": round(full * 1000, 2),
        "ratio": round(full / ((before + after) / 2), 2),
    }


async def median(crowd: Crowd, seconds: float) -> float:
    """The median latency of acknowledgements, in seconds."""
    await asyncio.sleep(2)
    crowd.raise_failures()
    start = time.perf_counter()
    await asyncio.sleep(seconds)
    took = sorted(latency for at, latency in crowd.latencies if at >= start)
    return took[len(took) // 2]


class Lobby:
    """Players at open tables, watchers of the lobby, and the amount of messages sent to them."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.sockets: list[ClientConnection] = []
        self.listeners: list[asyncio.Task[None]] = []
        self.messages = self.bytes = 0

    async def fill(self, tables: int, watchers: int) -> None:
        for number in range(tables):
            self.sockets.append(await self.open_table(number))
        for _ in range(watchers):
            socket = await self.connect()
            await socket.send(json.dumps({"type": "watch"}))
            await socket.recv()
            self.sockets.append(socket)
            self.listeners.append(asyncio.create_task(self.listen(socket)))
        self.listeners.append(asyncio.create_task(self.open_and_close()))

    async def connect(self) -> ClientConnection:
        return await connect(self.crowd.socket_url, compression=None, ping_interval=None, max_size=None)

    async def open_table(self, number: int) -> ClientConnection:
        """Open a waiting table, and join it as its player."""
        seats = [{"kind": "person", "name": f"Player {number}", "level": None}, OPEN]
        wanted = {"game": "icefrogs", "options": {"players": 2}, "seats": seats, "public": True}
        created = await self.crowd.post("api/tables", wanted)
        socket = await self.connect()
        await socket.send(json.dumps({"type": "join", "table": created["table"], "codes": [created["codes"]["0"]]}))
        await socket.recv()
        return socket

    async def listen(self, socket: ClientConnection) -> None:
        async for message in socket:
            self.messages += 1
            self.bytes += len(message)

    async def open_and_close(self) -> None:
        number = 0
        while True:
            socket = await self.open_table(number := number + 1)
            await asyncio.sleep(NEWS_SECONDS)
            await socket.close()

    async def clear(self) -> None:
        for listener in self.listeners:
            listener.cancel()
        await asyncio.gather(*(socket.close() for socket in self.sockets))


if __name__ == "__main__":
    main()
