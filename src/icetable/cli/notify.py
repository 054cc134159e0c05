"""What the service manager of the system is told, where it asks for it."""

from __future__ import annotations

import contextlib
import os
import socket

READY, STOPPING = b"READY=1", b"STOPPING=1"


def notify(what: bytes) -> None:
    """Tell systemd how the service is. Without it nothing is told."""
    place = os.environ.get("NOTIFY_SOCKET")
    if place and hasattr(socket, "AF_UNIX"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.connect(f"\0{place[1:]}" if place.startswith("@") else place)
            manager.send(what)
