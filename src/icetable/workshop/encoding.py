"""How programs that learn number the acts of any game of the workshop and see its tables.

Nobody writes down what acts and pieces such a game has: a few random games, always the same ones, show it. An act is
numbered by its words and the spaces that it names: all acts like `a1-b2` form a block, whose number is that of the
words plus that of the spaces. An act that those games did not show the like of has a number by its place among such
acts where it is legal.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.extras.encoding import Encoding, Plane, for_each_seat
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY
from icetable.workshop.pieces import Pyramid
from icetable.workshop.playing import HERE, WorkshopGame, codes_at
from icetable.workshop.shown import SPACE, kind_of, words_of
from icetable.workshop.texts import TEXTS, UNLISTED

if TYPE_CHECKING:
    from icetable.extras.encoding import Bytes
    from icetable.workshop.hiding import Spot
    from icetable.workshop.table import Table

VERSION = 0
MAX_IN_BLOCK = 1 << 14
"""Acts that name so many spaces that a block would be longer are numbered where they are legal."""
MAX_OTHERS = 128
"""How many acts of a position may be numbered so."""
MOST = 127
"""Larger numbers are seen as this one."""


class WorkshopCodec:
    """The numbers of a game's acts, and what its seats see."""

    def __init__(self, game: WorkshopGame) -> None:
        self.game, self.shown = game, game.shown
        self.first: dict[str, int] = {}
        """The number of the first act of each block, by its words."""
        spaces, count = len(game.board.names), 0
        for words in sorted(self.shown.words):
            size = spaces ** words.count(SPACE)
            if size <= MAX_IN_BLOCK:
                self.first[words] = count
                count += size
        self.others = count
        """The number of the first act that has one only where it is legal."""
        self.cells, self.height, self.width = cells_of(game)
        kinds = sorted(self.shown.kinds)
        each = [
            *(Plane(kind, "how many lie here", MOST) for kind in kinds),
            *(Plane(f"{kind} on top", "lies on top here") for kind in kinds),
            *(Plane(f"{kind} on the pad", "how many the seat has", MOST) for kind in kinds),
            Plane("zone", "the space belongs to the seat"),
            Plane("points", f"at least 0, at most {MOST}", MOST),
            Plane("out", "1 where the seat is out of the game"),
            Plane("turn", "1 where this seat is to act"),
        ]
        common = [
            *(
                Plane(f"{colour} {kind}", "how many lie here", MOST)
                for colour in sorted(self.shown.colours)
                for kind in kinds
            ),
            *(Plane(f"points {way}", "the topmost pyramid here does") for way in sorted(self.shown.ways)),
            Plane("hidden", "how many pieces here are hidden from the seat that looks", MOST),
            Plane("pieces", "how many lie here", MOST),
            Plane("space", "1 where there is a space"),
            *(
                Plane(name, f"the game's own number, at least 0, at most {MOST}", MOST)
                for name in sorted(self.shown.numbers)
            ),
        ]
        self.planes = (*for_each_seat(game.players, each), *common)
        self._plane = {plane.name: number for number, plane in enumerate(self.planes)}

    def describe(self) -> Encoding:
        """What the numbers mean."""
        blocks = [(first, words.replace(SPACE, "□")) for words, first in self.first.items()]
        return Encoding(
            version=VERSION,
            actions=self.others + MAX_OTHERS,
            numbering=(
                *(
                    (first, f"{words}, □ for each space by its number" if "□" in words else words)
                    for first, words in blocks
                ),
                (self.others, "any other act, by its place among such acts where it is legal"),
            ),
            height=self.height,
            width=self.width,
            cells="a space where it is drawn" if self.height > 1 else "a space by its number",
            planes=self.planes,
            symmetries=(),
        )

    # Acts

    def action_of(self, position: Any, code: int) -> int:
        """The action of an act; -1 for one of chance. Raises GameError where too many are legal that have no block."""
        if position[ACTOR] == CHANCE or code >= UNLISTED:
            return -1
        action = self._in_block(TEXTS.text(int(code)))
        if action >= 0:
            return action
        others = self._others_at(position)
        if code not in others:
            return -1
        if len(others) > MAX_OTHERS:
            raise GameError(f"{self.game.info.title}: {len(others)} acts here are too many to number")
        return self.others + others.index(code)

    def act_of(self, position: Any, action: int) -> int:
        """The act of an action, which need not be legal."""
        if action >= self.others:
            others, place = self._others_at(position), int(action) - self.others
            return others[place] if place < len(others) else TEXTS.code(f"other:{place}")
        words = max((words for words in self.first if self.first[words] <= action), key=self.first.__getitem__)
        rest, names, spaces = int(action) - self.first[words], self.game.board.names, list[str]()
        for _ in range(words.count(SPACE)):
            rest, number = divmod(rest, len(names))
            spaces.insert(0, names[number])
        parts = words.split(SPACE)
        return TEXTS.code("".join(itertools.chain(*zip(parts, [*spaces, ""], strict=True))))

    def _in_block(self, act: str) -> int:
        words, spaces = words_of(self.game, act)
        if words not in self.first:
            return -1
        number = 0
        for space in spaces:
            number = number * len(self.game.board.names) + space
        return self.first[words] + number

    def _others_at(self, position: Any) -> list[int]:
        return [code for code in codes_at(position) if self._in_block(TEXTS.text(code)) < 0]

    # Tables

    def observe(self, position: Any, seat: int, planes: Bytes) -> None:
        """Write what a seat sees."""
        planes[:] = 0
        table: Table = position[HERE].table
        unseen = frozenset() if position[ACTOR] == NOBODY else self.game.hidden_from(int(seat), table)
        whose = [self._whose(one, seat) for one in range(table.players)]
        for space, cell in self.cells.items():
            planes[cell, self._plane["space"]] = 1
            zone = table.zone_of(space)
            if zone is not None and zone in table.seats:
                self._set(planes, cell, f"{whose[zone]} zone", 1)
            if space in table.stacks:
                self._observe_stack(table, space, planes[cell], whose, unseen)
        for one in table.seats:
            pad = [kind_of(piece) for at, piece in enumerate(table.pad[one]) if (one, at) not in unseen]
            for kind in set(pad):
                self._set(planes, slice(None), f"{whose[one]} {kind} on the pad", pad.count(kind))
            self._set(planes, slice(None), f"{whose[one]} points", table.score[one])
            self._set(planes, slice(None), f"{whose[one]} out", one in table.out)
            self._set(planes, slice(None), f"{whose[one]} turn", position[ACTOR] == one)
        for name in self.shown.numbers:
            value = getattr(table, name, 0)
            self._set(planes, slice(None), name, value if isinstance(value, int) else 0)

    def _observe_stack(
        self, table: Table, space: str, planes: Bytes, whose: list[str], unseen: frozenset[Spot]
    ) -> None:
        pieces = table.stack(space)
        seen = [piece for at, piece in enumerate(pieces) if (space, at) not in unseen]
        self._set(planes, (), "pieces", len(pieces))
        self._set(planes, (), "hidden", len(pieces) - len(seen))
        for piece in seen:
            colour = whose[piece.colour] if isinstance(piece.colour, int) else piece.colour
            plane = self._plane.get(f"{colour} {kind_of(piece)}")
            if plane is not None and planes[plane] < MOST:
                planes[plane] += 1
        if seen and seen[-1] is pieces[-1]:
            top = pieces[-1]
            if isinstance(top.colour, int):
                self._set(planes, (), f"{whose[top.colour]} {kind_of(top)} on top", 1)
            if isinstance(top, Pyramid) and top.heading:
                self._set(planes, (), f"points {top.heading}", 1)

    def _set(self, planes: Bytes, cell: Any, name: str, value: int) -> None:
        plane = self._plane.get(name)
        if plane is not None:
            planes[(cell, plane) if cell != () else plane] = min(max(int(value), 0), MOST)

    def _whose(self, seat: int, observer: int) -> str:
        after = (seat - int(observer)) % self.game.players
        return "own" if after == 0 else f"player +{after}"


def cells_of(game: WorkshopGame) -> tuple[dict[str, int], int, int]:
    """The cell of each space, and how high and wide a grid is that has them where they are drawn; else one row."""
    places = game.board.places
    spots = {name: (2 * place.x, 2 * place.y) for name, place in places.items()}
    if game.board.shape == "circle" or not all(
        float(x).is_integer() and float(y).is_integer() for x, y in spots.values()
    ):
        return {name: number for number, name in enumerate(places)}, 1, len(places)
    columns, rows = ([int(spot[axis]) for spot in spots.values()] for axis in (0, 1))
    step = math.gcd(*(one - min(columns) for one in columns)) or 1, math.gcd(*(one - min(rows) for one in rows)) or 1
    width = (max(columns) - min(columns)) // step[0] + 1
    cells = {
        name: (int(y) - min(rows)) // step[1] * width + (int(x) - min(columns)) // step[0]
        for name, (x, y) in spots.items()
    }
    return cells, (max(rows) - min(rows)) // step[1] + 1, width


def codec_of(game: WorkshopGame) -> WorkshopCodec:
    """The codec of a game, which is made once. Raises GameError."""
    codec = vars(game).get("_codec")
    if not isinstance(codec, WorkshopCodec):
        codec = vars(game)["_codec"] = WorkshopCodec(game)
    return codec


def describe(game: WorkshopGame) -> Encoding:
    """What the numbers mean. Raises GameError."""
    return codec_of(game).describe()


def action_of(position: Any, act: int) -> int:
    """The action of a kernel act; -1 for an act of chance."""
    return int(codec_of(position[HERE].game).action_of(position, act))


def act_of(position: Any, action: int) -> int:
    """The kernel act of an action, which need not be legal."""
    return int(codec_of(position[HERE].game).act_of(position, action))


def observe(position: Any, seat: int, planes: Bytes) -> None:
    """Write what a seat sees."""
    codec_of(position[HERE].game).observe(position, seat, planes)
