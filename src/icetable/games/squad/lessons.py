"""The lesson of Who's On The Squad? and the themes of its puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.extras.exercises import Step, acts, causes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import State


TRY_OUTS = "C@d4; C@d1; F@c1; F@b2"


STEPS = (
    Step(
        "friends",
        "Friends among friends",
        "In your turn you place one of your friends on an empty square, and the number of pieces beside it has to be "
        "right: one for a freshman (small), two for a sophomore (medium), three for a junior (large). Captains and the "
        "other side's friends count too. Place a sophomore.",
        "Take a medium pyramid: the squares with just two neighbours are marked.",
        "Right. Squares that share only a corner are no neighbours.",
        ("SQ-6", "SQ-7"),
        TRY_OUTS,
        acts("S@b1", "S@c2"),
    ),
    Step(
        "stunt",
        "The stunt",
        "A captain beside the new friend leaps over it, if the square behind is free, and its die shows how many "
        "pieces it has landed beside: that is its score. Let your captain on d4 leap, and score 2.",
        "A freshman on c4 has one neighbour, your captain. Behind it is b4, beside two pieces.",
        "Your captain shows 2. Every captain beside the new friend leaps, the other side's too.",
        ("SQ-8", "SQ-10"),
        TRY_OUTS,
        causes("stunt", "0C2"),
    ),
    Step(
        "fall",
        "Too many around",
        "Friends beside a captain that has just leapt fall if more pieces are beside them than they can bear: one, two "
        "or three by size. Bring down the green freshman on c3.",
        "A freshman on d2 makes your captain leap to d3, beside c3, which has another neighbour already.",
        "The freshman is out of the game. Your own friends fall the same way, so look before you leap.",
        ("SQ-11",),
        "C@d1; C@d4; F@c4; F@c3; S@b3; S@b4",
        causes("fall", "1"),
    ),
    Step(
        "junior",
        "Juniors are worth five",
        "Each junior on the board is worth 5 points at the end. It needs three neighbours when it comes, so the others "
        "prepare its place, sometimes yours. Place a junior.",
        "Only c3 has three neighbours.",
        "Five points more. Now see that it keeps standing.",
        ("SQ-7", "SQ-14"),
        "C@d4; C@d1; F@c4; F@b3; F@c2; S@b2",
        causes("formation", "0J"),
    ),
    Step(
        "last",
        "The last friend",
        "The game ends when somebody has placed their last friend, and it is 11 to 11. You have one sophomore left, "
        "and two squares for it. Win.",
        "On b4 it lets your captain leap to c4. Friends that fall cost nothing, unless they are juniors.",
        "12 to 11. Count before you place your last friend: the end is in your hands.",
        ("SQ-13", "SQ-14", "SQ-15"),
        "C@a4; C@d1; F@c1; F@a3; F@c2; S@a1; J@b2; S@a3; S@c3; J@b1; J@a2; J@b3",
        lambda state: state.winners == {0},
    ),
)


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
