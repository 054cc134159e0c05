"""IceFrogs for the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from icetable import Game
from tests.conformance.material import Material

from .drawings import all_texts, saved, spaces

BAD_NOTATION = (
    "",
    " ",
    "Pass",
    "pass ",
    "pass\n",
    "L@",
    "@c3",
    "L@3c",
    "L@C3",
    "L@c",
    "l@c3",
    "X@c3",
    "LM@c3",
    "L@c3 ",
    " L@c3",
    "L@c3\n",
    "L @ c3",
    "L-c3",
    "b2",
    "b2-",
    "-b2",
    "b2@c3",
    "b2–c3",
    "b2-c3-d4",
    "b2 - c3",
    "b٢-c3",
    "b2-c3\x00",
    "b2-c3 # path b2 c3",
    "0 b2-c3",
    "L@\ud800",
)


def well_formed(game: Game) -> Iterator[str]:
    """Every entry, every move from space to space, the pass, and some that name spaces off the board."""
    yield from ("L@z9", "S@a0", "M@a01", "z9-a1", "a1-z9", "z9-z9", "c3-c99999999999999999999")
    yield from all_texts(game.options["board"])


def set_ups(game: Game) -> Iterator[dict[str, Any]]:
    """Positions that random play does not reach: a seat that can only pass, before and after all others have passed,
    and a row of small and large pyramids of all seats, which opens long chains of jumps."""
    names = spaces(game.options["board"])
    middle = names[len(names) // 2]
    buried = {middle: "0L" * 5 + "0M" * 5 + "0S" * 5 + "1S"}
    yield saved(game, 0, buried)
    yield saved(game, game.players, buried, game.players - 1)
    row = [space for space in names if space[0] in "cde"][1:-1:2]
    yield saved(game, 1, {space: f"{place % game.players}{'SL'[place % 2]}" for place, space in enumerate(row)})


MATERIAL = Material(
    bad_notation=BAD_NOTATION,
    well_formed=well_formed,
    set_ups=set_ups,
    worlds=None,
    option_sets=(
        {"players": 3, "board": "hexagon"},
        {"players": 6, "board": "hexagon", "turn_limit": 1_000_000_000},
        {"players": 3, "turn_limit": 12},
    ),
    drawn=lambda view: view["stacks"],
)
