"""Mistakes of a proxy in front of the server: each is logged, with the headers that came."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from icetable.server import logs, rate_limits
from icetable.server.http import proxies, security
from icetable.server.http.api import routes
from icetable.server.rate_limits import ClientQuotas

from .serving import Running, count, person
from .test_app import ask_for_socket

if TYPE_CHECKING:
    from pathlib import Path

WANTED = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
PAGE = "https://games.example"
RIGHT = {
    "Origin": PAGE,
    "Host": "games.example",
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Proto": "https",
}
"""The headers of a browser and a proxy that makes no mistakes."""


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """The events that the server logged, each with its facts; on a busy machine libraries may log others."""
    own = (record for record in caplog.records if "facts" in record.__dict__)
    return [(record.getMessage(), record.__dict__["facts"]) for record in own]


def ask(running: Running, **changes: str | None) -> tuple[int, bytes]:
    """A page asks through a proxy for a table and for a socket; the statuses."""
    headers = {name: value for name, value in {**RIGHT, **changes}.items() if value is not None}
    status = httpx.post(f"{running.url}api/tables", json=WANTED, headers=headers).status_code
    return status, ask_for_socket(running.url, headers).split()[1]


def test_nothing_is_told_of_a_proxy_without_a_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        assert ask(running) == (201, b"101")
        assert httpx.get(f"{running.url}healthz").status_code == 200
    assert told(caplog) == []


@pytest.mark.parametrize(
    ("mistake", "answers", "event", "facts"),
    [
        (
            {"Host": "127.0.0.1:8421"},
            (403, b"403"),
            security.FOREIGN_ORIGIN_LOGGED,
            {"came": PAGE, "expected": "https://127.0.0.1:8421", "cause": "the page has another host"},
        ),
        (
            {"Origin": f"{PAGE}:9004"},
            (403, b"403"),
            security.FOREIGN_ORIGIN_LOGGED,
            {"came": f"{PAGE}:9004", "expected": PAGE, "cause": "the port differs"},
        ),
        (
            {"Origin": "http://games.example"},
            (403, b"403"),
            security.FOREIGN_ORIGIN_LOGGED,
            {"came": "http://games.example", "expected": PAGE, "cause": "the scheme differs"},
        ),
        (
            {"X-Forwarded-Proto": None},
            (403, b"403"),
            proxies.NO_SCHEME,
            {"came": "no X-Forwarded-Proto", "expected": "X-Forwarded-Proto: https, or http"},
        ),
        (
            {"X-Forwarded-For": None},
            (201, b"101"),
            proxies.NO_ADDRESS,
            {"came": "a request of 127.0.0.1", "expected": "X-Forwarded-For: its address"},
        ),
    ],
    ids=["host", "port", "scheme", "no scheme", "no address"],
)
def test_a_mistake_of_a_proxy_is_told(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    mistake: dict[str, str | None],
    answers: tuple[int, bytes],
    event: str,
    facts: dict[str, str],
) -> None:
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        for _ in range(3):
            assert ask(running, **mistake) == answers
    said = [given for name, given in told(caplog) if name == event]
    assert len(said) == 1
    assert {name: value[: len(facts[name])] for name, value in said[0].items()} == facts


def test_a_proxy_that_is_not_trusted_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        assert ask(running) == (403, b"403")
    assert (proxies.UNTRUSTED, {"came": "a request from 127.0.0.1", "expected": "one from 192.0.2.1"}) in told(caplog)


def test_a_proxy_that_was_not_expected_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite", host="0.0.0.0") as running:
        assert ask(running) == (403, b"403")
    assert (proxies.UNEXPECTED, {"came": "X-Forwarded headers of 127.0.0.1", "expected": "none"}) in told(caplog)


def test_a_proxy_that_does_not_pass_on_upgrade_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        answer = httpx.get(f"{running.url}ws", headers=RIGHT)
    assert (answer.status_code, answer.headers["upgrade"]) == (426, "websocket")
    assert answer.json()["error"] == routes.NO_UPGRADE
    facts = {"came": "GET /ws without Upgrade", "expected": "Upgrade: websocket"}
    assert told(caplog) == [(routes.NO_UPGRADE_LOGGED, facts)]


def test_a_path_of_which_the_server_was_not_told_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        for path in ("pyramids/", "", "table/k7m2pq9xabcd", "healthz"):
            httpx.get(f"{running.url}{path}", headers=RIGHT)
    assert told(caplog) == [(proxies.NO_PREFIX, {"came": "/pyramids/", "expected": "/"})]


def test_a_foreign_name_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        assert httpx.get(running.url, headers={"Host": "games.example"}).status_code == 421
    facts = {"came": "games.example", "expected": "localhost or an address of this machine"}
    assert told(caplog) == [(security.FOREIGN_HOST_LOGGED, facts)]


def test_strangers_can_not_fill_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        for number in range(2 * logs.MAX_LINES_PER_PERIOD):
            ask_for_socket(running.url, {"Host": "localhost", "Origin": f"http://{number}.{'x' * 600}.example"})
    assert len(caplog.records) == logs.MAX_LINES_PER_PERIOD
    assert max(len(facts["came"]) for _, facts in told(caplog)) == logs.MAX_FACT_LENGTH


def test_refused_pages_are_counted_whatever_they_ask_for(tmp_path: Path) -> None:
    before = count("icetable_rejected_total", reason="origin")
    with Running(tmp_path / "tables.sqlite") as running:
        assert ask(running, Host="localhost") == (403, b"403")
    assert count("icetable_rejected_total", reason="origin") == before + 2


def test_behind_a_proxy_no_client_is_this_machine(tmp_path: Path) -> None:
    """One of which the proxy does not tell where it is has the proxy's own address."""
    here, there = ClientQuotas().at("127.0.0.1"), ClientQuotas(behind_proxy=True).at("127.0.0.1")
    assert (here.sockets_left, there.sockets_left) == (rate_limits.LOOPBACK_SOCKETS, rate_limits.DEFAULT_SOCKETS)
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        running.site.addresses_for_others = lambda: ["http://192.0.2.7:8421/"]
        assert httpx.get(f"{running.url}api/addresses", headers={"Host": "localhost"}).json()["others"] == []


def test_the_scraper_finds_no_metrics_at_the_pages(running: Running) -> None:
    assert httpx.get(f"{running.url}metrics").status_code == 404


@pytest.fixture(autouse=True)
def _from_warnings_on(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
