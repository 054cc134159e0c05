"""What stands in the box at the top of a game's page: the cells that its author left open, measured."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from icetable.core.turns import TurnGame
from icetable.lab.intervals import interval, percent
from icetable.lab.luck import LEAST_LUCK

if TYPE_CHECKING:
    from icetable.lab.study import Study

CHANCE = ((0.0, "none"), (0.10, "some"), (0.35, "medium"), (0.65, "high"), (1.0, "all"))
"""The word for the share of a result's variance that chance draws: up to each number."""
DEPTH = ((2.0, "low"), (5.0, "medium"), (10.0, "high"), (math.inf, "very high"))
"""The word for the rungs of skill from random play to the strongest player measured: up to each number."""


class Cell(NamedTuple):
    """A cell: its name, what it says, and the scale behind its word, empty where there is none."""

    name: str
    text: str
    scale: str = ""


def infobox(found: Study) -> list[Cell]:
    """The cells that a study fills."""
    best, info = found.best, found.plan.game.info
    least, most = info.players
    cells = [Cell("Players", str(least) if least == most else f"{least} to {most}")]
    if "turns" in best:
        cells.append(Cell("Length", f"{interval(best['turns']['50 %'])} turns"))
    for of, figure in best["minutes"].items():
        if of == "50 %" or of.startswith("at "):
            cells.append(Cell("Playing time", f"{interval(figure)} minutes" + (f" {of}" if of != "50 %" else "")))
    if "seat_share" in best:
        shares = ", ".join(f"{seat}: {percent(share)}" for seat, share in best["seat_share"].items())
        cells.append(Cell("Seats", shares))
    if "choice" in best:
        cells.append(Cell("Choices", f"{interval(best['choice']['mean'])} legal acts on average"))
    if found.luck is not None and isinstance(found.plan.game, TurnGame):
        share = found.luck.chance.value if found.plan.game.chance_parts else 0.0
        word = word_for(max(share, LEAST_LUCK) if found.plan.game.chance_parts else 0.0, CHANCE)
        told = f"{word}, {percent(found.luck.chance)} of the result between greedy players" if share else word
        cells.append(Cell("Random chance", told, scale(CHANCE, 100, "%")))
    if found.ladder is not None:
        rungs = found.ladder.rungs
        text = f"{word_for(rungs.value, DEPTH)}, {interval(rungs, 1)} rungs up to {found.ladder.steps[-1].player}"
        cells.append(Cell("Strategy depth", text, scale(DEPTH, 1, "rungs")))
    return cells


def word_for(value: float, words: tuple[tuple[float, str], ...]) -> str:
    """The word of a scale for a value."""
    return next((word for most, word in words if value <= most), words[-1][1])


def scale(words: tuple[tuple[float, str], ...], factor: float, unit: str) -> str:
    """A scale in words."""
    told = (f"{word} up to {most * factor:g} {unit}" if most < math.inf else f"{word} above" for most, word in words)
    return ", ".join(told)
