"""Random legal placements, which are too many to list, and random acts, like those of people without a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import Action
from icetable.core.options import short_repr
from icetable.games.icehouse import geometry, rules
from icetable.games.icehouse.position import write_placement
from icetable.games.icehouse.rules import (
    COLOUR,
    COUNT,
    FINE,
    HAND,
    HEIGHT,
    LENGTHS,
    NOTHING,
    POINT,
    SIZE,
    SIZES,
    STAND,
    STANDING,
    WIDTH,
    X,
    Y,
    judge_placement,
    placement_of,
)
from icetable.kernels import jit
from icetable.kernels.jit import draw, kernel
from icetable.kernels.layout import CHANCE, ENDED_BY, SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from icetable.games.icehouse.position import Position
    from icetable.kernels.jit import Ints

MAX_TRIES = 60
"""The number of tries after which a kernel gives up."""
MAX_AIM_OFFSET = 90
"""The maximum offset of an attack from its target's centre, in percent of half a side."""
NO_ACT = 0
MIN_SECONDS, MAX_SECONDS = 0.3, 3.0
"""The time between two tries of any players."""
DEFEND_PROBABILITY = 0.4
"""The probability that a piece that may attack is placed to defend."""
CALL_PROBABILITY = 0.3
"""The probability of a call at a try if it would find another player."""
FALSE_CALL_PROBABILITY = 0.003
"""The probability of a call at a try if it would find nobody."""
MAX_FAILURES_PER_PLAYER = 30
"""After this many consecutive failures per player there is taken to be no room left."""


def sample(
    position: Position,
    seat: int,
    rng: np.random.Generator,
    n: int,
    standing: bool | None = None,
    target: str | None = None,
) -> list[Action]:
    """Up to `n` legal placements of the piece in a seat's hand; see `IcehouseState.sample_placements`."""
    if position.hand(seat) is None:
        raise GameError(f"seat {seat} has no piece in hand to place (IH-7)")
    row = NOTHING if target is None else row_named(position, target)
    if standing and target is not None:
        raise GameError("a standing piece attacks nothing, so it has no target (IH-9)")
    kind = int(position.table[HAND + seat]) - 1
    field = position.field_with_room()
    seed = np.array([rng.integers(1, jit.SEED_LIMIT)], np.int64)
    found = []
    for _ in range(n):
        upright = bool(rng.integers(2)) and target is None if standing is None else standing
        act = propose_stand(position.table, field, kind, seed) if upright else NO_ACT
        if not upright:
            act = propose_point(position.table, field, kind, row, seed)
        if act != NO_ACT:
            found.append(Action(write_placement(int(act))))
    return found


def row_named(position: Position, name: object) -> int:
    """The row of the standing piece with an id such as "p7". Raises GameError."""
    for row in range(len(position.field)):
        if name == f"p{position.field[row, rules.ID]}" and position.field[row, STANDING]:
            return row
    raise GameError(f"no standing piece on the field has the id {short_repr(name)} (IH-9)")


@kernel
def propose_stand(table: Ints, field: Ints, kind: int, rng: Ints) -> int:
    """A random place for a kind of piece to stand; NO_ACT if none is found."""
    for _ in range(MAX_TRIES):
        x, y = draw(rng, table[WIDTH] + 1), draw(rng, table[HEIGHT] + 1)
        act = placement_of(STAND, x, y, draw(rng, geometry.HEADINGS))
        if judge_placement(table, field, act, kind) == FINE:
            return act
    return NO_ACT


@kernel
def propose_point(table: Ints, field: Ints, kind: int, target: int, rng: Ints) -> int:
    """A random place for a kind of piece to attack from; NO_ACT if none is found.

    `target` is a row; NOTHING means a random standing piece of another colour.
    """
    count = table[COUNT]
    length = table[LENGTHS + kind % SIZES]
    for _ in range(MAX_TRIES):
        row = draw(rng, count) if target == NOTHING and count else target
        if row == NOTHING:
            return NO_ACT
        if field[row, STANDING] and field[row, COLOUR] != kind // SIZES:
            act = random_aim(field[row], length, rng)
            if judge_placement(table, field, act, kind) == FINE and field[count, rules.TARGET] == row:
                return act
    return NO_ACT


@kernel
def random_aim(target: Ints, length: int, rng: Ints) -> int:
    """A random placement of a lying piece that points roughly at a target within its range."""
    heading = draw(rng, geometry.HEADINGS)
    cosine, sine = geometry.COS[heading], geometry.SIN[heading]
    half = geometry.HALF_BASES[target[SIZE]] // 8
    aside = (draw(rng, 2 * MAX_AIM_OFFSET + 1) - MAX_AIM_OFFSET) * half // 100
    back = half + draw(rng, length) + length // 2
    x = target[X] - (back * cosine + aside * sine) // geometry.RADIUS
    y = target[Y] - (back * sine - aside * cosine) // geometry.RADIUS
    return placement_of(POINT, x, y, heading)


@kernel
def play_at_random(table: Ints, field: Ints, rng: Ints) -> int:
    """Play until all pieces are placed or no player finds room. Returns the number of acts.

    In each turn a random player captures a redundant attacker of its defenders, or otherwise lifts and places a piece,
    attacking half the time. After as many failures in a row as there are pieces the bell rings.
    """
    seats = table[SEATS]
    acts, failures = 0, 0
    for seat in range(seats):
        acts += counted(rules.play(table, field, rules.act_of(rules.READY, 0, 0, 0), seat, table[rules.CLOCK]))
    while table[ENDED_BY] == 0:
        if failures > 2 * len(field):
            acts += counted(rules.play(table, field, rules.act_of(rules.BELL, 0, 0, 0), CHANCE, table[rules.CLOCK]))
            break
        played = random_turn(table, field, draw(rng, seats), rng)
        failures = 0 if played else failures + 1
        acts += played
    return acts


@kernel
def counted(fault: int) -> int:
    """1 if an act was played, else 0."""
    return 1 if fault == FINE else 0


@kernel
def random_turn(table: Ints, field: Ints, seat: int, rng: Ints) -> int:
    """Capture an attacker, or lift a random piece and place it. Returns the number of acts, 0 for none."""
    now = table[rules.CLOCK]
    for row in range(table[COUNT]):
        if rules.is_redundant(table, field, row) and field[field[row, rules.TARGET], COLOUR] == seat:
            act = rules.act_of(rules.CAPTURE, field[row, rules.ID], 0, 0)
            return counted(rules.play(table, field, act, seat, now))
    kind = random_kind(table, seat, rng)
    if kind == NOTHING:
        return 0
    attacking = draw(rng, 2) and rules.defenders(table, field, kind // SIZES) >= rules.MIN_DEFENDERS
    act = propose_point(table, field, kind, NOTHING, rng) if attacking else propose_stand(table, field, kind, rng)
    if act == NO_ACT:
        return 0
    lifted = rules.act_of(rules.LIFT, kind % SIZES, kind // SIZES, 0)
    return counted(rules.play(table, field, lifted, seat, now)) + counted(rules.play(table, field, act, seat, now))


@kernel
def random_kind(table: Ints, seat: int, rng: Ints) -> int:
    """The kind of a random piece on a seat's pad; NOTHING if that is empty."""
    count = rules.on_pad(table, seat)
    if count == 0:
        return NOTHING
    left = draw(rng, count)
    for kind in range(rules.KINDS):
        left -= table[rules.pad_of(seat) + kind]
        if left < 0:
            return kind
    return NOTHING


class Tries:
    """The times and failures of the players' tries. `now` is in seconds since the start."""

    def __init__(self, players: int, rng: np.random.Generator) -> None:
        self.now = 0.0
        self._rng = rng
        self._failures = 0
        self._max_failures = MAX_FAILURES_PER_PLAYER * players

    def next_time(self) -> float:
        """The time of the next try, in seconds since the start."""
        self.now += self._rng.uniform(MIN_SECONDS, MAX_SECONDS)
        return self.now

    def count(self, act: str | None) -> None:
        """Count the result of a try; None: the player did nothing."""
        if act in (None, "return"):
            self._failures += 1
        elif not act.startswith("lift"):
            self._failures = 0

    @property
    def no_room(self) -> bool:
        """Whether there is taken to be no room left."""
        return self._failures > self._max_failures


def choose(position: Position, listed: Sequence[str], seat: int, rng: np.random.Generator) -> str | None:
    """The next act of a seat; None for nothing. `listed` are its legal acts other than placements."""
    urgent = [act for act in listed if act.startswith(("give", "capture"))]
    if urgent:
        return urgent[int(rng.integers(len(urgent)))]
    others = (other for other in range(len(position.colours)) if other != seat)
    found = any(rules.is_vulnerable(position.table, position.field, other) for other in others)
    if rng.random() < (CALL_PROBABILITY if found else FALSE_CALL_PROBABILITY):
        return "icehouse"
    if position.hand(seat) is not None:
        return place(position, seat, rng)
    lifts = [act for act in listed if act.startswith("lift")]
    return lifts[int(rng.integers(len(lifts)))] if lifts else None


def place(position: Position, seat: int, rng: np.random.Generator) -> str:
    """A placement of the piece in a seat's hand, or its return to the pad."""
    kind = int(position.table[rules.HAND + seat]) - 1
    secure = rules.defenders(position.table, position.field, kind // SIZES) >= rules.MIN_DEFENDERS
    if secure and rng.random() >= DEFEND_PROBABILITY:
        attacks = sample(position, seat, rng, 1, standing=False)
        if attacks:
            return attacks[0]
    return next(iter(sample(position, seat, rng, 1, standing=True)), "return")
