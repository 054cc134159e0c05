"""The types of the review of a game of Icehouse.

Seats are numbers, pieces are named by their ids on the field. Times and durations are in milliseconds; times count from
the opening of the table, as in records. `act` is the number of an act in the game, beginning with 1. Intervals exclude
their `end`, and end with the game at the latest.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from icetable.games.icehouse.view import Colour


class Span(TypedDict):
    """An interval."""

    start: int
    end: int


class Standing(TypedDict):
    """The scores if the game had ended after an act (IH-33)."""

    act: int
    at: int
    scores: list[int]


class Change(TypedDict):
    """An act that changed the scores, with its effects, and the points that each seat won or lost."""

    act: int
    at: int
    seat: int
    text: str
    effects: list[str]
    points: list[int]


class Icing(TypedDict):
    """A defender was iced (IH-14).

    `seat` lost it, `by` iced it (None: it was iced from the beginning), and `attackers` are the colours of its
    attackers at that time. `points`: the points that each seat won or lost by it. `freed_by`: the seat that freed the
    piece; None if it stayed iced. `returned`: the points won or lost by that. `over`: when it was over-iced (IH-25).
    """

    piece: str
    kind: str
    seat: int
    act: int
    start: int
    end: int
    by: int | None
    attackers: list[int]
    points: list[int]
    freed_by: int | None
    returned: list[int]
    over: list[Span]


class Danger(TypedDict):
    """A free defender of a seat was in danger.

    One more attacker would have iced it, and another seat had one on its pad or in its hand: a piece of another colour
    that is large enough and may attack (IH-13). It also mattered: the defender was attacked already, or a call would
    have found its player without it (`last`). Room for the attacker is not considered. A seat in the icehouse is never
    in danger. `by`: the seats that had such a piece. `iced`: whether the danger ended with the icing.
    """

    piece: str
    kind: str
    seat: int
    start: int
    end: int
    by: list[int]
    last: bool
    iced: bool


class Chance(TypedDict):
    """A call of icehouse would have found a seat (IH-18), and each of `callers` could have made it at some time.

    A caller owes no piece, its calls are not void, and the call would not have found the caller as well. `found_by`:
    the seat that made the call; None if the chance was missed.
    """

    seat: int
    start: int
    end: int
    callers: list[int]
    found_by: int | None


class Call(TypedDict):
    """A call of icehouse: the seats that it found, and the number of pieces that the caller got (IH-19).

    `waited`: how long before a true call a seat that it found could have been found; None for other calls, and if
    nobody could have made one.
    """

    act: int
    at: int
    seat: int
    verdict: Literal["true", "false", "void"]
    found: list[int]
    pieces: int
    waited: int | None


class Meltdown(TypedDict):
    """A call of meltdown on the colour of a seat, and the pieces that were returned; none if it was in vain (IH-13)."""

    act: int
    at: int
    seat: int
    colour: int
    pieces: list[str]


class Capture(TypedDict):
    """A seat took an attacker of the seat `owner` prisoner (IH-27)."""

    act: int
    at: int
    seat: int
    piece: str
    kind: str
    owner: int


class Crash(TypedDict):
    """A seat crashed with a piece (IH-30)."""

    act: int
    at: int
    seat: int
    kind: str


class Wasted(TypedDict):
    """A lying piece of a seat that scored nothing at the end (IH-15).

    `by`: the seat that placed it; None if it was there from the beginning. `valid`: it attacked a defender that was not
    iced.
    """

    piece: str
    kind: str
    seat: int
    by: int | None
    valid: bool


class Account(TypedDict):
    """The gains and losses of a seat, which add up to its score.

    `stood`: defenders that were placed. `iced` and `freed`: defenders that stopped scoring, and that scored again.
    `attacked`: attackers that began to score. `spoilt`: attackers that stopped scoring, as their targets were freed, or
    they were captured, melted down or blocked. `icehouse`: the loss by the icehouse.
    """

    stood: int
    iced: int
    freed: int
    attacked: int
    spoilt: int
    icehouse: int


class Seat(TypedDict):
    """The statistics of a seat.

    Numbers of pieces: `placed`; `attacks`, those placed to attack; `wasted`, the attacks that scored nothing at the
    end; `taken` and `prisoners`, the prisoners taken and placed; `given`, those given away. Durations: `open`, when a
    call could have found it; `endangered`, when any of its defenders was in danger.

    `acts`: the number of its acts since play began. `pause` and `longest_pause`: the mean and the longest interval
    between them, counting that from the start of play to the first. `answer`: the mean time from a hit to the answer. A
    hit is an act of another seat that ices a defender of this one; the answer is this one's next placement or capture.
    `quickest`: the shortest time in which it placed five pieces in a row. Times are None if there were none.
    """

    score: int
    account: Account
    placed: int
    attacks: int
    wasted: int
    taken: int
    prisoners: int
    given: int
    crashes: int
    open: int
    endangered: int
    acts: int
    pause: int | None
    longest_pause: int | None
    quickest: int | None
    answer: int | None


class Review(TypedDict):
    """The review of a game. `began`: when the last seat was ready. `course` begins before all acts.

    `ended_by`: a rule, or "resign", "time" or "draw" if the game did not end by its rules.

    `chances` includes those that a call took.
    """

    colours: list[Colour]
    began: int
    ended: int
    ended_by: str
    winners: list[int]
    seats: list[Seat]
    course: list[Standing]
    changes: list[Change]
    icings: list[Icing]
    dangers: list[Danger]
    chances: list[Chance]
    calls: list[Call]
    meltdowns: list[Meltdown]
    captures: list[Capture]
    crashes: list[Crash]
    wasted: list[Wasted]
