"""What the review of a game of Icehouse tells.

Seats are numbers, pieces are named by the ids that they have on the field. Times and lengths of time are in
milliseconds; times count from the opening of the table, as in records. `act` is the number of an act in the game, the
first one being 1. What holds from a `start` on holds no more at its `end`; what holds at the end of the game ends with
it.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from icetable.games.icehouse.view import Colour


class Span(TypedDict):
    """From when on something held, and when it held no more."""

    start: int
    end: int


class Standing(TypedDict):
    """What each seat would have scored if the game had ended after an act (IH-33)."""

    act: int
    at: int
    scores: list[int]


class Change(TypedDict):
    """An act that changed the scores: whose it was, what it caused, and how many points each seat won or lost."""

    act: int
    at: int
    seat: int
    text: str
    effects: list[str]
    points: list[int]


class Icing(TypedDict):
    """A defender was iced (IH-14).

    `seat` has lost it, `by` has done it (None: it was iced from the beginning), and `attackers` are the colours of its
    attackers at that time, one for each. `points` is what it brought and cost each seat. `freed_by`: who freed the
    piece; None where it stayed iced. `returned`: the points of that. `over`: while it was over-iced (IH-25).
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

    One more attacker would have iced it, and another seat had one to play: on its pad or in its hand lay a piece that
    is worth enough, has another colour, and may attack (IH-13). And it mattered: the defender was attacked already, or
    a call would have found its player without it (`last`). Whether there was room for the attacker is not asked. A seat
    in the icehouse has nothing to lose. `by`: the seats that had such a piece. `iced`: whether that ended the danger.
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
    """A call of icehouse would have found a seat (IH-18), and `callers` could have made it at some time.

    A caller owes no piece, its calls are not void, and the call would not have found the caller as well. `found_by`:
    who made the call in the end; with None the chance was missed.
    """

    seat: int
    start: int
    end: int
    callers: list[int]
    found_by: int | None


class Call(TypedDict):
    """A call of icehouse: the seats that it found, and how many pieces it brought (IH-19).

    `waited`: how long a seat that it found could have been found before; None for any other than a true call, and
    where nobody could have made one.
    """

    act: int
    at: int
    seat: int
    verdict: Literal["true", "false", "void"]
    found: list[int]
    pieces: int
    waited: int | None


class Meltdown(TypedDict):
    """A call of meltdown on the colour of a seat, and the pieces that went back; none where it was in vain (IH-13)."""

    act: int
    at: int
    seat: int
    colour: int
    pieces: list[str]


class Capture(TypedDict):
    """A seat took an attacker prisoner (IH-27), a piece of the seat `owner`."""

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
    """A lying piece that was worth nothing at the end (IH-15): a piece of the seat `seat`, played by `by`.

    `by` is None where it lay there from the beginning. `valid`: it attacked a defender, but that was not iced.
    """

    piece: str
    kind: str
    seat: int
    by: int | None
    valid: bool


class Account(TypedDict):
    """Where the points of a seat came from and went to. They add up to its score.

    `stood`: defenders that were placed. `iced` and `freed`: defenders that ceased to score and came to score again.
    `attacked`: attackers that came to score. `spoilt`: attackers that ceased to: their targets were freed, they were
    captured, melted down, or blocked. `icehouse`: all that was lost there.
    """

    stood: int
    iced: int
    freed: int
    attacked: int
    spoilt: int
    icehouse: int


class Seat(TypedDict):
    """What there is to tell of a seat.

    `placed`: how many pieces, `attacks`: how many of them lay. `wasted`: how many of these were worth nothing at the
    end. `taken` and `prisoners`: how many prisoners it took and how many it placed. `given`: how many pieces it had to
    give away. `open`: how long a call could have found it. `endangered`: how long any of its defenders was in danger.

    `acts`: how many it made since play began. `pause` and `longest_pause`: the mean and the longest time from one of
    them to the next, from the beginning of play to the first among them. `answer`: the mean time from a hit to the
    answer. A hit is an act of another seat that ices a defender of this one; the answer is this one's next placement or
    capture. None where there was no such time.
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
    answer: int | None


class Review(TypedDict):
    """How a game went, from its record alone. `began`: when the last seat was ready. `course` begins before all acts.

    `ended_by`: a rule, or "resign", "time" or "draw" where the game ended before its rules did.

    `chances` are those that were missed, if only for a while, and those that a call took.
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
