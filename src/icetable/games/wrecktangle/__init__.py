"""WreckTangle: four pyramids at the corners of a rectangle capture the pyramids inside it or on its sides."""

from icetable.games.wrecktangle.game import WreckTangle
from icetable.workshop.files import info_of

GAME = info_of(WreckTangle, package=__name__)
