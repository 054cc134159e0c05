"""The action and observation spaces of a game: the one description that code, tests and docs are made from."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from icetable.core.errors import BadOption, GameError
from icetable.core.game import Game
from icetable.core.numbers import is_integer
from icetable.core.options import allowed_for, short_repr
from icetable.core.turns import TurnGame
from icetable.extras.encoding import Codec, Encoding, Plane, Symmetry
from icetable.games import info_of, load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.game import Action
    from icetable.kernels.jit import Ints

MAX_SYMMETRIES = 100
"""The largest group that is listed."""

__all__ = ["Encoding", "Plane", "Spaces", "Symmetry", "space"]


@dataclass(frozen=True)
class Spaces:
    """The actions and observations of a game of turns with chosen options.

    >>> from icetable.envs import space
    >>> squad = space("squad")
    >>> squad.encoding.actions, squad.encoding.shape
    (64, (4, 4, 23))
    >>> squad.number("C@a1"), squad.notation(48)
    (48, 'C@a1')
    """

    game: TurnGame
    encoding: Encoding
    codec: Codec

    def __reduce__(self) -> tuple[Any, ...]:
        return space, (self.game,)  # a module can't be copied

    def number(self, act: str) -> int:
        """The action of an act in notation. Raises BadNotation, and GameError for an act that no action stands for."""
        code = self.game.code(act)
        action = -1 if code is None else int(self.codec.action_of(self._first, code))
        if action < 0:
            raise GameError(f"no action stands for {short_repr(act)}")
        return action

    def notation(self, action: int) -> Action:
        """The act of an action. Raises GameError for a number off the numbering."""
        last = self.encoding.actions - 1
        if not is_integer(action) or not 0 <= action <= last:
            raise GameError(f"an action is a whole number from 0 to {last}, not {short_repr(action)}")
        return self.game.notations[int(self.codec.act_of(self._first, action))]

    def group(self) -> list[Symmetry]:
        """All symmetries of the game, the identity first. Raises GameError where there are more than MAX_SYMMETRIES.

        >>> [one.name for one in space("squad").group()][:3]
        ['', 'quarter turn', 'left and right']
        """
        nowhere = np.arange(self.encoding.height * self.encoding.width), np.arange(self.encoding.actions)
        found = [Symmetry("", tuple(range(self.game.players)), *nowhere)]
        known = {_places(found[0])}
        for one in found:  # which grows
            for after in map(one.then, self.encoding.symmetries):
                if _places(after) not in known:
                    if len(found) == MAX_SYMMETRIES:
                        raise GameError(f"there are more than {MAX_SYMMETRIES}; `encoding.symmetries` generates them")
                    known.add(_places(after))
                    found.append(after)
        return found

    @functools.cached_property
    def _first(self) -> Ints:
        return self.game.first_position()


def _places(one: Symmetry) -> tuple[object, ...]:
    """What makes a symmetry what it is."""
    return one.seats, one.cells.tobytes(), one.actions.tobytes()


def space(game: Game | str | type, **options: Any) -> Spaces:
    """The space of a game. Raises GameError for a game without turns, UnknownGame and BadOption.

    `options` go with the name of a game; a Game has its own, and others for it are refused with GameError.
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


def check_names(game: Game | str | type, options: Mapping[str, Any], *environments: type) -> None:
    """Raise BadOption for an option that the game has not, naming also those that environments take themselves."""
    known = info_of(game)
    its = [*(option.name for option in (known.players_option, *known.options)), "preset"]
    for name in options:
        if name not in its:
            own = [one for environment in environments for one in arguments_of(environment)]
            raise BadOption(f"there is no option {short_repr(name)}; {allowed_for(name, [*its, *own])}")


def arguments_of(environment: type) -> list[str]:
    """What an environment takes beside the game and its options."""
    parameters = inspect.signature(environment).parameters.values()
    return [one.name for one in parameters if one.name != "game" and one.kind is not one.VAR_KEYWORD]
