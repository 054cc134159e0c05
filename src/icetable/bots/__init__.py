"""Players made of search, from beginners to the best we have."""

from icetable.bots.levels import Bot, Level, levels, warm

__all__ = ["Bot", "Level", "levels", "warm"]
