"""Single bits of the files flipped: each table has what was acknowledged, or is refused with a sentence.

The bits are of the rows and their keys, of SQLite's own structures, and of the file that notes the last entries.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pytest

from icetable import games
from icetable.server import messages
from icetable.server.chat import ChatMessage
from icetable.server.errors import TableNotFound
from icetable.server.store import open_store
from icetable.server.store.errors import LOST_ACTS, UNREADABLE_ENTRY, StoreDamaged, StoreError
from icetable.server.table.log import Entry
from icetable.server.table.setup import TableSetup, create_setup
from icetable.server.table.state import TableState

from .support import PERSON, act, create_table, join, new_manager, refused, tamper
from .table_states import ANYBODY, OPEN, request

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from icetable.server.live.manager import TableManager
    from icetable.server.store.store import Store

    from .fakes import Listener

pytestmark = pytest.mark.anyio

ACTS = 14
CREATED = 1_900_000_000_000
"""When every table was created."""
FLIPS = 6
"""How many bits of each kind."""


class Known(NamedTuple):
    """A table's codes, and its log as it was acknowledged."""

    codes: list[str]
    log: list[Entry]


class Scene(NamedTuple):
    """A database that no server uses, and its tables."""

    folder: Path
    tables: dict[str, Known]

    def flipped(self, folder: Path, name: str, place: int, bit: int) -> Path:
        """A copy in which a bit of a file is another."""
        shutil.copytree(self.folder, folder)
        content = bytearray((folder / name).read_bytes())
        content[place] ^= 1 << bit
        (folder / name).write_bytes(content)
        return folder / "tables.sqlite"


def seat_and_text(state: TableState, dice: random.Random) -> tuple[int, str]:
    """Something that a player may do now."""
    if not state.game.info.turns:
        return (state.acts, "ready") if state.acts < 2 else (0, ("lift S", "return")[state.acts % 2])
    seat = min(state.to_act)
    return seat, dice.choice(state.position.legal_actions(seat))


def play(store: Store, settled: TableSetup, acts: int, dice: random.Random) -> list[Entry]:
    """Store a table, and a game as the server would; returns the log."""
    store.tables.create(settled).result()
    state = TableState(settled, games.info(settled.game).load(**settled.options))
    while state.acts < acts and not state.is_over:
        at = CREATED + 1000 * state.acts
        if not (entry := state.draw_chance(at)):
            entry = state.entry_for_act(ANYBODY, *seat_and_text(state, dice), at, f"0:{state.entries}")
        store.logs.append_soon(settled.id, entry).result()
        state.append(entry)
    return state.log()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return created(tmp_path_factory.mktemp("damage") / "scene")


def created(folder: Path) -> Scene:
    """Tables of all games, one with chat, one that waits for a player, and one without any acts."""
    dice, tables = random.Random(14), dict[str, Known]()
    two, waiting = [PERSON, PERSON], [PERSON, OPEN]
    with closing(open_store(folder / "tables.sqlite")) as store:
        for game, options, seats, acts in (
            *((game, {}, two, ACTS) for game in ("icefrogs", "wrecktangle", "squad", "highrise")),
            ("icehouse", {"timer": 0, "call_pause": 0}, two, ACTS),
            ("icefrogs", {}, two, 0),
            ("icefrogs", {}, waiting, 0),
        ):
            wanted = request(game, *seats, public=seats is waiting, **options)
            settled, created = create_setup(wanted, games.info(game).load(players=2, **options), [], CREATED)
            tables[settled.id] = Known(list(created.codes.values()), play(store, settled, acts, dice))
        store.chat.append_message(next(iter(tables)), ChatMessage(1, 0, "Ann", CREATED, "Hello!", "0:c")).result()
    with closing(sqlite3.connect(folder / "tables.sqlite")) as database:
        database.execute("VACUUM")  # so that no bytes are left of what was elsewhere before
    return Scene(folder, tables)


async def look(manager: TableManager, table: str, known: Known) -> Listener | None:
    """A client at a table that is as it was acknowledged; None where the table is refused."""
    try:
        client = await join(manager, table, known.codes)
    except (StoreError, TableNotFound):
        return None
    log = client.table.state.log()
    for entry, acknowledged in zip(log, known.log, strict=False):
        assert (entry.seq, entry.link, entry.text) == (acknowledged.seq, acknowledged.link, acknowledged.text)
    assert len(log) >= len(known.log)
    return client


async def check(path: Path, tables: dict[str, Known]) -> int:
    """Look at all tables, and act at each; returns how many are refused, of none where the server does not start."""
    dice, lost = random.Random(7), 0
    try:
        manager = new_manager(path)
    except StoreError:
        return 0
    manager.start()
    await manager.lobby.listings()
    for table, known in tables.items():
        client = await look(manager, table, known)
        if client is None:
            lost += 1
            continue
        state = client.table.state
        if state.to_act:
            answer = await act(client, *seat_and_text(state, dice))
            if isinstance(answer, messages.Refused):
                assert answer.fault.message
        now = Known(known.codes, client.table.state.log())
        await manager.leave(client)
        again = await look(manager, table, now)
        if again is not None:
            await manager.leave(again)
    await manager.close()
    return lost


def places_of(content: bytes, parts: list[bytes], dice: random.Random) -> list[tuple[int, int]]:
    """Bits of some of these parts, wherever they are in a file."""
    found = []
    for part in parts:
        start = content.find(part)
        while start >= 0:
            found.append(start + dice.randrange(len(part)))
            start = content.find(part, start + 1)
    return [(place, dice.randrange(8)) for place in dice.sample(found, FLIPS)]


def ids(scene: Scene, _: bytes) -> list[bytes]:
    return [table.encode() for table in scene.tables]


def logs(scene: Scene, _: bytes) -> list[bytes]:
    entries = [entry for known in scene.tables.values() for entry in known.log]
    return [entry.link.encode() for entry in entries] + [entry.text.encode() for entry in entries]


def setups(_scene: Scene, content: bytes) -> list[bytes]:
    return [
        word for word in (b'"live"', b'"code_hash"', b'"players"', b'"host"', b"icefrogs", b"squad") if word in content
    ]


def anything(_scene: Scene, content: bytes) -> list[bytes]:
    return [content[start : start + 64] for start in range(0, len(content), 64) if any(content[start : start + 64])]


@pytest.mark.parametrize("parts", [ids, logs, setups, anything])
async def test_a_bit_of_the_database_is_another(
    scene: Scene, tmp_path: Path, parts: Callable[[Scene, bytes], list[bytes]], caplog: pytest.LogCaptureFixture
) -> None:
    content = (scene.folder / "tables.sqlite").read_bytes()
    dice, lost = random.Random(parts.__name__), 0
    for number, (place, bit) in enumerate(places_of(content, parts(scene, content), dice)):
        lost += await check(scene.flipped(tmp_path / f"{number}", "tables.sqlite", place, bit), scene.tables)
    assert lost > 0
    assert [record for record in caplog.records if record.name == "asyncio"] == []


async def test_a_bit_of_the_noted_last_entries_is_another(scene: Scene, tmp_path: Path) -> None:
    """The database is sound, so every table is."""
    name, dice = "tables.sqlite-last-entries", random.Random(3)
    size = (scene.folder / name).stat().st_size
    for number in range(FLIPS):
        path = scene.flipped(tmp_path / f"{number}", name, dice.randrange(size), dice.randrange(8))
        assert await check(path, scene.tables) == 0


async def test_the_id_of_a_row_is_another(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """All that comes behind it is hidden, with these ids, and the number of the next entry is taken."""
    scene = created(tmp_path / "scene")
    table, known = next(iter(scene.tables.items()))
    content = (scene.folder / "tables.sqlite").read_bytes()
    row = content.index(known.log[6].link.encode())
    place = content.rindex(table.encode(), 0, row)
    path = scene.flipped(tmp_path / "flipped", "tables.sqlite", place, 1)  # a later one
    manager = new_manager(path)
    for _ in range(2):
        with pytest.raises(StoreDamaged) as told:
            await join(manager, table, known.codes)
        assert str(told.value) == LOST_ACTS
    for other, one in scene.tables.items():
        if other != table:
            assert await look(manager, other, one) is not None
    await manager.close()
    assert [record.getMessage() for record in caplog.records] == [
        "a table has lost acts that were acknowledged; see docs/running.md"
    ]


# What is read must be whole, in every database


def keep(store: Store, *entries: Entry) -> None:
    for entry in entries:
        store.logs.append_soon("k7m2", entry).result()


@pytest.fixture
def store(where: str) -> Store:
    from icetable.server.store import open_store

    return open_store(where)


def test_a_log_with_a_gap_is_not_read(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    with closing(store):
        keep(store, Entry(1, 0, 0, "one"), Entry(3, 0, 0, "three"))
        for read in (store.logs.entries, store.logs.seating, store.logs.length, store.tables.setup):
            with pytest.raises(StoreDamaged, match="This table has lost acknowledged acts"):
                read("k7m2")
    assert [record.getMessage() for record in caplog.records] == [
        "a table has lost acts that were acknowledged; see docs/running.md"
    ]


def test_the_seating_is_not_read_from_a_log_with_a_gap(store: Store) -> None:
    with closing(store):
        keep(store, Entry(1, 0, 0, "one"), Entry(3, 0, 0, "three"))
        with pytest.raises(StoreDamaged):
            store.logs.seating("k7m2")


def test_a_table_that_has_acts_and_no_setup_is_no_unknown_table(store: Store) -> None:
    with closing(store):
        keep(store, Entry(1, 0, 0, "one"))
        assert store.tables.setup("other") is None
        with pytest.raises(StoreDamaged, match="This table has lost acknowledged acts"):
            store.tables.setup("k7m2")


# A place that is taken by what can't be read


def hide(path: Path, table: str, column: str, number: int) -> None:
    """Let a row be hidden from those who read, as damage may do, but not from those who write."""
    with closing(sqlite3.connect(path)) as database, database:
        values = (
            "(?, ?, 0, 0, 'hidden', NULL, '', NULL)" if column == "seq" else "(?, ?, 0, 'Ann', 0, 'hidden', 'x', NULL)"
        )
        database.execute(f"INSERT INTO {'acts' if column == 'seq' else 'talk'} VALUES {values}", (table, number))


def hiding(path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that does not show what is `hidden`."""
    store = open_store(path)
    entries, shown = store.logs.entries, store.chat.messages
    monkeypatch.setattr(store.logs, "entries", lambda *key: [one for one in entries(*key) if one.text != "hidden"])
    monkeypatch.setattr(
        store.chat,
        "messages",
        lambda *key, **limit: [one for one in shown(*key, **limit) if one.text != "hidden"],
    )
    return store


async def test_an_act_whose_place_is_taken_is_refused_at_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    manager = new_manager(hiding(path, monkeypatch))
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    hide(path, table, "seq", 1)
    for text in ("S@b1", "S@b2"):
        fault = refused(await act(ann, 0, text))
        assert (fault.code, fault.message) == ("not-kept", UNREADABLE_ENTRY)
    await manager.close()
    assert len(caplog.records) == 1


async def test_a_message_whose_place_is_taken_is_not_said_to_be_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = new_manager(hiding(path, monkeypatch))
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    hide(path, table, "number", 1)
    fault = refused(await ann.table.say(ann.viewer, messages.Say("c1", "Hello?")))
    assert (fault.code, fault.message) == ("not-kept", UNREADABLE_ENTRY)
    await manager.close()


async def test_damage_to_the_kept_records_is_told_of_at_the_start(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = open_store(path)
    store.records.create("k7m2", "record", 0, 6, 0).result()
    tamper(path, "UPDATE records SET table_id = CAST(x'ff' AS TEXT)")
    manager = new_manager(store)
    manager.start()
    await manager.retention.delete_all()
    await manager.close()
    facts = [one.__dict__["facts"] for one in caplog.records if one.getMessage() == "old records are not deleted"]
    assert facts[0] == {"cause": "The database is damaged."}
    assert "never retrieved" not in caplog.text
