"""The policy of a bot in Icehouse: it decides from views what to do; `bots.realtime` decides when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.realtime import HandMove, Opportunity
from icetable.games.icehouse import candidates, evaluation, geometry, observation, rules
from icetable.games.icehouse.notation import kind_name, write_placement
from icetable.games.icehouse.rules import HAND, NOTHING, SIZES
from icetable.kernels import jit
from icetable.kernels.jit import draw
from icetable.kernels.layout import ENDED_BY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.realtime import Skill
    from icetable.games.icehouse.position import Position
    from icetable.kernels.jit import Ints

MIN_GAIN = 0.02
"""The minimum gain of a plan over waiting."""
MIN_GAIN_ALONE = -0.4
"""The same if no other player has pieces left, and all wait for the bell."""
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
        self.gap = evaluation.MIN_GAP + 2 * skill.wobble
        self.seat = NOTHING
        self.now = 0.0
        self.started: float | None = None
        """The start of play; 0 for a player who joined later."""
        self._has_waited = False
        self.quiet_until = 0.0
        self._pieces_left = NOTHING
        self._played_at = 0.0
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
        self.table, self.field = observation.read(self._first, self.colours, view)
        if self.started is None and rules.has_started(self.table):
            self.started = now if self._has_waited else 0.0
        self._has_waited = True
        left = int(evaluation.in_reserve(self.table, self.seat))
        if left < self._pieces_left or self._pieces_left == NOTHING:
            self._played_at = now
        self._pieces_left = left
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
        number = evaluation.best_capture(self.table, self.field, self.seat, self.skill.foresight, self.skill.resolve)
        return [Opportunity(f"capture p{number}", f"capture p{number}", by_hand=True)] if number else []

    def _meltdowns(self) -> list[Opportunity]:
        colour = evaluation.best_meltdown(self.table, self.field, self.seat, self.skill.foresight, self.skill.resolve)
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
        timer, left = self.options["timer"], int(evaluation.in_reserve(self.table, self.seat))
        earliest = timer * (1 - self.options["timer_spread"]) if timer else UNTIMED_SECONDS
        spare = earliest - (self.now - (self.started or 0.0)) - TIME_RESERVE * pace * left
        if spare <= 0 or left == 0:
            return 0.0
        shares = (self.now - self._played_at) / max(spare / left, MIN_SECONDS_PER_PIECE)
        return self.skill.patience * max(0.0, min(1.0, self.skill.calm + 1.0 - shares))

    def plan(self, pace: float) -> HandMove | None:
        out = np.empty(2, np.int64)
        others = (other for other in range(len(self.colours)) if other != self.seat)
        enough = MIN_GAIN if any(evaluation.in_reserve(self.table, other) for other in others) else MIN_GAIN_ALONE
        promised = candidates.best_candidate(
            self.table,
            self.field,
            self.seat,
            self.keep(pace),
            self.skill.foresight,
            self.skill.resolve,
            self.skill.breadth,
            self.gap,
            rules.KINDS if self.skill.choice is None else self.skill.choice,
            self.home,
            self.rng,
            out,
        )
        return HandMove(int(out[0]), int(out[1])) if promised > enough else None

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
        left = [int(evaluation.in_reserve(self.table, seat)) for seat in range(len(self.colours))]
        return max(left) - left[self.seat]

    def may_want_more(self) -> bool:
        return evaluation.in_reserve(self.table, self.seat) > 0 and not self.table[ENDED_BY]

    def take(self, plan: HandMove) -> str:
        return f"lift {kind_name(plan.kind, self.colours)}"

    def put(self, plan: HandMove) -> str:
        return write_placement(self._with_error(plan.place))

    def drop(self) -> str:
        return "return"

    def _with_error(self, place: int) -> int:
        """A placement with the error of the hand, roughly normal and at most one and a half times the wobble."""
        wobble = self.skill.wobble
        x, y, heading = rules.place_of(place)
        heading = (heading + self._error(wobble // 2)) % geometry.HEADINGS
        return int(rules.placement_of(rules.verb_of(place), x + self._error(wobble), y + self._error(wobble), heading))

    def _error(self, reach: int) -> int:
        return sum(draw(self.rng, 2 * reach + 1) - reach for _ in range(3)) // 2
