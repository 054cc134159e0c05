"""The themes of puzzles of High Rise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import State

MAX_LEFT_IN_ENDGAME = 6
"""Maximum number of pyramids left in both stashes in an endgame."""


def themes(state: State) -> Iterator[str]:
    """The themes of the act that led to a state."""
    assert state.parent is not None
    square = str(state.act).partition("@")[2].partition(":")[0]
    before, after = (position.view()["accounts"].get(square) for position in (state.parent, state))
    leader = None if before is None else before.get("owner")
    if before is None:
        yield "new tower"
    elif leader == state.seat:
        yield "secures a tower"
    elif after.get("owner") == state.seat:
        yield "breaks a tie" if leader is None else "takes a tower"
    elif "owner" not in after:
        yield "levels a tower"
    if left(state.parent) <= MAX_LEFT_IN_ENDGAME:
        yield "endgame"


def left(state: State) -> int:
    """The number of pyramids left in both stashes."""
    return sum(sum(pad.values()) for pad in state.view().get("pads", ()))
