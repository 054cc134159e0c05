"""Tables that move from SQLite to PostgreSQL and back are the same, row by row, and go on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from icetable.cli import main
from icetable.server.store import open_store
from icetable.server.store.copying import KEYS, copy
from icetable.server.store.errors import StoreError
from icetable.server.table.chat import ChatMessage

from .support import PERSON, act, create_table, join, new_manager

if TYPE_CHECKING:
    from icetable.server.live.manager import TableManager

TABLES = 7


async def filled(path: Path) -> TableManager:
    """Tables with some of everything."""
    manager = new_manager(path)
    for number in range(TABLES):
        table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
        ann = await join(manager, table, codes)
        for seat, text in ((0, "S@b1"), (1, "S@h1"))[: number % 3]:
            await act(ann, seat, text)
        manager.store.append_chat(table, ChatMessage(1, 0, "Änn", number, "Hello!", "0:1")).result()
        manager.store.hold("ab" * 32, table, "cd" * 32).result()
        manager.store.create_record(f"{table}r", "text", number, 4, number - 1).result()
    return manager


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as database:
        return {
            table: database.execute(f"SELECT * FROM {table} ORDER BY {key}").fetchall() for table, key in KEYS.items()
        }


@pytest.mark.anyio
async def test_there_and_back_again_all_is_the_same(path: Path, tmp_path: Path, database: str) -> None:
    """Also while a server uses the first database."""
    manager = await filled(path)
    assert copy(str(path), database).tables == TABLES
    back = tmp_path / "back.sqlite"
    copied = copy(database, str(back))
    before = content(path)
    await manager.close()
    assert content(back) == before
    assert (copied.tables, copied.entries) == (TABLES, len(before["acts"]))
    moved = new_manager(open_store(database))
    table = str(before["acts"][-1][0])
    ann = await join(moved, table, [])
    assert ann.table.state.entries == len([row for row in before["acts"] if row[0] == table])
    await moved.close()


@pytest.mark.anyio
async def test_what_is_there_is_not_mixed_with_what_comes(path: Path, tmp_path: Path) -> None:
    await (await filled(path)).close()
    other = tmp_path / "other.sqlite"
    copy(str(path), str(other))
    with pytest.raises(StoreError, match="There are tables in the target already"):
        copy(str(path), str(other))


def test_what_can_not_be_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["copy", str(tmp_path / "none"), str(tmp_path / "other")]) == 1
    assert "There are no tables yet." in capsys.readouterr().err


def test_everything_that_is_kept_is_copied(path: Path) -> None:
    open_store(path).close()
    with closing(sqlite3.connect(path)) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert names == {*KEYS, "orders"}
