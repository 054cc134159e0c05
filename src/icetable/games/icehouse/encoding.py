"""The encoding of Icehouse for learning programs: observations, and the numbers of acts.

The field of an environment has one column more than that of `rules`: the time when each piece was placed. Colours are
numbered from the observer's own on, in the order of seats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.core.game import Action
from icetable.extras.encoding import Feature, Field, RealTimeEncoding, Verb
from icetable.games.icehouse import geometry, menu, rules
from icetable.games.icehouse.game import IcehouseState
from icetable.games.icehouse.menu import act_from as act_from
from icetable.games.icehouse.menu import describe_act as describe_act
from icetable.games.icehouse.menu import list_acts as list_acts
from icetable.games.icehouse.menu import needs as needs
from icetable.games.icehouse.menu import open_verbs as open_verbs
from icetable.games.icehouse.menu import places_after, write_place
from icetable.games.icehouse.position import MAX_ID, SPARE_ROWS, Position, explain_fault, shorten_act, write_act
from icetable.games.icehouse.position import show as show
from icetable.games.icehouse.rules import COLOUR, COPIES, COUNT, SIZES, STANDING, TARGET
from icetable.games.icehouse.rules import see_status as see_status
from icetable.games.icehouse.rules import verb_of as verb_of
from icetable.kernels.jit import kernel
from icetable.kernels.layout import ENDED_BY, SEATS

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.errors import Fault
    from icetable.core.game import State
    from icetable.extras.encoding import Reals
    from icetable.games.icehouse.game import Icehouse
    from icetable.kernels.jit import Ints

BELL = int(rules.act_of(rules.BELL, 0, 0, 0))
PLACED_AT = rules.ROW.length
"""The last column of the field: the time when the piece was placed, in milliseconds."""
GRID, GRID_HEADINGS = 96, 72
"""The number of columns and rows of the grid action space, and of its headings."""
MS_PER_MINUTE, MS_PER_SECOND = 60_000.0, 1000.0
OWN_FEATURES = 5 + 5
"""The features of a piece besides its colour and size: place, state and age."""
STATE_PLANES = 3
"""The planes besides those of colours: iced, valid, redundant."""
PLACE = (
    Feature("x", "the centre, as a fraction of the field's width"),
    Feature("y", "the centre, as a fraction of the field's height"),
    Feature("cosine", "of the heading, counter-clockwise from +x"),
    Feature("sine", "of the heading"),
)


def max_rows(seats: int) -> int:
    """The maximum number of pieces on the field."""
    return seats * SIZES * COPIES


def describe(game: Icehouse) -> RealTimeEncoding:
    seats = game.players
    kinds = seats * SIZES
    return RealTimeEncoding(
        version=0,
        verbs=(
            Verb("nothing", "do nothing"),
            Verb("lift", "lift a piece from the pad (IH-7)", ("kind",)),
            Verb("return", "put the piece in hand back (IH-7)"),
            Verb("stand", "place the piece in hand to defend (IH-9)", ("x", "y", "heading")),
            Verb("point", "place the piece in hand to attack (IH-9)", ("x", "y", "heading")),
            Verb("icehouse", "call icehouse (IH-17)"),
            Verb("meltdown", "call meltdown on a colour (IH-13)", ("colour",)),
            Verb("capture", "capture a redundant attacker (IH-26)", ("piece",)),
            Verb("give", "pay a debt by giving a piece to a seat (IH-24)", ("kind", "colour")),
        ),
        arguments=(
            ("verb", menu.VERBS),
            ("kind", kinds),
            ("x", GRID),
            ("y", GRID),
            ("heading", GRID_HEADINGS),
            ("colour", seats),
            ("piece", max_rows(seats)),
        ),
        entries=menu.ENTRIES,
        menu=(
            (0, "nothing"),
            (menu.RETURN_ENTRY, "return"),
            (menu.ICEHOUSE_ENTRY, "icehouse"),
            (menu.MELTDOWN_ENTRY, "meltdown, by colour"),
            (menu.MELTDOWN_ENTRY + seats, "lift, by colour and size"),
            (menu.MELTDOWN_ENTRY + seats + kinds, "captures, or a debtor's gifts, smallest pieces first"),
            (menu.FIRST_PLACEMENT, "placements to defend; if none is possible, more of the entries before"),
            (menu.FIRST_PLACEMENT + menu.MAX_PLACEMENTS // 2, "placements to attack; the same"),
        ),
        act=act_features(seats),
        fields=fields(seats),
        planes=(
            *(Feature(f"standing {who}", "the value of the standing piece, in thirds") for who in colour_names(seats)),
            *(Feature(f"lying {who}", "the value of the lying piece, in thirds") for who in colour_names(seats)),
            Feature("iced", "1 where the standing piece is iced (IH-14)"),
            Feature("valid", "1 where the lying piece makes a valid attack (IH-11)"),
            Feature("redundant", "1 where it may be captured (IH-25)"),
        ),
    )


def colour_names(seats: int) -> list[str]:
    """The names of colours for an observer."""
    return ["own", *(f"player +{after}" for after in range(1, seats))]


SIZE_FEATURES = tuple(Feature(size, f"1 for a {size} piece") for size in ("small", "medium", "large"))


def colour_features(seats: int) -> tuple[Feature, ...]:
    return tuple(Feature(who, "1 for a piece of this colour") for who in colour_names(seats))


def act_features(seats: int) -> tuple[Feature, ...]:
    verbs = ("lift", "return", "stand", "point", "icehouse", "meltdown", "capture", "give")
    return (
        *(Feature(verb, "1 for this verb") for verb in verbs),
        *(Feature(who, "1 for the colour of the piece, or that of a meltdown") for who in colour_names(seats)),
        *SIZE_FEATURES,
        *(
            Feature(f"to {who}", "1 for the receiver of a gift, or the colour of the target")
            for who in colour_names(seats)
        ),
        *PLACE,
        Feature("piece", "the row of the piece that is captured or attacked; -1 for none"),
        Feature("ices", "1 where the attack ices its target"),
    )


def fields(seats: int) -> tuple[Field, ...]:
    rows = max_rows(seats)
    pieces = (
        *colour_features(seats),
        *SIZE_FEATURES,
        *PLACE,
        Feature("standing", "1 for a piece that stands"),
        Feature("points at", "the row of the piece that it points at; -1 for none (IH-10)"),
        Feature("valid", "1 for a valid attack (IH-11)"),
        Feature("iced", "1 for a standing piece that is iced (IH-14)"),
        Feature("redundant", "1 for an attacker that may be captured (IH-25)"),
        Feature("age", "minutes since it was placed"),
    )
    owner_colour_size = (seats, seats, SIZES)
    return (
        Field("entities", "the pieces on the field in order of placing", (rows, len(pieces)), -1, np.inf, pieces),
        Field("entity_mask", "1 for each row that holds a piece", (rows,), 0, 1),
        Field("pads", "by seat, colour and size: the number of pieces on the pad", owner_colour_size, 0, COPIES),
        Field("hands", "by seat, colour and size: 1 for the piece in hand", owner_colour_size, 0, 1),
        Field("debts", "by seat, colour and size: 1 for each piece that a debtor may give", owner_colour_size, 0, 1),
        Field("icehouse", "by seat: 1 for those in the icehouse (IH-19)", (seats,), 0, 1),
        Field("time", "minutes since play started", (1,), 0, np.inf),
        Field(
            "pauses",
            "seconds",
            (3,),
            0,
            np.inf,
            (
                Feature("false call", "until your own calls count again after a false one (IH-20)"),
                Feature("true call", "until calls count again after a true one (IH-22)"),
                Feature("debt", "until your own debt is settled automatically (IH-24)"),
            ),
            own=True,
        ),
    )


def arrays(state: State) -> tuple[Ints, Ints]:
    """The table and the field of a state, with room for all pieces."""
    assert isinstance(state, IcehouseState)
    field = np.zeros((max_rows(state.game.players) + SPARE_ROWS, PLACED_AT + 1), np.int64)
    field[: len(state.field), :PLACED_AT] = state.field
    return state.table.copy(), field


def state_of(game: Icehouse, table: Ints, field: Ints) -> IcehouseState:
    """The state of a table and a field, without history."""
    pieces = field[: table[COUNT], :PLACED_AT].copy()
    return IcehouseState(game, table.copy(), pieces, at=int(table[rules.CLOCK]))


def written(game: Icehouse, act: int, seat: int) -> Action:
    return Action(shorten_act(write_act(act, game.colours), game.colours, seat))


def read(game: Icehouse, text: str, seat: int) -> int:
    """The code of an act of a seat. Raises BadNotation."""
    return game.code(text, seat)


def explain(game: Icehouse, reason: int, act: int, seat: int, table: Ints, field: Ints) -> Fault:
    """The fault for the reason of a refusal; the arrays are as the refusal left them."""
    return explain_fault(Position(table, field, game.colours), reason, act, seat, table, field)


def read_grid(game: Icehouse, actions: Ints) -> Ints:
    """Grid actions with the coordinates of the rules: the centre of a cell, the heading of a step."""
    read = actions.copy()
    read[:, menu.TO_X] = (2 * actions[:, menu.TO_X] + 1) * game.layout()["width"] // (2 * GRID)
    read[:, menu.TO_Y] = (2 * actions[:, menu.TO_Y] + 1) * game.layout()["height"] // (2 * GRID)
    read[:, menu.HEADING] = actions[:, menu.HEADING] * (geometry.HEADINGS // GRID_HEADINGS)
    return read


def read_places(game: Icehouse, verbs: Ints, kinds: Ints, targets: Ints, places: npt.NDArray[np.float64]) -> Ints:
    """Actions from their four parts. A target is a piece or, modulo the number of seats, a colour.

    A place is x and y as fractions of the field, and the cosine and sine of the heading; (0, 0) is heading 0.
    """
    read = np.zeros((len(verbs), menu.PIECE + 1), np.int64)
    read[:, menu.VERB], read[:, menu.KIND], read[:, menu.PIECE] = verbs, kinds, targets
    read[:, menu.TO_SEAT] = targets % game.players
    read[:, menu.TO_X] = np.rint(places[:, 0] * game.layout()["width"])
    read[:, menu.TO_Y] = np.rint(places[:, 1] * game.layout()["height"])
    degrees = np.degrees(np.arctan2(places[:, 3], places[:, 2]))
    read[:, menu.HEADING] = np.rint(10 * degrees).astype(np.int64) % geometry.HEADINGS
    return read


def choices(game: Icehouse, acts: list[int], seat: int, ids: list[int]) -> tuple[set[int], ...]:
    """The values that acts of the same verb give each further argument; empty if any value is allowed.

    Placements allow any values, as free places can't be listed.
    """
    seats = game.players
    kinds, to_seats, pieces = set(), set(), set()
    for act in acts:
        verb, colour = rules.verb_of(act), int(rules.second_of(act))
        if verb in (rules.LIFT, rules.GIVE):
            kinds.add((colour - seat) % seats * SIZES + int(rules.first_of(act)))
        if verb == rules.MELTDOWN:
            to_seats.add((colour - seat) % seats)
        if verb == rules.GIVE:
            to_seats.add((int(rules.third_of(act)) - seat) % seats)
        if verb == rules.CAPTURE:
            pieces.add(ids.index(int(rules.first_of(act))))
    return kinds, set(), set(), set(), to_seats, pieces


# Kernels
@kernel
def play(table: Ints, field: Ints, act: int, seat: int, at: int) -> int:
    """Play an act as `rules.play` does, and record the time of a placement."""
    newest = table[rules.LAST_ID]
    fault = rules.play(table, field, act, seat, at)
    if fault == rules.FINE and table[rules.LAST_ID] > newest:
        field[table[COUNT] - 1, PLACED_AT] = at
    return fault


@kernel
def is_over(table: Ints) -> bool:
    """Whether the game is over."""
    return table[ENDED_BY] > 0


@kernel
def name_rows(table: Ints, field: Ints, ids: Ints) -> None:
    """Write the id of the piece in each row, and an id that no piece has into the rows after the last one."""
    for row in range(len(ids)):
        ids[row] = field[row, rules.ID] if row < table[COUNT] else MAX_ID


@kernel
def observe(seen: Ints, field: Ints, status: Ints, seat: int, out: Reals) -> None:
    """Write a seat's observation except for times. `seen` is the table as views show it."""
    seats = seen[SEATS]
    row_length = seats + SIZES + OWN_FEATURES
    rows = seats * SIZES * COPIES
    for index in range(len(out)):
        out[index] = 0.0
    for row in range(seen[COUNT]):
        piece, first = field[row], row * row_length
        out[first + places_after(seat, piece[COLOUR], seats)] = 1.0
        out[first + seats + piece[rules.SIZE]] = 1.0
        first += seats + SIZES
        write_place(seen, piece, out, first)
        out[first + 4] = piece[STANDING]
        out[first + 5] = piece[TARGET]
        out[first + 6] = status[row] & rules.IS_VALID
        out[first + 7] = (status[row] & rules.IS_ICED) // rules.IS_ICED
        out[first + 8] = (status[row] & rules.IS_REDUNDANT) // rules.IS_REDUNDANT
        out[rows * row_length + row] = 1.0
    pads = rows * (row_length + 1)
    hands = pads + seats * seats * SIZES
    debts = hands + seats * seats * SIZES
    for owner in range(seats):
        first = places_after(seat, owner, seats) * seats * SIZES
        debt = seen[rules.DEBT + owner]
        for kind in range(seats * SIZES):
            colour = kind // SIZES
            index = first + places_after(seat, colour, seats) * SIZES + kind - colour * SIZES
            count = seen[rules.pad_of(owner) + kind]
            out[pads + index] = count
            out[hands + index] = seen[rules.HAND + owner] == kind + 1
            out[debts + index] = count > 0 and (debt == rules.ANY_PIECE or debt == rules.CRASHED + kind)
        frozen = (seen[rules.FROZEN] >> owner) & 1
        out[debts + seats * seats * SIZES + places_after(seat, owner, seats)] = frozen


@kernel
def observe_times(table: Ints, field: Ints, seat: int, at: int, out: Reals) -> None:
    """Write the times of a seat's observation."""
    seats = table[SEATS]
    row_length = seats + SIZES + OWN_FEATURES
    for row in range(table[COUNT]):
        out[(row + 1) * row_length - 1] = (at - field[row, PLACED_AT]) / MS_PER_MINUTE
    time = seats * SIZES * COPIES * (row_length + 1) + 3 * seats * seats * SIZES + seats
    out[time] = at / MS_PER_MINUTE
    out[time + 1] = max(0, table[rules.PAUSED_UNTIL + seat] + 1 - at) / MS_PER_SECOND
    out[time + 2] = max(0, table[rules.QUIET_UNTIL] + 1 - at) / MS_PER_SECOND
    out[time + 3] = max(0, table[rules.DUE + seat] + 1 - at) / MS_PER_SECOND if table[rules.DEBT + seat] else 0.0


@kernel
def paint(seen: Ints, field: Ints, status: Ints, seat: int, side: int, out: Reals) -> None:
    """Write planes of `side` by `side` cells: the piece that covers the centre of each. Rows begin at y = 0."""
    seats = seen[SEATS]
    planes = 2 * seats + STATE_PLANES
    for index in range(len(out)):
        out[index] = 0.0
    for index in range(seen[COUNT]):
        piece = field[index]
        plane = places_after(seat, piece[COLOUR], seats) + (0 if piece[STANDING] else seats)
        left, right = cells_between(piece[geometry.LEFT], piece[geometry.RIGHT], seen[rules.WIDTH], side)
        bottom, top = cells_between(piece[geometry.BOTTOM], piece[geometry.TOP], seen[rules.HEIGHT], side)
        for row in range(bottom, top):
            for column in range(left, right):
                x = (2 * column + 1) * seen[rules.WIDTH] // (2 * side)
                y = (2 * row + 1) * seen[rules.HEIGHT] // (2 * side)
                if covers(piece, x, y):
                    cell = (row * side + column) * planes
                    out[cell + plane] = (piece[rules.SIZE] + 1) / SIZES
                    out[cell + 2 * seats] = (status[index] & rules.IS_ICED) // rules.IS_ICED
                    out[cell + 2 * seats + 1] = status[index] & rules.IS_VALID
                    out[cell + 2 * seats + 2] = (status[index] & rules.IS_REDUNDANT) // rules.IS_REDUNDANT


@kernel
def cells_between(low: int, high: int, length: int, side: int) -> tuple[int, int]:
    """The first cell of an interval, and the one after its last."""
    return low * side // length, min(high * side // length + 1, side)


@kernel
def covers(piece: Ints, x: int, y: int) -> bool:
    """Whether a piece covers a point."""
    last = 2 * piece[geometry.CORNERS] - 2
    px, py = piece[last], piece[last + 1]
    for number in range(piece[geometry.CORNERS]):
        qx, qy = piece[2 * number], piece[2 * number + 1]
        if (qx - px) * (y - py) < (qy - py) * (x - px):
            return False
        px, py = qx, qy
    return True
