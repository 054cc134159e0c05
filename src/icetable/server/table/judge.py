"""Decides which requests become entries of a table's log, and answers the others: acts, seats, proposals and votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from icetable.core.errors import GameError, IllegalAction
from icetable.core.realtime import HAND_BURST, HAND_MS, RealTimeGame
from icetable.server import messages
from icetable.server.errors import BadTable, FellThrough, NothingToUndo, TooQuick, sentence
from icetable.server.table.clock import MS_PER_SECOND
from icetable.server.table.log import (
    HOST,
    Agree,
    Drop,
    End,
    Event,
    Fill,
    HandOver,
    Leave,
    Pause,
    Propose,
    Resume,
    Return,
    Sit,
)
from icetable.server.table.seats import checked_name, hash_code, name_for_bot

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from icetable.server.table.log import Entry
    from icetable.server.table.seats import Seating
    from icetable.server.table.state import TableState
    from icetable.server.table.viewers import Viewer

    SeatRequest = messages.Sit | messages.HandOver | messages.Leave | messages.Return

MAX_CREDIT_MS = 3000
"""What was done while a line stood still may arrive at once, but acts lapse after this time."""
WINDOW_MS = 30_000
"""Pieces that were placed longer ago do not count."""
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
                check_pace(state, entry, silence)
                return entry
            case messages.Undo():
                return propose_undo(state, viewer, request, now)
            case messages.Offer():
                return propose_offer(state, viewer, request, now, away)
            case messages.Resign(request_id, seat):
                return state.next_event(seat, _resignation(state, seat), now, request_id)
            case messages.Vote():
                return vote(state, viewer, request, now, away)
            case messages.Fill():
                return propose_bot(state, viewer, request, now, away)
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


# Proposals and votes: each function returns the next entry of the log, or raises BadTable. `away`: the seats of players
# who left or have been disconnected for long. If no other player has a vote, the entry carries it out at once.


def propose_undo(state: TableState, viewer: Viewer, request: messages.Undo, now: int) -> Entry:
    """Propose an undo; immediate if the viewer plays alone or against bots."""
    if not state.game.info.turns:
        raise BadTable("games without turns have no undo")
    if state.end is not None:
        raise BadTable("the game was broken off")
    if state.is_over:
        raise BadTable("the game is over and its random draws are revealed, so nothing can be taken back")
    if request.to >= state.acts:
        raise NothingToUndo(f"there is nothing to take back after act {request.to}: {state.acts} were made")
    return _propose(state, viewer, Propose("undo", request.to, None, ()), (), now, request.id)


def propose_bot(state: TableState, viewer: Viewer, request: messages.Fill, now: int, away: Collection[int]) -> Entry:
    """Propose a bot. The host can fill an open seat immediately; for an absent player's seat the others vote."""
    seat, seating = request.seat, state.seating
    fill = Propose("fill", seat, request.level, ())
    if viewer.host and seat in seating.of_kind("open"):
        return _carry_out(state, HOST, fill, now, request.id)
    if not viewer.seats or seat not in seating.of_kind("person") & set(away) or seat in viewer.seats:
        raise BadTable("a bot may take an open seat, or that of an absent player")
    excused = {seat, *away, *seating.of_kind("open")}
    return _propose(state, viewer, fill, excused, now, request.id)


def propose_offer(state: TableState, viewer: Viewer, request: messages.Offer, now: int, away: Collection[int]) -> Entry:
    """Propose a draw, a pause or its end. Absent players have no vote, except on a draw."""
    what, excused = request.what, state.seating.of_kind("open").union(away)
    if not state.seating.started or state.is_over:
        raise BadTable("there is no game under way")
    if what == "draw":
        excused = frozenset()
        if state.game.players == 1 or state.bots:
            raise BadTable("a draw can only be agreed between people")
    elif (what == "pause") == (state.timing.paused is not None):
        raise BadTable("the game is paused already" if what == "pause" else "the game is not paused")
    return _propose(state, viewer, Propose(what, 0, None, ()), excused, now, request.id)


def vote(state: TableState, viewer: Viewer, request: messages.Vote, now: int, away: Collection[int]) -> Entry:
    """Vote on the proposal, or withdraw one's own."""
    proposal = state.seating.proposal
    if proposal is None or proposal.number != request.number:
        raise BadTable("that proposal is no longer open")
    mine = proposal.waiting & viewer.seats
    if not request.agree and (mine or proposal.by in viewer.seats):
        return state.next_event(min(viewer.seats), Drop(), now, request.id)
    if not mine:
        raise BadTable("you have agreed already")
    if proposal.what == "fill" and proposal.target not in away:
        raise BadTable("that player is back")
    if proposal.waiting > mine:
        return state.next_event(min(mine), Agree(tuple(sorted(mine))), now, request.id)
    agreed = Propose(proposal.what, proposal.target, proposal.level, ())
    return _carry_out(state, min(mine), agreed, now, request.id)


def _propose(
    state: TableState, viewer: Viewer, proposal: Propose, excused: Collection[int], now: int, client_id: str
) -> Entry:
    """The entry of a proposal. All people vote but the viewer and those excused; so does a seat being handed over."""
    voters = set(range(state.game.players)) - state.bots.keys() - viewer.seats - set(excused)
    seat = min(viewer.seats)
    if not voters:
        return _carry_out(state, seat, proposal, now, client_id)
    if state.seating.proposal is not None:
        raise BadTable("another proposal is waiting for votes")
    event = Propose(proposal.what, proposal.target, proposal.level, tuple(sorted(voters)))
    return state.next_event(seat, event, now, client_id)


def _carry_out(state: TableState, seat: int, proposal: Propose, now: int, client_id: str) -> Entry:
    """The entry that carries out an accepted proposal."""
    event: Event
    match proposal.what:
        case "undo":
            return state.next_entry(seat, f"undo {proposal.target}", state.time(now), client_id)
        case "fill":
            event = Fill(proposal.target, proposal.level or "", name_for_bot(state.seating.seats))
        case "draw":
            event = End("draw", tuple(range(state.game.players)))
        case "pause":
            event = Pause(now)
        case "resume":
            event = Resume(now)
    return state.next_event(seat, event, now, client_id)


# The pace of hands in a game without turns: no program places pieces faster than a hand at a table


def check_pace(state: TableState, entry: Entry, silence: int) -> None:
    """Raise TooQuick if a hand places its pieces too quickly, by the times at which they arrived.

    In any interval, a hand may place HAND_BURST pieces and one more each HAND_MS. `silence`: how long its line has
    stood still, in milliseconds; what arrives then counts as made throughout that time.
    """
    game = state.game
    if state.setup.terms.scripts or not isinstance(game, RealTimeGame) or not game.is_placing(entry.text):
        return
    silent_since = entry.at - min(silence, MAX_CREDIT_MS)
    for pieces, placed in enumerate(_placements(state, game, entry), 2):
        if entry.at - min(placed, silent_since) < (pieces - HAND_BURST) * HAND_MS:
            seconds = HAND_MS / MS_PER_SECOND
            raise TooQuick(f"your hand is too quick: a piece takes at least {seconds:g} s, so it stays in your hand")


def _placements(state: TableState, game: RealTimeGame, entry: Entry) -> Iterator[int]:
    """When the seat of an entry placed its pieces within WINDOW_MS before, the last one first."""
    for act in reversed(state.positions.acts):
        if act.at < entry.at - WINDOW_MS:
            return
        if act.seat == entry.seat and game.is_placing(act.text):
            yield act.at
