"""The laboratory: many games at once, and what they tell about a rule."""

from icetable.lab.playouts import Playouts, playouts

__all__ = ["Playouts", "playouts"]
