"""The games as Gymnasium environments: one seat learns, opponents play the others. Importing registers them.

>>> import gymnasium
>>> env = gymnasium.make("icetable.envs.gymnasium:icetable/Squad-v0", players=1)
>>> observation, info = env.reset(seed=1)
>>> env.action_space, observation.shape, int(info["action_mask"].sum())
(Discrete(64), (4, 4, 14), 4)
"""

from __future__ import annotations

import functools
import secrets
import sys
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from icetable.core.errors import GameError
from icetable.core.options import check_whole, short_repr
from icetable.envs.batch import Batch, check_choice, read_only
from icetable.envs.opponents import RANDOM, League, Learner, RealTimeOpponents, check_seat
from icetable.envs.policies import Model, Policy
from icetable.envs.realtime import RealTime
from icetable.envs.rendering import FPS, RenderMode, check_render_mode, frame, render_modes
from icetable.envs.spaces import (
    Copyable,
    action_space,
    arguments_of,
    check_names,
    flat_action,
    mask_name,
    observation_spaces_of,
    space,
)
from icetable.games import list_games

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("Gymnasium is not installed; install icetable[gymnasium].", name=missing.name) from None

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.game import GameInfo, State
    from icetable.core.turns import Device
    from icetable.envs.batch import Autoreset, Channels, Illegal, Rewards
    from icetable.envs.rendering import Frame
    from icetable.extras.encoding import Bytes, Reals, RealTimeEncoding
    from icetable.kernels.jit import Ints

__all__ = ["Env", "TensorVectorEnv", "TickEnv", "VectorEnv"]

ALL_ROWS = np.ones(1, np.bool_)
AUTORESETS: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.SAME_STEP: "same",
    AutoresetMode.NEXT_STEP: "next",
    AutoresetMode.DISABLED: "off",
}


class Env(gymnasium.Env["Bytes", np.int64], Copyable):
    """A turn-based game in which one seat learns.

    `seat`: the learner's seat; None draws it for each game. `opponent` plays the other seats: a named player ("random",
    "greedy", a level, "sims:N" …), a function (observation, mask, rng) -> action, or a `League`. `rewards` ("share" or
    "points") and `illegal` ("lose", "raise" or "ignore") are those of `Batch`. All other arguments are options of the
    game.

    An observation is int8[height, width, planes], as `space(game).encoding` describes it, or with `channels` "first"
    int8[planes, height, width]. `info` has the `action_mask`, int8[actions], which is 0 after the end; the `seat` of
    the learner; and the `rewards` of all seats, float32.
    `render` shows the board as the learner sees it: as text ("ansi"), on the terminal after each step ("human"), or as
    a picture, uint8[height, width, 3], as returned by `icetable.envs.frame` ("rgb_array").

    Raises GameError, UnknownGame and BadOption if an argument is not allowed.

    >>> from icetable.envs.gymnasium import Env
    >>> env = Env("icefrogs", players=2, seat=0, opponent="random")
    >>> observation, info = env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
    >>> reward, terminated, truncated, int(info["seat"])
    (0.0, False, False, 0)
    """

    metadata: dict[str, Any] = {"render_modes": render_modes(), "render_fps": FPS}  # noqa: RUF012 (as Gymnasium has it)
    """The ways of rendering, for Gymnasium."""

    def __init__(
        self,
        game: str | type,
        seat: int | None = None,
        opponent: str | Policy | League = "random",
        rewards: Rewards | None = None,
        illegal: Illegal = "lose",
        render_mode: RenderMode | None = None,
        channels: Channels = "last",
        **options: Any,
    ) -> None:
        check_names(game, options, Env)
        policy = _for_one(opponent) if callable(opponent) and not isinstance(opponent, Model) else opponent
        self._learner = Learner(game, 1, seat, policy, rewards, illegal, "off", channels, **options)
        check_render_mode(render_mode, self._learner.batch.game)
        self.render_mode = render_mode
        self.observation_space: Any
        self.action_space: Any
        self.observation_space, self.action_space = _spaces(self._learner.batch)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bytes, dict[str, Any]]:
        """Begin a new game, with the option `state` from a State of the game as in `Batch.set`.

        Raises GameError for a wrong seed, a state that can't be played on, and other options.
        """
        _check_reset(seed, options, allowed=("state",))
        super().reset(seed=seed)
        self._learner.reset(ALL_ROWS, self.np_random, (options or {}).get("state"))
        return self._observed()

    def step(self, action: np.int64 | int) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        """Play an action; then the others play until the learner is to act again or the game is over.

        Raises GameError if the number is out of range, before `reset` and after the end; if `illegal` is "raise",
        IllegalAction for an illegal action. Nothing has changed then.
        """
        self._learner.step(np.array([action]))
        observation, info = self._observed()
        return observation, float(self._learner.reward[0]), bool(self._learner.over[0]), False, info

    def action_masks(self) -> Bytes:
        """int8[actions], 1 for the legal actions. MaskablePPO of sb3-contrib calls it by this name."""
        masks: Bytes = self._learner.batch.mask[0].copy()
        return masks

    def record(self) -> str:
        """The record of the game so far, as in `State.record`, without illegal actions."""
        return self._learner.batch.record(0)

    def render(self) -> str | Frame | None:
        """Render the board as the learner sees it; None if it was written to the terminal."""
        drawn = _render_row(self._learner, 0, self.render_mode)
        if self.render_mode != "human":
            return drawn
        sys.stdout.write(f"{drawn}\n")
        return None

    def _observed(self) -> tuple[Bytes, dict[str, Any]]:
        """The learner's observation and info; with mode "human", render first."""
        if self.render_mode == "human":
            self.render()
        info = {name: values[0] for name, values in _info(self._learner).items()}
        return self._learner.batch.observation[0].copy(), info


class TickEnv(gymnasium.Env["dict[str, Reals]", Any], Copyable):
    """A real-time game in which one seat learns: a step is a tick of `icetable.envs.RealTime`.

    `seat`: the learner's seat; None draws it for each game. `opponent` plays the other seats: the bot of a level
    ("beginner", "beginner@2" …), "random", which picks from its menu and needs `action` "menu", a function, or a
    `League`; None is "random" with a menu and "beginner@2" without. Bots are limited to
    the hand speed of people, but see changes without delay. A function maps observations {name: [k, …]} and masks
    [k, …] of the k seats that it plays to k actions in the format of `RealTime`. `arguments` are those of `RealTime`
    except `seed`; it also documents actions and observations.

    An observation is a dict of the arrays of `describe().fields`. `info` has the `action_mask` of the menu, or without
    a menu the `verb_mask`, int8; the `seat` of the learner; the `rewards` of all seats, float32; and the `fault`, a
    Fault, if the last act was refused. Rendering is that of `Env`.

    Raises GameError, UnknownGame and BadOption if an argument is not allowed.

    >>> from icetable.envs.gymnasium import TickEnv
    >>> env = TickEnv("icehouse", seat=0, opponent="beginner@2", tick=0.5, timer=60.0)
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> observation["time"].tolist(), int(info["seat"]), info["action_mask"].shape
    ([0.008333333767950535], 0, (65,))
    """

    metadata: dict[str, Any] = Env.metadata
    """The ways of rendering, for Gymnasium."""

    def __init__(
        self,
        game: str | type,
        seat: int | None = None,
        opponent: str | Policy | League | None = None,
        render_mode: RenderMode | None = None,
        **arguments: Any,
    ) -> None:
        if "seed" in arguments:
            raise GameError("the seed is an argument of reset")
        own = arguments_of(RealTime)
        check_names(game, {name: one for name, one in arguments.items() if name not in own}, TickEnv, RealTime)
        self._ticks = RealTime(game, secrets.randbits(62), **arguments)
        check_render_mode(render_mode, self._ticks.game)
        check_seat(seat, self._ticks.game)
        self._fixed_seat, self._opponents = seat, RealTimeOpponents(self._ticks, opponent)
        self._seat, self._is_ready = seat or 0, False
        self.render_mode = render_mode
        self.observation_space: Any = Dict(observation_spaces_of(self._ticks.describe()))
        self.action_space: Any = action_space(self._ticks.describe(), self._ticks.action)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Reals], dict[str, Any]]:
        """Begin a new game. Raises GameError for an invalid seed and for any options."""
        _check_reset(seed, options, allowed=())
        super().reset(seed=seed)
        players = self._ticks.game.players
        self._seat = int(self.np_random.integers(players)) if self._fixed_seat is None else self._fixed_seat
        self._ticks.reset(int(self.np_random.integers(1 << 62)))
        self._opponents.begin(self._seat, self.np_random)
        self._is_ready = True
        return self._observed()

    def step(self, action: Any) -> tuple[dict[str, Reals], float, bool, bool, dict[str, Any]]:
        """Play a tick. Raises GameError for an invalid action, before `reset` and after the end."""
        if not self._is_ready:
            raise GameError("there is no game under way; begin one with reset")
        ticks, own = self._ticks, np.asarray(flat_action(self._ticks.action, action))
        actions = np.zeros((ticks.game.players, *own.shape), own.dtype)
        actions[self._seat] = own
        ticks.checked(actions)
        ticks.step(actions, self._opponents.act(actions))
        observation, info = self._observed()
        return observation, float(ticks.reward[self._seat]), ticks.terminated, ticks.truncated, info

    def describe(self) -> RealTimeEncoding:
        """The meaning of the numbers in actions and observations."""
        return self._ticks.describe()

    def action_masks(self) -> Bytes:
        """int8[entries], 1 for the allowed menu entries. MaskablePPO of sb3-contrib calls it by this name."""
        mask: Bytes = self._ticks.mask[self._seat].copy()
        return mask

    def record(self) -> str:
        """The record of the game so far, as in `State.record`."""
        return self._ticks.record()

    def render(self) -> str | Frame | None:
        """Render the field as text or as a picture; None if it was written to the terminal."""
        drawn = _render_position(self._ticks.state(), self._seat, self.render_mode)
        if self.render_mode != "human":
            return drawn
        sys.stdout.write(f"{drawn}\n")
        return None

    def _observed(self) -> tuple[dict[str, Reals], dict[str, Any]]:
        """The learner's observation and info; with mode "human", render first."""
        if self.render_mode == "human":
            self.render()
        ticks, seat = self._ticks, self._seat
        info = {mask_name(ticks.action): ticks.mask[seat].copy(), "seat": seat, "rewards": ticks.reward.copy()}
        if (fault := ticks.fault(seat)) is not None:
            info["fault"] = fault
        return {name: array[seat].copy() for name, array in ticks.observation.items()}, info


class VectorEnv(gymnasium.vector.VectorEnv["Bytes", "Ints", "npt.NDArray[Any]"], Copyable):
    """Many games of one kind in step: a vectorized `Env` for training.

    The arguments are those of `Env`. A function as opponent maps observations[k, …] and masks[k, …] of the k games
    where an opponent is to act to k actions. `threads`: the number of threads for games and named players; it does not
    affect results. The arrays in `info` have a first dimension for the games.

    `autoreset_mode`: Gymnasium's mode for restarting finished games: "NextStep", "SameStep" or "Disabled". In
    "SameStep" `final_obs` and `final_info` describe the end of the game; in "Disabled" a reset with the option
    `reset_mask`, bool[num_envs], begins new games. Without `copy` observations, final ones too, and masks are read-only
    and overwritten by the next step. `render` returns a tuple, with `render_mode` "ansi" or "rgb_array".

    Raises GameError, UnknownGame and BadOption if an argument is not allowed.

    >>> from icetable.envs.gymnasium import VectorEnv
    >>> envs = VectorEnv("squad", num_envs=8, autoreset_mode="SameStep")
    >>> observations, infos = envs.reset(seed=3)
    >>> observations, rewards, terminations, truncations, infos = envs.step(infos["action_mask"].argmax(axis=1))
    >>> observations.shape, infos["action_mask"].shape
    ((8, 4, 4, 23), (8, 64))
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        seat: int | None = None,
        opponent: str | Policy | League = "random",
        rewards: Rewards | None = None,
        illegal: Illegal = "lose",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        channels: Channels = "last",
        copy: bool = True,
        threads: int = 1,
        **options: Any,
    ) -> None:
        check_names(game, options, VectorEnv)
        check_whole("num_envs", num_envs, 1)
        check_choice("render_mode", render_mode, ("ansi", "rgb_array", None))
        self._autoreset, self.render_mode = _mode(autoreset_mode), render_mode
        self.metadata: dict[str, Any] = {
            "autoreset_mode": self._autoreset,
            "render_modes": [mode for mode in render_modes() if mode != "human"],
            "render_fps": FPS,
        }
        reset = AUTORESETS[self._autoreset]
        self._learner = Learner(game, num_envs, seat, opponent, rewards, illegal, reset, channels, threads, **options)
        check_render_mode(render_mode, self._learner.batch.game)
        self.num_envs, self._copies = num_envs, copy
        self.single_observation_space: Any
        self.single_action_space: Any
        self.single_observation_space, self.single_action_space = _spaces(self._learner.batch)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)
        self._bind()

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def _bind(self) -> None:
        """Create a view of each final observation: a copied view would not follow the copied games."""
        self._ends = _apart(read_only(self._learner.final_observation))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bytes, dict[str, Any]]:
        """Begin new games in all rows, or in those where the option `reset_mask` is True. Raises GameError."""
        _check_reset(seed, options, allowed=("reset_mask",))
        which = self._mask_of(options)
        super().reset(seed=seed)
        self._learner.reset(which, self.np_random)
        return self._seen(), self._infos()

    def step(self, actions: Ints) -> tuple[Bytes, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Play an action in every game; then the others play until the learner is to act again or the game is over.

        In "NextStep" the actions of finished games are ignored. Raises the errors of `Env.step`.
        """
        learner = self._learner
        learner.step(actions)
        infos = self._infos()
        if self._autoreset == AutoresetMode.SAME_STEP and np.count_nonzero(learner.over):
            infos |= self._finals()
        nowhere = np.zeros(self.num_envs, np.bool_)
        return self._seen(), learner.reward, learner.over.copy(), nowhere, infos

    def render(self) -> tuple[str | Frame, ...] | None:
        """Render each board as its learner sees it: as text with `render_mode` "ansi", as pictures with "rgb_array"."""
        if self.render_mode is None:
            return None
        return tuple(_render_row(self._learner, row, self.render_mode) for row in range(self.num_envs))

    def record(self, row: int, final: bool = False) -> str:
        """The record of the game in a row; with `final` that of the row's last finished game.

        Raises GameError if there is no such row or game.
        """
        return self._learner.batch.record(row, final)

    def _mask_of(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        """The rows to reset. Raises GameError."""
        if not options:
            return everywhere(self.num_envs)
        which = np.asarray(options["reset_mask"])
        if which.dtype != np.bool_ or which.shape != (self.num_envs,) or not which.any():
            raise GameError(
                f"reset_mask is an array of {self.num_envs} bools, one of them True, not {short_repr(which)}"
            )
        return which

    def _seen(self) -> Bytes:
        seen = self._learner.batch.observation
        return seen.copy() if self._copies else seen

    def _infos(self) -> dict[str, Any]:
        every = everywhere(self.num_envs)  # Gymnasium's `_name` entries say for which games an entry is valid
        masks = {"_action_mask": every, "_rewards": every, "_seat": every}
        return _info(self._learner, self._copies) | masks

    def _finals(self) -> dict[str, Any]:
        """The final observations and infos of finished games, with rewards of 0 for the new games."""
        learner, over = self._learner, read_only(self._learner.over)
        seen, rows = np.empty(self.num_envs, object), over.nonzero()[0]  # faster than by bools
        seen[rows] = _apart(learner.final_observation.take(rows, axis=0)) if self._copies else self._ends[rows]
        masks, seats = no_acts(learner.batch.mask.shape), learner.last_seat * over
        last = {"action_mask": masks, "rewards": learner.rewards, "seat": seats}
        return {
            "final_obs": seen,
            "final_info": last | {"_action_mask": over, "_rewards": over, "_seat": over},
            "_final_obs": over,
            "_final_info": over,
            "rewards": np.zeros(learner.rewards.shape, np.float32),
        }


@functools.lru_cache(maxsize=16)
def everywhere(n: int) -> npt.NDArray[np.bool_]:
    """Where all of `n` games are chosen, read-only."""
    return read_only(np.ones(n, np.bool_))


@functools.lru_cache(maxsize=16)
def no_acts(shape: tuple[int, ...]) -> Bytes:
    """The action masks of games that are over, read-only."""
    return read_only(np.zeros(shape, np.int8))


class TensorVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games of one kind in step on a GPU, as torch's tensors, against random opponents.

    The arguments are those of `VectorEnv`, which has other opponents too, and the `device` of `Batch`. Nothing is
    copied: observations, masks, terminations and the entries of `info` are the memory of `batch` and change with each
    step. In "SameStep" `final_obs` holds a row's final observation where `_final_obs` is True; in "Disabled" a reset
    with the option `reset_mask`, bool[num_envs], begins new games. On a GPU `batch.faults` counts actions that can't be
    played.

    Raises GameError, UnknownGame and BadOption if an argument is not allowed.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        seat: int | None = None,
        opponent: Literal["random"] = "random",
        rewards: Rewards | None = None,
        illegal: Illegal = "lose",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        channels: Channels = "last",
        device: Device = "cuda",
        **options: Any,
    ) -> None:
        if opponent != RANDOM:
            raise GameError("opponents other than 'random' play on the processor: use VectorEnv")
        try:
            from torch import from_dlpack
        except ModuleNotFoundError:
            raise GameError("tensors need torch: pip install torch") from None
        check_names(game, options, TensorVectorEnv)
        loaded = space(game, **options).game
        check_seat(seat, loaded)
        self._autoreset = _mode(autoreset_mode)
        self.metadata: dict[str, Any] = {"autoreset_mode": self._autoreset}
        self.batch = Batch(
            loaded,
            num_envs,
            secrets.randbits(62),
            autoreset=AUTORESETS[self._autoreset],
            illegal=illegal,
            rewards=rewards,
            channels=channels,
            learner="drawn" if seat is None else seat,
            device=device,
        )
        names = ("observation", "final_observation", "mask", "reward", "done", "learners")
        self._seen, self._final, self._mask, self._rewards, self._done, self._seats = (
            from_dlpack(getattr(self.batch, name)) for name in names
        )
        self.num_envs = num_envs
        self.single_observation_space: Any
        self.single_action_space: Any
        self.single_observation_space, self.single_action_space = _spaces(self.batch)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin new games in all rows, or in those where the option `reset_mask` is True. Raises GameError."""
        _check_reset(seed, options, allowed=("reset_mask",))
        super().reset(seed=seed)
        self.batch.reset((options or {}).get("reset_mask"), seed)
        return self._seen, self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play an action in every game, then those of the others. Raises the errors of `Batch.step`."""
        seats = self._seats.clone()
        self.batch.step(actions)
        infos = self._infos()
        if self._autoreset == AutoresetMode.SAME_STEP:
            infos |= {"final_obs": self._final, "_final_obs": self._done}
        reward = self._rewards.gather(1, seats[:, None])[:, 0]
        return self._seen, reward, self._done, self._done.new_zeros(self.num_envs), infos

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._mask, "rewards": self._rewards, "seat": self._seats}


def _apart(seen: Bytes) -> npt.NDArray[np.object_]:
    """Observations as an array of arrays, which is how Gymnasium gives final ones."""
    return np.fromiter(seen, object, len(seen))


def _render_row(learner: Learner, row: int, mode: str | None) -> str | Frame:
    """Render a board as its learner sees it."""
    state, seat = learner.batch.state(row), int(learner.seat[row])
    return _render_position(state, seat, mode)


def _render_position(state: State, seat: int, mode: str | None) -> str | Frame:
    """Render a position as a seat sees it."""
    return frame(state, seat) if mode == "rgb_array" else state.game.draw(state.view(seat))


def _spaces(batch: Batch) -> tuple[Any, Discrete]:
    encoding = batch.space.encoding
    most = np.array([plane.most for plane in encoding.planes], np.int8)
    high = batch.arranged(np.broadcast_to(most, encoding.shape))
    return Box(np.zeros_like(high), high, dtype=np.int8), Discrete(encoding.actions)


def _info(learner: Learner, copies: bool = True) -> dict[str, npt.NDArray[Any]]:
    """The learners' infos; the first dimension of the arrays is for the games."""
    mask = learner.batch.mask
    return {"action_mask": mask.copy() if copies else mask, "rewards": learner.rewards, "seat": learner.seat.copy()}


def _for_one(policy: Policy) -> Policy:
    """A policy for a single game as a policy for batches of one game."""
    return functools.partial(_call_for_one, policy)


def _call_for_one(policy: Policy, observations: Bytes, masks: Bytes, rng: np.random.Generator) -> list[Any]:
    return [policy(observations[0], masks[0], rng)]


def _check_reset(seed: int | None, options: dict[str, Any] | None, allowed: tuple[str, ...]) -> None:
    """Raise GameError for an invalid seed or an unknown option of `reset`."""
    if seed is not None:
        check_whole("seed", seed, 0)
    for name in options or ():
        if name not in allowed:
            raise GameError(f"reset has no option {short_repr(name)}; allowed: {', '.join(allowed) or 'none'}")


def _mode(name: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(name)
    except ValueError:
        names = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise GameError(f"autoreset_mode can't be {short_repr(name)}; allowed: {names}") from None


def _id_of(info: GameInfo) -> str:
    """The Gymnasium id of a game: its name, capitalized as in its title, and the version of its encoding."""
    letters = "".join(filter(str.isalpha, info.title))
    start = letters.lower().index(info.name)
    encoding: Any = info.part("encoding")
    return f"icetable/{letters[start : start + len(info.name)]}-v{encoding.describe(info.load()).version}"


for _game in list_games():
    if not _game.is_plain:
        gymnasium.register(
            _id_of(_game),
            entry_point=f"{__name__}:{'Env' if _game.turns else 'TickEnv'}",
            vector_entry_point=f"{__name__}:VectorEnv" if _game.turns else None,
            kwargs={"game": _game.name},
        )
