"""The table of a workshop game: its pieces, its turn, and the verbs that change it.

The library copies the table before each act, so a game may change the one that it is given. Every verb is recorded as
an effect, for animations, the list of moves, sounds and speech.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from numbers import Integral
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.core.game import Effect
from icetable.core.options import short_repr, shortened
from icetable.workshop.equipment import (
    COIN,
    MAX_DICE,
    MAX_OUTCOMES,
    MAX_PIECES,
    PIPS,
    MultiDraw,
    OrderedSet,
    Piece,
    Pyramid,
    check_piece,
    faces_of,
    in_order,
    odds_of,
    texts_of,
)
from icetable.workshop.look import Look

if TYPE_CHECKING:
    from icetable.workshop.boards import Board

NOTHING: tuple[Piece, ...] = ()
MAX_LINES = 10_000
"""The maximum number of lines that a board remembers."""
COLOUR = 1
"""The index of the colour in a piece."""
DEFAULT_LOOK = Look()


class Table:
    """A position of a workshop game. Any further attribute that a game sets is part of it too.

    `seat` acts next, or is the one whose act is being played. `turn`: the number of turns that have ended. `score`: the
    points by seat. `pad`: the pieces in front of each player. `out`: the seats that are out of the game.

    A list of pieces among the game's own attributes can be a pad that belongs to nobody, such as a bank: `keep`,
    `spend` and `capture` take its name in place of a seat, and `Look.banks` shows it.
    """

    def __init__(self, board: Board, players: int, look: Look = DEFAULT_LOOK) -> None:
        self.board = board
        self._look = look
        self.players = players
        self.seat = 0
        self.turn = 0
        self.score: list[int] = [0] * players
        self.pad: list[list[Any]] = [[] for _ in range(players)]
        self.out: frozenset[int] = frozenset()
        self.stacks: dict[str, tuple[Piece, ...]] = {}
        self._odds: dict[str, float] = {}
        self._several: MultiDraw | None = None
        self._asked: dict[int, tuple[str, ...]] = {}
        self._chosen: dict[int, str] = {}
        self._effects: list[tuple[str, tuple[str, ...], int | str | None]] = []
        self._sealed = ""
        self._gone: frozenset[str] = frozenset()
        self._scores: tuple[int, ...] | None = None
        self._unseen: dict[int | None, frozenset[Any]] = {}

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    # Pieces

    @property
    def seats(self) -> range:
        return range(self.players)

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces of the board, from the lower left, without those that are gone."""
        return self._left(self.board.names)

    def stack(self, space: str) -> tuple[Any, ...]:
        """The pieces on a space, from the bottom up. Raises GameError for an unknown space."""
        found = self.stacks.get(space)
        if found is None and (space not in self.board.places or space in self._gone):
            raise _no_space(space)
        return found or NOTHING

    def top(self, space: str) -> Any:
        """The topmost piece of a space; None if it is empty."""
        found = self.stacks.get(space)
        if found:
            return found[-1]
        return None if space in self.board.places and space not in self._gone else self.stack(space)

    def empty(self) -> list[str]:
        """The spaces without pieces."""
        stacks = self.stacks
        return [space for space in self.spaces if space not in stacks]

    def where(self, colour: int | str | None = None, size: str | None = None) -> list[str]:
        """The spaces whose topmost piece has a colour, or that of a seat, and a size; any if not given."""
        if colour in PIPS:
            raise GameError(f"where gets a colour first: where(size={colour!r})")
        if colour is None:
            found = list(self.stacks)
        else:  # of pyramids as of tokens: the attribute takes longer
            found = [space for space, pieces in self.stacks.items() if pieces[-1][COLOUR] == colour]
        if size is not None:
            found = [space for space in found if getattr(self.stacks[space][-1], "size", None) == size]
        found.sort(key=self.board.ranks.__getitem__)
        return found

    def zone(self, number: int) -> tuple[str, ...]:
        """The spaces of a zone, such as a seat's half of the board."""
        return self._left(self.board.zones.get(number, ()))

    def zone_of(self, space: str) -> int | None:
        """The zone of a space; None outside zones. Raises GameError for an unknown space."""
        try:
            return self.board.places[space].zone
        except KeyError:
            raise _no_space(space) from None

    # Directions

    def neighbours(self, space: str) -> tuple[str, ...]:
        """The spaces one step away in any direction. Raises GameError for an unknown space."""
        try:
            found = self.board.neighbours[space]
        except KeyError:
            raise _no_space(space) from None
        return self._left(found) if self._gone else found

    def ray(self, space: str, way: str) -> tuple[str, ...]:
        """The spaces in a direction, the nearest first, up to one that is gone.

        Raises GameError for an unknown space or direction.
        """
        try:
            found = self.board.rays[way][space]
        except KeyError:
            if space not in self.board.places:
                raise _no_space(space) from None
            known = ", ".join(self.board.rays)
            raise GameError(f"from {short_repr(space)} nothing leads {short_repr(way)}; ways are {known}") from None
        return tuple(takewhile(lambda there: there not in self._gone, found)) if self._gone else found

    def steps(self, space: str, ways: Iterable[str]) -> list[str]:
        """The spaces one step away in these directions, or in one."""
        gone = self._gone
        found = [line[0] for line in self._lines(space, ways, 1)]
        return [there for there in found if there not in gone] if gone else found

    def slides(self, space: str, ways: Iterable[str], most: int = 1000) -> Iterator[str]:
        """The spaces up to `most` steps away in these directions, up to and including the first that is not empty."""
        stacks, gone, found = self.stacks, self._gone, []
        for line in self._lines(space, ways, most):
            for there in line:
                if there in gone:
                    break
                found.append(there)
                if there in stacks:
                    break
        return iter(found)  # a list is built faster than a generator yields

    def _lines(self, space: str, ways: Iterable[str], most: int) -> tuple[tuple[str, ...], ...]:
        """The first `most` spaces of the board in each direction that leads anywhere, also those that are gone.

        The board remembers them, as games ask for the same ones at every position.
        """
        if type(ways) is not tuple:
            ways = (ways,) if isinstance(ways, str) else tuple(ways)
        known, rays = self.board.lines_from, self.board.rays
        found = known.get((space, ways, most))
        if found is None:
            try:
                found = tuple(line for way in ways if (line := rays[way][space][:most]))
            except KeyError:
                for way in ways:
                    self.ray(space, way)  # raises an error that says why
                raise
            if len(known) < MAX_LINES:
                known[space, ways, most] = found
        return found

    # Verbs. `said`: the game's own word for what happens, the kind of the effect; empty: no effect is recorded.
    # `at`: the place of a piece in its stack, from 0 at the bottom or from -1 at the top, as an index in Python.

    def put(self, piece: Piece, space: str, said: str = "puts", at: int | None = None) -> None:
        """Put a new piece on top of a space's stack, or beneath the piece `at`.

        Raises GameError for an unknown space, or what is no piece.
        """
        pieces = self.stack(space)
        if len(pieces) >= MAX_PIECES:
            raise GameError(f"at most {MAX_PIECES:,} pieces fit on {space}")
        place = len(pieces) if at is None else self._place(space, at, 1) if pieces else 0
        self.stacks[space] = (*pieces[:place], piece, *pieces[place:])
        self._record(said, space, value=self.text_of(piece))

    def move(
        self,
        here: str,
        there: str,
        count: int = 1,
        said: str = "moves",
        via: Sequence[str] = (),
        at: int | None = None,
    ) -> None:
        """Move the topmost piece of a space, or the topmost `count` in order, onto another space.

        `via`: the spaces between, for the effect. `at`: the lowest of the pieces that move, if they aren't topmost.
        """
        pieces = self.stack(here)
        if not 1 <= count <= len(pieces):
            raise GameError(f"{count} pieces can't leave {here}, where there are {len(pieces)}")
        first = len(pieces) - count if at is None else self._place(here, at, count)
        lifted = pieces[first : first + count]
        self.stack(there)  # refuses a space that is not there, before anything moves
        self._set(here, pieces[:first] + pieces[first + count :])
        self.stacks[there] = (*self.stacks.get(there, NOTHING), *lifted)
        self._record(said, here, *via, there, value=self.text_of(lifted[0]) if count == 1 else f"{count} pieces")

    def swap(self, here: str, there: str, said: str = "moves") -> None:
        """Swap the topmost pieces of two spaces."""
        one, other = self.top(here), self.top(there)
        if one is None or other is None:
            raise GameError(f"there are no two pieces on {here} and {there}")
        self.stacks[here] = (*self.stacks[here][:-1], other)
        self.stacks[there] = (*self.stacks[there][:-1], one)
        if said == "moves":
            self._record(said, here, there, value=self.text_of(one))
            self._record(said, there, here, value=self.text_of(other))
        else:
            self._record(said, here, there, value=f"{self.text_of(one)} {self.text_of(other)}")

    def take(self, space: str, said: str = "takes", at: int = -1) -> Any:
        """Take a piece, by default the topmost, off the board and return it; do nothing and return None if the space
        is empty.
        """
        pieces = self.stack(space)
        if not pieces:
            return None
        place = len(pieces) - 1 if at == -1 else self._place(space, at, 1)
        self._set(space, pieces[:place] + pieces[place + 1 :])
        self._record(said, space, value=self.text_of(pieces[place]))
        return pieces[place]

    def capture(self, space: str, seat: int | str | None = None, said: str = "takes", at: int = -1) -> Any:
        """Move a piece, by default the topmost, to a pad, by default that of the seat whose turn it is."""
        piece = self.take(space, said, at)
        if piece is not None:
            self._pad(seat).append(piece)
        return piece

    def replace(self, space: str, piece: Piece, said: str = "turns", at: int = -1) -> None:
        """Replace a piece, by default the topmost, by another, as when a die is turned or a token is flipped."""
        pieces = self.stack(space)
        if not pieces:
            raise GameError(f"there is no piece on {space}")
        place = len(pieces) - 1 if at == -1 else self._place(space, at, 1)
        self.stacks[space] = (*pieces[:place], piece, *pieces[place + 1 :])
        self._record(said, space, value=self.text_of(piece))

    def lay(self, space: str, heading: str) -> None:
        """Lay down or turn the topmost pyramid, so that it points in a direction."""
        if heading not in self.board.rays:
            raise GameError(f"{short_repr(heading)} is no direction of this board: {', '.join(self.board.rays)}")
        self._head(space, heading)

    def stand(self, space: str) -> None:
        """Stand the topmost pyramid up."""
        self._head(space, None)

    def keep(self, piece: Piece, seat: int | str | None = None, said: str = "keeps") -> None:
        """Put a piece on a pad, by default that of the seat whose turn it is."""
        self._pad(seat).append(piece)
        self._record_on_pad(said, seat, piece)

    def spend(self, piece: Piece, seat: int | str | None = None, said: str = "spends") -> Any:
        """Take a piece from a pad, by default that of the seat whose turn it is, and return it.

        Raises GameError if it is not there.
        """
        pad = self._pad(seat)
        try:
            pad.remove(piece)
        except ValueError:
            check_piece(piece)
            whose = (
                f"in table.{seat}"
                if isinstance(seat, str)
                else f"on the pad of seat {self.seat if seat is None else seat}"
            )
            has = shortened(", ".join(map(str, pad)) or "nothing")
            raise GameError(f"there is no {piece} {whose}, which has {has}") from None
        self._record_on_pad(said, seat, piece)
        return piece

    def remove_space(self, space: str, said: str = "closes") -> None:
        """Take an empty space of the board away: no verb reaches it, and no way leads over it. Raises GameError."""
        if self.stack(space):
            raise GameError(f"{space} can't go while pieces stand on it")
        self._gone |= {space}
        self._record(said, space)

    def add_space(self, space: str, said: str = "opens") -> None:
        """Bring a space of the board back that was taken away. Raises GameError."""
        if space not in self._gone:
            raise GameError(f"{short_repr(space)} is no space of the board that is gone")
        self._gone -= {space}
        self._record(said, space)

    def gain(self, points: int, seat: int | None = None) -> None:
        """Add to a seat's score, by default that of the seat whose turn it is. Raises GameError for part of a point."""
        seat = self.seat if seat is None else seat
        whole: Any = points
        if not isinstance(whole, Integral):
            raise GameError(f"points are whole numbers, not {short_repr(points)}")
        self.score[seat] += int(whole)
        self._record("scores", value=f"{seat}:{points:+d}")

    def say(self, kind: str, *spaces: str, value: int | str | None = None) -> None:
        """Record an effect that no verb tells by itself. `Game.look` has the words of its kind."""
        self._record(kind, *spaces, value=value)

    def end_turn(self, to: int | None = None) -> None:
        """Pass the turn to the next seat that is not out, or to `to`. Without this verb the same seat acts again."""
        self.turn += 1
        if to is not None:
            self._check_seat(to)
            self.seat = to
            return
        for step in range(1, self.players + 1):
            seat = (self.seat + step) % self.players
            if seat not in self.out:
                self.seat = seat
                return

    def eliminate(self, seat: int, said: str = "eliminates") -> None:
        """Take a seat out of the game: it no longer acts, and can't win."""
        self._check_seat(seat)
        self.out |= {seat}
        self._record(said, value=seat)

    # Chance and secrets

    def roll(self, die: int | str | Sequence[object] = 6, dice: int = 1) -> None:
        """Roll a die with a number of sides, "treehouse", or any faces. The next act is chance's, such as `die:hop`.

        Several `dice` are rolled in one act, smallest first: `roll:1335`, which `drawn` splits.
        """
        _check_dice(dice, 1)
        if dice == 1:
            self._odds = odds_of("die", faces_of(die))
        else:
            self._set_chance(MultiDraw("roll", tuple(faces_of(die)), dice, ordered=False))

    def toss(self) -> None:
        """Toss a coin. The next act is chance's, `coin:heads` or `coin:tails`."""
        self._odds = odds_of("coin", COIN)

    def draw(self, cards: Collection[object]) -> None:
        """Draw one of these at random; one listed twice is twice as likely. The next act is chance's, `draw:…`."""
        self._odds = odds_of("draw", cards)

    def deal(self, cards: Sequence[object], dice: int = 0) -> None:
        """Put these in random order. The next act is chance's: `deal:3152`, or `deal:10,2,7`.

        With `dice`, draw that many with replacement instead, like dice in a fixed order.
        """
        _check_dice(dice, 0)
        self._set_chance(MultiDraw("deal", tuple(texts_of(cards)), dice, ordered=True))

    def ask(self, choices: Mapping[int, Iterable[object]]) -> None:
        """Let seats choose in secret, each from its own choices. When all have, `Game.reveal` gets the choices."""
        for seat, of in choices.items():
            self._check_seat(seat)
            if isinstance(of, str):
                raise GameError(f"a seat chooses from a list, such as ['rock', 'paper'], not from {short_repr(of)}")
        self._asked = {seat: tuple(texts_of(of)) for seat, of in sorted(choices.items())}
        self._chosen = {}
        if not all(self._asked.values()):
            raise GameError("a seat that is asked needs something to choose from")

    def seal(self, shown: str) -> None:
        """Show only `shown` in place of the act being played and its effects, until the game is over."""
        self._sealed = shown

    @property
    def waits_for(self) -> int | None:
        """The next seat to choose in secret; None if there is none."""
        if not self._asked:
            return None
        return next((seat for seat in self._asked if seat not in self._chosen), None)

    # For the library

    def text_of(self, piece: Piece) -> str:
        """A piece in the texts of effects."""
        return self._look.text_of(piece)

    def copy(self) -> Table:
        """An independent copy, without the recorded effects."""
        duplicate = self.twin()
        values = vars(duplicate)
        for name in islice(values, len(STANDARD), None):
            if type(values[name]) in MUTABLE_TYPES:
                values[name] = copied(values[name])
        values["score"], values["_chosen"] = [*self.score], self._chosen.copy()
        values["pad"] = [pad.copy() for pad in self.pad]
        return duplicate

    def twin(self) -> Table:
        """A copy without the recorded effects that may get other stacks and pads, but shares the game's own values."""
        duplicate = object.__new__(Table)
        values = duplicate.__dict__ = vars(self).copy()
        values["stacks"], values["pad"] = self.stacks.copy(), [*self.pad]
        values["_effects"], values["_sealed"], values["_scores"], values["_unseen"] = [], "", None, {}
        return duplicate

    def order_sets(self) -> None:
        """Let the sets that the game has added iterate in a fixed order, as those of copies do."""
        values = vars(self)
        for name in ("out", "_gone", *islice(values, len(STANDARD), None)):
            if type(values[name]) in SET_TYPES:
                values[name] = in_order(values[name])

    def recorded(self) -> tuple[Effect, ...]:
        """The effects of the verbs, in order."""
        return tuple(Effect(*effect) for effect in self._effects)

    def own(self) -> dict[str, Any]:
        """The attributes that the game has added."""
        return dict(islice(vars(self).items(), len(STANDARD), None))

    def _left(self, spaces: tuple[str, ...]) -> tuple[str, ...]:
        """Spaces without those that are gone."""
        gone = self._gone
        return tuple(space for space in spaces if space not in gone) if gone else spaces

    def _place(self, space: str, at: int, count: int) -> int:
        """The index from the bottom of the lowest of `count` pieces. Raises GameError."""
        height = len(self.stack(space))
        place = at + height if at < 0 else at
        if not 0 <= place <= height - count:
            raise GameError(f"{space} has {height} pieces, and not {count} from {at}")
        return place

    def _pad(self, seat: int | str | None) -> list[Any]:
        """The pad of a seat, or the game's own list of that name. Raises GameError."""
        if not isinstance(seat, str):
            return self.pad[self.seat if seat is None else seat]
        found = vars(self).get(seat)
        if not isinstance(found, list):
            raise GameError(f"table.{seat} is no list of pieces; `start` may set table.{seat} = []")
        return found

    def _record_on_pad(self, said: str, seat: int | str | None, piece: Piece) -> None:
        """Record what comes to a pad, or goes from it: of nobody's pad only the piece."""
        owner = "" if isinstance(seat, str) else f"{self.seat if seat is None else seat}:"
        self._record(said, value=f"{owner}{self.text_of(piece)}")

    def _check_seat(self, seat: object) -> None:
        if seat not in self.seats:
            raise GameError(f"there is no seat {short_repr(seat)}; seats are 0 to {self.players - 1}")

    def _set_chance(self, several: MultiDraw) -> None:
        if several.number > MAX_OUTCOMES:
            self._several = several
        else:
            self._odds = several.odds()

    def _record(self, kind: str, *spaces: str, value: int | str | None = None) -> None:
        if kind:
            self._effects.append((kind, spaces, value))

    def _set(self, space: str, pieces: tuple[Piece, ...]) -> None:
        if pieces:
            self.stacks[space] = pieces
        else:
            del self.stacks[space]

    def _head(self, space: str, heading: str | None) -> None:
        if not isinstance(self.top(space), Pyramid):
            raise GameError(f"there is no pyramid on {space}")
        self.replace(space, self.top(space)._replace(heading=heading))


def _check_dice(dice: int, least: int) -> None:
    if not least <= dice <= MAX_DICE:
        raise GameError(f"an act of chance has {least} to {MAX_DICE:,} dice, not {dice:,}")


def _no_space(space: object) -> GameError:
    return GameError(f"there is no space {short_repr(space)}")


STANDARD = frozenset(
    (
        *("board", "players", "seat", "turn", "score", "pad", "out", "stacks"),
        *("_odds", "_several", "_asked", "_chosen", "_effects", "_sealed", "_look", "_scores", "_unseen", "_gone"),
    )
)
"""The attributes of every table, which come first."""
SET_TYPES = {set, frozenset}
MUTABLE_TYPES = {list, dict, set, frozenset, OrderedSet}


def copied(value: Any) -> Any:
    """A deep copy of a value's lists, dicts and sets, whose sets iterate in a fixed order."""
    kind = type(value)
    if kind is list:
        return [copied(item) if type(item) in MUTABLE_TYPES else item for item in value]
    if kind is dict:
        return {key: copied(item) if type(item) in MUTABLE_TYPES else item for key, item in value.items()}
    return in_order(value)
