"""Many games of one kind in step: the environment that all others are made of, and the fastest."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

import numpy as np

from icetable.core import jit
from icetable.core.decimals import check_whole, is_integer
from icetable.core.errors import GameError, IllegalAction
from icetable.core.kernel import CHANCE, NOBODY, SEATS
from icetable.core.options import short_repr
from icetable.core.turns import TurnState
from icetable.envs import rows
from icetable.envs.spaces import space

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.encoding import Bytes
    from icetable.core.game import Game
    from icetable.core.jit import Ints

Autoreset = Literal["same", "next", "off"]
Illegal = Literal["raise", "lose", "ignore"]
Rewards = Literal["share", "points"]
FIRST_LOG = 64
"""The number of actions of a game for which there is room at first."""


class Batch:
    """`n` games of one kind in step.

    Each `step` plays one action in every game, then chance until a player is to act. The arrays below are written in
    place by each step and can't be written from outside; copy what has to last. Rows are games.

    `actor`: int64[n], the seat that is to act; -2 where the game is over.
    `observation`: int8[n, height, width, planes], what that seat sees. See `space(game).encoding`.
    `mask`: int8[n, actions], 1 for its legal actions.
    `reward`: float32[n, players], what the last step brought each seat: 0 before the end; then by `rewards` the share
    of the game on a scale from -1 / (players - 1) for a loss to 1 for a win alone, which adds up to 0; or the points.
    `done`: bool[n], whether the last step ended the game.
    `final_observation`: where `done`, what the seat that acted last sees at the end.
    `acts`: int64[n], the number of actions in the game so far; where `done`, in the game that ended.

    `autoreset` says when a game that is over begins again: in the `same` step, in the `next` one, whose action is then
    ignored, or never (`off`: call `reset`). `illegal` says what an illegal action does: `raise` IllegalAction before
    any game has changed, `lose` the game for its seat, or `ignore` the action. Chance draws from a stream of each row's
    own, which `seed` and the row determine: the same seed gives the same games for any `threads`.

    With `observation` None none are made. Raises GameError where an argument is not allowed.

    >>> from icetable.envs import Batch
    >>> batch = Batch("squad", 2, seed=1)
    >>> batch.observation.shape, batch.mask.sum(axis=1)
    ((2, 4, 4, 21), array([4, 4]))
    >>> batch.step(batch.pick())
    >>> batch.actor, batch.state(0).to_act
    (array([1, 1]), frozenset({1}))
    """

    actor: Ints
    observation: Bytes
    mask: Bytes
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    final_observation: Bytes
    acts: Ints

    def __init__(
        self,
        game: Game | str,
        n: int,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = "same",
        illegal: Illegal = "raise",
        rewards: Rewards = "share",
        observation: Literal["planes"] | None = "planes",
        **options: Any,
    ) -> None:
        for name, number, least in (("n", n, 1), ("seed", seed, 0), ("threads", threads, 1)):
            check_whole(name, number, least)
        for name, chosen, choices in (
            ("autoreset", autoreset, get_args(Autoreset)),
            ("illegal", illegal, get_args(Illegal)),
            ("rewards", rewards, get_args(Rewards)),
            ("observation", observation, ("planes", None)),
        ):
            check_choice(name, chosen, choices)
        self.space = space(game, **options)
        self.game = self.space.game
        self.n = int(n)
        self._illegal, self._rewards = illegal, rewards
        self._autoreset = get_args(Autoreset).index(autoreset)
        self._make_rows(int(seed), observation is not None)
        self._picked = np.zeros(self.n, np.int64)
        bound = {"rules": self.game.rules, "codec": self.space.codec}
        self._step, self._restart, self._pick = (
            jit.bind(kernel, self.game.info.name, **bound) for kernel in (rows.step, rows.restart, rows.pick)
        )
        self._threads = min(int(threads), self.n)
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self._split()
        self.reset()

    def reset(self, which: npt.ArrayLike | None = None, seed: int | None = None) -> None:
        """Begin a new game in all rows, or in the rows where bool[n] `which` is True.

        With a `seed` the streams of these rows begin anew. Raises GameError where an argument is not allowed.
        """
        chosen = np.ones(self.n, np.bool_) if which is None else np.asarray(which)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise GameError(f"reset takes an array of {self.n} bools, not {short_repr(which)}")
        if seed is not None:
            check_whole("seed", seed, 0)
            self._rows.streams[chosen] = jit.seeds(int(seed), 2 * self.n).reshape(self.n, 2)[chosen]
        self._run(self._restart, chosen)
        self._measure_room()

    def step(self, actions: npt.ArrayLike) -> None:
        """Play an action in every row: an array of `n` whole numbers.

        Raises GameError for numbers off the numbering and for an array of another shape, and where `illegal` is `raise`
        IllegalAction for an act that the rules refuse, and GameError for an act after the end. Then nothing has
        changed.
        """
        checked = self._checked(actions)
        if self._room == 0:
            self._make_room()
        self._room -= 1
        self._run(self._step, checked)
        if self._rewards == "points":
            self._pay_points()

    def pick(self) -> Ints:
        """A uniformly random legal action for each row, from streams of their own; 0 where the game is over."""
        self._run(self._pick, self._picked)
        return self._picked.copy()

    def observe(self, row: int, seat: int) -> Bytes:
        """What a seat sees of a row: int8[height, width, planes], an array of its own. Raises GameError."""
        number = self._row(row)
        if not is_integer(seat) or not 0 <= seat < self.game.players:
            raise GameError(f"a seat is a whole number from 0 to {self.game.players - 1}, not {short_repr(seat)}")
        height, width, planes = self.space.encoding.shape
        seen = np.empty((height * width, planes), np.int8)
        self.space.codec.observe(self._rows.positions[number], seat, seen)
        return seen.reshape(height, width, planes)

    def state(self, row: int, final: bool = False) -> TurnState:
        """The position of a row, without the acts that led to it; or how the last finished game of the row ended.

        Raises GameError where there is no such row or game.
        """
        number = self._row(row, final)
        return TurnState(self.game, (self._rows.finals if final else self._rows.positions)[number].copy())

    def out(self, row: int) -> list[int]:
        """The seats that are out of a row's game, which goes on. Raises GameError where there is no such row."""
        return self.game.out(self._rows.positions[self._row(row)])

    def states(self) -> list[TurnState]:
        """The position of each row."""
        return [self.state(row) for row in range(self.n)]

    def record(self, row: int, final: bool = False) -> str:
        """The record of the game in a row, as `State.record` gives it; or of the last finished game of the row.

        Raises GameError where there is no such row or game.
        """
        number = self._row(row, final)
        log = int(self._rows.current[number])
        if final and not self._is_over(number):
            log = 1 - log
        actions = self._rows.logs[number, log, : self._rows.lengths[number, log]].tolist()
        return self._replay(actions, self._rows.starts[number, log]).record()

    def _replay(self, actions: list[int], start: np.int64) -> TurnState:
        """The state that actions lead to, with chance drawing from where its stream was at the start."""
        state, stream = self.game.start(), np.array([start])
        buffer = np.empty(self.game.rules.MOST_ACTS, np.int64)
        todo = iter(actions)
        while True:
            if state.to_act == {CHANCE}:
                code = int(self.game.rules.pick(state.position.copy(), buffer, stream))
                state = state.apply(self.game.notations[code])
            elif (action := next(todo, None)) is not None and not state.is_terminal:
                state = state.apply(self.space.notation(action))
            else:
                return state

    def _checked(self, actions: npt.ArrayLike) -> Ints:
        """The actions for the kernel: -1 where the game is lost by an illegal one."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise GameError(f"step takes {self.n} whole numbers, not {short_repr(actions)}")
        checked = given.astype(np.int64)
        if checked.view(np.uint64).max() >= self.space.encoding.actions:  # where a negative number is a huge one
            raise GameError(f"actions are whole numbers from 0 to {self.space.encoding.actions - 1}")
        if self._illegal == "ignore":
            return checked
        legal = self._rows.mask[self._numbers, checked]
        if np.count_nonzero(legal) == self.n:
            return checked
        refused = legal == 0
        over = self._rows.actor == NOBODY
        if self._illegal == "lose":
            return np.where(refused & ~over, -1, checked)
        wrong = refused & ~over if self._autoreset == rows.NEXT else refused
        if wrong.any():
            self._refuse(int(wrong.argmax()), int(checked[wrong.argmax()]))
        return checked

    def _refuse(self, row: int, action: int) -> NoReturn:
        """Raise the reason why an action is illegal."""
        if self._is_over(row):
            raise GameError(f"the game in row {row} is over; begin a new one with reset")
        act = self.space.notation(action)
        fault = self.state(row).fault(act)
        assert fault is not None
        raise IllegalAction(dataclasses.replace(fault, message=f"Row {row}, {act}: {fault.message}"))

    def _pay_points(self) -> None:
        for row in np.flatnonzero(self.done):
            self._rows.reward[row] = self.game.scores(self._rows.finals[row])

    def _row(self, row: int, final: bool = False) -> int:
        """The number of a row; with `final` of one in which a game has ended. Raises GameError."""
        if not is_integer(row) or not 0 <= row < self.n:
            raise GameError(f"a row is a whole number from 0 to {self.n - 1}, not {short_repr(row)}")
        if final and not self._rows.finals[row, SEATS]:
            raise GameError(f"no game of row {row} has ended yet")
        return int(row)

    def _is_over(self, row: int) -> bool:
        return bool(self._rows.actor[row] == NOBODY)

    def _make_rows(self, seed: int, observes: bool) -> None:
        """The arrays of all rows, and what users see of them."""
        encoding, n, players = self.space.encoding, self.n, self.game.players
        first = self.game.first_position()
        cells, planes = encoding.height * encoding.width, len(encoding.planes)
        seen = n if observes else 0
        self._rows = rows.Rows(
            first=first,
            positions=np.tile(first, (n, 1)),
            finals=np.zeros((n, len(first)), np.int64),
            streams=jit.seeds(seed, 2 * n).reshape(n, 2),
            logs=np.zeros((n, 2, FIRST_LOG), np.int32),
            lengths=np.zeros((n, 2), np.int64),
            starts=np.zeros((n, 2), np.int64),
            current=np.zeros(n, np.int64),
            actor=np.full(n, NOBODY, np.int64),
            planes=np.zeros((seen, cells, planes), np.int8),
            mask=np.zeros((n, encoding.actions), np.int8),
            reward=np.zeros((n, players), np.float32),
            done=np.zeros(n, np.bool_),
            final_planes=np.zeros((seen, cells, planes), np.int8),
            acts=np.zeros(n, np.int64),
        )
        self._numbers = np.arange(n)
        self.actor, self.mask, self.reward, self.done, self.acts = (
            read_only(array)
            for array in (self._rows.actor, self._rows.mask, self._rows.reward, self._rows.done, self._rows.acts)
        )
        shape = (seen, *encoding.shape)
        self.observation = read_only(self._rows.planes.reshape(shape))
        self.final_observation = read_only(self._rows.final_planes.reshape(shape))

    def _split(self) -> None:
        """Divide the rows among the threads."""
        self._parts = []
        for number in range(self._threads):
            part = slice(self.n * number // self._threads, self.n * (number + 1) // self._threads)
            arrays = (array if name == "first" else array[part] for name, array in self._rows._asdict().items())
            buffer = np.empty(self.game.rules.MOST_ACTS, np.int64)
            self._parts.append((part, buffer, np.zeros(self.game.players), rows.Rows(*arrays)))

    def _run(self, kernel: Any, given: npt.NDArray[Any]) -> None:
        """Run a kernel over all rows; `given` has an entry for each."""
        if self._pool is None:
            _, buffer, shares, part = self._parts[0]
            kernel(given, self._autoreset, buffer, shares, part)
            return
        running = [
            self._pool.submit(kernel, given[part], self._autoreset, buffer, shares, arrays)
            for part, buffer, shares, arrays in self._parts
        ]
        for one in running:
            one.result()

    def _measure_room(self) -> None:
        """How many steps there is room for in all logs."""
        self._room = self._rows.logs.shape[2] - int(self._rows.lengths.max())

    def _make_room(self) -> None:
        self._measure_room()
        if self._room < self._rows.logs.shape[2] // 2:
            self._rows = self._rows._replace(
                logs=np.concatenate((self._rows.logs, np.zeros_like(self._rows.logs)), axis=2)
            )
            self._split()
            self._measure_room()


def check_choice(name: str, chosen: object, choices: tuple[object, ...]) -> None:
    """Raise GameError for what is none of the choices."""
    if chosen not in choices:
        raise GameError(f"{name} can't be {short_repr(chosen)}; allowed: {', '.join(map(repr, choices))}")


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view of an array that can't be written."""
    view = array.view()
    view.flags.writeable = False
    return view
