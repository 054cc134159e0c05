"""The scripts of benchmarks/ that prove that nothing is lost, for a moment and with a few tables."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
from pathlib import Path

import msgspec
import pytest

from benchmarks.crowd import Crowd, Server, Wrong
from icetable.server.store import open_store
from tests.ports import port_to_come_back_to

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix has it")

KILLS = 1
TABLES = 5
ACTS = 40


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crowd, Path]:
    """A crowd whose server was killed meanwhile and has ended, and its database."""
    server = Server(tmp_path_factory.mktemp("load") / "tables.sqlite")
    server.port = port_to_come_back_to()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ICETABLE_JIT", "0")  # so few acts are not worth the compiler
        server.start()
        try:
            crowd = asyncio.run(play(server))
        finally:
            code = server.end(signal.SIGTERM)
    assert code == 0
    return crowd, server.database


def acts(crowd: Crowd) -> int:
    return sum(table.acts for table in crowd.tables)


async def play(server: Server) -> Crowd:
    crowd = Crowd(server.url, TABLES, 4, 100)
    await crowd.open()
    for _ in range(KILLS):
        before = {table.number: table.acts for table in crowd.tables}
        await crowd.until(lambda: all(client.wire or client.is_done for client in crowd.everybody()))
        server.end(signal.SIGKILL)
        await asyncio.to_thread(server.start)
        await crowd.until(lambda before=before: all(table.acts > before[table.number] for table in crowd.tables))
    await crowd.until(lambda: acts(crowd) >= ACTS)
    await crowd.stop()
    await crowd.close()
    return crowd


def test_kills_lose_and_double_nothing(played: tuple[Crowd, Path]) -> None:
    crowd, database = played
    seen = crowd.check(database)
    assert crowd.complaints == []
    assert seen["tables"] >= TABLES
    assert seen["acknowledged"] == acts(crowd) >= ACTS
    assert seen["views"] > 4 * ACTS
    assert crowd.dropped >= KILLS * TABLES * 4


def test_the_check_finds_mistakes(played: tuple[Crowd, Path], tmp_path: Path) -> None:
    """The check can fail: each client must have been sent what is in the log, no more and no less."""
    crowd, original = played
    database = Path(shutil.copy(original, tmp_path / "tables.sqlite"))
    client = next(client for client in crowd.everybody() if client.acknowledged)
    name, seq = next(iter(client.acknowledged.items()))

    del client.acknowledged[name]
    with pytest.raises(Wrong, match="are not those acknowledged"):
        crowd.check(database)
    client.acknowledged[name] = seq + 1
    with pytest.raises(Wrong, match=f"the acknowledged act {name} is not in the log as number {seq + 1}"):
        crowd.check(database)
    client.acknowledged[name] = seq

    view = client.views[seq]
    client.views[seq] = {print_of_view + 1 for print_of_view in view}
    with pytest.raises(Wrong, match="was wrong"):
        crowd.check(database)
    client.views[seq] = view

    log = open_store(database)
    last = log.logs.entries(client.table.id)[-1]
    log.logs.append_soon(client.table.id, msgspec.structs.replace(last, seq=last.seq + 1, client_id=None)).result()
    log.close()
    with pytest.raises(Wrong, match="differ from the"):
        crowd.check(database)
