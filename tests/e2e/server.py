"""A real icetable server in a process of its own."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple, Self

from tests.ports import port_to_come_back_to

START_SECONDS = 60.0  # a limit for a server that hangs; a good one takes a second or two
PLAIN = {"ICETABLE_JIT": "0"}
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


OPEN = {"kind": "open", "name": "", "level": None}
"""A seat that anybody may take."""


def person(name: str) -> dict[str, Any]:
    return {"kind": "person", "name": name, "level": None}


def people(*names: str) -> list[dict[str, Any]]:
    return [person(name) for name in names]


class Table(NamedTuple):
    """A table, the codes of its people's seats, and the address of its page for those who watch."""

    table: str
    codes: list[str]
    host: str | None
    address: str

    def link(self, *seats: int) -> str:
        """The address for a page that has these of its codes, or all."""
        codes = [self.codes[seat] for seat in seats] if seats else self.codes
        return f"{self.address}#seat={','.join(codes)}"


class Server:
    """`icetable play`, with more `options`, on a port of its own; under a `prefix` it is `icetable serve`.

    `url` ends in a slash; `output` is all that it has printed so far.
    """

    def __init__(self, database: Path, *options: str, program: str | None = None, prefix: str = "") -> None:
        """`program`: the module that Python is to run.

        Only where `icetable` is named are kernels compiled, as they are at its start: that costs more than most tests.
        """
        self._prefix = prefix
        self.database = database
        self._options = options
        self._program = program
        self.port = port_to_come_back_to()
        self._lines: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self._prefix}/"

    @property
    def output(self) -> str:
        return "".join(self._lines)

    def create_table(self, game: str, seats: list[dict[str, Any]], **terms: Any) -> Table:
        """A new table; for as many players as seats, unless `options` are among the terms.

        At Icehouse tests play ahead, faster than any hand.
        """
        quick = {"scripts": True} if game == "icehouse" else {}
        wanted = {"game": game, "options": {"players": len(seats)}, "seats": seats, **quick, **terms}
        request = urllib.request.Request(
            f"{self.url}api/tables", json.dumps(wanted).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            created = json.load(answer)
        codes = list(created["codes"].values())
        return Table(created["table"], codes, created["host"], f"{self.url}table/{created['table']}")

    def start(self) -> None:
        """Start it and wait for its address."""
        under = ["serve", "--prefix", self._prefix, "--metrics-port=0"]
        command = under if self._prefix else ["play", "--no-browser"]
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                self._program or "icetable",
                *command,
                "--port",
                str(self.port),
                "--db",
                str(self.database),
                *self._options,
            ],
            env={**os.environ, "PYTHONUNBUFFERED": "1"} | ({} if self._program == "icetable" else PLAIN),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        news: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, args=(news,), daemon=True)
        self._reader.start()
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                line = news.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = ""
            if ADDRESS.search(line):
                return
            if not line:
                self.kill()
                raise RuntimeError(f"icetable play gave no address:\n{self.output}")

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()
        self._finish()

    def stop(self) -> None:
        """End it as Ctrl-C or a service manager would."""
        self._process.terminate()
        try:
            self._process.wait(START_SECONDS)
        finally:
            self.kill()

    def restart(self) -> None:
        """Start it again on the same port and database; a server that still runs is killed first."""
        self.kill()
        self.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _read(self, news: queue.SimpleQueue[str]) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        for line in stdout:
            self._lines.append(line)
            news.put(line)
        news.put("")

    def _finish(self) -> None:
        self._process.wait()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
