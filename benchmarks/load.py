#!/usr/bin/env python3
"""Load test with hundreds of tables: acknowledged acts per second and their latency, checked for lost or wrong acts.

The server has one core, the clients another. The tables cycle through all games and numbers of players; watchers use
the remaining sockets of a table. Every act is one of the legal acts sent by the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import time
from argparse import ArgumentParser, Namespace
from typing import Any

from crowd import Crowd, Server, allow_sockets, server_apart

with contextlib.suppress(ImportError):
    import uvloop


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=250, help="number of tables (%(default)s)")
    parser.add_argument("--sockets", type=int, default=4, help="sockets per table (%(default)s)")
    parser.add_argument("--rate", type=float, default=1700, help="target of acts per second; 0: no limit (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20, help="length of the measurement (%(default)s)")
    parser.add_argument("--ramp", type=float, default=3, help="seconds of play before the measurement (%(default)s)")
    chosen = parser.parse_args()
    allow_sockets(chosen.tables * chosen.sockets)
    with server_apart() as server:
        crowd, findings = run(load(server, chosen))
        server.end(signal.SIGTERM)
        compared = crowd.check(server.database)
    print(json.dumps({**findings, "compared": compared, "lost_or_wrong": 0}))


def run(work: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def load(server: Server, chosen: Namespace) -> tuple[Crowd, dict[str, Any]]:
    """Play for a while, and return the figures."""
    await warm_up(server)
    crowd = Crowd(server.url, chosen.tables, chosen.sockets, chosen.rate)
    await crowd.open()
    await asyncio.sleep(chosen.ramp)
    crowd.raise_failures()
    before, cpu, start = server.metrics(), time.process_time(), time.perf_counter()
    await asyncio.sleep(chosen.seconds)
    after, own, end = server.metrics(), time.process_time() - cpu, time.perf_counter()
    await crowd.stop()
    await crowd.close()
    rise = {name: value - before.get(name, 0) for name, value in after.items()}
    took = sorted(latency for at, latency in crowd.latencies if start <= at <= end)
    seconds, used = end - start, rise["process_cpu_seconds_total"]
    return crowd, {
        "tables": chosen.tables,
        "sockets": len(crowd.everybody()),
        "acts_per_s": round(len(took) / seconds),
        "p50_ms": round(took[len(took) // 2] * 1000, 1),
        "p99_ms": round(took[len(took) * 99 // 100] * 1000, 1),
        "max_ms": round(took[-1] * 1000, 1),
        "server_core": round(used / seconds, 2),
        "acts_per_cpu_s": round(rise["icetable_requests_acknowledged_total"] / used),
        "client_core": round(own / seconds, 2),
        "kept_per_s": round(rise["icetable_commit_seconds_count"] / seconds),
        "commit_mean_ms": round(rise["icetable_commit_seconds_sum"] / rise["icetable_commit_seconds_count"] * 1000, 1),
        "placements_refused": crowd.refused,
        "refused": len(crowd.complaints),
        "dropped": int(rise["icetable_slow_readers_dropped_total"]),
    }


async def warm_up(server: Server) -> None:
    """Wait until the kernels of all games are compiled or loaded."""
    crowd = Crowd(server.url, 8, 2, 10)
    await crowd.open()
    while server.metrics()["icetable_games_compiling"]:
        await asyncio.sleep(0.2)
    await crowd.stop()
    await crowd.close()


if __name__ == "__main__":
    main()
