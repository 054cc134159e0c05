"""Monitoring: metrics, rules for alerts and a dashboard that name them, ids of requests, an access log."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from prometheus_client import REGISTRY

import icetable
from icetable.server import logs

from .serving import Client, Running, count, create_table, person

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
ROUTE = {"route": "/api/tables/{table}/record"}


def test_requests_and_acts_are_counted(tmp_path: Path) -> None:
    """Routes are told by their patterns: the id of a table lets its reader watch it."""
    answered = count("icetable_answer_seconds_count")
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        before = count("icetable_http_requests_total", **ROUTE, status="200")
        httpx.get(f"{running.url}api/tables/{table}/record")
        httpx.get(f"{running.url}api/tables/{table}x/record")
        with Client(running.url, table, codes) as client:
            client.act(0, "S@b1")
        assert count("icetable_waiting", queue="reviews") == 0
    assert count("icetable_http_requests_total", **ROUTE, status="200") == before + 1
    assert count("icetable_http_requests_total", **ROUTE, status="404") >= 1
    assert count("icetable_http_seconds_count", **ROUTE) >= 2
    assert count("icetable_answer_seconds_count") == answered + 1
    assert count("icetable_build_info", version=icetable.__version__) == 1
    assert count("icetable_database_up") == 1


@pytest.mark.parametrize("name", ["alerts.yml", "dashboard.json"])
def test_the_samples_name_metrics_that_there_are(name: str) -> None:
    text = (DEPLOY / name).read_text()
    there = {sample.name for metric in REGISTRY.collect() for sample in metric.samples}
    there |= {f"{metric.name}{end}" for metric in REGISTRY.collect() for end in ("_total", "_bucket")}
    named = set(re.findall(r"\bicetable_\w+", text))
    assert len(named) > 5
    assert named - there == set()


def test_the_dashboard_can_be_read() -> None:
    panels = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
    assert all(panel["targets"] for panel in panels)


def test_each_request_has_an_id_of_its_own_or_the_proxy_s(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        first, second = (httpx.get(f"{running.url}healthz").headers["x-request-id"] for _ in range(2))
        given = httpx.get(f"{running.url}healthz", headers={"X-Request-ID": "from-the-proxy"})
        forged = httpx.get(f"{running.url}healthz", headers={"X-Request-ID": "a b"})
    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert first != second
    assert given.headers["x-request-id"] == "from-the-proxy"
    assert re.fullmatch(r"[0-9a-f]{16}", forged.headers["x-request-id"])
    assert caplog.records == []


def test_requests_are_logged_where_that_is_asked_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with Running(tmp_path / "tables.sqlite", access_log=True) as running:
        httpx.get(f"{running.url}api/tables/k7m2/record")
    (facts,) = [record.__dict__["facts"] for record in caplog.records if record.name == "icetable.access"]
    assert facts.pop("seconds") >= 0
    assert facts == {"method": "GET", **ROUTE, "status": 404, "address": "127.0.0.1"}


def test_a_line_names_its_request_and_for_journald_its_priority() -> None:
    record = logging.LogRecord("icetable", logging.WARNING, "", 0, "refused", (), None)
    token = logs.request_id.set("abc")
    try:
        plain = logs.JsonFormatter(False).format(record)
        ranked = logs.JsonFormatter(False, for_journal=True).format(record)
    finally:
        logs.request_id.reset(token)
    assert json.loads(plain)["request"] == "abc"
    assert ranked == f"<4>{plain}"


@pytest.mark.skipif(sys.platform != "linux", reason="there is no journald")
def test_journald_is_known_by_the_file_that_it_reads() -> None:
    program = "from icetable.server import logs; print(logs.is_journal_stderr())"
    reading, writing = os.pipe()
    found = os.fstat(writing)
    for stream, answer in ((f"{found.st_dev}:{found.st_ino}", "True"), ("1:2", "False"), ("", "False")):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "JOURNAL_STREAM": stream},
            stderr=writing,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == answer
    os.close(reading)
    os.close(writing)
