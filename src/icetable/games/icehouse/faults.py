"""Refusals of acts of Icehouse: the message, and the proof that the page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icetable.core.errors import Fault
from icetable.core.turns import SIZE_WORDS
from icetable.games.icehouse import geometry, rules
from icetable.games.icehouse.notation import kind_name
from icetable.kernels.layout import ENDED_BY

if TYPE_CHECKING:
    from icetable.games.icehouse.position import Position
    from icetable.kernels.jit import Ints

NO_SEAT_NAMED = -2
"""The seat of an act that names none, though several may act."""

NO_TARGET = "Nothing to attack there: a lying piece must point at an opponent's standing piece."
LYING_TARGET = "The piece would point at a lying one; only standing pieces can be attacked."


def explain(position: Position, reason: int, act: int, seat: int, table: Ints, field: Ints) -> Fault:
    """The fault for a reason of `rules`; the arrays are as the refusal left them."""
    if reason in SIMPLE:
        return SIMPLE[reason]
    if reason == rules.OVER:
        return Fault("game-over", "The game is over.", f"IH-{table[ENDED_BY]}")
    if reason in (rules.NO_SEAT, rules.IN_DEBT):
        return explain_seat(position, reason, seat)
    if reason in (rules.OFF_FIELD, rules.TOO_DEEP, rules.OVERLAPS):
        return explain_placement(reason, table, field, position.colours)
    if reason == rules.NO_ATTACK:
        return explain_attack(table, field, position.colours)
    if reason in (rules.NO_SUCH_PIECE, rules.NO_ATTACKER, rules.NOT_OWN_DEFENDER, rules.NOT_REDUNDANT):
        return explain_capture(reason, act, table, field, position.colours)
    kind = rules.second_of(act) * rules.SIZES + rules.first_of(act)
    return explain_piece(position, reason, kind_name(kind, position.colours), seat)


SIMPLE = {
    rules.TIME_RUNS_BACK: Fault("time-runs-back", "Time can't run backwards: the last act was made later.", "IH-22"),
    rules.NO_BELL: Fault("no-bell", "Only chance rings the bell, in a game with a timer that has started.", "IH-31"),
    rules.READY_TWICE: Fault("ready-already", "You are already ready.", "IH-6"),
    rules.NOT_STARTED: Fault("not-started", "Play starts when every player is ready.", "IH-6"),
    rules.HAND_FULL: Fault("hand-full", "You already have a piece in hand: place it or put it back first.", "IH-7"),
    rules.HAND_EMPTY: Fault("hand-empty", "You have nothing in hand: take a piece from your pad first.", "IH-7"),
    rules.TOO_EARLY: Fault("too-early", "The first two pieces of each colour on the field must be defenders.", "IH-13"),
    rules.NOTHING_OWED: Fault("nothing-owed", "You don't owe anyone a piece.", "IH-20"),
    rules.TO_ONESELF: Fault("to-oneself", "You owe the piece to another player.", "IH-20"),
}


def explain_seat(position: Position, reason: int, seat: int) -> Fault:
    """An act without a seat, or of a seat that may not act."""
    if reason == rules.IN_DEBT:
        owed = position.owed(seat) or "a piece"
        return Fault("in-debt", f"First you have to give {owed} to another player.", "IH-24")
    seats = f"0 to {len(position.colours) - 1}"
    if seat == NO_SEAT_NAMED:
        return Fault("which-seat", f"Anyone may act at any time, so an act needs its seat, {seats}.", "IH-1")
    return Fault("no-seat", f"Only seats {seats} can do that.", "IH-1")


def in_words(piece: Ints, colours: tuple[str, ...]) -> str:
    """A piece in words, as people see no ids on the field."""
    return f"{SIZE_WORDS[piece[rules.SIZE]]} {colours[piece[rules.COLOUR]]} piece"


def explain_placement(reason: int, table: Ints, field: Ints, colours: tuple[str, ...]) -> Fault:
    """A placement that doesn't fit."""
    count = int(table[rules.COUNT])
    piece = field[count]
    footprint = {"footprint": geometry.corners_of(piece)}
    if reason == rules.OFF_FIELD:
        return Fault("off-field", "The piece would stick out over the edge of the field.", "IH-5", (), footprint)
    touched = [field[row] for row in range(count) if geometry.overlap(field[row], piece)]
    depths = [geometry.inches(geometry.depth2(other, piece)) for other in touched]
    overlaps = {f"p{other[rules.ID]}": depth for other, depth in zip(touched, depths, strict=True)}
    deepest = max(depths)
    tolerance = int(table[rules.TOLERANCE]) / geometry.INCH**2
    message = f"The piece would overlap the {in_words(touched[depths.index(deepest)], colours)} by {deepest:.3f} inch."
    code = "overlaps-deeply" if reason == rules.TOO_DEEP else "overlaps"
    return Fault(code, message, "IH-5", tuple(overlaps), {**footprint, "overlaps": overlaps, "tolerance": tolerance})


def explain_attack(table: Ints, field: Ints, colours: tuple[str, ...]) -> Fault:
    """An invalid attack: its ray, what it hits, and the distance."""
    count = int(table[rules.COUNT])
    piece = field[count]
    ray = geometry.trace(field, count, piece, int(table[rules.WIDTH]), int(table[rules.HEIGHT]))
    reach = int(piece[geometry.RANGE]) / geometry.INCH
    proof: dict[str, Any] = {
        "footprint": geometry.corners_of(piece),
        "ray": [ray.start, ray.end],
        "range": reach,
        "points_at": None,
    }
    if ray.target is None:
        if ray.crack is None:
            return Fault("points-at-nothing", NO_TARGET, "IH-12", (), proof)
        walls = tuple(f"p{field[row, rules.ID]}" for row in ray.crack)
        one, other = (in_words(field[row], colours) for row in ray.crack)
        between = f"the two {one}s" if one == other else f"the {one} and the {other}"
        message = f"There is no gap between {between} to point through."
        return Fault("points-at-crack", message, "IH-12", walls, {**proof, "crack": walls})
    target = field[ray.target]
    name = f"p{target[rules.ID]}"
    proof["points_at"] = name
    if not target[rules.STANDING]:
        return Fault("points-at-attacker", LYING_TARGET, "IH-12", (name,), proof)
    if target[rules.COLOUR] == piece[rules.COLOUR]:
        message = f"The piece would point at the {in_words(target, colours)}, which has its own colour."
        return Fault("points-at-own-colour", message, "IH-12", (name,), proof)
    gap = ray.inches if table[rules.ALONG_RAY] else geometry.inches(geometry.gap2(piece, target))
    message = f"It is {gap:.3f} inch from the {in_words(target, colours)}, and reaches less than {reach:.3f}."
    return Fault("out-of-range", message, "IH-12", (name,), {**proof, "distance": gap})


def explain_capture(reason: int, act: int, table: Ints, field: Ints, colours: tuple[str, ...]) -> Fault:
    """A piece that can't be captured."""
    name = f"p{rules.first_of(act)}"
    if reason == rules.NO_SUCH_PIECE:
        return Fault("no-such-piece", f"No piece on the field has the id {name}.", "IH-26", (name,))
    row = int(rules.row_of(table, field, rules.first_of(act)))
    attacker = in_words(field[row], colours)
    if reason == rules.NO_ATTACKER:
        return Fault("no-attacker", f"The {attacker} attacks nothing, so nobody can capture it.", "IH-26", (name,))
    target = int(field[row, rules.TARGET])
    defender, attacked = f"p{field[target, rules.ID]}", in_words(field[target], colours)
    if reason == rules.NOT_OWN_DEFENDER:
        message = f"The {attacker} attacks the {attacked}, which is not of your colour."
        return Fault("not-your-defender", message, "IH-26", (name, defender))
    rest, value = rules.attack_on(table, field, target) - rules.value(field, row), rules.value(field, target)
    message = f"Without it the {attacked} would be attacked by {rest} only, and not iced."
    proof = {"others": int(rest), "value": int(value)}
    return Fault("not-redundant", message, "IH-26", (name, defender), proof)


def explain_piece(position: Position, reason: int, piece: str, seat: int) -> Fault:
    """A piece that is not on the pad, or not the one to be given."""
    if reason == rules.NOT_ON_PAD:
        return Fault("not-on-pad", f"There is no {piece} on your pad.", "IH-7")
    if reason == rules.OTHER_PIECE_OWED:
        return Fault("other-piece-owed", f"You owe the piece you crashed with, {position.owed(seat)}.", "IH-30")
    return Fault("not-on-pad", f"There is no {piece} on your pad to give.", "IH-20")
