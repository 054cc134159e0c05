"""The game Who's On The Squad? for the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from icetable import Game
from icetable.workshop.equipment import Pyramid, Token
from icetable.workshop.saving import table_to_json
from tests.conformance.material import Material
from tests.games.pairs import both

from .drawings import all_texts

BAD_NOTATION = (
    "",
    " ",
    "pass",
    "C",
    "C@",
    "@a1",
    "a1",
    "c@a1",
    "f@b1",
    "X@b1",
    "M@b1",
    "0F@b1",
    "FS@b1",
    "F@1b",
    "F@B1",
    "F@b",
    "F@b1 ",
    " F@b1",
    "F@b1\n",
    "F @ b1",
    "F-b1",
    "a1-b1",
    "F@b1-c1",
    "F@b\u0661",
    "F@b1\x00",
    "F@b1 # stunt",
    "0 F@b1",
    "F@\ud800",
)


def well_formed(game: Game) -> Iterator[str]:
    """Every captain and every friend on every square, and some that name squares off the board."""
    yield from all_texts(6)
    yield from ("C@z9", "F@a0", "S@a01", "J@g1", "F@a7", "F@c99999999999999999999")


def set_ups(game: Game) -> Iterator[dict[str, Any]]:
    """Positions that random play does not reach.

    All captains on their corners and every seat with but one junior left and one friend standing, all others fallen;
    and a crowd of juniors in the middle, one of each seat, with nothing else on the board.
    """
    loaded, _ = both("squad", **game.options)
    players, trios = game.players, game.options["trios"]
    side = "d4" if game.options["board"] == 4 else "f6"
    captains = ["a1", side, f"a{side[1]}", f"{side[0]}1"][:players]
    middle = ["b2", "c2", "b3", "c3"][:players]

    def position(size: str, **left: int) -> dict[str, Any]:
        table = loaded.first_table.copy()
        dice = [Token(f"C{game.options['captain_start']}", seat) for seat in range(players)]
        table.stacks = {square: (die,) for square, die in zip(captains, dice, strict=True)}
        table.stacks |= {square: (Pyramid(size, seat),) for seat, square in enumerate(middle)}
        table.pad = [[Pyramid(kind, seat) for kind in "SML" for _ in range(left[kind])] for seat in range(players)]
        table.turn = players * (1 + 3 * trios - sum(left.values()))
        return table_to_json(table)

    yield position("M", S=0, M=0, L=1)
    yield position("L", S=trios, M=trios, L=trios - 1)


MATERIAL = Material(
    bad_notation=BAD_NOTATION,
    well_formed=well_formed,
    set_ups=set_ups,
    worlds=None,
    option_sets=(
        {"players": 1, "trios": 2, "formation": "up-to"},
        {"players": 1, "board": 6, "friends": "own"},
        {"players": 2, "trios": 3, "friends": "own", "formation": "up-to"},
        {"players": 3, "begins": "seat", "tie": "all", "board": 4},
        {"players": 3, "friends": "own", "stuck": "anyone"},
        {"players": 4, "stuck": "anyone", "tie": "all", "captain_start": 0},
        {"players": 4, "board": 4, "trios": 2, "friends": "own", "formation": "up-to"},
    ),
    drawn=lambda view: view["stacks"],
)
