"""The laboratory: many games at once, to study rules."""

from icetable.lab.agents import agent_of
from icetable.lab.asking import ask
from icetable.lab.comparing import compare, flips, sweep
from icetable.lab.ladders import ladder
from icetable.lab.matches import match
from icetable.lab.plan import Plan
from icetable.lab.players import Chooser
from icetable.lab.playouts import Playouts, playouts
from icetable.lab.ratings import elo
from icetable.lab.regret import regret
from icetable.lab.running import Progress, Run, open_run, run
from icetable.lab.studies import study
from icetable.lab.tuning import tune

__all__ = [
    "Chooser",
    "Plan",
    "Playouts",
    "Progress",
    "Run",
    "agent_of",
    "ask",
    "compare",
    "elo",
    "flips",
    "ladder",
    "match",
    "open_run",
    "playouts",
    "regret",
    "run",
    "study",
    "sweep",
    "tune",
]
