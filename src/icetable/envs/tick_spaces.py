"""The action and observation spaces of real-time games, for Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete

from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from gymnasium import Space

    from icetable.envs.realtime import RealTime


def action_space(ticks: RealTime) -> Space[Any]:
    """The action space of a seat: an entry of the menu, the numbers of the grid, or verb, kind, target and place."""
    encoding = ticks.describe()
    counts = dict(encoding.arguments)
    if ticks.action == "menu":
        return Discrete(encoding.entries)
    if ticks.action == "grid":
        return MultiDiscrete(list(counts.values()))
    place = Box(np.array([0, 0, -1, -1], np.float32), np.ones(4, np.float32))
    numbers = {"verb": counts["verb"], "kind": counts["kind"], "target": counts["piece"]}
    return Dict({**{name: Discrete(count) for name, count in numbers.items()}, "place": place})


def boxes(ticks: RealTime) -> dict[str, Space[Any]]:
    """The spaces of an observation by field."""
    return {one.name: Box(one.least, one.most, one.shape, np.float32) for one in ticks.describe().fields}


def mask_name(ticks: RealTime) -> str:
    # PettingZoo's tests sample with anything named `action_mask`, which does not fit actions of several numbers.
    return "action_mask" if ticks.action == "menu" else "verb_mask"


def flat(ticks: RealTime, action: Any) -> Any:
    """Convert an action to the format of `RealTime`. Raises GameError."""
    if ticks.action != "place":
        return action
    try:
        return [*(float(action[name]) for name in ("verb", "kind", "target")), *map(float, action["place"])]
    except (KeyError, TypeError, ValueError, IndexError):
        parts = "verb, kind, target and place, which is x, y, cosine and sine"
        raise GameError(f"an action has {parts}, not {short_repr(action)}") from None
