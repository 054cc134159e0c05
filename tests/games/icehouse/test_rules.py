"""What is known of the rules by hand, asked of the product: the oracle's own tests, with the product at its side.

Each position, verdict and consequence that they work out is compared. The rules that no act is refused by or brings
about are IH-1 … IH-5, IH-8, IH-9 and IH-36: those are tested in `test_match.py` and `test_geometry_oracle.py`, too.
"""

from __future__ import annotations

import pytest

import icetable
from icetable import State

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


def small_field(*acts: str) -> State:
    """A field of 8 by 6 inches after acts such as "0 stand M 5000,2000", each a second after the one before."""
    state = icetable.load("icehouse", players=2, width=8, height=6).start()
    for seat in (0, 1):
        state = state.apply("ready", seat, 0.0)
    for number, text in enumerate(acts, 1):
        player, *words = text.split()
        steps = [f"lift {words[0]}", f"place {' '.join(words[1:])}"] if words[0] in "SML" else [" ".join(words)]
        for step in steps:
            state = state.apply(step, int(player), float(number))
    return state


SQUANDERED = ("0 M 5000,2000 stand 0.0", "1 L 2600,2000 point 0.0", "1 S 4000,2000 stand 0.0")
"""Green's large piece points at its own small one, which has come between it and red's."""


@pytest.mark.rule("IH-33")
def test_ih_33_an_attacker_that_is_not_valid_scores_nothing() -> None:
    """Also where what it points at is iced by another."""
    state = small_field(*SQUANDERED, "0 L 4000,3600 point 270.0")
    assert [piece["id"] for piece in state.view()["field"] if piece["iced"]] == ["p3"]
    assert state.scores == (5, 0)


@pytest.mark.rule("IH-13")
def test_ih_13_a_meltdown_takes_squandered_attackers_too() -> None:
    state = small_field(*SQUANDERED, "0 meltdown green")
    assert [str(effect) for effect in state.effects] == ["melts p2 green"]
    assert [piece["id"] for piece in state.view()["field"]] == ["p1", "p3"]


# What is said of pieces


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("place 5000,2760 stand 0.0", "The piece would overlap the medium red piece by 0.022 inch."),
        ("place 2600,3600 point 270.0", "The piece would point at a lying one; only standing pieces can be attacked."),
        ("place 7000,4000 point 270.0", "The piece would point at the small green piece, which has its own colour."),
        ("capture p3", "The small green piece attacks nothing, so nobody can capture it."),
    ],
)
def test_refusals_call_pieces_as_people_see_them(text: str, told: str) -> None:
    """The field shows no ids; those are in `where`."""
    state = small_field("0 M 5000,2000 stand 0.0", "1 L 2600,2000 point 0.0", "1 S 7000,2000 stand 0.0")
    fault = state.apply("lift M", 1, 9.0).fault(text, 1)
    assert fault is not None
    assert fault.message == told
    assert fault.where
