"""High Rise for the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from icetable import CHANCE, Game, State
from icetable.games.highrise.compiled import CompiledHighRise
from tests.conformance.material import Material, Worlds

from .drawings import ROLLED, begin_game, described, seen, set_up, squares, stacks_of, text_of, write_numbers

PAIRS = 30
TRIES = 30

BAD_NOTATION = (
    "",
    " ",
    "pass",
    "L",
    "L@",
    "@b2",
    "b2",
    "l@b2",
    "X@b2",
    "0L@b2",
    "LM@b2",
    "L@2b",
    "L@B2",
    "L@b",
    "L@b2 ",
    " L@b2",
    "L@b2\n",
    "L @ b2",
    "L-b2",
    "L:@b2",
    "L:grey@b2",
    "L:Cyan@b2",
    "L:cyan",
    "cyan:L@b2",
    "L:red:cyan@b2",
    "L@b\u0662",
    "L@b2\x00",
    "L@b2 # places",
    "0 L@b2",
    "L@\ud800",
    "deal",
    "deal:",
    "deal: 352164135",
    "deal:352164135 ",
    "deal:35216413x",
    "deal:-1,2,3,4,5,6,7,8,9",
    "deal:3,5,2,1,6,4,1,3,5",
    "deal:10,,2",
    "deal:10,2,",
    "deal:,10,2",
    "deal:10, 2",
    "deal:010,2",
    "deal:1.5,10",
    "DEAL:352164135",
    "roll",
    "roll:",
    "roll: 112344566",
    "roll:1,1,2,3,4,4,5,6,6",
    "roll:010,2",
    "rolls:112344566",
)


def well_formed(game: Game) -> Iterator[str]:
    """Every placing without a colour on the largest board, some off it, and rolls and deals that may be or may not."""
    yield from (f"{size}@{square}" for size in "SML" for square in squares(8, 8))
    yield from ("L@z9", "S@a0", "M@a01", "L@i1", "L@a9", "L@c99999999999999999999")
    yield from ("deal:0", "deal:352164135", "deal:111111111", "deal:000000009", "deal:777777777", "deal:10,2")
    yield f"deal:{'6' * 64}"
    yield f"deal:{','.join(['10'] * 9)}"
    assert isinstance(game, CompiledHighRise)
    count, values = len(game.board.names), game.design.values
    numbers = (list(range(1, 7)) * 11 if values == "dice" else list(values))[:count]
    separator = "," if max(numbers) > 9 else ""
    for row in (numbers, numbers[::-1], numbers[1:]):
        yield f"deal:{separator.join(map(str, row))}"
    yield write_numbers("deal", ROLLED[:count])
    yield write_numbers("deal", ROLLED[:count][::-1])
    yield from ("roll:112344566", "roll:211344566", "roll:11234456", "roll:012344566", "roll:10,2")
    yield write_numbers("roll", ROLLED[:count])


def built(game: Game, less: int) -> dict[str, Any]:
    """A position in which all pyramids but the last few are placed, small ones first, round and round the board."""
    assert isinstance(game, CompiledHighRise)
    placed = [name for pair in zip(*names(game), strict=True) for name in pair]
    stacks: dict[str, list[str]] = {}
    for number, name in enumerate(placed[: len(placed) - less]):
        stacks.setdefault(game.board.names[number * 7 // 5 % len(game.board.names)], []).append(name)
    return described(game, stacks)


def names(game: CompiledHighRise) -> list[list[str]]:
    """The pyramids of each seat, small ones first."""
    stashes = [sorted(game.design.stash(seat), key=lambda piece: piece.pips) for seat in (0, 1)]
    return [[text_of(size, str(colour)) for size, colour, _ in stash] for stash in stashes]


def set_ups(game: Game) -> Iterator[dict[str, Any]]:
    """The deal to come, the last act before it, one tower that hides much, and one in which the seats are level."""
    assert isinstance(game, CompiledHighRise)
    yield built(game, 0)
    yield built(game, 1)
    in_order = [[text_of(size, str(colour)) for size, colour, _ in game.design.stash(seat)] for seat in (0, 1)]
    for few in ([list(dict.fromkeys(of)) for of in in_order], in_order):
        yield described(game, {"a1": [name for pair in zip(*few, strict=True) for name in pair]})


def twin(state: State, rng: np.random.Generator) -> State | None:
    """Another state that looks the same: the hidden pyramids have changed places; None where none was found."""
    towers, shown = stacks_of(state), seen(state)
    game = state.game
    assert isinstance(game, CompiledHighRise)
    places = [(square, height) for square, tower in shown.items() for height, name in enumerate(tower) if name is None]
    hidden = [towers[square][height] for square, height in places]
    for _ in range(TRIES):
        changed = {square: list(tower) for square, tower in towers.items()}
        for (square, height), index in zip(places, rng.permutation(len(places)), strict=True):
            changed[square][height] = hidden[index]
        if changed != towers and all(is_hidden(changed[square], height) for square, height in places):
            return set_up(game, changed)
    return None


def is_hidden(tower: list[str], height: int) -> bool:
    """Whether a larger pyramid lies above."""
    return any("SML".index(above[1]) > "SML".index(tower[height][1]) for above in tower[height + 1 :])


def worlds(game: Game, rng: np.random.Generator) -> Iterator[Worlds] | None:
    """With `memory` on: the hidden pyramids in other places, in the middle of the game and after the same act."""
    return pairs(game, rng) if game.options["memory"] == "on" else None


def pairs(game: Game, rng: np.random.Generator) -> Iterator[Worlds]:
    """Worlds that look alike."""
    assert isinstance(game, CompiledHighRise)
    found = 0
    while found < PAIRS:
        state: State = begin_game(game)
        while state.to_act != {CHANCE}:
            other = twin(state, rng) if rng.integers(4) == 0 else None
            act = game.random_act(state, rng)
            if other is not None:
                seat = (None, 0, 1)[found % 3]
                yield Worlds(set_up(game, stacks_of(state)), other, seat)
                yield Worlds(state.apply(act), other.apply(act), seat)
                found += 2
            state = state.apply(act)


MATERIAL = Material(
    bad_notation=BAD_NOTATION,
    well_formed=well_formed,
    set_ups=set_ups,
    worlds=worlds,
    option_sets=(
        {"rows": 8, "numbers": "unseen"},
        {"cols": 4, "memory": "off"},
        {"rows": 4, "numbers": "unseen", "memory": "off"},
        {"rows": 4, "values": [0, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 1000]},
        {"values": [0, 0, 0, 0, 0, 0, 0, 0, 9]},
        {"values": [0, 0, 0, 0, 0, 0, 20, 20, 20], "memory": "off"},
    ),
    drawn=lambda view: view["stacks"],
)
