"""Saved positions of Icehouse, without what follows from the rest (targets, winners)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icetable.core.errors import BadRecord
from icetable.core.options import is_integer, short_repr
from icetable.games.icehouse import geometry, rules
from icetable.games.icehouse.notation import MAX_COORDINATE, MAX_ID, SIZE_LETTERS
from icetable.games.icehouse.rules import COPIES, KINDS, SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.games.icehouse.position import Position
    from icetable.kernels.jit import Ints

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
