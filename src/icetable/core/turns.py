"""Turn-based games: immutable states around the positions of the game's kernel, and the devices that it runs on."""

from __future__ import annotations

import functools
from abc import abstractmethod
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np

from icetable.core.errors import BadRecord, Fault, GameError, IllegalAction
from icetable.core.game import CHANCE, Action, Effect, Game, GameInfo, State
from icetable.core.options import check_generator, is_integer, short_repr
from icetable.kernels import defaults, jit
from icetable.kernels.layout import ACTOR, ENDED_BY, NOBODY, WINNERS, Deals, Evaluation, Features, Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from icetable.kernels.jit import Floats, Ints

rules = cast("Rules", None)  # bound for each game
MAX_DEPTH = 1000
"""Of `perft`."""
MAX_CACHED = 1 << 16
MAX_TURNS = 10**12
"""Maximum number of turns in a saved position of a game without a turn limit."""
SIZE_LETTERS: tuple[Literal["S", "M", "L"], ...] = ("S", "M", "L")
SIZE_WORDS = ("small", "medium", "large")
"""The sizes of pyramids in notations and messages, for games without their own names."""
Device = Literal["cpu", "cuda"]
"""Where many games run: on the processor, or on a GPU."""


if TYPE_CHECKING:
    pass


def read_turn(turn: object, limit: int) -> int:
    """Read the number of turns of a saved position; a `limit` of 0 means no limit. Raises BadRecord."""
    most = limit or MAX_TURNS
    if not is_integer(turn) or not 0 <= turn <= most:
        raise BadRecord(f"turn is a whole number from 0 to {most}, not {short_repr(turn)}")
    return int(turn)


class Notations(dict[int, Action]):
    """A cache of the notations of kernel acts, of limited size."""

    def __init__(self, notation: Any) -> None:
        super().__init__()
        self._notation = notation

    def __missing__(self, code: int) -> Action:
        action = Action(self._notation(code))
        if len(self) < MAX_CACHED:
            self[code] = action
        return action


class Codes(dict[str, int | None]):
    """A cache of the kernel acts of notations, of limited size."""

    def __init__(self, code: Callable[[str], int | None]) -> None:
        super().__init__()
        self._code = code

    def __missing__(self, text: str) -> int | None:
        code = self._code(text)
        if len(self) < MAX_CACHED:
            self[text] = code
        return code


def perft(state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` acts from a state.

    Each outcome of chance counts once. Sequences that the end of the game cuts short do not count. Raises GameError if
    the depth is not an integer from 0 to 1000, and for a game without turns.

    >>> import icetable
    >>> icetable.perft(icetable.load("icefrogs").start(), 2)
    36
    """
    if not isinstance(state, State):
        raise GameError(f"perft counts from a State, not from {short_repr(state)}")
    if not is_integer(depth) or not 0 <= depth <= MAX_DEPTH:
        raise GameError(f"a depth is a whole number from 0 to {MAX_DEPTH}, not {short_repr(depth)}")
    return state.game.perft(state, depth)


@jit.allocating
def is_legal(position: Ints, act: int) -> bool:
    """Whether an act is legal. The game must not be over."""
    acts = np.empty(rules.MAX_ACTS, np.int64)
    for number in range(rules.legal(position, acts)):  # noqa: SIM110 (Numba does not support generators in `any`)
        if acts[number] == act:
            return True
    return False


@jit.kernel
def count_sequences(positions: Ints, acts: Ints, left: Ints) -> int:
    """The number of sequences of exactly `len(positions)` acts from `positions[0]`.

    `positions`, `acts` and `left` are buffers with a row for each depth: a position, its legal acts, and the number of
    acts not yet tried.
    """
    last = len(positions) - 1
    if positions[0, ACTOR] == NOBODY:
        return 0
    total = 0
    depth = 0
    left[0] = rules.legal(positions[0], acts[0])
    while depth >= 0:
        if depth == last:
            total += left[depth]
            left[depth] = 0
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        deeper = depth + 1
        jit.copy(positions[depth], positions[deeper])
        rules.apply(positions[deeper], acts[depth, left[depth]])
        if positions[deeper, ACTOR] != NOBODY:
            left[deeper] = rules.legal(positions[deeper], acts[deeper])
            depth = deeper
    return total


class TurnGame(Game):
    """A turn-based game. A subclass names its kernel `rules`, and writes, judges and shows acts."""

    rules: Rules
    """The kernel, or functions like those of one."""

    evaluation: Evaluation = defaults
    """The evaluation of positions. A game without one is searched by random playouts to the end."""

    features: Features = defaults
    """The features of a learned evaluation; none by default."""

    deals: Deals = defaults
    """The exact expectation before a last act of chance; none by default."""

    learned_by: tuple[str, ...] = ()
    """The options that have separate learned weights for each value."""

    exploration: float = 0.2
    """The exploration constant of the search: smaller if the evaluation distinguishes acts by small differences. With
    learned weights, only wide visits and training use it in full.
    """

    equal_odds = False
    """Whether all outcomes of chance that `legal` lists are always equally likely: then a search tries them in turn."""

    chance_parts: tuple[str, ...] = ()
    """The things that chance draws one at a time: its acts, or the parts of acts too numerous to list."""

    compared_words: int | None = None
    """The number of leading words that are the same in equal positions; `same` compares the others. None to compare
    the descriptions of positions.
    """

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        self.notations: Notations = Notations(self.notation)
        self._codes = Codes(self.code)
        self._seats_to_act = {seat: frozenset({seat}) for seat in range(CHANCE, self.players)}
        self._seats_to_act[NOBODY] = frozenset()

    @abstractmethod
    def first_position(self) -> Ints:
        """The kernel's position before the first act."""

    @abstractmethod
    def notation(self, code: int) -> str:
        """The notation of a kernel act."""

    @abstractmethod
    def code(self, text: str) -> int | None:
        """The kernel act of a notation; None for a well-formed act without a kernel act. Raises BadNotation."""

    @abstractmethod
    def explain_fault(self, position: Ints, text: str) -> Fault:
        """The reason why the rules refuse this well-formed act of the seat that is to act. The game is not over."""

    @abstractmethod
    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[Effect, ...]:
        """The effects of an act."""

    @abstractmethod
    def describe_position(self, position: Ints) -> Any:
        """The position, JSON-able. Equal positions have equal descriptions."""

    @abstractmethod
    def read_position(self, described: Any) -> Ints:
        """Read the position from a description. Raises BadRecord."""

    @abstractmethod
    def see(self, position: Ints, seat: int | None) -> Mapping[str, Any]:
        """The game's own entries of a view."""

    def same(self, position: Ints, other: Ints) -> bool:
        """Whether two positions with the same `compared_words` are equal; True unless a game has other words."""
        return True

    def eliminated(self, position: Ints) -> list[int]:
        """The seats that are out of a running game: they can neither act nor win. Empty by default."""
        return []

    def revealed(self, position: Ints) -> Ints:
        """The position without hidden things that players have to remember. Unchanged by default."""
        return position

    def determinize(self, position: Ints, memory: int | None, rng: np.random.Generator) -> Ints:
        """A position that a player who remembers the last `memory` acts, or all, considers possible: unknown things are
        drawn at random from everything consistent with what is in sight. Unchanged by default.
        """
        return position

    def seats_to_act(self, state: TurnState) -> frozenset[int]:
        """The seats that may act: one, unless several choose in secret."""
        return self._seats_to_act[state.actor]

    def turned_to(self, position: Ints, seat: int) -> Ints:
        """The same position, where another of the seats to act acts first."""
        raise KeyError(seat)

    @property
    def setting(self) -> str:
        """The options that the learned weights depend on; "any" if one set of weights is used for all."""
        return " ".join(f"{name}={self.options[name]}" for name in self.learned_by) or "any"

    @functools.cached_property
    def weights(self) -> Floats:
        """The learned weights of `features`; empty if there are none, and the handmade `evaluation` is used."""
        return self.info.weights().get(self.setting, defaults.NO_WEIGHTS)

    @property
    def has_chance(self) -> bool:
        """Whether chance acts in this game."""
        return bool(self.chance_parts)

    @property
    def is_evaluated(self) -> bool:
        """Whether the game has an evaluation."""
        return self.evaluation is not defaults

    def rule(self, number: int) -> str:
        """The id of a rule of this game."""
        return f"{self.info.rule_prefix}-{number}"

    def start(self) -> TurnState:
        return TurnState(self, self.first_position())

    def read(self, text: str) -> int | None:
        """Like `code`, from a cache. Raises BadNotation."""
        try:
            return self._codes[text]
        except TypeError:  # not hashable, so not a string
            return self.code(text)

    def parse(self, text: str) -> Action:
        self.code(text)
        return Action(text)

    def random_act(self, state: State, rng: np.random.Generator) -> Action:
        if not isinstance(state, TurnState) or state.game != self:
            raise GameError(f"a random act is drawn at a state of this game, not at {short_repr(state)}")
        if state.is_terminal:
            raise GameError("the game is over, there is nothing left to draw")
        try:
            seed = np.array([rng.integers(1, jit.SEED_LIMIT)], np.int64)
        except AttributeError:  # checked only now, because this is the hot path of random play
            check_generator(rng)
            raise
        buffer = np.empty(self.rules.MAX_ACTS, np.int64)
        return self.act_at(state.array, int(self.rules.pick(state.array.copy(), buffer, seed)))

    def act_at(self, position: Ints, code: int) -> Action:
        """A kernel act as an `Action`: its notation, unless a draw of chance depends on the position."""
        return self.notations[code]

    def state_at(self, position: Ints) -> TurnState:
        """The state of a kernel position, int64[words], without history. Raises GameError for an invalid one."""
        first, words = self.first_position(), np.array(position)
        if words.shape != first.shape or words.dtype != first.dtype:
            form, given = f"{first.dtype}[{len(first)}]", f"{words.dtype}{list(words.shape)}"
            raise GameError(f"a position of {self.info.title} with these options is {form}, not {given}")
        try:
            state = TurnState(self, words)
            is_sound = TurnState(self, self.read_position(self.describe_position(words))) == state
        except (BadRecord, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise GameError(f"these words are not a position of {self.info.title}: {error}") from None
        if not is_sound or not self.is_whole(words):
            raise GameError(f"these words are not a position of {self.info.title}: they contradict each other")
        return state

    def is_whole(self, position: Ints) -> bool:
        """Whether the words of a position that `describe_position` leaves out are valid. True by default."""
        return True

    def _set_up(self, position: Any) -> TurnState:
        return TurnState(self, self.read_position(position))

    def list_acts(self, state: TurnState) -> list[Action]:
        """The legal acts at a state that is not terminal; by default those of the kernel."""
        return [self.notations[code] for code in state.codes()]

    def allows(self, state: TurnState, code: int, text: str) -> bool:
        """Whether the act of a notation is legal. A game may allow more than the listed acts."""
        return state.lists(code)

    @functools.cached_property
    def _is_legal(self) -> Callable[[Ints, int], bool]:
        return jit.bind(is_legal, self.info.name, rules=self.rules)

    def is_legal(self, position: Ints, code: int) -> bool:
        """Whether an act is one of the kernel's legal acts. The game is not over."""
        return bool(self._is_legal(position, code))

    def play(self, position: Ints, code: int, text: str) -> Action:
        """Play a legal act, in place, and return its notation in the log."""
        self.rules.apply(position, code)
        return self.notations[code]

    def outcomes(self, state: TurnState) -> list[tuple[Action, float]]:
        """The outcomes at a chance state with their probabilities; equally likely by default."""
        outcomes = state.legal_actions()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def part_odds(self, position: Ints, drawn: Sequence[int]) -> list[float]:
        """The probability of each of `chance_parts`, given the parts `drawn` so far for an act of chance."""
        return [1 / len(self.chance_parts)] * len(self.chance_parts)

    def act_of_parts(self, position: Ints, drawn: Sequence[int]) -> str | None:
        """The act of chance composed of drawn `chance_parts`; None if more have to be drawn."""
        return self.chance_parts[drawn[0]] if drawn else None

    @property
    def has_secrets(self) -> bool:
        """Whether players can't see the whole position, or have to remember parts of it."""
        return not self.shows_history(self.start())

    @property
    def has_secret_choices(self) -> bool:
        """Whether several seats may choose in secret at the same moment."""
        return False

    def longest(self) -> tuple[int, int] | None:
        """The maximum numbers of players' acts and of `chance_parts` in a game; None if no limit is known."""
        return None

    def max_solo_score(self) -> int | None:
        """A bound on the score of a single player; None for several players."""
        return None

    def key(self, position: Ints) -> bytes:
        """A key that identifies a position within one process and version."""
        return position.tobytes()

    def scores(self, position: Ints) -> tuple[int, ...]:
        """The points of each seat; by default 1 for a winner, else 0."""
        return tuple(int(position[WINNERS]) >> seat & 1 for seat in range(self.players))

    def perft(self, state: State, depth: int) -> int:
        assert isinstance(state, TurnState)
        if depth == 0:
            return 1
        count = jit.bind(count_sequences, self.info.name, rules=self.rules)
        positions = np.tile(state.array, (depth, 1))
        return int(count(positions, np.empty((depth, self.rules.MAX_ACTS), np.int64), np.empty(depth, np.int64)))


class TurnState(State):
    """A state of a turn-based game."""

    _game: TurnGame
    _parent: TurnState | None
    __slots__ = ("_act", "_at", "_codes", "_effects", "_game", "_parent", "_seat", "actor", "array")

    def __init__(
        self,
        game: TurnGame,
        position: Ints,
        parent: TurnState | None = None,
        act: Action | None = None,
        at: int | None = None,
    ) -> None:
        self._game = game
        self.array: Ints = position
        """The position for kernels; must not be changed."""
        self._parent = parent
        self._act = act
        self._at = at
        self.actor: int = int(position[ACTOR])
        """The seat that is to act, or CHANCE, or NOBODY."""
        self._seat = None if parent is None else parent.actor
        self._codes: list[int] | None = None
        self._effects: tuple[Effect, ...] | None = None

    @property
    def position(self) -> Ints:
        """A read-only view of the position."""
        view = self.array.view()
        view.flags.writeable = False
        return view

    @property
    def game(self) -> TurnGame:
        return self._game

    @property
    def parent(self) -> TurnState | None:
        return self._parent

    def without_history(self) -> TurnState:
        alone = TurnState(self._game, self.array, at=self._at)
        alone._codes = self._codes  # the position alone decides which acts are legal
        return alone

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.array.nbytes

    @property
    def to_act(self) -> frozenset[int]:
        return self._game.seats_to_act(self)

    def before(self, seat: int) -> TurnState:
        """The same state, where a seat that is to act acts first. Raises KeyError for another seat."""
        if seat == self.actor:
            return self
        position = self._game.turned_to(self.array, seat)
        return TurnState(self._game, position, self._parent, self._act, self._at)

    @property
    def is_terminal(self) -> bool:
        return self.actor == NOBODY

    @property
    def winners(self) -> frozenset[int]:
        winners = int(self.array[WINNERS])
        return frozenset(seat for seat in range(self._game.players) if winners >> seat & 1)

    @property
    def scores(self) -> tuple[int, ...]:
        return self._game.scores(self.array)

    @property
    def ended_by(self) -> str | None:
        return self._game.rule(int(self.array[ENDED_BY])) if self.is_terminal else None

    @property
    def effects(self) -> tuple[Effect, ...]:
        if self._effects is None:
            self._effects = ()
            if self._parent is not None and self._act is not None:
                code = self._game.read(self._act)
                assert code is not None
                self._effects = self._game.work_out_effects(self._parent.array, code, self.array)
        return self._effects

    def codes(self) -> list[int]:
        """The legal acts as kernel acts."""
        if self._codes is None:
            buffer = np.empty(self._game.rules.MAX_ACTS, np.int64)
            count = 0 if self.is_terminal else self._game.rules.legal(self.array, buffer)
            self._codes = buffer[:count].tolist()
        return self._codes

    def lists(self, code: int) -> bool:
        """Whether a kernel act is legal."""
        if self._codes is None and not self.is_terminal:
            return self._game.is_legal(self.array, code)
        return code in self.codes()

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        state = self
        if seat is not None:
            self.check_seat(seat)
            if seat != self.actor:
                if seat not in self.to_act:
                    return []
                state = self.before(seat)
        return [] if self.is_terminal else self._game.list_acts(state)

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        if self.actor != CHANCE:
            raise GameError("nothing is left to chance here")
        return self._game.outcomes(self)

    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        code = self._game.read(action)
        if self.is_terminal:
            assert self.ended_by is not None
            return Fault("game-over", "The game is over.", self.ended_by)
        if seat is not None:
            self.check_seat(seat)
            if seat not in self.to_act:
                return self._not_your_turn(seat)
            if seat != self.actor:
                return self.before(seat).fault(action)
        if code is not None and self._game.allows(self, code, action):
            return None
        return self._game.explain_fault(self.array, action)

    def _not_your_turn(self, seat: int) -> Fault:
        name, actor = ("chance" if player == CHANCE else f"seat {player}" for player in (seat, self.actor))
        return Fault("not-your-turn", f"It is not {name}'s turn but {actor}'s.", self._game.info.turn_rule)

    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> TurnState:
        code = self._game.read(action)
        if seat is not None and not is_integer(seat):
            self.check_seat(seat)
        if seat is not None and seat != self.actor and seat in self.to_act:
            return self.before(seat).apply(action, seat, at)
        if code is None or (seat is not None and seat != self.actor) or not self._game.allows(self, code, action):
            fault = self.fault(action, seat)
            assert fault is not None
            raise IllegalAction(fault)
        time = None if at is None else self._time(at)
        position = self.array.copy()
        act = self._game.play(position, code, action)
        return TurnState(self._game, position, self, act, time)

    def _see(self, seat: int | None) -> Mapping[str, Any]:
        return self._game.see(self.array, seat)

    def _comparison_key(self) -> Hashable:
        words = self._game.compared_words
        return super()._comparison_key() if words is None else self.array[:words].tobytes()

    def _same(self, other: TurnState) -> bool:
        return self.array.tobytes() == other.array.tobytes() or self._game.same(self.array, other.array)

    def _position(self) -> Any:
        return self._game.describe_position(self.array)


def determinized(state: TurnState, memory: int | None, seed: int) -> TurnState:
    """A state that a player who remembers the last `memory` acts, or all for None, considers possible. Secrets are
    drawn at random.
    """
    if state.game.shows_history(state):
        return state
    return TurnState(state.game, state.game.determinize(state.array, memory, np.random.default_rng(seed)))


def check_device(device: Device) -> None:
    """Raise GameError unless there is such a device."""
    if device not in get_args(Device):
        raise GameError(f"device can't be {short_repr(device)}; allowed: {', '.join(map(repr, get_args(Device)))}")


def cuda_for(game: TurnGame) -> Any:
    """The module `icetable.kernels.cuda`. Raises GameError that says what is missing to run a game on a GPU."""
    try:
        from icetable.kernels import cuda
    except ModuleNotFoundError as error:
        raise GameError(f"device='cuda' needs {error.name}: pip install 'icetable[cuda]'") from None
    if (reason := cuda.missing()) is not None:
        raise GameError(f"device='cuda' needs an NVIDIA GPU and its driver: {reason}")
    if not isinstance(game.rules, ModuleType):
        raise GameError(f"{game.info.title} is written in plain Python; only games with a kernel run on a GPU")
    return cuda
