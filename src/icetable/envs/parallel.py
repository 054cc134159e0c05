"""The games without turns for PettingZoo; `icetable.envs.pettingzoo` has them ready for use.

Four agents that play by a script each, an order of what they like to do:

```python
import numpy as np

from icetable.envs.pettingzoo import icehouse_v0

env = icehouse_v0.parallel_env(timer=60.0)
verbs = [verb.name for verb in env.describe().verbs]


def choose(observation, wishes):  # the first entry of the menu with the verb that is wished for most; else nothing
    for verb in wishes:
        entries = np.flatnonzero(observation["menu"][:, verbs.index(verb) - 1] * observation["action_mask"][1:])
        if len(entries):
            return 1 + entries[0]
    return 0


builder, hunter = ("give", "stand", "lift"), ("give", "capture", "point", "stand", "lift")
scripts = {"player_0": builder, "player_1": hunter, "player_2": hunter, "player_3": ("give", "capture", *builder)}
observations, _ = env.reset(seed=1)
while env.agents:
    actions = {agent: choose(observations[agent], scripts[agent]) for agent in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
print(rewards, env.record().splitlines()[-1])
```
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import GameError
from icetable.envs.agents import RenderMode, agents_of, check_render_mode, metadata, render, seat_of
from icetable.envs.copies import Copied
from icetable.envs.realtime import RealTime
from icetable.envs.spaces import arguments_of, check_names

try:
    import pettingzoo
    from gymnasium.spaces import Box, Dict
    from pettingzoo.utils.conversions import parallel_to_aec_wrapper
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from icetable.envs.tick_spaces import action_space, boxes, flat, mask_name
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("PettingZoo is not installed; install icetable[pettingzoo].", name=missing.name) from None

if TYPE_CHECKING:
    from gymnasium import Space

    from icetable.core.game import Game
    from icetable.envs.frames import Frame
    from icetable.extras.encoding import Bytes, Reals, RealTimeEncoding

    Seen = dict[str, Reals | Bytes]


class RealTimeEnv(pettingzoo.ParallelEnv[str, "Seen", Any], Copied):
    """A game without turns in ticks. Agent `player_0` has seat 0.

    `arguments` are those of `icetable.envs.RealTime`, which says what they and the actions mean, but for `seed`. An
    observation is a dict of the arrays of `RealTime.describe().fields`, float32, and a mask, int8: of the entries of a
    menu `action_mask`, else of the verbs `verb_mask`. An action is an entry of the menu; or the numbers of the `grid`;
    or a dict of verb, kind, target and place: x, y, cosine, sine. `infos[agent]["fault"]` is there where the last act
    of an agent was refused: the Fault. All agents are done at once.

    `render_mode` `ansi` renders the position as text, `human` prints it after each step, and `rgb_array` gives a
    picture as `icetable.envs.frame` does. Raises GameError where an
    argument is not allowed. A copy goes on where this one is.

    >>> from icetable.envs.parallel import RealTimeEnv
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
        self._mask_name = mask_name(self._ticks)
        self.action_spaces = {agent: action_space(self._ticks) for agent in self.agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.agents}

    def describe(self) -> RealTimeEncoding:
        """What the numbers of actions and observations mean."""
        return self._described

    def _observation_space(self) -> Space[Any]:
        return Dict({**boxes(self._ticks), self._mask_name: Box(0, 1, self._ticks.mask[0].shape, np.int8)})

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begin a new game. The same `seed` gives the same chance; without one it goes on as it was.

        There are no `options`. Raises GameError for a seed that is no whole number from 0 up.
        """
        self._ticks.reset(seed)
        self.agents = self.possible_agents[:]
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play a tick, with an action of each agent.

        Raises GameError where one is missing or out of range, and after the end. Then nothing has changed.
        """
        if not self.agents:
            raise GameError("the game is over; begin a new one with reset")
        if set(actions) != set(self.agents):
            raise GameError(f"step takes an action for each of {', '.join(self.agents)}")
        self._ticks.step([flat(self._ticks, actions[agent]) for agent in self.agents])
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
        """What each agent sees, in arrays of its own."""
        named: Seen = {**self._ticks.observation, self._mask_name: self._ticks.mask}
        return {
            agent: {name: array[seat].copy() for name, array in named.items()} for agent, seat in self._seats.items()
        }

    def mask_for(self, agent: str, verb: int) -> tuple[Bytes, ...]:
        """The masks of the numbers of a `grid` action with a verb, as its space takes them; see `RealTime.mask_for`."""
        return self._ticks.mask_for(self._seat(agent), verb)

    def notation(self, agent: str, action: Any) -> str | None:
        """The act that an action stands for now; None for doing nothing. Raises GameError."""
        return self._ticks.notation(self._seat(agent), flat(self._ticks, action))

    def state(self) -> Reals:
        """What all agents together know, for a central critic. The moment of the bell is not in it."""
        return self._ticks.overview()

    def record(self) -> str:
        """The record of the game, as `State.record` gives it."""
        return self._ticks.record()

    def render(self) -> str | Frame | None:
        """The position as text, which `human` prints, or as a picture, uint8[height, width, 3]."""
        return render(self._ticks.state(), self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def _seat(self, agent: str) -> int:
        """The seat of an agent. Raises GameError."""
        return seat_of(agent, self._seats)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class Ordered(Copied, OrderEnforcingWrapper[str, Any, Any]):
    """An environment that insists on `reset` before all else, and whose shallow copies have a game of their own too."""

    def __str__(self) -> str:
        return str(self.env)


@dataclass(frozen=True)
class RealTimeGames:
    """What PettingZoo's users import for a game without turns, as `icehouse_v0`.

    >>> from icetable.envs.pettingzoo import icehouse_v0
    >>> icehouse_v0.parallel_env(players=2, tick=0.5).possible_agents
    ['player_0', 'player_1']
    """

    game: str

    def parallel_env(self, **arguments: Any) -> RealTimeEnv:
        """The environment. Arguments are those of `RealTimeEnv`."""
        return RealTimeEnv(self.game, **arguments)

    def env(self, **arguments: Any) -> Ordered:
        """The same for agents that are asked one after another."""
        return Ordered(parallel_to_aec_wrapper(self.parallel_env(**arguments)))
