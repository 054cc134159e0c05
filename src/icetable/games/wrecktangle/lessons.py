"""The lesson of WreckTangle, and the themes of its puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.extras.exercises import Step, causes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import State


HEADS = """
    die:swap; b1-b3; end; die:swap; d8-d6; end; die:swap; g1-g3; end; die:swap; d6-d4; end;
    die:swap; f1-d3; end; die:swap; b8-b6; end; die:swap; d3-b5; end; die:swap; g8-g6; end;
    die:swap; c1-e3; end; die:swap; g6-e6; end; die:toward
"""


TAILS = f"""
    {HEADS}; e3-g5; end; die:away; b6-d6; end; die:away; b3-d3; end; die:away; d6-d4; end;
    die:away; d1-f3; end; die:away; e8-c6; end; die:away
"""


def moves_anothers(state: State) -> bool:
    """A die move of a pyramid of the other side."""
    return str(state.act).startswith("~") and causes("moves", "1")(state)


STEPS = (
    Step(
        "normal",
        "Two squares, no more",
        "Every turn you make one normal move with a pyramid of your own. It goes exactly two squares in a straight "
        "line, over an empty square to an empty square: pawns (small) along rows and columns, drones (medium) along "
        "diagonals, queens (large) either way. Move a drone.",
        "Your drones stand on c1 and f1.",
        "Never one square, never three. There are no squares in the four corners of the board.",
        ("WT-2", "WT-6"),
        "die:toward",
        causes("moves", "0D"),
    ),
    Step(
        "die",
        "What the die allows",
        "The die gives you a second move, before or after the normal one, if you like. It may be of any pyramid, the "
        "other side's too. Now it says: one square straight away from its home row. Push a blue pyramid forward.",
        "Blue's home row is at the top: its pyramids go down by one square.",
        "Pulling a pyramid out of its row, or into a trap, is what die moves are good at.",
        ("WT-5", "WT-7"),
        "die:away",
        moves_anothers,
    ),
    Step(
        "heads",
        "Heads: what is inside",
        "Four pyramids of yours at the corners of an upright rectangle wreck what is inside, while the coin shows "
        "heads. None of the corners may be on a home row. Frame the blue queen on d4.",
        "You have corners on b3, g3 and b5. The fourth is g5, two diagonal squares from e3.",
        "Captured, and the coin turns over: the next rectangle works the other way.",
        ("WT-10", "WT-12", "WT-14"),
        HEADS,
        causes("captures"),
    ),
    Step(
        "tails",
        "Tails: what is on the sides",
        "The coin shows tails: now a rectangle wrecks what stands on its sides, between the corners. Catch the blue "
        "pawn on d4.",
        "Your pyramids on d3, g3 and g5 need a fourth on d5. The queen on f3 gets there.",
        "Captured, and it is heads again. Whoever has lost three pyramids is out, and the last player left wins.",
        ("WT-14", "WT-16", "WT-17"),
        TAILS,
        causes("captures"),
    ),
)


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
