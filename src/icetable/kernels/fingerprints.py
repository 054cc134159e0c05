"""A hash of everything that a kernel is compiled from: its code, and all values that it names, in any module.

Comments, documentation, layout and other content of those modules don't affect the hash.
"""

from __future__ import annotations

import functools
import hashlib
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SIMPLE = bool, int, float, complex, str, bytes, type(None), np.generic
FUNCTIONS = FunctionType, BuiltinFunctionType, np.ufunc, type(np.copy)
"""Functions that the compiler itself implements, so that their names are enough."""


@runtime_checkable
class Compiled(Protocol):
    """A function that compiled code may call: a `kernels.jit.Kernel`."""

    function: FunctionType
    options: dict[str, bool]


def fingerprint(function: FunctionType) -> str:
    """A hash of everything that a function is compiled from.

    Raises TypeError if it names a value that can't be hashed.
    """
    pending = [function]
    hashes: dict[FunctionType, str] = {}
    while pending:
        current = pending.pop()
        if current not in hashes:
            hashes[current], called = _own(current)
            pending += called
    return short("".join((hashes[function], *sorted(hashes.values()))))


def names_in(function: FunctionType) -> set[str]:
    """The names of globals and attributes in a function."""
    return {name for code in _codes(function.__code__) for name in code.co_names}


def reaching(space: Mapping[str, object], names: Iterable[str]) -> set[str]:
    """Some global names of a module, and the names of its kernels that use one of them, directly or indirectly."""
    used = {name: names_in(value.function) for name, value in space.items() if isinstance(value, Compiled)}
    reached = set(names)
    while more := {name for name in used.keys() - reached if used[name] & reached}:
        reached |= more
    return reached


def code_of(*functions: FunctionType) -> str:
    """A hash of the functions' own code."""
    return short("".join(text for function in functions for text in _code(function.__code__, function.__doc__)))


def short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.cache
def _own(function: FunctionType) -> tuple[str, list[FunctionType]]:
    """A hash of a function without the kernels that it calls, and those kernels' functions."""
    values = _Values(sorted(names_in(function)))
    texts = [f"{function.__module__}.{function.__qualname__}", *_code(function.__code__, function.__doc__)]
    texts += values.members(function.__globals__)
    for cell in function.__closure__ or ():
        texts += values.value(cell.cell_contents)
    return short("\n".join(texts)), values.called


class _Values:
    """Converts values to texts, as far as code with some names can access them."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.called: list[FunctionType] = []
        self._entered: set[int] = set()

    def members(self, space: dict[str, object]) -> Iterator[str]:
        """The values of the names in a namespace."""
        for name in self.names:
            if name in space:
                yield f"{name} ="
                yield from self.value(space[name])

    def value(self, value: object) -> Iterator[str]:
        if isinstance(value, Compiled):
            self.called.append(value.function)
            yield f"{value.function.__module__}.{value.function.__qualname__} {sorted(value.options.items())}"
        elif isinstance(value, ModuleType | SimpleNamespace):
            yield "module"
            if id(value) not in self._entered:
                self._entered.add(id(value))
                yield from self.members(vars(value))
        elif isinstance(value, SIMPLE):
            yield f"{type(value).__name__} {value!r}"
        elif isinstance(value, tuple):
            yield f"{type(value).__name__} {getattr(value, '_fields', len(value))}"
            for element in value:
                yield from self.value(element)
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            yield f"{value.dtype.descr} {value.shape} {value.strides} {value.tobytes()!r}"
        elif isinstance(value, FUNCTIONS) or (isinstance(value, type) and value.__module__ in ("builtins", "numpy")):
            yield f"{value.__module__}.{value.__name__}"
        else:
            raise TypeError(f"a {type(value).__name__} can't be hashed")


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code and that of nested functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _code(code: CodeType, documentation: str | None) -> Iterator[str]:
    """Code as texts, without its position in the source."""
    yield repr((code.co_code, code.co_exceptiontable, code.co_flags, code.co_argcount, code.co_kwonlyargcount))
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant, None)
        elif constant is not documentation or documentation is None:
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)
