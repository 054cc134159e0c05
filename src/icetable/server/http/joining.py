"""The endpoints by which players who do not know each other come to a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.http.endpoints import Endpoint
from icetable.server.http.lookups import manager_of
from icetable.server.http.security import browser_of

if TYPE_CHECKING:
    from starlette.requests import Request


async def join_table(request: Request, wanted: messages.JoinRequest) -> messages.Seated:
    table, browser = request.path_params["table"], browser_of(request)
    return await manager_of(request).joining.join(table, wanted.name, wanted.code, browser)


async def seek_table(request: Request, wanted: messages.SeekRequest) -> messages.Seated:
    return await manager_of(request).joining.seek(wanted.table, wanted.code, browser_of(request))


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/tables/{table}/join",
        "Take a seat that anybody may take",
        join_table,
        messages.Seated,
        "The seat; the same one for the same code.",
        (404, 409, 503),
        messages.JoinRequest,
    ),
    Endpoint(
        "POST",
        "/api/seeks",
        "Look for somebody to play with",
        seek_table,
        messages.Seated,
        "A seat at a table where somebody waits who asked for the same, else at a new one in the list.",
        (503,),
        messages.SeekRequest,
    ),
)
