"""The review of a game of Icehouse as people read it: its sentences, tables and course, on the page and in a terminal.

In sentences `{0}`, `{0's}` and `{0's own}` stand for the player at seat 0, who may be the reader. Times count in
milliseconds from the start of play, `act` is the number of an act in the game, and minus signs are hyphens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict, TypeVar

from icetable.core.turns import SIZE_WORDS
from icetable.games.icehouse.position import SIZE_LETTERS

if TYPE_CHECKING:
    from icetable.games.icehouse.review import parts

WHOLE_SECONDS_FROM_MS = 10_000
"""Shorter times are given in tenths of a second."""
ENDS = {
    "IH-31": "The bell ended it.",
    "IH-32": "It ended as every piece was played.",
    "resign": "It ended as a player resigned.",
    "draw": "It ended in a draw by agreement.",
}

_Source = Literal["stood", "attacked", "iced", "freed", "spoilt", "icehouse"]
Lasting = TypeVar("Lasting", "parts.Chance", "parts.Danger")


class Standing(TypedDict):
    """The scores if the game had ended after an act (IH-33)."""

    at: int
    """The time in milliseconds."""
    scores: list[int]
    """The scores by seat."""


class Change(TypedDict):
    """An act that changed the scores."""

    act: int
    """The number of the act."""
    at: int
    """The time in milliseconds."""
    seat: int
    """The seat that acted."""
    points: list[int]
    """The points that each seat won or lost."""


class Mark(TypedDict):
    """An event above the scores."""

    lane: Literal["iced", "taken", "calls"]
    """The row of events that it belongs to."""
    at: int
    """The time in milliseconds."""
    seat: int
    """The seat whose colour it has."""
    vain: bool
    """Whether it is a false call."""


class Item(TypedDict):
    """A moment of the game."""

    act: int
    """The number of the act."""
    at: int
    """The time in milliseconds."""
    seat: int
    """The seat whose mark it has."""
    text: str
    """What happened, in a sentence."""


class Chapter(TypedDict):
    """Moments of one kind."""

    title: str
    """What they have in common."""
    items: list[Item]
    """The moments, in order."""
    none: str
    """A sentence in place of them, if there are none."""


class Row(TypedDict):
    """A figure of each seat."""

    name: str
    """Its name."""
    about: str
    """Its meaning, for newcomers."""
    figures: list[str]
    """The figure of each seat, as text."""
    sum: bool
    """Whether it is the sum of those above."""


class Table(TypedDict):
    """Figures of all seats."""

    title: str
    """What they are about."""
    rows: list[Row]
    """The figures."""
    note: str
    """A sentence below them; empty for none."""


class Review(TypedDict):
    """A review."""

    length: int
    """The length of play in milliseconds."""
    bell: bool
    """Whether the bell ended it."""
    summary: str
    """The result, in a sentence."""
    course: list[Standing]
    """The scores from before all acts on, act by act."""
    changes: list[Change]
    """The acts that changed the scores."""
    marks: list[Mark]
    """The events above the scores."""
    chapters: list[Chapter]
    """The moments, by kind."""
    tables: list[Table]
    """The figures of the seats."""


def page_of(review: parts.Review) -> Review:
    """A review as people read it."""
    began = review["began"]
    found: Review = {
        "length": review["ended"] - began,
        "bell": review["ended_by"] == "IH-31",
        "summary": summary(review),
        "course": [{"at": standing["at"], "scores": standing["scores"]} for standing in review["course"]],
        "changes": [
            {"act": change["act"], "at": change["at"], "seat": change["seat"], "points": change["points"]}
            for change in review["changes"]
        ],
        "marks": marks(review),
        "chapters": [
            {"title": "Who iced what", "items": icings(review), "none": "No piece was iced."},
            {
                "title": "Calls, prisoners and crashes",
                "items": events(review),
                "none": "Nobody called, crashed or took a prisoner.",
            },
            {"title": "Missed calls", "items": missed(review), "none": "No call was missed."},
            {"title": "Pieces in danger", "items": dangers(review), "none": "No piece was in danger."},
        ],
        "tables": tables(review["seats"]),
    }
    items = [item for chapter in found["chapters"] for item in chapter["items"]]
    for timed in (*found["course"], *found["changes"], *found["marks"], *items):
        timed["at"] = max(0, timed["at"] - began)
    return found


# Sentences


def summary(review: parts.Review) -> str:
    """The winners, the length and the end of the game."""
    winners = listed(review["winners"]) or "Nobody"
    end = ENDS.get(review["ended_by"], "")
    return f"{winners} won after {minutes(review['ended'] - review['began'])} of play. {end}".rstrip()


def icings(review: parts.Review) -> list[Item]:
    """Icings with their points and their end."""
    found: list[Item] = []
    for icing in review["icings"]:
        seat, by, size = icing["seat"], icing["by"], size_of(icing["kind"])
        if by is None:
            head = f"{{{seat}'s}} {size} was iced from the start"
        else:
            owner = f"{{{seat}'s own}}" if by == seat else f"{{{seat}'s}}"
            head = f"{{{by}}} iced {owner} {size}"
        points = ", ".join(f"{won:+d} for {{{winner}}}" for winner, won in enumerate(icing["points"]) if won)
        fate = "It stayed iced."
        if icing["freed_by"] is not None:
            fate = f"{{{icing['freed_by']}}} freed it at {minutes(icing['end'] - review['began'])}."
        text = f"{head}{': ' if points else ''}{points}. {fate}"
        found.append({"act": icing["act"], "at": icing["start"], "seat": seat if by is None else by, "text": text})
    return found


def events(review: parts.Review) -> list[Item]:
    """Calls, prisoners and crashes, in the order of the game."""
    texts = [
        *((call, called(call)) for call in review["calls"]),
        *((call, melted(call)) for call in review["meltdowns"]),
        *((capture, f"took a prisoner: a {kind_of(capture['kind'])}") for capture in review["captures"]),
        *((crash, f"crashed with a {kind_of(crash['kind'])}") for crash in review["crashes"]),
    ]
    items: list[Item] = [
        {"act": one["act"], "at": one["at"], "seat": one["seat"], "text": f"{{{one['seat']}}} {text}."}
        for one, text in texts
    ]
    return sorted(items, key=lambda item: item["act"])


def called(call: parts.Call) -> str:
    if call["verdict"] == "void":
        return "called Icehouse, which did not count"
    if call["verdict"] == "false":
        return "called Icehouse in vain"
    late = "" if call["waited"] is None else f", {duration(call['waited'])} after the first chance"
    return f"called Icehouse and caught {listed(call['found'])}{late}: {counted(call['pieces'])} won"


def melted(call: parts.Meltdown) -> str:
    end = f": {counted(len(call['pieces']))} went back" if call["pieces"] else " in vain"
    return f"called meltdown on {listed([call['colour']])}{end}"


def missed(review: parts.Review) -> list[Item]:
    """Chances for a call that nobody took, the longest first."""
    return [
        lasting(
            review,
            chance,
            f"{{{chance['seat']}}} could have been caught for {span(chance)}, by {listed(chance['callers'], 'or')}.",
        )
        for chance in longest(chance for chance in review["chances"] if chance["found_by"] is None)
    ]


def dangers(review: parts.Review) -> list[Item]:
    """Defenders that one more attacker would have iced, the longest times first."""
    found = []
    for danger in longest(review["dangers"]):
        kind = "the only one that stood free" if danger["last"] else "already under attack"
        what = f"{{{danger['seat']}'s}} {size_of(danger['kind'])}, {kind}"
        end = ", and then it was iced" if danger["iced"] else ""
        text = f"{listed(danger['by'], 'or')} could have iced {what}, for {span(danger)}{end}."
        found.append(lasting(review, danger, text))
    return found


def lasting(review: parts.Review, one: parts.Chance | parts.Danger, text: str) -> Item:
    """What began between two acts leads to the earlier one."""
    acts = [standing["act"] for standing in review["course"] if standing["at"] <= one["start"]]
    return {"act": max(acts, default=0), "at": one["start"], "seat": one["seat"], "text": text}


def longest(found: Iterable[Lasting]) -> list[Lasting]:
    return sorted(found, key=lambda one: one["start"] - one["end"])


def span(one: parts.Chance | parts.Danger) -> str:
    return duration(one["end"] - one["start"])


def duration(milliseconds: int | None) -> str:
    """ "4.2 s", "27 s"; a dash for None."""
    if milliseconds is None:
        return "–"
    digits = 1 if milliseconds < WHOLE_SECONDS_FROM_MS else 0
    return f"{milliseconds / 1000:.{digits}f}\N{NO-BREAK SPACE}s"


def minutes(milliseconds: int) -> str:
    """ "2:07"."""
    seconds = max(0, milliseconds) // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"


def counted(pieces: int) -> str:
    return f"{pieces} piece{'' if pieces == 1 else 's'}"


def listed(seats: Sequence[int], last: str = "and") -> str:
    """ "{0}, {1} and {2}"; empty if there are no seats."""
    *some, one = ["", *(f"{{{seat}}}" for seat in seats)]
    return f"{', '.join(some[1:])} {last} {one}" if some[1:] else one


def size_of(kind: str) -> str:
    """ "large" for "L:red"."""
    return SIZE_WORDS[SIZE_LETTERS.index(kind.partition(":")[0])]


def kind_of(kind: str) -> str:
    """ "large red" for "L:red"."""
    return f"{size_of(kind)} {kind.partition(':')[2]}"


# Pictures and tables


def marks(review: parts.Review) -> list[Mark]:
    """The events above the scores, in the order of their lanes."""
    iced: list[Mark] = [
        {"lane": "iced", "at": icing["start"], "seat": icing["by"], "vain": False}
        for icing in review["icings"]
        if icing["by"] is not None
    ]
    taken: list[Mark] = [
        {"lane": "taken", "at": capture["at"], "seat": capture["seat"], "vain": False} for capture in review["captures"]
    ]
    calls: list[Mark] = [
        {"lane": "calls", "at": call["at"], "seat": call["seat"], "vain": call["verdict"] != "true"}
        for call in review["calls"]
    ]
    meltdowns: list[Mark] = [
        {"lane": "calls", "at": call["at"], "seat": call["seat"], "vain": not call["pieces"]}
        for call in review["meltdowns"]
    ]
    return [*iced, *taken, *calls, *meltdowns]


def tables(seats: Sequence[parts.Seat]) -> list[Table]:
    """The sources of each seat's points, its pieces, and the pace of its hands."""

    def row(name: str, about: str, figure: Callable[[parts.Seat], str]) -> Row:
        return {"name": name, "about": about, "figures": [*map(figure, seats)], "sum": name == "Score"}

    def points(name: str, about: str, source: _Source) -> Row:
        return row(name, about, lambda seat: f"{seat['account'][source]:+d}" if seat["account"][source] else "0")

    return [
        {
            "title": "Where the points came from",
            "rows": [
                points("Defenders", "Pips on pieces that were stood up.", "stood"),
                points("Attackers", "Pips on pieces that iced their target.", "attacked"),
                points("Iced", "Pips on defenders that were iced.", "iced"),
                points("Freed", "Pips on defenders that stood free again.", "freed"),
                points(
                    "Attacks lost",
                    "Pips on attackers that ice no more: captured, sent back or blocked, or their target was freed.",
                    "spoilt",
                ),
                points("Icehouse", "Pips lost by being caught.", "icehouse"),
                row("Score", "The sum of these lines.", lambda seat: str(seat["score"])),
            ],
            "note": "",
        },
        {
            "title": "The pieces",
            "rows": [
                row("Placed", "Pieces put on the field.", lambda seat: str(seat["placed"])),
                row("Attackers", "Those of them that were laid down to attack.", lambda seat: str(seat["attacks"])),
                row("Wasted", "Attackers that scored nothing at the end.", lambda seat: str(seat["wasted"])),
                row("Captured", "Prisoners taken.", lambda seat: str(seat["taken"])),
                row("Prisoners", "Prisoners put on the field.", lambda seat: str(seat["prisoners"])),
                row("Crashes", "Pieces let go on top of others.", lambda seat: str(seat["crashes"])),
                row("Gifts", "Pieces given away.", lambda seat: str(seat["given"])),
            ],
            "note": "",
        },
        {
            "title": "How fast everyone played",
            "rows": [
                row("Moves", "Since play began.", lambda seat: str(seat["acts"])),
                row("Pause", "From one move to the next, on average.", lambda seat: duration(seat["pause"])),
                row("Longest pause", "Between two moves.", lambda seat: duration(seat["longest_pause"])),
                row(
                    "Quickest five",
                    "The shortest time for five pieces in a row. A hand at a table needs about four seconds.",
                    lambda seat: duration(seat["quickest"]),
                ),
                row(
                    "Answer",
                    "From being iced to placing the next piece, on average.",
                    lambda seat: duration(seat["answer"]),
                ),
                row("In danger", "How long a piece could have been iced.", lambda seat: duration(seat["endangered"])),
                row(
                    "Open to a call",
                    "How long a call would have caught the player.",
                    lambda seat: duration(seat["open"]),
                ),
            ],
            "note": "All this is counted from the moves; it does not judge plans.",
        },
    ]
