"""The company at a table: who is there, by way of whichever process, and what they have in hand before they act."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from icetable.table import whispers, wire
from icetable.table.attendance import REPEAT, Attendance

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.table.live import Table, Visitor
    from icetable.table.log import Log


class Hand(NamedTuple):
    """What is held, and who does: a visitor, or the name of another process."""

    what: str
    holder: Visitor | str


class Company:
    """Tells all visitors of a table, and the other processes, who is here and what they hold."""

    def __init__(self, table: Table, log: Log) -> None:
        self._table = table
        self._log = log
        self._attendance = Attendance()
        self.plays_bots = False
        """Whether the bots of a game without turns play by way of this process, and not of another."""
        self._told: wire.Presence | None = None
        self._announced: frozenset[int] | None = None
        """Who the other processes know to be here by way of this one."""
        self._repeat_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._hands: dict[int, Hand] = {}
        self._emptied_at = table.room.entries
        """How many entries there were when the position last changed."""

    def close(self) -> None:
        """Look no more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def welcome(self, visitor: Visitor) -> None:
        """Somebody comes, with empty hands, and is told who is here and what they hold."""
        self.forget(visitor)
        before = self._told
        self._table.visitors.add(visitor)
        self.look_round()
        if self._told is not None and self._told == before:
            visitor.tell(self._told)
        if self._table.room.sees(visitor.viewer):
            for seat, hand in self._hands.items():
                visitor.tell(wire.Held(seat, hand.what))

    # Who is here

    def look_round(self) -> None:
        """See who is at the table, and tell everybody if that is news."""
        now, table = asyncio.get_running_loop().time(), self._table
        local = frozenset[int]().union(*(visitor.viewer.seats for visitor in table.visitors))
        self._attendance.look(local, table.room.seating.of_kind("person"), now)
        self.plays_bots = bool(table.visitors) and self._attendance.leads(self._log.name, local)
        table.machine.look()
        here = self._attendance.here
        presence = wire.Presence(sorted(here), sorted(self.replaceable()))
        if presence != self._told:
            self._told = presence
            table.show(lambda _: presence, hidden=True)
        self._let_go(lambda seat, _: seat in here)
        if self._log.is_shared and (local != self._announced or (local and now >= self._repeat_at)):
            self._announce(local, asks=self._announced is None)
        self._look_again()

    def replaceable(self) -> frozenset[int]:
        """The seats whose people have left, or have been away for long."""
        return self._table.room.seating.gone | self._attendance.away(asyncio.get_running_loop().time())

    def hear(self, news: whispers.Here) -> None:
        """Another process tells who is here by way of it."""
        self._attendance.hear(news.process, news.seats, asyncio.get_running_loop().time())
        self.look_round()
        if news.asks:
            self._announce(self._announced or frozenset(), asks=False)

    def ask_round(self) -> None:
        """Ask the other processes who is here by way of them: whispers may have been lost."""
        self._announced = None
        self.look_round()

    def _announce(self, local: frozenset[int], asks: bool) -> None:
        self._announced, self._repeat_at = local, asyncio.get_running_loop().time() + REPEAT
        self._table.whisper(whispers.Here(self._log.name, tuple(sorted(local)), asks))

    def _look_again(self) -> None:
        """See to it that `look_round` comes when it is time."""
        loop = asyncio.get_running_loop()
        moments = [self._attendance.next_change(loop.time()), self._repeat_at if self._announced else None]
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        due = min((moment for moment in moments if moment is not None), default=None)
        if due is not None:
            self._alarm = loop.call_at(due, self.look_round)

    # What they hold

    def hold(self, visitor: Visitor, seat: int, what: str | None) -> None:
        """Somebody takes something in hand for their seat, or puts it back; what they may not act with is nothing."""
        held = what if what is not None and self._table.room.may_hold(seat, what) else None
        if self._handle(seat, held, visitor):
            self._tell_others(seat, held)

    def hear_hand(self, held: whispers.Held) -> None:
        """Another process tells what somebody holds there, at a position that is read here."""
        if held.entries >= self._emptied_at:
            self._handle(held.seat, held.what, held.process)

    def empty_hands(self) -> None:
        """The position has changed, and every visitor knows what that means."""
        self._hands.clear()
        self._emptied_at = self._table.room.entries

    def forget(self, visitor: Visitor) -> None:
        """Somebody goes, and lets go of what they hold."""
        self._let_go(lambda _, hand: hand.holder != visitor)

    def check_hands(self) -> None:
        """Who may not act any more, or has given up the seat, holds nothing."""
        self._let_go(
            lambda seat, hand: (
                seat in self._table.room.to_act and (isinstance(hand.holder, str) or seat in hand.holder.viewer.seats)
            )
        )

    def _handle(self, seat: int, what: str | None, holder: Visitor | str) -> bool:
        """Somebody holds this now; whether it is news."""
        before = self._hands.get(seat)
        if what is None and (before is None or before.holder != holder):
            return False  # their hand was empty, or it is another's by now
        if what is None:
            del self._hands[seat]
        elif before == (what, holder):
            return False
        else:
            self._hands[seat] = Hand(what, holder)
        self._table.show(lambda _: wire.Held(seat, what), but=holder)
        return True

    def _let_go(self, keeps: Callable[[int, Hand], bool]) -> None:
        for seat, hand in list(self._hands.items()):
            if not keeps(seat, hand):
                self._handle(seat, None, hand.holder)
                if not isinstance(hand.holder, str):
                    self._tell_others(seat, None)

    def _tell_others(self, seat: int, what: str | None) -> None:
        self._table.whisper(whispers.Held(self._log.name, self._table.room.entries, seat, what))
