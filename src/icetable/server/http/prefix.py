"""The path under which a server has all that it serves, where its host has other sites too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse
from starlette.websockets import WebSocketClose

from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.http.proxies import PROBED
from icetable.server.http.responses import json_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)+")
MOVED = 308

OUTSIDE = "Not found. The pages of icetable are under {prefix}/."
OUTSIDE_LOGGED = "requests outside the prefix get 404; the proxy must pass paths on as they are, with the prefix"


class BadPrefix(ValueError):
    """A text that is no path for a server's pages. The message says what is wrong with it."""


def prefix_of(text: str) -> str:
    """The path that an operator gives, without a slash at its end; `/` is no prefix. Raises BadPrefix."""
    path = text.strip().removesuffix("/")
    if path and not PATH.fullmatch(path):
        raise BadPrefix(
            "is a path such as /pyramids: it begins with a slash, and between its slashes are letters, digits and any"
            f" of . _ ~ -, which {short_repr(text)} is not"
        )
    return path


def path_within(scope: Scope) -> str:
    """The path of a request without the prefix, as routes have it."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


class PrefixMiddleware:
    """Answers what is under a prefix, and what is asked past a proxy. A proxy that takes the prefix off is logged."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not self._prefix:
            await self._app(scope, receive, send)
        elif scope["path"].startswith(f"{self._prefix}/"):
            scope["root_path"] = self._prefix  # of this very scope: what observes requests finds their routes in it
            await self._app(scope, receive, send)
        elif scope["path"] in PROBED:
            await self._app(scope, receive, send)
        elif scope["path"] == self._prefix and scope["type"] == "http":
            await RedirectResponse(f"{self._prefix}/", MOVED)(scope, receive, send)
        else:
            first = (
                scope["path"].lstrip("/").partition("/")[0]
            )  # what follows may be a table, which its reader could watch
            scope["app"].state.rare_log.warn(OUTSIDE_LOGGED, came=f"/{first}", expected=f"{self._prefix}/{first}")
            refusal = json_response(messages.ErrorBody(OUTSIDE.format(prefix=self._prefix)), 404)
            await (WebSocketClose() if scope["type"] == "websocket" else refusal)(scope, receive, send)
