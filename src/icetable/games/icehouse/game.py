"""The face of Icehouse: options, acts at any time by anybody, views, saved positions."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core import geometry
from icetable.core.decimals import LATEST_SECOND, is_integer, milliseconds, to_units
from icetable.core.drawing import Paint, no_paint
from icetable.core.errors import BadOption, Fault, GameError, IllegalAction
from icetable.core.game import CHANCE, Action, Effect, GameInfo, State
from icetable.core.kernel import ENDED_BY, WINNERS
from icetable.core.options import short_repr
from icetable.core.realtime import RealTimeGame, Skill
from icetable.games.icehouse import at_random, drawing, faults, match, notation, picture, proposals, rules, saved
from icetable.games.icehouse.effects import work_out_effects
from icetable.games.icehouse.mind import Mind
from icetable.games.icehouse.notation import SIZE_LETTERS, kind_name
from icetable.games.icehouse.rules import SIZES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from fractions import Fraction

    from icetable.core.jit import Ints

LENGTHS = {"face": geometry.FACE_LENGTHS.tolist(), "height": geometry.HEIGHT_LENGTHS.tolist()}
"""Of a small, medium and large piece that lies, in thousandths of an inch (IH-4)."""

SECOND = 1000


def make(info: GameInfo, options: dict[str, Any]) -> Icehouse:
    """The game under complete options."""
    return Icehouse(info, options)


class Icehouse(RealTimeGame):
    """Icehouse. `colours` are those of the seats that play."""

    sees_alike = True

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        self.colours = info.colours[: self.players]
        self._first = self._first_table()

    def _first_table(self) -> Ints:
        options = self.options
        table = rules.start(self.players)
        # Corners are whole thousandths: they lie within an edge just when they lie within its whole part.
        table[rules.WIDTH] = int(Decimal(repr(options["width"])) * geometry.INCH)
        table[rules.HEIGHT] = int(Decimal(repr(options["height"])) * geometry.INCH)
        table[rules.LENGTHS : rules.LENGTHS + SIZES] = LENGTHS[options["length"]]
        table[rules.ALONG_RAY] = options["range"] == "ray"
        table[rules.TOLERANCE] = to_units(options["tolerance"], geometry.INCH**2)
        table[rules.CRASHES] = options["crash"] == "penalty"
        table[rules.PREVENTS] = options["meltdown"] == "prevent"
        table[rules.GIFTS] = options["false_call"] == "gift"
        table[rules.PAUSE] = to_units(options["call_pause"], SECOND)
        table[rules.GRACE] = to_units(options["call_grace"], SECOND)
        table[rules.GIFT_TIME] = to_units(options["gift_time"], SECOND)
        table[rules.TIMED] = options["timer"] > 0
        return table

    def start(self) -> IcehouseState:
        return IcehouseState(self, self._first, rules.empty_field())

    def parse(self, text: str) -> Action:
        notation.read(text, self.colours, 0)
        return Action(text)

    def random_act(self, state: State, rng: np.random.Generator, seat: int | None = None) -> Action:
        """A random act of a seat: one of those that can be listed, or with a piece in hand often a placement.

        `seat` may be left out where one seat is to act. Raises GameError when the game is over.
        """
        if not isinstance(state, IcehouseState) or state.game != self:
            raise GameError(f"a random act is drawn at a state of this game, not at {short_repr(state)}")
        if state.is_terminal:
            raise GameError("the game is over, there is nothing left to draw")
        listed = state.legal_actions(seat)
        acting = state.acting(seat)
        if state.hand(acting) is not None and rng.integers(2):
            listed = state.sample_placements(acting, rng, 1) or listed
        if not listed:
            raise GameError(f"seat {acting} can do nothing now")
        return listed[int(rng.integers(len(listed)))]

    def rating(self, score: int, wins: Fraction) -> Fraction:
        return match.rating(score, wins)

    def draw_timer(self, rng: np.random.Generator) -> float | None:
        """When the bell is to ring, in seconds after the last `ready`, to the millisecond (IH-31); None for never.

        Nobody but the host may learn it.
        """
        timer, spread = self.options["timer"], self.options["timer_spread"]
        if not timer:
            return None
        return to_units(timer * (1 + spread * (2 * rng.random() - 1)), SECOND) / SECOND

    def check_public(self) -> None:
        if not self.options["timer"]:
            raise BadOption("a table that is open to strangers needs a bell, so timer is more than 0 (IH-31)")

    def mind(self, skill: Skill, seed: int) -> Mind:
        return Mind(self, skill, seed)

    def layout(self) -> dict[str, Any]:
        """The field and the pieces, in thousandths of an inch; what a placement is judged by (IH-11, IH-13, IH-30)."""
        first = self._first
        return {
            "width": int(first[rules.WIDTH]),
            "height": int(first[rules.HEIGHT]),
            "lengths": dict(zip(SIZE_LETTERS, LENGTHS[self.options["length"]], strict=True)),
            "tolerance": int(first[rules.TOLERANCE]),
            "bases": dict(zip(SIZE_LETTERS, (geometry.HALF_BASES / 4).tolist(), strict=True)),
            "along_ray": bool(first[rules.ALONG_RAY]),
            "crashes": bool(first[rules.CRASHES]),
            "prevents": bool(first[rules.PREVENTS]),
            "colours": list(self.colours),
        }

    def draw(self, view: Mapping[str, Any], touched: Collection[str] = (), paint: Paint = no_paint) -> str:
        return drawing.draw(self.layout(), view, touched, paint)

    def svg(self, view: Mapping[str, Any]) -> str:
        return picture.svg(self.layout(), view)

    def random_game(self, rng: np.random.Generator) -> IcehouseState:
        """A game of players who lift and place at random, capture what they can, and call what they see.

        It ends as games do; without a bell it breaks off when nobody finds room any more.
        """
        return at_random.play(self.start(), self.draw_timer(rng), rng)

    def _set_up(self, position: Any) -> State:
        return IcehouseState(self, *saved.read_position(self._first, self.colours, position))


class IcehouseState(State):
    """A position of Icehouse. `table` and `field` are those of `rules`."""

    game: Icehouse
    parent: IcehouseState | None
    __slots__ = ("_effects", "_to_act", "act", "at", "field", "game", "parent", "seat", "table")

    def __init__(
        self,
        game: Icehouse,
        table: Ints,
        field: Ints,
        parent: IcehouseState | None = None,
        act: Action | None = None,
        seat: int | None = None,
        at: int | None = None,
    ) -> None:
        self.game = game
        self.table = table
        self.field = field
        self.parent = parent
        self.act = act
        self.seat = seat
        self.at = at
        self._effects: tuple[Effect, ...] | None = None
        self._to_act: frozenset[int] | None = None

    def without_history(self) -> IcehouseState:
        return IcehouseState(self.game, self.table, self.field, at=self.at)

    @property
    def to_act(self) -> frozenset[int]:
        if self._to_act is None:
            self._to_act = self._acting()
        return self._to_act

    def _acting(self) -> frozenset[int]:
        table = self.table
        if table[ENDED_BY]:
            return frozenset()
        seats = range(self.game.players)
        if not rules.has_started(table):
            return frozenset(seat for seat in seats if not table[rules.READY_SEATS] >> seat & 1)
        return frozenset([*seats, CHANCE] if table[rules.TIMED] else seats)

    @property
    def is_terminal(self) -> bool:
        return bool(self.table[ENDED_BY])

    @property
    def winners(self) -> frozenset[int]:
        return frozenset(rules.seats_of(self.table[WINNERS]))

    @property
    def scores(self) -> tuple[int, ...]:
        """What each seat would score if the game ended now (IH-33)."""
        return tuple(int(rules.score(self.table, self.field, seat)) for seat in range(self.game.players))

    @property
    def ended_by(self) -> str | None:
        return f"IH-{self.table[ENDED_BY]}" if self.is_terminal else None

    @property
    def effects(self) -> tuple[Effect, ...]:
        if self._effects is None:
            self._effects = () if self.parent is None else work_out_effects(self.parent, self)
        return self._effects

    def acting(self, seat: int | None) -> int:
        """The seat that is meant: that which is to act, where none is named. Raises GameError."""
        if seat is not None:
            self.check_seat(seat)
            return seat
        if len(self.to_act) != 1:
            raise GameError("several seats may act at any time, so an act needs its seat (IH-1)")
        (only,) = self.to_act
        return only

    @property
    def next_change(self) -> int | None:
        """Just behind the moment when the first debt is settled by itself (IH-24)."""
        if self.is_terminal:
            return None
        debtors = [seat for seat in range(self.game.players) if self.table[rules.DEBT + seat]]
        return min((int(self.table[rules.DUE + seat]) + 1 for seat in debtors), default=None)

    def as_of(self, at: int) -> IcehouseState:
        if self.next_change is None or at < self.next_change:
            return self
        table = self.table.copy()
        rules.settle_debts(table, at)
        return IcehouseState(self.game, table, self.field, self.parent, self.act, self.seat, self.at)

    # Acts

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """The legal acts of a seat but for placements, of which there are too many: see `sample_placements`."""
        seat = self.acting(seat) if seat is not None or not self.is_terminal else None
        if seat is None or seat not in self.to_act:
            return []
        texts = list(self._candidates(seat))
        acts = np.array([self._code(text, seat) for text in texts], np.int64)
        table, field, reasons = np.empty_like(self.table), self._field_with_room(), np.empty_like(acts)
        rules.judge_each(self.table, self.field, acts, seat, int(self.table[rules.CLOCK]), table, field, reasons)
        return [Action(text) for text, reason in zip(texts, reasons.tolist(), strict=True) if not reason]

    def _candidates(self, seat: int) -> Iterator[str]:
        """All acts but placements that could be legal."""
        if seat == CHANCE:
            yield "bell"
            return
        colours = self.game.colours
        names = [name for name, _ in self.pad(seat)]
        if not rules.has_started(self.table):
            yield "ready"
        elif self.table[rules.DEBT + seat]:
            yield from (f"give {name} {colour}" for name in names for colour in colours)
        else:
            yield from (f"lift {name}" for name in names)
            yield "return"
            yield "icehouse"
            yield from (f"meltdown {colour}" for colour in colours)
            rows = range(self.table[rules.COUNT])
            yield from (f"capture p{self.field[row, rules.ID]}" for row in rows if self.field[row, rules.VALID])

    def pad(self, seat: int) -> list[tuple[str, int]]:
        """The kinds of pieces on a seat's pad as that seat writes them, and how many there are of each."""
        colours = self.game.colours
        counted = self.table[rules.pad_of(seat) : rules.pad_of(seat) + len(colours) * SIZES].tolist()
        return [
            (notation.usual(f"lift {kind_name(kind, colours)}", colours, seat)[5:], count)
            for kind, count in enumerate(counted)
            if count
        ]

    def hand(self, seat: int) -> str | None:
        """The piece in a seat's hand, such as "L:red"."""
        held = int(self.table[rules.HAND + seat]) if seat >= 0 else 0
        return kind_name(held - 1, self.game.colours) if held else None

    def owed(self, seat: int) -> str | None:
        """The piece that a debtor has crashed with; None for one who may choose."""
        debt = int(self.table[rules.DEBT + seat])
        return kind_name(debt - rules.CRASHED, self.game.colours) if debt >= rules.CRASHED else None

    def sample_placements(
        self,
        seat: int,
        rng: np.random.Generator,
        n: int,
        standing: bool | None = None,
        target: str | None = None,
    ) -> list[Action]:
        """Up to `n` random legal placements of the piece in a seat's hand; fewer where they are hard to find.

        `standing` says whether it shall defend or attack (None: either), `target` names the piece to be attacked.
        Defenders are spread evenly over the field, attackers over their targets and the ways to lie before them.
        Raises GameError for no seat, no piece in hand, or no such target.
        """
        self.check_seat(seat)
        if not is_integer(n) or n < 0:
            raise GameError(f"n is a whole number from 0 up, not {short_repr(n)}")
        return proposals.sample(self, seat, rng, n, standing, target)

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        raise GameError("nothing is left to chance here but when the bell rings, and that the host decides (IH-31)")

    def _code(self, text: str, seat: int | None) -> int:
        owner = seat if seat is not None and is_integer(seat) and seat in range(self.game.players) else 0
        return notation.read(text, self.game.colours, owner)

    def _played(self, act: int, seat: int, at: int | None) -> tuple[int, Ints, Ints]:
        """What the rules say of an act, and the arrays after it."""
        table, field = self.table.copy(), self._field_with_room()
        field[:-1] = self.field
        time = int(table[rules.CLOCK]) if at is None else at
        return int(rules.play(table, field, act, seat, time)), table, field

    def _field_with_room(self) -> Ints:
        return np.empty((len(self.field) + 1, rules.ROW_WORDS), np.int64)

    def _asking(self, seat: int | None, act: int) -> int:
        """The number of a seat for the kernel. Raises GameError for what is no number."""
        if seat is None:
            if rules.verb_of(act) == rules.BELL:
                return CHANCE
            return next(iter(self.to_act)) if len(self.to_act) == 1 else faults.NOBODY
        if not is_integer(seat):
            self.check_seat(seat)
        return max(-2, min(int(seat), len(self.game.colours)))

    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        """Why the rules refuse an act at a time (None: at that of the last act), or None. Raises BadNotation."""
        act = self._code(action, seat)
        time = moment(at)
        asking = self._asking(seat, act)
        reason, table, field = self._played(act, asking, time)
        return faults.explain(self, reason, act, asking, table, field) if reason else None

    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> IcehouseState:
        act = self._code(action, seat)
        time = moment(at)
        asking = self._asking(seat, act)
        reason, table, field = self._played(act, asking, time)
        if reason:
            raise IllegalAction(faults.explain(self, reason, act, asking, table, field))
        written = Action(notation.usual(str(action), self.game.colours, asking))
        return IcehouseState(self.game, table, field[: table[rules.COUNT]].copy(), self, written, asking, time)

    # What there is to see

    def _see(self, seat: int | None) -> dict[str, Any]:
        table = self.table
        seats = range(self.game.players)
        return {
            "ready": rules.seats_of(table[rules.READY_SEATS]),
            "field": self.pieces(),
            "pads": [self.see_pad(one) for one in seats],
            "hands": [self.hand(one) for one in seats],
            "in_icehouse": rules.seats_of(table[rules.FROZEN]),
            "owed": {str(one): self.owed(one) for one in seats if table[rules.DEBT + one]},
        }

    def see_pad(self, seat: int) -> dict[str, dict[str, int]]:
        """What lies on a seat's pad: how many of each size, by colour."""
        pad: dict[str, dict[str, int]] = {}
        first = rules.pad_of(seat)
        for kind, count in enumerate(self.table[first : first + rules.KINDS].tolist()):
            if count:
                pad.setdefault(self.game.colours[kind // SIZES], {})[SIZE_LETTERS[kind % SIZES]] = count
        return pad

    def pieces(self) -> list[dict[str, Any]]:
        """The pieces on the field in order of placing, with their standing in the game (IH-16)."""
        rows = self.field.tolist()
        names = [f"p{words[rules.ID]}" for words in rows]
        return [
            self._see_piece(words, status, names) for words, status in zip(rows, self.status().tolist(), strict=True)
        ]

    def status(self) -> Ints:
        """What holds of each piece on the field, in the bits that `rules.see_status` knows."""
        status = np.empty(len(self.field), np.int64)
        rules.see_status(self.table, self.field, status)
        return status

    def _see_piece(self, words: list[int], status: int, names: list[str]) -> dict[str, Any]:
        standing, target = bool(words[rules.STANDING]), words[rules.TARGET]
        return {
            "id": f"p{words[rules.ID]}",
            "colour": self.game.colours[words[rules.COLOUR]],
            "size": SIZE_LETTERS[words[rules.SIZE]],
            "x": words[rules.X],
            "y": words[rules.Y],
            "heading": words[rules.HEADING] / 10,
            "standing": standing,
            "points_at": None if target == rules.NOTHING else names[target],
            "valid": None if standing else bool(status & rules.IS_VALID),
            "iced": bool(status & rules.IS_ICED) if standing else None,
            "redundant": None if standing else bool(status & rules.IS_REDUNDANT),
        }

    def _position(self) -> Any:
        return saved.describe_position(self)


def moment(at: object) -> int | None:
    """A time in seconds as whole milliseconds; NEVER, which is before all else, for times below 0. Raises GameError."""
    if isinstance(at, int | float) and not isinstance(at, bool) and -LATEST_SECOND <= at < 0:
        return rules.NEVER
    return milliseconds(at)
