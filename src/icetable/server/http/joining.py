"""The endpoints by which players who do not know each other come to a table."""

from __future__ import annotations

from starlette.requests import Request

from icetable.server import messages
from icetable.server.http.endpoints import Endpoints
from icetable.server.http.lookups import manager_of
from icetable.server.http.security import browser_of
from icetable.server.table.seats import hash_code

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
    "/api/tables/{table}/hold",
    "Have a browser's cookie stand for the seats that it has codes of",
    "The table in short, as the browser may see it from now on.",
    (404, 503),
)
async def hold_seats(request: Request, wanted: messages.HoldRequest) -> messages.Summary:
    table, browser = request.path_params["table"], browser_of(request)
    return await manager_of(request).summaries.hold(table, browser, frozenset(map(hash_code, wanted.codes)))


@endpoints.post(
    "/api/seeks",
    "Look for somebody to play with",
    "A seat at a table where somebody waits who asked for the same, else at a new one in the list.",
    (503,),
)
async def seek_table(request: Request, wanted: messages.SeekRequest) -> messages.Seated:
    return await manager_of(request).joining.seek(wanted.table, wanted.code, browser_of(request))
