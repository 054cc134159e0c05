"""Drawn positions. The board as it lies on the table: the top row first, one token a space, rows centred for the eye
(only the order of the tokens counts, not their distance)::

    .       an empty space
    0L1M    a stack, bottom to top: a large pyramid of seat 0 with a medium one of seat 1 on it
    x       an empty space that is marked, as a destination that a test expects
    1Lx     a stack that is marked

Pyramids that are not drawn are in the supply.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from icetable import Game, State
from icetable.games.icefrogs.game import IceFrogs
from icetable.workshop import Pyramid
from icetable.workshop.compiled import CompiledGame
from icetable.workshop.saving import table_to_json
from icetable.workshop.table import Table
from tests.games.boards import Sheet
from tests.games.pairs import Pair, both, rows_of, table_with

SIZES = ("S", "M", "L")
BOARDS = ("hexagon", "star")


class Frogs(Pair):
    """A position of IceFrogs."""

    @property
    def design(self) -> IceFrogs:
        """Its class, to ask it by its own words."""
        assert isinstance(self.game.design, IceFrogs)
        return self.game.design

    def entry(self, name: str) -> Any:
        """The stacks by space, the supplies by seat and size, or an entry of the view."""
        if name == "stacks":
            return {space: list(map(str, stack)) for space, stack in self.table.stacks.items()}
        if name == "supply":
            return [{size: pad.count(Pyramid(size, seat)) for size in SIZES} for seat, pad in enumerate(self.table.pad)]
        return self.state.view()[name]


def start(**options: Any) -> Frogs:
    """The position before the first act."""
    return Frogs.start("icefrogs", **options)


def begin(drawing: str | None, **settings: Any) -> Frogs:
    """The position with which a story begins."""
    return start(**settings) if drawing is None else drawn(drawing, **settings)


def spaces(board: str) -> tuple[str, ...]:
    """The spaces of a board."""
    return both("icefrogs", board=board)[0].board.names


def sheet(board: str) -> Sheet:
    """How positions of a board are drawn."""
    rows = rows_of(both("icefrogs", board=board)[0])
    return Sheet(
        rows=rows,
        token=re.compile("[.]|(?!$)([0-5][SML])*x?"),
        shape=f"a {board} has rows of {tuple(map(len, rows))}",
        meaning="a token is '.', or a stack such as 0L1M, an x, or both",
    )


def stack_of(token: str) -> list[Pyramid]:
    """The pyramids of a token, from the bottom up."""
    return [Pyramid(size, int(seat)) for seat, size in re.findall("([0-5])([SML])", token)]


def table_of(game: CompiledGame, turn: int, passes: int, stacks: Mapping[str, Iterable[Pyramid]]) -> Table:
    """A table after so many turns, the last of them passes. Raises ValueError if there are not so many pyramids."""
    table = table_with(game, stacks)
    table.turn, table.passes, table.seat = turn, passes, turn % game.players
    return table


def drawn(drawing: str, turns: int = 0, passes: int = 0, seat: int = 0, **options: Any) -> Frogs:
    """The position of a drawing after so many turns, the last of them passes; or `seat` in the first round of turns."""
    game, _ = both("icefrogs", **options)
    tokens = sheet(game.options["board"]).read(drawing).items()
    stacks = {space: stack_of(token) for space, token in tokens}
    return Frogs.at("icefrogs", table_of(game, turns or seat, passes, stacks), **options)


def saved(game: Game, turn: int, stacks: Mapping[str, str], passes: int = 0) -> dict[str, Any]:
    """A position as it is saved, with stacks such as {"b1": "0L1M"}."""
    compiled, _ = both("icefrogs", **game.options)
    return table_to_json(table_of(compiled, turn, passes, {space: stack_of(token) for space, token in stacks.items()}))


def state_with(game: Game, turn: int, stacks: Mapping[str, str], passes: int = 0) -> State:
    """The state of a position, with stacks such as {"b1": "0L1M"}."""
    position = saved(game, turn, stacks, passes)
    return game.from_saved({"icetable": 1, "game": "icefrogs", "options": dict(game.options), "position": position})


def all_texts(board: str) -> list[str]:
    """Every act that could be written for a board: 111 entries, 1369 moves and the pass."""
    names = spaces(board)
    return [
        "pass",
        *(f"{size}@{last}" for size in SIZES for last in names),
        *(f"{first}-{last}" for first in names for last in names),
    ]
