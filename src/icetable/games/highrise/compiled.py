"""High Rise by its kernel: positions and tables, acts and their texts."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Any

from icetable.core.game import Action
from icetable.core.turns import TurnState
from icetable.games.highrise import deals, evaluation, rules
from icetable.games.highrise.game import COLOURS, SIDES, HighRise
from icetable.games.highrise.rules import (
    DEAL,
    DICE,
    KNOWN,
    LOG,
    NUMBERS,
    OPEN,
    PYRAMIDS,
    ROLL,
    SCORES,
    VALUES,
    colour_of,
    size_of,
    square_of,
)
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, TURN
from icetable.workshop.compiled import CompiledGame
from icetable.workshop.equipment import Pyramid, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from icetable.core.game import GameInfo, State
    from icetable.kernels.jit import Ints
    from icetable.workshop.design import Game as Design
    from icetable.workshop.equipment import Piece
    from icetable.workshop.table import Table

SIZES = "SML"
ALL_COLOURS = (*COLOURS[0], *COLOURS[1])


PIECES = [[[Pyramid(size, colour) for colour in colours] for size in SIZES] for colours in COLOURS]
"""By seat, size and number of the colour."""


class CompiledHighRise(CompiledGame):
    """High Rise. An act is that of `rules`; a roll or a deal is drawn from a seed, or given by its text."""

    design: HighRise
    rules = rules
    evaluation = evaluation
    deals = deals
    exploration = 0.005

    def __init__(self, info: GameInfo, options: dict[str, Any], design: Design) -> None:
        super().__init__(info, options, design)
        self.views_are_equal = True  # type: ignore[misc]  # what is hidden is hidden from all (HR-7)
        self.compared_words = LOG
        faces = range(1, SIDES + 1) if self.design.values == "dice" else sorted(set(self.design.values))
        self.chance_parts = tuple(map(str, faces))

    def first_position(self) -> Ints:
        values = None if self.design.values == "dice" else self.design.values
        return rules.start(len(self.board.names), values, self.design.rolls, self.design.memory == "on")

    # Acts

    def notation(self, code: int) -> str:
        colour = colour_of(code)
        named = f":{ALL_COLOURS[colour - 1]}" if colour else ""
        return f"{SIZES[size_of(code)]}{named}@{self.board.names[square_of(code)]}"

    def code_of(self, text: str) -> int | None:
        kind, _, name = text.partition("@")
        if not name:
            return ROLL if text.startswith("roll") else DEAL
        if name not in self.board.names:
            return None
        size, _, colour = kind.partition(":")
        named = ALL_COLOURS.index(colour) + 1 if colour else 0
        return named << 8 | SIZES.index(size) << 6 | self.board.names.index(name)

    def act_at(self, position: Ints, code: int) -> Action:
        if code < ROLL:
            return super().act_at(position, code)
        after = position.copy()
        rules.apply(after, code)
        return Action(self.act_played(code, after))

    def act_played(self, code: int, after: Ints) -> str:
        if code < ROLL:
            return self.notation(code)
        return (
            deals.write_numbers("deal", self._numbers(after))
            if code >= DEAL
            else deals.write_numbers("roll", self._values(after))
        )

    def allows(self, state: TurnState, code: int, text: str) -> bool:
        if state.actor == CHANCE or code >= ROLL:
            return self.may_come(self.table_of(state.array), text)
        return super().allows(state, code, text)

    def list_acts(self, state: TurnState) -> list[Action]:
        listed = super().list_acts(state)
        return listed if state.actor != CHANCE else list(map(Action, self.table_of(state.array)._odds))

    def play(self, position: Ints, code: int, text: str) -> Action:
        if code < ROLL:
            return super().play(position, code, text)
        numbers = list(map(int, drawn(text)))
        if code >= DEAL:
            self._show(position, numbers)
        else:
            self._begin(position, numbers)
        return Action(text)

    def _begin(self, position: Ints, rolled: Sequence[int]) -> None:
        """Let seat 0 begin after a roll (HR-2, HR-4)."""
        position[VALUES : VALUES + len(rolled)] = rolled
        rules.begin(position)

    def _show(self, position: Ints, numbers: Sequence[int]) -> None:
        """Show these numbers on the squares, and end the game (HR-8)."""
        position[NUMBERS : NUMBERS + len(numbers)] = numbers
        rules.show_numbers(position)

    def _numbers(self, position: Ints) -> list[int]:
        """The numbers by square, after the deal."""
        numbers: list[int] = position[NUMBERS : NUMBERS + len(self.board.names)].tolist()
        return numbers

    def _values(self, position: Ints) -> list[int]:
        """The numbers that were rolled or given as an option, smallest first."""
        return sorted(position[VALUES : VALUES + len(self.board.names)].tolist())

    def _known(self, position: Ints) -> list[int] | None:
        """The numbers for the towers, smallest first; None if the players do not know them."""
        return self._values(position) if position[DICE] == KNOWN else None

    # Tables

    def write_table(self, table: Table, position: Ints) -> None:
        words, names = position.tolist(), self.board.names
        left = [[[rules.copies(len(names), size)] * len(colours) for size in range(len(SIZES))] for colours in COLOURS]
        towers: dict[str, list[Piece]] = {}
        for entry in words[LOG : LOG + words[TURN]]:
            seat, size, colour = entry >> 12, entry >> 6 & 3, entry >> 8 & 15
            counts = left[seat][size]
            number = (colour - 1) % len(counts) if colour else counts.index(max(counts))
            counts[number] -= 1
            towers.setdefault(names[entry & 63], []).append(PIECES[seat][size][number])
        table.stacks = {space: tuple(tower) for space, tower in towers.items()}
        table.pad = [[*stash(seat, *map(tuple, counts))] for seat, counts in enumerate(left)]
        table.turn = words[TURN]
        table.seat = table.turn % 2
        table.known = self._known(position)
        table.shown = self._numbers(position) if position[ACTOR] == NOBODY else None
        if position[ACTOR] == CHANCE:
            (self.design.roll_dice if position[DICE] == OPEN else self.design.show_dice)(table)

    def write_position(self, position: Ints, table: Table) -> None:
        actor = int(position[ACTOR])
        if self.design.rolls and table.known is not None:
            self._begin(position, table.known)
        for square, name in enumerate(self.board.names):
            for pyramid in table.stack(name):
                colour = ALL_COLOURS.index(str(pyramid.colour))
                position[ACTOR] = colour // len(COLOURS[0])
                rules.place(position, colour + 1 << 8 | SIZES.index(pyramid.size) << 6 | square)
        position[ACTOR] = actor
        if table.shown is not None:
            self._show(position, table.shown)

    def same(self, position: Ints, other: Ints) -> bool:
        """Whether the towers are equal, in whatever order they were built."""
        return self.table_of(position).stacks == self.table_of(other).stacks

    def scores(self, position: Ints) -> tuple[int, ...]:
        return int(position[SCORES]), int(position[SCORES + 1])

    # What is hidden

    def shows_history(self, state: State) -> bool:
        """Only after the end if pyramids are hidden, because earlier acts show them (HR-7)."""
        return state.is_terminal or self.design.memory == "off"

    def revealed(self, position: Ints) -> Ints:
        """The position with all covered pyramids visible (HR-7)."""
        shown = position.copy()
        shown[rules.HIDES] = 0
        return shown

    def determinize(self, position: Ints, remembered: int | None, rng: np.random.Generator) -> Ints:
        if self.design.memory == "off" or remembered is None:
            return position
        return deals.determinize(position, remembered, rng)

    # Chance

    def part_odds(self, position: Ints, drawn: Sequence[int]) -> list[float]:
        """The probabilities of the next number: of an ascending roll, or in a deal those of a die or of the known
        numbers left (HR-2).
        """
        if position[DICE] == OPEN:
            return deals.odds_of_next_rolled(len(self.board.names), drawn)
        known = self._known(position)
        if known is None:
            return super().part_odds(position, drawn)
        left = Counter(map(str, known)) - Counter(self.chance_parts[part] for part in drawn)
        return [left[number] / left.total() for number in self.chance_parts]

    def act_of_parts(self, position: Ints, drawn: Sequence[int]) -> str | None:
        """The roll or the deal of these numbers."""
        if len(drawn) < len(self.board.names):
            return None
        numbers = [int(self.chance_parts[part]) for part in drawn]
        return deals.write_numbers("roll" if position[DICE] == OPEN else "deal", numbers)

    def longest(self) -> tuple[int, int]:
        """Every pyramid is placed, and every number is dealt, and may have been rolled before (HR-2, HR-8)."""
        return self.design.turn_limit, len(self.board.names) * (1 + self.design.rolls)

    def perft(self, state: State, depth: int) -> int:
        """The kernel counts placements. Outcomes of chance can't be listed, so a formula counts them."""
        assert isinstance(state, TurnState)
        if depth == 0 or state.is_terminal:
            return int(depth == 0)
        squares, known = len(self.board.names), self._known(state.array)
        placings = int(state.array[PYRAMIDS] - state.array[TURN])
        rolls = 1
        if state.array[DICE] == OPEN:
            rolled = state.array.copy()
            rules.begin(rolled)
            state, depth, rolls = TurnState(self, rolled), depth - 1, deals.number_of_rolls(squares)
        if depth <= placings:
            return rolls * super().perft(state, depth)
        # The number of rolls times their deals is the number of ordered results of the dice.
        return super().perft(state, placings) * deals.number_of_deals(squares, known) if depth == placings + 1 else 0


@functools.lru_cache(4096)
def stash(seat: int, *counts: tuple[int, ...]) -> list[Pyramid]:
    """The pyramids of a pad, by size their numbers of each colour."""
    return [
        PIECES[seat][size][number]
        for number in range(len(COLOURS[seat]))
        for size, left in enumerate(counts)
        for _ in range(left[number])
    ]


make = CompiledHighRise
