"""Where many games run: on the processor, or on a GPU."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, get_args

from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.core.turns import TurnGame

Device = Literal["cpu", "cuda"]


def check_device(device: Device) -> None:
    """Raise GameError unless there is such a device."""
    if device not in get_args(Device):
        raise GameError(f"device can't be {short_repr(device)}; allowed: {', '.join(map(repr, get_args(Device)))}")


def cuda_for(game: TurnGame) -> Any:
    """The module `icetable.kernels.cuda`. Raises GameError that says what is missing to run a game on a GPU."""
    try:
        from icetable.kernels import cuda
    except ModuleNotFoundError as error:
        raise GameError(f"device='cuda' needs {error.name}: pip install 'icetable[cuda]'") from None
    if (reason := cuda.missing()) is not None:
        raise GameError(f"device='cuda' needs an NVIDIA GPU and its driver: {reason}")
    if not isinstance(game.rules, ModuleType):
        raise GameError(f"{game.info.title} is written in plain Python; only games with a kernel run on a GPU")
    return cuda
