"""Analyses: how they are worked out and told, and that nobody gets one of a game that may be under way."""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import time
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

import icetable
from icetable.analysis import analyse
from icetable.server import messages
from icetable.server.errors import BadTable, Hidden
from icetable.server.live.study import analyses
from icetable.server.live.study.search_pool import SearchPool
from icetable.server.table import insight
from icetable.server.table.log import End
from icetable.server.table.state import TableState

from .fakes import PATIENCE, Listener
from .serving import Client, Running, bot, copy_table, create_table, first_exercise, person
from .support import acked, act, create_exploring_table, finished_table, join, kind, receive, received, undo
from .table_states import NOW, OPEN, Table, founded
from .table_states import bot as robot
from .table_states import person as ann

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from icetable.server.live.manager import TableManager

QUICK: dict[str, Any] = {"turn_limit": 8}
"""A game that is over soon."""
DEPTHS = (2, 4, 6)


class Desk:
    """In the place of the processes: what is to be searched, and answers when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.searched = 0

    def submit(self, task: Callable[[], Any]) -> Future[Any]:
        done: Future[Any] = Future()
        self.waiting.append((done, task))
        return done

    async def serve(self) -> bool:
        """Do what waits longest, if it is still wanted; whether it was."""
        while not self.waiting:
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)  # until a question that was withdrawn is
        done, task = self.waiting.pop(0)
        if not done.set_running_or_notify_cancel():
            return False
        self.searched += 1
        done.set_result(task())
        await asyncio.sleep(0.01)
        return True


@pytest.fixture(autouse=True)
def _urgent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches stand back behind all else, on a busy machine for minutes."""
    monkeypatch.setattr("icetable.server.live.study.search_pool.NICENESS", 0)


@pytest.fixture(autouse=True)
def _shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "DEPTHS", DEPTHS)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(SearchPool, "submit", lambda _search_pool, _client, task, _lane: desk.submit(task))
    return desk


async def explorer(manager: TableManager, game: str = "icefrogs", **options: Any) -> Listener:
    """A client that holds all seats of a table for exploring."""
    client = await join(manager, *await create_exploring_table(manager, game, **options))
    received(client)
    return client


def answers(client: Listener) -> list[Any]:
    return [message for message in received(client) if message["type"] in ("analysed", "unanalysed")]


# How they are worked out


@pytest.mark.anyio
async def test_a_position_is_searched_deeper_and_deeper(manager: TableManager, desk: Desk) -> None:
    client = await explorer(manager)
    acked(await act(client, 0, "S@b1"))
    manager.study.analyses.start(client, client.table, 1)
    told = []
    for _ in DEPTHS:
        await desk.serve()
        told += answers(client)
    assert [(one["seq"], one["simulations"], one["last"]) for one in told] == [
        (1, 2, False),
        (1, 4, False),
        (1, 6, True),
    ]
    for one in told:
        found = json.loads(msgspec.json.encode(analyse(client.table.state.position, one["simulations"])))
        assert one == {"type": "analysed", "seq": 1, "simulations": one["simulations"], "last": one["last"], **found}
    assert sorted(one["act"] for one in told[-1]["candidates"]) == sorted(client.table.state.position.legal_actions())
    assert not desk.waiting


@pytest.mark.anyio
async def test_values_are_remembered_and_sent_to_other_clients(manager: TableManager, desk: Desk) -> None:
    table = await finished_table(manager, **QUICK)
    one, other = await join(manager, table, []), await join(manager, table, [])
    for client in (one, other):
        manager.study.analyses.start(client, client.table, 2)
        for _ in DEPTHS:
            if client is one:
                await desk.serve()
            told = (await receive(client, kind("analysed")))[-1]
        assert told["last"]
    assert desk.searched == len(DEPTHS)


@pytest.mark.anyio
async def test_a_newer_question_replaces_the_last_one(manager: TableManager, desk: Desk) -> None:
    client = await explorer(manager)
    acked(await act(client, 0, "S@b1"))
    manager.study.analyses.start(client, client.table, 0)
    while not desk.waiting:
        await asyncio.sleep(0)
    manager.study.analyses.start(client, client.table, 1)
    assert not await desk.serve()
    await desk.serve()
    assert [one["seq"] for one in answers(client)] == [1]


@pytest.mark.anyio
@pytest.mark.parametrize("how", ["stop", "leave", "move"])
async def test_a_client_that_stops_or_leaves_gets_no_more_answers(manager: TableManager, desk: Desk, how: str) -> None:
    client = await explorer(manager)
    manager.study.analyses.start(client, client.table, 0)
    while not desk.waiting:
        await asyncio.sleep(0)
    if how == "stop":
        manager.study.analyses.stop(client)
    elif how == "leave":
        await manager.leave(client)
    else:
        await client.join(manager, *await create_exploring_table(manager, "squad", players=2))
    assert not await desk.serve()
    assert answers(client) == []


@pytest.mark.anyio
async def test_acts_that_were_taken_back_are_not_told(manager: TableManager, desk: Desk) -> None:
    client = await explorer(manager)
    acked(await act(client, 0, "S@b1"))
    manager.study.analyses.start(client, client.table, 1)
    acked(await undo(client, 0))
    acked(await act(client, 0, "L@b1"))
    await desk.serve()
    assert answers(client) == []


@pytest.mark.anyio
async def test_a_proven_position_is_not_searched_on(manager: TableManager, desk: Desk) -> None:
    table = await finished_table(manager, **QUICK)
    client = await join(manager, table, [])
    received(client)
    manager.study.analyses.start(client, client.table, client.table.state.acts)
    await desk.serve()
    (told,) = answers(client)
    assert (told["seat"], told["exact"], told["last"], told["candidates"]) == (None, True, True, [])


@pytest.mark.anyio
async def test_not_too_many_are_served(manager: TableManager, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "MAX_CLIENTS", 1)
    one, other = await explorer(manager), await explorer(manager)
    manager.study.analyses.start(one, one.table, 0)
    manager.study.analyses.start(other, other.table, 0)
    assert [told["why"] for told in answers(other)] == [analyses.TOO_MANY_ERROR]
    for _ in DEPTHS:
        await desk.serve()
    manager.study.analyses.start(other, other.table, 0)
    assert answers(other) == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("error", "why"),
    [(BrokenProcessPool("died"), analyses.INTERRUPTED_ERROR), (ValueError("a secret"), analyses.FAILED_ERROR)],
)
async def test_a_failed_analysis_is_answered_with_the_reason(
    manager: TableManager, desk: Desk, error: Exception, why: str
) -> None:
    client = await explorer(manager)
    manager.study.analyses.start(client, client.table, 0)
    while not desk.waiting:
        await asyncio.sleep(0)
    desk.waiting.pop()[0].set_exception(error)
    told = (await receive(client, kind("unanalysed")))[-1]
    assert told == {"type": "unanalysed", "seq": 0, "why": why}


@pytest.mark.anyio
async def test_a_real_process_searches(manager: TableManager) -> None:
    client = await explorer(manager, "squad", players=2)
    manager.study.analyses.start(client, client.table, 0)
    told = (await receive(client, lambda message: message["type"] in ("analysed", "unanalysed")))[-1]
    assert told["type"] == "analysed"
    assert told["worth"] == list(analyse(client.table.state.position, told["simulations"]).worth)


# The processes are shared


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> SearchPool:
    """Its work is done here, in a thread."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(SearchPool, "_run", lambda _, task: task())
    return SearchPool()


@pytest.mark.anyio
async def test_a_position_does_not_wait_for_the_rest_of_a_review(one_process: SearchPool) -> None:
    may_go_on, order = threading.Event(), list[str]()

    def unit(number: int) -> None:
        assert may_go_on.wait(PATIENCE)
        time.sleep(0.01)  # used time counts
        order.append(f"review {number}")

    with one_process.serving("reviews") as review, one_process.serving("ann") as ann:
        units = [review.submit(unit, number) for number in range(5)]
        position = ann.submit(order.append, "position")
        may_go_on.set()
        await asyncio.gather(*map(asyncio.wrap_future, [*units, position]))
    assert order[:3] == ["review 0", "position", "review 1"]
    await one_process.close()


@pytest.mark.anyio
async def test_a_withdrawn_or_failed_search_holds_up_no_other(one_process: SearchPool) -> None:
    may_go_on = threading.Event()
    with one_process.serving("reviews") as review:
        first = review.submit(may_go_on.wait, PATIENCE)
        withdrawn, failing = review.submit(int, "1"), review.submit(int, "one")
        last = review.submit(int, "2")
        assert withdrawn.cancel()
        may_go_on.set()
        assert await asyncio.wrap_future(last) == 2
        assert first.result()
        assert isinstance(failing.exception(), ValueError)


@pytest.mark.anyio
async def test_waiting_searches_are_cancelled_when_the_server_ends(one_process: SearchPool) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def long() -> None:
        begun.set()
        assert may_end.wait(PATIENCE)

    with one_process.serving("reviews") as review:
        first, second = review.submit(long), review.submit(int, "2")
        assert begun.wait(PATIENCE)
        await one_process.close()
        may_end.set()
        await asyncio.wrap_future(first)
        for waiting in (second, review.submit(int, "3")):
            with pytest.raises(CancelledError):
                waiting.result(PATIENCE)


@pytest.mark.anyio
async def test_a_cluster_searches_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that it loses fails like one of a process that dies."""
    with ThreadPoolExecutor(1, "far") as far:
        pool = SearchPool(far)
        with pool.serving("reviews") as review:
            names = [review.submit(lambda: threading.current_thread().name) for _ in range(3)]
            assert all([(await asyncio.wrap_future(name)).startswith("far") for name in names])
            lost: Future[None] = Future()
            lost.cancel()
            monkeypatch.setattr(far, "submit", lambda _: lost)
            with pytest.raises(BrokenExecutor):
                await asyncio.wrap_future(review.submit(int, "1"))
        await pool.close()


# Who gets none


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("analyses") / "tables.sqlite") as running:
        yield running


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_: object) -> Future[Any]:
        raise AssertionError("a position was searched")

    monkeypatch.setattr(SearchPool, "submit", search)


def refusals(client: Client, *numbers: int) -> set[str]:
    """Why a client gets no analysis of these positions."""
    told = set()
    for number in numbers:
        client.say(type="analyse", seq=number)
        while (answer := client.listen())["type"] not in ("analysed", "unanalysed"):
            pass
        assert answer["type"] == "unanalysed", answer
        assert answer["seq"] == number
        told.add(answer["why"])
    return told


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize("game", [info.name for info in icetable.list_games() if info.turns])
@pytest.mark.parametrize("live", [True, False])
def test_a_game_under_way_is_analysed_for_nobody(running: Running, game: str, live: bool) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), game=game, terms={"live": live})
    dice = random.Random(2)
    with Client(running.url, table, codes) as both:
        for _ in range(3):
            both.play(dice)
            for held in (codes, codes[:1], codes[1:], []):
                with Client(running.url, table, held) as client:
                    assert client.table["insight"] == "over"
                    assert refusals(client, 0, 1, 3, 99) == {insight.UNDER_WAY}
        assert both.ask(type="resign", seat=0)["type"] == "ack"
        with Client(running.url, table) as client:
            assert client.table["insight"] == "now"


@pytest.mark.usefixtures("never")
def test_a_game_against_bots_is_under_way_too(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), bot())
    with Client(running.url, table, codes) as client:
        assert client.table["local"]
        assert refusals(client, 0) == {insight.UNDER_WAY}


@pytest.mark.usefixtures("never")
def test_positions_of_a_game_under_way_are_analysed_at_no_other_table(running: Running) -> None:
    """Not at a copy of it, not where that was played to some end or given up, and not at a copy of the copy."""
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    with Client(running.url, table, codes) as client:
        client.play(random.Random(3))
    for seq in (0, 1):
        tried, own = copy_table(running.url, table, codes, seq)
        again, others = copy_table(running.url, tried, own, 0)
        for one, held in ((tried, own), (again, others)):
            with Client(running.url, one, held) as client:
                assert client.table["insight"] == "never"
                assert refusals(client, 0) == {insight.UNKNOWN_ORIGIN}
                if seq:
                    client.play_to_the_end()
                else:
                    assert client.ask(type="resign", seat=0)["type"] == "ack"
                assert refusals(client, 0) == {insight.UNKNOWN_ORIGIN}
        over, held = copy_table(running.url, again, others, 0)
        with Client(running.url, over, held) as client:
            assert refusals(client, 0) == {insight.UNKNOWN_ORIGIN}
    with Client(running.url, *first_exercise(running.url)) as client:
        assert refusals(client, 0) == {insight.UNKNOWN_ORIGIN}


@pytest.mark.usefixtures("never")
def test_other_games_that_are_not_analysed(running: Running) -> None:
    icehouse, codes = create_table(running.url, person("Ann"), person("Bob"), game="icehouse")
    with Client(running.url, icehouse, codes) as client:
        assert not client.table["analysable"]
        assert refusals(client, 0) == {insight.NO_TURNS}
    alone, codes = create_table(running.url, person("Ann"), game="squad", terms={"explore": True})
    with Client(running.url, alone, codes) as client:
        assert not client.table["analysable"]
        assert refusals(client, 0) == {insight.ALONE}


def test_a_finished_game_is_analysed_for_everybody(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    with Client(running.url, table, codes) as client:
        assert client.table["analysable"]
        client.play_to_the_end()
    with Client(running.url, table) as client:
        assert client.table["insight"] == "now"
        assert refusals(client, 99) == {f"Only {client.frame['seq']} moves have been made."}
        client.say(type="analyse", seq=0)
        assert client.hear("analysed")["seq"] == 0
        client.say(type="analyse", seq=None)
        client.say(type="ping", number=1)
        client.hear("pong")


# Tables for exploring


@pytest.mark.usefixtures("never")
def test_a_client_without_all_seats_of_a_table_for_exploring_gets_none(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), terms={"explore": True})
    for held in ([], codes[:1], codes[1:]):
        with Client(running.url, table, held) as client:
            assert client.table["insight"] == "alone"
            assert refusals(client, 0) == {insight.NOT_ALONE}


@pytest.mark.usefixtures("never")
def test_where_somebody_else_sits_down_the_game_is_like_any_other(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), terms={"explore": True})
    code = "5c" * 16
    with Client(running.url, table, codes) as client:
        assert client.table["insight"] == "now"
        assert client.ask(type="hand-over", seat=1, code=code)["type"] == "ack"
        assert refusals(client, 0) == {insight.NOT_ALONE}
        with Client(running.url, table, [code]) as guest:
            assert guest.ask(type="sit", seat=1, name="Eve", code="6d" * 16)["type"] == "ack"
            assert refusals(guest, 0) == refusals(client, 0) == {insight.NOT_ALONE}
    tried, held = copy_table(running.url, table, codes, 0)
    with Client(running.url, tried, held) as client:
        assert refusals(client, 0) == {insight.UNKNOWN_ORIGIN}


def test_a_bot_makes_a_table_for_exploring_a_table_like_any_other() -> None:
    for other in (ann("Bob"), robot()):
        state, codes = founded("icefrogs", ann(), other)
        terms = msgspec.structs.replace(state.setup.terms, explores=True)
        table = TableState(msgspec.structs.replace(state.setup, terms=terms), state.game)
        assert insight.is_open(table, table.viewer(codes.values())) is (other.kind == "person")
        assert insight.when(table, table.viewer([])) == ("alone" if other.kind == "person" else "over")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seats": [ann(), robot()]}, "a person on each seat"),
        ({"seats": [ann(), OPEN]}, "a person on each seat"),
        ({"public": True}, "is not public"),
        ({"pair": True}, "no second game"),
        ({"clock": messages.Clock("act", 60, 0)}, "has no clock"),
    ],
)
def test_nobody_competes_at_a_table_for_exploring(changes: dict[str, Any], complaint: str) -> None:
    wanted = {"seats": [ann(), ann("Bob")], **changes}
    with pytest.raises(BadTable, match=complaint):
        Table("icefrogs", *wanted.pop("seats"), explore=True, **wanted)


def test_a_hidden_history_is_hidden_from_analysis(running: Running) -> None:
    table, codes = create_table(
        running.url, person("Ann"), person("Bob"), game="highrise", terms={"explore": True}, memory="on"
    )
    with Client(running.url, table, codes) as client:
        assert client.table["insight"] == "over"
        assert refusals(client, 0) == {insight.HISTORY}
        client.play_to_the_end()
        client.say(type="analyse", seq=3)
        assert client.hear("analysed")["seq"] == 3


def test_a_copy_of_a_finished_game_is_for_exploring_and_so_are_copies_of_that(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    with Client(running.url, table, codes) as client:
        client.play_to_the_end()
    for _ in range(2):
        table, codes = copy_table(running.url, table, [], 2) if _ == 0 else copy_table(running.url, table, codes, 0)
        with Client(running.url, table, codes) as client:
            assert client.table["insight"] == "now"
            client.say(type="analyse", seq=0)
            assert client.hear("analysed")["seq"] == 0


def test_the_next_game_at_a_table_for_exploring_is_a_game(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), terms={"explore": True}, **QUICK)
    with Client(running.url, table, codes) as client:
        client.play_to_the_end()
    wanted = {"codes": codes, "rotate": False}
    made = httpx.post(f"{running.url}api/tables/{table}/next", json=wanted, timeout=PATIENCE).json()
    with Client(running.url, made["table"], list(made["codes"].values())) as client:
        assert refusals(client, 0) == {insight.UNDER_WAY}


def test_a_record_is_not_analysed_at_its_table() -> None:
    """A record may be written down with any end, while its game is under way."""
    state, codes = founded("icefrogs", ann(), ann("Bob"))
    table = TableState(msgspec.structs.replace(state.setup, record="of a game"), state.game)
    table.append(table.next_event(0, End("resign", (1,)), NOW))
    assert table.is_over
    for viewer in (table.viewer(codes.values()), table.viewer([])):
        assert insight.when(table, viewer) == "never"
        with pytest.raises(Hidden, match="was played elsewhere"):
            insight.position(table, viewer, 0)


# Limits


def test_each_visitor_asks_about_so_many_positions(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", sockets_per_address=2) as running:
        table, codes = create_table(running.url, person("Ann"), person("Bob"))
        with Client(running.url, table, codes) as client:
            told = [why for number in range(6) for why in refusals(client, number)]
    assert told[:4] == [insight.UNDER_WAY] * 4
    assert all(why.startswith("Too many positions are analysed at your address; please wait") for why in told[4:])
