"""Several server processes at the same tables, which only PostgreSQL can serve, and its failures."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import random
import signal
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import psycopg
import pytest

import icetable
from icetable.server import messages, metrics
from icetable.server.live.tables import presence
from icetable.server.store import copying, open_store, pubsub
from icetable.server.store import postgres as postgres_module
from icetable.server.store import pubsub as lag_module
from icetable.server.store.admin import AdminConnection, check_writable, version_at
from icetable.server.store.database import MAX_MESSAGE_BYTES
from icetable.server.store.errors import NEWER, NOT_RESPONDING, Conflict, StoreError, StoreUnusable
from icetable.server.store.migrations import current_version
from icetable.server.store.postgres import PostgresDatabase, in_postgres
from icetable.server.table import fairness
from icetable.server.table import viewers as attendance
from icetable.server.table.log import Entry
from tests.at_once import at_once

from .fakes import PATIENCE
from .processes import SERVER, Process
from .serving import Client, bot, count, create_table, person
from .support import PERSON, acked, act, held, hold, join, kind, new_manager, nothing_more, receive, refused
from .support import create_table as create_table_in
from .table_states import CHARTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from icetable.server.store.database import Write
    from icetable.server.store.store import Store

    from .conftest import PostgresServer, TwoServers


def postgres_of(store: Store) -> PostgresDatabase:
    assert isinstance(store.database, PostgresDatabase)
    return store.database


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = open_store(database)
    yield opened
    opened.close()


def sentence_of(url: str) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(url)
    return str(caught.value)


RACES = 30
KILLS = 3


def nobody_whispers(table: str, text: str) -> None:
    raise AssertionError(f"{table}: {text}")


def news_of(store: Store) -> queue.Queue[str | None]:
    """The tables of which the store hears from now on."""
    heard: queue.Queue[str | None] = queue.Queue()
    store.database.subscribe(heard.put, nobody_whispers)
    assert heard.get(timeout=PATIENCE) is None
    return heard


# Two processes

TOY_SERVER = """
import time
from functools import partial
from icetable import games
from icetable.server.live import bots as live_bots
from tests.server.fakes import FakeBots, first_legal
from tests.server.toy import TOY

real = games.list_games()
games.list_games = lambda: (*real, TOY)

def choose(state, seat):
    time.sleep(THINKING)
    return first_legal(state, seat)

bots = FakeBots()
bots.choose = choose
live_bots.BotPool = partial(live_bots.BotPool, bots.factory, pause=0)
"""


class ToyProcess(Process):
    """A server process that knows the toy, whose bots think for so many seconds."""

    def __init__(self, database: str, thinking: float = 0) -> None:
        super().__init__(database)
        self.program = TOY_SERVER.replace("THINKING", str(thinking)) + SERVER


@pytest.fixture(scope="class")
def both(postgres: PostgresServer) -> Iterator[tuple[Process, Process]]:
    """Two processes over one database."""
    database = postgres.new_database()
    with Process(database) as one, Process(database) as other:
        yield one, other


class TestTwoProcesses:
    def test_players_on_two_processes_see_each_others_acts_at_once(self, both: tuple[Process, Process]) -> None:
        one, other = both
        table, codes = create_table(one.url, person("Ann"), person("Bob"), turn_limit=0)
        with Client(one.url, table, codes[:1]) as ann, Client(other.url, table, codes[1:]) as bob:
            dice = random.Random(5)
            for seq in range(1, 31):
                actor = (ann, bob)[(seq - 1) % 2]
                actor.wait_for(seq - 1)
                actor.play(dice)
            ann.wait_for(30)
            bob.wait_for(30)
            assert ann.lines == bob.lines
            assert [line["seat"] for line in ann.lines] == [0, 1] * 15

    def test_of_two_acts_that_race_on_two_processes_exactly_one_counts(self, both: tuple[Process, Process]) -> None:
        (one, other), races = both, 0
        while races < RACES:
            table, codes = create_table(one.url, person(), person())
            with Client(one.url, table, codes) as here, Client(other.url, table, codes) as there:
                while races < RACES and here.frame["legal"]:
                    (seat, acts), *_ = here.frame["legal"].items()
                    answers = at_once(partial(here.act, int(seat), acts[0]), partial(there.act, int(seat), acts[-1]))
                    assert sorted(answer["type"] for answer in answers) == ["ack", "refused"]
                    races += 1
                    seq = max(here.frame["seq"], there.frame["seq"])
                    here.wait_for(seq)
                    there.wait_for(seq)
                    assert here.lines == there.lines
                with closing(open_store(str(one.database))) as store:
                    assert len(store.logs.entries(table)) == here.frame["seq"]
        assert races == RACES


def test_no_act_is_lost_or_doubled_when_one_process_is_killed_again_and_again(database: str) -> None:
    dice = random.Random(3)
    with Process(database) as victim, Process(database) as survivor:
        table, codes = create_table(survivor.url, person("Ann"), person("Bob"), turn_limit=24)
        acknowledged: dict[str, tuple[int, str]] = {}
        kills = 0
        with ExitStack() as stack:
            bob = stack.enter_context(Client(survivor.url, table, codes[1:]))
            ann = stack.enter_context(Client(victim.url, table, codes[:1]))
            while not bob.frame["view"]["over"]:
                seq = bob.frame["seq"]
                ann.wait_for(seq)
                if bob.frame["legal"]:
                    bob.play(dice)
                    bob.wait_for(seq + 1)
                    continue
                act = {"type": "act", "id": f"act {seq + 1}", "seat": 0, "text": dice.choice(ann.frame["legal"]["0"])}
                if kills < KILLS and dice.random() < 0.5:  # the process dies with the act on its way
                    kills += 1
                    ann.say(**act)
                    if dice.random() < 0.5:
                        time.sleep(dice.random() * 0.01)
                    victim.end(signal.SIGKILL)
                    ann.listen_to_the_end()
                    # She goes on where Bob is, at once, and sends it once more.
                    ann = stack.enter_context(Client(survivor.url, table, codes[:1]))
                    answer = ann.ask(**act)
                    ann.close()
                    victim.start()
                    ann = stack.enter_context(Client(victim.url, table, codes[:1]))
                else:
                    answer = ann.ask(**act)
                assert (answer["type"], answer["seq"]) == ("ack", seq + 1)
                acknowledged[act["id"]] = answer["seq"], act["text"]
                bob.wait_for(seq + 1)
        record = httpx.get(f"{survivor.url}api/tables/{table}/record").text
    played = [str(state.act) for state in icetable.replay(record).history()][1:]
    assert kills == KILLS
    assert all(played[seq - 1] == text for seq, text in acknowledged.values())
    assert len(played) == len(bob.lines)
    assert fairness.verify(record).entries == len(played)


def test_nature_and_bots_of_two_processes_act_once_and_the_survivor_goes_on(database: str) -> None:
    with ToyProcess(database) as one, ToyProcess(database) as other:
        table, codes = create_table(one.url, person(), bot("easy"), game="toy", target=100)
        with Client(one.url, table, codes) as here, Client(other.url, table, codes) as there:
            for number in range(5):
                client = there if number % 2 or one.process.returncode is not None else here
                client.wait_for(4 * number)
                assert client.act(0, "take")["type"] == "ack"
                there.wait_for(4 * number + 2)
                if number == 2:  # the die has been rolled, and the bot is to act
                    one.end(signal.SIGKILL)
            there.wait_for(20)
            assert [line["seat"] for line in there.lines] == [0, -1, 1, -1] * 5
            assert there.act(0, "stop")["type"] == "ack"


def test_a_started_process_goes_on_where_another_one_died(database: str) -> None:
    with ToyProcess(database, thinking=60) as one:
        table, codes = create_table(one.url, person(), bot("easy"), game="toy", target=100)
        with Client(one.url, table, codes) as ann:
            ann.act(0, "take")
            ann.hear("bots")
            one.end(signal.SIGKILL)
    with ToyProcess(database) as other, closing(open_store(database)) as store:
        deadline = time.monotonic() + PATIENCE
        while len(store.logs.entries(table)) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert [entry.seat for entry in store.logs.entries(table)] == [0, -1], "the bot waits for somebody"
        with Client(other.url, table, codes) as ann:
            ann.wait_for(4)
        assert [entry.seat for entry in store.logs.entries(table)] == [0, -1, 1, -1]


# News


def test_other_processes_hear_of_new_entries_and_only_of_those_of_others(database: str, store: Store) -> None:
    heard = news_of(store)
    other = open_store(database)
    store.logs.append_soon("mine", Entry(1, 0, 0, "act")).result()
    other.logs.append_soon("theirs", Entry(1, 0, 0, "act")).result()
    assert heard.get(timeout=PATIENCE) == "theirs"
    other.close()
    assert heard.empty()


def test_a_server_that_comes_back_is_written_and_heard_again(
    postgres: PostgresServer, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(database)
    heard = news_of(store)
    store.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
    monkeypatch.setattr(postgres_module, "RECONNECT_DELAY_SECONDS", 0.05)
    postgres.stop()
    with pytest.raises(StoreError, match="The database can't be reached"):
        store.logs.append_soon("t", Entry(2, 0, 0, "act")).result()
    with pytest.raises(StoreError, match="The database can't be reached"):
        store.logs.entries("t")
    postgres.start()
    store.logs.append_soon("t", Entry(2, 0, 0, "act")).result()
    assert [entry.seq for entry in store.logs.entries("t")] == [1, 2]
    assert heard.get(timeout=PATIENCE) is None
    store.close()


# Lag


def lag() -> float:
    return count("icetable_database_lag_seconds")


def test_how_late_processes_hear_of_each_other_is_measured(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lag_module, "MIN_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(postgres_module, "POLLING_SECONDS", 0.01)
    metrics.LAG.set(0)
    store, back = open_store(database), threading.Event()
    hear = postgres_of(store)._lag.on_return

    def on_return() -> None:
        hear()
        back.set()

    monkeypatch.setattr(postgres_of(store)._lag, "on_return", on_return)
    with closing(store), closing(open_store(database)) as other:
        other.database.subscribe(lambda _: None, nobody_whispers)  # nor does it take these messages for its own
        store.database.subscribe(lambda _: None, nobody_whispers)
        assert back.wait(PATIENCE)
        assert 0 < lag() < PATIENCE


def test_a_message_that_is_late_counts_before_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    times = SimpleNamespace(now=100.0)
    monkeypatch.setattr(lag_module, "time", SimpleNamespace(monotonic=lambda: times.now))
    sent = list[Future[None]]()

    def send() -> Future[None]:
        sent.append(Future())
        return sent[-1]

    one = lag_module.Lag(send)
    one.begin()
    one.check()
    times.now += 0.5
    one.on_return()
    assert (len(sent), lag()) == (1, 0.5)
    one.check()  # it is not yet time for another one
    times.now += lag_module.MIN_INTERVAL_SECONDS
    one.check()
    times.now += 3
    one.check()
    assert (len(sent), lag()) == (2, 3)
    sent[-1].set_exception(StoreError(NOT_RESPONDING))
    times.now += lag_module.MIN_INTERVAL_SECONDS
    one.check()  # that one never left
    one.begin()
    one.check()  # and the way back of this one was lost
    assert len(sent) == 4


# Whispers


def test_whispers_reach_the_other_processes_in_order_and_as_often_as_they_are_said(database: str, store: Store) -> None:
    heard: queue.Queue[tuple[str, str]] = queue.Queue()
    listening = threading.Event()
    store.database.subscribe(lambda _: listening.set(), lambda *whisper: heard.put(whisper))
    assert listening.wait(PATIENCE)
    said = [("t", "b1"), ("t", "a b  c"), ("t", "b1"), ("s", "ä" * (MAX_MESSAGE_BYTES // 2)), ("t", "")]
    store.database.publish("t", "nobody hears what they say themselves")
    with closing(open_store(database)) as other:
        for whisper in said:
            other.database.publish(*whisper)
        with pytest.raises(ValueError, match="at most 7000 bytes"):
            other.database.publish("t", "ä" * (MAX_MESSAGE_BYTES // 2 + 1))
        other.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
    by_table: dict[str, list[str]] = {"t": [], "s": []}
    for _ in said:
        table, text = heard.get(timeout=PATIENCE)
        by_table[table].append(text)
    assert by_table == {table: [text for one, text in said if one == table] for table in by_table}
    assert heard.empty()


def test_entries_can_be_read_once_they_are_published(database: str, store: Store) -> None:
    heard: queue.Queue[list[int]] = queue.Queue()
    listening = threading.Event()
    store.database.subscribe(
        lambda _: listening.set(), lambda table, _: heard.put([entry.seq for entry in store.logs.entries(table)])
    )
    assert listening.wait(PATIENCE)
    with closing(open_store(database)) as other:
        for seq in range(1, 4):
            other.logs.append_soon("t", Entry(seq, 0, 0, "act"))
            other.database.publish("t", "look")
            assert heard.get(timeout=PATIENCE)[:seq] == list(range(1, seq + 1))


def here_are(here: list[int], replaceable: list[int]) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message == {"type": "presence", "here": here, "replaceable": replaceable}


@pytest.mark.anyio
async def test_everybody_sees_who_is_here_wherever_their_socket_is(database: str, two_servers: TwoServers) -> None:
    one, other = two_servers
    table, codes = await create_table_in(one, "icefrogs", PERSON, PERSON)
    ann = await join(one, table, codes[:1])
    await receive(ann, here_are([0], []))
    bob = await join(other, table, codes[1:])
    await receive(ann, here_are([0, 1], []))
    await receive(bob, here_are([0, 1], []))
    late = new_manager(open_store(database))
    eve = await join(late, table, [])
    await receive(eve, here_are([0, 1], []))
    await other.leave(bob)
    await receive(ann, here_are([0], []))
    await receive(eve, here_are([0], []))
    again = await join(late, table, codes[1:])
    await receive(ann, here_are([0, 1], []))
    await late.leave(again)
    await receive(ann, here_are([0], []))
    await late.close()


class StandingTime:
    """The loop as presence knows it: its time goes on when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[asyncio.TimerHandle] = []

    def get_running_loop(self) -> StandingTime:
        return self

    def time(self) -> float:
        return self.now

    def call_at(self, due: float, update: Callable[[], None]) -> asyncio.TimerHandle:
        self.timers.append(asyncio.TimerHandle(due, update, (), asyncio.get_running_loop()))
        return self.timers[-1]

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for timer in list(self.timers):
            if timer.when() <= self.now and not timer.cancelled():
                self.timers.remove(timer)
                timer._run()


@pytest.mark.anyio
async def test_nobody_who_is_at_another_process_is_replaced(
    two_servers: TwoServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = StandingTime()
    monkeypatch.setattr(presence, "asyncio", time)
    one, other = two_servers
    table, codes = await create_table_in(one, "icefrogs", PERSON, PERSON)
    ann = await join(one, table, codes[:1])
    bob = await join(other, table, codes[1:])
    await receive(ann, here_are([0, 1], []))
    while time.now <= attendance.GRACE_SECONDS + attendance.SILENCE_SECONDS:
        time.advance(attendance.REPEAT_SECONDS)
        while any(report.at < time.now for report in ann.table._presence._tracker._reports.values()):
            await asyncio.sleep(0.001)
    assert refused(await ann.table.handle(ann.viewer, messages.Fill("early", 1, "easy"))).code == "not-now"
    assert nothing_more(ann)
    monkeypatch.setattr(bob.table, "publish", lambda _: None)  # as if that process had died
    time.advance(attendance.SILENCE_SECONDS)
    await receive(ann, here_are([0], []))
    time.advance(attendance.GRACE_SECONDS)
    await receive(ann, here_are([0], [1]))
    acked(await ann.table.handle(ann.viewer, messages.Fill("late", 1, "easy")))


@pytest.mark.anyio
async def test_presence_is_requested_again_when_the_database_comes_back(
    database: str, monkeypatch: pytest.MonkeyPatch, two_servers: TwoServers
) -> None:
    monkeypatch.setattr(presence, "REPEAT_SECONDS", 1000.0)
    monkeypatch.setattr(attendance, "SILENCE_SECONDS", 2000.0)
    monkeypatch.setattr(postgres_module, "RECONNECT_DELAY_SECONDS", 0.05)
    one, other = two_servers
    table, codes = await create_table_in(one, "icefrogs", PERSON, PERSON)
    ann, bob, _ = [
        await join(manager, table, held) for manager, held in ((one, codes[:1]), (other, codes[1:]), (other, []))
    ]
    await receive(ann, here_are([0, 1], []))
    with monkeypatch.context() as lost:
        lost.setattr(bob.table, "publish", lambda _: None)
        await other.leave(bob)
    with psycopg.connect(database, autocommit=True) as database_of_all:
        database_of_all.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    await receive(ann, here_are([0], []))


@pytest.mark.anyio
async def test_a_piece_held_at_one_process_is_shown_at_the_other_until_the_position_changes(
    two_servers: TwoServers,
) -> None:
    one, other = two_servers
    table, codes = await create_table_in(one, "icefrogs", PERSON, PERSON)
    ann, bob = await join(one, table, codes[:1]), await join(other, table, codes[1:])
    await receive(ann, here_are([0, 1], []))
    for client, watcher, seat, text in ((ann, bob, 0, "S@b1"), (bob, ann, 1, "S@h1"), (ann, bob, 0, "S@b2")):
        for what in ("S", None, "M", "S"):
            hold(client, seat, what)
            await receive(watcher, held(seat, what))
        acked(await act(client, seat, text))  # and now the watcher's hands are free at once
        acting = min(client.table.state.to_act)
        await receive(watcher, kind("frame"))
        hold(watcher, acting, "M")
        await receive(client, held(acting, "M"))
        hold(watcher, acting, None)
        await receive(client, held(acting, None))
    hold(bob, 1, "M")
    await receive(ann, held(1, "M"))
    await other.leave(bob)
    await receive(ann, held(1, None))


@pytest.mark.anyio
async def test_a_piece_held_before_an_act_is_not_shown_after_it(
    database: str, monkeypatch: pytest.MonkeyPatch, two_servers: TwoServers
) -> None:
    one, other = two_servers
    table, codes = await create_table_in(one, "icefrogs", PERSON, PERSON)
    ann, bob = await join(one, table, codes), await join(other, table, codes[1:])
    await receive(bob, here_are([0, 1], []))
    stale = pubsub.write(pubsub.Held("one", 0, 0, "S"))
    acked(await act(ann, 0, "S@b1"))
    await bob.table.on_message(stale)  # was said after only as many entries as are here: it is caught up with later
    ahead = pubsub.write(pubsub.Held("one", 1, 1, "M"))
    await bob.table.on_message(ahead)
    heard = [message for message in await receive(bob, held(1, "M")) if message["type"] in ("frame", "held")]
    assert [message.get("what", "frame") for message in heard] in (["S", "frame", "M"], ["frame", "M"])
    await bob.table.on_message(stale)
    await bob.table.on_message("nonsense of another version")
    assert nothing_more(bob)


# What can go wrong


def test_a_lost_connection_is_made_again_and_the_entry_counts_once(database: str, store: Store) -> None:
    store.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    store.logs.append_soon("t", Entry(2, 0, 0, "act")).result()
    with pytest.raises(Conflict):
        store.logs.append_soon("t", Entry(2, 0, 0, "act")).result()
    assert [entry.seq for entry in store.logs.entries("t")] == [1, 2]


def test_every_commit_is_forced_to_the_disk_even_where_the_database_would_not(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as other:
        name = other.info.dbname.encode()
        other.execute(b"ALTER DATABASE " + name + b" SET synchronous_commit = off")
    store = open_store(database)
    writer = postgres_of(store)._writer
    shown = writer.run(lambda connection: connection.execute("SHOW synchronous_commit").fetchone(), PATIENCE)
    assert shown == ("on",)
    store.close()


def test_one_text_that_can_not_be_kept_spoils_nothing(store: Store) -> None:
    store.tables.create(CHARTER).result()
    bad = store.logs.append_soon("k7m2", Entry(1, 0, 0, "act", "a\0b"))
    good = store.logs.append_soon("k7m2", Entry(1, 0, 0, "act"))
    assert isinstance(bad.exception(), StoreError)
    assert good.exception() is None


def test_a_database_of_a_newer_version_is_left_alone(database: str) -> None:
    open_store(database).close()
    with psycopg.connect(database, autocommit=True) as newer:
        newer.execute("UPDATE icetable.version SET version = 999")
    assert sentence_of(database) == NEWER


def test_several_processes_may_make_the_schema_at_once(database: str) -> None:
    for store in at_once(*[lambda: open_store(database)] * 4):
        store.close()


MISTAKES = {
    "ann@127.0.0.1:{port}/tables": "The database asks for a password, and none was given: set PGPASSWORD",
    "ann:geheim@127.0.0.1:{port}/tables": "The database does not accept this user's password.",
    "ann:geheimer@127.0.0.1:{port}/nowhere": "There is no such database; create it first.",
    "ann:geheimer@127.0.0.1:{port}/tables": "The database does not allow this user to store tables in it.",
    "bob@127.0.0.1:{port}/tables": "The database does not know this user, or does not let it in.",
    "ann:geheim@127.0.0.1:1/tables": "The database can't be reached: no server listens there.",
    "ann:geheim@nowhere.invalid/tables": "The database can't be reached: its host name can't be resolved.",
    "ann:geheimer@127.0.0.1:{port}/tables?sslmode=require": "The database and this server don't agree on encryption",
    "ann:geheimer@127.0.0.1:{port}/tables?sslmode=verify-full&sslrootcert=/none": "The database and this server don't",
    "ann:geheim@127.0.0.1:none/x": "The URL of the database is not a valid PostgreSQL URL.",
    "ann:geheim@[/x": "The URL of the database is not a valid PostgreSQL URL.",
}


def test_each_mistake_has_its_sentence_and_nobody_is_told_the_password(
    postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The server asks ann for a password at its port, and lets nobody else in there."""
    with postgres.listening("host all ann all scram-sha-256") as port:
        for rest, why in MISTAKES.items():
            caplog.clear()
            assert sentence_of(f"postgresql://{rest.format(port=port)}").startswith(why)
            (told,) = caplog.records
            assert told.__dict__["facts"]["cause"].startswith(why)
            assert "geheim" not in str(told.__dict__)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding_is_refused_wherever_it_is_named(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", encoding)
    name = f"in_{encoding.lower()}"
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as all_databases:
        all_databases.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0".encode())
    where, why = postgres.url(name), f"The database has the encoding {encoding}, in which"
    assert sentence_of(where).startswith(why)
    for use in (version_at, check_writable, AdminConnection):
        with pytest.raises(StoreUnusable, match=why):
            use(where)
    open_store(tmp_path / "tables.sqlite").close()
    with pytest.raises(StoreError, match=f"TO: {why}"):
        copying.copy(str(tmp_path / "tables.sqlite"), where, lambda *_: None)
    with pytest.raises(StoreError, match=f"FROM: {why}"):
        copying.copy(where, str(tmp_path / "other.sqlite"), lambda *_: None)


def test_texts_are_unicode_whatever_the_environment_says(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with closing(open_store(f"{database}{'&' if '?' in database else '?'}client_encoding=SQL_ASCII")) as store:
        store.logs.append_soon("t", Entry(1, 0, 0, "act", "\N{SNOWFLAKE}")).result()
        assert store.logs.entries("t")[0].client_id == "\N{SNOWFLAKE}"


def test_a_check_finds_a_role_that_may_not_make_the_schema(postgres: PostgresServer) -> None:
    with postgres.listening("host all ann all scram-sha-256") as port:
        url = f"postgresql://ann:geheimer@127.0.0.1:{port}/tables"
        with pytest.raises(StoreError, match="does not allow this user to store tables"):
            check_writable(url)


def test_a_check_of_a_database_leaves_it_as_it_was(database: str) -> None:
    check_writable(database)
    assert version_at(database) is None
    with closing(open_store(database)):
        check_writable(database)
    assert version_at(database) == current_version()


def test_commands_are_put_into_its_own_words() -> None:
    words = in_postgres("CREATE TABLE t (a INTEGER, b BLOB) STRICT, WITHOUT ROWID")
    assert words == "CREATE TABLE t (a BIGINT, b BYTEA)"
    assert in_postgres("SELECT a FROM t WHERE b = ? AND c = ?") == "SELECT a FROM t WHERE b = %s AND c = %s"


# When the database refuses one thing, or stands still


def batch(store: Store, monkeypatch: pytest.MonkeyPatch, write: Callable[[], object]) -> list[Write]:
    """The writes that `write` requests from a store, as one batch that is not begun."""
    jobs: list[Write] = []
    with monkeypatch.context() as patch:
        patch.setattr(store.database, "_put", jobs.append)
        write()
    return jobs


def test_all_servers_lock_rows_in_the_same_order(database: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in "ab":
        store.tables.create(msgspec.structs.replace(CHARTER, id=table)).result()
    jobs = batch(store, monkeypatch, lambda: [store.tables.set_over(table, table == "a") for table in "ba"])
    with psycopg.connect(database) as other, psycopg.connect(database, autocommit=True) as watcher:
        other.execute("SELECT id FROM icetable.tables WHERE id = 'a' FOR UPDATE")
        commit = threading.Thread(target=store.database._commit, args=(jobs,))
        commit.start()
        waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        deadline = time.monotonic() + PATIENCE
        while watcher.execute(waiting).fetchone() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        watcher.execute("SELECT id FROM icetable.tables WHERE id = 'b' FOR UPDATE NOWAIT")
    commit.join()
    assert [isinstance(job.done, Future) and job.done.exception() for job in jobs] == [None, None]
    assert store.tables.running(0, 9) == ["b"]


COLLIDING = """
CREATE SEQUENCE icetable.tries;
CREATE FUNCTION icetable.collide() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('icetable.tries') <= {times} THEN
        RAISE EXCEPTION 'collided' USING ERRCODE = '{state}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER collide BEFORE INSERT ON icetable.acts FOR EACH ROW EXECUTE FUNCTION icetable.collide();
"""


@pytest.mark.parametrize("state", ["40P01", "40001"])
def test_a_batch_that_collides_is_written_again(database: str, store: Store, state: str) -> None:
    with psycopg.connect(database, autocommit=True) as other:
        other.execute(COLLIDING.format(times=postgres_module.MAX_TRIES - 1, state=state).encode())
    store.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
    assert [entry.seq for entry in store.logs.entries("t")] == [1]


def test_a_batch_that_collides_again_and_again_is_given_up(database: str, store: Store) -> None:
    with psycopg.connect(database, autocommit=True) as other:
        other.execute(COLLIDING.format(times=postgres_module.MAX_TRIES, state="40P01").encode())
        with pytest.raises(StoreError, match="Other servers were writing the same tables; please try again"):
            store.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
        assert other.execute("SELECT last_value FROM icetable.tries").fetchone() == (postgres_module.MAX_TRIES,)
    store.logs.append_soon("t", Entry(1, 0, 0, "act")).result()


def test_news_that_can_not_be_read_does_not_end_the_listening(
    database: str, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_module, "RECONNECT_DELAY_SECONDS", 0.05)
    heard = news_of(store)
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("NOTIFY icetable, 'nonsense'")
    assert heard.get(timeout=PATIENCE) is None  # it has begun again, and may have missed something
    assert "news of other servers can't be passed on" in caplog.text
    with closing(open_store(database)) as another:
        another.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
    assert heard.get(timeout=PATIENCE) == "t"


def test_a_log_goes_on_when_its_database_has_stood_still(
    postgres: PostgresServer, database: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads that wait for each other end together."""
    monkeypatch.setattr(postgres_module, "RECONNECT_DELAY_SECONDS", 0.05)
    store.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
    with ThreadPoolExecutor(12) as readers, postgres.standing_still(), monkeypatch.context() as impatient:
        impatient.setattr(postgres_module, "QUERY_TIMEOUT_SECONDS", 0.5)
        written = store.logs.append_soon("t", Entry(2, 0, 0, "act", "mine"))
        reads = [readers.submit(store.logs.entries, "t") for _ in range(12)]
        answers: list[BaseException | None] = [written.exception(PATIENCE)]
        answers += [read.exception(PATIENCE) for read in reads]
    assert [(type(error), str(error)) for error in answers] == [(StoreError, NOT_RESPONDING)] * 13
    deadline = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(StoreError):
            before = store.logs.entries("t")
            break
        assert time.monotonic() < deadline
    retried = store.logs.append_soon("t", Entry(2, 0, 0, "act", "mine")).exception()
    assert isinstance(retried, Conflict) == (len(before) == 2)
    assert [(entry.seq, entry.client_id) for entry in store.logs.entries("t")] == [(1, None), (2, "mine")]


SLOW_COMMIT = """
CREATE FUNCTION icetable.wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(5);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON icetable.acts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION icetable.wait();
"""


def test_an_entry_that_is_committed_when_nobody_waits_any_more_is_told_of(
    database: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_module, "SETTINGS", postgres_module.SETTINGS[:1])
    monkeypatch.setattr(postgres_module, "QUERY_TIMEOUT_SECONDS", 0.5)
    with closing(open_store(database)) as impatient, psycopg.connect(database) as other:
        heard = news_of(impatient)
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(SLOW_COMMIT)
        other.execute("SELECT pg_advisory_xact_lock(5)")
        with pytest.raises(StoreError, match="The database does not answer"):
            impatient.logs.append_soon("t", Entry(1, 0, 0, "act")).result()
        assert store.logs.entries("t") == []
        other.rollback()
        assert heard.get(timeout=PATIENCE) == "t"
        assert store.logs.entries("t") == [Entry(1, 0, 0, "act")]


def test_a_log_is_closed_while_its_database_stands_still(
    postgres: PostgresServer, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("icetable.server.store.database.CLOSE_TIMEOUT_SECONDS", 0.1)
    store = open_store(database)
    news_of(store)
    with postgres.standing_still():
        store.logs.append_soon("t", Entry(1, 0, 0, "act"))
        closing_store = threading.Thread(target=store.close)
        closing_store.start()
        closing_store.join(PATIENCE)
        assert not closing_store.is_alive()


def test_nothing_opens_while_the_database_stands_still(postgres: PostgresServer, database: str) -> None:
    with postgres.standing_still():
        assert sentence_of(database) == NOT_RESPONDING


IMPATIENT = """
import signal
from icetable.server.store import postgres

def hurry(*_):
    postgres.QUERY_TIMEOUT_SECONDS = 1.0

signal.signal(signal.SIGUSR1, hurry)
signal.signal(signal.SIGTERM, signal.default_int_handler)
"""
"""Waits for its database not long from the moment on when it is told so."""


def asks_for_patience(answer: Mapping[str, Any]) -> bool:
    """Whether the database did not answer: the act was not judged, or could not be kept."""
    fault = answer.get("fault", {})
    return NOT_RESPONDING in (answer.get("message"), fault.get("message"))


def test_a_server_answers_and_ends_while_its_database_stands_still(postgres: PostgresServer, database: str) -> None:
    process = Process(database)
    process.program = IMPATIENT + SERVER
    with process as server, httpx.Client(base_url=server.url, timeout=PATIENCE) as http:
        table, codes = create_table(server.url, person("Ann"), person("Bob"))
        with Client(server.url, table, codes) as client:
            assert client.act(0, "S@b1")["type"] == "ack"
            act = {"type": "act", "id": "doubtful", "seat": 1, "text": client.frame["legal"]["1"][0]}
            server.process.send_signal(signal.SIGUSR1)
            with postgres.standing_still():
                client.say(**act)
                assert [http.get(path).status_code for path in ("readyz", "api/tables", "healthz")] == [503, 503, 200]
                refused = client.hear("refused")
                assert (refused["id"], refused["fault"]["code"], refused["fault"]["message"]) == (
                    "doubtful",
                    "not-kept",
                    NOT_RESPONDING,
                )
            deadline = time.monotonic() + PATIENCE
            while http.get("readyz").status_code != 200:
                assert time.monotonic() < deadline
                time.sleep(0.1)
            # A session that was cut off late makes the server ask for patience once more.
            while asks_for_patience(answer := client.ask(**act)):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert answer == {"type": "ack", "id": "doubtful", "seq": 2}
            client.wait_for(2)
            assert len(client.lines) == 2
            with postgres.standing_still():
                client.say(type="act", id="last", seat=0, text=client.frame["legal"]["0"][0])
                httpx.get(f"{server.url}healthz")
                server.process.send_signal(signal.SIGTERM)
                out, _ = server.process.communicate(timeout=PATIENCE)
        assert (out, server.process.returncode) == ("ended\n", 0)
