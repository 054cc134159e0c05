"""The endpoints of tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.http.endpoints import Endpoint
from icetable.server.http.lookups import manager_of
from icetable.server.http.playtesting import CODE_HEADER

if TYPE_CHECKING:
    from starlette.requests import Request


async def create_tournament(request: Request, wanted: messages.TournamentRequest) -> messages.TournamentCreated:
    return await manager_of(request).tournaments.begin(wanted)


async def show_tournament(request: Request) -> messages.Tournament:
    return await manager_of(request).tournaments.show(request.path_params["tournament"])


async def enter_tournament(request: Request, wanted: messages.EnterRequest) -> messages.Entered:
    code = request.headers.get(CODE_HEADER, "")
    return await manager_of(request).tournaments.enter(request.path_params["tournament"], wanted, code)


async def organize_tournament(request: Request, wanted: messages.OrganizerRequest) -> messages.Tournament:
    code = request.headers.get(CODE_HEADER, "")
    return await manager_of(request).tournaments.organize(request.path_params["tournament"], wanted, code)


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/tournaments",
        "Open a tournament",
        create_tournament,
        messages.TournamentCreated,
        "The tournament and its organizer's code.",
        (503,),
        messages.TournamentRequest,
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{tournament}",
        "A tournament",
        show_tournament,
        messages.Tournament,
        "Its entrants, rounds and standing.",
        (404, 503),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{tournament}/entrants",
        "Enter a tournament",
        enter_tournament,
        messages.Entered,
        f"The entrant's number. Bots are entered by whoever sends the organizer's code in the header {CODE_HEADER}.",
        (404, 503),
        messages.EnterRequest,
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{tournament}/orders",
        "Run a tournament",
        organize_tournament,
        messages.Tournament,
        f"The tournament after what was decided, for whoever sends the code in the header {CODE_HEADER}.",
        (404, 503),
        messages.OrganizerRequest,
    ),
)
