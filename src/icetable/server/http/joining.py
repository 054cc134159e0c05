"""The endpoints by which players who do not know each other come to a table."""

from __future__ import annotations

from starlette.requests import Request

from icetable.server import messages
from icetable.server.http.endpoints import Endpoints
from icetable.server.http.lookups import manager_of
from icetable.server.http.security import browser_of

endpoints = Endpoints()


@endpoints.post(
    "/api/tables/{table}/join",
    "Take a seat that anybody may take",
    "The seat; the same one for the same code.",
    (404, 409, 503),
)
async def join_table(request: Request, wanted: messages.JoinRequest) -> messages.Seated:
    table, browser = request.path_params["table"], browser_of(request)
    return await manager_of(request).joining.join(table, wanted.name, wanted.code, browser)


@endpoints.post(
    "/api/seeks",
    "Look for somebody to play with",
    "A seat at a table where somebody waits who asked for the same, else at a new one in the list.",
    (503,),
)
async def seek_table(request: Request, wanted: messages.SeekRequest) -> messages.Seated:
    return await manager_of(request).joining.seek(wanted.table, wanted.code, browser_of(request))
