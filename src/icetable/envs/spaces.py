"""The action and observation spaces of a game: the single description behind code, tests and docs.

And what all environments share: names of their arguments, and copies.
"""

from __future__ import annotations

import copy
import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from icetable.core.errors import BadOption, GameError
from icetable.core.game import Game
from icetable.core.options import allowed_for, is_integer, short_repr
from icetable.core.turns import TurnGame
from icetable.extras.encoding import Codec, Encoding, Plane, Symmetry
from icetable.games import info_of, load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gymnasium import Space

    from icetable.core.game import Action
    from icetable.extras.encoding import RealTimeEncoding
    from icetable.kernels.jit import Ints

MAX_SYMMETRIES = 100
"""Maximum size of a symmetry group that `Spaces.group` lists."""
__all__ = ["Encoding", "Plane", "Spaces", "Symmetry", "space"]


@dataclass(frozen=True)
class Spaces:
    """The actions and observations of a turn-based game with its options.

    >>> from icetable.envs import space
    >>> squad = space("squad")
    >>> squad.encoding.actions, squad.encoding.shape
    (64, (4, 4, 23))
    >>> squad.number("C@a1"), squad.notation(48)
    (48, 'C@a1')
    """

    game: TurnGame
    """The game with its options."""
    encoding: Encoding
    """What the numbers of actions and observations mean."""
    codec: Codec
    """The functions of the game's module `encoding`."""

    def __reduce__(self) -> tuple[Any, ...]:
        return space, (self.game,)  # a module can't be copied

    def number(self, act: str) -> int:
        """The action number of an act in notation. Raises BadNotation, and GameError if the act has no number."""
        code = self.game.code(act)
        action = -1 if code is None else int(self.codec.action_of(self._first, code))
        if action < 0:
            raise GameError(f"there is no action for {short_repr(act)}")
        return action

    def notation(self, action: int) -> Action:
        """The act of an action number, in notation. Raises GameError if the number is out of range."""
        last = self.encoding.actions - 1
        if not is_integer(action) or not 0 <= action <= last:
            raise GameError(f"an action is a whole number from 0 to {last}, not {short_repr(action)}")
        return self.game.notations[int(self.codec.act_of(self._first, action))]

    def group(self) -> list[Symmetry]:
        """All symmetries of the game, the identity first. Raises GameError if there are more than MAX_SYMMETRIES.

        >>> [one.name for one in space("squad").group()][:3]
        ['', 'quarter turn', 'left and right']
        """
        identity = np.arange(self.encoding.height * self.encoding.width), np.arange(self.encoding.actions)
        found = [Symmetry("", tuple(range(self.game.players)), *identity)]
        known = {_key(found[0])}
        for one in found:  # the list grows while it is iterated
            for after in map(one.then, self.encoding.symmetries):
                if _key(after) not in known:
                    if len(found) == MAX_SYMMETRIES:
                        raise GameError(f"there are more than {MAX_SYMMETRIES}; `encoding.symmetries` generates them")
                    known.add(_key(after))
                    found.append(after)
        return found

    @functools.cached_property
    def _first(self) -> Ints:
        return self.game.first_position()


def space(game: Game | str | type, **options: Any) -> Spaces:
    """The space of a game. Raises GameError for a real-time game, UnknownGame and BadOption.

    `options` are for a game given by name; with a Game, which has its own, they raise GameError.
    """
    if not isinstance(game, Game):
        game = load(game, **options)
    elif options:
        raise GameError(f"this game has options already; give its name, {game.info.name!r}, with {', '.join(options)}")
    if not isinstance(game, TurnGame):
        raise GameError(f"{game.info.title} has no turns: its environment is `icetable.envs.realtime`")
    module = game.info.part("encoding")
    if module is None:
        raise GameError(f"{game.info.title} has no encoding for programs that learn")
    return Spaces(game, module.describe(game), cast("Codec", module))


def _key(one: Symmetry) -> tuple[object, ...]:
    return one.seats, one.cells.tobytes(), one.actions.tobytes()


def check_names(game: Game | str | type, options: Mapping[str, Any], *environments: type) -> None:
    """Raise BadOption for an unknown option of the game; the message lists the environments' own arguments too."""
    known = info_of(game)
    options_of_game = [*(option.name for option in (known.players_option, *known.options)), "preset"]
    for name in options:
        if name not in options_of_game:
            own = [one for environment in environments for one in arguments_of(environment)]
            raise BadOption(f"there is no option {short_repr(name)}; {allowed_for(name, [*options_of_game, *own])}")


def arguments_of(environment: type) -> list[str]:
    """The arguments of an environment besides the game and its options."""
    parameters = inspect.signature(environment).parameters.values()
    return [one.name for one in parameters if one.name != "game" and one.kind is not one.VAR_KEYWORD]


class Copyable:
    """An environment whose copies continue from the same state, with the same chance outcomes, independently."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


def action_space(encoding: RealTimeEncoding, action: str) -> Space[Any]:
    """The action space of a seat in real time: an entry of the menu, the numbers of the grid, or verb, kind, target and
    place.
    """
    from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete

    counts = dict(encoding.arguments)
    if action == "menu":
        return Discrete(encoding.entries)
    if action == "grid":
        return MultiDiscrete(list(counts.values()))
    place = Box(np.array([0, 0, -1, -1], np.float32), np.ones(4, np.float32))
    numbers = {"verb": counts["verb"], "kind": counts["kind"], "target": counts["piece"]}
    return Dict({**{name: Discrete(count) for name, count in numbers.items()}, "place": place})


def observation_spaces_of(encoding: RealTimeEncoding) -> dict[str, Space[Any]]:
    """The spaces of an observation by field."""
    from gymnasium.spaces import Box

    return {one.name: Box(one.least, one.most, one.shape, np.float32) for one in encoding.fields}


def mask_name(action: str) -> str:
    # PettingZoo's tests sample with anything named `action_mask`, which does not fit actions of several numbers.
    return "action_mask" if action == "menu" else "verb_mask"


def flat_action(kind: str, action: Any) -> Any:
    """Convert an action to the format of `RealTime`. Raises GameError."""
    if kind != "place":
        return action
    try:
        return [*(float(action[name]) for name in ("verb", "kind", "target")), *map(float, action["place"])]
    except (KeyError, TypeError, ValueError, IndexError):
        parts = "verb, kind, target and place, which is x, y, cosine and sine"
        raise GameError(f"an action has {parts}, not {short_repr(action)}") from None
