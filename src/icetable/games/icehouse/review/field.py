"""Events on the field: points won and lost, defenders iced, freed and in danger, attacks in vain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from icetable.games.icehouse import evaluation, rules
from icetable.games.icehouse.review.moments import Episode, Moment, acts, kind_of, runs, value
from icetable.games.icehouse.rules import SIZES

if TYPE_CHECKING:
    from icetable.games.icehouse.review.parts import Account, Danger, Icing, Span, Wasted
    from icetable.games.icehouse.view import FieldPiece


def accounts(all_moments: Sequence[Moment]) -> list[Account]:
    """The account of each seat."""
    found = [empty_account() for _ in all_moments[0].seats]
    book(None, all_moments[0], found)
    for before, after in acts(all_moments):
        book(before, after, found)
    return found


def empty_account() -> Account:
    return {"stood": 0, "iced": 0, "freed": 0, "attacked": 0, "spoilt": 0, "icehouse": 0}


def book(before: Moment | None, after: Moment, found: list[Account]) -> None:
    """Add the changes from one moment to the next to the accounts."""
    earlier = {} if before is None else before.pieces
    for piece in {**earlier, **after.pieces}.values():
        seat, points = after.seat_of(piece), gain(before, after, piece["id"])
        if before is not None and after.is_frozen(seat) and not before.is_frozen(seat):
            found[seat]["icehouse"] += points
        elif not piece["standing"]:
            found[seat]["attacked" if points > 0 else "spoilt"] += points
        elif piece["id"] not in earlier:
            found[seat]["stood"] += points
        else:
            found[seat]["freed" if points > 0 else "iced"] += points


def gain(before: Moment | None, after: Moment, name: str) -> int:
    """The change of the points that a piece scores."""
    return sum(
        sign * moment.points(moment.pieces[name])
        for sign, moment in ((-1, before), (1, after))
        if moment is not None and name in moment.pieces
    )


# Icing


def icings(all_moments: Sequence[Moment]) -> list[Icing]:
    """All icings of defenders."""
    over = runs(all_moments, over_iced)
    return [icing(run, [episode for episode in over if episode.key == run.key]) for run in runs(all_moments, iced)]


def iced(moment: Moment) -> Mapping[str, None]:
    return dict.fromkeys(name for name, piece in moment.pieces.items() if piece["iced"])


def over_iced(moment: Moment) -> Mapping[str, None]:
    return dict.fromkeys(str(piece["points_at"]) for piece in moment.pieces.values() if piece["redundant"])


def icing(run: Episode[str, None], over: Sequence[Episode[str, None]]) -> Icing:
    """An icing of a defender; `over` are all episodes in which it was over-iced."""
    first, after = run.first, run.after
    piece = first.pieces[run.key]
    spans: list[Span] = [
        {"start": episode.start, "end": episode.end}
        for episode in over
        if run.start <= episode.start and episode.end <= run.end
    ]
    return {
        "piece": run.key,
        "kind": kind_of(piece),
        "seat": first.seat_of(piece),
        "act": first.act,
        "start": run.start,
        "end": run.end,
        "by": first.position.seat,
        "attackers": [first.seat_of(attacker) for attacker in first.attackers[run.key]],
        "points": swing(run.before, first, first, piece),
        "freed_by": None if after is None else after.position.seat,
        "returned": [0] * len(first.seats) if after is None else swing(run.moments[-1], after, run.moments[-1], piece),
        "over": spans,
    }


def swing(before: Moment | None, after: Moment, iced_at: Moment, piece: FieldPiece) -> list[int]:
    """The change of each seat's points by a defender and its attackers of the moment `iced_at`."""
    points = [0] * len(after.seats)
    for part in (piece, *iced_at.attackers[piece["id"]]):
        points[after.seat_of(part)] += gain(before, after, part["id"])
    return points


# Danger


def dangers(all_moments: Sequence[Moment]) -> list[Danger]:
    """All dangers of defenders."""
    return [danger(run) for run in runs(all_moments, endangered) if run.start < run.end]


def danger(run: Episode[tuple[str, bool], set[int]]) -> Danger:
    name, last = run.key
    piece = run.first.pieces[name]
    return {
        "piece": name,
        "kind": kind_of(piece),
        "seat": run.first.seat_of(piece),
        "start": run.start,
        "end": run.end,
        "by": sorted({seat for seats in run.values for seat in seats}),
        "last": last,
        "iced": bool(run.after and run.after.pieces[name]["iced"]),
    }


def endangered(moment: Moment) -> Mapping[tuple[str, bool], set[int]]:
    """The defenders in danger, with whether a call would find their player without them; and who may ice them."""
    found: dict[tuple[str, bool], set[int]] = {}
    if moment.position.ended_by is not None:
        return found
    free = [piece for piece in moment.pieces.values() if piece["standing"] and not piece["iced"]]
    owners = [moment.seat_of(piece) for piece in free]
    table, weapons = moment.position.table, attackers_left(moment)
    for piece, seat in zip(free, owners, strict=True):
        last = owners.count(seat) == 1 and int(evaluation.in_reserve(table, seat)) < rules.STASH_LIMIT
        if not moment.is_frozen(seat) and (last or piece["id"] in moment.attackers):
            missing = value(piece) + 1 - moment.force(piece)
            by = {other for other, colour, points in weapons if seat not in (other, colour) and points >= missing}
            if by:
                found[piece["id"], last] = by
    return found


def attackers_left(moment: Moment) -> list[tuple[int, int, int]]:
    """The kinds of pieces that may attack: the seat that has one on its pad or in hand, its colour, and its value."""
    table, found = moment.position.table, []
    ready = [seat for seat in moment.seats if may_attack(moment, seat)]
    for seat in moment.seats:
        first, held = rules.pad_of(seat), int(table[rules.HAND + seat]) - 1
        for kind, count in enumerate(table[first : first + rules.KINDS].tolist()):
            if (count or kind == held) and kind // SIZES in ready:
                found.append((seat, kind // SIZES, kind % SIZES + 1))
    return found


def may_attack(moment: Moment, seat: int) -> bool:
    """Whether attacks by a seat's colour are not refused as premature (IH-13)."""
    table, field = moment.position.table, moment.position.field
    return not table[rules.PREVENTS] or rules.defenders(table, field, seat) >= rules.MIN_DEFENDERS


# In vain


def wasted(last: Moment, placed_by: Mapping[str, int]) -> list[Wasted]:
    """The lying pieces that score nothing at the end; `placed_by`: the seat that placed a piece."""
    return [
        {
            "piece": name,
            "kind": kind_of(piece),
            "seat": last.seat_of(piece),
            "by": placed_by.get(name),
            "valid": bool(piece["valid"]),
        }
        for name, piece in last.pieces.items()
        if not piece["standing"] and not last.is_successful(piece)
    ]
