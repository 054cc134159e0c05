"""The samples for running a server: programs that read them find no fault, and play gets through them."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.sync.client import connect

from icetable.cli import BAD_INPUT
from tests.ports import port_to_come_back_to
from tests.server.serving import Running, person

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
SAMPLES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and path.name != ".env")
HOST = "icetable.example.org"
UNDER = "/pyramids"
WANTED = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
EXPOSURE = 25
"""The most that systemd may find wrong with the unit, in tenths; it began with 85."""


def program(name: str) -> str:
    """Where a program is; the test is skipped where there is none."""
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin:/bin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_the_docs_show_or_name_each_sample_as_it_is(sample: Path) -> None:
    running = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    name = sample.relative_to(ROOT).as_posix()
    assert f"`{name}`" in running
    if sample.suffix in (".conf", ".service") or sample.name == "Caddyfile":
        assert textwrap.indent(sample.read_text(encoding="utf-8"), "    ", lambda _: True).expandtabs(4) in re.sub(
            r"(?m)^$", "    ", running
        )


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate for the name in the samples."""
    folder = tmp_path_factory.mktemp("tls")
    words = [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
    words += ["-addext", f"subjectAltName=DNS:{HOST}"]
    words += ["-keyout", str(folder / "icetable.key"), "-out", str(folder / "icetable.pem")]
    subprocess.run(words, check=True, capture_output=True)
    return folder


@contextlib.contextmanager
def started(words: list[str], port: int) -> Iterator[None]:
    """A proxy that listens at a port."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        while True:
            assert process.poll() is None, process.communicate()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
        yield
    finally:
        process.terminate()
        process.communicate()


def check_play(
    port: int, trusted: ssl.SSLContext | None, caplog: pytest.LogCaptureFixture, prefix: str
) -> httpx.Response:
    """A page opens a table and a socket through the proxy, and no mistake is told. An answer that came through it."""
    scheme = "http" if trusted is None else "https"
    headers = {"Host": f"{HOST}:{port}", "Origin": f"{scheme}://{HOST}:{port}"}
    with httpx.Client(verify=trusted or False, base_url=f"{scheme}://127.0.0.1:{port}") as client:
        extensions = {"sni_hostname": HOST}
        games = client.get(f"{prefix}/api/games", headers=headers, extensions=extensions)
        opened = client.post(f"{prefix}/api/tables", json=WANTED, headers=headers, extensions=extensions)
    assert (games.status_code, opened.status_code) == (200, 201)
    options: dict[str, Any] = {} if trusted is None else {"ssl": trusted, "server_hostname": HOST}
    options |= {"sock": socket.create_connection(("127.0.0.1", port)), "origin": headers["Origin"]}
    with connect(f"{'ws' if trusted is None else 'wss'}://{HOST}:{port}{prefix}/ws", **options) as opened_socket:
        opened_socket.send('{"type": "join", "table": "%s", "codes": []}' % opened.json()["table"])  # noqa: UP031
        assert '"welcome"' in str(opened_socket.recv())
    assert [record.getMessage() for record in caplog.records if record.name.startswith("icetable")] == []
    return games


def under(prefix: str, sample: str) -> str:
    """A sample changed for a prefix as its own comment says."""
    changed, times = re.subn(rf"(?m)^([ \t]*)(.*)# with --prefix {UNDER}: (.+)\n", r"\1\3\n", sample)
    assert times == 1
    return changed if prefix else sample


@pytest.mark.parametrize("prefix", ["", UNDER])
def test_play_gets_through_nginx(
    tmp_path: Path, certificate: Path, caplog: pytest.LogCaptureFixture, prefix: str
) -> None:
    nginx, port, plain = program("nginx"), port_to_come_back_to(), port_to_come_back_to()
    with Running(tmp_path / "tables.sqlite", behind_proxy=True, prefix=prefix) as running:
        sample = under(prefix, (DEPLOY / "nginx.conf").read_text())
        for old, new in (
            ("127.0.0.1:8421", running.url.split("/")[2]),
            ("/etc/ssl", str(certificate)),
            ("listen 443", f"listen {port}"),
            ("listen 80", f"listen {plain}"),
            ("listen [::]:443", f"listen [::1]:{port}"),
            ("listen [::]:80", f"listen [::1]:{plain}"),
        ):
            assert old in sample
            sample = sample.replace(old, new)
        bodies = " ".join(
            f"{kind}_temp_path {tmp_path};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        whole = tmp_path / "whole.conf"
        whole.write_text(
            f"daemon off; user root; pid {tmp_path}/pid; events {{}} http {{ access_log off; {bodies}\n{sample}\n}}"
        )
        words = [nginx, "-e", "stderr", "-c", str(whole)]
        subprocess.run([*words, "-t"], check=True, capture_output=True)
        with started(words, port):
            trusted = ssl.create_default_context(cafile=certificate / "icetable.pem")
            answer = check_play(port, trusted, caplog, prefix)
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            answer = httpx.get(f"http://127.0.0.1:{plain}/x", headers={"Host": HOST})
            assert (answer.status_code, answer.headers["location"]) == (301, f"https://{HOST}/x")


@pytest.mark.parametrize("prefix", ["", UNDER])
def test_play_gets_through_caddy(tmp_path: Path, caplog: pytest.LogCaptureFixture, prefix: str) -> None:
    """Over TLS Caddy asks for a certificate at once, so here it serves without."""
    caddy, port = program("caddy"), port_to_come_back_to()
    words = ["--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    subprocess.run([caddy, "validate", *words], check=True, capture_output=True)
    with Running(tmp_path / "tables.sqlite", behind_proxy=True, prefix=prefix) as running:
        sample = under(prefix, (DEPLOY / "Caddyfile").read_text()).replace("127.0.0.1:8421", running.url.split("/")[2])
        changed = tmp_path / "Caddyfile"
        changed.write_text(f"{{\n\tadmin off\n}}\n{sample.replace(HOST, f'http://{HOST}:{port}')}")
        with started([caddy, "run", "--config", str(changed), "--adapter", "caddyfile"], port):
            answer = check_play(port, None, caplog, prefix)
            assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_systemd_finds_little_wrong_with_the_unit(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    unit = tmp_path / "icetable.service"
    unit.write_text((DEPLOY / "icetable.service").read_text().replace("/opt/icetable/bin/icetable", sys.executable))
    said = subprocess.run([analyze, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    assert [line for line in said.stderr.splitlines() if "icetable.service" in line] == []
    words = [analyze, "security", "--offline=true", f"--threshold={EXPOSURE}", "--no-pager", str(unit)]
    judged = subprocess.run(words, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-300:]


def test_a_database_that_is_not_up_yet_is_tried_again_and_again() -> None:
    unit = (DEPLOY / "icetable.service").read_text()
    for line in ("StartLimitIntervalSec=0", "Restart=on-failure", "RestartSec=5", "Wants=network-online.target"):
        assert f"\n{line}\n" in unit


def test_a_setting_that_is_wrong_is_not_tried_again() -> None:
    assert f"\nRestartPreventExitStatus={BAD_INPUT}\n" in (DEPLOY / "icetable.service").read_text()


def test_the_compose_file_is_sound() -> None:
    docker = program("docker")
    environment = {**os.environ, "POSTGRES_PASSWORD": "x", "SITE": "localhost"}
    words = [docker, "compose", "--file", str(DEPLOY / "compose.yaml"), "config", "--quiet"]
    found = subprocess.run([docker, "compose", "version"], capture_output=True, check=False)
    if found.returncode != 0:
        pytest.skip("docker compose is not installed")
    subprocess.run(words, env=environment, check=True, capture_output=True)


def test_prometheus_takes_the_rules_and_they_warn_in_time(tmp_path: Path) -> None:
    promtool = program("promtool")
    rules = tmp_path / "alerts.yml"
    shutil.copy(DEPLOY / "alerts.yml", rules)
    found = subprocess.run([promtool, "check", "rules", str(rules)], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    shutil.copy(ROOT / "tests" / "alerts_test.yml", tmp_path)
    words = [promtool, "test", "rules", str(tmp_path / "alerts_test.yml")]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
