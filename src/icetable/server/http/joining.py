"""The endpoints that bring strangers together at a table."""

from __future__ import annotations

from starlette.requests import Request

from icetable.server import messages
from icetable.server.http.dependencies import manager_of
from icetable.server.http.endpoints import Endpoints
from icetable.server.http.security import browser_of
from icetable.server.table.seats import hash_code

endpoints = Endpoints()


@endpoints.post(
    "/api/tables/{table}/join",
    "Take an open seat",
    "The seat; always the same for the same code.",
    (404, 409, 503),
)
async def join_table(request: Request, body: messages.JoinRequest) -> messages.Seated:
    table, browser = request.path_params["table"], browser_of(request)
    return await manager_of(request).matchmaking.join(table, body.name, body.code, browser)


@endpoints.post(
    "/api/tables/{table}/hold",
    "Link the seats of these codes to the browser's cookie",
    "The table's summary, as the browser may now see it.",
    (404, 503),
)
async def hold_seats(request: Request, body: messages.HoldRequest) -> messages.Summary:
    table, browser = request.path_params["table"], browser_of(request)
    return await manager_of(request).summaries.hold(table, browser, frozenset(map(hash_code, body.codes)))


@endpoints.post(
    "/api/seeks",
    "Look for an opponent",
    "A seat at a waiting table with the same settings, otherwise at a new public one.",
    (503,),
)
async def seek_table(request: Request, body: messages.SeekRequest) -> messages.Seated:
    return await manager_of(request).matchmaking.seek(body.table, body.code, browser_of(request))
