"""Servers in processes of their own, which tests kill and start again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Self

from tests.ports import port_to_come_back_to

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """
import sys
from icetable.server.http import server
from icetable.server.http.api import connection
from icetable.server.live.settings import Settings
from icetable.server.rate_limits import Limits

def ready(address):
    heavy = {"numpy", "numba", "markdown_it"} & set(sys.modules)
    print(address, *heavy, flush=True)

connection.MESSAGE_BURST = 10**9
server.serve(Settings(port=int(sys.argv[1]), db=sys.argv[2], limits=Limits(10**6)), ready)
print("ended", flush=True)
"""


class Process:
    """A server process, whenever it starts on the same port."""

    program = SERVER

    def __init__(self, database: Path | str) -> None:
        self.database = database
        self.port = port_to_come_back_to()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-c", self.program, str(self.port), str(self.database)],
            env={**os.environ, "ICETABLE_JIT": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()
        self.url = self.first_line.split()[0]

    def end(self, how: signal.Signals) -> tuple[str, str]:
        """End the process, and return its stdout and stderr since it began to serve."""
        self.process.send_signal(how)
        out, err = self.process.communicate()
        return out, err

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if self.process.returncode is None:
            said = self.end(signal.SIGKILL)[1]
            if failed:
                sys.stderr.write(f"The server ended with {self.process.wait()}; it had said: {said}\n")
