"""The endpoints of notices to browsers that are closed."""

from __future__ import annotations

from starlette.requests import Request

from icetable.server import messages
from icetable.server.http.endpoints import Endpoints
from icetable.server.http.lookups import manager_of
from icetable.server.live.turns import visitor

endpoints = Endpoints()


@endpoints.get(
    "/api/push",
    "The key of this server's notices",
    "The key by which browsers subscribe; null where the server sends none.",
)
async def show_key(request: Request) -> messages.PushKey:
    return messages.PushKey(manager_of(request).notices.key)


@endpoints.post(
    "/api/tables/{table}/notices", "Be told of one's seats, or no more", "Whether the browser is told.", (404, 503)
)
async def want_notices(request: Request, wanted: messages.NoticesRequest) -> messages.Notices:
    manager = manager_of(request)
    await manager.notices.subscribe(request.path_params["table"], wanted, manager.lobby.bucket_of(visitor.get()))
    return messages.Notices(wanted.on)
