"""Kernels on their way: what is loaded and compiled when, what is told of it, and that nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from icetable import games
from icetable.bots import compilation
from icetable.kernels import jit
from icetable.server.live.bots import Kernels, Preparation

from .fakes import FakeBots

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

SECONDS = 300.0  # a limit for a program that hangs

FIRST_ACT = """
import asyncio, sys, threading
from pathlib import Path
from icetable import bots, games
from icetable.bots import compilation, search
from icetable.kernels import jit
from icetable.server.live.bots import BotFactory, BotPool
from icetable.server.live.manager import TableManager
from icetable.server.messages import SeatRequest
from icetable.server.store import open_store
from tests.server.support import PERSON, act, create_table, frame, join, receive

may_compile = threading.Event()
squad = games.info("squad")

def compile_kernels(info, tell):
    may_compile.wait()
    bots.load_behind(info, tell)

async def main():
    bot_pool = BotPool(BotFactory(compile_kernels=compile_kernels), pause=0)
    manager = TableManager(open_store(Path(sys.argv[1]) / "tables.sqlite"), bot_pool)
    table, codes = await create_table(manager, "squad", SeatRequest("bot", "Robot", "skilled"), PERSON)
    ann = await join(manager, table, codes)
    first = await receive(ann, frame(1))
    print("numba" in sys.modules, first[-1]["frame"]["line"]["seat"])
    may_compile.set()
    await bot_pool.kernels.prepare(squad).ready
    game = squad.load()
    run = jit.bind(search.run, "squad", **search.modules_of(game))
    print(bots.status(squad), run._compiled is not None, sum(run.dispatcher.stats.cache_misses.values()))
    await act(ann, 1, first[-1]["frame"]["legal"]["1"][0])
    second = await receive(ann, frame(3))
    print([entry.seat for entry in manager.tables.store.logs.entries(table)])
    await manager.close()

compilation.COMPILER = "tests.server.copying_compiler"
jit.run_plain_until_compiled()
asyncio.run(main())
"""


def new_kernels(bots: FakeBots) -> Kernels:
    return Kernels(bots.factory.status, bots.factory.compile_kernels)


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="nothing is compiled in plain mode")
def test_a_bots_first_act_comes_before_anything_is_compiled(tmp_path: Path) -> None:
    """With an empty cache; then another process fills it, and the compiled search takes over.

    (`./test` has compiled all games before.)
    """
    compilation.ensure(games.info("squad"))
    homes = dict.fromkeys(("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"), str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", FIRST_ACT, str(tmp_path)],
        env={
            **os.environ,
            **homes,
            "ICETABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
            "COMPILED": str(jit.cache_folder()),
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.stdout.splitlines() == ["False 0", "loaded True 0", "[0, 1, 0]"], done.stderr


async def test_the_server_waits_at_its_start_for_what_was_compiled_before_alone(bots: FakeBots) -> None:
    bots.kept = {"squad", "highrise"}
    await new_kernels(bots).load(games.list_games())
    assert set(bots.compiled) == bots.kept


async def test_one_game_is_compiled_after_another_and_a_table_need_not_wait_for_its_games_turn(bots: FakeBots) -> None:
    bots.kept = {"squad"}
    kernels, reports = new_kernels(bots), list[str]()
    squad, icefrogs, highrise = map(games.info, ("squad", "icefrogs", "highrise"))
    await kernels.prepare(squad).ready
    bots.may_compile.clear()
    kernels.prepare_all([icefrogs, highrise, squad], reports.append)
    while len(bots.compiled) < 2:
        await asyncio.sleep(0.001)
    opened = kernels.prepare(highrise)
    while len(bots.compiled) < 3:
        await asyncio.sleep(0.001)
    assert bots.compiled == ["squad", "icefrogs", "highrise"]
    assert not opened.ready.done()
    bots.may_compile.set()
    while "ready" not in reports[-1]:
        await asyncio.sleep(0.001)
    assert bots.compiled == ["squad", "icefrogs", "highrise"]
    assert reports[1:] == ["  IceFrogs (1 of 2) ...", "  High Rise (2 of 2) ...", "The computer players are ready."]


async def test_kernels_may_be_on_their_way_when_the_server_ends(bots: FakeBots) -> None:
    bots.may_compile.clear()
    kernels, squad = new_kernels(bots), games.info("squad")
    kernels.prepare_all([squad], lambda _: None)
    while not bots.compiled:
        await asyncio.sleep(0.001)
    kernels.close()
    bots.may_compile.set()
    await kernels.prepare(squad).ready


async def test_nothing_is_reported_where_all_is_compiled(bots: FakeBots) -> None:
    bots.kept = {"squad"}
    kernels, reports = new_kernels(bots), list[str]()
    kernels.prepare_all([games.info("squad")], reports.append)
    while not bots.compiled:
        await asyncio.sleep(0.001)
    await kernels.prepare(games.info("squad")).ready
    assert reports == []


async def test_the_time_left_is_told_coarsely_and_only_when_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock[0], raising=False)
    preparation, told = Preparation(), list[int | None]()
    preparation.watchers.add(lambda: told.append(preparation.seconds))
    for seconds, compiled in ((9.0, 0), (9.4, 4), (11.0, 10), (11.1, 10), (17.0, 40), (19.0, 50)):
        clock[0] = 100.0 + seconds
        preparation._estimate(compiled, 50)
    monkeypatch.undo()
    preparation.end()
    await preparation.ready
    assert told == [10, 5, None]
