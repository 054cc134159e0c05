"""The network interfaces of this machine and their addresses, from the C library: Python's has none for that."""

from __future__ import annotations

import ctypes
import socket
import sys
from ctypes import POINTER, Structure, c_char_p, c_uint, c_void_p
from ipaddress import IPv4Address, IPv6Address
from typing import Any, NamedTuple

UP, POINT_TO_POINT, RUNNING = 0x1, 0x10, 0x40
"""Flags of an interface, alike on Linux and the systems that descend from BSD."""


class InterfaceAddress(NamedTuple):
    """An address of an interface that is up."""

    family: socket.AddressFamily
    host: str
    is_tunnel: bool
    """Whether it leads to one other machine, such as that of a VPN."""
    name: str
    """The name of the interface, such as "wlan0"."""


class _Entry(Structure):
    """The beginning of C's `struct ifaddrs`, which is alike everywhere."""


_Entry._fields_ = [
    ("next", POINTER(_Entry)),
    ("name", c_char_p),
    ("flags", c_uint),
    ("address", c_void_p),
]


def interface_addresses() -> list[InterfaceAddress]:
    """The addresses of all interfaces that are up, in the system's order; none where the system does not tell them."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        first = POINTER(_Entry)()
        if library.getifaddrs(ctypes.byref(first)):
            return []
    except (OSError, AttributeError, TypeError):  # as on Windows
        return []
    found = []
    entry: Any = first  # false at the end of the list
    while entry:
        flags, address, name = entry.contents.flags, entry.contents.address, entry.contents.name
        entry = entry.contents.next
        if flags & UP and flags & RUNNING and address and (read := _read(address)):
            found.append(InterfaceAddress(*read, bool(flags & POINT_TO_POINT), name.decode(errors="replace")))
    library.freeifaddrs(first)
    return found


def _read(address: int) -> tuple[socket.AddressFamily, str] | None:
    """The family and the text of a `struct sockaddr` of the internet; None for others."""
    head = ctypes.string_at(address, 2)
    family = int.from_bytes(head, sys.byteorder) if sys.platform == "linux" else head[1]
    if family == socket.AF_INET:
        return socket.AF_INET, str(IPv4Address(ctypes.string_at(address + 4, 4)))
    if family == socket.AF_INET6:
        return socket.AF_INET6, str(IPv6Address(ctypes.string_at(address + 8, 16)))
    return None
