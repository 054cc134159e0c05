"""The public side of Icehouse: options, acts of any seat at any time, their effects, views, and matches."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from icetable.core.errors import BadOption, Fault, GameError, IllegalAction
from icetable.core.game import CHANCE, Action, GameInfo, Paint, State, no_paint
from icetable.core.options import MAX_SECONDS, check_generator, is_integer, milliseconds, short_repr, to_units
from icetable.core.parts import Pieces
from icetable.core.realtime import Overtaken, RealTimeGame, Skill
from icetable.games.icehouse import drawing, geometry, placements, rules
from icetable.games.icehouse.policy import Policy
from icetable.games.icehouse.position import (
    NO_SEAT_NAMED,
    SIZE_LETTERS,
    Position,
    describe_position,
    explain_fault,
    is_placement,
    kind_name,
    read_act,
    read_position,
    shorten_act,
)
from icetable.games.icehouse.review import review_of
from icetable.games.icehouse.review import text as review_text
from icetable.games.icehouse.review.page import page_of
from icetable.games.icehouse.rules import SIZES
from icetable.games.icehouse.view import (
    COLOURS,
    AnyEffect,
    Captures,
    Colour,
    Crashes,
    Ends,
    FalseCall,
    Finds,
    Frees,
    Gives,
    HandsOver,
    Ices,
    Layout,
    Melts,
    Owes,
    Places,
    Renews,
    Returns,
    Rings,
    Settles,
    Spoils,
    Starts,
    View,
    Void,
)
from icetable.kernels.layout import ENDED_BY, WINNERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from icetable.core.record import Ended
    from icetable.games.icehouse.review.parts import Review
    from icetable.kernels.jit import Ints

LENGTHS = {"face": geometry.FACE_LENGTHS.tolist(), "height": geometry.HEIGHT_LENGTHS.tolist()}
"""The lengths of small, medium and large lying pieces, in thousandths of an inch (IH-4)."""
MS_PER_SECOND = 1000
GOAL = "Score pips (dots) for standing pieces nobody has iced and for attackers that ice a piece."
"""What a player is after (IH-33), as pages say it."""


def make(info: GameInfo, options: dict[str, Any]) -> Icehouse:
    return Icehouse(info, options)


class Icehouse(RealTimeGame):
    """Icehouse. `colours` are those of the seats in play."""

    views_are_equal = True

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        self.colours = COLOURS[: self.players]
        self._first = self._first_table()

    def _first_table(self) -> Ints:
        options = self.options
        table = rules.start(self.players)
        # Corners are whole thousandths, so they lie within an edge if and only if they lie within its integer part.
        table[rules.WIDTH] = int(Decimal(repr(options["width"])) * geometry.INCH)
        table[rules.HEIGHT] = int(Decimal(repr(options["height"])) * geometry.INCH)
        table[rules.LENGTHS : rules.LENGTHS + SIZES] = LENGTHS[options["length"]]
        table[rules.ALONG_RAY] = options["range"] == "ray"
        table[rules.TOLERANCE] = to_units(options["tolerance"], geometry.INCH**2)
        table[rules.CRASHES] = options["crash"] == "penalty"
        table[rules.PREVENTS] = options["meltdown"] == "prevent"
        table[rules.GIFTS] = options["false_call"] == "gift"
        table[rules.PAUSE] = to_units(options["call_pause"], MS_PER_SECOND)
        table[rules.GRACE] = to_units(options["call_grace"], MS_PER_SECOND)
        table[rules.GIFT_TIME] = to_units(options["gift_time"], MS_PER_SECOND)
        table[rules.TIMED] = options["timer"] > 0
        return table

    def start(self) -> IcehouseState:
        return IcehouseState(self, self._first, rules.empty_field())

    def parse(self, text: str) -> Action:
        self.code(text, 0)
        return Action(text)

    def code(self, text: str, seat: int | None) -> int:
        """The code of an act of a seat. Raises BadNotation."""
        owner = seat if seat is not None and is_integer(seat) and seat in range(self.players) else 0
        return read_act(text, self.colours, owner)

    def random_act(self, state: State, rng: np.random.Generator, seat: int | None = None) -> Action:
        """A random act of a seat: one that can be listed, or with a piece in hand often a placement.

        `seat` may be omitted if only one seat may act. Raises GameError when the game is over.
        """
        if not isinstance(state, IcehouseState) or state.game != self:
            raise GameError(f"a random act is drawn at a state of this game, not at {short_repr(state)}")
        if state.is_terminal:
            raise GameError("the game is over, there is nothing left to draw")
        check_generator(rng)
        listed = state.legal_actions(seat)
        acting = state.acting(seat)
        if state.hand(acting) is not None and rng.integers(2):
            listed = state.sample_placements(acting, rng, 1) or listed
        if not listed:
            raise GameError(f"seat {acting} can do nothing now")
        return listed[int(rng.integers(len(listed)))]

    def rating(self, score: int, wins: Fraction) -> Fraction:
        return rating(score, wins)

    def draw_timer(self, rng: np.random.Generator) -> float | None:
        """The time of the bell, in seconds after the last `ready`, to the millisecond (IH-31); None without a bell.

        Only the host may know it.
        """
        timer, spread = self.options["timer"], self.options["timer_spread"]
        if not timer:
            return None
        return to_units(timer * (1 + spread * (2 * rng.random() - 1)), MS_PER_SECOND) / MS_PER_SECOND

    def check_public(self) -> None:
        if not self.options["timer"]:
            raise BadOption("a table that is open to strangers needs a bell, so timer is more than 0 (IH-31)")

    def mind(self, skill: Skill, seed: int) -> Policy:
        return Policy(self.start(), self.options, skill, seed)

    def overtaken(self, state: State, action: str, seat: int, unseen: Sequence[State]) -> Overtaken | None:
        """Whether a piece would overlap only what other players placed in the positions `unseen` (IH-22)."""
        assert isinstance(state, IcehouseState)
        met = state.overlapped(self.code(action, seat), seat)
        others = {
            effect.spaces[0]: position
            for position in unseen
            if met and position.seat != seat
            for effect in position.effects
            if effect.kind == "places"
        }
        return Overtaken(others[met[0]], "IH-22", met) if met and others.keys() >= set(met) else None

    def is_placing(self, action: str) -> bool:
        return is_placement(action)

    def stops_play(self, state: State) -> bool:
        return any(effect.kind in ("finds", "false_call") for effect in state.effects)

    def review(self, state: State, ended: Ended | None = None) -> Review:
        if not isinstance(state, IcehouseState) or state.game != self:
            raise GameError(f"a state of this game is reviewed, not {short_repr(state)}")
        if not state.is_terminal and ended is None:
            raise GameError("a game is reviewed when it is over")
        states = [earlier for earlier in state.history() if isinstance(earlier, IcehouseState)]
        if not rules.has_started(state.table):
            raise GameError("play had not begun, so there is nothing to review")
        return review_of(states, None if state.is_terminal else ended)

    def review_page(self, review: Mapping[str, Any]) -> Mapping[str, Any]:
        return page_of(cast("Review", review))

    def review_lines(self, review: Mapping[str, Any], paint: Paint = no_paint) -> list[str]:
        return review_text.lines(cast("Review", review), paint)

    def pieces(self) -> Pieces:
        return Pieces(pyramids=SIZES * rules.COPIES * self.players)

    def layout(self) -> Layout:
        """The field and the pieces, in thousandths of an inch, and how placements are judged (IH-11, IH-13, IH-30)."""
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
            "gift_time": int(first[rules.GIFT_TIME]),
            "safe": rules.STASH_LIMIT,
            "goal": GOAL,
            "colours": list(self.colours),
        }

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
        return drawing.draw(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        return drawing.svg(self.layout(), view)

    def _thumbnail(self, view: Mapping[str, Any]) -> str:
        return drawing.thumbnail(self.layout(), view)

    def random_game(self, rng: np.random.Generator) -> IcehouseState:
        """A game of players who lift and place at random, capture whatever they can, and call when they notice.

        Without a bell it breaks off when no player finds room any more.
        """
        check_generator(rng)
        state, timer, tries = self.start(), self.draw_timer(rng), placements.Tries(self.players, rng)
        for seat in rng.permutation(self.players).tolist():
            state = state.apply("ready", seat, tries.next_time())
        bell = None if timer is None else tries.now + timer
        while not state.is_terminal:
            now = tries.next_time()
            if bell is not None and (now > bell or tries.no_room):
                return state.apply("bell", CHANCE, bell)
            if tries.no_room:
                break
            seat = int(rng.integers(self.players))
            act = placements.choose(state, state.legal_actions(seat), seat, rng)
            tries.count(act)
            if act is not None:
                state = state.apply(act, seat, now)
        return state

    def _set_up(self, position: Any) -> State:
        return IcehouseState(self, *read_position(self._first, self.colours, position))


class IcehouseState(Position, State):
    """A position of Icehouse and the acts that led to it."""

    _game: Icehouse
    _parent: IcehouseState | None
    __slots__ = ("_act", "_at", "_effects", "_game", "_parent", "_seat", "_to_act")

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
        super().__init__(table, field, game.colours)
        self._game = game
        self._parent = parent
        self._act = act
        self._seat = seat
        self._at = at
        self._effects: tuple[AnyEffect, ...] | None = None
        self._to_act: frozenset[int] | None = None

    @property
    def game(self) -> Icehouse:
        return self._game

    @property
    def parent(self) -> IcehouseState | None:
        return self._parent

    def without_history(self) -> IcehouseState:
        return IcehouseState(self.game, self.table, self.field, at=self.at)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.table.nbytes + self.field.nbytes

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
        """The score of each seat if the game ended now (IH-33)."""
        return tuple(int(rules.score(self.table, self.field, seat)) for seat in range(self.game.players))

    @property
    def effects(self) -> tuple[AnyEffect, ...]:
        if self._effects is None:
            self._effects = self._work_out_effects()
        return self._effects

    def _work_out_effects(self) -> tuple[AnyEffect, ...]:
        if self.parent is None:
            return ()
        assert self.act is not None
        assert self.seat is not None
        return work_out_effects(self.parent, self._code(self.act, self.seat), self.seat, self)

    def acting(self, seat: int | None) -> int:
        """The given seat, or if None the only one that may act. Raises GameError."""
        if seat is not None:
            self.check_seat(seat)
            return seat
        if len(self.to_act) != 1:
            raise GameError("several seats may act at any time, so an act needs its seat (IH-1)")
        (only,) = self.to_act
        return only

    @property
    def next_change(self) -> int | None:
        """The first millisecond after the earliest debt is due (IH-24)."""
        return min((due + 1 for due in self.deadlines.values()), default=None)

    @property
    def deadlines(self) -> dict[int, int]:
        """The last moment to pay each debt, by seat (IH-24)."""
        if self.is_terminal:
            return {}
        debts = self.table[rules.DEBT : rules.DEBT + self.game.players].tolist()
        return {seat: int(self.table[rules.DUE + seat]) for seat, debt in enumerate(debts) if debt}

    def as_of(self, at: int) -> IcehouseState:
        change = self.next_change
        if change is None or at < change:
            return self
        table = self.table.copy()
        rules.settle_debts(table, at)
        return IcehouseState(self.game, table, self.field, self.parent, self.act, self.seat, self.at)

    # Acts

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """The legal acts of a seat except placements, which are too many to list: see `sample_placements`."""
        seat = self.acting(seat) if seat is not None or not self.is_terminal else None
        if seat is None or seat not in self.to_act:
            return []
        texts = list(self._candidate_acts(seat))
        acts = np.array([read_act(text, self.colours, max(seat, 0)) for text in texts], np.int64)
        table, field, reasons = np.empty_like(self.table), self.field_with_room(), np.empty_like(acts)
        rules.judge_each(self.table, self.field, acts, seat, int(self.table[rules.CLOCK]), table, field, reasons)
        return [Action(text) for text, reason in zip(texts, reasons.tolist(), strict=True) if not reason]

    def _candidate_acts(self, seat: int) -> Iterator[str]:
        """All acts except placements that could be legal."""
        if seat == CHANCE:
            yield "bell"
            return
        colours = self.colours
        names = self.kinds_on_pad(seat)
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

    def kinds_on_pad(self, seat: int) -> list[str]:
        """The kinds of pieces on a seat's pad, in the seat's notation."""
        first = rules.pad_of(seat)
        kinds = np.flatnonzero(self.table[first : first + rules.KINDS]).tolist()
        own = f":{self.colours[seat]}"
        return [kind_name(kind, self.colours).removesuffix(own) for kind in kinds]

    def sample_placements(
        self,
        seat: int,
        rng: np.random.Generator,
        n: int,
        standing: bool | None = None,
        target: str | None = None,
    ) -> list[Action]:
        """Up to `n` random legal placements of the piece in a seat's hand; fewer if they are hard to find.

        `standing`: whether to defend or to attack (None: either). `target`: the id of the piece to attack. Defenders
        are spread evenly over the field, attackers over their targets and the directions of attack. Raises GameError
        for an unknown seat or target, or an empty hand.
        """
        self.check_seat(seat)
        if not is_integer(n) or n < 0:
            raise GameError(f"n is a whole number from 0 up, not {short_repr(n)}")
        check_generator(rng)
        return placements.sample(self, seat, rng, n, standing, target)

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        raise GameError("only the time of the bell is left to chance here, and the host decides it (IH-31)")

    def _code(self, text: str, seat: int | None) -> int:
        return self.game.code(text, seat)

    def _played(self, act: int, seat: int, at: int | None) -> tuple[int, Ints, Ints]:
        """The result of an act by the rules, and the arrays after it."""
        table, field = self.table.copy(), self.field_with_room()
        time = int(table[rules.CLOCK]) if at is None else at
        return int(rules.play(table, field, act, seat, time)), table, field

    def _seat_of(self, seat: int | None, act: int) -> int:
        """The seat as the kernel needs it. Raises GameError for a seat that is no number."""
        if seat is None:
            if rules.verb_of(act) == rules.BELL:
                return CHANCE
            return next(iter(self.to_act)) if len(self.to_act) == 1 else NO_SEAT_NAMED
        if not is_integer(seat):
            self.check_seat(seat)
        return max(-2, min(int(seat), len(self.colours)))

    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        """The reason why an act is illegal at a time (None: that of the last act), or None. Raises BadNotation."""
        act = self._code(action, seat)
        time = to_milliseconds(at)
        acting_seat = self._seat_of(seat, act)
        reason, table, field = self._played(act, acting_seat, time)
        return explain_fault(self, reason, act, acting_seat, table, field) if reason else None

    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> IcehouseState:
        act = self._code(action, seat)
        time = to_milliseconds(at)
        acting_seat = self._seat_of(seat, act)
        reason, table, field = self._played(act, acting_seat, time)
        if reason:
            raise IllegalAction(explain_fault(self, reason, act, acting_seat, table, field))
        written = Action(shorten_act(str(action), self.colours, acting_seat))
        return IcehouseState(self.game, table, field[: table[rules.COUNT]].copy(), self, written, acting_seat, time)

    # Views

    def _see(self, seat: int | None) -> View:
        table = self.table
        seats = range(self.game.players)
        return {
            "ready": rules.seats_of(table[rules.READY_SEATS]),
            "field": self.pieces(),
            "pads": [self.pad(owner) for owner in seats],
            "hands": [self.hand(owner) for owner in seats],
            "in_icehouse": rules.seats_of(table[rules.FROZEN]),
            "owed": {str(owner): self.owed(owner) for owner in seats if table[rules.DEBT + owner]},
        }

    def _comparison_key(self) -> tuple[bytes, ...]:
        return self.table[: rules.DUE].tobytes(), self.table[rules.PADS :].tobytes(), self.field.tobytes()

    def _same(self, other: IcehouseState) -> bool:
        """Whether open debts are due at the same times; due times of settled debts are stale."""
        debts, due = (slice(first, first + self.game.players) for first in (rules.DEBT, rules.DUE))
        return bool((self.table[due] == other.table[due])[self.table[debts] != rules.NO_DEBT].all())

    def _position(self) -> Any:
        return describe_position(self)


def to_milliseconds(at: object) -> int | None:
    """A time in seconds as whole milliseconds; NEVER, before all other times, if negative. Raises GameError."""
    if isinstance(at, int | float) and not isinstance(at, bool) and -MAX_SECONDS <= at < 0:
        return rules.NEVER
    return milliseconds(at)


def work_out_effects(before: Position, act: int, seat: int, after: Position) -> tuple[AnyEffect, ...]:
    """The effects of a seat's act, in order.

    Pads are named by their players' colours, pieces on the field by their ids, other pieces as in "L:red".
    """
    colours = after.colours
    effects: list[AnyEffect] = []
    table = before.table.copy()
    while (debtor := rules.first_overdue(table, int(after.table[rules.CLOCK]))) != rules.NOTHING:
        kind, receiver = rules.smallest_gift(table, debtor), rules.next_seat(table, debtor)
        rules.pass_on(table, debtor, kind, receiver)
        effects.append(Settles((colours[debtor], colours[receiver]), kind_name(kind, colours)))
    effects += effects_of_act(table, before.field, act, seat, after)
    effects += changes(before, after)
    if after.ended_by is not None:
        winners = (colour for seat, colour in enumerate(colours) if after.table[WINNERS] >> seat & 1)
        effects.append(Ends(tuple(winners), after.ended_by))
    return tuple(effects)


def effects_of_act(table: Ints, field: Ints, act: int, seat: int, after: Position) -> Sequence[AnyEffect]:
    """The effects of the act itself; `table` and `field` are as they were just before it."""
    verb, colours = rules.verb_of(act), after.colours
    if verb == rules.READY:
        return [Starts()] if rules.has_started(after.table) else []
    if verb in (rules.STAND, rules.POINT):
        return effects_of_placing(table, seat, after)
    if verb == rules.CAPTURE:
        row = rules.row_of(table, field, rules.first_of(act))
        kind = field[row, rules.COLOUR] * SIZES + field[row, rules.SIZE]
        return [Captures((f"p{rules.first_of(act)}",), kind_name(kind, colours))]
    if verb == rules.MELTDOWN:
        melted = tuple(f"p{number}" for number in sorted(ids(field) - ids(after.field)))
        return [Melts(melted, colours[rules.second_of(act)])] if melted else []
    if verb == rules.GIVE:
        kind = rules.second_of(act) * SIZES + rules.first_of(act)
        return [Gives((colours[seat], colours[rules.third_of(act)]), kind_name(kind, colours))]
    if verb == rules.BELL:
        return [Rings(), *emptied_hands(table, colours)]
    return effects_of_call(table, seat, after) if verb == rules.ICEHOUSE else []


def ids(field: Ints) -> set[int]:
    return set(field[:, rules.ID].tolist())


def effects_of_placing(table: Ints, seat: int, after: Position) -> Sequence[AnyEffect]:
    """The effects of a placement or a crash."""
    colours = after.colours
    piece = kind_name(table[rules.HAND + seat] - 1, colours)
    if after.table[rules.LAST_ID] == table[rules.LAST_ID]:
        return [Crashes((colours[seat],), piece)]
    return [Places((f"p{after.table[rules.LAST_ID]}",), piece)]


def emptied_hands(table: Ints, colours: Sequence[Colour]) -> list[Returns]:
    """The pieces that are returned from hands to pads."""
    return [
        Returns((colour,), kind_name(table[rules.HAND + seat] - 1, colours))
        for seat, colour in enumerate(colours)
        if table[rules.HAND + seat]
    ]


def effects_of_call(table: Ints, seat: int, after: Position) -> Sequence[AnyEffect]:
    """The effects of a call of icehouse: it is void, finds players, or is false."""
    colours, now = after.colours, after.table
    at, quiet_until = int(now[rules.CLOCK]), int(table[rules.QUIET_UNTIL])
    if rules.is_void(table, seat, at):
        return [Void(value=at - quiet_until + int(table[rules.GRACE]) if at <= quiet_until else None)]
    effects: list[AnyEffect] = [*emptied_hands(table, colours)]
    rules.empty_hands(table)
    found = [other for other in range(len(colours)) if (now[rules.FROZEN] & ~table[rules.FROZEN]) >> other & 1]
    for other in found:
        effects.append(Finds((colours[other],)))
        pieces = rules.on_pad(table, other)
        if other != seat and pieces:
            effects.append(HandsOver((colours[other], colours[seat]), int(pieces)))
    if not found:
        effects.append(FalseCall((colours[seat],)))
        if now[rules.DEBT + seat]:
            effects.append(Owes((colours[seat],)))
    return effects


def changes(before: Position, after: Position) -> list[Ices | Frees | Spoils | Renews]:
    """The pieces that were iced or freed, and the attacks that were spoilt or renewed."""
    earlier = dict(zip(before.field[:, rules.ID].tolist(), before.status().tolist(), strict=True))
    # A new defender is free, and a new attacker makes a valid attack (IH-12), so these are not reported.
    placed = [0 if standing else rules.IS_VALID for standing in after.field[:, rules.STANDING].tolist()]
    pieces = [
        (number, earlier.get(number, new), status)
        for number, new, status in zip(after.field[:, rules.ID].tolist(), placed, after.status().tolist(), strict=True)
    ]
    kinds = (
        (Ices, rules.IS_ICED, rules.IS_ICED),
        (Frees, rules.IS_ICED, 0),
        (Spoils, rules.IS_VALID, 0),
        (Renews, rules.IS_VALID, rules.IS_VALID),
    )
    return [
        kind((f"p{number}",))
        for kind, bit, wanted in kinds
        for number, old, new in pieces
        if (old ^ new) & bit and new & bit == wanted
    ]


def totals(games: Sequence[State]) -> tuple[int, ...]:
    """The total score of each seat (IH-35).

    Raises GameError if a game is not over, or has another number of players than the others.
    """
    check_match(games)
    return tuple(sum(scores) for scores in zip(*(game.scores for game in games), strict=True))


def ratings(games: Sequence[State]) -> tuple[Fraction, ...]:
    """The tournament rating of each seat (IH-36). Raises GameError as `totals` does."""
    return tuple(rating(total, wins_of(games, seat)) for seat, total in enumerate(totals(games)))


def rating(total: int, wins: Fraction) -> Fraction:
    """The total times the wins plus one, where shared wins count as fractions (IH-36)."""
    return total * (wins + 1)


def wins_of(games: Sequence[State], seat: int) -> Fraction:
    """The number of games that a seat has won, with shared wins as fractions."""
    return sum((Fraction(1, len(game.winners)) for game in games if seat in game.winners), Fraction())


def check_match(games: Sequence[State]) -> None:
    """Raise GameError unless these are the ends of games for the same number of players."""
    if not games or len({game.game.players for game in games}) > 1:
        raise GameError("a match is of one or more games, all for the same number of players (IH-35)")
    if not all(game.is_terminal for game in games):
        raise GameError("a match is counted when its games are over (IH-35)")
