"""The features of Who's On The Squad?: the scores, what is left to place and where, and the leaps of captains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.core.bits import popcount
from icetable.core.jit import kernel
from icetable.core.kernel import ACTOR, SEATS
from icetable.games.squad.rules import (
    BOARD,
    CAPTAIN,
    FACE,
    FRESHMAN,
    FRIENDS,
    JUNIOR,
    MOST_SEATS,
    OF_SIZE,
    OPEN,
    PYRAMIDS,
    SIZES,
    SOPHOMORE,
    SUPPLY,
    across,
    around,
    fours,
    friends_of,
    odd,
    score,
    twos,
)

if TYPE_CHECKING:
    from icetable.core.jit import Floats, Ints

MOST_LEFT = 9
MOST_LEAD = 12
MOST_AHEAD = 3
MOST_COUNT = 4

LEADS = 1
"""By the friends that the seat to act has left, the turns until a seat acts, and its lead in points."""
STANDING = LEADS + (MOST_LEFT + 1) * MOST_SEATS * (2 * MOST_LEAD + 1)
"""By the friends that the seat to act has left, and how many more a seat has on the board than the best other."""
SHOWN = STANDING + (MOST_LEFT + 1) * (2 * MOST_AHEAD + 1)
"""By the friends that the seat to act has left, the juniors that a seat has left, and the face of its captain."""
CHOICES = SHOWN + (MOST_LEFT + 1) * (MOST_COUNT + 1) ** 2
"""By the turns until a seat acts, and where the seat to act can place each size."""
LEAPS = CHOICES + MOST_SEATS * (MOST_COUNT + 1) ** SIZES
"""By whether a seat is to act, its captain's face, and the highest and the lowest that a leap would bring."""
ROOM = LEAPS + 2 * (MOST_COUNT + 1) ** 3
"""By the number of neighbours that a seat's captain could have, and has."""
CROWDS = ROOM + (MOST_COUNT + 1) ** 2
"""By size, the seat's friends with as many neighbours as they bear, and those with more."""
SPOTS = CROWDS + SIZES * (MOST_COUNT + 1) ** 2
"""By size, the turns until a seat acts, the squares that have as many neighbours, and the friends the seat has left."""
FEATURES = SPOTS + SIZES * MOST_SEATS * (MOST_COUNT + 1) ** 2
MOST_ACTIVE = MOST_SEATS * (6 + 2 * SIZES)


@kernel
def features(state: Ints, active: Ints, amounts: Floats, ends: Ints) -> None:
    """Write the features of all seats, one after another, and where each seat's end."""
    actor = max(state[ACTOR], 0)
    stash = SUPPLY + actor * SIZES
    left = min(state[stash] + state[stash + 1] + state[stash + 2], MOST_LEFT)
    choices = 0
    for size in range(SIZES):
        choices = choices * (MOST_COUNT + 1) + min(popcount(state[OPEN + size]), MOST_COUNT)
    count = 0
    for seat in range(state[SEATS]):
        lead, ahead = MOST_LEAD, MOST_AHEAD
        points, standing = score(state, seat), popcount(state[PYRAMIDS + seat])
        for other in range(state[SEATS]):
            if other != seat:
                lead = min(lead, points - score(state, other))
                ahead = min(ahead, standing - popcount(state[PYRAMIDS + other]))
        lead, ahead = max(lead, -MOST_LEAD) + MOST_LEAD, max(ahead, -MOST_AHEAD) + MOST_AHEAD
        turns = seat - actor if seat >= actor else seat - actor + state[SEATS]
        juniors = min(state[SUPPLY + seat * SIZES + JUNIOR], MOST_COUNT)
        captain = around(state[CAPTAIN + seat]) & state[BOARD]
        active[count] = LEADS + (left * MOST_SEATS + turns) * (2 * MOST_LEAD + 1) + lead
        active[count + 1] = STANDING + left * (2 * MOST_AHEAD + 1) + ahead
        active[count + 2] = SHOWN + (left * (MOST_COUNT + 1) + juniors) * (MOST_COUNT + 1) + state[FACE + seat]
        active[count + 3] = CHOICES + turns * (MOST_COUNT + 1) ** SIZES + choices
        active[count + 4] = LEAPS + leaps(state, seat) + int(turns == 0) * (MOST_COUNT + 1) ** 3
        active[count + 5] = ROOM + popcount(captain) * (MOST_COUNT + 1) + popcount(captain & state[FRIENDS])
        count = crowds(state, seat, turns, active, count + 6)
        ends[seat] = count
    for entry in range(count):
        amounts[entry] = 1.0


@kernel
def leaps(state: Ints, seat: int) -> int:
    """The face of a seat's captain, and the highest and the lowest face that a leap would bring; 0 without any."""
    captain, friends = state[CAPTAIN + seat], friends_of(state, seat)
    highest, lowest = 0, MOST_COUNT
    left = around(captain) & state[BOARD] & ~state[FRIENDS]
    while left:
        over = left & -left
        left &= left - 1
        target = across(captain, over) & state[BOARD] & ~state[FRIENDS]
        if target:
            found = popcount(around(target) & (friends | over) & ~captain)
            highest, lowest = max(highest, found), min(lowest, found)
    if highest == 0:
        lowest = 0
    face: int = state[FACE + seat]
    return (face * (MOST_COUNT + 1) + highest) * (MOST_COUNT + 1) + lowest


@kernel
def crowds(state: Ints, seat: int, turns: int, active: Ints, first: int) -> int:
    """Write, by size, how a seat's friends are crowded and where it finds room. Returns the index behind the last."""
    friends = friends_of(state, seat)
    one_or_three, two_or_three, four = odd(friends), twos(friends), fours(friends)
    three = one_or_three & two_or_three
    count = first
    for size in range(SIZES):
        own = state[PYRAMIDS + seat] & state[OF_SIZE + size]
        left = min(state[SUPPLY + seat * SIZES + size], MOST_COUNT)
        if size == FRESHMAN:
            full, over = one_or_three & ~two_or_three, two_or_three | four
        elif size == SOPHOMORE:
            full, over = two_or_three & ~one_or_three, three | four
        else:
            full, over = three, four
        bearing, beyond = min(popcount(own & full), MOST_COUNT), min(popcount(own & over), MOST_COUNT)
        spots = min(popcount(full & state[BOARD] & ~state[FRIENDS]), MOST_COUNT)
        active[count] = CROWDS + (size * (MOST_COUNT + 1) + bearing) * (MOST_COUNT + 1) + beyond
        active[count + 1] = SPOTS + ((size * MOST_SEATS + turns) * (MOST_COUNT + 1) + spots) * (MOST_COUNT + 1) + left
        count += 2
    return count
