"""The sources of a kernel: its code and what that names, but no words about it and nothing beside it."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest

import icetable
from icetable import games
from icetable.bots.search import modules_of, run
from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.kernels.fingerprints import fingerprint
from icetable.kernels.jit import Kernel
from tests.kernels.test_cache import run as run_apart

RULES = '''"""Rules."""
from icetable.kernels.jit import allocating, inlined, kernel
SIZE, BESIDE = 4, (1, 5)
board = None

@kernel
def around(square):
    return square + BESIDE[0]

@kernel
def apply(square):
    """Play."""
    if square < SIZE:
        return around(square)
    return board.edge(square)

def told():
    return "Rules"
'''
BOARD = '''"""Board."""
from icetable.kernels.jit import kernel
WIDTH = 1

@kernel
def edge(square):
    return square * WIDTH

@kernel
def corner(square):
    return 1
'''


def module(name: str, text: str, **names: object) -> ModuleType:
    made = ModuleType(name)
    exec(text, vars(made))
    vars(made).update(names)
    return made


def of(rules: str = RULES, board: str = BOARD, **names: object) -> str:
    """The fingerprint of `apply`."""
    found = module("made_up.rules", rules, board=module("made_up.board", board), **names)
    return fingerprint(found.apply.function)


def test_words_and_places_are_no_part() -> None:
    for rules in (
        "# A comment\n\n" + RULES,
        RULES.replace("Play.", "Another word."),
        RULES.replace("square + BESIDE[0]", "(square\n        + BESIDE[0])"),
    ):
        assert of(rules) == of()


def test_code_beside_a_kernel_is_no_part_of_it() -> None:
    assert of(RULES.replace('"Rules"', '"Others"')) == of()
    assert of(board=BOARD.replace("return 1", "return 2")) == of()


@pytest.mark.parametrize(
    ("rules", "board"),
    [
        (RULES.replace("square < SIZE", "square > SIZE"), BOARD),
        (RULES.replace("SIZE, BESIDE = 4", "SIZE, BESIDE = 5"), BOARD),
        (RULES.replace("SIZE, BESIDE = 4", "SIZE, BESIDE = 4.0"), BOARD),
        (RULES.replace("(1, 5)", "(2, 5)"), BOARD),
        (RULES.replace("square + BESIDE", "square - BESIDE"), BOARD),
        (RULES.replace("@kernel\ndef around", "@inlined\ndef around"), BOARD),
        (RULES, BOARD.replace("square * WIDTH", "square + WIDTH")),
        (RULES, BOARD.replace("WIDTH = 1", "WIDTH = 2")),
        (RULES.replace("return around(square)", "return 7"), BOARD),
    ],
    ids=["code", "constant", "type", "table", "callee", "option", "other module", "its constant", "number"],
)
def test_changes_of_compiled_code_change_the_fingerprint(rules: str, board: str) -> None:
    assert of(rules, board) != of()


def test_tables_are_told_by_what_they_hold() -> None:
    tables = [np.arange(8), np.arange(8, dtype=np.int32), np.arange(8).reshape(2, 4), np.arange(8)[::-1]]
    assert len({of(BESIDE=table) for table in tables}) == len(tables)
    assert of(BESIDE=np.arange(8)) == of(BESIDE=np.arange(8))


def test_values_of_other_kinds_have_no_fingerprint() -> None:
    for value in (set[int](), {}, object(), np.array([object()])):
        with pytest.raises(TypeError, match="can't be hashed"):
            of(BESIDE=value)


def test_modules_may_name_each_other() -> None:
    board = module("made_up.board", BOARD)
    rules = module("made_up.rules", RULES.replace("board.edge", "board.rules.board.edge"), board=board)
    before = fingerprint(rules.apply.function)
    vars(board)["rules"] = rules
    assert fingerprint(module("made_up.rules", RULES, board=board).apply.function) != before


def test_all_kernels_have_one() -> None:
    for one in pkgutil.walk_packages(icetable.__path__, "icetable."):
        if not one.name.endswith("__main__") and "openspiel" not in one.name:
            importlib.import_module(one.name)
    kernels = [
        member
        for name, found in list(sys.modules.items())
        if name.startswith("icetable.")
        for member in vars(found).values()
        if isinstance(member, Kernel)
    ]
    loaded = [one for one in (info.load() for info in games.list_games()) if isinstance(one, TurnGame)]
    kernels += [jit.bind(run, game.info.name, **modules_of(game)) for game in loaded]  # type: ignore[misc]
    found_of: dict[FunctionType, str] = {kernel.function: fingerprint(kernel.function) for kernel in kernels}
    assert len(found_of) > 300
    assert len(set(found_of.values())) == len(found_of)


# What is compiled, by processes of their own

CALLER = """
from icetable.kernels.jit import kernel
import callee

@kernel
def twice(number):
    return 2 * callee.more(number)
"""
CALLEE = """
from icetable.kernels.jit import inlined, kernel

@inlined
def more(number):
    return number + 1

@kernel
def others(number):
    return number + 1
"""
ASK = """
import caller
print(caller.twice(5), "compiled" if sum(caller.twice.dispatcher.stats.cache_misses.values()) else "found")
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder of two modules."""
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "caller.py").write_text(CALLER)
    (folder / "callee.py").write_text(CALLEE)
    return folder


def test_a_kernel_is_compiled_anew_when_one_that_it_calls_changes(made: Path, tmp_path: Path) -> None:
    def ask() -> str:
        return run_apart(tmp_path / "home", ASK, made)

    assert ask() == "12 compiled"
    (made / "callee.py").write_text(CALLEE.replace("number + 1", "number + 1 + 1"))
    assert ask() == "14 compiled"
    (made / "callee.py").write_text("# A comment\n" + CALLEE + "    # another kernel\n    return 3\n")
    assert ask() == "12 found"


FIELDS = """
from typing import NamedTuple
import numpy as np
from icetable.kernels.jit import kernel

class Room(NamedTuple):
    {}: np.ndarray
    {}: np.ndarray

class House(NamedTuple):
    room: Room

@kernel
def first(house):
    return house.room.a[0]

house = House(Room(np.array([1]), np.array([2])))
print(first(house), "compiled" if sum(first.dispatcher.stats.cache_misses.values()) else "found")
"""


def test_the_order_of_fields_counts(tmp_path: Path) -> None:
    """Of a kernel by the same name."""
    versions = [FIELDS.format(*names) for names in (("a", "b"), ("b", "a"), ("a", "b"))]
    program = f"for text in {versions!r}: exec(text, {{'__name__': 'fields'}})"
    assert run_apart(tmp_path / "home", program).splitlines() == ["1 compiled", "2 compiled", "1 found"]
