#!/usr/bin/env python3
"""Flip single bits of a server's database, and check what players are shown after that.

Each table must show what was acknowledged, or be refused with a reason, and every request must be answered in time.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from crowd import Server, Wrong
from load import run
from siege import FAILURES, PERSON, Player, browser, join_all, move, next_mover, open_table
from visitor import hear, say, socket

from icetable.core.game import CHANCE

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("icefrogs", {}),
    ("squad", {}),
    ("wrecktangle", {}),
    ("highrise", {}),
]
TABLES, ACTS = 8, 14
ANSWER_SECONDS = 5.0
"""Timeout of a request."""


class Known(NamedTuple):
    """A table and the acknowledged state of its game."""

    table: str
    codes: dict[str, str]
    seen: list[Any]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=200, help="number of flips (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first flip (%(default)s)")
    chosen = parser.parse_args()
    os.environ["ICETABLE_JIT"] = "0"  # there are no bots, and the server starts faster
    with TemporaryDirectory() as folder:
        original = Path(folder) / "original"
        original.mkdir()
        known = run(build(original))
        findings = Counter[str]()
        for number in range(chosen.first, chosen.first + chosen.flips):
            flip(original, Path(folder) / "flipped", known, number, findings)
        print(json.dumps({"flips": chosen.flips, **dict(sorted(findings.items()))}))


async def build(folder: Path) -> list[Known]:
    """Create a database with some tables, and return their acknowledged states."""
    server = Server(folder / "tables.sqlite")
    server.start()
    dice, known = random.Random(1), list[Known]()
    async with browser(server) as http:
        for number in range(TABLES):
            game, options = GAMES[number % len(GAMES)]
            table, codes = await open_table(http, game, [PERSON] * 2, **options)
            players = await join_all(server, table, codes)
            while players[0].frame["seq"] < ACTS and not players[0].is_over:
                mover = await next_mover(players)
                await move(mover, dice.choice(mover.legal), players)
                await settled(players[0])
            for player in players:
                await player.leave()
            known.append(Known(table, codes, await seen_of(server, table, codes)))
    if server.end(signal.SIGTERM):
        raise SystemExit("the server did not end well")
    return known


async def settled(player: Player) -> None:
    """Wait until chance has acted."""
    await player.until(lambda: player.is_over or (player.frame["view"]["to_act"] or [CHANCE]) != [CHANCE])


async def seen_of(server: Server, table: str, codes: dict[str, str]) -> list[Any]:
    async with socket(server.url, "127.0.0.1") as one:
        await say(one, type="join", table=table, codes=list(codes.values()))
        return seen(await hear(one, "welcome"))


def seen(welcome: dict[str, Any]) -> list[Any]:
    """The state of the game in a welcome, which has no lines if the game hides its history."""
    frame = welcome["frame"]
    return [welcome["lines"], frame["seq"], frame["view"], frame["legal"]]


def flip(original: Path, folder: Path, known: list[Known], number: int, findings: Counter[str]) -> None:
    """Flip one bit of a copy, start a server, and visit all tables."""
    dice = random.Random(number)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(original, folder)
    database = folder / "tables.sqlite"
    content = bytearray(database.read_bytes())
    bit = dice.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    database.write_bytes(content)
    server = Server(database)
    try:
        server.start()
    except Wrong:
        findings["does not start"] += 1
        server.process.wait()
        return
    try:
        run(visit(server, known, number, findings))
    finally:
        if status := server.end(signal.SIGTERM):
            findings[f"ENDED WITH {status}"] += 1
            print(f"flip {number}: ended with {status}", file=sys.stderr, flush=True)


async def visit(server: Server, known: list[Known], number: int, findings: Counter[str]) -> None:
    for one in known:
        start = time.monotonic()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                result = await check(server, one)
        except TimeoutError:
            result = "UNANSWERED"
        except FAILURES as error:
            result = f"LOST THE LINE: {type(error).__name__}"
        findings[result.partition(":")[0]] += 1
        if result.isupper() or result.partition(":")[0].isupper():
            print(f"flip {number}, table {one.table}: {result} after {time.monotonic() - start:.1f} s", file=sys.stderr)


async def check(server: Server, known: Known) -> str:
    """Compare a table with its acknowledged state and try an act there; the result as text."""
    async with socket(server.url, "127.0.0.1") as one:
        await say(one, type="join", table=known.table, codes=list(known.codes.values()))
        answer = await hear(one, "welcome", "error")
        if answer["type"] == "error":
            return "refused" if len(answer["message"]) > 10 else "REFUSED WITHOUT A REASON"
        if seen(answer) != known.seen:
            return f"OTHERWISE: after {answer['frame']['seq']} acts"
        for seat, acts in answer["frame"]["legal"].items():
            await say(one, type="act", id="1", seat=int(seat), text=acts[0])
            answer = await hear(one, "ack", "refused", "error")
            return "as it was" if answer["type"] == "ack" else "as it was, takes no acts"
    return "as it was"


if __name__ == "__main__":
    main()
