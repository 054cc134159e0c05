"""Computer players: tree search in games of turns, policies in real time, each from beginner to master."""

from icetable.bots.bot import Bot
from icetable.bots.levels import Level, levels
from icetable.bots.realtime import Intention, RealTimeBot
from icetable.bots.warming import compile_all, is_cached, warm, warm_apart

__all__ = ["Bot", "Intention", "Level", "RealTimeBot", "compile_all", "is_cached", "levels", "warm", "warm_apart"]
