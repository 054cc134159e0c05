"""What the edition says of positions that play hardly reaches: any pyramids anywhere, at any point of a turn."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from icetable.workshop import Pyramid
from tests.games.old_pairs import Pair
from tests.games.twins import Twin, edition

from . import product
from .material import FACES, well_formed
from .product import PLACES, placed


@st.composite
def positions(draw: st.DrawFn) -> Twin:
    """Pyramids put down in a part of the board, so that they are in each other's way and form rectangles."""
    game = edition(
        "wrecktangle",
        players=draw(st.integers(2, 4)),
        leap=draw(st.booleans()),
        rectangles=draw(st.sampled_from(("upright", "tilted"))),
        fallen=draw(st.sampled_from(("removed", "stay"))),
    )
    width, height = draw(st.integers(5, 8)), draw(st.integers(5, 8))
    places = [square for square, (file, rank) in PLACES.items() if file <= width and rank <= height]
    pyramids = [Pyramid(size, seat) for seat in range(game.players) for size in "SSMMLL"]
    for seat in range(game.players):
        for _ in range(draw(st.integers(0, 2))):
            pyramids.remove(draw(st.sampled_from([pyramid for pyramid in pyramids if pyramid.colour == seat])))
    assume(len(places) >= len(pyramids))
    squares = draw(st.permutations(places))
    has_moved, has_used_die = draw(st.sampled_from(((False, False), (True, False), (False, True))))
    position = placed(
        game,
        dict(zip(squares, pyramids, strict=False)),
        draw(st.integers(0, game.players - 1)),
        coin=draw(st.sampled_from(("heads", "tails"))),
        face=draw(st.sampled_from(FACES)),
        has_moved=has_moved,
        has_used_die=has_used_die,
    )
    assume(position.legal() != {"end"})
    return position


@settings(max_examples=80)
@given(positions())
def test_any_position(position: Twin) -> None:
    """Legal acts, where they lead, and what they cause (WT-5 … WT-17)."""
    Pair.of(product, position).assert_agreed((), most=12)


@settings(max_examples=8)
@given(positions())
def test_every_text_in_any_position(position: Twin) -> None:
    """Which rule refuses each roll, move and swap."""
    pair = Pair.of(product, position)
    pair.assert_agreed(well_formed(pair.state.game))
