"""Positions that play hardly reaches: any pyramids anywhere, at any point of a turn."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .drawings import PLACES, WreckTangle, placed
from .material import FACES, well_formed


@st.composite
def positions(draw: st.DrawFn) -> WreckTangle:
    """Pyramids put down in a part of the board, so that they are in each other's way and form rectangles."""
    players = draw(st.integers(2, 4))
    width, height = draw(st.integers(5, 8)), draw(st.integers(5, 8))
    places = [square for square, (file, rank) in PLACES.items() if file <= width and rank <= height]
    pyramids = [f"{seat}{size}" for seat in range(players) for size in "PPDDQQ"]
    for seat in range(players):
        for _ in range(draw(st.integers(0, 2))):
            pyramids.remove(draw(st.sampled_from([pyramid for pyramid in pyramids if pyramid[0] == str(seat)])))
    assume(len(places) >= len(pyramids))
    squares = draw(st.permutations(places))
    position = placed(
        dict(zip(squares, pyramids, strict=False)),
        seat=draw(st.integers(0, players - 1)),
        coin=draw(st.sampled_from(("heads", "tails"))),
        roll=draw(st.sampled_from(FACES)),
        left=draw(st.sampled_from((("move", "die"), ("move",), ("die",)))),
        players=players,
        leap=draw(st.booleans()),
        rectangles=draw(st.sampled_from(("upright", "tilted"))),
        fallen=draw(st.sampled_from(("removed", "stay"))),
    )
    assume(position.legal() != {"end"})
    return position


@settings(max_examples=80)
@given(positions())
def test_any_position(position: WreckTangle) -> None:
    """Legal acts, where they lead, and what they cause (WT-5 … WT-17)."""
    position.assert_agreed((), most=12)


@settings(max_examples=8)
@given(positions())
def test_every_text_in_any_position(position: WreckTangle) -> None:
    """Which rule refuses each roll, move and swap."""
    position.assert_agreed(well_formed(position.game))
