"""Where a server listens, and what it says of it."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import httpx
import pytest
from starlette.requests import HTTPConnection

from icetable.cli import main
from icetable.cli.server import for_others
from icetable.server.http import addresses, security, server
from icetable.server.http.addresses import CannotServe, OwnNetwork, address_of, addresses_for_others, bind, resolve

from .serving import Running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

V4, V6 = socket.AF_INET, socket.AF_INET6


def has_v6() -> bool:
    """Whether this machine has IPv6."""
    with contextlib.suppress(OSError), socket.create_server(("::1", 0), family=V6):
        return True
    return False


needs_v6 = pytest.mark.skipif(not has_v6(), reason="this machine has no IPv6")


@pytest.fixture
def close() -> Iterator[ExitStack]:
    """Closes what the test has opened."""
    with ExitStack() as opened:
        yield opened


def hosts(bound: list[socket.socket], close: ExitStack) -> list[str]:
    for one in bound:
        close.enter_context(one)
    assert len({one.getsockname()[1] for one in bound}) == 1
    return [one.getsockname()[0] for one in bound]


@needs_v6
@pytest.mark.parametrize(
    ("host", "heard", "url"),
    [
        ("::", ["0.0.0.0", "::"], "http://127.0.0.1:{}/"),
        ("[::]", ["0.0.0.0", "::"], "http://127.0.0.1:{}/"),
        ("0.0.0.0", ["0.0.0.0"], "http://127.0.0.1:{}/"),
        ("localhost", ["127.0.0.1", "::1"], "http://127.0.0.1:{}/"),
        ("Localhost.", ["127.0.0.1", "::1"], "http://127.0.0.1:{}/"),
        ("[::1]", ["::1"], "http://[::1]:{}/"),
        ("127.0.0.1", ["127.0.0.1"], "http://127.0.0.1:{}/"),
    ],
)
def test_where_a_host_is_heard(close: ExitStack, host: str, heard: list[str], url: str) -> None:
    bound = bind(host, 0)
    assert hosts(bound, close) == heard
    assert address_of(bound) == url.format(bound[0].getsockname()[1])


@needs_v6
def test_both_families_answer_and_stay_this_machines(tmp_path: Path) -> None:
    for host, is_local in (("localhost", True), ("::", False)):
        with Running(tmp_path / f"{is_local}.sqlite", host=host) as running:
            port = httpx.URL(running.url).port
            for name in ("127.0.0.1", "[::1]"):
                assert httpx.get(f"http://{name}:{port}/healthz").status_code == 200
                foreign = httpx.get(f"http://{name}:{port}/healthz", headers={"Host": "games.example"})
                assert foreign.status_code == (421 if is_local else 200)


def named(monkeypatch: pytest.MonkeyPatch, *found: tuple[int, tuple[Any, ...]]) -> None:
    """Let every name lead to these addresses."""
    answer = [(family, socket.SOCK_STREAM, 6, "", address) for family, address in found]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer)


@needs_v6
def test_a_name_of_several_addresses_is_heard_at_each_that_is_here(
    close: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, again, elsewhere = ("127.0.0.1", 0), ("127.0.0.2", 0), ("203.0.113.9", 0)
    named(monkeypatch, (V4, elsewhere), (V4, here), (V4, again), (V4, here), (V6, ("::1", 0, 0, 0)))
    assert hosts(bind("table.example", 0), close) == ["127.0.0.1", "127.0.0.2", "::1"]
    named(monkeypatch, (V4, elsewhere))
    with pytest.raises(CannotServe, match=r"^Port 0 of table.example can't be used: "):
        bind("table.example", 0)


def test_a_link_local_address_keeps_its_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    scope = socket.if_nameindex()[0]
    named(monkeypatch, (V6, ("fe80::1", 0, 0, scope[0])))
    assert resolve(f"[fe80::1%{scope[1]}]") == [(V6, ("fe80::1", 0, scope[0]))]
    taken: list[Any] = []

    def create(address: Any, **_: Any) -> socket.socket:
        taken.append(address)
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(socket, "create_server", create)
    with pytest.raises(CannotServe, match=r"is a link-local address, and needs its interface: fe80::1%eth0\.$"):
        bind("fe80::1", 8421)
    assert taken == [("fe80::1", 8421, 0, scope[0])]
    bound = Mock(getsockname=lambda: ("fe80::1", 8421, 0, scope[0]))
    assert address_of([bound]) == f"http://[fe80::1%25{scope[1]}]:8421/"


def test_without_one_family_the_other_is_heard(close: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    create = socket.create_server

    def only_v4(address: Any, *, family: int, **rest: Any) -> socket.socket:
        if family == V6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return create(address, family=family, **rest)

    monkeypatch.setattr(socket, "create_server", only_v4)
    assert hosts(bind("::", 0), close) == ["0.0.0.0"]


@needs_v6
def test_one_port_is_found_for_both_families(close: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    create, refused = socket.create_server, [True, True, False]

    def taken_twice(address: Any, *, family: int, **rest: Any) -> socket.socket:
        if family == V6 and refused.pop(0):
            raise OSError(errno.EADDRINUSE, "Address already in use")
        return create(address, family=family, **rest)

    monkeypatch.setattr(socket, "create_server", taken_twice)
    assert hosts(bind("localhost", 0), close) == ["127.0.0.1", "::1"]
    refused[:] = [True, True]
    with pytest.raises(CannotServe, match=r"of \[::1\] is taken"):
        bind("[::1]", 8421)


@pytest.mark.parametrize("host", ["", " ", "127.0.0.1:8421", "http://127.0.0.1", "[]", "x" * 70, "a\0b", "[127.0.0.1]"])
def test_a_host_without_an_address_is_refused(host: str) -> None:
    with pytest.raises(CannotServe, match=r"^There is no address .* to listen at\. Use one of"):
        bind(host, 8421)


@needs_v6
def test_others_are_told_the_address_that_they_can_use(close: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(V4, "192.168.0.7"), (V6, "fd00::7"), (V4, "127.0.1.1"), (V6, "fe80::7%eth0")]
    monkeypatch.setattr(addresses, "own_addresses", lambda: found)
    for host, wanted in (
        ("::", ["http://192.168.0.7:{}/", "http://[fd00::7]:{}/"]),
        ("0.0.0.0", ["http://192.168.0.7:{}/"]),
        ("localhost", []),
        ("127.0.0.1", []),
    ):
        bound = bind(host, 0)
        hosts(bound, close)
        assert addresses_for_others(bound) == [url.format(bound[0].getsockname()[1]) for url in wanted]


def test_the_addresses_of_this_machine_are_asked_of_the_system() -> None:
    for family, host in addresses.own_addresses():
        assert socket.inet_pton(family, host.partition("%")[0])
    if sys.platform != "win32":
        assert (V4, "127.0.0.1") in addresses.own_addresses()


WIRE, VPN, BRIDGE = (
    addresses.InterfaceAddress(V4, host, host.startswith("100"), "")
    for host in ("192.168.0.7", "100.64.0.7", "172.17.0.1")
)
WIDE, PUBLIC, PRIVATE = (
    addresses.InterfaceAddress(family, host, False, "")
    for family, host in ((V6, "2a00::7"), (V4, "8.8.8.8"), (V6, "fd00::7"))
)


@pytest.mark.parametrize(
    ("found", "used", "wanted"),
    [
        pytest.param([BRIDGE, WIRE, PRIVATE], [WIRE], [WIRE, BRIDGE, PRIVATE], id="usual"),
        pytest.param([VPN, WIRE], [VPN], [WIRE, VPN], id="all traffic goes through a VPN"),
        pytest.param(
            [WIDE, PUBLIC, WIRE],
            [],
            [WIRE, PUBLIC, WIDE],
            id="no default route",
        ),
        pytest.param([], [WIRE], [WIRE, BRIDGE], id="the system lists no interfaces"),
        pytest.param([], [], [BRIDGE], id="neither"),
    ],
)
def test_every_address_of_this_machine_is_told_the_likeliest_first(
    found: list[Any], used: list[Any], wanted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = [(V4, socket.SOCK_STREAM, 0, "", (BRIDGE[1], 0))]
    monkeypatch.setattr(addresses, "interface_addresses", lambda: found)
    monkeypatch.setattr(addresses, "_sources", lambda: (address[:2] for address in used))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: named)
    assert addresses.own_addresses() == [address[:2] for address in wanted]


@pytest.mark.parametrize(
    "command", [["serve", "--metrics-port", "0"], ["play", "--no-browser"], ["play", "--no-browser", "--lan"]]
)
def test_the_commands_say_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda: [(V4, "192.168.0.7")])

    def ready(self: server.Server, sockets: list[socket.socket]) -> None:
        self._on_ready()
        for one in sockets:
            one.close()

    monkeypatch.setattr(server.Server, "run", ready)
    monkeypatch.setattr(server, "open_store", Mock())
    monkeypatch.setattr(server, "BotPool", Mock())
    assert main([*command, "--host", "0.0.0.0", "--port", "0", "--db", str(tmp_path / "t.sqlite")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    port = first.rpartition(":")[2]
    assert first == f"Icetable is open at http://127.0.0.1:{port}"
    assert second == f"On other machines: http://192.168.0.7:{port}"


def test_without_a_network_nobody_can_come() -> None:
    assert for_others([]) == "On other machines: nowhere, as this machine has no address in a network"


def test_on_a_local_network_a_server_has_no_names_but_its_addresses(tmp_path: Path) -> None:
    """It answers where it listens, and under no name that another site could lead here."""
    with Running(tmp_path / "tables.sqlite", host="127.0.0.2", lan=True) as running:
        port = httpx.URL(running.url).port
        assert running.url == f"http://127.0.0.1:{port}/"
        for place in ("127.0.0.1", "127.0.0.2"):
            for host, status in ((f"{place}:{port}", 200), ("localhost", 200), ("games.example", 421)):
                answer = httpx.get(f"http://{place}:{port}/healthz", headers={"Host": host})
                assert answer.status_code == status, (place, host)


@pytest.mark.parametrize(
    ("host", "server", "own"),
    [
        ("192.168.0.7:8421", ("192.168.0.7", 8421), True),
        ("192.168.0.8", ("192.168.0.7", 8421), False),
        ("[fd00:0::7]:80", ("fd00::7", 8421), True),
        ("[fe80::7]", ("fe80::7%eth0", 8421), True),
        ("games.example", ("192.168.0.7", 8421), False),
        ("192.168.0.7.example", ("192.168.0.7", 8421), False),
        ("192.168.0.7", None, False),
    ],
)
def test_a_request_may_name_the_address_at_which_it_arrived(host: str, server: Any, own: bool) -> None:
    scope = {"type": "http", "headers": [(b"host", host.encode())], "server": server}
    assert security.names_its_address(HTTPConnection(scope)) == own


def test_pages_of_this_machine_alone_are_told_where_others_find_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda: [(V4, "192.168.0.7")])
    for terms, host, told in (
        ({"host": "0.0.0.0", "lan": True}, "localhost", ["http://192.168.0.7:{}/"]),
        ({"host": "0.0.0.0"}, "127.0.0.1", ["http://192.168.0.7:{}/"]),
        ({"host": "0.0.0.0"}, "games.example", []),
        ({"host": "127.0.0.2", "lan": True}, "localhost", ["http://127.0.0.2:{}/"]),
        ({}, "localhost", []),
        ({"public_url": "https://games.example"}, "localhost", ["https://games.example/"]),
    ):
        with Running(tmp_path / "tables.sqlite", **terms) as running:
            port = httpx.URL(running.url).port
            answer = httpx.get(f"{running.url}api/addresses", headers={"Host": f"{host}:{port}"})
            assert answer.json()["others"] == [url.format(port) for url in told], terms


# Opened on request


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses of this machine in its networks, the first by Wi-Fi."""
    hosts = ["127.0.0.2"]

    def networks() -> list[OwnNetwork]:
        return [OwnNetwork(host, "network" if number else "wifi", "") for number, host in enumerate(hosts)]

    monkeypatch.setattr(addresses, "networks", networks)
    return hosts


def asked_to_open(
    running: Running, host: str = "127.0.0.2", *, on: bool = True, headers: dict[str, str] | None = None
) -> httpx.Response:
    """The answer to a page of this machine that lets others in, or no longer; `headers` change what it sends."""
    own = {"Origin": running.url.rstrip("/"), **(headers or {})}
    return httpx.post(
        f"{running.url}api/addresses",
        headers={name: sent for name, sent in own.items() if sent},
        json={"host": host, "open": on},
    )


def test_a_page_of_this_machine_lets_the_network_in(tmp_path: Path, network: list[str]) -> None:
    with Running(tmp_path / "tables.sqlite", lan=None) as running:
        port = httpx.URL(running.url).port
        there = f"http://127.0.0.2:{port}/"
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{there}healthz")
        closed = {"host": "127.0.0.2", "kind": "wifi", "name": "", "address": None}
        told = {"others": [], "openable": True, "networks": [closed]}
        assert httpx.get(f"{running.url}api/addresses").json() == told
        opened = asked_to_open(running)
        told = {"others": [there], "openable": False, "networks": [closed | {"address": there}]}
        assert (opened.status_code, opened.json()) == (201, told)
        assert asked_to_open(running).json() == opened.json()  # once is enough
        assert running.told == [there]
        assert httpx.get(f"{there}healthz").status_code == 200
        assert httpx.get(f"{there}healthz", headers={"Host": "games.example"}).status_code == 421
        network[:] = ["127.0.0.3"]  # the machine has come to another network
        told = {"others": [], "openable": True, "networks": [closed | {"host": "127.0.0.3"}]}
        assert httpx.get(f"{running.url}api/addresses").json() == told
        network.clear()
        assert asked_to_open(running).json()["error"] == "This machine has no address in a local network."
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{there}healthz")


def test_only_the_chosen_network_is_let_in_until_it_is_closed_again(tmp_path: Path, network: list[str]) -> None:
    network.append("127.0.0.3")
    with Running(tmp_path / "tables.sqlite", lan=None) as running:
        port = httpx.URL(running.url).port
        first, second = (f"http://{host}:{port}/" for host in network)
        assert asked_to_open(running, "127.0.0.3").json()["others"] == [second]
        with httpx.Client() as guest:
            assert guest.get(f"{second}healthz").status_code == 200
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"{first}healthz")
            for _ in range(2):
                assert asked_to_open(running, "127.0.0.3", on=False).json()["others"] == []
            with pytest.raises(httpx.TransportError):  # its connection was closed, and there is no other
                guest.get(f"{second}healthz")
        assert asked_to_open(running, "192.0.2.77").json()["error"] == (
            "'192.0.2.77' is not an address of this machine; it has: 127.0.0.2, 127.0.0.3."
        )
        assert asked_to_open(running, "127.0.0.3").json()["others"] == [second]
        assert httpx.get(f"{second}healthz").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": ""},
        {"Origin": "null"},
        {"Origin": "https://games.example"},
        {"Origin": "http://localhost:1"},
        {"Host": "games.example", "Origin": "http://games.example"},
        {"Host": "127.0.0.2", "Origin": "http://127.0.0.2:1"},
    ],
)
def test_pages_of_other_sites_let_nobody_in(tmp_path: Path, network: list[str], headers: dict[str, str]) -> None:
    with Running(tmp_path / "tables.sqlite", lan=None) as running:
        assert asked_to_open(running, headers=headers).status_code in (403, 421)
        assert running.told == []


def test_other_machines_and_other_servers_let_nobody_in(
    tmp_path: Path, network: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for terms in ({}, {"lan": True}, {"behind_proxy": True}, {"public_url": "https://games.example"}):
        with Running(tmp_path / "tables.sqlite", **terms) as running:
            assert asked_to_open(running).status_code == 403, terms
            assert not httpx.get(f"{running.url}api/addresses").json()["openable"]
    monkeypatch.setattr(security, "is_loopback", lambda _: False)
    with Running(tmp_path / "tables.sqlite", lan=None) as running:
        assert asked_to_open(running).status_code == 403
        assert httpx.get(f"{running.url}api/addresses").json() == {"others": [], "openable": False}
        assert running.told == []


def test_only_addresses_that_no_other_network_knows_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ["8.8.8.8", "192.168.0.7", "127.0.1.1", "100.64.0.7", "fd00::7", "fe80::7%eth0", "2a00::7"]
    monkeypatch.setattr(addresses, "own_addresses", lambda: [(V4, host) for host in found])
    monkeypatch.setattr(addresses, "interface_addresses", list)
    assert [network.host for network in addresses.networks()] == ["192.168.0.7", "100.64.0.7", "fd00::7"]


def test_networks_come_with_the_likeliest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A VPN or a container's network is rarely where the others are, even if it has the default route."""
    there = [
        addresses.InterfaceAddress(V4, host, False, name)
        for host, name in (
            ("10.8.0.2", "tun0"),
            ("172.17.0.1", "docker0"),
            ("fd00::7", "wlan0"),
            ("192.168.1.9", "eth0"),
            ("192.168.0.7", "wlan0"),
            ("10.0.0.9", "odd0"),
        )
    ]
    monkeypatch.setattr(addresses, "own_addresses", lambda: [(V4, address.host) for address in there])
    monkeypatch.setattr(addresses, "interface_addresses", lambda: there)
    monkeypatch.setattr(sys, "platform", "linux")
    assert [tuple(network) for network in addresses.networks()] == [
        ("192.168.0.7", "wifi", "wlan0"),
        ("fd00::7", "wifi", "wlan0"),
        ("192.168.1.9", "cable", "eth0"),
        ("10.0.0.9", "network", "odd0"),
        ("10.8.0.2", "vpn", "tun0"),
        ("172.17.0.1", "virtual", "docker0"),
    ]


def test_this_machine_knows_its_own_interfaces() -> None:
    assert "127.0.0.1" in {address.host for address in addresses.interface_addresses()}
