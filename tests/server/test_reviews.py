"""Reviews of games that are over: how they are worked out and told, and that nobody gets one before."""

from __future__ import annotations

import asyncio
import os
import random
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

import icetable
from icetable.analysis import Cancelled, Review, ReviewedAct, ReviewedPosition
from icetable.analysis import reviews as reviewing
from icetable.bots.compilation import NICENESS
from icetable.core.game import CHANCE
from icetable.core.realtime import RealTimeGame
from icetable.core.record import read_head
from icetable.server import messages
from icetable.server.live.study import reviews, search_pool
from icetable.server.live.study.reviews import NoReviewNow
from icetable.server.table.log import End
from icetable.server.table.views import NoReview

from .fakes import PATIENCE
from .serving import Client, Running, copy_table, create_table, first_exercise, person
from .support import finished_table, join
from .table_states import ANYBODY, founded
from .table_states import person as ann
from .table_states import views as views_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.server.live.manager import TableManager

QUICK: dict[str, Any] = {"turn_limit": 8}
"""A game that is over soon."""
COOKIE = {"cookie": f"icetable={'0123456789abcdef' * 2}"}


class Reviewer:
    """In the place of the analysis: reviews without a search, as soon as it may."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.reviewed: list[str] = []
        self.cancelled = 0
        self.instead: Callable[[Executor], object] = lambda _: None
        """The work that it does with its processes before it ends."""

    def __call__(
        self,
        game: str,
        simulations: int,
        executor: Executor,
        on_progress: Callable[[int, int], object],
        cancelled: Callable[[], bool],
        show: Callable[[int, tuple[float, ...]], object],
    ) -> Review:
        assert simulations == reviews.SIMULATIONS
        self.reviewed.append(game)
        show(0, (2 / 3, 1 / 3))
        on_progress(1, 9)
        end = time.monotonic() + PATIENCE
        while not self.may_end.wait(0.005):
            assert time.monotonic() < end
            if cancelled():
                self.cancelled += 1
                raise Cancelled
        self.instead(executor)
        return without_search(icetable.replay(game))


def without_search(last: icetable.State) -> Review:
    """A review that finds every position equal."""
    equal = (1 / last.game.players,) * last.game.players
    none = (0.0,) * last.game.players
    nothing: dict[str, Any] = {"best": None, "line": (), "regret": 0.0, "stake": 0.0, "label": None}
    nothing |= {"gifts": none, "drift": none}
    acts = tuple(ReviewedAct(seat=CHANCE, act=act, kind="chance", luck=none, **nothing) for act in acts_of(last))
    return Review(
        simulations=reviews.SIMULATIONS,
        seed=0,
        positions=(ReviewedPosition(equal),) * (len(acts) + 1),
        acts=acts,
        seats=(),
        costliest=(),
        ended=None,
    )


def acts_of(last: icetable.State) -> list[str]:
    return [str(state.act) for state in last.history() if state.act is not None]


@pytest.fixture
def reviewer(monkeypatch: pytest.MonkeyPatch) -> Reviewer:
    reviewer = Reviewer()
    monkeypatch.setattr("icetable.analysis.review", reviewer)
    return reviewer


def admit(_price: int) -> None: ...


async def asked(manager: TableManager, table: str) -> Review | messages.ReviewProgress:
    told = await manager.study.reviews.of(table, admit)
    return msgspec.json.decode(told, type=Review) if isinstance(told, bytes) else told


async def until_there(manager: TableManager, table: str) -> Review:
    while isinstance(told := await asked(manager, table), messages.ReviewProgress):
        await asyncio.sleep(0.01)
    return told


# How reviews are worked out


@pytest.mark.anyio
async def test_a_review_tells_how_far_it_is_and_is_remembered(manager: TableManager, reviewer: Reviewer) -> None:
    table = await finished_table(manager, **QUICK)
    told = await asked(manager, table)
    assert isinstance(told, messages.ReviewProgress)
    unknown: list[tuple[float, ...] | None] = [None] * len(told.worths)
    assert told == messages.ReviewProgress(0, 0, 0, unknown)
    while await asked(manager, table) != messages.ReviewProgress(1, 9, 0, [(0.667, 0.333), *unknown[1:]]):
        await asyncio.sleep(0.01)
    reviewer.may_end.set()
    found = await until_there(manager, table)
    assert len(found.positions) == len(unknown)
    assert [one.act for one in found.acts] == acts_of(icetable.replay(reviewer.reviewed[0]))
    assert len(found.positions) == len(found.acts) + 1
    assert await asked(manager, table) == found
    assert len(reviewer.reviewed) == 1


@pytest.mark.anyio
async def test_one_game_at_a_time_and_not_too_many(
    manager: TableManager, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_JOBS", 3)
    tables = [await finished_table(manager, **QUICK) for _ in range(4)]
    for ahead, table in enumerate(tables[:3]):
        told = await asked(manager, table)
        assert isinstance(told, messages.ReviewProgress)
        assert told.ahead == ahead
    with pytest.raises(NoReviewNow, match="Too many games are being reviewed"):
        await asked(manager, tables[3])
    assert len(reviewer.reviewed) <= 1
    reviewer.may_end.set()
    for table in tables:
        await until_there(manager, table)
    assert len(reviewer.reviewed) == 4


@pytest.mark.anyio
async def test_a_client_that_may_not_begin_a_review_may_ask_about_one(
    manager: TableManager, reviewer: Reviewer
) -> None:
    table = await finished_table(manager, **QUICK)

    def refuse(_price: int) -> None:
        raise PermissionError

    with pytest.raises(PermissionError):
        await manager.study.reviews.of(table, refuse)
    await asked(manager, table)
    assert isinstance(await manager.study.reviews.of(table, refuse), messages.ReviewProgress)
    reviewer.may_end.set()
    await until_there(manager, table)
    assert isinstance(await manager.study.reviews.of(table, refuse), bytes)


@pytest.mark.anyio
async def test_a_review_that_nobody_asks_about_is_cancelled(
    manager: TableManager, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await finished_table(manager, **QUICK) for _ in range(2)]
    for table in tables:
        await asked(manager, table)
    monkeypatch.setattr(reviews, "ABANDONED_SECONDS", 0.05)
    while reviewer.cancelled < 2:
        await asyncio.sleep(0.01)
    monkeypatch.setattr(reviews, "ABANDONED_SECONDS", PATIENCE)
    reviewer.may_end.set()
    assert isinstance(await asked(manager, tables[0]), messages.ReviewProgress)  # it begins anew
    await until_there(manager, tables[0])


@pytest.mark.anyio
async def test_only_a_few_are_remembered(
    manager: TableManager, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MIN_COUNTED_BYTES", 10**5)
    monkeypatch.setattr(manager.study.reviews.results, "max_size", 2 * 10**5)
    reviewer.may_end.set()
    tables = [await finished_table(manager, **QUICK) for _ in range(3)]
    for table in tables[:2]:
        await until_there(manager, table)
    await asked(manager, tables[0])  # so the other one is forgotten first
    await until_there(manager, tables[2])
    assert isinstance(await asked(manager, tables[0]), Review)
    assert isinstance(await asked(manager, tables[1]), messages.ReviewProgress)


# Its processes


@pytest.mark.anyio
async def test_the_death_of_a_process_ends_its_review_alone(manager: TableManager, reviewer: Reviewer) -> None:
    table = await finished_table(manager, **QUICK)
    reviewer.instead = lambda executor: executor.submit(os._exit, 1).result()
    reviewer.may_end.set()
    with pytest.raises(NoReviewNow, match="The review was interrupted: a process of the server has died"):
        await until_there(manager, table)
    reviewer.instead = lambda executor: executor.submit(os.getpid).result()
    await until_there(manager, table)


@pytest.mark.anyio
async def test_a_failed_review_is_reported_once(manager: TableManager, reviewer: Reviewer) -> None:
    def fail(_: Executor) -> None:
        raise ValueError("nothing that clients should hear")

    table = await finished_table(manager, **QUICK)
    reviewer.instead = fail
    reviewer.may_end.set()
    with pytest.raises(NoReviewNow, match="The review failed on the server"):
        await until_there(manager, table)
    assert isinstance(await asked(manager, table), messages.ReviewProgress)


def has_ended(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return False
    return True


@pytest.mark.anyio
@pytest.mark.parametrize("how", ["idle", "closed"])
async def test_processes_stand_back_and_end(
    manager: TableManager, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(search_pool, "IDLE_SECONDS", 0.0 if how == "idle" else PATIENCE)
    told: list[int] = []
    reviewer.instead = lambda executor: told.extend(
        [executor.submit(os.getpid).result(), executor.submit(os.nice, 0).result()]
    )
    reviewer.may_end.set()
    await until_there(manager, await finished_table(manager, **QUICK))
    process, niceness = told
    assert niceness >= NICENESS
    if how == "closed":
        assert not has_ended(process)
        await manager.close()
    while not has_ended(process):
        await asyncio.sleep(0.02)


# What clients get


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("reviews") / "tables.sqlite") as running:
        yield running


def ask(running: Running, table: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{running.url}api/tables/{table}/review", headers=headers, timeout=PATIENCE)


def play_to_the_end(running: Running, table: str, codes: list[str]) -> None:
    with Client(running.url, table, codes) as client:
        client.play_to_the_end()


def is_reviewable(running: Running, table: str) -> bool:
    """Whether a table whose game is over says that it can be reviewed."""
    with Client(running.url, table) as client:
        return bool(client.heard[0]["ending"]["reviewable"])


def error(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]


def test_a_real_review_over_the_network(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(game: str, simulations: int, executor: Executor, **options: Any) -> Review:
        return reviewing.review(game, 1, **options)

    monkeypatch.setattr("icetable.analysis.review", here)
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    play_to_the_end(running, table, codes)
    first = ask(running, table)
    assert (first.status_code, set(first.json())) == (202, {"done", "of", "ahead", "worths"})
    assert first.headers["cache-control"] == "no-store"
    while (answer := ask(running, table)).status_code == 202:
        time.sleep(0.05)
    assert answer.status_code == 200
    record = httpx.get(f"{running.url}api/tables/{table}/record").text
    assert answer.content == messages.write(reviewing.review(record, 1))


def test_a_game_that_was_resigned_is_reviewed_with_its_end(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(game: str, simulations: int, executor: Executor, **options: Any) -> Review:
        return reviewing.review(game, 1, **options)

    monkeypatch.setattr("icetable.analysis.review", here)
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    with Client(running.url, table, codes) as client:
        client.play(random.Random(4))
        assert client.ask(type="resign", seat=1)["type"] == "ack"
    assert is_reviewable(running, table)
    while (answer := ask(running, table)).status_code == 202:
        time.sleep(0.05)
    found = answer.json()
    assert (found["ended"], len(found["positions"]), len(found["acts"])) == ("resign", 2, 1)
    assert [seat["share"] for seat in found["seats"]] == [1, 0]
    last = found["positions"][-1]["worth"]
    assert [seat["end"] for seat in found["seats"]] == pytest.approx([1 - last[0], -last[1]])


def test_icehouse_is_reviewed_by_its_rules(running: Running) -> None:
    """In a process of its own, and only when it is over: before, nobody learns whom a call would find."""
    table, codes = create_table(running.url, person("Ann"), person("Bob"), game="icehouse")
    refusal = 409, "A game is reviewed when it is over."
    with Client(running.url, table, codes) as client:
        for seat in (0, 1):
            assert client.act(seat, "ready")["type"] == "ack"
        for text in ("lift L", "place 6000,6000 stand 0.0"):
            assert client.act(0, text)["type"] == "ack"
            assert error(ask(running, table)) == refusal
        assert client.ask(type="resign", seat=1)["type"] == "ack"
    while (answer := ask(running, table)).status_code == 202:
        time.sleep(0.05)
    record = httpx.get(f"{running.url}api/tables/{table}/record").text
    state, ended = icetable.replay(record), read_head(record).ended(2)
    assert isinstance(state.game, RealTimeGame)
    review = state.game.review(state, ended)
    assert answer.json() == {"type": "real-time", "parts": state.game.review_page(review)}
    assert ended is not None
    assert (review["ended_by"], review["ended"]) == ("resign", ended.at)


def test_each_visitor_begins_few(tmp_path: Path, reviewer: Reviewer) -> None:
    reviewer.may_end.set()
    with Running(tmp_path / "tables.sqlite", sockets_per_address=10) as running:
        tables = []
        for _ in range(2):
            table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
            play_to_the_end(running, table, codes)
            tables.append(table)
        while ask(running, tables[0]).status_code == 202:
            time.sleep(0.2)
        answer = ask(running, tables[1])
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 1
        assert ask(running, tables[0]).status_code == 200


# Nobody gets one before the end


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    def review(*_: object, **__: object) -> Review:
        raise AssertionError("a game was reviewed")

    monkeypatch.setattr("icetable.analysis.review", review)


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize("game", [info.name for info in icetable.list_games() if info.turns])
@pytest.mark.parametrize("live", [True, False])
def test_a_game_under_way_is_reviewed_for_nobody(running: Running, game: str, live: bool) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), game=game, terms={"live": live})
    dice = random.Random(2)
    refusal = 409, "A game is reviewed when it is over."
    assert error(ask(running, table)) == refusal
    with Client(running.url, table, codes, **COOKIE) as client:
        for _ in range(3):
            client.play(dice)
            assert error(ask(running, table)) == error(ask(running, table, **COOKIE)) == refusal
    for one in codes:
        assert error(ask(running, table, cookie=f"icetable={one}")) == refusal


@pytest.mark.usefixtures("never")
def test_no_game_that_began_from_a_position_is_reviewed(running: Running) -> None:
    """Else a position of a game under way could be played to some end on a table for exploring, and reviewed there."""
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    with Client(running.url, table, codes) as client:
        client.play(random.Random(3))
    refusal = 409, "Only games played from the start are reviewed."
    for seq in (0, 1):
        tried, held = copy_table(running.url, table, codes, seq)
        assert error(ask(running, tried)) == refusal
        play_to_the_end(running, tried, held)
        assert error(ask(running, tried)) == refusal
    exercise, _ = first_exercise(running.url)
    assert error(ask(running, exercise)) == refusal


@pytest.mark.usefixtures("never")
def test_other_games_that_are_not_reviewed(running: Running) -> None:
    assert error(ask(running, "nowhere")) == (404, "There is no such table.")
    alone, codes = create_table(running.url, person("Ann"), game="squad")
    play_to_the_end(running, alone, codes)
    assert error(ask(running, alone)) == (409, "Games for one player are not reviewed.")
    for game, ready in (("icefrogs", ()), ("icehouse", ()), ("icehouse", (0,))):
        resigned, codes = create_table(running.url, person("Ann"), person("Bob"), game=game)
        with Client(running.url, resigned, codes) as client:
            for seat in ready:
                assert client.act(seat, "ready")["type"] == "ack"
            assert client.ask(type="resign", seat=0)["type"] == "ack"
        assert not is_reviewable(running, resigned)
        assert error(ask(running, resigned)) == (409, "Nothing was played, so there is nothing to review.")


def test_a_game_that_nobody_won_is_not_reviewed() -> None:
    state, _ = founded("icefrogs", ann(), ann("Bob"), **QUICK)
    state.append(state.entry_for_act(ANYBODY, 0, state.position.legal_actions()[0], 0))
    state.append(state.next_event(CHANCE, End("time", ()), 0))
    with pytest.raises(NoReview, match="nobody won, so there is no result to review"):
        views_of(state).check_review()


def test_the_end_of_a_game_can_be_taken_back() -> None:
    """No client can do that, but a log may hold it."""
    state, _ = founded("icefrogs", ann(), ann("Bob"), **QUICK)
    while not state.is_over:
        (seat,) = state.to_act
        state.append(state.entry_for_act(ANYBODY, seat, state.position.legal_actions()[0], 0))
    views_of(state).check_review()
    closing = state.closing
    state.append(state.next_entry(0, f"undo {state.acts - 1}", 0))
    with pytest.raises(NoReview, match="A game is reviewed when it is over"):
        views_of(state).check_review()
    (seat,) = state.to_act
    state.append(state.entry_for_act(ANYBODY, seat, state.position.legal_actions()[0], 0))
    assert state.closing != closing


@pytest.mark.anyio
async def test_an_end_that_was_taken_back_hides_the_review(manager: TableManager, reviewer: Reviewer) -> None:
    reviewer.may_end.set()
    table = await finished_table(manager, **QUICK)
    await until_there(manager, table)
    client = await join(manager, table, [])
    state = client.table.state
    state.append(state.next_entry(0, f"undo {state.acts - 1}", 0))
    with pytest.raises(NoReview):
        await asked(manager, table)


def test_very_long_games_are_not_reviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icetable.server.table.views.MAX_REVIEWED_ACTS", 3)
    state, _ = founded("icefrogs", ann(), ann("Bob"), **QUICK)
    while not state.is_over:
        (seat,) = state.to_act
        state.append(state.entry_for_act(ANYBODY, seat, state.position.legal_actions()[0], 0))
    with pytest.raises(NoReview, match="Only games of up to 3 moves are reviewed"):
        views_of(state).check_review()


# Tries at the positions of a game that is over


def try_again(running: Running, table: str, seq: object, act: str) -> httpx.Response:
    return httpx.get(f"{running.url}api/tables/{table}/review/{seq}", params={"act": act}, timeout=PATIENCE)


def test_another_act_is_judged_by_the_measure_of_the_review(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "SIMULATIONS", 4)
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    play_to_the_end(running, table, codes)
    record = httpx.get(f"{running.url}api/tables/{table}/record").text
    found = reviewing.review(record, 4)
    number = found.costliest[0]
    seat, played = found.acts[number].seat, found.acts[number]
    told = try_again(running, table, number, played.act).json()
    assert (told["is_right"], told["best"] - told["worth"]) == (False, pytest.approx(played.regret))
    assert told["worth"] == found.worths[number + 1][seat]
    assert [frame["line"] and frame["line"]["text"] for frame in told["answer"]] == [None, *played.line]
    assert told["answer"][0]["view"]["to_act"] == [seat]
    assert [frame["seq"] for frame in told["reply"]] == list(range(2, 2 + len(told["reply"])))
    assert played.best is not None
    assert try_again(running, table, number, played.best).json()["is_right"]


@pytest.mark.usefixtures("never")
def test_tries_that_are_not_judged(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), **QUICK)
    with Client(running.url, table, codes) as client:
        act = client.frame["legal"]["0"][0]
    assert error(try_again(running, table, 0, act)) == (409, "A game is reviewed when it is over.")
    play_to_the_end(running, table, codes)
    assert error(try_again(running, table, 0, "z9")) == (422, "'z9' is not a move at this position.")
    assert error(try_again(running, table, 8, act)) == (422, "Only 8 moves were made.")
    for seq in ("-1", "one", "1234567890"):
        assert error(try_again(running, table, seq, act)) == (
            422,
            "A position is given by the number of acts before it.",
        )
    assert error(try_again(running, "nowhere", 0, act)) == (404, "There is no such table.")
