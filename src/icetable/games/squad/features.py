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
"""By the friends that the seat to act has left, and the points that a seat is ahead of the best other."""
STANDING = LEADS + (MOST_LEFT + 1) * (2 * MOST_LEAD + 1)
"""By the same, and the friends on the board that a seat is ahead of the other with most."""
JUNIORS = STANDING + (MOST_LEFT + 1) * (2 * MOST_AHEAD + 1)
"""By the same, and the juniors that a seat has left."""
FACES = JUNIORS + (MOST_LEFT + 1) * (MOST_COUNT + 1)
"""By the same, and the face of a seat's captain."""
CHOICES = FACES + (MOST_LEFT + 1) * (MOST_COUNT + 1)
"""By the turns until a seat acts, and where the seat to act can place each size."""
LEAPS = CHOICES + MOST_SEATS * (MOST_COUNT + 1) ** SIZES
"""By whether a seat is to act, its captain's face, and the highest and the lowest that a leap would bring."""
FULL = LEAPS + 2 * (MOST_COUNT + 1) ** 3
"""By size, the seat's friends with as many neighbours as they bear; and then those with more."""
ROOM = FULL + 2 * SIZES * (MOST_COUNT + 1)
"""By the number of neighbours that a seat's captain could have, and has."""
FEATURES = ROOM + (MOST_COUNT + 1) ** 2
MOST_ACTIVE = MOST_SEATS * (7 + 2 * SIZES)


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
        turns = seat - actor if seat >= actor else seat - actor + state[SEATS]
        active[count] = LEADS + left * (2 * MOST_LEAD + 1) + max(lead, -MOST_LEAD) + MOST_LEAD
        active[count + 1] = STANDING + left * (2 * MOST_AHEAD + 1) + max(ahead, -MOST_AHEAD) + MOST_AHEAD
        active[count + 2] = JUNIORS + left * (MOST_COUNT + 1) + state[SUPPLY + seat * SIZES + JUNIOR]
        active[count + 3] = FACES + left * (MOST_COUNT + 1) + state[FACE + seat]
        active[count + 4] = CHOICES + turns * (MOST_COUNT + 1) ** SIZES + choices
        active[count + 5] = LEAPS + leaps(state, seat) + int(turns == 0) * (MOST_COUNT + 1) ** 3
        captain = around(state[CAPTAIN + seat]) & state[BOARD]
        active[count + 6] = ROOM + popcount(captain) * (MOST_COUNT + 1) + popcount(captain & state[FRIENDS])
        count = crowds(state, seat, active, count + 7)
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
def crowds(state: Ints, seat: int, active: Ints, first: int) -> int:
    """Write how many friends of a seat have as many neighbours as they bear, or more."""
    friends = friends_of(state, seat)
    one_or_three, two_or_three, four = odd(friends), twos(friends), fours(friends)
    three = one_or_three & two_or_three
    count = first
    for size in range(SIZES):
        own = state[PYRAMIDS + seat] & state[OF_SIZE + size]
        if size == FRESHMAN:
            full, over = one_or_three & ~two_or_three, two_or_three | four
        elif size == SOPHOMORE:
            full, over = two_or_three & ~one_or_three, three | four
        else:
            full, over = three, four
        full_here, over_here = min(popcount(own & full), MOST_COUNT), min(popcount(own & over), MOST_COUNT)
        active[count] = FULL + size * (MOST_COUNT + 1) + full_here
        active[count + 1] = FULL + (SIZES + size) * (MOST_COUNT + 1) + over_here
        count += 2
    return count
