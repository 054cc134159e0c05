"""The positions of a game at a table. Few are in memory; the others are replayed from the acts when needed.

A game is divided into segments of SEGMENT acts, whose first positions are stored. The segments used last, which have
the newest positions and those that clients browse, are cached with all their positions. All tables share one cache,
so that long games can't exhaust memory.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from icetable.server import position_cache
from icetable.server.gil import yield_gil

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from icetable.core.game import State
    from icetable.server.position_cache import CachedSegment
    from icetable.server.table.log import Entry

SEGMENT = 256


def replayed(start: State, acts: Iterable[Entry]) -> Iterator[State]:
    """Yield the position after each act. Each refers only to the previous one.

    Raises GameError if the rules refuse an act.
    """
    state = start
    for entry in acts:
        yield_gil()
        state = state.without_history().apply(entry.text, entry.seat, entry.at / 1000)
        yield state


class CheckedAct(NamedTuple):
    """A legal act, and the positions before and after it."""

    entry: Entry
    before: State
    after: State


class Segment(NamedTuple):
    """The data to replay a segment."""

    number: int
    start: State
    acts: list[Entry]

    def states(self) -> list[State]:
        """Replay the positions after each act, with their effects. Thread-safe."""
        states = list(replayed(self.start, self.acts))
        for state in states:
            yield_gil()
            _ = state.effects  # caches them
        return states


class Positions:
    """The positions of a game from its start to the newest, and the entries of the acts between them."""

    _numbers = itertools.count()

    def __init__(self, start: State) -> None:
        self.newest = start
        self.acts: list[Entry] = []
        self._starts = [start]
        """The first position of each segment."""
        self._number = next(self._numbers)
        self._held: list[CachedSegment] = []
        """The segments pinned in memory until `release`."""
        self._checked: CheckedAct | None = None
        self._valid_acts: int | None = None
        """If changed rules refuse an act, the number of acts before it; otherwise None."""
        position_cache.cache.put(self._number, 0, [])

    def __del__(self) -> None:
        position_cache.cache.forget(self._number)

    def after(self, acts: int) -> State:
        """The position after `acts` acts."""
        if acts == len(self.acts):
            return self.newest
        number, place = divmod(acts - 1, SEGMENT)
        return self._segment(number).states[place] if acts else self._starts[0]

    def segments(self, first: int, last: int) -> list[CachedSegment | Segment]:
        """The segments with the positions after `first` to `last` acts: cached ones, or the data to replay them."""
        return [
            position_cache.cache.get(self._number, number) or self._uncached(number)
            for number in self._between(first, last)
        ]

    def _between(self, first: int, last: int) -> range:
        """The numbers of the segments with the positions after `first` to `last` acts."""
        return range(max(0, first - 1) // SEGMENT, max(0, min(last, len(self.acts)) - 1) // SEGMENT + 1)

    def cache(self, segment: Segment, states: list[State]) -> CachedSegment | None:
        """Cache the positions of a segment; None if its acts have changed since."""
        if segment.number < len(self._starts) and self._uncached(segment.number) == segment:
            return position_cache.cache.put(self._number, segment.number, states)
        return None

    def pin(self, first: int, last: int) -> None:
        """Replay the positions after `first` to `last` acts, and pin them in memory until `release`."""
        self._held = [self._segment(number) for number in self._between(first, last)]

    def preload(self, acts: int) -> None:
        """Pin the positions after each of the last `acts` acts, with their effects."""
        self.pin(len(self.acts) - acts + 1, len(self.acts))
        for segment in self._held:
            for state in segment.states:
                yield_gil()
                _ = state.effects  # caches them

    def release(self) -> None:
        """Unpin all positions."""
        self._held = []

    def try_act(self, entry: Entry) -> str:
        """Check an act and return its canonical notation. A `play` of the same entry then costs little.

        Raises GameError if the rules refuse it.
        """
        if self._checked is not None and self._checked.entry is entry:
            return str(self._checked.after.act)
        before = self.newest.without_history()
        after = before.apply(entry.text, entry.seat, entry.at / 1000)
        self._checked = CheckedAct(entry, before, after)
        return str(after.act)

    def play(self, entry: Entry) -> None:
        """Play an act. Raises GameError, and changes nothing, if the rules refuse it."""
        if self._valid_acts is not None:
            self.acts.append(entry)
            return
        self.try_act(entry)
        assert self._checked is not None
        number = len(self.acts) // SEGMENT
        if number == len(self._starts):
            self._starts.append(self._checked.before)
            position_cache.cache.put(self._number, number, [])
        self.acts.append(entry)
        self.newest = self._checked.after
        position_cache.cache.add(self._number, number, self.newest)
        self._checked = None

    def suspend_rules(self) -> None:
        """Accept acts without positions until they are undone, since the rules have changed and refuse them."""
        if self._valid_acts is None:
            self._valid_acts = len(self.acts)

    @property
    def is_valid(self) -> bool:
        """Whether the rules allow all acts."""
        return self._valid_acts is None

    def undo(self, acts: int) -> None:
        """Undo all but the first `acts` acts."""
        if self._valid_acts is not None:
            del self.acts[max(acts, self._valid_acts) :]
            if acts > self._valid_acts:
                return
            self._valid_acts = None
        newest = self.after(acts)
        self._checked = None
        last = max(0, acts - 1) // SEGMENT
        kept = position_cache.cache.get(self._number, last)
        position_cache.cache.drop(self._number, range(last, len(self._starts)))
        if kept is not None:
            position_cache.cache.put(self._number, last, kept.states[: acts - last * SEGMENT])
        del self.acts[acts:]
        del self._starts[last + 1 :]
        self.newest = newest

    def _uncached(self, number: int) -> Segment:
        first = number * SEGMENT
        return Segment(number, self._starts[number], self.acts[first : first + SEGMENT])

    def _segment(self, number: int) -> CachedSegment:
        segment = position_cache.cache.get(self._number, number)
        if segment is None:
            segment = position_cache.cache.put(self._number, number, self._uncached(number).states())
        return segment
