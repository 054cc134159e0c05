"""Operation of a server: limits, health, metrics, the log, and a clean shutdown."""

from __future__ import annotations

import ast
import io
import json
import logging
import signal
import socket
import sqlite3
import time
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

import icetable
from icetable.server import logs, rate_limits
from icetable.server.http import monitoring, responses, security, server
from icetable.server.http.addresses import CannotServe
from icetable.server.http.api import connection, routes
from icetable.server.rate_limits import ClientQuotas, Limits, TokenBucket, network_of
from icetable.server.store import sqlite as log_sqlite
from icetable.server.store.errors import NOT_RESPONDING

from .fakes import PATIENCE, SlowDisk
from .serving import Client, Running, count, create_table, person

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(icetable.__file__).parent
LEVELS = ("debug", "info", "warning", "error", "critical")


def ask_for_table(url: str, **headers: str) -> httpx.Response:
    wanted = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
    return httpx.post(f"{url}api/tables", json=wanted, headers=headers)


# Limits


def test_a_token_bucket_fills_again(now: list[float]) -> None:
    bucket = TokenBucket(2, 0.5)
    assert [bucket.take(), bucket.take(), bucket.take()] == [True, True, False]
    assert bucket.seconds_to_wait() == 2
    now[0] += 1.9
    assert not bucket.take()
    now[0] += 0.1
    assert [bucket.take(), bucket.take()] == [True, False]
    now[0] += 1000
    assert [bucket.is_full(), bucket.take(), bucket.take(), bucket.take()] == [True, True, True, False]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:0:1::5", "2001:db8:0:1:ffff::6", True),
        ("2001:db8:0:1::5", "2001:db8:0:2::5", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("", "192.0.2.1", False),
    ],
)
def test_addresses_of_one_network_count_as_one(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) == same


def test_addresses_are_forgotten_that_have_nothing_to_wait_for(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "MIN_PRUNED_QUOTAS", 10)
    quotas = ClientQuotas()
    seated, hasty = quotas.at("seated"), quotas.at("hasty")
    seated.sockets_left -= 1
    hasty.tables.take()
    for number in range(1000):
        quotas.at(f"{number}")
    assert len(quotas._known) < 100
    assert (quotas.at("seated"), quotas.at("hasty")) == (seated, hasty)


def test_this_machine_is_limited_only_where_somebody_says_so() -> None:
    for own in ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"):
        assert ClientQuotas().at(own).sockets_left > 10**6
        assert ClientQuotas(Limits(5)).at(own).sockets_left == 5
    for other in ("10.0.0.1", "fe80::1", "::ffff:10.0.0.1", "", "::2"):
        assert ClientQuotas().at(other).sockets_left == rate_limits.DEFAULT_SOCKETS


def test_tables_of_one_address_are_counted(tmp_path: Path, now: list[float]) -> None:
    before = count("icetable_rejected_total", reason="tables")
    with Running(tmp_path / "tables.sqlite", sockets_per_address=6) as running:
        assert [ask_for_table(running.url).status_code for _ in range(4)] == [201, 201, 201, 429]
        refused = ask_for_table(running.url)
        assert refused.headers["retry-after"] == "20"
        assert refused.json() == {"error": "Too many tables are coming from your address; please wait 20 s."}
        next_one = httpx.post(f"{running.url}api/tables/x/next", json={})
        assert next_one.status_code == 429
        now[0] += 20
        assert ask_for_table(running.url).status_code == 201
        assert ask_for_table(running.url).status_code == 429
    assert count("icetable_rejected_total", reason="tables") == before + 4


def test_requests_of_one_address_are_counted_but_pages_come(tmp_path: Path, now: list[float]) -> None:
    with Running(tmp_path / "tables.sqlite", sockets_per_address=1) as running:
        codes = [httpx.get(f"{running.url}api/games").status_code for _ in range(6)]
        assert codes == [200] * 4 + [429] * 2
        refused = httpx.get(f"{running.url}api/nothing")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "2")
        for name, value in security.HEADERS.items():
            assert refused.headers[name] == value
        assert httpx.get(f"{running.url}healthz").status_code == 200
        assert httpx.get(running.url).status_code in (200, 503)
        now[0] += 2
        assert httpx.get(f"{running.url}api/games").status_code == 200


def test_sockets_of_one_address_are_counted(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", sockets_per_address=2) as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as first:
            with Client(running.url, table), Client(running.url) as third:
                assert third.listen() == {"type": "error", "message": routes.TOO_MANY_SOCKETS.message}
                with pytest.raises(ConnectionClosed) as closed:
                    third.listen()
                assert closed.value.rcvd is not None
                assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1013, routes.TOO_MANY_SOCKETS.message)
            while len(running.site.manager.tables.open[table].clients) > 1:
                first.say(type="look", seq=0)
                first.listen()
            with Client(running.url, table) as again:
                assert again.table["id"] == table


def test_messages_of_all_sockets_of_an_address_are_counted_together(tmp_path: Path, now: list[float]) -> None:
    with (
        Running(tmp_path / "tables.sqlite", sockets_per_address=2) as running,
        Client(running.url) as one,
        Client(running.url) as other,
    ):
        for number in range(64 + 4):
            client = (one, other)[number % 2]
            client.say(type="look", seq=0)
            assert (
                client.listen()["message"]
                == (connection.NO_JOIN if number < 64 else connection.TOO_FAST_TOGETHER).message
            )
        now[0] += 0.125
        one.say(type="look", seq=0)
        assert one.listen()["message"] == connection.NO_JOIN.message


# Proxies


def test_only_a_proxy_that_is_believed_says_who_asks(tmp_path: Path, now: list[float]) -> None:
    def tables(running: Running) -> list[int]:
        return [ask_for_table(running.url, **{"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(3)]

    with Running(tmp_path / "one.sqlite", sockets_per_address=2) as running:
        assert tables(running) == [201, 429, 429]
    with Running(tmp_path / "two.sqlite", sockets_per_address=2, behind_proxy=True) as running:
        assert tables(running) == [201, 201, 201]
        assert ask_for_table(running.url, **{"X-Forwarded-For": "198.51.100.1, 192.0.2.1"}).status_code == 429


# Health


def test_a_server_is_ready_while_its_log_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "CACHE_SECONDS", -1.0)
    monkeypatch.setattr(log_sqlite, "BUSY_TIMEOUT_SECONDS", 0.05)
    database = tmp_path / "tables.sqlite"
    with Running(database) as running:
        assert httpx.get(f"{running.url}healthz").text == "ok\n"
        assert httpx.get(f"{running.url}readyz").text == "ready\n"
        other = sqlite3.connect(database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = httpx.get(f"{running.url}readyz")
        assert refused.status_code == 503
        assert refused.json() == {"error": "Another program keeps the database locked; please try again."}
        assert httpx.get(f"{running.url}healthz").status_code == 200
        other.execute("ROLLBACK")
        other.close()
        assert httpx.get(f"{running.url}readyz").status_code == 200
        running.site.readiness.is_shutting_down.set()
        assert httpx.get(f"{running.url}readyz").json() == {"error": responses.RESTART_NOTICE}


def test_however_often_somebody_asks_the_log_is_tried_now_and_then(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitoring, "CACHE_SECONDS", 1e6)
    log = running.site.manager.tables.store
    probe = Mock(wraps=log.database.probe)
    monkeypatch.setattr(log.database, "probe", probe)
    assert [httpx.get(f"{running.url}readyz").status_code for _ in range(5)] == [200] * 5
    assert probe.call_count == 1


def test_a_probe_without_an_answer_is_awaited_by_everybody_and_not_made_again(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitoring, "CACHE_SECONDS", -1.0)
    monkeypatch.setattr(monitoring, "PROBE_TIMEOUT_SECONDS", 0.1)
    assert httpx.get(f"{running.url}readyz").status_code == 200
    answer: Future[None] = Future()
    probe = Mock(return_value=(answer,))
    with monkeypatch.context() as patch:
        patch.setattr(running.site.manager.tables.store.database, "probe", probe)
        for _ in range(5):
            refused = httpx.get(f"{running.url}readyz", timeout=PATIENCE)
            assert (refused.status_code, refused.json()) == (503, {"error": NOT_RESPONDING})
        assert probe.call_count == 1
        answer.set_result(None)
    assert httpx.get(f"{running.url}readyz").status_code == 200


# Metrics


def test_requests_commits_and_tables_are_counted(tmp_path: Path) -> None:
    names = (
        "icetable_requests_acknowledged_total",
        "icetable_requests_refused_total",
        "icetable_commit_seconds_count",
        "icetable_tables_created_total",
    )
    before = [count(name) for name in names]
    tables, sockets = count("icetable_tables_open"), count("icetable_sockets")
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as client, Client(running.url, table):
            assert client.act(0, "S@b1")["type"] == "ack"
            assert client.act(0, "S@b1")["type"] == "refused"
            assert client.act(1, client.frame["legal"]["1"][0])["type"] == "ack"
            assert (count("icetable_tables_open"), count("icetable_sockets")) == (tables + 1, sockets + 2)
    after = [count(name) for name in names]
    assert [now - then for now, then in zip(after, before, strict=True)] == [2, 1, 2, 1]
    assert (count("icetable_tables_open"), count("icetable_sockets")) == (tables, sockets)


def test_metrics_have_an_address_of_their_own(running: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        with pytest.raises(CannotServe, match=f"can't be shown at port {port} of 127.0.0.1"):
            server.expose_metrics("127.0.0.1", port)
    response = httpx.get(f"{running.url}metrics")
    assert "icetable_" not in response.text


@pytest.mark.parametrize(("listens", "statuses"), [("127.0.0.1", [200, 200, 421]), ("0.0.0.0", [200, 200, 200])])
def test_metrics_for_this_machine_only_have_none_but_its_names(listens: str, statuses: list[int]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    listener = server.expose_metrics(listens, port)
    try:
        answers = [
            httpx.get(f"http://127.0.0.1:{port}/metrics", headers=headers)
            for headers in ({}, {"Host": f"localhost:{port}"}, {"Host": "rebound.example"})
        ]
        assert [answer.status_code for answer in answers] == statuses
        assert ["icetable_sockets" in answer.text for answer in answers] == [status == 200 for status in statuses]
    finally:
        listener.shutdown()
        listener.server_close()


# The log


@pytest.fixture
def lines() -> Iterator[Any]:
    """The lines that are logged at a level: call it with the level, then read."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    paper = io.StringIO()

    def read(level: str | None = None) -> list[dict[str, Any]]:
        if level is not None:
            logs.configure(level, paper)
        return [json.loads(line) for line in paper.getvalue().splitlines()]

    yield read
    root.handlers[:], root.level = before


def test_by_default_nothing_secret_is_written_down(lines: Any) -> None:
    lines("info")
    logger = logging.getLogger("icetable.test")
    try:
        raise ValueError("code 123abc")
    except ValueError:
        logger.exception("a table fails", extra=logs.about(table="k7m2"))
    logger.info("opened", extra=logs.about(game="toy"))
    logger.debug("not told")
    failed, opened = lines()
    assert (failed["event"], failed["level"], failed["error"]) == ("a table fails", "error", "ValueError")
    assert failed["where"][0].startswith("test_by_default_nothing_secret_is_written_down:")
    assert "123abc" not in json.dumps(failed)
    assert "k7m2" not in json.dumps(failed)
    assert (opened["event"], opened["game"], opened["from"]) == ("opened", "toy", "icetable.test")
    assert opened["time"].endswith("+00:00")


def test_to_find_an_error_everything_is_written_down(lines: Any) -> None:
    lines("debug")
    try:
        raise ValueError("code 123abc")
    except ValueError:
        logging.getLogger("icetable.test").exception("a table fails", extra=logs.about(table="k7m2"))
    (line,) = lines()
    assert (line["event"], line["table"]) == ("a table fails", "k7m2")
    assert "ValueError: code 123abc" in line["error"]


def test_causes_are_written_down_and_what_clients_said_is_not(lines: Any) -> None:
    """Of libraries' arguments too."""
    lines("info")
    logger = logging.getLogger("icetable.test")
    logger.error("nothing can be kept", extra=logs.about("The disk\nis full."))
    logger.error("a log does not fit", extra=logs.about(ValueError("code 123abc"), table="k7m2"))
    logging.getLogger("psycopg").warning("error ignored terminating %r: %s, %d times", "123abc", OSError("123abc"), 3)
    logging.getLogger("library").warning("100% sure")
    logging.getLogger("numba").info("a step of the compiler")
    logger.info("  Icehouse (1 of 3)")
    full, misfit, ignored, sure, indented = lines()
    assert (full["event"], full["cause"]) == ("nothing can be kept", "The disk is full.")
    assert misfit["cause"] == "ValueError"
    assert ignored["event"] == "error ignored terminating …: OSError, 3 times"
    assert sure["event"] == "100% sure"
    assert indented["event"] == "Icehouse (1 of 3)"
    assert not [secret for secret in ("123abc", "k7m2") if secret in str(lines())]


def test_the_terminal_is_told_causes_in_a_line(lines: Any, capsys: pytest.CaptureFixture[str]) -> None:
    lines("info")  # which puts back afterwards what is configured here
    logs.configure_terminal()
    logger = logging.getLogger("icetable.test")
    logs.RareLog(logger).warn("the database fails", logging.ERROR, cause="The disk is full.", said="SQLITE_FULL")
    logger.warning("the database works again")
    logger.info("opened")
    assert capsys.readouterr().err.splitlines() == [
        "icetable: the database fails: The disk is full. (said: SQLITE_FULL)",
        "icetable: the database works again",
    ]


def test_a_frequent_mistake_is_logged_once_a_minute(lines: Any) -> None:
    lines("info")
    time = 0.0
    log = logs.RareLog(logging.getLogger("icetable.test"), lambda: time)
    for _ in range(3):
        log.warn("refused", came="this", expected="that")
    for number in range(2 * logs.MAX_LINES_PER_PERIOD):
        log.warn("refused", came=f"{number}" * 1000)
    log.warn("another mistake")
    time = 60.0
    log.warn("refused", came="this", expected="that")
    told = lines()
    assert len(told) == logs.MAX_LINES_PER_PERIOD + 2
    assert (told[-2]["event"], told[-2]["more"]) == ("another mistake", logs.MAX_LINES_PER_PERIOD + 1)
    assert (told[0]["level"], told[0]["came"], told[0]["expected"]) == ("warning", "this", "that")
    assert len(told[1]["came"]) == logs.MAX_FACT_LENGTH
    assert (told[1]["more"], told[-1]["came"]) == (2, "this")


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    """All calls of loggers in the product."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "logger" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = node.func.value.attr if isinstance(node.func.value, ast.Attribute) else None
                name = node.func.value.id if isinstance(node.func.value, ast.Name) else name
                if name == "logger" and node.func.attr in {*LEVELS, "exception", "log"}:
                    yield f"{path.name}:{node.lineno}", node


def test_no_cause_is_hidden_in_an_argument() -> None:
    """An event is a fixed sentence, since only those are written down; whatever else there is to know are facts."""
    calls = dict(log_calls())
    assert len(calls) > 25
    wrong = []
    for place, call in calls.items():
        event = call.args[-1]
        is_fixed = isinstance(event, ast.Name) or (isinstance(event, ast.Constant) and "%" not in str(event.value))
        most = 2 if isinstance(call.func, ast.Attribute) and call.func.attr == "log" else 1
        if not is_fixed or len(call.args) > most:
            wrong.append(place)
    assert wrong == []


# The end


@pytest.mark.parametrize(
    ("sig", "code", "notice"),
    [(signal.SIGTERM, 1012, responses.RESTART_NOTICE), (signal.SIGINT, 1001, responses.CLOSED_NOTICE)],
)
def test_a_server_that_ends_answers_first_and_says_goodbye(tmp_path: Path, sig: int, code: int, notice: str) -> None:
    """At Ctrl-C nobody is told to wait for it."""
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as client, Client(running.url) as idle:
            client.say(type="act", id="last", seat=0, text="S@b1")
            running.stop(sig)
            assert client.listen_to_the_end() == code
            heard_ack = {"type": "ack", "id": "last", "seq": 1} in client.heard
            assert client.socket.close_reason == notice
            assert idle.listen_to_the_end() == code
    with Running(tmp_path / "tables.sqlite") as running, Client(running.url, table, codes) as client:
        assert client.frame["seq"] == int(heard_ack)
        assert client.ask(type="act", id="last", seat=0, text="S@b1") == {"type": "ack", "id": "last", "seq": 1}


def test_an_act_that_is_being_kept_is_acknowledged_before_the_end(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is slow, and the server is told to end meanwhile."""
    disk = SlowDisk(monkeypatch)
    table, codes = create_table(running.url, person(), person())
    with Client(running.url, table, codes) as client:
        client.say(type="act", id="last", seat=0, text="S@b1")
        assert disk.keeps.wait(PATIENCE)
        running._server.should_exit = True
        while not running.site.readiness.is_shutting_down.is_set():
            time.sleep(0.001)
        disk.may_keep.set()
        assert client.hear("ack")["id"] == "last"
        assert client.listen_to_the_end() == 1012


# What a browser keeps


def test_only_pages_set_a_cookie(running: Running) -> None:
    """Programs get none, and neither does what other caches or Prometheus ask for."""
    table, _ = create_table(running.url, person(), person())
    assert "set-cookie" in httpx.get(running.url).headers
    for path in ("healthz", "readyz", "api/games", "assets/x", f"api/tables/{table}/record"):
        assert "set-cookie" not in httpx.get(running.url + path).headers
    assert "set-cookie" not in ask_for_table(running.url).headers
