"""The company at a table: who is there, by way of whichever process, and what they have in hand before they act."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from icetable.server import messages
from icetable.server.store import pubsub
from icetable.server.table.presence import REPEAT, PresenceTracker

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.live.table import Client, LiveTable
    from icetable.server.store.store import Store


class Hand(NamedTuple):
    """What is held, and who does: a visitor, or the name of another process."""

    what: str
    holder: Client | str


class LivePresence:
    """Tells all visitors of a table, and the other processes, who is here and what they hold."""

    def __init__(self, table: LiveTable, log: Store) -> None:
        self._table = table
        self._log = log
        self._attendance = PresenceTracker()
        self.plays_bots = False
        """Whether the bots of a game without turns play by way of this process, and not of another."""
        self._told: messages.Presence | None = None
        self._announced: frozenset[int] | None = None
        """Who the other processes know to be here by way of this one."""
        self._repeat_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._hands: dict[int, Hand] = {}
        self._emptied_at = table.state.entries
        """How many entries there were when the position last changed."""

    def close(self) -> None:
        """Look no more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def welcome(self, client: Client) -> None:
        """Somebody comes, with empty hands, and is told who is here and what they hold."""
        self.forget(client)
        before = self._told
        self._table.clients.add(client)
        self.look_round()
        if self._told is not None and self._told == before:
            client.tell(self._told)
        if self._table.state.sees(client.viewer):
            for seat, hand in self._hands.items():
                client.tell(messages.Held(seat, hand.what))

    # Who is here

    def look_round(self) -> None:
        """See who is at the table, and tell everybody if that is news."""
        now, table = asyncio.get_running_loop().time(), self._table
        local = frozenset[int]().union(*(client.viewer.seats for client in table.clients))
        self._attendance.look(local, table.state.seating.of_kind("person"), now)
        self.plays_bots = bool(table.clients) and self._attendance.leads(self._log.name, local)
        table.autoplayer.look()
        here = self._attendance.here
        presence = messages.Presence(sorted(here), sorted(self.replaceable()))
        if presence != self._told:
            self._told = presence
            table.show(lambda _: presence, hidden=True)
        self._let_go(lambda seat, _: seat in here)
        if self._log.is_shared and (local != self._announced or (local and now >= self._repeat_at)):
            self._announce(local, asks=self._announced is None)
        self._look_again()

    def replaceable(self) -> frozenset[int]:
        """The seats whose people have left, or have been away for long."""
        return self._table.state.seating.gone | self._attendance.away(asyncio.get_running_loop().time())

    def hear(self, news: pubsub.Here) -> None:
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
        self._table.whisper(pubsub.Here(self._log.name, tuple(sorted(local)), asks))

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

    def hold(self, client: Client, seat: int, what: str | None) -> None:
        """Somebody takes something in hand for their seat, or puts it back; what they may not act with is nothing."""
        held = what if what is not None and self._table.state.may_hold(seat, what) else None
        if self._handle(seat, held, client):
            self._tell_others(seat, held)

    def hear_hand(self, held: pubsub.Held) -> None:
        """Another process tells what somebody holds there, at a position that is read here."""
        if held.entries >= self._emptied_at:
            self._handle(held.seat, held.what, held.process)

    def empty_hands(self) -> None:
        """The position has changed, and every visitor knows what that means."""
        self._hands.clear()
        self._emptied_at = self._table.state.entries

    def forget(self, client: Client) -> None:
        """Somebody goes, and lets go of what they hold."""
        self._let_go(lambda _, hand: hand.holder != client)

    def check_hands(self) -> None:
        """Who may not act any more, or has given up the seat, holds nothing."""
        self._let_go(
            lambda seat, hand: (
                seat in self._table.state.to_act and (isinstance(hand.holder, str) or seat in hand.holder.viewer.seats)
            )
        )

    def _handle(self, seat: int, what: str | None, holder: Client | str) -> bool:
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
        self._table.show(lambda _: messages.Held(seat, what), but=holder)
        return True

    def _let_go(self, keeps: Callable[[int, Hand], bool]) -> None:
        for seat, hand in list(self._hands.items()):
            if not keeps(seat, hand):
                self._handle(seat, None, hand.holder)
                if not isinstance(hand.holder, str):
                    self._tell_others(seat, None)

    def _tell_others(self, seat: int, what: str | None) -> None:
        self._table.whisper(pubsub.Held(self._log.name, self._table.state.entries, seat, what))
