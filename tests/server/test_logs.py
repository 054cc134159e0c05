"""The log of a real server at its default level while people play, err and attack: nothing in it is theirs."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from .fuzzing import junk
from .serving import Client, copy_of, create_table, person
from .support import tamper

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("Ann Unmistakable", "Bob Unmistakable")


@contextmanager
def serving(database: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server as everybody starts one, and its address; it is killed at the end if it still runs."""
    command = [sys.executable, "-m", "icetable", "serve", "--port=0", "--metrics-port=0", "--db", str(database)]
    environment = {**os.environ, "ICETABLE_JIT": "0"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://\S+/", process.stdout.readline())
            assert address is not None
            yield process, address[0]
        finally:
            process.kill()


def test_the_log_tells_nothing_of_the_people_and_their_games(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"
    with serving(database) as (server, url):
        table, changed, codes = live_dangerously(url, database)
        with copy_of(database) as log:
            setups = [setup for name in (table, changed) if (setup := log.tables.setup(name)) is not None]
        server.send_signal(signal.SIGTERM)
        written, _ = server.communicate()
    lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    (changes,) = [line for line in lines if line["event"] == "the log of a table was changed"]
    assert changes["cause"] == "Tampered"
    assert lines[-1]["event"] == "ended"
    secrets = [*codes, table, changed, "nmistakable", "UNMISTAKABLE"]
    for setup in setups:
        secrets += [setup.secret.hex(), *(str(seat.code_hash) for seat in setup.seats)]
    assert len(setups) == 2
    assert not [secret for secret in secrets if secret in written]


def live_dangerously(url: str, database: Path) -> tuple[str, str, list[str]]:
    """Two games, strangers who say anything, and a log that somebody changes; the tables, and the codes of both."""
    dice, people = random.Random(3), [person(name) for name in NAMES]
    table, codes = create_table(url, *people, game="icehouse", timer=9000)
    changed, others = create_table(url, *people)
    with Client(url, table, codes) as client, Client(url, changed, others) as other:
        for seat, text in ((0, "ready"), (1, "ready"), (0, "icehouse"), (0, "nonsense"), (1, "lift L")):
            client.act(seat, text)
        other.act(0, "S@b1")
    with Client(url) as stranger:
        for _ in range(50):
            stranger.socket.send(junk(dice))
            assert stranger.listen()["type"] == "error"
        stranger.say(type="join", table=changed, codes=["UNMISTAKABLE" * 3])
    for path in (f"api/tables/{table}/record", f"api/tables/{table}x/record", "api/nowhere", f"api/rules/{codes[0]}"):
        httpx.get(url + path)
    tamper(database, "UPDATE acts SET text = 'Unmistakable' WHERE table_id = ?", (changed,))
    with Client(url) as client:
        client.say(type="join", table=changed, codes=others)
        assert "has been changed" in client.hear("error")["message"]
    return table, changed, [*codes, *others]
