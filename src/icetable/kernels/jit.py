"""Two modes for one source: the only file that imports Numba. (A third is in `cuda`.)

A function marked with `kernel` is plain Python over int64 arrays. In plain mode Python runs it: for debugging and
coverage, and while a server still compiles. In compiled mode Numba compiles it. Both give bit-identical results.

With `ICETABLE_JIT=0` in the environment, or with Numba's own `NUMBA_DISABLE_JIT=1`, all kernels run in plain mode.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec, TextIO, TypeVar, cast

from icetable.kernels import cache
from icetable.kernels.cache import Removed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

COMPILING = "icetable compiles this once on this machine; `icetable warmup --environments` does so in advance.\n"

P = ParamSpec("P")
R = TypeVar("R")


def plain_by(environment: Mapping[str, str]) -> str | None:
    """The environment variable that disables the compiler, or None. Numba reads its own as an integer."""
    if environment.get("ICETABLE_JIT") == "0":
        return "ICETABLE_JIT=0"
    with contextlib.suppress(ValueError):
        if int(environment.get("NUMBA_DISABLE_JIT", "0")):
            return f"NUMBA_DISABLE_JIT={environment['NUMBA_DISABLE_JIT']}"
    return None


ALWAYS_PLAIN = plain_by(os.environ) is not None

# Multiply-with-carry: MULTIPLIER times a 32-bit digit is less than 2**62, so int64 never overflows and both modes draw
# the same numbers. MULTIPLIER * 2**32 - 1 is a safe prime, so the period is about 2**61.
MULTIPLIER = 0x3FFFF97B
DIGIT = 0xFFFFFFFF
SEED_LIMIT = MULTIPLIER * 2**32 - 1
"""Seeds of `draw` are 1 … SEED_LIMIT - 1."""

_plain_until_compiled = threading.Event()
_thread = threading.local()
_plain_threads: set[int] = set()
_bound: dict[tuple[object, ...], dict[str, Any]] = {}
_names: set[str] = set()
"""The kernels of this process, without the templates of `bind`."""
_cache_files: set[Path] = set()
"""The cache files of the kernels that this process has compiled or loaded."""
_uncached: set[str] = set()
"""The kernels of this process that could not be cached."""


class Kernel:
    """A function in two modes. A call runs the current mode, or if `plain` always plain mode."""

    def __init__(self, function: FunctionType, *, plain: bool = False, **options: bool) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.plain = plain
        self.options = options
        self._compiled: Any = None
        _names.add(_name(function))

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of the function. Creating it compiles nothing."""
        return _numba_dispatcher(self.function, self.options)

    def __call__(self, *args: Any) -> Any:
        if ALWAYS_PLAIN or (_plain_threads and threading.get_ident() in _plain_threads):
            return self.function(*args)
        if self._compiled is not None:
            return self._compiled(*args)
        if self.plain:
            return self._run_plain(args)
        if _plain_until_compiled.is_set() and not getattr(_thread, "compiling", False):
            return self._run_plain(args)
        if _numba().config.DISABLE_JIT:  # a program may have set it
            return self._run_plain(args)
        result = self.dispatcher(*args)
        self._compiled = self.dispatcher
        return result

    def _run_plain(self, args: tuple[Any, ...]) -> Any:
        # The kernels that it calls run in plain mode too: compiled ones would return Python ints, which don't overflow.
        thread = threading.get_ident()
        _plain_threads.add(thread)
        try:
            return self.function(*args)
        finally:
            _plain_threads.remove(thread)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function as a kernel. It takes scalars and arrays, returns scalars and creates no array."""
    return cast("Callable[P, R]", Kernel(cast("FunctionType", function)))


def allocating(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a kernel that creates or copies arrays for its own use.

    Its arrays are reference-counted; in a loop this can cost as much as the work itself.
    """
    return cast("Callable[P, R]", Kernel(cast("FunctionType", function), _nrt=True))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a kernel that is inlined into the compiled kernels that call it.

    A call passes each array as seven numbers or more: with many arrays it can cost as much as the work itself.
    """
    return cast("Callable[P, R]", Kernel(cast("FunctionType", function), forceinline=True))


def bind(function: Callable[P, R], game: str, **names: object) -> Callable[P, R]:
    """A copy of a kernel for one game, in which global names such as `rules` refer to the game's modules.

    Other kernels of the function's module that use those names are copied with it. So a loop over any game is written
    once (`rules.apply(…)`) and compiled for each game, while code common to all games is compiled once. The names of
    the copies contain the game's name, which separates their compiled code in the cache. If `rules` is not a module,
    the game is written in plain Python, and all kernels are copied, to run in plain mode.
    """
    template = cast("FunctionType", getattr(function, "function", function))
    key = (template.__module__, game, *names.items())  # two files may define games of the same name
    if key not in _bound:
        from icetable.kernels.fingerprints import reaching

        namespace = {**template.__globals__, **names}
        plain = not isinstance(names.get("rules"), ModuleType | None)
        reached = template.__globals__ if plain else reaching(template.__globals__, names)
        for name, member in template.__globals__.items():
            if isinstance(member, Kernel) and member.__module__ == template.__module__ and name in reached:
                namespace[name] = _rebound(member, game, namespace, plain)
                _names.discard(_name(member.function))
        _bound[key] = namespace
    return cast("Callable[P, R]", _bound[key][template.__name__])


def _name(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _rebound(template: Kernel, game: str, namespace: dict[str, Any], plain: bool) -> Kernel:
    function = template.function
    copy = FunctionType(function.__code__, namespace, function.__name__)
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    copy.__qualname__ = f"{function.__qualname__}_{game}"
    return Kernel(copy, plain=plain, **template.options)


def run_plain_until_compiled() -> None:
    """Never wait for the compiler from now on: a kernel runs in plain mode until a `compiling` block has run it."""
    _plain_until_compiled.set()


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Compile, for all threads, the kernels that this thread calls within the block."""
    before = getattr(_thread, "compiling", False)
    _thread.compiling = True
    try:
        yield
    finally:
        _thread.compiling = before


@contextlib.contextmanager
def watching_compiler(report: Callable[[int, int], None]) -> Iterator[None]:
    """Within the block, call `report` after each compiled kernel with the number of compiled kernels and of all."""
    _numba()
    from numba.core import event

    compiled: set[str] = set()

    class Watcher(event.Listener):
        def on_start(self, event: Any) -> None: ...

        def on_end(self, event: Any) -> None:
            name = _name(event.data["dispatcher"].py_func)
            if name in _names and name not in compiled:
                compiled.add(name)
                report(len(compiled), len(_names))

    with event.install_listener("numba:compile", Watcher()):
        yield


@functools.cache
def announce_compiling() -> None:
    """Print COMPILING to standard error, once, when a kernel is compiled outside a `compiling` block."""
    if ALWAYS_PLAIN:
        return
    _numba()
    from numba.core import event

    class Announcer(event.Listener):
        announced = False

        def on_start(self, event: Any) -> None:
            expected = getattr(_thread, "compiling", False)
            if not (self.announced or expected) and _name(event.data["dispatcher"].py_func) in _names:
                self.announced = True
                sys.stderr.write(COMPILING)

        def on_end(self, event: Any) -> None: ...

    event.register("numba:compile", Announcer())  # type: ignore[no-untyped-call]


def is_cached(what: str) -> bool:
    """Whether `mark_cached` was called for these sources on this kind of machine, and the cache is still complete."""
    folder = cache_folder()
    return folder is not None and cache.is_complete(folder, what)


def mark_cached(what: str) -> None:
    """Record that the kernels used by this process so far, which are all that `what` needs, are in the cache."""
    folder = cache_folder()
    if folder is not None and _cache_files and not _uncached:
        cache.note(folder, what, _cache_files)


def can_cache() -> bool:
    """Whether compiled kernels can be cached for other processes."""
    return cache.can_cache(cache_folder())


def remove_useless_caches() -> Removed:
    """Remove compiled kernels of older versions, and the folders that no installation can need any more."""
    return cache.remove_useless(cache_folder())


def open_lock(what: str) -> TextIO:
    """Open a lock file in the cache folder. Raises OSError."""
    folder = cache_folder()
    if folder is None:
        raise OSError(errno.ENOENT, cache.CANNOT_CACHE)
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / f"{what}.lock").open("w")


def cache_folder() -> Path | None:
    """The folder of compiled kernels; None for a user without a home."""
    return cache.folder(_machine())


@functools.cache
def _machine() -> str:
    """A hash of everything besides sources that compiled kernels depend on, without the slow import of Numba."""
    from llvmlite import binding

    features = binding.get_host_cpu_features().flatten()
    versions = sys.implementation.cache_tag, metadata.version("numba"), metadata.version("llvmlite")
    return hashlib.sha256(repr((*versions, binding.get_host_cpu_name(), features)).encode()).hexdigest()[:16]


def seeds(seed: int, count: int) -> Ints:
    """`count` independent seeds for `draw`, derived from a non-negative integer."""
    import numpy as np

    words = np.random.SeedSequence(seed).generate_state(count, np.uint64)
    return (words % np.uint64(SEED_LIMIT - 1)).astype(np.int64) + 1


@kernel
def popcount(bits: int) -> int:
    """The number of set bits of a non-negative int64."""
    return int(bits).bit_count()


@kernel
def lowest(bits: int) -> int:
    """The index of the lowest set bit of a positive int64."""
    return (int(bits) & -int(bits)).bit_length() - 1


@kernel
def copy(source: Ints | Floats, target: Ints | Floats) -> None:
    """Copy an array to the beginning of one that is at least as long."""
    target[: len(source)] = source


@kernel
def clear(array: npt.NDArray[Any]) -> None:
    """Set a contiguous array to 0."""
    array[:] = 0


@kernel
def spread(array: npt.NDArray[Any]) -> None:
    """Copy the first row of a contiguous two-dimensional array to all others."""
    array[1:] = array[0]


@kernel
def draw(rng: Ints, sides: int) -> int:
    """A uniform number in 0 … sides-1 (1 ≤ sides < 2**31) from the generator with the state `rng[0]`."""
    state = MULTIPLIER * (rng[0] & DIGIT) + (rng[0] >> 32)
    rng[0] = state
    return (((state ^ (state >> 32)) & DIGIT) * sides) >> 32


@functools.cache
def _numba() -> Any:
    """Numba, extended to treat a Kernel in compiled code as its dispatcher."""
    import numba
    from numba.core import types
    from numba.extending import models, register_model, typeof_impl

    class KernelType(types.Dispatcher):
        """Is compiled once for all integers; a Dispatcher is compiled again for each constant."""

        def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
            without_values = tuple(types.unliteral(arg) for arg in args)  # type: ignore[no-untyped-call]
            return super().get_call_type(context, without_values, kws)

    register_model(KernelType)(models.OpaqueModel)

    @typeof_impl.register(Kernel)
    def typeof_kernel(value: Kernel, _context: Any) -> Any:
        return KernelType(value.dispatcher)

    return numba


@functools.cache
def _natives() -> dict[str, Callable[..., Any]]:
    """The kernels of this file with another implementation in compiled mode.

    Those of bits are one machine instruction each. `copy` has no slices, whose errors take a second to compile. `clear`
    and `spread` use memset and memcpy.
    """
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def ctpop(_context: Any, bits: Any) -> Any:
        return types.int64(bits), lambda _context, builder, _signature, args: builder.ctpop(args[0])

    @intrinsic
    def cttz(_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(bits), generate

    @intrinsic
    def fill_with_zeros(_context: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            room = context.make_array(signature.args[0])(context, builder, args[0])
            cgutils.memset(builder, room.data, builder.mul(room.nitems, room.itemsize), 0)  # type: ignore[no-untyped-call]
            return context.get_dummy_value()

        return types.void(array), generate

    @intrinsic
    def repeat(_context: Any, array: Any, start: Any, count: Any) -> Any:
        """Copy the first `count` items to the index `start`."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            room = context.make_array(signature.args[0])(context, builder, args[0])
            offset = builder.mul(args[1], room.itemsize)
            target = cgutils.pointer_add(builder, room.data, offset)  # type: ignore[no-untyped-call]
            cgutils.raw_memcpy(builder, target, room.data, args[2], room.itemsize)  # type: ignore[no-untyped-call]
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), generate

    def popcount(bits: int) -> Any:
        return ctpop(bits)  # type: ignore[call-arg]

    def lowest(bits: int) -> Any:
        return cttz(bits)  # type: ignore[call-arg]

    def copy(source: Any, target: Any) -> None:
        for index in range(len(source)):
            target[index] = source[index]

    def clear(array: Any) -> Any:
        return fill_with_zeros(array)  # type: ignore[call-arg]

    untyped_repeat: Any = repeat  # by Numba's annotations it never returns

    def spread(array: Any) -> None:
        done = array.shape[1]
        while done < array.size:
            count = min(done, array.size - done)
            untyped_repeat(array, done, count)
            done += count

    return {"popcount": popcount, "lowest": lowest, "copy": copy, "clear": clear, "spread": spread}


def _numba_dispatcher(function: FunctionType, own_options: dict[str, bool]) -> Any:
    numba = _numba()
    # Without nrt there is no reference counting; nothing calls a kernel from C.
    options = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True, **own_options}
    if function.__module__ == __name__ and function.__name__ in (native := _natives()):
        return numba.njit(native[function.__name__], **options)
    dispatcher = numba.njit(function, **options)
    if (folder := cache.open_folder(cache_folder())) is None:
        _uncached.add(_name(function))
    else:
        dispatcher._cache = _cache_class()(function, own_options, folder)
    return dispatcher


@functools.cache
def _cache_class() -> Any:
    from numba.core import caching, compiler, serialize

    from icetable.kernels.fingerprints import fingerprint, short

    rebuild: Any = compiler.CompileResult._rebuild
    dumps: Any = serialize.dumps

    class KernelCache(caching.FunctionCache):
        """Stores each compiled kernel in a file whose name has a hash of everything that it is compiled from.

        Numba's own cache ignores the kernels that a kernel calls, depends on the path of the sources, needs write
        access even to read, and falls back to writing next to the sources.
        """

        def __init__(self, function: FunctionType, options: dict[str, bool], folder: Path) -> None:
            self._py_func = function
            self._options = sorted(options.items())
            self._folder = folder

        @property
        def cache_path(self) -> str:
            return str(self._folder)

        def _file(self, signature: Any, codegen: Any) -> Path:
            """Raises TypeError if a value that the kernel is compiled from can't be hashed."""
            kind = repr((signature, [_fields(part) for part in signature], codegen.magic_tuple()))
            sources = repr((_compiler(), fingerprint(self._py_func), self._options))
            name = _name(self._py_func).replace("<", "").replace(">", "")
            return cache.file(self._folder, f"{name}-{short(kind)}", short(sources))

        def load_overload(self, signature: Any, context: Any) -> Any:
            context.refresh()
            try:
                file = self._file(signature, context.codegen())
                loaded = rebuild(context, *pickle.loads(cache.read(file)))  # noqa: S301
            except Exception:  # noqa: BLE001 (missing or damaged: compile it again)
                return None
            _cache_files.add(file)
            return loaded

        def save_overload(self, signature: Any, result: Any) -> None:
            try:
                file = self._file(signature, result.codegen)
                library = result._asdict()["library"]
                if library.has_dynamic_globals:
                    raise OSError(errno.EINVAL, "it holds addresses of this process")
                file.parent.mkdir(parents=True, exist_ok=True)
                cache.write_atomically(file, dumps(result._reduce()))
            except (OSError, TypeError):
                _uncached.add(_name(self._py_func))
                cache.warn_once(cache.CANNOT_CACHE)
            else:
                _cache_files.add(file)

        def flush(self) -> None:
            """Do nothing: files are never stale."""

    return KernelCache


def _fields(of: Any) -> tuple[Any, ...]:
    """The field names of a named tuple's type and of nested types, which Numba's name for it lacks."""
    return getattr(of, "fields", ()), *map(_fields, getattr(of, "types", ()))


@functools.cache
def _compiler() -> str:
    """A hash of the code in this file that determines how kernels are compiled."""
    from icetable.kernels.fingerprints import code_of

    cached: Any = _numba, _natives
    return code_of(cast("FunctionType", _numba_dispatcher), *(function.__wrapped__ for function in cached))
