"""What the oracle says of positions that play hardly reaches: any pyramids anywhere, at any point of a turn."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.games.pairs import Pair

from . import product
from .material import well_formed
from .oracle import FACES, PLACES, Oracle
from .product import grown


@st.composite
def positions(draw: st.DrawFn) -> Oracle:
    """Pyramids put down in a part of the board, so that they are in each other's way and form rectangles."""
    position = Oracle(
        draw(st.integers(2, 4)),
        leap=draw(st.booleans()),
        rectangles=draw(st.sampled_from(("upright", "tilted"))),
        fallen=draw(st.sampled_from(("removed", "stay"))),
    )
    width, height = draw(st.integers(5, 8)), draw(st.integers(5, 8))
    places = [square for square, (file, rank) in PLACES.items() if file <= width and rank <= height]
    pyramids = [(seat, size) for seat in range(position.players) for size in "PPDDQQ"]
    for seat in range(position.players):
        for _ in range(draw(st.integers(0, 2))):
            pyramids.remove(draw(st.sampled_from([pyramid for pyramid in pyramids if pyramid[0] == seat])))
    assume(len(places) >= len(pyramids))
    squares = draw(st.permutations(places))
    position.standing = dict(zip(squares, pyramids, strict=False))
    position.coin = draw(st.sampled_from(("heads", "tails")))
    position.seat = draw(st.integers(0, position.players - 1))
    position.roll = draw(st.sampled_from(FACES))
    position.normal_made, position.die_used = draw(st.sampled_from(((False, False), (True, False), (False, True))))
    assume(position.legal() != {"end"})
    return grown(position)


@settings(max_examples=120)
@given(positions())
def test_any_position(position: Oracle) -> None:
    """Legal acts, where they lead, and what they cause (WT-5 … WT-17)."""
    Pair.of(product, position).assert_agreed(())


@settings(max_examples=15)
@given(positions())
def test_every_text_in_any_position(position: Oracle) -> None:
    """Which rule refuses each roll, move and swap."""
    pair = Pair.of(product, position)
    pair.assert_agreed(well_formed(pair.state.game))
