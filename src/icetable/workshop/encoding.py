"""The encoding of workshop games for learning programs: the numbers of acts, and observations.

Such a game doesn't declare its acts and pieces, so a few random games, always the same ones, are sampled for them. An
act is numbered by its pattern and the spaces that it names: all acts like `a1-b2` form a block, and the action is the
first number of the block plus a number for the spaces. Acts of other patterns are numbered in each position, by their
rank among the legal ones.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.extras.encoding import Encoding, Plane, for_each_seat
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY
from icetable.workshop.equipment import Pyramid
from icetable.workshop.playing import ENTRY, PlainGame, codes_at
from icetable.workshop.vocabulary import SPACE, TEXTS, UNLISTED, kind_of, pattern_of

if TYPE_CHECKING:
    from icetable.extras.encoding import Bytes
    from icetable.workshop.hiding import Spot
    from icetable.workshop.table import Table

VERSION = 0
MAX_BLOCK_SIZE = 1 << 14
"""The maximum size of a block. Acts with larger ones, as they name many spaces, are numbered in each position."""
MAX_UNBLOCKED_ACTS = 128
"""The maximum number of acts in a position that have no block."""
MAX_VALUE = 127
"""Observed numbers are clipped to this."""


class WorkshopCodec:
    """The actions and the observations of a game."""

    def __init__(self, game: PlainGame) -> None:
        self.game, self.vocabulary = game, game.vocabulary
        self.first: dict[str, int] = {}
        """The first action of each block, by its pattern."""
        spaces, count = len(game.board.names), 0
        for pattern in sorted(self.vocabulary.patterns):
            size = spaces ** pattern.count(SPACE)
            if size <= MAX_BLOCK_SIZE:
                self.first[pattern] = count
                count += size
        self.first_unblocked = count
        """The first action of acts without a block."""
        self.cells, self.height, self.width = cells_of(game)
        kinds = sorted(self.vocabulary.kinds)
        each = [
            *(Plane(kind, "the number of these here", MAX_VALUE) for kind in kinds),
            *(Plane(f"{kind} on top", "1 where the topmost piece is one of these") for kind in kinds),
            *(Plane(f"{kind} on the pad", "the number of these on the seat's pad", MAX_VALUE) for kind in kinds),
            Plane("zone", "1 where the space belongs to the seat"),
            Plane("points", f"at least 0, at most {MAX_VALUE}", MAX_VALUE),
            Plane("out", "1 if the seat is out of the game"),
            Plane("turn", "1 if the seat is to act"),
        ]
        common = [
            *(
                Plane(f"{colour} {kind}", "the number of these here", MAX_VALUE)
                for colour in sorted(self.vocabulary.colours)
                for kind in kinds
            ),
            *(
                Plane(f"points {way}", "1 where the topmost pyramid points this way")
                for way in sorted(self.vocabulary.headings)
            ),
            Plane("hidden", "the number of pieces here that the observer does not see", MAX_VALUE),
            Plane("pieces", "the number of pieces here", MAX_VALUE),
            Plane("space", "1 where the board has a space"),
            *(
                Plane(f"{kind} in {bank}", "the number of these", MAX_VALUE)
                for bank in sorted(game.look.banks)
                for kind in kinds
            ),
            *(
                Plane(name, f"the game's own number, at least 0, at most {MAX_VALUE}", MAX_VALUE)
                for name in sorted(self.vocabulary.numbers)
            ),
        ]
        self.planes = (*for_each_seat(game.players, each), *common)
        self._plane = {plane.name: number for number, plane in enumerate(self.planes)}

    def describe(self) -> Encoding:
        blocks = [(first, pattern.replace(SPACE, "□")) for pattern, first in self.first.items()]
        return Encoding(
            version=VERSION,
            actions=self.first_unblocked + MAX_UNBLOCKED_ACTS,
            numbering=(
                *(
                    (first, f"{pattern}, □ for each space by its number" if "□" in pattern else pattern)
                    for first, pattern in blocks
                ),
                (self.first_unblocked, "any other act, by its rank among the legal ones without a number of their own"),
            ),
            height=self.height,
            width=self.width,
            cells="a space where it is drawn" if self.height > 1 else "a space by its number",
            planes=self.planes,
            symmetries=(),
        )

    # Acts

    def action_of(self, position: Any, code: int) -> int:
        """The action of an act; -1 for one of chance. Raises GameError if too many legal acts have no block."""
        if position[ACTOR] == CHANCE or code >= UNLISTED:
            return -1
        action = self._in_block(TEXTS.text(int(code)))
        if action >= 0:
            return action
        unblocked = self._unblocked_at(position)
        if code not in unblocked:
            return -1
        if len(unblocked) > MAX_UNBLOCKED_ACTS:
            raise GameError(f"{self.game.info.title}: {len(unblocked)} acts here are too many to number")
        return self.first_unblocked + unblocked.index(code)

    def act_of(self, position: Any, action: int) -> int:
        """The act of an action, which need not be legal."""
        if action >= self.first_unblocked:
            unblocked, place = self._unblocked_at(position), int(action) - self.first_unblocked
            return unblocked[place] if place < len(unblocked) else TEXTS.code(f"other:{place}")
        pattern = max((pattern for pattern in self.first if self.first[pattern] <= action), key=self.first.__getitem__)
        rest, names, spaces = int(action) - self.first[pattern], self.game.board.names, list[str]()
        for _ in range(pattern.count(SPACE)):
            rest, number = divmod(rest, len(names))
            spaces.insert(0, names[number])
        parts = pattern.split(SPACE)
        return TEXTS.code("".join(itertools.chain(*zip(parts, [*spaces, ""], strict=True))))

    def _in_block(self, act: str) -> int:
        pattern, spaces = pattern_of(self.game, act)
        if pattern not in self.first:
            return -1
        number = 0
        for space in spaces:
            number = number * len(self.game.board.names) + space
        return self.first[pattern] + number

    def _unblocked_at(self, position: Any) -> list[int]:
        return [code for code in codes_at(position) if self._in_block(TEXTS.text(code)) < 0]

    # Tables

    def observe(self, position: Any, seat: int, planes: Bytes) -> None:
        """Write a seat's observation."""
        planes[:] = 0
        table = self.game.table_of(position)
        unseen = frozenset() if position[ACTOR] == NOBODY else self.game.hidden_from(int(seat), table)
        whose = [self._whose(other, seat) for other in range(table.players)]
        for space, cell in self.cells.items():
            if space in table._gone:
                continue
            planes[cell, self._plane["space"]] = 1
            zone = table.zone_of(space)
            if zone is not None and zone in table.seats:
                self._set(planes, cell, f"{whose[zone]} zone", 1)
            if space in table.stacks:
                self._observe_stack(table, space, planes[cell], whose, unseen)
        for other in table.seats:
            pad = [kind_of(piece) for at, piece in enumerate(table.pad[other]) if (other, at) not in unseen]
            for kind in set(pad):
                self._set(planes, slice(None), f"{whose[other]} {kind} on the pad", pad.count(kind))
            self._set(planes, slice(None), f"{whose[other]} points", table.score[other])
            self._set(planes, slice(None), f"{whose[other]} out", other in table.out)
            self._set(planes, slice(None), f"{whose[other]} turn", position[ACTOR] == other)
        for bank in self.game.look.banks:
            for kind, count in Counter(map(kind_of, getattr(table, bank))).items():
                self._set(planes, slice(None), f"{kind} in {bank}", count)
        for name in self.vocabulary.numbers:
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
            if plane is not None and planes[plane] < MAX_VALUE:
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
            planes[(cell, plane) if cell != () else plane] = min(max(int(value), 0), MAX_VALUE)

    def _whose(self, seat: int, observer: int) -> str:
        after = (seat - int(observer)) % self.game.players
        return "own" if after == 0 else f"player +{after}"


def cells_of(game: PlainGame) -> tuple[dict[str, int], int, int]:
    """The cell of each space, with the height and width of the grid on which they are drawn, or else of one row."""
    places = game.board.places
    spots = {name: (2 * place.x, 2 * place.y) for name, place in places.items()}
    if game.board.shape == "circle" or not all(
        float(x).is_integer() and float(y).is_integer() for x, y in spots.values()
    ):
        return {name: number for number, name in enumerate(places)}, 1, len(places)
    columns, rows = ([int(spot[axis]) for spot in spots.values()] for axis in (0, 1))
    step = math.gcd(*(x - min(columns) for x in columns)) or 1, math.gcd(*(y - min(rows) for y in rows)) or 1
    width = (max(columns) - min(columns)) // step[0] + 1
    cells = {
        name: (int(y) - min(rows)) // step[1] * width + (int(x) - min(columns)) // step[0]
        for name, (x, y) in spots.items()
    }
    return cells, (max(rows) - min(rows)) // step[1] + 1, width


def codec_of(game: PlainGame) -> WorkshopCodec:
    """The codec of a game, created once. Raises GameError."""
    codec = vars(game).get("_codec")
    if not isinstance(codec, WorkshopCodec):
        codec = vars(game)["_codec"] = WorkshopCodec(game)
    return codec


def describe(game: PlainGame) -> Encoding:
    """The description of the encoding. Raises GameError."""
    return codec_of(game).describe()


def action_of(position: Any, act: int) -> int:
    """The action of a kernel act; -1 for an act of chance."""
    return int(codec_of(position[ENTRY].game).action_of(position, act))


def act_of(position: Any, action: int) -> int:
    """The kernel act of an action, which need not be legal."""
    return int(codec_of(position[ENTRY].game).act_of(position, action))


def observe(position: Any, seat: int, planes: Bytes) -> None:
    """Write a seat's observation."""
    codec_of(position[ENTRY].game).observe(position, seat, planes)
