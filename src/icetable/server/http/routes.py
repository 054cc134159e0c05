"""The HTTP endpoints and the WebSocket route. ENDPOINTS lists the interface, `routes` adds pages and health checks."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route, WebSocketRoute

from icetable import games
from icetable.server import messages, metrics
from icetable.server.apart import games as apart
from icetable.server.http import joining, learning, openapi, parcels, playtesting, push, rulebook, static, tournaments
from icetable.server.http.caching import cached_response
from icetable.server.http.connection import Connection
from icetable.server.http.dependencies import flag_of, info_of, levels_of, manager_of
from icetable.server.http.descriptions import describe_game
from icetable.server.http.endpoints import Endpoint, Endpoints, Query, body_too_long
from icetable.server.http.responses import METHOD_NOT_ALLOWED, NOT_FOUND, SVG, json_response
from icetable.server.http.security import (
    browser_of,
    charge,
    is_at_this_machine,
    public_origin_of,
    quota_of,
    require_same_origin,
    same_origin,
)
from icetable.server.http.site import site_of
from icetable.server.http.websocket import socket_of
from icetable.server.table.errors import TableNotFound

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from icetable.core.game import GameInfo


METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]
NO_STORE = {"Cache-Control": "no-store"}

MAX_SEQ_DIGITS = 8
MAX_SUMMARIES = 24
"""Maximum number of tables per request."""

TOO_MANY_SOCKETS = messages.ErrorMessage("Too many windows are open at your address; please close some.")
NO_UPGRADE = "Live play needs a WebSocket here, and this request does not ask for one."
NO_UPGRADE_LOGGED = "WebSockets do not get through; the proxy must pass on Upgrade and Connection at /ws"
BLOCKED = "Too many messages came from your address; please try again in a moment."
BLOCKED_SECONDS = 1.0
"""Delay before the handshake of a blocked address is rejected."""
TRY_AGAIN_LATER = 1013

endpoints = Endpoints()


# Games and their rules


@endpoints.get("/api/games", "The games", "All games.", is_cacheable=True)
async def list_games(request: Request) -> list[messages.GameInfo]:
    levels = functools.partial(levels_of, request)
    return await asyncio.to_thread(lambda: [describe_game(info, levels(info)) for info in games.list_games()])


@endpoints.get("/api/rules/{game}", "A game's rules as HTML", "The rules.", (404,), is_cacheable=True)
async def show_rules(request: Request) -> messages.RulesText:
    return await asyncio.to_thread(rulebook.rules_text, info_of(request))


@endpoints.get(
    "/api/games/{game}/picture.svg", "A game as a picture", "A watcher's view of the start.", (404,), media=SVG
)
async def draw_game(request: Request) -> Response:
    info = info_of(request)
    drawn = await apart.in_thread(info, picture_of, info)
    response = cached_response(request, drawn.encode(), SVG)
    response.headers["Content-Disposition"] = "attachment"
    return response


def picture_of(info: GameInfo) -> str:
    """The start of a game with default options, as an SVG file."""
    game = info.load(None)
    return game.thumbnail(game.start().view())


# Tables


@endpoints.get("/api/tables", "The public tables", "First those that wait for players, the newest first.", (503,))
async def list_tables(request: Request) -> list[messages.Listing]:
    return await manager_of(request).lobby.listings()


@endpoints.get("/api/tables/{table}", "A table's summary", "The summary.", (404, 503), answer=messages.Summary)
async def summarize(request: Request) -> Response:
    summary = await manager_of(request).summaries.summary(request.path_params["table"], browser_of(request))
    return private_response(request, messages.write(summary), "application/json")


@endpoints.get(
    "/api/summaries",
    "The summaries of several tables",
    "Those that exist, in the order of the request.",
    (422, 503),
    query=(Query("tables", f"the ids of up to {MAX_SUMMARIES} tables, separated by commas"),),
)
async def summarize_all(request: Request) -> list[messages.Summary]:
    """Each table counts as a request."""
    ids = list(dict.fromkeys(filter(None, request.query_params.get("tables", ",").split(","))))
    if "tables" not in request.query_params or len(ids) > MAX_SUMMARIES:
        raise messages.BadMessage(f"Up to {MAX_SUMMARIES} tables are named, as in tables=k7m2pq9x,d4h6j2v7.")
    summaries = []
    for table in ids:
        charge(quota_of(request).requests, "requests")
        with contextlib.suppress(TableNotFound):
            summaries.append(await manager_of(request).summaries.summary(table, browser_of(request)))
    return summaries


@endpoints.get(
    "/api/tables/{table}/picture.svg",
    "A table as a picture",
    "A watcher's view of the newest position, or of the start while the game is hidden.",
    (404, 422, 503),
    media=SVG,
)
async def draw_table(request: Request) -> Response:
    drawn = await manager_of(request).summaries.picture(request.path_params["table"], browser_of(request))
    response = private_response(request, drawn.encode(), SVG)
    response.headers["Content-Disposition"] = "attachment"  # opened as a page, the CSP would block its style sheet
    return response


def private_response(request: Request, content: bytes, media_type: str) -> Response:
    """Respond with content for one browser's cache only, as it depends on the browser's seats."""
    response = cached_response(request, content, media_type)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Accept-Encoding, Cookie"
    return response


@endpoints.post("/api/tables", "Open a table", "The table and its seats' codes.", (503,))
async def create_table(request: Request, body: messages.TableRequest) -> messages.TableCreated:
    return await manager_of(request).tables.create(body)


@endpoints.post(
    "/api/tables/{table}/next", "Open the next table of a series", "The table and its seats' codes.", (404, 503)
)
async def create_next_table(request: Request, body: messages.NextRequest) -> messages.TableCreated:
    return await manager_of(request).tables.create_next(request.path_params["table"], body)


@endpoints.post(
    "/api/tables/{table}/copy",
    "Open a table to explore a position of this one",
    "The table and its seats' codes.",
    (404, 409, 503),
)
async def create_copy(request: Request, body: messages.CopyRequest) -> messages.TableCreated:
    return await manager_of(request).tables.copy(request.path_params["table"], body)


@endpoints.post(
    "/api/records",
    "Open a table from a record",
    "The table, where nobody holds a seat.",
    (503,),
    max_bytes=messages.MAX_UPLOAD_BYTES,
)
async def open_record(request: Request, body: messages.RecordRequest) -> messages.TableCreated:
    """A long record counts as several tables; the first was counted with the request."""
    return await manager_of(request).records.open(
        body.record, lambda tables: charge(quota_of(request).tables, "tables", tables - 1)
    )


@endpoints.get(
    "/api/tables/{table}/record",
    "A table's record",
    "The record.",
    (404, 409, 422, 503),
    query=(Query("talk", "1: with the chat, as comments at the end", ("0", "1")),),
)
async def show_record(request: Request) -> Response:
    table = request.path_params["table"]
    with_talk = flag_of(request, "talk", "The record comes with the talk (talk=1) or without (talk=0).")
    game, record = await manager_of(request).tables.record(table, with_talk)
    headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="{game}-{table}.txt"'}
    return PlainTextResponse(record, headers=headers)


@endpoints.get(
    "/api/tables/{table}/review",
    "The review of a finished game",
    "The review.",
    (404, 409, 503),
    answer=messages.AnyReview,
    progress=messages.ReviewProgress,
)
async def show_review(request: Request) -> Response:
    """Only a review that is not stored or running yet counts against the limit."""
    admit = functools.partial(charge, quota_of(request).reviews, "reviews")
    review = await manager_of(request).study.reviews.of(request.path_params["table"], admit)
    if isinstance(review, messages.ReviewProgress):
        return json_response(review, 202)
    return Response(review, headers=NO_STORE, media_type="application/json")


@endpoints.get(
    "/api/tables/{table}/review/{seq}",
    "Judge another act at a position of a finished game",
    "The verdict, with the expected play.",
    (404, 409, 422, 503),
    query=(Query("act", "an act that was legal at the position"),),
)
async def judge_retry(request: Request) -> messages.Retried:
    """Counts as an analysis, as it takes the same time."""
    seq, act = request.path_params["seq"], request.query_params.get("act", "")
    if not (seq.isdecimal() and len(seq) <= MAX_SEQ_DIGITS):
        raise messages.BadMessage("A position is given by the number of acts before it.")
    charge(quota_of(request).analyses, "analyses")
    return await manager_of(request).study.reviews.judge(request.path_params["table"], int(seq), act)


# Addresses


@endpoints.get("/api/addresses", "The addresses of the pages for others", "The addresses, the likeliest first.")
async def list_addresses(request: Request) -> messages.Addresses:
    """Only for pages on this machine: elsewhere the page's own address works, and the others are private."""
    public = public_origin_of(request)
    if public is not None:
        return messages.Addresses([f"{public}{site_of(request).settings.prefix}/"])
    if not is_at_this_machine(request):
        return messages.Addresses([])
    local = site_of(request).network
    if local is None:
        return messages.Addresses(await asyncio.to_thread(site_of(request).addresses_for_others))
    choices = await asyncio.to_thread(local.choices)
    return messages.Addresses(
        [address for _, address in choices if address is not None],
        openable=all(address is None for _, address in choices),
        networks=[messages.Network(network.host, network.kind, network.name, address) for network, address in choices],
    )


@endpoints.post(
    "/api/addresses", "Open the server to a local network, or close it", "The addresses, the likeliest first.", (503,)
)
async def open_to_network(request: Request, body: messages.NetworkRequest) -> messages.Addresses:
    """Only for a player at this machine on one of the server's own pages, which always send an Origin."""
    local = site_of(request).network
    if local is None or not is_at_this_machine(request) or "origin" not in request.headers:
        raise HTTPException(403, "Only a page on the machine where 'icetable play' runs can let others in.")
    await (local.open(body.host) if body.open else local.close(body.host))
    return await list_addresses(request)


# The interface


@endpoints.get(
    "/api/openapi.json", "The interface as an OpenAPI document", "An OpenAPI document.", answer=dict[str, Any]
)
async def show_document(request: Request) -> Response:
    return Response(openapi_json(site_of(request).settings.prefix), media_type="application/json")


@functools.cache
def openapi_json(prefix: str) -> bytes:
    return msgspec.json.encode(openapi.document(ENDPOINTS, prefix))


ENDPOINTS: tuple[Endpoint, ...] = (
    *endpoints,
    *joining.endpoints,
    *learning.endpoints,
    *playtesting.endpoints,
    *push.endpoints,
    *tournaments.endpoints,
    *parcels.endpoints,
)
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
        arguments: list[Any] = [request]
        if endpoint.method == "POST":
            require_same_origin(request)
            charge(quota_of(request).tables, "tables")
        if read is not None:
            arguments.append(read(await body_of(request, endpoint.max_bytes)))
        content = await endpoint.handler(*arguments)
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
