"""The positions of a game at a table. Memory holds a few of them; the others are replayed from the acts when needed.

Every STRIDE acts one position is kept, where a stretch begins. The stretches that were used last are cached with all
their states: those are the newest positions, and those around a position that a visitor looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from icetable.core.game import State
    from icetable.server.table.state import Entry

STRIDE = 256
STRETCHES = 4
"""How many stretches are cached with all their states."""


def played(start: State, acts: Iterable[Entry]) -> Iterator[State]:
    """The states after each of these acts, one at a time. Each holds at most STRIDE of those before it.

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
        """The cached stretches by number: the states after each of their acts. The one used last comes last."""

    @property
    def kept(self) -> int:
        """How many states are in memory."""
        return len(self._starts) + sum(map(len, self._stretches.values()))

    def after(self, acts: int) -> State:
        """The position after this number of acts."""
        number, place = divmod(acts - 1, STRIDE)
        return self._stretch(number)[place] if acts else self._starts[0]

    def play(self, entry: Entry) -> None:
        """Make an act. Raises GameError, and changes nothing, where the rules refuse it."""
        number, place = divmod(len(self.acts), STRIDE)
        before = self.newest if place else self.newest.without_history()
        after = before.apply(entry.text, entry.seat, entry.at / 1000)
        if number == len(self._starts):
            self._starts.append(before)
        self._stretch(number).append(after)
        self.acts.append(entry)
        self.newest = after

    def go_back(self, acts: int) -> None:
        """Take back the acts behind number `acts`."""
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
