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
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import uvicorn
from prometheus_client import start_http_server

from icetable.folders import data_folder
from icetable.kernels import jit
from icetable.server.http import proxies, security
from icetable.server.http.addresses import (
    BACKLOG,
    BadAddress,
    CanNeverServe,
    CannotServe,
    LocalNetwork,
    address_of,
    addresses_for_others,
    bind,
    bind_path,
    host_of,
    public_origin,
    without_brackets,
)
from icetable.server.http.api.connection import CLOSING_SECONDS
from icetable.server.http.api.routes import max_body_bytes
from icetable.server.http.app import make_app
from icetable.server.http.proxies import BadPrefix, prefix_of
from icetable.server.http.transport import Bounded, Connections
from icetable.server.live import memory
from icetable.server.live.bots import BotPool
from icetable.server.rate_limits import is_loopback
from icetable.server.store import is_postgres, open_store
from icetable.server.store.errors import StoreError, StoreUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType
    from wsgiref.simple_server import WSGIServer
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from starlette.applications import Starlette

    from icetable.server.http.site import Site
    from icetable.server.live.settings import Settings

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
        self,
        app: Starlette,
        bound: list[socket.socket],
        on_ready: Callable[[], None],
        on_shared: Callable[[list[str]], object] = lambda _: None,
    ) -> None:
        """`on_shared` gets the addresses for others once a player has opened the server to a network."""
        site: Site = app.state.site
        self._site = site
        settings = site.settings
        config = uvicorn.Config(
            Bounded(
                proxies.TrustedProxies(app) if settings.behind_proxy else proxies.NoProxy(app),
                lambda path: max_body_bytes(path.removeprefix(settings.prefix)),
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
        is_local = bool(settings.lan) or all(map(is_loopback, map(host_of, bound)))
        site.has_own_names = is_local and not settings.behind_proxy
        if settings.lan is None:
            site.network = LocalNetwork(bound[0].getsockname()[1], self.listen, self.stop_listening, on_shared)
            site.addresses_for_others = site.network.addresses
        else:
            site.addresses_for_others = functools.partial(
                addresses_for_others, bound, settings.prefix, with_loopback=settings.lan
            )
        self._comes_back = True
        """Whether the server is expected to be started again; after Ctrl-C it is not."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._comes_back = sig != signal.SIGINT
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
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
        self._site.readiness.is_shutting_down.set()
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
            asyncio.create_task(connection.close(comes_back=self._comes_back)) for connection in self._site.connections
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
    settings: Settings,
    on_ready: Callable[[str], None],
    on_shared: Callable[[list[str]], object] = lambda _: None,
    report: Callable[[str], object] = logger.info,
) -> None:
    """Serve tables until SIGINT or SIGTERM. Raises CannotServe.

    `on_ready` gets the address once connections are accepted; `on_shared` gets those for other machines, if the server
    listens at all addresses or is for the local network. `report` gets sentences about kernels that compile slowly.
    """
    jit.run_plain_until_compiled()
    memory.limit_heaps()
    raise_file_limit()
    try:
        if settings.public_url is not None:
            public_origin(settings.public_url)
        settings = replace(settings, prefix=prefix_of(settings.prefix))
    except BadAddress as error:
        raise CannotServe(f"--public-url {error}.") from None
    except BadPrefix as error:
        raise CannotServe(f"--prefix {error}.") from None
    prefix, lan = settings.prefix, bool(settings.lan)
    database = settings.db or default_database()
    if settings.socket_path is None:
        bound = bind(settings.host, settings.port, with_loopback=lan)
    else:
        bound = [bind_path(settings.socket_path)]
    try:
        store = open_store(database)
    except StoreError as error:
        for listener in bound:
            listener.close()
        place = "PostgreSQL" if is_postgres(database) else database
        hint = "" if settings.db else " Name another file with --db."
        kind = CanNeverServe if isinstance(error, StoreUnusable) else CannotServe
        raise kind(f"Tables can't be kept in {place}. {error}{hint}") from None
    bot_pool = BotPool()
    app = make_app(store, bot_pool, settings)
    site: Site = app.state.site

    def announce() -> None:
        public = site.public_origin
        on_ready(address_of(bound, prefix) if public is None else f"{public}{prefix}/")
        if public is None and ((addresses := site.addresses_for_others()) or lan):
            on_shared(addresses)
        bot_pool.kernels.prepare_all(settings.games, report)

    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    with contextlib.suppress(KeyboardInterrupt):
        Server(app, bound, announce, on_shared).run(bound)
    if settings.socket_path is not None:
        settings.socket_path.unlink(missing_ok=True)
