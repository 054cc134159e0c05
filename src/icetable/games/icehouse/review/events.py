"""Events of a game: calls of icehouse and meltdown, missed calls, and what hands did: placements, captures, gifts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from icetable.games.icehouse import evaluation, rules
from icetable.games.icehouse.review.moments import Episode, Moment, acts, runs
from icetable.games.icehouse.view import (
    Captures,
    Crashes,
    FalseCall,
    Finds,
    Gives,
    HandsOver,
    Melts,
    Places,
    Settles,
    Void,
)

if TYPE_CHECKING:
    from icetable.games.icehouse.review.parts import Call, Capture, Chance, Crash, Icing, Meltdown, Span

QUICKEST = 5
"""The number of pieces by which the pace of a hand is judged."""


def found_at(moment: Moment) -> list[int]:
    """The seats that a call would find; none when the game is over."""
    position = moment.position
    if position.ended_by is not None or not rules.has_started(position.table):
        return []
    return rules.seats_of(evaluation.found_by_call(position.table, position.field))


def open_spans(all_moments: Sequence[Moment]) -> list[tuple[int, Span]]:
    """The times when a call would have found a seat, with that seat, whether or not anyone could have called."""
    found = runs(all_moments, lambda moment: dict.fromkeys(found_at(moment)))
    return [(run.key, {"start": run.start, "end": run.end}) for run in found]


def open_to_callers(moment: Moment) -> Mapping[int, Sequence[int]]:
    """The seats that a call would find, with the seats that could make it without being found themselves."""
    table, found = moment.position.table, found_at(moment)
    if not found:
        return {}
    callers = [
        seat
        for seat in moment.seats
        if seat not in found and not table[rules.DEBT + seat] and not rules.is_void(table, seat, moment.at)
    ]
    return dict.fromkeys(found, callers) if callers else {}


def chances(all_moments: Sequence[Moment]) -> list[Chance]:
    """All chances to call. One that ended in the same millisecond counts only if a call took it."""
    found: list[Chance] = []
    for run in runs(all_moments, open_to_callers):
        found_by = caller_of(run)
        if run.start < run.end or found_by is not None:
            callers = {seat for value in run.values for seat in value}
            found.append(
                {
                    "seat": run.key,
                    "start": run.start,
                    "end": run.end,
                    "callers": sorted(callers),
                    "found_by": found_by,
                }
            )
    return found


def caller_of(run: Episode[int, Sequence[int]]) -> int | None:
    """The seat whose call took a chance; None if it was missed."""
    after = run.after
    return after.position.seat if after is not None and after.is_frozen(run.key) else None


def calls(all_moments: Sequence[Moment], all_chances: Sequence[Chance]) -> list[Call]:
    """All calls of icehouse."""
    return [call(moment, all_chances) for _, moment in acts(all_moments) if moment.position.act == "icehouse"]


def call(moment: Moment, all_chances: Sequence[Chance]) -> Call:
    position = moment.position
    found = [moment.seat_named(effect.spaces[0]) for effect in position.effects if isinstance(effect, Finds)]
    starts = [taken["start"] for taken in all_chances if (taken["found_by"], taken["end"]) == (moment.actor, moment.at)]
    return {
        "act": moment.act,
        "at": moment.at,
        "seat": moment.actor,
        "verdict": verdict(moment),
        "found": found,
        "pieces": sum(effect.value for effect in position.effects if isinstance(effect, HandsOver)),
        "waited": moment.at - min(starts) if found and starts else None,
    }


def verdict(moment: Moment) -> Literal["true", "false", "void"]:
    kinds = {type(effect) for effect in moment.position.effects}
    return "void" if Void in kinds else "false" if FalseCall in kinds else "true"


def meltdowns(all_moments: Sequence[Moment]) -> list[Meltdown]:
    """All calls of meltdown."""
    found: list[Meltdown] = []
    for _, moment in acts(all_moments):
        position = moment.position
        verb, _, colour = (position.act or "").partition(" ")
        if verb == "meltdown":
            melted = [name for effect in position.effects if isinstance(effect, Melts) for name in effect.spaces]
            found.append(
                {
                    "act": moment.act,
                    "at": moment.at,
                    "seat": moment.actor,
                    "colour": moment.seat_named(colour),
                    "pieces": melted,
                }
            )
    return found


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
