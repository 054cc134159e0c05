"""The rules of Icehouse as kernels over two int64 arrays, the table and the field.

The table holds everything off the field: the clock, hands, pads, debts, the seats in the icehouse, and the options. The
field has a row for each piece on it, in order of placing: its geometry (`geometry`), its identity (`ID` … `HEADING`),
and its current target (`TARGET`, `VALID`).

There are no turns: `play` judges and plays an act of any seat at any time, in place. A caller that needs the old
position after a refusal plays on a copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.icehouse import geometry
from icetable.games.icehouse.geometry import FOOTPRINT_WORDS
from icetable.kernels.jit import copy, kernel
from icetable.kernels.layout import CHANCE, COMMON, ENDED_BY, SEATS, WINNERS, Words

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

SIZES = 3
COPIES = 5
"""Pyramids of each size and colour (IH-3)."""
MAX_SEATS = 8
STASH_LIMIT = 8
MIN_DEFENDERS = 2
"""The number of defenders that a colour needs before its first attack (IH-13)."""
KINDS = MAX_SEATS * SIZES
"""A kind of piece is colour * SIZES + size."""
NEVER = -1
"""The time of something that has not happened."""

# The table

TABLE = Words(COMMON)
CLOCK = TABLE.add("clock", "The time of the last act, in milliseconds since the table opened.")
READY_SEATS = TABLE.add("ready_seats", "The seats that have touched a piece, a bit each (IH-6).")
FROZEN = TABLE.add("frozen", "The seats in the icehouse, a bit each (IH-19).")
COUNT = TABLE.add("count", "The number of pieces on the field.")
LAST_ID = TABLE.add("last_id", "The number of the newest id.")
QUIET_UNTIL = TABLE.add("quiet_until", "The last moment at which a true call voids further ones (IH-22).")
PAUSED_UNTIL = TABLE.add("paused_until", "By seat: the last moment at which a false call voids its calls.", MAX_SEATS)
HAND = TABLE.add("hand", "By seat: 1 + the kind of the piece in hand; 0 for an empty hand.", MAX_SEATS)
DEBT = TABLE.add("debt", "By seat: NO_DEBT, ANY_PIECE, or CRASHED + the kind it crashed with (IH-24).", MAX_SEATS)
DUE = TABLE.add("due", "By seat: the last moment to pay its debt.", MAX_SEATS)
PADS = TABLE.add("pads", "By seat: the number of pieces of each kind on its pad.", MAX_SEATS * KINDS)
WIDTH = TABLE.add("width", "The width of the field, in thousandths of an inch.")
HEIGHT = TABLE.add("height", "The height of the field, in thousandths of an inch.")
LENGTHS = TABLE.add("lengths", "By size: the length of a lying piece, in thousandths of an inch (IH-4).", SIZES)
ALONG_RAY = TABLE.add("along_ray", "1: range is measured along the ray. 0: between footprints (IH-11).")
TOLERANCE = TABLE.add("tolerance", "The deepest overlap that is not a crash, in millionths of an inch (IH-30).")
CRASHES = TABLE.add("crashes", "1: a deep overlap is a crash. 0: it is refused (IH-30).")
PREVENTS = TABLE.add("prevents", "1: premature attacks are refused. 0: they may melt down (IH-13).")
GIFTS = TABLE.add("gifts", "1: a false call costs a piece (IH-20).")
PAUSE = TABLE.add("pause", "The time for which calls are void after a false one, in milliseconds (IH-20).")
GRACE = TABLE.add("grace", "The time for which calls are void after a true one, in milliseconds (IH-22).")
GIFT_TIME = TABLE.add("gift_time", "The time limit for paying a debt, in milliseconds (IH-24).")
TIMED = TABLE.add("timed", "1: the bell may ring (IH-31).")

NO_DEBT, ANY_PIECE, CRASHED = 0, 1, 2

# The rows of the field

ROW = Words(first=FOOTPRINT_WORDS)
ID = ROW.add("id", "The number of its id.")
COLOUR = ROW.add("colour", "The seat whose stash it comes from.")
SIZE = ROW.add("size", "0 small, 1 medium, 2 large.")
STANDING = ROW.add("standing", "1: a defender. 0: an attacker.")
X = ROW.add("x", "Its centre, in thousandths of an inch.")
Y = ROW.add("y", "Its centre, in thousandths of an inch.")
HEADING = ROW.add("heading", "The direction of its tip, in tenths of a degree.")
TARGET = ROW.add("target", "The row of the piece that a lying piece points at; NOTHING otherwise.")
VALID = ROW.add("valid", "1 if it makes a valid attack (IH-11).")

NOTHING = geometry.NOTHING
UNKNOWN = -2

IS_VALID, IS_ICED, IS_REDUNDANT = 1, 2, 4
"""Bits of a piece's status."""

# Acts: a verb and three small numbers, or a verb and a placement

READY, LIFT, RETURN, STAND, POINT, ICEHOUSE, MELTDOWN, CAPTURE, GIVE, BELL = range(10)
VERB_SHIFT = 56
COORDINATE_OFFSET = 1 << 19
"""Added to coordinates to make them positive."""

# Results of an act: FINE, or the reason for a refusal

(
    FINE,
    OVER,
    TIME_RUNS_BACK,
    NO_BELL,
    NO_SEAT,
    READY_TWICE,
    NOT_STARTED,
    IN_DEBT,
    HAND_FULL,
    NOT_ON_PAD,
    HAND_EMPTY,
    OFF_FIELD,
    TOO_DEEP,
    OVERLAPS,
    TOO_EARLY,
    NO_ATTACK,
    NO_SUCH_PIECE,
    NO_ATTACKER,
    NOT_OWN_DEFENDER,
    NOT_REDUNDANT,
    NOTHING_OWED,
    TO_ONESELF,
    OTHER_PIECE_OWED,
    NOT_ON_PAD_TO_GIVE,
) = range(24)


@kernel
def act_of(verb: int, first: int, second: int, third: int) -> int:
    """Encode an act other than a placement: LIFT size colour, MELTDOWN - colour, CAPTURE id, GIVE size colour seat."""
    return verb << VERB_SHIFT | first << 16 | second << 8 | third


@kernel
def placement_of(verb: int, x: int, y: int, heading: int) -> int:
    """Encode the placement of the piece in hand: STAND or POINT, thousandths of an inch, tenths of a degree."""
    return verb << VERB_SHIFT | (x + COORDINATE_OFFSET) << 32 | (y + COORDINATE_OFFSET) << 12 | heading


@kernel
def place_of(act: int) -> tuple[int, int, int]:
    """The x, y and heading of a placement."""
    return ((act >> 32) & 0xFFFFF) - COORDINATE_OFFSET, ((act >> 12) & 0xFFFFF) - COORDINATE_OFFSET, act & 0xFFF


@kernel
def verb_of(act: int) -> int:
    return act >> VERB_SHIFT


@kernel
def first_of(act: int) -> int:
    """The first number of an act other than a placement."""
    return (act >> 16) & 0xFFFFFFFF


@kernel
def second_of(act: int) -> int:
    return (act >> 8) & 0xFF


@kernel
def third_of(act: int) -> int:
    return act & 0xFF


@kernel
def has_started(table: Ints) -> bool:
    """Whether every player has touched a piece (IH-6)."""
    return table[READY_SEATS] == (1 << table[SEATS]) - 1


@kernel
def play(table: Ints, field: Ints, act: int, seat: int, at: int) -> int:
    """Play an act. Returns FINE, or the reason for a refusal, which leaves the arrays undefined.

    `field` has room for one more piece. Faults are checked in the order of the rules.
    """
    if table[ENDED_BY]:
        return OVER
    if at < table[CLOCK]:
        return TIME_RUNS_BACK
    settle_debts(table, at)
    table[CLOCK] = at
    verb = verb_of(act)
    if verb == BELL:
        if seat != CHANCE or not table[TIMED] or not has_started(table):
            return NO_BELL
        ring(table, field)
        return FINE
    if not 0 <= seat < table[SEATS]:
        return NO_SEAT
    if verb == READY:
        return be_ready(table, seat)
    if not has_started(table):
        return NOT_STARTED
    if table[DEBT + seat] and verb != GIVE:
        return IN_DEBT
    fault = dispatch(table, field, act, seat, at)
    if fault == FINE and nothing_left(table):
        end(table, field, 32)
    return fault


@kernel
def judge_each(
    table: Ints, field: Ints, acts: Ints, seat: int, at: int, spare_table: Ints, spare_field: Ints, reasons: Ints
) -> None:
    """Write the result of `play` for each act. The acts are played on the spare arrays."""
    for number in range(len(acts)):
        copy(table, spare_table)
        for piece in range(len(field)):
            copy(field[piece], spare_field[piece])
        reasons[number] = play(spare_table, spare_field, acts[number], seat, at)


@kernel
def dispatch(table: Ints, field: Ints, act: int, seat: int, at: int) -> int:
    """Play an act by its verb."""
    verb = verb_of(act)
    if verb == LIFT:
        return lift(table, seat, second_of(act) * SIZES + first_of(act))
    if verb == RETURN:
        return put_back(table, seat)
    if verb in (STAND, POINT):
        return place(table, field, act, seat, at)
    if verb == ICEHOUSE:
        call_icehouse(table, field, seat, at)
        return FINE
    if verb == MELTDOWN:
        call_meltdown(table, field, second_of(act))
        return FINE
    if verb == CAPTURE:
        return capture(table, field, seat, first_of(act))
    return give(table, seat, second_of(act) * SIZES + first_of(act), third_of(act))


@kernel
def be_ready(table: Ints, seat: int) -> int:
    """Touch a piece on the pad (IH-6)."""
    if (table[READY_SEATS] >> seat) & 1:
        return READY_TWICE
    table[READY_SEATS] |= 1 << seat
    return FINE


# Hand and pad


@kernel
def pad_of(seat: int) -> int:
    return PADS + seat * KINDS


@kernel
def on_pad(table: Ints, seat: int) -> int:
    """The number of pieces on a seat's pad, prisoners included."""
    pad = pad_of(seat)
    count = 0
    for kind in range(table[SEATS] * SIZES):
        count += table[pad + kind]
    return count


@kernel
def nothing_left(table: Ints) -> bool:
    """Whether all pads and hands are empty (IH-32)."""
    left = 0
    for seat in range(table[SEATS]):
        left += table[HAND + seat] + on_pad(table, seat)
    return left == 0


@kernel
def lift(table: Ints, seat: int, kind: int) -> int:
    """Take a piece off the pad (IH-7)."""
    if table[HAND + seat]:
        return HAND_FULL
    if table[pad_of(seat) + kind] == 0:
        return NOT_ON_PAD
    table[pad_of(seat) + kind] -= 1
    table[HAND + seat] = 1 + kind
    return FINE


@kernel
def put_back(table: Ints, seat: int) -> int:
    """Put the piece in hand back on the pad (IH-7)."""
    if table[HAND + seat] == 0:
        return HAND_EMPTY
    table[pad_of(seat) + table[HAND + seat] - 1] += 1
    table[HAND + seat] = 0
    return FINE


@kernel
def empty_hands(table: Ints) -> None:
    """Put every piece in hand back on its pad (IH-17, IH-31)."""
    for seat in range(table[SEATS]):
        put_back(table, seat)


# Placing


@kernel
def place(table: Ints, field: Ints, act: int, seat: int, at: int) -> int:
    """Place the piece in hand, or crash with it (IH-5, IH-9, IH-12, IH-13, IH-30)."""
    if table[HAND + seat] == 0:
        return HAND_EMPTY
    fault = judge_placement(table, field, act, table[HAND + seat] - 1)
    if fault == FINE:
        table[HAND + seat] = 0
        add_piece(table, field)
    elif fault == TOO_DEEP and table[CRASHES]:
        kind = table[HAND + seat] - 1
        put_back(table, seat)
        owe(table, seat, CRASHED + kind, at)
        fault = FINE
    return fault


@kernel
def judge_placement(table: Ints, field: Ints, act: int, kind: int) -> int:
    """FINE if a piece of a kind can be placed, else the reason. Writes its row, with its target, after the last one."""
    count = table[COUNT]
    piece = field[count]
    write_row(table, piece, act, kind)
    if not geometry.on_field(piece, table[WIDTH], table[HEIGHT]):
        return OFF_FIELD
    overlap, target, near = geometry.judge_placement(field, count, piece, table[TOLERANCE], table[ALONG_RAY] == 1)
    if overlap == geometry.DEEP:
        return TOO_DEEP
    if overlap == geometry.SHALLOW:
        return OVERLAPS
    if piece[STANDING]:
        return FINE
    if table[PREVENTS] and defenders(table, field, piece[COLOUR]) < MIN_DEFENDERS:
        return TOO_EARLY
    piece[TARGET] = target
    piece[VALID] = near and is_foe(field, target, piece[COLOUR])
    return FINE if piece[VALID] else NO_ATTACK


@kernel
def is_foe(field: Ints, target: int, colour: int) -> bool:
    """Whether a target is a defender of another colour (IH-11)."""
    return field[target, STANDING] == 1 and field[target, COLOUR] != colour


@kernel
def write_row(table: Ints, piece: Ints, act: int, kind: int) -> None:
    """Write the row of a piece as an act would place it, without a target."""
    colour = kind // SIZES
    size = kind - colour * SIZES
    standing = verb_of(act) == STAND
    x, y, heading = place_of(act)
    geometry.footprint(piece, x, y, heading, size, standing, table[LENGTHS : LENGTHS + SIZES])
    piece[ID], piece[COLOUR], piece[SIZE], piece[STANDING] = 0, colour, size, standing
    piece[X], piece[Y], piece[HEADING] = x, y, heading
    piece[TARGET], piece[VALID] = NOTHING, 0


@kernel
def add_piece(table: Ints, field: Ints) -> None:
    """Add the row after the last one to the field, and re-aim the pieces whose rays it may block."""
    row = table[COUNT]
    table[LAST_ID] += 1
    field[row, ID] = table[LAST_ID]
    table[COUNT] = row + 1
    for other in range(row):
        if may_meet(field, other, row):
            aim(table, field, other)


@kernel
def remove_piece(table: Ints, field: Ints, row: int) -> None:
    """Remove a piece from the field, and re-aim the pieces that may have pointed at it."""
    count = table[COUNT] - 1
    table[COUNT] = count
    for other in range(count + 1):
        if may_meet(field, other, row):
            field[other, TARGET] = UNKNOWN
        elif field[other, TARGET] > row:
            field[other, TARGET] -= 1
    for later in range(row, count):
        copy(field[later + 1], field[later])
    for other in range(count):
        if field[other, TARGET] == UNKNOWN:
            aim(table, field, other)


@kernel
def may_meet(field: Ints, shooter: int, row: int) -> bool:
    """Whether the ray of a lying piece may hit another piece."""
    return not field[shooter, STANDING] and shooter != row and not geometry.misses(field, row, field[shooter])


@kernel
def aim(table: Ints, field: Ints, row: int) -> None:
    """Update the target of a lying piece, and whether it makes a valid attack (IH-10, IH-11, IH-16)."""
    piece = field[row]
    target = geometry.target_of(field, table[COUNT], row)
    piece[TARGET], piece[VALID] = target, 0
    if target != NOTHING and is_foe(field, target, piece[COLOUR]):
        piece[VALID] = geometry.in_range(piece, field[target], table[ALONG_RAY] == 1)


# Icing


@kernel
def value(field: Ints, row: int) -> int:
    """The value of a piece (IH-3)."""
    return field[row, SIZE] + 1


@kernel
def attack_on(table: Ints, field: Ints, row: int) -> int:
    """The sum of the values of a piece's attackers (IH-14)."""
    total = 0
    for other in range(table[COUNT]):
        if field[other, VALID] and field[other, TARGET] == row:
            total += value(field, other)
    return total


@kernel
def is_iced(table: Ints, field: Ints, row: int) -> bool:
    """Whether a standing piece is iced (IH-14)."""
    return attack_on(table, field, row) > value(field, row)


@kernel
def is_redundant(table: Ints, field: Ints, row: int) -> bool:
    """Whether a defender stays iced without this attacker (IH-25)."""
    if not field[row, VALID]:
        return False
    target = field[row, TARGET]
    return attack_on(table, field, target) - value(field, row) > value(field, target)


@kernel
def see_status(table: Ints, field: Ints, status: Ints) -> None:
    """Write the status bits of each piece on the field."""
    for row in range(table[COUNT]):
        if field[row, STANDING]:
            status[row] = IS_ICED * is_iced(table, field, row)
        else:
            status[row] = IS_VALID * field[row, VALID] + IS_REDUNDANT * is_redundant(table, field, row)


@kernel
def has_free_defender(table: Ints, field: Ints, colour: int) -> bool:
    """Whether a colour has a defender that is not iced (IH-15)."""
    for row in range(table[COUNT]):
        if field[row, COLOUR] == colour and field[row, STANDING] and not is_iced(table, field, row):
            return True
    return False


@kernel
def defenders(table: Ints, field: Ints, colour: int) -> int:
    """The number of a colour's defenders on the field (IH-13)."""
    count = 0
    for row in range(table[COUNT]):
        count += field[row, COLOUR] == colour and field[row, STANDING] == 1
    return count


@kernel
def score(table: Ints, field: Ints, seat: int) -> int:
    """The current points of a seat (IH-33)."""
    points = 0
    if (table[FROZEN] >> seat) & 1:
        return points
    for row in range(table[COUNT]):
        if field[row, COLOUR] == seat:
            if field[row, STANDING]:
                succeeds = not is_iced(table, field, row)
            else:
                succeeds = field[row, VALID] == 1 and is_iced(table, field, field[row, TARGET])
            if succeeds:
                points += value(field, row)
    return points


# Calls


@kernel
def call_icehouse(table: Ints, field: Ints, seat: int, at: int) -> None:
    """Call icehouse (IH-17 … IH-22)."""
    if is_void(table, seat, at):
        return
    empty_hands(table)
    found = 0
    for other in range(table[SEATS]):
        if is_vulnerable(table, field, other):
            found |= 1 << other
    if found:
        table[FROZEN] |= found
        table[QUIET_UNTIL] = at + table[GRACE]
        for other in range(table[SEATS]):
            if (found >> other) & 1 and other != seat:
                hand_over(table, other, seat)
    elif table[GIFTS] and on_pad(table, seat):
        owe(table, seat, ANY_PIECE, at)
    else:
        table[PAUSED_UNTIL + seat] = at + table[PAUSE]


@kernel
def is_void(table: Ints, seat: int, at: int) -> bool:
    """Whether a call of icehouse comes too soon after another (IH-20, IH-22)."""
    return at <= table[QUIET_UNTIL] or at <= table[PAUSED_UNTIL + seat]


@kernel
def is_vulnerable(table: Ints, field: Ints, seat: int) -> bool:
    """Whether a call would find a seat (IH-18, IH-21)."""
    if (table[FROZEN] >> seat) & 1 or on_pad(table, seat) >= STASH_LIMIT:
        return False
    return not has_free_defender(table, field, seat)


@kernel
def hand_over(table: Ints, giver: int, receiver: int) -> None:
    """Give all pieces on a pad to another seat (IH-19); the giver's debt lapses (IH-24)."""
    for kind in range(KINDS):
        table[pad_of(receiver) + kind] += table[pad_of(giver) + kind]
        table[pad_of(giver) + kind] = 0
    table[DEBT + giver] = NO_DEBT


@kernel
def call_meltdown(table: Ints, field: Ints, colour: int) -> None:
    """Call meltdown on a colour (IH-13)."""
    if table[PREVENTS] or defenders(table, field, colour) >= MIN_DEFENDERS:
        return
    row = 0
    while row < table[COUNT]:
        if field[row, COLOUR] == colour and not field[row, STANDING]:
            table[pad_of(colour) + colour * SIZES + field[row, SIZE]] += 1
            remove_piece(table, field, row)
        else:
            row += 1


# Prisoners


@kernel
def row_of(table: Ints, field: Ints, number: int) -> int:
    """The row of the piece with an id; NOTHING if there is none."""
    for row in range(table[COUNT]):
        if field[row, ID] == number:
            return row
    return NOTHING


@kernel
def capture(table: Ints, field: Ints, seat: int, number: int) -> int:
    """Take a redundant attacker prisoner (IH-26, IH-27)."""
    row = row_of(table, field, number)
    if row == NOTHING:
        return NO_SUCH_PIECE
    if not field[row, VALID]:
        return NO_ATTACKER
    if field[field[row, TARGET], COLOUR] != seat:
        return NOT_OWN_DEFENDER
    if not is_redundant(table, field, row):
        return NOT_REDUNDANT
    table[pad_of(seat) + field[row, COLOUR] * SIZES + field[row, SIZE]] += 1
    remove_piece(table, field, row)
    return FINE


# Debts


@kernel
def owe(table: Ints, seat: int, debt: int, at: int) -> None:
    """Put a seat in debt (IH-20, IH-30)."""
    table[DEBT + seat] = debt
    table[DUE + seat] = at + table[GIFT_TIME]


@kernel
def give(table: Ints, seat: int, kind: int, receiver: int) -> int:
    """Pay a debt with a piece (IH-20, IH-24, IH-30)."""
    debt = table[DEBT + seat]
    if debt == NO_DEBT:
        return NOTHING_OWED
    if receiver == seat:
        return TO_ONESELF
    if debt >= CRASHED and kind != debt - CRASHED:
        return OTHER_PIECE_OWED
    if table[pad_of(seat) + kind] == 0:
        return NOT_ON_PAD_TO_GIVE
    pass_on(table, seat, kind, receiver)
    return FINE


@kernel
def pass_on(table: Ints, seat: int, kind: int, receiver: int) -> None:
    """Move a piece from pad to pad, and cancel the giver's debt."""
    table[pad_of(seat) + kind] -= 1
    table[pad_of(receiver) + kind] += 1
    table[DEBT + seat] = NO_DEBT


@kernel
def settle_debts(table: Ints, at: int) -> None:
    """Pay every debt that was due before a time, in order of due time, then of seats (IH-24)."""
    while True:
        seat = first_overdue(table, at)
        if seat == NOTHING:
            return
        pass_on(table, seat, smallest_gift(table, seat), next_seat(table, seat))


@kernel
def first_overdue(table: Ints, at: int) -> int:
    """The seat with the earliest debt that was due before a time; NOTHING if there is none."""
    first = NOTHING
    for seat in range(table[SEATS]):
        if table[DEBT + seat] and table[DUE + seat] < at and (first < 0 or table[DUE + seat] < table[DUE + first]):
            first = seat
    return first


@kernel
def next_seat(table: Ints, seat: int) -> int:
    """The next seat round the table."""
    return seat + 1 if seat + 1 < table[SEATS] else 0


@kernel
def smallest_gift(table: Ints, seat: int) -> int:
    """The kind of piece that pays an overdue debt (IH-24)."""
    if table[DEBT + seat] >= CRASHED:
        return table[DEBT + seat] - CRASHED
    for size in range(SIZES):
        colour = seat
        for _ in range(table[SEATS]):
            if table[pad_of(seat) + colour * SIZES + size]:
                return colour * SIZES + size
            colour = next_seat(table, colour)
    return NOTHING


# The end


@kernel
def ring(table: Ints, field: Ints) -> None:
    """Ring the bell (IH-31): hands are emptied, debts lapse (IH-24)."""
    empty_hands(table)
    end(table, field, 31)


@kernel
def end(table: Ints, field: Ints, rule: int) -> None:
    """End the game; the most points win, among seats that are not in the icehouse (IH-33, IH-34)."""
    best = -1
    for seat in range(table[SEATS]):
        table[DEBT + seat] = NO_DEBT
        if not (table[FROZEN] >> seat) & 1:
            best = max(best, score(table, field, seat))
    for seat in range(table[SEATS]):
        if not (table[FROZEN] >> seat) & 1 and score(table, field, seat) == best:
            table[WINNERS] |= 1 << seat
    table[ENDED_BY] = rule


def start(seats: int) -> Ints:
    """The table before the first act, with every stash on its pad (IH-3), and without options."""
    table = np.zeros(TABLE.length, np.int64)
    table[SEATS] = seats
    table[QUIET_UNTIL] = NEVER
    table[PAUSED_UNTIL : PAUSED_UNTIL + MAX_SEATS] = NEVER
    for seat in range(seats):
        own = pad_of(seat) + seat * SIZES
        table[own : own + SIZES] = COPIES
    return table


def seats_of(bits: int) -> list[int]:
    """The seats of a bit set."""
    return [seat for seat in range(MAX_SEATS) if int(bits) >> seat & 1]


def empty_field(rows: int = 0) -> Ints:
    """A field with room for `rows` pieces."""
    return np.zeros((rows, ROW.length), np.int64)
