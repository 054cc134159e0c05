"""What hands did: pieces placed, captured and crashed with, and how fast it went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from icetable.games.icehouse.review.moments import acts
from icetable.games.icehouse.view import Captures, Crashes, Gives, Places, Settles

if TYPE_CHECKING:
    from icetable.games.icehouse.review.moments import Moment
    from icetable.games.icehouse.review.parts import Capture, Crash, Icing


def captures(all_moments: Sequence[Moment]) -> list[Capture]:
    """All attackers that were taken prisoner."""
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
    """All crashes."""
    return [
        {"act": moment.act, "at": moment.at, "seat": moment.actor, "kind": effect.value}
        for _, moment in acts(all_moments)
        for effect in moment.position.effects
        if isinstance(effect, Crashes)
    ]


def placements(all_moments: Sequence[Moment]) -> dict[str, tuple[int, Moment]]:
    """Who placed each piece, and the moment when it lay there."""
    return {
        effect.spaces[0]: (moment.actor, moment)
        for _, moment in acts(all_moments)
        for effect in moment.position.effects
        if isinstance(effect, Places)
    }


def gifts(all_moments: Sequence[Moment]) -> list[int]:
    """The seats that gave pieces away, one for each gift, also where time settled what they owed."""
    return [
        moment.seat_named(effect.spaces[0])
        for _, moment in acts(all_moments)
        for effect in moment.position.effects
        if isinstance(effect, Gives | Settles)
    ]


def pauses(all_moments: Sequence[Moment], seat: int, began: int) -> list[int]:
    """The times from each act of a seat to its next one, from the beginning of play on."""
    times = [began, *(moment.at for moment in acts_of(all_moments, seat))]
    return [later - earlier for earlier, later in pairwise(times)]


def acts_of(all_moments: Sequence[Moment], seat: int) -> list[Moment]:
    """The moments that acts of a seat in play have led to."""
    return [
        moment for _, moment in acts(all_moments) if moment.position.seat == seat and moment.position.act != "ready"
    ]


def answers(all_moments: Sequence[Moment], seat: int, hits: Iterable[Icing]) -> list[int]:
    """The times from hits on a seat to its answers: from each icing by another seat to the next placement or capture.

    A hit that nothing came after has no answer.
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
    """The mean of some times in whole milliseconds; None of none."""
    return round(sum(times) / len(times)) if times else None
