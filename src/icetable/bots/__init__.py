"""Players made of search, and players in real time, from beginners to the best we have."""

from icetable.bots.levels import Bot, Level, levels, warm
from icetable.bots.realtime import Intention, RealTimeBot

__all__ = ["Bot", "Intention", "Level", "RealTimeBot", "levels", "warm"]
