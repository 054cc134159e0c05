"""The review of a game of Icehouse: facts from its record, by the rules alone, without search or judgement."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from icetable.games.icehouse import rules
from icetable.games.icehouse.review import events, field
from icetable.games.icehouse.review.moments import acts, clock, covered, moments

if TYPE_CHECKING:
    from icetable.core.record import Ended
    from icetable.games.icehouse.review.moments import Moment, Played
    from icetable.games.icehouse.review.parts import Account, Change, Review, Seat, Span, Standing


def review_of(states: Sequence[Played], ended: Ended | None = None) -> Review:
    """The review of a game that is over.

    `states`: before all acts, and after each. `ended`: how the game ended, if not by its rules. Play has begun.
    """
    all_moments = moments(states, None if ended is None else ended.at)
    last = all_moments[-1]
    chances = events.chances(all_moments)
    course: list[Standing] = [
        {"act": act, "at": clock(state), "scores": [*state.scores]} for act, state in enumerate(states)
    ]
    placed_by = {name: seat for name, (seat, _) in events.placements(all_moments).items()}
    review: Review = {
        "colours": [*last.position.colours],
        "began": next(clock(state) for state in states if rules.has_started(state.table)),
        "ended": last.at,
        "ended_by": str(last.position.ended_by) if ended is None else ended.reason,
        "winners": sorted(last.position.winners if ended is None else ended.winners),
        "seats": [],
        "course": course,
        "changes": changes(all_moments, course),
        "icings": field.icings(all_moments),
        "dangers": field.dangers(all_moments),
        "chances": chances,
        "calls": events.calls(all_moments, chances),
        "meltdowns": events.meltdowns(all_moments),
        "captures": events.captures(all_moments),
        "crashes": events.crashes(all_moments),
        "wasted": field.wasted(last, placed_by),
    }
    review["seats"] = seats(all_moments, review)
    return review


def changes(all_moments: Sequence[Moment], course: Sequence[Standing]) -> list[Change]:
    """The acts that changed the scores."""
    found: list[Change] = []
    for (_, after), (then, now) in zip(acts(all_moments), pairwise(course), strict=True):
        points = [later - earlier for earlier, later in zip(then["scores"], now["scores"], strict=True)]
        if any(points):
            found.append(
                {
                    "act": after.act,
                    "at": after.at,
                    "seat": after.actor,
                    "text": str(after.position.act),
                    "effects": [*map(str, after.position.effects)],
                    "points": points,
                }
            )
    return found


def seats(all_moments: Sequence[Moment], review: Review) -> list[Seat]:
    """The review of each seat; `review` has all the rest."""
    accounts, open_spans = field.accounts(all_moments), events.open_spans(all_moments)
    return [
        review_of_seat(seat, all_moments, review, account, [span for owner, span in open_spans if owner == seat])
        for seat, account in enumerate(accounts)
    ]


def review_of_seat(
    seat: int, all_moments: Sequence[Moment], review: Review, account: Account, open_spans: Sequence[Span]
) -> Seat:
    last = all_moments[-1]
    own = [moment.pieces[name] for name, (by, moment) in events.placements(all_moments).items() if by == seat]
    dangers = [danger for danger in review["dangers"] if danger["seat"] == seat]
    pauses = events.pauses(all_moments, seat, review["began"])
    return {
        "score": review["course"][-1]["scores"][seat],
        "account": account,
        "placed": len(own),
        "attacks": sum(not piece["standing"] for piece in own),
        "wasted": sum(attack["by"] == seat for attack in review["wasted"]),
        "taken": sum(capture["seat"] == seat for capture in review["captures"]),
        "prisoners": sum(last.seat_of(piece) != seat for piece in own),
        "given": events.gifts(all_moments).count(seat),
        "crashes": sum(crash["seat"] == seat for crash in review["crashes"]),
        "open": covered((span["start"], span["end"]) for span in open_spans),
        "endangered": covered((danger["start"], danger["end"]) for danger in dangers),
        "acts": len(pauses),
        "pause": events.mean(pauses),
        "longest_pause": max(pauses, default=None),
        "quickest": events.quickest(all_moments, seat),
        "answer": events.mean(events.answers(all_moments, seat, review["icings"])),
    }
