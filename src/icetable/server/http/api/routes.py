"""The HTTP endpoints and the WebSocket route. ENDPOINTS lists the interface, `routes` adds pages and health checks."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route, WebSocketRoute

from icetable.server import messages, metrics
from icetable.server.http import static
from icetable.server.http.api import endpoints as openapi
from icetable.server.http.api import games, service, tables
from icetable.server.http.api.connection import Connection
from icetable.server.http.api.endpoints import Endpoint, Endpoints, body_too_long
from icetable.server.http.responses import METHOD_NOT_ALLOWED, NOT_FOUND, cached_response, json_response
from icetable.server.http.security import (
    browser_of,
    charge,
    quota_of,
    require_same_origin,
    same_origin,
)
from icetable.server.http.site import manager_of, site_of
from icetable.server.http.websocket import socket_of

if TYPE_CHECKING:
    from starlette.websockets import WebSocket


METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]
NO_STORE = {"Cache-Control": "no-store"}


TOO_MANY_SOCKETS = messages.ErrorMessage("Too many windows are open at your address; please close some.")
NO_UPGRADE = "Live play needs a WebSocket here, and this request does not ask for one."
NO_UPGRADE_LOGGED = "WebSockets do not get through; the proxy must pass on Upgrade and Connection at /ws"
BLOCKED = "Too many messages came from your address; please try again in a moment."
BLOCKED_SECONDS = 1.0
"""Delay before the handshake of a blocked address is rejected."""
TRY_AGAIN_LATER = 1013

endpoints = Endpoints()


@endpoints.get(
    "/api/openapi.json", "The interface as an OpenAPI document", "An OpenAPI document.", answer=dict[str, Any]
)
async def show_document(request: Request) -> Response:
    return Response(openapi_json(site_of(request).settings.prefix), media_type="application/json")


@functools.cache
def openapi_json(prefix: str) -> bytes:
    return msgspec.json.encode(openapi.document(ENDPOINTS, prefix))


ENDPOINTS: tuple[Endpoint, ...] = (*games.endpoints, *tables.endpoints, *service.endpoints, *endpoints)
"""The HTTP interface. Paths outside it return no JSON: pages, /healthz and /readyz."""

MAX_BODY_BYTES: dict[str, int] = {
    endpoint.path: endpoint.max_bytes for endpoint in ENDPOINTS if endpoint.max_bytes > messages.MAX_LENGTH
}


def max_body_bytes(path: str) -> int:
    """Maximum size of the body of a request for a path."""
    return MAX_BODY_BYTES.get(path, messages.MAX_LENGTH)


def routes() -> list[BaseRoute]:
    """All routes of the server."""
    return [
        *(Route(endpoint.path, handler_of(endpoint), methods=[endpoint.method]) for endpoint in ENDPOINTS),
        Route("/api/{path:path}", not_found, methods=METHODS),
        Route("/healthz", health),
        Route("/readyz", readiness),
        Route("/metrics", not_found),
        WebSocketRoute("/ws", open_socket),
        Route("/ws", ask_for_upgrade),
        Mount("/", static.FrontEnd()),
    ]


def handler_of(endpoint: Endpoint) -> Any:
    """Wrap an endpoint's handler: decode the body, encode the answer, and charge each POST, which creates something."""
    read = None if endpoint.body is None else messages.request_reader(endpoint.body)

    async def answer(request: Request) -> Response:
        if endpoint.method == "POST":
            require_same_origin(request)
            charge(quota_of(request).tables, "tables")
        arguments = {name: value for name, value in request.path_params.items() if name in endpoint.parameters}
        if read is not None:
            arguments["body"] = read(await body_of(request, endpoint.max_bytes))
        content = await endpoint.handler(request, **arguments)
        if isinstance(content, Response):
            return content
        if endpoint.is_cacheable:
            return cached_response(request, messages.write(content), "application/json")
        return json_response(content, endpoint.status)

    return answer


async def body_of(request: Request, max_bytes: int) -> bytes:
    """Read the body of a request, stopping once it is too long, or at once if it says so. Raises HTTPException."""
    body = bytearray()
    check_length(int(request.headers.get("content-length", 0)), max_bytes)  # before the client is told to go on (100)
    try:
        async for chunk in request.stream():
            body += chunk
            check_length(len(body), max_bytes)
    except ClientDisconnect:
        raise HTTPException(400, "The request broke off.") from None
    return bytes(body)


def check_length(length: int, max_bytes: int) -> None:
    """Raise HTTPException for a body that is too long."""
    if length > max_bytes:
        metrics.REJECTED.labels("long_requests").inc()
        raise HTTPException(413, body_too_long(max_bytes))


async def not_found(request: Request) -> Response:
    """Answer any other path or method under /api."""
    others = [route for route in request.app.routes if isinstance(route, Route)]
    allowed = {
        method for route in others if route.matches(request.scope)[0] is Match.PARTIAL for method in route.methods or ()
    }
    if allowed:
        raise HTTPException(405, METHOD_NOT_ALLOWED, {"Allow": ", ".join(sorted(allowed))})
    raise HTTPException(404, NOT_FOUND)


async def health(_request: Request) -> Response:
    """GET /healthz: the process answers."""
    return PlainTextResponse("ok\n", headers=NO_STORE)


async def readiness(request: Request) -> Response:
    """GET /readyz: the store can be written, and the server is not shutting down."""
    await site_of(request).readiness.check()
    return PlainTextResponse("ready\n", headers=NO_STORE)


async def ask_for_upgrade(request: Request) -> Response:
    """GET /ws: the request of a proxy that does not pass WebSockets on."""
    site_of(request).rare_log.warn(NO_UPGRADE_LOGGED, came="GET /ws without Upgrade", expected="Upgrade: websocket")
    raise HTTPException(426, NO_UPGRADE, {"Upgrade": "websocket", "Connection": "Upgrade"})


async def open_socket(websocket: WebSocket) -> None:
    """/ws: run a connection until it is closed."""
    socket = socket_of(websocket)
    if not same_origin(websocket):
        await websocket.close()
        return
    quota = quota_of(websocket)
    if quota.seconds_blocked():
        await reject_handshake(websocket)
        return
    await websocket.accept()
    connection = Connection(manager_of(websocket), socket, quota, browser_of(websocket), site_of(websocket).rare_log)
    if quota.sockets_left < 1:
        metrics.REJECTED.labels("sockets").inc()
        await connection.reject(TRY_AGAIN_LATER, TOO_MANY_SOCKETS)
        return
    connections = site_of(websocket).connections
    quota.sockets_left -= 1
    connections[connection] = websocket.client.host if websocket.client else ""
    try:
        with metrics.SOCKETS.track_inprogress():
            await connection.run()
    finally:
        del connections[connection]
        quota.sockets_left += 1


async def reject_handshake(websocket: WebSocket) -> None:
    """Answer 429 after a delay."""
    metrics.REJECTED.labels("blocked").inc()
    await asyncio.sleep(BLOCKED_SECONDS)
    headers = {"Retry-After": str(max(1, quota_of(websocket).seconds_blocked()))}
    await websocket.send_denial_response(json_response(messages.ErrorBody(BLOCKED), 429, headers))
