"""The endpoints of push notifications."""

from __future__ import annotations

from starlette.requests import Request

from icetable.server import messages
from icetable.server.http.dependencies import manager_of
from icetable.server.http.endpoints import Endpoints

endpoints = Endpoints()


@endpoints.get(
    "/api/push",
    "The public key of this server's notices",
    "The key that browsers subscribe with; null if the server sends no notices.",
)
async def show_key(request: Request) -> messages.PushKey:
    return messages.PushKey(manager_of(request).notices.key)


@endpoints.post(
    "/api/tables/{table}/notices",
    "Subscribe to notices about one's seats, or unsubscribe",
    "Whether the browser is subscribed.",
    (404, 503),
)
async def set_notices(request: Request, body: messages.NoticesRequest) -> messages.Notices:
    manager = manager_of(request)
    await manager.notices.subscribe(request.path_params["table"], body, manager.tables.client_bucket())
    return messages.Notices(body.on)
