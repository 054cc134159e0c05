"""IceFrogs as a `TurnGame`: notation, faults, effects, views and saved positions."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.drawing import Paint
from icetable.core.errors import BadNotation, BadRecord, Fault
from icetable.core.game import GameInfo
from icetable.core.infobox import Pieces
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
from icetable.core.turns import SIZE_LETTERS, SIZE_WORDS, TurnGame, counts_by_size, read_turn
from icetable.games.icefrogs import drawing, evaluation, features, picture, rules
from icetable.games.icefrogs.rules import (
    BELOW,
    COPIES,
    ENTRY,
    GOALS,
    NONE,
    PASS,
    PASSES,
    SIZES,
    SUPPLY,
    TOP,
    seat_of,
    size_of,
)
from icetable.games.icefrogs.view import AnyEffect, Covers, Draw, Layout, Path, Reaches, Space, View
from icetable.kernels.layout import ACTOR, ENDED_BY, TURN, TURN_LIMIT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.kernels.jit import Ints

SPACE = "[a-z][0-9]+"
ENTRY_FORM = re.compile(f"([SML])@({SPACE})")
MOVE_FORM = re.compile(f"({SPACE})-({SPACE})")
EMPTY = np.full(BELOW - TOP, NONE).tobytes()
COPY_BITS = 3
MAX_PYRAMIDS = SIZES * COPIES * rules.MAX_SEATS
PYRAMID_FORM = re.compile("([0-5])([SML])")


def make(info: GameInfo, options: dict[str, Any]) -> IceFrogs:
    """Create the game."""
    return IceFrogs(info, options)


class IceFrogs(TurnGame):
    """IceFrogs. Kernel acts are those of `rules`."""

    views_are_equal = True
    compared_words = TOP

    rules = rules
    evaluation = evaluation
    features = features
    learned_by = ("players", "board")

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        self.board = rules.BOARDS[options["board"]]
        points = rules.POINTS[options["board"]]
        self.starts = tuple(points[place] for place in rules.PLACES[self.players])

    def first_position(self) -> Ints:
        return rules.start(self.players, self.options["board"], self.options["turn_limit"])

    # Notation

    def notation(self, code: int) -> str:
        if code == PASS:
            return "pass"
        source, target = code >> 6, self.board.names[code & 63]
        if source >= ENTRY:
            return f"{SIZE_LETTERS[source - ENTRY]}@{target}"
        return f"{self.board.names[source]}-{target}"

    def code(self, text: str) -> int | None:
        size, source, target = self._read(text)
        if not target:
            return PASS
        if target not in self.board.by_name or (source and source not in self.board.by_name):
            return None
        first = self.board.by_name[source].square if source else ENTRY + SIZE_LETTERS.index(size)
        return first << 6 | self.board.by_name[target].square

    def _read(self, text: str) -> tuple[str, str, str]:
        """Read the size of an entry, the source of a move and the target, each "" if absent. Raises BadNotation."""
        if isinstance(text, str):
            if text == "pass":
                return "", "", ""
            if entry := ENTRY_FORM.fullmatch(text):
                return entry[1], "", entry[2]
            if move := MOVE_FORM.fullmatch(text):
                return "", move[1], move[2]
        raise BadNotation(f"{short_repr(text)} is not an act; acts look like L@c3 (S, M or L), b2-c3, or pass")

    # Faults, in the order of the spec

    def judge(self, position: Ints, text: str) -> Fault:
        if text == "pass":
            return Fault("needless-pass", "You may pass only when you have no legal move.", "IF-17")
        size, source, target = self._read(text)
        for space in (source, target):
            if space and space not in self.board.by_name:
                return Fault("no-such-space", f"The board has no space {short_repr(space)}.", "IF-2", (space,))
        if source:
            return self._judge_mover(position, source) or self._judge_way(position, source, target, "")
        seat = int(position[ACTOR])
        if position[SUPPLY + seat * SIZES + SIZE_LETTERS.index(size)] == 0:
            word = SIZE_WORDS[SIZE_LETTERS.index(size)]
            return Fault("none-in-supply", f"You have no {word} pyramid left in your supply.", "IF-6")
        return self._judge_way(position, self.starts[seat], target, size)

    def _judge_mover(self, position: Ints, source: str) -> Fault | None:
        stack = self.stack(position, self.board.by_name[source].square)
        owners = [seat_of(pyramid) for pyramid in stack]
        if position[ACTOR] not in owners:
            return Fault("no-own-pyramid", f"No pyramid of yours stands on {source}.", "IF-6", (source,))
        if owners[-1] != position[ACTOR]:
            message = f"Your pyramid on {source} lies beneath another; only the top of a stack moves."
            return Fault("buried", message, "IF-7", (source,))
        return None

    def _judge_way(self, position: Ints, source: str, target: str, entering: str) -> Fault:
        """Why no pyramid can move from `source` to `target`; `entering` is the size of a new pyramid or ""."""
        if source == target and not entering:
            return Fault("no-change", f"A move may not end on {source}, where it began.", "IF-14", (target,))
        if target == self.starts[position[ACTOR]]:
            return Fault("own-start", f"A move may not end on {target}, your own start space.", "IF-13", (target,))
        square = self.board.by_name[source].square
        stack = self.stack(position, square)
        size = SIZE_LETTERS.index(entering) if entering else size_of(stack[-1])
        covered = self.stack(position, self.board.by_name[target].square)
        if rules.around(1 << square) >> self.board.by_name[target].square & 1:
            message = (
                f"A {SIZE_WORDS[size]} pyramid can't cover the {SIZE_WORDS[size_of(covered[-1])]} one on {target}."
            )
            return Fault("covers-smaller", message, "IF-8", (target,))
        message = f"You can't get from {source} to {target} by a step or a chain of jumps."
        return Fault("out-of-reach", message, "IF-9", (source, target))

    def longest(self) -> tuple[int, int] | None:
        """A turn is one act (IF-18)."""
        limit = self.options["turn_limit"]
        return (limit, 0) if limit else None

    # Effects

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[AnyEffect, ...]:
        effects = [] if code == PASS else self._effects_of_move(before, code)
        if after[ENDED_BY] in (17, 18):
            effects.append(Draw(self.rule(int(after[ENDED_BY]))))
        return tuple(effects)

    def _effects_of_move(self, before: Ints, code: int) -> list[AnyEffect]:
        target = code & 63
        path = np.empty(rules.MAX_PATH_LENGTH, np.int64)
        length = rules.find_path(before, code, path)
        spaces = tuple(self.board.names[int(square)] for square in path[:length])
        effects: list[AnyEffect] = [Path(spaces, self._mover(before, code >> 6))]
        space = (self.board.names[target],)
        if covered := self.stack(before, target):
            effects.append(Covers(space, pyramid_name(covered[-1])))
        if before[GOALS] >> target & 1:
            effects.append(Reaches(space))
        return effects

    def _mover(self, before: Ints, source: int) -> str:
        if source >= ENTRY:
            return f"{before[ACTOR]}{SIZE_LETTERS[source - ENTRY]}"
        return pyramid_name(int(before[TOP + source]))

    # Views

    def pieces(self) -> Pieces:
        return Pieces(pyramids=rules.PYRAMIDS_PER_SEAT * self.players, tiles=len(self.board.spaces))

    def layout(self) -> Layout:
        spaces: list[Space] = [
            {
                "name": space.name,
                "x": space.x,
                "y": space.y,
                "start": self.starts.index(space.name) if space.name in self.starts else None,
            }
            for space in self.board.spaces
        ]
        return {"board": self.options["board"], "spaces": spaces}

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
        return drawing.draw(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        return picture.svg(self.info.colours, self.layout(), view)

    def see(self, position: Ints, seat: int | None) -> View:
        return {
            "stacks": self._stacks(position),
            "supply": counts_by_size(position, SUPPLY, self.players, SIZE_LETTERS),
            "turn": int(position[TURN]),
            "turn_limit": int(position[TURN_LIMIT]),
        }

    def stack(self, position: Ints | list[int], square: int) -> list[int]:
        """The pyramids on a space, from bottom to top."""
        stack: list[int] = []
        pyramid = int(position[TOP + square])
        while pyramid != NONE and len(stack) < MAX_PYRAMIDS:  # no valid position has more, but an invalid one may loop
            stack.append(pyramid)
            pyramid = int(position[BELOW + pyramid])
        return stack[::-1]

    def _stacks(self, position: Ints) -> dict[str, list[str]]:
        numbers = position.tolist()  # faster to index than an array
        stacks = {space.name: self.stack(numbers, space.square) for space in self.board.spaces}
        return {name: [pyramid_name(pyramid) for pyramid in stack] for name, stack in stacks.items() if stack}

    # Saved positions

    def describe_position(self, position: Ints) -> dict[str, Any]:
        """Stacks, turns and passes. The seat to act, the supplies and the end follow from them."""
        return {
            "turn": int(position[TURN]),
            "passes": int(position[PASSES]),
            "stacks": self._stacks(position),
        }

    def same(self, position: Ints, other: Ints) -> bool:
        """Whether the stacks are equal, whichever copies of a pyramid they contain."""
        level, below, others, below_others = position[TOP:BELOW], position[BELOW:], other[TOP:BELOW], other[BELOW:]
        while (kinds := (level >> COPY_BITS).tobytes()) == (others >> COPY_BITS).tobytes():
            if kinds == EMPTY:
                return True
            level, others = below[level], below_others[others]  # NONE reads the last word, which belongs to no pyramid
        return False

    def is_whole(self, position: Ints) -> bool:
        """Whether each copy of a pyramid is on the board or in the supply, from which the last ones are taken first."""
        placed = [pyramid for space in self.board.spaces for pyramid in self.stack(position, space.square)]
        return sorted(placed) == [
            rules.pyramid_of(seat, size, copy)
            for seat in range(self.players)
            for size in range(SIZES)
            for copy in range(int(position[SUPPLY + seat * SIZES + size]), COPIES)
        ]

    def read_position(self, described: Any) -> Ints:
        if not isinstance(described, dict) or set(described) != {"turn", "passes", "stacks"}:
            raise BadRecord("a position of IceFrogs has the entries turn, passes and stacks")
        position = self.first_position()
        self._read_counters(position, described["turn"], described["passes"])
        self._read_stacks(position, described["stacks"])
        self._check_starts(position)
        rules.find_end(position)
        return position

    def _read_counters(self, position: Ints, turn: Any, passes: Any) -> None:
        turn = read_turn(turn, self.options["turn_limit"])
        if not is_integer(passes) or not 0 <= passes <= min(turn, self.players):
            raise BadRecord(f"passes is a whole number from 0 to {min(turn, self.players)}, not {short_repr(passes)}")
        position[TURN], position[PASSES] = turn, passes
        position[ACTOR] = (turn - 1) % self.players

    def _read_stacks(self, position: Ints, stacks: Any) -> None:
        if not isinstance(stacks, dict):
            raise BadRecord(f"stacks is a table of spaces, not {short_repr(stacks)}")
        for space, names in stacks.items():
            if space not in self.board.by_name:
                raise BadRecord(f"the board has no space {short_repr(space)} (IF-2)")
            if not isinstance(names, list) or not names:
                shape = "a list of pyramids from bottom to top"
                raise BadRecord(f"the stack on {space} is {shape}, not {short_repr(names)}")
            for name in names:
                self._read_pyramid(position, space, name)

    def _read_pyramid(self, position: Ints, space: str, name: Any) -> None:
        form = PYRAMID_FORM.fullmatch(name) if isinstance(name, str) else None
        if form is None or int(form[1]) >= self.players:
            raise BadRecord(f"a pyramid is written as seat and size, such as 0L, not {short_repr(name)}")
        seat, size = int(form[1]), SIZE_LETTERS.index(form[2])
        square = self.board.by_name[space].square
        if position[SUPPLY + seat * SIZES + size] == 0:
            raise BadRecord(f"there are more than {COPIES} pyramids {name} (IF-3)")
        beneath = int(position[TOP + square])
        if beneath != NONE and size_of(beneath) < size:
            raise BadRecord(f"on {space} a pyramid lies on a smaller one (IF-8)")
        rules.put(position, rules.take_from_supply(position, seat, size), square)

    def _check_starts(self, position: Ints) -> None:
        """Check that start spaces are empty, except for a pyramid that has just won (IF-13, IF-16)."""
        reached = {space: self.stack(position, self.board.by_name[space].square) for space in self.starts}
        standing = {space: stack for space, stack in reached.items() if stack}
        for space, stack in standing.items():
            last = position[ACTOR]
            won = len(standing) == 1 and len(stack) == 1 and seat_of(stack[0]) == last != self.starts.index(space)
            if not won or position[TURN] == 0 or position[PASSES]:
                raise BadRecord(f"no pyramid can stand on the start space {space} (IF-13, IF-16)")


@functools.cache
def pyramid_name(pyramid: int) -> str:
    """Seat and size: "1M"."""
    return f"{seat_of(pyramid)}{SIZE_LETTERS[size_of(pyramid)]}"
