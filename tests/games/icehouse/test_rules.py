"""What is known of the rules by hand, asked of the product: the oracle's own tests, with the product at its side.

Each position, verdict and consequence that they work out is compared. The rules that no act is refused by or brings
about are IH-1 … IH-5, IH-8, IH-9 and IH-36: those are tested in `test_match.py` and `test_geometry_oracle.py`, too.
"""

from __future__ import annotations

import pytest

from . import test_oracle
from .product import Paired
from .test_oracle import *  # noqa: F403


@pytest.fixture(autouse=True)
def _with_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_oracle, "Oracle", Paired)
