"""How a server is set up: by options, variables and a file; what `--check` says; a Unix socket; systemd."""

from __future__ import annotations

import re
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import httpx
import pytest

from icetable.cli import server
from icetable.server.rate_limits import ClientQuotas, Limits
from icetable.server.store import migrations, open_store
from icetable.server.store.migrations import FIRST_VERSION

from .test_commands import assert_refused, output_here, output_of, run_here, running

if TYPE_CHECKING:
    from pathlib import Path

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs Unix sockets")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of settings."""
    path = tmp_path / "icetable.toml"
    path.write_text('port = 9001\nproxy-headers = true\ntables-per-address = 3.5\nlog_level = "warning"\n')
    return path


@pytest.fixture
def _free_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ports count as free, although other programs may use them on this machine."""
    monkeypatch.setattr("icetable.server.http.addresses.bind", lambda *_: [])


@pytest.mark.usefixtures("_free_ports")
def test_options_go_before_variables_and_those_before_the_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICETABLE_CONFIG", str(file))
    monkeypatch.setenv("ICETABLE_LOG_LEVEL", "error")
    monkeypatch.setenv("ICETABLE_METRICS_PORT", "9003")
    monkeypatch.setenv("ICETABLE_CLUSTER", "")
    told = output_here("serve", "--check", f"--db={tmp_path / 'tables.sqlite'}", "--metrics-port=9002")
    assert "It would listen at 127.0.0.1, port 9001.\n" in told
    for line in ("proxy-headers: true", "tables-per-address: 3.5", "log-level: error", "metrics-port: 9002"):
        assert f"\n{line}\n" in told
    assert "cluster: by default" in told
    monkeypatch.setenv("ICETABLE_PROXY_HEADERS", "No")
    assert "proxy-headers: false" in output_here("serve", "--check", f"--db={tmp_path / 'tables.sqlite'}")


def test_every_option_of_a_server_can_be_set_so() -> None:
    known = server.known_options()
    assert {"db", "socket", "proxy_headers", *(f"{what}_per_address" for what in server.LIMITS)} <= set(known)
    assert not set(server.ONLY_OPTIONS) & set(known)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("prot = 1", "did you mean 'port'?"),
        ("port", "not a TOML file"),
        ("port = [1]", "not a text or a number"),
        ("proxy-headers = 1", "not true or false"),
        ("port = true", "not a text or a number"),
        ("config = 'other.toml'", "which is not a setting"),
    ],
)
def test_bad_lines_of_a_configuration_file_are_refused(file: Path, text: str, part: str) -> None:
    file.write_text(text)
    assert_refused(run_here("serve", "--check", f"--config={file}"), str(file), part)


@pytest.mark.usefixtures("_free_ports")
def test_bad_settings_are_refused_with_the_reason(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(run_here("serve", "--check", "--config", str(file.with_name("none"))), "none", code=1)
    assert_refused(run_here("serve", "--check", "--tables-per-address=0"), "--tables-per-address is a number above 0")
    assert_refused(run_here("serve", "--check", "--max-tables=0"), "--max-tables is a whole number from 1 up, not 0")
    assert_refused(run_here("serve", "--check", "--public-url=x"), "--public-url is the address")
    assert_refused(run_here("serve", "--check", "--prefix=pyramids"), "--prefix is a path such as /pyramids")
    assert_refused(run_here("serve", "--port=0", "--prefix=/a b"), "--prefix is a path such as /pyramids")
    assert_refused(run_here("serve", "--check", "--push-keys=push.pem"), "--push-keys needs --push-contact")
    assert_refused(run_here("serve", "--check", "--host=nowhere.invalid"), "There is no address", code=1)
    monkeypatch.setenv("ICETABLE_PROXY_HEADERS", "perhaps")
    assert_refused(run_here("serve", "--check"), "ICETABLE_PROXY_HEADERS is true or false")
    monkeypatch.setenv("ICETABLE_KEEPDAYS", "7")
    for words in (("serve",), ("serve", "--check")):
        assert_refused(run_here(*words), "ICETABLE_KEEPDAYS is not a setting; did you mean 'ICETABLE_KEEP_DAYS'?")


@pytest.mark.usefixtures("_free_ports")
def test_a_check_says_which_version_a_database_has_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.sqlite"
    check = ("serve", "--check", f"--db={path}")
    assert "which is new.\n" in output_here(*check)
    assert not path.exists()
    open_store(path).close()
    assert "which has the version of this icetable.\n" in output_here(*check)
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", ("ALTER TABLE tables ADD COLUMN acts INTEGER",))
        assert f"migrated from version {FIRST_VERSION} to {FIRST_VERSION + 1}.\n" in output_here(*check)
    for version, told in ((3, "written by an icetable before 0.2.0"), (9999, "written by a newer icetable")):
        with closing(sqlite3.connect(path)) as database:
            database.execute(f"PRAGMA user_version = {version}")
        for words in (check, ("serve", f"--db={path}", "--port=0", "--metrics-port=0")):
            assert_refused(run_here(*words), told)
    path.write_text("no database " * 100)
    assert_refused(run_here(*check), "damaged, or not a database", code=1)


def test_a_check_refuses_what_a_server_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icetable.server.store.sqlite.SHUTDOWN_TIMEOUT_SECONDS", 0.0)
    path, nowhere = tmp_path / "tables.sqlite", tmp_path / "file"
    nowhere.write_text("")
    with closing(open_store(path)), socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words, parts in (
            (
                (f"--port={port}", "--metrics-port=0", f"--db={tmp_path / 'new'}"),
                [f"Port {port} of 127.0.0.1 is taken"],
            ),
            (
                ("--port=0", f"--metrics-port={port}", f"--db={tmp_path / 'new'}"),
                [f"Port {port} of 127.0.0.1 is taken"],
            ),
            (("--port=0", "--metrics-port=0", f"--db={path}"), ["Another icetable server has this file open."]),
            ((f"--port={port}", "--metrics-port=0", f"--db={path}"), ["is taken", "Another icetable server"]),
            (("--port=0", "--metrics-port=0", f"--db={nowhere / 'x' / 'tables'}"), [f"{nowhere} can't be written"]),
            (("--socket", str(nowhere), "--metrics-port=0", f"--db={tmp_path / 'new'}"), ["there is something else"]),
        ):
            assert_refused(run_here("serve", "--check", *words), *parts, code=1)
    assert sorted(found.name for found in tmp_path.iterdir()) == [
        "file",
        "tables.sqlite",
        "tables.sqlite-last-entries",
        "tables.sqlite-lock",
    ]


def test_each_limit_is_one_of_its_own() -> None:
    quota = ClientQuotas(Limits(tables=3)).at("192.0.2.1")
    assert [quota.tables.take(), quota.tables.take(3), quota.tables.take()] == [True, True, False]
    assert quota.sockets_left == ClientQuotas().at("192.0.2.1").sockets_left
    assert list(server.LIMITS) == list(Limits._fields)[1:-1]


@unix_only
def test_a_server_at_a_unix_socket_comes_back_after_it_was_killed(tmp_path: Path) -> None:
    path, database = tmp_path / "socket", f"--db={tmp_path / 'tables.sqlite'}"
    words = ("serve", database, f"--socket={path}", "--metrics-port=0", "--proxy-headers")
    transport = httpx.HTTPTransport(uds=str(path))
    for how in (signal.SIGKILL, signal.SIGTERM):
        with running(*words, ICETABLE_JIT="0") as server:
            assert server.wait_for("\n") == f"Icetable is open at unix:{path}\n"
            with httpx.Client(transport=transport) as client:
                headers = {"Host": "games.example", "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}
                answer = client.get("http://games.example/", headers=headers)
                assert "secure" in answer.headers["set-cookie"].lower()
            assert_refused(run_here("serve", f"--db={tmp_path / 'other'}", *words[2:]), "Another server", code=1)
            server.end(how)
    assert not path.exists()


@unix_only
def test_systemd_is_told_when_the_server_is_ready_and_when_it_ends(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        words = ("serve", f"--db={tmp_path / 'tables.sqlite'}", "--port=0", "--metrics-port=0")
        with running(*words, ICETABLE_JIT="0", NOTIFY_SOCKET=str(tmp_path / "notify")) as server:
            assert manager.recv(100) == b"READY=1"
            assert re.search("open at", server.wait_for("\n"))
            assert server.end(signal.SIGTERM)[0] == 0
        assert manager.recv(100) == b"STOPPING=1"


def test_a_check_shows_no_password() -> None:
    done = run_here("serve", "--check", "--db=postgresql://ann:geheim@127.0.0.1:1/tables")
    assert_refused(done, "The database can't be reached", code=1)
    assert "geheim" not in done.stdout + done.stderr
    assert "usage: icetable serve" in output_of("serve", "--help", ICETABLE_PORT="1")
