"""A path prefix for all routes, on a host that has other sites too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse
from starlette.websockets import WebSocketClose

from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.http.proxies import HEALTH_PATHS
from icetable.server.http.responses import json_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from icetable.server.logs import RareLog

PATH = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)+")
MOVED = 308

OUTSIDE = "Not found. The pages of icetable are under {prefix}/."
OUTSIDE_LOGGED = "requests outside the prefix get 404; the proxy must pass paths on unchanged, including the prefix"


class BadPrefix(ValueError):
    """An invalid path prefix. The message says what is wrong with it."""


def prefix_of(text: str) -> str:
    """Parse an operator's prefix, without the trailing slash; `/` is no prefix. Raises BadPrefix."""
    path = text.strip().removesuffix("/")
    if path and not PATH.fullmatch(path):
        raise BadPrefix(
            "is a path such as /pyramids: it begins with a slash, and between its slashes are letters, digits and any"
            f" of . _ ~ -, which {short_repr(text)} is not"
        )
    return path


def path_within(scope: Scope) -> str:
    """The path of a request without the prefix."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


class PrefixMiddleware:
    """Routes requests under the prefix, and health checks without it. Logs requests of proxies that strip it."""

    def __init__(self, app: ASGIApp, prefix: str, log: RareLog) -> None:
        self._app = app
        self._prefix = prefix
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not self._prefix:
            await self._app(scope, receive, send)
        elif scope["path"].startswith(f"{self._prefix}/"):
            scope["root_path"] = self._prefix  # in place: ObservingMiddleware reads the route from this scope
            await self._app(scope, receive, send)
        elif scope["path"] in HEALTH_PATHS:
            await self._app(scope, receive, send)
        elif scope["path"] == self._prefix and scope["type"] == "http":
            await RedirectResponse(f"{self._prefix}/", MOVED)(scope, receive, send)
        else:
            # What follows the first part may be a table's id, with which readers of the log could watch it.
            first = scope["path"].lstrip("/").partition("/")[0]
            self._log.warn(OUTSIDE_LOGGED, came=f"/{first}", expected=f"{self._prefix}/{first}")
            refusal = json_response(messages.ErrorBody(OUTSIDE.format(prefix=self._prefix)), 404)
            await (WebSocketClose() if scope["type"] == "websocket" else refusal)(scope, receive, send)
