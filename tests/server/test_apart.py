"""Files of games, kept apart: whatever the code of one does, it is told, its table goes on, and nobody else notices."""

from __future__ import annotations

import asyncio
import functools
import gc
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from icetable import GameError, analysis, games
from icetable.analysis.positions import Analyst
from icetable.analysis.reviews import Unit, retry, sources_of
from icetable.bots.levels import levels
from icetable.core import errors
from icetable.core.game import CHANCE
from icetable.core.turns import TurnState
from icetable.server import messages
from icetable.server.apart import process, searches, wire
from icetable.server.apart.games import ApartGame, ApartInfo, ApartState, open_file
from icetable.server.bot_games import play_bot_game
from icetable.server.live.bots import BotPool
from icetable.server.live.manager import TableManager
from icetable.server.store import open_store
from icetable.workshop import examples, files
from icetable.workshop.guard import DesignError

from . import hostile
from .fakes import PATIENCE, FakeBots
from .support import PERSON, acked, act, create_table, frame, join, new_manager, receive, refused

SECONDS = 1.0
"""How long a call may take here."""
EXAMPLES = sorted(path for path in Path(examples.__file__).parent.glob("*.py") if path.name != "__init__.py")
NOWHERE = {"Deaf", "Raise", "Shutter", "Huge", "Odd", "Deeper"}
"""Games whose line nobody can tell: what is left says only what has happened."""


@pytest.fixture(scope="module", autouse=True)
def _ended() -> Iterator[None]:
    yield
    process.end_all()


def opened(folder: Path, careless: hostile.Careless) -> ApartInfo:
    path = folder / f"{careless.name}.py"
    path.write_text(careless.text, encoding="utf-8")
    return open_file(path, SECONDS)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_game_apart_is_the_same_game(path: Path) -> None:
    """Each answer of a game apart is that of its class, over whole games, also after its process has ended."""
    info, here = open_file(path), files.load_file(path)
    assert dict(info.teams()) == here.teams()
    assert (info.title, info.rules(), info.source, info.players) == (
        here.title,
        here.rules(),
        here.source,
        here.players,
    )
    assert levels(info) == levels(here)
    for players in range(info.players[0], info.players[1] + 1):
        apart, inside = info.load(players=players), here.load(players=players)
        assert apart.options == inside.options
        assert apart.layout() == inside.layout()
        one, other = apart.start(), inside.start()
        draws = np.random.default_rng(players), np.random.default_rng(players)
        for number in range(60):
            assert one.to_json() == other.to_json()
            assert (one.to_act, one.winners, one.scores, one.ended_by) == (
                other.to_act,
                other.winners,
                other.scores,
                other.ended_by,
            )
            assert one.effects == other.effects
            assert [one.view(seat) for seat in (None, *range(players))] == [
                wire.decoded(wire.write_answer(other.view(seat))) for seat in (None, *range(players))
            ]
            assert apart.shown_act(one) == inside.shown_act(other)
            assert apart.shows_history(one) == inside.shows_history(other)
            assert apart.tie_points(one) == inside.tie_points(other)
            if one.is_terminal:
                break
            if CHANCE not in one.to_act:
                assert one.legal_actions() == other.legal_actions()
            if number == 20:
                info.code.tables.end()
            drawn = apart.random_act(one, draws[0])
            assert drawn == inside.random_act(other, draws[1])
            one, other = one.apply(drawn), other.apply(drawn)
        assert apart.replay(one.record()) == one
        assert apart.from_json(one.to_json()) == one
        with pytest.raises(GameError) as refusal:
            one.apply("nonsense nonsense")
        with pytest.raises(type(refusal.value)) as expected:
            other.apply("nonsense nonsense")
        assert str(refusal.value) == str(expected.value)


@pytest.mark.parametrize("name", [*hostile.IN_PLAY, *hostile.IN_METHODS])
def test_a_failing_act_is_reported_and_the_game_goes_on(tmp_path: Path, name: str) -> None:
    careless = hostile.written(name)
    start = opened(tmp_path, careless).load().start()
    on = start.apply("go")
    with pytest.raises(DesignError) as told:
        on.apply("bad")
    assert careless.name in str(told.value)
    if name in hostile.IN_PLAY and name not in NOWHERE:
        assert f"({careless.name}.py:" in str(told.value)
    assert on.apply("go").to_act == {0}


@pytest.mark.parametrize("name", hostile.HARMLESS)
def test_harmless_statements_are_allowed(tmp_path: Path, name: str) -> None:
    on = opened(tmp_path, hostile.written(name)).load().start().apply("bad")
    assert on.apply("go").to_act == {0}


def test_a_pause_is_for_the_move_that_deserves_it(tmp_path: Path) -> None:
    game = opened(tmp_path, hostile.written("Sleep")).load()
    assert isinstance(game, ApartGame)
    start = game.start()
    with pytest.raises(DesignError, match="takes longer"):
        start.apply("bad")
    assert not game.info.code.tables.is_running
    with pytest.raises(DesignError, match="takes longer"):
        start.apply("bad")
    assert not game.info.code.tables.is_running, "it was asked again"
    start.apply("go").apply("go")


@pytest.mark.parametrize("name", hostile.SAVED)
def test_a_file_that_fails_when_it_is_loaded(tmp_path: Path, name: str) -> None:
    careless = hostile.written(name)
    assert careless.saved is not None
    with pytest.raises(DesignError, match=rf"{careless.name}\.py"):
        opened(tmp_path, careless._replace(text=careless.saved))


def test_a_process_ends_with_its_game(tmp_path: Path) -> None:
    info = opened(tmp_path, hostile.written("Threads"))
    info.load().start().apply("bad")
    [running] = info.code.tables._running
    del info
    gc.collect()
    running.process.join(10)
    assert running.process.exitcode is not None


def test_a_search_that_nobody_needs_ends() -> None:
    info = open_file(f"{examples.__path__[0]}/first.py")
    game = info.load()
    assert isinstance(game, ApartGame)
    bots, tables = info.code.bots, info.code.tables
    play_bot = searches.ApartBot(game, "beginner").choose
    play_bot(game.start(), 0)
    for waited, runs in ((process.IDLE_SECONDS / 2, True), (process.IDLE_SECONDS, False)):
        for one in (bots, tables):
            one.end_if_idle(time.monotonic() + waited)
        assert (bots.is_running, tables.is_running) == (runs, True)
    play_bot(game.start(), 0)
    assert bots.is_running


def test_a_number_without_a_bound_has_one(tmp_path: Path) -> None:
    text = hostile.written("Missing").text.replace("    def board", "    each = option(3)\n\n    def board")
    text = text.replace("import Game", "import option, Game")
    (tmp_path / "many.py").write_text(text, encoding="utf-8")
    info = open_file(tmp_path / "many.py")
    with pytest.raises(errors.BadOption, match="from 0 to 1000"):
        info.load(each=10**8)


# At tables


@pytest.fixture
def _kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REGISTERED", {})
    monkeypatch.setattr(games, "_load_file", functools.partial(open_file, seconds=SECONDS))


@pytest.fixture
async def manager(tmp_path: Path, bots: FakeBots, _kept_apart: None) -> AsyncIterator[TableManager]:
    one = new_manager(tmp_path / "tables.sqlite", bots)
    yield one
    await one.close()


@pytest.mark.anyio
async def test_other_tables_notice_nothing(manager: TableManager, tmp_path: Path) -> None:
    """A table of Squad gets its answers while files hang; then all that was acknowledged is there, and they go on."""
    hanging = ["Sleep", "Swallow", "Pattern", "Kill", "Hoard", "SlowActs"]
    clients = {}
    for name in hanging:
        careless = hostile.written(name)
        (tmp_path / f"{careless.name}.py").write_text(careless.text, encoding="utf-8")
        await asyncio.to_thread(games.register, tmp_path / f"{careless.name}.py")
        table, codes = await create_table(manager, careless.name, PERSON, PERSON)
        clients[name] = await join(manager, table, codes)
        acked(await act(clients[name], 0, "go"))
    table, codes = await create_table(manager, "squad", PERSON, PERSON)
    squad = await join(manager, table, codes)
    bad = [asyncio.create_task(act(client, 1, "bad")) for client in clients.values()]
    seat = 0
    while not all(task.done() for task in bad):
        state = squad.table.state
        if not state.to_act:
            break
        seat = min(state.to_act)
        acked(await act(squad, seat, state.position.legal_actions()[0]))
        await asyncio.sleep(0.05)
    for answer in await asyncio.gather(*bad):
        assert ".py" in refused(answer).message
    for client in clients.values():
        acked(await act(client, 1, "go"))
        shown = (await receive(client, frame(2)))[-1]["frame"]
        assert shown["line"]["text"] == "go"
        _, record = await manager.tables.record(client.table.state.setup.id)
        assert record.count(" go") == 2


@pytest.mark.anyio
@pytest.mark.usefixtures("_kept_apart")
async def test_bots_play_in_the_process_of_the_file(tmp_path: Path) -> None:
    """A bot moves at a table of a file; where the file fails it, the table says so with the line."""
    manager = TableManager(open_store(tmp_path / "tables.sqlite"), BotPool(pause=0))
    bot = messages.SeatRequest("bot", "Robot", "beginner")
    sound = hostile.written("ImportFault")
    for name, text in (
        ("sound", sound.text + "\n    def over(self, table): return 'HO-1' if table.turn == 9 else None\n"),
        ("unsound", sound.text + "\n    def worth(self, table): return 1 // 0\n"),
    ):
        (tmp_path / f"{name}.py").write_text(text.replace("class ImportFault", f"class {name.title()}"), "utf-8")
        await asyncio.to_thread(games.register, tmp_path / f"{name}.py")
        table, codes = await create_table(manager, name, PERSON, bot)
        client = await join(manager, table, codes)
        acked(await act(client, 0, "go"))
        if name == "sound":
            await receive(client, frame(2))
        else:
            told = (await receive(client, lambda one: one["type"] == "error"))[-1]["message"]
            assert "(unsound.py:" in told
    await manager.close()


@pytest.mark.anyio
@pytest.mark.usefixtures("_kept_apart")
async def test_nothing_is_left_when_the_server_ends(tmp_path: Path, bots: FakeBots) -> None:
    manager = new_manager(tmp_path / "tables.sqlite", bots)
    careless = hostile.written("Deaf")
    (tmp_path / "deaf.py").write_text(careless.text, encoding="utf-8")
    info = await asyncio.to_thread(games.register, tmp_path / "deaf.py")
    assert isinstance(info, ApartInfo)
    table, codes = await create_table(manager, "deaf", PERSON, PERSON)
    client = await join(manager, table, codes)
    deaf = asyncio.create_task(act(client, 0, "bad"))
    await asyncio.sleep(0.1)
    [running] = info.code.tables._running
    await manager.close()
    assert running.process.exitcode is not None
    refused(await deaf)


# Searches


def test_searches_apart_find_the_same() -> None:
    """Analyses, reviews, retries and games between bots have the results that they have in this process."""
    path = next(path for path in EXAMPLES if path.stem == "first")
    apart, here = open_file(path).load(), files.load_file(path)
    inside = here.load()
    assert isinstance(apart, ApartGame)
    last = inside.random_game(np.random.default_rng(1))
    states = list(last.history())
    state, other = apart.from_json(states[2].to_json()), states[2]
    assert isinstance(state, ApartState)
    assert isinstance(other, TurnState)
    assert searches.analyse(state, 2, 20) == Analyst(20).analyse(other, 2)
    told: list[wire.ReviewProgress] = []
    shown: list[tuple[int, object]] = []
    expected = analysis.review(last, 5, show=lambda number, worth: shown.append((number, worth)))
    assert searches.review(apart, last.record(), 5, told.append) == expected
    assert [(progress.done, progress.worth) for progress in told if progress.worth is not None] == shown
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "info", lambda _: here)
        act = other.legal_actions()[-1]
        posted = Unit(other, act, 2, Analyst(5)).posted(sources_of(here))
        assert searches.retry(state, act, 2, 5) == retry(posted)
    assert searches.play_bot_game(apart, 3) == play_bot_game(cast("TurnState", inside.start()), 3)
    for level in ("beginner", "casual"):
        assert searches.ApartBot(apart, level).choose(state, other.actor) in other.legal_actions()


def test_a_review_that_nobody_waits_for_ends() -> None:
    path = next(path for path in EXAMPLES if path.stem == "first")
    game, last = open_file(path).load(), files.load_file(path).load().random_game(np.random.default_rng(1))
    assert isinstance(game, ApartGame)

    def abandon(_: wire.ReviewProgress) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        searches.review(game, last.record(), 5, abandon)
    assert not game.info.code.studies.is_running


HANGING = """
import sys
from icetable.server.apart.games import open_file

if __name__ == "__main__":
    info = open_file(sys.argv[1], 1)
    state = info.load().start()
    print(info.code.tables._running[0].process.pid, flush=True)
    state.apply("bad")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("name", ["Sleep", "Pattern", "Swallow"])
def test_nothing_long_outlives_a_server_that_is_killed(tmp_path: Path, name: str) -> None:
    careless = hostile.written(name)
    (tmp_path / "hung.py").write_text(careless.text, encoding="utf-8")
    (tmp_path / "server.py").write_text(HANGING, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "server.py"), str(tmp_path / "hung.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        child = int(server.stdout.readline())
        server.kill()
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().rpartition(")")[2]:
        assert time.monotonic() < until
        time.sleep(0.05)
