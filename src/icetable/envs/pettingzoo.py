"""The games for PettingZoo, with an agent per seat.

Importing this module also registers them for `pettingzoo.make("aec", "icetable/squad_v0", players=3)`. Needs
`icetable[pettingzoo]`.

>>> from icetable.envs.pettingzoo import squad_v0
>>> env = squad_v0.env(players=3)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.agents, len(env.record()) > 0
([], True)
"""

from __future__ import annotations

import dataclasses
import operator
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from icetable.core.errors import GameError, IllegalAction
from icetable.core.options import check_whole, short_repr
from icetable.envs import rows
from icetable.envs.batch import Batch, check_choice
from icetable.envs.realtime import RealTime
from icetable.envs.rendering import (
    FPS,
    RenderMode,
    check_render_mode,
    render,
    render_modes,
)
from icetable.envs.spaces import (
    Copyable,
    action_space,
    arguments_of,
    check_names,
    flat_action,
    mask_name,
    observation_spaces_of,
)
from icetable.games import list_games, load

try:
    import pettingzoo
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo.utils.conversions import parallel_to_aec_wrapper
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("PettingZoo is not installed; install icetable[pettingzoo].", name=missing.name) from None

if TYPE_CHECKING:
    from gymnasium import Space

    from icetable.core.errors import Fault
    from icetable.core.game import Game
    from icetable.core.turns import TurnState
    from icetable.envs.batch import Illegal, Rewards
    from icetable.envs.rendering import Frame
    from icetable.extras.encoding import Bytes, Encoding, Reals, RealTimeEncoding

    Seen = dict[str, Reals | Bytes]

__all__ = ["RealTimeGames", "TurnEnv", "TurnGames"]
Mask = Literal["observation", "info"]
NAMESPACE = "icetable"


class TurnEnv(pettingzoo.AECEnv[str, Any, Any], Copyable):
    """A turn-based game. Agent `player_0` has seat 0, which need not act first.

    An observation is a dict: `observation`, int8[height, width, planes], what the agent's seat sees; and `action_mask`,
    int8[actions], 1 for its legal actions and all 0 while it is not to act. With `mask` `info` the observation is the
    array alone, and the mask is `infos[agent]["action_mask"]`. Planes and actions are those of `icetable.envs.space`.
    Chance acts within `step`.

    `illegal` says what an illegal action does: `raise` IllegalAction and change nothing, `lose` the game, or `ignore`
    the action. In the last two cases `infos[agent]["fault"]` is the Fault of the action. Rewards are 0 until the agent
    is done, then by `rewards` the `share` of the game or the `points`, as in `Batch`. An eliminated agent terminates
    immediately, all others at the end of the game; reaching a turn limit of the rules is a regular end. After
    `max_cycles` actions per player, `max_cycles * players` in total, the game is truncated.

    `render_mode` `ansi` renders the position as text, `human` prints it after each step, and `rgb_array` returns a
    picture from `icetable.envs.frame`. `options` are those of the game. Copies continue independently from the same
    state. Raises GameError if an argument is not allowed.

    >>> from icetable.envs.pettingzoo import TurnEnv
    >>> env = TurnEnv("squad", players=3, mask="info")
    >>> env.agent_selection, env.last()[0].shape, env.infos["player_0"]["action_mask"].sum()
    ('player_0', (6, 6, 32), np.int64(20))
    """

    def __init__(
        self,
        game: str | type,
        illegal: Illegal = "raise",
        rewards: Rewards | None = None,
        mask: Mask = "observation",
        render_mode: RenderMode | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        check_names(game, options, TurnEnv)
        check_choice("mask", mask, get_args(Mask))
        if max_cycles is not None:
            check_whole("max_cycles", max_cycles, 1)
        chance = secrets.randbits(64)
        self._batch = Batch(load(game, **options), 1, chance, autoreset="off", illegal=illegal, rewards=rewards)
        self._bind()
        self._action = np.zeros(1, np.int64)
        self._raises, self._mask_in_info = illegal == "raise", mask == "info"
        self._pays_points = self._batch.rewards == "points"
        self.game, encoding = self._batch.game, self._batch.space.encoding
        check_render_mode(render_mode, self.game)
        self._max_steps = None if max_cycles is None else max_cycles * self.game.players
        self.metadata = metadata(self.game, encoding.version, FPS)
        self.render_mode = render_mode
        self.possible_agents = agents_of(self.game)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space = planes_space(encoding)
        self.observation_spaces = {agent: self._observation_space(encoding) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(encoding.actions) for agent in self.possible_agents}
        self._begin()

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def _bind(self) -> None:
        """Create views of the batch's arrays: a copied view would not follow the copied batch."""
        self._planes, self._mask = self._batch.observation[0], self._batch.mask[0]

    def _observation_space(self, encoding: Encoding) -> Space[Any]:
        planes = planes_space(encoding)
        if self._mask_in_info:
            return planes
        return Dict({"observation": planes, "action_mask": Box(0, 1, (encoding.actions,), np.int8)})

    def observation_space(self, agent: str) -> Space[Any]:
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        self._seat(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. `seed` reseeds chance; without one the random stream continues.

        With the option `state` the game begins from a State, as in `Batch.set`; other options are ignored. Raises
        GameError for a state that can't be played on, and for a seed that is not a whole number from 0 up.
        """
        state = (options or {}).get("state")
        if state is not None:
            self._batch.unfinished(state)
        self._batch.reset(seed=seed)
        if state is not None:
            self._batch.set(0, state)
        self._begin()
        self._show()

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None if the agent is done.

        Raises GameError if the number is out of range and after the end, and IllegalAction if `illegal` is `raise`.
        Nothing has changed then.
        """
        if not self.agents:
            raise GameError("the game is over; begin a new one with reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._number(action)
        fault = None if self._mask.item(number) else self._fault(number)
        if fault is not None and self._raises:
            raise IllegalAction(fault)
        self._action[0] = number
        self._batch.step(self._action)
        self._steps += 1
        self._select_agent()
        if fault is not None:
            self.infos[agent]["fault"] = fault
        self._show()

    def observe(self, agent: str) -> Any:
        """An agent's observation, in new arrays."""
        acts = agent == self._acting
        seen = self._planes.copy() if acts else self._batch.observe(0, self._seat(agent))
        return seen if self._mask_in_info else {"observation": seen, "action_mask": self._mask_of(agent)}

    def state(self) -> Bytes:
        """The whole position for a central critic: int8[height, width, planes].

        It is the observation of `player_0` with all pieces revealed that players have to remember. It excludes future
        outcomes of chance.
        """
        seen = np.empty((self._planes.shape[0] * self._planes.shape[1], self._planes.shape[2]), np.int8)
        self._batch.space.codec.observe(self.game.revealed(self._position().array), 0, seen)
        return seen.reshape(self._planes.shape)

    def record(self) -> str:
        """The record of the game, as in `State.record`."""
        return self._batch.record(0)

    def render(self) -> str | Frame | None:
        """Render the position as text, which `human` prints, or as a picture, uint8[height, width, 3]."""
        return render(self._position(), self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _begin(self) -> None:
        """Initialize the attributes of PettingZoo for a new game."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._steps = 0
        self._select_agent()

    def _select_agent(self) -> None:
        """Select the agent to act, or end the game."""
        seat = self._batch.actor.item()
        if seat < 0:
            self._end(self.terminations, dict(zip(self.possible_agents, self._batch.reward[0].tolist(), strict=True)))
        elif self._steps == self._max_steps:
            self._end(self.truncations, self.rewards)
        else:
            self._acting: str | None = self.possible_agents[seat]
            self.agent_selection = self.possible_agents[seat]
            out = self._batch.out(0)
            if len(out) > len(self.possible_agents) - len(self.agents):
                self._eliminate(out)
        if self._mask_in_info:
            self.infos = {agent: {"action_mask": self._mask_of(agent)} for agent in self.agents}
        else:
            self.infos = {agent: {} for agent in self.agents}

    def _end(self, how: dict[str, bool], rewards: dict[str, float]) -> None:
        """End the game for all remaining agents."""
        self._acting = None
        for agent in self.agents:
            how[agent] = True
            self.rewards[agent] = rewards[agent]
        self._accumulate_rewards()
        self._deads_step_first()

    def _eliminate(self, seats: list[int]) -> None:
        """Terminate eliminated agents with the reward of a loss."""
        points = self.game.scores(self._position().array)
        for seat in seats:
            agent = self.possible_agents[seat]
            if agent not in self.agents:
                continue
            self.terminations[agent] = True
            self.rewards[agent] = float(points[seat]) if self._pays_points else rows.reward_of(0.0, self.game.players)
        self._accumulate_rewards()
        self._deads_step_first()

    def _number(self, action: int | None) -> int:
        """The action as an int. Raises GameError."""
        last = len(self._mask) - 1
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if not 0 <= number <= last:
            raise GameError(f"an action is a whole number from 0 to {last}, not {short_repr(action)}")
        return number

    def _fault(self, action: int) -> Fault:
        """The reason why an action is illegal."""
        act = self._batch.space.notation(action)
        fault = self._position().fault(act)
        assert fault is not None
        return dataclasses.replace(fault, message=f"{act}: {fault.message}")

    def _mask_of(self, agent: str) -> Bytes:
        return self._mask.copy() if agent == self._acting else np.zeros_like(self._mask)

    def _seat(self, agent: str) -> int:
        """The seat of an agent. Raises GameError."""
        return seat_of(agent, self._seats)

    def _position(self) -> TurnState:
        return self._batch.state(0)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


@dataclass(frozen=True)
class TurnGames:
    """What users of PettingZoo import for a turn-based game, such as `squad_v0` or their own `TurnGames("canals.py")`.

    >>> from icetable.envs.pettingzoo import squad_v0
    >>> squad_v0.raw_env(players=1).possible_agents
    ['player_0']
    """

    game: str | type
    """The game, by name, class or path of a file."""

    def env(self, illegal: Illegal = "lose", **options: Any) -> Ordered:
        """The environment with PettingZoo's checks of the order of calls. Arguments are those of `TurnEnv`."""
        return Ordered(self.raw_env(illegal=illegal, **options))

    def raw_env(self, **options: Any) -> TurnEnv:
        """The environment without wrappers. Arguments are those of `TurnEnv`."""
        return TurnEnv(self.game, **options)


class RealTimeEnv(pettingzoo.ParallelEnv[str, "Seen", Any], Copyable):
    """A real-time game in ticks. Agent `player_0` has seat 0.

    `arguments` are those of `icetable.envs.RealTime` except `seed`; it also documents actions. An observation is a
    dict of the arrays of `RealTime.describe().fields`, float32, and an int8 mask: `action_mask` for the entries of a
    menu, otherwise `verb_mask`. An action is an entry of the menu; or the numbers of the `grid`; or a dict of verb,
    kind, target and place: x, y, cosine, sine. `infos[agent]["fault"]` is the Fault of an agent's last act if it was
    refused. All agents are done at the same time.

    `render_mode` `ansi` renders the position as text, `human` prints it after each step, and `rgb_array` returns a
    picture from `icetable.envs.frame`. Raises GameError if an argument is not allowed. Copies continue independently
    from the same state.

    >>> from icetable.envs.pettingzoo import RealTimeEnv
    >>> env = RealTimeEnv("icehouse", players=2, action="grid")
    >>> observations, infos = env.reset(seed=1)
    >>> env.action_space("player_0"), observations["player_0"]["verb_mask"].tolist()
    (MultiDiscrete([ 9  6 96 96 72  2 30]), [1, 1, 0, 0, 0, 1, 1, 0, 0])
    """

    def __init__(self, game: Game | str | type, render_mode: RenderMode | None = None, **arguments: Any) -> None:
        if "seed" in arguments:
            raise GameError("the seed is an argument of reset")
        own = arguments_of(RealTime)
        check_names(game, {name: one for name, one in arguments.items() if name not in own}, RealTimeEnv, RealTime)
        self._ticks = RealTime(game, secrets.randbits(62), **arguments)
        self.game, self._described = self._ticks.game, self._ticks.describe()
        check_render_mode(render_mode, self.game)
        self.metadata = metadata(self.game, self._described.version, self._ticks.per_second)
        self.render_mode = render_mode
        self.possible_agents = agents_of(self.game)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents = self.possible_agents[:]
        self.state_space = Box(-np.inf, np.inf, self.state().shape, np.float32)
        self._mask_name = mask_name(self._ticks.action)
        self.action_spaces = {agent: action_space(self._ticks.describe(), self._ticks.action) for agent in self.agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.agents}

    def describe(self) -> RealTimeEncoding:
        """The meaning of the numbers in actions and observations."""
        return self._described

    def _observation_space(self) -> Space[Any]:
        mask = Box(0, 1, self._ticks.mask[0].shape, np.int8)
        return Dict({**observation_spaces_of(self._ticks.describe()), self._mask_name: mask})

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begin a new game. `seed` reseeds chance; without one the random stream continues.

        There are no `options`. Raises GameError if the seed is not a whole number from 0 up.
        """
        self._ticks.reset(seed)
        self.agents = self.possible_agents[:]
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play a tick with an action of each agent.

        Raises GameError if one is missing or out of range, and after the end. Nothing has changed then.
        """
        if not self.agents:
            raise GameError("the game is over; begin a new one with reset")
        if set(actions) != set(self.agents):
            raise GameError(f"step takes an action for each of {', '.join(self.agents)}")
        self._ticks.step([flat_action(self._ticks.action, actions[agent]) for agent in self.agents])
        agents, self.agents = self.agents, [] if self._ticks.terminated or self._ticks.truncated else self.agents
        infos: dict[str, dict[str, Any]] = {}
        for seat, agent in enumerate(agents):
            fault = self._ticks.fault(seat)
            infos[agent] = {} if fault is None else {"fault": fault}
        self._show()
        return (
            self._observations(),
            dict(zip(agents, self._ticks.reward.tolist(), strict=True)),
            dict.fromkeys(agents, self._ticks.terminated),
            dict.fromkeys(agents, self._ticks.truncated),
            infos,
        )

    def _observations(self) -> dict[str, Seen]:
        """Each agent's observation, in new arrays."""
        named: Seen = {**self._ticks.observation, self._mask_name: self._ticks.mask}
        return {
            agent: {name: array[seat].copy() for name, array in named.items()} for agent, seat in self._seats.items()
        }

    def mask_for(self, agent: str, verb: int) -> tuple[Bytes, ...]:
        """The masks of a `grid` action with a given verb, in the format of its space; see `RealTime.mask_for`."""
        return self._ticks.mask_for(self._seat(agent), verb)

    def notation(self, agent: str, action: Any) -> str | None:
        """The act of an action in the current position; None for doing nothing. Raises GameError."""
        return self._ticks.notation(self._seat(agent), flat_action(self._ticks.action, action))

    def state(self) -> Reals:
        """The joint knowledge of all agents, for a central critic. It excludes the time of the bell."""
        return self._ticks.overview()

    def record(self) -> str:
        """The record of the game, as in `State.record`."""
        return self._ticks.record()

    def render(self) -> str | Frame | None:
        """Render the position as text, which `human` prints, or as a picture, uint8[height, width, 3]."""
        return render(self._ticks.state(), self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _seat(self, agent: str) -> int:
        """The seat of an agent. Raises GameError."""
        return seat_of(agent, self._seats)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class Ordered(Copyable, OrderEnforcingWrapper[str, Any, Any]):
    """An environment that requires `reset` first, and whose shallow copies have their own game too."""

    def __str__(self) -> str:
        return str(self.env)


@dataclass(frozen=True)
class RealTimeGames:
    """The object that users of PettingZoo import for a real-time game, such as `icehouse_v0`.

    >>> from icetable.envs.pettingzoo import icehouse_v0
    >>> icehouse_v0.parallel_env(players=2, tick=0.5).possible_agents
    ['player_0', 'player_1']
    """

    game: str
    """The name of the game."""

    def parallel_env(self, **arguments: Any) -> RealTimeEnv:
        """The parallel environment. Arguments are those of `RealTimeEnv`."""
        return RealTimeEnv(self.game, **arguments)

    def env(self, **arguments: Any) -> Ordered:
        """The same as an AEC environment, where agents act one after another."""
        return Ordered(parallel_to_aec_wrapper(self.parallel_env(**arguments)))


def agents_of(game: Game) -> list[str]:
    """The names of the agents by seat."""
    return [f"player_{seat}" for seat in range(game.players)]


def seat_of(agent: str, seats: dict[str, int]) -> int:
    """The seat of an agent. Raises GameError."""
    if agent not in seats:
        raise GameError(f"there is no agent {short_repr(agent)}; there are {', '.join(seats)}")
    return seats[agent]


def environment_name(game: str, version: int) -> str:
    """The name of an environment in PettingZoo."""
    return f"{game}_v{version}"


def metadata(game: Game, version: int, fps: float) -> dict[str, Any]:
    """The metadata that PettingZoo expects."""
    return {
        "name": environment_name(game.info.name, version),
        "render_modes": render_modes(),
        "render_fps": fps,
        "is_parallelizable": not game.info.turns,
    }


def planes_space(encoding: Encoding) -> Box:
    """The space of the planes of an encoding."""
    most = np.array([plane.most for plane in encoding.planes], np.int8)
    return Box(np.zeros(encoding.shape, np.int8), np.broadcast_to(most, encoding.shape), dtype=np.int8)


def register() -> dict[str, TurnGames | RealTimeGames]:
    """Register the games with PettingZoo; returns them by name."""
    registered: dict[str, TurnGames | RealTimeGames] = {}
    for info in list_games():
        module = info.part("encoding")
        if module is None or info.is_plain:
            continue
        name = environment_name(info.name, module.describe(info.load()).version)
        if info.turns:
            registered[name] = turns = TurnGames(info.name)
            pettingzoo.register("aec", f"{NAMESPACE}/{name}", entry_point=turns.env)
        else:
            registered[name] = real_time = RealTimeGames(info.name)
            pettingzoo.register("aec", f"{NAMESPACE}/{name}", entry_point=real_time.env)
            pettingzoo.register("parallel", f"{NAMESPACE}/{name}", entry_point=real_time.parallel_env)
    return registered


def __getattr__(name: str) -> Any:  # TurnGames or RealTimeGames
    if name in ENVIRONMENTS:
        return ENVIRONMENTS[name]
    raise AttributeError(f"there is no {short_repr(name)} here; there are {', '.join(ENVIRONMENTS)}")


def __dir__() -> list[str]:
    return [*ENVIRONMENTS, *__all__]


ENVIRONMENTS = register()
