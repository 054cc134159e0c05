#!/usr/bin/env python3
"""The time that Icehouse's bots keep a person waiting: from the answer to the person's `ready` until play begins.

The tables are opened one after another at a dedicated server that has compiled the game before.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from crowd import Server, free_port
from websockets.sync.client import connect

from icetable.bots import levels

NAMES = [level.name for level in levels("icehouse")]
TIMEOUT_SECONDS = 120.0

POLL_SECONDS = 0.2
"""Interval between checks whether the server still compiles."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--levels", nargs="+", choices=NAMES, default=NAMES, metavar="LEVEL", help="(all)")
    parser.add_argument("--bots", type=int, default=3, help="bots per table (%(default)s)")
    parser.add_argument("--tables", type=int, default=10, help="tables per level (%(default)s)")
    parser.add_argument("--most", type=float, default=3.0, help="maximum seconds until play begins (%(default)s)")
    chosen = parser.parse_args()
    late = False
    with TemporaryDirectory() as folder, Server(Path(folder) / "tables.sqlite", metrics_port=free_port()) as server:
        while server.metrics()["icetable_games_compiling"]:
            time.sleep(POLL_SECONDS)
        for level in chosen.levels:
            waits = [wait_for_play(server.url, level, chosen.bots) for _ in range(chosen.tables)]
            late |= max(waits) > chosen.most
            report = {"level": level, "bots": chosen.bots, "seconds": sorted(round(wait, 2) for wait in waits)}
            print(json.dumps(report), flush=True)
    if late:
        raise SystemExit(f"play began later than after {chosen.most} s")


def wait_for_play(url: str, level: str, bots: int) -> float:
    """Open a table, be ready, and return the seconds until play begins."""
    seats = [{"kind": "person", "name": "Ann", "level": None}]
    seats += [{"kind": "bot", "name": f"Bot {number}", "level": level} for number in range(bots)]
    request = {"game": "icehouse", "options": {"players": len(seats)}, "seats": seats}
    made = httpx.post(f"{url}api/tables", json=request, timeout=TIMEOUT_SECONDS).raise_for_status().json()
    with connect(f"{url.replace('http', 'ws')}ws") as socket:
        socket.send(json.dumps({"type": "join", "table": made["table"], "codes": list(made["codes"].values())}))
        socket.send(json.dumps({"type": "act", "seat": 0, "text": "ready", "id": f"0:{1:016x}"}))
        start = time.perf_counter()
        while True:
            message = json.loads(socket.recv(TIMEOUT_SECONDS))
            if message["type"] in ("refused", "error"):
                raise SystemExit(f"the server refuses: {message}")
            line = message["frame"]["line"] if message["type"] == "frame" else None
            if line and any(effect["kind"] == "starts" for effect in line["effects"]):
                return time.perf_counter() - start


if __name__ == "__main__":
    main()
