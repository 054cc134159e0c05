"""Drawn positions. The board as it lies on the table: the top row first, one token a square::

    .             a square where only the grey cover stands
    0L1M          a stack, bottom to top: a large pyramid of seat 0 with a medium one of seat 1 on it
    L:redM:cyan   the same, with the colours named; where none is named it is the usual one (HR-6)
    0S?1L         a stack with a small pyramid that is hidden from sight, as a test expects

Pyramids that are not drawn are in the stashes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import icetable
from icetable import State
from icetable.core.turns import TurnState
from icetable.games.highrise.compiled import ALL_COLOURS, CompiledHighRise
from icetable.games.highrise.game import COLOURS, NAMES
from icetable.workshop import Pyramid, Table
from icetable.workshop.saving import table_to_json
from tests.games.boards import Sheet
from tests.games.pairs import Pair, rows_of

OWNER = {colour: seat for seat, colours in enumerate(COLOURS) for colour in colours}
ROLLED = [1, 1, 2, 3, 3, 4, 5, 5, 6, *[6] * 55]
"""The numbers of dice that are rolled openly, on a board of any size."""


class HighRise(Pair):
    """A position of High Rise."""

    def entry(self, name: str) -> Any:
        """The stacks as everybody sees them, the stashes, or the numbers that all know."""
        view = self.state.view()
        assert view == {**self.plain.view(), "game": view["game"]}
        return {"stacks": seen(self.state), "stash": stash(self.state), "numbers": view["pool"] or None}[name]


def load(**options: Any) -> CompiledHighRise:
    """The game under options; values may be written in a row, as stories have them."""
    values = options.get("values", "dice")
    if isinstance(values, str) and values[0].isdigit():
        options = {**options, "values": [*map(int, values.split())]}
    game = icetable.load("highrise", **options)
    assert isinstance(game, CompiledHighRise)
    return game


def start(**options: Any) -> HighRise:
    """The position before the first act."""
    game = load(**options)
    return HighRise.start("highrise", **chosen(game))


def chosen(game: CompiledHighRise) -> dict[str, Any]:
    """The options of a game, as JSON has them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in game.options.items()}


def begin(drawing: str | None, **settings: Any) -> HighRise:
    """The position with which a story begins."""
    return start(**settings) if drawing is None else drawn(drawing, **settings)


def squares(rows: int, cols: int) -> tuple[str, ...]:
    """The squares of a board, row by row."""
    return load(rows=rows, cols=cols).board.names


def sheet(rows: int, cols: int) -> Sheet:
    """How positions of a board are drawn."""
    return Sheet(
        rows=rows_of(load(rows=rows, cols=cols)),
        token=re.compile(f"[.]|(([01][SML]|[SML]:({'|'.join(OWNER)}))[?]?)+"),
        shape=f"the board has {rows} rows of {cols}",
        meaning="a token is '.', or a stack such as 0L1M or L:redM:cyan",
    )


def names_of(token: str) -> list[str]:
    """The pyramids of a token, from the bottom up, with a question mark where one is hidden."""
    return re.findall("(?:[01][SML]|[SML]:[a-z]+)[?]?", token)


def hidden(drawing: str, rows: int = 3, cols: int = 3) -> dict[str, list[bool]]:
    """For every square with a stack which of its pyramids, from bottom to top, are marked as hidden."""
    tokens = sheet(rows, cols).read(drawing).items()
    return {square: [name.endswith("?") for name in names_of(token)] for square, token in tokens if token != "."}


def drawn(drawing: str, rolled: int = 0, **options: Any) -> HighRise:
    """The position of a drawing; the seat that has placed fewer pyramids is to move, seat 0 when equal.

    Nobody has seen numbers, unless it is said that some were `rolled`, or are still to be with `numbers="seen"`. Raises
    ValueError where there are not so many pyramids.
    """
    game = load(**{"numbers": "unseen", **options})
    table, design = game.first_table.copy(), game.design
    for square, token in sheet(game.options["rows"], game.options["cols"]).read(drawing).items():
        for name in names_of(token):
            size, _, colour = name.rstrip("?").removeprefix("0").removeprefix("1").partition(":")
            seat = OWNER[colour] if colour else int(name[0])
            left = Counter(piece for pad in table.pad for piece in pad)
            pyramid = Pyramid(size, colour or design.usual_colour(left, seat, size))
            if pyramid not in table.pad[seat]:
                raise ValueError(f"{square}: there are not so many {seat}{size}")
            table.spend(pyramid, seat)
            table.put(pyramid, square)
    left_of = [len(pad) for pad in table.pad]
    if left_of[0] - left_of[1] not in (0, -1):
        raise ValueError("the seats place in turn, seat 0 first (HR-5)")
    table.seat, table.turn = int(left_of[0] < left_of[1]), sum(map(len, table.stacks.values()))
    if rolled:
        table.known, table._several = [int(number) for number in str(rolled)], None
    if not any(table.pad):
        design.show_dice(table)
    table._effects = []
    return HighRise.at("highrise", table, **chosen(game))


def write_numbers(kind: str, numbers: Sequence[int]) -> str:
    """The notation of a roll or a deal: commas where any number is above 9."""
    return f"{kind}:" + ("," if max(numbers) > 9 else "").join(map(str, numbers))


def begun(**options: Any) -> TurnState:
    """The state in which seat 0 begins; dice that are rolled openly show `ROLLED`."""
    return begin_game(load(**options))


def begin_game(game: CompiledHighRise) -> TurnState:
    """The state in which seat 0 begins a game."""
    is_rolled = game.design.rolls
    return game.start().apply(write_numbers("roll", ROLLED[: len(game.board.names)])) if is_rolled else game.start()


def table_of(state: State) -> Table:
    """The table of a state, hidden pieces and all."""
    assert isinstance(state, TurnState)
    assert isinstance(state.game, CompiledHighRise)
    return state.game.table_of(state.array)


def text_of(size: str, colour: str) -> str:
    """A pyramid as effects write it: "0S:red"."""
    return f"{OWNER[colour]}{size}:{colour}"


def pyramid_of(name: str) -> Pyramid:
    """The pyramid of a text such as "0S:red"."""
    return Pyramid(name[1], name.partition(":")[2])


def stacks_of(state: State) -> dict[str, list[str]]:
    """All that stands on the board, hidden or not, as the owner of the state may know it."""
    table = table_of(state)
    return {
        square: [table.text_of(piece) for piece in table.stacks[square]]
        for square in table.spaces
        if table.stack(square)
    }


def seen(state: State, seat: int | None = None) -> dict[str, list[str | None]]:
    """The stacks as a seat or a watcher sees them, None for a hidden pyramid (HR-7)."""
    return {
        square: [None if one == "greyhidden" else one for one in tower]
        for square, tower in state.view(seat)["stacks"].items()
    }


def stash(state: State) -> list[dict[str, dict[str, int]]]:
    """The pyramids that are left, by seat, size and colour."""
    found = [{size: dict.fromkeys(colours, 0) for size in NAMES} for colours in COLOURS]
    for seat, pad in enumerate(state.view().get("pads", ())):
        for text, count in pad.items():
            found[seat][text[1]][text.partition(":")[2]] = count
    return found


def described(
    game: CompiledHighRise, stacks: Mapping[str, Sequence[str]], numbers: list[int] | None = None
) -> dict[str, Any]:
    """A position with these stacks as it is saved. Dice that were rolled openly show `ROLLED`."""
    table = game.first_table.copy()
    if game.design.rolls:
        table.known, table._several = ROLLED[: len(table.spaces)], None
    for square, tower in stacks.items():
        for name in tower:
            table.spend(pyramid_of(name), int(name[0]))
            table.put(pyramid_of(name), square)
    table.turn = sum(map(len, stacks.values()))
    table.seat = table.turn % 2
    if not any(table.pad) and numbers is None:
        game.design.show_dice(table)
    table.shown = numbers
    return table_to_json(table)


def set_up(game: CompiledHighRise, stacks: Mapping[str, Sequence[str]], numbers: list[int] | None = None) -> TurnState:
    """The state of a position with these stacks and numbers."""
    return TurnState(game, game.read_position(described(game, stacks, numbers)))


def all_texts(squares: tuple[str, ...]) -> list[str]:
    """Every placing that could be written for these squares: any size in any colour or none."""
    kinds = [*NAMES, *(f"{size}:{colour}" for size in NAMES for colour in ALL_COLOURS)]
    return [f"{kind}@{square}" for kind in kinds for square in squares]
