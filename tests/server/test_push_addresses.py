"""A push address is a visitor's: only public hosts are called, by whatever way the others are named."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest

from icetable.server.live.push import NotPublic, Push, host_of, is_public, public_addresses_of
from icetable.server.store.queries import Subscription

from .push_service import HOST, Browser, PushService

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

INNER = [
    *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("224.0.0.1", "239.255.255.250", "233.252.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1"),
    *(
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd12:3456::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
        "2001:db8::1",
    ),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
    *("64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::808:808", "localhost", ""),
]


@pytest.mark.parametrize("address", INNER)
def test_addresses_outside_the_internet_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "142.250.74.42", "2607:f8b0:4005:80a::200a", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://push.example.org/x",
            "ftp://push.example.org",
            "//push.example.org/x",
            "push.example.org",
            "https://",
        ),
        *("https://push.example.org:8443/x", "https://push.example.org:80/x", "https://push.example.org:99999/"),
        *("https://ann@push.example.org/", "https://ann:secret@push.example.org/", "https://@push.example.org/"),
        *(
            "https://push.example.org/ x",
            "https://push.example.org/\r\nX: y",
            "https://pu\tsh.example.org/",
            "https://[/",
        ),
        *("file:///etc/passwd", "javascript:alert(1)", "https://püsh.example.org/", "", "https:///x"),
    ],
)
def test_an_address_of_another_form_is_refused(url: str) -> None:
    with pytest.raises(NotPublic):
        host_of(url)


@pytest.mark.parametrize("url", [f"https://{HOST}/k7", f"https://{HOST}:443/k7", f"https://{HOST.upper()}/k7?a=b"])
def test_an_address_of_the_usual_form_has_its_host(url: str) -> None:
    assert host_of(url) == HOST


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "::1", "10.0.0.1"),
        *("169.254.169.254", "[::1]", "fe80::1", "no-such-host.invalid", "0", "a" * 300, "xn--"),
    ],
)
async def test_a_host_that_leads_elsewhere_is_refused(host: str) -> None:
    with pytest.raises(NotPublic) as refusal:
        await public_addresses_of(host, 443)
    assert host not in str(refusal.value) or host == "0"


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """The names that are asked for; each time the next of the answers comes, the last one for good."""
    asked: list[str] = []

    async def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        addresses = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    return asked


async def test_a_name_is_refused_of_which_one_address_is_private(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(NotPublic):
        await public_addresses_of(HOST, 443)


async def test_a_name_that_leads_elsewhere_after_the_check_is_refused_when_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call goes to the address that was found to be public at that moment, not to the name."""
    async with PushService(tmp_path) as service:
        browser, push = Browser("k7"), Push(service.push()._vapid, "mailto:ann@example.org")
        one = Subscription("lock", browser.endpoint, browser.p256dh, browser.auth, 0, 0)
        asked = resolving(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])
        await push.check(one)
        assert await push.send(one, "k7", b"{}") == "gone"
        assert asked == [HOST, HOST]
        assert service.received == []
        await push.close()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_no_redirect_is_followed(tmp_path: Path, status: int) -> None:
    async with PushService(tmp_path) as service:
        browser, push = Browser("k7"), service.push()
        service.status, service.more_headers = status, f"Location: https://{HOST}/other\r\n"
        one = Subscription("lock", browser.endpoint, browser.p256dh, browser.auth, 0, 0)
        assert await push.send(one, "k7", b"{}") == "refused"
        assert [received.path for received in service.received] == ["/k7"]
        await push.close()


async def test_a_service_with_another_certificate_gets_nothing(tmp_path: Path) -> None:
    async with PushService(tmp_path) as service:
        push = service.push()
        browser = Browser("k7")
        one = Subscription("lock", "https://other.example.org/k7", browser.p256dh, browser.auth, 0, 0)
        assert await push.send(one, "k7", b"{}") == "busy"
        assert service.received == []
        await push.close()
