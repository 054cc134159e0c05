"""What the conformance suite needs to know of WreckTangle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from icetable import Game
from tests.conformance.material import Material

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


def described(game: Game, pieces: dict[str, str], lost: tuple[int, int], **changes: Any) -> dict[str, Any]:
    """A position with these pieces of seats 0 and 1, all others at home, and with some entries changed.

    Pieces of seats 0 and 1 that are not named are at home, as far as they are not lost.
    """
    start = game.start().view()
    left = {name: list(pieces.values()).count(name) for name in set(pieces.values())}
    places = dict(pieces)
    gone = {0: lost[0], 1: lost[1]}
    for square, name in start["pieces"].items():
        if left.get(name, 0):
            left[name] -= 1
        elif gone.get(int(name[0]), 0):
            gone[int(name[0])] -= 1
        else:
            places[square] = name
    position: dict[str, Any] = {
        "turn": 0,
        "turn_of": 0,
        "roll": None,
        "normal_owed": True,
        "die_unused": True,
        "coin": "heads",
        "pieces": places,
        "lost": [*lost, *[0] * (game.players - 2)],
        "last": [[] for _ in range(game.players)],
    }
    return position | changes


FRAME = {"c3": "0D", "c6": "0Q", "f6": "0Q", "f5": "0P", "d4": "1Q", "e5": "1D"}
"""f5-f3 completes a rectangle around d4 and e5."""
STUCK = {"b1": "0P", "d1": "0P", "b3": "0D", "d3": "0D", "f1": "1P", "d5": "1P", "b5": "1D", "f5": "1D"}
"""No pyramid of seat 0 has a normal move, though all may leap: own and others stand where they would land."""


def set_ups(game: Game) -> Iterator[dict[str, Any]]:
    """Positions that random play reaches seldom: captures that put a player out, a repeated rectangle, no move."""
    others: list[list[list[str]]] = [[] for _ in range(game.players - 1)]
    earlier = [["c2", "c5", "f2", "f5"]]
    yield described(game, FRAME, (0, 2), last=[earlier, *others])
    yield described(game, FRAME, (0, 2), last=[earlier, *others], roll="wild")
    yield described(game, FRAME, (0, 2), last=[earlier, *others], roll="away", die_unused=False)
    yield described(game, FRAME, (0, 2), last=[[["c3", "c6", "f3", "f6"]], *others], roll="away")
    yield described(game, FRAME, (0, 1), last=[earlier, *others], roll="swap", normal_owed=False)
    sides = {**FRAME, "d4": "0P", "c4": "1Q", "c5": "1P", "d6": "1Q"}
    yield described(game, sides, (0, 0), coin="tails", roll="toward")
    stuck_last = [[], earlier, *others[1:]]
    yield described(game, STUCK, (2, 0), last=stuck_last)
    yield described(game, STUCK, (2, 0), last=stuck_last, roll="swap")
    yield described(game, STUCK, (2, 0), last=stuck_last, roll="away", normal_owed=False)


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
    drawn=lambda view: view["pieces"],
)
