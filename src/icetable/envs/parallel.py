"""The real-time games for PettingZoo; `icetable.envs.pettingzoo` has them ready for use.

Four scripted agents; each script lists verbs in order of preference:

```python
import numpy as np

from icetable.envs.pettingzoo import icehouse_v0

env = icehouse_v0.parallel_env(timer=60.0)
verbs = [verb.name for verb in env.describe().verbs]


def choose(observation, wishes):  # the first allowed menu entry with the most wanted verb
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
    """A real-time game in ticks. Agent `player_0` has seat 0.

    `arguments` are those of `icetable.envs.RealTime` except `seed`; it also documents actions. An observation is a
    dict of the arrays of `RealTime.describe().fields`, float32, and an int8 mask: `action_mask` for the entries of a
    menu, otherwise `verb_mask`. An action is an entry of the menu; or the numbers of the `grid`; or a dict of verb,
    kind, target and place: x, y, cosine, sine. `infos[agent]["fault"]` is the Fault of an agent's last act if it was
    refused. All agents are done at the same time.

    `render_mode` `ansi` renders the position as text, `human` prints it after each step, and `rgb_array` returns a
    picture from `icetable.envs.frame`. Raises GameError if an argument is not allowed. Copies continue independently
    from the same state.

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
        """The meaning of the numbers in actions and observations."""
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
        return self._ticks.notation(self._seat(agent), flat(self._ticks, action))

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


class Ordered(Copied, OrderEnforcingWrapper[str, Any, Any]):
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

    def parallel_env(self, **arguments: Any) -> RealTimeEnv:
        """The parallel environment. Arguments are those of `RealTimeEnv`."""
        return RealTimeEnv(self.game, **arguments)

    def env(self, **arguments: Any) -> Ordered:
        """The same as an AEC environment, where agents act one after another."""
        return Ordered(parallel_to_aec_wrapper(self.parallel_env(**arguments)))
