"""The server: HTTP and WebSocket around the hall. It carries messages and knows no game."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import msgspec
import platformdirs
import uvicorn
from msgspec import UNSET
from prometheus_client import start_http_server
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from icetable import games
from icetable.core import jit, lessons
from icetable.core.errors import GameError, UnknownGame
from icetable.server import messages, metrics
from icetable.server.http import openapi, static
from icetable.server.http.connection import CLOSING_SECONDS, FAILED, FAREWELL, Connection
from icetable.server.http.websocket import TOO_LONG, BoundedHttp, DirectWebSocket
from icetable.server.live.bot_pool import BotFactory, BotPool
from icetable.server.live.manager import TableManager, TableNotFound
from icetable.server.rate_limits import ClientQuota, ClientQuotas, TokenBucket, is_own
from icetable.server.store import is_postgres, open_store
from icetable.server.store.errors import SILENT, Conflict, StoreError
from icetable.server.store.store import Store
from icetable.server.table.errors import sentence
from icetable.server.table.views import Hidden

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

    from icetable.core.game import GameInfo
    from icetable.core.options import Option

READ_AT_MOST = 64 * 1024
"""Of longer messages not even the end is awaited: the socket is closed."""

SECURITY = {
    # Svelte sets styles by CSSOM, which 'self' allows; nothing on the pages is inline.
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

TOO_MANY_SOCKETS = messages.ErrorMessage("Too many windows are open at your address; please close some.")

HELD_OFF = "Too many messages came from your address; please try again in a moment."
HELD_OFF_PAUSE = 1.0
"""How many seconds a socket that can't be had waits for its answer."""
TRY_LATER = 1013
GARBAGE = (50_000, 20, 100)
"""How seldom the collector looks for rings of objects, which tables hardly make: with Python's own numbers it takes a
twelfth of the processor under load (docs/benchmarks.md)."""
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]
ENDING_SECONDS = 6
"""How long a server may take to end in all."""
CUT_OFF_SECONDS = 1
"""How much of it requests have to notice that their connections are closed."""
STALLED_SECONDS = 30
"""A client that takes nothing of what was sent to it for so long is dropped, where the system can do that."""
READY_FOR = 1.0
"""How many seconds it holds that the log could be written."""
READY_WITHIN = 1.5
"""How many seconds the log has to answer a probe."""

logger = logging.getLogger(__name__)


class CannotServe(Exception):
    """The server can't start; the text says why, in one sentence."""


# Plain answers


def answer(
    content: msgspec.Struct | list[messages.GameInfo] | list[messages.Listing],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer in JSON."""
    return Response(
        messages.write(content), status, {"Cache-Control": "no-store", **(headers or {})}, "application/json"
    )


async def list_games(request: Request) -> Response:
    """GET /api/games"""
    bots = manager_of(request).bot_pool.factory
    return answer(await asyncio.to_thread(lambda: [describe(info, bots) for info in games.list_games()]))


def describe(info: GameInfo, bots: BotFactory) -> messages.GameInfo:
    """A game as the lobby offers it."""
    return messages.GameInfo(
        info.name,
        info.title,
        info.summary,
        info.players,
        info.turns,
        info.default_players,
        [describe_option(option) for option in info.options],
        {name: messages.Options(dict(preset)) for name, preset in info.presets.items()},
        [messages.Level(level.name, level.title, level.about) for level in bots.levels(info.name)],
        list(info.colours[: info.players[1]]),
    )


def describe_option(option: Option) -> messages.OptionSpec:
    """A rule switch as the lobby offers it; what it does not bound is left out."""
    return messages.OptionSpec(
        option.name,
        option.kind,
        list(option.default) if isinstance(option.default, tuple) else option.default,
        option.help,
        option.rule,
        list(option.choices) or UNSET,
        UNSET if option.least is None else option.least,
        UNSET if option.most is None else option.most,
    )


async def list_tables(request: Request) -> Response:
    """GET /api/tables"""
    return answer(await manager_of(request).lobby())


def refuse_strangers(request: Request) -> None:
    """Raises HTTPException where another site's page asks for a table."""
    if not same_origin(request):
        raise HTTPException(403, "Tables are opened from the server's own pages.")


async def create_table(request: Request) -> Response:
    """POST /api/tables"""
    refuse_strangers(request)
    pay(guest_of(request).tables, "tables")
    wanted = messages.read_table_request(await body_of(request))
    return answer(await manager_of(request).create_table(wanted), 201)


async def create_next_table(request: Request) -> Response:
    """POST /api/tables/{table}/next"""
    refuse_strangers(request)
    pay(guest_of(request).tables, "tables")
    wanted = messages.read_next_request(await body_of(request))
    return answer(await manager_of(request).create_next_table(request.path_params["table"], wanted), 201)


async def create_copy(request: Request) -> Response:
    """POST /api/tables/{table}/copy"""
    refuse_strangers(request)
    pay(guest_of(request).tables, "tables")
    wanted = messages.read_copy_request(await body_of(request))
    return answer(await manager_of(request).copy_table(request.path_params["table"], wanted), 201)


async def body_of(request: Request) -> bytes:
    """The body of a request, read no further than needed to know that it is too long."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > messages.LONGEST:
                metrics.REJECTED.labels("long requests").inc()
                raise HTTPException(413, TOO_LONG)
    except ClientDisconnect:
        raise HTTPException(400, "The request broke off.") from None
    return body


async def show_record(request: Request) -> Response:
    """GET /api/tables/{table}/record"""
    table = request.path_params["table"]
    wanted = request.query_params.get("talk", "0")
    if wanted not in ("0", "1"):
        raise messages.BadMessage("The record comes with the talk (talk=1) or without (talk=0).")
    game, record = await manager_of(request).record(table, wanted == "1")
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{game}-{table}.txt"'}
    return PlainTextResponse(record, headers=headers)


async def show_rules(request: Request) -> Response:
    """GET /api/rules/{game}"""
    return answer(await asyncio.to_thread(static.rules_text, info_of(request).name))


async def show_lesson(request: Request) -> Response:
    """GET /api/lessons/{game}"""
    info = info_of(request)
    steps = await asyncio.to_thread(lessons.steps, info)
    return answer(messages.Lesson(info.name, info.title, [describe_step(step) for step in steps]))


def describe_step(step: lessons.Step) -> messages.LessonStep:
    """A step of a lesson as the page shows it."""
    return messages.LessonStep(step.name, step.title, step.told, step.hint, step.praise, list(step.rules), step.seat)


async def create_lesson_table(request: Request) -> Response:
    """POST /api/lessons/{game}/{step}"""
    refuse_strangers(request)
    info = info_of(request)
    step = step_of(request, info)
    pay(guest_of(request).tables, "tables")
    return answer(await manager_of(request).create_lesson_table(info, step), 201)


async def judge_lesson(request: Request) -> Response:
    """GET /api/lessons/{game}/{step}/{table}"""
    info = info_of(request)
    is_done = await manager_of(request).is_lesson_done(info, step_of(request, info), request.path_params["table"])
    return answer(messages.Learned(is_done))


def info_of(request: Request) -> GameInfo:
    """The game that a path names. Raises HTTPException."""
    try:
        return games.info(request.path_params["game"])
    except UnknownGame as error:
        raise HTTPException(404, sentence(error)) from None


def step_of(request: Request, info: GameInfo) -> lessons.Step:
    """The step of a lesson that a path names. Raises HTTPException."""
    try:
        return lessons.step_of(info, request.path_params["step"])
    except lessons.NoLesson as error:
        raise HTTPException(404, sentence(error)) from None


async def describe_interface(_request: Request) -> Response:
    """GET /api/openapi.json"""
    return Response(msgspec.json.encode(openapi.document()), media_type="application/json")


async def not_found(request: Request) -> Response:
    """Any other path or method under /api"""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    allowed = {
        method for route in routes if route.matches(request.scope)[0] is Match.PARTIAL for method in route.methods or ()
    }
    if allowed:
        raise HTTPException(405, "This can't be done here.", {"Allow": ", ".join(sorted(allowed))})
    raise HTTPException(404, "There is nothing here.")


async def error_response(_request: Request, error: Exception) -> Response:
    """The answer to a request that failed: one sentence."""
    if isinstance(error, HTTPException):
        return answer(messages.ErrorBody(error.detail), error.status_code, error.headers)
    if isinstance(error, GameError):
        return answer(messages.ErrorBody(sentence(error)), 422)
    statuses = {messages.BadMessage: 422, TableNotFound: 404, Hidden: 409, StoreError: 503}
    status = next((statuses[kind] for kind in type(error).__mro__ if kind in statuses), None)
    text = FAILED if status is None else str(error)
    return answer(messages.ErrorBody(text), status or 500)


async def tell_health(_request: Request) -> Response:
    """GET /healthz: the server answers."""
    return PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})


async def tell_readiness(request: Request) -> Response:
    """GET /readyz: the log can be written, and the server does not end."""
    await request.app.state.readiness.check()
    return PlainTextResponse("ready\n", headers={"Cache-Control": "no-store"})


class Readiness:
    """Whether the log can be written. It is probed at most once in a while, and once at a time."""

    def __init__(self, log: Store) -> None:
        self.is_ending = asyncio.Event()
        self._log = log
        self._probe: asyncio.Task[StoreError | None] | None = None
        self._answered_at = 0.0

    async def check(self) -> None:
        """Raises LogError or HTTPException where nothing new should be sent here."""
        if self.is_ending.is_set():
            raise HTTPException(503, FAREWELL)
        clock = asyncio.get_running_loop().time
        if self._probe is None or (self._probe.done() and clock() - self._answered_at > READY_FOR):
            self._probe = asyncio.create_task(self._ask())
        probe = self._probe
        await asyncio.wait([probe], timeout=READY_WITHIN)
        if not probe.done():
            raise StoreError(SILENT)
        if trouble := probe.result():
            raise StoreError(str(trouble))

    async def _ask(self) -> StoreError | None:
        """What keeps the log from being written."""
        try:
            with contextlib.suppress(Conflict):
                await asyncio.wrap_future(self._log.probe())
        except StoreError as error:
            return error
        finally:
            self._answered_at = asyncio.get_running_loop().time()
        return None


def guest_of(connection: HTTPConnection) -> ClientQuota:
    """Who asks, as far as their address tells."""
    guests = cast("ClientQuotas", connection.app.state.guests)
    return guests.at(connection.client.host if connection.client else "")


def pay(bucket: TokenBucket, reason: str) -> None:
    """Count a request. Raises HTTPException where there were too many."""
    if not bucket.take():
        metrics.REJECTED.labels(reason).inc()
        seconds = bucket.seconds_to_wait()
        text = f"Too many {reason} come from your address; please wait {seconds} s."
        raise HTTPException(429, text, {"Retry-After": str(seconds)})


class RateLimitMiddleware:
    """Counts the requests of an address to the interface; pages and their files are for everybody."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            try:
                pay(guest_of(HTTPConnection(scope)).requests, "requests")
            except HTTPException as refusal:
                response = await error_response(Request(scope), refusal)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from the server's own pages, or from no page at all."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    scheme = connection.scope["scheme"]
    scheme = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    if origin != f"{scheme}://{connection.headers.get('host')}":
        return False
    return not connection.app.state.is_for_this_machine or is_own_name(origin)


def is_own_name(origin: str) -> bool:
    """Whether a page's host can only be this machine; any other name may lead anywhere tomorrow."""
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:
        return False
    return host == "localhost" or is_own(host)


def manager_of(connection: HTTPConnection) -> TableManager:
    """The hall of the server that a request came to."""
    return cast("TableManager", connection.app.state.manager)


# The socket


async def sit_or_watch(websocket: WebSocket) -> None:
    """/ws: one visit to a table."""
    if not same_origin(websocket):
        metrics.REJECTED.labels("origin").inc()
        await websocket.close()
        return
    guest = guest_of(websocket)
    if guest.seconds_held_off():
        metrics.REJECTED.labels("held off").inc()
        await asyncio.sleep(HELD_OFF_PAUSE)
        headers = {"Retry-After": str(max(1, guest.seconds_held_off()))}
        await websocket.send_denial_response(answer(messages.ErrorBody(HELD_OFF), 429, headers))
        return
    await websocket.accept()
    visit, visits = (
        Connection(manager_of(websocket), websocket, guest),
        cast("set[Connection]", websocket.app.state.visits),
    )
    if guest.sockets_left < 1:
        metrics.REJECTED.labels("sockets").inc()
        await visit.decline(TRY_LATER, TOO_MANY_SOCKETS)
        return
    guest.sockets_left -= 1
    visits.add(visit)
    try:
        with metrics.SOCKETS.track_inprogress():
            await visit.last()
    finally:
        visits.remove(visit)
        guest.sockets_left += 1


# The server


def make_app(
    log: Store, bot_pool: BotPool, sockets_per_address: int | None = None, games: Collection[GameInfo] = ()
) -> Starlette:
    """The application over a log; it closes the log at its end. Before it begins it loads the kernels of `games`."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if games:
            await bot_pool.compile_all([info.load() for info in games])
            gc.freeze()  # what was loaded stays, and need not be looked through
        app.state.manager = TableManager(log, bot_pool)
        app.state.guests = ClientQuotas(sockets_per_address)
        app.state.readiness = Readiness(log)
        app.state.visits = set[Connection]()
        app.state.manager.resume()
        yield
        await app.state.manager.close()

    return Starlette(
        routes=[
            Route("/api/games", list_games),
            Route("/api/tables", list_tables),
            Route("/api/tables", create_table, methods=["POST"]),
            Route("/api/tables/{table}/next", create_next_table, methods=["POST"]),
            Route("/api/tables/{table}/copy", create_copy, methods=["POST"]),
            Route("/api/tables/{table}/record", show_record),
            Route("/api/rules/{game}", show_rules),
            Route("/api/lessons/{game}", show_lesson),
            Route("/api/lessons/{game}/{step}", create_lesson_table, methods=["POST"]),
            Route("/api/lessons/{game}/{step}/{table}", judge_lesson),
            Route("/api/openapi.json", describe_interface),
            Route("/api/{path:path}", not_found, methods=METHODS),
            Route("/healthz", tell_health),
            Route("/readyz", tell_readiness),
            WebSocketRoute("/ws", sit_or_watch),
            Mount("/", static.FrontEnd()),
        ],
        exception_handlers=dict.fromkeys(
            (HTTPException, GameError, messages.BadMessage, TableNotFound, Hidden, StoreError, Exception),
            error_response,
        ),
        middleware=[Middleware(RateLimitMiddleware)],
        lifespan=lifespan,
    )


class Server(uvicorn.Server):
    """uvicorn on a socket that is bound; `on_ready` is called once connections are accepted."""

    def __init__(self, app: Starlette, on_ready: Callable[[], None], *, behind_proxy: bool = False) -> None:
        self._app = app
        self._behind_proxy = behind_proxy
        super().__init__(
            uvicorn.Config(
                app,
                http=BoundedHttp,
                ws=DirectWebSocket,
                ws_max_size=READ_AT_MOST,
                ws_per_message_deflate=False,
                lifespan="on",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                headers=list(SECURITY.items()),
                proxy_headers=behind_proxy,
            )
        )
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        addresses = [bound.getsockname()[0] for bound in sockets or []]
        self._app.state.is_for_this_machine = not self._behind_proxy and all(map(is_own, addresses))
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new clients, finish what is under way and end in time, whatever clients and disks do."""
        for server in self.servers:
            server.close()
        self._app.state.readiness.is_ending.set()
        try:
            async with asyncio.timeout(ENDING_SECONDS):
                try:
                    await self._finish()
                finally:
                    await self.lifespan.shutdown()
        except TimeoutError:
            logger.error("The tables could not be closed in time.")

    async def _finish(self) -> None:
        """See requests and visits through for a while, and close all connections."""
        leaving = [asyncio.create_task(visit.take_leave()) for visit in self._app.state.visits]
        if under_way := [*leaving, *self.server_state.tasks]:
            await asyncio.wait(under_way, timeout=CLOSING_SECONDS)
        for connection in list(self.server_state.connections):
            try:
                connection.shutdown()
            except Exception:
                logger.exception("A connection could not be closed.")
            connection.transport.close()
        if cut_off := list(self.server_state.tasks):
            await asyncio.wait(cut_off, timeout=CUT_OFF_SECONDS)


def bind(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0 is any free one. Raises CannotServe."""
    if not 0 <= port <= 65535:
        raise CannotServe(f"A port is a number from 0 to 65535, not {port}.")
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        bound = socket.create_server(address[:2], family=family, backlog=2048)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # the connections that it takes inherit it
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_SECONDS * 1000)
    except socket.gaierror:
        raise CannotServe(f"There is no address {host!r} to serve at.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(f"Port {port} of {host} is taken; please choose another, or 0 for any.") from None
        raise CannotServe(f"Port {port} of {host} can't be used: {error.strerror}.") from None
    return bound


def raise_file_limit() -> None:
    """Take as many open files as the system allows, since each connection needs one."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # some systems name a limit that they don't grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def address_of(bound: socket.socket) -> str:
    """The address for a browser on this machine."""
    host, port = bound.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (not bound here)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def show_metrics(host: str, port: int) -> None:
    """Answer Prometheus at an address of its own, from a thread of its own. Raises CannotServe."""
    try:
        start_http_server(port, host)
    except OSError as error:
        raise CannotServe(f"The metrics can't be shown at port {port} of {host}: {error.strerror}.") from None


def serve(
    host: str = "127.0.0.1",
    port: int = 8421,
    db: str | Path | None = None,
    *,
    on_ready: Callable[[str], None],
    behind_proxy: bool = False,
    sockets_per_address: int | None = None,
    games: Collection[GameInfo] = (),
) -> None:
    """Serve tables until SIGINT or SIGTERM. Raises CannotServe.

    `port` 0 is any free one; `db` is the SQLite file (by default in the user's data folder) or the PostgreSQL URL that
    keeps the tables; `on_ready` gets the address once connections are accepted. `behind_proxy`: a proxy on this machine
    (or at the addresses that the variable FORWARDED_ALLOW_IPS names) says in X-Forwarded-For who asks. `games`:
    those whose kernels are loaded before anybody is served, so that nobody waits for them later.
    """
    jit.run_plain_until_compiled()
    raise_file_limit()
    where = db or Path(platformdirs.user_data_dir("icetable")) / "tables.sqlite"
    bound = bind(host, port)
    try:
        log = open_store(where)
    except StoreError as error:
        bound.close()
        place = "PostgreSQL" if is_postgres(where) else where
        raise CannotServe(f"Tables can't be kept in {place}. {error}") from None
    app = make_app(log, BotPool(), sockets_per_address, games)
    gc.set_threshold(*GARBAGE)
    with contextlib.suppress(KeyboardInterrupt):
        Server(app, lambda: on_ready(address_of(bound)), behind_proxy=behind_proxy).run([bound])
