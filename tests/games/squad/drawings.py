"""Drawn positions. The board as it lies on the table: the top row first, one token a square::

    .       an empty square
    0F 1S   a freshman of seat 0, a sophomore of seat 1 (J: a junior)
    0C3     the captain of seat 0, its die showing 3
    x       an empty square that is marked, as one where a test expects that a piece may be placed

Friends that are not drawn are still to be placed, except for those that are said to have fallen.
"""

from __future__ import annotations

import re
from typing import Any

from icetable.games.squad.game import SIZES, is_captain
from icetable.workshop import Pyramid
from icetable.workshop.equipment import Piece, Token
from tests.games.boards import Sheet
from tests.games.pairs import Pair, both, rows_of, table_with

TOKEN = re.compile("[.x]|[0-3](?:[FSJ]|C[0-4])")


class Squad(Pair):
    """A position of Who's On The Squad?"""

    def entry(self, name: str) -> Any:
        """The friends by square, the supplies by seat and letter, or the player who ended the game and how."""
        if name == "friends":
            return {square: token for square, token in tokens(self).items() if token[1] != "C"}
        if name == "end" and not self.ended_by:
            return None
        if name == "end":
            seat, is_stuck = self.game.design.ending(self.table)  # type: ignore[attr-defined]
            return {"seat": seat, "kind": "no-square" if is_stuck else "last-friend"}
        if name != "supply":
            return super().entry(name)
        return [
            {letter: pad.count(Pyramid(size, seat)) for letter, size in SIZES.items()}
            for seat, pad in enumerate(self.table.pad)
        ]


def start(**options: Any) -> Squad:
    """The position before the first act."""
    return Squad.start("squad", **options)


def begin(drawing: str | None, **settings: Any) -> Squad:
    """The position with which a story begins."""
    return start(**settings) if drawing is None else drawn(drawing, **settings)


def squares(board: int) -> tuple[str, ...]:
    """The squares of a board, row by row."""
    return both("squad", board=board)[0].board.names


def sheet(board: int) -> Sheet:
    """How positions of a board are drawn."""
    return Sheet(
        rows=rows_of(both("squad", board=board)[0]),
        token=TOKEN,
        shape=f"the board has {board} rows of {board}",
        meaning="a token is '.', an x, a friend such as 0F or a captain such as 0C3",
    )


def piece_of(token: str) -> Piece:
    """The piece of a token."""
    seat, kind = int(token[0]), token[1:]
    return Token(kind, seat) if kind[0] == "C" else Pyramid(SIZES[kind], seat)


def drawn(drawing: str, *, seat: int = 0, fallen: str = "", **options: Any) -> Squad:
    """The position of a drawing, with `seat` to move; `fallen` lists the friends that have fallen: "0F 1S".

    While captains are still to be placed, the next one is to move, whatever `seat` says. Raises ValueError if there are
    not so many pieces.
    """
    game, _ = both("squad", **options)
    tokens = sheet(game.options["board"]).read(drawing).items()
    standing = {square: piece_of(token) for square, token in tokens if token not in (".", "x")}
    friends = {square: [piece] for square, piece in standing.items() if not is_captain(piece)}
    table = table_with(game, friends, *map(piece_of, fallen.split()))
    captains = {square: piece for square, piece in standing.items() if is_captain(piece)}
    for square, die in captains.items():
        table.put(die, square)
        table.pad[int(die.colour)].pop(0)
    table.turn = (1 + 3 * game.options["trios"]) * game.players - sum(map(len, table.pad))
    table.seat = seat if len(captains) == game.players else len(captains)
    return Squad.at("squad", table, **options)


def tokens(position: Squad) -> dict[str, str]:
    """The pieces on the board, as they are drawn."""
    return {square: position.table.text_of(piece) for square, (piece,) in position.table.stacks.items()}


def all_texts(board: int) -> list[str]:
    """Every act that could be written for a board: a captain or a friend of any size, on any square."""
    return [f"{kind}@{square}" for kind in ("C", *SIZES) for square in squares(board)]
