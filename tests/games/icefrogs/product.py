"""Between the readable edition and the product: the same position in both, and how it is drawn.

A position is drawn as the board lies on the table: the top row first, one token a space, rows centred for the eye (only
the order of the tokens counts, not their distance)::

    .       an empty space
    0L1M    a stack, bottom to top: a large pyramid of seat 0 with a medium one of seat 1 on it
    x       an empty space that is marked, as a destination that a test expects
    1Lx     a stack that is marked

Pyramids that are not drawn are in the supply.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import Any

import icetable
from icetable import Effect, Game, State
from icetable.workshop import Pyramid
from tests.games.boards import Sheet
from tests.games.twins import Twin, edition, key_of, rows_of, table_of

SIZES = ("S", "M", "L")
BOARDS = ("hexagon", "star")


def start(**options: Any) -> Twin:
    """The edition before the first act."""
    return Twin.start("icefrogs", **options)


def spaces(board: str) -> tuple[str, ...]:
    """The spaces of a board."""
    return edition("icefrogs", board=board).board.names


def sheet(board: str) -> Sheet:
    """How positions of a board are drawn."""
    rows = rows_of(edition("icefrogs", board=board))
    return Sheet(
        rows=rows,
        token=re.compile("[.]|(?!$)([0-5][SML])*x?"),
        shape=f"a {board} has rows of {tuple(map(len, rows))}",
        meaning="a token is '.', or a stack such as 0L1M, an x, or both",
    )


def stack_of(token: str) -> list[Pyramid]:
    """The pyramids of a token, from the bottom up."""
    return [Pyramid(size, int(seat)) for seat, size in re.findall("([0-5])([SML])", token)]


def token_of(piece: Any) -> str:
    """A pyramid as the product writes it."""
    return f"{piece.colour}{piece.size}"


def drawn(drawing: str, turns: int = 0, passes: int = 0, seat: int = 0, **options: Any) -> Twin:
    """The position of a drawing after so many turns, the last of them passes; or `seat` in the first round of turns.

    Raises ValueError where there are not so many pyramids.
    """
    game = edition("icefrogs", **options)
    tokens = sheet(game.options["board"]).read(drawing).items()
    table = table_of(game, {space: stack_of(token) for space, token in tokens})
    table.turn, table.passes = turns or seat, passes
    table.seat = table.turn % game.players
    return Twin.at(game, table)


def game_of(position: Twin) -> Game:
    """The product's game under an edition's options."""
    game: Game = icetable.load("icefrogs", **position.options)
    return game


def state_of(position: Twin) -> State:
    """The product's state of an edition's position."""
    table = position.table
    stacks = {space: list(map(token_of, stack)) for space, stack in table.stacks.items()}
    return set_up(game_of(position), turn=table.turn, passes=table.passes, stacks=stacks)


def set_up(game: Game, **position: Any) -> State:
    """The state of a position that is described as it is saved."""
    return game.from_saved({"icetable": 1, "game": "icefrogs", "options": dict(game.options), "position": position})


def key(state: State) -> tuple[Hashable, ...]:
    """What `Twin.key` gives, told by the product."""
    view, position = state.view(), state._position()
    stacks = {space: stack_of("".join(stack)) for space, stack in view["stacks"].items()}
    pads = [
        [Pyramid(size, seat) for size, count in supply.items() for _ in range(count)]
        for seat, supply in enumerate(view["supply"])
    ]
    return key_of(state, position["turn"], stacks, pads, {"passes": position["passes"]})


def effects(before: Twin, act: str, after: Twin) -> list[tuple[Effect, ...]]:
    """What the edition says that an act caused, in the words of the product: by each of the shortest ways."""
    draws = after.ended_by in ("IF-17", "IF-18")
    draw = (Effect("draw", (), after.ended_by),) if draws else ()
    if act == "pass":
        return [draw]
    last = act.replace("@", "-").partition("-")[2]
    covered = before.table.stack(last)[-1:]
    told = tuple(Effect("covers", (last,), token_of(piece)) for piece in covered)
    if after.ended_by == "IF-16":
        told += (Effect("reaches", (last,)),)
    mover = token_of(after.table.top(last))
    return [(Effect("path", way, mover), *told, *draw) for way in shortest_ways(before, act)]


def shortest_ways(before: Twin, act: str) -> Iterator[tuple[str, ...]]:
    """All ways of an act that are as short as the one that the edition finds, by its own steps and jumps."""
    design, table = before.design, before.table.copy()
    source, last = re.split("[@-]", act)
    home = design.homes[table.seat]
    here, piece = (home, Pyramid(source, table.seat)) if source in SIZES else (source, table.take(source))
    hops = len(design.ways(table, here, piece)[last]) - 1
    chains: list[tuple[str, ...]] = [(here,)]
    for _ in range(hops - 1):
        chains = [
            (*chain, there)
            for chain in chains
            for there in design.jumps(table, chain[-1], piece)
            if design.may_jump_on(table, there)
        ]
    for chain in set(chains):
        steps = [there for there in design.steps(table, chain[-1], piece) if hops == 1 or table.top(there)]
        if last in (*steps, *design.jumps(table, chain[-1], piece)):
            yield (*chain, last)


def all_texts(board: str) -> list[str]:
    """Every act that could be written for a board: 111 entries, 1369 moves and the pass."""
    names = spaces(board)
    return [
        "pass",
        *(f"{size}@{last}" for size in SIZES for last in names),
        *(f"{first}-{last}" for first in names for last in names),
    ]
