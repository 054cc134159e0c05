"""IceFrogs: pyramids jump across a star to reach an opponent's start."""

from icetable.games.icefrogs.game import IceFrogs
from icetable.workshop.files import info_of

GAME = info_of(IceFrogs, package=__name__)
