"""WreckTangle for the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from icetable import Game
from icetable.workshop.saving import table_to_json
from tests.conformance.material import Material

from .drawings import EARLIER, FRAME, STUCK, set_up

FACES = ("away", "toward", "diag-away", "diag-toward", "swap", "wild")
SQUARES = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
CORNERS = ("a1", "a8", "h1", "h8")

BAD_NOTATION = (
    "",
    " ",
    "End",
    "end ",
    "end\n",
    "pass",
    "die:",
    "die:up",
    "die:Swap",
    "die:swap ",
    "die: swap",
    "die:diag",
    "DIE:swap",
    "swap",
    "d1",
    "d1-",
    "-d3",
    "d1d3",
    "d1*e8",
    "d1-d3-d5",
    "d1 - d3",
    " d1-d3",
    "d1-d3\n",
    "D1-D3",
    "1d-3d",
    "d1–d3",
    "d1-d٣",
    "~",
    "~d8",
    "~~d8-d7",
    "~ d8-d7",
    "d8-~d7",
    "~e8*d1",
    "~d8*d1",
    "~d1*d1",
    "~z9*a2",
    "~d1*e8*f1",
    "~d1x8",
    "d1-d3\x00",
    "d1-d3 # turn 1",
    "0 d1-d3",
    "~d1*\ud800",
)


def well_formed(game: Game) -> Iterator[str]:
    """Every roll, the end, every short move of either kind, every swap, and some that name squares off the board."""
    yield "end"
    yield from (f"die:{face}" for face in FACES)
    yield from (
        "z9-a1",
        "a1-z9",
        "~z9-a1",
        "~a2*z9",
        "~d8-d9",
        "d1-d99999999999999999999",
        "~b1*b99",
        "d0-d2",
        "~d1-d0",
    )
    for number, one in enumerate(SQUARES):
        for other in SQUARES[number + 1 :]:
            yield f"~{one}*{other}"
            if abs(ord(one[0]) - ord(other[0])) <= 3 and abs(int(one[1]) - int(other[1])) <= 3:
                yield from (f"{one}-{other}", f"{other}-{one}", f"~{one}-{other}", f"~{other}-{one}")
    yield from ("d1-d1", "~d1-d1", "b1-g8", "~b1-g8")


def set_ups(game: Game) -> Iterator[dict[str, Any]]:
    """Positions that random play reaches seldom: captures that put a player out, a repeated rectangle, no move."""

    def described(pyramids: dict[str, str], lost: tuple[int, int], **settings: Any) -> dict[str, Any]:
        return table_to_json(set_up(pyramids, lost, **settings, **game.options).table)

    stuck = {"last": {1: EARLIER[0]}}
    yield described(FRAME, (0, 2), last=EARLIER)
    yield described(FRAME, (0, 2), last=EARLIER, roll="wild")
    yield described(FRAME, (0, 2), last=EARLIER, roll="away", left=["move"])
    yield described(FRAME, (0, 2), last={0: ["c3 c6 f3 f6"]}, roll="away")
    yield described(FRAME, (0, 1), last=EARLIER, roll="swap", left=["die"])
    yield described({**FRAME, "d4": "0P", "c4": "1Q", "c5": "1P", "d6": "1Q"}, (0, 0), coin="tails", roll="toward")
    yield described(STUCK, (2, 0), **stuck)
    yield described(STUCK, (2, 0), **stuck, roll="swap")
    yield described(STUCK, (2, 0), **stuck, roll="away", left=["die"])


MATERIAL = Material(
    bad_notation=BAD_NOTATION,
    well_formed=well_formed,
    set_ups=set_ups,
    worlds=None,
    option_sets=(
        {"players": 3, "turn_limit": 12},
        {"players": 4, "rectangles": "tilted", "home_coin": "turns", "turn_limit": 1_000_000_000},
        {"players": 4, "rectangles": "tilted", "fallen": "stay"},
        {"players": 3, "rectangles": "tilted", "leap": True},
    ),
    drawn=lambda view: view["stacks"],
)
