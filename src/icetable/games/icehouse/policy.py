"""The policy of a bot in Icehouse: what to do, from views, and where to place a piece; `bots.realtime` decides when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.realtime import HandMove, Opportunity
from icetable.games.icehouse import evaluation, geometry, rules
from icetable.games.icehouse.evaluation import NO_ACT
from icetable.games.icehouse.position import kind_name, read_view, write_placement
from icetable.games.icehouse.rules import COLOUR, COUNT, FINE, HAND, NOTHING, SIZES, STAND, STANDING, VALID, X, Y
from icetable.kernels import jit
from icetable.kernels.jit import allocating, draw, kernel
from icetable.kernels.layout import ENDED_BY, SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.realtime import Skill
    from icetable.games.icehouse.position import Position
    from icetable.kernels.jit import Ints

MAX_CANDIDATES = 512
FINALISTS = 10
"""Candidates that are evaluated again, with their effect on the exposure of nearby pieces."""
INFLUENCE = 2500
"""The distance within which a piece may change another's exposure, in thousandths of an inch."""
MAX_ATTACKS_PER_TARGET = 2
"""Attacks on a target that are compared, for each kind of piece."""
STANDS_PER_BREADTH, ATTACKS_PER_BREADTH = 10, 6
"""Placements tried per unit of breadth, for each kind of piece: to stand, and to attack each target."""
AIMS = 7
"""The number of points on a target's side to aim at."""
HOME_RANGE = 2000
"""The maximum distance of a piece from its player's home along each axis, in thousandths of an inch."""
BESIDE, BETWEEN, ANYWHERE, GUESSES = 3, 6, 7, 8
"""Thresholds of a random number below GUESSES that decides where a piece might stand; below BESIDE: near home."""
MIN_GAIN = 0.02
"""The minimum gain of a plan over waiting."""
MIN_GAIN_ALONE = -0.4
"""The same if no other player has pieces left, and all wait for the bell."""
STALL_SECONDS = 12.0
"""A game is stalled after this long without a placement, if a player has no pieces left."""
MIN_GAIN_STALLED = -3.0
"""The minimum gain in a stalled game, which ends when all is placed (IH-32)."""
CALL_DELAY_SECONDS = 0.01
"""The delay of a call after calls have ceased to be void."""
TIME_RESERVE = 1.3
"""The factor by which the last pieces may take longer than planned before the bell."""
UNTIMED_SECONDS = 400.0
"""The time for all pieces in a game without a bell."""
MIN_SECONDS_PER_PIECE = 4.0
"""The minimum time per piece left; otherwise each has an equal share of the time left."""
CORNER_PROBABILITY = 0.65
"""The probability that a player with full foresight settles in a corner, where pieces are hardest to reach. It falls
with the fourth power of foresight, since others gain nothing from it."""


class Policy:
    """The `Mind` of `core.realtime` for Icehouse. `first` is the position before the first act."""

    def __init__(self, first: Position, options: Mapping[str, Any], skill: Skill, seed: int) -> None:
        self.colours = first.colours
        self.options = options
        self.skill = skill
        self.rng = jit.seeds(seed, 1)
        self.gap = evaluation.MIN_GAP + 2 * skill.hand_error
        self.seat = NOTHING
        self.now = 0.0
        self.started: float | None = None
        """The start of play; 0 for a player who joined later."""
        self._has_waited = False
        self.quiet_until = 0.0
        self._left: list[int] = []
        """The number of pieces that each player has left."""
        self._played_at = self._changed_at = 0.0
        """When the player last played a piece, and when any of these numbers last changed."""
        self._first = first.table
        self.table, self.field = self._first, rules.empty_field()
        self.home = self._choose_home()

    def _choose_home(self) -> Ints:
        """The place around which the player settles: a corner, or more likely somewhere in the middle of the field."""
        sides = int(self._first[rules.WIDTH]), int(self._first[rules.HEIGHT])
        if draw(self.rng, 1000) < 1000 * CORNER_PROBABILITY * self.skill.foresight**4:
            return np.array([side * draw(self.rng, 2) for side in sides], np.int64)
        return np.array([(draw(self.rng, side + 1) + draw(self.rng, side + 1)) // 2 for side in sides], np.int64)

    def see(self, view: Mapping[str, Any], now: float) -> None:
        found_before = self.table[rules.FROZEN]
        self.seat, self.now = view["seat"], now
        self.table, self.field = read_view(self._first, self.colours, view)
        if self.started is None and rules.has_started(self.table):
            self.started = now if self._has_waited else 0.0
        self._has_waited = True
        left = [int(evaluation.in_reserve(self.table, seat)) for seat in range(len(self.colours))]
        if not self._left or left[self.seat] < self._left[self.seat]:
            self._played_at = now
        if left != self._left:
            self._left, self._changed_at = left, now
        if self.table[rules.FROZEN] != found_before:
            self.quiet_until = now + self.options["call_grace"] + CALL_DELAY_SECONDS

    @property
    def holds(self) -> bool:
        return bool(self.table[HAND + self.seat])

    def duty(self) -> str | None:
        if not rules.has_started(self.table):
            return None if self.table[rules.READY_SEATS] >> self.seat & 1 else "ready"
        return self._gift() if self.table[rules.DEBT + self.seat] else None

    def _gift(self) -> str:
        """Give the smallest piece possible, preferably a prisoner, to the rival with the fewest points, and to the
        player of its colour only as a last resort.
        """
        table, seat = self.table, self.seat
        debt = int(table[rules.DEBT + seat])
        pad = [kind for kind in range(rules.KINDS) if table[rules.pad_of(seat) + kind]]
        kinds = [debt - rules.CRASHED] if debt >= rules.CRASHED else pad
        gifts = [(kind, other) for kind in kinds for other in range(len(self.colours)) if other != seat]

        def price(gift: tuple[int, int]) -> tuple[bool, int, int]:
            kind, other = gift
            own = kind // SIZES == other
            return own, kind % SIZES + (kind // SIZES == seat), int(rules.score(table, self.field, other))

        kind, other = min(gifts, key=price)
        return f"give {kind_name(kind, self.colours)} {self.colours[other]}"

    # Opportunities

    def opportunities(self) -> list[Opportunity]:
        if self.started is None or self.table[ENDED_BY]:
            return []
        return [*self._calls(), *self._captures(), *self._meltdowns()]

    def _calls(self) -> list[Opportunity]:
        found = int(evaluation.found_by_call(self.table, self.field))
        if found >> self.seat & 1:
            return []
        victims = (self.colours[seat] for seat in rules.seats_of(found))
        return [Opportunity("icehouse", f"icehouse {victim}", False, self.quiet_until) for victim in victims]

    def _captures(self) -> list[Opportunity]:
        number = evaluation.best_capture(self.table, self.field, self.seat, self.skill.foresight, self.skill.confidence)
        return [Opportunity(f"capture p{number}", f"capture p{number}", by_hand=True)] if number else []

    def _meltdowns(self) -> list[Opportunity]:
        colour = evaluation.best_meltdown(
            self.table, self.field, self.seat, self.skill.foresight, self.skill.confidence
        )
        if colour == NOTHING:
            return []
        act = f"meltdown {self.colours[colour]}"
        return [Opportunity(act, act, by_hand=False)]

    # The hand

    def keep(self, pace: float) -> float:
        """The share of their value at which pieces kept for later count.

        It is 0 after waiting too long, and when the bell may ring soon: the bell's time is hidden, but the earliest one
        is known.
        """
        timer, left = self.options["timer"], self._left[self.seat]
        earliest = timer * (1 - self.options["timer_spread"]) if timer else UNTIMED_SECONDS
        spare = earliest - (self.now - (self.started or 0.0)) - TIME_RESERVE * pace * left
        if spare <= 0 or left == 0:
            return 0.0
        shares = (self.now - self._played_at) / max(spare / left, MIN_SECONDS_PER_PIECE)
        return self.skill.discount * max(0.0, min(1.0, self.skill.discount_start + 1.0 - shares))

    def plan(self, pace: float) -> HandMove | None:
        out = np.empty(2, np.int64)
        enough = MIN_GAIN_STALLED if self._only_delays() else MIN_GAIN
        if sum(self._left) == self._left[self.seat]:
            enough = min(enough, MIN_GAIN_ALONE)
        promised = best_candidate(
            self.table,
            self.field,
            self.seat,
            self.keep(pace),
            self.skill.foresight,
            self.skill.confidence,
            self.skill.breadth,
            self.gap,
            rules.KINDS if self.skill.choice is None else self.skill.choice,
            self.home,
            self.rng,
            out,
        )
        return HandMove(int(out[0]), int(out[1])) if promised > enough else None

    def _only_delays(self) -> bool:
        """Whether waiting only delays the end: the game is stalled, the player has nothing left that scores for it, and
        it does not lead narrowly.
        """
        if all(self._left) or self.now - self._changed_at < STALL_SECONDS:
            return False
        scores = evaluation.own_on_pad(self.table, self.seat) and not self.table[rules.FROZEN] >> self.seat & 1
        return not (scores or self._leads_narrowly())

    def _leads_narrowly(self) -> bool:
        """Whether it has the most points, and would not after a large piece scores for another player."""
        points = [int(rules.score(self.table, self.field, seat)) for seat in range(len(self.colours))]
        ahead = points.pop(self.seat) - max(points)
        return 0 <= ahead <= SIZES

    def wants(self, plan: HandMove) -> bool:
        held = int(self.table[HAND + self.seat]) - 1
        if plan.kind != held if held >= 0 else self.table[rules.pad_of(self.seat) + plan.kind] == 0:
            return False
        fault = rules.judge_placement(self.table, self.field, plan.place, plan.kind)
        if fault != rules.FINE:
            return False
        row = int(self.field[self.table[rules.COUNT], rules.TARGET])
        return row == NOTHING or not rules.is_iced(self.table, self.field, row)

    def in_danger(self) -> bool:
        return bool(evaluation.found_by_call(self.table, self.field) >> self.seat & 1)

    def lead(self) -> int:
        return max(self._left) - self._left[self.seat]

    def may_want_more(self) -> bool:
        return self._left[self.seat] > 0 and not self.table[ENDED_BY]

    def take(self, plan: HandMove) -> str:
        return f"lift {kind_name(plan.kind, self.colours)}"

    def put(self, plan: HandMove) -> str:
        return write_placement(self._with_error(plan.place))

    def drop(self) -> str:
        return "return"

    def _with_error(self, place: int) -> int:
        """A placement with the error of the hand, roughly normal and at most one and a half times the usual one."""
        usual = self.skill.hand_error
        x, y, heading = rules.place_of(place)
        heading = (heading + self._error(usual // 2)) % geometry.HEADINGS
        return int(rules.placement_of(rules.verb_of(place), x + self._error(usual), y + self._error(usual), heading))

    def _error(self, reach: int) -> int:
        return sum(draw(self.rng, 2 * reach + 1) - reach for _ in range(3)) // 2


@allocating
def best_candidate(
    table: Ints,
    field: Ints,
    seat: int,
    keep: float,
    foresight: float,
    confidence: float,
    breadth: int,
    gap: int,
    choice: int,
    home: Ints,
    rng: Ints,
    out: Ints,
) -> float:
    """Write the best kind of piece and its placement. Returns its gain over waiting.

    A piece in hand is the only one considered. `gap` is the distance that the hand needs between pieces. `choice` is
    the number of kinds of pieces to choose from, the smallest first. `home` is the x and y around which the player
    settles. Without candidates the result is negative, and nothing is written.
    """
    kinds, acts = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES, np.int64)
    gains = np.empty(MAX_CANDIDATES, np.float64)
    exposed = np.full(len(field), evaluation.UNKNOWN, np.int64)
    evaluation.evaluate_exposures(table, field, seat, exposed)
    before = evaluation.lead(table, field, seat, exposed, keep, foresight, confidence)
    found = 0
    for kind in range(table[SEATS] * SIZES):
        if is_considered(table, seat, kind, choice):
            found = add_attacks(table, field, seat, kind, breadth, gap, rng, kinds, acts, found)
            found = add_stands(table, field, seat, kind, breadth, gap, home, rng, kinds, acts, found)
    if found == 0:
        return -1.0
    for candidate in range(found):
        gains[candidate] = (
            lead_after(
                table, field, seat, kinds[candidate], acts[candidate], keep, foresight, confidence, exposed, False
            )
            - before
        )
    best, best_gain = NOTHING, -1e9
    for _ in range(min(found, FINALISTS)):
        candidate = int(gains[:found].argmax())
        gains[candidate] = -1e9
        gain = (
            lead_after(
                table, field, seat, kinds[candidate], acts[candidate], keep, foresight, confidence, exposed, True
            )
            - before
        )
        if gain > best_gain:
            best, best_gain = candidate, gain
    out[0], out[1] = kinds[best], acts[best]
    return best_gain


@kernel
def is_considered(table: Ints, seat: int, kind: int, choice: int) -> bool:
    """Whether a seat considers a kind: the one in hand, or one of the smallest `choice` kinds on its pad."""
    held = table[HAND + seat] - 1
    if held >= 0 or table[rules.pad_of(seat) + kind] == 0:
        return bool(kind == held)
    smaller = 0
    for other in range(table[SEATS] * SIZES):
        if other % SIZES < kind % SIZES and table[rules.pad_of(seat) + other]:
            smaller += 1
    return smaller < choice


@allocating
def lead_after(
    table: Ints,
    field: Ints,
    seat: int,
    kind: int,
    act: int,
    keep: float,
    foresight: float,
    confidence: float,
    exposed: Ints,
    closely: bool,
) -> float:
    """The lead of a seat after a placement; `closely`: with the new exposure of nearby pieces."""
    later, left = table.copy(), field.copy()
    if later[HAND + seat]:
        later[HAND + seat] = 0
    else:
        later[rules.pad_of(seat) + kind] -= 1
    row = later[COUNT]
    if rules.judge_placement(later, left, act, kind) != FINE:
        return -1e9
    rules.add_piece(later, left)
    seen = exposed.copy()
    if left[row, STANDING]:
        seen[row] = evaluation.exposure(later, left, row) if kind // SIZES == seat else evaluation.UNKNOWN
    if closely:
        update_exposures(later, left, seat, row, seen)
    return evaluation.lead(later, left, seat, seen, keep, foresight, confidence)


@kernel
def update_exposures(table: Ints, field: Ints, seat: int, row: int, exposed: Ints) -> None:
    """Update the exposure of nearby defenders after a placement: the player's own, and the target."""
    for other in range(row):
        near = abs(field[other, X] - field[row, X]) < INFLUENCE and abs(field[other, Y] - field[row, Y]) < INFLUENCE
        concerns = field[other, COLOUR] == seat or field[row, rules.TARGET] == other
        if field[other, STANDING] and concerns and near:
            exposed[other] = evaluation.exposure(table, field, other)


@kernel
def add_attacks(
    table: Ints,
    field: Ints,
    seat: int,
    kind: int,
    breadth: int,
    gap: int,
    rng: Ints,
    kinds: Ints,
    acts: Ints,
    found: int,
) -> int:
    """Add attacks with a kind of piece on free defenders. Returns the new number of"""
    if rules.defenders(table, field, kind // SIZES) < rules.MIN_DEFENDERS:
        return found
    length = table[rules.LENGTHS + kind % SIZES]
    for row in range(table[COUNT]):
        target = field[row]
        if not target[STANDING] or target[COLOUR] == seat or target[COLOUR] == kind // SIZES:
            continue
        missing = rules.value(field, row) + 1 - rules.attack_on(table, field, row)
        if missing <= 0 or smaller_suffices(table, seat, kind, missing):
            continue
        hits = 0
        for _ in range(breadth * ATTACKS_PER_BREADTH):
            aside = (draw(rng, AIMS) - AIMS // 2) * geometry.HALF_BASES[target[rules.SIZE]] // (8 * AIMS // 2)
            act = evaluation.attack_beside(target, length, draw(rng, geometry.HEADINGS), aside, gap)
            if act != NO_ACT and found < MAX_CANDIDATES and evaluation.hits(table, field, act, kind, row):
                kinds[found], acts[found] = kind, act
                found += 1
                hits += 1
                if hits == MAX_ATTACKS_PER_TARGET:
                    break
    return found


@kernel
def smaller_suffices(table: Ints, seat: int, kind: int, missing: int) -> bool:
    """Whether a seat that may still choose has a smaller piece of the same colour that suffices."""
    if table[HAND + seat]:
        return False
    for smaller in range(kind - kind % SIZES, kind):
        if table[rules.pad_of(seat) + smaller] and smaller % SIZES + 1 >= missing:
            return True
    return False


@kernel
def add_stands(
    table: Ints,
    field: Ints,
    seat: int,
    kind: int,
    breadth: int,
    gap: int,
    home: Ints,
    rng: Ints,
    kinds: Ints,
    acts: Ints,
    found: int,
) -> int:
    """Add places for a kind of piece to stand. Returns the new number of"""
    for _ in range(breadth * STANDS_PER_BREADTH):
        act = guess_place(table, field, seat, geometry.HALF_BASES[kind % SIZES] // 8 + 1, gap, home, rng)
        if act != NO_ACT and found < MAX_CANDIDATES and rules.judge_placement(table, field, act, kind) == FINE:
            kinds[found], acts[found] = kind, act
            found += 1
    return found


@kernel
def guess_place(table: Ints, field: Ints, seat: int, half: int, gap: int, home: Ints, rng: Ints) -> int:
    """A place where a piece with half a base of `half` might stand. It may not fit there."""
    where = draw(rng, GUESSES)
    if where < BESIDE:
        return near_home(table, home, half + gap, rng)
    if where < ANYWHERE and table[COUNT]:
        row = draw(rng, table[COUNT])
        if where < BETWEEN:
            return beside(field, row, half + gap, rng)
        for later in range(row, row + table[COUNT]):
            threat = later % table[COUNT]
            if field[threat, VALID] and field[field[threat, rules.TARGET], COLOUR] == seat:
                return between(field, threat, rng)
    return rules.placement_of(
        STAND, draw(rng, table[rules.WIDTH]), draw(rng, table[rules.HEIGHT]), draw(rng, geometry.HEADINGS)
    )


@kernel
def near_home(table: Ints, home: Ints, half: int, rng: Ints) -> int:
    """A place near a player's home; at an edge or in a corner, pieces line up along it."""
    x, y = home[0] + draw(rng, 2 * HOME_RANGE + 1) - HOME_RANGE, home[1] + draw(rng, 2 * HOME_RANGE + 1) - HOME_RANGE
    x, y = max(half, min(table[rules.WIDTH] - half, x)), max(half, min(table[rules.HEIGHT] - half, y))
    return rules.placement_of(STAND, x, y, 0)


@kernel
def beside(field: Ints, row: int, half: int, rng: Ints) -> int:
    """A place next to another piece."""
    heading = (field[row, rules.HEADING] + 900 * draw(rng, 4)) % geometry.HEADINGS
    cosine, sine = geometry.COS[heading], geometry.SIN[heading]
    reach = geometry.HALF_BASES[field[row, rules.SIZE]] // 8 + 1
    out, aside = reach + half, draw(rng, 2 * reach + 1) - reach
    x = field[row, X] + (out * cosine - aside * sine) // geometry.RADIUS
    y = field[row, Y] + (out * sine + aside * cosine) // geometry.RADIUS
    return rules.placement_of(STAND, x, y, heading)


@kernel
def between(field: Ints, row: int, rng: Ints) -> int:
    """A place on the ray of an attacker, in front of its target."""
    piece = field[row]
    numerator, denominator = geometry.entry(piece, field[piece[rules.TARGET]])
    on = draw(rng, numerator * geometry.RADIUS // max(denominator, 1) + 1)
    x = piece[geometry.TIP_X] + on * piece[geometry.DIRECTION_X] // geometry.RADIUS
    y = piece[geometry.TIP_Y] + on * piece[geometry.DIRECTION_Y] // geometry.RADIUS
    return rules.placement_of(STAND, x, y, draw(rng, geometry.HEADINGS))
