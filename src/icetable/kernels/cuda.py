"""The third mode: kernels on a GPU. The only file that imports numba-cuda; importing it raises ModuleNotFoundError.

A kernel is compiled for the GPU from the same Python function as for the processor: a copy whose global names refer to
device functions. Positions and random numbers are the same, bit for bit. So are shares and rewards, as long as no
kernel adds to a product of floats: the GPU would round that once, the processor twice.

With `NUMBA_ENABLE_CUDASIM=1` in the environment, Numba's simulator runs the same code without a GPU, slowly.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numba
import numba.cuda
import numba_cuda  # noqa: F401 (without it `numba.cuda` is an older one)
import numpy as np

from icetable.kernels import jit

if TYPE_CHECKING:
    import numpy.typing as npt

cuda: Any = numba.cuda
int64: Any = numba.int64
THREADS_PER_BLOCK = 128
SIMULATED = bool(numba.config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
LEGACY_STREAM = 1
"""The number of CUDA's default stream in the protocols of arrays."""
_device_functions: dict[FunctionType, Any] = {}


def missing() -> str | None:
    """The reason why nothing runs on a GPU here, if there is one."""
    if cuda.is_available():
        return None
    try:
        cuda.get_current_device()
    except Exception as error:  # noqa: BLE001 (from the driver, of any kind)
        lines = [line.strip(" .") for line in str(error).splitlines()]
        return next((line for line in lines if line and not line.endswith(":")), repr(error))
    return "the compiler's library NVVM was not found"


def build(function: Callable[..., None], **names: object) -> Any:
    """A CUDA kernel for `launch` from a function of this package, whose global `cuda` is numba.cuda there.

    Kernels and functions that it calls become device functions; `names` replaces other global names.
    """
    assert isinstance(function, FunctionType)
    return cuda.jit(_copy(function, {"cuda": cuda, **names}))


def launch(kernel: Any, threads: int, stream: Any, *arguments: Any) -> None:
    """Run a CUDA kernel in at least so many threads. It returns before they have run."""
    block = min(THREADS_PER_BLOCK, threads)
    kernel[-(-threads // block), block, stream](*arguments)


def _copy(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """A copy with its own global names, in which kernels and functions of this package are device functions."""
    code, known = function.__code__, {**function.__globals__, **names}
    used = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"}
    namespace = {name: _bound(known[name], code.co_names) for name in used if name in known}
    copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    copy.__module__ = function.__module__
    return copy


def _bound(value: Any, used: tuple[str, ...]) -> Any:
    """What a global name refers to on the GPU. Of a module, only the names that are used are kept."""
    if isinstance(value, ModuleType) and value.__name__.startswith("icetable."):
        module = ModuleType(value.__name__)
        vars(module).update({name: _bound(one, ()) for name, one in vars(value).items() if name in used})
        return module
    function = value.function if isinstance(value, jit.Kernel) else value
    if not isinstance(function, FunctionType) or not function.__module__.startswith("icetable."):
        return value
    if function not in _device_functions:
        native = NATIVES.get(function.__name__) if function.__module__ == jit.__name__ else None
        copy = native or _copy(function, {})
        _device_functions[function] = copy if SIMULATED and not native else cuda.jit(copy, device=True)
    return _device_functions[function]


def _popcount(bits: int) -> Any:
    return int64(cuda.popc(bits))


def _lowest(bits: int) -> Any:
    return int64(cuda.popc((bits & -bits) - 1))  # the simulator's ffs is wrong beyond 32 bits


def _copy_array(source: Any, target: Any) -> None:
    for index in range(len(source)):
        target[index] = source[index]


def _clear(array: Any) -> None:
    for index in range(len(array)):
        array[index] = 0


def _spread(array: Any) -> None:
    for column in range(array.shape[1]):
        value = array[0, column]
        for row in range(1, array.shape[0]):
            array[row, column] = value


NATIVES = {"popcount": _popcount, "lowest": _lowest, "copy": _copy_array, "clear": _clear, "spread": _spread}
"""The kernels of `jit` with another implementation on a GPU."""


# Arrays


def upload(array: npt.NDArray[Any]) -> Any:
    """A copy on the GPU, with the first dimension as the fastest: neighbouring threads use neighbouring addresses."""
    # Zeros that were never written take no time.
    ordered = np.array(array, order="F") if array.any() else np.zeros(array.shape, array.dtype, order="F")
    return ordered if SIMULATED else cuda.to_device(ordered)


def download(array: Any) -> npt.NDArray[Any]:
    """A copy of an array that `upload` made."""
    copied: npt.NDArray[Any] = array.copy(order="F") if SIMULATED else array.copy_to_host()
    return copied


def replace(array: Any, by: npt.NDArray[Any]) -> None:
    """Overwrite an array that `upload` made."""
    if SIMULATED:
        array[...] = by
    elif array.size:
        array.copy_to_device(np.asarray(by, array.dtype, order="F"))


def foreign(array: Any) -> Any:
    """Another library's array, without a copy: as a kernel takes it if it is on a GPU, else as NumPy's."""
    if isinstance(array, DeviceArray):
        return array.base
    if hasattr(array, "__cuda_array_interface__"):
        return cuda.as_cuda_array(array, sync=False)
    return np.asarray(array)


def stream_of(handle: int) -> Any:
    """The stream with a handle of CUDA's; 0 is the default stream."""
    return cuda.external_stream(handle) if handle and not SIMULATED else 0


class DeviceArray:
    """An array on the GPU for other libraries, which must not write to it.

    `torch.from_dlpack(array)`, `jax.dlpack.from_dlpack(array)` and `cupy.asarray(array)` copy nothing. `numpy()` and
    `np.asarray` copy it to the processor. `base` is an array that `upload` made, `order` that of its dimensions here.
    """

    def __init__(self, base: Any, shape: tuple[int, ...], strides: tuple[int, ...], stream: Callable[[], int]) -> None:
        self.base, self.shape, self.strides = base, shape, strides
        self.dtype = np.dtype(base.dtype)
        self._stream = stream

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{self.dtype}{list(self.shape)} on the GPU>"

    def numpy(self) -> npt.NDArray[Any]:
        """A copy as NumPy's array."""
        return np.lib.stride_tricks.as_strided(download(self.base), self.shape, self.strides)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("an array on the GPU is copied for NumPy")
        return np.asarray(self.numpy(), dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if SIMULATED:
            raise AttributeError("the simulator has no GPU")
        description = self.base.__cuda_array_interface__
        stream = self._stream() or LEGACY_STREAM
        return {**description, "shape": self.shape, "strides": self.strides, "version": 3, "stream": stream}

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._viewed().__dlpack_device__()  # type: ignore[no-any-return]

    def __dlpack__(self, *, stream: int | None = None, **arguments: Any) -> Any:
        """The array as a capsule of DLPack, for a consumer's stream, which waits for what is written now."""
        if not SIMULATED and stream not in (-1, self._stream() or LEGACY_STREAM):
            written = cuda.event(timing=False)
            written.record(stream_of(self._stream()))
            written.wait(stream_of(stream or LEGACY_STREAM))
        return self._viewed().__dlpack__(**arguments)

    def _viewed(self) -> Any:
        if SIMULATED:
            return np.lib.stride_tricks.as_strided(self.base, self.shape, self.strides)
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView.from_cuda_array_interface(self, stream_ptr=-1)
