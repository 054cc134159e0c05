"""Which players are at a table, through any server process, and which pieces they hold before they act."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from icetable.server import messages
from icetable.server.store import pubsub
from icetable.server.table.viewers import REPEAT_SECONDS, PresenceTracker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from icetable.server.live.tables.client import Client, Standing
    from icetable.server.live.tables.host import TableHost
    from icetable.server.store.store import Store

PULSE_SECONDS = 1.0
"""The time between pings."""


class HeldPiece(NamedTuple):
    """A piece in a player's hand."""

    what: str
    """Its notation."""
    holder: Client | str
    """The client that holds it, or the name of another process."""


class HeldPieces:
    """Shows all clients of a table, and the other processes, what is held."""

    def __init__(self, host: TableHost, store: Store) -> None:
        self._host = host
        self._store = store
        self._held: dict[int, HeldPiece] = {}
        self._cleared_at = host.state.entries
        """The number of entries at which the position last changed."""

    def hold(self, client: Client, seat: int, what: str | None) -> None:
        """Set what a player holds; None puts it back. Anything that can't be played counts as None."""
        held = what if what is not None and self._host.state.may_hold(seat, what) else None
        if self._set(seat, held, client):
            self._publish(seat, held)

    def on_held(self, held: pubsub.Held) -> None:
        """Show what a player at another process holds. The entries before the message must already be applied."""
        if held.entries >= self._cleared_at:
            self._set(held.seat, held.what, held.process)

    def clear(self) -> None:
        """Empty all hands after a change of the position; clients do so without a message."""
        self._held.clear()
        self._cleared_at = self._host.state.entries

    def check(self) -> None:
        """Empty the hands of clients that may no longer act for their seats."""
        self._release(
            lambda seat, hand: (
                seat in self._host.state.to_act and (isinstance(hand.holder, str) or seat in hand.holder.viewer.seats)
            )
        )

    def join(self, client: Client) -> None:
        """Send a client that has joined what is held."""
        if self._host.state.can_see(client.viewer):
            for seat, hand in self._held.items():
                client.send(messages.Held(seat, hand.what))

    def keep_only(self, present: Collection[int]) -> None:
        """Empty the hands of players who are not present."""
        self._release(lambda seat, _: seat in present)

    def leave(self, client: Client) -> None:
        """Empty the hands of a client that has left or rejoins."""
        self._release(lambda _, hand: hand.holder != client)

    def _set(self, seat: int, what: str | None, holder: Client | str) -> bool:
        """Show what is held now; return whether it has changed."""
        before = self._held.get(seat)
        if what is None and (before is None or before.holder != holder):
            return False  # the hand was empty, or another client holds something by now
        if what is None:
            del self._held[seat]
        elif before == (what, holder):
            return False
        else:
            self._held[seat] = HeldPiece(what, holder)
        self._host.broadcast(messages.Held(seat, what), but=holder)
        return True

    def _release(self, keeps: Callable[[int, HeldPiece], bool]) -> None:
        for seat, hand in list(self._held.items()):
            if not keeps(seat, hand):
                self._set(seat, None, hand.holder)
                if not isinstance(hand.holder, str):
                    self._publish(seat, None)

    def _publish(self, seat: int, what: str | None) -> None:
        self._host.publish(pubsub.Held(self._store.database.name, self._host.state.entries, seat, what))


class LivePresence:
    """Shows all clients of a table, and the other processes, which players are present. Absent players hold nothing."""

    def __init__(self, host: TableHost, store: Store, held: HeldPieces) -> None:
        self._host = host
        self._store = store
        self._held = held
        self._tracker = PresenceTracker()
        self.is_leader = False
        """Whether this process, of those with players at the table, plays the bots of a game without turns."""
        self._shown: messages.Presence | None = None
        self._published: frozenset[int] | None = None
        """The seats of this process's clients as the other processes know them."""
        self._repeat_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        self._cancel_timer()

    def join(self, client: Client) -> None:
        """Empty the hands of a client that has joined, and send it who is present and what is held."""
        self._held.leave(client)
        before = self._shown
        self.update()
        if self._shown is not None and self._shown == before:
            client.send(self._shown)
        self._held.join(client)

    def leave(self, client: Client) -> None:
        self._held.leave(client)
        self.update()

    def update(self) -> None:
        """Check which players are present, and show and publish what has changed."""
        now, host = asyncio.get_running_loop().time(), self._host
        local = frozenset[int]().union(*(client.viewer.seats for client in host.clients))
        self._tracker.update(local, host.state.seating.of_kind("person"), now)
        self.is_leader = self._tracker.leads(self._store.database.name, local)
        host.on_presence_checked()
        here = self._tracker.here
        self.show()
        self._held.keep_only(here)
        if self._store.database.is_shared and (local != self._published or (local and now >= self._repeat_at)):
            self._publish(local, asks=self._published is None)
        self._schedule_update()

    def show(self) -> None:
        """Show who is present and their round-trip times, if either has changed."""
        lags = {str(seat): lag for seat, lag in sorted({**self._tracker.lags_elsewhere, **self._lags()}.items())}
        presence = messages.Presence(sorted(self._tracker.here), sorted(self.replaceable()), lags or UNSET)
        if presence != self._shown:
            self._shown = presence
            self._host.broadcast(presence, hidden=True)

    def _lags(self) -> dict[int, int]:
        """The round-trip times of this process's players, rounded to hundredths of a second: the rest is noise."""
        measured = [(client.line.round_trip, client.viewer.seats) for client in self._host.clients]
        return {seat: round(lag, -1) for lag, seats in measured if lag is not None for seat in seats}

    @property
    def is_anyone_present(self) -> bool:
        """Whether any player is present."""
        return bool(self._tracker.here)

    def is_present(self, seat: int) -> bool:
        """Whether the player of a seat is present."""
        return seat in self._tracker.here

    def replaceable(self) -> frozenset[int]:
        """The seats whose players have given up or been away for long."""
        return self._host.state.seating.gone | self._tracker.away(asyncio.get_running_loop().time())

    def on_message(self, message: pubsub.Here) -> None:
        """Handle another process's message about the seats of its clients."""
        self._tracker.receive(message.process, message.seats, message.lags, asyncio.get_running_loop().time())
        self.update()
        if message.asks:
            self._publish(self._published or frozenset(), asks=False)

    def on_reconnect(self) -> None:
        """Request the seats of other processes' clients: their messages may have been lost."""
        self._published = None
        self.update()

    def _publish(self, local: frozenset[int], asks: bool) -> None:
        self._published, self._repeat_at = local, asyncio.get_running_loop().time() + REPEAT_SECONDS
        self._host.publish(pubsub.Here(self._store.database.name, tuple(sorted(local)), asks, self._lags()))

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


class PlayerLines:
    """The lines to the players of a game without turns: what each has received, found out by pings while it is in play.

    What is known of a player outlives a lost line.
    """

    def __init__(self, host: TableHost) -> None:
        self._host = host
        self._timer: asyncio.TimerHandle | None = None
        self._left: dict[int, Standing] = {}
        """What was last known of the line to a player who has left, by seat."""

    def join(self, client: Client) -> None:
        """Continue the line of a player who joins again, perhaps before the old line is known to be lost."""
        seats = client.viewer.seats
        if not self._host.state.game.info.turns and seats:
            others = [other for other in self._host.clients if other is not client and other.viewer.seats & seats]
            before = [other.line.standing() for other in others]
            before += [line for seat, line in self._left.items() if seat in seats]
            if before:
                client.line.continues(max(before, key=lambda line: line.known))
            client.line.sent(self._host.state.entries)

    def leave(self, client: Client) -> None:
        self._left |= dict.fromkeys(client.viewer.seats, client.line.standing())

    def sent(self, entry: int) -> None:
        """Note that an act has been sent to all players."""
        if not self._host.state.game.info.turns:
            for client in self._host.clients:
                if client.viewer.seats:
                    client.line.sent(entry)
            self.update()

    def update(self) -> None:
        """Start to ping if there is somebody to ping."""
        if self._timer is None and self._host.is_in_play and self._host.clients:
            self._timer = asyncio.get_running_loop().call_later(PULSE_SECONDS, self._ping)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ping(self) -> None:
        self._timer = None
        for client in self._host.clients:
            if client.viewer.seats:
                client.line.ping()
        self.update()
