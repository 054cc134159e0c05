"""The endpoints of notices to browsers that are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.http.endpoints import Endpoint
from icetable.server.http.lookups import manager_of
from icetable.server.live.turns import visitor

if TYPE_CHECKING:
    from starlette.requests import Request


async def show_key(request: Request) -> messages.PushKey:
    return messages.PushKey(manager_of(request).notices.key)


async def want_notices(request: Request, wanted: messages.NoticesRequest) -> messages.Notices:
    manager = manager_of(request)
    await manager.notices.subscribe(request.path_params["table"], wanted, manager.lobby.bucket_of(visitor.get()))
    return messages.Notices(wanted.on)


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/push",
        "The key of this server's notices",
        show_key,
        messages.PushKey,
        "The key by which browsers subscribe; null where the server sends none.",
    ),
    Endpoint(
        "POST",
        "/api/tables/{table}/notices",
        "Be told of one's seats, or no more",
        want_notices,
        messages.Notices,
        "Whether the browser is told.",
        (404, 503),
        messages.NoticesRequest,
    ),
)
