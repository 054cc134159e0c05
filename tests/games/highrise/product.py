"""Between the oracle and the product: the same position in both."""

from __future__ import annotations

import json
from typing import Any

import icetable
from icetable import Effect, State
from icetable.core.turns import TurnGame, TurnState
from icetable.games.highrise import rules
from icetable.games.highrise.game import HighRise
from icetable.games.highrise.rules import NUMBERS, PYRAMIDS, VALUES
from icetable.kernels.layout import ACTOR, CHANCE, TURN

from .oracle import COLOURS, OWNER, Oracle, write_numbers

ALL_COLOURS = (*COLOURS[0], *COLOURS[1])
SIZES = "SML"
ROLLED = [1, 1, 2, 3, 3, 4, 5, 5, 6, *[6] * 55]
"""What dice that are rolled openly show, on a board of any size."""


def load(**options: Any) -> HighRise:
    """The game under options."""
    game = icetable.load("highrise", **options)
    assert isinstance(game, HighRise)
    return game


def game_of(position: Oracle) -> HighRise:
    """The product's game under an oracle's options."""
    return load(
        rows=position.rows,
        cols=position.cols,
        values=position.values,
        numbers=position.dice,
        memory=position.memory,
    )


def begun(**options: Any) -> TurnState:
    """The state in which seat 0 begins; dice that are rolled openly show `ROLLED`."""
    return begin(load(**options))


def begin(game: TurnGame) -> TurnState:
    """The state in which seat 0 begins a game."""
    assert isinstance(game, HighRise)
    return game.start().apply(write_numbers("roll", ROLLED[: len(game.squares)])) if game.rolls else game.start()


def state_of(position: Oracle) -> TurnState:
    """The product's state of an oracle's position, also of one that no game could reach, as drawings may show it."""
    game = game_of(position)
    words = game.first_position()
    if position.rolled is not None:
        words[VALUES : VALUES + len(position.rolled)] = position.rolled
        rules.begin(words)
    for square, stack in enumerate(position.stacks.values()):
        for size, colour in stack:
            words[ACTOR] = OWNER[colour]
            rules.place(words, ALL_COLOURS.index(colour) + 1 << 8 | SIZES.index(size) << 6 | square)
    words[ACTOR] = CHANCE if position.to_be_rolled or words[TURN] == words[PYRAMIDS] else position.seat
    if position.numbers is not None:
        words[NUMBERS : NUMBERS + len(position.squares)] = list(position.numbers.values())
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


def key(state: State) -> tuple[object, ...]:
    """What `Oracle.key` gives, told by the product."""
    view, stacks, game = state.view(), stacks_of(state), state.game
    assert isinstance(game, HighRise)
    return (
        tuple(sorted(state.to_act)),
        state.ended_by,
        tuple(sorted(state.winners)),
        tuple(
            tuple(
                sorted(
                    ((size, colour), left) for size, by_colour in stash.items() for colour, left in by_colour.items()
                )
            )
            for stash in view["stash"]
        ),
        tuple(tuple((name[1], name.partition(":")[2]) for name in stacks.get(square, [])) for square in game.squares),
        (tuple(view["numbers"]) if game.rolls and view["numbers"] else None),
        view["account"] and tuple(account["number"] for account in view["account"].values()),
    )


def visible(state: State, seat: int | None) -> dict[str, list[str]]:
    """What `Oracle.visible` gives, told by the product."""
    game, shown = state.game, state.view(seat)["stacks"]
    assert isinstance(game, HighRise)
    return {square: ["?" if name is None else name[1:] for name in shown.get(square, [])] for square in game.squares}


def effects(before: Oracle, act: str, position: Oracle) -> list[tuple[Effect, ...]]:
    """What the oracle says that an act caused, which led to a position, in the words of the product."""
    if act.startswith("roll"):
        return [(Effect("rolls", (), "".join(str(number) for _, number in position.effects)),)]
    if not position.ended_by:
        square = act.partition("@")[2]
        size, colour = position.stacks[square][-1]
        return [(Effect("places", (square,), f"{OWNER[colour]}{size}:{colour}"),)]
    told = []
    for _, name, number in position.effects:
        square = str(name)
        told.append(Effect("reveals", (square,), int(number)))
        seat = position.control(square)
        if seat is None:
            told.append(Effect("tied", (square,)))
        else:
            told.append(Effect("controls", (square,), seat))
            told.append(Effect("scores", (square,), position.pips(square)[1 - seat] + int(number)))
    if position.scores[0] == position.scores[1]:
        told.append(Effect("draw", (), "HR-10"))
    return [tuple(told)]


def all_texts(squares: tuple[str, ...]) -> list[str]:
    """Every placing that could be written for these squares: any size in any colour or none."""
    kinds = [*SIZES, *(f"{size}:{colour}" for size in SIZES for colour in ALL_COLOURS)]
    return [f"{kind}@{square}" for kind in kinds for square in squares]
