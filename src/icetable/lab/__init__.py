"""The laboratory: many games at once, to study rules."""

from icetable.lab.plan import Plan
from icetable.lab.playouts import Playouts, playouts
from icetable.lab.running import Progress, Run, open_run, run

__all__ = ["Plan", "Playouts", "Progress", "Run", "open_run", "playouts", "run"]
