#!/usr/bin/env python3
"""Kill the server repeatedly while hundreds of tables play, and verify that no act was lost or duplicated.

Every acknowledged act must be in the log exactly once; every client must reconnect and see the content of the log.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from crowd import Crowd, Server, allow_sockets
from load import run


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=25, help="number of kills (%(default)s)")
    parser.add_argument("--tables", type=int, default=250, help="number of tables (%(default)s)")
    parser.add_argument("--sockets", type=int, default=4, help="sockets per table (%(default)s)")
    parser.add_argument("--rate", type=float, default=0, help="target of acts per second; 0: no limit (%(default)s)")
    parser.add_argument("--seconds", type=float, default=1, help="maximum time between kills (%(default)s)")
    chosen = parser.parse_args()
    allow_sockets(chosen.tables * chosen.sockets)
    with TemporaryDirectory() as folder:
        with Server(Path(folder) / "tables.sqlite") as server:
            crowd = run(play(server, chosen))
        compared = crowd.check(server.database)
    findings = {"kills": chosen.kills, "sockets_lost": crowd.dropped, "refused": len(crowd.complaints)}
    print(json.dumps({**findings, "compared": compared, "lost_or_doubled": 0}))


async def play(server: Server, chosen: Namespace) -> Crowd:
    """Play while the server is killed repeatedly; every table must continue after each kill."""
    crowd = Crowd(server.url, chosen.tables, chosen.sockets, chosen.rate)
    await crowd.open()
    await kill_repeatedly(crowd, server, chosen.kills, chosen.seconds)
    await crowd.stop()
    await crowd.close()
    return crowd


async def kill_repeatedly(crowd: Crowd, server: Server, kills: int, seconds: float) -> None:
    """Kill the server at random times, and wait each time until every table has continued."""
    dice = random.Random(1)
    for number in range(kills):
        await asyncio.sleep(dice.random() * seconds)
        acts = {table.number: table.acts for table in crowd.tables}
        start = time.monotonic()
        server.end(signal.SIGKILL)
        await asyncio.to_thread(server.start)
        await crowd.until(lambda acts=acts: all(table.acts > acts[table.number] for table in crowd.tables))
        print(f"kill {number + 1}: every table went on after {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
