"""The themes of puzzles of WreckTangle."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import State


def themes(state: State) -> Iterator[str]:
    """The themes of the act that led to a state."""
    kinds = [effect.kind for effect in state.effects]
    if kinds.count("captures") == 1:
        yield "capture"
    if kinds.count("captures") > 1:
        yield "double capture"
    if "coin" in kinds and "captures" not in kinds:
        yield "coin flip"
    if "out" in kinds:
        yield "knock-out"
    if "swaps" in kinds:
        yield "swap"
    if str(state.act).startswith("~"):
        yield "die move"
    if any(effect.kind == "moves" and not str(effect.value).startswith(str(state.seat)) for effect in state.effects):
        yield "moves another's"
    assert state.parent is not None
    assert state.seat is not None
    hit, aimed = targets(state, state.seat)
    hit_before, aimed_before = targets(state.parent, state.seat)
    if len(hit) < len(hit_before):
        yield "escape"
    if "captures" not in kinds:
        yield "threat" if len(aimed) > len(aimed_before) else "quiet"


def targets(state: State, seat: int) -> tuple[set[str], set[str]]:
    """The squares of a seat's threatened pyramids, and of the pyramids that the seat threatens."""
    view = state.view()
    own = {square for square, (piece,) in view["stacks"].items() if piece.startswith(str(seat))}
    by_others = {square for threat in view["threats"] if threat["seat"] != seat for square in threat["prey"]}
    by_seat = {square for threat in view["threats"] if threat["seat"] == seat for square in threat["prey"]}
    return own & by_others, by_seat - own
