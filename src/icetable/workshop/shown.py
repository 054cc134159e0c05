"""What a few random games of the workshop show: nobody writes down what acts and pieces there are."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from icetable.kernels.layout import CHANCE
from icetable.workshop.pieces import Piece, Pyramid

if TYPE_CHECKING:
    from icetable.workshop.table import Table

GAMES_SHOWN = 20
ACTS_SHOWN = 1000
"""How many random games show what there is, and after how many acts each is broken off."""
SPACE = "\0"
"""In place of a space in the words of an act."""


class Shown:
    """What some random games have shown: words of acts, outcomes of chance, kinds of pieces, colours, own numbers."""

    def __init__(self, game: Any) -> None:
        self.words: set[str] = set()
        self.drawn: set[str] = set()
        self.kinds: set[str] = set()
        self.colours: set[str] = set()
        self.ways: set[str] = set()
        self.numbers: set[str] = set()
        self.longest = 0
        rng = np.random.default_rng(0)
        for _ in range(GAMES_SHOWN):
            state: Any = game.start()
            for number in range(1, ACTS_SHOWN + 1):
                if state.is_terminal:
                    break
                self._look(game, state)
                state = state.apply(game.random_act(state, rng)).without_history()
                self.longest = max(self.longest, number)
            self._look(game, state)

    def _look(self, game: Any, state: Any) -> None:
        table: Table = game.table_of(state.array)
        if state.actor == CHANCE:
            self.drawn |= set(table._odds)
        elif not state.is_terminal:
            self.words |= {words_of(game, str(act))[0] for act in state.legal_actions()}
        for piece in itertools.chain(*table.stacks.values(), *table.pad):
            self.kinds.add(kind_of(piece))
            if isinstance(piece.colour, str):
                self.colours.add(piece.colour)
            if isinstance(piece, Pyramid) and piece.heading:
                self.ways.add(piece.heading)
        self.numbers |= {name for name, value in table.own().items() if isinstance(value, int) and name[0] != "_"}


_SHOWN: WeakKeyDictionary[type, dict[tuple[Any, ...], Shown]] = WeakKeyDictionary()


def shown_by(game: Any) -> Shown:
    """What games of a design show under these options: they are played once. Raises GameError."""
    kept = _SHOWN.setdefault(type(game.design), {})
    options = tuple(game.options.items())
    if options not in kept:
        kept[options] = Shown(game)
    return kept[options]


def kind_of(piece: Piece) -> str:
    """A kind of piece: the size of a pyramid, the name of a token."""
    return piece.size if isinstance(piece, Pyramid) else piece.name


def words_of(game: Any, act: str) -> tuple[str, tuple[int, ...]]:
    """The words of an act, with SPACE for each space that it names, and the numbers of these spaces."""
    pattern, numbers = _reader(game.board.names)
    spaces = pattern.findall(act)
    return pattern.sub(SPACE, act), tuple(numbers[space] for space in spaces)


@lru_cache(64)
def _reader(names: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, int]]:
    """What finds spaces in acts, a longer name before one that it begins with, and the numbers of the spaces."""
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{longest})(?!\w)"), {name: number for number, name in enumerate(names)}
