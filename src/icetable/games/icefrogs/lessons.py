"""The lesson of IceFrogs, and the themes of its puzzles."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from icetable.extras.exercises import Step, acts, causes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from icetable.core.game import State


STEPS = (
    Step(
        "enter",
        "Out of the supply",
        "Your frogs wait beside the pond. One enters at your start space, the corner nearest to you, and moves on at "
        "once; take one step. Bring in a large one.",
        "Take a large pyramid from your supply. The spaces that it can reach are marked.",
        "A frog is in the pond, and the start space is free again, as it always is between turns.",
        ("IF-6", "IF-8", "IF-13"),
        "S@b1; S@h1",
        acts("L@b2", "L@c3"),
    ),
    Step(
        "jump",
        "Over one, into the open",
        "Jumping is faster than walking. A frog jumps over a neighbour of its own size or smaller, whoever owns it, in "
        "a straight line, and lands right behind. Nobody is captured. Let a new frog jump over the one on b1.",
        "Take any pyramid from your supply, and put it on c3.",
        "Two spaces at once. Smaller frogs are good to jump over; only another large one can jump a large one.",
        ("IF-9",),
        "S@b1; S@h1",
        acts("S@c3", "M@c3", "L@c3"),
    ),
    Step(
        "chain",
        "On and on",
        "After a jump into an empty space the frog may jump again, in any direction. Your frogs on b1 and d3 make a "
        "ladder. Come in and jump twice.",
        "The second jump leads over d3 to e3.",
        "Four spaces in one turn. Lay ladders for yourself, and mind those that you leave for the others.",
        ("IF-11",),
        "S@b1; S@h1; S@c3; M@h2; c3-d3; h2-g5",
        acts("S@e3", "M@e3", "L@e3"),
    ),
    Step(
        "cover",
        "On top",
        "A frog may land on another that is as large as itself or larger. That ends its turn, and the one below can't "
        "move while it is covered. The large blue frog has come close: sit on it.",
        "Your small frog on e3 stands beside the large one on f3.",
        "A small frog holds a large one down. Only the top of a stack moves, and it moves alone.",
        ("IF-7", "IF-8", "IF-10"),
        "S@b1; L@h1; b1-c4; h1-g4; c4-d4; g4-f4; d4-e3; f4-f3",
        causes("covers", "1"),
    ),
    Step(
        "reach",
        "The far corner",
        "The first to reach an opponent's start space wins. Yours to reach is i1, at the far end. Blue's frogs on "
        "f4 and h2 are rungs of a ladder, too. Win in one turn.",
        "A new frog jumps over b1, d3, f4 and h2.",
        "You have won. Before each of your turns, look whether the way is open; before you end it, whether theirs is.",
        ("IF-9", "IF-16"),
        "S@b1; S@h1; S@c3; h1-g4; c3-d3; g4-f4; S@b2; S@h2",
        causes("reaches"),
    ),
)


MIN_LEAPS = 3
"""Minimum number of leaps in a chain."""


LONGEST_STEP = 1.5
"""Neighbours are 1 apart, the ends of a leap 2."""


def themes(state: State) -> Iterator[str]:
    """The themes of the act that led to a state."""
    assert state.parent is not None
    (path,) = [effect.spaces for effect in state.effects if effect.kind == "path"] or [()]
    if leaps(state, path) >= MIN_LEAPS:
        yield "chain of leaps"
    covered = [str(effect.value) for effect in state.effects if effect.kind == "covers"]
    if covered:
        yield "sits on its own" if covered[0].startswith(str(state.seat)) else "sits on another's"
    if "@" in str(state.act):
        yield "newcomer"
    others = (state.parent.apply(act) for act in state.parent.legal_actions())
    if not state.is_terminal and not is_lost(state) and any(map(is_lost, others)):
        yield "blockade"


def leaps(state: State, path: Sequence[str]) -> int:
    """The number of steps of a path that go farther than to a neighbour."""
    places = {space["name"]: (space["x"], space["y"]) for space in state.game.layout()["spaces"]}
    steps = [(places[before], places[after]) for before, after in itertools.pairwise(path)]
    return sum(math.dist(here, there) > LONGEST_STEP for here, there in steps)


def is_lost(state: State) -> bool:
    """Whether the next player can win immediately."""
    return any(state.apply(act).winners for act in state.legal_actions())
