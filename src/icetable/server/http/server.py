"""The server: uvicorn on bound sockets, from start to clean shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import logging
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import uvicorn
from prometheus_client import start_http_server

from icetable.folders import data_folder
from icetable.kernels import jit
from icetable.server.http import proxies, security
from icetable.server.http.addresses import (
    BACKLOG,
    CanNeverServe,
    CannotServe,
    LocalNetwork,
    address_of,
    addresses_for_others,
    bind,
    bind_path,
    host_of,
    without_brackets,
)
from icetable.server.http.api.connection import CLOSING_SECONDS
from icetable.server.http.api.routes import max_body_bytes
from icetable.server.http.app import NO_LINKS, make_app
from icetable.server.http.proxies import BadPrefix, prefix_of
from icetable.server.http.transport import Bounded, Connections
from icetable.server.live import memory
from icetable.server.live.bot_pool import BotPool
from icetable.server.rate_limits import DEFAULT_LIMITS, Limits, is_loopback
from icetable.server.store import is_postgres, open_store
from icetable.server.store.errors import StoreError, StoreUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from concurrent.futures import Executor
    from types import FrameType
    from wsgiref.simple_server import WSGIServer
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from starlette.applications import Starlette

    from icetable.core.game import GameInfo
    from icetable.server.live.push import Push

GC_THRESHOLDS = (50_000, 20, 100)
"""Tables create hardly any reference cycles; with Python's default thresholds the collector takes a twelfth of the
processor time under load (docs/notes/2026-11-server.md)."""
SWITCH_INTERVAL_SECONDS = 0.0005
"""With Python's default of 5 ms, each act would wait that long several times while another thread replays a log."""
SHUTDOWN_SECONDS = 6
"""Timeout of a whole shutdown."""
CUT_OFF_SECONDS = 1
"""The part of it in which requests may notice that their connections are closed."""

logger = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """uvicorn on bound sockets; `on_ready` is called once connections are accepted."""

    def __init__(
        self, app: Starlette, on_ready: Callable[[], None], *, behind_proxy: bool = False, lan: bool = False
    ) -> None:
        self._app = app
        self._is_for_lan = lan
        self._behind_proxy = app.state.behind_proxy = behind_proxy
        prefix = app.state.prefix
        config = uvicorn.Config(
            Bounded(
                proxies.TrustedProxies(app) if behind_proxy else proxies.NoProxy(app),
                lambda path: max_body_bytes(path.removeprefix(prefix)),
            ),
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            headers=list(security.HEADERS.items()),
            proxy_headers=False,
        )
        config.load()
        self.connections = Connections(config.http_protocol_class, security.HEADERS)
        config.http_protocol_class = cast("type[asyncio.Protocol]", self.connections.make)
        super().__init__(config)
        self._on_ready = on_ready
        self._comes_back = True
        """Whether the server is expected to be started again; after Ctrl-C it is not."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._comes_back = sig != signal.SIGINT
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        addresses = [host_of(bound) for bound in sockets or []]
        is_local = self._is_for_lan or all(map(is_loopback, addresses))
        self._app.state.has_own_names = is_local and not self._behind_proxy
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    async def listen(self, bound: list[socket.socket]) -> None:
        """Accept connections at more sockets, as uvicorn does at those passed to `run`."""
        protocol = functools.partial(
            cast("Callable[..., asyncio.Protocol]", self.config.http_protocol_class),
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        for sock in bound:
            self.servers.append(await asyncio.get_running_loop().create_server(protocol, sock=sock, backlog=BACKLOG))

    def stop_listening(self, host: str) -> None:
        """Refuse new clients at a host that `listen` was called for, and close the connections that came in there."""
        for server in [
            server for server in self.servers if any(str(sock.getsockname()[0]) == host for sock in server.sockets)
        ]:
            server.close()
            self.servers.remove(server)
        for connection in list(self.connections):
            if connection.is_at(host):
                connection.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new clients, finish the work in progress, and end within SHUTDOWN_SECONDS."""
        for server in self.servers:
            server.close()
        self._app.state.readiness.is_shutting_down.set()
        try:
            async with asyncio.timeout(SHUTDOWN_SECONDS):
                try:
                    await self._finish()
                finally:
                    await self.lifespan.shutdown()
        except TimeoutError:
            logger.error("The tables could not be closed in time.")

    async def _finish(self) -> None:
        """Give requests and sockets time to finish, then close all connections."""
        closing = [
            asyncio.create_task(connection.close(comes_back=self._comes_back))
            for connection in self._app.state.connections
        ]
        if pending := [*closing, *self.server_state.tasks, *self.connections.tasks]:
            await asyncio.wait(pending, timeout=CLOSING_SECONDS)
        for connection in list(self.connections):
            connection.close()
        if cut_off := [*self.server_state.tasks, *self.connections.tasks]:
            await asyncio.wait(cut_off, timeout=CUT_OFF_SECONDS)


def raise_file_limit() -> None:
    """Raise the limit on open files to the hard limit, since each connection needs one."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # some systems report a limit that they don't grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def expose_metrics(host: str, port: int) -> WSGIServer:
    """Serve the Prometheus metrics at their own address, in their own thread. Raises CannotServe."""
    try:
        listener, _ = start_http_server(port, without_brackets(host))
    except OSError as error:
        raise CannotServe(f"The metrics can't be shown at port {port} of {host}: {error.strerror}.") from None
    app = listener.get_app()
    if app is not None and is_loopback(str(listener.server_address[0])):
        listener.set_app(under_own_names(app))
    return listener


def under_own_names(app: WSGIApplication) -> WSGIApplication:
    """Wrap an application so that it answers only to host names of this machine."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if security.is_local_host(environ.get("HTTP_HOST", "localhost")):
            return app(environ, start_response)
        start_response("421 Misdirected Request", [("Content-Type", "text/plain")])
        return [security.FOREIGN_HOST_ERROR.encode()]

    return answer


def default_database() -> Path:
    """The SQLite file in the user's data folder. Raises CannotServe for a user without a home folder."""
    folder = data_folder()
    if folder is None:
        raise CannotServe("This user has no home folder to keep tables in. Name a file for them with --db.")
    return folder / "tables.sqlite"


def serve(
    host: str = "127.0.0.1",
    port: int = 8421,
    db: str | Path | None = None,
    *,
    on_ready: Callable[[str], None],
    on_shared: Callable[[list[str]], object] = lambda _: None,
    behind_proxy: bool = False,
    public_url: str | None = None,
    lan: bool | None = False,
    socket_path: Path | None = None,
    limits: Limits = DEFAULT_LIMITS,
    games: Collection[GameInfo] = (),
    load_first: bool = False,
    cluster: Executor | None = None,
    keep_days: int | None = None,
    links: Mapping[str, str] = NO_LINKS,
    access_log: bool = False,
    prefix: str = "",
    push: Push | None = None,
    report: Callable[[str], object] = logger.info,
) -> None:
    """Serve tables until SIGINT or SIGTERM. Raises CannotServe.

    `port` 0 is any free one. `db`: the SQLite file (by default in the user's data folder) or the PostgreSQL URL of the
    tables. `on_ready` gets the address once connections are accepted; `on_shared` gets those for other machines, if the
    server listens at all addresses or with `lan`. With `lan` it listens at `host` and 127.0.0.1, serves the local
    network, and answers only to host names of this machine. If `lan` is None, it listens at `host`, a loopback address,
    and opens to the network once a player at this machine asks for that.

    `behind_proxy`: a proxy on this machine, or at the addresses in the variable FORWARDED_ALLOW_IPS, sends the client
    address in X-Forwarded-For. `public_url`: the URL of the pages, for proxies that don't send it. `socket_path`: a
    Unix socket to listen at instead of host and port. `games`: games whose kernels are compiled in the background, with
    sentences about slow ones to `report`; with `load_first`, cached kernels are loaded before the server accepts
    connections. `cluster`: searches for reviews and analyses instead of local processes. `keep_days`, `links`,
    `access_log`, `prefix` and `push`: see `make_app`.
    """
    jit.run_plain_until_compiled()
    memory.limit_heaps()
    raise_file_limit()
    try:
        public_origin = None if public_url is None else security.public_origin(public_url)
    except security.BadAddress as error:
        raise CannotServe(f"--public-url {error}.") from None
    try:
        prefix = prefix_of(prefix)
    except BadPrefix as error:
        raise CannotServe(f"--prefix {error}.") from None
    database = db or default_database()
    bound = bind(host, port, with_loopback=bool(lan)) if socket_path is None else [bind_path(socket_path)]
    try:
        store = open_store(database)
    except StoreError as error:
        for listener in bound:
            listener.close()
        place = "PostgreSQL" if is_postgres(database) else database
        hint = "" if db else " Name another file with --db."
        kind = CanNeverServe if isinstance(error, StoreUnusable) else CannotServe
        raise kind(f"Tables can't be kept in {place}. {error}{hint}") from None
    bot_pool = BotPool()
    app = make_app(
        store,
        bot_pool,
        limits,
        games if load_first else (),
        cluster,
        public_origin,
        keep_days,
        links,
        access_log,
        prefix,
        push,
    )

    def announce() -> None:
        on_ready(address_of(bound, prefix) if public_origin is None else f"{public_origin}{prefix}/")
        if public_origin is None and ((addresses := app.state.addresses_for_others()) or lan):
            on_shared(addresses)
        bot_pool.kernels.prepare_all(games, report)

    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    server = Server(app, announce, behind_proxy=behind_proxy, lan=bool(lan))
    configure_sharing(app, server, bound, lan, on_shared)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(bound)
    if socket_path is not None:
        socket_path.unlink(missing_ok=True)


def configure_sharing(
    app: Starlette,
    server: Server,
    bound: list[socket.socket],
    lan: bool | None,
    on_shared: Callable[[list[str]], object],
) -> None:
    """Provide the pages with the addresses for others or, if `lan` is None, with a way to open the server to them."""
    if lan is not None:
        app.state.addresses_for_others = functools.partial(
            addresses_for_others, bound, app.state.prefix, with_loopback=lan
        )
        return
    network = LocalNetwork(bound[0].getsockname()[1], server.listen, server.stop_listening, on_shared)
    app.state.addresses_for_others = network.addresses
    app.state.network = network
