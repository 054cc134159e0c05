"""The game that a command line chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icetable import games
from icetable.core.errors import BadOption
from icetable.core.options import allowed_for, short_repr

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import Game, GameInfo


def game_of(chosen: Namespace) -> Game:
    """The game with the options of a command line. Raises UnknownGame or BadOption."""
    info = games.info_of(chosen.game)
    texts = list(chosen.option or [])
    if chosen.players is not None:
        texts.append(f"players={chosen.players}")
    return info.load(chosen.preset, **read_options(info, texts))


def read_options(info: GameInfo, texts: list[str]) -> dict[str, Any]:
    """The options in texts such as `board=hexagon`. Raises BadOption."""
    known = {option.name: option for option in (info.players_option, *info.options)}
    options = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise BadOption(f"there is no option {short_repr(name)}; {allowed_for(name, known)}")
        options[name] = known[name].read_text(value)
    return options
