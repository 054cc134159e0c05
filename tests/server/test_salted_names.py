"""The chain of a table binds salted hashes of names, so that names can be erased and every record stays sound."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import Future
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest

from icetable import games
from icetable.core import record
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.chat import ChatMessage
from icetable.server.errors import Tampered
from icetable.server.store import open_store
from icetable.server.store.database import APPEND, Write
from icetable.server.store.errors import StoreDamaged
from icetable.server.table import fairness
from icetable.server.table.fairness import Broken
from icetable.server.table.log import Entry, SaltedName, Sit
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import create_setup
from icetable.server.table.state import TableState, recorded_table

from .support import create_table, join, new_manager, received, tamper
from .table_states import ANYBODY, OPEN, bot, person, request, views

if TYPE_CHECKING:
    from pathlib import Path

    from icetable.server.live.manager import TableManager

    from .fakes import Listener

NAMES = ("Ann", 'Zoë "#1"', "Bob")
PERSON, BOT = person(NAMES[0]), bot(name=NAMES[1])


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> TableState:
    """A game that is over, of a person and a bot from the start and a person who took a seat. Its salts are known."""
    game = games.info("icefrogs").load(players=3, board="star", turn_limit=4)
    setup, _ = create_setup(request("icefrogs", PERSON, BOT, OPEN), game, ["easy"], 1_760_000_000_000)
    setup = msgspec.structs.replace(setup, id="k7m2pq9xabcd", secret=bytes(range(32)))
    salts = (f"{number:032x}" for number in range(1, 9))
    monkeypatch.setattr("secrets.token_hex", lambda _: next(salts))
    table_state = TableState(setup.with_salts(), game)
    table_state.append(table_state.next_event(2, Sit(2, NAMES[2], hash_code("cd" * 16)), 1_760_000_000_000, "2:s"))
    while not table_state.is_over:
        (seat,) = table_state.to_act
        act = table_state.position.legal_actions()[0]
        table_state.append(table_state.entry_for_act(ANYBODY, seat, act, 1_760_000_001_000))
    return table_state


def test_the_chain_never_changes(played: TableState) -> None:
    """Other programs that check records compute these hashes, so they never change."""
    assert SaltedName("00" * 16, "Ann").commitment == (
        "ad0454c09784edc9bdaf343abcf5ae2bd2b77e44df2a755612afc2dd8149fd0f"
    )
    assert fairness.CHAIN_FORM == 1
    assert played._root == "a2d5706a27b4a28bdc61c243c80e57e73033ac7c312fd7f6a464040ad67703bb"
    assert played.log()[0].link == "261274a62e16f402baa93dfabc0327730cf22271653ffe760886bc4ed2a1713f"
    assert played.closing == "bdaa9fb142090d8e7a04af7e8983d8b420824f125cea10e0aac4abbe4b07fcb0"
    head = record.read_head(views(played).record())
    assert head.names() == [
        '0 0 00000000000000000000000000000001 "Ann"',
        r'0 1 00000000000000000000000000000002 "Zoë \"\u00231\""',
        '1 2 00000000000000000000000000000003 "Bob"',
    ]


def test_no_name_is_bound_by_itself(played: TableState) -> None:
    text = views(played).record()
    assert fairness.verify(text) == fairness.VerifiedRecord(0, played.entries, played.closing)
    for line in text.splitlines():
        told = line.startswith("log name ")
        assert any(name in line for name in ("Ann", "Zo", "Bob")) == told, line


def test_an_erased_name_leaves_the_chain_sound(played: TableState) -> None:
    before = views(played).record()
    played.erase({"Ann", "Bob"})
    text = views(played).record()
    assert fairness.verify(text) == fairness.VerifiedRecord(0, played.entries, played.closing, (0, 2))
    assert [seat.name for seat in played.seating.seats] == ["", NAMES[1], ""]
    assert [seat.shown_name for seat in played.seating.seats] == ["Red", NAMES[1], "Yellow"]
    erased = re.sub(r'(log name \d \d) \w+ "(?:Ann|Bob)"', r"\1 erased", before)
    assert text == erased, "who has the record from before can erase the name there too, and nothing else has changed"
    again = TableState(played.setup, played.game, played.log())
    assert views(again).record() == text


@pytest.mark.parametrize("seat", range(3))
def test_another_name_or_salt_is_found_and_named(played: TableState, seat: int) -> None:
    text = views(played).record()
    where = "seat 2 in entry 1 of the log" if seat == 2 else f"seat {seat} in the terms"
    for pattern, other in ((r"(log name \d {} )\w+", rf"\g<1>{'f' * 32}"), (r"(log name \d {} \w+ ).*", r'\1"Eve"')):
        changed = re.sub(pattern.format(seat), other, text)
        assert changed != text
        with pytest.raises(Broken, match=f"is not the name of {where}: its salted hash is"):
            fairness.verify(changed)
    with pytest.raises(Broken, match=f"neither has the name of {where} nor says that it was erased"):
        fairness.verify(re.sub(rf"log name \d {seat} .*\n", "", text))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('0 2 {salt} "Eve"', "has a name for seat 2 in the terms, which commits to none"),
        ('5 1 {salt} "Eve"', "has a name for seat 1 in entry 5 of the log, which commits to none"),
        ("0 0 erased", "has the name of seat 0 in entry 0 of its log twice"),
        ('0 0 {salt} "Eve', "can't be read"),
        ('0 0 {salt} "\\q"', "can't be read"),
        ("0 0", "can't be read"),
    ],
)
def test_a_line_that_tells_no_name_of_the_log_is_refused(played: TableState, line: str, message: str) -> None:
    text = views(played).record() + f"log name {line.format(salt='0' * 32)}\n"
    with pytest.raises(GameError if "read" in message or "twice" in message else Broken, match=message):
        fairness.verify(text)


def test_a_name_that_is_not_the_one_bound_is_found_when_the_log_is_read(played: TableState) -> None:
    first, *_ = played.log()
    assert first.name is not None
    other = msgspec.structs.replace(first, name=SaltedName(first.name.salt, "Eve"))
    with pytest.raises(Tampered, match="a name at this table is not the one that was stored"):
        TableState(played.setup, played.game, [other])


def test_a_record_that_is_opened_shows_its_names(played: TableState) -> None:
    played.erase({"Ann"})
    text = views(played).record()
    shown = recorded_table(record.read_head(text), text, "t", 0)
    assert [seat.name for seat in shown.setup.seats] == ["Red", NAMES[1], "Bob"]


def test_the_names_of_a_series_have_new_salts(played: TableState) -> None:
    played.erase({"Ann"})
    following, _ = played.next_setup(played.viewer_with(frozenset({hash_code("cd" * 16)})), False, 1)
    assert [seat.name for seat in following.seats] == ["", NAMES[1], "Bob"]
    assert following.names[0] is None
    assert following.bound[0] == ""
    assert not {name.salt for name in following.names if name} & {name.salt for name in played.setup.names if name}


async def opened_again(manager: TableManager, table: str) -> Listener:
    """A client that comes just as the name of seat 0 is erased, when the table was read already."""
    read, seen = manager.tables._replays.of, list[str]()

    async def erased_meanwhile(table_id: str) -> TableState:
        state = await read(table_id)
        seen.append(state.seating.seats[0].name)
        await manager.administration.follow(f'{{"do": "erase-seat", "to": "{table}:0"}}')
        return state

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manager.tables._replays, "of", erased_meanwhile)
        client = await join(manager, table, [])
    assert seen == ["Ann"]
    return client


@pytest.mark.anyio
async def test_a_table_that_is_opened_while_a_name_is_erased_has_it_no_more(tmp_path: Path) -> None:
    manager = new_manager(tmp_path / "tables.sqlite")
    table, _ = await create_table(manager, "icefrogs", PERSON, PERSON)
    client = await opened_again(manager, table)
    assert [seat.name for seat in client.table.state.seating.seats] == ["", "Ann 2"]
    await manager.close()


@pytest.mark.anyio
async def test_a_chat_that_is_erased_is_shown_no_more(tmp_path: Path) -> None:
    """Pages would else leave out what is said next, whose numbers they know."""
    manager = new_manager(tmp_path / "tables.sqlite")
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    client = await join(manager, table, codes)
    await client.table.say(client.viewer, messages.Say("1", "Hello!"))
    received(client)
    await manager.administration.follow(f'{{"do": "erase-chat", "to": "{table}"}}')
    assert [message["type"] for message in received(client)] == ["welcome"]
    await manager.close()


@pytest.mark.anyio
async def test_a_refusal_that_names_a_player_is_forgotten(tmp_path: Path) -> None:
    manager = new_manager(tmp_path / "tables.sqlite")
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    client = await join(manager, table, codes)
    judge = client.table._judge
    await client.table.erase({"Ann"})
    assert client.table._judge is not judge
    await manager.close()


def test_a_name_that_is_not_the_one_stored_is_damage(tmp_path: Path, played: TableState) -> None:
    path = tmp_path / "tables.sqlite"
    with closing(open_store(path)) as store:
        store.tables.create(played.setup).result()
        assert store.tables.setup(played.setup.id) == played.setup
    tamper(path, "UPDATE tables SET names = replace(names, 'Ann', 'Eve')")
    with closing(open_store(path)) as store, pytest.raises(StoreDamaged):
        store.tables.setup(played.setup.id)


def test_an_erased_name_that_is_being_read_goes_with_a_later_write(tmp_path: Path, played: TableState) -> None:
    path, table = tmp_path / "tables.sqlite", played.setup.id

    def kept() -> bytes:
        return b"".join(file.read_bytes() for file in tmp_path.iterdir())

    with closing(open_store(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as reader:
        store.tables.create(played.setup).result()
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM tables").fetchone() == (1,)
        store.tables.erase_names(table, {"Ann"})[0].result()
        assert b'"Ann"' in kept()
        reader.execute("COMMIT")
        store.tables.set_seen(table, 10**15, 0).result()
        assert b'"Ann"' not in kept()


def test_rows_that_find_their_place_taken_are_known_beside_those_that_change_many(tmp_path: Path) -> None:
    """One batch: what is erased changes four rows, and an act finds its place taken."""
    with closing(open_store(tmp_path / "tables.sqlite")) as store:
        for number in range(1, 5):
            store.chat.append_message("t", ChatMessage(number, 0, "Ann", 0, "hi", f"0:{number}")).result()
        store.logs.append_soon("t", Entry(1, 0, 0, "S@b1")).result()
        jobs = [
            Write(APPEND, ("t", 1, 1, 0, "M@b1", None, "", None), "t", Entry(1, 1, 0, "M@b1"), Future()),
            Write("DELETE FROM talk WHERE table_id = ?", ("t",), "t", None, Future()),
        ]
        assert store.database._write_all(jobs) == {0}
