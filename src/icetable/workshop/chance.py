"""What chance may do: dice, coins and draws, each outcome with its odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from icetable.core.errors import GameError
from icetable.core.options import short_repr

DICE: Mapping[str, tuple[str, ...]] = {"treehouse": ("aim", "dig", "hop", "swap", "tip", "wild")}
"""Dice with words on their faces, each face equally likely."""
COIN = ("heads", "tails")


def faces_of(die: int | str | Iterable[object]) -> list[str]:
    """The faces of a die: of one with so many sides, of one of DICE, or those that are listed. Raises GameError."""
    if isinstance(die, str):
        if die not in DICE:
            raise GameError(f"there is no die {short_repr(die)}; there are {', '.join(DICE)}, and any number of sides")
        return list(DICE[die])
    if isinstance(die, int):
        if die < 2:
            raise GameError(f"a die has 2 sides or more, not {die}")
        return [str(face) for face in range(1, die + 1)]
    return [str(face) for face in die]


def odds_of(what: str, faces: Iterable[object]) -> dict[str, float]:
    """The outcomes `what:face` with their odds; a face that is there twice is twice as likely. Raises GameError."""
    counts = Counter(str(face) for face in faces)
    if not counts:
        raise GameError(f"chance has nothing to choose from ({what})")
    total = counts.total()
    return {f"{what}:{face}": count / total for face, count in sorted(counts.items())}
