#!/usr/bin/env python3
"""A table with a very long game: the time of a join, the latency for other clients during it, and the memory used.

Another client, at its own table, pings fifty times per second. The memory is the server's (on Linux only).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx
import numpy as np
from crowd import Server, free_port
from load import run
from websockets.asyncio.client import ClientConnection, connect

from icetable.games import load
from icetable.server import messages
from icetable.server.store import open_store
from icetable.server.table.clock import now
from icetable.server.table.log import End, write_event
from icetable.server.table.setup import create_setup
from icetable.server.table.state import TableState

SETTLING_SECONDS = 5.0
"""Delay after the start of a server, in which it checks the tables with unfinished games."""
PING_SECONDS = 0.02
"""Interval between pings."""
MAX_BYTES = 1 << 30
ACT_MS = 30
"""Interval between acts at the long table."""


class Result(NamedTuple):
    """The time of a request in seconds, the worst ping during it in milliseconds, and its answer."""

    seconds: float
    worst_ping_ms: float
    answer: Any


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--acts", type=int, default=100_000, help="acts at the long table (%(default)s)")
    parser.add_argument("--copies", type=int, default=8, help="simultaneous requests for copies (%(default)s)")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        server = Server(Path(folder) / "tables.sqlite", metrics_port=free_port())
        table = make_table(server.database, "icefrogs", chosen.acts)
        with server:
            findings = run(measure(server, table, chosen))
    print(json.dumps({"acts": chosen.acts, "database_mb": findings.pop("database_mb"), **findings}))


def make_table(database: Path, name: str, acts: int, seed: int = 1, resigned: bool = False) -> str:
    """Create a table of a game for two with a number of random acts that don't end it, and an optional resignation.

    Returns its id.
    """
    options = {"players": 2, "turn_limit": 0}
    game = load(name, **options)  # type: ignore[arg-type]
    seats = [messages.SeatRequest("person", who, None) for who in ("Ann", "Bob")]
    setup, _ = create_setup(messages.TableRequest(name, messages.Options({**options}), seats), game, (), now())
    table_state, store, rng = TableState(setup, game), open_store(database), np.random.default_rng(seed)
    stored = store.tables.create(setup)
    while table_state.acts < acts or (resigned and not table_state.is_over):
        at = setup.created + table_state.acts * ACT_MS
        if table_state.chance_to_act:
            entry = table_state.draw_chance(at)
        elif table_state.acts >= acts:
            entry = table_state.next_entry(0, write_event(End("resign", (1,))), at)
        else:
            act = game.random_act(table_state.position, rng)
            if table_state.position.apply(act).is_terminal:
                continue
            seat = min(table_state.to_act)
            entry = table_state.entry_for_act({seat}, seat, act, at, f"{seat}:{table_state.acts:016x}")
        assert entry is not None
        table_state.append(entry)
        stored = store.logs.append_soon(setup.id, entry)
    stored.result()
    store.close()
    return setup.id


async def measure(server: Server, table: str, chosen: Namespace) -> dict[str, Any]:
    while server.metrics()["icetable_games_compiling"]:
        await asyncio.sleep(0.2)
    await asyncio.sleep(SETTLING_SECONDS)
    async with httpx.AsyncClient(base_url=server.url, timeout=600) as http, pinging(server, http) as waits:
        before = memory(server)

        async def copy(_: int) -> None:
            (
                await http.post(f"api/tables/{table}/copy", json={"codes": [], "seq": chosen.acts // 2})
            ).raise_for_status()

        first = await took(waits, lambda: join(server, table))
        after_join = memory(server)
        second = await took(waits, lambda: join(server, table))
        for socket, _ in (first.answer, second.answer):
            await socket.close()
        copies = await took(waits, lambda: asyncio.gather(*map(copy, range(chosen.copies))))
        record = await took(waits, lambda: http.get(f"api/tables/{table}/record"))
        return {
            "database_mb": round(sum(file.stat().st_size for file in server.database.parent.iterdir()) / 1e6, 1),
            "first_join_s": round(first.seconds, 3),
            "first_join_bytes": len(first.answer[1]),
            "first_join_worst_ping_ms": first.worst_ping_ms,
            "second_join_s": round(second.seconds, 4),
            "second_join_worst_ping_ms": second.worst_ping_ms,
            "rss_before_mib": before["VmRSS"],
            "rss_joined_mib": after_join["VmRSS"],
            "copies": chosen.copies,
            "copies_s": round(copies.seconds, 3),
            "copies_worst_ping_ms": copies.worst_ping_ms,
            "record_s": round(record.seconds, 3),
            "record_bytes": len(record.answer.content),
            "record_worst_ping_ms": record.worst_ping_ms,
            "rss_peak_mib": memory(server)["VmHWM"],
        }


async def took(waits: list[float], work: Callable[[], Awaitable[Any]]) -> Result:
    """Await `work` and measure its time and that of the pings."""
    waits.clear()
    start = time.perf_counter()
    answer = await work()
    seconds = time.perf_counter() - start
    while not waits:
        await asyncio.sleep(PING_SECONDS)
    return Result(seconds, round(max(waits) * 1000, 1), answer)


async def join(server: Server, table: str) -> tuple[ClientConnection, str | bytes]:
    """Join as a watcher; returns the socket and the welcome."""
    socket = await connect(f"{server.url.replace('http', 'ws')}ws", compression=None, max_size=MAX_BYTES)
    await socket.send(json.dumps({"type": "join", "table": table, "codes": []}))
    return socket, await socket.recv()


@contextlib.asynccontextmanager
async def pinging(server: Server, http: httpx.AsyncClient) -> AsyncIterator[list[float]]:
    """Ping from a client at another table; yields the list of round-trip times in seconds."""
    seats = [{"kind": "person", "name": name, "level": None} for name in ("Cid", "Dot")]
    made = await http.post("api/tables", json={"game": "icefrogs", "options": {}, "seats": seats})
    socket, _ = await join(server, made.raise_for_status().json()["table"])
    waits = list[float]()

    async def ping() -> None:
        while True:
            start = time.perf_counter()
            await socket.send('{"type":"ping","number":1}')
            while json.loads(await socket.recv())["type"] != "pong":
                pass
            waits.append(time.perf_counter() - start)
            await asyncio.sleep(PING_SECONDS)

    pings = asyncio.create_task(ping())
    yield waits
    pings.cancel()
    await asyncio.wait([pings])
    await socket.close()


def memory(server: Server) -> dict[str, int]:
    """The server's current and peak memory in MiB, by the names of Linux."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8").splitlines()
    sizes = dict(line.split(":", 1) for line in lines)
    return {name: int(sizes[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM")}


if __name__ == "__main__":
    main()
