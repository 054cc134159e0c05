"""A server under a prefix: all that it serves is there as it is without one, and nothing is anywhere else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest

from icetable.server import messages
from icetable.server.http import proxies, static
from icetable.server.http.api.routes import ENDPOINTS
from icetable.server.http.proxies import HEALTH_PATHS, BadPrefix, prefix_of

from .serving import Client, Running, count, create_table, person
from .test_app import ask_for_socket

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UNDER = "/pyramids"
PAGE = '<head><base href="/" /><meta property="og:image" content="preview.png" /></head>'
PATHS = sorted({re.sub(r"{\w+}", "x", endpoint.path) for endpoint in ENDPOINTS})
TLS = {"Host": "games.example", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module", autouse=True)
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A front end of three files."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "assets").mkdir()
    (folder / "assets" / "app-1.js").write_text("app")
    (folder / "index.html").write_text(PAGE)
    (folder / "service-worker.js").write_text("worker")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(static, "STATIC", folder)
        yield


@pytest.fixture(scope="module")
def plain(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Running(tmp_path_factory.mktemp("plain") / "tables.sqlite") as running:
        yield running.url


@pytest.fixture(scope="module")
def below(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Running(tmp_path_factory.mktemp("below") / "tables.sqlite", prefix=UNDER) as running:
        yield running.url


def told(answer: httpx.Response) -> tuple[int, str | None]:
    """The parts of an answer by which its route is known."""
    return answer.status_code, answer.headers.get("content-type")


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "path",
    [*PATHS, "/", "/table/k7m2", "/healthz", "/readyz", "/metrics", "/ws", "/assets/app-1.js", "/service-worker.js"],
)
def test_each_route_is_under_the_prefix_and_nowhere_else(plain: str, below: str, method: str, path: str) -> None:
    expected = httpx.request(method, plain.removesuffix("/") + path)
    assert told(httpx.request(method, below.removesuffix("/") + path)) == told(expected)
    outside = httpx.request(method, below.removesuffix(f"{UNDER}/") + path)
    if path in HEALTH_PATHS:
        assert told(outside) == told(expected)
        return
    assert outside.status_code == 404
    assert outside.json()["error"] == "Not found. The pages of icetable are under /pyramids/."
    assert httpx.request(method, f"{below.removesuffix('/')}x{path}").status_code == 404


def test_a_game_is_played_under_it(below: str) -> None:
    table, codes = create_table(below, person(), person())
    with Client(below, table, codes) as client:
        assert client.act(0, "S@b1")["type"] == "ack"
    record = httpx.get(f"{below}api/tables/{table}/record").text
    too_long = "x" * (messages.MAX_LENGTH + 1)
    assert httpx.post(f"{below}api/records", json={"record": too_long}).status_code == 422
    assert httpx.post(f"{below}api/records", json={"record": record}).status_code == 201
    assert httpx.post(f"{below}api/tables", content=too_long).status_code == 413


def test_the_page_says_where_all_others_are(plain: str, below: str) -> None:
    for url, base in ((plain, "/"), (below, "/pyramids/")):
        for path in ("", "table/k7m2"):
            answer = httpx.get(url + path)
            assert f'<base href="{base}" />' in answer.text
            assert f'content="{url}preview.png"' in answer.text
            assert "base-uri 'self'" in answer.headers["content-security-policy"]
    moved = httpx.get(f"{below.removesuffix('/')}", headers={"Host": "localhost"})
    assert (moved.status_code, moved.headers["location"]) == (308, "/pyramids/")
    assert httpx.get(f"{below}api/openapi.json").json()["servers"] == [{"url": "/pyramids"}]
    assert "servers" not in httpx.get(f"{plain}api/openapi.json").json()


def test_other_sites_of_the_host_do_not_get_the_cookie(tmp_path: Path, below: str) -> None:
    cookie = httpx.get(below).headers["set-cookie"]
    assert cookie.startswith("icetable=")
    assert "; Path=/pyramids/;" in cookie
    with Running(tmp_path / "tables.sqlite", behind_proxy=True, prefix=UNDER) as running:
        cookie = httpx.get(running.url, headers=TLS).headers["set-cookie"]
        assert cookie.startswith("__Secure-icetable=")
        assert {"Path=/pyramids/", "Secure", "HttpOnly"} <= set(cookie.split("; "))
        again = httpx.get(running.url, headers={**TLS, "Cookie": cookie.split(";")[0]})
        assert "set-cookie" not in again.headers


def test_others_are_told_the_address_with_it(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", public_url="https://games.example", prefix=UNDER) as running:
        assert httpx.get(f"{running.url}api/addresses").json()["others"] == ["https://games.example/pyramids/"]
        assert 'content="https://games.example/pyramids/preview.png"' in httpx.get(running.url).text
    with Running(tmp_path / "tables.sqlite", host="0.0.0.0", prefix=UNDER) as running:
        others = httpx.get(f"{running.url}api/addresses").json()["others"]
        assert all(address.endswith("/pyramids/") for address in others)


def test_limits_hold_under_it(tmp_path: Path) -> None:
    before = count("icetable_rejected_total", reason="requests")
    with Running(tmp_path / "tables.sqlite", sockets_per_address=1, behind_proxy=True, prefix=UNDER) as running:
        statuses = {httpx.get(f"{running.url}api/games", headers=TLS).status_code for _ in range(40)}
    assert statuses == {200, 429}
    assert count("icetable_rejected_total", reason="requests") > before


def test_a_proxy_that_takes_the_prefix_off_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite", behind_proxy=True, prefix=UNDER) as running:
        root = running.url.removesuffix("pyramids/")
        for _ in range(3):
            assert httpx.get(f"{root}table/k7m2", headers=TLS).status_code == 404
        assert ask_for_socket(root, TLS).split()[1] == b"403"
        assert httpx.get(f"{running.url}healthz").status_code == 200
    said = [(record.getMessage(), record.__dict__["facts"]) for record in caplog.records]
    assert said == [
        (proxies.OUTSIDE_LOGGED, {"came": "/table", "expected": "/pyramids/table"}),
        (proxies.OUTSIDE_LOGGED, {"came": "/ws", "expected": "/pyramids/ws", "more": 2}),
    ]


@pytest.mark.parametrize(
    ("text", "path"), [("/", ""), ("", ""), ("/pyramids", "/pyramids"), (" /a.b/~c-d_1/ ", "/a.b/~c-d_1")]
)
def test_a_prefix_is_normalized(text: str, path: str) -> None:
    assert prefix_of(text) == path


@pytest.mark.parametrize(
    "text", ["pyramids", "//", "/a//b", "/..", "/a/./b", "/a b", "/a?b", "/%41", "/é", '/"', "http://x/y"]
)
def test_a_bad_prefix_is_refused(text: str) -> None:
    with pytest.raises(BadPrefix, match="is a path such as /pyramids"):
        prefix_of(text)
