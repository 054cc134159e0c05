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

from icetable.server.http.responses import accepts, cached_response
from icetable.server.http.security import public_origin_of, set_browser_cookie
from icetable.server.http.site import site_of
from icetable.version import version

if TYPE_CHECKING:
    from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
"""The build folder of the front end."""
INDEX = "index.html"
HASHED = f"assets{os.sep}"
"""The folder of files whose names contain a hash of their content."""
IMMUTABLE = "public, max-age=31536000, immutable"
COMPRESSED_SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""The suffixes of compressed copies of hashed files, the smallest copy first."""
BASE = b'<base href="/" />'
"""The tag in the page that sets the path prefix."""
PREVIEW = b'content="preview.png"'
"""The attribute with the link preview, which needs an absolute URL."""

NOT_BUILT = "The pages of icetable are not built yet: ./play builds them.\n"


class FrontEnd(StaticFiles):
    """The built files. Every path without a suffix returns the page of the app, which has its own router."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, check_dir=False)

    async def check_config(self) -> None:
        """Skip the check: the front end may be built while the server runs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        connection = HTTPConnection(scope)
        if path.startswith(HASHED):
            return await self._hashed(path, connection)
        if path == INDEX or not PurePath(path).suffix:
            return await self._page(connection)
        content, media_type = await self._read(path, scope)
        return cached_response(connection, content, media_type)

    async def _hashed(self, path: str, connection: HTTPConnection) -> Response:
        """An immutable file, compressed in a coding that the client accepts."""
        if path.endswith(tuple(COMPRESSED_SUFFIXES.values())):
            raise HTTPException(404)
        response, coding = await self._compressed(path, connection)
        response.headers["Cache-Control"] = IMMUTABLE
        del response.headers["Last-Modified"]  # immutable files are not revalidated
        response.headers["Vary"] = "Accept-Encoding"
        if coding is not None and response.status_code == 200:
            response.headers["Content-Encoding"] = coding
        return response

    async def _compressed(self, path: str, connection: HTTPConnection) -> tuple[Response, str | None]:
        """A file and its content coding."""
        for coding, suffix in COMPRESSED_SUFFIXES.items():
            if accepts(connection, coding):
                try:
                    return await super().get_response(path + suffix, connection.scope), coding
                except HTTPException as error:
                    if error.status_code != 404:
                        raise
        return await super().get_response(path, connection.scope), None

    async def _page(self, connection: HTTPConnection) -> Response:
        """The page of the app, with a cookie for a browser that has none; no shared cache may store it."""
        try:
            content, media_type = await self._read(INDEX, connection.scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            response: Response = PlainTextResponse(NOT_BUILT, 503)
        else:
            own, prefix = public_origin_of(connection), site_of(connection).settings.prefix
            base = connection.base_url if own is None else f"{own}{prefix}/"
            address = html.escape(f"{base}preview.png").encode()
            content = content.replace(BASE, b'<base href="%b/" />' % prefix.encode())
            content = content.replace(PREVIEW, b'content="%b"' % address)
            metas = "".join(
                f'<meta name="icetable-{name}" content="{html.escape(link)}" />'
                for name, link in {"version": version(), **site_of(connection).settings.links}.items()
            )
            response = cached_response(connection, content.replace(b"</head>", metas.encode() + b"</head>"), media_type)
        response.headers["Cache-Control"] = "private, no-cache"
        set_browser_cookie(response, connection)
        return response

    async def _read(self, path: str, scope: Scope) -> tuple[bytes, str]:
        """A file's content and media type. Raises HTTPException."""
        response = await super().get_response(path, without_conditions(scope))
        assert isinstance(response, FileResponse)
        return await asyncio.to_thread(Path(response.path).read_bytes), response.headers["content-type"]


def without_conditions(scope: Scope) -> Scope:
    """Drop the conditional headers: file dates are too coarse for revalidation."""
    conditions = (b"if-none-match", b"if-modified-since")
    return {**scope, "headers": [header for header in scope["headers"] if header[0] not in conditions]}
