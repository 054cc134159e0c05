"""Responses that browsers cache and revalidate by ETag."""

from __future__ import annotations

import functools
import gzip
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

MIN_COMPRESSED_BYTES = 1000
"""Shorter content is sent uncompressed."""
MAX_CACHED = 64
"""Maximum number of contents whose hash and compressed form are cached."""


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
