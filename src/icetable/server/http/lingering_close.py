"""Closing a connection whose client may still be sending, so that it can read the answer.

Closing a socket with unread bytes resets the connection, and the client may lose the answer. So the rest is read and
discarded for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket

LINGER_SECONDS = 2
MAX_LINGER_BYTES = 1 << 20
MAX_LINGERING = 500
"""Maximum number of lingering connections; further ones are closed immediately."""

_lingering = set[asyncio.Task[None]]()
_discarded = bytearray(64 * 1024)


def linger(transport: asyncio.BaseTransport) -> None:
    """Let a connection linger before its transport closes the socket."""
    connected = transport.get_extra_info("socket")
    if len(_lingering) < MAX_LINGERING:
        with contextlib.suppress(OSError):  # no file descriptor is left
            copy = socket.fromfd(connected.fileno(), connected.family, connected.type)
            task = asyncio.get_running_loop().create_task(_linger(copy))
            _lingering.add(task)
            task.add_done_callback(_lingering.discard)


async def _linger(copy: socket.socket) -> None:
    loop, left = asyncio.get_running_loop(), MAX_LINGER_BYTES
    with copy, contextlib.suppress(OSError):  # the client has disconnected or takes too long
        copy.setblocking(False)
        copy.shutdown(socket.SHUT_WR)
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0 and (count := await loop.sock_recv_into(copy, _discarded)):
                left -= count
