"""Acts in their notation, and their effects."""

from __future__ import annotations

from dataclasses import dataclass


class Action(str):
    """An act in its notation: a string, equal to the same text.

    >>> Action("b1-c3") == "b1-c3"
    True
    """

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Effect:
    """An effect of an act: its kind, the spaces or pieces concerned, in order, and a value if it has one.

    Effects with the same content are equal.

    >>> str(Effect("covers", ("e3",), "1L"))
    'covers e3 1L'
    """

    kind: str
    spaces: tuple[str, ...] = ()
    value: int | str | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Effect):
            return NotImplemented
        return (self.kind, self.spaces, self.value) == (other.kind, other.spaces, other.value)

    def __hash__(self) -> int:
        return hash((self.kind, self.spaces, self.value))

    def __str__(self) -> str:
        words = (self.kind, *self.spaces) if self.value is None else (self.kind, *self.spaces, str(self.value))
        return " ".join(words)
