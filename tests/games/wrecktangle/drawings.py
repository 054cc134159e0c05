"""Drawn positions. The board as it lies on the table, rank 8 first, one token a square::

    #       a corner, which is blocked off
    .       an empty square
    0P 1Q   a pawn of seat 0, a queen of seat 1 (D: a drone)
    x       an empty square that is marked, as a destination that a test expects
    1Qx     a pyramid that is marked, as one that a test expects to be swapped

Pyramids that are not drawn are lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from icetable.workshop import Pyramid
from tests.games.boards import Sheet
from tests.games.pairs import Pair, both

SIZES = {"P": "S", "D": "M", "Q": "L"}
PLACES = {
    f"{file}{rank}": (column, rank)
    for column, file in enumerate("abcdefgh", 1)
    for rank in range(1, 9)
    if not {column, rank} <= {1, 8}
}
"""Column and rank of every square, both from 1 (WT-1)."""
SHEET = Sheet(
    rows=[[f"{file}{rank}" for file in "abcdefgh"] for rank in range(8, 0, -1)],
    token=re.compile("#|[.]|x|[0-3][PDQ]x?"),
    shape="the board has 8 rows of 8 (WT-1)",
    meaning="a token is # on a corner, else '.', a pyramid such as 0P, an x, or both",
    blocked=("a1", "a8", "h1", "h8"),
)


class WreckTangle(Pair):
    """A position of WreckTangle."""

    def entry(self, name: str) -> Any:
        """A value for stories, from the board, the table and the view."""
        table = self.table
        if name == "pieces":
            return tokens(self)
        if name == "normal_possible":
            return self.state.view()["turn_parts"][0]["now"] == "to do"
        if name == "last":
            return [sorted(map(list, rectangles)) for rectangles in table.last]
        own = {
            "turn": table.turn,
            "turn_of": table.seat,
            "roll": table.face or None,
            "normal_owed": "move" in table.left,
            "out": sorted(table.out),
            "lost": table.lost,
        }
        return own[name] if name in own else super().entry(name)


def start(**options: Any) -> WreckTangle:
    """The position before the first act."""
    return WreckTangle.start("wrecktangle", **options)


def begin(drawing: str | None, **settings: Any) -> WreckTangle:
    """The position with which a story begins."""
    return start(**settings) if drawing is None else drawn(drawing, **settings)


def pyramid_of(token: str) -> Pyramid:
    """The pyramid of a token."""
    return Pyramid(SIZES[token[1]], int(token[0]))


def tokens(position: Pair) -> dict[str, str]:
    """The pieces on the board, as they are drawn."""
    return {square: position.table.text_of(piece) for square, (piece,) in position.table.stacks.items()}


def corners_of(text: str) -> tuple[str, ...]:
    """A rectangle by the names of its corners."""
    return tuple(sorted(text.split()))


def drawn(
    drawing: str,
    *,
    seat: int = 0,
    normal_made: bool = False,
    die_used: bool = False,
    last: str = "",
    last_of_0: str = "",
    turns: int = 0,
    **settings: Any,
) -> WreckTangle:
    """The position of a drawing. `last` names the last capturing rectangles of `seat`; `last_of_0` one of seat 0."""
    pyramids = {square: token[:2] for square, token in SHEET.read(drawing).items() if token[0].isdigit()}
    left = {name for name, is_made in (("move", normal_made), ("die", die_used)) if not is_made}
    rectangles = {0: [last_of_0], seat: [*last.split(","), *([last_of_0] if seat == 0 else [])]}
    return placed(pyramids, seat=seat, left=left, last=rectangles, turn=turns, **settings)


def placed(
    pyramids: Mapping[str, str],
    *,
    seat: int = 0,
    roll: str | None = None,
    left: Collection[str] = ("move", "die"),
    coin: str = "heads",
    last: Mapping[int, Iterable[str]] | None = None,
    turn: int = 0,
    **options: Any,
) -> WreckTangle:
    """The position with these pyramids in the turn of `seat` after this `roll`; None: the die is to be rolled.

    `last`: by seat, the rectangles that captured last, as "c3 c5 e3 e5".
    """
    game, _ = both("wrecktangle", **options)
    if any(list(pyramids.values()).count(token) > 2 or int(token[0]) >= game.players for token in pyramids.values()):
        raise ValueError("nobody has more than two pyramids of a size (WT-2)")
    table = game.first_table.copy()
    table.stacks = {square: (pyramid_of(token),) for square, token in pyramids.items()}
    table.seat, table.turn, table.coin, table.face, table.left = seat, turn, coin, roll or "", {*left}
    for owner, rectangles in (last or {}).items():
        table.last[owner] |= {corners_of(text) for text in rectangles if text}
    table.lost = [6 - len(table.where(owner)) for owner in table.seats]
    table.out = frozenset(owner for owner in table.seats if table.lost[owner] >= 3)
    if table.face or game.design.over(table):
        table._odds = {}
    return WreckTangle.at("wrecktangle", table, **options)


def set_up(pyramids: Mapping[str, str], lost: tuple[int, int], **settings: Any) -> WreckTangle:
    """The position with these pyramids of seats 0 and 1, and all others at home, but for so many that are lost."""
    places, gone, left = dict(pyramids), dict(enumerate(lost)), Counter(pyramids.values())
    for square, name in tokens(start(players=settings.get("players", 2))).items():
        if left[name]:
            left[name] -= 1
        elif gone.get(int(name[0])):
            gone[int(name[0])] -= 1
        else:
            places[square] = name
    return placed(places, **settings)


FRAME = {"c3": "0D", "c6": "0Q", "f6": "0Q", "f5": "0P", "d4": "1Q", "e5": "1D"}
"""f5-f3 completes a rectangle around d4 and e5."""
EARLIER = {0: ["c2 c5 f2 f5"]}
"""A rectangle with which seat 0 may have captured."""
STUCK = {"b1": "0P", "d1": "0P", "b3": "0D", "d3": "0D", "f1": "1P", "d5": "1P", "b5": "1D", "f5": "1D"}
"""No pyramid of seat 0 has a normal move, though all may leap: own and others stand where they would land."""
