#!/usr/bin/env python3
"""Serve forty files of games that hang, crash and exit beside a table of Squad, and measure that table's answers.

Each file's table makes sound moves and bad ones in turn, and some files are saved with a fault meanwhile. At the end
every acknowledged move has to be in its table's log, and every file's table has to go on.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sys
import time
from argparse import ArgumentParser
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
from crowd import Server, Wrong
from load import run
from websockets.asyncio.client import ClientConnection, connect

from icetable.server.store import open_store
from tests.server import hostile

PEOPLE = [{"kind": "person", "name": name, "level": None} for name in ("Ann", "Bob")]
PAUSE_SECONDS = 0.03
"""Time between two moves at the table of Squad."""
ANSWER_SECONDS = 90.0
"""Time after which an answer counts as missing: a file answers its tables one after another."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="length of the measurement (%(default)s)")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        for careless in hostile.ALL:
            (Path(folder) / f"{careless.name}.py").write_text(careless.text, encoding="utf-8")
        server = Server(Path(folder) / "tables.sqlite")
        server.options = (*server.options, *sorted(str(path) for path in Path(folder).glob("*.py")))
        with server:
            findings, acknowledged = run(serve(server, Path(folder), chosen.seconds))
            began = time.perf_counter()
            server.end(signal.SIGTERM)
            findings["seconds_to_end"] = round(time.perf_counter() - began, 2)
        log = open_store(server.database)
        for table, count in acknowledged.items():
            kept = sum(entry.client_id is not None for entry in log.logs.entries(table))
            if kept != count:
                raise Wrong(f"{count} moves of {table} were acknowledged, {kept} are in its log")
        log.close()
    print(json.dumps(findings | {"files": len(hostile.ALL), "acknowledged_acts_lost": 0}))


class Player:
    """A client that holds all seats of a table."""

    def __init__(self, url: str, game: str) -> None:
        self._url, self._game = url, game
        self.table = ""
        self.acknowledged = 0
        self.frame: dict[str, Any] = {}
        self._numbers = itertools.count()
        self._socket: ClientConnection

    async def open(self) -> None:
        async with httpx.AsyncClient(timeout=ANSWER_SECONDS) as http:
            wanted = {"game": self._game, "options": {"players": 2}, "seats": PEOPLE}
            created = (await http.post(f"{self._url}api/tables", json=wanted)).raise_for_status().json()
        self.table = created["table"]
        self._socket = await connect(f"{self._url.replace('http', 'ws')}ws", max_size=None, ping_interval=None)
        codes = list(created["codes"].values())
        await self._socket.send(json.dumps({"type": "join", "table": self.table, "codes": codes}))
        await self._answer("welcome")

    async def act(self, text: str) -> bool:
        """Make a move for the seat to act, and return whether it was acknowledged."""
        seat, name = self.frame["view"]["to_act"][0], f"a{next(self._numbers)}"
        await self._socket.send(json.dumps({"type": "act", "id": name, "seat": seat, "text": text}))
        acked = (await self._answer("ack", "refused"))["type"] == "ack"
        self.acknowledged += acked
        return acked

    async def _answer(self, *types: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(self._socket.recv(), ANSWER_SECONDS))
            self.frame = message.get("frame", self.frame)
            if message["type"] in types:
                return message

    async def close(self) -> None:
        await self._socket.close()


async def serve(server: Server, folder: Path, seconds: float) -> tuple[dict[str, Any], dict[str, int]]:
    """The figures, and the acknowledged moves of each file's table.

    The players of the files are in another process, so that they delay answers only by what they ask of the server.
    """
    with ProcessPoolExecutor(1) as others:
        crowd = others.submit(run_careless, server.url, folder, seconds)
        took, tables = await play_squad(server.url, crowd)
        acknowledged, refusals = await asyncio.wrap_future(crowd)
    took.sort()
    return {
        "squad_acts": len(took),
        "squad_tables": tables,
        "p50_ms": round(took[len(took) // 2] * 1000, 1),
        "p99_ms": round(took[len(took) * 99 // 100] * 1000, 1),
        "max_ms": round(took[-1] * 1000, 1),
        "acts_of_files": sum(acknowledged.values()),
        "refusals_of_files": refusals,
        "load": round(os.getloadavg()[0], 1),
    }, acknowledged


def run_careless(url: str, folder: Path, seconds: float) -> tuple[dict[str, int], int]:
    """Play at the tables of the files: the acknowledged moves of each, and the number of refusals."""
    found: tuple[dict[str, int], int] = run(play_carelessly(url, folder, seconds))
    return found


async def play_carelessly(url: str, folder: Path, seconds: float) -> tuple[dict[str, int], int]:
    players = [Player(url, careless.name) for careless in hostile.ALL]
    for player in players:
        await player.open()
    until = time.perf_counter() + seconds
    saving = asyncio.create_task(save(folder, seconds / 3))
    refusals = await asyncio.gather(*(be_careless(player, until) for player in players))
    await saving
    for player in players:
        if not await player.act("go"):
            raise Wrong(f"the table of {player.table} does not go on")
        await player.close()
    return {player.table: player.acknowledged for player in players}, sum(refusals)


async def be_careless(player: Player, until: float) -> int:
    """Make sound and bad moves in turn; the number of refusals."""
    refusals = 0
    for text in itertools.cycle(("go", "bad", "go")):
        if time.perf_counter() > until:
            return refusals
        refusals += not await player.act(text)
        await asyncio.sleep(0.2)
    raise AssertionError


async def save(folder: Path, seconds: float) -> None:
    """Save faults into the files that have some, after a while."""
    await asyncio.sleep(seconds)
    for careless in hostile.ALL:
        if careless.saved is not None:
            (folder / f"{careless.name}.py").write_text(careless.saved, encoding="utf-8")


async def play_squad(url: str, crowd: Future[Any]) -> tuple[list[float], int]:
    """Play games of Squad until a crowd has finished; how long each answer took, and the number of games."""
    took: list[float] = []
    for games in itertools.count(1):
        player = Player(url, "squad")
        await player.open()
        while not player.frame["view"]["over"]:
            if crowd.done():
                await player.close()
                return took, games
            text = player.frame["legal"][str(player.frame["view"]["to_act"][0])][0]
            began = time.perf_counter()
            if not await player.act(text):
                raise Wrong(f"{text} was refused")
            took.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE_SECONDS)
        await player.close()
    raise AssertionError


if __name__ == "__main__":
    main()
