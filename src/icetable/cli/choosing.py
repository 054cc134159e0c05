"""Loading the game of a command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from icetable import games
from icetable.core.errors import BadOption
from icetable.core.options import allowed_for, short_repr
from icetable.workshop.files import WorkshopInfo
from icetable.workshop.mistakes import mistakes_in

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import Game, GameInfo


def game_of(args: Namespace) -> Game:
    """Load the game with the options of a command line. Raises UnknownGame or BadOption."""
    info = games.info_of(args.game)
    texts = list(args.option or [])
    if args.players is not None:
        texts.append(f"players={args.players}")
    return info.load(args.preset, **read_options(info, texts))


def point_out_mistakes(info: GameInfo) -> None:
    """Print the mistakes in the file of a game that don't keep anybody from playing it, to standard error."""
    if isinstance(info, WorkshopInfo) and info.is_file:
        for mistake in mistakes_in(info.design):
            print(mistake, file=sys.stderr)


def read_options(info: GameInfo, texts: list[str]) -> dict[str, Any]:
    """Parse options such as `board=hexagon`. Raises BadOption."""
    allowed = {option.name: option for option in (info.players_option, *info.options)}
    options = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in allowed:
            raise BadOption(f"there is no option {short_repr(name)}; {allowed_for(name, allowed)}")
        options[name] = allowed[name].read_text(value)
    return options
