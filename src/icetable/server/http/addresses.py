"""The addresses that a server listens at, the URLs and origins of its pages, and the networks it can be opened to."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import os
import re
import socket
import sys
from ctypes import POINTER, Structure, c_char_p, c_uint, c_void_p
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urlsplit

from icetable.core.options import short_repr
from icetable.server import HIGHEST_PORT
from icetable.server.errors import BadTable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    SocketAddress = tuple[socket.AddressFamily, tuple[str | int, ...]]
    """An address family, and a socket address without its port."""

DEFAULT_PORTS = {"http": 80, "https": 443}
PAGE_SCHEMES = {"ws": "http", "wss": "https"}
"""The scheme of the page for each WebSocket scheme."""
HOST = re.compile(r"[a-z0-9_.-]+")
MAX_HOST_LENGTH = 253
EXPECTED_URL = "is the address of the pages, such as https://icetable.example.org"
UP, POINT_TO_POINT, RUNNING = 0x1, 0x10, 0x40
"""Flags of an interface, alike on Linux and the systems that descend from BSD."""
STALLED_SECONDS = 30
"""A client that acknowledges no data for this long is dropped, on systems that support it."""
BACKLOG = 2048
BIND_ATTEMPTS = 20
"""Attempts to find a port that is free in both address families."""
LOOPBACK = "127.0.0.1"
ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 (not bound here)
BOTH_FAMILIES = {"localhost": ("127.0.0.1", "::1"), "::": ("0.0.0.0", "::")}  # noqa: S104 (only on request)
"""Hosts that mean one address of each family, whatever the system resolves them to."""
UNAVAILABLE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
PROBE_TARGETS = ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::1"))
"""Documentation addresses: the source address that the system picks for them is the one that others reach."""
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


class BadAddress(ValueError):
    """An invalid address for a server's pages. The message says what is wrong with it."""


class CannotServe(Exception):
    """The server can't start; the text says why, in one sentence."""


class CanNeverServe(CannotServe):
    """The server can't start before something is changed: trying again does not help."""


def bind(host: str, port: int, *, with_loopback: bool = False) -> list[socket.socket]:
    """Bind listening sockets at each address of a host; port 0 is any free one. Raises CannotServe.

    `::` and `localhost` mean both families. Addresses that this machine does not have are skipped. With `with_loopback`
    the first socket listens at 127.0.0.1.
    """
    if not 0 <= port <= HIGHEST_PORT:
        raise CannotServe(f"A port is a number from 0 to {HIGHEST_PORT}, not {short_repr(port)}.")
    addresses = resolve(host)
    if with_loopback and not any(rest[0] in ALL_ADDRESSES for _, rest in addresses):
        addresses = list(dict.fromkeys([*resolve(LOOPBACK), *addresses]))
    for attempts_left in reversed(range(1 if port else BIND_ATTEMPTS)):
        try:
            return _bind_all(addresses, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and attempts_left:
                continue
            if error.errno == errno.EADDRINUSE:
                raise CannotServe(f"Port {port} of {host} is taken; please choose another, or 0 for any.") from None
            if error.errno == errno.EINVAL and _is_link_local(addresses):
                raise CannotServe(f"{host} is a link-local address, and needs its interface: fe80::1%eth0.") from None
            raise CannotServe(f"Port {port} of {host} can't be used: {error.strerror}.") from None
    raise AssertionError("the last try returns or raises")


def check_path(path: Path) -> None:
    """Raise CannotServe if a Unix socket can't be created at a path: a server listens there, or it can't be written."""
    if path.is_socket():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            if client.connect_ex(str(path)) == 0:
                raise CannotServe(f"Another server listens at {path}.")
    elif path.exists():
        raise CannotServe(f"The socket {path} can't be created: there is something else.")
    if not os.access(path.parent, os.W_OK):
        raise CannotServe(f"The socket {path} can't be created: its folder is missing, or can't be written.")


def bind_path(path: Path) -> socket.socket:
    """Bind a listening Unix socket at a path, whose folder's permissions control access. Raises CannotServe.

    The socket file of a killed server is replaced.
    """
    check_path(path)
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        bound.bind(str(path))
        path.chmod(0o666)
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        raise CannotServe(f"The socket {path} can't be created: {error.strerror or error}.") from None
    return bound


def host_of(bound: socket.socket) -> str:
    """The host or the path that a socket is bound to."""
    name = bound.getsockname()
    return name if isinstance(name, str) else str(name[0])


def resolve(host: str) -> list[SocketAddress]:
    """The addresses of a host, without duplicates. Raises CannotServe."""
    bare = without_brackets(host)
    addresses: dict[SocketAddress, None] = {}
    for name in BOTH_FAMILIES.get(bare.lower().removesuffix("."), (bare,)):
        try:
            found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except (OSError, ValueError):  # a name that can't be encoded is a ValueError
            continue
        addresses |= dict.fromkeys((family, (address[0], *address[2:])) for family, _, _, _, address in found)
    if not addresses:
        raise CannotServe(
            f"There is no address {short_repr(host)} to listen at. Use one of this machine's, such as 127.0.0.1, ::1, "
            "fe80::1%eth0 or localhost, or 0.0.0.0 or :: for all of them; the port has its own option."
        )
    return list(addresses)


def without_brackets(host: str) -> str:
    """A host without the brackets that URLs put around IPv6 addresses."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") and ":" in host else host


def _is_link_local(addresses: Sequence[SocketAddress]) -> bool:
    return any(family == socket.AF_INET6 and ip_address(str(rest[0])).is_link_local for family, rest in addresses)


def _bind_all(addresses: Sequence[SocketAddress], port: int) -> list[socket.socket]:
    """A socket for each address that this machine has, all with the same port. Raises OSError."""
    bound: list[socket.socket] = []
    missing: OSError | None = None
    with contextlib.ExitStack() as on_error:
        for family, (host, *rest) in addresses:
            try:
                listener = socket.create_server((host, port, *rest), family=family, backlog=BACKLOG)
            except OSError as error:
                if error.errno not in UNAVAILABLE:
                    raise
                missing = error
                continue
            bound.append(on_error.enter_context(listener))
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # accepted connections inherit it
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_SECONDS * 1000)
            port = listener.getsockname()[1]
        if missing is not None and not bound:
            raise missing
        on_error.pop_all()
    return bound


def address_of(bound: Sequence[socket.socket], prefix: str = "") -> str:
    """The URL of the pages for a browser on this machine."""
    if isinstance(bound[0].getsockname(), str):
        return f"unix:{host_of(bound[0])}"
    host, port, *rest = bound[0].getsockname()
    if rest and rest[-1] and "%" not in host:
        host += f"%{socket.if_indextoname(rest[-1])}"
    return url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port, prefix)  # noqa: S104 (not bound here)


def addresses_for_others(bound: Sequence[socket.socket], prefix: str = "", *, with_loopback: bool = False) -> list[str]:
    """The URLs of the pages for browsers on other machines, the likeliest first.

    Empty unless the sockets listen at all addresses of this machine or were bound `with_loopback`.
    """
    if with_loopback and not any(host_of(sock) in ALL_ADDRESSES for sock in bound):
        return [address_of([sock], prefix) for sock in bound[1:]]
    ports = {sock.family: sock.getsockname()[1] for sock in bound if host_of(sock) in ALL_ADDRESSES}
    found = [(family, host) for family, host in own_addresses() if family in ports]
    return [url(host, ports[family], prefix) for family, host in found if is_for_others(host)]


def own_addresses() -> list[tuple[socket.AddressFamily, str]]:
    """The addresses of this machine, the likeliest for others to reach it at first. Nothing is sent.

    These are the addresses of its interfaces, with or without a default route; of its host name where the system does
    not list the interfaces. Those of tunnels (a VPN) come last, since few can reach them; before them, the address that
    the system would use towards others, then IPv4 and private addresses. The command line, the pages' "Let my network
    in" and the invitations all take their addresses from here.
    """
    used = list(_sources())
    interfaces = interface_addresses()
    tunnels = {address.host for address in interfaces if address.is_tunnel}
    found = [*used, *((address.family, address.host) for address in interfaces)]
    if not interfaces:
        with contextlib.suppress(OSError, ValueError):
            for family, _, _, _, address in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
                found.append((family, str(address[0])))

    def unlikeliness(address: tuple[socket.AddressFamily, str]) -> tuple[bool, ...]:
        family, host = address
        return host in tunnels, address not in used, family != socket.AF_INET, not ip_address(host).is_private

    return sorted(dict.fromkeys(found), key=unlikeliness)


def _sources() -> Iterator[tuple[socket.AddressFamily, str]]:
    """The addresses that the system would use towards others, of each family that has a route."""
    for family, target in PROBE_TARGETS:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            yield family, probe.getsockname()[0]


def is_for_others(host: str) -> bool:
    """Whether other machines may reach this one at the address."""
    address = ip_address(host)
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)


def url(host: str, port: int, prefix: str = "") -> str:
    """The URL of the pages at a host. The interface of a link-local address is percent-encoded."""
    named = f"[{host.replace('%', '%25')}]" if ":" in host else host
    return f"http://{named}:{port}{prefix}/"


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


# Origins


class Origin(NamedTuple):
    """The origin of a page. Hosts are in lower case; IPv6 addresses are in brackets."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        origin = f"{self.scheme}://{self.host}"
        return origin if self.port == DEFAULT_PORTS[self.scheme] else f"{origin}:{self.port}"


def origin_at(scheme: str, authority: str) -> Origin | None:
    """The origin given by a scheme and a Host header; None if they are invalid."""
    scheme = PAGE_SCHEMES.get(scheme, scheme)
    if scheme not in DEFAULT_PORTS:
        return None
    try:
        parts = urlsplit(f"{scheme}://{authority}")
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.netloc != authority or "@" in authority or host is None:  # urlsplit drops some characters
        return None
    host = _normalized(host)
    return None if host is None else Origin(scheme, host, DEFAULT_PORTS[scheme] if port is None else port)


def origin_of(text: str) -> Origin | None:
    """The origin in an Origin header; None if it has none, such as `null`."""
    scheme, mark, authority = text.partition("://")
    return origin_at(scheme.lower(), authority) if mark and scheme.lower() in DEFAULT_PORTS else None


def public_origin(url: str) -> Origin:
    """Parse an operator's public URL. Raises BadAddress."""
    scheme, mark, rest = url.strip().partition("://")
    if not mark or scheme.lower() not in DEFAULT_PORTS:
        raise BadAddress(f"{EXPECTED_URL}, and begins with http:// or https://, which {short_repr(url)} does not")
    authority, slash, path = rest.partition("/")
    if (slash and path) or "?" in rest or "#" in rest:
        raise BadAddress(f"{EXPECTED_URL}, without a path (use --prefix for one), so not {short_repr(url)}")
    try:
        origin = origin_at(scheme.lower(), _in_ascii(authority))
    except UnicodeError:
        origin = None
    if origin is None:
        raise BadAddress(f"{EXPECTED_URL}, a host with a port or without, which {short_repr(url)} is not")
    return origin


def _in_ascii(authority: str) -> str:
    """Encode an internationalized host name as browsers do. Raises UnicodeError."""
    if authority.isascii():
        return authority
    import idna  # a slow import that few need

    host, colon, port = authority.partition(":")
    return idna.encode(host, uts46=True).decode() + colon + port


def _normalized(host: str) -> str | None:
    """The canonical form of a host, `example.org` for `example.org.`; None if it is invalid."""
    if ":" in host:
        try:
            return f"[{ip_address(host)}]"
        except ValueError:
            return None
    host = host.removesuffix(".")
    return host if len(host) <= MAX_HOST_LENGTH and HOST.fullmatch(host) else None
