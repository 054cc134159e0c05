"""The action and observation spaces of a game: the one description that code, tests and docs are made from."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from icetable.core.decimals import is_integer
from icetable.core.encoding import Codec, Encoding, Plane, Symmetry
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame
from icetable.games import load

if TYPE_CHECKING:
    from icetable.core.game import Action, Game
    from icetable.core.jit import Ints

__all__ = ["Encoding", "Plane", "Space", "Symmetry", "space"]


@dataclass(frozen=True)
class Space:
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

    @functools.cached_property
    def _first(self) -> Ints:
        return self.game.first_position()


def space(game: Game | str, **options: Any) -> Space:
    """The space of a game. Raises GameError for a game without turns, UnknownGame and BadOption.

    `options` go with the name of a game; a Game has its own, and others for it are refused with GameError.
    """
    if isinstance(game, str):
        game = load(game, **options)
    elif options:
        raise GameError(f"this game has options already; give its name, {game.info.name!r}, with {', '.join(options)}")
    if not isinstance(game, TurnGame):
        raise GameError(f"{game.info.title} has no turns: its environment is `icetable.envs.realtime`")
    module = game.info.part("encoding")
    if module is None:
        raise GameError(f"{game.info.title} has no encoding for programs that learn")
    return Space(game, module.describe(game), cast("Codec", module))
