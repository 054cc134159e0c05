"""Opening a loopback server to a local network, and closing it again, without a restart."""

from __future__ import annotations

import asyncio
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from icetable.core.options import short_repr
from icetable.server.http.addresses import CannotServe, address_of, bind, is_for_others, own_addresses
from icetable.server.http.interfaces import interface_addresses
from icetable.server.table.errors import BadTable

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable

NO_NETWORK_ERROR = "This machine has no address in a local network."

Kind = Literal["wifi", "cable", "network", "vpn", "virtual"]

KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("vpn", ("tun", "tap", "utun", "wg", "ppp", "ipsec", "tailscale", "zt", "nordlynx")),
    ("virtual", ("docker", "br-", "bridge", "veth", "virbr", "vmnet", "vboxnet", "lxc", "podman", "cni")),
    ("wifi", ("wl", "wifi", "ath")),
    ("cable", ("eth", "en", "em")),
)
"""The usual beginnings of interfaces' names. On macOS any "en" may be wireless."""
LIKELIEST: tuple[Kind, ...] = ("wifi", "cable", "network", "vpn", "virtual")
WIRELESS = "/sys/class/net/{}/wireless"


class OwnNetwork(NamedTuple):
    """A network of this machine."""

    host: str
    """The machine's address in it."""
    kind: Kind
    """By what the machine is connected."""
    name: str
    """The interface's name; empty if the system does not tell."""


def networks() -> list[OwnNetwork]:
    """The networks in which others can reach this machine, but not the internet, the likeliest first."""
    names = {address.host: address.name for address in interface_addresses()}
    hosts = [host for _, host in own_addresses() if is_for_others(host) and not ip_address(host).is_global]
    found = [OwnNetwork(host, kind_of(names.get(host, "")), names.get(host, "")) for host in hosts]
    return sorted(found, key=lambda one: (LIKELIEST.index(one.kind), ":" in one.host))


def kind_of(name: str) -> Kind:
    """By what an interface of this name is connected."""
    if name and Path(WIRELESS.format(name)).exists():
        return "wifi"
    kind: Kind = next((kind for kind, beginnings in KINDS if name.startswith(beginnings)), "network")
    return "network" if sys.platform == "darwin" and kind == "cable" else kind


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
