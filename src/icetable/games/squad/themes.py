"""The themes of puzzles of Who's On The Squad?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import State


def themes(state: State) -> Iterator[str]:
    """The themes of the act that led to a state."""
    kinds = [effect.kind for effect in state.effects]
    values = [str(effect.value) for effect in state.effects if effect.kind == "fall"]
    if kinds.count("stunt") == 1:
        yield "stunt"
    if kinds.count("stunt") > 1:
        yield "two stunts"
    if values:
        yield "fall"
    if any(value == f"{seat}J" for value in values for seat in range(state.game.players) if seat != state.seat):
        yield "fells a junior"
    if str(state.act).startswith("J"):
        yield "junior"
    if "stunt" not in kinds and not str(state.act).startswith("J"):
        yield "quiet"
