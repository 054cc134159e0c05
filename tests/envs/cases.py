"""The games of turns under many sets of options."""

from __future__ import annotations

import pytest

from tests.conformance.cases import TURN_CASES

CASES = tuple(case for case in TURN_CASES if case.game.info.part("encoding"))
each_case = pytest.mark.parametrize("case", CASES, ids=str)
