"""The positions of a game at a table. Memory holds few of them; the others are replayed from the acts when needed.

Every STRIDE acts begins a stretch, whose first position is kept. The stretches used last are cached with all their
positions: those are the newest positions, and those around a position that a client looks at. All tables share one
cache, so that no number of long games fills the memory.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from icetable.server import stretches
from icetable.server.pauses import pause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from icetable.core.game import State
    from icetable.server.stretches import CachedStretch
    from icetable.server.table.log import Entry

STRIDE = 256


def replayed(start: State, acts: Iterable[Entry]) -> Iterator[State]:
    """The position after each of these acts, one at a time. Each refers to the one before, and to no other.

    Raises GameError where the rules refuse an act.
    """
    state = start
    for entry in acts:
        pause()
        state = state.without_history().apply(entry.text, entry.seat, entry.at / 1000)
        yield state


class Tried(NamedTuple):
    """An act that the rules allow, and the positions before and after it."""

    entry: Entry
    before: State
    after: State


class Stretch(NamedTuple):
    """What the positions of a stretch are worked out from."""

    number: int
    start: State
    acts: list[Entry]

    def states(self) -> list[State]:
        """The positions after each act, with what each has caused. Any thread may work them out."""
        states = list(replayed(self.start, self.acts))
        for state in states:
            pause()
            _ = state.effects  # from now on the state knows them
        return states


class Positions:
    """The positions of a game from its start to the newest, and the entries of the acts between them."""

    _numbers = itertools.count()

    def __init__(self, start: State) -> None:
        self.newest = start
        self.acts: list[Entry] = []
        self._starts = [start]
        """The position where each stretch begins."""
        self._number = next(self._numbers)
        self._held: list[CachedStretch] = []
        """What stays in memory until `let_go`."""
        self._tried: Tried | None = None
        self._known: int | None = None
        """Of how many acts the positions are known, where the rules have changed and refuse the next; else None."""
        stretches.cache.put(self._number, 0, [])

    def __del__(self) -> None:
        stretches.cache.forget(self._number)

    def after(self, acts: int) -> State:
        """The position after this number of acts."""
        if acts == len(self.acts):
            return self.newest
        number, place = divmod(acts - 1, STRIDE)
        return self._stretch(number).states[place] if acts else self._starts[0]

    def stretches(self, first: int, last: int) -> list[CachedStretch | Stretch]:
        """The stretches between the positions after `first` and after `last` acts; a Stretch is not in memory.

        The others stay there while somebody holds them.
        """
        return [
            stretches.cache.get(self._number, number) or self._unknown(number) for number in self._between(first, last)
        ]

    def _between(self, first: int, last: int) -> range:
        """The numbers of the stretches between the positions after `first` and after `last` acts."""
        return range(max(0, first - 1) // STRIDE, max(0, min(last, len(self.acts)) - 1) // STRIDE + 1)

    def keep(self, stretch: Stretch, states: list[State]) -> CachedStretch | None:
        """Keep what was worked out of a stretch; None where its acts are others by now."""
        if stretch.number < len(self._starts) and self._unknown(stretch.number) == stretch:
            return stretches.cache.put(self._number, stretch.number, states)
        return None

    def work_out(self, acts: int) -> None:
        """Work out the positions after each of the last `acts` acts, and hold them until `let_go`."""
        self._held = [self._stretch(number) for number in self._between(len(self.acts) - acts + 1, len(self.acts))]
        for stretch in self._held:
            for state in stretch.states:
                pause()
                _ = state.effects  # from now on the state knows them

    def let_go(self) -> None:
        """Hold no positions any more: memory keeps those that were lately looked at."""
        self._held = []

    def try_act(self, entry: Entry) -> str:
        """The act in its usual form. To play it next costs little then.

        Raises GameError where the rules refuse it, and changes nothing.
        """
        before = self.newest.without_history()
        after = before.apply(entry.text, entry.seat, entry.at / 1000)
        self._tried = Tried(entry, before, after)
        return str(after.act)

    def play(self, entry: Entry) -> None:
        """Make an act. Raises GameError, and changes nothing, where the rules refuse it."""
        if self._known is not None:
            self.acts.append(entry)
            return
        if self._tried is None or self._tried.entry is not entry:
            self.try_act(entry)
        assert self._tried is not None
        number = len(self.acts) // STRIDE
        if number == len(self._starts):
            self._starts.append(self._tried.before)
            stretches.cache.put(self._number, number, [])
        self.acts.append(entry)
        self.newest = self._tried.after
        stretches.cache.add(self._number, number, self.newest)
        self._tried = None

    def pass_over(self) -> None:
        """Go without positions until the acts that follow are taken back: the rules have changed since."""
        if self._known is None:
            self._known = len(self.acts)

    @property
    def is_known(self) -> bool:
        """Whether the newest position follows from all acts."""
        return self._known is None

    def go_back(self, acts: int) -> None:
        """Take back the acts behind number `acts`."""
        if self._known is not None:
            del self.acts[max(acts, self._known) :]
            if acts > self._known:
                return
            self._known = None
        newest = self.after(acts)
        self._tried = None
        last = max(0, acts - 1) // STRIDE
        stretches.cache.drop(self._number, range(last, len(self._starts)))
        del self.acts[acts:]
        del self._starts[last + 1 :]
        self.newest = newest

    def _unknown(self, number: int) -> Stretch:
        first = number * STRIDE
        return Stretch(number, self._starts[number], self.acts[first : first + STRIDE])

    def _stretch(self, number: int) -> CachedStretch:
        stretch = stretches.cache.get(self._number, number)
        if stretch is None:
            stretch = stretches.cache.put(self._number, number, self._unknown(number).states())
        return stretch
