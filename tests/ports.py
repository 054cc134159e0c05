"""Ports for servers that are killed and come back to the same address."""

from __future__ import annotations

import itertools
import os
import socket

FIRST, PORTS_OF_A_WORKER = 20_000, 500
"""Below all that systems give to clients: one of those could be taken while the server is away."""

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 20
_numbers = itertools.count(os.getpid())  # tests of another checkout at the same time mostly begin elsewhere


def port_to_come_back_to() -> int:
    """A free port that nothing else takes meanwhile: each worker of the tests has ports of its own."""
    for number in itertools.islice(_numbers, PORTS_OF_A_WORKER):
        port = FIRST + _worker * PORTS_OF_A_WORKER + number % PORTS_OF_A_WORKER
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise OSError("no port is free")
