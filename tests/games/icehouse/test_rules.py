"""What is known of the rules by hand, asked of the product: the oracle's own tests, with the product at its side.

Each position, verdict and consequence that they work out is compared. The rules that no act is refused by or brings
about are IH-1 … IH-5, IH-8, IH-9 and IH-36: those are tested in `test_match.py` and `test_geometry_oracle.py`, too.
"""

from __future__ import annotations

import pytest

from . import test_oracle
from .product import Paired
from .test_oracle import *  # noqa: F403
from .test_oracle import fault, laid, play


@pytest.fixture(autouse=True)
def _with_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_oracle, "Oracle", Paired)


# What mutants of the product had survived


@pytest.mark.rule("IH-2")
def test_ih_2_a_field_that_is_higher_than_wide() -> None:
    position = play(laid(width=6, height=12), "0 lift L")
    assert fault(position, "0 place 3000,11000 stand 0.0") is None
    assert fault(position, "0 place 11000,3000 stand 0.0") == "IH-5"


@pytest.mark.rule("IH-11")
def test_ih_11_by_ray_also_of_what_lies_there_already() -> None:
    """The gap of 1550 would be in range, the ray is 1821 long, as far as the attacker reaches and 1."""
    drawing = "green L 8138,5300 stand 45.0\nred L 5000,5000 point 0.0"
    assert not laid(drawing, range="ray").statuses()[2].valid
    assert laid(drawing, range="gap").statuses()[2].valid
    for option in ("ray", "gap"):
        play(laid(drawing, range=option), "1 lift S")


@pytest.mark.rule("IH-18")
def test_ih_18_attackers_are_no_free_standers() -> None:
    position = laid("blue L 5000,5000 stand 0.0\nred S 3500,5000 point 0.0", pads={0: "4S 3M"})
    assert play(position, "1 icehouse").in_icehouse == {0}
