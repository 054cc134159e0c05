"""The two modes: the same numbers in both, and no waiting for the compiler where it is not wanted."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icetable.bots import search
from icetable.core import turns
from icetable.kernels import bits, jit
from icetable.kernels.jit import DIGIT, MULTIPLIER, SEED_LIMIT, Kernel
from tests.at_once import at_once
from tests.core import toy
from tests.fairness import assert_fair, assert_independent, uniform
from tests.kernels.test_cache import LEAN

ROOT = Path(__file__).parent.parent.parent

SQUARES = st.integers(0, 62)
SETS = st.integers(1, 2**63 - 1)


def modes(verb: Any) -> tuple[Any, FunctionType]:
    """A kernel function in the mode that is engaged and in the plain one."""
    assert isinstance(verb, Kernel)
    return verb, verb.function


@given(SETS)
def test_popcount(squares: int) -> None:
    for popcount in modes(jit.popcount):
        assert popcount(squares) == f"{squares:b}".count("1")
        assert popcount(0) == 0


@given(SETS)
def test_lowest(squares: int) -> None:
    for lowest in modes(jit.lowest):
        assert lowest(squares) == f"{squares:b}"[::-1].index("1")
    for without_lowest in modes(bits.without_lowest):
        assert without_lowest(squares) == squares & ~(1 << jit.lowest(squares))


@given(st.sets(SQUARES, min_size=1))
def test_nth(squares: set[int]) -> None:
    together = sum(1 << square for square in squares)
    for nth in modes(bits.nth):
        assert [nth(together, index) for index in range(len(squares))] == sorted(squares)


@given(SETS, SQUARES)
def test_bit_and_has(squares: int, square: int) -> None:
    for bit in modes(bits.bit):
        assert bit(square) == 2**square
    for has in modes(bits.has):
        assert has(squares, square) == (f"{squares:063b}"[62 - square] == "1")


def test_clear_and_spread() -> None:
    for clear in modes(jit.clear):
        planes = np.ones((3, 4), np.int8)
        clear(planes[1])
        assert planes.tolist() == [[1] * 4, [0] * 4, [1] * 4]
    for spread in modes(jit.spread):
        for rows in (1, 2, 5, 8):
            planes = np.zeros((rows + 1, 3), np.int8)
            planes[0] = 1, 2, 3
            spread(planes[:rows])
            assert planes.tolist() == [[1, 2, 3]] * rows + [[0] * 3]


def test_kernels_return_no_arrays() -> None:
    """Those that make none don't count references either: an array that they returned could be freed twice."""
    package = Path(jit.__file__).parent.parent
    texts = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    trees = [ast.parse(text) for text in texts if re.search(r"@(\w+\.)?(kernel|allocating)", text)]
    kernels = [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and {ast.unparse(mark).rpartition(".")[2] for mark in node.decorator_list} & {"kernel", "allocating"}
    ]
    assert len(kernels) > 200
    words = {word for node in kernels for word in re.findall("[A-Za-z_.]+", ast.unparse(node.returns or node))}
    assert words <= {"int", "float", "bool", "None", "tuple"}


def test_the_plain_mode_stays_within_64_bits() -> None:
    """Its values from an array may be shifted over the edge, where the compiled mode wraps."""
    squares = np.array([1 << 62 | 1 << 40], np.int64)
    highest = bits.without_lowest.function(squares[0])  # type: ignore[attr-defined]
    top = bits.bit.function(jit.lowest.function(highest))  # type: ignore[attr-defined]
    assert top == 1 << 62
    assert squares[0] & (top << 8) == 0


def drawn(draw: Any, seed: int, sides: int, count: int) -> list[int]:
    """Some numbers, and the state of the generator behind them."""
    rng = np.array([seed], np.int64)
    return [*(int(draw(rng, sides)) for _ in range(count)), int(rng[0])]


@given(st.integers(1, SEED_LIMIT - 1), st.integers(1, 2**31 - 1))
def test_both_modes_draw_the_same(seed: int, sides: int) -> None:
    fast, plain = modes(jit.draw)
    numbers = drawn(fast, seed, sides, 20)
    assert numbers == drawn(plain, seed, sides, 20)
    assert all(0 <= number < sides for number in numbers[:-1])
    assert 0 < numbers[-1] < SEED_LIMIT


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 37, 1000])
@pytest.mark.parametrize("seed", [1, 2, 12345, SEED_LIMIT - 1])
def test_draw_is_uniform(seed: int, sides: int) -> None:
    """Single numbers and pairs."""
    rng = np.array([seed], np.int64)
    count = 40 * max(sides, 200)
    numbers = [int(jit.draw(rng, sides)) for _ in range(count)]
    assert_fair(numbers, uniform(range(sides)))
    if sides**2 * 5 < count:
        assert_independent(numbers[::2], numbers[1::2], uniform(range(sides)))


def test_period() -> None:
    """Drawing divides the state by 2**32 modulo a safe prime, so that half of all seeds or all lie on one cycle."""
    modulus = SEED_LIMIT
    assert modulus == MULTIPLIER * 2**32 - 1
    for prime in (modulus, (modulus - 1) // 2):
        assert all(pow(base, prime - 1, prime) == 1 for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37))
    rng = np.array([123456789], np.int64)
    jit.draw(rng, 6)
    assert int(rng[0]) * 2**32 % modulus == 123456789
    assert MULTIPLIER * DIGIT + DIGIT < 2**62


def test_seeds() -> None:
    seeds = jit.seeds(7, 1000)
    assert seeds.dtype == np.int64
    assert len(set(seeds.tolist())) == 1000
    assert all(0 < seed < SEED_LIMIT for seed in seeds)
    assert (jit.seeds(7, 10) == seeds[:10]).all()
    assert not (jit.seeds(8, 1000) == seeds).any()
    assert len(jit.seeds(10**40, 0)) == 0


def test_kernels_keep_their_names() -> None:
    popcount: Any = jit.popcount
    assert popcount.__name__ == "popcount"
    assert popcount.__doc__ == popcount.function.__doc__
    assert popcount.__module__ == "icetable.kernels.jit"


@pytest.mark.usefixtures("plain_mode")
def test_bind() -> None:
    """The same for a game whenever it is asked for, and another for another game, though it have the same name."""

    class Longer:
        MAX_ACTS = 7

        def legal(self, _state: Any, _acts: Any) -> int:
            return 7

        def apply(self, _state: Any, _act: int) -> None: ...

    longer: Any = Longer()
    first = jit.bind(turns.count_sequences, "toy", rules=toy)
    other = jit.bind(turns.count_sequences, "toy", rules=longer)
    assert jit.bind(turns.count_sequences, "toy", rules=toy) is first
    assert first is not other
    room = np.empty((2, 7), np.int64), np.empty(2, np.int64)
    start = np.tile(toy.Toy(toy.INFO, {"players": 2, "beans": 12}).first_position(), (2, 1))
    assert first(start.copy(), *room) == 1 + 2 + 3 + 4 + 5 + 6
    assert other(start.copy(), *room) == 49
    bound: Any = first
    assert bound.__doc__ == turns.count_sequences.__doc__
    assert bound.__module__ == "icetable.core.turns"
    assert bound.function.__qualname__ == "count_sequences_toy"
    assert getattr(turns, "rules") is None  # noqa: B009 (mypy holds it to be something)


def test_only_what_reaches_a_games_own_is_copied_for_it() -> None:
    plain = object()  # stands for a game in plain Python: no kernel may be compiled
    for own in (toy, plain):
        bound: Any = jit.bind(search.run, "one", rules=own)
        space = bound.function.__globals__
        for kernel in (search.run, search.simulate, search.expand, search.back_up, search.select):
            name = kernel.__name__
            is_shared = kernel in (search.back_up, search.select) and own is not plain
            assert (space[name] is kernel, space[name].plain) == (is_shared, own is plain)


def run(program: str, **environment: str) -> str:
    """The output of a program of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LEAN + program],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_always_plain() -> None:
    program = """
import sys
from icetable.kernels import bits, jit
assert bits.nth(0b1011, 2) == 3
with jit.compiling():
    assert bits.nth(0b1011, 2) == 3
print('numba' in sys.modules)
"""
    assert run(program, ICETABLE_JIT="0") == "False"


@pytest.mark.parametrize(
    ("environment", "variable"),
    [
        ({}, None),
        ({"ICETABLE_JIT": "0"}, "ICETABLE_JIT=0"),
        ({"ICETABLE_JIT": "1", "NUMBA_DISABLE_JIT": "0"}, None),
        ({"NUMBA_DISABLE_JIT": "1"}, "NUMBA_DISABLE_JIT=1"),
        ({"NUMBA_DISABLE_JIT": "2"}, "NUMBA_DISABLE_JIT=2"),
        ({"NUMBA_DISABLE_JIT": "yes"}, None),  # nor does Numba understand it
        ({"NUMBA_DISABLE_JIT": ""}, None),
    ],
)
def test_variables_that_switch_the_compiler_off(environment: dict[str, str], variable: str | None) -> None:
    assert jit.plain_by(environment) == variable


def test_numbas_own_switch_is_the_plain_mode() -> None:
    program = """
import sys
from icetable.kernels import bits, jit
with jit.compiling():
    assert bits.nth(0b1011, 2) == 3
print(bits.nth(0b1011, 2), jit.ALWAYS_PLAIN, 'numba' in sys.modules)
"""
    assert run(program, ICETABLE_JIT="1", NUMBA_DISABLE_JIT="1") == "3 True False"


def test_a_program_may_switch_numba_off() -> None:
    program = """
import numba
numba.config.DISABLE_JIT = 1
from icetable.kernels import bits, jit
print(bits.nth(0b1011, 2), jit.popcount(7), bits.nth._compiled)
jit.mark_cached("nothing")
print(jit.is_cached("nothing"))
"""
    assert run(program, ICETABLE_JIT="1").splitlines() == ["3 3 None", "False"]


def test_plain_until_compiled() -> None:
    """Kernels run in plain mode until a block compiles them, in another thread for instance."""
    program = """
import sys, threading
from icetable.kernels import bits, jit
jit.run_plain_until_compiled()
assert bits.nth(0b1011, 2) == 3
print('numba' in sys.modules, bits.nth._compiled is None)

def warm():
    with jit.compiling():
        assert bits.nth(0b1011, 2) == 3
    assert bits.bit(3) == 8

other = threading.Thread(target=warm)
other.start()
other.join()
assert bits.nth(0b1011, 2) == 3
print(bits.nth._compiled is None, bits.bit._compiled is None)
"""
    assert run(program, ICETABLE_JIT="1").splitlines() == ["False True", "False True"]


def test_no_place_for_a_cache() -> None:
    """Where nothing can be written, kernels are compiled anew and work."""
    program = """
from icetable.kernels import bits, jit
print(bits.nth(0b1011, 2), bits.nth._compiled is None)
jit.mark_cached("bits")
print(jit.is_cached("bits"))
"""
    nowhere = dict.fromkeys(("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"), "/dev/null")
    assert run(program, ICETABLE_JIT="1", **nowhere).splitlines() == ["3 False", "False"]


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="nothing is compiled in plain mode")
def test_threads_leave_numbas_settings_as_they_are() -> None:
    """The folder of the cache is a setting of the whole process."""
    import numba

    settings: Any = numba.config
    before = settings.CACHE_DIR
    fresh = [Kernel(modes(bits.nth)[1]) for _ in range(40)]

    def ask(kernels: list[Kernel]) -> None:
        for kernel in kernels:
            assert kernel.dispatcher._cache.cache_path.startswith(str(jit.cache_folder()))

    at_once(*(partial(ask, fresh[part::4]) for part in range(4)))
    assert before == settings.CACHE_DIR


def test_many_threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first calls of a kernel may come from several threads."""
    fresh = Kernel(modes(bits.nth)[1])
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", False)
    assert at_once(*[lambda: int(fresh(0b1011, 2))] * 4) == [3] * 4
    assert fresh._compiled is not None
