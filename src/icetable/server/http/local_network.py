"""Opening a loopback server to a local network, and closing it again, without a restart."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from icetable.core.options import short_repr
from icetable.server.http.addresses import CannotServe, address_of, bind
from icetable.server.http.interfaces import OwnNetwork, networks
from icetable.server.table.errors import BadTable

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable

NO_NETWORK_ERROR = "This machine has no address in a local network."


class LocalNetwork:
    """Listens at the addresses that a player at this machine chooses, until they are closed or the process ends."""

    def __init__(
        self,
        port: int,
        listen: Callable[[list[socket.socket]], Awaitable[None]],
        stop: Callable[[str], None],
        on_opened: Callable[[list[str]], object],
    ) -> None:
        """`listen` accepts connections at more sockets, and `stop` ends that at a host.

        `on_opened` gets the new addresses.
        """
        self._port = port
        self._listen = listen
        self._stop = stop
        self._on_opened = on_opened
        self._opened: dict[str, str] = {}

    def choices(self) -> list[tuple[OwnNetwork, str | None]]:
        """The networks of this machine, the likeliest first, each with its open address, if it is open."""
        return [(network, self._opened.get(network.host)) for network in networks()]

    def addresses(self) -> list[str]:
        """The open addresses, without those of networks that this machine has left."""
        return [address for _, address in self.choices() if address is not None]

    async def open(self, host: str) -> None:
        """Listen at one of this machine's addresses. Raises CannotServe or BadTable."""
        hosts = [network.host for network in await asyncio.to_thread(networks)]
        if not hosts:
            raise CannotServe(NO_NETWORK_ERROR)
        if host not in hosts:
            raise BadTable(f"{short_repr(host)} is not an address of this machine; it has: {', '.join(hosts)}")
        if host not in self._opened:
            bound = bind(host, self._port)
            self._opened[host] = address_of(bound)
            await self._listen(bound)
            self._on_opened([self._opened[host]])

    async def close(self, host: str) -> None:
        """Stop listening at an address, and close the connections that came in there."""
        if self._opened.pop(host, None) is not None:
            self._stop(host)
