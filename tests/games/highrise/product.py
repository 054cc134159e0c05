"""Between the readable edition and the product: the same position in both, and how it is drawn.

A position is drawn as the board lies on the table: the top row first, one token a square::

    .             a square where only the grey cover stands
    0L1M          a stack, bottom to top: a large pyramid of seat 0 with a medium one of seat 1 on it
    L:redM:cyan   the same, with the colours named; where none is named it is the usual one (HR-6)
    0S?1L         a stack with a small pyramid that is hidden from sight, as a test expects

Pyramids that are not drawn are in the stashes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Sequence
from typing import Any

import icetable
from icetable import Effect, State
from icetable.core.turns import TurnGame, TurnState
from icetable.games.highrise import rules
from icetable.games.highrise.game import HighRise
from icetable.games.highrise.rules import NUMBERS, PYRAMIDS, VALUES
from icetable.kernels.layout import ACTOR, CHANCE, TURN
from icetable.workshop import Pyramid
from icetable.workshop.editions.highrise import COLOURS
from tests.games.boards import Sheet
from tests.games.twins import Twin, edition, key_of, rows_of, table_of

OWNER = {colour: seat for seat, colours in enumerate(COLOURS) for colour in colours}
ALL_COLOURS = (*COLOURS[0], *COLOURS[1])
SIZES = "SML"
ROLLED = [1, 1, 2, 3, 3, 4, 5, 5, 6, *[6] * 55]
"""What dice that are rolled openly show, on a board of any size."""


def load(**options: Any) -> HighRise:
    """The game under options."""
    game = icetable.load("highrise", **options)
    assert isinstance(game, HighRise)
    return game


def game_of(position: Twin) -> HighRise:
    """The product's game under an edition's options."""
    return load(**position.options)


def start(**options: Any) -> Twin:
    """The edition before the first act."""
    return Twin.start("highrise", **listed(options))


def listed(options: dict[str, Any]) -> dict[str, Any]:
    """Options whose values may be written in a row, as stories have them."""
    values = options.get("values", "dice")
    return (
        options
        if values == "dice" or not isinstance(values, str)
        else {**options, "values": [*map(int, values.split())]}
    )


def squares(rows: int, cols: int) -> tuple[str, ...]:
    """The squares of a board, row by row."""
    return edition("highrise", rows=rows, cols=cols).board.names


def sheet(rows: int, cols: int) -> Sheet:
    """How positions of a board are drawn."""
    return Sheet(
        rows=rows_of(edition("highrise", rows=rows, cols=cols)),
        token=re.compile(f"[.]|(([01][SML]|[SML]:({'|'.join(OWNER)}))[?]?)+"),
        shape=f"the board has {rows} rows of {cols}",
        meaning="a token is '.', or a stack such as 0L1M or L:redM:cyan",
    )


def names_of(token: str) -> list[str]:
    """The pyramids of a token, from the bottom up, with a question mark where one is hidden."""
    return re.findall("(?:[01][SML]|[SML]:[a-z]+)[?]?", token)


def hidden(drawing: str, rows: int = 3, cols: int = 3) -> dict[str, list[bool]]:
    """For every square which of its pyramids, from bottom to top, are marked as hidden."""
    tokens = sheet(rows, cols).read(drawing).items()
    return {square: [name.endswith("?") for name in names_of(token)] for square, token in tokens}


def drawn(drawing: str, rolled: int = 0, **options: Any) -> Twin:
    """The position of a drawing; the seat that has placed fewer pyramids is to move, seat 0 when equal.

    Nobody has seen numbers, unless it is said that some were `rolled`, or are still to be with `numbers="seen"`. Raises
    ValueError where there are not so many pyramids.
    """
    game = edition("highrise", **{"numbers": "unseen", **listed(options)})
    table = table_of(game, {})
    for square, token in sheet(game.options["rows"], game.options["cols"]).read(drawing).items():
        for name in names_of(token):
            size, _, colour = name.rstrip("?").removeprefix("0").removeprefix("1").partition(":")
            table.seat = OWNER[colour] if colour else int(name[0])
            pyramid = Pyramid(size, colour or game.design.usual_colour(table, size))  # type: ignore[attr-defined]
            if not table.spend(pyramid):
                raise ValueError(f"{square}: there are not so many {pyramid}")
            table.put(pyramid, square)
    left = [len(pad) for pad in table.pad]
    if left[0] - left[1] not in (0, -1):
        raise ValueError("the seats place in turn, seat 0 first (HR-5)")
    table.seat, table.turn = int(left[0] < left[1]), sum(map(len, table.stacks.values()))
    if rolled:
        table.known, table._several = [int(number) for number in str(rolled)], None
    if not any(table.pad):
        game.design.show_dice(table)  # type: ignore[attr-defined]
    return Twin.at(game, table)


def write_numbers(kind: str, numbers: Sequence[int]) -> str:
    """The notation of a roll or a deal: commas where any number is above 9."""
    return f"{kind}:" + ("," if max(numbers) > 9 else "").join(map(str, numbers))


def begun(**options: Any) -> TurnState:
    """The state in which seat 0 begins; dice that are rolled openly show `ROLLED`."""
    return begin(load(**options))


def begin(game: TurnGame) -> TurnState:
    """The state in which seat 0 begins a game."""
    assert isinstance(game, HighRise)
    return game.start().apply(write_numbers("roll", ROLLED[: len(game.squares)])) if game.rolls else game.start()


def state_of(position: Twin) -> TurnState:
    """The product's state of an edition's position, also of one that no game could reach, as drawings may show it."""
    game, table = game_of(position), position.table
    words = game.first_position()
    if game.rolls and table.known is not None:
        words[VALUES : VALUES + len(table.known)] = table.known
        rules.begin(words)
    for square, name in enumerate(table.spaces):
        for size, colour, _ in table.stack(name):
            words[ACTOR] = OWNER[colour]
            rules.place(words, ALL_COLOURS.index(colour) + 1 << 8 | SIZES.index(size) << 6 | square)
    words[ACTOR] = CHANCE if CHANCE in position.to_act or words[TURN] == words[PYRAMIDS] else table.seat
    if table.shown is not None:
        words[NUMBERS : NUMBERS + len(table.shown)] = table.shown
        rules.show_numbers(words)
    return TurnState(game, words)


def set_up(game: HighRise, stacks: Any, numbers: Any = None, **others: Any) -> State:
    """The state of a position with these stacks and numbers, and others of what is saved."""
    position = {**described(game, stacks), "numbers": numbers, **others}
    return game.from_saved({"icetable": 1, "game": "highrise", "options": dict(game.options), "position": position})


def described(game: HighRise, stacks: Any) -> dict[str, Any]:
    """A position with these stacks as it is saved. Dice that were rolled openly show `ROLLED`."""
    rolled = {"rolled": ROLLED[: len(game.squares)]} if game.rolls else {}
    return {"stacks": stacks, **rolled, "numbers": None}


def stacks_of(state: State) -> dict[str, list[str]]:
    """All that stands on the board, hidden or not, as the owner of the state may know it."""
    found: dict[str, list[str]] = json.loads(state.to_json())["position"]["stacks"]
    return found


def pyramid_of(name: str) -> Pyramid:
    """A pyramid as the product writes it: "0S:red"."""
    return Pyramid(name[1], name.partition(":")[2])


def key(state: State) -> tuple[Hashable, ...]:
    """What `Twin.key` gives, told by the product."""
    view = state.view()
    stacks = {square: list(map(pyramid_of, tower)) for square, tower in stacks_of(state).items()}
    pads = [
        [Pyramid(size, colour) for size, left in stash.items() for colour, count in left.items() for _ in range(count)]
        for stash in view["stash"]
    ]
    shown = [account["number"] for account in view["account"].values()] if view["account"] else None
    own = {"known": view["numbers"], "shown": shown, "seat": 0 if CHANCE in state.to_act else None}
    return key_of(state, view["turn"], stacks, pads, own)


def visible(state: State, seat: int | None) -> dict[str, list[str]]:
    """For every square its pyramids from bottom to top as a seat or a watcher (None) sees them, told by the product.

    A pyramid is written "L:red", a hidden one "?" (HR-7).
    """
    game, shown = state.game, state.view(seat)["stacks"]
    assert isinstance(game, HighRise)
    return {square: ["?" if name is None else name[1:] for name in shown.get(square, [])] for square in game.squares}


def seen(position: Twin, seat: int | None) -> dict[str, list[str]]:
    """What `visible` gives, told by the edition."""
    shown = position.state.view(seat)["stacks"]
    return {
        square: [f"{one['size']}:{one['colour']}" if "size" in one else "?" for one in shown.get(square, [])]
        for square in position.table.spaces
    }


def effects(before: Twin, act: str, after: Twin) -> list[tuple[Effect, ...]]:
    """What the edition says that an act caused, in the words of the product."""
    if act.startswith("roll"):
        return [(Effect("rolls", (), act.partition(":")[2]),)]
    if not after.ended_by:
        square = act.partition("@")[2]
        size, colour, _ = after.table.top(square)
        return [(Effect("places", (square,), f"{OWNER[colour]}{size}:{colour}"),)]
    told, design, table = [], after.design, after.table
    for square, number in zip(table.spaces, table.shown, strict=True):
        told.append(Effect("reveals", (square,), number))
        seat = design.owner(table, square)
        if seat is None:
            told.append(Effect("tied", (square,)))
        else:
            told.append(Effect("controls", (square,), seat))
            told.append(Effect("scores", (square,), design.points(table, square, number)))
    if after.scores[0] == after.scores[1]:
        told.append(Effect("draw", (), "HR-10"))
    return [tuple(told)]


def all_texts(squares: tuple[str, ...]) -> list[str]:
    """Every placing that could be written for these squares: any size in any colour or none."""
    kinds = [*SIZES, *(f"{size}:{colour}" for size in SIZES for colour in ALL_COLOURS)]
    return [f"{kind}@{square}" for kind in kinds for square in squares]
