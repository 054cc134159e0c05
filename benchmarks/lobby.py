#!/usr/bin/env python3
"""What a full lobby costs those who play: acts while nobody looks for a game, and while hundreds follow a long list.

The server has one core, the clients another. A player is at every open table, and some tables come and go all the time,
so that there is news each second.
"""

from __future__ import annotations

import asyncio
import json
import time
from argparse import ArgumentParser, Namespace
from typing import Any

from crowd import Crowd, Server, allow_sockets, server_apart
from load import run, wake
from websockets.asyncio.client import ClientConnection, connect

OPEN = {"kind": "open", "name": "", "level": None}
COMING_SECONDS = 0.2
"""How often a table comes or goes."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="where games are played (%(default)s)")
    parser.add_argument("--rate", type=float, default=300, help="acts a second there (%(default)s)")
    parser.add_argument("--open", type=int, default=1000, help="tables that wait for players (%(default)s)")
    parser.add_argument("--watchers", type=int, default=200, help="who follow the list (%(default)s)")
    parser.add_argument("--seconds", type=float, default=15, help="how long each part is measured (%(default)s)")
    chosen = parser.parse_args()
    allow_sockets(chosen.tables * 4 + chosen.open + chosen.watchers)
    with server_apart() as server:
        print(json.dumps(run(compare(server, chosen))))


async def compare(server: Server, chosen: Namespace) -> dict[str, Any]:
    """The median of an act's answer with an empty lobby, with a full one, and with an empty one again."""
    await wake(server)
    crowd = Crowd(server.url, chosen.tables, 4, chosen.rate)
    await crowd.open()
    before = await median(crowd, chosen.seconds)
    lobby = Lobby(crowd)
    await lobby.fill(chosen.open, chosen.watchers)
    told_before = lobby.messages
    full = await median(crowd, chosen.seconds)
    told = lobby.messages - told_before
    await lobby.clear()
    after = await median(crowd, chosen.seconds)
    await crowd.stop()
    await crowd.close()
    return {
        "tables": chosen.tables,
        "open": chosen.open,
        "watchers": chosen.watchers,
        "news_to_each_per_s": round(told / chosen.watchers / chosen.seconds, 2),
        "news_mean_bytes": lobby.bytes // max(1, lobby.messages),
        "p50_ms_empty": [round(one * 1000, 2) for one in (before, after)],
        "p50_ms_full": round(full * 1000, 2),
        "ratio": round(full / ((before + after) / 2), 2),
    }


async def median(crowd: Crowd, seconds: float) -> float:
    """The median of the seconds until an act was acknowledged."""
    await asyncio.sleep(2)
    crowd.raise_failures()
    start = time.perf_counter()
    await asyncio.sleep(seconds)
    took = sorted(latency for at, latency in crowd.latencies if at >= start)
    return took[len(took) // 2]


class Lobby:
    """Players at open tables, those who follow the list, and what these were told."""

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
        self.listeners.append(asyncio.create_task(self.come_and_go()))

    async def connect(self) -> ClientConnection:
        return await connect(self.crowd.socket_url, compression=None, ping_interval=None, max_size=None)

    async def open_table(self, number: int) -> ClientConnection:
        """A table that waits, with its player."""
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

    async def come_and_go(self) -> None:
        number = 0
        while True:
            socket = await self.open_table(number := number + 1)
            await asyncio.sleep(COMING_SECONDS)
            await socket.close()

    async def clear(self) -> None:
        for listener in self.listeners:
            listener.cancel()
        await asyncio.gather(*(socket.close() for socket in self.sockets))


if __name__ == "__main__":
    main()
