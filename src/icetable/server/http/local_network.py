"""Opening a loopback server to the local network without a restart."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import TYPE_CHECKING

from icetable.server.http.addresses import CannotServe, address_of, bind, is_for_others, own_addresses

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable


class LocalNetwork:
    """Listens in the local network once a player at this machine asks for it, until the process ends."""

    def __init__(
        self,
        port: int,
        listen: Callable[[list[socket.socket]], Awaitable[None]],
        on_opened: Callable[[list[str]], object],
    ) -> None:
        """`listen` accepts connections at more sockets; `on_opened` gets the new addresses."""
        self._port = port
        self._listen = listen
        self._on_opened = on_opened
        self._opened: dict[str, str] = {}

    def addresses(self) -> list[str]:
        """The open addresses, without those of networks that this machine has left."""
        return [self._opened[host] for host in hosts_in_network() if host in self._opened]

    async def open(self) -> None:
        """Listen at each local address. Raises CannotServe."""
        hosts = await asyncio.to_thread(hosts_in_network)
        if not hosts:
            raise CannotServe("This machine has no address in a local network.")
        for host in hosts:
            if host not in self._opened:
                bound = bind(host, self._port)
                self._opened[host] = address_of(bound)
                await self._listen(bound)
                self._on_opened([self._opened[host]])


def hosts_in_network() -> list[str]:
    """The private addresses of this machine, the likeliest first."""
    return [host for _, host in own_addresses() if is_for_others(host) and not ip_address(host).is_global]
