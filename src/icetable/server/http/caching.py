"""Answers that stay the same until the server is updated: browsers keep them, and ask whether they have changed."""

from __future__ import annotations

import functools
import gzip
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

WORTH_PACKING = 1000
"""Shorter contents are sent as they are."""
MAX_PACKED = 64
"""How many contents are remembered with their hashes."""


@dataclass(frozen=True)
class Packed:
    """A content's hash, and the content compressed where that makes it shorter."""

    digest: str
    gzipped: bytes | None


def kept_response(connection: HTTPConnection, content: bytes, media_type: str) -> Response:
    """The answer to a request for a content without secrets: the length of compressed ones would tell of them."""
    packed = pack(content)
    is_zipped = packed.gzipped is not None and accepts(connection, "gzip")
    tag = f'"{packed.digest}-gzip"' if is_zipped else f'"{packed.digest}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"}
    if is_known(connection, tag):
        return Response(None, 304, headers)
    if packed.gzipped is not None and is_zipped:
        return Response(packed.gzipped, 200, {**headers, "Content-Encoding": "gzip"}, media_type)
    return Response(content, 200, headers, media_type)


@functools.lru_cache(MAX_PACKED)
def pack(content: bytes) -> Packed:
    """The hash of a content, and what it is compressed."""
    gzipped = gzip.compress(content, mtime=0) if len(content) > WORTH_PACKING else content
    return Packed(sha256(content).hexdigest()[:32], gzipped if len(gzipped) < len(content) else None)


def accepts(connection: HTTPConnection, coding: str) -> bool:
    """Whether a client says that it can read a content in this coding."""
    for offer in connection.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = offer.partition(";")
        if name.strip() in (coding, "*"):
            return weight.replace(" ", "").rstrip("0.") != "q="
    return False


def is_known(connection: HTTPConnection, tag: str) -> bool:
    """Whether a client has the content of this tag already."""
    known = connection.headers.get("if-none-match", "")
    return tag in [each.strip().removeprefix("W/") for each in known.split(",")]
