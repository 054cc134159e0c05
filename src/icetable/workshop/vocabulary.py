"""The acts of games without a kernel, by code, and what such a game turns out to use while it is played.

Its kinds of acts and pieces aren't declared.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from icetable.core.errors import GameError
from icetable.kernels.layout import CHANCE
from icetable.workshop.equipment import Piece, Pyramid

if TYPE_CHECKING:
    from icetable.workshop.table import Table

FIRST_ACTS = 200
"""The number of random acts that are played before anybody asks what a game uses."""
SAMPLE_GAMES = 20
MAX_ACTS = 1000
"""The number of random games, and the number of acts after which each is broken off."""
SPACE = "\0"
"""The placeholder of a space in a pattern of acts."""
_CHANCE: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
"""By class: whether chance has acted in its games so far."""
UNLISTED = 1 << 40
"""The code of unlisted acts; an act of chance that is drawn from a seed has this plus the seed."""


def record_chance(design: object, table: Table) -> None:
    """Record that chance acts at a table of a class."""
    if table._odds or table._several:
        _CHANCE[type(design)] = True


def has_chance(game: Any) -> bool:
    """Whether chance has acted in the games of a class so far, the first of which is played for whoever asks first."""
    if type(game.design) not in _CHANCE:
        _CHANCE[type(game.design)] = False
        with contextlib.suppress(GameError):
            rng, state = np.random.default_rng(0), game.start()
            for _ in range(FIRST_ACTS):
                if state.is_terminal:
                    break
                state = state.apply(game.random_act(state, rng)).without_history()
    return _CHANCE[type(game.design)]


def kind_of(piece: Piece) -> str:
    """The kind of a piece: the size of a pyramid, the name of a token."""
    return piece.size if isinstance(piece, Pyramid) else piece.name


def pattern_of(game: Any, act: str) -> tuple[str, tuple[int, ...]]:
    """The pattern of an act, with SPACE for each space that it names, and the numbers of these spaces."""
    regex, numbers = _space_regex(game.board.names)
    spaces = regex.findall(act)
    return regex.sub(SPACE, act), tuple(numbers[space] for space in spaces)


@lru_cache(64)
def _space_regex(names: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, int]]:
    """A regular expression for the spaces in acts, longer names first, and the numbers of the spaces."""
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{longest})(?!\w)"), {name: number for number, name in enumerate(names)}


class Vocabulary:
    """The patterns of acts, outcomes of chance, kinds of pieces, colours, headings and numeric values of a game."""

    def __init__(self, game: Any) -> None:
        self.patterns: set[str] = set()
        self.outcomes: set[str] = set()
        self.kinds: set[str] = set()
        self.colours: set[str] = set()
        self.headings: set[str] = set()
        self.numbers: set[str] = set()
        self.longest = 0
        rng = np.random.default_rng(0)
        for _ in range(SAMPLE_GAMES):
            state: Any = game.start()
            for number in range(1, MAX_ACTS + 1):
                if state.is_terminal:
                    break
                self._add(game, state)
                state = state.apply(game.random_act(state, rng)).without_history()
                self.longest = max(self.longest, number)
            self._add(game, state)

    def _add(self, game: Any, state: Any) -> None:
        table: Table = game.table_of(state.array)
        if state.actor == CHANCE:
            self.outcomes |= set(table._odds)
        elif not state.is_terminal:
            self.patterns |= {pattern_of(game, str(act))[0] for act in state.legal_actions()}
        banks = (getattr(table, bank) for bank in game.look.banks)
        for piece in itertools.chain(*table.stacks.values(), *table.pad, *banks):
            self.kinds.add(kind_of(piece))
            if isinstance(piece.colour, str):
                self.colours.add(piece.colour)
            if isinstance(piece, Pyramid) and piece.heading:
                self.headings.add(piece.heading)
        self.numbers |= {name for name, value in table.own().items() if isinstance(value, int) and name[0] != "_"}


_VOCABULARIES: WeakKeyDictionary[type, dict[tuple[Any, ...], Vocabulary]] = WeakKeyDictionary()


def vocabulary_of(game: Any) -> Vocabulary:
    """The vocabulary of a design under a game's options, sampled once. Raises GameError."""
    cached = _VOCABULARIES.setdefault(type(game.design), {})
    options = tuple(game.options.items())
    if options not in cached:
        cached[options] = Vocabulary(game)
    return cached[options]


class Texts:
    """The acts of all workshop games in this process, by code."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._codes: dict[str, int] = {}

    def code(self, text: str) -> int:
        """The code of an act, which a new act is given."""
        code = self._codes.get(text)
        if code is None:
            code = self._codes.setdefault(text, len(self._texts))
            self._texts.append(text)
        return code

    def codes(self, texts: Sequence[str]) -> list[int]:
        found = list(map(self._codes.get, texts))
        return [self.code(text) for text in texts] if None in found else cast("list[int]", found)

    def knows(self, texts: set[Any]) -> bool:
        """Whether games have listed all of these before."""
        return self._codes.keys() >= texts

    def new(self, texts: set[Any]) -> set[Any]:
        """Those that no game has listed before."""
        return texts.difference(self._codes)  # `-` would iterate over all acts of all games

    def known(self, text: str) -> int:
        """The code of an act; UNLISTED for one that no game has listed."""
        return self._codes.get(text, UNLISTED)

    def text(self, code: int) -> str:
        return self._texts[code]


TEXTS = Texts()
