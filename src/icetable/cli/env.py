"""`icetable env`: what the numbers of a game's environment mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.cli.choosing import game_of
from icetable.envs.describe import described
from icetable.envs.spaces import space

if TYPE_CHECKING:
    from argparse import Namespace


def run(chosen: Namespace) -> int:
    print(described(space(game_of(chosen))), end="")
    return 0
