"""Which players are at a table, through any server process, and what they hold in their hands before they act."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from icetable.server import messages
from icetable.server.store import pubsub
from icetable.server.table.presence import REPEAT, PresenceTracker

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.live.client import Client
    from icetable.server.live.host import TableHost
    from icetable.server.store.store import Store


class Hand(NamedTuple):
    """What is held, and by which client or (by its name) other process."""

    what: str
    holder: Client | str


class LivePresence:
    """Tells all clients of a table, and the other processes, which players are present and what they hold."""

    def __init__(self, host: TableHost, store: Store) -> None:
        self._host = host
        self._store = store
        self._tracker = PresenceTracker()
        self.is_leader = False
        """Whether this process plays the bots of a game without turns: of those with players at the table one does."""
        self._shown: messages.Presence | None = None
        self._published: frozenset[int] | None = None
        """The seats of this process's clients as the other processes know them."""
        self._repeat_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._hands: dict[int, Hand] = {}
        self._hands_cleared_at = host.state.entries
        """The number of entries at which the position last changed."""

    def close(self) -> None:
        """Check no more."""
        self._cancel_timer()

    def join(self, client: Client) -> None:
        """A client has joined the table: its hands are empty, and it is sent who is present and what is held."""
        self._release_hands_of(client)
        before = self._shown
        self.update()
        if self._shown is not None and self._shown == before:
            client.send(self._shown)
        if self._host.state.sees(client.viewer):
            for seat, hand in self._hands.items():
                client.send(messages.Held(seat, hand.what))

    def leave(self, client: Client) -> None:
        """A client has left the table."""
        self._release_hands_of(client)
        self.update()

    # Who is present

    def update(self) -> None:
        """Check which players are present, and show and publish what has changed."""
        now, host = asyncio.get_running_loop().time(), self._host
        local = frozenset[int]().union(*(client.viewer.seats for client in host.clients))
        self._tracker.look(local, host.state.seating.of_kind("person"), now)
        self.is_leader = self._tracker.leads(self._store.name, local)
        host.on_presence_checked()
        here = self._tracker.here
        self.show()
        self._release(lambda seat, _: seat in here)
        if self._store.is_shared and (local != self._published or (local and now >= self._repeat_at)):
            self._publish(local, asks=self._published is None)
        self._schedule_update()

    def show(self) -> None:
        """Show who is present and how long their messages take, if any of it has changed."""
        lags = {str(seat): lag for seat, lag in sorted({**self._tracker.lags_elsewhere, **self._lags()}.items())}
        presence = messages.Presence(sorted(self._tracker.here), sorted(self.replaceable()), lags or UNSET)
        if presence != self._shown:
            self._shown = presence
            self._host.show(lambda _: presence, hidden=True)

    def _lags(self) -> dict[int, int]:
        """The round-trip times of this process's players, in whole hundredths of a second: more is noise."""
        measured = [(client.round_trip, client.viewer.seats) for client in self._host.clients]
        return {seat: round(lag, -1) for lag, seats in measured if lag is not None for seat in seats}

    @property
    def is_anybody_here(self) -> bool:
        """Whether any player is present."""
        return bool(self._tracker.here)

    def replaceable(self) -> frozenset[int]:
        """The seats whose players have given up, or have been away for long."""
        return self._host.state.seating.gone | self._tracker.away(asyncio.get_running_loop().time())

    def on_message(self, message: pubsub.Here) -> None:
        """Another process has published the seats of its clients."""
        self._tracker.hear(message.process, message.seats, message.lags, asyncio.get_running_loop().time())
        self.update()
        if message.asks:
            self._publish(self._published or frozenset(), asks=False)

    def on_reconnect(self) -> None:
        """Messages of other processes may have been lost: ask for the seats of their clients."""
        self._published = None
        self.update()

    def _publish(self, local: frozenset[int], asks: bool) -> None:
        self._published, self._repeat_at = local, asyncio.get_running_loop().time() + REPEAT
        self._host.publish(pubsub.Here(self._store.name, tuple(sorted(local)), asks, self._lags()))

    def _schedule_update(self) -> None:
        """Update again when time alone changes something."""
        self._cancel_timer()
        loop = asyncio.get_running_loop()
        moments = [self._tracker.next_change(loop.time()), self._repeat_at if self._published else None]
        due = min((moment for moment in moments if moment is not None), default=None)
        if due is not None:
            self._timer = loop.call_at(due, self.update)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # What they hold

    def hold(self, client: Client, seat: int, what: str | None) -> None:
        """A player takes something up, or puts it back (None). What can't be acted with counts as None."""
        held = what if what is not None and self._host.state.may_hold(seat, what) else None
        if self._set_hand(seat, held, client):
            self._publish_hand(seat, held)

    def on_held(self, held: pubsub.Held) -> None:
        """A player at another process holds something. The entries up to that moment must be applied here."""
        if held.entries >= self._hands_cleared_at:
            self._set_hand(held.seat, held.what, held.process)

    def clear_hands(self) -> None:
        """The position has changed, which empties all hands; clients know that without a message."""
        self._hands.clear()
        self._hands_cleared_at = self._host.state.entries

    def check_hands(self) -> None:
        """The seats have changed: a client that may no longer act for a seat holds nothing there."""
        self._release(
            lambda seat, hand: (
                seat in self._host.state.to_act and (isinstance(hand.holder, str) or seat in hand.holder.viewer.seats)
            )
        )

    def _release_hands_of(self, client: Client) -> None:
        self._release(lambda _, hand: hand.holder != client)

    def _set_hand(self, seat: int, what: str | None, holder: Client | str) -> bool:
        """Show what is held now; whether anything has changed."""
        before = self._hands.get(seat)
        if what is None and (before is None or before.holder != holder):
            return False  # the hand was empty, or another client has taken something up meanwhile
        if what is None:
            del self._hands[seat]
        elif before == (what, holder):
            return False
        else:
            self._hands[seat] = Hand(what, holder)
        self._host.show(lambda _: messages.Held(seat, what), but=holder)
        return True

    def _release(self, keeps: Callable[[int, Hand], bool]) -> None:
        """Empty the hands that `keeps` does not keep."""
        for seat, hand in list(self._hands.items()):
            if not keeps(seat, hand):
                self._set_hand(seat, None, hand.holder)
                if not isinstance(hand.holder, str):
                    self._publish_hand(seat, None)

    def _publish_hand(self, seat: int, what: str | None) -> None:
        self._host.publish(pubsub.Held(self._store.name, self._host.state.entries, seat, what))
