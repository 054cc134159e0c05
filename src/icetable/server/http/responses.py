"""Responses: JSON, with errors as one sentence, and content that browsers cache and revalidate by ETag."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from icetable.core.errors import GameError
from icetable.server import messages, metrics
from icetable.server.errors import Hidden, SeatTaken, TableNotFound, sentence
from icetable.server.http.addresses import CannotServe
from icetable.server.live.study.reviews import NoReviewNow
from icetable.server.live.uploads import NoTransfer, TransferTaken
from icetable.server.store.errors import StoreError
from icetable.server.table.views import NoReview

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import HTTPConnection, Request

Content = msgspec.Struct | Sequence[msgspec.Struct]
SVG = "image/svg+xml"
FAILED = "Something went wrong on the server. Nothing at the table has changed."
NOT_FOUND = "Not found."
METHOD_NOT_ALLOWED = "Method not allowed."
CLOSED_NOTICE = "The server was closed. Your game is saved."
RESTART_NOTICE = "The server is restarting. Nothing is lost; come back in a moment."
STATUSES: dict[type[Exception], int] = {
    GameError: 422,
    SeatTaken: 409,
    messages.BadMessage: 422,
    TableNotFound: 404,
    NoTransfer: 404,
    TransferTaken: 409,
    Hidden: 409,
    NoReview: 409,
    StoreError: 503,
    NoReviewNow: 503,
    CannotServe: 503,
}
"""The status of each error that handlers raise."""
MIN_COMPRESSED_BYTES = 1000
"""Shorter content is sent uncompressed."""
MAX_CACHED = 64
"""Maximum number of contents whose hash and compressed form are cached."""


def json_response(content: Content, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response that no cache stores."""
    return Response(
        messages.write(content), status, {"Cache-Control": "no-store", **(headers or {})}, "application/json"
    )


async def error_response(_request: Request, error: Exception) -> Response:
    """The response to a request that raised an error."""
    if isinstance(error, HTTPException):
        return json_response(messages.ErrorBody(error.detail), error.status_code, error.headers)
    status = next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), None)
    if status is None:
        metrics.EXCEPTIONS.inc()
        return json_response(messages.ErrorBody(FAILED), 500)
    message = sentence(error) if isinstance(error, GameError) else str(error)
    return json_response(messages.ErrorBody(message), status)


@dataclass(frozen=True)
class Compressed:
    """The hash of some content, and the content compressed if that is shorter."""

    digest: str
    gzipped: bytes | None


def cached_response(connection: HTTPConnection, content: bytes, media_type: str) -> Response:
    """Respond with content that holds no secrets: its compressed length would leak them."""
    compressed = compress(content)
    is_zipped = compressed.gzipped is not None and accepts(connection, "gzip")
    tag = f'"{compressed.digest}-gzip"' if is_zipped else f'"{compressed.digest}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"}
    if has_cached(connection, tag):
        return Response(None, 304, headers)
    if compressed.gzipped is not None and is_zipped:
        return Response(compressed.gzipped, 200, {**headers, "Content-Encoding": "gzip"}, media_type)
    return Response(content, 200, headers, media_type)


@functools.lru_cache(MAX_CACHED)
def compress(content: bytes) -> Compressed:
    gzipped = gzip.compress(content, mtime=0) if len(content) > MIN_COMPRESSED_BYTES else content
    return Compressed(sha256(content).hexdigest()[:32], gzipped if len(gzipped) < len(content) else None)


def accepts(connection: HTTPConnection, coding: str) -> bool:
    """Whether the client accepts a content coding."""
    for offer in connection.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = offer.partition(";")
        if name.strip() in (coding, "*"):
            return weight.replace(" ", "").rstrip("0.") != "q="
    return False


def has_cached(connection: HTTPConnection, tag: str) -> bool:
    """Whether the client has the content with this ETag already."""
    known = connection.headers.get("if-none-match", "")
    return tag in [each.strip().removeprefix("W/") for each in known.split(",")]
