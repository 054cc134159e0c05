"""A client of the server: one socket, and the seats that its codes give access to."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.live.line import Line
from icetable.server.rate_limits import TokenBucket
from icetable.server.table.seats import hash_code
from icetable.server.table.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NEW_CODES = 16
"""Maximum number of remembered codes that a client has chosen at its table: more than a table has seats."""
AIMS_PER_SECOND = 6
"""How often other clients are sent the position of a hand, apart from bursts."""


class Client:
    """One socket, with its access rights at its table (`viewer`)."""

    def __init__(self, send_bytes: Callable[[bytes], None], browser: str | None = None) -> None:
        """`send_bytes` must not block; `browser` is the SHA-256 of the browser's cookie."""
        self.send_bytes = send_bytes
        self.viewer = Viewer()
        self.browser = browser
        self.reconnect: Callable[[str], None] = lambda _: None
        """Closes the socket with this reason, so that the client comes back and joins anew."""
        self._joined_with: frozenset[str] = frozenset()
        self._new_codes: deque[str] = deque(maxlen=MAX_NEW_CODES)
        self.aims = TokenBucket(2 * AIMS_PER_SECOND, AIMS_PER_SECOND)
        self.line = Line(lambda number: send_bytes(messages.write(messages.Ping(number))), time.monotonic)

    @property
    def code_hashes(self) -> frozenset[str]:
        """The SHA-256 hashes of the client's codes."""
        return self._joined_with.union(self._new_codes)

    def set_codes(self, codes: list[str], held: frozenset[str] = frozenset()) -> None:
        """Replace all codes, to join a table. `held`: hashes of the codes stored for the browser's cookie."""
        self._joined_with = held.union(map(hash_code, codes))
        self._new_codes.clear()

    def add_code(self, code: str) -> None:
        """Remember a code that the client has chosen for a seat."""
        self._new_codes.append(hash_code(code))

    def send(self, message: messages.ServerMessage) -> None:
        """Send a message to this client alone."""
        self.send_bytes(messages.write(message))
