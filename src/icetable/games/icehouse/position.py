"""Positions of Icehouse: the notation of acts, refusals in words, and the forms that are saved or read from a view."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from icetable.core.errors import BadNotation, BadRecord, Fault
from icetable.core.options import is_integer, short_repr
from icetable.core.turns import SIZE_WORDS
from icetable.games.icehouse import geometry, rules
from icetable.games.icehouse.rules import (
    BELL,
    CAPTURE,
    COPIES,
    GIVE,
    ICEHOUSE,
    KINDS,
    LIFT,
    MELTDOWN,
    POINT,
    READY,
    RETURN,
    SIZES,
    STAND,
    act_of,
    first_of,
    place_of,
    placement_of,
    second_of,
    third_of,
    verb_of,
)
from icetable.games.icehouse.view import Size
from icetable.kernels.jit import copy, kernel
from icetable.kernels.layout import ENDED_BY, WINNERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from icetable.games.icehouse.view import Colour, FieldPiece, Pad
    from icetable.kernels.jit import Ints

SIZE_LETTERS: tuple[Size, ...] = get_args(Size)
WORDS = {"ready": READY, "return": RETURN, "icehouse": ICEHOUSE, "bell": BELL}
STANCES = {"stand": STAND, "point": POINT}
NUMBER = "(0|-?[1-9][0-9]*)"
PIECE = "([SML])(?::([a-z]+))?"
LIFT_FORM = re.compile(f"lift {PIECE}")
PLACE_FORM = re.compile(rf"place {NUMBER},{NUMBER} (stand|point) (0|[1-9][0-9]*)\.([0-9])")
MELTDOWN_FORM = re.compile("meltdown ([a-z]+)")
CAPTURE_FORM = re.compile("capture p([1-9][0-9]*)")
GIVE_FORM = re.compile(f"give {PIECE} ([a-z]+)")
MAX_COORDINATE = 500_000
"""In thousandths of an inch. Anything farther is off every field, so coordinates are clamped to it."""
MAX_ID = 1 << 30
MAX_DIGITS = 12
"""Digits of a number that are read; longer numbers are beyond all bounds anyway."""
EXAMPLES = (
    "acts look like ready, lift L, lift L:blue, return, place 12000,8500 stand 45.0, place 12000,8500 point 270.0, "
    "icehouse, meltdown blue, capture p17, give L:red green, or bell"
)
NO_SEAT_NAMED = -2
"""The seat of an act that names none, though several may act."""
NO_TARGET = "Nothing to attack there: a lying piece must point at an opponent's standing piece."
LYING_TARGET = "The piece would point at a lying one; only standing pieces can be attacked."
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
ENTRIES = (
    "clock",
    "ready",
    "in_icehouse",
    "last_id",
    "quiet_until",
    "paused_until",
    "hands",
    "owed",
    "pads",
    "field",
    "ended_by",
)
PIECE_ENTRIES = ("id", "colour", "size", "standing", "x", "y", "heading")
MAX_CLOCK = 1 << 41
ENDS = {None: 0, "IH-31": 31, "IH-32": 32}
SPARE_ROWS = 2
"""Free rows of the field: for a piece that is tried, and one that is tried against it."""
PIECE_ID, PIECE_KIND, UPRIGHT, CENTRE_X, CENTRE_Y, PIECE_HEADING = range(6)
"""The columns of a piece that is read."""


if TYPE_CHECKING:
    from icetable.kernels.jit import Ints


if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.kernels.jit import Ints


class Position:
    """A position. `table` and `field` are the arrays of `rules`; `colours` go by seat."""

    __slots__ = ("colours", "field", "table")

    def __init__(self, table: Ints, field: Ints, colours: tuple[Colour, ...]) -> None:
        self.table = table
        self.field = field
        self.colours = colours

    @property
    def ended_by(self) -> str | None:
        """The id of the rule that ended the game; None until it is over."""
        return f"IH-{self.table[ENDED_BY]}" if self.table[ENDED_BY] else None

    def field_with_room(self) -> Ints:
        """The field with a free row, for a piece that is tried."""
        field = np.empty((len(self.field) + 1, rules.ROW.length), np.int64)
        field[:-1] = self.field
        return field

    def hand(self, seat: int) -> str | None:
        """The piece in a seat's hand, such as "L:red"."""
        held = int(self.table[rules.HAND + seat]) if seat >= 0 else 0
        return kind_name(held - 1, self.colours) if held else None

    def owed(self, seat: int) -> str | None:
        """The piece that a debtor crashed with; None if the debtor may choose."""
        debt = int(self.table[rules.DEBT + seat])
        return kind_name(debt - rules.CRASHED, self.colours) if debt >= rules.CRASHED else None

    def pad(self, seat: int) -> Pad:
        """A seat's pad: the number of pieces of each size, by colour."""
        pad: Pad = {}
        first = rules.pad_of(seat)
        for kind, count in enumerate(self.table[first : first + rules.KINDS].tolist()):
            if count:
                pad.setdefault(self.colours[kind // SIZES], {})[SIZE_LETTERS[kind % SIZES]] = count
        return pad

    def overlapped(self, act: int, seat: int) -> tuple[str, ...]:
        """The ids of the pieces that a placement by a seat would overlap, the oldest first."""
        held = int(self.table[rules.HAND + seat])
        if not held or rules.verb_of(act) not in (rules.STAND, rules.POINT):
            return ()
        piece = np.empty(rules.ROW.length, np.int64)
        rules.write_row(self.table, piece, act, held - 1)
        return tuple(f"p{row[rules.ID]}" for row in self.field if geometry.overlap(row, piece))

    def pieces(self) -> list[FieldPiece]:
        """The pieces on the field in order of placing, with their status (IH-16)."""
        rows = self.field.tolist()
        names = [f"p{row[rules.ID]}" for row in rows]
        return [self._see_piece(row, status, names) for row, status in zip(rows, self.status().tolist(), strict=True)]

    def status(self) -> Ints:
        """The status bits of each piece on the field."""
        status = np.empty(len(self.field), np.int64)
        rules.see_status(self.table, self.field, status)
        return status

    def _see_piece(self, row: list[int], status: int, names: list[str]) -> FieldPiece:
        standing, target = bool(row[rules.STANDING]), row[rules.TARGET]
        return {
            "id": f"p{row[rules.ID]}",
            "colour": self.colours[row[rules.COLOUR]],
            "size": SIZE_LETTERS[row[rules.SIZE]],
            "x": row[rules.X],
            "y": row[rules.Y],
            "heading": row[rules.HEADING] / 10,
            "standing": standing,
            "points_at": None if target == rules.NOTHING else names[target],
            "valid": None if standing else bool(status & rules.IS_VALID),
            "iced": bool(status & rules.IS_ICED) if standing else None,
            "redundant": None if standing else bool(status & rules.IS_REDUNDANT),
        }


def is_placement(text: str) -> bool:
    """Whether an act, if it is one, places a piece."""
    return text.startswith("place ")


def read_act(text: object, colours: Sequence[str], seat: int) -> int:
    """The code of an act of a seat. Raises BadNotation.

    `colours`: those of the game, by seat. A piece without a colour has the seat's own.
    """
    if not isinstance(text, str):
        raise bad(text)
    return _read_act(text, tuple(colours), seat)


@lru_cache(1 << 12)
def _read_act(text: str, colours: tuple[str, ...], seat: int) -> int:
    if text in WORDS:
        return act_of(WORDS[text], 0, 0, 0)
    if form := PLACE_FORM.fullmatch(text):
        heading = int(form[4] + form[5]) if len(form[4]) < 4 else 3600
        if heading >= 3600:
            raise BadNotation(f"{short_repr(text)} is no act; headings go from 0.0 to 359.9 (IH-5)")
        x, y = (max(-MAX_COORDINATE, min(_number(digits), MAX_COORDINATE)) for digits in (form[1], form[2]))
        return placement_of(STANCES[form[3]], x, y, heading)
    if form := LIFT_FORM.fullmatch(text):
        return act_of(LIFT, *_piece(form[1], form[2], colours, seat, text), 0)
    if form := GIVE_FORM.fullmatch(text):
        return act_of(GIVE, *_piece(form[1], form[2], colours, seat, text), _colour(form[3], colours, text))
    if form := CAPTURE_FORM.fullmatch(text):
        return act_of(CAPTURE, min(_number(form[1]), MAX_ID), 0, 0)
    if form := MELTDOWN_FORM.fullmatch(text):
        return act_of(MELTDOWN, 0, _colour(form[1], colours, text), 0)
    raise bad(text)


def bad(text: object) -> BadNotation:
    """The error for a text that is no act."""
    return BadNotation(f"{short_repr(text)} is no act; {EXAMPLES}")


def _number(digits: str) -> int:
    return int(digits[:MAX_DIGITS])


def _piece(letter: str, colour: str | None, colours: Sequence[str], seat: int, text: str) -> tuple[int, int]:
    return SIZE_LETTERS.index(letter), seat if colour is None else _colour(colour, colours, text)


def _colour(name: str, colours: Sequence[str], text: str) -> int:
    if name not in colours:
        raise BadNotation(f"{short_repr(text)} names no colour of this game; there are {', '.join(colours)}")
    return colours.index(name)


def kind_name(kind: int, colours: Sequence[str]) -> str:
    """The name of a kind of pyramid, such as "L:red"."""
    return f"{SIZE_LETTERS[int(kind) % SIZES]}:{colours[int(kind) // SIZES]}"


def write_placement(act: int) -> str:
    """A placement in notation."""
    x, y, heading = place_of(act)
    stance = "stand" if verb_of(act) == STAND else "point"
    return f"place {x},{y} {stance} {heading // 10}.{heading % 10}"


def write_act(act: int, colours: Sequence[str]) -> str:
    """An act in notation, with all colours: the inverse of `read`."""
    verb, colour = int(verb_of(act)), int(second_of(act))
    if verb in (STAND, POINT):
        return write_placement(act)
    if verb == CAPTURE:
        return f"capture p{first_of(act)}"
    if verb == MELTDOWN:
        return f"meltdown {colours[colour]}"
    if verb in (LIFT, GIVE):
        piece = kind_name(colour * SIZES + int(first_of(act)), colours)
        return f"lift {piece}" if verb == LIFT else f"give {piece} {colours[int(third_of(act))]}"
    return next(word for word, number in WORDS.items() if number == verb)


def shorten_act(text: str, colours: Sequence[str], seat: int) -> str:
    """An act as in logs: without the colour of a piece of the seat's own."""
    if text.startswith(("lift ", "give ")) and 0 <= seat < len(colours):
        verb, piece, *rest = text.split(" ")
        return " ".join([verb, piece.removesuffix(f":{colours[seat]}"), *rest])
    return text


def read_view(first: Ints, colours: Sequence[str], view: Mapping[str, Any]) -> tuple[Ints, Ints]:
    """The table and the field of a view; `first` is the table before the first act.

    Values that views don't show are those of `first`: the clock, the times until which calls are void, and due times.
    """
    table = first.copy()
    kinds = {
        f"{size}:{colour}": at * SIZES + n for at, colour in enumerate(colours) for n, size in enumerate(SIZE_LETTERS)
    }
    table[rules.READY_SEATS] = sum(1 << seat for seat in view["ready"])
    table[rules.FROZEN] = sum(1 << seat for seat in view["in_icehouse"])
    table[ENDED_BY] = int(view["over"])
    table[rules.PADS : rules.PADS + rules.MAX_SEATS * rules.KINDS] = 0
    for seat, pad in enumerate(view["pads"]):
        for colour, sizes in pad.items():
            for size, count in sizes.items():
                table[rules.pad_of(seat) + kinds[f"{size}:{colour}"]] = count
    for seat, held in enumerate(view["hands"]):
        table[rules.HAND + seat] = 0 if held is None else 1 + kinds[held]
    for seat, owed in view["owed"].items():
        table[rules.DEBT + int(seat)] = rules.ANY_PIECE if owed is None else rules.CRASHED + kinds[owed]
    pieces = [
        (
            int(piece["id"][1:]),
            kinds[f"{piece['size']}:{piece['colour']}"],
            piece["standing"],
            piece["x"],
            piece["y"],
            round(piece["heading"] * 10),
        )
        for piece in view["field"]
    ]
    field = rules.empty_field(len(pieces) + SPARE_ROWS)
    write_rows(table, field, np.array(pieces, np.int64).reshape(-1, PIECE_HEADING + 1))
    return table, field


@kernel
def write_rows(table: Ints, field: Ints, pieces: Ints) -> None:
    """Write the rows of all pieces with their targets."""
    count = len(pieces)
    table[rules.COUNT] = count
    for row in range(count):
        piece = pieces[row]
        verb = rules.STAND if piece[UPRIGHT] else rules.POINT
        place = rules.placement_of(verb, piece[CENTRE_X], piece[CENTRE_Y], piece[PIECE_HEADING])
        rules.write_row(table, field[row], place, piece[PIECE_KIND])
        field[row, rules.ID] = table[rules.LAST_ID] = piece[PIECE_ID]
    for row in range(count):
        if not field[row, rules.STANDING]:
            rules.aim(table, field, row)


@kernel
def show(table: Ints, field: Ints, first: Ints, at: int, seen: Ints) -> None:
    """Write the table that `read_view` returns for the view at a time, without building the view."""
    copy(table, seen)
    rules.settle_debts(seen, at)
    seen[rules.LAST_ID] = field[table[rules.COUNT] - 1, rules.ID] if table[rules.COUNT] else 0
    seen[ENDED_BY] = min(table[ENDED_BY], 1)
    for hidden in (WINNERS, rules.CLOCK, rules.QUIET_UNTIL):
        seen[hidden] = first[hidden]
    for seat in range(rules.MAX_SEATS):
        seen[rules.PAUSED_UNTIL + seat] = first[rules.PAUSED_UNTIL + seat]
        seen[rules.DUE + seat] = first[rules.DUE + seat]


def explain_fault(position: Position, reason: int, act: int, seat: int, table: Ints, field: Ints) -> Fault:
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
    other = in_words(touched[depths.index(deepest)], colours)
    message = f"The piece would overlap the {other}: move it aside."
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


def describe_position(position: Position) -> dict[str, Any]:
    """A position as JSON. Times are in milliseconds, headings in tenths of a degree."""
    table, seats = position.table, range(len(position.colours))
    return {
        "clock": int(table[rules.CLOCK]),
        "ready": rules.seats_of(table[rules.READY_SEATS]),
        "in_icehouse": rules.seats_of(table[rules.FROZEN]),
        "last_id": int(table[rules.LAST_ID]),
        "quiet_until": time_or_none(table[rules.QUIET_UNTIL]),
        "paused_until": [time_or_none(table[rules.PAUSED_UNTIL + seat]) for seat in seats],
        "hands": [position.hand(seat) for seat in seats],
        "owed": [describe_debt(position, seat) for seat in seats],
        "pads": [position.pad(seat) for seat in seats],
        "field": [describe_piece(row.tolist(), position.colours) for row in position.field],
        "ended_by": position.ended_by,
    }


def time_or_none(time: int) -> int | None:
    """A time; None for NEVER."""
    return None if time == rules.NEVER else int(time)


def describe_debt(position: Position, seat: int) -> dict[str, Any] | None:
    """The debt of a seat, and when it is due."""
    if not position.table[rules.DEBT + seat]:
        return None
    return {"piece": position.owed(seat), "due": int(position.table[rules.DUE + seat])}


def describe_piece(row: list[int], colours: Sequence[str]) -> dict[str, Any]:
    """A piece on the field."""
    return {
        "id": row[rules.ID],
        "colour": colours[row[rules.COLOUR]],
        "size": SIZE_LETTERS[row[rules.SIZE]],
        "standing": bool(row[rules.STANDING]),
        "x": row[rules.X],
        "y": row[rules.Y],
        "heading": row[rules.HEADING],
    }


def read_position(first: Ints, colours: Sequence[str], described: Any) -> tuple[Ints, Ints]:
    """The table and the field of a saved position; `first` is the table before the first act. Raises BadRecord."""
    if not isinstance(described, dict) or set(described) != set(ENTRIES):
        raise BadRecord(f"a position of Icehouse has the entries {', '.join(ENTRIES[:-1])} and {ENTRIES[-1]}")
    table = first.copy()
    table[rules.PADS : rules.PADS + rules.MAX_SEATS * KINDS] = 0
    reader = PositionReader(table, colours)
    reader.read_clock(described)
    reader.read_pads(described["pads"])
    reader.read_hands(described["hands"])
    field = reader.read_field(described["field"])
    reader.read_debts(described["owed"])
    reader.check_pieces(field)
    reader.check_start(field)
    reader.read_end(described["ended_by"], field)
    return table, field


class PositionReader:
    """Reads a saved position into a table, and refuses what can't occur in a game."""

    def __init__(self, table: Ints, colours: Sequence[str]) -> None:
        self.table = table
        self.colours = colours
        self.seats = range(len(colours))

    def per_seat(self, described: Any, what: str) -> list[Any]:
        """A list with an item per seat."""
        if not isinstance(described, list) or len(described) != len(self.seats):
            raise BadRecord(f"{what} is a list of {len(self.seats)}, one for each seat, not {short_repr(described)}")
        return described

    def set_of_seats(self, described: Any, what: str) -> int:
        """A set of seats as bits."""
        if not isinstance(described, list) or not all(is_integer(seat) and seat in self.seats for seat in described):
            raise BadRecord(f"{what} is a list of seats from 0 to {len(self.seats) - 1}, not {short_repr(described)}")
        if described != sorted(set(described)):
            raise BadRecord(f"{what} names seats once each, in order, not {short_repr(described)}")
        return sum(1 << seat for seat in described)

    def number(self, value: Any, most: int, what: str, least: int = 0) -> int:
        """A whole number within bounds."""
        if not is_integer(value) or not least <= value <= most:
            raise BadRecord(f"{what} is a whole number from {least} to {most}, not {short_repr(value)}")
        return int(value)

    def time(self, value: Any, most: int, what: str) -> int:
        """A time, or NEVER for None."""
        return rules.NEVER if value is None else self.number(value, most, what)

    def kind(self, name: Any, what: str) -> int:
        """The kind of a piece such as "L:red"."""
        size, _, colour = name.partition(":") if isinstance(name, str) else ("", "", "")
        if len(size) != 1 or size not in SIZE_LETTERS or colour not in self.colours:
            raise BadRecord(f"{what} is a piece such as L:{self.colours[0]}, not {short_repr(name)}")
        return self.colours.index(colour) * SIZES + SIZE_LETTERS.index(size)

    def read_clock(self, described: dict[str, Any]) -> None:
        """Read the clock, the seats that are ready or in the icehouse, and the times until which calls are void."""
        table = self.table
        clock = self.number(described["clock"], MAX_CLOCK, "clock")
        table[rules.CLOCK] = clock
        table[rules.READY_SEATS] = self.set_of_seats(described["ready"], "ready")
        table[rules.FROZEN] = self.set_of_seats(described["in_icehouse"], "in_icehouse")
        table[rules.LAST_ID] = self.number(described["last_id"], MAX_ID, "last_id")
        latest = clock + int(table[rules.GRACE])
        table[rules.QUIET_UNTIL] = self.time(described["quiet_until"], latest, "quiet_until")
        if (table[rules.QUIET_UNTIL] == rules.NEVER) != (table[rules.FROZEN] == 0):
            raise BadRecord("somebody is in the icehouse if and only if a call has found somebody (IH-19, IH-22)")
        latest = clock + int(table[rules.PAUSE])
        for seat, time in enumerate(self.per_seat(described["paused_until"], "paused_until")):
            table[rules.PAUSED_UNTIL + seat] = self.time(time, latest, "paused_until")

    def read_pads(self, described: Any) -> None:
        for seat, pad in enumerate(self.per_seat(described, "pads")):
            if not isinstance(pad, dict) or not all(isinstance(sizes, dict) and sizes for sizes in pad.values()):
                raise BadRecord(f"a pad is a table of colours and sizes, not {short_repr(pad)}")
            for colour, sizes in pad.items():
                for size, count in sizes.items():
                    kind = self.kind(f"{size}:{colour}", "what lies on a pad")
                    self.table[rules.pad_of(seat) + kind] = self.number(count, COPIES, "a number of pieces", 1)

    def read_hands(self, described: Any) -> None:
        for seat, name in enumerate(self.per_seat(described, "hands")):
            self.table[rules.HAND + seat] = 0 if name is None else 1 + self.kind(name, "a hand holds null or")

    def read_field(self, described: Any) -> Ints:
        """Read the pieces on the field, without overlaps and within the edges (IH-5)."""
        max_pieces = len(self.seats) * SIZES * COPIES
        if not isinstance(described, list) or len(described) > max_pieces:
            raise BadRecord(f"field is a list of at most {max_pieces} pieces, not {short_repr(described)}")
        field = rules.empty_field(len(described))
        before = 0
        for row, piece in enumerate(described):
            before = self.read_piece(field, row, piece, before)
            if not geometry.on_field(field[row], self.table[rules.WIDTH], self.table[rules.HEIGHT]):
                raise BadRecord(f"p{before} is not wholly on the field (IH-5)")
            if any(geometry.overlap(field[other], field[row]) for other in range(row)):
                raise BadRecord(f"p{before} overlaps another piece (IH-5)")
        self.table[rules.COUNT] = len(field)
        for row in range(len(field)):
            if not field[row, rules.STANDING]:
                rules.aim(self.table, field, row)
        return field

    def read_piece(self, field: Ints, row: int, described: Any, before: int) -> int:
        """Read a piece into its row. Returns its id number, which has to be above that of the piece before."""
        if not isinstance(described, dict) or set(described) != set(PIECE_ENTRIES):
            raise BadRecord(f"a piece has the entries {', '.join(PIECE_ENTRIES)}, not {short_repr(described)}")
        number = self.number(described["id"], int(self.table[rules.LAST_ID]), "an id", before + 1)
        kind = self.kind(f"{described['size']}:{described['colour']}", "a piece on the field")
        x, y = (self.number(described[name], MAX_COORDINATE, name) for name in ("x", "y"))
        heading = self.number(described["heading"], 3599, "heading")
        if not isinstance(described["standing"], bool):
            raise BadRecord(f"standing is true or false, not {short_repr(described['standing'])}")
        verb = rules.STAND if described["standing"] else rules.POINT
        rules.write_row(self.table, field[row], rules.placement_of(verb, x, y, heading), kind)
        field[row, rules.ID] = number
        return number

    def read_debts(self, described: Any) -> None:
        """Read the debts (IH-24)."""
        clock = int(self.table[rules.CLOCK])
        for seat, debt in enumerate(self.per_seat(described, "owed")):
            if debt is None:
                continue
            if not isinstance(debt, dict) or set(debt) != {"piece", "due"}:
                raise BadRecord(f"a debt has the entries piece and due, not {short_repr(debt)}")
            due = self.number(debt["due"], clock + int(self.table[rules.GIFT_TIME]), "due", clock)
            kind = None if debt["piece"] is None else self.kind(debt["piece"], "what is owed")
            if self.table[rules.HAND + seat]:
                raise BadRecord(f"seat {seat} owes a piece, so its hand is empty (IH-24)")
            if not (rules.on_pad(self.table, seat) if kind is None else self.table[rules.pad_of(seat) + kind]):
                raise BadRecord(f"seat {seat} does not have what it owes on its pad (IH-24)")
            self.table[rules.DEBT + seat] = rules.ANY_PIECE if kind is None else rules.CRASHED + kind
            self.table[rules.DUE + seat] = due

    def check_pieces(self, field: Ints) -> None:
        """Check that each piece is somewhere once (IH-3)."""
        table = self.table
        for kind in range(len(self.seats) * SIZES):
            lying = (field[:, rules.COLOUR] * SIZES + field[:, rules.SIZE] == kind).sum()
            pads = sum(int(table[rules.pad_of(seat) + kind]) for seat in self.seats)
            hands = sum(table[rules.HAND + seat] == 1 + kind for seat in self.seats)
            if lying + pads + hands != COPIES:
                name = f"{SIZE_LETTERS[kind % SIZES]}:{self.colours[kind // SIZES]}"
                raise BadRecord(f"there are {COPIES} pieces {name} in all, not {lying + pads + hands} (IH-3)")
        for colour in self.seats:
            lying = ((field[:, rules.COLOUR] == colour) & (field[:, rules.STANDING] == 0)).any()
            if table[rules.PREVENTS] and lying and rules.defenders(table, field, colour) < rules.MIN_DEFENDERS:
                raise BadRecord(f"{self.colours[colour]} attacks before two of its pieces stand (IH-13)")

    def check_start(self, field: Ints) -> None:
        """Check that nothing has happened before the start (IH-6)."""
        table = self.table
        if rules.has_started(table):
            return
        calls = table[rules.QUIET_UNTIL : rules.PAUSED_UNTIL + rules.MAX_SEATS]
        held = table[rules.HAND : rules.HAND + rules.MAX_SEATS]
        own = [rules.pad_of(seat) + seat * SIZES + size for seat in self.seats for size in range(SIZES)]
        untouched = not held.any() and (table[own] == COPIES).all() and (calls == rules.NEVER).all()
        if len(field) or table[rules.LAST_ID] or not untouched or table[rules.DEBT : rules.DUE].any():
            raise BadRecord("not everybody is ready, so nothing can have happened yet (IH-6)")

    def read_end(self, described: Any, field: Ints) -> None:
        """Read how the game ended (IH-31, IH-32)."""
        table = self.table
        if not (described is None or isinstance(described, str)) or described not in ENDS:
            raise BadRecord(f"ended_by is null, IH-31 or IH-32, not {short_repr(described)}")
        rule = ENDS[described]
        if (rule == 32) != bool(rules.nothing_left(table)) and rule != 31:
            raise BadRecord("the game ends the moment all pads and hands are empty, and not before (IH-32)")
        if rule == 31 and (rules.nothing_left(table) or not rules.has_started(table) or not table[rules.TIMED]):
            raise BadRecord("no bell could have ended this game (IH-31, IH-32)")
        if rule and (table[rules.HAND : rules.DUE].any()):
            raise BadRecord("when the game is over, nobody holds or owes a piece (IH-24, IH-31)")
        if rule:
            rules.end(table, field, rule)
