"""What a kernel is compiled from, as a hash: its code, and all that this names in its own module and in others.

Comments, documentation and layout are no part of it, nor is what else those modules hold.
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
"""What kernels call by name, or can't call: what these do is the compiler's."""


@runtime_checkable
class Compiled(Protocol):
    """A function that compiled code may call: a `kernels.jit.Kernel`."""

    function: FunctionType
    options: dict[str, bool]


def fingerprint(function: FunctionType) -> str:
    """A hash of all that a function is compiled from.

    Raises TypeError where it names what can't be told apart from what it was before.
    """
    waiting = [function]
    found: dict[FunctionType, str] = {}
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one], called = _own(one)
            waiting += called
    return short("".join((found[function], *sorted(found.values()))))


def names_in(function: FunctionType) -> set[str]:
    """The names of globals and attributes in a function."""
    return {name for code in _codes(function.__code__) for name in code.co_names}


def reaching(space: Mapping[str, object], names: Iterable[str]) -> set[str]:
    """Some global names of a module, and those of its kernels that need one of them, themselves or through others."""
    needed = {name: names_in(one.function) for name, one in space.items() if isinstance(one, Compiled)}
    reached = set(names)
    while more := {name for name in needed.keys() - reached if needed[name] & reached}:
        reached |= more
    return reached


def code_of(*functions: FunctionType) -> str:
    """A hash of what functions do by themselves."""
    return short("".join(text for one in functions for text in _code(one.__code__, one.__doc__)))


def short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.cache
def _own(function: FunctionType) -> tuple[str, list[FunctionType]]:
    """A hash of a function without the functions that it calls, and these."""
    telling = _Telling(sorted(names_in(function)))
    texts = [f"{function.__module__}.{function.__qualname__}", *_code(function.__code__, function.__doc__)]
    texts += telling.members(function.__globals__)
    for cell in function.__closure__ or ():
        texts += telling.value(cell.cell_contents)
    return short("\n".join(texts)), telling.called


class _Telling:
    """Values as texts, as far as code with some names can reach them."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.called: list[FunctionType] = []
        self._entered: set[int] = set()

    def members(self, space: dict[str, object]) -> Iterator[str]:
        """What the names stand for in a module."""
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
            for one in value:
                yield from self.value(one)
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            yield f"{value.dtype.descr} {value.shape} {value.strides} {value.tobytes()!r}"
        elif isinstance(value, FUNCTIONS) or (isinstance(value, type) and value.__module__ in ("builtins", "numpy")):
            yield f"{value.__module__}.{value.__name__}"
        else:
            raise TypeError(f"what is compiled from a {type(value).__name__} can't be told")


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Code, and the code of the functions within."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _code(code: CodeType, documentation: str | None) -> Iterator[str]:
    """Code as texts, without its place."""
    yield repr((code.co_code, code.co_exceptiontable, code.co_flags, code.co_argcount, code.co_kwonlyargcount))
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant, None)
        elif constant is not documentation or documentation is None:
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)
