"""Which pages are the server's own: schemes, hosts and ports as URLs compare them, and as proxies send them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from icetable.server.http import server
from icetable.server.http.addresses import BadAddress, CannotServe, origin_at, origin_of, public_origin
from icetable.server.live.settings import Settings

from .serving import Running, person
from .test_app import ask_for_socket

if TYPE_CHECKING:
    from pathlib import Path

WANTED = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}


def is_let_in(running: Running, origin: str, **headers: str) -> bool:
    """Whether a page may open a table and a socket, which are judged in the same way."""
    headers |= {"Origin": origin}
    status = httpx.post(f"{running.url}api/tables", json=WANTED, headers=headers).status_code
    socket = ask_for_socket(running.url, headers)
    assert (status, socket) in ((201, b"HTTP/1.1 101 "), (403, b"HTTP/1.1 403 "), (421, b"HTTP/1.1 403 "))
    return status == 201


@pytest.mark.parametrize(
    ("origin", "scheme", "host", "same"),
    [
        ("https://games.example", "https", "games.example", True),
        ("https://games.example", "https", "games.example:443", True),
        ("https://games.example:443", "wss", "games.example", True),
        ("http://games.example", "http", "games.example:80", True),
        ("http://games.example", "http", "games.example:", True),
        ("http://games.example", "http", "Games.EXAMPLE", True),
        ("HTTP://games.example", "http", "games.example", True),
        ("http://games.example", "http", "games.example.", True),
        ("http://[::1]:8421", "http", "[0:0:0:0:0:0:0:1]:8421", True),
        ("http://[2001:DB8::1]", "ws", "[2001:db8::1]:80", True),
        ("https://games.example", "http", "games.example", False),
        ("https://games.example", "http", "games.example:443", False),
        ("http://games.example", "http", "games.example:8080", False),
        ("http://games.example:8080", "http", "games.example", False),
        ("http://games.example.evil.example", "http", "games.example", False),
        ("http://evil.example", "http", "evil.example@games.example", False),
        ("http://games.example@evil.example", "http", "games.example", False),
        ("http://games.example/", "http", "games.example", False),
        ("http://games.example", "http", "games.example/", False),
        ("http://games.example", "http", "games.example#", False),
        ("http://games.example:99999", "http", "games.example:99999", False),
        ("http://", "http", "", False),
        ("null", "http", "null", False),
        ("file://", "file", "", False),
        ("http://[", "http", "[", False),
    ],
)
def test_origins_are_compared_as_urls_are(origin: str, scheme: str, host: str, same: bool) -> None:
    named = origin_of(origin)
    assert (named is not None and named == origin_at(scheme, host)) == same


@pytest.mark.parametrize("sent", ["https, http", "https,http", "HTTPS", "https , http", "https"])
def test_the_first_of_several_proxies_says_what_the_browser_uses(tmp_path: Path, sent: str) -> None:
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        there = {"Host": "games.example", "X-Forwarded-Proto": sent}
        assert is_let_in(running, "https://games.example", **there)
        assert not is_let_in(running, "http://games.example", **there)
        lines = [("Host", "games.example"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Proto", "http")]
        headers = [*lines, ("Origin", "https://games.example")]
        assert httpx.post(f"{running.url}api/tables", json=WANTED, headers=headers).status_code == 201


def test_without_a_proxy_its_headers_say_nothing(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", host="0.0.0.0") as running:
        assert not is_let_in(running, "https://games.example", Host="games.example", **{"X-Forwarded-Proto": "https"})


def test_behind_a_forwarder_that_changes_the_host_the_public_address_counts(tmp_path: Path) -> None:
    """Also without the headers of a proxy, as a tunnel that ends on this machine has none."""
    with Running(tmp_path / "tables.sqlite", public_url="https://Games.example:443/") as running:
        local = running.url.split("/")[2]
        assert is_let_in(running, "https://games.example", Host=local)
        assert is_let_in(running, "https://games.example", Host="games.example")
        assert is_let_in(running, f"http://{local}", Host=local)
        assert not is_let_in(running, "http://games.example:8421", Host="games.example")
        assert not is_let_in(running, "http://evil.example", Host=local)
        assert not is_let_in(running, "http://evil.example", Host="evil.example")
        assert httpx.get(running.url, headers={"Host": "evil.example"}).status_code == 421
        cookie = httpx.get(running.url, headers={"Host": "games.example"}).headers["set-cookie"]
        assert cookie.startswith("__Host-")
        assert "secure" in cookie.lower()
        assert "secure" not in httpx.get(running.url).headers["set-cookie"].lower()


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://games.example", "https://games.example"),
        ("HTTPS://Games.Example.:8443/", "https://games.example:8443"),
        ("http://192.0.2.1:80", "http://192.0.2.1"),
        ("http://[2001:DB8:0::1]:8421/", "http://[2001:db8::1]:8421"),
        ("https://spiele.straße.example", "https://spiele.xn--strae-oqa.example"),
    ],
)
def test_a_public_address(url: str, origin: str) -> None:
    assert str(public_origin(url)) == origin


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("games.example", "begins with http:// or https://"),
        ("ftp://games.example", "begins with http:// or https://"),
        ("https://games.example/ice", "without a path"),
        ("https://games.example?x", "without a path"),
        ("https://", "a host with a port or without"),
        ("https://games.example:port", "a host with a port or without"),
        ("https://ann@games.example", "a host with a port or without"),
        ("https://games example", "a host with a port or without"),
        ("https://sp\u00a0iele.example", "a host with a port or without"),
        ("", "begins with http:// or https://"),
    ],
)
def test_a_bad_public_address_is_refused(tmp_path: Path, url: str, why: str) -> None:
    with pytest.raises(BadAddress, match=why):
        public_origin(url)
    with pytest.raises(CannotServe, match=f"^--public-url is the address of the pages, .*{why}"):
        server.serve(Settings(port=0, db=tmp_path / "tables.sqlite", public_url=url), pytest.fail)
