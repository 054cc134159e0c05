"""Computer players: tree search for turn-based games, policies for real-time games, each from beginner to master."""

from icetable.bots.bot import Bot
from icetable.bots.compilation import Status, compile_all, load, load_behind, status
from icetable.bots.levels import Level, levels
from icetable.bots.realtime import Intention, RealTimeBot

__all__ = [
    "Bot",
    "Intention",
    "Level",
    "RealTimeBot",
    "Status",
    "compile_all",
    "levels",
    "load",
    "load_behind",
    "status",
]
