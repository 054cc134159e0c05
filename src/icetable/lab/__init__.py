"""The laboratory: many games at once, to study rules."""

from icetable.lab.comparisons import compare, flips, sweep
from icetable.lab.matches import elo, ladder, match, regret
from icetable.lab.plan import Plan
from icetable.lab.players import Chooser, agent_of
from icetable.lab.playouts import Playouts, playouts
from icetable.lab.questions import ask
from icetable.lab.runs import Progress, Run, open_run, run
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
