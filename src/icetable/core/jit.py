"""Two gears for one source: the only file that imports Numba.

A function marked with `kernel` is plain Python over int64 arrays. It runs as it stands in the plain gear (for
reading, debugging and coverage, and while a server is still waking up) and compiled by Numba in the fast gear.
Both gears give the same answers bit for bit; a test holds them to it.

`ICETABLE_JIT=0` in the environment keeps everything in the plain gear.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

P = ParamSpec("P")
R = TypeVar("R")

ALWAYS_PLAIN = os.environ.get("ICETABLE_JIT") == "0"

# Multiply-with-carry: MULTIPLIER times a 32-bit digit stays below 2**62, so int64 never wraps and both gears draw the
# same numbers. MULTIPLIER * 2**32 - 1 is a safe prime, which makes the period about 2**61.
MULTIPLIER = 0x3FFFF97B
DIGIT = 0xFFFFFFFF
SEED_LIMIT = MULTIPLIER * 2**32 - 1
"""Seeds of `draw` are 1 … SEED_LIMIT - 1."""

_patience = threading.Event()
_thread = threading.local()
_plain_threads: set[int] = set()
_bound: dict[tuple[str, str], dict[str, Any]] = {}


class Kernel:
    """A function in two gears; calling it runs the one that is engaged."""

    def __init__(self, function: FunctionType) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self._compiled: Any = None

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's view of the function. Making it compiles nothing yet."""
        return _numba_dispatcher(self.function)

    def __call__(self, *args: Any) -> Any:
        if ALWAYS_PLAIN or (_plain_threads and threading.get_ident() in _plain_threads):
            return self.function(*args)
        if self._compiled is not None:
            return self._compiled(*args)
        if _patience.is_set() and not getattr(_thread, "compiling", False):
            return self._plainly(args)
        answer = self.dispatcher(*args)
        self._compiled = self.dispatcher
        return answer

    def _plainly(self, args: tuple[Any, ...]) -> Any:
        # Plain all the way down: a compiled kernel would answer with ints of Python, which do not wrap.
        thread = threading.get_ident()
        _plain_threads.add(thread)
        try:
            return self.function(*args)
        finally:
            _plain_threads.remove(thread)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function as kernel code: int64 and float64 scalars and arrays in, the same out."""
    return cast("Callable[P, R]", Kernel(cast("FunctionType", function)))


def bind(function: Callable[P, R], game: str, **names: object) -> Callable[P, R]:
    """`function` and the other kernels of its module as they are for one game: with some global names bound to others.

    This is how loops over any game are written once (`rules.apply(…)`) and compiled for each: `names` gives the
    game's modules. The copies carry the game's name, which keeps their compiled code apart in the cache.
    """
    template = cast("FunctionType", getattr(function, "function", function))
    key = (template.__module__, game)
    if key not in _bound:
        namespace = {**template.__globals__, **names}
        for name, member in template.__globals__.items():
            if isinstance(member, Kernel) and member.__module__ == template.__module__:
                namespace[name] = _rebound(member.function, game, namespace)
        _bound[key] = namespace
    return cast("Callable[P, R]", _bound[key][template.__name__])


def _rebound(function: FunctionType, game: str, namespace: dict[str, Any]) -> Kernel:
    copy = FunctionType(function.__code__, namespace, function.__name__)
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    copy.__qualname__ = f"{function.__qualname__}_{game}"
    return Kernel(copy)


def be_patient() -> None:
    """From now on no call waits for the compiler: kernels run in the plain gear until `compiling` has made them."""
    _patience.set()


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Kernels called by this thread within the block are compiled, for everybody."""
    before = getattr(_thread, "compiling", False)
    _thread.compiling = True
    try:
        yield
    finally:
        _thread.compiling = before


def seeds(seed: int, count: int) -> Ints:
    """Independent seeds for `draw`, from any whole number from 0 up."""
    import numpy as np

    words = np.random.SeedSequence(seed).generate_state(count, np.uint64)
    return (words % np.uint64(SEED_LIMIT - 1)).astype(np.int64) + 1


@kernel
def popcount(bits: int) -> int:
    """How many bits of a non-negative int64 are set."""
    return int(bits).bit_count()


@kernel
def lowest(bits: int) -> int:
    """The index of the lowest set bit of a positive int64."""
    return (int(bits) & -int(bits)).bit_length() - 1


@kernel
def draw(rng: Ints, sides: int) -> int:
    """A uniform number in 0 … sides-1 (1 ≤ sides < 2**31) from the generator whose state is `rng[0]`."""
    state = MULTIPLIER * (rng[0] & DIGIT) + (rng[0] >> 32)
    rng[0] = state
    return (((state ^ (state >> 32)) & DIGIT) * sides) >> 32


@functools.cache
def _numba() -> Any:
    """Numba, taught that a Kernel met inside compiled code stands for its dispatcher."""
    import numba
    from numba.core import types
    from numba.extending import typeof_impl

    @typeof_impl.register(Kernel)
    def typeof_kernel(value: Kernel, _context: Any) -> Any:
        return types.Dispatcher(value.dispatcher)

    return numba


@functools.cache
def _bit_instructions() -> dict[str, Callable[[int], int]]:
    """The functions that are one machine instruction in the compiled gear."""
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def ctpop(_context: Any, bits: Any) -> Any:
        return types.int64(bits), lambda _context, builder, _signature, args: builder.ctpop(args[0])

    @intrinsic
    def cttz(_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(bits), generate

    def popcount(bits: int) -> Any:
        return ctpop(bits)  # type: ignore[call-arg]

    def lowest(bits: int) -> Any:
        return cttz(bits)  # type: ignore[call-arg]

    return {"popcount": popcount, "lowest": lowest}


def _numba_dispatcher(function: FunctionType) -> Any:
    numba = _numba()
    options = {"nogil": True, "error_model": "numpy"}
    if function.__module__ == __name__ and function.__name__ in (native := _bit_instructions()):
        return numba.njit(native[function.__name__], **options)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_cache_folder())
    try:
        return numba.njit(function, cache=True, **options)
    except RuntimeError:  # no writable place for a cache: compile anew in every process
        return numba.njit(function, **options)
    finally:
        numba.config.CACHE_DIR = before


@functools.cache
def _cache_folder() -> Path:
    """A folder of this version's own: Numba does not notice when a helper in another file was edited."""
    import platformdirs

    package = Path(__file__).parent.parent
    sources = hashlib.sha256()
    for folder in ("core", "games", "bots", "lab"):
        for path in sorted((package / folder).rglob("*.py")):
            sources.update(path.read_bytes())
    return Path(platformdirs.user_cache_dir("icetable")) / "kernels" / sources.hexdigest()[:16]
