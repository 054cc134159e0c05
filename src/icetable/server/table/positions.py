"""The positions of a game at a table. Memory holds a few of them; the others are replayed from the acts when needed.

Every STRIDE acts begins a stretch, whose first position is kept. The stretches used last are cached with all their
positions: those are the newest positions, and those around a position that a client looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from icetable.core.game import State
    from icetable.server.table.log import Entry

STRIDE = 256
STRETCHES = 4
"""How many stretches are cached with all their positions."""


def replayed(start: State, acts: Iterable[Entry]) -> Iterator[State]:
    """The position after each of these acts, one at a time. Each refers to at most STRIDE of those before it.

    Raises GameError where the rules refuse an act.
    """
    state = start
    for number, entry in enumerate(acts):
        if number % STRIDE == 0:
            state = state.without_history()
        state = state.apply(entry.text, entry.seat, entry.at / 1000)
        yield state


class Tried(NamedTuple):
    """An act that the rules allow, and the positions before and after it."""

    entry: Entry
    before: State
    after: State


class Positions:
    """The positions of a game from its start to the newest, and the entries of the acts between them."""

    def __init__(self, start: State) -> None:
        self.newest = start
        self.acts: list[Entry] = []
        self._starts = [start]
        """The position where each stretch begins."""
        self._stretches: dict[int, list[State]] = {}
        """The cached stretches by number: the positions after each of their acts. The one used last comes last."""
        self._tried: Tried | None = None

    @property
    def kept(self) -> int:
        """How many positions are in memory."""
        return len(self._starts) + sum(map(len, self._stretches.values()))

    def after(self, acts: int) -> State:
        """The position after this number of acts."""
        number, place = divmod(acts - 1, STRIDE)
        return self._stretch(number)[place] if acts else self._starts[0]

    def try_act(self, entry: Entry) -> str:
        """The act in its usual form. To play it next costs little then.

        Raises GameError where the rules refuse it, and changes nothing.
        """
        before = self.newest if len(self.acts) % STRIDE else self.newest.without_history()
        after = before.apply(entry.text, entry.seat, entry.at / 1000)
        self._tried = Tried(entry, before, after)
        return str(after.act)

    def play(self, entry: Entry) -> None:
        """Make an act. Raises GameError, and changes nothing, where the rules refuse it."""
        if self._tried is None or self._tried.entry is not entry:
            self.try_act(entry)
        assert self._tried is not None
        number = len(self.acts) // STRIDE
        if number == len(self._starts):
            self._starts.append(self._tried.before)
        self._stretch(number).append(self._tried.after)
        self.acts.append(entry)
        self.newest = self._tried.after
        self._tried = None

    def go_back(self, acts: int) -> None:
        """Take back the acts behind number `acts`."""
        self._tried = None
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
            states = list(replayed(self._starts[number], self.acts[first : first + STRIDE]))
        self._stretches[number] = states
        if len(self._stretches) > STRETCHES:
            del self._stretches[next(iter(self._stretches))]
        return states
