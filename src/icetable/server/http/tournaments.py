"""The endpoints of tournaments."""

from __future__ import annotations

from starlette.requests import Request

from icetable.server import messages
from icetable.server.http.dependencies import manager_of
from icetable.server.http.endpoints import Endpoints
from icetable.server.http.playtesting import CODE_HEADER

endpoints = Endpoints()


@endpoints.post("/api/tournaments", "Open a tournament", "The tournament and its organizer's code.", (503,))
async def create_tournament(request: Request, body: messages.TournamentRequest) -> messages.TournamentCreated:
    return await manager_of(request).tournaments.begin(body)


@endpoints.get(
    "/api/tournaments", "The public tournaments", "Those that are open or running, the newest first.", (503,)
)
async def list_tournaments(request: Request) -> list[messages.TournamentListing]:
    return await manager_of(request).tournaments.listed()


@endpoints.get("/api/tournaments/{tournament}", "A tournament", "Its entrants, rounds and standing.", (404, 503))
async def show_tournament(request: Request) -> messages.Tournament:
    return await manager_of(request).tournaments.show(request.path_params["tournament"])


@endpoints.post(
    "/api/tournaments/{tournament}/entrants",
    "Enter a tournament",
    f"The entrant's number. Bots need the organizer's code in the header {CODE_HEADER}.",
    (404, 503),
)
async def enter_tournament(request: Request, body: messages.EnterRequest) -> messages.Entered:
    code = request.headers.get(CODE_HEADER, "")
    return await manager_of(request).tournaments.enter(request.path_params["tournament"], body, code)


@endpoints.post(
    "/api/tournaments/{tournament}/orders",
    "Run a tournament",
    f"The tournament after the organizer's decision; needs the code in the header {CODE_HEADER}.",
    (404, 503),
)
async def organize_tournament(request: Request, body: messages.OrganizerRequest) -> messages.Tournament:
    code = request.headers.get(CODE_HEADER, "")
    return await manager_of(request).tournaments.organize(request.path_params["tournament"], body, code)
