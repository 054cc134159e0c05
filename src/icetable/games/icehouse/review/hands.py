"""Events of hands: placements, captures, crashes and gifts, and their pace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from icetable.games.icehouse.review.moments import acts
from icetable.games.icehouse.view import Captures, Crashes, Gives, Places, Settles

if TYPE_CHECKING:
    from icetable.games.icehouse.review.moments import Moment
    from icetable.games.icehouse.review.parts import Capture, Crash, Icing

QUICKEST = 5
"""The number of pieces by which the pace of a hand is judged."""


def captures(all_moments: Sequence[Moment]) -> list[Capture]:
    return [
        {
            "act": moment.act,
            "at": moment.at,
            "seat": moment.actor,
            "piece": effect.spaces[0],
            "kind": effect.value,
            "owner": moment.seat_named(effect.value[2:]),
        }
        for _, moment in acts(all_moments)
        for effect in moment.position.effects
        if isinstance(effect, Captures)
    ]


def crashes(all_moments: Sequence[Moment]) -> list[Crash]:
    return [
        {"act": moment.act, "at": moment.at, "seat": moment.actor, "kind": effect.value}
        for _, moment in acts(all_moments)
        for effect in moment.position.effects
        if isinstance(effect, Crashes)
    ]


def placements(all_moments: Sequence[Moment]) -> dict[str, tuple[int, Moment]]:
    """The seat that placed each piece, and the moment after."""
    return {
        effect.spaces[0]: (moment.actor, moment)
        for _, moment in acts(all_moments)
        for effect in moment.position.effects
        if isinstance(effect, Places)
    }


def gifts(all_moments: Sequence[Moment]) -> list[int]:
    """The giver of each gift, including debts settled when time was up."""
    return [
        moment.seat_named(effect.spaces[0])
        for _, moment in acts(all_moments)
        for effect in moment.position.effects
        if isinstance(effect, Gives | Settles)
    ]


def pauses(all_moments: Sequence[Moment], seat: int, began: int) -> list[int]:
    """The intervals between acts of a seat, from the start of play on."""
    times = [began, *(moment.at for moment in acts_of(all_moments, seat))]
    return [later - earlier for earlier, later in pairwise(times)]


def quickest(all_moments: Sequence[Moment], seat: int) -> int | None:
    """The shortest time in which a seat placed QUICKEST pieces in a row; None if it placed fewer."""
    times = [moment.at for by, moment in placements(all_moments).values() if by == seat]
    return min((last - first for first, last in zip(times, times[QUICKEST - 1 :], strict=False)), default=None)


def acts_of(all_moments: Sequence[Moment], seat: int) -> list[Moment]:
    """The moments after each act of a seat in play."""
    return [
        moment for _, moment in acts(all_moments) if moment.position.seat == seat and moment.position.act != "ready"
    ]


def answers(all_moments: Sequence[Moment], seat: int, hits: Iterable[Icing]) -> list[int]:
    """The times from hits on a seat to its answers: from icings by other seats to the next placement or capture.

    Hits without an answer are left out.
    """
    replies = [
        moment
        for moment in acts_of(all_moments, seat)
        if any(isinstance(effect, Places | Captures) for effect in moment.position.effects)
    ]
    found = []
    for hit in hits:
        if hit["seat"] == seat and hit["by"] not in (seat, None):
            found += [reply.at - hit["start"] for reply in replies if reply.act > hit["act"]][:1]
    return found


def mean(times: Sequence[int]) -> int | None:
    """The mean in whole milliseconds; None if there are no times."""
    return round(sum(times) / len(times)) if times else None
