"""The readable editions and the kernels side by side, a few games under any options; `lockstep.py` plays more."""

from __future__ import annotations

import pytest

from tests.games import lockstep


@pytest.mark.parametrize("name", lockstep.GAMES)
def test_lockstep(name: str) -> None:
    assert all(lockstep.at_random(name, 7, number) for number in range(3))
