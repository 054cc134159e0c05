"""The lessons of Icehouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from icetable.extras.exercises import Step, causes

if TYPE_CHECKING:
    from icetable.core.game import State
    from icetable.extras.exercises import Goal
    from icetable.games.icehouse.position import Position
    from icetable.games.icehouse.view import FieldPiece

OPTIONS = {"players": 2, "width": 10, "height": 10, "timer": 0, "crash": "refuse"}
"""The options of most steps: a small field, no bell, no crashes."""
CRASHES = OPTIONS | {"crash": "penalty", "gift_time": 3600}
"""Crashes cost a piece, which the learner gives when they like."""


def after(*placed: str) -> str:
    """The opening acts that place these pieces, such as "0 L 5000,5000 stand 0.0"."""
    acts = ["0 ready", "1 ready"]
    for placement in placed:
        seat, piece, where = placement.split(" ", 2)
        acts += [f"{seat} lift {piece}", f"{seat} place {where}"]
    return "; ".join(acts)


def places(how: str, sizes: str = "SML") -> Goal:
    """A piece of one of these sizes is placed to "stand" or to "point"."""
    return lambda state: f" {how} " in str(state.act) and pieces_of(state)[-1]["size"] in sizes


def ices_without_redundancy(target: str) -> Goal:
    """The target is iced, and no attacker is redundant."""

    def holds(state: State) -> bool:
        pieces = pieces_of(state)
        iced = any(piece["id"] == target and piece["iced"] for piece in pieces)
        return iced and not any(piece["redundant"] for piece in pieces)

    return holds


def stands_in_the_yard(state: State) -> bool:
    """A piece stands in the square inch in the corner."""
    return any(piece["standing"] and piece["x"] < 1000 and piece["y"] < 1000 for piece in pieces_of(state))


def leads(state: State) -> bool:
    """Red would win if the bell rang now."""
    return state.scores[0] > state.scores[1]


def pieces_of(state: State) -> list[FieldPiece]:
    return cast("Position", state).pieces()


HOMES = ("0 L 2000,8000 stand 0.0", "0 M 8000,2000 stand 0.0", "1 L 8000,8000 stand 0.0", "1 S 5000,5000 stand 0.0")
"""Two defenders of each side: p1 and p2 are red, p3 and p4 green."""

STEPS = (
    Step(
        "defend",
        "Stand to defend",
        "There are no turns: you play whenever you like, and so do the others. A piece that stands defends, and scores "
        "what it is worth, one to three, unless it is overwhelmed. It never moves again. Stand a piece on the field.",
        "Pick any piece, carry it to a free spot, make sure that it stands, and let go.",
        "Well done: it defends. But Green may attack it at any moment.",
        ("IH-1", "IH-9", "IH-15"),
        after(),
        places("stand"),
        options=OPTIONS,
    ),
    Step(
        "point",
        "Point to attack",
        "A piece that lies down attacks what its tip points at: the first piece on the line straight ahead. It has to "
        "be a standing piece of another colour. Attack the small green one in the middle.",
        "Pick a piece, lay it down, turn it until its line meets the green piece, or let “Next target” aim it.",
        "An attack scores nothing yet. It counts when it overwhelms what it points at.",
        ("IH-9", "IH-10", "IH-12"),
        after(*HOMES),
        lambda state: places("point")(state) and pieces_of(state)[-1]["points_at"] == "p4",
        options=OPTIONS,
    ),
    Step(
        "range",
        "No farther than it is long",
        "An attack reaches as far as the attacker is long: the target has to be closer than that. Large "
        "pieces reach farther than small ones. Attack with a small one.",
        "A small piece is about an inch long. Put it next to a green piece, pointing at it.",
        "Small pieces need to come close; large ones can keep their distance, as long as the way is clear.",
        ("IH-4", "IH-11"),
        after(*HOMES),
        places("point", "S"),
        options=OPTIONS,
    ),
    Step(
        "joint",
        "Together",
        "A defender is iced when its attackers are worth more than itself, and then they all score, and it does not. "
        "Your medium piece points at the large green one, with two against three. Ice it.",
        "Three against three is not more: another medium or a large one is needed.",
        "Iced. It scores nothing now, and your attackers score what they are worth.",
        ("IH-14", "IH-15"),
        after(*HOMES, "0 M 8000,6500 point 90.0"),
        lambda state: any(piece["id"] == "p3" and piece["iced"] for piece in pieces_of(state)),
        options=OPTIONS,
    ),
    Step(
        "block",
        "In between",
        "Your small piece in the middle is iced by a large one from afar. A tip points at the first piece in its way: "
        "stand another piece in between.",
        "A medium or a large piece fits into the gap. A large one even holds out against the attacker.",
        "The attack now goes at the piece in between, and the small one is free again.",
        ("IH-10", "IH-16"),
        after(
            "0 S 5000,5000 stand 0.0",
            "0 L 2000,8000 stand 0.0",
            "1 L 8000,8000 stand 0.0",
            "1 M 8000,2000 stand 0.0",
            "1 L 7750,5000 point 180.0",
        ),
        lambda state: any(effect.kind == "frees" and "p1" in effect.spaces for effect in state.effects),
        options=OPTIONS,
    ),
    Step(
        "fortress",
        "The fortress",
        "The edges of the field are walls: nothing points from outside. At the lower left, two of your large pieces "
        "and two walls leave a yard of one square inch, and no line leads into it. Stand a piece in the yard.",
        "A small or a medium piece goes in. Look from close by, and use the finest moves.",
        "Nothing can ever point at it, so it is worth its points to the end, and you can't be caught in the icehouse.",
        ("IH-2", "IH-10", "IH-15"),
        after(
            "0 L 1500,500 stand 0.0",
            "0 L 500,1500 stand 0.0",
            "1 L 8000,8000 stand 0.0",
            "1 M 8000,2000 stand 0.0",
        ),
        stands_in_the_yard,
        options=OPTIONS,
    ),
    Step(
        "enough",
        "Just enough",
        "Attack with more than you need and you may lose it: an attacker without which the defender would be iced all "
        "the same is redundant, and the defender's player may take it away. Your medium piece points at a medium one. "
        "Ice that, without anything to spare.",
        "Three are enough against two, and none of your attackers must be enough without the other.",
        "Iced, and every attacker is needed: nobody can take one away.",
        ("IH-14", "IH-25"),
        after(
            *HOMES[:2],
            "1 L 8000,8000 stand 0.0",
            "1 M 5000,5000 stand 0.0",
            "0 M 5000,3300 point 90.0",
        ),
        ices_without_redundancy("p4"),
        options=OPTIONS,
    ),
    Step(
        "capture",
        "Prisoners",
        "Green has iced your small piece with two medium ones, and one would have been enough: it is over-iced. So you "
        "may capture one of the attackers. It comes to your pad as a prisoner, and you play it as your own, though it "
        "goes on scoring for its colour.",
        "Choose one of the two green attackers, and capture it.",
        "A prisoner of your own. Lay it before another green piece, or keep it on your pad, where it is safe.",
        ("IH-25", "IH-26", "IH-27"),
        after(
            "0 S 5000,5000 stand 0.0",
            "0 L 2000,8000 stand 0.0",
            "1 L 8000,8000 stand 0.0",
            "1 S 8000,2000 stand 0.0",
            "1 M 6500,5000 point 180.0",
            "1 M 5000,3500 point 90.0",
        ),
        causes("captures"),
        options=OPTIONS,
    ),
    Step(
        "icehouse",
        "The icehouse",
        "A player with seven pieces or fewer left on the pad, and no defender that stands free, is in the icehouse as "
        "soon as somebody calls it: they score nothing at all, and the caller gets their pad. Green has seven pieces "
        "left, and both green defenders are iced. Call.",
        "The button says Icehouse.",
        "Green is out of the scoring, and all that was on the pad is yours. But a call that finds nobody costs you a "
        "piece.",
        ("IH-18", "IH-19", "IH-20"),
        after(
            "0 L 2000,8000 stand 0.0",
            "0 L 2000,5000 stand 0.0",
            "1 S 8000,8000 stand 0.0",
            "1 S 8000,2000 stand 0.0",
            "0 L 2000,2000 stand 0.0",
            "0 L 5000,5000 stand 0.0",
            "0 M 8000,6500 point 90.0",
            "0 M 8000,3500 point 270.0",
            "1 S 3300,8000 point 180.0",
            "1 S 2000,9300 point 270.0",
            "1 S 700,8000 point 0.0",
            "1 M 3500,5000 point 180.0",
            "1 M 3500,2000 point 180.0",
            "1 M 6500,5000 point 180.0",
        ),
        causes("finds"),
        options=OPTIONS,
    ),
    Step(
        "meltdown",
        "Meltdown",
        "The first two pieces of every colour have to stand. Green was in a hurry: two attacks, and only one defender. "
        "As long as that is so, anybody may call a meltdown of that colour, and all its attackers go back to the pad.",
        "The button says Meltdown. The colour to name is green.",
        "All gone, without a fight. Mind your own first two pieces.",
        ("IH-13",),
        after(
            "0 L 5000,5000 stand 0.0",
            "0 M 2000,8000 stand 0.0",
            "1 L 8000,8000 stand 0.0",
            "1 M 6900,5000 point 180.0",
            "1 S 5000,3700 point 90.0",
        ),
        causes("melts", "green"),
        options=OPTIONS,
    ),
    Step(
        "crash",
        "A crash",
        "Take your time with each piece: one that comes down on another is a crash. The field stays as it was, and you "
        "must give the piece to an opponent. Do it once on purpose: let a piece go on top of the small green one.",
        "Carry any piece to the middle of the field, and let go, whatever the page says.",
        "Crash! That piece is on your pad again, but not for long. On a slow line you lose nothing to a piece that "
        "your page had not shown you.",
        ("IH-5", "IH-30"),
        after(*HOMES),
        causes("crashes"),
        options=CRASHES,
    ),
    Step(
        "gift",
        "A gift",
        "You have crashed with a small piece, so you owe it to another player. So does whoever calls Icehouse and "
        "finds nobody, but may choose the piece. Until you give it you can do nothing else. Give it.",
        "Below the field is a button for each player who may get it.",
        "It is Green's prisoner now: it scores for you, but Green decides where. If you do not give within ten "
        "seconds, the table does it for you.",
        ("IH-20", "IH-24", "IH-30"),
        after(*HOMES) + "; 0 lift S; 0 place 5000,5000 stand 0.0",
        causes("gives"),
        options=CRASHES,
    ),
    Step(
        "bell",
        "The bell",
        "At a moment that nobody knows the bell rings, and only what scores on the field then counts: pieces on the "
        "pads are worth nothing. It may ring now, and Green leads by four points to three. Get ahead with one piece.",
        "A large piece that stands is enough. So is an attack that ices a green piece.",
        "Now it may ring. Whoever saves pieces for the end may be too late with them.",
        ("IH-31", "IH-33"),
        after(
            "0 M 2000,8000 stand 0.0",
            "0 S 8000,2000 stand 0.0",
            "1 L 8000,8000 stand 0.0",
            "1 S 5000,5000 stand 0.0",
        ),
        leads,
        options=OPTIONS,
    ),
)
