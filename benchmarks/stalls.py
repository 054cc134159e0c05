#!/usr/bin/env python3
"""Races in Icehouse over lines that stand still or break for a while, and the pace of a program's hand.

In each trial two programs play as the page does: they answer pings, say what they have been shown, come back after a
cut, and send again what has no answer. Ann's line is good. Ben's stands still, or is cut; then Ann places a piece, and
Ben, whose page has not shown it, lets his go on top of it and calls. Counted: crashes into what had not been shown,
acts without an answer, calls that counted or lapsed, and the time from the line's return until Ben is back.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e.lines import Line
from tests.e2e.server import Server, Table, people

LIFETIME = 3.0
RETRY_SECONDS = 0.3
SPOT = "place 12000,12000 stand 0.0"
ANN_AFTER, BEN_AFTER, CALL_AFTER = 0.4, 0.9, 1.1
"""When Ann places, Ben lets go and Ben calls, in seconds after the line stands still."""
HELD = 4
"""The number of acts after which both hold a piece."""
AT_ONCE = 10
OPTIONS = {"players": 2, "timer": 0, "false_call": "free"}
STALLS = (1.0, 1.5, 3.0, 6.0)
CUTS = (1.0, 2.0, 4.0)


class Player:
    """A program that keeps the rules of the protocol, as the page does."""

    def __init__(self, port: int, table: Table, seat: int) -> None:
        self.address = f"ws://127.0.0.1:{port}/ws"
        self.join: dict[str, Any] = {"type": "join", "table": table.table, "codes": [table.codes[seat]]}
        self.seat = seat
        self.seq = self.entry = 0
        self.joins: list[float] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.effects: list[dict[str, Any]] = []
        self._socket: ClientConnection | None = None
        self._unanswered: dict[str, tuple[dict[str, Any], float]] = {}
        self._pinged: tuple[int, float] | None = None
        self._changed = asyncio.Event()
        self._running = asyncio.create_task(self._run())

    async def close(self) -> None:
        self._running.cancel()
        await asyncio.wait([self._running])

    async def act(self, text: str) -> str:
        name = f"{self.seat}-{text}-{time.monotonic()}"
        at = time.monotonic()
        act = {"type": "act", "id": name, "seat": self.seat, "text": text, "seen": self.entry}
        self._unanswered[name] = act, at
        if self._socket is not None:
            await self._send(act, at)
        return name

    async def answer(self, name: str) -> str:
        """The kind of an act's answer, or the code of its refusal."""
        while name not in self.answers:
            self._changed.clear()
            await self._changed.wait()
        answer = self.answers[name]
        return "ack" if answer["type"] == "ack" else answer["fault"]["code"]

    async def reach(self, seq: int) -> None:
        while not self.joins or self.seq < seq:
            self._changed.clear()
            await self._changed.wait()

    async def _run(self) -> None:
        while True:
            try:
                async with connect(self.address, ping_interval=None, compression=None) as socket:
                    await self._play(socket)
            except (ConnectionClosed, OSError, InvalidHandshake):
                pass
            self._socket = self._pinged = None
            await asyncio.sleep(RETRY_SECONDS)

    async def _play(self, socket: ClientConnection) -> None:
        seen = {"seen": {"seq": self.seq, "entry": self.entry}} if self.joins else {}
        await socket.send(json.dumps(self.join | seen))
        async for text in socket:
            message = json.loads(text)
            kind = message["type"]
            if kind == "ping":
                self._pinged = message["number"], time.monotonic()
                await socket.send(json.dumps({"type": "pong", "number": message["number"]}))
            if kind in ("ack", "refused"):
                self._unanswered.pop(message["id"], None)
                self.answers[message["id"]] = message
            if frame := message.get("frame"):
                self.seq, self.entry = frame["seq"], frame.get("entry", 0)
                self.effects += (frame["line"] or {}).get("effects", [])
            if kind in ("welcome", "resumed"):
                self.joins.append(time.monotonic())
                self._socket = socket
                for act, at in self._unanswered.values():
                    await self._send(act, at)
            self._changed.set()

    async def _send(self, act: dict[str, Any], at: float) -> None:
        late = {"lapsed": True} if time.monotonic() - at > LIFETIME else {}
        made = {"made": [self._pinged[0], round(1000 * (at - self._pinged[1]))]} if self._pinged else {}
        assert self._socket is not None
        try:
            await self._socket.send(json.dumps(act | made | late))
        except ConnectionClosed:
            self._socket = None


async def race(
    port: int, table: Table, is_cut: bool, seconds: float, delay: float
) -> tuple[Counter[str], float | None]:
    """One trial: its outcomes, and the time until Ben is back."""
    with Line(port, delay) as line:
        ann, ben = Player(port, table, 0), Player(line.port, table, 1)
        for player in (ann, ben):
            await player.reach(0)
        for text in ("ready", "lift L"):
            for player in (ann, ben):
                assert await player.answer(await player.act(text)) == "ack"
        await asyncio.gather(ann.reach(HELD), ben.reach(HELD))
        await asyncio.sleep(1.3)
        began = time.monotonic()
        if is_cut:
            line.is_down = True
            line.cut()
        else:
            line.stall(seconds)
        await asyncio.sleep(ANN_AFTER)
        await ann.answer(await ann.act(SPOT))
        await asyncio.sleep(BEN_AFTER - ANN_AFTER)
        was_shown = ben.seq > HELD
        placed = await ben.act(SPOT)
        await asyncio.sleep(CALL_AFTER - BEN_AFTER)
        called = await ben.act("icehouse")
        await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))
        line.is_down = False
        back = time.monotonic()
        outcomes = Counter(trials=1)
        for name, act in (("place", placed), ("call", called)):
            try:
                outcomes[f"{name} {await asyncio.wait_for(ben.answer(act), 10)}"] += 1
            except TimeoutError:
                outcomes[f"{name} without an answer"] += 1
        await asyncio.sleep(0.2)
        outcomes["crashes"] += sum(effect["kind"] == "crashes" for effect in ann.effects)
        for player in (ann, ben):
            await player.close()
    if was_shown:  # this machine was too busy, and the trial too late
        return Counter(void=1), None
    return outcomes, ben.joins[-1] - back


async def pace(server: Server) -> float:
    """The seconds that a program takes for fifteen pieces."""
    table = server.create_table("icehouse", people("Ann", "Ben"), options=OPTIONS, scripts=False)
    ann, ben = Player(server.port, table, 0), Player(server.port, table, 1)
    for player in (ann, ben):
        await player.answer(await player.act("ready"))
    placed, began = 0, 0.0
    while placed < 15:
        await ann.answer(await ann.act(f"lift {'SML'[placed % 3]}"))
        text = f"place {2000 + 2500 * (placed % 8)},{2000 + 2500 * (placed // 8)} stand 0.0"
        answer = await ann.answer(await ann.act(text))
        assert answer in ("ack", "too-quick"), answer
        placed += answer == "ack"
        began = began or time.monotonic()
        await asyncio.sleep(0.05)  # a socket may send fifty messages a second
    seconds = time.monotonic() - began
    for player in (ann, ben):
        await player.close()
    return seconds


async def measure(server: Server, trials: int, delay: float) -> None:
    print(f"fifteen pieces by a program: {await pace(server):.2f} s")
    for is_cut, lengths in ((False, STALLS), (True, CUTS)):
        for seconds in lengths:
            total, backs = Counter[str](), list[float]()
            while total["trials"] < trials:
                count = min(AT_ONCE, trials - total["trials"])
                tables = [server.create_table("icehouse", people("Ann", "Ben"), options=OPTIONS) for _ in range(count)]
                races = [race(server.port, table, is_cut, seconds, delay) for table in tables]
                for outcomes, back in await asyncio.gather(*races):
                    total.update(outcomes)
                    backs += [] if back is None else [back]
            found: dict[str, Any] = {"cut" if is_cut else "stall": seconds, **total}
            if is_cut:
                found |= {"back after": round(median(backs), 2), "at most": round(max(backs), 2)}
            print(json.dumps(found), flush=True)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20, help="number of trials of each kind (%(default)s)")
    parser.add_argument("--delay", type=int, default=40, help="one-way delay in milliseconds (%(default)s)")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder, Server(Path(folder) / "tables.db", program="icetable") as server:
        asyncio.run(measure(server, chosen.trials, chosen.delay / 1000))


if __name__ == "__main__":
    main()
