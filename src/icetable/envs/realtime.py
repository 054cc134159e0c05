"""A real-time game as an environment: time advances in ticks, and in each tick all seats choose simultaneously."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np

from icetable.bots.levels import REAL_TIME_LEVELS
from icetable.bots.realtime import GRAB_SECONDS
from icetable.core.errors import Fault, GameError
from icetable.core.game import Game
from icetable.core.options import check_whole, is_integer, short_repr, to_units
from icetable.core.realtime import RealTimeGame
from icetable.envs import ticks
from icetable.envs.batch import Rewards, check_choice, read_only
from icetable.envs.rows import reward_of
from icetable.envs.spaces import Copyable, check_names
from icetable.extras.encoding import NEEDS, NO_ACT, Feature, Field, RealTimeCodec, RealTimeEncoding
from icetable.games import load
from icetable.kernels import jit
from icetable.kernels.layout import shares_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.game import Action, State
    from icetable.extras.encoding import Bytes, Reals
    from icetable.kernels.jit import Ints

Hands = Literal["human", "free"]
Choice = Literal["menu", "grid", "place"]
Bell = Literal["hidden", "fixed"]
MIN_TICK, MAX_TICK = 0.01, 10.0
"""In seconds. Within a tick each seat's act has its own millisecond."""
MAX_PLANE_SIDE = 256
PLACE_NUMBERS = ("verb", "kind", "target", "x", "y", "cosine", "sine")
NO_ACTS: Mapping[int, str | None] = {}
INITIAL_LOG_LENGTH = 256
"""Initial capacity of the log, in acts; it doubles when a game is longer."""
MS_PER_SECOND = 1000
COPIED_ATTRIBUTES = (
    "game",
    "action",
    "_bell",
    "_rewards",
    "_latency",
    "_max_cycles",
    "_opening",
    "_encoding",
    "_world",
    "_rng",
    "_picks",
)
"""Attributes that a copy takes over; the rest is rebuilt from them."""
HAND_FIELD = Field(
    "hand",
    "seconds",
    (NEEDS - 1,),
    0,
    np.inf,
    (
        Feature("take", "until the hand may lift a piece"),
        Feature("put", "until it may place or return one"),
        Feature("grab", "until it may do something quick"),
    ),
    own=True,
)


class RealTime(Copyable):
    """One real-time game, in ticks of `tick` seconds of a simulated clock.

    In each `step` every seat chooses by the observation of `latency` ticks ago; action 0 does nothing. The acts are
    applied one after another in random order, each at its own millisecond. An act that the rules refuse changes
    nothing; `fault` returns the reason. All seats are ready at the start.

    With `hands` `human` every seat is limited to the pace of the fastest bot, so that speed alone wins nothing: at
    least 0.9 s from lifting a piece to placing or returning it, 3 s from one lift to the next, and 0.4 s of rest after
    a capture or a gift. Calls take no hand. `free` only limits seats to one act per tick. `latency` is the reaction
    time in ticks: 2 with a `tick` of 0.1 are 0.2 seconds.

    `action` selects the action space:

    - `menu`: an entry of the seat's menu, which lists all acts except placements, and a random sample of placements,
      which stay while they are legal. `mask` is int8[players, entries].
    - `grid`: seven whole numbers, verb and arguments. `mask` is int8[players, verbs]; `mask_for` has the arguments.
    - `place`: seven numbers: verb, kind, target (a piece, or modulo the number of players a colour), x and y as
      fractions of the field, cosine and sine of the heading. `mask` is that of verbs.

    Without latency a mask is exact for what the rules and the hand allow at the beginning of the tick, but acts of
    other seats in the same tick may come first. For the verbs of placements it only says that a piece is in hand.
    `observation` has the arrays of `describe().fields`, float32[players, …], with what each seat may see. With latency
    it includes the seat's own last acts. `planes` adds pictures with this number of cells per side.

    `reward`: float32[players], 0 before the end; then by `rewards` the share of the game, from -1 / (players - 1) for
    none to 1 for all of it, or the points. `terminated`: whether the game is over. `truncated`: whether it was stopped
    after `max_cycles` ticks, without rewards. A `fixed` `bell` rings when the time is up, a `hidden` one earlier or
    later, as drawn by the game. The same `seed` and actions give the same game. Each step overwrites the arrays, which
    are read-only for users; copy anything that has to outlast the step.

    Raises GameError if an argument is not allowed.

    >>> from icetable.envs import RealTime
    >>> env = RealTime("icehouse", seed=1)
    >>> env.observation["entities"].shape, env.mask.shape
    ((4, 60, 17), (4, 65))
    >>> lift = next(entry for entry in env.mask[0].nonzero()[0] if env.notation(0, entry) == "lift L")
    >>> env.step([lift, 0, 0, 0])
    >>> env.now, env.state().hand(0), env.fault(0)
    (0.1, 'L:red', None)
    """

    observation: dict[str, Reals]
    """The arrays by name, float32[players, …], with what each seat may see."""
    mask: Bytes
    """The actions that are possible, int8[players, …], as `action` says."""
    reward: Reals
    """float32[players], 0 before the end."""
    terminated: bool
    """Whether the game is over."""
    truncated: bool
    """Whether the game was stopped after `max_cycles` ticks."""

    def __init__(
        self,
        game: Game | str | type,
        seed: int = 0,
        tick: float = 0.1,
        hands: Hands = "human",
        latency: int = 0,
        action: Choice = "menu",
        bell: Bell = "hidden",
        planes: int | None = None,
        rewards: Rewards = "share",
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        check_names(game, options, RealTime)
        self.game: RealTimeGame = real_time_game(game if isinstance(game, Game) else load(game, **options))
        check_whole("latency", latency, 0)
        for name, number in (("planes", planes), ("max_cycles", max_cycles)):
            if number is not None:
                check_whole(name, number, 1)
        if planes is not None and planes > MAX_PLANE_SIDE:
            raise GameError(f"planes is a whole number from 1 to {MAX_PLANE_SIDE}, not {short_repr(planes)}")
        check_tick(tick)
        for word, chosen, choices in (
            ("hands", hands, get_args(Hands)),
            ("action", action, get_args(Choice)),
            ("bell", bell, get_args(Bell)),
            ("rewards", rewards, get_args(Rewards)),
        ):
            check_choice(word, chosen, choices)
        self._bell, self._rewards, self.action = bell, rewards, action
        self._latency, self._max_cycles = int(latency), max_cycles
        self._opening = opening(self.game)
        if max_cycles is None and self.game.draw_timer(np.random.default_rng(0)) is None:
            raise GameError("a game without a bell may never end: give max_cycles, or a timer of more than 0")
        self._encoding = encoding_of(self.game, action, planes or 0, self._latency)
        self._create_world(to_units(tick, MS_PER_SECOND), hands, planes or 0)
        self._bind()
        self.reset(seed)

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in COPIED_ATTRIBUTES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()
        self._show()

    def _bind(self) -> None:
        """Create what can't be copied: kernels, and views of the arrays."""
        jit.announce_compiling()
        self._step, self._look = (
            jit.bind(kernel, self.game.info.name, codec=self._codec) for kernel in (ticks.step, ticks.look)
        )
        self._show_world()
        self._set_action_bounds()

    @property
    def _codec(self) -> RealTimeCodec:
        return cast("RealTimeCodec", self.game.info.part("encoding"))

    def _starts(self) -> tuple[dict[str, int], int]:
        """The offsets of the fields in a seat's observation, and its total length."""
        starts, words = {}, 0
        for one in self._encoding.fields:
            if one.name != "recent":
                starts[one.name], words = words, words + one.size
        return starts, words

    def _create_world(self, tick: int, hands: Hands, side: int) -> None:
        encoding, players, slots = self._encoding, self.game.players, self._latency + 1
        table, field = self._codec.arrays(self._opening)
        starts, words = self._starts()
        clock = np.zeros(ticks.CLOCK_WORDS, np.int64)
        clock[ticks.TICK] = tick
        if hands == "human":
            fastest = REAL_TIME_LEVELS[-1]
            limits = {ticks.CARRY: fastest.carry, ticks.PACE: fastest.pace, ticks.SNATCH: GRAB_SECONDS}
            for word, seconds in limits.items():
                clock[word] = to_units(seconds, MS_PER_SECOND)
        clock[ticks.HAND_PART], clock[ticks.MENU_PART] = starts["hand"], starts["hand"] + HAND_FIELD.size
        clock[ticks.PLANES_PART], clock[ticks.SIDE] = starts.get("planes", words), side
        clock[ticks.FEATURES] = len(encoding.act) if self.action == "menu" else 0
        rows = len(field)
        self._world = ticks.World(
            clock=clock,
            first=self._codec.arrays(self.game.start())[0],
            table=table,
            field=field,
            seen=table.copy(),
            status=np.zeros(rows, np.int64),
            tables=np.zeros((players + 1, len(table)), np.int64),
            fields=np.zeros((players + 1, *field.shape), np.int64),
            hands=np.zeros((players, NEEDS), np.int64),
            order=np.arange(players),
            streams=np.zeros((players + 1, 1), np.int64),
            acts=np.zeros((players, encoding.entries), np.int64),
            reasons=np.zeros((players, encoding.entries), np.int64),
            shown=np.zeros((slots, players, encoding.entries), np.int64),
            allowed=np.zeros((slots, players, encoding.entries), np.int8),
            verbs=np.zeros((slots, players, len(encoding.verbs)), np.int8),
            ids=np.zeros((slots, rows), np.int64),
            current=np.zeros((players, words), np.float32),
            rings=np.zeros((slots, players, words), np.float32),
            recent=np.zeros((players, self._latency, len(encoding.act)), np.float32),
            tried=np.zeros(players, np.int64),
            faults=np.zeros(players, np.int64),
            log=np.zeros((INITIAL_LOG_LENGTH, 3), np.int64),
        )

    def _show_world(self) -> None:
        """Expose the arrays of the game as read-only views."""
        (starts, _), world, fields = self._starts(), self._world, self._encoding.fields
        self._masks = [read_only(mask) for mask in (world.allowed if world.clock[ticks.FEATURES] else world.verbs)]
        self._views = [
            {one.name: self._view(one, ring, starts.get(one.name)) for one in fields} for ring in world.rings
        ]
        self._own = [
            word
            for one in self._encoding.fields
            if one.own
            for word in range(starts[one.name], starts[one.name] + one.size)
        ]

    def _view(self, field: Field, ring: Reals, start: int | None) -> Reals:
        if start is None:
            return read_only(self._world.recent)
        return read_only(ring[:, start : start + field.size].reshape(self.game.players, *field.shape))

    def _set_action_bounds(self) -> None:
        """Set the names and bounds of an action's numbers."""
        counts = dict(self._encoding.arguments)
        if self.action == "place":
            self._names: tuple[str, ...] = PLACE_NUMBERS
            self._min = np.array([0, 0, 0, 0, 0, -1, -1], np.float64)
            self._max = np.array([counts["verb"] - 1, counts["kind"] - 1, counts["piece"] - 1, 1, 1, 1, 1], np.float64)
        else:
            self._names = tuple(counts)
            self._min, self._max = np.zeros(len(counts), np.int64), np.array(list(counts.values())) - 1

    def describe(self) -> RealTimeEncoding:
        """The meaning of the numbers in actions and observations, including the fields that the arguments add."""
        return self._encoding

    @property
    def now(self) -> float:
        """The time since the start, in seconds."""
        return int(self._world.clock[ticks.NOW]) / MS_PER_SECOND

    @property
    def per_second(self) -> float:
        """The number of ticks per second."""
        return MS_PER_SECOND / int(self._world.clock[ticks.TICK])

    @property
    def changed(self) -> bool:
        """Whether the last tick changed anything visible except times."""
        return bool(self._world.clock[ticks.CHANGED] == self._world.clock[ticks.COUNT])

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game. Without a `seed` the random stream continues. Raises GameError for an invalid seed."""
        if seed is not None:
            check_whole("seed", seed, 0)
            self._rng = np.random.default_rng(int(seed))
            self._picks = np.random.default_rng([int(seed), 1])
        world, players = self._world, self.game.players
        world.streams[:, 0] = jit.seeds(int(self._rng.integers(1 << 62)), players + 1)
        bell = self.game.draw_timer(np.random.default_rng(int(self._rng.integers(1 << 62))))
        if bell is not None and self._bell == "fixed":
            bell = self.game.options["timer"]
        world.table[:], world.field[:] = self._codec.arrays(self._opening)
        world.clock[[ticks.NOW, ticks.COUNT, ticks.LOGGED]] = 0
        world.clock[ticks.BELL_AT] = ticks.NEVER if bell is None else to_units(bell, MS_PER_SECOND)
        for array in (world.hands, world.recent, world.faults):
            array[:] = 0
        world.order[:] = range(players)
        world.acts[:] = NO_ACT
        self._look(world)
        self._show()

    def step(self, actions: npt.ArrayLike, acts: Mapping[int, str | None] = NO_ACTS) -> None:
        """Play a tick with an action for each seat: whole numbers [players], or numbers [players, 7].

        `acts`, by seat in notation or None, override the actions of seats without the limits of `hands`, such as bots.
        Raises GameError if the array has another shape or values out of range, if an act is not one of its seat, and
        after the end. Nothing has changed then. Acts that the rules refuse do not raise: see `fault`.
        """
        checked, codes = self.checked(actions), np.full(self.game.players, ticks.BY_ACTION)
        for seat, act in acts.items():
            codes[self._seat(seat)] = NO_ACT if act is None else self._codec.read(self.game, act, seat)
        if self.terminated or self.truncated:
            raise GameError("the game is over; begin a new one with reset")
        if len(self._world.log) < self._world.clock[ticks.LOGGED] + self.game.players + 1:
            self._world = self._world._replace(log=np.concatenate((self._world.log, np.zeros_like(self._world.log))))
        self._step(checked, codes, self._world)
        self._show()

    def pick(self) -> Ints:
        """A uniformly random allowed entry of each seat's menu. Raises GameError without menus."""
        if self.action != "menu":
            raise GameError("pick draws from menus: it takes action='menu'")
        return cast("Ints", (self._picks.random(self.mask.shape) * self.mask).argmax(axis=1))

    def fault(self, seat: int) -> Fault | None:
        """Why the act of a seat in the last tick was refused; None if it was not. Raises GameError for an unknown seat.

        Its `rule` is the id of a rule, or the name of the environment's argument that imposes the restriction.
        """
        seat, world = self._seat(seat), self._world
        reason, act = int(world.faults[seat]), int(world.tried[seat])
        if reason == ticks.DONE:
            return None
        if reason == ticks.EMPTY:
            return Fault("empty-entry", "This entry of the menu is empty.", "action")
        if reason == ticks.BUSY:
            free = int(world.hands[seat, self._codec.needs(act)]) / MS_PER_SECOND
            return Fault("hand-busy", f"The hand is busy until {free:.3f} seconds after the start.", "hands")
        return self._codec.explain(self.game, reason, act, seat, world.tables[seat], world.fields[seat])

    def notation(self, seat: int, action: npt.ArrayLike) -> Action | None:
        """The act of a seat's action in the current position; None for doing nothing. Raises GameError."""
        seat = self._seat(seat)
        row = self.checked(np.asarray([action] * self.game.players))[seat]
        act = (
            self._codec.act_from(row, seat, self.game.players, self._ids) if len(row) > 1 else self._menu[seat, row[0]]
        )
        return None if act == NO_ACT else self._codec.written(self.game, int(act), seat)

    def mask_for(self, seat: int, verb: int) -> tuple[Bytes, ...]:
        """The masks of the `grid` for a verb, one for each number of an action, with that of the verb itself first.

        An argument that the verb does not use only allows 0; one whose legal values can't be known allows all. If the
        mask of verbs allows the verb and it has at most two arguments, every action that the masks allow is legal,
        except placements. Raises GameError.
        """
        seat, encoding = self._seat(seat), self._encoding
        if not is_integer(verb) or not 0 <= verb < len(encoding.verbs):
            raise GameError(f"a verb is a whole number from 0 to {len(encoding.verbs) - 1}, not {short_repr(verb)}")
        acts = [int(self._menu[seat, entry]) for entry in np.flatnonzero(self._allowed[seat])[1:]]
        acts = [act for act in acts if self._codec.verb_of(act) == verb]
        values = ({verb}, *self._codec.choices(self.game, acts, seat, self._ids.tolist()))
        masks = []
        for (name, count), allowed in zip(encoding.arguments, values, strict=True):
            mask = np.zeros(count, np.int8)
            if name in encoding.verbs[verb].arguments and not allowed:
                mask[:] = 1
            else:
                mask[sorted(allowed or {0})] = 1
            masks.append(mask)
        return tuple(masks)

    def state(self) -> State:
        """The position, without its history."""
        return self._codec.state_of(self.game, self._world.table, self._world.field)

    def record(self) -> str:
        """The record of the game so far, as in `State.record`."""
        state = self._opening
        for seat, act, at in self._world.log[: self._world.clock[ticks.LOGGED]].tolist():
            state = state.apply(self._codec.written(self.game, act, seat), seat, at / MS_PER_SECOND)
        return state.record()

    def overview(self) -> Reals:
        """The joint knowledge of all seats at this moment, for a critic: a new float32 array.

        It has what seat 0 sees, without menu and latency, and the times and hands of the other seats.
        """
        world = self._world
        return np.concatenate((world.current[0, : world.clock[ticks.MENU_PART]], world.current[1:, self._own].ravel()))

    def _seat(self, seat: int) -> int:
        if not is_integer(seat) or not 0 <= seat < self.game.players:
            raise GameError(f"a seat is a whole number from 0 to {self.game.players - 1}, not {short_repr(seat)}")
        return int(seat)

    def checked(self, actions: npt.ArrayLike) -> Ints:
        """The actions in the format of kernels. Raises GameError as `step` does."""
        given, players = np.asarray(actions), self.game.players
        if self.action == "menu":
            if given.shape != (players,) or given.dtype.kind not in "iu":
                raise GameError(f"step takes {players} whole numbers, not {short_repr(actions)}")
            if given.min() < 0 or given.max() >= self._encoding.entries:
                raise GameError(f"actions are whole numbers from 0 to {self._encoding.entries - 1}")
            return given.astype(np.int64).reshape(players, 1)
        kinds = "iu" if self.action == "grid" else "iuf"
        if given.shape != (players, len(self._max)) or given.dtype.kind not in kinds:
            numbers = "whole numbers" if self.action == "grid" else "numbers"
            raise GameError(
                f"step takes {len(self._max)} {numbers} for each of {players} seats, not {short_repr(actions)}"
            )
        if not ((given >= self._min) & (given <= self._max)).all():
            limits = ", ".join(
                f"{name} {low:g} to {high:g}"
                for name, low, high in zip(self._names, self._min.tolist(), self._max.tolist(), strict=True)
            )
            raise GameError(f"an action is out of range; allowed: {limits}")
        if self.action == "grid":
            return self._codec.read_grid(self.game, given.astype(np.int64))
        if (given[:, :3] % 1).any():
            raise GameError("verb, kind and target are whole numbers")
        whole, places = given[:, :3].astype(np.int64), given[:, 3:].astype(np.float64)
        return self._codec.read_places(self.game, whole[:, 0], whole[:, 1], whole[:, 2], places)

    def _show(self) -> None:
        """Update the public attributes after a tick."""
        world, slots = self._world, self._latency + 1
        count = int(world.clock[ticks.COUNT])
        slot = max(0, count - self._latency) % slots
        self.observation, self.mask = self._views[slot], self._masks[slot]
        self._menu, self._allowed, self._ids = world.shown[slot], world.allowed[slot], world.ids[slot]
        self.terminated = bool(self._codec.is_over(world.table))
        self.truncated = not self.terminated and count == self._max_cycles
        self.reward = self._final_reward() if self.terminated else read_only(np.zeros(self.game.players, np.float32))

    def _final_reward(self) -> Reals:
        state, players = self.state(), self.game.players
        if self._rewards == "points":
            paid = np.array(state.scores, np.float32)
        else:
            paid = np.array([reward_of(share, players) for share in shares_of(state.winners, players)], np.float32)
        return read_only(paid)


def check_tick(tick: object) -> None:
    """Raise GameError for an invalid length of a tick."""
    if isinstance(tick, bool) or not isinstance(tick, int | float) or not MIN_TICK <= tick <= MAX_TICK:
        raise GameError(f"tick is a number of seconds from {MIN_TICK} to {MAX_TICK}, not {short_repr(tick)}")


def encoding_of(game: RealTimeGame, action: Choice = "menu", side: int = 0, latency: int = 0) -> RealTimeEncoding:
    """The encoding of a game with the fields that these arguments of `RealTime` add; `side` is that of the planes."""
    encoding = cast("RealTimeCodec", game.info.part("encoding")).describe(game)
    more = [HAND_FIELD]
    if action == "menu":
        about, rows = "of each entry of the menu but doing nothing, what it is", encoding.entries - 1
        more.append(Field("menu", about, (rows, len(encoding.act)), -1, 1000, encoding.act))
    if side:
        about = "pictures of the field; rows go up from y = 0"
        more.append(Field("planes", about, (side, side, len(encoding.planes)), 0, 1, encoding.planes))
    if latency:
        about = "the own last acts, newest first; zeros for none"
        more.append(Field("recent", about, (latency, len(encoding.act)), -1, 1000, encoding.act))
    return dataclasses.replace(encoding, fields=(*encoding.fields, *more))


def real_time_game(game: Game) -> RealTimeGame:
    """Return a real-time game with an encoding. Raises GameError for any other game."""
    if not isinstance(game, RealTimeGame):
        raise GameError(f"{game.info.title} is played in turns: its environment is `icetable.envs.Batch`")
    if game.info.part("encoding") is None:
        raise GameError(f"{game.info.title} has no encoding for programs that learn")
    return game


def opening(game: RealTimeGame) -> State:
    """The position in which all seats are ready, at time 0."""
    state = game.start()
    for seat in range(game.players):
        (act,) = state.legal_actions(seat)
        state = state.apply(act, seat, 0)
    return state
