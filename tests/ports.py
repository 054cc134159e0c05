"""Ports for servers that are killed and come back to the same address."""

from __future__ import annotations

import itertools
import os
import socket

FIRST, PORTS_OF_A_WORKER = 20_000, 500
"""Below all that systems give to clients: one of those could be taken while the server is away."""

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 20
_ports = itertools.cycle(range(FIRST + _worker * PORTS_OF_A_WORKER, FIRST + (_worker + 1) * PORTS_OF_A_WORKER))


def port_to_come_back_to() -> int:
    """A free port that nothing else takes meanwhile: each worker of the tests has ports of its own."""
    for port in itertools.islice(_ports, PORTS_OF_A_WORKER):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise OSError("no port is free")
