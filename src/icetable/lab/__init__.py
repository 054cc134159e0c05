"""The laboratory: many games at once, to study rules."""

from icetable.lab.playouts import Playouts, playouts

__all__ = ["Playouts", "playouts"]
