"""The lesson of High Rise, and the themes of its puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.extras.exercises import Step, acts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import State


TOWERS = {
    "a1": "LMS",
    "b1": "LMM",
    "c1": "MLM",
    "a2": "LSM",
    "b2": "LLL",
    "c2": "MLS",
    "a3": "SML",
    "b3": "LM",
    "c3": "M",
}
"""The towers before the last act; both sides place one pyramid each in turn. Seat 0 has another small one, on c3."""


ROLL = "roll:112344566; "


LAST = "; ".join(f"{size}@{square}; {size}@{square}" for square, sizes in TOWERS.items() for size in sizes) + "; S@c3"


STEPS = (
    Step(
        "control",
        "Who has more",
        "You and Purple take turns to put a pyramid on any tower. In the end, whoever has more pips in a tower "
        "controls it, and scores the other's pips there. A pyramid has one to three pips, the dots on it, by size. "
        "Purple's medium one on b2 is worth having: get ahead there.",
        "A large one has three pips, one more than the medium.",
        "If it stays that way, you get 2 points, and the number hidden below. All saw the dice that lie there, and "
        "nobody knows which lies where.",
        ("HR-2", "HR-5", "HR-9"),
        ROLL + "S@a1; M@b2",
        acts("L@b2"),
    ),
    Step(
        "level",
        "Level is nobody's",
        "A tower in which both have as many pips scores for nobody. On b2 Purple is ahead by three pips to one. You "
        "don't have to beat that: draw level.",
        "One and two are three.",
        "Purple's lead there is worth nothing now, and neither is the number below, unless somebody builds on.",
        ("HR-9",),
        ROLL + "S@b2; L@b2",
        acts("M@b2"),
    ),
    Step(
        "hide",
        "Out of sight",
        "Nobody lifts pyramids to look below. What has a larger one anywhere above it is hidden, and you have to "
        "remember it; the page won't tell you. Hide Purple's small pyramid on c3.",
        "Anything larger than a small one hides it.",
        "It still counts. Count along while you play, or hide what the others might forget.",
        ("HR-7",),
        ROLL + "L@a1; S@c3",
        acts("M@c3", "L@c3"),
    ),
    Step(
        "last",
        "The last pyramid",
        "Now you play purple, and have one small pyramid left, the last of all. Everything is level but c3, where Red "
        "leads by three pips to two. After you the numbers are shown, none above six. Make sure that you win.",
        "Drawing level on c3 would only be a draw. Where would one pip more score the most of Red's?",
        "Nine pips of Red's, and the number below: that beats c3 whatever was hidden.",
        ("HR-8", "HR-9", "HR-10"),
        ROLL + LAST,
        acts("S@b2"),
        seat=1,
        options={"memory": "off"},
    ),
)


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
