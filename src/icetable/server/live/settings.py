"""What the operator of a server has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from icetable.server.rate_limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from collections.abc import Collection
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.core.game import GameInfo
    from icetable.server.live.push import Push


@dataclass(frozen=True)
class Settings:
    """The settings of a server."""

    host: str = "127.0.0.1"
    """The address to listen at."""
    port: int = 8421
    """The port to listen at; 0 is any free one."""
    socket_path: Path | None = None
    """A Unix socket to listen at instead of host and port."""
    lan: bool | None = False
    """Whether the server is for the local network: it also listens at 127.0.0.1, and answers only to host names of this
    machine. None: it listens at a loopback address, until a player at this machine opens it to the network."""
    behind_proxy: bool = False
    """Whether a proxy on this machine, or at the addresses in FORWARDED_ALLOW_IPS, sends the client's address in
    X-Forwarded-For."""
    public_url: str | None = None
    """The URL of the pages, for proxies that don't send it."""
    prefix: str = ""
    """The path in front of all routes, without a slash at its end."""
    db: str | Path | None = None
    """The SQLite file or the PostgreSQL URL of the tables; by default a file in the user's data folder."""
    limits: Limits = DEFAULT_LIMITS
    """The limits on clients."""
    keep_days: int | None = None
    """How long tables that nobody visits are stored; None for ever."""
    games: Collection[GameInfo] = ()
    """The games whose kernels are compiled in the background."""
    load_first: bool = False
    """Whether the cached kernels of `games` are loaded before the server accepts connections."""
    cluster: Executor | None = None
    """Searches for reviews and analyses, instead of processes on this machine."""
    push: Push | None = None
    """Sends push notifications; None sends none."""
    links: Mapping[str, str] = field(default_factory=dict)
    """The URLs of the operator's imprint and privacy notice, by these names."""
    access_log: bool = False
    """Whether requests are logged."""
