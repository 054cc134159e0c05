"""Decides which requests become entries of a table's log, and answers the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from icetable.core.errors import GameError, IllegalAction
from icetable.server import messages
from icetable.server.table import pace, proposals
from icetable.server.table.errors import BadTable, FellThrough, NothingToUndo, TooQuick, sentence
from icetable.server.table.events import End, HandOver, Leave, Return, Sit
from icetable.server.table.log import HOST
from icetable.server.table.seats import checked_name, hash_code

if TYPE_CHECKING:
    from collections.abc import Collection

    from icetable.server.table.events import Event
    from icetable.server.table.log import Entry
    from icetable.server.table.seats import Seating
    from icetable.server.table.state import TableState
    from icetable.server.table.viewers import Viewer

    SeatRequest = messages.Sit | messages.HandOver | messages.Leave | messages.Return

MAX_REFUSALS = 64
"""Maximum number of remembered refusals per table."""

MAX_UNSEEN_MS = 10_000
"""An older act counts as seen by everybody, however long a line stands still: pages give up a dead one by then."""

LAPSED = messages.Fault(
    "lapsed",
    "Your connection stood still or was lost when you did that. After three seconds it has lapsed: nothing was done.",
    None,
    [],
)


class Judge:
    """Judges requests by the newest state of a table. The first answer to a request id is final."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self._refusals: dict[str, messages.Refused] = {}
        """The last refusals, which the log does not have."""

    def judge(
        self,
        viewer: Viewer,
        request: messages.Request,
        now: int,
        away: Collection[int] = (),
        is_sure: bool = True,
        known: int = 0,
        silence: int = 0,
    ) -> Entry | messages.Ack | messages.Refused:
        """The entry for a request at `now` (milliseconds since 1970), or the answer to it.

        `away`: the seats whose players have been disconnected for long. `is_sure`: the state is known to be the newest,
        so that a refusal is final. `known`: the newest entry that the player must have seen. `silence`: how long the
        line to the player has been standing still, in milliseconds.
        """
        if fault := _fault_of_viewer(viewer, request):
            return messages.Refused(request.id, fault)
        key = f"{_seat_of(viewer, request)}:{request.id}"
        if answer := self.state.ack(key) or self._refusals.get(key):
            return answer
        if isinstance(request, messages.Act) and request.lapsed is True:
            refusal = messages.Refused(request.id, LAPSED)
            self._remember(key, refusal)
            return refusal
        try:
            keyed = msgspec.structs.replace(request, id=key)
            return self._entry(viewer, keyed, now, self.state.seating.gone | set(away), known, silence)
        except IllegalAction as error:
            fault = messages.Fault(error.fault.code, error.fault.message, error.fault.rule, list(error.fault.where))
        except NothingToUndo as error:
            fault = messages.Fault("nothing-to-undo", sentence(error), None, [])
        except TooQuick as error:
            fault = messages.Fault("too-quick", sentence(error), None, [])
        except FellThrough as error:
            fault = messages.Fault("fell-through", sentence(error), None, [])
        except BadTable as error:
            fault = messages.Fault("not-now", sentence(error), None, [])
        except GameError as error:
            fault = messages.Fault("bad-notation", sentence(error), None, [])
        refusal = messages.Refused(request.id, fault)
        if is_sure:
            self._remember(key, refusal)
        return refusal

    def _entry(
        self, viewer: Viewer, request: messages.Request, now: int, away: frozenset[int], known: int, silence: int
    ) -> Entry:
        """The entry for a request. Raises GameError."""
        state = self.state
        match request:
            case messages.Act(request_id, seat, text, lag, after, seen):
                if after is not UNSET and state.ack(f"{seat}:{after}") is None:
                    raise FellThrough("the act before this one was refused")
                unseen = () if seen is UNSET else state.unseen(max(seen, known), now, MAX_UNSEEN_MS)
                entry = state.entry_for_act(
                    viewer.seats, seat, text, now, request_id, 0 if lag is UNSET else lag, unseen
                )
                pace.check(state, entry, silence)
                return entry
            case messages.Undo():
                return proposals.propose_undo(state, viewer, request, now)
            case messages.Offer():
                return proposals.propose_offer(state, viewer, request, now, away)
            case messages.Resign(request_id, seat):
                return state.next_event(seat, _resignation(state, seat), now, request_id)
            case messages.Vote():
                return proposals.vote(state, viewer, request, now, away)
            case messages.Fill():
                return proposals.propose_bot(state, viewer, request, now, away)
        event = _event_of(viewer, request, state.seating)
        return state.next_event(min(viewer.seats, default=HOST), event, now, request.id)

    def _remember(self, key: str, refusal: messages.Refused) -> None:
        if len(self._refusals) == MAX_REFUSALS:
            del self._refusals[next(iter(self._refusals))]
        self._refusals[key] = refusal


def _resignation(state: TableState, seat: int) -> End:
    """A seat's resignation: all other seats share the win, as if its time had run out. Raises BadTable."""
    if not state.seating.started or state.is_over:
        raise BadTable("there is no game under way")
    return End("resign", tuple(other for other in range(state.game.players) if other != seat))


def _event_of(viewer: Viewer, request: SeatRequest, seating: Seating) -> Event:
    """The event of a player who takes, leaves or hands over a seat. Raises BadTable."""
    match request:
        case messages.Sit(_, seat, name, code):
            if seat not in viewer.guest:
                raise BadTable("that seat is yours already")
            return Sit(seat, checked_name(name, seating.seats), hash_code(code))
        case messages.HandOver(_, seat, code):
            if seat not in viewer.seats and not (viewer.host and seat in seating.of_kind("open")):
                raise BadTable("only the player of a seat can hand it over")
            return HandOver(seat, hash_code(code))
        case messages.Leave(_, seat):
            return Leave(seat)
        case messages.Return(_, seat):
            return Return(seat)


def _fault_of_viewer(viewer: Viewer, request: messages.Request) -> messages.Fault | None:
    """The fault of a request that this viewer may not make. It reveals nothing that the viewer does not know."""
    match request:
        case messages.Sit(seat=seat) if seat in viewer.guest | viewer.seats:
            return None
        case messages.Sit():
            return messages.Fault("no-invitation", "That seat is not free for this browser.", None, [])
        case messages.HandOver(seat=seat) if seat in viewer.seats | viewer.guest or viewer.host:
            return None
        case (
            messages.Act(seat=seat)
            | messages.Leave(seat=seat)
            | messages.Return(seat=seat)
            | messages.HandOver(seat=seat)
            | messages.Resign(seat=seat)
        ):
            if seat not in viewer.seats:
                return messages.Fault("not-your-seat", "This browser does not hold that seat.", None, [])
            return None
        case messages.Fill() if viewer.host:
            return None
        case _ if not viewer.seats:
            return messages.Fault("no-seat", "Only players at this table can do that.", None, [])
    return None


def _seat_of(viewer: Viewer, request: messages.Request) -> int:
    """The seat that a request's id belongs to, or HOST; the same if the request is sent again."""
    match request:
        case (
            messages.Act(seat=seat)
            | messages.Leave(seat=seat)
            | messages.Return(seat=seat)
            | messages.Sit(seat=seat)
            | messages.Resign(seat=seat)
        ):
            return seat
        case messages.HandOver(seat=seat):
            return HOST if viewer.host else seat
        case messages.Fill() if viewer.host:
            return HOST
    return min(viewer.seats)
