"""Who's On The Squad?: cheerleaders' try-outs, in which captains leap over friends that others place."""

from icetable.games.squad.game import Squad
from icetable.workshop.files import info_of

GAME = info_of(Squad, package=__name__)
