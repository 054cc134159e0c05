"""Closing a connection whose client may still be sending, so that it can read the answer.

A socket that is closed with unread bytes resets the connection, and the client may lose the answer. So the rest is
taken and dropped for a while, unparsed.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket

LINGER_SECONDS = 2
LINGER_BYTES = 1 << 20
"""For how long, and how much of what a client still sends is taken."""
MAX_LINGERING = 500
"""When more connections than this linger, others are closed at once."""

_lingering = set[asyncio.Task[None]]()
_dropped = bytearray(64 * 1024)


def linger(transport: asyncio.BaseTransport) -> None:
    """Let a connection linger whose transport is about to close its socket."""
    connected = transport.get_extra_info("socket")
    if len(_lingering) < MAX_LINGERING:
        with contextlib.suppress(OSError):  # there are no more files
            copy = socket.fromfd(connected.fileno(), connected.family, connected.type)
            task = asyncio.get_running_loop().create_task(_linger(copy))
            _lingering.add(task)
            task.add_done_callback(_lingering.discard)


async def _linger(copy: socket.socket) -> None:
    loop, left = asyncio.get_running_loop(), LINGER_BYTES
    with copy, contextlib.suppress(OSError):  # the client has gone, or takes too long
        copy.setblocking(False)
        copy.shutdown(socket.SHUT_WR)
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0 and (count := await loop.sock_recv_into(copy, _dropped)):
                left -= count
