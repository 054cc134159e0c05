"""The front end's files."""

from __future__ import annotations

import asyncio
import html
import os
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from icetable.server.http.caching import accepts, kept_response
from icetable.server.http.security import public_origin_of, set_browser_cookie

if TYPE_CHECKING:
    from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
"""Where the front end is built to."""
INDEX = "index.html"
"""The page of the app."""
HASHED = f"assets{os.sep}"
"""The folder whose files carry a hash of their content in their names."""
FOREVER = "public, max-age=31536000, immutable"
PACKED = {"br": ".br", "gzip": ".gz"}
"""What the build adds to the name of a hashed file for its compressed copies; the shortest first."""
BASE = b'<base href="/" />'
"""Where the page says under which path all others lie."""
PICTURE = b'content="preview.png"'
"""Where the page names the picture that other sites show beside a link to it: they want the whole address."""

NOT_BUILT = "The pages of icetable are not built yet: ./play builds them.\n"


class FrontEnd(StaticFiles):
    """The built files. Every path without an ending answers with the page of the app, which has a router of its own."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, check_dir=False)

    async def check_config(self) -> None:
        """Nothing to check: the front end may be built while the server runs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        connection = HTTPConnection(scope)
        if path.startswith(HASHED):
            return await self._hashed(path, connection)
        if path == INDEX or not PurePath(path).suffix:
            return await self._page(connection)
        content, media_type = await self._read(path, scope)
        return kept_response(connection, content, media_type)

    async def _hashed(self, path: str, connection: HTTPConnection) -> Response:
        """A file that never changes under its name, compressed as the client can read it."""
        if path.endswith(tuple(PACKED.values())):
            raise HTTPException(404)
        response, coding = await self._packed(path, connection)
        response.headers["Cache-Control"] = FOREVER
        del response.headers["Last-Modified"]  # nobody asks again for what never changes
        response.headers["Vary"] = "Accept-Encoding"
        if coding is not None and response.status_code == 200:
            response.headers["Content-Encoding"] = coding
        return response

    async def _packed(self, path: str, connection: HTTPConnection) -> tuple[Response, str | None]:
        """A file, and how it is compressed."""
        for coding, ending in PACKED.items():
            if accepts(connection, coding):
                try:
                    return await super().get_response(path + ending, connection.scope), coding
                except HTTPException as error:
                    if error.status_code != 404:
                        raise
        return await super().get_response(path, connection.scope), None

    async def _page(self, connection: HTTPConnection) -> Response:
        """The page of the app, with a cookie for a browser that has none; no shared cache may keep it."""
        try:
            content, media_type = await self._read(INDEX, connection.scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            response: Response = PlainTextResponse(NOT_BUILT, 503)
        else:
            own, prefix = public_origin_of(connection), connection.app.state.prefix
            base = connection.base_url if own is None else f"{own}{prefix}/"
            address = html.escape(f"{base}preview.png").encode()
            content = content.replace(BASE, b'<base href="%b/" />' % prefix.encode())
            content = content.replace(PICTURE, b'content="%b"' % address)
            links = "".join(
                f'<meta name="icetable-{name}" content="{html.escape(link)}" />'
                for name, link in connection.app.state.links.items()
            )
            response = kept_response(connection, content.replace(b"</head>", links.encode() + b"</head>"), media_type)
        response.headers["Cache-Control"] = "private, no-cache"
        set_browser_cookie(response, connection)
        return response

    async def _read(self, path: str, scope: Scope) -> tuple[bytes, str]:
        """A file's content and media type. Raises HTTPException."""
        response = await super().get_response(path, without_conditions(scope))
        assert isinstance(response, FileResponse)
        return await asyncio.to_thread(Path(response.path).read_bytes), response.headers["content-type"]


def without_conditions(scope: Scope) -> Scope:
    """A request that nothing is known of at the client: dates of files say too little to spare an answer."""
    conditions = (b"if-none-match", b"if-modified-since")
    return {**scope, "headers": [header for header in scope["headers"] if header[0] not in conditions]}
