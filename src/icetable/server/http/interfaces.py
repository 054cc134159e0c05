"""The networks of this machine: its addresses in them, and by what it is connected."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from icetable.server.http.addresses import is_for_others, own_addresses

if TYPE_CHECKING:
    from collections.abc import Iterator

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
IS_UP = 1
INET_AT, INET6_AT = slice(4, 8), slice(8, 24)
"""Where the address is in a socket address of each family."""
INET, INET6 = 2, 10 if sys.platform.startswith("linux") else 30


class OwnNetwork(NamedTuple):
    """An address of this machine. `name`: the interface's; empty if the system does not tell."""

    host: str
    kind: Kind
    name: str


def networks() -> list[OwnNetwork]:
    """The networks in which others can reach this machine, but not the internet, the likeliest first."""
    names = dict(interface_addresses())
    usual = [host for _, host in own_addresses()]
    hosts = [host for host in dict.fromkeys([*usual, *names]) if is_private(host)]
    found = [OwnNetwork(host, kind_of(names.get(host, "")), names.get(host, "")) for host in hosts]
    return sorted(found, key=lambda one: (LIKELIEST.index(one.kind), ":" in one.host))


def is_private(host: str) -> bool:
    """Whether others can reach this machine at an address that is not one of the internet."""
    return is_for_others(host) and not ip_address(host).is_global


def kind_of(name: str) -> Kind:
    """By what an interface of this name is connected."""
    if name and Path(WIRELESS.format(name)).exists():
        return "wifi"
    kind: Kind = next((kind for kind, beginnings in KINDS if name.startswith(beginnings)), "network")
    return "network" if sys.platform == "darwin" and kind == "cable" else kind


class _Interface(ctypes.Structure):
    """`struct ifaddrs`, up to the address."""

    _fields_ = (
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("flags", ctypes.c_uint),
        ("address", ctypes.c_void_p),
    )


def interface_addresses() -> Iterator[tuple[str, str]]:
    """The addresses of the interfaces that are up, each with the interface's name; none where they can't be listed."""
    try:
        system = ctypes.CDLL(ctypes.util.find_library("c"))
        list_all, free = system.getifaddrs, system.freeifaddrs
    except (OSError, AttributeError, TypeError):  # Windows
        return
    first = ctypes.c_void_p()
    if list_all(ctypes.byref(first)) != 0:
        return
    try:
        at = first.value
        while at is not None:
            entry = _Interface.from_address(at)
            host = _host_at(entry.address) if entry.address and entry.flags & IS_UP else None
            if host is not None:
                yield host, entry.name.decode(errors="replace")
            at = entry.next
    finally:
        free(first)


def _host_at(address: int) -> str | None:
    """The host of a socket address in memory; None unless it is an IP address."""
    head = ctypes.string_at(address, 2)
    family = head[0] | head[1] << 8 if sys.platform.startswith("linux") else head[1]
    if family == INET:
        return str(ip_address(ctypes.string_at(address, INET_AT.stop)[INET_AT]))
    if family == INET6:
        return str(ip_address(ctypes.string_at(address, INET6_AT.stop)[INET6_AT]))
    return None
