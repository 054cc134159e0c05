"""The positions of a game at a table. Few are kept: the others are worked out again from the acts when somebody asks.

Between two positions that are kept lies a stretch of STRIDE acts. The stretches that were used last are kept with all
their states, so that the newest positions are at hand, and those around one that somebody looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from icetable.core.game import State
    from icetable.table.rooms import Entry

STRIDE = 256
STRETCHES = 4
"""How many stretches are kept with all their states."""


def played(start: State, acts: Iterable[Entry]) -> Iterator[State]:
    """The states after each of these acts, one at a time. None holds more than STRIDE of those before it.

    Raises GameError where the rules refuse an act.
    """
    state = start
    for number, entry in enumerate(acts):
        if number % STRIDE == 0:
            state = state.without_history()
        state = state.apply(entry.text, entry.seat, entry.at / 1000)
        yield state


class Positions:
    """The positions of a game from its start to the newest, and the entries of the acts between them."""

    def __init__(self, start: State) -> None:
        self.newest = start
        self.acts: list[Entry] = []
        self._starts = [start]
        """The position where each stretch begins."""
        self._stretches: dict[int, list[State]] = {}
        """The states after each act of some stretches, by its number. The stretch that was used last comes last."""

    @property
    def kept(self) -> int:
        """How many states are kept."""
        return len(self._starts) + sum(map(len, self._stretches.values()))

    def after(self, acts: int) -> State:
        """The position after so many acts."""
        number, place = divmod(acts - 1, STRIDE)
        return self._stretch(number)[place] if acts else self._starts[0]

    def play(self, entry: Entry) -> None:
        """An act is made. Raises GameError where the rules refuse it, and changes nothing then."""
        number, place = divmod(len(self.acts), STRIDE)
        before = self.newest if place else self.newest.without_history()
        after = before.apply(entry.text, entry.seat, entry.at / 1000)
        if number == len(self._starts):
            self._starts.append(before)
        self._stretch(number).append(after)
        self.acts.append(entry)
        self.newest = after

    def go_back(self, acts: int) -> None:
        """The acts behind number `acts` are taken back."""
        last = max(0, acts - 1) // STRIDE
        del self.acts[acts:]
        del self._starts[last + 1 :]
        self._stretches = {number: states for number, states in self._stretches.items() if number <= last}
        del self._stretch(last)[acts - last * STRIDE :]
        self.newest = self.after(acts)

    def _stretch(self, number: int) -> list[State]:
        states = self._stretches.pop(number, None)
        if states is None:
            first = number * STRIDE
            states = list(played(self._starts[number], self.acts[first : first + STRIDE]))
        self._stretches[number] = states
        if len(self._stretches) > STRETCHES:
            del self._stretches[next(iter(self._stretches))]
        return states
