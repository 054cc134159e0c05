#!/usr/bin/env python3
"""A new user's first minute: the time from creating the first table to the first act of a Skilled bot.

Each round starts `icetable play` as ./play does, with an empty cache of kernels, and creates a table as soon as the
page is served. People always play the first legal act.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect

from icetable import games

TIMEOUT_SECONDS = 300.0
LEVEL = "skilled"
BOT_SEAT = 0


class Result(NamedTuple):
    """Seconds: from the start of the server to its page, and from creating the table to the bot's first act."""

    page: float
    first_act: float


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="games to measure (all)")
    parser.add_argument("--rounds", type=int, default=3, help="starts per game (%(default)s)")
    parser.add_argument("--warm", action="store_true", help="run `icetable warmup` first")
    chosen = parser.parse_args()
    for name in chosen.games or [info.name for info in games.list_games()]:
        results = [measure(name, chosen.warm) for _ in range(chosen.rounds)]
        findings = {
            "game": name,
            "compiled": chosen.warm,
            "page_s": round(median(result.page for result in results), 1),
            "first_act_s": round(median(result.first_act for result in results), 1),
            "each_s": [round(result.first_act, 1) for result in results],
        }
        print(json.dumps(findings), flush=True)


def measure(game: str, warm: bool) -> Result:
    """Run one round, in a new home folder."""
    with TemporaryDirectory() as home:
        homes = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"), home)
        environment = {**os.environ, **homes, "PYTHONUNBUFFERED": "1"}
        icetable = [sys.executable, "-m", "icetable"]
        if warm:
            subprocess.run([*icetable, "warmup", game], env=environment, stdout=subprocess.DEVNULL, check=True)
        start = time.monotonic()
        server = subprocess.Popen(
            [*icetable, "play", "--no-browser", "--port=0", f"--db={Path(home) / 'tables.sqlite'}"],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            url = address_of(server)
            httpx.get(url, timeout=TIMEOUT_SECONDS).raise_for_status()
            page = time.monotonic() - start
            return Result(page, asyncio.run(asyncio.wait_for(play(url, game), TIMEOUT_SECONDS)))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(TIMEOUT_SECONDS)


def address_of(server: subprocess.Popen[str]) -> str:
    """The URL printed by the server."""
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://\S+/", line):
            return found[0]
    raise RuntimeError("the server does not start")


async def play(url: str, game: str) -> float:
    """The seconds from creating a table until the bot in its first seat has acted."""
    start = time.monotonic()
    bot = {"kind": "bot", "name": "Computer", "level": LEVEL}
    people = [{"kind": "person", "name": f"Person {n}", "level": None} for n in range(1, games.load(game).players)]
    async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as http:
        answer = await http.post(f"{url}api/tables", json={"game": game, "options": {}, "seats": [bot, *people]})
    created = answer.raise_for_status().json()
    async with connect(f"ws{url.removeprefix('http')}ws", max_size=None) as socket:
        join = {"type": "join", "table": created["table"], "codes": list(created["codes"].values())}
        await socket.send(json.dumps(join))
        await until_the_bot_acts(socket)
    return time.monotonic() - start


async def until_the_bot_acts(socket: ClientConnection) -> None:
    """Act for people until the bot has acted."""
    last_seq = -1
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] in ("error", "refused"):
            raise RuntimeError(message)
        if message["type"] not in ("welcome", "frame"):
            continue
        frame = message["frame"]
        line = frame["line"]
        if line is not None and line["seat"] == BOT_SEAT:
            return
        mine = next(((int(seat), acts[0]) for seat, acts in frame["legal"].items() if acts), None)
        if mine is not None and last_seq < frame["seq"]:
            last_seq = frame["seq"]
            await socket.send(json.dumps({"type": "act", "id": f"{last_seq}", "seat": mine[0], "text": mine[1]}))


if __name__ == "__main__":
    main()
