"""High Rise: towers over numbers that stay hidden until the end."""

from icetable.games.highrise.game import HighRise
from icetable.workshop.files import info_of

GAME = info_of(HighRise, package=__name__)
