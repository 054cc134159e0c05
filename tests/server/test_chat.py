"""Chat: sent once to each client that may see the game, stored beside the game and nowhere else."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import closing
from io import StringIO
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

import icetable
from icetable.server import logs, messages
from icetable.server.chat import BURST, MAX_SHOWN, Chat, ChatMessage, checked_text, comments
from icetable.server.errors import BadTable
from icetable.server.http.responses import FAILED
from icetable.server.names import TEXT_CONTROLS
from icetable.server.store import open_store
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.sqlite import SqliteDatabase
from icetable.server.store.store import Store
from icetable.server.table import fairness

from .fakes import Listener
from .processes import Process
from .serving import Client, Running, create_table, person
from .support import create_table as create_table_in
from .support import join, kind, new_manager, nothing_more, receive
from .table_states import OPEN, request
from .table_states import person as seat_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from icetable.server.live.manager import TableManager


pytestmark = pytest.mark.anyio

ANN, BOB = seat_of("Ann"), seat_of("Bob")


def remark(number: int, text: str = "hello", seat: int = 0) -> ChatMessage:
    return ChatMessage(number, seat, "Ann", 1_000 * number, text, f"id {number}")


@pytest.fixture
def log(where: str) -> Iterator[Store]:
    """An open log of each kind."""
    opened = open_store(where)
    yield opened
    opened.close()


async def say(client: Listener, text: str, request: str) -> messages.Ack | messages.Refused:
    return await client.table.say(client.viewer, messages.Say(request, text))


def fault(answer: messages.Ack | messages.Refused) -> tuple[str, str]:
    assert isinstance(answer, messages.Refused), answer
    return answer.fault.code, answer.fault.message


async def chat_of(client: Listener) -> list[tuple[int, int, str, str]]:
    """The chat of the next message that has some."""
    message = (await receive(client, kind("said")))[-1]
    return [(one["number"], one["seat"], one["name"], one["text"]) for one in message["remarks"]]


def texts(heard: dict[str, Any]) -> list[str]:
    return [one["text"] for one in heard["remarks"]]


# What may be said, and how fast


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  Good game!  ", "Good game!"),
        ("one\ntwo\tthree\x00", "one two three"),
        ("abc\u202edcba\u2066\ufeff", "abcdcba"),
        ("a\u2028b\x85c", "ab c"),
        ("<b>1 & 2</b> # https://example.org", "<b>1 & 2</b> # https://example.org"),
        ("שלום 🎲 été", "שלום 🎲 été"),
        ("\u200bzero\u200b width", "\u200bzero\u200b width"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("\U0001faff", "\U0001faff"),  # an emoji of tomorrow
    ],
)
def test_a_message_becomes_one_line_of_visible_characters(text: str, plain: str) -> None:
    assert checked_text(text) == plain
    assert len(plain.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\n\x00", "".join(sorted(TEXT_CONTROLS)), "\u200b", "\u3164 \u2800", "\u2060", "\ufe0f", "\u0301"],
)
def test_an_empty_message_is_refused(text: str) -> None:
    with pytest.raises(BadTable, match="the message is empty"):
        checked_text(text)


def test_longer_messages_are_not_read() -> None:
    assert isinstance(messages.read_message(json.dumps({"type": "say", "id": "1", "text": "é" * 300})), messages.Say)
    with pytest.raises(messages.BadMessage, match="300"):
        messages.read_message(json.dumps({"type": "say", "id": "1", "text": "é" * 301}))


def test_each_seat_has_a_burst_of_messages_and_then_one_every_two_seconds(now: list[float]) -> None:
    purses = Chat()
    for _ in range(BURST):
        purses.take_token(0)
    with pytest.raises(BadTable, match="too fast; please wait 2 s"):
        purses.take_token(0)
    purses.take_token(1)
    now[0] += 1.9
    with pytest.raises(BadTable, match="please wait 1 s"):
        purses.take_token(0)
    now[0] += 0.1
    purses.take_token(0)
    with pytest.raises(BadTable):
        purses.take_token(0)


def test_the_last_messages_are_known_each_once_and_in_order() -> None:
    some = Chat()
    assert some.said() is None
    remarks = [remark(number) for number in range(1, MAX_SHOWN + 11)]
    assert some.add(remarks[:20]) == remarks[:20]
    assert some.add(remarks) == remarks[20:]
    assert some.add(remarks) == []
    said = some.said()
    assert said is not None
    assert [one.number for one in said.remarks] == list(range(11, MAX_SHOWN + 11))
    assert some.knows("id 60")
    assert not some.knows("id 1")


# The log


def test_messages_are_stored_beside_the_acts(log: Store) -> None:
    for number in (1, 2, 3):
        log.chat.append_message("k7m2", remark(number, f"é {number}")).result()
    assert log.chat.messages("k7m2") == [remark(number, f"é {number}") for number in (1, 2, 3)]
    assert log.chat.messages("k7m2", after=2) == [remark(3, "é 3")]
    assert [one.number for one in log.chat.messages("k7m2", after=0, limit=2)] == [2, 3]
    assert log.chat.messages("other") == []
    assert log.logs.entries("k7m2") == []


def test_a_number_and_a_request_belong_to_one_message(log: Store) -> None:
    log.chat.append_message("k7m2", remark(1)).result()
    for other in (remark(1, "other"), ChatMessage(2, 0, "Ann", 5, "again", "id 1")):
        with pytest.raises(Conflict):
            log.chat.append_message("k7m2", other).result()
    log.chat.append_message("k7m3", remark(1)).result()
    assert log.chat.messages("k7m2") == log.chat.messages("k7m3") == [remark(1)]


# At a table


async def test_clients_that_may_see_the_game_are_sent_what_its_players_say(manager: TableManager) -> None:
    table, codes = await create_table_in(manager, "icefrogs", ANN, BOB)
    ann, bob, eve = [await join(manager, table, some) for some in (codes[:1], codes[1:], [])]
    assert await say(ann, " hello ", "a") == messages.Ack("a", 0)
    assert await say(bob, "hi", "b") == messages.Ack("b", 0)
    for client in (ann, bob, eve):
        assert await chat_of(client) == [(1, 0, "Ann", "hello")]
        assert await chat_of(client) == [(2, 1, "Bob", "hi")]
    assert fault(await say(eve, "me too", "e")) == ("no-seat", "Only players at this table can chat.")
    assert nothing_more(ann)
    adam = await join(manager, table, [])
    assert await chat_of(adam) == [(1, 0, "Ann", "hello"), (2, 1, "Bob", "hi")]


async def test_a_message_that_is_sent_again_counts_once_even_after_a_restart(path: Path) -> None:
    manager = new_manager(path)
    table, codes = await create_table_in(manager, "icefrogs", ANN, BOB)
    ann = await join(manager, table, codes[:1])
    for _ in range(3 * BURST):  # what is known costs nothing
        assert await say(ann, "hello", "a") == messages.Ack("a", 0)
    await asyncio.gather(*(say(ann, "twice", "t") for _ in range(2)))
    await manager.close()
    manager = new_manager(path)
    ann = await join(manager, table, codes[:1])
    assert await say(ann, "hello", "a") == messages.Ack("a", 0)
    assert [one.text for one in manager.tables.store.chat.messages(table)] == ["hello", "twice"]
    await manager.close()


async def test_a_request_that_was_stored_long_ago_is_recognized(manager: TableManager) -> None:
    table, codes = await create_table_in(manager, "icefrogs", ANN, BOB)
    for number in range(1, MAX_SHOWN + 6):
        kept = msgspec.structs.replace(remark(number), client_id=f"0:id {number}")
        manager.tables.store.chat.append_message(table, kept).result()
    ann = await join(manager, table, codes[:1])
    assert await say(ann, "hello", "id 1") == messages.Ack("id 1", 0)
    assert len(manager.tables.store.chat.messages(table)) == MAX_SHOWN + 5


async def test_messages_of_two_seats_under_the_same_id_are_both_kept(manager: TableManager) -> None:
    table, codes = await create_table_in(manager, "icefrogs", ANN, BOB)
    ann, bob = await join(manager, table, codes[:1]), await join(manager, table, codes[1:])
    for _ in range(2):
        assert await say(ann, "hello", "one") == messages.Ack("one", 0)
        assert await say(bob, "hi", "one") == messages.Ack("one", 0)
    assert [(said.seat, said.text) for said in manager.tables.store.chat.messages(table)] == [(0, "hello"), (1, "hi")]


async def test_a_player_who_talks_too_fast_is_told_how_long_to_wait(manager: TableManager, now: list[float]) -> None:
    table, codes = await create_table_in(manager, "icefrogs", ANN, BOB)
    ann, again = await join(manager, table, codes[:1]), await join(manager, table, codes[:1])
    for number in range(BURST):
        assert await say((ann, again)[number % 2], "hello", f"{number}") == messages.Ack(f"{number}", 0)
    too_fast = "That was too fast; please wait 2 s and send it again."
    assert fault(await say(ann, "more", "m")) == ("not-said", too_fast)
    assert fault(await say(ann, "\n", "n")) == ("not-said", "The message is empty.")
    now[0] += 2
    assert await say(ann, "more", "m") == messages.Ack("m", 0)
    assert len(manager.tables.store.chat.messages(table)) == BURST + 1


async def test_a_message_that_can_not_be_stored_is_not_sent(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, codes = await create_table_in(manager, "icefrogs", ANN, BOB)
    ann, eve = await join(manager, table, codes[:1]), await join(manager, table, [])

    def full(self: SqliteDatabase, jobs: object) -> set[int]:
        raise StoreError("The disk is full, so nothing more can be stored.")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteDatabase, "_write_all", full)
        assert fault(await say(ann, "hello", "a")) == ("not-kept", "The disk is full, so nothing more can be stored.")
    await receive(eve, kind("welcome"))
    assert nothing_more(eve)
    assert await say(ann, "hello", "a") == messages.Ack("a", 0)
    assert await chat_of(eve) == [(1, 0, "Ann", "hello")]


async def test_a_seat_that_was_handed_over_speaks_for_its_new_player(manager: TableManager) -> None:
    table, codes = await create_table_in(manager, "icefrogs", ANN, BOB)
    bob, code, mine = await join(manager, table, codes[1:]), "c" * 32, "d" * 32
    assert isinstance(await say(bob, "bye", "1"), messages.Ack)
    assert isinstance(await bob.table.handle(bob.viewer, messages.HandOver("2", 1, code)), messages.Ack)
    assert fault(await say(bob, "still here", "3"))[0] == "no-seat"
    cem = await join(manager, table, [code])
    cem.add_code(mine)
    assert isinstance(await bob.table.handle(cem.viewer, messages.Sit("4", 1, "Cem", mine)), messages.Ack)
    assert isinstance(await say(cem, "hello", "5"), messages.Ack)
    assert [(one.seat, one.name) for one in manager.tables.store.chat.messages(table)] == [(1, "Bob"), (1, "Cem")]


# Who must not see it


@pytest.mark.usefixtures("toy_game")
async def test_a_watcher_of_a_hidden_table_is_sent_no_chat_until_the_end(manager: TableManager) -> None:
    created = await manager.tables.create(request("toy", ANN, OPEN, live=False))
    codes, invite, mine = list(created.codes.values()), created.invites["1"], "d" * 32
    ann, guest, eve = [await join(manager, created.table, some) for some in (codes, [invite], [])]
    assert isinstance(await say(ann, "the secret plan", "1"), messages.Ack)
    late = await join(manager, created.table, [])
    for client in (eve, late, guest):
        await receive(client, kind("welcome"))
        assert nothing_more(client)
    guest.add_code(mine)
    assert isinstance(await guest.table.handle(guest.viewer, messages.Sit("2", 1, "Bob", mine)), messages.Ack)
    assert await chat_of(guest) == [(1, 0, "Ann", "the secret plan")]  # a player by now
    assert isinstance(await say(guest, "understood", "3"), messages.Ack)
    for client in (eve, late):
        assert [message["type"] for message in await receive(client, kind("changed"))] == ["changed"]
        assert nothing_more(client)
    assert isinstance(await guest.table.handle(ann.viewer, messages.Act("4", 0, "take")), messages.Ack)
    await receive(guest, kind("frame"))
    await receive(guest, lambda message: message["type"] == "frame" and message["frame"]["legal"] != {})
    assert isinstance(await guest.table.handle(guest.viewer, messages.Act("5", 1, "stop")), messages.Ack)
    for client in (eve, late):
        heard = await receive(client, kind("said"))
        assert [message["type"] for message in heard if message["type"] in ("welcome", "said")] == ["welcome", "said"]
        assert texts(heard[-1]) == ["the secret plan", "understood"]


SECRET = "nobody writes this down"


@pytest.mark.parametrize("level", ["info", "warning"])
def test_the_logs_never_contain_what_was_said(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = StringIO()
    root = logging.getLogger()
    before, was = list(root.handlers), root.level
    try:
        logs.configure(level, paper)
        with Running(tmp_path / "tables.sqlite") as running:
            table, codes = create_table(running.url, person("Ann"), person("Bob"))
            with Client(running.url, table, codes[:1]) as ann, Client(running.url, table, codes[1:]) as bob:
                ann.ask(type="say", text=SECRET)
                bob.hear("said")
                with monkeypatch.context() as patch:
                    patch.setattr(Chat, "add", lambda *_: 1 / 0)  # and a fault of our own
                    ann.say(type="say", id="bad", text=SECRET)
                    assert ann.hear("error")["message"] == FAILED
            assert SECRET in httpx.get(f"{running.url}api/tables/{table}/record?talk=1").text
    finally:
        root.handlers[:] = before
        root.setLevel(was)
    assert "ZeroDivisionError" in paper.getvalue()
    assert SECRET not in paper.getvalue()


# The record


def test_the_record_has_the_talk_only_where_it_is_wanted(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person("Ann"), person("Bob"), turn_limit=2)
        address = f"{running.url}api/tables/{table}/record"
        with Client(running.url, table, codes) as both:
            both.ask(type="say", text="end IF-16 winners 0 scores 1 0\n0 S@b1 # log 1 0 0 x")
            both.play_to_the_end()
            both.ask(type="say", text="well played")
        plain, whole = httpx.get(address).text, httpx.get(f"{address}?talk=1").text
        assert httpx.get(f"{address}?talk=0").text == plain
        wrong = httpx.get(f"{address}?talk=yes")
        assert (wrong.status_code, wrong.json()["error"]) == (
            422,
            "The record comes with the talk (talk=1) or without (talk=0).",
        )
    assert "well played" not in plain
    assert whole.startswith(plain)
    head, *said = whole.removeprefix(plain).splitlines()
    assert head == "# Table talk; the rules know nothing of it."
    assert [line[21:] for line in said] == [
        " Ann: end IF-16 winners 0 scores 1 0 0 S@b1 # log 1 0 0 x",
        " Ann: well played",
    ]
    assert icetable.replay(whole) == icetable.replay(plain)
    assert fairness.verify(whole) == fairness.verify(plain)


def test_a_hidden_table_keeps_its_talk_with_its_record(running: Running) -> None:
    wanted = {"game": "icefrogs", "options": {"players": 2}, "seats": [person("Ann"), person("Bob")], "live": False}
    created = httpx.post(f"{running.url}api/tables", json=wanted).json()
    with Client(running.url, created["table"], list(created["codes"].values())) as both:
        assert both.ask(type="say", text=SECRET)["type"] == "ack"
    refused = httpx.get(f"{running.url}api/tables/{created['table']}/record?talk=1")
    assert refused.status_code == 409
    assert SECRET not in refused.text


def test_comments_tell_when_and_who() -> None:
    assert comments([]) == ""
    assert comments([ChatMessage(1, 0, "Ann", 86_400_000 + 61_999, "hello", "x")]) == (
        "# Table talk; the rules know nothing of it.\n# 1970-01-02 00:01:01 Ann: hello\n"
    )


# Two processes


def test_people_at_two_processes_talk_to_each_other_and_nothing_is_said_twice(database: str) -> None:
    with Process(database) as one, Process(database) as other:
        table, codes = create_table(one.url, person("Ann"), person("Bob"))
        with (
            Client(one.url, table, codes[:1]) as ann,
            Client(other.url, table, codes[1:]) as bob,
            Client(other.url, table) as eve,
        ):
            for number in range(BURST - 1):
                ann.say(type="say", id=f"a{number}", text=f"Ann {number}")
                bob.say(type="say", id=f"b{number}", text=f"Bob {number}")
            everything: list[list[tuple[int, str]]] = []
            for client in (ann, bob, eve):
                said: list[tuple[int, str]] = []
                while len(said) < 2 * (BURST - 1):
                    said += [(one["number"], one["text"]) for one in client.hear("said")["remarks"]]
                everything.append(said)
            assert everything[0] == everything[1] == everything[2]
            assert [number for number, _ in everything[0]] == list(range(1, 2 * BURST - 1))
            for number in range(BURST - 1):  # sent again, to the other process
                with Client(other.url, table, codes[:1]) as again:
                    assert again.ask(type="say", id=f"a{number}", text="changed")["type"] == "ack"
        with closing(open_store(database)) as log:
            assert [(one.number, one.text) for one in log.chat.messages(table)] == everything[0]
