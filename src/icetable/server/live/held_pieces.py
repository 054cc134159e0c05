"""The pieces that players hold in their hands before they act."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from icetable.server import messages
from icetable.server.store import pubsub

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from icetable.server.live.client import Client
    from icetable.server.live.host import TableHost
    from icetable.server.store.store import Store


class Hand(NamedTuple):
    """What is held, and the client, or the name of the other process, that holds it."""

    what: str
    holder: Client | str


class Hands:
    """Shows all clients of a table, and the other processes, what is held."""

    def __init__(self, host: TableHost, store: Store) -> None:
        self._host = host
        self._store = store
        self._hands: dict[int, Hand] = {}
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
        self._hands.clear()
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
            for seat, hand in self._hands.items():
                client.send(messages.Held(seat, hand.what))

    def keep_only(self, present: Collection[int]) -> None:
        """Empty the hands of players who are not present."""
        self._release(lambda seat, _: seat in present)

    def leave(self, client: Client) -> None:
        """Empty the hands of a client that has left or rejoins."""
        self._release(lambda _, hand: hand.holder != client)

    def _set(self, seat: int, what: str | None, holder: Client | str) -> bool:
        """Show what is held now; return whether it has changed."""
        before = self._hands.get(seat)
        if what is None and (before is None or before.holder != holder):
            return False  # the hand was empty, or another client holds something by now
        if what is None:
            del self._hands[seat]
        elif before == (what, holder):
            return False
        else:
            self._hands[seat] = Hand(what, holder)
        self._host.broadcast(messages.Held(seat, what), but=holder)
        return True

    def _release(self, keeps: Callable[[int, Hand], bool]) -> None:
        for seat, hand in list(self._hands.items()):
            if not keeps(seat, hand):
                self._set(seat, None, hand.holder)
                if not isinstance(hand.holder, str):
                    self._publish(seat, None)

    def _publish(self, seat: int, what: str | None) -> None:
        self._host.publish(pubsub.Held(self._store.database.name, self._host.state.entries, seat, what))
