"""Two modes for one source: the only file that imports Numba.

A function marked with `kernel` is plain Python over int64 arrays. In plain mode it runs as it is: for debugging and
coverage, and while a server still compiles. In compiled mode Numba compiles it. Both give the same answers bit for bit.

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

COMPILING = "icetable compiles what this needs, once on this machine; `icetable warmup --environments` does so ahead.\n"

P = ParamSpec("P")
R = TypeVar("R")


def plain_by(environment: Mapping[str, str]) -> str | None:
    """The variable that switches the compiler off; None where it is on. Numba reads its own as a whole number."""
    if environment.get("ICETABLE_JIT") == "0":
        return "ICETABLE_JIT=0"
    with contextlib.suppress(ValueError):
        if int(environment.get("NUMBA_DISABLE_JIT", "0")):
            return f"NUMBA_DISABLE_JIT={environment['NUMBA_DISABLE_JIT']}"
    return None


ALWAYS_PLAIN = plain_by(os.environ) is not None

# Multiply-with-carry: MULTIPLIER times a 32-bit digit stays below 2**62, so int64 never wraps and both modes draw
# the same numbers. MULTIPLIER * 2**32 - 1 is a safe prime, which makes the period about 2**61.
MULTIPLIER = 0x3FFFF97B
DIGIT = 0xFFFFFFFF
SEED_LIMIT = MULTIPLIER * 2**32 - 1
"""Seeds of `draw` are 1 … SEED_LIMIT - 1."""

_plain_until_compiled = threading.Event()
_thread = threading.local()
_plain_threads: set[int] = set()
_bound: dict[tuple[object, ...], dict[str, Any]] = {}
_names: set[str] = set()
"""The kernels of this process, but no templates of `bind`."""
_cache_files: set[Path] = set()
"""The files of the kernels that this process has compiled or loaded."""
_unkept: set[str] = set()
"""The kernels of this process that could not be kept."""


class Kernel:
    """A function in two modes. Calling it runs the mode that is in use: if `plain`, always plain mode."""

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
            return self._plainly(args)
        if _plain_until_compiled.is_set() and not getattr(_thread, "compiling", False):
            return self._plainly(args)
        if _numba().config.DISABLE_JIT:  # which a program may have set by itself
            return self._plainly(args)
        answer = self.dispatcher(*args)
        self._compiled = self.dispatcher
        return answer

    def _plainly(self, args: tuple[Any, ...]) -> Any:
        # The kernels that it calls run in plain mode too: compiled ones would return Python's ints, which do not wrap.
        thread = threading.get_ident()
        _plain_threads.add(thread)
        try:
            return self.function(*args)
        finally:
            _plain_threads.remove(thread)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function as kernel code. It takes scalars and arrays, returns scalars and makes no array."""
    return cast("Callable[P, R]", Kernel(cast("FunctionType", function)))


def allocating(function: Callable[P, R]) -> Callable[P, R]:
    """Mark kernel code that makes or copies arrays for its own use.

    Its arrays are counted by reference; in a loop this can cost as much as the work itself.
    """
    return cast("Callable[P, R]", Kernel(cast("FunctionType", function), _nrt=True))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Mark kernel code that compiled kernels hold a copy of instead of calling it.

    A call hands over each array as seven numbers or more: with many arrays it can cost as much as the work itself.
    """
    return cast("Callable[P, R]", Kernel(cast("FunctionType", function), forceinline=True))


def bind(function: Callable[P, R], game: str, **names: object) -> Callable[P, R]:
    """A copy of a kernel for one game, in which global names such as `rules` stand for the game's modules.

    The other kernels of the function's module that reach those names are copied with it. So a loop over any game is
    written once (`rules.apply(…)`) and compiled for each game, and what is the same for all games is compiled once. The
    names of the copies contain the game's name, which keeps their compiled code apart in the cache. Where `rules` is no
    module, the game is one of plain Python, and all kernels are copied, to run in plain mode.
    """
    from icetable.kernels.fingerprints import reaching

    template = cast("FunctionType", getattr(function, "function", function))
    key = (template.__module__, game, *names.items())  # two files may give their games one name
    if key not in _bound:
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
    """From now on no call waits for the compiler: a kernel runs in plain mode until a `compiling` block has run it."""
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
def watching_compiler(tell: Callable[[int, int], None]) -> Iterator[None]:
    """Within the block, call `tell` when a kernel is compiled: how many are, and how many this process has."""
    _numba()
    from numba.core import event

    compiled: set[str] = set()

    class Watcher(event.Listener):
        def on_start(self, event: Any) -> None: ...

        def on_end(self, event: Any) -> None:
            name = _name(event.data["dispatcher"].py_func)
            if name in _names and name not in compiled:
                compiled.add(name)
                tell(len(compiled), len(_names))

    with event.install_listener("numba:compile", Watcher()):
        yield


@functools.cache
def announce_compiling() -> None:
    """From now on say on standard error, once, where kernels are compiled and no `compiling` block asks for that."""
    if ALWAYS_PLAIN:
        return
    _numba()
    from numba.core import event

    class Announcer(event.Listener):
        told = False

        def on_start(self, event: Any) -> None:
            asked_for = getattr(_thread, "compiling", False)
            if not (self.told or asked_for) and _name(event.data["dispatcher"].py_func) in _names:
                self.told = True
                sys.stderr.write(COMPILING)

        def on_end(self, event: Any) -> None: ...

    event.register("numba:compile", Announcer())  # type: ignore[no-untyped-call]


def is_kept(what: str) -> bool:
    """Whether `note_kept` was called for these sources on this kind of machine, and all is still in the cache."""
    folder = cache_folder()
    return folder is not None and cache.is_noted(folder, what)


def note_kept(what: str) -> None:
    """Note that all kernels for something are in the cache: those that this process has used so far."""
    folder = cache_folder()
    if folder is not None and _cache_files and not _unkept:
        cache.note(folder, what, _cache_files)


def can_keep() -> bool:
    """Whether what is compiled can be kept for other processes."""
    return cache.can_keep(cache_folder())


def remove_useless_caches() -> Removed:
    """Remove compiled kernels of older versions, and the folders that no installation can need any more."""
    return cache.remove_useless(cache_folder())


def open_lock(what: str) -> TextIO:
    """A file beside the cached kernels, for locks of the system. Raises OSError."""
    folder = cache_folder()
    if folder is None:
        raise OSError(errno.ENOENT, cache.NOT_KEPT)
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / f"{what}.lock").open("w")


def cache_folder() -> Path | None:
    """Where this installation keeps compiled kernels; None for a user without a home."""
    return cache.folder(_machine())


@functools.cache
def _machine() -> str:
    """What compiled kernels depend on apart from the sources, as a hash. Does not import Numba: that is slow."""
    from llvmlite import binding

    features = binding.get_host_cpu_features().flatten()
    versions = sys.implementation.cache_tag, metadata.version("numba"), metadata.version("llvmlite")
    return hashlib.sha256(repr((*versions, binding.get_host_cpu_name(), features)).encode()).hexdigest()[:16]


def seeds(seed: int, count: int) -> Ints:
    """`count` independent seeds for `draw`, made from one integer from 0 up."""
    import numpy as np

    words = np.random.SeedSequence(seed).generate_state(count, np.uint64)
    return (words % np.uint64(SEED_LIMIT - 1)).astype(np.int64) + 1


@kernel
def popcount(bits: int) -> int:
    """The number of bits that are set in an int64 from 0 up."""
    return int(bits).bit_count()


@kernel
def lowest(bits: int) -> int:
    """The index of the lowest set bit of a positive int64."""
    return (int(bits) & -int(bits)).bit_length() - 1


@kernel
def copy(source: Ints | Floats, target: Ints | Floats) -> None:
    """Copy an array into the beginning of one that is at least as long."""
    target[: len(source)] = source


@kernel
def clear(array: npt.NDArray[Any]) -> None:
    """Set a contiguous array to 0."""
    array[:] = 0


@kernel
def spread(array: npt.NDArray[Any]) -> None:
    """Copy the first row of a contiguous array of two dimensions to all others."""
    array[1:] = array[0]


@kernel
def draw(rng: Ints, sides: int) -> int:
    """A uniform number in 0 … sides-1 (1 ≤ sides < 2**31) from the generator whose state is `rng[0]`."""
    state = MULTIPLIER * (rng[0] & DIGIT) + (rng[0] >> 32)
    rng[0] = state
    return (((state ^ (state >> 32)) & DIGIT) * sides) >> 32


@functools.cache
def _numba() -> Any:
    """Numba, with a Kernel inside compiled code treated as its dispatcher."""
    import numba
    from numba.core import types
    from numba.extending import models, register_model, typeof_impl

    class KernelType(types.Dispatcher):
        """Is compiled once for all integers, where a Dispatcher is compiled again for each constant."""

        def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
            whatever_value = tuple(types.unliteral(arg) for arg in args)  # type: ignore[no-untyped-call]
            return super().get_call_type(context, whatever_value, kws)

    register_model(KernelType)(models.OpaqueModel)

    @typeof_impl.register(Kernel)
    def typeof_kernel(value: Kernel, _context: Any) -> Any:
        return KernelType(value.dispatcher)

    return numba


@functools.cache
def _natives() -> dict[str, Callable[..., Any]]:
    """The kernels of this file that are written in another way in compiled mode.

    Of bits, one machine instruction each. `copy` without slices, whose errors take a second to compile. `clear` and
    `spread` by what the system copies bytes with, which writes many at a time.
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
        """Copy the first `count` items to where item number `start` is."""

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

    within: Any = repeat  # Numba's type for it says that a call of it never returns

    def spread(array: Any) -> None:
        done = array.shape[1]
        while done < array.size:
            count = min(done, array.size - done)
            within(array, done, count)
            done += count

    return {"popcount": popcount, "lowest": lowest, "copy": copy, "clear": clear, "spread": spread}


def _numba_dispatcher(function: FunctionType, chosen: dict[str, bool]) -> Any:
    numba = _numba()
    # Without nrt no references are counted; nothing calls a kernel from C.
    options = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True, **chosen}
    if function.__module__ == __name__ and function.__name__ in (native := _natives()):
        return numba.njit(native[function.__name__], **options)
    dispatcher = numba.njit(function, **options)
    if (folder := cache.opened(cache_folder())) is None:
        _unkept.add(_name(function))
    else:
        dispatcher._cache = _cache_class()(function, chosen, folder)
    return dispatcher


@functools.cache
def _cache_class() -> Any:
    from numba.core import caching, compiler, serialize

    from icetable.kernels.fingerprints import fingerprint, short

    rebuild: Any = compiler.CompileResult._rebuild
    dumps: Any = serialize.dumps

    class KernelCache(caching.FunctionCache):
        """Keeps each compiled kernel in one file, whose name says all that it is compiled from.

        Numba's own cache does not know of the kernels that a kernel calls, keeps it by where its sources are, wants to
        write where it only reads, and writes beside the sources where it may not write elsewhere.
        """

        def __init__(self, function: FunctionType, options: dict[str, bool], folder: Path) -> None:
            self._py_func = function
            self._options = sorted(options.items())
            self._folder = folder

        @property
        def cache_path(self) -> str:
            return str(self._folder)

        def _file(self, signature: Any, codegen: Any) -> Path:
            """Raises TypeError where it can't be told what the kernel is compiled from."""
            kind = repr((signature, [_fields(one) for one in signature], codegen.magic_tuple()))
            sources = repr((_compiler(), fingerprint(self._py_func), self._options))
            name = _name(self._py_func).replace("<", "").replace(">", "")
            return cache.file(self._folder, f"{name}-{short(kind)}", short(sources))

        def load_overload(self, signature: Any, context: Any) -> Any:
            context.refresh()
            try:
                file = self._file(signature, context.codegen())
                loaded = rebuild(context, *pickle.loads(cache.read(file)))  # noqa: S301
            except Exception:  # noqa: BLE001 (none is there, or a damaged one: it is compiled anew)
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
                cache.write_whole(file, dumps(result._reduce()))
            except (OSError, TypeError):
                _unkept.add(_name(self._py_func))
                cache.tell_once(cache.NOT_KEPT)
            else:
                _cache_files.add(file)

        def flush(self) -> None:
            """Nothing to forget: a file belongs to one version of the sources."""

    return KernelCache


def _fields(of: Any) -> tuple[Any, ...]:
    """The fields of a named tuple's type, and of those within it: in Numba's name for it they have no names."""
    return getattr(of, "fields", ()), *map(_fields, getattr(of, "types", ()))


@functools.cache
def _compiler() -> str:
    """A hash of how this file compiles."""
    from icetable.kernels.fingerprints import code_of

    ways: Any = _numba, _natives
    return code_of(cast("FunctionType", _numba_dispatcher), *(way.__wrapped__ for way in ways))
