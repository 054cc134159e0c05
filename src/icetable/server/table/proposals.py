"""Proposals and votes: an undo, a bot for an absent player, a draw, a pause.

Each function returns the next entry of the table's log or raises BadTable. `away`: the seats of players who left or
have been disconnected for long. If no other player has a vote, the entry carries the proposal out immediately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.table.errors import BadTable, NothingToUndo
from icetable.server.table.events import Agree, Drop, End, Event, Fill, Pause, Propose, Resume
from icetable.server.table.log import HOST
from icetable.server.table.seats import name_for_bot

if TYPE_CHECKING:
    from collections.abc import Collection

    from icetable.server import messages
    from icetable.server.table.log import Entry
    from icetable.server.table.state import TableState
    from icetable.server.table.viewers import Viewer


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
