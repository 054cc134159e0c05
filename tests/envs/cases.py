"""The games of turns under many sets of options, with few turns: random games would else go on long for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import icetable
from tests.conformance.cases import TURN_CASES, Case

if TYPE_CHECKING:
    from icetable.envs.spaces import Spaces

MAX_TURNS = 40


def shortened(case: Case) -> Case:
    """The case with few turns where their number is an option."""
    limit = {"turn_limit": MAX_TURNS} if case.game.options.get("turn_limit", 0) > MAX_TURNS else {}
    return Case(case.name, case.label, icetable.load(case.name, **{**case.game.options, **limit}))


def ends_soon(case: Case) -> bool:
    """WreckTangle without a limit goes on for a thousand acts; IceFrogs stands for games that may go on for ever."""
    return case.game.info.name != "wrecktangle" or case.game.options["turn_limit"] > 0


SHORTENED = [shortened(case) for case in TURN_CASES if case.game.info.part("encoding") and ends_soon(case)]
CASES = tuple({case.game: case for case in SHORTENED}.values())
each_case = pytest.mark.parametrize("case", CASES, ids=str)


def planes(space: Spaces, position: Any, seat: int) -> Any:
    """What a seat sees of a position."""
    height, width, depth = space.encoding.shape
    seen = np.zeros((height * width, depth), np.int8)
    space.codec.observe(position, seat, seen)
    return seen.reshape(height, width, depth)
