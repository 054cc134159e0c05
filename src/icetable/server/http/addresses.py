"""Where a server listens, and the addresses under which it is reached."""

from __future__ import annotations

import contextlib
import errno
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from icetable.core.options import short_repr
from icetable.server import HIGHEST_PORT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    Place = tuple[socket.AddressFamily, tuple[str | int, ...]]
    """A family of addresses, and an address of it as the system takes it, without a port."""

STALLED_SECONDS = 30
"""A client that takes nothing of what was sent to it for this long is dropped, where the system can do that."""
BACKLOG = 2048
TRIES = 20
"""How often a port is looked for that is free in both families."""
HERE = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (not bound here)
BOTH_FAMILIES = {"localhost": ("127.0.0.1", "::1"), "::": ("0.0.0.0", "::")}  # noqa: S104 (only where it is asked for)
"""Hosts that mean an address of each family, whatever the system says."""
NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
ELSEWHERE = ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documentation: what the system would use to reach them is how others reach this machine."""


class CannotServe(Exception):
    """The server can't start; the text says why, in one sentence."""


def bind(host: str, port: int, *, here_too: bool = False) -> list[socket.socket]:
    """Sockets that accept connections at each address of a host; port 0 is any free one. Raises CannotServe.

    `::` and `localhost` mean both families. Addresses of a name that this machine does not have are left out. With
    `here_too` they also accept connections at 127.0.0.1, first of all.
    """
    if not 0 <= port <= HIGHEST_PORT:
        raise CannotServe(f"A port is a number from 0 to {HIGHEST_PORT}, not {short_repr(port)}.")
    places = places_of(host)
    if here_too and not any(rest[0] in EVERYWHERE for _, rest in places):
        places = list(dict.fromkeys([*places_of(HERE), *places]))
    for tries_left in reversed(range(1 if port else TRIES)):
        try:
            return _bind_all(places, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and tries_left:
                continue
            if error.errno == errno.EADDRINUSE:
                raise CannotServe(f"Port {port} of {host} is taken; please choose another, or 0 for any.") from None
            if error.errno == errno.EINVAL and _is_link_local(places):
                raise CannotServe(f"{host} is a link-local address, and needs its interface: fe80::1%eth0.") from None
            raise CannotServe(f"Port {port} of {host} can't be used: {error.strerror}.") from None
    raise AssertionError("the last try returns or raises")


def bind_path(path: Path) -> socket.socket:
    """A Unix socket that accepts connections at a path, whose folder says who may connect. Raises CannotServe.

    One that a server has left there when it was killed is replaced.
    """
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket():
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
                if other.connect_ex(str(path)) == 0:
                    raise CannotServe(f"Another server listens at {path}.")
            path.unlink()
        bound.bind(str(path))
        path.chmod(0o666)
        bound.listen(BACKLOG)
    except CannotServe:
        bound.close()
        raise
    except OSError as error:
        bound.close()
        raise CannotServe(f"The socket {path} can't be made: {error.strerror or error}.") from None
    return bound


def host_of(bound: socket.socket) -> str:
    """The host, or the path, where a socket is bound."""
    name = bound.getsockname()
    return name if isinstance(name, str) else str(name[0])


def places_of(host: str) -> list[Place]:
    """The addresses of a host, each once. Raises CannotServe."""
    bare = without_brackets(host)
    places: dict[Place, None] = {}
    for name in BOTH_FAMILIES.get(bare.lower().removesuffix("."), (bare,)):
        try:
            found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except (OSError, ValueError):  # a name that no encoding has is a ValueError
            continue
        places |= dict.fromkeys((family, (address[0], *address[2:])) for family, _, _, _, address in found)
    if not places:
        raise CannotServe(
            f"There is no address {short_repr(host)} to serve at. It is one of this machine's, such as 127.0.0.1, ::1, "
            "fe80::1%eth0 or localhost, or 0.0.0.0 or :: for all of them; the port has an option of its own."
        )
    return list(places)


def without_brackets(host: str) -> str:
    """A host, of an IPv6 address without the brackets that URLs have around it."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") and ":" in host else host


def _is_link_local(places: Sequence[Place]) -> bool:
    return any(family == socket.AF_INET6 and ip_address(str(rest[0])).is_link_local for family, rest in places)


def _bind_all(places: Sequence[Place], port: int) -> list[socket.socket]:
    """A socket for each place that this machine has, all with one port. Raises OSError."""
    bound: list[socket.socket] = []
    missing: OSError | None = None
    with contextlib.ExitStack() as on_error:
        for family, (host, *rest) in places:
            try:
                one = socket.create_server((host, port, *rest), family=family, backlog=BACKLOG)
            except OSError as error:
                if error.errno not in NOT_HERE:
                    raise
                missing = error
                continue
            bound.append(on_error.enter_context(one))
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # accepted connections inherit it
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_SECONDS * 1000)
            port = one.getsockname()[1]
        if missing is not None and not bound:
            raise missing
        on_error.pop_all()
    return bound


def address_of(bound: Sequence[socket.socket], prefix: str = "") -> str:
    """The address for a browser on this machine, of pages under a prefix."""
    if isinstance(bound[0].getsockname(), str):
        return f"unix:{host_of(bound[0])}"
    host, port, *rest = bound[0].getsockname()
    if rest and rest[-1] and "%" not in host:
        host += f"%{socket.if_indextoname(rest[-1])}"
    return url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port, prefix)  # noqa: S104 (not bound here)


def addresses_for_others(bound: Sequence[socket.socket], prefix: str = "", *, here_too: bool = False) -> list[str]:
    """The addresses for browsers on other machines, the likeliest first.

    There are some where the sockets listen at all addresses of this machine, and where they were bound at a host
    with `here_too`.
    """
    if here_too and not any(host_of(one) in EVERYWHERE for one in bound):
        return [address_of([one], prefix) for one in bound[1:]]
    ports = {one.family: one.getsockname()[1] for one in bound if host_of(one) in EVERYWHERE}
    found = [(family, host) for family, host in dict.fromkeys(own_addresses()) if family in ports]
    return [url(host, ports[family], prefix) for family, host in found if is_for_others(host)]


def own_addresses() -> Iterator[tuple[socket.AddressFamily, str]]:
    """The addresses from which this machine would reach others, and those that its name has. Nothing is sent."""
    for family, elsewhere in ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            yield family, probe.getsockname()[0]
    with contextlib.suppress(OSError, ValueError):
        for family, _, _, _, address in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            yield family, str(address[0])


def is_for_others(host: str) -> bool:
    """Whether other machines may reach this one at an address."""
    address = ip_address(host)
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)


def url(host: str, port: int, prefix: str = "") -> str:
    """The address of the pages at a host. The interface of a link-local address is written as URLs have it."""
    named = f"[{host.replace('%', '%25')}]" if ":" in host else host
    return f"http://{named}:{port}{prefix}/"
