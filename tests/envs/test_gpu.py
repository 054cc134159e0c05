"""Games on a GPU, on a machine without one: in CUDA's simulator, and compiled to PTX. What is missing is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError
from icetable.core import turns
from icetable.envs import Batch
from icetable.envs.gpu import _kernels
from icetable.envs.gymnasium import TensorVectorEnv
from icetable.envs.rows import Rows
from icetable.kernels import jit
from icetable.lab import playouts
from icetable.lab.playouts import gpu_kernel
from tests.clusters import PATIENCE
from tests.envs.cases import CASES

pytest.importorskip("numba_cuda", reason="needs icetable[cuda], which there is for Linux and Windows")

COMPUTE_CAPABILITY = 9, 0
TURN_GAMES = sorted({case.name for case in CASES})


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="compares with compiled kernels")
def test_games_in_the_simulator_equal_those_of_the_processor() -> None:
    """In a process of its own, for Numba reads the environment when it is imported."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/envs/on_gpu.py"]
    root = Path(__file__).parent.parent.parent
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=5 * PATIENCE)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="Numba is turned off")
@pytest.mark.parametrize("name", TURN_GAMES)
def test_every_kernel_compiles_for_a_gpu(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without optimizing, which takes longest and can't fail by the fault of a kernel."""
    import numba
    import numba.cuda

    cuda: Any = numba.cuda

    if not cuda.cudadrv.nvvm.is_available():
        pytest.skip("NVVM, the compiler's library, is not installed")
    for module in (cuda.compiler, cuda.dispatcher):
        device = SimpleNamespace(compute_capability=COMPUTE_CAPABILITY)
        monkeypatch.setattr(module, "get_current_device", lambda device=device: device)
    monkeypatch.setattr("icetable.kernels.cuda.missing", lambda: None)
    batch = Batch(name, 3)
    make: Any = Rows
    rows = make(*(np.asfortranarray(one) if isinstance(one, np.ndarray) else one for one in batch._rows))
    ints, bools = np.zeros(3, np.int64), np.zeros(3, np.bool_)
    arguments: dict[str, tuple[Any, ...]] = {
        "step": (ints, rows, ints),
        "pick": (ints, rows),
        "look": (ints, rows),
        "check": (ints, bools, rows.mask, ints, True, 1, ints),
        "take": (ints, ints),
        "mark": (bools, 1, 1, ints),
        "measure": (rows.lengths, ints, ints),
        "move": (rows.logs, rows.logs),
        "play_out": (ints, ints, 9, ints, np.asfortranarray(np.zeros((3, 2))), ints, ints),
    }
    kernels = {**_kernels(batch.game), "play_out": gpu_kernel(batch.game)}
    assert kernels.keys() == arguments.keys()
    for key, kernel in kernels.items():
        signature = numba.types.void(*map(numba.typeof, arguments[key]))
        options = {"device": False, "abi": "numba", "cc": COMPUTE_CAPABILITY, "opt": False}
        ptx, _ = cuda.compile(kernel.py_func, signature, **options)
        assert ".entry" in ptx


def test_an_error_says_what_is_missing_for_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    from icetable.kernels import cuda

    if cuda.missing() is None:
        pytest.skip("there is a GPU")
    with pytest.raises(GameError, match="needs an NVIDIA GPU and its driver: ") as caught:
        Batch("squad", 1, device="cuda")
    assert "\n" not in str(caught.value)
    with pytest.raises(GameError, match="needs an NVIDIA GPU"):
        playouts("squad", 1, device="cuda")
    monkeypatch.setattr("icetable.kernels.cuda.missing", lambda: None)
    with pytest.raises(GameError, match="only games with a kernel run on a GPU"):
        turns.cuda_for(SimpleNamespace(rules=object(), info=icetable.list_games()[0]))  # type: ignore[arg-type]
    monkeypatch.delattr("icetable.kernels.cuda")
    monkeypatch.delitem(sys.modules, "icetable.kernels.cuda")
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    with pytest.raises(GameError, match=r"needs numba_cuda: pip install 'icetable\[cuda\]'"):
        Batch("squad", 1, device="cuda")


@pytest.mark.parametrize("device", ["gpu", None, 0])
def test_an_unknown_device_is_refused(device: Any) -> None:
    for play in (lambda: Batch("squad", 1, device=device), lambda: playouts("squad", 1, device=device)):
        with pytest.raises(GameError, match="allowed: 'cpu', 'cuda'"):
            play()
    assert Batch("squad", 1).faults == 0


def test_tensors_have_random_opponents() -> None:
    with pytest.raises(GameError, match="opponents other than 'random' play on the processor"):
        TensorVectorEnv("squad", opponent="greedy")  # type: ignore[arg-type]
