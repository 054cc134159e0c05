"""Games with a kernel: its positions, and the tables that the game's class is asked about.

A game's module `compiled` has a subclass, and calls it `make`: the two translations between the kernel's array and a
table, and those between the kernel's acts and their texts. `icetable check` plays kernel and class side by side.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any

from icetable.core.errors import BadRecord
from icetable.core.options import short_repr
from icetable.core.turns import read_turn
from icetable.kernels.layout import ACTOR, NOBODY
from icetable.workshop.equipment import Pyramid
from icetable.workshop.playing import WorkshopGame, actor_of
from icetable.workshop.saving import table_from_json
from icetable.workshop.table import Table

if TYPE_CHECKING:
    from icetable.core.game import Effect, GameInfo
    from icetable.core.turns import TurnState
    from icetable.kernels.jit import Ints
    from icetable.workshop.design import Game as Design

MAX_COPIES = 1000
"""The maximum number of equal pieces on a pad."""
MAX_TABLES = 1024
TABLES: OrderedDict[tuple[tuple[type, str], bytes], Table] = OrderedDict()
"""The latest tables by game and position: all views of a position need one, and then the effects of the next act."""


@functools.lru_cache(4096)
def pyramids(seat: int, *counts: int) -> tuple[Pyramid, ...]:
    """The pyramids of a pad, by their numbers of each size. Raises BadRecord for numbers that no position has."""
    if not all(0 <= count <= MAX_COPIES for count in counts):
        raise BadRecord(f"seat {seat} can't have {list(counts)} pyramids")
    return tuple(Pyramid(size, seat) for size, count in zip("SML", counts, strict=True) for _ in range(count))


def cache_table(key: tuple[tuple[type, str], bytes], table: Table) -> None:
    TABLES[key] = table
    while len(TABLES) > MAX_TABLES:
        TABLES.popitem(last=False)


class CompiledGame(WorkshopGame):
    """A game of turns with a kernel. A subclass names `rules`, `evaluation` and what else the kernel has."""

    def __init__(self, info: GameInfo, options: dict[str, Any], design: Design) -> None:
        super().__init__(info, options, design)
        if self.compared_words is None:
            self.compared_words = self.rules.WORDS.length

    @abstractmethod
    def first_position(self) -> Ints:
        """The kernel's position before the first act."""

    @abstractmethod
    def write_table(self, table: Table, position: Ints) -> None:
        """Set an empty table up like a position."""

    @abstractmethod
    def write_position(self, position: Ints, table: Table) -> None:
        """Set the first position up like a table, all but the result of a game that is over."""

    @abstractmethod
    def code_of(self, text: str) -> int | None:
        """The kernel act of a well-formed text; None if there is none."""

    def table_of(self, position: Ints) -> Table:
        key = self.setup, position.tobytes()
        table = TABLES.get(key)
        if table is None:
            table = self._written_table(position)
            cache_table(key, table)
        return table

    def _written_table(self, position: Ints) -> Table:
        table = Table(self.board, self.players, self.look)
        self.write_table(table, position)
        return table

    def position_of(self, table: Table) -> Ints:
        position = self.first_position()
        position[ACTOR] = actor_of(table)
        self.write_position(position, table)
        rule = self.ended_at(table)
        if not rule and not table._several and not self.acts_of(table, int(position[ACTOR])):
            rule = self.design.stuck_rule or self.info.turn_rule
        if rule:
            self.settle(position, table, rule)
        return position

    def read_position(self, described: Any) -> Ints:
        """Read a position whose pieces are among those of the start: more of them could overrun the kernel's words."""
        table = table_from_json(described, self.first_table)
        read_turn(table.turn, self.options.get("turn_limit", 0))
        for piece, _ in self._kinds_on(table) - self._kinds_on(self.first_table):
            raise BadRecord(f"there are more of the piece {short_repr(piece)} than the game has")
        try:
            position: Ints = super().read_position(described)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise BadRecord(f"this position can't be read: {type(error).__name__}: {short_repr(str(error))}") from None
        return position

    def _kinds_on(self, table: Table) -> Counter[tuple[str, type]]:
        """The pieces of a table; dice that show one of their numbers without it."""
        pieces = (piece for pieces in (*table.stacks.values(), *table.pad) for piece in pieces)
        return Counter((f"{piece.colour}{self.look.kind_of(piece)}", type(piece)) for piece in pieces)

    def code(self, text: str) -> int | None:
        self.check_notation(text)
        return self.code_of(text)

    def allows(self, state: TurnState, code: int, text: str) -> bool:
        return state.lists(code) or self.allows_unlisted(state, text)

    def act_played(self, code: int, after: Ints) -> str:
        """The text of the act that led to a position."""
        return self.notation(code)

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[Effect, ...]:
        # A table goes on from its newest position: the one before is freed while it is in the processor's cache.
        table = TABLES.pop((self.setup, before.tobytes()), None) or self._written_table(before)
        played = self.after(table, self.act_played(code, after))
        cache_table((self.setup, after.tobytes()), played)
        return self.effects_of(table, played, played, is_over=after[ACTOR] == NOBODY)
