"""Which games there are, and how they are found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import icetable
from icetable import BadOption, BadRecord, GameInfo, UnknownGame, games

FIRST = next(info for info in icetable.list_games() if info.players[0] < info.players[1])
HEAD = "icetable record 1\n"


def test_games() -> None:
    shipped = icetable.list_games()
    assert shipped
    assert all(isinstance(info, GameInfo) for info in shipped)
    names = [info.name for info in shipped]
    assert names == sorted(set(names))
    assert all(name.isidentifier() and name.islower() for name in names)
    assert [games.info(name) for name in names] == list(shipped)
    assert len({info.rule_prefix for info in shipped}) == len(set(shipped)) == len(shipped)
    assert all(info.title and info.summary.endswith(".") for info in shipped)


@pytest.mark.parametrize(
    "program",
    [
        "import icetable.games.{name}.rules as rules; assert rules.MAX_ACTS > 0",
        "import icetable.games.{name}; assert icetable.games.{name}.GAME.name == '{name}'",
        "from icetable.games import {name}; assert {name}.GAME.name == '{name}'",
        "import icetable; icetable.list_games(); assert icetable.games.{name}.GAME in icetable.list_games()",
        "import icetable; icetable.load('{name}'); import icetable.games; assert icetable.games.{name}.GAME",
    ],
)
def test_the_package_of_games_is_where_python_looks_for_it(program: str) -> None:
    """Nothing of the public interface has its name."""
    done = subprocess.run([sys.executable, "-c", program.format(name=FIRST.name)], check=False)
    assert done.returncode == 0


def test_listing_games_loads_none() -> None:
    """It must be quick: neither kernels nor the compiler are imported."""
    late = {"numba", f"icetable.games.{FIRST.name}.compiled"}
    program = f"import icetable, sys\nicetable.list_games()\nassert not {late} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


NO_GAMES: list[Any] = [
    "",
    "chess",
    FIRST.name.upper(),
    FIRST.name + " ",
    "\ud800",
    "a\nb",
    None,
    1,
    [],
    {},
    b"x",
    ("a",),
]


@pytest.mark.parametrize("name", NO_GAMES, ids=ascii)
def test_unknown_game(name: Any) -> None:
    for ask in (games.info, icetable.load):
        with pytest.raises(UnknownGame) as error:
            ask(name)
        assert all(info.name in str(error.value) for info in icetable.list_games())
        assert str(error.value).isprintable()


@pytest.mark.parametrize("info", icetable.list_games(), ids=lambda info: info.name)
def test_the_game_that_may_be_meant(info: icetable.GameInfo) -> None:
    for name in (info.title, info.name.upper(), info.name[:-1]):
        if name != info.name:
            with pytest.raises(UnknownGame, match=f"; did you mean '{info.name}'[?]$"):
                icetable.load(name)


def test_load() -> None:
    assert icetable.load(FIRST.name) == icetable.load(FIRST.name, None, players=FIRST.default_players)
    assert icetable.load(FIRST.name) != icetable.load(FIRST.name, players=FIRST.players[1])
    assert icetable.load(FIRST.name).info is FIRST
    assert icetable.load(FIRST.name) != FIRST.name


@pytest.mark.parametrize("options", [{"players": None}, {"self": 1}, {"name": 1}, {"info": 1}, {"preset": 1}, {"": 1}])
def test_load_refuses(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        icetable.load(FIRST.name, **options)


def test_replay() -> None:
    state = icetable.load(FIRST.name, players=FIRST.players[1]).start()
    assert icetable.replay(state.record()) == state


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (f"{HEAD}", UnknownGame, "no game ''"),
        (f"{HEAD}game chess\n", UnknownGame, "no game 'chess'"),
        (f"{HEAD}game {FIRST.name}\noption players 99\n", BadOption, "players can't be 99"),
        (f"{HEAD}game {FIRST.name}\noption colour 1\n", BadOption, "no option 'colour'"),
        (f"{HEAD}game {FIRST.name}\noption self 1\n", BadOption, "no option 'self'"),
        (f"{HEAD}game {FIRST.name}\noption 1st 1\n", BadRecord, "an option's name is a word"),
        (f'{HEAD}game {FIRST.name}\noption preset "x"\n', BadOption, "no preset 'x'"),
        (f"{HEAD}game {FIRST.name}\n", BadRecord, "other options"),
        ("", BadRecord, "first line"),
        (None, BadRecord, "a record is a text, not None"),
        (Path("game.txt"), BadRecord, "game.txt looks like the path of a file; a record is the text in it"),
        ("games/1", BadRecord, "games/1 looks like the path of a file"),
        ("C:\\\\game.record", BadRecord, "looks like the path of a file"),
        ("game.record", BadRecord, "game.record looks like the path of a file"),
    ],
)
def test_replay_refuses(text: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        icetable.replay(text)
