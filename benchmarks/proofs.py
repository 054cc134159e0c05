#!/usr/bin/env python3
"""Play games at the tables of a server, with people and bots and all options, and verify their records.

Each acknowledged act must be in its record at the acknowledged place. With `--kill` the server is killed repeatedly
during games, and the people reconnect.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from crowd import Server, Wrong, allow_sockets, free_port
from load import run
from siege import FAILURES, PERSON, QUICK_BOT, browser, join, side_by_side

import icetable
from icetable.core.errors import GameError
from icetable.server.table import fairness

MAX_ACTS = 60
"""A player resigns after this many own acts; the limit of turns of games between bots."""
TIMER_SECONDS = 4
"""Length of a game of Icehouse."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=100, help="games of each other game (%(default)s)")
    parser.add_argument("--icehouse", type=int, default=500, help="games of Icehouse (%(default)s)")
    parser.add_argument("--at-once", type=int, default=16, help="number of simultaneous tables (%(default)s)")
    parser.add_argument("--kill", type=float, default=0, help="seconds between kills; 0: none (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of random choices (%(default)s)")
    chosen = parser.parse_args()
    allow_sockets(2000)
    with TemporaryDirectory() as folder, ProcessPoolExecutor(1) as judge:
        path = Path(folder) / "journal"
        with path.open("w") as journal, JournalingServer(Path(folder) / "tables.sqlite", journal) as server:
            print(server.url, file=sys.stderr, flush=True)
            findings = run(Proofs(server, chosen, judge).all())
        lines = path.read_text().splitlines()
        print(json.dumps({**findings, "lines_in_the_journal": len(lines)}))
        print("\n".join(lines[:20]), file=sys.stderr)


class JournalingServer(Server):
    """A server whose standard error is redirected to a file."""

    def __init__(self, database: Path, journal: Any) -> None:
        super().__init__(database, metrics_port=free_port())
        self._journal = journal

    def _prepare(self) -> None:
        os.dup2(self._journal.fileno(), 2)


class Proofs:
    """Games of all kinds and their results."""

    def __init__(self, server: Server, chosen: Namespace, judge: ProcessPoolExecutor) -> None:
        self.server = server
        self.chosen = chosen
        self.judge = judge
        self.found: dict[str, Counter[str]] = {}
        self.is_up = asyncio.Event()
        self.is_up.set()

    async def all(self) -> dict[str, Any]:
        start = time.monotonic()
        async with browser(self.server) as http:
            self.infos = {info["name"]: info for info in (await http.get("api/games")).json()}
        names = [
            name
            for name in self.infos
            for _ in range(self.chosen.each if self.infos[name]["turns"] else self.chosen.icehouse)
        ]
        random.Random(self.chosen.seed).shuffle(names)
        self.found = {name: Counter() for name in self.infos}
        killing = asyncio.create_task(self.kill())
        await side_by_side(lambda number: self.game(names[number], number), len(names), self.chosen.at_once)
        killing.cancel()
        return {"seconds": round(time.monotonic() - start, 1), "kills": self.kills, **self.found}

    kills = 0

    async def kill(self) -> None:
        while self.chosen.kill:
            await asyncio.sleep(self.chosen.kill)
            self.is_up.clear()
            self.server.end(signal.SIGKILL)
            self.server.start()
            self.kills += 1
            self.is_up.set()

    async def game(self, name: str, number: int) -> None:
        """Play one game to its end and verify its record."""
        dice = random.Random(f"{self.chosen.seed} {number}")
        counts = self.found[name]
        table, codes = await self.open_table(name, dice)
        acked: dict[int, tuple[int, str]] = {}
        people = [
            self.person(name, table, int(seat), code, random.Random(f"{number} {seat}"), acked)
            for seat, code in codes.items()
        ]
        if not people:
            people = [self.watcher(table)]
        await asyncio.gather(*people)
        text = (await self.get(f"api/tables/{table}/record")).text
        try:
            sound = await asyncio.get_running_loop().run_in_executor(self.judge, verify, text, acked)
            counts["sound"] += 1
            counts["acts"] += sound
        except (fairness.Broken, GameError, Wrong) as error:
            counts["NOT SOUND"] += 1
            print(f"{name} {table}: {error}", file=sys.stderr, flush=True)

    async def get(self, path: str) -> httpx.Response:
        while True:
            await self.is_up.wait()
            with contextlib.suppress(httpx.HTTPError):
                async with browser(self.server) as http:
                    return await http.get(path)
            await asyncio.sleep(0.1)

    async def open_table(self, name: str, dice: random.Random) -> tuple[str, dict[str, str]]:
        """Create a table with random options that the server accepts."""
        info = self.infos[name]
        while True:
            players = dice.randint(max(info["players"][0], 1), min(info["players"][1], 4))
            options: dict[str, Any] = {"players": players}
            for option in info["options"]:
                if "choices" in option and option["name"] != "players" and dice.random() < 0.4:
                    options[option["name"]] = dice.choice(option["choices"])
            if not info["turns"]:
                options["timer"] = TIMER_SECONDS
            level = "easy" if info["turns"] else QUICK_BOT
            levels = [one["name"] for one in info["levels"]]
            kinds = [PERSON if dice.random() < 0.5 else level if level in levels else levels[0] for _ in range(players)]
            if not info["turns"] and PERSON not in kinds:
                kinds[0] = PERSON
            if PERSON not in kinds and "turn_limit" in (option["name"] for option in info["options"]):
                options["turn_limit"] = MAX_ACTS  # bots never resign, and pause before each act
            seats = [
                {
                    "kind": "person" if kind == PERSON else "bot",
                    "name": f"P{at}",
                    "level": None if kind == PERSON else kind,
                }
                for at, kind in enumerate(kinds)
            ]
            await self.is_up.wait()
            with contextlib.suppress(httpx.HTTPError):
                async with browser(self.server) as http:
                    made = await http.post("api/tables", json={"game": name, "options": options, "seats": seats})
                    if made.status_code == 201:
                        return made.json()["table"], made.json()["codes"]
                    if made.status_code != 422:
                        await asyncio.sleep(1)

    async def person(
        self, name: str, table: str, seat: int, code: str, dice: random.Random, acked: dict[int, tuple[int, str]]
    ) -> None:
        """Play random acts until the game is over, and reconnect whenever the socket is lost."""
        numbers, held = itertools.count(1), "L"
        while True:
            await self.is_up.wait()
            try:
                player = await join(self.server, table, seat, code)
            except FAILURES:
                await asyncio.sleep(0.2)
                continue
            try:
                while not player.is_over:
                    await player.until(lambda player=player: player.legal or player.is_over)
                    if not player.legal:
                        continue
                    if not self.infos[name]["turns"]:
                        await asyncio.sleep(0.1)
                    if not player.legal:
                        continue
                    if next(numbers) > MAX_ACTS and self.infos[name]["turns"]:
                        await player.ask("resign", seat=seat)
                        continue
                    text = random_act(player.legal, self.infos[name]["colours"][seat], held, dice)
                    answer = await player.act(text)
                    if answer["type"] == "ack":
                        acked[answer["seq"]] = (seat, text)
                        held = text[5] if text.startswith("lift ") else held
                await player.leave()
                return
            except FAILURES:
                continue

    async def watcher(self, table: str) -> None:
        """Watch until the game is over: bots only play if somebody watches."""
        while True:
            await self.is_up.wait()
            with contextlib.suppress(*FAILURES):
                player = await join(self.server, table)
                await player.until(lambda player=player: player.is_over, 600)
                await player.leave()
                return
            await asyncio.sleep(0.2)


def random_act(legal: list[str], colour: str, held: str, dice: random.Random) -> str:
    """A random legal act in one of its spellings. In Icehouse often a random placement: these are not listed."""
    if "ready" in legal:
        return "ready"
    if "return" in legal and dice.random() < 0.8:
        return f"{held} {dice.randrange(24_000)},{dice.randrange(24_000)} {dice.choice(['stand 0.0', 'point 90.0'])}"
    act = dice.choice(legal)
    return f"{act}:{colour}" if act.startswith("lift ") and len(act) == len("lift L") and dice.random() < 0.5 else act


def verify(text: str, acked: dict[int, tuple[int, str]]) -> int:
    """Verify a record, and return the number of entries in its log.

    Raises Broken or GameError if the record is not sound, and Wrong if an acknowledged act is missing.
    """
    sound = fairness.verify(text)
    played = {number: (state.seat, str(state.act)) for number, state in enumerate(icetable.replay(text).history())}
    for number, (seat, act) in acked.items():
        known, as_played = played.get(number, (None, "nothing"))
        if known != seat or as_played.split()[0] != act.split()[0]:
            raise Wrong(f"act {number}, {act!r} of seat {seat}, was acknowledged; the record has {as_played!r}")
    return sound.entries


if __name__ == "__main__":
    main()
