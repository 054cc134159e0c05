"""Notifications to the system's service manager."""

from __future__ import annotations

import contextlib
import os
import socket

READY, STOPPING = b"READY=1", b"STOPPING=1"


def notify(state: bytes) -> None:
    """Send the state of the service to systemd, if it runs the service."""
    path = os.environ.get("NOTIFY_SOCKET")
    if path and hasattr(socket, "AF_UNIX"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.connect(f"\0{path[1:]}" if path.startswith("@") else path)
            manager.send(state)
